// A session: one process's share of a run, from its first step to the last or until something stops it.
#ifndef APP_RUN_SESSION_H
#define APP_RUN_SESSION_H

#include "io/run/run_directory.h"

// Steps until the end time, writing and saving on the way, and tells the user. Returns the exit code.
// The run directory is left open.
int session_run(run_directory *run, simulation *sim, bool quiet);

#endif
