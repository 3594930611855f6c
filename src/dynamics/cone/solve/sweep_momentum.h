// SPDX-License-Identifier: BSD-3-Clause
// How much momentum the next sweep has, and whether the last one is taken back. One thread decides, after a sweep.
#ifndef DYNAMICS_CONE_SOLVE_SWEEP_MOMENTUM_H
#define DYNAMICS_CONE_SOLVE_SWEEP_MOMENTUM_H

#include "dynamics/cone/solve/sweeper.h"

extern const float SWEEP_RELAXATION;

// Nesterov's beta of the next sweep, up to what the convexity of the problem foretells.
void grow_momentum(sweeper *s, const sweep_sums *sums);
// Convex friction: f must not rise. False: the sweep is to be taken back, and the next one is plain.
bool accept_convex(sweeper *s, const sweep_sums *sums, double kinetic);

// Coulomb's law, which has no f (coulomb_momentum.c).
extern const float COULOMB_SLIDING, COULOMB_STICKING;
bool coulomb_looks(int sweep);   // whether this sweep, of 1 and on, is summed up
bool coulomb_weighs(int sweep);  // and 1/2 dv^T M dv besides
void accept_coulomb(sweeper *s);

#endif
