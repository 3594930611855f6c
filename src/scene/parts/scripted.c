// SPDX-License-Identifier: BSD-3-Clause
// The bodies that a scene lists one by one.
#include "scene/parts/scripted.h"

#include "core/maths/pose.h"
#include "core/maths/trig.h"
#include "scene/model/messages.h"
#include "scene/parts/list_table.h"
#include "scene/populate/populate_sphere_sets.h"
#include "scene/populate/populate_surfaces.h"

static const double TWO_PI = 0x1.921fb54442d18p2;

static const field_info scripted_fields[] = {
    FIELD_WIDE(scripted_bodies, handle, FIELD_U32, 2, ""), FIELD_WIDE(scripted_bodies, position, FIELD_F64, 3, "m"),
    FIELD(scripted_bodies, angle, FIELD_F64, "rad"),       FIELD_WIDE(scripted_bodies, centre, FIELD_F64, 3, "m"),
    FIELD_WIDE(scripted_bodies, axes, FIELD_F64, 4, ""),   SCALAR(scripted_bodies, removed, FIELD_I64, ""),
};

// Where the frame of a moving body is.
typedef struct frame_pose {
    scr_vec3 position;  // m
    double angle;       // rad about the motion's axis
} frame_pose;

scr_status scripted_init(scripted_bodies *b, const scene *s, scr_error *error)
{
    *b = (scripted_bodies){0};
    b->table =
        (table){"scene_bodies", scripted_fields, sizeof scripted_fields / sizeof *scripted_fields, b, 0, 0, false};
    int64_t count = s->body_count;
    scr_status status = list_table_init(&b->table, count, error);
    if (status != SCR_OK) return status;
    status = scr_grow(&b->before, &b->before_capacity, count, sizeof *b->before, "motions", error);
    if (status != SCR_OK) return status;
    return scr_grow(&b->due, &b->due_capacity, count, sizeof *b->due, "removals", error);
}

void scripted_free(scripted_bodies *b)
{
    table_free(&b->table);
    scr_free(b->before);
    scr_free(b->due);
}

static scr_vec3 load_vec3(const double *v) { return vec3(v[0], v[1], v[2]); }
static void store_vec3(double *v, scr_vec3 a) { v[0] = a.x, v[1] = a.y, v[2] = a.z; }
static scr_quat load_quat(const double *q) { return (scr_quat){q[0], q[1], q[2], q[3]}; }
static void store_quat(double *q, scr_quat a) { q[0] = a.w, q[1] = a.x, q[2] = a.y, q[3] = a.z; }

static scr_quat rotated(scr_vec3 axis, double angle, scr_quat rotation)
{
    double sine, cosine;
    scr_sincos(0.5 * angle, &sine, &cosine);
    return quat_unit(quat_mul((scr_quat){cosine, sine * axis.x, sine * axis.y, sine * axis.z}, rotation));
}

// What the motion leaves open is as the body's definition says: its velocity and spin then stay what they are.
static bool rotates_by_formula(const scene_motion *m) { return m->has_angle || m->has_spin; }

static scr_vec3 axis_of(const scene_body *body)
{
    return rotates_by_formula(&body->motion) ? body->motion.axis : vec3_unit(body->def.spin);
}

static scr_quat frame_rotation(const scene_body *body, double angle)
{
    return rotated(axis_of(body), angle, body->def.rotation);
}

// The frame at the end of a step, given that at its beginning.
static frame_pose next_pose(const scene_body *body, frame_pose now, const step_span *step)
{
    const scene_motion *m = &body->motion;
    double h = step->t1 - step->t0, middle = step_middle(step);
    phase_now phase = step->phase;
    scr_vec3 velocity = m->has_velocity ? time_vector_in(&m->velocity, middle, phase) : body->def.velocity;
    double spin = m->has_spin ? time_function_in(&m->spin, middle, phase) : vec3_norm(body->def.spin);
    return (frame_pose){
        m->has_position ? time_vector_in(&m->position, step->t1, phase) : vec3_add_scaled(now.position, h, velocity),
        m->has_angle ? time_function_in(&m->angle, step->t1, phase) : now.angle + h * spin,
    };
}

