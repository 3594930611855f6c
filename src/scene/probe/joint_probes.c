// SPDX-License-Identifier: BSD-3-Clause
// Probes of joints, motors, springs and couplings.
#include "scene/probe/joint_probes.h"

#include "core/maths/quat.h"

static const column_kind force_columns[] = {{"fx", "N"},   {"fy", "N"},   {"fz", "N"}, {"tx", "N m"},
                                            {"ty", "N m"}, {"tz", "N m"}, {NULL, NULL}};
static const column_kind motion_columns[] = {
    {"along", "m"}, {"about", "rad"}, {"along_rate", "m/s"}, {"about_rate", "rad/s"},
    {"gap", "m"},   {"tilt", "rad"},  {NULL, NULL}};
static const column_kind sliding_motor[] = {{"force", "N"}, {"speed", "m/s"}, {"power", "W"}, {NULL, NULL}};
static const column_kind rotary_motor[] = {{"torque", "N m"}, {"spin", "rad/s"}, {"power", "W"}, {NULL, NULL}};
static const column_kind sliding_spring[] = {{"length", "m"}, {"rate", "m/s"}, {"force", "N"}, {NULL, NULL}};
static const column_kind rotary_spring[] = {{"angle", "rad"}, {"rate", "rad/s"}, {"torque", "N m"}, {NULL, NULL}};
static const column_kind sliding_coupling[] = {{"error", "m"}, {"force", "N"}, {NULL, NULL}};
static const column_kind rotary_coupling[] = {{"error", "rad"}, {"torque", "N m"}, {NULL, NULL}};

bool is_joint_probe(probe_kind kind)
{
    switch (kind) {
    case PROBE_JOINT_FORCE:
    case PROBE_JOINT_MOTION:
    case PROBE_MOTOR:
    case PROBE_SPRING:
    case PROBE_COUPLING: return true;
    default: return false;
    }
}

const column_kind *joint_probe_columns(const scene *s, const scene_probe *probe)
{
    switch (probe->kind) {
    case PROBE_JOINT_FORCE: return force_columns;
    case PROBE_MOTOR: return s->joints[probe->element].motor.axis == SCR_ALONG ? sliding_motor : rotary_motor;
    case PROBE_SPRING: return s->springs[probe->element].def.axis == SCR_ALONG ? sliding_spring : rotary_spring;
    // The coupling's force is that on a motion of ratio 1, which is the first one's.
    case PROBE_COUPLING:
        return s->couplings[probe->element].def.axis[0] == SCR_ALONG ? sliding_coupling : rotary_coupling;
    default: return motion_columns;
    }
}

static void add_vector(double sum[3], scr_vec3 v) { sum[0] += v.x, sum[1] += v.y, sum[2] += v.z; }

static void record_joint_force(const scene_probe *probe, const linkage_view *from, double *sum)
{
    scr_joint_state state;
    if (scr_joint_get_state(from->world, from->linkage->joint[probe->element], &state, NULL) != SCR_OK) return;
    scr_quat axes = QUAT_IDENTITY;
    if (probe->frame == FRAME_JOINT) axes = state.frame_a.rotation;
    if (probe->frame == FRAME_BODY)
        axes = scripted_frame(from->bodies, from->world, from->scene->joints[probe->element].end[1].body).rotation;
    add_vector(sum, quat_unrotate(axes, state.force));
    add_vector(sum + 3, quat_unrotate(axes, state.torque));
}

static double motor_speed(const linkage_view *from, int joint, const scr_joint_state *state)
{
    return from->scene->joints[joint].motor.axis == SCR_ALONG ? state->along_rate : state->about_rate;
}

static void record_motor(const scene_probe *probe, const linkage_view *from, double *sum)
{
    scr_joint_state state;
    if (scr_joint_get_state(from->world, from->linkage->joint[probe->element], &state, NULL) != SCR_OK) return;
    sum[0] += state.motor_force;
    sum[1] += state.motor_power;
}

void joint_probe_record(const scene_probe *probe, const linkage_view *from, double sum[JOINT_PROBE_WIDTH])
{
    scr_spring_state spring;
    scr_coupling_state coupling;
    const linkage *l = from->linkage;
    switch (probe->kind) {
    case PROBE_JOINT_FORCE: record_joint_force(probe, from, sum); break;
    case PROBE_MOTOR: record_motor(probe, from, sum); break;
    case PROBE_SPRING:
        if (scr_spring_get_state(from->world, l->spring[probe->element], &spring, NULL) == SCR_OK)
            sum[0] += spring.force;
        break;
    case PROBE_COUPLING:
        if (scr_coupling_get_state(from->world, l->coupling[probe->element], &coupling, NULL) == SCR_OK)
            sum[0] += coupling.force;
        break;
    default: break;
    }
}

// What is gone is nowhere.
static void write_motion(const scene_probe *probe, const linkage_view *from, double *values)
{
    scr_joint_state s;
    if (scr_joint_get_state(from->world, from->linkage->joint[probe->element], &s, NULL) != SCR_OK) {
        for (int c = 0; c < JOINT_PROBE_WIDTH; ++c) values[c] = NAN;
        return;
    }
    values[0] = s.along, values[1] = s.about;
    values[2] = s.along_rate, values[3] = s.about_rate;
    values[4] = s.gap, values[5] = s.tilt;
}

static void write_motor(const scene_probe *probe, const linkage_view *from, const double *mean, double *values)
{
    scr_joint_state s;
    bool is_there = scr_joint_get_state(from->world, from->linkage->joint[probe->element], &s, NULL) == SCR_OK;
    values[0] = mean[0];
    values[1] = is_there ? motor_speed(from, probe->element, &s) : NAN;
    values[2] = mean[1];
}

static void write_spring(const scene_probe *probe, const linkage_view *from, const double *mean, double *values)
{
    scr_spring_state s;
    bool is_there = scr_spring_get_state(from->world, from->linkage->spring[probe->element], &s, NULL) == SCR_OK;
    values[0] = is_there ? s.length : NAN;
    values[1] = is_there ? s.rate : NAN;
    values[2] = mean[0];
}

static void write_coupling(const scene_probe *probe, const linkage_view *from, const double *mean, double *values)
{
    scr_coupling_state c;
    bool is_there = scr_coupling_get_state(from->world, from->linkage->coupling[probe->element], &c, NULL) == SCR_OK;
    values[0] = is_there ? c.error : NAN;
    values[1] = mean[0];
}

void joint_probe_row(const scene_probe *probe, const linkage_view *from, int64_t steps,
                     const double sum[JOINT_PROBE_WIDTH], double *values)
{
    double mean[JOINT_PROBE_WIDTH];
    for (int c = 0; c < JOINT_PROBE_WIDTH; ++c) mean[c] = steps > 0 ? sum[c] / (double)steps : 0.0;
    switch (probe->kind) {
    case PROBE_JOINT_FORCE:
        for (int c = 0; c < JOINT_PROBE_WIDTH; ++c) values[c] = mean[c];
        break;
    case PROBE_MOTOR: write_motor(probe, from, mean, values); break;
    case PROBE_SPRING: write_spring(probe, from, mean, values); break;
    case PROBE_COUPLING: write_coupling(probe, from, mean, values); break;
    default: write_motion(probe, from, values); break;
    }
}
