// SPDX-License-Identifier: BSD-3-Clause
// Momentum under Coulomb's law, which has no f.
//
// Plain sweeps need no more than under the convex law. With momentum, clusters of some ten bodies in which few contacts
// slide swing up, over 25 to 100 sweeps: friction makes a sweep a map that is not symmetric, and momentum feeds errors
// that turn as they fall. So what slides or is open is relaxed by 0.7, which lets what sticks be relaxed by 1.2
// as under the convex law, and momentum begins anew where a sweep changes more than one LOOK sweeps before. To compare
// each sweep with the next one ends momentum for waves that pass by themselves: a bucket and a cart in grains, with and
// without rolling friction, take 8 to 21 % more sweeps then (40 steps to a force error of 1 %, geometric means).
// When a whole WATCH of sweeps brings no progress, the next one is plain.
//
// Lost, on 13 to 40 such steps:
// - convex sweeps with the slip in the bias (cone_slip), renewed now and then or a little after each sweep: 6 to 19
//   times the convex law's sweeps; friction limits that stay for a while: not solved. Neither contracts.
// - momentum that single contacts or parts lose for themselves, none for what slides, at every second sweep, limited by
//   how fast the change falls or as the error nears the tolerance: within a tenth, or worse
// - means of sweeps; sweeps forth and back; friction limits or slips that lead or lag behind momentum
// - only where the gap is, alone for a while: the error comes back at its rim
// - Anderson's mixing of 1 to 10 sweeps from the start. Once the error is about twice the tolerance it does solve steps
//   that sweep on for ever.
#include <math.h>

#include "dynamics/cone/solve/sweep_momentum.h"

enum { WATCH = 500 };  // sweeps, as double_sweeps.c has it
enum { LOOK = 5 };     // sweeps: a part of a watch. 3 to 6 are alike, 8 leaves more steps unsolved
enum { WEIGH = 2 * LOOK };
// 1.0 to 1.2 are within a tenth of each other; 1.4, of a single sweep, leaves steps unsolved.
static const double GROWTH = 1.1;
// 1 takes up to a tenth more sweeps, 0.5 up to a sixth.
const float COULOMB_SLIDING = 0.7f;

bool coulomb_looks(int sweep) { return sweep == 1 || sweep % LOOK == 0; }

bool coulomb_weighs(int sweep) { return sweep == 1 || sweep % WEIGH == 0; }

static void begin_anew(sweeper *s)
{
    s->mode.beta = 0.0f;
    s->theta = 1.0;
    s->last_change = INFINITY;
}

static void watch_progress(sweeper *s)
{
    s->least_change = fmin(s->least_change, s->sums.change);
    if (s->iterations % WATCH != 0) return;
    s->plain_watch = !s->plain_watch && s->least_change >= s->least_before;
    s->least_before = fmin(s->least_before, s->least_change);
    s->least_change = INFINITY;
}

void accept_coulomb(sweeper *s)
{
    bool grows = false;
    if (s->mode.sums) {
        watch_progress(s);
        grows = s->sums.change > GROWTH * s->last_change;
        s->last_change = s->sums.change;
    }
    if (grows || s->plain_watch) begin_anew(s);
    else grow_momentum(s, &s->sums);
}