static frame_pose first_pose(const scene_body *body)
{
    const scene_motion *m = &body->motion;
    return (frame_pose){m->has_position ? time_vector_at(&m->position, 0.0) : body->def.position,
                        m->has_angle ? time_function_at(&m->angle, 0.0) : 0.0};
}

static bool is_finite(frame_pose at) { return vec3_is_finite(at.position) && isfinite(at.angle); }

static frame_pose pose_of(const scripted_bodies *b, int64_t i)
{
    return (frame_pose){load_vec3(&b->position[3 * i]), b->angle[i]};
}

// Where the world's body is when its frame is there.
static pose body_in_frame(const scripted_bodies *b, int64_t i, pose frame)
{
    return pose_compose(frame, (pose){load_vec3(&b->centre[3 * i]), load_quat(&b->axes[4 * i])});
}

// The same of a frame that moves by formulae; velocity and spin are left at zero.
static scr_body_state state_at(const scripted_bodies *b, const scene_body *body, int64_t i, frame_pose at)
{
    pose now = body_in_frame(b, i, (pose){at.position, frame_rotation(body, at.angle)});
    return (scr_body_state){.position = now.position, .rotation = now.rotation};
}

static scr_status fail_without_number(const scene *s, int64_t i, double t, scr_error *error)
{
    return scene_fail(error, SCR_DIVERGED, s, s->bodies[i].location, "the motion of %s gives no number at t = %g s",
                      label_of("body", s->bodies[i].name, i).text, t);
}

// Add body i with its frame at the first pose, and note how the world's frame of it, centre of mass and principal axes,
// lies in the scene's.
static scr_status add_body(scripted_bodies *b, const scene *s, int64_t i, scr_world *world, scr_error *error)
{
    const scene_body *body = &s->bodies[i];
    scene_label label = label_of("body", body->name, i);
    if (body->has_motion && body->def.kind != SCR_KINEMATIC)
        return scene_fail(error, SCR_BAD_INPUT, s, body->location, "%s has a motion but is not kinematic", label.text);
    scr_body_def def = body->def;
    frame_pose at = {def.position, 0.0};
    if (body->has_motion) {
        at = first_pose(body);
        if (!is_finite(at)) return fail_without_number(s, i, 0.0, error);
        def.position = at.position;
        def.rotation = frame_rotation(body, at.angle);
    }
    scr_error reason;
    scr_shape *shapes = NULL;
    scr_status status = place_surface_shapes(body, world, &shapes, &reason);
    if (status == SCR_OK) status = place_sphere_sets(s, body, world, &shapes, &def, &reason);
    def.shapes = shapes;
    if (status == SCR_OK) status = scr_world_add_body(world, &def, &b->handle[i], &reason);
    scr_free(shapes);
    if (status != SCR_OK) return scene_fail(error, status, s, body->location, "%s: %s", label.text, reason.message);
    scr_body_state state;
    status = scr_body_get_state(world, b->handle[i], &state, error);
    if (status != SCR_OK) return status;

    store_vec3(&b->position[3 * i], at.position);
    b->angle[i] = at.angle;
    pose own = pose_relative((pose){at.position, def.rotation}, (pose){state.position, state.rotation});
    store_vec3(&b->centre[3 * i], own.position);
    store_quat(&b->axes[4 * i], own.rotation);
    return SCR_OK;
}

scr_status scripted_populate(scripted_bodies *b, const scene *s, scr_world *world, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int64_t i = 0; i < s->body_count && status == SCR_OK; ++i) status = add_body(b, s, i, world, error);
    return status;
}

scr_status scripted_put_at_start(const scripted_bodies *b, const scene *s, scr_world *world, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int64_t i = 0; i < s->body_count && status == SCR_OK; ++i) {
        const scene_body *body = &s->bodies[i];
        if (!body->has_start) continue;
        scr_body_state state = body->start;
        pose now = body_in_frame(b, i, (pose){state.position, state.rotation});
        state.position = now.position, state.rotation = now.rotation;
        status = scr_body_set_state(world, b->handle[i], &state, error);
    }
    return status;
}

