// SPDX-License-Identifier: BSD-3-Clause
// The public calls that add, change and remove joints, springs and couplings: they check what the user says first.
#include <math.h>
#include <string.h>

#include "dynamics/calls/joint_states.h"
#include "dynamics/joints/joint_checks.h"
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/world/world.h"
#include "dynamics/world/world_state.h"

static const double STEEP = -0.9;  // cosine: an axis that points further down than this is turned to by way of -z

scr_joint_def scr_default_joint_def(void)
{
    return (scr_joint_def){
        .frame_a.rotation = QUAT_IDENTITY, .frame_b.rotation = QUAT_IDENTITY, .lower = -INFINITY, .upper = INFINITY};
}

// The shortest turn that brings z to a unit vector; from -z where that is nearer.
static scr_quat rotation_from_z(scr_vec3 u)
{
    if (u.z > STEEP) return quat_unit((scr_quat){1.0 + u.z, -u.y, u.x, 0.0});
    const scr_quat over = {0.0, 1.0, 0.0, 0.0};
    return quat_mul(quat_unit((scr_quat){1.0 - u.z, u.y, -u.x, 0.0}), over);
}

scr_joint_def scr_joint_at(scr_joint_kind kind, scr_body a, scr_body b, scr_vec3 position, scr_vec3 axis)
{
    scr_joint_def def = scr_default_joint_def();
    double length = vec3_norm(axis);
    scr_quat none = {0.0, 0.0, 0.0, 0.0};  // refused when the joint is added
    def.kind = kind;
    def.a = a;
    def.b = b;
    def.frame_a = (scr_frame){
        position, length > 0.0 && isfinite(length) ? rotation_from_z(vec3_scale(1.0 / length, axis)) : none};
    def.frame_b = def.frame_a;
    return def;
}

scr_spring_def scr_default_spring_def(void)
{
    return (scr_spring_def){.rest = NAN, .lower = -INFINITY, .upper = INFINITY};
}
scr_motor_def scr_default_motor_def(void) { return (scr_motor_def){.max_force = INFINITY}; }

// ---- what a user names ----

static scr_status check_end(const scr_world *world, scr_body body, bool *is_moved, scr_error *error)
{
    int64_t i;
    if (body.index1 == 0) return SCR_OK;
    scr_status status = body_slot_checked(&world->bodies, body, &i, error);
    if (status == SCR_OK) *is_moved = *is_moved || world->bodies.inv_mass[i] > 0.0;
    return status;
}

// what: "joint" or "spring"
static scr_status check_ends(const scr_world *world, const char *what, scr_body a, scr_body b, scr_error *error)
{
    bool is_moved = false;
    const periodic_cell *p = &world->colliders.period;
    if (period_moves(p))
        return scr_fail(error, SCR_BAD_INPUT, "where space is %s there are no joints and springs: no %s",
                        p->is_sheared ? "sheared" : "stretched", what);
    if (a.index1 == 0 && b.index1 == 0)
        return scr_fail(error, SCR_BAD_INPUT, "a %s needs a body: a and b are both null", what);
    scr_status status = check_end(world, a, &is_moved, error);
    if (status == SCR_OK) status = check_end(world, b, &is_moved, error);
    if (status != SCR_OK) return status;
    if (a.index1 == b.index1) return scr_fail(error, SCR_BAD_INPUT, "a and b of a %s are the same body", what);
    if (!is_moved)
        return scr_fail(error, SCR_BAD_INPUT, "a %s needs a body that can be moved: neither a nor b is dynamic", what);
    return SCR_OK;
}

// ---- adding ----

// A frame of the world as the body sees it.
static pose frame_on(const scr_world *world, scr_body body, pose frame)
{
    int64_t i = body_slot(&world->bodies, body);
    frame.rotation = quat_unit(frame.rotation);
    if (i < 0) return frame;
    pose seen = pose_relative(body_pose(&world->bodies, i), frame);
    return (pose){seen.position, quat_unit(seen.rotation)};
}

static void store_joint(joints *j, int64_t i, const scr_joint_def *def)
{
    j->kind[i] = (uint8_t)def->kind;
    j->a[i] = def->a, j->b[i] = def->b;
    j->collide[i] = def->collide;
    j->length[i] = def->length;
    j->lower[i] = def->lower, j->upper[i] = def->upper;
    j->restitution[i] = def->restitution;
    j->friction[i] = def->friction;
    j->friction_radius[i] = def->friction_radius;
    j->friction_force[i] = def->friction_force;
    j->break_force[i] = def->break_force;
    j->break_torque[i] = def->break_torque;
    memcpy(j->stiffness + 6 * i, def->stiffness, sizeof def->stiffness);
    memcpy(j->damping + 6 * i, def->damping, sizeof def->damping);
}

