// SPDX-License-Identifier: BSD-3-Clause
// Pressure and sinkage: a plate, or a cone on a shaft, is driven down into a bin at a speed. The bin's floor is z = 0.
//
//          |  speed
//      |   v       |            |
//      | =====     |         |  |  |  shaft
//      |. . . . . .|          \ v /
//      |. . . . . .|           \ /    cone
#include <math.h>

#include "core/maths/trig.h"
#include "core/maths/vec3.h"
#include "io/rig/rig_parts.h"

static const double WALL = 0.1;  // of the bin's width
static const double HALF_DEGREE = 0.008726646259971648;

typedef struct plate_keys {
    double bin[3];        // m
    double speed, depth;  // m/s, m
    double touch;         // Pa: from which on the tool has touched the ground
} plate_keys;

static plate_keys read_plate_keys(json_cursor *at)
{
    plate_keys k = {.bin = {1.0, 1.0, 1.0}};
    read_lengths_of(at, "bin", k.bin, 3);
    k.speed = cursor_needed_number(at, "speed", RANGE_POSITIVE);
    k.depth = cursor_needed_number(at, "depth", RANGE_LENGTH);
    k.touch = cursor_number(at, "touch_pressure", 100.0, RANGE_POSITIVE);
    return k;
}

// A tool whose underside is `below` its frame.
static void build_pressed(rig_site *site, const plate_keys *k, rig_def def, const char *tool, json_t *shapes,
                          double below, const double footprint[2])
{
    add_bin(site, k->bin[0], k->bin[1], WALL * k->bin[1]);
    add_rig_body(site, (rig_body){.part = tool,
                                  .kind = "kinematic",
                                  .position = vec3(0.0, 0.0, site->top + below),
                                  .shapes = shapes,
                                  .velocity = descent(site, k->speed),
                                  .is_tool = true});
    add_settling(site);
    add_approach(site, tool, below, footprint[0], footprint[1]);
    add_phase(site, "touchdown", until_force(tool, k->touch * def.area), INFINITY);
    def.duration = k->depth / k->speed;
    add_phase(site, "measure", until_time(def.duration), INFINITY);
    add_rig_probe(site, &def, tool, tool, "measure", "measure");
}

static void expect_inside(json_cursor *at, const char *key, const double size[2], const double bin[3])
{
    if (!cursor_is_ok(at) || (size[0] < bin[0] && size[1] < bin[1])) return;
    json_cursor member = cursor_member(at, key);
    cursor_fail(&member, "%g x %g m do not fit into a bin of %g x %g m", size[0], size[1], bin[0], bin[1]);
}

void build_pressure_sinkage(rig_site *site)
{
    plate_keys k = read_plate_keys(site->at);
    double size[2] = {1.0, 1.0};
    read_lengths_of(site->at, "plate", size, 2);
    double thickness = cursor_number(site->at, "thickness", 0.01, RANGE_LENGTH);
    expect_inside(site->at, "plate", size, k.bin);
    add_soil(site, k.bin[0], k.bin[1], 0.0, k.bin[2]);
    if (!cursor_is_ok(site->at)) return;
    json_t *shapes = json_array();
    json_array_append_new(shapes, box_shape(vec3(size[0], size[1], thickness), vec3(0.0, 0.0, 0.0)));
    rig_def def = {.kind = RIG_PRESSURE_SINKAGE, .area = size[0] * size[1], .radius = fmin(size[0], size[1])};
    build_pressed(site, &k, def, "plate", shapes, 0.5 * thickness, size);
}

// Its tip is at the frame; z upwards.
static json_t *cone_shapes(double radius, double length, double shaft, double shaft_length)
{
    json_t *shapes = json_array();
    json_array_append_new(shapes, json_pack("{s:{s:f, s:f}, s:o, s:{s:[i,i,i], s:i}}", "cone", "radius", radius,
                                            "length", length, "position", vector_json(vec3(0.0, 0.0, 0.5 * length)),
                                            "rotation", "axis", 1, 0, 0, "angle_degrees", 180));
    json_array_append_new(shapes, json_pack("{s:{s:f, s:f}, s:o}", "cylinder", "radius", shaft, "length", shaft_length,
                                            "position", vector_json(vec3(0.0, 0.0, length + 0.5 * shaft_length))));
    return shapes;
}

void build_cone(rig_site *site)
{
    static const number_range angles = {1.0, 170.0, false, false}, share = {0.05, 1.0, false, false};
    plate_keys k = read_plate_keys(site->at);
    double diameter = cursor_needed_number(site->at, "diameter", RANGE_LENGTH);
    double angle = cursor_number(site->at, "angle", 30.0, angles), sine, cosine;
    double shaft = 0.5 * diameter * cursor_number(site->at, "shaft", 0.8, share);
    double size[2] = {diameter, diameter};
    expect_inside(site->at, "diameter", size, k.bin);
    add_soil(site, k.bin[0], k.bin[1], 0.0, k.bin[2]);
    if (!cursor_is_ok(site->at)) return;
    scr_sincos(angle * HALF_DEGREE, &sine, &cosine);
    rig_def def = {.kind = RIG_CONE, .area = 0.25 * 3.141592653589793 * diameter * diameter};
    json_t *shapes = cone_shapes(0.5 * diameter, 0.5 * diameter * cosine / sine, shaft, k.bin[2]);
    build_pressed(site, &k, def, "cone", shapes, 0.0, size);
}
