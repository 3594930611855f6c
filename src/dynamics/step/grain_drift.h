// SPDX-License-Identifier: BSD-3-Clause
// The position update of grains, four at a time: the same bits as rotate_steadily of bodies/drift.h.
#ifndef DYNAMICS_STEP_GRAIN_DRIFT_H
#define DYNAMICS_STEP_GRAIN_DRIFT_H

#include "core/base/kernels.h"
#include "dynamics/world/world.h"

enum { DRIFT_LANES = 4 };

// Move bodies first .. first + 3, all of them grains, from where they are with their new velocities for a while (s).
// False, and nothing is moved, where one of them rotates too far for a series.
typedef bool grain_drift(bodies *b, const body_poses *from, const new_motion *m, int64_t first, double duration);
KERNELS(grain_drift, drift_grains);

#endif
