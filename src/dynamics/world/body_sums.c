// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/world/body_sums.h"

#include "core/base/threads.h"
#include "dynamics/world/world_state.h"

enum { BLOCKS_AT_ONCE = 64 };  // their sums stand on the stack

// Is the bed ahead of the body table?
static bool bed_is_ahead(const scr_world *world)
{
    return world->grains.is_loaded && atomic_load_explicit(&world->grains.bodies_are_behind, memory_order_acquire);
}

static inline body_course course_of(const scr_world *world, bool is_ahead, int64_t i)
{
    const grain_bed *bed = &world->grains.bed;
    if (!is_ahead || !grain_has_stepped(bed, i))
        return (body_course){body_position(&world->bodies, i), body_velocity(&world->bodies, i)};
    const double *v = grain_motion(bed, i)->v;
    return (body_course){grain_position(bed, i, world->def.time_step), vec3(v[0], v[1], v[2])};
}

body_course body_course_of(const scr_world *world, int64_t i) { return course_of(world, bed_is_ahead(world), i); }

static scr_vec3 beside_flow(const periodic_cell *p, const body_course *b)
{
    if (p->is_stretched) {
        double cells[3];
        for (int k = 0; k < 3; ++k) cells[k] = p->inverse[k] * (vec3_along(b->x, k) - p->low[k]) - 0.5;
        return vec3_sub(b->v, period_stretching(p, cells[0], cells[1], cells[2]));
    }
    if (!p->is_sheared) return b->v;
    double up = (vec3_along(b->x, p->gradient) - p->low[p->gradient]) * p->inverse[p->gradient] - 0.5;
    return vec3_sub(b->v, period_flow(p, up * p->shear_velocity));
}

// What a bed takes, and what it does not, of the bodies of a block.
typedef struct block_sums {
    body_moments grains, others;
} block_sums;

static block_sums sum_block(const scr_world *world, bool is_ahead, bool has_moments, int64_t block)
{
    const bodies *b = &world->bodies;
    const int64_t first = block * GRAIN_BLOCK, end = has_moments ? world->grains.body_count : world->bodies.table.count;
    moment_sums sum[2] = {{0}};
    for (int64_t i = first; i < min_i64(first + GRAIN_BLOCK, end); ++i) {
        if (!(b->inv_mass[i] > 0.0)) continue;
        const body_course now = course_of(world, is_ahead, i);
        const scr_vec3 c = beside_flow(&world->colliders.period, &now);
        moments_add(&sum[!body_is_bedded(b, &world->colliders, i)], 1.0 / b->inv_mass[i],
                    (quad){now.x.x, now.x.y, now.x.z, 0.0}, (quad){c.x, c.y, c.z, 0.0});
    }
    block_sums s = {moments_of(&sum[0]), moments_of(&sum[1])};
    if (has_moments) s.grains = world->grains.bed.tally[block].moments;
    return s;
}

// centre is their moment of mass until all are there.
static void add_moments(body_totals *to, const body_moments *m)
{
    static const int across[3][3] = {{0, 0, 2}, {0, 0, 1}, {2, 1, 0}};
    if (m->mass == 0.0) return;
    const scr_vec3 p = vec3(m->momentum[0], m->momentum[1], m->momentum[2]),
                   mean = vec3_add_scaled(vec3(m->base[0], m->base[1], m->base[2]), 1.0 / m->mass, p),
                   apart = to->mass > 0.0 ? vec3_sub(mean, to->velocity) : vec3(0.0, 0.0, 0.0);
    const double both = to->mass + m->mass, reduced = to->mass * m->mass / both;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double square = i == j ? m->along[i] : m->across[across[i][j]];
            to->square[i][j] += square - m->momentum[i] * m->momentum[j] / m->mass +
                                reduced * vec3_along(apart, i) * vec3_along(apart, j);
        }
    to->velocity = to->mass > 0.0 ? vec3_add_scaled(to->velocity, m->mass / both, apart) : mean;
    to->centre = vec3_add(to->centre, vec3(m->place[0], m->place[1], m->place[2]));
    to->mass = both;
}

body_totals total_of_bodies(const scr_world *world)
{
    const int64_t n = world->bodies.table.count, blocks = block_count_of(n, GRAIN_BLOCK);
    const bool is_ahead = bed_is_ahead(world), has_moments = world->grains.is_loaded && world->grains.bed.has_moments;
    body_totals total = {0};
    for (int64_t done = 0; done < blocks; done += BLOCKS_AT_ONCE) {
        block_sums part[BLOCKS_AT_ONCE];
        const int64_t here = min_i64(BLOCKS_AT_ONCE, blocks - done);
        const int threads = has_moments ? 1 : loop_threads(n, world->threads);
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int64_t b = 0; b < here; ++b) part[b] = sum_block(world, is_ahead, has_moments, done + b);
        for (int64_t b = 0; b < here; ++b) add_moments(&total, &part[b].grains), add_moments(&total, &part[b].others);
    }
    if (total.mass > 0.0) total.centre = vec3_scale(1.0 / total.mass, total.centre);
    return total;
}

double mass_of_bodies(const scr_world *world) { return total_of_bodies(world).mass; }
