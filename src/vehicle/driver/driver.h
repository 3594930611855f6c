// SPDX-License-Identifier: BSD-3-Clause
// Drivers of tracked vehicles: how fast each track should run, from where the vehicle is and what is asked of it.
//
// Asked are a speed u and a yaw rate r (positive to the left); measured are v and w.
//   u0, r0   go towards u and r, no faster than the acceleration a of the tracks
//   U, R     make up for slip:  dU/dt = g (u0 - v), |U| <= c |u0|;  dR/dt = g (r0 - w), |R| <= c |r0|
//   a track at y, to the left of the chassis' middle, runs at  (u0 + U) - (r0 + R) y
// Without slip that is the motion of a rigid body: U = R = 0. What is asked follows from the kind of driver:
//   straight  r = g (asked heading - heading)
//   turn      r as given, or u0 / radius
//   path      pure pursuit: a point of the path that is `look_ahead` beyond the nearest one, at distance d and at the
//             angle e to the left of the heading, lies on a circle of curvature k = 2 sin(e) / d.  r = u0 k;  u is
//             lowered to r_max / |k|, and to sqrt(a x remaining path). If the point is behind: u = 0 and r = +-r_max.
// r is at most r_max, whatever is asked.
#ifndef VEHICLE_DRIVER_DRIVER_H
#define VEHICLE_DRIVER_DRIVER_H

#include "vehicle/driver/waypoints.h"

typedef enum driver_kind { DRIVER_STRAIGHT, DRIVER_TURN, DRIVER_PATH, DRIVER_KIND_COUNT } driver_kind;

typedef struct driver_def {
    driver_kind kind;
    double gain;          // 1/s: g; 0: by kinematics alone
    double acceleration;  // m/s^2: a, of a track
    double half_gauge;    // m: half of the distance of the tracks; 0: there is one
    double yaw_rate_max;  // rad/s: r_max; infinite for none, of turns
    double heading;       // rad, anticlockwise from x; straight
    double radius;        // m, positive to the left; turn. 0: the yaw rate is asked
    double look_ahead;    // m; path
    waypoints path;
} driver_def;

// What a driver remembers.
typedef struct driver_state {
    double speed, yaw_rate;         // m/s, rad/s: u0, r0
    double speed_added, yaw_added;  // m/s, rad/s: U, R
    double along;                   // m: of the path, behind it
} driver_state;

typedef struct driver_input {
    double asked_speed, asked_yaw_rate;  // m/s, rad/s
    ground_point at;                     // m: the chassis
    double heading;                      // rad, anticlockwise from x
    double speed, yaw_rate;              // m/s forward, rad/s: v, w
} driver_input;

// What the driver remembers after a step of length h (s) that begins like this.
driver_state driver_decide(const driver_def *def, driver_state before, const driver_input *in, double h);
double driver_track_speed(const driver_state *state, double y);  // m/s, of a track at y

#endif
