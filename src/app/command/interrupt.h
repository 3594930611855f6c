// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C, SIGTERM and SIGHUP.
#ifndef APP_COMMAND_INTERRUPT_H
#define APP_COMMAND_INTERRUPT_H

#include <stdbool.h>

// While there is nothing to save: unfinished files are removed, and the program ends at once.
void interrupt_ends_at_once(void);
// While there is: it answers at once, and the run is asked to stop (core/base/interruption.h). Asked twice, it ends at
// once.
void interrupt_asks_to_stop(bool quiet);

#endif
