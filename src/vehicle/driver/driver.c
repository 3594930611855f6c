// SPDX-License-Identifier: BSD-3-Clause
// Drivers of tracked vehicles.
#include "vehicle/driver/driver.h"

#include <math.h>

#include "core/maths/trig.h"

static const double ADDED_MAX = 2.0;  // c: a track that slips more than that is not helped by running faster

static double clamped(double value, double most) { return fmin(fmax(value, -most), most); }

// rad, from -pi to pi: from one direction to another.
static double angle_between(double from, double to)
{
    double sine, cosine;
    scr_sincos(to - from, &sine, &cosine);
    return scr_atan2(sine, cosine);
}

typedef struct asked_motion {
    double speed;      // m/s
    double curvature;  // 1/m: yaw rate for each unit of speed
    double yaw_rate;   // rad/s, besides
} asked_motion;

static asked_motion follow(const driver_def *def, driver_state *state, const driver_input *in)
{
    double length = waypoints_length(&def->path);
    state->along = waypoints_nearest(&def->path, state->along, state->along + 2.0 * def->look_ahead, in->at);
    double remaining = fmax(0.0, length - state->along), speed = fmax(0.0, in->asked_speed);
    ground_point aim = waypoints_at(&def->path, state->along + def->look_ahead);
    double dx = aim.x - in->at.x, dy = aim.y - in->at.y, off = angle_between(in->heading, scr_atan2(dy, dx)), sine,
           cosine;
    scr_sincos(off, &sine, &cosine);
    if (cosine < 0.0 && remaining > 0.0)
        return (asked_motion){0.0, 0.0, off < 0.0 ? -def->yaw_rate_max : def->yaw_rate_max};
    double curvature = 2.0 * sine / fmax(sqrt(dx * dx + dy * dy), 0.5 * def->look_ahead);
    speed = fmin(speed, sqrt(def->acceleration * remaining));
    if (fabs(curvature) * speed > def->yaw_rate_max) speed = def->yaw_rate_max / fabs(curvature);
    return (asked_motion){speed, curvature, 0.0};
}

static asked_motion motion_of(const driver_def *def, driver_state *state, const driver_input *in)
{
    switch (def->kind) {
    case DRIVER_STRAIGHT:
        return (asked_motion){in->asked_speed, 0.0, def->gain * angle_between(in->heading, def->heading)};
    case DRIVER_TURN:
        if (def->radius == 0.0) return (asked_motion){in->asked_speed, 0.0, in->asked_yaw_rate};
        return (asked_motion){in->asked_speed, 1.0 / def->radius, 0.0};
    default: return follow(def, state, in);
    }
}

driver_state driver_decide(const driver_def *def, driver_state before, const driver_input *in, double h)
{
    driver_state now = before;
    asked_motion asked = motion_of(def, &now, in);
    double change = def->acceleration * h;
    now.speed += clamped(asked.speed - now.speed, change);
    double yaw_rate = clamped(asked.yaw_rate + asked.curvature * now.speed, def->yaw_rate_max);
    now.yaw_rate += clamped(yaw_rate - now.yaw_rate, change / def->half_gauge);
    now.speed_added =
        clamped(now.speed_added + h * def->gain * (before.speed - in->speed), ADDED_MAX * fabs(now.speed));
    now.yaw_added =
        clamped(now.yaw_added + h * def->gain * (before.yaw_rate - in->yaw_rate), ADDED_MAX * fabs(now.yaw_rate));
    return now;
}

double driver_track_speed(const driver_state *state, double y)
{
    return state->speed + state->speed_added - (state->yaw_rate + state->yaw_added) * y;
}
