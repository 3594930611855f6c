// SPDX-License-Identifier: BSD-3-Clause
// Loads on bodies.
#include "scene/parts/loads.h"

#include "core/maths/quat.h"
#include "core/maths/trig.h"
#include "dynamics/world/world_state.h"
#include "scene/model/messages.h"

// A rotation after turning by a vector of angles (rad, world axes).
static scr_quat rotated(scr_vec3 rotation_vector, scr_quat rotation)
{
    double angle = vec3_norm(rotation_vector), sine, cosine;
    scr_vec3 axis = vec3_unit(rotation_vector);
    scr_sincos(0.5 * angle, &sine, &cosine);
    return quat_unit(quat_mul((scr_quat){cosine, sine * axis.x, sine * axis.y, sine * axis.z}, rotation));
}

// Where a force acts, in the body's own frame. What is said in world axes is about t = 0, when the body's frame is
// where the scene puts it.
static scr_vec3 own_point(const scene_anchor *end, const scene_body *body)
{
    if (end->own_point) return end->point;
    return pose_unapply((pose){body->def.position, body->def.rotation}, end->point);
}

// m^2: of the face between two pairs of bodies; none if one of them is gone.
static double area_across(const scene_load *load, const scripted_bodies *bodies, const scr_world *world)
{
    double area = 1.0;
    for (int k = 0; k < 2; ++k) {
        scr_body_state state;
        for (int end = 0; end < 2; ++end)
            if (scr_body_get_state(world, bodies->handle[load->across[k][end]], &state, NULL) != SCR_OK) return 0.0;
        scr_vec3 a = scripted_frame(bodies, world, load->across[k][0]).position,
                 b = scripted_frame(bodies, world, load->across[k][1]).position;
        area *= vec3_norm(vec3_sub(b, a));
    }
    return area;
}

static scr_status apply(const scene *s, int64_t i, const scripted_bodies *bodies, scr_world *world,
                        const step_span *step, scr_error *error)
{
    const scene_load *load = &s->loads[i];
    int64_t body = load->end.body;
    scr_body_state state;
    if (scr_body_get_state(world, bodies->handle[body], &state, NULL) != SCR_OK) return SCR_OK;  // it is gone
    double t = step_middle(step), half_step = 0.5 * (step->t1 - step->t0);
    scr_vec3 force = time_vector_in(&load->force, t, step->phase),
             torque = time_vector_in(&load->torque, t, step->phase);
    if (!vec3_is_finite(force) || !vec3_is_finite(torque))
        return scene_fail(error, SCR_DIVERGED, s, load->location, "%s has no number at t = %g s",
                          label_of("load", load->name, i).text, t);
    if (load->is_stress) force = vec3_scale(area_across(load, bodies, world), force);
    const double *axes = &bodies->axes[4 * body], *centre = &bodies->centre[3 * body];
    scr_quat in_body = {axes[0], -axes[1], -axes[2], -axes[3]};
    scr_quat frame = quat_mul(rotated(vec3_scale(half_step, state.spin), state.rotation), in_body);
    if (load->in_body_axes) {
        force = quat_rotate(frame, force);
        torque = quat_rotate(frame, torque);
    }
    if (load->end.has_point) {
        scr_vec3 arm = vec3_sub(own_point(&load->end, &s->bodies[body]), vec3(centre[0], centre[1], centre[2]));
        torque = vec3_add(torque, vec3_cross(quat_rotate(frame, arm), force));
    }
    return scr_body_apply_force(world, bodies->handle[body], force, torque, error);
}

scr_status loads_apply(const scene *s, const scripted_bodies *bodies, scr_world *world, const step_span *step,
                       scr_error *error)
{
    scr_status status = SCR_OK;
    for (int64_t i = 0; i < s->load_count && status == SCR_OK; ++i) status = apply(s, i, bodies, world, step, error);
    if (status != SCR_OK) world_forget_forces(world);
    return status;
}
