// SPDX-License-Identifier: BSD-3-Clause
// How joints, springs and couplings are now: what the tables do not say follows from where their bodies are.
#include "dynamics/calls/joint_states.h"

#include <string.h>

#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/world/world.h"
#include "dynamics/world/world_state.h"

// A joint and its two bodies.
typedef struct joint_view {
    joint_geometry geometry;
    pose at[2];
    double velocity[2][6];  // v, w, world axes
} joint_view;

static void look_at_body(const scr_world *world, scr_body body, pose *at, double velocity[6])
{
    const bodies *b = &world->bodies;
    int64_t i = body_slot(b, body);
    *at = POSE_IDENTITY;
    memset(velocity, 0, 6 * sizeof *velocity);
    if (i < 0) return;
    scr_vec3 v = body_velocity(b, i), w = body_spin(b, i);
    *at = body_pose(b, i);
    velocity[0] = v.x, velocity[1] = v.y, velocity[2] = v.z;
    velocity[3] = w.x, velocity[4] = w.y, velocity[5] = w.z;
}

static joint_view view_of(const scr_world *world, scr_body a, scr_body b)
{
    joint_view view;
    look_at_body(world, a, &view.at[0], view.velocity[0]);
    look_at_body(world, b, &view.at[1], view.velocity[1]);
    return view;
}

static joint_view view_of_joint(const scr_world *world, int64_t i)
{
    const joints *j = &world->mechanisms.joints;
    joint_view view = view_of(world, j->a[i], j->b[i]);
    view.geometry = joint_geometry_of(j, i, 0, 1);
    return view;
}

// The line between the two points of a spring is that of a distance joint.
static joint_view view_of_spring(const scr_world *world, int64_t i)
{
    const springs *s = &world->mechanisms.springs;
    const double *pa = s->point_a + 3 * i, *pb = s->point_b + 3 * i;
    joint_view view = view_of(world, s->a[i], s->b[i]);
    view.geometry = (joint_geometry){
        .kind = SCR_JOINT_DISTANCE,
        .a = {s->a[i].index1 == 0 ? NO_BODY : 0, {vec3(pa[0], pa[1], pa[2]), QUAT_IDENTITY}},
        .b = {s->b[i].index1 == 0 ? NO_BODY : 1, {vec3(pb[0], pb[1], pb[2]), QUAT_IDENTITY}},
    };
    return view;
}

static double rate_along(const joint_view *view, scr_axis axis)
{
    joint_jacobian jacobian[2];
    double rate = 0.0;
    joint_motion_row(&view->geometry, axis, view->at, jacobian);
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 6 && jacobian[side].body != NO_BODY; ++k)
            rate += jacobian[side].row[0][k] * view->velocity[jacobian[side].body][k];
    return rate;
}

double motion_of_joint(const scr_world *world, int64_t i, scr_axis axis)
{
    const joints *j = &world->mechanisms.joints;
    joint_view view = view_of_joint(world, i);
    return joint_motion(&view.geometry, axis, view.at, axis == SCR_ABOUT ? j->about[i] : j->along[i]);
}

bool world_joint_force(const scr_world *world, scr_joint joint, scr_vec3 *force)
{
    const joints *j = &world->mechanisms.joints;
    int64_t i;
    if (joint_slot_checked(j, joint, &i, NULL) != SCR_OK) return false;
    *force = vec3(j->force[3 * i], j->force[3 * i + 1], j->force[3 * i + 2]);
    return true;
}

double coupled_motion(const scr_world *world, int64_t i)
{
    const couplings *c = &world->mechanisms.couplings;
    double sum = 0.0;
    for (int64_t k = 3 * i; k < 3 * i + c->count[i]; ++k)
        sum += c->ratio[k] *
               motion_of_joint(world, joint_slot(&world->mechanisms.joints, c->joint[k]), (scr_axis)c->axis[k]);
    return sum;
}

double spring_length(const scr_world *world, int64_t i)
{
    const springs *s = &world->mechanisms.springs;
    if (s->joint[i].index1 != 0)
        return motion_of_joint(world, joint_slot(&world->mechanisms.joints, s->joint[i]), (scr_axis)s->axis[i]);
    joint_view view = view_of_spring(world, i);
    return joint_motion(&view.geometry, SCR_ALONG, view.at, 0.0);
}

