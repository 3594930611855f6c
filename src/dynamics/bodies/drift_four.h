// SPDX-License-Identifier: BSD-3-Clause
// Four bodies that go on by themselves (drift.h) at once, one in each lane: to the bit what each would do alone.
#ifndef DYNAMICS_BODIES_DRIFT_FOUR_H
#define DYNAMICS_BODIES_DRIFT_FOUR_H

#include <stdbool.h>

#include "core/base/kernels.h"
#include "core/maths/pose.h"

enum { DRIFT_FOUR = 4 };

// from, to: of four bodies, one after the other; motion: six numbers of each, v and w in world axes; inverse_inertia:
// three of each. False: one of them turns too fast for this, and nothing was done.
typedef bool drift_four(const pose *from, const double *motion, const double *inverse_inertia, double duration,
                        pose *to);
KERNELS_TO_AVX512(drift_four, drift_four);

#endif
