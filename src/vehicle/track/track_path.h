// SPDX-License-Identifier: BSD-3-Clause
// The taut loop of a track round its wheels, seen from the side: x forward, z up.
//
// The line through the pins runs round each wheel at a radius of its own. Pulled tight, it is the hull of those
// circles: arcs, and the outer tangents between them, counter-clockwise, so that the lower run goes forward.
#ifndef VEHICLE_TRACK_TRACK_PATH_H
#define VEHICLE_TRACK_TRACK_PATH_H

#include "scree/base.h"

enum { TRACK_WHEELS_MAX = 64 };

typedef struct track_point {
    double x, z;  // m
} track_point;

typedef struct track_circle {
    track_point centre;
    double radius;  // m, of the pins' line
} track_circle;

// Round a circle, then straight to the next one.
typedef struct track_piece {
    int circle;
    double heading;    // rad: of the path where the arc begins; 0 is forward, a quarter turn is up
    double arc;        // rad: by which the heading turns
    double straight;   // m: after the arc
    double beginning;  // m: of path before it
} track_piece;

typedef struct track_path {
    track_circle circle[TRACK_WHEELS_MAX];
    track_piece piece[2 * TRACK_WHEELS_MAX];
    int piece_count;
    double length;  // m
} track_path;

// count from 2 to TRACK_WHEELS_MAX. Fails if one circle holds all others.
scr_status track_path_make(const track_circle *circles, int count, track_path *path, scr_error *error);
// The point so many metres along the path, which repeats itself; it begins at the lowest point of the lower run.
track_point track_path_at(const track_path *path, double along);
// How far along the first point beyond `from` is that lies `distance` away from it, as the crow flies.
double track_path_step(const track_path *path, double from, double distance);

#endif
