// SPDX-License-Identifier: BSD-3-Clause
// Making the packs of a block: those pairs of its rows that are near. Included by the kernels, for either precision.
//
// When the rows are new, the block's pairs are listed as candidates, in the order of packs, each with its place in the
// packs that there were: both stand in the same order, so one walk along both finds it. From then on making packs anew
// is one pass over the candidates, without a branch that depends on a pair: who is near is found lane by lane, every
// pair is written behind the last one that is near, and its spring comes from where its place says.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_FILL_H
#define DYNAMICS_PENALTY_BED_GRAIN_FILL_H

static inline bool has_come(const grain_fill *f, int32_t slot)
{
    return f->mark != NULL && (f->mark[slot] & SLOT_CHANGED) != 0;
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

// Not from records: those of other blocks may be written to meanwhile.
static inline law_coefficients pair_law(const grain_fill *f, int32_t a, int32_t b)
{
    double ra = f->walls->colliders->radius[f->walls->collider[a]],
           rb = f->walls->colliders->radius[f->walls->collider[b]];
    double radius = ra * rb / (ra + rb), mass = 1.0 / (f->law->inv_mass[a] + f->law->inv_mass[b]);
    const material_pair *both = materials_pair(f->law->materials, f->law->material[a], f->law->material[b]);
    return law_of_pair(both, f->law->contact, radius, mass, ra < rb ? ra : rb);
}

static inline void set_coefficients(pack_coefficient *k, int count, int lane, const law_coefficients *c)
{
    const double value[LAW_COEFFICIENTS] = {c->stiffness, c->damping,      c->shear,    c->shear_damping,
                                            c->friction,  c->pull,         c->rolling,  c->spinning,
                                            c->inertia,   c->roll_damping, c->jkr_pull, c->jkr_overlap};
    for (int i = 0; i < count; ++i) k[i][lane] = (real_number)value[i];
}

// What somebody who has come remembers of b, or NULL.
static inline const grain_spring *carried_spring(const grain_fill *f, int32_t a, int32_t b)
{
    int64_t low = 0, high = f->carried_count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        const grain_spring *s = &f->carried[middle];
        if (s->a < a || (s->a == a && s->b < b)) low = middle + 1;
        else high = middle;
    }
    bool is_there = low < f->carried_count && f->carried[low].a == a && f->carried[low].b == b;
    return is_there ? &f->carried[low] : NULL;
}

// The spring of a pair in the list, or NULL. There it acts from the lower slot to the higher.
static inline const grain_spring *listed_spring(const grain_fill *f, int32_t a, int32_t b)
{
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    if (f->from != NULL) return carried_spring(f, low, high);
    for (int64_t k = f->spring_start[low]; k < f->spring_start[low + 1]; ++k)
        if (f->spring[k].b == high) return &f->spring[k];
    return NULL;
}

// A vector that a pair remembers goes from lane to lane.
static const real_number NOTHING[3][REAL_LANES];
static inline void recall(real_number (*to)[REAL_LANES], int lane, const real_number (*from)[REAL_LANES], int from_lane)
{
    for (int axis = 0; axis < 3; ++axis) to[axis][lane] = from[axis][from_lane];
}

static inline void recall_listed(real_number (*to)[REAL_LANES], int lane, const double *listed, double sign)
{
    for (int axis = 0; axis < 3; ++axis) to[axis][lane] = (real_number)(sign * listed[axis]);
}

// What the list knows of a pair goes into its lane.
static inline void recall_spring(const grain_fill *f, pack_cursor *to, int32_t a, int32_t b)
{
    const grain_spring *listed = listed_spring(f, a, b);
    if (listed == NULL) return;
    int32_t pack = to->at / REAL_LANES;
    int lane = to->at % REAL_LANES;
    double sign = a < b ? 1.0 : -1.0;
    recall_listed(to->pack[pack].spring, lane, listed->stretch, sign);
    if (to->roll != NULL) recall_listed(to->roll[pack].angle, lane, listed->roll, sign);
    if (to->neck != NULL) to->neck[pack].in_touch[lane] = -(real_truth)listed->in_touch;
}

// A pair that has had no place yet, if it is near, needs its coefficients found.
static inline void recall_coefficients(const grain_fill *f, pack_cursor *to, const pack_cursor *old, int32_t place,
                                       bool near)
{
    pack_coefficient *k = coefficients_at(to, to->at / REAL_LANES);
    int lane = to->at % REAL_LANES;
    if (place >= 0) {
        pack_coefficient *had = coefficients_at(old, place / REAL_LANES);
        for (int i = 0; i < to->coefficient_count; ++i) k[i][lane] = had[i][place % REAL_LANES];
    } else if (near) {
        const grain_pack *p = pack_at(to, to->at);
        law_coefficients c = pair_law(f, p->a[lane], p->b[lane]);
        set_coefficients(k, to->coefficient_count, lane, &c);
    }
}

