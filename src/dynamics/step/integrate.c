// SPDX-License-Identifier: BSD-3-Clause
// The end of a step: see that the new velocities are physical, then move.
//
//   x' = x + h v',   q' = exp(h w'/2) q     with the new velocities: semi-implicit Euler
// Under the penalty law a body has gone to the midpoint before contacts act, and goes the other half here (penalty.h).
// How bodies turn: drift.h.
// Nothing of the state has changed before the check: a step that fails leaves the last good state.
#include <inttypes.h>
#include <stdio.h>

#include "core/base/threads.h"
#include "dynamics/bodies/drift.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/step/free_motion.h"
#include "dynamics/step/loose_drift.h"
#include "dynamics/step/stages.h"
#include "dynamics/world/world.h"

static const double RUNAWAY_FACTOR = 100.0;  // contacts may multiply the free motion's energy by no more
static const double FASTEST_SPIN = 1e9;      // rad/s: more than anything has, and no energy becomes infinite
static const double PULLED_GAP = 0.02;       // of the smaller radius: about what cohesion acts across

static double speed2(const new_motion *m, int64_t i)
{
    scr_vec3 v = new_twist(m, i).v;
    return vec3_dot(v, v);
}

static double spin2(const new_motion *m, int64_t i)
{
    scr_vec3 w = new_twist(m, i).w;
    return vec3_dot(w, w);
}

speed_limits world_speed_limits(const scr_world *world)
{
    return (speed_limits){world->def.max_speed * world->def.max_speed, FASTEST_SPIN * FASTEST_SPIN};
}

// Whether its motion is not a number or too fast.
static bool offends(const scr_world *world, int64_t i, double new_v2)
{
    speed_limits limits = world_speed_limits(world);
    return !(new_v2 <= limits.speed2) || !(spin2(&world->motion, i) <= limits.spin2);
}

// The first body that does.
static int64_t first_offender(const scr_world *world)
{
    int64_t first = INT64_MAX;
#pragma omp parallel for num_threads(loop_threads(general_bodies(world), world->threads)) schedule(static)             \
    reduction(min                                                                                                      \
              : first)
    for (int64_t i = 0; i < general_bodies(world); ++i)
        if (offends(world, i, speed2(&world->motion, i))) first = min_i64(first, i);
    return first == INT64_MAX ? NOBODY : first;
}

static int64_t fastest_body(const scr_world *world)
{
    int64_t fastest = 0;
    for (int64_t i = 1; i < world->bodies.table.count; ++i)
        if (speed2(&world->motion, i) > speed2(&world->motion, fastest)) fastest = i;
    return fastest;
}

static double rotational_energy(const bodies *b, int64_t i)
{
    return 0.5 * (b->wx[i] * b->wx[i] / b->inv_ix[i] + b->wy[i] * b->wy[i] / b->inv_iy[i] +
                  b->wz[i] * b->wz[i] / b->inv_iz[i]);
}

static void add_body(const scr_world *world, int64_t i, double fall, motion_sums *sums)
{
    const bodies *b = &world->bodies;
    flight_sums *flight = &sums->flight;
    double v = vec3_norm(body_velocity(b, i)) + fall, new_v2 = speed2(&world->motion, i);
    if (sums->offender == NOBODY && offends(world, i, new_v2)) sums->offender = i;
    flight->new_speed2 = fmax(flight->new_speed2, new_v2);
    // motors and springs give it what they like; others see a moving wall
    if (body_is_joined(&world->mechanisms, i)) {
        sums->wall_speed = fmax(sums->wall_speed, fmax(v, sqrt(new_v2)));
        sums->walls_rotate = true;
    } else if (b->inv_mass[i] > 0.0) {
        double mass = 1.0 / b->inv_mass[i];
        flight->mass += mass;
        flight->old_kinetic += 0.5 * mass * v * v;
        flight->new_kinetic += 0.5 * mass * new_v2;
    } else {
        sums->wall_speed = fmax(sums->wall_speed, v);
        sums->walls_rotate = sums->walls_rotate || b->wx[i] != 0.0 || b->wy[i] != 0.0 || b->wz[i] != 0.0;
    }
}

