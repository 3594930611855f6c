// SPDX-License-Identifier: BSD-3-Clause
// A tracked vehicle in figures.
#include "vehicle/tracked/tracked.h"

#include <math.h>

#include "core/maths/trig.h"

static const double PI = 3.14159265358979323846;

enum { BISECTIONS = 60 };

// rad: that a link spans on a circle through its pins.
static double span_of(double link, double radius)
{
    double half = 0.5 * link;
    return 2.0 * scr_atan2(half, sqrt(fmax(0.0, radius * radius - half * half)));
}

// There is a tooth between the pins of every shoe: a polygon of shoes, and of the connectors between them.
double sprocket_pin_radius(const tracked_vehicle *v)
{
    const tracked_shoe *shoe = &v->shoe;
    double connector = shoe->kind == SHOE_DOUBLE_PIN ? shoe->connector_pitch : 0.0,
           tooth = 2.0 * PI / v->sprocket.teeth;
    double small = 0.5 * fmax(shoe->pitch, connector), large = (shoe->pitch + connector) / tooth + shoe->pitch;
    for (int k = 0; k < BISECTIONS; ++k) {
        double middle = 0.5 * (small + large);
        bool is_small = span_of(shoe->pitch, middle) + span_of(connector, middle) > tooth;
        *(is_small ? &small : &large) = middle;
    }
    return 0.5 * (small + large);
}

double track_pitch(const tracked_shoe *shoe)
{
    return shoe->kind == SHOE_DOUBLE_PIN ? shoe->pitch + shoe->connector_pitch : shoe->pitch;
}

double sprocket_rolling_radius(const tracked_vehicle *v)
{
    return track_pitch(&v->shoe) * v->sprocket.teeth / (2.0 * PI);
}

double shoe_depth(const tracked_shoe *shoe) { return shoe->pad_depth + shoe->pad_thickness + shoe->grouser_height; }

double shoe_guide(const tracked_shoe *shoe) { return 0.5 * (shoe->horn_height > 0.0 ? shoe->horn_gauge : shoe->width); }

int track_link_count(const tracked_shoe *shoe) { return shoe->kind == SHOE_DOUBLE_PIN ? 2 * shoe->count : shoe->count; }

double track_mass(const tracked_shoe *shoe)
{
    return shoe->count * (shoe->kind == SHOE_DOUBLE_PIN ? shoe->mass + shoe->connector_mass : shoe->mass);
}

double vehicle_mass(const tracked_vehicle *v)
{
    double side = v->sprocket.mass + v->idler.mass + v->tensioner.mass + track_mass(&v->shoe);
    for (int k = 0; k < v->road_wheel_count; ++k)
        side += v->road_wheel[k].mass + (v->road_arm[k].is_there ? v->road_arm[k].mass : 0.0);
    for (int k = 0; k < v->top_roller_count; ++k) side += v->top_roller[k].mass;
    return v->chassis_mass + v->side_count * side;
}

ground_run vehicle_ground_run(const tracked_vehicle *v)
{
    ground_run run = {INFINITY, -INFINITY};
    for (int k = 0; k < v->road_wheel_count; ++k) {
        run.rear = fmin(run.rear, v->road_wheel[k].position.x);
        run.front = fmax(run.front, v->road_wheel[k].position.x);
    }
    return run;
}

enum { SPROCKET, IDLER, FIRST_WHEEL, ROUNDS = 4 };

// rad: by which the path turns round each circle.
static void find_bends(const track_path *path, double bend[TRACK_WHEELS_MAX])
{
    for (int k = 0; k < TRACK_WHEELS_MAX; ++k) bend[k] = 0.0;
    for (int k = 0; k < path->piece_count; ++k) bend[path->piece[k].circle] += path->piece[k].arc;
}

// Pads are flat. Along a straight run the pins' line is as far from a wheel's axis as the pad lets it be. Round a bend
// the pad that lies across it is nearer to the axis than the path: a link of pitch p is inside the tangents' corner by
// p/2 tan(bend/2). Round half a turn each pad touches in the middle.
static double radius_round(const tracked_vehicle *v, const tracked_wheel *wheel, double bend)
{
    double flat = wheel->radius - v->shoe.pad_depth, half = 0.5 * v->shoe.pitch, sine, cosine;
    scr_sincos(fmin(0.5 * bend, scr_atan2(half, flat)), &sine, &cosine);
    return flat * cosine + half * sine;
}

// How the path bends depends on its circles, and they on how it bends.
static scr_status find_circles(const tracked_vehicle *v, const tracked_wheel *const *wheels, int count,
                               track_circle *circles, scr_error *error)
{
    scr_status status = SCR_OK;
    double bend[TRACK_WHEELS_MAX] = {0};
    for (int round = 0; round < ROUNDS && status == SCR_OK; ++round) {
        track_path path;
        for (int k = IDLER; k < count; ++k)
            circles[k] = (track_circle){wheels[k]->position, radius_round(v, wheels[k], bend[k])};
        status = track_path_make(circles, count, &path, error);
        find_bends(&path, bend);
    }
    return status;
}

scr_status tracked_wrap(const tracked_vehicle *v, track_wrap *wrap, scr_error *error)
{
    track_circle circles[TRACK_WHEELS_MAX];
    const tracked_wheel *wheels[TRACK_WHEELS_MAX] = {[IDLER] = &v->idler};
    int count = FIRST_WHEEL;
    circles[SPROCKET] = (track_circle){v->sprocket.position, sprocket_pin_radius(v)};
    for (int k = 0; k < v->road_wheel_count; ++k) wheels[count++] = &v->road_wheel[k];
    for (int k = 0; k < v->top_roller_count; ++k) wheels[count++] = &v->top_roller[k];
    *wrap = (track_wrap){0};
    scr_status status = find_circles(v, wheels, count, circles, error);
    if (status != SCR_OK) return status;
    const double links[2] = {v->shoe.pitch, v->shoe.connector_pitch};
    track_layout layout = {
        .circles = circles,
        .circle_count = count,
        .idler = IDLER,
        .slide = v->tensioner.slide,
        .travel_min = v->tensioner.lower,
        .travel_max = v->tensioner.upper,
        .links = links,
        .links_of_pattern = v->shoe.kind == SHOE_DOUBLE_PIN ? 2 : 1,
        .link_count = track_link_count(&v->shoe),
    };
    return track_wrap_make(&layout, wrap, error);
}

double track_lowest(const tracked_vehicle *v, const track_wrap *wrap)
{
    double lowest = INFINITY;
    for (int k = 0; k < track_link_count(&v->shoe); ++k) lowest = fmin(lowest, wrap->pin[k].z);
    return lowest - shoe_depth(&v->shoe);
}
