// SPDX-License-Identifier: BSD-3-Clause
// Angle of repose: a tube full of grains stands on the ground, the plane z = 0, and is lifted off. What flows out of it
// leaves a heap.
//
//      | |. . .| | ^ speed
//      | |. . .| | |
//      |_|. . .|_|                 .
//        . . . .                 . . .
//  ______._._._._______  ___.__._._._._._.___
#include <math.h>

#include "core/maths/trig.h"
#include "core/maths/vec3.h"
#include "io/rig/rig_parts.h"

enum { STAVES = 36 };            // boxes that the tube is made of: it is wider by up to 0.4 % between them
static const double WALL = 0.1;  // of the tube's radius
static const double REST = 0.1;  // s over which the heap is measured
static const double PI = 0x1.921fb54442d18p1;

static json_t *tube_shapes(double radius, double height)
{
    double wall = WALL * radius, sine, cosine;
    scr_sincos(PI / STAVES, &sine, &cosine);
    scr_vec3 size = vec3(wall, 2.0 * (radius + wall) * sine / cosine, height);
    json_t *shapes = json_array();
    for (int s = 0; s < STAVES; ++s)
        json_array_append_new(shapes, radial_box(size, radius + 0.5 * wall, 0.5 * height, 2.0 * PI * s / STAVES));
    return shapes;
}

// The ground may be of a material of its own: rough, where the tube is smooth.
static void add_ground(rig_site *site)
{
    const char *own = site->material;
    if (cursor_has(site->at, "ground")) site->material = read_rig_material(site->at, "ground");
    else cursor_member(site->at, "ground");
    json_t *plane = json_array();
    json_array_append_new(plane, json_pack("{s:{}}", "plane"));
    add_rig_body(site, (rig_body){.part = "ground", .kind = "fixed", .shapes = plane});
    site->material = own;
}

static json_t *rise(const rig_site *site, double speed)
{
    json_t *z = json_pack("{s:{s:o, s:f}}", "phases", "start",
                          json_sprintf("%.17g*min(1, t/%.17g)", speed, site->keys.ramp), "lift", speed);
    return vector_of(NULL, NULL, z);
}

void build_repose(rig_site *site)
{
    double radius = cursor_needed_number(site->at, "radius", RANGE_LENGTH);
    double height = cursor_needed_number(site->at, "height", RANGE_LENGTH);
    double speed = cursor_needed_number(site->at, "speed", RANGE_POSITIVE);
    double inside = sqrt(2.0) * radius;  // of the square in the circle
    add_soil(site, inside, inside, 0.0, height);
    double lift = cursor_number(site->at, "lift", site->top, RANGE_LENGTH);
    add_ground(site);
    if (!cursor_is_ok(site->at)) return;
    add_rig_body(site, (rig_body){.part = "tube",
                                  .kind = "kinematic",
                                  .position = vec3(0.0, 0.0, 0.0),
                                  .shapes = tube_shapes(radius, site->top),
                                  .velocity = rise(site, speed)});
    add_settling(site);
    add_phase(site, "start", until_time(site->keys.ramp), INFINITY);
    add_phase(site, "lift", until_time(lift / speed), INFINITY);
    add_rest(site, "rest");
    add_phase(site, "measure", until_time(REST), INFINITY);
    rig_def def = {.kind = RIG_REPOSE, .duration = REST, .radius = radius};
    add_rig_probe(site, &def, "tube", "tube", "start", "start");
}
