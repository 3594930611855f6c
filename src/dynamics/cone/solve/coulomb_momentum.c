// SPDX-License-Identifier: BSD-3-Clause
// Momentum under Coulomb's law, which has no f.
//
// Plain sweeps need no more than under the convex law. With momentum, clusters of some ten bodies in which few contacts
// slide swing up, over 25 to 100 sweeps: friction makes a sweep a map that is not symmetric, and momentum feeds errors
// that turn as they fall. So what slides or is open is relaxed by less than 1, which lets what sticks be relaxed by
// more than under the convex law; momentum begins anew where a sweep changes more than one LOOK sweeps before, and may
// then grow to a part of what it had only: the cap, which heals while changes fall. To compare each sweep with the next
// one ends momentum for waves that pass by themselves.
//
// Some clusters turn for ever, without momentum and however little they are relaxed: the slow circle that plain sweeps
// of a cart in grains go round takes them a thousand. Where STALE sweeps have changed no less than before, cycles of
// sweeps are mixed (sweep_mixing.h) from then on.
//
// Over the convex law's sweeps, geometric means of 40 steps of a bucket and a cart, with and without rolling friction,
// to 0.5, 1 and 2 %, with 1500 sweeps at most (not solved: 6, 3, 1 and 1, 0, 0):
//     relaxed by 1.2 and 0.7, momentum anew from nothing, no cap, no mixing     2.53  2.35  1.85
//     all of the above                                                          2.19  1.90  1.63
// On 18 other steps to 1 %: 2.16 and 2.04. On a bed of 24 layers that slides: 1.78 with 1.2 and 0.7, 1.69 with 1.25 and
// 0.65, but 2.2 with 1.3, whatever the other is. Elsewhere alike, within a tenth: 1.2 to 1.3 of what sticks (1.4: a
// third more), 0.5 to 0.7 of what slides; of what is open by itself 0.3 to 1.3, of a sliding contact's tangent alone up
// to 1.3; the first momentum, the cap's numbers; a convexity of 3 to 6 in largest_momentum in place of 4.
//
// Lost, on 10 to 40 such steps:
// - convex sweeps with the slip in the bias (cone_slip), renewed now and then or a little after each sweep: 6 to 19
//   times the convex law's sweeps. Solved to 0.3 % each, rounds change the slip by 2 % still after ten of them, and by
//   3 % for ever where sweeps turn. Friction limits that stay for a while: not solved
// - momentum that single contacts or parts lose for themselves, none for what slides, at every second sweep, limited by
//   how fast the change falls or as the error nears the tolerance: within a tenth, or worse
// - means of sweeps; sweeps forth and back; friction limits or slips that lead or lag behind momentum
// - only where the gap is, alone for a while: the error comes back at its rim
// - mixing from the start or from the first restart on: up to 1.8 times the sweeps; of single sweeps, or of cycles of 5
//   or 10: not solved, as contacts change what they do too much
#include <math.h>

#include "dynamics/cone/solve/sweep_mixing.h"
#include "dynamics/cone/solve/sweep_momentum.h"

enum { LOOK = 5 };  // sweeps
enum { WEIGH = 2 * LOOK };
enum { STALE = 100 };  // sweeps; 60 to 150 are alike
// What a sweep changes is a square. 1.0 to 1.2 are within a tenth of each other.
static const double GROWTH = 1.1, PROGRESS = 0.64;
static const double CAP_CUT = 0.85, CAP_HEALS = 0.8, CAP_LEAST = 0.5;
static const double THETA_ANEW = 0.4;  // momentum of a half in the second sweep
const float COULOMB_SLIDING = 0.65f, COULOMB_STICKING = 1.25f;

bool coulomb_looks(int sweep) { return sweep == 1 || sweep % LOOK == 0; }

bool coulomb_weighs(int sweep) { return sweep == 1 || sweep % WEIGH == 0; }

static void begin_anew(sweeper *s)
{
    s->mode.beta = 0.0f;
    s->theta = THETA_ANEW;
    s->last_change = INFINITY;
}

// Whether sweeps change more than some sweeps before.
static bool look(sweeper *s)
{
    bool grows = s->sums.change > GROWTH * s->last_change;
    s->last_change = s->sums.change;
    if (s->sums.change < PROGRESS * s->least_change) {
        s->least_change = s->sums.change;
        s->progress_at = s->iterations;
    }
    if (grows) s->momentum_cap = fmax(CAP_LEAST, CAP_CUT * fmin(s->momentum_cap, (double)s->mode.beta));
    else s->momentum_cap = 1.0 - CAP_HEALS * (1.0 - s->momentum_cap);
    return grows;
}

static mixing_act next_act(const sweeper *s)
{
    if (s->cycle_start > 0) return s->iterations >= s->cycle_start + CYCLE_SWEEPS ? MIXING_GOES_ON : MIXING_RESTS;
    return s->mixing != NULL && s->iterations >= s->progress_at + STALE ? MIXING_BEGINS : MIXING_RESTS;
}

void accept_coulomb(sweeper *s)
{
    bool grows = s->mode.sums && look(s);
    s->mixes = next_act(s);
    if (s->mixes != MIXING_RESTS) s->cycle_start = s->iterations;
    if (s->mixes != MIXING_RESTS || (grows && s->cycle_start == 0)) begin_anew(s);
    else grow_momentum(s, &s->sums);
    s->mode.beta = fminf(s->mode.beta, (float)s->momentum_cap);
}