scr_status scr_world_add_joint(scr_world *world, const scr_joint_def *def, scr_joint *joint, scr_error *error)
{
    joints *j = &world->mechanisms.joints;
    scr_joint_def own = *def;
    int64_t i;
    *joint = (scr_joint){0};
    scr_status status = check_joint_def(def, error);
    if (status == SCR_OK) status = check_ends(world, "joint", def->a, def->b, error);
    if (status != SCR_OK) return status;
    if (own.kind == SCR_JOINT_DISTANCE && own.length == 0.0)
        own.length = vec3_norm(vec3_sub(own.frame_b.position, own.frame_a.position));
    if (own.kind == SCR_JOINT_DISTANCE && own.length == 0.0)
        return scr_fail(error, SCR_BAD_INPUT, "a distance joint needs a length: its ends are in the same place");
    status = joints_take(j, &i, error);
    if (status != SCR_OK) return status;
    joints_changed(world);
    mark_joined(world, own.a);
    mark_joined(world, own.b);
    store_joint(j, i, &own);
    pose_store(j->frame_a + POSE_WIDTH * i, frame_on(world, own.a, own.frame_a));
    pose_store(j->frame_b + POSE_WIDTH * i, frame_on(world, own.b, own.frame_b));
    if (joint_has_axis(own.kind, SCR_ALONG)) j->along[i] = motion_of_joint(world, i, SCR_ALONG);
    if (joint_has_axis(own.kind, SCR_ABOUT)) j->about[i] = motion_of_joint(world, i, SCR_ABOUT);
    *joint = (scr_joint){(uint32_t)i + 1, j->generation[i]};
    return SCR_OK;
}

static scr_status check_spring_ends(const scr_world *world, const scr_spring_def *def, scr_error *error)
{
    int64_t i;
    if (def->joint.index1 == 0) return check_ends(world, "spring", def->a, def->b, error);
    if (def->a.index1 != 0 || def->b.index1 != 0)
        return scr_fail(error, SCR_BAD_INPUT, "a spring acts along a joint or between two bodies, not both");
    scr_status status = joint_slot_checked(&world->mechanisms.joints, def->joint, &i, error);
    return status == SCR_OK ? check_axis((scr_joint_kind)world->mechanisms.joints.kind[i], def->axis, error) : status;
}

static void store_point(const scr_world *world, double *to, scr_body body, scr_vec3 point)
{
    pose at = frame_on(world, body, (pose){point, QUAT_IDENTITY});
    to[0] = at.position.x, to[1] = at.position.y, to[2] = at.position.z;
}

static void store_spring(const scr_world *world, springs *s, int64_t i, const scr_spring_def *def)
{
    s->joint[i] = def->joint;
    s->a[i] = def->a, s->b[i] = def->b;
    s->axis[i] = SCR_ALONG;
    if (def->joint.index1 == 0) {
        store_point(world, s->point_a + 3 * i, def->a, def->point_a);
        store_point(world, s->point_b + 3 * i, def->b, def->point_b);
    } else {
        const joints *j = &world->mechanisms.joints;
        s->axis[i] = (uint8_t)joint_usual_axis((scr_joint_kind)j->kind[joint_slot(j, def->joint)], def->axis);
    }
    s->stiffness[i] = def->stiffness;
    s->damping[i] = def->damping;
    s->preload[i] = def->preload;
    s->lower[i] = def->lower, s->upper[i] = def->upper;
    s->stop_stiffness[i] = def->stop_stiffness;
    s->stop_damping[i] = def->stop_damping;
    if (def->table_count > 0)
        memcpy(s->pairs + 2 * s->first_pair[i], def->table, (size_t)def->table_count * 2 * sizeof *def->table);
}

scr_status scr_world_add_spring(scr_world *world, const scr_spring_def *def, scr_spring *spring, scr_error *error)
{
    springs *s = &world->mechanisms.springs;
    int64_t i;
    *spring = (scr_spring){0};
    scr_status status = check_spring_def(def, error);
    if (status == SCR_OK) status = check_spring_ends(world, def, error);
    if (status == SCR_OK) status = springs_take(s, def->table_count, &i, error);
    if (status != SCR_OK) return status;
    joints_changed(world);
    mark_joined(world, def->a);
    mark_joined(world, def->b);
    store_spring(world, s, i, def);
    s->rest[i] = isnan(def->rest) ? spring_length(world, i) : def->rest;
    *spring = (scr_spring){(uint32_t)i + 1, s->generation[i]};
    return SCR_OK;
}

