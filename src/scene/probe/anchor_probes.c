// SPDX-License-Identifier: BSD-3-Clause
// What an engineer reads off an anchor.
#include "scene/probe/anchor_probes.h"

#include <math.h>
#include <string.h>

#include "core/maths/quat.h"
#include "scene/parts/list_table.h"

static const field_info fields[] = {
    FIELD(anchor_probes, work, FIELD_F64, "J"),
    FIELD(anchor_probes, along, FIELD_F64, "m"),
    FIELD(anchor_probes, about, FIELD_F64, "rad"),
    FIELD_WIDE(anchor_probes, row, FIELD_F64, ANCHOR_SUMS, "N, N m"),
};

static const column_kind columns[ANCHOR_PROBE_WIDTH] = {
    {"depth", "m"},    {"speed", "m/s"},      {"rotation", "rad"},      {"spin", "rad/s"}, {"force", "N"},
    {"torque", "N m"}, {"ground_force", "N"}, {"ground_torque", "N m"}, {"work", "J"},
};
const column_kind *anchor_probe_columns(void) { return columns; }

scr_status anchor_probes_init(anchor_probes *p, const scene *s, scr_error *error)
{
    int count = 0;
    for (int k = 0; k < s->probe_count; ++k) count += s->probes[k].kind == PROBE_ANCHOR;
    *p = (anchor_probes){0};
    p->table = (table){"anchors", fields, sizeof fields / sizeof *fields, p, 0, 0, false};
    return list_table_init(&p->table, count, error);
}

void anchor_probes_free(anchor_probes *p) { table_free(&p->table); }

// The guide as it is now: along and about its axis, which is z of frame a; whether it is there at all.
typedef struct guide_state {
    double along, about, along_rate, about_rate;
    double force, torque;  // N, N m: of motors
    scr_vec3 axis, point;
    bool is_there;
} guide_state;

static void add_motor(guide_state *guide, const linkage_view *from, int joint, const scr_joint_state *state)
{
    const scene_joint *j = &from->scene->joints[joint];
    if (j->has_motor && j->motor.axis == SCR_ALONG) guide->force += state->motor_force;
    if (j->has_motor && j->motor.axis == SCR_ABOUT) guide->torque += state->motor_force;
}

static guide_state look_at_guide(const scene_probe *probe, const linkage_view *from)
{
    guide_state guide = {NAN, NAN, NAN, NAN, 0.0, 0.0, {0, 0, 0}, {0, 0, 0}, false};
    scr_joint_state feed, rotary;
    const scr_joint *joint = from->linkage->joint;
    if (scr_joint_get_state(from->world, joint[probe->element], &feed, NULL) != SCR_OK) return guide;
    if (scr_joint_get_state(from->world, joint[probe->rotary], &rotary, NULL) != SCR_OK) return guide;
    guide.along = feed.along, guide.along_rate = feed.along_rate;
    guide.about = rotary.about, guide.about_rate = rotary.about_rate;
    guide.axis = quat_z(feed.frame_a.rotation);
    guide.point = feed.frame_a.position;
    guide.is_there = true;
    add_motor(&guide, from, probe->element, &feed);
    if (probe->rotary != probe->element) add_motor(&guide, from, probe->rotary, &rotary);
    return guide;
}

// What the scene's loads do to the body along and about the axis.
static void add_loads(guide_state *guide, const scene_probe *probe, const linkage_view *from)
{
    double t = scr_world_time(from->world) - 0.5 * scr_world_time_step(from->world);
    scr_quat frame = scripted_frame(from->bodies, from->world, probe->body).rotation;
    for (int k = 0; k < from->scene->load_count; ++k) {
        const scene_load *load = &from->scene->loads[k];
        if (load->end.body != probe->body) continue;
        scr_vec3 force = time_vector_in(&load->force, t, from->phase),
                 torque = time_vector_in(&load->torque, t, from->phase);
        if (load->in_body_axes) force = quat_rotate(frame, force), torque = quat_rotate(frame, torque);
        guide->force += vec3_dot(force, guide->axis);
        guide->torque += vec3_dot(torque, guide->axis);
    }
}

// What contacts do to it; they give the torque about its centre of mass, which may be beside the axis.
static void add_ground(double *row, const scene_probe *probe, const linkage_view *from, const sleeping *asleep,
                       const guide_state *guide)
{
    scr_body body = from->bodies->handle[probe->body];
    scr_vec3 force, torque;
    scr_body_state state;
    if (scr_body_contact_force(from->world, body, &force, &torque, NULL) != SCR_OK) return;
    if (scr_body_get_state(from->world, body, &state, NULL) != SCR_OK) return;
    double load[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    sleeping_add_load(asleep, probe->body, load);
    force = vec3(load[0], load[1], load[2]);
    torque = vec3_add(vec3(load[3], load[4], load[5]), vec3_cross(vec3_sub(state.position, guide->point), force));
    row[2] += vec3_dot(force, guide->axis);
    row[3] += vec3_dot(torque, guide->axis);
}

static void record(anchor_probes *p, int k, const scene_probe *probe, const linkage_view *from, const sleeping *asleep)
{
    guide_state guide = look_at_guide(probe, from);
    double *row = &p->row[ANCHOR_SUMS * k];
    if (!guide.is_there) return;
    add_loads(&guide, probe, from);
    p->work[k] += guide.force * (guide.along - p->along[k]) + guide.torque * (guide.about - p->about[k]);
    p->along[k] = guide.along;
    p->about[k] = guide.about;
    row[0] += guide.force;
    row[1] += guide.torque;
    add_ground(row, probe, from, asleep, &guide);
}

void anchor_probes_record(anchor_probes *p, const linkage_view *from, const sleeping *asleep)
{
    int k = 0;
    for (int i = 0; i < from->scene->probe_count && k < p->table.count; ++i)
        if (from->scene->probes[i].kind == PROBE_ANCHOR) record(p, k++, &from->scene->probes[i], from, asleep);
}

void anchor_probes_begin_row(anchor_probes *p)
{
    for (int64_t i = 0; i < ANCHOR_SUMS * p->table.count; ++i) p->row[i] = 0.0;
}

void anchor_probe_row(const anchor_probes *p, const scene_probe *probe, const linkage_view *from, int k, int64_t steps,
                      double *values)
{
    guide_state guide = look_at_guide(probe, from);
    const double *sum = &p->row[ANCHOR_SUMS * k], n = steps > 0 ? (double)steps : 1.0;
    const double now[] = {probe->depth + guide.along,
                          guide.along_rate,
                          guide.about,
                          guide.about_rate,
                          sum[0] / n,
                          sum[1] / n,
                          sum[2] / n,
                          sum[3] / n,
                          p->work[k]};
    memcpy(values, now, sizeof now);
}
