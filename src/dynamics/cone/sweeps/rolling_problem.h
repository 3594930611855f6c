// SPDX-License-Identifier: BSD-3-Clause
// Bundles of contacts that resist rolling: filled beside those of problem.h, emptied into the contacts, weighed.
#ifndef DYNAMICS_CONE_SWEEPS_ROLLING_PROBLEM_H
#define DYNAMICS_CONE_SWEEPS_ROLLING_PROBLEM_H

#include "dynamics/cone/sweeps/problem.h"

// How many times the inverse masses of its sides count in the block of a contact: more than once where a heavy body is
// shared (order.h).
typedef struct side_weights {
    double a, b;
} side_weights;

// After the bundle itself has been filled. angular_impulse: N m s, a first guess
void rolling_pack_grain(problem *p, int64_t bundle, int lane, const contact_row *row, side_weights weights,
                        const float angular_impulse[3]);
void rolling_pack_general(problem *p, int64_t bundle, int lane, const contact_system *system, const contact_row *row,
                          side_weights weights, const float angular_impulse[3]);
void rolling_pad_grain(rolling_grain *m, int lane);
void rolling_pad_general(rolling_general *m, int lane);

// Twists from the bundles into the system's contacts, and the other way.
void rolling_collect(const problem *p, const contact_system *system);
void rolling_distribute(problem *p, const contact_system *system);
double rolling_elastic_energy(const problem *p);  // J; 1/2 of eps_q a_q q^2

#endif
