// SPDX-License-Identifier: BSD-3-Clause
// The joints, springs and couplings of a scene.
#include "scene/parts/linkage.h"

#include "core/maths/mat3.h"
#include "dynamics/world/world_state.h"
#include "scene/model/messages.h"
#include "scene/parts/list_table.h"

static const field_info joint_fields[] = {
    FIELD_WIDE(linkage, joint, FIELD_U32, 2, ""),
    FIELD(linkage, broken_at, FIELD_F64, "s"),
    SCALAR(linkage, broken, FIELD_I64, ""),
};
static const field_info spring_fields[] = {FIELD_WIDE(linkage, spring, FIELD_U32, 2, "")};
static const field_info coupling_fields[] = {FIELD_WIDE(linkage, coupling, FIELD_U32, 2, "")};

static const double LEAST_SINE = 1e-6;  // of the angle between an axis and x

scr_status linkage_init(linkage *l, const scene *s, scr_error *error)
{
    *l = (linkage){0};
    l->joint_table = (table){"scene_joints", joint_fields, 3, l, 0, 0, false};
    l->spring_table = (table){"scene_springs", spring_fields, 1, l, 0, 0, false};
    l->coupling_table = (table){"scene_couplings", coupling_fields, 1, l, 0, 0, false};
    scr_status status = list_table_init(&l->joint_table, s->joint_count, error);
    if (status == SCR_OK) status = list_table_init(&l->spring_table, s->spring_count, error);
    if (status == SCR_OK) status = list_table_init(&l->coupling_table, s->coupling_count, error);
    return status;
}

void linkage_free(linkage *l)
{
    table_free(&l->joint_table);
    table_free(&l->spring_table);
    table_free(&l->coupling_table);
}

static scr_vec3 point_in_world(const scene_anchor *end, const scr_frame *body)
{
    return end->own_point ? vec3_add(body->position, quat_rotate(body->rotation, end->point)) : end->point;
}

static scr_vec3 direction_in_world(scr_vec3 v, bool is_own, const scr_frame *body)
{
    return is_own ? quat_rotate(body->rotation, v) : v;
}

// Some direction at a right angle to z: from the coordinate axis that is farthest from it.
static scr_vec3 any_across(scr_vec3 z)
{
    scr_vec3 a = vec3_abs(z);
    scr_vec3 far = a.x <= a.y && a.x <= a.z ? vec3(1, 0, 0) : a.y <= a.z ? vec3(0, 1, 0) : vec3(0, 0, 1);
    return vec3_unit(vec3_add_scaled(far, -vec3_dot(far, z), z));
}

// The rotation with this z axis whose x axis is as near to `x` as can be.
static scr_quat rotation_of_axes(scr_vec3 z, scr_vec3 x)
{
    scr_vec3 across = vec3_add_scaled(x, -vec3_dot(x, z), z);
    scr_vec3 i = vec3_norm(across) > LEAST_SINE ? vec3_unit(across) : any_across(z), j = vec3_cross(z, i);
    mat3 m = {{{i.x, j.x, z.x}, {i.y, j.y, z.y}, {i.z, j.z, z.z}}};
    return quat_unit(quat_from_mat3(&m));
}

// Both frames of a joint. Without an x axis of their own they share one, so that the joint's angle begins at 0.
static scr_status place_frames(const scene *s, int64_t i, const scripted_bodies *bodies, const scr_world *world,
                               scr_joint_def *def, scr_error *error)
{
    const scene_joint *joint = &s->joints[i];
    scr_frame body[2], *to[2] = {&def->frame_a, &def->frame_b};
    scr_vec3 z[2];
    for (int k = 0; k < 2; ++k) {
        body[k] = scripted_frame(bodies, world, joint->end[k].body);
        to[k]->position = point_in_world(&joint->end[k], &body[k]);
    }
    bool is_line = def->kind == SCR_JOINT_DISTANCE;
    scr_vec3 line = vec3_unit(vec3_sub(def->frame_b.position, def->frame_a.position));
    for (int k = 0; k < 2; ++k)
        z[k] = is_line ? line : direction_in_world(joint->end[k].axis, joint->end[k].own_axis, &body[k]);
    scr_vec3 shared = any_across(z[0]);
    for (int k = 0; k < 2; ++k) {
        const scene_anchor *end = &joint->end[k];
        scr_vec3 x = end->has_x_axis ? direction_in_world(end->x_axis, end->own_x_axis, &body[k]) : shared;
        if (end->has_x_axis && !(vec3_norm(vec3_cross(z[k], x)) > LEAST_SINE))
            return scene_fail(error, SCR_BAD_INPUT, s, joint->location,
                              "%s: its x axis lies along its axis, and should be across", label_of_joint(s, i).text);
        to[k]->rotation = rotation_of_axes(z[k], x);
    }
    return SCR_OK;
}

static scr_body handle_of(const scripted_bodies *bodies, int body)
{
    return body == GROUND ? (scr_body){0, 0} : bodies->handle[body];
}

