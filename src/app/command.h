// The command: its verbs, what they return to the shell, and how they speak.
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include "core/status.h"

enum exit_code {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,         // failed while running; the state is saved
    EXIT_BAD_INPUT = 2,      // nothing was written
    EXIT_INTERRUPTED = 130,  // stopped by a signal; the state is saved and can be resumed
};

// A verb gets its own name as argv[0].
typedef int verb_function(int argc, char **argv);
verb_function app_run, app_resume, app_check, app_contacts, app_export, app_info, app_plot, app_problem, app_render, app_report,
    app_solve;

// "scree: " and the sentence, on stderr. Returns the exit code that fits the status before a run has begun.
int complain(const scr_error *error);

#endif