// Dynamic bodies that no joint holds go several at a time.
static motion_sums block_sums(const scr_world *world, int64_t first, int64_t last)
{
    const bodies *b = &world->bodies;
    speed_limits limits = world_speed_limits(world);
    flight_energy *sum_some = KERNEL_TO_AVX512_FOR(world->def.instruction_set == SCR_BEST, sum_flight);
    bool some_are_joined = first < world->mechanisms.mechanism_of_count;
    double fall = vec3_norm(vec3_scale(world->def.time_step, scr_world_gravity(world)));
    motion_sums sums = {.offender = NOBODY};
    for (int64_t i = first; i < last; ++i) {
        if (!some_are_joined) i = sum_some(b, world->motion.body, i, last, fall, &limits, &sums.flight);
        if (i < last) add_body(world, i, fall, &sums);
    }
    return sums;
}

// In fixed blocks: whether a run is stopped must not depend on the number of threads.
scr_status sum_motion(scr_world *world, scr_error *error)
{
    motion_sums *total = &world->motion.end;
    int64_t n = general_bodies(world), blocks = block_count_of(n, SUM_BLOCK);
    scr_status status =
        scr_arena_reserve(&world->scratch, scr_arena_bytes(sizeof *total, blocks), "motion sums", error);
    if (status != SCR_OK) return status;
    scr_arena arena = world->scratch;
    motion_sums *block = scr_arena_array(&arena, sizeof *block, blocks);
#pragma omp parallel for num_threads(loop_threads(n, world->threads)) schedule(static)
    for (int64_t k = 0; k < blocks; ++k) block[k] = block_sums(world, k * SUM_BLOCK, min_i64((k + 1) * SUM_BLOCK, n));
    *total = (motion_sums){.offender = NOBODY};
    for (int64_t k = 0; k < blocks; ++k) {
        total->flight.mass += block[k].flight.mass;
        total->flight.old_kinetic += block[k].flight.old_kinetic;
        total->flight.new_kinetic += block[k].flight.new_kinetic;
        total->flight.new_speed2 = fmax(total->flight.new_speed2, block[k].flight.new_speed2);
        total->wall_speed = fmax(total->wall_speed, block[k].wall_speed);
        total->walls_rotate = total->walls_rotate || block[k].walls_rotate;
        if (total->offender == NOBODY) total->offender = block[k].offender;
    }
    return SCR_OK;
}

// J: of bodies that no joint holds, before contacts. They may make flight of it.
static double energy_of_turning(const scr_world *world)
{
    const bodies *b = &world->bodies;
    double energy = 0.0;
    for (int64_t i = 0; i < general_bodies(world); ++i)
        if (b->inv_mass[i] > 0.0 && !body_is_joined(&world->mechanisms, i)) energy += rotational_energy(b, i);
    return energy;
}

// The most that applied forces can add: bodies pushed more than once, or all of them, count as one.
static double applied_energy(const scr_world *world)
{
    const bodies *b = &world->bodies;
    double push = 0.0;  // sqrt(J)
    for (int64_t k = 0; k < world->applied_count; ++k) {
        const applied_force *f = &world->applied[k];
        int64_t i = body_slot(b, f->body);
        if (i < 0) continue;
        double inverse = fmax(b->inv_ix[i], fmax(b->inv_iy[i], b->inv_iz[i]));
        push +=
            world->def.time_step * (vec3_norm(f->force) * sqrt(b->inv_mass[i]) + vec3_norm(f->torque) * sqrt(inverse));
    }
    return 0.5 * push * push;
}

