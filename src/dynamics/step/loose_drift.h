// SPDX-License-Identifier: BSD-3-Clause
// The position update of bodies that go on by themselves, eight at a time: the same bits as bodies/drift.h.
#ifndef DYNAMICS_STEP_LOOSE_DRIFT_H
#define DYNAMICS_STEP_LOOSE_DRIFT_H

#include "core/base/kernels.h"
#include "dynamics/world/world.h"

enum { DRIFT_LANES = 8, ALL_STEADY = (1 << DRIFT_LANES) - 1 };

// Move bodies first .. first + 7 from where they are with their new velocities for a while (s). steady: bits of those
// that keep their spin, as grains do; if all do, inertias are not looked at. False, and nothing is moved, where one of
// them rotates too far for a series.
typedef bool loose_drift(bodies *b, const body_poses *from, const new_motion *m, int64_t first, uint32_t steady,
                         double duration);
KERNELS_TO_AVX512(loose_drift, drift_loose);

#endif
