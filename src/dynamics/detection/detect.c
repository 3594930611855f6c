// SPDX-License-Identifier: BSD-3-Clause
// Detection as a stage of the step: who is near whom, and where they touch.
//
// Contacts are looked for along the way that bodies would go without contacts; continuous.c says when that is not
// enough. The penalty law asks for less: who overlaps where bodies are at the midpoint, or is so near that adhesion may
// still hold it.
#include "collision/contacts/reduction.h"
#include "core/base/threads.h"
#include "dynamics/detection/detection.h"
#include "dynamics/detection/grain_motion.h"
#include "dynamics/world/world.h"

enum { MEASURED_AT_ONCE = 1024 };        // colliders
static const double COMMON_SHARE = 0.5;  // of the kinetic energy a unit of mass

static scr_status grow_collider_motion(scr_world *world, scr_error *error)
{
    collider_motion *m = &world->collider_motion;
    const scr_column columns[] = {
        {&m->closing, sizeof *m->closing},         {&m->reach, sizeof *m->reach},
        {&m->travel, sizeof *m->travel},           {&m->deflection, sizeof *m->deflection},
        {&m->is_squeezed, sizeof *m->is_squeezed}, {&m->is_moved, sizeof *m->is_moved},
    };
    scr_status status = scr_grow(&m->is_dynamic, &m->dynamic_capacity, world->bodies.table.capacity,
                                 sizeof *m->is_dynamic, "collider motion", error);
    if (status != SCR_OK) return status;
    return scr_grow_together(columns, sizeof columns / sizeof *columns, &m->capacity, world->colliders.table.capacity,
                             "collider motion", error);
}

// m/s: of a body, in the cell that is shown where space is sheared or stretched
static scr_vec3 velocity_in_cell(const scr_world *world, int64_t body)
{
    const new_motion *m = &world->motion;
    const periodic_cell *p = &world->colliders.period;
    scr_vec3 v = new_twist(m, body).v;
    return period_moves(p) ? period_wrapped_velocity(p, body_position(&world->bodies, body), v) : v;
}

// m/s: what seams add between two bodies at most
static double seam_speed(const periodic_cell *p)
{
    return fabs(p->shear_velocity) + fabs(p->stretch[0]) + fabs(p->stretch[1]) + fabs(p->stretch[2]);
}

// How fast the farthest point of a collider moves, at most, beside the common drift, and beside half of what a seam
// adds between two. A plane has no farthest point: how fast a turning one comes is known only where a body is, so
// it looks everywhere.
static double surface_speed(const scr_world *world, int64_t k)
{
    const new_motion *m = &world->motion;
    const colliders *c = &world->colliders;
    int32_t body = c->body[k];
    scr_vec3 drift = world->collider_motion.drift;
    double v = vec3_norm(vec3_sub(velocity_in_cell(world, body), drift)) + 0.5 * seam_speed(&c->period),
           w = vec3_norm(new_twist(m, body).w);
    if (w == 0.0 || c->kind[k] == SCR_PLANE) return v;
    if (collider_is_grain(c, k)) return v + w * c->radius[k];
    scr_vec3 arm = vec3(c->ball[k].x - world->bodies.x[body], c->ball[k].y - world->bodies.y[body],
                        c->ball[k].z - world->bodies.z[body]);
    return v + w * (vec3_norm(arm) + c->radius[k]);
}

static bool plane_rotates(const scr_world *world, int64_t k)
{
    if (world->colliders.kind[k] != SCR_PLANE) return false;
    scr_vec3 w = new_twist(&world->motion, world->colliders.body[k]).w;
    return w.x != 0.0 || w.y != 0.0 || w.z != 0.0;
}

// How far ahead contacts are looked for.
typedef struct lookahead {
    double time;      // s
    double envelope;  // share of the smaller radius
} lookahead;

// The R* of any contact of a collider is no larger than this. What is flat takes the other's, unless that is flat, too.
static double largest_radius(const scr_world *world, int64_t k)
{
    const colliders *c = &world->colliders;
    double r = contact_radius(c, k);
    if (isfinite(r)) return r;
    return world->bodies.inv_mass[c->body[k]] > 0.0 ? c->radius[k] : 0.0;
}

static bool has_necks(const scr_world *world)
{
    return world->def.contact.adhesion == SCR_JKR && world->materials.max_surface_energy > 0.0;
}

// Sizes of all colliders, which stay as they are while only some of them are measured.
static void measure_sizes(scr_world *world)
{
    const colliders *c = &world->colliders;
    double smallest = INFINITY, widest = 0.0;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(min : smallest) reduction(max : widest)
    for (int64_t k = 0; k < c->table.count; ++k) {
        smallest = fmin(smallest, collider_least_size(c, k));
        widest = fmax(widest, largest_radius(world, k));
    }
    world->collider_motion.smallest = smallest;
    world->collider_motion.widest = widest;
}

