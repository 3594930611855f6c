// SPDX-License-Identifier: BSD-3-Clause
// Packs: as many pairs as there are lanes, with their springs. Included by the kernels, for either precision.
//
// A block's packs are made from the rows of all that may come near its grains; springs and coefficients of pairs that
// were there before are carried over. Old and new pairs stand in the same order, so one walk along both finds them.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_PACKS_H
#define DYNAMICS_PENALTY_BED_GRAIN_PACKS_H

#include "core/base/threads.h"
#include "dynamics/penalty/bed/grain_pass.h"

typedef struct grain_pack {
    int32_t a[REAL_LANES], b[REAL_LANES];  // slots; of a crossing pair a is the block's own
#if defined(LANES_SINGLE)
    int32_t reach[REAL_LANES];  // units; r_a + r_b
#endif
    real_number spring[2][3]
                      [REAL_LANES];  // m; of the last step and of this one, in turns: a step that fails did not happen
} grain_pack;

// Those of law_coefficients that grains of a bed need.
enum { LAW_STIFFNESS, LAW_DAMPING, LAW_SHEAR, LAW_SHEAR_DAMPING, LAW_FRICTION, LAW_PULL, PACK_COEFFICIENTS };
typedef struct pack_coefficients {
    real_number of[PACK_COEFFICIENTS][REAL_LANES];
} pack_coefficients;

// One section of a block's packs: the next pair is number at.
typedef struct pack_cursor {
    grain_pack *pack;
    pack_coefficients *coefficients;
    int32_t at, count;
} pack_cursor;

// How the pairs of a pack lie and move: b relative to a.
typedef struct pair_geometry {
    real3 n, v, s;        // unit, m/s; s = r_a w_a + r_b w_b
    real overlap, lever;  // m; lever = D / (r_a + r_b)
} pair_geometry;

static inline pack_cursor section_in(const pack_set *set, const pack_range *range, bool crossing)
{
    int64_t first = crossing ? range->crossing_first : range->internal_first;
    pack_coefficients *all = set->coefficients;
    return (pack_cursor){(grain_pack *)set->pack + first, all != NULL ? all + first : NULL, 0,
                         crossing ? range->crossing_count : range->internal_count};
}

static inline pack_cursor section_of(const pack_set *set, int64_t block, bool crossing)
{
    return section_in(set, &set->range[block], crossing);
}

static inline grain_pack *pack_at(const pack_cursor *c, int32_t pair) { return &c->pack[pair / REAL_LANES]; }

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

static inline void set_coefficients(pack_coefficients *k, int lane, const law_coefficients *c)
{
    const double value[PACK_COEFFICIENTS] = {c->stiffness,     c->damping,  c->shear,
                                             c->shear_damping, c->friction, c->pull};
    for (int i = 0; i < PACK_COEFFICIENTS; ++i) k->of[i][lane] = (real_number)value[i];
}

static inline void copy_coefficients(pack_coefficients *k, int lane, const pack_coefficients *from, int old)
{
    for (int i = 0; i < PACK_COEFFICIENTS; ++i) k->of[i][lane] = from->of[i][old];
}

// The spring of a pair in the list, or NULL. There it acts from the lower slot to the higher.
static inline const grain_spring *listed_spring(const grain_fill *f, int32_t a, int32_t b)
{
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    for (int64_t k = f->spring_start[low]; k < f->spring_start[low + 1]; ++k)
        if (f->spring[k].b == high) return &f->spring[k];
    return NULL;
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
    for (int axis = 0; axis < 3; ++axis) {
        real_number stretch = 0;
        if (known) stretch = pack_at(old, old->at)->spring[f->from->now][axis][old->at % REAL_LANES];
        if (listed != NULL) stretch = (real_number)(a < b ? listed->stretch[axis] : -listed->stretch[axis]);
        p->spring[f->to->now][axis][lane] = stretch;
    }
    if (to->coefficients != NULL) {
        pack_coefficients *k = &to->coefficients[to->at / REAL_LANES];
        if (known) {
            copy_coefficients(k, lane, &old->coefficients[old->at / REAL_LANES], old->at % REAL_LANES);
        } else {
            law_coefficients c = pair_law(f, a, b);
            set_coefficients(k, lane, &c);
        }
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
        for (int axis = 0; axis < 3; ++axis) p->spring[f->to->now][axis][lane] = 0;
        if (to->coefficients != NULL) set_coefficients(&to->coefficients[at / REAL_LANES], lane, &none);
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
            if (!is_near(&f->record[a], &f->record[b], f->half_step, f->margin[block])) continue;
            append_pair(f, &to[crossing], &old[crossing], (int32_t)a, b);
        }
    }
    for (int crossing = 0; crossing < 2; ++crossing)
        if (to[crossing].at > 0) fill_up(f, &to[crossing], to[crossing].pack[0].a[0]);
    f->to->range[block].internal_count = to[0].at;
    f->to->range[block].crossing_count = to[1].at;
}

static inline bool has_spring(const real_number (*spring)[REAL_LANES], int lane)
{
    return spring[0][lane] != 0 || spring[1][lane] != 0 || spring[2][lane] != 0;
}

static inline bool next_spring(pack_cursor *c, int now, bool all)
{
    for (; c->at < c->count; ++c->at) {
        const grain_pack *p = pack_at(c, c->at);
        int lane = c->at % REAL_LANES;
        if (p->a[lane] < p->b[lane] && (all || has_spring(p->spring[now], lane))) return true;
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
        const grain_pack *p = pack_at(&section[from], section[from].at);
        int lane = section[from].at++ % REAL_LANES;
        if (out == NULL) continue;
        const real_number(*spring)[REAL_LANES] = p->spring[set->now];
        out[count] = (grain_spring){p->a[lane], p->b[lane], {spring[0][lane], spring[1][lane], spring[2][lane]}};
    }
}

#endif
