// SPDX-License-Identifier: BSD-3-Clause
// What solvers did on a problem: a table to read, histories as CSV, and their plot.
#ifndef APP_SOLVE_TRIAL_TABLE_H
#define APP_SOLVE_TRIAL_TABLE_H

#include "laboratory/laboratory.h"

void print_trial_head(void);
void print_trial(const char *name, const trial *t);
scr_status write_trials_csv(const char *path, const scr_solver_kind *solver, const trial *trials, int count,
                            scr_error *error);
scr_status write_trials_plot(const char *path, const char *title, const scr_solver_kind *solver, const trial *trials,
                             int count, scr_error *error);

#endif
