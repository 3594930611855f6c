// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/solve/sweep_rate.h"

#include <math.h>

enum { WATCH = 8 };  // sweeps; a power of two, so that its root is made of square roots
// How much two watches may differ, of what is taken in a sweep, to be one slow error's and no swing's. 0.1 to 0.3 took
// the same sweeps within 3 % on a bucket and a cart among grains.
static const double ALIKE = 0.2;

// The 2 WATCH-th root: of a square, that of a sweep of a watch.
static double rate_of(double ratio)
{
    double root = sqrt(ratio);
    for (int k = 1; k < WATCH; k *= 2) root = sqrt(root);
    return root;
}

static double best_momentum(double rate, double beta)
{
    double root = sqrt((1.0 - rate) * (rate - beta) / ((1.0 + beta) * rate - beta));
    return (1.0 - root) / (1.0 + root);
}

rate_outcome sweep_rate_watch(sweep_rate *r, double beta, double change)
{
    if (change <= 0.0) {
        sweep_rate_leave(r);
        return RATE_GOES_ON;
    }
    int sweeps = r->sweeps++;
    if (sweeps % WATCH != 0) return RATE_GOES_ON;
    double rate = sweeps > 0 ? rate_of(change / r->change) : 0.0, before = r->rate;
    r->change = change;
    r->rate = rate;
    if (sweeps < 2 * WATCH) return RATE_GOES_ON;
    if (rate * before >= 1.0) return RATE_RISES;
    if (rate >= 1.0 || rate * rate <= beta || fabs(rate - before) > ALIKE * (1.0 - rate)) return RATE_GOES_ON;
    double momentum = best_momentum(rate, beta);
    if (momentum > r->momentum) {
        r->momentum = momentum;
        sweep_rate_leave(r);
    }
    return RATE_GOES_ON;
}

void sweep_rate_leave(sweep_rate *r) { r->sweeps = 0; }

void sweep_rate_forget(sweep_rate *r) { *r = (sweep_rate){0}; }
