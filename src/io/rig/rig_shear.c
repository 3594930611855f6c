// SPDX-License-Identifier: BSD-3-Clause
// Direct shear. The lower half of a box stands; the upper half is driven along x, and carries a lid that presses the
// grains with the normal stress. The plane between the halves is z = 0.
//
//            load
//        _____|_____
//       ||___lid___||
//       ||  . . .  || --> upper half, at a speed
//   z=0 -----------------
//        |  . . .  |      lower half, fixed
//        |_________|
#include <math.h>

#include "core/maths/vec3.h"
#include "io/rig/rig_parts.h"

static const double LID_GAP = 0.005, LID_THICKNESS = 0.1;  // of the box's length and height
static const double LID_MASS = 0.01;                       // kg/N: a tenth of a weight that were the load
static const double WALL = 0.1, WALL_PER_TRAVEL = 1.5;     // of the length: no grain gets out as the halves part

typedef struct shear_keys {
    double size[3];        // m
    double stress;         // Pa
    double speed, travel;  // m/s, m
    double lid_mass;       // kg
} shear_keys;

static shear_keys read_shear_keys(json_cursor *at)
{
    shear_keys k = {.size = {1.0, 1.0, 1.0}};
    read_lengths_of(at, "size", k.size, 3);
    k.stress = cursor_needed_number(at, "normal_stress", RANGE_POSITIVE);
    k.speed = cursor_needed_number(at, "speed", RANGE_POSITIVE);
    k.travel = cursor_needed_number(at, "travel", RANGE_LENGTH);
    if (cursor_is_ok(at) && k.travel > 0.5 * k.size[0]) {
        json_cursor travel = cursor_member(at, "travel");
        cursor_fail(&travel, "\"travel\" must be at most half the length of the box, which is %g m", k.size[0]);
    }
    return k;
}

static void add_lid(rig_site *site, const shear_keys *k, double load, double mass, double bottom)
{
    double gap = LID_GAP * k->size[0], thickness = LID_THICKNESS * k->size[2];
    scr_vec3 size = vec3(k->size[0] - 2.0 * gap, k->size[1] - 2.0 * gap, thickness),
             at = vec3(0.0, 0.0, bottom + thickness);
    json_t *shapes = json_array();
    json_array_append_new(shapes, box_shape(size, vec3(0.0, 0.0, 0.0)));
    add_rig_body(
        site,
        (rig_body){.part = "lid", .kind = "dynamic", .position = at, .shapes = shapes, .mass = mass, .is_tool = true});
    add_counterweight(site, "lid", mass);
    add_load_guide(site, "box", "lid", at, load);
    add_settling(site);
    add_approach(site, "lid", 0.5 * thickness, size.x, size.y);
    add_loading(site, "lid", load);
}

void build_direct_shear(rig_site *site)
{
    shear_keys k = read_shear_keys(site->at);
    double area = k.size[0] * k.size[1], load = k.stress * area, floor = -0.5 * k.size[2];
    double wall = fmax(WALL * k.size[0], WALL_PER_TRAVEL * k.travel);
    double mass = cursor_number(site->at, "lid_mass", LID_MASS * load, RANGE_POSITIVE);
    add_soil(site, k.size[0], k.size[1], floor, k.size[2]);
    if (!cursor_is_ok(site->at)) return;

    json_t *base = four_walls(k.size[0], k.size[1], floor, 0.0, wall);
    json_array_append_new(base, box_shape(vec3(k.size[0] + 2.0 * wall, k.size[1] + 2.0 * wall, wall),
                                          vec3(0.0, 0.0, floor - 0.5 * wall)));
    add_rig_body(site, (rig_body){.part = "base", .kind = "fixed", .shapes = base});
    add_rig_body(site, (rig_body){.part = "box",
                                  .kind = "kinematic",
                                  .shapes = four_walls(k.size[0], k.size[1], 0.0, floor + site->top, wall),
                                  .velocity = vector_of(ramped(site, k.speed), NULL, NULL)});
    add_lid(site, &k, load, mass, floor + site->top);
    add_phase(site, "start", until_time(site->keys.ramp), INFINITY);
    rig_def def = {.kind = RIG_DIRECT_SHEAR, .duration = k.travel / k.speed, .load = load, .area = area};
    add_phase(site, "measure", until_time(def.duration), INFINITY);
    add_rig_probe(site, &def, "lid", "box", "start", "start");
}
