// SPDX-License-Identifier: BSD-3-Clause
// What goes wrong with the tracks of a vehicle.
#include "scene/probe/vehicle_faults.h"

#include <math.h>

#include "core/maths/quat.h"
#include "core/maths/vec3.h"
#include "dynamics/world/world_state.h"
#include "scene/parts/list_table.h"

static const double STALL_TIME = 0.5;        // s: what stands for less is starting
static const double STALL_SPIN = 0.02;       // of the spin asked for
static const double STALL_SPEED = 1e-3;      // m/s: of a track that is driven with a given torque
static const double TORQUE_AT_LIMIT = 0.99;  // of the motor's limit
static const double TIPPED = 0.5;            // cosine of the angle between the axes of shoe and chassis

static const field_info fields[] = {
    FIELD_WIDE(vehicle_faults, thrown_at, FIELD_F64, TRACKS_MAX, "s"),
    FIELD_WIDE(vehicle_faults, standing, FIELD_F64, TRACKS_MAX, "s"),
    FIELD_WIDE(vehicle_faults, stalled_at, FIELD_F64, TRACKS_MAX, "s"),
    FIELD_WIDE(vehicle_faults, stalled, FIELD_F64, TRACKS_MAX, "s"),
};

scr_status vehicle_faults_init(vehicle_faults *f, int vehicle_count, scr_error *error)
{
    *f = (vehicle_faults){0};
    f->table = (table){"vehicle_faults", fields, sizeof fields / sizeof *fields, f, 0, 0, false};
    return list_table_init(&f->table, vehicle_count, error);
}

void vehicle_faults_free(vehicle_faults *f) { table_free(&f->table); }

static bool is_thrown(const scene_vehicle *vehicle, const scene_track *track, const linkage_view *from)
{
    scr_frame chassis = scripted_frame(from->bodies, from->world, vehicle->chassis);
    scr_vec3 left = quat_rotate(chassis.rotation, vec3(0.0, 1.0, 0.0));
    for (int k = 0; k < track->shoe_count; ++k) {
        if (!scr_body_is_alive(from->world, from->bodies->handle[track->shoe[k]])) continue;
        scr_frame shoe = scripted_frame(from->bodies, from->world, track->shoe[k]);
        double y = vec3_dot(vec3_sub(shoe.position, chassis.position), left);
        bool is_tipped = vec3_dot(quat_rotate(shoe.rotation, vec3(0.0, 1.0, 0.0)), left) < TIPPED;
        if (fabs(y - track->y) > track->guide || is_tipped) return true;
    }
    return false;
}

// Does a motor push as hard as it can, or as hard as it was told, and the sprocket stands?
static bool is_held(const scene_track *track, const linkage_view *from)
{
    const scene_joint *joint = &from->scene->joints[track->sprocket];
    scr_joint handle = from->linkage->joint[track->sprocket];
    scr_joint_state sprocket;
    if (!joint->has_motor || scr_joint_get_state(from->world, handle, &sprocket, NULL) != SCR_OK) return false;
    double asked = world_drive_at(from->world, handle, scr_world_time(from->world)), spin = fabs(sprocket.about_rate);
    if (joint->motor.drive == SCR_DRIVE_FORCE) return asked != 0.0 && spin * track->rolling_radius < STALL_SPEED;
    if (joint->motor.drive != SCR_DRIVE_SPEED || asked == 0.0) return false;
    return spin < STALL_SPIN * fabs(asked) && fabs(sprocket.motor_force) > TORQUE_AT_LIMIT * joint->motor.max_force;
}

static void record_track(vehicle_faults *f, int64_t i, const scene_vehicle *vehicle, const scene_track *track,
                         const linkage_view *from)
{
    double t = scr_world_time(from->world), h = scr_world_time_step(from->world);
    if (f->thrown_at[i] == 0.0 && is_thrown(vehicle, track, from)) f->thrown_at[i] = t;
    f->standing[i] = is_held(track, from) ? f->standing[i] + h : 0.0;
    if (f->standing[i] < STALL_TIME) return;
    bool is_new = f->standing[i] - h < STALL_TIME;
    f->stalled[i] += is_new ? f->standing[i] : h;
    if (f->stalled_at[i] == 0.0) f->stalled_at[i] = t - f->standing[i] + h;
}

void vehicle_faults_record(vehicle_faults *f, int k, const scene_vehicle *vehicle, const linkage_view *from)
{
    if (!scr_body_is_alive(from->world, from->bodies->handle[vehicle->chassis])) return;
    for (int t = 0; t < vehicle->track_count; ++t)
        record_track(f, TRACKS_MAX * k + t, vehicle, &vehicle->track[t], from);
}

track_faults vehicle_track_faults(const vehicle_faults *f, int k, int track)
{
    int64_t i = TRACKS_MAX * k + track;
    return (track_faults){f->thrown_at[i], f->stalled_at[i], f->stalled[i]};
}
