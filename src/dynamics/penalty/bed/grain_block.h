// SPDX-License-Identifier: BSD-3-Clause
// The pairs of a block: load, law, sum. Included by the kernels, after what loads and sums in their precision.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_BLOCK_H
#define DYNAMICS_PENALTY_BED_GRAIN_BLOCK_H

#include "dynamics/bodies/hertz_lanes.h"

// How far ahead the caches beyond are asked: for the grains of a pack, which is read then; and for the packs
// themselves.
enum { GRAINS_AHEAD = 8, PACKS_AHEAD = 32 };
static const size_t CACHE_LINE = 64;

static inline void ask_for_grains(const grain_pass *p, const grain_pack *pack)
{
    for (int lane = 0; lane < REAL_LANES; ++lane) {
        const char *grain = grain_address(p, pack->b[lane]);
        __builtin_prefetch(grain);
        if ((size_t)GRAIN_BYTES > CACHE_LINE) __builtin_prefetch(grain + GRAIN_BYTES - 1);
    }
}

// A block's packs are long gone from the caches when it is their turn again, and are written to.
static inline void ask_for_bytes(const void *bytes, size_t count)
{
    for (size_t at = 0; at < count; at += CACHE_LINE) __builtin_prefetch((const char *)bytes + at, 1, 2);
}

static inline void ask_for_pack(const pack_cursor *section, int32_t pack)
{
    ask_for_bytes(&section->pack[pack], sizeof(grain_pack));
    if (section->roll != NULL) ask_for_bytes(&section->roll[pack], sizeof(pack_roll));
    if (section->neck != NULL) ask_for_bytes(&section->neck[pack], sizeof(pack_neck));
}

static inline law_lanes common_lanes(const law_coefficients *c)
{
    return (law_lanes){.stiffness = real_set((real_number)c->stiffness),
                       .damping = real_set((real_number)c->damping),
                       .shear = real_set((real_number)c->shear),
                       .shear_damping = real_set((real_number)c->shear_damping),
                       .friction = real_set((real_number)c->friction),
                       .pull = real_set((real_number)c->pull),
                       .rolling = real_set((real_number)c->rolling),
                       .spinning = real_set((real_number)c->spinning),
                       .inertia = real_set((real_number)c->inertia),
                       .roll_damping = real_set((real_number)c->roll_damping),
                       .jkr_pull = real_set((real_number)c->jkr_pull),
                       .jkr_overlap = real_set((real_number)c->jkr_overlap)};
}

// The first so many of them.
static inline law_lanes own_lanes(const pack_coefficient *k, int count)
{
    law_lanes law = {.stiffness = real_load(k[LAW_STIFFNESS]),
                     .damping = real_load(k[LAW_DAMPING]),
                     .shear = real_load(k[LAW_SHEAR]),
                     .shear_damping = real_load(k[LAW_SHEAR_DAMPING]),
                     .friction = real_load(k[LAW_FRICTION]),
                     .pull = real_load(k[LAW_PULL])};
    if (count >= ROLLING_COEFFICIENTS) {
        law.rolling = real_load(k[LAW_ROLLING]);
        law.spinning = real_load(k[LAW_SPINNING]);
        law.inertia = real_load(k[LAW_INERTIA]);
        law.roll_damping = real_load(k[LAW_ROLL_DAMPING]);
    }
    if (count >= LAW_COEFFICIENTS) {
        law.jkr_pull = real_load(k[LAW_JKR_PULL]);
        law.jkr_overlap = real_load(k[LAW_JKR_OVERLAP]);
    }
    return law;
}

// Velocity of b against a where two grains touch: v that of their centres, s the sum of their spins.
static inline real3 pair_velocity(real3 v, real3 n, real lever, real3 s)
{
    return real3_add(v, real3_cross(n, real3_scale(lever, s)));
}

// Pairs are done in batches, in short loops over what the first-level cache holds: the way from a record to a sum is
// long, and one loop over all of it would leave the processor waiting. In a bed few pairs slide, but which ones nobody
// can guess: a branch around their root and divisions would cost more than these. So packs with a pair that slides are
// listed, without a branch, and held to their limits in a loop of their own.
// How many packs a batch has is the precision's.
typedef struct pair_batch {
    pair_geometry pair[BATCH];
    real normal[BATCH];               // N
    normal_response response[BATCH];  // for rolling resistance
    real3 tangent[BATCH];             // N
    real3 torque[BATCH];              // N m: of rolling resistance
    int32_t sliding[BATCH];           // packs, and in the same order their springs
    limited_spring spring[BATCH];
} pair_batch;
typedef struct pair_tally {
    real overlap;
    int64_t touching;
    pair_stress stress;
} pair_tally;

