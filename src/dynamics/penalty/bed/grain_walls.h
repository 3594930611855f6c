// SPDX-License-Identifier: BSD-3-Clause
// Grains at planes that never move. Included by the kernels, for either precision.
//
// They stand in packs of their own, after a block's pairs. A grain is side a, a plane side b, n from a to b. The
// contact's point is midway between the surfaces: arm r - d/2. Whole numbers know no absolute place, so where the grain
// is comes from its record, in double, in either precision.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_WALLS_H
#define DYNAMICS_PENALTY_BED_GRAIN_WALLS_H

typedef struct wall_pack {
    int32_t slot[REAL_LANES], wall[REAL_LANES];
    real_number spring[3][REAL_LANES], roll[3][REAL_LANES];  // m; rad; as in pairs
    real_truth in_touch[REAL_LANES];
    pack_coefficient law[LAW_COEFFICIENTS];
} wall_pack;

static inline wall_pack *walls_in(const pack_set *set, const pack_range *range)
{
    return (wall_pack *)set->wall_pack + range->wall_first;
}

static inline wall_pack *walls_of(const pack_set *set, int64_t block) { return walls_in(set, &set->range[block]); }

static inline bool stands_before_wall(const wall_pack *p, int lane, int32_t slot, int32_t wall)
{
    return p->slot[lane] != slot ? p->slot[lane] < slot : p->wall[lane] < wall;
}

// Springs of walls stand behind those of pairs, by (slot, wall), with b = -1 - wall.
static inline const grain_spring *listed_wall_spring(const grain_fill *f, int32_t slot, int32_t wall)
{
    int64_t low = f->spring_start[f->count], high = f->spring_count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        const grain_spring *s = &f->spring[middle];
        if (s->a < slot || (s->a == slot && -1 - s->b < wall)) low = middle + 1;
        else high = middle;
    }
    return low < f->spring_count && f->spring[low].a == slot && f->spring[low].b == -1 - wall ? &f->spring[low] : NULL;
}

static inline law_coefficients wall_law(const grain_fill *f, int32_t slot, int32_t wall)
{
    const grain_record *g = &f->record[slot];
    const material_pair *both =
        materials_pair(f->law->materials, f->law->material[slot], f->walls->wall[wall].material);
    return law_of_pair(both, f->law->contact, g->radius, 1.0 / g->inv_mass, g->radius);
}

static inline void append_wall(const grain_fill *f, wall_pack *pack, int32_t at, int32_t slot, int32_t wall,
                               const old_packs *had, int32_t *old_at)
{
    wall_pack *to = &pack[at / REAL_LANES];
    int lane = at % REAL_LANES, old_lane = 0;
    const wall_pack *old = NULL;
    const bool has_just_come = has_come(f, slot);
    const grain_spring *listed = f->from == NULL ? listed_wall_spring(f, slot, wall)
                                 : has_just_come ? carried_spring(f, slot, -1 - wall)
                                                 : NULL;
    if (f->from != NULL && !has_just_come) {
        const wall_pack *all = walls_in(&had->set, &had->range);
        int32_t count = had->range.wall_count;
        while (*old_at < count && stands_before_wall(&all[*old_at / REAL_LANES], *old_at % REAL_LANES, slot, wall))
            ++*old_at;
        old_lane = *old_at % REAL_LANES;
        const wall_pack *here = &all[*old_at / REAL_LANES];
        if (*old_at < count && here->slot[old_lane] == slot && here->wall[old_lane] == wall) old = here;
    }
    to->slot[lane] = slot, to->wall[lane] = wall;
    recall(to->spring, lane, old != NULL ? old->spring : NOTHING, old_lane);
    recall(to->roll, lane, old != NULL ? old->roll : NOTHING, old_lane);
    if (listed != NULL) {
        recall_listed(to->spring, lane, listed->stretch, 1.0);
        recall_listed(to->roll, lane, listed->roll, 1.0);
    }
    to->in_touch[lane] = old != NULL ? old->in_touch[old_lane] : listed != NULL ? -(real_truth)listed->in_touch : 0;
    law_coefficients law = wall_law(f, slot, wall);
    set_coefficients(to->law, LAW_COEFFICIENTS, lane, &law);
}

