// SPDX-License-Identifier: BSD-3-Clause
// Contact problems in files: `scree solve` and other programs solve them again.
#ifndef SCREE_PROBLEM_H
#define SCREE_PROBLEM_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Advance by one time step, as scr_world_step does, and write the contact problem of that step to an HDF5 file, in
/// FCLIB's layout and scree's own (docs/solvers.md). If the step fails, nothing is written; if the file cannot be
/// written (SCR_IO), the step has been made. A world of SCR_PENALTY has no such problem: SCR_BAD_INPUT.
SCR_API scr_status scr_world_save_step(scr_world *world, const char *path, scr_error *error);

#ifdef __cplusplus
}
#endif

#endif