static scr_status set_motor(const linkage *l, const scene *s, int64_t i, scr_world *world, double t, phase_now phase,
                            scr_error *error)
{
    const scene_joint *joint = &s->joints[i];
    scr_motor_def motor = joint->motor;
    motor.value = time_function_call(&joint->drive);
    bool is_off = time_function_is_nothing(&joint->drive, t, phase);
    return scr_joint_set_motor(world, l->joint[i], is_off ? NULL : &motor, error);
}

static scr_status add_joint(linkage *l, const scene *s, int64_t i, const scripted_bodies *bodies, scr_world *world,
                            scr_error *error)
{
    const scene_joint *joint = &s->joints[i];
    scr_joint_def def = joint->def;
    scr_status status = place_frames(s, i, bodies, world, &def, error);
    if (status != SCR_OK) return status;
    scr_error reason;
    def.a = handle_of(bodies, joint->end[0].body);
    def.b = handle_of(bodies, joint->end[1].body);
    status = scr_world_add_joint(world, &def, &l->joint[i], &reason);
    if (status == SCR_OK && joint->has_motor)
        status = set_motor(l, s, i, world, 0.5 * scr_world_time_step(world), (phase_now){0, 0.0}, &reason);
    if (status == SCR_OK) return SCR_OK;
    return scene_fail(error, status, s, joint->location, "%s: %s", label_of_joint(s, i).text, reason.message);
}

static scr_status add_spring(linkage *l, const scene *s, int64_t i, const scripted_bodies *bodies, scr_world *world,
                             scr_error *error)
{
    const scene_spring *spring = &s->springs[i];
    scr_spring_def def = spring->def;
    scr_error reason;
    if (spring->joint >= 0) {
        def.joint = l->joint[spring->joint];
    } else {
        scr_frame a = scripted_frame(bodies, world, spring->end[0].body),
                  b = scripted_frame(bodies, world, spring->end[1].body);
        def.a = handle_of(bodies, spring->end[0].body);
        def.b = handle_of(bodies, spring->end[1].body);
        def.point_a = point_in_world(&spring->end[0], &a);
        def.point_b = point_in_world(&spring->end[1], &b);
    }
    scr_status status = scr_world_add_spring(world, &def, &l->spring[i], &reason);
    if (status == SCR_OK) return SCR_OK;
    return scene_fail(error, status, s, spring->location, "%s: %s", label_of("spring", spring->name, i).text,
                      reason.message);
}

static scr_status add_coupling(linkage *l, const scene *s, int64_t i, scr_world *world, scr_error *error)
{
    const scene_coupling *coupling = &s->couplings[i];
    scr_coupling_def def = coupling->def;
    scr_error reason;
    for (int k = 0; k < def.count; ++k) def.joint[k] = l->joint[coupling->joint[k]];
    scr_status status = scr_world_add_coupling(world, &def, &l->coupling[i], &reason);
    if (status == SCR_OK) return SCR_OK;
    return scene_fail(error, status, s, coupling->location, "%s: %s", label_of("coupling", coupling->name, i).text,
                      reason.message);
}

scr_status linkage_fail(const linkage *l, const scene *s, scr_status status, const scr_error *reason, scr_error *error)
{
    numbered_thing joint = find_numbered(reason->message, "joint");
    numbered_thing coupling = find_numbered(reason->message, "coupling");
    numbered_thing body = find_numbered(reason->message, "body");
    for (int64_t i = 0; i < s->joint_count && joint.number > 0; ++i) {
        if (l->joint[i].index1 == joint.number)
            return scene_fail(error, status, s, s->joints[i].location, "%.*s%s%s", joint.before_length, joint.before,
                              label_of_joint(s, i).text, joint.rest);
    }
    for (int64_t i = 0; i < s->coupling_count && coupling.number > 0; ++i) {
        if (l->coupling[i].index1 == coupling.number)
            return scene_fail(error, status, s, s->couplings[i].location, "%.*s%s%s", coupling.before_length,
                              coupling.before, label_of("coupling", s->couplings[i].name, i).text, coupling.rest);
    }
    if (body.number == 0) return scr_fail(error, status, "%s", reason->message);
    return scr_fail(error, status, "%.*s%s%s", body.before_length, body.before, label_of_body(s, body.number).text,
                    body.rest);
}

scr_status linkage_assemble(linkage *l, const scene *s, scr_world *world, scr_error *error)
{
    scr_error reason;
    scr_status status = scr_world_assemble(world, &l->assembly, &reason);
    return status == SCR_OK ? SCR_OK : linkage_fail(l, s, status, &reason, error);
}

scr_status linkage_populate(linkage *l, const scene *s, const scripted_bodies *bodies, scr_world *world,
                            scr_error *error)
{
    scr_status status = SCR_OK;
    for (int64_t i = 0; i < s->joint_count && status == SCR_OK; ++i) status = add_joint(l, s, i, bodies, world, error);
    for (int64_t i = 0; i < s->spring_count && status == SCR_OK; ++i)
        status = add_spring(l, s, i, bodies, world, error);
    for (int64_t i = 0; i < s->coupling_count && status == SCR_OK; ++i) status = add_coupling(l, s, i, world, error);
    return status;
}

