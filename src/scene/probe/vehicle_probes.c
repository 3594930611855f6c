// SPDX-License-Identifier: BSD-3-Clause
// What an engineer reads off a tracked vehicle.
#include "scene/probe/vehicle_probes.h"

#include <math.h>
#include <string.h>

#include "core/maths/quat.h"
#include "core/maths/trig.h"
#include "dynamics/world/world_state.h"
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
    FIELD(vehicle_probes, row_distance, FIELD_F64, "m"),
    FIELD(vehicle_probes, row_work, FIELD_F64, "J"),
};

#define OF_VEHICLE                                                                                                     \
    {"distance", "m"}, {"speed", "m/s"}, {"pitch", "degrees"}, {"roll", "degrees"}, {"thrust", "N"}, {"drawbar", "N"}, \
        {"resistance", "N"}, {"work", "J"},                                                                            \
    {                                                                                                                  \
        "energy_per_metre", "J/m"                                                                                      \
    }
#define OF_TRACK(side)                                                                                                 \
    {side "_slip", ""}, {side "_torque", "N m"}, {side "_power", "W"}, {side "_tension", "N"},                         \
        {side "_pin_force", "N"}, {side "_wheel_force", "N"},                                                          \
    {                                                                                                                  \
        side "_sinkage", "m"                                                                                           \
    }
enum { VEHICLE_COLUMNS = 9, TRACK_COLUMNS = 7 };
_Static_assert((int)VEHICLE_PROBE_WIDTH > VEHICLE_COLUMNS + TRACKS_MAX * TRACK_COLUMNS, "and one to end them");

static const column_kind two_tracks[VEHICLE_PROBE_WIDTH] = {OF_VEHICLE, OF_TRACK("left"), OF_TRACK("right")},
                         left_track[VEHICLE_PROBE_WIDTH] = {OF_VEHICLE, OF_TRACK("left")},
                         right_track[VEHICLE_PROBE_WIDTH] = {OF_VEHICLE, OF_TRACK("right")};

const column_kind *vehicle_probe_columns(const scene_vehicle *vehicle)
{
    if (vehicle->track_count == TRACKS_MAX) return two_tracks;
    return vehicle->track[0].is_right ? right_track : left_track;
}

static int count_vehicles(const scene *s)
{
    int count = 0;
    for (int k = 0; k < s->probe_count; ++k) count += s->probes[k].vehicle != NULL;
    return count;
}

scr_status vehicle_probes_init(vehicle_probes *p, const scene *s, scr_error *error)
{
    int count = count_vehicles(s);
    *p = (vehicle_probes){0};
    p->table = (table){"vehicles", fields, sizeof fields / sizeof *fields, p, 0, 0, false};
    scr_status status = list_table_init(&p->table, count, error);
    return status == SCR_OK ? vehicle_faults_init(&p->faults, count, error) : status;
}

void vehicle_probes_free(vehicle_probes *p)
{
    table_free(&p->table);
    vehicle_faults_free(&p->faults);
}

scr_status vehicle_probes_after_load(const vehicle_probes *p, const scene *s, scr_error *error)
{
    int count = count_vehicles(s);
    scr_status status = list_table_check(&p->table, count, error);
    return status == SCR_OK ? list_table_check(&p->faults.table, count, error) : status;
}

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

// N: what its pins carry in the plane of the track, in the mean and at most.
static void look_at_pins(const scene_track *track, const linkage_view *from, scr_vec3 across, track_sums *now)
{
    double sum = 0.0;
    for (int k = 0; k < track->pin_count; ++k) {
        scr_vec3 pin;
        if (!world_joint_force(from->world, from->linkage->joint[track->pin[k]], &pin)) continue;
        double force = vec3_norm(vec3_add_scaled(pin, -vec3_dot(pin, across), across));
        sum += force;
        now->pin_force = fmax(now->pin_force, force);
    }
    now->tension = sum / track->pin_count;
}

// N: with which chassis and arms press its road wheels down, in all.
static double road_wheel_force(const scene_track *track, const linkage_view *from, scr_vec3 up)
{
    double sum = 0.0;
    for (int k = 0; k < track->road_wheel_count; ++k) {
        scr_vec3 axle;
        if (world_joint_force(from->world, from->linkage->joint[track->road_wheel[k]], &axle))
            sum -= vec3_dot(axle, up);
    }
    return sum;
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
    look_at_pins(track, from, chassis->left, &now);
    now.wheel_force = road_wheel_force(track, from, chassis->up);
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
    vehicle_faults_record(&p->faults, k, vehicle, from);
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
        p->row_distance[k] = p->distance[k];
        p->row_work[k] = p->work[k];
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
        m.pin_force[t] = track->pin_force / n;
        m.wheel_force[t] = track->wheel_force / n;
        m.sinkage[t] = track->sinkage / n;
        m.track[t] = vehicle->track[t].is_right ? "right" : "left";
        m.power[t] = track->power / n;
        m.thrust += m.torque[t] / vehicle->track[t].rolling_radius;
    }
    double acceleration = s.steps > 0.0 ? (to_speed - from_speed) / m.duration : 0.0;
    m.resistance = m.thrust - m.drawbar - vehicle->mass * acceleration;
    return m;
}

// J/m; 0 for what stands.
static double energy_per_metre(double work, double distance)
{
    return fabs(distance) > NO_DISTANCE ? work / fabs(distance) : 0.0;
}

const scene_probe *probe_of_vehicle(const scene *s, int k)
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
    m.energy_per_metre = energy_per_metre(p->work[k] - p->all_work[k], m.distance);
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
        energy_per_metre(p->work[k] - p->row_work[k], p->distance[k] - p->row_distance[k]),
    };
    for (int c = 0; c < VEHICLE_COLUMNS; ++c) *values++ = of_vehicle[c];
    for (int t = 0; t < vehicle->track_count; ++t) {
        *values++ = m.slip[t];
        *values++ = m.torque[t];
        *values++ = m.power[t];
        *values++ = m.tension[t];
        *values++ = m.pin_force[t];
        *values++ = m.wheel_force[t];
        *values++ = m.sinkage[t];
    }
}