// How fast the surface of a turning wall, or of a part of a mechanism, goes where it touches.
static double rotating_wall_speed(const scr_world *world)
{
    const contacts *set = &world->contacts;
    const bodies *b = &world->bodies;
    double fastest = 0.0;
    if (set->count == 0) return 0.0;
#pragma omp parallel for num_threads(loop_threads(set->count, world->threads)) schedule(static) reduction(max : fastest)
    for (int64_t k = 0; k < set->count; ++k) {
        const int32_t side[2] = {world->colliders.body[set->a[k]], world->colliders.body[set->b[k]]};
        for (int s = 0; s < 2; ++s) {
            bool is_joined = body_is_joined(&world->mechanisms, side[s]);
            if (b->inv_mass[side[s]] > 0.0 && !is_joined) continue;
            scr_vec3 point = contact_point_of(set, &world->colliders, k),
                     lever = contact_lever(&world->colliders, point, body_position(b, side[s]));
            twist t = is_joined ? new_twist(&world->motion, side[s]) : body_twist(b, side[s]);
            fastest = fmax(fastest, vec3_norm(point_velocity(t, lever)));
        }
    }
    return fastest;
}

// How fast pulls can close gaps.
static double pulling_speed(const scr_world *world)
{
    const contacts *set = &world->contacts;
    double radius = 0.0;
    if (!materials_cohere(&world->materials)) return 0.0;
#pragma omp parallel for num_threads(loop_threads(set->count, world->threads)) schedule(static) reduction(max : radius)
    for (int64_t k = 0; k < set->count; ++k) radius = fmax(radius, contact_smaller_size(set, &world->colliders, k));
    return PULLED_GAP * radius / world->def.time_step;
}

// More kinetic energy than contacts can make of what is there: the free motion, moving walls, overlaps that open. What
// turning may add is beside it, for it is seldom asked for.
static double runaway_energy(const scr_world *world, const motion_sums *sums)
{
    double push = fmax(sums->wall_speed, world_recovery_speed(world));
    push = fmax(push, fabs(world->shear_velocity));  // of the next cell in a sheared space: a moving wall
    for (int axis = 0; axis < 3; ++axis) push = fmax(push, fabs(world->cell_stretch[axis]));  // or in a stretched one
    if (sums->walls_rotate) push = fmax(push, rotating_wall_speed(world));
    if (world->def.contact.law == SCR_COMPLIANT)
        push = fmax(push, world->contacts.max_penetration / world->def.time_step);
    push = fmax(push, pulling_speed(world));
    double burst = world_is_penalty(world) ? penalty_burst_energy(world) : 0.0;
    const flight_sums *flight = &sums->flight;
    return RUNAWAY_FACTOR * (flight->old_kinetic + applied_energy(world) + burst + flight->mass * push * push);
}

static scr_status diverged(const scr_world *world, int64_t i, const char *how, scr_error *error)
{
    const bodies *b = &world->bodies;
    return scr_fail(error, SCR_DIVERGED, "step %" PRId64 ", t = %g s: body %" PRIu64 " at (%.4g, %.4g, %.4g) m %s",
                    world->step_count + 1, (double)(world->step_count + 1) * world->def.time_step, b->id[i], b->x[i],
                    b->y[i], b->z[i], how);
}

static scr_status check_speed(const scr_world *world, int64_t offender, scr_error *error)
{
    if (offender == NOBODY) return SCR_OK;
    char how[120];
    double speed = sqrt(speed2(&world->motion, offender)), spin = sqrt(spin2(&world->motion, offender));
    if (isfinite(speed) && speed > world->def.max_speed)
        snprintf(how, sizeof how, "moves at %.4g m/s; the limit is %g m/s", speed, world->def.max_speed);
    else if (isfinite(speed) && isfinite(spin))
        snprintf(how, sizeof how, "turns at %.4g rad/s; the limit is %g rad/s", spin, FASTEST_SPIN);
    else snprintf(how, sizeof how, "has a velocity that is not a number");
    return diverged(world, offender, how, error);
}

// Before the contacts: a body that is already wrong would take others with it, and they would be blamed.
scr_status check_free_motion(scr_world *world, scr_error *error)
{
    bool is_known = world->motion.is_summed && world->motion.is_physical;
    return check_speed(world, is_known ? NOBODY : first_offender(world), error);
}

