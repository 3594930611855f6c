// SPDX-License-Identifier: BSD-3-Clause
// Drivers: what sets the speeds of sprockets as a vehicle goes.
#include <math.h>
#include <stddef.h>

#include "io/scene/scene_sections.h"

_Static_assert(offsetof(scene_driver, name) == 0, "read_named_list needs the name in front");

static const double RADIAN = 0.017453292519943295;  // a degree

static void read_driven_track(scene_reading *reading, json_cursor *at, scene_driven_track *track)
{
    json_cursor name = cursor_member(at, "sprocket");
    track->sprocket = read_name_of(at, "sprocket", &reading->joints);
    track->y = cursor_needed_number(at, "y", RANGE_COORDINATE);
    track->rolling_radius = cursor_needed_number(at, "rolling_radius", RANGE_LENGTH);
    if (cursor_is_ok(at)) {
        const scene_joint *joint = &reading->scene->joints[track->sprocket];
        bool holds_spin =
            joint->has_motor && joint->motor.drive == SCR_DRIVE_SPEED && joint->def.kind == SCR_JOINT_REVOLUTE;
        if (!holds_spin) cursor_fail(&name, "a driver needs a revolute joint whose motor has a \"spin\"");
    }
    cursor_close(at);
}

static void read_tracks(scene_reading *reading, json_cursor *at, scene_driver *driver)
{
    json_cursor tracks = cursor_list(at, "tracks");
    if (cursor_is_ok(at) && (tracks.count < 1 || tracks.count > TRACKS_MAX))
        cursor_fail(&tracks, "\"tracks\" must have one or two entries");
    for (size_t k = 0; cursor_is_ok(at) && k < tracks.count; ++k) {
        json_cursor entry = cursor_object_entry(&tracks, k);
        driver->track_count = (int)k + 1;
        read_driven_track(reading, &entry, &driver->track[k]);
    }
    if (cursor_is_ok(at) && driver->track_count == TRACKS_MAX)
        driver->def.half_gauge = 0.5 * fabs(driver->track[0].y - driver->track[1].y);
    if (cursor_is_ok(at) && driver->def.kind != DRIVER_STRAIGHT && !(driver->def.half_gauge > 0.0)) {
        json_cursor kind = cursor_member(at, "kind");
        cursor_fail(&kind, "with one track a vehicle goes straight only");
    }
}

static void read_turn(json_cursor *at, scene_driver *driver)
{
    static const char *const keys[] = {"yaw_rate", "radius"};
    const char *given = read_only_key(at, keys, 2, "driver");
    if (given == NULL) cursor_fail_missing(at, keys[0], "a number or a function of time; or \"radius\"");
    if (given == keys[0]) driver->yaw_rate = read_time_function(at, keys[0]);
    if (given != keys[1]) return;
    driver->def.radius = cursor_needed_number(at, keys[1], RANGE_COORDINATE);
    if (!cursor_is_ok(at) || driver->def.radius != 0.0) return;
    json_cursor radius = cursor_member(at, keys[1]);
    cursor_fail(&radius, "\"radius\" must not be 0: a vehicle that turns on the spot has \"yaw_rate\" and speed 0");
}

static void read_path(json_cursor *at, scene_driver *driver)
{
    json_cursor list = cursor_list(at, "waypoints");
    if (cursor_is_ok(at) && list.count < 2) cursor_fail(&list, "\"waypoints\" must have at least two entries");
    driver->waypoint = cursor_new_array(&list, list.count, sizeof *driver->waypoint, "waypoints");
    for (size_t k = 0; cursor_is_ok(at) && k < list.count; ++k) {
        json_cursor entry = cursor_entry(&list, k);
        ground_point *p = &driver->waypoint[k];
        cursor_expect_list(&entry, 2, "numbers, x and y in m");
        json_cursor x = cursor_entry(&entry, 0), y = cursor_entry(&entry, 1);
        *p = (ground_point){cursor_value_number(&x, RANGE_COORDINATE), cursor_value_number(&y, RANGE_COORDINATE)};
        if (cursor_is_ok(at) && k > 0 && p->x == p[-1].x && p->y == p[-1].y)
            cursor_fail(&entry, "a waypoint must be apart from the one before it");
    }
    driver->def.path = (waypoints){driver->waypoint, (int)list.count};
    driver->def.look_ahead = cursor_number(at, "look_ahead", 2.0 * driver->def.half_gauge, RANGE_LENGTH);
}

static void read_driver(scene_reading *reading, json_cursor *at, void *entry)
{
    static const char *const kinds[DRIVER_KIND_COUNT] = {
        [DRIVER_STRAIGHT] = "straight", [DRIVER_TURN] = "turn", [DRIVER_PATH] = "path"};
    scene_driver *driver = entry;
    driver_def *def = &driver->def;
    driver->location = cursor_location(at);
    def->kind = (driver_kind)cursor_choice(at, "kind", kinds, DRIVER_KIND_COUNT, -1);
    driver->body = read_name_of(at, "body", &reading->bodies);
    read_tracks(reading, at, driver);
    driver->speed = read_time_function(at, "speed");
    def->acceleration = cursor_number(at, "acceleration", 1.0, RANGE_POSITIVE);
    def->gain = cursor_number(at, "gain", 2.0, RANGE_NOT_NEGATIVE);
    def->yaw_rate_max = INFINITY;
    if (def->kind != DRIVER_TURN) def->yaw_rate_max = cursor_number(at, "max_yaw_rate", 1.0, RANGE_POSITIVE);
    if (def->kind == DRIVER_STRAIGHT) def->heading = RADIAN * cursor_number(at, "heading_degrees", 0.0, RANGE_ANY);
    if (def->kind == DRIVER_TURN) read_turn(at, driver);
    if (def->kind == DRIVER_PATH) read_path(at, driver);
    cursor_close(at);
}

void read_drivers(scene_reading *reading, json_cursor *root)
{
    static const named_list drivers = {"drivers", "driver", false, sizeof(scene_driver), read_driver};
    reading->scene->drivers = read_named_list(reading, root, &drivers, &reading->scene->driver_count);
}
