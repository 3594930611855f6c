// SPDX-License-Identifier: BSD-3-Clause
// Packs: as many pairs as there are lanes, with their springs. Included by the kernels, for either precision.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_PACKS_H
#define DYNAMICS_PENALTY_BED_GRAIN_PACKS_H

#include "core/base/threads.h"
#include "core/maths/quads.h"
#include "dynamics/penalty/bed/grain_pass.h"
#include "dynamics/penalty/law/adhesion.h"
#include "dynamics/penalty/law/rolling.h"

typedef struct grain_pack {
    int32_t a[REAL_LANES], b[REAL_LANES];  // slots; of a crossing pair a is the block's own
    real_number spring[3][REAL_LANES];     // m
} grain_pack;

typedef struct pack_roll {
    real_number angle[3][REAL_LANES];  // rad
} pack_roll;

typedef struct pack_neck {
    real_truth in_touch[REAL_LANES];  // all bits of it, or none
} pack_neck;

// A coefficient of the pairs of a pack.
typedef real_number pack_coefficient[REAL_LANES];

// One section of a block's packs: the next pair is number at.
typedef struct pack_cursor {
    grain_pack *pack;
    pack_roll *roll;                 // NULL if there are none
    pack_neck *neck;                 // likewise
    pack_coefficient *coefficients;  // likewise; so many for each pack:
    int coefficient_count;
    int32_t at, count;
} pack_cursor;

// Pairs that the rows give a block, in the order of its packs.
typedef struct pair_candidates {
    int32_t a[REAL_LANES], b[REAL_LANES];
    int32_t place[REAL_LANES];  // number of the pair in its section of the block's packs, or -1
} pair_candidates;

// How the pairs of a pack lie and move: b relative to a.
typedef struct pair_geometry {
    real3 n, v, s;            // unit, m/s; s = r_a w_a + r_b w_b
    real overlap, lever;      // m; lever = D / (r_a + r_b)
    real distance;            // m; D
    real3 w;                  // rad/s, for rolling resistance
    real radius_a, radius_b;  // m: for that, and for the stress of different grains
} pair_geometry;

// r_a and r_b of their sum and difference, b less a: the same bits when the two change places.
static inline void set_radii(pair_geometry *pair, real sum, real difference)
{
    pair->radius_a = real_set(0.5) * (sum - difference);
    pair->radius_b = real_set(0.5) * (sum + difference);
}

static inline bool stress_needs_radii(const grain_pass *p) { return p->sums_stress && p->common == NULL; }

static inline pack_cursor section_in(const pack_set *set, const pack_range *range, bool crossing)
{
    int64_t first = crossing ? range->crossing_first : range->internal_first;
    int coefficients = set->layout.coefficients;
    return (pack_cursor){
        .pack = (grain_pack *)set->pack + first,
        .roll = set->layout.rolls ? (pack_roll *)set->roll + first : NULL,
        .neck = set->layout.necks ? (pack_neck *)set->neck + first : NULL,
        .coefficients = coefficients > 0 ? (pack_coefficient *)set->coefficients + coefficients * first : NULL,
        .coefficient_count = coefficients,
        .count = crossing ? range->crossing_count : range->internal_count,
    };
}

static inline pack_cursor section_of(const pack_set *set, int64_t block, bool crossing)
{
    return section_in(set, &set->range[block], crossing);
}

static inline grain_pack *pack_at(const pack_cursor *c, int32_t pair) { return &c->pack[pair / REAL_LANES]; }
static inline pack_coefficient *coefficients_at(const pack_cursor *c, int32_t pack)
{
    return c->coefficients + (ptrdiff_t)pack * c->coefficient_count;
}

static inline bool is_not_0(const real_number (*v)[REAL_LANES], int lane)
{
    return v[0][lane] != 0 || v[1][lane] != 0 || v[2][lane] != 0;
}

// What packs of a kind remember now; roll and in_touch NULL if they do not.
typedef struct pack_memory {
    const real_number (*spring)[REAL_LANES], (*roll)[REAL_LANES];
    const real_truth *in_touch;
} pack_memory;

static inline pack_memory memory_at(const pack_cursor *c)
{
    int32_t pack = c->at / REAL_LANES;
    return (pack_memory){(const real_number(*)[REAL_LANES])c->pack[pack].spring,
                         c->roll != NULL ? (const real_number(*)[REAL_LANES])c->roll[pack].angle : NULL,
                         c->neck != NULL ? c->neck[pack].in_touch : NULL};
}

static inline bool remembers(const pack_memory *m, int lane)
{
    return is_not_0(m->spring, lane) || (m->roll != NULL && is_not_0(m->roll, lane)) ||
           (m->in_touch != NULL && m->in_touch[lane] != 0);
}

static inline grain_spring spring_of_lane(int32_t a, int32_t b, const pack_memory *m, int lane)
{
    grain_spring s = {.a = a, .b = b, .in_touch = m->in_touch == NULL || m->in_touch[lane] != 0};
    for (int axis = 0; axis < 3; ++axis) {
        s.stretch[axis] = m->spring[axis][lane];
        if (m->roll != NULL) s.roll[axis] = m->roll[axis][lane];
    }
    return s;
}

static inline bool next_spring(pack_cursor *c, bool all)
{
    for (; c->at < c->count; ++c->at) {
        const grain_pack *p = pack_at(c, c->at);
        int lane = c->at % REAL_LANES;
        pack_memory memory = memory_at(c);
        if (p->a[lane] < p->b[lane] && (all || remembers(&memory, lane))) return true;
    }
    return false;
}

static int64_t block_springs(const pack_set *set, int64_t block, bool all, grain_spring *out)
{
    pack_cursor section[2] = {section_of(set, block, false), section_of(set, block, true)};
    int64_t count = 0;
    for (;; ++count) {
        bool some[2] = {next_spring(&section[0], all), next_spring(&section[1], all)};
        if (!some[0] && !some[1]) return count;
        // A crossing pair to a higher slot comes after the internal ones of the same grain.
        int from = some[0] && (!some[1] || pack_at(&section[0], section[0].at)->a[section[0].at % REAL_LANES] <=
                                               pack_at(&section[1], section[1].at)->a[section[1].at % REAL_LANES])
                       ? 0
                       : 1;
        pack_cursor *c = &section[from];
        const grain_pack *p = pack_at(c, c->at);
        int lane = c->at % REAL_LANES;
        pack_memory memory = memory_at(c);
        if (out != NULL) out[count] = spring_of_lane(p->a[lane], p->b[lane], &memory, lane);
        ++c->at;
    }
}

#endif