static inline void fill_walls(const grain_fill *f, int64_t block, const old_packs *had)
{
    int64_t first = block * GRAIN_BLOCK, last = min_i64(first + GRAIN_BLOCK, f->count);
    int32_t at = 0, old_at = 0;
    if (f->largest_range[block].wall_count == 0) return;  // no grain of the block may come near any
    for (int64_t i = first; i < last; ++i)
        for (int32_t w = 0; w < f->walls->count; ++w)
            if (wall_is_near(f->walls, w, f->record, i, f->half_step, f->margin[block] + f->neck))
                append_wall(f, walls_of(f->to, block), at++, (int32_t)i, w, had, &old_at);
    f->to->range[block].wall_count = at;
    static const law_coefficients none = {0};
    for (wall_pack *last_pack = walls_of(f->to, block) + at / REAL_LANES; at % REAL_LANES != 0; ++at) {
        int lane = at % REAL_LANES;
        last_pack->slot[lane] = last_pack->slot[0], last_pack->wall[lane] = last_pack->wall[0];
        recall(last_pack->spring, lane, NOTHING, 0);
        recall(last_pack->roll, lane, NOTHING, 0);
        last_pack->in_touch[lane] = 0;
        set_coefficients(last_pack->law, LAW_COEFFICIENTS, lane, &none);
    }
}

// How grains lie and move at their walls, lane by lane; the lanes after the last are out of touch.
typedef struct wall_lanes {
    real_number n[3][REAL_LANES], v[3][REAL_LANES], s[3][REAL_LANES], w[3][REAL_LANES], overlap[REAL_LANES],
        lever[REAL_LANES], radius[REAL_LANES];
    double point[3][REAL_LANES];                           // m
    real_number force[3][REAL_LANES], arm[3][REAL_LANES];  // N: on the wall; of the grain's torque over its radius
    real_number torque[3][REAL_LANES];                     // N m: on the wall, beside that of the force
} wall_lanes;

// Four lanes from this one on, in double.
static inline void load_four_walls(const grain_pass *p, const wall_pack *pack, int first, wall_lanes *l)
{
    const double half = sizeof(real_number) == sizeof(double) ? 0.0 : 0.5 * p->time_step;
    quad x[4], v[4], w[4], n[4];
    for (int k = 0; k < 4; ++k) {
        const grain_record *g = &p->record[pack->slot[first + k]];
        x[k] = quad_load(g->x), v[k] = quad_load(g->v), w[k] = quad_load(g->w);
        n[k] = quad_load(p->walls->wall[pack->wall[first + k]].n);
    }
    quad_transpose(x), quad_transpose(v), quad_transpose(w), quad_transpose(n);
    quad radius = x[3], height = -n[3];
    for (int axis = 0; axis < 3; ++axis) {
        x[axis] = x[axis] + half * v[axis];
        height = height + n[axis] * x[axis];
    }
    quad overlap = radius - height, arm = radius - 0.5 * overlap;
    quad_store_numbers(l->overlap + first, overlap);
    quad_store_numbers(l->radius + first, radius);
    quad_store_numbers(l->lever + first, arm / radius);
    for (int axis = 0; axis < 3; ++axis) {
        quad_store_numbers(l->n[axis] + first, -n[axis]);
        quad_store_numbers(l->v[axis] + first, -v[axis]);
        quad_store_numbers(l->s[axis] + first, radius * w[axis]);
        quad_store_numbers(l->w[axis] + first, -w[axis]);
        quad_store(l->point[axis] + first, x[axis] - arm * n[axis]);
    }
}

// Where space repeats itself grains push at the images of points that are nearest to the wall's centre.
static inline void bring_points_near(const grain_pass *p, const wall_pack *pack, wall_lanes *l)
{
    for (int axis = 0; axis < 3; ++axis)
        for (int lane = 0; lane < REAL_LANES; ++lane) {
            double centre = p->walls->wall[pack->wall[lane]].centre[axis];
            l->point[axis][lane] = centre + period_offset_along(p->period, axis, l->point[axis][lane] - centre);
        }
}