scr_status linkage_after_load(linkage *l, const scene *s, scr_world *world, scr_error *error)
{
    scr_status status = list_table_check(&l->joint_table, s->joint_count, error);
    if (status == SCR_OK) status = list_table_check(&l->spring_table, s->spring_count, error);
    if (status == SCR_OK) status = list_table_check(&l->coupling_table, s->coupling_count, error);
    for (int64_t i = 0; i < s->joint_count && status == SCR_OK; ++i) {
        scr_joint_state state;
        bool is_there = scr_joint_get_state(world, l->joint[i], &state, NULL) == SCR_OK;
        bool by_phase = s->joints[i].drive.kind == TIME_BY_PHASE;  // what it holds is saved, and set before each step
        if (is_there && s->joints[i].has_motor && !by_phase)
            world_set_drive(world, l->joint[i], time_function_call(&s->joints[i].drive));
    }
    return status;
}

scr_status linkage_check_drives(const linkage *l, const scene *s, const scr_world *world, const step_span *step,
                                scr_error *error)
{
    const double times[] = {step->t0, step_middle(step), step->t1};
    for (int64_t i = 0; i < s->joint_count; ++i) {
        const scene_joint *joint = &s->joints[i];
        scr_joint_state state;
        if (!joint->has_motor || !time_function_has_formula(&joint->drive)) continue;  // all others are finite always
        if (scr_joint_get_state(world, l->joint[i], &state, NULL) != SCR_OK) continue;
        for (int k = 0; k < 3; ++k) {
            if (!isfinite(time_function_in(&joint->drive, times[k], step->phase)))
                return scene_fail(error, SCR_DIVERGED, s, joint->location, "the motor of %s has no number at t = %g s",
                                  label_of_joint(s, i).text, times[k]);
        }
    }
    return SCR_OK;
}

// What a step needs to know is whether a motor drives at its midpoint, as loads do. A motor that drove in the step
// before is in the world, also after a load.
static scr_status switch_motor(const linkage *l, const scene *s, int64_t i, scr_world *world, const step_span *step,
                               scr_error *error)
{
    const time_function *drive = &s->joints[i].drive;
    double now = step_middle(step), before = now - (step->t1 - step->t0);
    phase_now last = step->phase;
    if (last.index > 0 && before < last.began) --last.index;
    if (before < 0.0 ||
        time_function_is_nothing(drive, before, last) == time_function_is_nothing(drive, now, step->phase))
        return SCR_OK;
    scr_joint_state state;
    bool is_there = scr_joint_get_state(world, l->joint[i], &state, NULL) == SCR_OK;
    return is_there ? set_motor(l, s, i, world, now, step->phase, error) : SCR_OK;
}

static void set_phase_drive(const linkage *l, const scene *s, int64_t i, scr_world *world, const step_span *step)
{
    const scene_joint *joint = &s->joints[i];
    double t = joint->motor.drive == SCR_DRIVE_POSITION ? step->t1 : step_middle(step);
    world_set_drive(world, l->joint[i], (scr_function){.constant = time_function_in(&joint->drive, t, step->phase)});
}

scr_status linkage_set_drives(const linkage *l, const scene *s, scr_world *world, const step_span *step,
                              scr_error *error)
{
    scr_status status = SCR_OK;
    for (int64_t i = 0; i < s->joint_count && status == SCR_OK; ++i) {
        if (!s->joints[i].has_motor) continue;
        time_function_kind kind = s->joints[i].drive.kind;
        if (kind == TIME_PIECES || kind == TIME_BY_PHASE) status = switch_motor(l, s, i, world, step, error);
        if (kind == TIME_BY_PHASE) set_phase_drive(l, s, i, world, step);
    }
    return status;
}

void linkage_note_broken(linkage *l, const scene *s, const scr_world *world)
{
    for (int64_t i = 0; i < s->joint_count; ++i) {
        const scr_joint_def *def = &s->joints[i].def;
        scr_joint_state state;
        bool can_break = def->break_force > 0.0 || def->break_torque > 0.0;
        if (!can_break || l->broken_at[i] > 0.0) continue;
        if (scr_joint_get_state(world, l->joint[i], &state, NULL) != SCR_OK || !state.is_broken) continue;
        l->broken_at[i] = scr_world_time(world);
        ++l->broken;
    }
}

linkage_state linkage_look(const linkage *l, const scene *s, const scr_world *world)
{
    linkage_state now = {0};
    for (int64_t i = 0; i < s->joint_count; ++i) {
        scr_joint_state state;
        if (scr_joint_get_state(world, l->joint[i], &state, NULL) != SCR_OK || state.is_broken) continue;
        ++now.count;
        now.gap = fmax(now.gap, state.gap);
        now.tilt = fmax(now.tilt, state.tilt);
    }
    return now;
}
