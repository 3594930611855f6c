// SPDX-License-Identifier: BSD-3-Clause
// How grains of a bed rotate in a step, four at a time: the same bits as one by one with bodies/drift.h.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_ROTATION_H
#define DYNAMICS_PENALTY_BED_GRAIN_ROTATION_H

#include "dynamics/bodies/drift.h"
#include "dynamics/penalty/bed/grain_pass.h"

enum { ROTATION_LANES = 4 };

// Four grains in a row: half a step with the old spin, half with the new one; to[] goes on with what is left of the new
// one when it has been to their own axes and back. False, and nothing is changed, where one rotates too far for a
// series.
typedef bool grain_rotation(const grain_record *from, grain_record *to, rotating *r, double half_step);
KERNELS(grain_rotation, rotate_four_grains);

#endif
