// SPDX-License-Identifier: BSD-3-Clause
// Joints that hold axes of one frame in another (kinematics.c), four of the same kind at a time, one in each lane.
#ifndef DYNAMICS_JOINTS_HELD_JOINTS_H
#define DYNAMICS_JOINTS_HELD_JOINTS_H

#include "core/base/kernels.h"
#include "dynamics/joints/kinematics.h"

enum { HELD_LANES = 4 };

// What rows do to b over a step, by lane: impulses at its start and at its end, each by the Jacobians of b there, one
// added to the other.
typedef struct held_reactions {
    double force[3][HELD_LANES], torque[3][HELD_LANES];  // N s, N m s; at the origin of b's frame
    double across[HELD_LANES];                           // N s: of the force, across the joint's axis at the end
} held_reactions;
typedef struct held_impulses {
    const joint_jacobian *on_b[HELD_LANES];
    const double *impulse[HELD_LANES];
} held_impulses;

typedef struct held_kernels {
    // phi: by row, then by lane
    void (*gaps)(held_axes held, const joint_geometry *const joint[HELD_LANES], const pose *poses,
                 double phi[BLOCK_ROWS][HELD_LANES]);
    // jacobian: a's and b's of each, rows alone; seen: frame b as frame a sees it
    void (*rows)(held_axes held, const joint_geometry *const joint[HELD_LANES], const pose *poses,
                 joint_jacobian *const jacobian[HELD_LANES], pose *const seen[HELD_LANES]);
    void (*reactions)(held_axes held, const held_impulses *of, bool is_end, held_reactions *sum);
} held_kernels;

KERNELS_TO_AVX512(extern const held_kernels, held_kernels);

#endif