// The share of the smallest radius that covers the widest gap over which adhesion holds.
static double adhesive_share(const scr_world *world)
{
    const collider_motion *m = &world->collider_motion;
    return has_necks(world) ? longest_neck(&world->materials, &world->def.contact, m->widest) / m->smallest : 0.0;
}

static lookahead lookahead_of(const scr_world *world)
{
    if (world_is_penalty(world)) return (lookahead){0.0, adhesive_share(world)};
    return (lookahead){world->def.time_step, world->def.contact.envelope};
}

// s: of a speed, how much of a gap it may close.
static double growth_of_reach(const scr_world *world, lookahead ahead)
{
    return ahead.time * (1.0 + world->materials.max_friction);
}

static void measure_collider(scr_world *world, int64_t k, lookahead ahead)
{
    const colliders *c = &world->colliders;
    collider_motion *m = &world->collider_motion;
    double h = world->def.time_step, grow = growth_of_reach(world, ahead);
    m->is_moved[k] = world->bodies.inv_mass[c->body[k]] > 0.0;
    double speed = surface_speed(world, k);
    // The smaller of two radii sets the envelope of a pair, and one of the two is dynamic: its own covers it.
    double envelope = m->is_moved[k] ? ahead.envelope * collider_largest_size(c, k) : 0.0;
    bool looks_everywhere = ahead.time > 0.0 && plane_rotates(world, k);
    m->closing[k] = looks_everywhere ? INFINITY : (float)(1.0001 * (grow * speed + known_deflection(m, k)));
    m->reach[k] = (float)(1.0001 * envelope) + m->closing[k];
    m->travel[k] = (float)(h * speed);
}

static velocity_sums sum_velocities(const scr_world *world, int64_t first, int64_t last)
{
    velocity_sums sums = {0};
    for (int64_t i = first; i < last; ++i) {
        if (!(world->bodies.inv_mass[i] > 0.0)) continue;
        scr_vec3 v = velocity_in_cell(world, i);
        velocity_sums_add(&sums, &(velocity_sums){v, vec3_dot(v, v), 1});
    }
    return sums;
}

static scr_status sum_all_velocities(scr_world *world, velocity_sums *total, scr_error *error)
{
    int64_t n = world->bodies.table.count, blocks = block_count_of(n, SUM_BLOCK);
    scr_status status = scr_arena_reserve(&world->scratch, scr_arena_bytes(sizeof *total, blocks), "drift", error);
    if (status != SCR_OK) return status;
    scr_arena arena = world->scratch;
    velocity_sums *block = scr_arena_array(&arena, sizeof *block, blocks);
#pragma omp parallel for num_threads(loop_threads(n, world->threads)) schedule(static)
    for (int64_t k = 0; k < blocks; ++k)
        block[k] = sum_velocities(world, k * SUM_BLOCK, min_i64((k + 1) * SUM_BLOCK, n));
    *total = (velocity_sums){0};
    for (int64_t k = 0; k < blocks; ++k) velocity_sums_add(total, &block[k]);
    return SCR_OK;
}

// The mean velocity of all that moves, where most of the motion is common to all; else bodies that rest would be taken
// for moving ones.
static scr_status find_drift(scr_world *world, scr_error *error)
{
    velocity_sums total = world->motion.sums;
    world->collider_motion.drift = vec3(0.0, 0.0, 0.0);
    if (world_is_penalty(world)) return SCR_OK;
    if (!world->motion.is_summed || period_moves(&world->colliders.period)) {
        scr_status status = sum_all_velocities(world, &total, error);
        if (status != SCR_OK) return status;
    }
    if (total.count == 0) return SCR_OK;
    scr_vec3 mean = vec3_scale(1.0 / (double)total.count, total.v);
    if (vec3_dot(mean, mean) * (double)total.count > COMMON_SHARE * total.v2) world->collider_motion.drift = mean;
    return SCR_OK;
}

static grain_measure grain_measure_of(scr_world *world, lookahead ahead)
{
    collider_motion *m = &world->collider_motion;
    return (grain_measure){
        .c = &world->colliders,
        .motion = world->motion.body,
        .inv_mass = world->bodies.inv_mass,
        .deflection = m->has_deflections ? m->deflection : NULL,
        .drift = m->drift,
        .grow = growth_of_reach(world, ahead),
        .envelope = ahead.envelope,
        .time_step = world->def.time_step,
        .closing = m->closing,
        .reach = m->reach,
        .travel = m->travel,
        .is_moved = m->is_moved,
        .smallest = INFINITY,
    };
}