scr_frame scripted_frame(const scripted_bodies *b, const scr_world *world, int body)
{
    scr_body_state state = {.rotation = QUAT_IDENTITY};
    if (body == GROUND || scr_body_get_state(world, b->handle[body], &state, NULL) != SCR_OK)
        return (scr_frame){state.position, state.rotation};
    scr_quat rotation = quat_mul(state.rotation, quat_conj(load_quat(&b->axes[4 * (int64_t)body])));
    scr_vec3 centre = quat_rotate(rotation, load_vec3(&b->centre[3 * (int64_t)body]));
    return (scr_frame){vec3_sub(state.position, centre), rotation};
}

static bool is_moving(const scripted_bodies *b, const scene *s, const scr_world *world, int64_t i)
{
    return s->bodies[i].has_motion && scr_body_is_alive(world, b->handle[i]);
}

scr_status scripted_begin_step(scripted_bodies *b, const scene *s, scr_world *world, const step_span *step,
                               scr_error *error)
{
    // First all formulae, then all changes: a formula that fails leaves no body half way.
    for (int64_t i = 0; i < s->body_count; ++i) {
        if (!is_moving(b, s, world, i)) continue;
        if (!is_finite(next_pose(&s->bodies[i], pose_of(b, i), step)))
            return fail_without_number(s, i, step->t1, error);
    }
    scr_status status = SCR_OK;
    double h = step->t1 - step->t0;
    for (int64_t i = 0; i < s->body_count && status == SCR_OK; ++i) {
        if (!is_moving(b, s, world, i)) continue;
        const scene_body *body = &s->bodies[i];
        frame_pose now = pose_of(b, i), next = next_pose(body, now, step);
        scr_body_state arrival = state_at(b, body, i, next);
        status = scr_body_get_state(world, b->handle[i], &b->before[i], error);
        if (status != SCR_OK) break;
        scr_body_state state = b->before[i];
        state.velocity = vec3_scale(1.0 / h, vec3_sub(arrival.position, state.position));
        state.spin = vec3_scale((next.angle - now.angle) / h, axis_of(body));
        status = scr_body_set_state(world, b->handle[i], &state, error);
    }
    return status;
}

void scripted_end_step(scripted_bodies *b, const scene *s, scr_world *world, const step_span *step)
{
    for (int64_t i = 0; i < s->body_count; ++i) {
        if (!is_moving(b, s, world, i)) continue;
        const scene_body *body = &s->bodies[i];
        frame_pose next = next_pose(body, pose_of(b, i), step);
        scr_body_state state, arrival = state_at(b, body, i, next);
        scr_body_get_state(world, b->handle[i], &state, NULL);  // it is alive: neither call can fail
        state.position = arrival.position;
        state.rotation = arrival.rotation;
        scr_body_set_state(world, b->handle[i], &state, NULL);

        store_vec3(&b->position[3 * i], next.position);
        // A turning drum stays within one turn, so that its angle does not lose digits.
        bool unbounded = !body->motion.has_angle && fabs(next.angle) > TWO_PI;
        b->angle[i] = unbounded ? next.angle - TWO_PI * floor(next.angle / TWO_PI) : next.angle;
    }
}

void scripted_undo_step(scripted_bodies *b, const scene *s, scr_world *world)
{
    for (int64_t i = 0; i < s->body_count; ++i) {
        if (is_moving(b, s, world, i)) scr_body_set_state(world, b->handle[i], &b->before[i], NULL);
    }
}

scr_status scripted_remove_due(scripted_bodies *b, const scene *s, scr_world *world, double t, scr_error *error)
{
    int64_t count = 0;
    double half_step = 0.5 * scr_world_time_step(world);
    for (int64_t i = 0; i < s->body_count; ++i) {
        if (s->bodies[i].remove_at < t + half_step && scr_body_is_alive(world, b->handle[i]))
            b->due[count++] = b->handle[i];
    }
    if (count == 0) return SCR_OK;
    scr_status status = scr_world_remove_bodies(world, count, b->due, error);
    if (status == SCR_OK) b->removed += count;
    return status;
}
