// SPDX-License-Identifier: BSD-3-Clause
// The wheels of a vehicle file.
#include <math.h>

#include "io/vehicle/vehicle_reading.h"

const char *const ENGAGEMENT_WORDS[ENGAGEMENT_COUNT] = {
    [ENGAGE_BY_CONTACT] = "contact", [ENGAGE_BY_CONSTRAINT] = "constraint"};

static const number_range TEETH = {5.0, 200.0, false, false};

// A list of two numbers, x and z.
static track_point read_point(json_cursor *at, const char *key)
{
    json_cursor member = cursor_member(at, key);
    track_point point = {0.0, 0.0};
    if (!cursor_is_ok(at)) return point;
    if (member.value == NULL) {
        cursor_fail_missing(at, key, "two numbers, x and z in m");
        return point;
    }
    cursor_expect_list(&member, 2, "numbers, x and z");
    if (!cursor_is_ok(at)) return point;
    json_cursor x = cursor_entry(&member, 0), z = cursor_entry(&member, 1);
    point.x = cursor_value_number(&x, RANGE_COORDINATE);
    point.z = cursor_value_number(&z, RANGE_COORDINATE);
    return point;
}

static void read_sprocket(json_cursor *root, vehicle_file *file)
{
    json_cursor at = cursor_object(root, "sprocket");
    tracked_sprocket *sprocket = &file->tracked.sprocket;
    sprocket->position = read_point(&at, "position");
    sprocket->teeth = (int)cursor_needed_whole(&at, "teeth", TEETH);
    sprocket->mass = cursor_needed_number(&at, "mass", RANGE_POSITIVE);
    sprocket->width = cursor_needed_number(&at, "width", RANGE_LENGTH);
    sprocket->gauge = cursor_needed_number(&at, "gauge", RANGE_LENGTH);
    sprocket->hub_radius = cursor_needed_number(&at, "hub_radius", RANGE_LENGTH);
    sprocket->engagement =
        (sprocket_engagement)cursor_choice(&at, "engagement", ENGAGEMENT_WORDS, ENGAGEMENT_COUNT, ENGAGE_BY_CONTACT);
    file->sprocket = read_part_look(&at, file);
    cursor_close(&at);
}

static tracked_wheel read_wheel(json_cursor *at, const tracked_shoe *shoe)
{
    tracked_wheel wheel = {.position = read_point(at, "position")};
    wheel.radius = cursor_needed_number(at, "radius", RANGE_LENGTH);
    wheel.width = cursor_needed_number(at, "width", RANGE_LENGTH);
    wheel.mass = cursor_needed_number(at, "mass", RANGE_POSITIVE);
    if (cursor_is_ok(at) && !(wheel.radius > shoe->pad_depth)) {
        json_cursor radius = cursor_member(at, "radius");
        cursor_fail(&radius, "a wheel must be larger than the pads are deep: %g m is not above %g m", wheel.radius,
                    shoe->pad_depth);
    }
    return wheel;
}

static void read_tensioner(json_cursor *idler, tracked_tensioner *tensioner)
{
    json_cursor at = cursor_object(idler, "tensioner");
    track_point way = read_point(&at, "direction");
    double length = hypot(way.x, way.z);
    if (cursor_is_ok(&at) && !(length > 0.0)) {
        json_cursor member = cursor_member(&at, "direction");
        cursor_fail(&member, "\"direction\" has no length");
    }
    tensioner->slide = (track_point){way.x / length, way.z / length};
    tensioner->lower = cursor_needed_number(&at, "lower", RANGE_COORDINATE);
    tensioner->upper = cursor_needed_number(&at, "upper", RANGE_COORDINATE);
    tensioner->mass = cursor_needed_number(&at, "mass", RANGE_POSITIVE);
    tensioner->force = cursor_needed_number(&at, "force", RANGE_NOT_NEGATIVE);
    tensioner->stiffness = cursor_number(&at, "stiffness", 0.0, RANGE_NOT_NEGATIVE);
    tensioner->damping = cursor_number(&at, "damping", 0.0, RANGE_NOT_NEGATIVE);
    if (cursor_is_ok(&at) && !(tensioner->lower < tensioner->upper)) {
        json_cursor upper = cursor_member(&at, "upper");
        cursor_fail(&upper, "\"upper\" must be above \"lower\": %g is not above %g", tensioner->upper,
                    tensioner->lower);
    }
    cursor_close(&at);
}

static void read_idler(json_cursor *root, vehicle_file *file)
{
    json_cursor at = cursor_object(root, "idler");
    file->tracked.idler = read_wheel(&at, &file->tracked.shoe);
    read_tensioner(&at, &file->tracked.tensioner);
    file->idler = read_part_look(&at, file);
    cursor_close(&at);
}

static tracked_arm read_arm(json_cursor *wheel)
{
    tracked_arm arm = {0};
    if (!cursor_has(wheel, "arm")) return arm;
    json_cursor at = cursor_object(wheel, "arm");
    arm.is_there = true;
    arm.pivot = read_point(&at, "pivot");
    arm.mass = cursor_needed_number(&at, "mass", RANGE_POSITIVE);
    arm.stiffness = cursor_needed_number(&at, "stiffness", RANGE_NOT_NEGATIVE);
    arm.damping = cursor_number(&at, "damping", 0.0, RANGE_NOT_NEGATIVE);
    arm.preload = cursor_number(&at, "preload", 0.0, RANGE_ANY);
    cursor_close(&at);
    return arm;
}

// A list of wheels under a key, and what each looks like; arms (NULL: these have none).
static int read_wheel_list(json_cursor *root, const char *key, int most, vehicle_file *file, tracked_wheel *wheels,
                           tracked_arm *arms, part_look *looks)
{
    json_cursor list = cursor_list(root, key);
    if (cursor_is_ok(root) && list.count > (size_t)most)
        cursor_fail(&list, "\"%s\" has more than %d entries", key, most);
    for (size_t k = 0; cursor_is_ok(root) && k < list.count; ++k) {
        json_cursor at = cursor_object_entry(&list, k);
        wheels[k] = read_wheel(&at, &file->tracked.shoe);
        if (arms != NULL) arms[k] = read_arm(&at);
        looks[k] = read_part_look(&at, file);
        cursor_close(&at);
    }
    return (int)list.count;
}

void read_wheels(json_cursor *root, vehicle_file *file)
{
    tracked_vehicle *v = &file->tracked;
    read_sprocket(root, file);
    read_idler(root, file);
    v->road_wheel_count =
        read_wheel_list(root, "road_wheels", ROAD_WHEELS_MAX, file, v->road_wheel, v->road_arm, file->road_wheel);
    if (cursor_is_ok(root) && v->road_wheel_count == 0) cursor_fail_missing(root, "road_wheels", "a list of wheels");
    v->top_roller_count =
        read_wheel_list(root, "top_rollers", TOP_ROLLERS_MAX, file, v->top_roller, NULL, file->top_roller);
}
