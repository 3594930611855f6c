// Ctrl-C, SIGTERM and SIGHUP ask the run to stop after the present step. Asked twice, the program ends at once.
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

void interrupt_install(void);
bool interrupt_requested(void);

#endif
