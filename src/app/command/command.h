// SPDX-License-Identifier: BSD-3-Clause
// The command: its verbs.
#ifndef APP_COMMAND_COMMAND_H
#define APP_COMMAND_COMMAND_H

#include "app/command/exit_code.h"

// A verb gets its own name as argv[0].
typedef int verb_function(int argc, char **argv);
verb_function app_bed, app_terrain, app_run, app_resume, app_check, app_contacts, app_export, app_fit, app_info,
    app_plot, app_problem, app_render, app_report, app_solve, app_spheres, app_sweep, app_vehicle;

#endif
