// SPDX-License-Identifier: BSD-3-Clause
// The passes over a bed of grains in double precision. Compiled once for every instruction set: SCREE_ISA names it.
#include "dynamics/penalty/bed/grain_images.h"
#include "dynamics/penalty/bed/grain_packs.h"

enum { GRAIN_BYTES = sizeof(grain_record) };
enum { BATCH = 16 };  // packs

typedef struct grain_sum {
    double f[4], m[4];  // N; the fourth is 0
} grain_sum;

_Static_assert(sizeof(grain_sum) == GRAIN_SUM_BYTES, "sums are allotted by this size");

static inline const char *grain_address(const grain_pass *p, int32_t slot) { return (const char *)&p->record[slot]; }

static inline void load_pairs(const grain_pass *p, const grain_pack *pack, bool rolling, pair_geometry *pair)
{
    real x[4], v[4], s[4], w[4];
    for (int lane = 0; lane < 4; ++lane) {
        const grain_record *a = &p->record[pack->a[lane]], *b = &p->record[pack->b[lane]];
        x[lane] = real_load(b->x) - real_load(a->x);
        v[lane] = real_load(b->v) - real_load(a->v);
        s[lane] = real_set(a->radius) * real_load(a->w) + real_set(b->radius) * real_load(b->w);
        w[lane] = real_load(b->w) - real_load(a->w);
    }
    real_transpose(x), real_transpose(v), real_transpose(s);
    real3 way = {x[0], x[1], x[2]};
    real3 faster = {v[0], v[1], v[2]};
    if (p->period != NULL) way = nearest_way(p->period, way, &faster);
    real reach = s[3], d2 = real3_dot(way, way), d = real_sqrt(d2);
    // 1 / (D reach) for two quotients; grains at one place push nowhere.
    real inverse = real_where(d2 > (real){0}, real_set(1.0) / (d * reach));
    real overlap = real_where(d2 > (real){0}, reach - d);
    pair->n = real3_scale(inverse * reach, way);
    pair->v = faster;
    pair->s = (real3){s[0], s[1], s[2]};
    pair->overlap = overlap;
    pair->lever = inverse * d2;
    pair->distance = d;
    if (rolling || stress_needs_radii(p)) set_radii(pair, reach, x[3]);
    if (!rolling) return;
    real_transpose(w);
    pair->w = (real3){w[0], w[1], w[2]};
}

static inline uint32_t find_near(const grain_fill *f, const pair_candidates *c, double margin)
{
    const real_mask minus = {INT64_MIN, INT64_MIN, INT64_MIN, 0};
    real x[4];
    for (int lane = 0; lane < 4; ++lane)
        x[lane] = real_load(f->record[c->b[lane]].x) + (real)((real_mask)real_load(f->record[c->a[lane]].x) ^ minus);
    real_transpose(x);
    real3 way = {x[0], x[1], x[2]};
    if (f->period != NULL) way = nearest_way(f->period, way, NULL);
    real near = x[3] + real_set(margin);
    return real_bits(real3_dot(way, way) < near * near);
}

// moment: of a and of b, different if pairs resist rolling
static inline void sum_pairs(grain_sum *sum, const grain_pack *pack, int64_t first, real3 force, const real3 moment[2],
                             bool crossing, bool rolling)
{
    real f[4] = {force.x, force.y, force.z, {0}}, m[4] = {moment[0].x, moment[0].y, moment[0].z, {0}},
         other[4] = {moment[1].x, moment[1].y, moment[1].z, {0}};
    real_transpose(f), real_transpose(m);
    if (rolling && !crossing) real_transpose(other);
    for (int lane = 0; lane < 4; ++lane) {
        grain_sum *a = &sum[pack->a[lane] - first];
        real_store(a->f, real_load(a->f) - f[lane]);
        real_store(a->m, real_load(a->m) + m[lane]);
        if (crossing) continue;
        grain_sum *b = &sum[pack->b[lane] - first];
        real_store(b->f, real_load(b->f) + f[lane]);
        real_store(b->m, real_load(b->m) + (rolling ? other[lane] : m[lane]));
    }
}

// What lanes hold is added to a sum one after another.
static inline void add_lanes(double sum[4], real x, real y, real z, real last)
{
    real row[4] = {x, y, z, last}, all = real_load(sum);
    real_transpose(row);
    for (int k = 0; k < 4; ++k) all = all + row[k];
    real_store(sum, all);
}

// From midpoint to midpoint; the new velocity. The fourth numbers stay as they are: nothing is added to them.
static inline quad advance(const grain_pass *p, int64_t i, const grain_sum *sum, quad *w)
{
    const grain_record *g = &p->record[i];
    grain_record *next = &p->next[i];
    const double h = p->time_step;
    const real gravity = {h * p->gravity[0], h * p->gravity[1], h * p->gravity[2], 0.0};
    const real half = {0.5 * h, 0.5 * h, 0.5 * h, 0.0};
    real v = real_load(g->v) + (real_set(h * g->inv_mass) * real_load(sum->f) + gravity);
    real_store(next->v, v);
    *w = real_load(g->w) + real_set(2.5 * h * g->inv_mass / g->radius) * real_load(sum->m);
    real_store(next->w, *w);
    real_store(next->x, (real_load(g->x) + half * v) + half * v);
    return v;
}

// Records of before have grains at the midpoint of the step.
static inline quad end_of_step(const grain_pass *p, int64_t i, quad half_way)
{
    return quad_load(p->record[i].x) + half_way;
}

static inline quad carry_grain(const grain_carrying *c, int64_t i, quad share, quad centre)
{
    grain_record *g = &c->record[i], *then = &c->then[i];
    const quad half = {0.5 * c->time_step, 0.5 * c->time_step, 0.5 * c->time_step, 0.0};
    quad v = quad_load(g->v), x = quad_load(then->x);
    if (!c->were_carried) x = x + half * v;
    v = v + share * (x - centre);
    quad_store(then->x, x);
    quad_store(g->x, x + half * v);
    quad_store(g->v, v);
    return v;
}

#include "dynamics/penalty/bed/grain_block.h"

const grain_kernels KERNEL(grain_kernels_double) = {
    .lanes = REAL_LANES,
    .pack_bytes = sizeof(grain_pack),
    .coefficient_bytes = sizeof(pack_coefficient),
    .roll_bytes = sizeof(pack_roll),
    .neck_bytes = sizeof(pack_neck),
    .candidate_bytes = sizeof(pair_candidates),
    .wall_pack_bytes = sizeof(wall_pack),
    .fill = fill_packs,
    .pass = pass_block,
    .carry = carry_block,
    .springs = block_springs,
    .wall_springs = block_wall_springs,
    .springs_of = block_springs_of,
};
