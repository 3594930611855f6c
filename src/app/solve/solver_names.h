// SPDX-License-Identifier: BSD-3-Clause
// Solvers by name, as options list them.
#ifndef APP_SOLVE_SOLVER_NAMES_H
#define APP_SOLVE_SOLVER_NAMES_H

#include "dynamics/cone/system/solver.h"

// "ags,apgd", "all", or NULL for the default. Each solver at most once.
scr_status solver_list_parse(const char *text, scr_solver_kind list[SOLVER_KINDS], int *count, scr_error *error);

#endif
