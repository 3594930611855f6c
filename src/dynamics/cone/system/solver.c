// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/system/solver.h"

const char *const SOLVER_NAMES[SOLVER_KINDS] = {
    [SCR_SOLVER_AGS] = "ags",       [SCR_SOLVER_GS] = "gs", [SCR_SOLVER_APGD] = "apgd",
    [SCR_SOLVER_JACOBI] = "jacobi", [SCR_SOLVER_BB] = "bb", [SCR_SOLVER_NEWTON] = "newton",
    [SCR_SOLVER_AUTO] = "auto",
};