static void measure_one(scr_world *world, int64_t k, lookahead ahead, grain_measure *g)
{
    const collider_motion *m = &world->collider_motion;
    double size = collider_least_size(&world->colliders, k);
    measure_collider(world, k, ahead);
    g->fastest = m->travel[k] > g->fastest ? m->travel[k] : g->fastest;
    g->smallest = size < g->smallest ? size : g->smallest;
}

// Those from first to last: grains several at a time, the others one by one.
static void measure_block(scr_world *world, int64_t first, int64_t last, lookahead ahead, grain_measure *g)
{
    measure_some *measure = KERNEL_TO_AVX512_FOR(world->def.instruction_set == SCR_BEST, measure_grains);
    bool moves = period_moves(&world->colliders.period);
    for (int64_t k = first; k < last; ++k) {
        if (!moves) k = measure(g, k, last);
        if (k < last) measure_one(world, k, ahead, g);
    }
}

void measure_motion(scr_world *world, const int32_t *which, int64_t count)
{
    collider_motion *m = &world->collider_motion;
    if (which == NULL && has_necks(world)) measure_sizes(world);
    lookahead ahead = lookahead_of(world);
    float fastest = which == NULL ? 0.0f : m->fastest;
    double smallest = which == NULL ? INFINITY : m->smallest;
    m->fastest = fastest;
    m->smallest = smallest;
    if (count == 0) return;  // nobody asks which bodies move
    int64_t blocks = block_count_of(count, MEASURED_AT_ONCE);
#pragma omp parallel num_threads(world->threads) reduction(max : fastest) reduction(min : smallest)
    {
        grain_measure g = grain_measure_of(world, ahead);
        if (which == NULL) {
#pragma omp for schedule(static) nowait
            for (int64_t i = 0; i < world->bodies.table.count; ++i) m->is_dynamic[i] = world->bodies.inv_mass[i] > 0.0;
        }
#pragma omp for schedule(static)
        for (int64_t k = 0; k < blocks; ++k) {
            int64_t first = k * MEASURED_AT_ONCE, last = min_i64(first + MEASURED_AT_ONCE, count);
            if (which == NULL) measure_block(world, first, last, ahead, &g);
            for (int64_t i = first; i < last && which != NULL; ++i) measure_one(world, which[i], ahead, &g);
        }
        fastest = g.fastest > fastest ? g.fastest : fastest;
        smallest = g.smallest < smallest ? g.smallest : smallest;
    }
    m->fastest = fastest;
    m->smallest = smallest;
}

void widen_margins(scr_world *world, int64_t first, double margin)
{
    for (int64_t k = first; k < world->colliders.table.count; ++k)
        world->collider_motion.travel[k] = (float)(margin / MARGIN_STEPS * world->colliders.radius[k]);
}

neighbour_motion world_neighbour_motion(const scr_world *world)
{
    const collider_motion *m = &world->collider_motion;
    return (neighbour_motion){.reach = m->reach, .travel = m->travel, .is_moved = m->is_moved, .drifted = m->drifted};
}

scr_status begin_pairs(scr_world *world, scr_error *error)
{
    problem_clear(&world->problem);  // what is found from here on lies where its bundles do
    scr_status status = grow_collider_motion(world, error);
    return status == SCR_OK ? list_pairs_apart(world, error) : status;
}

scr_status find_pairs(scr_world *world, scr_error *error)
{
    scr_status status = begin_pairs(world, error);
    if (status == SCR_OK) status = find_drift(world, error);
    if (status != SCR_OK) return status;
    measure_motion(world, NULL, world->colliders.table.count);
    neighbour_motion motion = world_neighbour_motion(world);
    return neighbours_update(&world->neighbours, &world->colliders, &motion, world->threads, error);
}

static approach approach_of(const scr_world *world)
{
    body_poses at = world_poses(world);
    lookahead ahead = lookahead_of(world);
    return (approach){
        world->motion.body,
        at.x,
        at.y,
        at.z,
        &world->colliders.period,
        world->collider_motion.is_dynamic,
        world->collider_motion.closing,
        ahead.time,
        ahead.envelope,
        world->materials.max_friction,
        world->collider_motion.has_deflections ? world->collider_motion.deflection : NULL,
    };
}

scr_status find_contacts(scr_world *world, scr_error *error)
{
    approach motion = approach_of(world);
    return contacts_find(&world->contacts, &world->colliders, &world->neighbours, &motion, world->threads, error);
}

scr_status reduce_contacts(scr_world *world, scr_error *error)
{
    const scr_contact_def *contact = &world->def.contact;
    reduction_rule rule = {contact->max_per_pair, contact->reduction, (uint64_t)world->step_count};
    approach motion = approach_of(world);
    return contacts_reduce(&world->contacts, &world->colliders, &world->cache, &motion, &rule, &world->scratch,
                           world->threads, error);
}