scr_status check_motion(scr_world *world, scr_error *error)
{
    const motion_sums *sums = &world->motion.end;
    scr_status status = check_speed(world, sums->offender, error);
    if (status != SCR_OK) return status;
    char how[120];
    world->report.max_speed = sqrt(sums->flight.new_speed2);
    // What bodies outside a bed take from its grains cannot be told from a run-away here; speeds are limited for both.
    double energy = sums->flight.new_kinetic, limit = runaway_energy(world, sums);
    if (world->grains.is_loaded || energy <= limit) return SCR_OK;
    if (energy <= limit + RUNAWAY_FACTOR * energy_of_turning(world)) return SCR_OK;
    snprintf(how, sizeof how, "leads a run-away: the kinetic energy jumps to %.3g J", energy);
    return diverged(world, fastest_body(world), how, error);
}

// What held a violent impact says nothing of the next step: it would begin with a blow.
static void forget_blows(scr_world *world)
{
    const collider_motion *m = &world->collider_motion;
    const contact_cache *cache = &world->cache;
    if (!m->has_deflections) return;
    for (int64_t k = 0; k < cache->table.count; ++k) {
        if (m->deflection[cache->a[k]] == 0.0f && m->deflection[cache->b[k]] == 0.0f) continue;
        for (int axis = 0; axis < 3; ++axis) cache->impulse[3 * k + axis] = cache->previous[3 * k + axis] = 0.0f;
        for (int axis = 0; axis < 3 && cache->angular_impulses.count > 0; ++axis)
            cache->angular_impulse[3 * k + axis] = 0.0f;
    }
}

static bool keeps_spin(const scr_world *world, int64_t i)
{
    return world->bodies.inv_mass[i] == 0.0 || body_is_grain(&world->bodies, &world->colliders, i);
}

// Where body i comes to when it moves freely for a while. *spin (rad/s, body axes) is what it has then.
static pose drift(const scr_world *world, int64_t i, pose from, twist t, double duration, scr_vec3 *spin)
{
    const bodies *b = &world->bodies;
    if (b->kind[i] == SCR_FIXED) return from;
    scr_vec3 inverse_inertia = vec3(b->inv_ix[i], b->inv_iy[i], b->inv_iz[i]);
    rotating end = keeps_spin(world, i) ? rotate_steadily(from.rotation, t.w, duration)
                                        : rotate_freely(from.rotation, t.w, inverse_inertia, duration);
    *spin = end.spin;
    return (pose){vec3_add_scaled(from.position, duration, t.v), end.q};
}

static scr_status grow_midpoint(midpoint_state *midpoint, int64_t n, scr_error *error)
{
    const size_t size = sizeof(double);
    const scr_column columns[] = {
        {&midpoint->x, size},  {&midpoint->y, size},  {&midpoint->z, size},  {&midpoint->qw, size},
        {&midpoint->qx, size}, {&midpoint->qy, size}, {&midpoint->qz, size}, {&midpoint->wx, size},
        {&midpoint->wy, size}, {&midpoint->wz, size},
    };
    return scr_grow_together(columns, sizeof columns / sizeof *columns, &midpoint->capacity, n, "bodies half way",
                             error);
}

scr_status go_to_midpoint(scr_world *world, scr_error *error)
{
    const bodies *b = &world->bodies;
    midpoint_state *midpoint = &world->penalty.midpoint;
    scr_status status = grow_midpoint(midpoint, b->table.capacity, error);
    if (status != SCR_OK) return status;
    world_place_cells(world, 0.5 * world->def.time_step);
#pragma omp parallel for num_threads(loop_threads(general_bodies(world), world->threads)) schedule(static)
    for (int64_t i = 0; i < general_bodies(world); ++i) {
        scr_vec3 own_spin = vec3(b->wx[i], b->wy[i], b->wz[i]);
        pose to = drift(world, i, body_pose(b, i), body_twist(b, i), 0.5 * world->def.time_step, &own_spin);
        scr_vec3 spin = quat_rotate(to.rotation, own_spin);
        midpoint->x[i] = to.position.x, midpoint->y[i] = to.position.y, midpoint->z[i] = to.position.z;
        midpoint->qw[i] = to.rotation.w, midpoint->qx[i] = to.rotation.x, midpoint->qy[i] = to.rotation.y,
        midpoint->qz[i] = to.rotation.z;
        midpoint->wx[i] = spin.x, midpoint->wy[i] = spin.y, midpoint->wz[i] = spin.z;
    }
    return SCR_OK;
}

