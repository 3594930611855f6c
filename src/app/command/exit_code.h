// SPDX-License-Identifier: BSD-3-Clause
// What the command returns to the shell, the same for the same fault in every verb.
#ifndef APP_COMMAND_EXIT_CODE_H
#define APP_COMMAND_EXIT_CODE_H

#include "core/base/status.h"

typedef enum exit_code {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,         // failed while running: what was made so far is there, the state of a run is saved
    EXIT_BAD_INPUT = 2,      // a word, a file or a place that cannot be used; nothing was written
    EXIT_INTERRUPTED = 130,  // stopped by a signal; the state of a run is saved and can be resumed
} exit_code;

void print_exit_codes(void);  // for help, to stdout

// "scree: " and the sentence, on stderr, of a failure while nothing has been written, and the exit code for it.
int complain(const scr_error *error);
// The same once output has begun.
int complain_at_work(const scr_error *error);

#endif
