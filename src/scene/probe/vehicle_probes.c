// SPDX-License-Identifier: BSD-3-Clause
// What an engineer reads off a tracked vehicle.
#include "scene/probe/vehicle_probes.h"

#include <math.h>
#include <string.h>

#include "core/maths/quat.h"
#include "core/maths/trig.h"
#include "rig/rig_kinds.h"
#include "scene/parts/list_table.h"

static const double NO_DISTANCE = 1e-3;  // m
static const double DEGREES = 57.29577951308232;

static const field_info fields[] = {
    FIELD(vehicle_probes, distance, FIELD_F64, "m"),
    FIELD(vehicle_probes, work, FIELD_F64, "J"),
    FIELD_WIDE(vehicle_probes, row, FIELD_F64, VEHICLE_SUMS, ""),
    FIELD_WIDE(vehicle_probes, all, FIELD_F64, VEHICLE_SUMS, ""),
    FIELD(vehicle_probes, row_speed, FIELD_F64, "m/s"),
    FIELD(vehicle_probes, all_speed, FIELD_F64, "m/s"),
    FIELD(vehicle_probes, now_speed, FIELD_F64, "m/s"),
    FIELD(vehicle_probes, all_distance, FIELD_F64, "m"),
    FIELD(vehicle_probes, all_work, FIELD_F64, "J"),
};

#define OF_VEHICLE                                                                                                     \
    {"distance", "m"}, {"speed", "m/s"}, {"pitch", "degrees"}, {"roll", "degrees"}, {"thrust", "N"}, {"drawbar", "N"}, \
        {"resistance", "N"},                                                                                           \
    {                                                                                                                  \
        "work", "J"                                                                                                    \
    }
#define OF_TRACK(side)                                                                                                 \
    {side "_slip", ""}, {side "_torque", "N m"}, {side "_power", "W"}, {side "_tension", "N"}, { side "_sinkage", "m" }
enum { VEHICLE_COLUMNS = 8, TRACK_COLUMNS = 5 };
_Static_assert((int)VEHICLE_PROBE_WIDTH > VEHICLE_COLUMNS + TRACKS_MAX * TRACK_COLUMNS, "and one to end them");

static const column_kind two_tracks[VEHICLE_PROBE_WIDTH] = {OF_VEHICLE, OF_TRACK("left"), OF_TRACK("right")},
                         left_track[VEHICLE_PROBE_WIDTH] = {OF_VEHICLE, OF_TRACK("left")},
                         right_track[VEHICLE_PROBE_WIDTH] = {OF_VEHICLE, OF_TRACK("right")};

const column_kind *vehicle_probe_columns(const scene_vehicle *vehicle)
{
    if (vehicle->track_count == TRACKS_MAX) return two_tracks;
    return vehicle->track[0].is_right ? right_track : left_track;
}

scr_status vehicle_probes_init(vehicle_probes *p, const scene *s, scr_error *error)
{
    int count = 0;
    for (int k = 0; k < s->probe_count; ++k) count += s->probes[k].vehicle != NULL;
    *p = (vehicle_probes){0};
    p->table = (table){"vehicles", fields, sizeof fields / sizeof *fields, p, 0, 0, false};
    return list_table_init(&p->table, count, error);
}

void vehicle_probes_free(vehicle_probes *p) { table_free(&p->table); }

// ---- Reading the world ----

typedef struct chassis_state {
    scr_vec3 forward, left, up;  // unit: of its frame
    twist motion;
} chassis_state;

static bool look_at_chassis(const scene_vehicle *vehicle, const linkage_view *from, chassis_state *chassis)
{
    scr_body_state state;
    if (scr_body_get_state(from->world, from->bodies->handle[vehicle->chassis], &state, NULL) != SCR_OK) return false;
    scr_quat q = scripted_frame(from->bodies, from->world, vehicle->chassis).rotation;
    chassis->forward = quat_rotate(q, vec3(1.0, 0.0, 0.0));
    chassis->left = quat_rotate(q, vec3(0.0, 1.0, 0.0));
    chassis->up = quat_z(q);
    chassis->motion = (twist){state.velocity, state.spin};
    return true;
}

