// SPDX-License-Identifier: BSD-3-Clause
// Velocities without contacts: v + h f/m.
//
// Turning bodies need no force for it: integrate.c keeps their angular momentum.
#include "core/base/threads.h"
#include "dynamics/step/free_motion.h"
#include "dynamics/step/stages.h"
#include "dynamics/world/world.h"

static void add_applied_forces(scr_world *world)
{
    const bodies *b = &world->bodies;
    new_motion *m = &world->motion;
    double h = world->def.time_step;
    for (int64_t k = 0; k < world->applied_count; ++k) {
        const applied_force *f = &world->applied[k];
        int64_t i = body_slot(b, f->body);
        if (i < 0 || i >= general_bodies(world) || b->inv_mass[i] == 0.0) continue;
        scr_vec3 t = body_spin_change(world, i, f->torque);
        motion_add_twist(&m->body[i], vec3_scale(h * b->inv_mass[i], f->force), vec3_scale(h, t));
    }
}

static bool is_zero(scr_vec3 v) { return v.x == 0.0 && v.y == 0.0 && v.z == 0.0; }

// What the user's function gives joins the forces that were applied to single bodies, in the order of bodies.
scr_status ask_for_forces(scr_world *world, scr_error *error)
{
    if (world->force_function == NULL) return SCR_OK;
    scr_body_view view = scr_world_bodies(world);
    scr_status status = scr_grow_anew(&world->own_force, &world->own_force_capacity, 2 * view.count,
                                      sizeof *world->own_force, "forces", error);
    if (status == SCR_OK)
        status = scr_grow(&world->applied, &world->applied_capacity, world->applied_count + view.count,
                          sizeof *world->applied, "forces", error);
    if (status != SCR_OK) return status;
    scr_vec3 *force = world->own_force, *torque = force + view.count;
    for (int64_t k = 0; k < 2 * view.count; ++k) force[k] = vec3(0.0, 0.0, 0.0);
    world->force_function(world->force_context, world, &view, force, torque);
    for (int64_t i = 0; i < view.count; ++i) {
        if (!vec3_is_finite(force[i]) || !vec3_is_finite(torque[i]))
            return scr_fail(error, SCR_BAD_INPUT, "step %lld: the force function gives no number for body %llu",
                            (long long)world->step_count + 1, (unsigned long long)view.id[i]);
        if (view.kind[i] != SCR_DYNAMIC || (is_zero(force[i]) && is_zero(torque[i]))) continue;
        world->applied[world->applied_count++] = (applied_force){view.handle[i], force[i], torque[i]};
    }
    return SCR_OK;
}

static void set_free_motion_of(scr_world *world, int64_t i, scr_vec3 dv)
{
    const bodies *b = &world->bodies;
    scr_vec3 v = body_velocity(b, i), w = world_spin(world, i);
    if (b->inv_mass[i] > 0.0) v = vec3_add(v, dv);
    world->motion.body[i] = (body_motion){{v.x, v.y, v.z}, b->inv_mass[i], {w.x, w.y, w.z}, b->inv_ix[i]};
}

// Several bodies at a time, and their sums; those that are left, one by one.
static void set_block(scr_world *world, int64_t first, int64_t last, scr_vec3 dv, velocity_sums *sums,
                      bool *is_physical)
{
    const body_motion *m = world->motion.body;
    speed_limits limits = world_speed_limits(world);
    free_motion *set_some = KERNEL_TO_AVX512_FOR(world->def.instruction_set == SCR_BEST, set_free_motion);
    *sums = (velocity_sums){0};
    int64_t i = set_some(&world->bodies, world->motion.body, first, last, dv, &limits, sums, is_physical);
    for (; i < last; ++i) {
        set_free_motion_of(world, i, dv);
        twist t = motion_twist(&m[i]);
        double v2 = vec3_dot(t.v, t.v);
        *is_physical = *is_physical && v2 <= limits.speed2 && vec3_dot(t.w, t.w) <= limits.spin2;
        if (m[i].inv_mass > 0.0) velocity_sums_add(sums, &(velocity_sums){t.v, v2, 1});
    }
}

static scr_status set_and_sum(scr_world *world, int64_t n, scr_vec3 dv, scr_error *error)
{
    new_motion *m = &world->motion;
    int64_t blocks = block_count_of(n, SUM_BLOCK);
    scr_status status = scr_grow(&m->block, &m->block_capacity, blocks, sizeof *m->block, "velocities", error);
    if (status != SCR_OK) return status;
    bool is_physical = true;
#pragma omp parallel for num_threads(loop_threads(n, world->threads)) schedule(static) reduction(&& : is_physical)
    for (int64_t k = 0; k < blocks; ++k)
        set_block(world, k * SUM_BLOCK, min_i64((k + 1) * SUM_BLOCK, n), dv, &m->block[k], &is_physical);
    m->sums = (velocity_sums){0};
    for (int64_t k = 0; k < blocks; ++k) velocity_sums_add(&m->sums, &m->block[k]);
    m->is_physical = is_physical;
    m->is_summed = world->applied_count == 0;
    return SCR_OK;
}

scr_status apply_forces(scr_world *world, scr_error *error)
{
    new_motion *m = &world->motion;
    int64_t n = general_bodies(world);
    scr_status status =
        scr_grow(&m->body, &m->capacity, world->bodies.table.capacity, sizeof *m->body, "velocities", error);
    m->is_summed = false;
    if (status != SCR_OK) return status;
    scr_vec3 dv = vec3_scale(world->def.time_step, scr_world_gravity(world));
    if (!world_is_penalty(world)) status = set_and_sum(world, n, dv, error);
    if (status != SCR_OK) return status;
    if (world_is_penalty(world)) {
#pragma omp parallel for num_threads(loop_threads(n, world->threads)) schedule(static)
        for (int64_t i = 0; i < n; ++i) set_free_motion_of(world, i, dv);
    }
    add_applied_forces(world);
    return SCR_OK;
}
