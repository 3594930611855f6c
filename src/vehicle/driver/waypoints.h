// SPDX-License-Identifier: BSD-3-Clause
// A path of straight pieces over the ground, from waypoint to waypoint, seen from above.
#ifndef VEHICLE_DRIVER_WAYPOINTS_H
#define VEHICLE_DRIVER_WAYPOINTS_H

typedef struct ground_point {
    double x, y;  // m
} ground_point;

// At least two points, each apart from the one before.
typedef struct waypoints {
    const ground_point *point;
    int count;
} waypoints;

double waypoints_length(const waypoints *path);  // m
// The point so many metres along; beyond the last waypoint straight on.
ground_point waypoints_at(const waypoints *path, double along);
// m along: of the point nearest to p among those from `from` to `to`.
double waypoints_nearest(const waypoints *path, double from, double to, ground_point p);

#endif