// Write a candidate behind the last pair; it stays there if it is near.
static inline void append_pair(const grain_fill *f, pack_cursor *to, const pack_cursor *old, pair_candidates *c, int k,
                               bool is_near)
{
    grain_pack *p = pack_at(to, to->at);
    const int lane = to->at % REAL_LANES;
    const int32_t place = c->place[k], pack = to->at / REAL_LANES, old_pack = place / REAL_LANES;
    const int old_lane = place & (REAL_LANES - 1);
    const bool known = place >= 0;
    p->a[lane] = c->a[k], p->b[lane] = c->b[k];
    recall(p->spring, lane, known ? (const real_number(*)[REAL_LANES])old->pack[old_pack].spring : NOTHING, old_lane);
    if (to->roll != NULL)
        recall(to->roll[pack].angle, lane,
               known ? (const real_number(*)[REAL_LANES])old->roll[old_pack].angle : NOTHING, old_lane);
    if (to->neck != NULL) to->neck[pack].in_touch[lane] = known ? old->neck[old_pack].in_touch[old_lane] : 0;
    if (f->from == NULL || (f->carried_count > 0 && !known)) recall_spring(f, to, c->a[k], c->b[k]);
    if (to->coefficients != NULL) recall_coefficients(f, to, old, place, is_near);
    c->place[k] = is_near ? to->at : -1;
    to->at += is_near;
}

// The lanes after the last pair hold a grain with itself: no direction, no force.
static inline void fill_up(pack_cursor *to, int32_t slot)
{
    static const law_coefficients none = {0};
    for (int32_t at = to->at; at % REAL_LANES != 0; ++at) {
        grain_pack *p = pack_at(to, at);
        int lane = at % REAL_LANES;
        p->a[lane] = p->b[lane] = slot;
        recall(p->spring, lane, NOTHING, 0);
        if (to->roll != NULL) recall(to->roll[at / REAL_LANES].angle, lane, NOTHING, 0);
        if (to->neck != NULL) to->neck[at / REAL_LANES].in_touch[lane] = 0;
        if (to->coefficients != NULL)
            set_coefficients(coefficients_at(to, at / REAL_LANES), to->coefficient_count, lane, &none);
    }
}

// The packs that a block has had, if any.
typedef struct old_packs {
    pack_set set;
    pack_range range;
} old_packs;

static inline pair_candidates *candidates_of(const grain_fill *f, int64_t block, bool crossing)
{
    const pack_range *range = &f->to->range[block];
    return (pair_candidates *)f->candidates + (crossing ? range->crossing_first : range->internal_first);
}

// The rows are new. Old packs have pairs of those who have left, under the slots of those who came: nobody asks for
// them.
static inline void list_candidates(const grain_fill *f, int64_t block, const old_packs *had)
{
    int64_t first = block * GRAIN_BLOCK, last = min_i64(first + GRAIN_BLOCK, f->count);
    pair_candidates *list[2] = {candidates_of(f, block, false), candidates_of(f, block, true)};
    pack_cursor old[2] = {section_in(&had->set, &had->range, false), section_in(&had->set, &had->range, true)};
    int32_t count[2] = {0, 0};
    for (int64_t a = first; a < last; ++a) {
        const int32_t *row = f->other + f->row_start[a];
        const bool a_has_come = has_come(f, (int32_t)a);
        for (int32_t k = 0; k < f->row_length[a]; ++k) {
            int32_t b = row[k];
            bool crossing = b < first || b >= last;
            if (!crossing && b < a) continue;
            pair_candidates *c = &list[crossing][count[crossing] / REAL_LANES];
            int lane = count[crossing]++ % REAL_LANES;
            bool known = f->from != NULL && !a_has_come && !has_come(f, b) && find_old(&old[crossing], (int32_t)a, b);
            c->a[lane] = (int32_t)a, c->b[lane] = b;
            c->place[lane] = known ? old[crossing].at : -1;
        }
    }
    // The lanes after the last hold grains that there are.
    for (int crossing = 0; crossing < 2; ++crossing)
        for (int32_t k = count[crossing]; k % REAL_LANES != 0; ++k) {
            pair_candidates *c = &list[crossing][k / REAL_LANES];
            c->a[k % REAL_LANES] = c->b[k % REAL_LANES] = c->a[0];
        }
}

static inline int32_t fill_section(const grain_fill *f, int64_t block, const old_packs *had, bool crossing)
{
    const pack_range *largest = &f->largest_range[block];
    const int32_t count = crossing ? largest->crossing_count : largest->internal_count;
    pair_candidates *c = candidates_of(f, block, crossing);
    pack_cursor to = section_of(f->to, block, crossing), old = section_in(&had->set, &had->range, crossing);
    for (int32_t done = 0; done < count; done += REAL_LANES, ++c) {
        uint32_t near = find_near(f, c, f->margin[block] + f->neck);
        int used = count - done < REAL_LANES ? count - done : REAL_LANES;
        for (int k = 0; k < used; ++k) append_pair(f, &to, &old, c, k, near >> k & 1);
    }
    if (to.at > 0) fill_up(&to, to.pack[0].a[0]);
    return to.at;
}

static inline void fill_pairs(const grain_fill *f, int64_t block, const old_packs *had)
{
    if (f->rows_are_new || (f->worn[block] & PAIRS_CHANGED) != 0) list_candidates(f, block, had);
    f->to->range[block].internal_count = fill_section(f, block, had, false);
    f->to->range[block].crossing_count = fill_section(f, block, had, true);
}

#endif
