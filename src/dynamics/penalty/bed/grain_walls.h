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
    real_number spring[2][3][REAL_LANES];  // m; as in grain_pack
    pack_coefficients law;
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
    const grain_spring *listed = f->from == NULL ? listed_wall_spring(f, slot, wall) : NULL;
    if (f->from != NULL) {
        const wall_pack *all = walls_in(&had->set, &had->range);
        int32_t count = had->range.wall_count;
        while (*old_at < count && stands_before_wall(&all[*old_at / REAL_LANES], *old_at % REAL_LANES, slot, wall))
            ++*old_at;
        old_lane = *old_at % REAL_LANES;
        const wall_pack *here = &all[*old_at / REAL_LANES];
        if (*old_at < count && here->slot[old_lane] == slot && here->wall[old_lane] == wall) old = here;
    }
    to->slot[lane] = slot, to->wall[lane] = wall;
    for (int axis = 0; axis < 3; ++axis)
        to->spring[f->to->now][axis][lane] = old != NULL      ? old->spring[f->from->now][axis][old_lane]
                                             : listed != NULL ? (real_number)listed->stretch[axis]
                                                              : 0;
    law_coefficients law = wall_law(f, slot, wall);
    set_coefficients(&to->law, lane, &law);
}

static inline void fill_walls(const grain_fill *f, int64_t block, const old_packs *had)
{
    int64_t first = block * GRAIN_BLOCK, last = min_i64(first + GRAIN_BLOCK, f->count);
    int32_t at = 0, old_at = 0;
    if (f->largest_range[block].wall_count == 0) return;  // no grain of the block may come near any
    for (int64_t i = first; i < last; ++i)
        for (int32_t w = 0; w < f->walls->count; ++w)
            if (wall_is_near(f->walls, w, f->record, i, f->half_step, f->margin[block]))
                append_wall(f, walls_of(f->to, block), at++, (int32_t)i, w, had, &old_at);
    f->to->range[block].wall_count = at;
    static const law_coefficients none = {0};
    for (wall_pack *last_pack = walls_of(f->to, block) + at / REAL_LANES; at % REAL_LANES != 0; ++at) {
        int lane = at % REAL_LANES;
        last_pack->slot[lane] = last_pack->slot[0], last_pack->wall[lane] = last_pack->wall[0];
        for (int axis = 0; axis < 3; ++axis) last_pack->spring[f->to->now][axis][lane] = 0;
        set_coefficients(&last_pack->law, lane, &none);
    }
}

// How grains lie and move at their walls, lane by lane; the lanes after the last are out of touch.
typedef struct wall_lanes {
    real_number n[3][REAL_LANES], v[3][REAL_LANES], s[3][REAL_LANES], overlap[REAL_LANES], lever[REAL_LANES];
    double point[3][REAL_LANES];                           // m
    real_number force[3][REAL_LANES], arm[3][REAL_LANES];  // N: the answer, on the wall; lever x (force across n)
} wall_lanes;

typedef double quad __attribute__((vector_size(32)));
typedef int64_t quad_mask __attribute__((vector_size(32)));
typedef real_number quad_numbers __attribute__((vector_size(4 * sizeof(real_number))));

static inline quad quad_load(const double *p)
{
    quad v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void quad_store(double *p, quad v) { memcpy(p, &v, sizeof v); }
static inline quad quad_select(quad_mask mask, quad a, quad b)
{
    return (quad)(((quad_mask)a & mask) | ((quad_mask)b & ~mask));
}
// b where they are equal, or one is not a number
static inline quad quad_min(quad a, quad b)
{
#if defined(__AVX2__)
    return (quad)_mm256_min_pd((__m256d)a, (__m256d)b);
#else
    return quad_select(a < b, a, b);
#endif
}
static inline quad quad_max(quad a, quad b)
{
#if defined(__AVX2__)
    return (quad)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    return quad_select(a > b, a, b);
#endif
}
static inline void quad_store_numbers(real_number *p, quad v)
{
    quad_numbers numbers = __builtin_convertvector(v, quad_numbers);
    memcpy(p, &numbers, sizeof numbers);
}

static inline quad quad_numbers_load(const real_number *p)
{
    quad_numbers numbers;
    memcpy(&numbers, p, sizeof numbers);
    return __builtin_convertvector(numbers, quad);
}

static inline void quad_transpose(quad r[4])
{
    quad a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    quad c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5), r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7), r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

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
    quad_store_numbers(l->lever + first, arm / radius);
    for (int axis = 0; axis < 3; ++axis) {
        quad_store_numbers(l->n[axis] + first, -n[axis]);
        quad_store_numbers(l->v[axis] + first, -v[axis]);
        quad_store_numbers(l->s[axis] + first, radius * w[axis]);
        quad_store(l->point[axis] + first, x[axis] - arm * n[axis]);
    }
}

static inline void load_walls(const grain_pass *p, const wall_pack *pack, int used, wall_lanes *l)
{
    for (int first = 0; first < REAL_LANES; first += 4) load_four_walls(p, pack, first, l);
    for (int lane = used; lane < REAL_LANES; ++lane) l->overlap[lane] = 0;
}

static inline void find_wall_forces(const grain_pass *p, wall_pack *pack, wall_lanes *l, pair_tally *tally)
{
    const int now = p->pairs->now;
    law_lanes law = own_lanes(&pack->law);
    real lever = real_load(l->lever), overlap = real_load(l->overlap);
    real3 n = real3_load((const real_number(*)[REAL_LANES])l->n),
          v = real3_load((const real_number(*)[REAL_LANES])l->v);
    real3 s = real3_load((const real_number(*)[REAL_LANES])l->s), u = pair_velocity(v, n, lever, s);
    real3 spring = real3_load((const real_number(*)[REAL_LANES])pack->spring[now]);
    normal_response normal;
    real3 force = law_force(p->hertz, &law, real_set((real_number)p->time_step), overlap, n, u, &spring, &normal);
    real3_store(l->force, force);
    real3_store(l->arm, real3_scale(lever, real3_cross(force, n)));
    real3_store(pack->spring[1 - now], spring);
    tally->overlap = real_max(overlap, tally->overlap);
    tally->touching += 2 * __builtin_popcount(real_bits(normal.touch));
}

// Four lanes of three numbers each, row by row: the fourth number is 0.
static inline void quad_rows(const real_number (*lanes)[REAL_LANES], int first, quad row[4])
{
    for (int axis = 0; axis < 3; ++axis) row[axis] = quad_numbers_load(lanes[axis] + first);
    row[3] = (quad){0};
}

static inline void add_numbers(real_number *sum, quad v)
{
    quad_numbers numbers = __builtin_convertvector(v, quad_numbers), old;
    memcpy(&old, sum, sizeof old);
    old = old + numbers;
    memcpy(sum, &old, sizeof old);
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
        moment[axis] = x[next] * f[last] - x[last] * f[next];
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

static int64_t block_wall_springs(const pack_set *set, int64_t block, bool all, grain_spring *out)
{
    const wall_pack *pack = walls_of(set, block);
    int64_t count = 0;
    for (int32_t at = 0; at < set->range[block].wall_count; ++at) {
        const wall_pack *p = &pack[at / REAL_LANES];
        int k = at % REAL_LANES;
        const real_number(*spring)[REAL_LANES] = p->spring[set->now];
        if (!all && !has_spring(spring, k)) continue;
        if (out != NULL)
            out[count] = (grain_spring){p->slot[k], -1 - p->wall[k], {spring[0][k], spring[1][k], spring[2][k]}};
        ++count;
    }
    return count;
}

#endif