static bool moves_by_itself(const scr_world *world, int64_t i)
{
    return world->bodies.kind[i] != SCR_FIXED && !body_is_joined(&world->mechanisms, i);  // finish_joints moves those
}

static void move_body(scr_world *world, const body_poses *from, int64_t i, double duration)
{
    if (!moves_by_itself(world, i)) return;
    twist t = new_twist(&world->motion, i);
    scr_vec3 spin = t.w;
    pose to = drift(world, i, body_poses_at(from, i), t, duration, &spin);
    body_put(&world->bodies, i, to, t.v, spin);
}

// Eight bodies, or as many as are left.
static void move_eight(scr_world *world, loose_drift *drift_loose, const body_poses *from, int64_t first, int64_t count,
                       double duration)
{
    bool are_loose = count >= DRIFT_LANES;
    uint32_t steady = 0;
    for (int64_t k = 0; k < DRIFT_LANES && are_loose; ++k) {
        are_loose = moves_by_itself(world, first + k);
        steady |= (uint32_t)keeps_spin(world, first + k) << k;
    }
    if (are_loose && drift_loose(&world->bodies, from, &world->motion, first, steady, duration)) return;
    for (int64_t k = 0; k < min_i64(DRIFT_LANES, count); ++k) move_body(world, from, first + k, duration);
}

// What contacts did to the lengths of a stretched space, as if each were a body with the mass of all.
static double energy_of_cell(const scr_world *world)
{
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    const bodies *b = &world->bodies;
    body_poses at = world_poses(world);
    double impulse[3] = {0.0}, mass = 0.0, energy = 0.0;
    for (int64_t k = 0; k < set->count; ++k) {
        scr_vec3 from = body_poses_at(&at, c->body[set->a[k]]).position,
                 to = body_poses_at(&at, c->body[set->b[k]]).position,
                 way = period_offset(&c->period, vec3_sub(to, from)), given = contact_impulse(set, k);
        for (int axis = 0; axis < 3; ++axis)
            impulse[axis] += c->period.inverse[axis] * vec3_along(way, axis) * vec3_along(given, axis);
    }
    for (int64_t i = 0; i < b->table.count; ++i) mass += b->inv_mass[i] > 0.0 ? 1.0 / b->inv_mass[i] : 0.0;
    for (int axis = 0; axis < 3 && mass > 0.0; ++axis) energy += 0.5 * impulse[axis] * impulse[axis] / mass;
    return energy;
}

scr_status integrate(scr_world *world, scr_error *error)
{
    // The cache may have to grow, so it comes first: after it nothing can fail.
    scr_status status =
        contact_cache_remember(&world->cache, &world->contacts, world->colliders.table.count, world->threads, error);
    if (status != SCR_OK) return status;
    if (world->colliders.period.is_stretched && !world_is_penalty(world)) world->cell_energy = energy_of_cell(world);
    forget_blows(world);
    collider_motion *c = &world->collider_motion;
    c->drifted = vec3_add_scaled(c->drifted, world->def.time_step, c->drift);
    world->shear_offset += world->def.time_step * world->shear_velocity;
    for (int axis = 0; axis < 3; ++axis) world->cell_length[axis] += world->def.time_step * world->cell_stretch[axis];
    world_place_cells(world, 0.0);
    body_poses from = world_poses(world);
    double way_left = (world_is_penalty(world) ? 0.5 : 1.0) * world->def.time_step;
    int64_t n = general_bodies(world);
    loose_drift *drift_loose = KERNEL_TO_AVX512_FOR(world->def.instruction_set == SCR_BEST, drift_loose);
#pragma omp parallel for num_threads(loop_threads(n, world->threads)) schedule(static)
    for (int64_t first = 0; first < n; first += DRIFT_LANES)
        move_eight(world, drift_loose, &from, first, n - first, way_left);
    return SCR_OK;
}
