// SPDX-License-Identifier: BSD-3-Clause
#include <math.h>
#include <string.h>

#include "dynamics/kkt/block6.h"
#include "dynamics/kkt/kkt_factor.h"

// Of the pivot that the motion bears out: 1 where the row holds; where it is redundant 8e-3 was seen, in rings of
// 5,000. A pivot may by chance be less than its own rounding, a share of what was added up into it.
static const double BORNE_OUT = 0.1, ROUNDING = 1e-14;
// How fast a row is violated, over how fast its bodies move meanwhile: less is geometry that misses redundancy by what
// its numbers were rounded to.
static const double LEAST_SINE = 3e-6;

static double mass_square(const body_inertia *body, const double *v)
{
    scr_vec3 w = {v[3], v[4], v[5]};
    return body->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + vec3_dot(w, mat3_times(&body->inertia, w));
}

// v^T M v + l^T C l: the pivot, if nothing were rounded
static double motion_square(const kkt_factors *f, const double *x)
{
    const kkt_equations *e = f->equations;
    double sum = 0.0;
    for (int32_t i = 0; i < e->body_count; ++i) sum += mass_square(&e->body[i], x + VEC6 * (int64_t)f->order.rank[i]);
    for (int64_t b = 0; b < e->block_count; ++b) {
        const double *l = x + VEC6 * (int64_t)f->order.rank[e->body_count + b];
        for (int r = 0; r < e->block[b].row_count; ++r) sum += e->block[b].compliance[r] * l[r] * l[r];
    }
    return sum;
}

static double norm3(const double *v) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// How fast the row would be violated if its bodies' velocities did not cancel.
static double speed_at_row(const kkt_factors *f, const row_block *block, int row, const double *x)
{
    const kkt_equations *e = f->equations;
    double sum = 0.0;
    for (int64_t a = block->first_jacobian; a < block->first_jacobian + block->jacobian_count; ++a) {
        const joint_jacobian *jacobian = &e->jacobian[a];
        if (!is_movable(e, jacobian->body)) continue;
        const double *v = x + VEC6 * (int64_t)f->order.rank[jacobian->body], *j = jacobian->row[row];
        sum += norm3(j) * norm3(v) + norm3(j + 3) * norm3(v + 3);
    }
    return sum;
}

// The motion where a unit of the row's impulse acts, and all earlier rows hold.
static void violate_row(const doubted_row *d, double *x)
{
    const kkt_factors *f = d->factors;
    memset(x, 0, VEC6 * ((size_t)f->order.count + 1) * sizeof *x);
    double *own = x + VEC6 * d->place;
    own[d->row] = 1.0;
    for (int k = d->row - 1; k >= 0; --k)
        for (int c = k + 1; c <= d->row; ++c) own[k] -= d->lower[VEC6 * k + c] * own[c];
    d->follow(f, 0, d->before, x);
}

bool kkt_row_holds(const doubted_row *d)
{
    const kkt_factors *f = d->factors;
    const kkt_equations *e = f->equations;
    double added = f->added[VEC6 * d->place + d->row];
    bool is_tiny = d->pivot <= f->redundant_share * added;
    if (f->open[d->place] >> d->row & 1 || !(d->pivot > 0.0)) return false;
    if (!f->is_judged) return !is_tiny;
    violate_row(d, f->motion);
    if (!(motion_square(f, f->motion) > BORNE_OUT * fmax(d->pivot, ROUNDING * added))) return false;
    const row_block *block = &e->block[f->order.node[d->place] - e->body_count];
    return !is_tiny || d->pivot > LEAST_SINE * speed_at_row(f, block, d->row, f->motion);
}