scr_status scr_world_add_coupling(scr_world *world, const scr_coupling_def *def, scr_coupling *coupling,
                                  scr_error *error)
{
    couplings *c = &world->mechanisms.couplings;
    const joints *j = &world->mechanisms.joints;
    int64_t i, of[3];
    *coupling = (scr_coupling){0};
    scr_status status = check_coupling_def(def, error);
    for (int k = 0; status == SCR_OK && k < def->count; ++k) {
        status = joint_slot_checked(&world->mechanisms.joints, def->joint[k], &of[k], error);
        if (status == SCR_OK) status = check_axis((scr_joint_kind)j->kind[of[k]], def->axis[k], error);
    }
    if (status == SCR_OK) status = couplings_take(c, &i, error);
    if (status != SCR_OK) return status;
    joints_changed(world);
    c->count[i] = def->count;
    for (int k = 0; k < def->count; ++k) {
        c->joint[3 * i + k] = def->joint[k];
        c->axis[3 * i + k] = (uint8_t)joint_usual_axis((scr_joint_kind)j->kind[of[k]], def->axis[k]);
        c->ratio[3 * i + k] = def->ratio[k];
    }
    c->target[i] = coupled_motion(world, i);
    *coupling = (scr_coupling){(uint32_t)i + 1, c->generation[i]};
    return SCR_OK;
}

// ---- motors ----

scr_status scr_joint_set_motor(scr_world *world, scr_joint joint, const scr_motor_def *def, scr_error *error)
{
    joints *j = &world->mechanisms.joints;
    int64_t i;
    scr_status status = joint_slot_checked(&world->mechanisms.joints, joint, &i, error);
    if (status == SCR_OK && def != NULL) status = check_motor_def((scr_joint_kind)j->kind[i], def, error);
    if (status != SCR_OK) return status;
    const scr_motor_def none = {0}, *motor = def != NULL ? def : &none;
    j->motor[i] = def != NULL ? (uint8_t)(1 + def->drive) : 0;
    j->motor_axis[i] = def != NULL ? (uint8_t)joint_usual_axis((scr_joint_kind)j->kind[i], def->axis) : 0;
    j->motor_constant[i] = motor->value.at == NULL ? motor->value.constant : 0.0;
    j->max_force[i] = motor->max_force;
    j->motor_force[i] = j->motor_power[i] = 0.0;
    j->drive[i] = motor->value;
    joints_changed(world);
    return SCR_OK;
}

void world_set_drive(scr_world *world, scr_joint joint, scr_function drive)
{
    joints *j = &world->mechanisms.joints;
    int64_t i = joint_slot(j, joint);
    if (i < 0 || !joint_has_motor(j, i)) return;
    j->drive[i] = drive;
    if (drive.at == NULL) j->motor_constant[i] = drive.constant;
}

double world_drive_at(const scr_world *world, scr_joint joint, double t)
{
    const joints *j = &world->mechanisms.joints;
    int64_t i = joint_slot(j, joint);
    return i >= 0 && joint_has_motor(j, i) ? joint_drive_at(j, i, t) : 0.0;
}

// ---- removing ----

scr_status scr_world_remove_joint(scr_world *world, scr_joint joint, scr_error *error)
{
    int64_t i;
    scr_status status = joint_slot_checked(&world->mechanisms.joints, joint, &i, error);
    if (status != SCR_OK) return status;
    joints_changed(world);
    remove_joint(world, i);
    find_joined_bodies(world);
    return SCR_OK;
}

scr_status scr_world_remove_spring(scr_world *world, scr_spring spring, scr_error *error)
{
    int64_t i;
    scr_status status = spring_slot_checked(&world->mechanisms.springs, spring, &i, error);
    if (status != SCR_OK) return status;
    joints_changed(world);
    springs_drop(&world->mechanisms.springs, i);
    find_joined_bodies(world);
    return SCR_OK;
}

scr_status scr_world_remove_coupling(scr_world *world, scr_coupling coupling, scr_error *error)
{
    int64_t i;
    scr_status status = coupling_slot_checked(&world->mechanisms.couplings, coupling, &i, error);
    if (status != SCR_OK) return status;
    joints_changed(world);
    couplings_drop(&world->mechanisms.couplings, i);
    return SCR_OK;
}
