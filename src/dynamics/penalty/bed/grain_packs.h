// SPDX-License-Identifier: BSD-3-Clause
// Packs: as many pairs as there are lanes, with their springs. Included by the kernels, for either precision.
//
// A block's packs are made from the rows of all that may come near its grains; springs and coefficients of pairs that
// were there before are carried over. Old and new pairs stand in the same order, so one walk along both finds them.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_PACKS_H
#define DYNAMICS_PENALTY_BED_GRAIN_PACKS_H

#include "core/base/threads.h"
#include "core/maths/quads.h"
#include "dynamics/penalty/bed/grain_pass.h"
#include "dynamics/penalty/law/adhesion.h"
#include "dynamics/penalty/law/rolling.h"

typedef struct grain_pack {
    int32_t a[REAL_LANES], b[REAL_LANES];  // slots; of a crossing pair a is the block's own
#if defined(LANES_SINGLE)
    int32_t reach[REAL_LANES];  // units; r_a + r_b
#endif
    real_number spring[2][3]
                      [REAL_LANES];  // m; of the last step and of this one, in turns: a step that fails did not happen
} grain_pack;

typedef struct pack_roll {
    real_number angle[2][3][REAL_LANES];  // rad; in turns, as springs
} pack_roll;

typedef struct pack_neck {
    real_truth in_touch[2][REAL_LANES];  // all bits of it, or none; in turns
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

// How the pairs of a pack lie and move: b relative to a.
typedef struct pair_geometry {
    real3 n, v, s;            // unit, m/s; s = r_a w_a + r_b w_b
    real overlap, lever;      // m; lever = D / (r_a + r_b)
    real3 w;                  // rad/s, for rolling resistance, as are the radii
    real radius_a, radius_b;  // m
} pair_geometry;

// r_a and r_b of their sum and difference, b less a: the same bits when the two change places.
static inline void set_radii(pair_geometry *pair, real sum, real difference)
{
    pair->radius_a = real_set(0.5) * (sum - difference);
    pair->radius_b = real_set(0.5) * (sum + difference);
}

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

static inline bool stands_before(const pack_cursor *c, int32_t a, int32_t b)
{
    const grain_pack *p = pack_at(c, c->at);
    int lane = c->at % REAL_LANES;
    return p->a[lane] != a ? p->a[lane] < a : p->b[lane] < b;
}

// Is the pair (a, b) in the old section? Pairs are asked for in order.
static inline bool find_old(pack_cursor *old, int32_t a, int32_t b)
{
    while (old->at < old->count && stands_before(old, a, b)) ++old->at;
    if (old->at == old->count) return false;
    const grain_pack *p = pack_at(old, old->at);
    return p->a[old->at % REAL_LANES] == a && p->b[old->at % REAL_LANES] == b;
}

static inline law_coefficients pair_law(const grain_fill *f, int32_t a, int32_t b)
{
    const grain_record *ra = &f->record[a], *rb = &f->record[b];
    double radius = ra->radius * rb->radius / (ra->radius + rb->radius), mass = 1.0 / (ra->inv_mass + rb->inv_mass);
    const material_pair *both = materials_pair(f->law->materials, f->law->material[a], f->law->material[b]);
    return law_of_pair(both, f->law->contact, radius, mass, ra->radius < rb->radius ? ra->radius : rb->radius);
}

static inline void set_coefficients(pack_coefficient *k, int count, int lane, const law_coefficients *c)
{
    const double value[LAW_COEFFICIENTS] = {c->stiffness, c->damping,      c->shear,    c->shear_damping,
                                            c->friction,  c->pull,         c->rolling,  c->spinning,
                                            c->inertia,   c->roll_damping, c->jkr_pull, c->jkr_overlap};
    for (int i = 0; i < count; ++i) k[i][lane] = (real_number)value[i];
}

// The spring of a pair in the list, or NULL. There it acts from the lower slot to the higher.
static inline const grain_spring *listed_spring(const grain_fill *f, int32_t a, int32_t b)
{
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    for (int64_t k = f->spring_start[low]; k < f->spring_start[low + 1]; ++k)
        if (f->spring[k].b == high) return &f->spring[k];
    return NULL;
}

// Where a pair was, and which sign what is listed of it has.
typedef struct recalled {
    int now, lane;
    double sign;
} recalled;

// A vector that a pair remembers goes into a lane: from the pack where it was, or else from the list, or else 0.
static inline void recall(real_number (*to)[REAL_LANES], int lane, const real_number (*old)[3][REAL_LANES],
                          const recalled *from, const double *listed)
{
    for (int axis = 0; axis < 3; ++axis)
        to[axis][lane] = old != NULL      ? old[from->now][axis][from->lane]
                         : listed != NULL ? (real_number)(from->sign * listed[axis])
                                          : 0;
}

static inline void append_pair(const grain_fill *f, pack_cursor *to, pack_cursor *old, int32_t a, int32_t b)
{
    grain_pack *p = pack_at(to, to->at);
    int lane = to->at % REAL_LANES;
    p->a[lane] = a, p->b[lane] = b;
#if defined(LANES_SINGLE)
    p->reach[lane] = (int32_t)(f->record[a].radius / f->unit + 0.5) + (int32_t)(f->record[b].radius / f->unit + 0.5);
#endif
    bool known = f->from != NULL && find_old(old, a, b);
    const grain_spring *listed = f->from == NULL ? listed_spring(f, a, b) : NULL;
    int32_t pack = to->at / REAL_LANES, old_pack = known ? old->at / REAL_LANES : 0;
    const recalled from = {known ? f->from->now : 0, known ? old->at % REAL_LANES : -1, a < b ? 1.0 : -1.0};
    recall(p->spring[f->to->now], lane, known ? old->pack[old_pack].spring : NULL, &from,
           listed != NULL ? listed->stretch : NULL);
    if (to->roll != NULL)
        recall(to->roll[pack].angle[f->to->now], lane, known ? old->roll[old_pack].angle : NULL, &from,
               listed != NULL ? listed->roll : NULL);
    if (to->neck != NULL)
        to->neck[pack].in_touch[f->to->now][lane] = known            ? old->neck[old_pack].in_touch[from.now][from.lane]
                                                    : listed != NULL ? -(real_truth)listed->in_touch
                                                                     : 0;
    if (to->coefficients != NULL && known) {
        pack_coefficient *k = coefficients_at(to, pack), *had = coefficients_at(old, old_pack);
        for (int i = 0; i < to->coefficient_count; ++i) k[i][lane] = had[i][from.lane];
    } else if (to->coefficients != NULL) {
        law_coefficients c = pair_law(f, a, b);
        set_coefficients(coefficients_at(to, pack), to->coefficient_count, lane, &c);
    }
    ++to->at;
}

// The lanes after the last pair hold a grain with itself: no direction, no force.
static inline void fill_up(const grain_fill *f, pack_cursor *to, int32_t slot)
{
    static const law_coefficients none = {0};
    for (int32_t at = to->at; at % REAL_LANES != 0; ++at) {
        grain_pack *p = pack_at(to, at);
        int lane = at % REAL_LANES;
        p->a[lane] = p->b[lane] = slot;
#if defined(LANES_SINGLE)
        p->reach[lane] = 2 * (int32_t)(f->record[slot].radius / f->unit + 0.5);
#endif
        recall(p->spring[f->to->now], lane, NULL, NULL, NULL);
        if (to->roll != NULL) recall(to->roll[at / REAL_LANES].angle[f->to->now], lane, NULL, NULL, NULL);
        if (to->neck != NULL) to->neck[at / REAL_LANES].in_touch[f->to->now][lane] = 0;
        if (to->coefficients != NULL)
            set_coefficients(coefficients_at(to, at / REAL_LANES), to->coefficient_count, lane, &none);
    }
}

static inline bool is_near(const grain_record *a, const grain_record *b, double half_step, double margin)
{
    double d2 = 0.0, near = a->radius + b->radius + margin;
    for (int axis = 0; axis < 3; ++axis) {
        double d = (b->x[axis] - a->x[axis]) + half_step * (b->v[axis] - a->v[axis]);
        d2 += d * d;
    }
    return d2 < near * near;
}

// The packs that a block has had, if any.
typedef struct old_packs {
    pack_set set;
    pack_range range;
} old_packs;

static inline void fill_pairs(const grain_fill *f, int64_t block, const old_packs *had)
{
    int64_t first = block * GRAIN_BLOCK, last = min_i64(first + GRAIN_BLOCK, f->count);
    pack_cursor to[2] = {section_of(f->to, block, false), section_of(f->to, block, true)};
    pack_cursor old[2] = {section_in(&had->set, &had->range, false), section_in(&had->set, &had->range, true)};
    for (int64_t a = first; a < last; ++a) {
        for (int64_t k = f->row_start[a]; k < f->row_start[a + 1]; ++k) {
            int32_t b = f->other[k];
            bool crossing = b < first || b >= last;
            if (!crossing && b < a) continue;
            if (!is_near(&f->record[a], &f->record[b], f->half_step, f->margin[block] + f->neck)) continue;
            append_pair(f, &to[crossing], &old[crossing], (int32_t)a, b);
        }
    }
    for (int crossing = 0; crossing < 2; ++crossing)
        if (to[crossing].at > 0) fill_up(f, &to[crossing], to[crossing].pack[0].a[0]);
    f->to->range[block].internal_count = to[0].at;
    f->to->range[block].crossing_count = to[1].at;
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

static inline pack_memory memory_at(const pack_cursor *c, int now)
{
    int32_t pack = c->at / REAL_LANES;
    return (pack_memory){(const real_number(*)[REAL_LANES])c->pack[pack].spring[now],
                         c->roll != NULL ? (const real_number(*)[REAL_LANES])c->roll[pack].angle[now] : NULL,
                         c->neck != NULL ? c->neck[pack].in_touch[now] : NULL};
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

static inline bool next_spring(pack_cursor *c, int now, bool all)
{
    for (; c->at < c->count; ++c->at) {
        const grain_pack *p = pack_at(c, c->at);
        int lane = c->at % REAL_LANES;
        pack_memory memory = memory_at(c, now);
        if (p->a[lane] < p->b[lane] && (all || remembers(&memory, lane))) return true;
    }
    return false;
}

static int64_t block_springs(const pack_set *set, int64_t block, bool all, grain_spring *out)
{
    pack_cursor section[2] = {section_of(set, block, false), section_of(set, block, true)};
    int64_t count = 0;
    for (;; ++count) {
        bool some[2] = {next_spring(&section[0], set->now, all), next_spring(&section[1], set->now, all)};
        if (!some[0] && !some[1]) return count;
        // A crossing pair to a higher slot comes after the internal ones of the same grain.
        int from = some[0] && (!some[1] || pack_at(&section[0], section[0].at)->a[section[0].at % REAL_LANES] <=
                                               pack_at(&section[1], section[1].at)->a[section[1].at % REAL_LANES])
                       ? 0
                       : 1;
        pack_cursor *c = &section[from];
        const grain_pack *p = pack_at(c, c->at);
        int lane = c->at % REAL_LANES;
        pack_memory memory = memory_at(c, set->now);
        if (out != NULL) out[count] = spring_of_lane(p->a[lane], p->b[lane], &memory, lane);
        ++c->at;
    }
}

#endif
