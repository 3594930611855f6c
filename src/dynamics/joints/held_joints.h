// SPDX-License-Identifier: BSD-3-Clause
// Joints that hold axes of one frame in another (kinematics.c), four of the same kind at a time, one in each lane.
#ifndef DYNAMICS_JOINTS_HELD_JOINTS_H
#define DYNAMICS_JOINTS_HELD_JOINTS_H

#include "core/base/kernels.h"
#include "dynamics/joints/kinematics.h"

enum { HELD_LANES = 4 };

typedef struct held_kernels {
    // phi: by row, then by lane
    void (*gaps)(held_axes held, const joint_geometry *const joint[HELD_LANES], const pose *poses,
                 double phi[BLOCK_ROWS][HELD_LANES]);
    // jacobian: a's and b's of each, rows alone; seen: frame b as frame a sees it
    void (*rows)(held_axes held, const joint_geometry *const joint[HELD_LANES], const pose *poses,
                 joint_jacobian *const jacobian[HELD_LANES], pose *const seen[HELD_LANES]);
} held_kernels;

KERNELS(extern const held_kernels, held_kernels);

#endif
