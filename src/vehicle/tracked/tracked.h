// SPDX-License-Identifier: BSD-3-Clause
// A tracked vehicle in figures, as its file gives them (docs/vehicles.md), and its tracks wrapped round their wheels.
//
// The vehicle's frame has x forward, y left, z up; positions of wheels are seen from the side: x and z.
#ifndef VEHICLE_TRACKED_TRACKED_H
#define VEHICLE_TRACKED_TRACKED_H

#include <stdbool.h>

#include "vehicle/track/track_wrap.h"

enum { ROAD_WHEELS_MAX = 24, TOP_ROLLERS_MAX = 24, SIDES_MAX = 2 };

typedef struct tracked_wheel {
    track_point position;  // m
    double radius, width;  // m
    double mass;           // kg
} tracked_wheel;

// A wheel on an arm that turns about a pivot of the chassis against a torsion bar.
typedef struct tracked_arm {
    bool is_there;      // else the wheel turns in the chassis itself
    track_point pivot;  // m
    double mass;        // kg
    double stiffness;   // N m/rad
    double damping;     // N m s/rad
    double preload;     // N m: which presses the wheel down where it is drawn
} tracked_arm;

// How shoes are driven: pins and teeth touch, or a pin on the sprocket is held in its place.
typedef enum sprocket_engagement { ENGAGE_BY_CONTACT, ENGAGE_BY_CONSTRAINT, ENGAGEMENT_COUNT } sprocket_engagement;

typedef struct tracked_sprocket {
    track_point position;  // m
    int teeth;
    double mass;          // kg
    double width, gauge;  // m: of a toothed disc; from the middle of one to that of the other
    double hub_radius;    // m
    sprocket_engagement engagement;
} tracked_sprocket;

typedef struct tracked_tensioner {
    track_point slide;          // unit: the way it pushes
    double lower, upper;        // m: how far the idler may be moved to close the track
    double mass;                // kg, of the carriage
    double force;               // N: with which it pushes where the track closes
    double stiffness, damping;  // N/m, N s/m
} tracked_tensioner;

typedef enum shoe_kind { SHOE_SINGLE_PIN, SHOE_DOUBLE_PIN, SHOE_BAND } shoe_kind;

// Of a shoe's frame the origin is midway between its pins, x points along it, z to the inside of the track.
typedef struct tracked_shoe {
    shoe_kind kind;
    int count;     // a track
    double pitch;  // m, from pin to pin; of a double pin without its connector
    double mass;   // kg
    double width;  // m
    double pad_length, pad_thickness;
    double pad_depth;                                             // m: of the pad's inner face below the pins' line
    double grouser_height, grouser_length;                        // 0: none
    double horn_height, horn_length, horn_thickness, horn_gauge;  // guide horns, either side of the wheels; 0: none
    double pin_radius, pin_length;
    double pin_strength;                     // N: a pin that carries more breaks; 0: never
    double connector_pitch, connector_mass;  // double pins
    double stiffness[2], damping[2];         // bands: N/m, N m/rad; N s/m, N m s/rad
} tracked_shoe;

typedef struct tracked_vehicle {
    double chassis_mass;         // kg
    double chassis_position[3];  // m
    double side_y[SIDES_MAX];    // m: the middle planes of its tracks, left first
    int side_count;              // 1: half a vehicle, kept upright
    tracked_sprocket sprocket;
    tracked_wheel idler;
    tracked_tensioner tensioner;
    tracked_wheel road_wheel[ROAD_WHEELS_MAX];
    tracked_arm road_arm[ROAD_WHEELS_MAX];
    int road_wheel_count;
    tracked_wheel top_roller[TOP_ROLLERS_MAX];
    int top_roller_count;
    tracked_shoe shoe;
} tracked_vehicle;

// m: of the circle through the pins on the sprocket; of the one that rolls as far in a turn as the track goes.
double sprocket_pin_radius(const tracked_vehicle *v);
double sprocket_rolling_radius(const tracked_vehicle *v);
// m: a shoe's outer face below the pins' line, its grouser included.
double shoe_depth(const tracked_shoe *shoe);
// m: a shoe so far from the plane of its track has its guide horns, or half of its width, beside the wheels.
double shoe_guide(const tracked_shoe *shoe);
int track_link_count(const tracked_shoe *shoe);  // shoes, and the connectors between them
double track_pitch(const tracked_shoe *shoe);    // m: from a shoe to the next one
double track_mass(const tracked_shoe *shoe);     // kg, of one track
double vehicle_mass(const tracked_vehicle *v);   // kg
// m: where the last and the first road wheel are. Between them a track lies on the ground.
typedef struct ground_run {
    double rear, front;
} ground_run;
ground_run vehicle_ground_run(const tracked_vehicle *v);
// One track, taut round the wheels of a side, with the idler where it closes.
scr_status tracked_wrap(const tracked_vehicle *v, track_wrap *wrap, scr_error *error);
// m: the lowest point of a track so wrapped, z.
double track_lowest(const tracked_vehicle *v, const track_wrap *wrap);

#endif