static inline void load_walls(const grain_pass *p, const wall_pack *pack, int used, wall_lanes *l)
{
    for (int first = 0; first < REAL_LANES; first += 4) load_four_walls(p, pack, first, l);
    if (p->period != NULL) bring_points_near(p, pack, l);
    for (int lane = used; lane < REAL_LANES; ++lane) l->overlap[lane] = 0;
}

static inline void find_wall_forces(const grain_pass *p, wall_pack *pack, wall_lanes *l, pair_tally *tally)
{
    law_lanes law = own_lanes(pack->law, LAW_COEFFICIENTS);
    real lever = real_load(l->lever), overlap = real_load(l->overlap);
    real3 n = real3_load((const real_number(*)[REAL_LANES])l->n),
          v = real3_load((const real_number(*)[REAL_LANES])l->v);
    real3 s = real3_load((const real_number(*)[REAL_LANES])l->s), u = pair_velocity(v, n, lever, s);
    real3 spring = real3_load((const real_number(*)[REAL_LANES])pack->spring);
    normal_response normal;
    real3 force = law_force(normal_law_of(&p->law), &law, real_set(p->time_step), overlap, n, u,
                            mask_load(pack->in_touch), &spring, &normal);
    real3 arm = real3_scale(lever, real3_cross(force, n)), torque = {0}, roll = {0};
    if (p->law.rolling) {
        roll = real3_load((const real_number(*)[REAL_LANES])pack->roll);
        torque = rolling_torque(&p->law, &law, &normal, n, real3_load((const real_number(*)[REAL_LANES])l->w), &roll);
        arm = real3_sub(arm, real3_scale(real_set(1.0) / real_load(l->radius), torque));
    }
    real3_store(l->force, force);
    real3_store(l->arm, arm);
    real3_store(l->torque, torque);
    real3_store(pack->spring, spring);
    real3_store(pack->roll, roll);
    mask_store(pack->in_touch, normal.touch);
    tally->overlap = real_max(overlap, tally->overlap);
    tally->touching += 2 * __builtin_popcount(real_bits(normal.touch));
}

// What four lanes from this one on do to their grains and walls, in the order of lanes; only so many of them are used.
static inline void sum_four_walls(const wall_lanes *l, const wall_pack *pack, int first, int used, grain_sum *sum,
                                  int64_t first_slot, wall_push *total)
{
    quad f[4], arm[4], moment[4], x[3];
    quad_rows((const real_number(*)[REAL_LANES])l->force, first, f);
    quad_rows((const real_number(*)[REAL_LANES])l->arm, first, arm);
    for (int axis = 0; axis < 3; ++axis) x[axis] = quad_load(l->point[axis] + first);
    for (int axis = 0; axis < 3; ++axis) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        moment[axis] = (x[next] * f[last] - x[last] * f[next]) + quad_numbers_load(l->torque[axis] + first);
    }
    moment[3] = (quad){0};
    quad_transpose(f), quad_transpose(arm), quad_transpose(moment);
    for (int k = 0; k < 4 && first + k < used; ++k) {
        grain_sum *grain = &sum[pack->slot[first + k] - first_slot];
        wall_push *wall = &total[pack->wall[first + k]];
        add_numbers(grain->f, -f[k]);
        add_numbers(grain->m, arm[k]);
        quad_store(wall->force, quad_load(wall->force) + f[k]);
        quad_store(wall->moment, quad_load(wall->moment) + moment[k]);
    }
}

enum { WALL_BATCH = 16 };  // packs

// A block's grains at walls are few and far between: the caches beyond are asked for their packs, and later for the
// grains, while pairs are worked on.
static inline void ask_for_walls(const grain_pass *p, int64_t block)
{
    int32_t count = p->pairs->range[block].wall_count;
    ask_for_bytes(walls_of(p->pairs, block), (size_t)block_count_of(count, REAL_LANES) * sizeof(wall_pack));
}