// N: the mean over its pins of what they carry in the plane of the track.
static double track_tension(const scene_track *track, const linkage_view *from, scr_vec3 across)
{
    double sum = 0.0;
    for (int k = 0; k < track->pin_count; ++k) {
        scr_joint_state pin;
        if (scr_joint_get_state(from->world, from->linkage->joint[track->pin[k]], &pin, NULL) != SCR_OK) continue;
        sum += vec3_norm(vec3_add_scaled(pin.force, -vec3_dot(pin.force, across), across));
    }
    return sum / track->pin_count;
}

// m: the mean depth of the outer faces of the shoes under the road wheels.
static double track_sinkage(const scene_vehicle *vehicle, const scene_track *track, const linkage_view *from)
{
    scr_frame chassis = scripted_frame(from->bodies, from->world, vehicle->chassis);
    double sum = 0.0;
    int count = 0;
    for (int k = 0; k < track->shoe_count; ++k) {
        scr_body_state state;
        if (scr_body_get_state(from->world, from->bodies->handle[track->shoe[k]], &state, NULL) != SCR_OK) continue;
        scr_frame frame = scripted_frame(from->bodies, from->world, track->shoe[k]);
        scr_vec3 inward = quat_z(frame.rotation);
        double x = quat_unrotate(chassis.rotation, vec3_sub(frame.position, chassis.position)).x;
        if (inward.z < 0.0 || x < track->rear || x > track->front) continue;  // of the upper run, or of the ends
        sum += vehicle->ground - (frame.position.z - track->shoe_depth * inward.z);
        ++count;
    }
    return count > 0 ? sum / count : 0.0;
}

static track_sums look_at_track(const scene_vehicle *vehicle, const scene_track *track, const linkage_view *from,
                                const chassis_state *chassis)
{
    track_sums now = {0};
    scr_joint_state sprocket;
    scr_vec3 beside = vec3_scale(track->y, chassis->left);
    now.speed = vec3_dot(point_velocity(chassis->motion, beside), chassis->forward);
    now.tension = track_tension(track, from, chassis->left);
    now.sinkage = track_sinkage(vehicle, track, from);
    if (scr_joint_get_state(from->world, from->linkage->joint[track->sprocket], &sprocket, NULL) != SCR_OK) return now;
    now.rolling = sprocket.about_rate * track->rolling_radius;
    now.torque = sprocket.motor_force;
    now.power = sprocket.motor_power;
    return now;
}

// N: what the scene's loads pull the chassis back with.
static double drawbar_pull(const scene_vehicle *vehicle, const linkage_view *from, scr_vec3 forward)
{
    double pull = 0.0, h = scr_world_time_step(from->world), t = scr_world_time(from->world) - 0.5 * h;
    for (int k = 0; k < from->scene->load_count; ++k) {
        const scene_load *load = &from->scene->loads[k];
        if (load->end.body != vehicle->chassis) continue;
        scr_vec3 force = time_vector_in(&load->force, t, from->phase);
        pull -= load->in_body_axes ? force.x : vec3_dot(force, forward);
    }
    return pull;
}

// ---- Sums ----

static void add_sums(double *sums, const vehicle_sums *now)
{
    double values[VEHICLE_SUMS];
    memcpy(values, now, sizeof values);
    for (int c = 0; c < VEHICLE_SUMS; ++c) sums[c] += values[c];
}

static void record(vehicle_probes *p, int k, const scene_vehicle *vehicle, const linkage_view *from)
{
    vehicle_sums now = {.steps = 1.0};
    chassis_state chassis;
    double h = scr_world_time_step(from->world);
    if (!look_at_chassis(vehicle, from, &chassis)) return;
    now.speed = vec3_dot(chassis.motion.v, chassis.forward);
    now.drawbar = drawbar_pull(vehicle, from, chassis.forward);
    for (int t = 0; t < vehicle->track_count; ++t) {
        now.track[t] = look_at_track(vehicle, &vehicle->track[t], from, &chassis);
        p->work[k] += h * now.track[t].power;
    }
    p->distance[k] += h * now.speed;
    p->now_speed[k] = now.speed;
    add_sums(&p->row[VEHICLE_SUMS * k], &now);
    if (scr_world_time(from->world) < vehicle->from - 0.5 * h) {
        p->all_speed[k] = now.speed;
        p->all_distance[k] = p->distance[k];
        p->all_work[k] = p->work[k];
    } else {
        add_sums(&p->all[VEHICLE_SUMS * k], &now);
    }
}

