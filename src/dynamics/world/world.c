// SPDX-License-Identifier: BSD-3-Clause
// What several stages of a step ask of a world.
#include "dynamics/world/world.h"

#include "dynamics/world/world_state.h"

static const double RECOVERY_GRAVITIES = 5.0;  // default recovery speed: what gravity gives a body in so many steps

double world_recovery_speed(const scr_world *world)
{
    double given = world->def.contact.recovery_speed;
    return given > 0.0 ? given : RECOVERY_GRAVITIES * vec3_norm(scr_world_gravity(world)) * world->def.time_step;
}

void world_place_cells(scr_world *world, double later)
{
    periodic_cell *p = &world->colliders.period;
    p->shear_velocity = world->shear_velocity;
    p->shear_offset = world->shear_offset + later * world->shear_velocity;
    if (!p->is_stretched) return;
    for (int axis = 0; axis < 3; ++axis) {
        p->stretch[axis] = world->cell_stretch[axis];
        p->length[axis] = world->cell_length[axis] + later * world->cell_stretch[axis];
        p->inverse[axis] = p->length[axis] > 0.0 ? 1.0 / p->length[axis] : 0.0;
    }
}

double world_since_contacts(const scr_world *world)
{
    return (world_is_penalty(world) ? 0.5 : 1.0) * world->def.time_step;
}

periodic_cell world_cells_of_contacts(const scr_world *world)
{
    periodic_cell then = world->colliders.period;
    double since = world_since_contacts(world);
    then.shear_offset -= since * then.shear_velocity;
    for (int axis = 0; then.is_stretched && axis < 3; ++axis) {
        then.length[axis] -= since * then.stretch[axis];
        then.inverse[axis] = then.length[axis] > 0.0 ? 1.0 / then.length[axis] : 0.0;
    }
    return then;
}

scr_status world_bring_up(const scr_world *world, atomic_bool *is_behind,
                          scr_status (*work)(scr_world *world, scr_error *error), scr_error *error)
{
    if (!atomic_load_explicit(is_behind, memory_order_acquire)) return SCR_OK;
    scr_world *self = world->self;
    scr_status status = SCR_OK;
    pthread_mutex_lock(&self->lock);
    if (atomic_load_explicit(is_behind, memory_order_relaxed)) {
        status = work(self, error);
        atomic_store_explicit(is_behind, status != SCR_OK, memory_order_release);
    }
    pthread_mutex_unlock(&self->lock);
    return status;
}

body_poses world_poses(const scr_world *world)
{
    const bodies *b = &world->bodies;
    const midpoint_state *midpoint = &world->penalty.midpoint;
    if (world_is_penalty(world))
        return (body_poses){midpoint->x,  midpoint->y,  midpoint->z, midpoint->qw,
                            midpoint->qx, midpoint->qy, midpoint->qz};
    return (body_poses){b->x, b->y, b->z, b->qw, b->qx, b->qy, b->qz};
}

scr_vec3 world_spin(const scr_world *world, int64_t i)
{
    const midpoint_state *midpoint = &world->penalty.midpoint;
    return world_is_penalty(world) ? vec3(midpoint->wx[i], midpoint->wy[i], midpoint->wz[i])
                                   : body_spin(&world->bodies, i);
}

scr_vec3 body_spin_change(const scr_world *world, int64_t i, scr_vec3 torque)
{
    const bodies *b = &world->bodies;
    if (body_is_grain(b, &world->colliders, i)) return vec3_scale(b->inv_ix[i], torque);
    body_poses p = world_poses(world);
    scr_quat q = body_poses_at(&p, i).rotation;
    return quat_rotate(q, vec3_mul(vec3(b->inv_ix[i], b->inv_iy[i], b->inv_iz[i]), quat_unrotate(q, torque)));
}

scr_vec3 contact_surface_velocity(const scr_world *world, int64_t i)
{
    const contacts *set = &world->contacts;
    const int32_t side[2] = {set->a[i], set->b[i]};
    if (!world_conveys(world)) return vec3(0.0, 0.0, 0.0);
    body_poses p = world_poses(world);
    scr_vec3 u = vec3(0.0, 0.0, 0.0), n = contact_geometry_of(set, &world->colliders, i).normal;
    for (int s = 0; s < 2; ++s) {
        int32_t k = world->colliders.body[side[s]];
        scr_vec3 own = body_surface_velocity(&world->bodies, k);
        u = vec3_add_scaled(u, s == 0 ? -1.0 : 1.0, quat_rotate(body_poses_at(&p, k).rotation, own));
    }
    return vec3_add_scaled(u, -vec3_dot(u, n), n);
}

const periodic_cell *world_period(const scr_world *world) { return &world->colliders.period; }

scr_vec3 scr_world_wrapped(const scr_world *world, scr_vec3 position)
{
    return period_wrapped(&world->colliders.period, position);
}

double scr_world_time(const scr_world *world) { return (double)world->step_count * world->def.time_step; }
double scr_world_time_step(const scr_world *world) { return world->def.time_step; }
int64_t scr_world_step_count(const scr_world *world) { return world->step_count; }
scr_vec3 scr_world_gravity(const scr_world *world)
{
    return vec3(world->gravity[0], world->gravity[1], world->gravity[2]);
}