static inline void hold_to_friction(pair_batch *batch, int32_t count, grain_pack *pack)
{
    for (int32_t k = 0; k < count; ++k) {
        spring_hold_to_limit(&batch->spring[k]);
        batch->tangent[batch->sliding[k]] = batch->spring[k].force;
        real3_store(pack[batch->sliding[k]].spring, batch->spring[k].stretch);
    }
}

// What is compiled for each combination by itself.
typedef struct pair_kind {
    normal_law normal;
    bool crossing, own_law, rolling;
} pair_kind;

// Packs of a section from one on, as many as a batch has.
typedef struct pack_run {
    const pack_cursor *section;
    int32_t first, count;
} pack_run;

// The torques of rolling resistance; law NULL: each pair has its own. elastic and spinning are those of the options.
static inline __attribute__((always_inline)) void resist_rolling_as(const grain_pass *p, pack_run run,
                                                                    pair_batch *batch, const law_lanes *common,
                                                                    bool elastic, bool spinning)
{
    law_lanes law = common != NULL ? *common : (law_lanes){0};
    law_options options = p->law;
    options.elastic_rolling = elastic, options.spinning = spinning;
    for (int32_t k = 0; k < run.count; ++k) {
        const pair_geometry *pair = &batch->pair[k];
        pack_roll *memory = elastic ? &run.section->roll[run.first + k] : NULL;
        real3 roll = {0};
        if (elastic) roll = real3_load((const real_number(*)[REAL_LANES])memory->angle);
        if (common == NULL) law = own_lanes(coefficients_at(run.section, run.first + k), ROLLING_COEFFICIENTS);
        batch->torque[k] = rolling_torque(&options, &law, &batch->response[k], pair->n, pair->w, &roll);
        if (elastic) real3_store(memory->angle, roll);
    }
}

// Not inlined: once for a batch is enough.
static __attribute__((noinline)) void resist_rolling(const grain_pass *p, pack_run run, pair_batch *batch,
                                                     const law_lanes *common)
{
    if (p->law.elastic_rolling && p->law.spinning) resist_rolling_as(p, run, batch, common, true, true);
    else if (p->law.elastic_rolling) resist_rolling_as(p, run, batch, common, true, false);
    else if (p->law.spinning) resist_rolling_as(p, run, batch, common, false, true);
    else resist_rolling_as(p, run, batch, common, false, false);
}

// Torques of a and of b over their radii: that of the force, which is the same for both, and that of rolling.
static inline void add_rolling(const grain_pass *p, const pair_geometry *pair, bool own_law, real3 torque, real3 on[2])
{
    real over_a = real_set(1.0 / p->radius), over_b = over_a;
    if (own_law) {
        real inverse = real_set(1.0) / (pair->radius_a * pair->radius_b);
        over_a = inverse * pair->radius_b, over_b = inverse * pair->radius_a;
    }
    on[0] = real3_sub(on[0], real3_scale(over_a, torque));
    on[1] = real3_add(on[1], real3_scale(over_b, torque));
}

// One pair after another in the order of the list: those out of touch add 0, so which of them are listed changes no bit
// here either. Not inlined: once for a batch is enough.
static __attribute__((noinline)) void add_stress(const grain_pass *p, pack_run run, const pair_batch *batch,
                                                 const law_lanes *common, pair_stress *stress)
{
    const real least = real_set(REFERENCE_OVERLAP), tangent = real_set(HERTZ_TANGENT);
    for (int32_t k = 0; k < run.count; ++k) {
        const pair_geometry *pair = &batch->pair[k];
        const real3 n = pair->n, way = real3_scale(pair->distance, n);
        const real3 force = real3_add(real3_scale(batch->normal[k], n), batch->tangent[k]);
        real spring = real_set((real_number)p->given_stiffness);
        if (!(p->given_stiffness > 0.0)) {
            real radius = real_set((real_number)(0.5 * p->radius)), given;
            if (common != NULL) given = common->stiffness;
            else {
                radius = pair->radius_a * pair->radius_b / (pair->radius_a + pair->radius_b);
                given = real_load(coefficients_at(run.section, run.first + k)[LAW_STIFFNESS]);
            }
            const real loaded = tangent * given * real_sqrt(real_max(pair->overlap, least * radius));
            spring = p->law.hertz ? loaded : loaded / real_sqrt(least * radius);
        }
        spring = real_where(batch->normal[k] > (real){0}, spring);
        const real3 along = {way.x * n.x, way.y * n.y, way.z * n.z};
        add_lanes(stress->sum[0], way.x * force.x, way.x * force.y, way.x * force.z, spring * along.x * along.x);
        add_lanes(stress->sum[1], way.y * force.x, way.y * force.y, way.y * force.z, spring * along.y * along.y);
        add_lanes(stress->sum[2], way.z * force.x, way.z * force.y, way.z * force.z, spring * along.z * along.z);
    }
}