void vehicle_probes_record(vehicle_probes *p, const linkage_view *from)
{
    int k = 0;
    for (int i = 0; i < from->scene->probe_count && k < p->table.count; ++i)
        if (from->scene->probes[i].vehicle != NULL) record(p, k++, from->scene->probes[i].vehicle, from);
}

void vehicle_probes_begin_row(vehicle_probes *p)
{
    for (int64_t k = 0; k < p->table.count; ++k) {
        p->row_speed[k] = p->now_speed[k];
        for (int c = 0; c < VEHICLE_SUMS; ++c) p->row[VEHICLE_SUMS * k + c] = 0.0;
    }
}

// ---- Figures ----

// Means over the steps of some sums, in which the forward speed went from one value to another.
static scr_mobility figures_of(const double *sums, const scene_vehicle *vehicle, double from_speed, double to_speed,
                               double time_step)
{
    vehicle_sums s;
    memcpy(&s, sums, sizeof s);
    double n = fmax(1.0, s.steps);
    scr_mobility m = {.track_count = vehicle->track_count,
                      .speed = s.speed / n,
                      .drawbar = s.drawbar / n,
                      .duration = s.steps * time_step};
    for (int t = 0; t < vehicle->track_count; ++t) {
        const track_sums *track = &s.track[t];
        m.slip[t] = slip_of(track->rolling / n, track->speed / n);
        m.torque[t] = track->torque / n;
        m.tension[t] = track->tension / n;
        m.sinkage[t] = track->sinkage / n;
        m.track[t] = vehicle->track[t].is_right ? "right" : "left";
        m.power[t] = track->power / n;
        m.thrust += m.torque[t] / vehicle->track[t].rolling_radius;
    }
    double acceleration = s.steps > 0.0 ? (to_speed - from_speed) / m.duration : 0.0;
    m.resistance = m.thrust - m.drawbar - vehicle->mass * acceleration;
    return m;
}

static const scene_probe *probe_of_vehicle(const scene *s, int k)
{
    for (int i = 0;; ++i)
        if (s->probes[i].vehicle != NULL && k-- == 0) return &s->probes[i];
}

scr_mobility vehicle_mobility(const vehicle_probes *p, const scene *s, int k, double time_step)
{
    const scene_probe *probe = probe_of_vehicle(s, k);
    scr_mobility m = figures_of(&p->all[VEHICLE_SUMS * k], probe->vehicle, p->all_speed[k], p->now_speed[k], time_step);
    m.name = probe->name;
    m.distance = p->distance[k] - p->all_distance[k];
    m.energy_per_metre = fabs(m.distance) > NO_DISTANCE ? (p->work[k] - p->all_work[k]) / fabs(m.distance) : 0.0;
    return m;
}

void vehicle_probe_row(const vehicle_probes *p, const scene_probe *probe, const linkage_view *from, int k,
                       double *values)
{
    const scene_vehicle *vehicle = probe->vehicle;
    chassis_state chassis = {.forward = {NAN, NAN, NAN}, .left = {NAN, NAN, NAN}};
    look_at_chassis(vehicle, from, &chassis);
    scr_mobility m = figures_of(&p->row[VEHICLE_SUMS * k], vehicle, p->row_speed[k], p->now_speed[k],
                                scr_world_time_step(from->world));
    const double of_vehicle[VEHICLE_COLUMNS] = {
        p->distance[k],
        m.speed,
        DEGREES * scr_atan2(chassis.forward.z, hypot(chassis.forward.x, chassis.forward.y)),
        DEGREES * scr_atan2(chassis.left.z, hypot(chassis.left.x, chassis.left.y)),
        m.thrust,
        m.drawbar,
        m.resistance,
        p->work[k],
    };
    for (int c = 0; c < VEHICLE_COLUMNS; ++c) *values++ = of_vehicle[c];
    for (int t = 0; t < vehicle->track_count; ++t) {
        *values++ = m.slip[t];
        *values++ = m.torque[t];
        *values++ = m.power[t];
        *values++ = m.tension[t];
        *values++ = m.sinkage[t];
    }
}
