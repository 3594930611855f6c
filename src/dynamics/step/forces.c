// SPDX-License-Identifier: BSD-3-Clause
// Velocities without contacts: v + h f/m.
//
// Turning bodies need no force for it: integrate.c keeps their angular momentum.
#include "core/base/threads.h"
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

scr_status apply_forces(scr_world *world, scr_error *error)
{
    const bodies *b = &world->bodies;
    new_motion *m = &world->motion;
    int64_t n = general_bodies(world);
    scr_status status = scr_grow(&m->body, &m->capacity, b->table.capacity, sizeof *m->body, "velocities", error);
    if (status != SCR_OK) return status;
    scr_vec3 dv = vec3_scale(world->def.time_step, scr_world_gravity(world));
#pragma omp parallel for num_threads(loop_threads(n, world->threads)) schedule(static)
    for (int64_t i = 0; i < n; ++i) {
        scr_vec3 v = body_velocity(b, i), w = world_spin(world, i);
        if (b->inv_mass[i] > 0.0) v = vec3_add(v, dv);
        m->body[i] = (body_motion){{v.x, v.y, v.z}, b->inv_mass[i], {w.x, w.y, w.z}, b->inv_ix[i]};
    }
    add_applied_forces(world);
    return SCR_OK;
}