static inline __attribute__((always_inline)) void push_pairs(const grain_pass *p, pack_cursor section, int64_t first,
                                                             grain_sum *sum, pair_tally *tally, const pair_kind kind)
{
    const real h = real_set((real_number)p->time_step);
    law_lanes law = kind.own_law ? (law_lanes){0} : common_lanes(p->common);
    int32_t pack_count = (section.count + REAL_LANES - 1) / REAL_LANES;
    pair_batch batch;
    for (int32_t done = 0; done < pack_count; done += BATCH) {
        grain_pack *pack = section.pack + done;
        int32_t count = pack_count - done < BATCH ? pack_count - done : BATCH, sliding = 0;
        for (int32_t k = 0; k < count; ++k) {
            if (done + k + PACKS_AHEAD < pack_count) ask_for_pack(&section, done + k + PACKS_AHEAD);
            if (done + k + GRAINS_AHEAD < pack_count) ask_for_grains(p, pack + k + GRAINS_AHEAD);
            load_pairs(p, &pack[k], kind.rolling, &batch.pair[k]);
        }
        for (int32_t k = 0; k < count; ++k) {
            const pair_geometry *pair = &batch.pair[k];
            if (kind.own_law)
                law = own_lanes(coefficients_at(&section, done + k),
                                kind.normal == NORMAL_JKR ? LAW_COEFFICIENTS : PLAIN_COEFFICIENTS);
            real3 u = pair_velocity(pair->v, pair->n, pair->lever, pair->s);
            real3 spring = real3_load((const real_number(*)[REAL_LANES])pack[k].spring);
            real_mask was_in_touch = {0};
            if (kind.normal == NORMAL_JKR) was_in_touch = mask_load(section.neck[done + k].in_touch);
            normal_response normal = response_of(kind.normal, &law, pair->overlap, real3_dot(u, pair->n), was_in_touch);
            if (kind.normal == NORMAL_JKR) mask_store(section.neck[done + k].in_touch, normal.touch);
            limited_spring tangent = tangential_spring(&law, &normal, h, pair->n, u, spring);
            batch.normal[k] = normal.force;
            if (kind.rolling) batch.response[k] = normal;
            batch.tangent[k] = tangent.force;
            real3_store(pack[k].spring, tangent.stretch);
            batch.sliding[sliding] = k;
            batch.spring[sliding] = tangent;
            sliding += real_bits(tangent.beyond_limit) != 0;
            tally->overlap = real_max(pair->overlap, tally->overlap);
            tally->touching += __builtin_popcount(real_bits(normal.touch));
        }
        hold_to_friction(&batch, sliding, pack);
        const pack_run run = {&section, done, count};
        if (kind.rolling) resist_rolling(p, run, &batch, kind.own_law ? NULL : &law);
        if (p->sums_stress) add_stress(p, run, &batch, kind.own_law ? NULL : &law, &tally->stress);
        for (int32_t k = 0; k < count; ++k) {
            const pair_geometry *pair = &batch.pair[k];
            real3 force = real3_add(real3_scale(batch.normal[k], pair->n), batch.tangent[k]);
            real3 moment = real3_scale(pair->lever, real3_cross(force, pair->n)), on[2] = {moment, moment};
            if (kind.rolling) add_rolling(p, pair, kind.own_law, batch.torque[k], on);
            sum_pairs(sum, &pack[k], first, force, on, kind.crossing, kind.rolling);
        }
    }
}

