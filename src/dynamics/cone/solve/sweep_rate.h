// SPDX-License-Identifier: BSD-3-Clause
// How fast accelerated sweeps converge, and what momentum would make them faster.
//
// With a momentum beta that is less than the slowest error needs, that error falls by the same factor x in every sweep
// and does not swing: x is the larger root of
//     x^2 - (1 + beta)(1 - m) x + beta (1 - m) = 0,      x > sqrt(beta),
// m being the part of it that a plain sweep takes. So x tells m, and m the momentum under which both roots meet and
// the error falls fastest, (1 - sqrt m)/(1 + sqrt m). What compliance alone foretells is too little where rolling is
// resisted: of a bucket in 5,000 grains errors fell by 2 % a sweep with 0.90, by 4 % with 0.92.
#ifndef DYNAMICS_CONE_SOLVE_SWEEP_RATE_H
#define DYNAMICS_CONE_SOLVE_SWEEP_RATE_H

#include <stdbool.h>

// All zero: nothing is known.
typedef struct sweep_rate {
    int sweeps;       // with the same momentum
    double change;    // as the last watch began
    double rate;      // by which the root of it fell in a sweep of the watch before
    double momentum;  // what has been learned; 0: nothing
} sweep_rate;

typedef enum rate_outcome {
    RATE_GOES_ON,
    RATE_RISES,  // sweeps change no less than long before: they swing, and momentum should begin anew
} rate_outcome;

// After each sweep with the largest momentum that there is, beta: its change, a square (sweep_sums). The momentum may
// be larger afterwards.
rate_outcome sweep_rate_watch(sweep_rate *r, double beta, double change);
// After any other, and where momentum begins anew.
void sweep_rate_leave(sweep_rate *r);
void sweep_rate_forget(sweep_rate *r);

#endif
