// What several stages of a step ask of a world.
#include "dynamics/world/world.h"

static const double RECOVERY_GRAVITIES = 5.0;  // default recovery speed: what gravity gives a body in so many steps

double world_recovery_speed(const scr_world *world)
{
    double given = world->def.contact.recovery_speed;
    return given > 0.0 ? given : RECOVERY_GRAVITIES * vec3_norm(scr_world_gravity(world)) * world->def.time_step;
}

body_poses world_poses(const scr_world *world)
{
    const bodies *b = &world->bodies;
    const half_step *half = &world->penalty.half;
    if (world_is_penalty(world)) return (body_poses){half->x, half->y, half->z, half->qw, half->qx, half->qy, half->qz};
    return (body_poses){b->x, b->y, b->z, b->qw, b->qx, b->qy, b->qz};
}

scr_vec3 world_spin(const scr_world *world, int64_t i)
{
    const half_step *half = &world->penalty.half;
    return world_is_penalty(world) ? vec3(half->wx[i], half->wy[i], half->wz[i]) : body_spin(&world->bodies, i);
}

scr_vec3 body_turn(const scr_world *world, int64_t i, scr_vec3 torque)
{
    const bodies *b = &world->bodies;
    if (body_is_grain(b, &world->colliders, i)) return vec3_scale(b->inv_ix[i], torque);
    body_poses p = world_poses(world);
    scr_quat q = {p.qw[i], p.qx[i], p.qy[i], p.qz[i]};
    return quat_rotate(q, vec3_mul(vec3(b->inv_ix[i], b->inv_iy[i], b->inv_iz[i]), quat_unrotate(q, torque)));
}

double scr_world_time(const scr_world *world) { return (double)world->step_count * world->def.time_step; }
double scr_world_time_step(const scr_world *world) { return world->def.time_step; }
int64_t scr_world_step_count(const scr_world *world) { return world->step_count; }
scr_vec3 scr_world_gravity(const scr_world *world) { return vec3(world->gravity[0], world->gravity[1], world->gravity[2]); }