static inline __attribute__((always_inline)) void push_kind(const grain_pass *p, pack_cursor section, int64_t first,
                                                            grain_sum *sum, pair_tally *tally, normal_law normal,
                                                            bool crossing, bool rolling)
{
    if (p->common != NULL) push_pairs(p, section, first, sum, tally, (pair_kind){normal, crossing, false, rolling});
    else push_pairs(p, section, first, sum, tally, (pair_kind){normal, crossing, true, rolling});
}

// Hertz' law is compiled with rolling resistance and without it; the others ask.
static inline void push_section(const grain_pass *p, int64_t block, grain_sum *sum, pair_tally *all, bool crossing)
{
    pack_cursor section = section_of(p->pairs, block, crossing);
    int64_t first = block * GRAIN_BLOCK;
    pair_tally tally = {.overlap = all->overlap};
    bool rolling = p->law.rolling;
    normal_law normal = normal_law_of(&p->law);
    if (normal == NORMAL_JKR) push_kind(p, section, first, sum, &tally, NORMAL_JKR, crossing, rolling);
    else if (normal == NORMAL_HERTZ && rolling) push_kind(p, section, first, sum, &tally, NORMAL_HERTZ, crossing, true);
    else if (normal == NORMAL_HERTZ) push_kind(p, section, first, sum, &tally, NORMAL_HERTZ, crossing, false);
    else push_kind(p, section, first, sum, &tally, NORMAL_HOOKE, crossing, rolling);
    all->overlap = tally.overlap;
    all->touching += crossing ? tally.touching : 2 * tally.touching;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j) all->stress.sum[i][j] += (crossing ? 0.5 : 1.0) * tally.stress.sum[i][j];
}

#include "dynamics/penalty/bed/grain_fill.h"
#include "dynamics/penalty/bed/grain_walls.h"

// The first push to a slot not below this one.
static inline int64_t first_push(const grain_pass *p, int64_t slot)
{
    int64_t low = 0, high = p->push_count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (p->push[middle].slot < slot) low = middle + 1;
        else high = middle;
    }
    return low;
}

static inline void push_from_outside(const grain_pass *p, int64_t first, int64_t last, grain_sum *sum)
{
    for (int64_t k = first_push(p, first); k < p->push_count && p->push[k].slot < last; ++k) {
        const grain_push *push = &p->push[k];
        double radius = p->record[push->slot].radius;
        grain_sum *at = &sum[push->slot - first];
        for (int axis = 0; axis < 3; ++axis) {
            at->f[axis] += (real_number)push->force[axis];
            at->m[axis] += (real_number)(push->torque[axis] / radius);
        }
    }
}

static inline double larger_speed2(double a, quad v)
{
    quad squares = v * v;
    double v2 = squares[0] + squares[1] + squares[2];
    return v2 <= a ? a : v2 <= 1e300 ? v2 : INFINITY;  // the last one also for what is not a number
}

static inline char *copy_out(char *to, const void *from, int64_t count, size_t size)
{
    if (count * (int64_t)size > 0) memcpy(to, from, (size_t)count * size);  // where there is nothing, from may be NULL
    return to + (size_t)count * size;
}

// Where packs are made in the place of old ones, those are put aside first.
static inline old_packs take_old(const grain_fill *f, int64_t block, char *aside)
{
    if (f->from == NULL || block >= f->from->block_count) return (old_packs){0};
    old_packs had = {*f->from, f->from->range[block]};
    if (f->from != f->to) return had;
    const pack_cursor section[2] = {section_of(f->to, block, false), section_of(f->to, block, true)};
    const int64_t packs[2] = {block_count_of(section[0].count, REAL_LANES),
                              block_count_of(section[1].count, REAL_LANES)};
    const int64_t walls = block_count_of(had.range.wall_count, REAL_LANES);
    had.set.pack = aside;
    for (int k = 0; k < 2; ++k) aside = copy_out(aside, section[k].pack, packs[k], sizeof(grain_pack));
    const size_t coefficients = (size_t)f->to->layout.coefficients * sizeof(pack_coefficient);
    had.set.coefficients = aside;
    for (int k = 0; k < 2; ++k) aside = copy_out(aside, section[k].coefficients, packs[k], coefficients);
    had.set.roll = aside;
    for (int k = 0; k < 2 && f->to->layout.rolls; ++k)
        aside = copy_out(aside, section[k].roll, packs[k], sizeof(pack_roll));
    had.set.neck = aside;
    for (int k = 0; k < 2 && f->to->layout.necks; ++k)
        aside = copy_out(aside, section[k].neck, packs[k], sizeof(pack_neck));
    had.set.wall_pack = aside;
    if (walls > 0) copy_out(aside, walls_of(f->to, block), walls, sizeof(wall_pack));
    had.range.internal_first = had.range.wall_first = 0;
    had.range.crossing_first = packs[0];
    return had;
}