static double bushing_energy(const scr_world *world, int64_t i)
{
    const joints *j = &world->mechanisms.joints;
    joint_view view = view_of_joint(world, i);
    joint_jacobian unused[2];
    double motion[BLOCK_ROWS], energy = 0.0;
    bushing_rows(&view.geometry, view.at, motion, unused);
    for (int k = 0; k < BLOCK_ROWS; ++k) energy += 0.5 * j->stiffness[BLOCK_ROWS * i + k] * motion[k] * motion[k];
    return energy;
}

static bool spring_holds(const mechanisms *m, int64_t i)
{
    if (m->springs.generation[i] % 2 == 0) return false;
    return m->springs.joint[i].index1 == 0 || joint_holds(&m->joints, joint_slot(&m->joints, m->springs.joint[i]));
}

double mechanism_elastic_energy(const scr_world *world)
{
    const mechanisms *m = &world->mechanisms;
    double energy = 0.0;
    for (int64_t i = 0; i < m->joints.table.count; ++i)
        if (m->joints.kind[i] == SCR_JOINT_BUSHING && joint_holds(&m->joints, i)) energy += bushing_energy(world, i);
    for (int64_t i = 0; i < m->springs.table.count; ++i)
        if (spring_holds(m, i)) energy += spring_energy(&m->springs, i, spring_length(world, i));
    return energy;
}

// ---- reading ----

scr_status scr_joint_get_state(const scr_world *world, scr_joint joint, scr_joint_state *state, scr_error *error)
{
    const joints *j = &world->mechanisms.joints;
    int64_t i;
    scr_status status = joint_slot_checked(&world->mechanisms.joints, joint, &i, error);
    if (status != SCR_OK) return status;
    joint_view view = view_of_joint(world, i);
    const double *force = j->force + 3 * i, *torque = j->torque + 3 * i;
    *state = (scr_joint_state){
        .force = vec3(force[0], force[1], force[2]),
        .torque = vec3(torque[0], torque[1], torque[2]),
        .motor_force = j->motor_force[i],
        .motor_power = j->motor_power[i],
        .is_broken = j->is_broken[i] != 0,
        .redundant_rows = j->redundant_rows[i],
        .frame_a = joint_frame_now(&view.geometry.a, view.at),
        .frame_b = joint_frame_now(&view.geometry.b, view.at),
    };
    joint_gap(&view.geometry, view.at, &state->gap, &state->tilt);
    // An actuator keeps no distance: how far it is from where it should be is its motor's affair.
    if (view.geometry.kind == SCR_JOINT_DISTANCE && joint_has_motor(j, i)) state->gap = 0.0;
    if (joint_has_axis(view.geometry.kind, SCR_ALONG)) {
        state->along = joint_motion(&view.geometry, SCR_ALONG, view.at, j->along[i]);
        state->along_rate = rate_along(&view, SCR_ALONG);
    }
    if (joint_has_axis(view.geometry.kind, SCR_ABOUT)) {
        state->about = joint_motion(&view.geometry, SCR_ABOUT, view.at, j->about[i]);
        state->about_rate = rate_along(&view, SCR_ABOUT);
    }
    return SCR_OK;
}

scr_status scr_spring_get_state(const scr_world *world, scr_spring spring, scr_spring_state *state, scr_error *error)
{
    const springs *s = &world->mechanisms.springs;
    int64_t i;
    scr_status status = spring_slot_checked(&world->mechanisms.springs, spring, &i, error);
    if (status != SCR_OK) return status;
    bool on_joint = s->joint[i].index1 != 0;
    joint_view view =
        on_joint ? view_of_joint(world, joint_slot(&world->mechanisms.joints, s->joint[i])) : view_of_spring(world, i);
    *state = (scr_spring_state){spring_length(world, i), rate_along(&view, (scr_axis)s->axis[i]), s->force[i]};
    return SCR_OK;
}

scr_status scr_coupling_get_state(const scr_world *world, scr_coupling coupling, scr_coupling_state *state,
                                  scr_error *error)
{
    const couplings *c = &world->mechanisms.couplings;
    int64_t i;
    scr_status status = coupling_slot_checked(&world->mechanisms.couplings, coupling, &i, error);
    if (status == SCR_OK) *state = (scr_coupling_state){coupled_motion(world, i) - c->target[i], c->force[i]};
    return status;
}