static inline void ask_for_wall_grains(const grain_pass *p, int64_t block)
{
    const wall_pack *pack = walls_of(p->pairs, block);
    for (int32_t at = 0; at < p->pairs->range[block].wall_count; ++at) {
        const grain_record *g = &p->record[pack[at / REAL_LANES].slot[at % REAL_LANES]];
        __builtin_prefetch(g, 0, 2);
        __builtin_prefetch(g->w, 0, 2);
    }
}

static inline void push_walls(const grain_pass *p, int64_t block, grain_sum *sum, pair_tally *tally)
{
    int32_t count = p->pairs->range[block].wall_count;
    if (p->walls->count == 0) return;
    wall_pack *pack = walls_of(p->pairs, block);
    wall_push *total = p->wall_push + block * p->walls->count;
    wall_lanes lanes[WALL_BATCH];
    memset(total, 0, (size_t)p->walls->count * sizeof *total);
    for (int32_t done = 0; done < count; done += WALL_BATCH * REAL_LANES, pack += WALL_BATCH) {
        int32_t here = count - done < WALL_BATCH * REAL_LANES ? count - done : WALL_BATCH * REAL_LANES;
        for (int32_t at = 0; at < here; at += REAL_LANES)
            load_walls(p, &pack[at / REAL_LANES], here - at, &lanes[at / REAL_LANES]);
        for (int32_t at = 0; at < here; at += REAL_LANES)
            find_wall_forces(p, &pack[at / REAL_LANES], &lanes[at / REAL_LANES], tally);
        for (int32_t at = 0; at < here; at += 4) {
            int32_t k = at / REAL_LANES;
            sum_four_walls(&lanes[k], &pack[k], at % REAL_LANES, here - k * REAL_LANES, sum, block * GRAIN_BLOCK,
                           total);
        }
    }
}

static inline pack_memory wall_memory(const pack_set *set, const wall_pack *p)
{
    return (pack_memory){(const real_number(*)[REAL_LANES])p->spring, (const real_number(*)[REAL_LANES])p->roll,
                         set->layout.necks ? p->in_touch : NULL};
}

static int64_t block_springs_of(const pack_set *set, int64_t block, const uint8_t *mark, grain_spring *out)
{
    int64_t count = 0;
    for (int crossing = 0; crossing < 2; ++crossing) {
        for (pack_cursor c = section_of(set, block, crossing); c.at < c.count; ++c.at) {
            const grain_pack *p = pack_at(&c, c.at);
            int lane = c.at % REAL_LANES;
            if (!((mark[p->a[lane]] | mark[p->b[lane]]) & SLOT_CHANGED)) continue;
            pack_memory memory = memory_at(&c);
            if (!remembers(&memory, lane)) continue;
            if (out != NULL) out[count] = spring_of_lane(p->a[lane], p->b[lane], &memory, lane);
            ++count;
        }
    }
    for (int32_t at = 0; at < set->range[block].wall_count; ++at) {
        const wall_pack *p = &walls_of(set, block)[at / REAL_LANES];
        int lane = at % REAL_LANES;
        pack_memory memory = wall_memory(set, p);
        if (!(mark[p->slot[lane]] & SLOT_CHANGED) || !remembers(&memory, lane)) continue;
        if (out != NULL) out[count] = spring_of_lane(p->slot[lane], -1 - p->wall[lane], &memory, lane);
        ++count;
    }
    return count;
}

static int64_t block_wall_springs(const pack_set *set, int64_t block, bool all, grain_spring *out)
{
    const wall_pack *pack = walls_of(set, block);
    int64_t count = 0;
    for (int32_t at = 0; at < set->range[block].wall_count; ++at) {
        const wall_pack *p = &pack[at / REAL_LANES];
        int k = at % REAL_LANES;
        pack_memory memory = wall_memory(set, p);
        if (!all && !remembers(&memory, k)) continue;
        if (out != NULL) out[count] = spring_of_lane(p->slot[k], -1 - p->wall[k], &memory, k);
        ++count;
    }
    return count;
}

#endif