static void fill_packs(const grain_fill *fill, int64_t block, void *aside)
{
    old_packs had = take_old(fill, block, aside);
    fill_pairs(fill, block, &had);
    fill_walls(fill, block, &had);
}

// Where it is shown: what lists know of motions is told there.
static inline quad shown_velocity(const periodic_cell *p, const double *x, quad v)
{
    v[p->flow] -= p->shear_velocity * period_cell(p, p->gradient, x[p->gradient]);
    return v;
}

// The flow of a stretched space, which stands still `still` cells above the low faces.
static inline quad less_flow(const periodic_cell *p, quad x, double still, quad v)
{
    const quad stretch = {p->stretch[0], p->stretch[1], p->stretch[2], 0.0},
               low = {p->low[0], p->low[1], p->low[2], 0.0},
               inverse = {p->inverse[0], p->inverse[1], p->inverse[2], 0.0};
    return v - stretch * (inverse * (x - low) - still);
}

static double carry_block(const grain_carrying *carrying, int64_t block)
{
    grain_carrying own = *carrying;  // copies, which stores to grains cannot change
    const periodic_cell period = *own.period;
    own.period = &period;
    const quad share = {own.share[0], own.share[1], own.share[2], 0.0},
               centre = {own.centre[0], own.centre[1], own.centre[2], 0.0};
    double fastest = 0.0;
    for (int64_t i = block * GRAIN_BLOCK; i < min_i64((block + 1) * GRAIN_BLOCK, own.count); ++i)
        if (own.collider[i] >= 0) fastest = larger_speed2(fastest, carry_grain(&own, i, share, centre));
    return fastest;
}

static void pass_block(const grain_pass *p, int64_t block, void *sums)
{
    grain_sum *sum = sums;
    int64_t first = block * GRAIN_BLOCK, last = min_i64(first + GRAIN_BLOCK, p->count);
    memset(sum, 0, (size_t)(last - first) * sizeof *sum);
    pair_tally tally = {0};
    ask_for_walls(p, block);
    push_section(p, block, sum, &tally, false);
    ask_for_wall_grains(p, block);
    push_section(p, block, sum, &tally, true);
    push_walls(p, block, sum, &tally);
    if (p->push_count > 0) push_from_outside(p, first, last, sum);
    double fastest = 0.0;
    quad low = {INFINITY, INFINITY, INFINITY, INFINITY}, high = -low, spins = {0};
    const grain_pass own = *p;  // copies, which stores to grains cannot change
    const periodic_cell end = own.sums_stress ? *own.end_period : (periodic_cell){0},
                        midpoint = own.sums_stress ? *own.next_period : (periodic_cell){0};
    const double half_step = 0.5 * own.time_step;
    moment_sums moments = {0};
    for (int64_t i = first; i < last; ++i) {
        if (own.record[i].inv_mass == 0.0) continue;
        quad w, v = advance(&own, i, &sum[i - first], &w);
        fastest = larger_speed2(fastest, v);
        if (own.period != NULL && own.period->is_sheared) v = shown_velocity(own.period, own.next[i].x, v);
        if (own.sums_stress) {
            const quad half = {half_step, half_step, half_step, 0.0};
            const quad x = end_of_step(&own, i, half * v);
            moments_add(&moments, 1.0 / own.record[i].inv_mass, x, less_flow(&end, x, 0.5, v));
            v = less_flow(&midpoint, x + half * v, 0.0, v);  // as lists know of motions (grain_wear.h)
        }
        low = quad_min(low, v), high = quad_max(high, v);
        spins = spins + quad_max(w, -w);
    }
    double overlap = 0.0;
    for (int lane = 0; lane < REAL_LANES; ++lane) overlap = fmax(overlap, (double)tally.overlap[lane]);
    p->tally[block] = (grain_tally){fastest,
                                    overlap,
                                    spins[0] + spins[1] + spins[2],
                                    tally.touching,
                                    {low[0], low[1], low[2]},
                                    {high[0], high[1], high[2]},
                                    tally.stress,
                                    moments_of(&moments)};
}

#endif
