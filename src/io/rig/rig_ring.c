// SPDX-License-Identifier: BSD-3-Clause
// Bevameter ring: an annular plate, with grousers or without, is pressed on the soil of a bin with a dead load and
// turned about its axis at a speed. A hub slides along z under the load; in it the ring turns. The floor of the bin is
// z = 0.
//
//            load
//             |  w
//        |  __|__  |         seen from below: a ring of boxes
//        | |_| |_| |         between the inner and the outer radius
//        | . . . . |
//   z=0  |_________|
#include <math.h>

#include "core/maths/trig.h"
#include "core/maths/vec3.h"
#include "io/rig/rig_parts.h"

enum { SEGMENTS = 36 };                // boxes that the ring is made of: corners stand out by 0.4 % of the radius
static const double WALL = 0.1;        // of the bin's width
static const double HUB = 0.2;         // of the outer radius
static const double RING_MASS = 0.01;  // kg/N: of ring and hub each
static const double PI = 0x1.921fb54442d18p1;
static const scr_vec3 UPWARDS = {0.0, 0.0, 1.0};

typedef struct ring_keys {
    double bin[3];
    double inner, outer, thickness, mass;  // m, m, m, kg
    double grousers, grouser_height, grouser_thickness;
    double load, speed, travel;  // N; m/s and m at the effective radius
} ring_keys;

// Where all of a uniform shear stress would have the same torque: 2/3 (Ro^3 - Ri^3) / (Ro^2 - Ri^2).
static double effective_radius(const ring_keys *k)
{
    double a = k->inner, b = k->outer;
    return 2.0 / 3.0 * (a * a + a * b + b * b) / (a + b);
}

static double ring_area(const ring_keys *k) { return PI * (k->outer * k->outer - k->inner * k->inner); }

static void read_ring_grousers(json_cursor *ring, ring_keys *k)
{
    static const number_range counts = {1.0, 360.0, false, false};
    if (!cursor_has(ring, "grousers")) {
        cursor_member(ring, "grousers");
        return;
    }
    json_cursor at = cursor_object(ring, "grousers");
    k->grousers = floor(cursor_needed_number(&at, "count", counts));
    k->grouser_height = cursor_needed_number(&at, "height", RANGE_LENGTH);
    k->grouser_thickness = cursor_needed_number(&at, "thickness", RANGE_LENGTH);
    cursor_close(&at);
}

static void read_ring(json_cursor *rig, ring_keys *k)
{
    if (!cursor_has(rig, "ring")) cursor_fail_missing(rig, "ring", "an object with inner and outer radius");
    json_cursor at = cursor_object(rig, "ring");
    k->inner = cursor_needed_number(&at, "inner", RANGE_LENGTH);
    k->outer = cursor_needed_number(&at, "outer", RANGE_LENGTH);
    k->thickness = cursor_number(&at, "thickness", 0.01, RANGE_LENGTH);
    k->mass = cursor_number(&at, "mass", 0.0, RANGE_NOT_NEGATIVE);
    if (cursor_is_ok(rig) && !(k->inner < k->outer)) {
        json_cursor inner = cursor_member(&at, "inner");
        cursor_fail(&inner, "\"inner\" must be less than \"outer\", which is %g m", k->outer);
    }
    read_ring_grousers(&at, k);
    cursor_close(&at);
}

static ring_keys read_ring_keys(json_cursor *at)
{
    ring_keys k = {.bin = {1.0, 1.0, 1.0}};
    read_lengths_of(at, "bin", k.bin, 3);
    read_ring(at, &k);
    k.load = cursor_needed_number(at, "load", RANGE_POSITIVE);
    k.speed = cursor_needed_number(at, "speed", RANGE_POSITIVE);
    k.travel = cursor_needed_number(at, "travel", RANGE_LENGTH);
    if (cursor_is_ok(at) && !(2.0 * k.outer < fmin(k.bin[0], k.bin[1]))) {
        json_cursor ring = cursor_member(at, "ring");
        cursor_fail(&ring, "a ring of radius %g m does not fit into a bin of %g x %g m", k.outer, k.bin[0], k.bin[1]);
    }
    return k;
}

// Its frame is in the middle of its underside, without grousers.
static json_t *ring_shapes(const ring_keys *k)
{
    double width = k->outer - k->inner, middle = 0.5 * (k->outer + k->inner), sine, cosine;
    scr_sincos(PI / SEGMENTS, &sine, &cosine);
    json_t *shapes = json_array();
    for (int s = 0; s < SEGMENTS; ++s)
        json_array_append_new(shapes, radial_box(vec3(width, 2.0 * k->outer * sine / cosine, k->thickness), middle,
                                                 0.5 * k->thickness, 2.0 * PI * s / SEGMENTS));
    // A grouser reaches as far into the plate as it stands out of it, so that no gap is left behind it.
    double into = fmin(k->grouser_height, k->thickness), height = k->grouser_height + into;
    for (int g = 0; g < (int)k->grousers; ++g)
        json_array_append_new(shapes, radial_box(vec3(width, k->grouser_thickness, height), middle, into - 0.5 * height,
                                                 2.0 * PI * g / k->grousers));
    return shapes;
}

static void add_ring(rig_site *site, const ring_keys *k, scr_vec3 at)
{
    double mass = k->mass > 0.0 ? k->mass : RING_MASS * k->load, hub = HUB * k->outer;
    json_t *box = json_array();
    json_array_append_new(box, box_shape(vec3(hub, hub, hub), vec3(0.0, 0.0, 0.0)));
    add_rig_body(
        site,
        (rig_body){.part = "hub", .kind = "dynamic", .position = at, .shapes = box, .mass = mass, .is_ghost = true});
    add_counterweight(site, "hub", mass);
    add_load_guide(site, "", "hub", at, k->load);
    add_rig_body(site, (rig_body){.part = "ring",
                                  .kind = "dynamic",
                                  .position = at,
                                  .shapes = ring_shapes(k),
                                  .mass = mass,
                                  .is_tool = true});
    add_counterweight(site, "ring", mass);
    json_t *motor = json_pack("{s:o}", "spin", ramped(site, k->speed / effective_radius(k)));
    add_rig_joint(site, "revolute", "axle", "hub", "ring", at, UPWARDS, motor);
}

void build_bevameter_ring(rig_site *site)
{
    ring_keys k = read_ring_keys(site->at);
    add_soil(site, k.bin[0], k.bin[1], 0.0, k.bin[2]);
    if (!cursor_is_ok(site->at)) return;
    scr_vec3 at = vec3(0.0, 0.0, site->top + k.grouser_height);
    add_bin(site, k.bin[0], k.bin[1], WALL * k.bin[1]);
    add_ring(site, &k, at);
    add_settling(site);
    add_approach(site, "ring", k.grouser_height, 2.0 * k.outer, 2.0 * k.outer);
    add_loading(site, "ring", k.load);
    rig_def def = {.kind = RIG_BEVAMETER_RING,
                   .duration = k.travel / k.speed,
                   .load = k.load,
                   .area = ring_area(&k),
                   .radius = effective_radius(&k)};
    add_phase(site, "start", until_time(site->keys.ramp), INFINITY);
    add_phase(site, "measure", until_time(def.duration), INFINITY);
    add_rig_probe(site, &def, "ring", "ring", "start", "load");
}
