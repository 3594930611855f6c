// SPDX-License-Identifier: BSD-3-Clause
// A single wheel in a bin. A carriage goes along x; in it a hub slides up and down, pressed down with the load; in the
// hub the wheel turns about y. With a slip, spin w and speed v = (1 - slip) w R are prescribed; with a torque the
// carriage is free along x. The bin's floor is z = 0.
//
//        carriage --> v
//           | load
//         _ | _
//       /   |   \   )
//      |    o    |  w
//       \ _____ /
//      . . . . . . . . .
#include <math.h>

#include "core/maths/trig.h"
#include "core/maths/vec3.h"
#include "io/rig/rig_parts.h"

static const double WALL = 0.1, HUB = 0.2;  // of the bin's width; of the wheel's radius
static const double WHEEL_MASS = 0.05;      // kg/N: of wheel and hub together as much as weighs the load, nearly
static const double TWO_PI = 0x1.921fb54442d18p2;
static const scr_vec3 AHEAD = {1.0, 0.0, 0.0}, ACROSS = {0.0, 1.0, 0.0};

typedef struct wheel_keys {
    double bin[3];
    double radius, width, mass;             // m, m, kg
    double reach;                           // m: of grousers beyond the radius
    double load, spin, slip, torque, drag;  // N, rad/s, 1, N m, N
    bool is_driven_by_torque;
    double duration, start, x;  // s, s, m
    json_t *shapes;             // the scene's own; NULL: a cylinder
} wheel_keys;

// Plates across the rim, from it outwards.
static void read_grousers(json_cursor *wheel, wheel_keys *k, json_t *shapes)
{
    static const number_range counts = {1.0, 360.0, false, false};
    if (!cursor_has(wheel, "grousers")) {
        cursor_member(wheel, "grousers");
        return;
    }
    json_cursor at = cursor_object(wheel, "grousers");
    int count = (int)cursor_needed_number(&at, "count", counts);
    double height = cursor_needed_number(&at, "height", RANGE_LENGTH),
           thickness = cursor_needed_number(&at, "thickness", RANGE_LENGTH);
    cursor_close(&at);
    k->reach = height;
    // A plate reaches as far into the rim as it stands out of it, so that no gap is left behind it.
    for (int g = 0; g < count && cursor_is_ok(wheel); ++g) {
        double sine, cosine;
        scr_sincos(TWO_PI * g / count, &sine, &cosine);
        json_t *plate =
            box_shape(vec3(2.0 * height, k->width, thickness), vec3(k->radius * cosine, 0.0, k->radius * sine));
        scr_quat q = rotation_to(cosine, sine);
        json_object_set_new(plate, "rotation", json_pack("[f,f,f,f]", q.w, q.x, q.y, q.z));
        json_array_append_new(shapes, plate);
    }
}

static void read_wheel(json_cursor *rig, wheel_keys *k)
{
    json_cursor at = cursor_object(rig, "wheel");
    k->radius = cursor_needed_number(&at, "radius", RANGE_LENGTH);
    k->width = cursor_needed_number(&at, "width", RANGE_LENGTH);
    k->mass = cursor_number(&at, "mass", 0.0, RANGE_NOT_NEGATIVE);
    json_cursor own = cursor_member(&at, "shapes");
    k->shapes = json_array();
    if (cursor_is_ok(rig) && own.value == NULL)
        json_array_append_new(k->shapes, axle_shape(k->radius, k->width, vec3(0, 0, 0)));
    else if (json_is_array(own.value)) json_array_extend(k->shapes, own.value);
    else if (own.value != NULL) cursor_fail(&own, "\"shapes\" must be a list of shapes, as of a body");
    read_grousers(&at, k, k->shapes);
    cursor_close(&at);
}

static void read_drive(json_cursor *at, wheel_keys *k)
{
    static const number_range slips = {-10.0, 1.0, false, false};
    bool has_slip = cursor_has(at, "slip"), has_torque = cursor_has(at, "torque");
    json_cursor torque = cursor_member(at, "torque"), drag = cursor_member(at, "drag"),
                spin = cursor_member(at, "spin");
    k->is_driven_by_torque = has_torque;
    if (has_slip && has_torque) cursor_fail_at_key(&torque, "give \"slip\" and \"spin\", or \"torque\", but not both");
    if (!has_slip && !has_torque) cursor_fail_missing(at, "slip", "a number, with \"spin\"; or \"torque\"");
    if (has_torque) {
        k->torque = cursor_needed_number(at, "torque", RANGE_ANY);
        k->drag = cursor_number(at, "drag", 0.0, RANGE_ANY);
        if (spin.value != NULL) cursor_fail_at_key(&spin, "the spin follows from \"torque\": leave it out");
    } else {
        k->slip = cursor_needed_number(at, "slip", slips);
        k->spin = cursor_needed_number(at, "spin", RANGE_POSITIVE);
        if (drag.value != NULL) cursor_fail_at_key(&drag, "\"drag\" goes with \"torque\": the speed is prescribed");
    }
}

static wheel_keys read_wheel_keys(json_cursor *at)
{
    wheel_keys k = {.bin = {1.0, 1.0, 1.0}};
    read_lengths_of(at, "bin", k.bin, 3);
    if (!cursor_has(at, "wheel")) cursor_fail_missing(at, "wheel", "an object with radius and width");
    read_wheel(at, &k);
    k.load = cursor_needed_number(at, "load", RANGE_POSITIVE);
    read_drive(at, &k);
    k.duration = cursor_needed_number(at, "duration", RANGE_POSITIVE);
    k.start = cursor_number(at, "start", 1.0, RANGE_POSITIVE);
    double reach = k.radius + k.reach, way = (1.0 - k.slip) * k.spin * k.radius * (k.duration + k.start);
    k.x = cursor_number(at, "x", -0.5 * way, RANGE_COORDINATE);
    if (cursor_is_ok(at) && (fabs(k.x) + reach > 0.5 * k.bin[0] || fabs(k.x + way) + reach > 0.5 * k.bin[0])) {
        json_cursor bin = cursor_member(at, "bin");
        cursor_fail(&bin, "a wheel of radius %g m that goes from x = %g m to %g m does not stay in a bin of %g m",
                    reach, k.x, k.x + way, k.bin[0]);
    }
    return k;
}

static json_t *small_box(double size)
{
    json_t *shapes = json_array();
    json_array_append_new(shapes, box_shape(vec3(size, size, size), vec3(0.0, 0.0, 0.0)));
    return shapes;
}

// A carriage that goes as prescribed, or one on a guide along x.
static void add_carriage(rig_site *site, const wheel_keys *k, scr_vec3 at, double mass)
{
    rig_body carriage = {.part = "carriage", .position = at, .shapes = small_box(HUB * k->radius), .is_ghost = true};
    if (k->is_driven_by_torque) {
        carriage.kind = "dynamic", carriage.mass = mass;
        add_rig_body(site, carriage);
        add_counterweight(site, "carriage", mass);
        add_rig_joint(site, "prismatic", "rail", "", "carriage", at, AHEAD, NULL);
        if (k->drag != 0.0)
            json_array_append_new(site->loads, json_pack("{s:s, s:o}", "body", rig_part("carriage").text, "force",
                                                         vector_of(ramped(site, -k->drag), NULL, NULL)));
    } else {
        carriage.kind = "kinematic";
        carriage.velocity = vector_of(ramped(site, (1.0 - k->slip) * k->spin * k->radius), NULL, NULL);
        add_rig_body(site, carriage);
    }
}

static void add_wheel(rig_site *site, const wheel_keys *k, scr_vec3 at, double mass)
{
    add_rig_body(site, (rig_body){.part = "hub",
                                  .kind = "dynamic",
                                  .position = at,
                                  .shapes = small_box(HUB * k->radius),
                                  .mass = mass,
                                  .is_ghost = true});
    add_counterweight(site, "hub", mass);
    add_load_guide(site, "carriage", "hub", at, k->load);
    add_rig_body(site, (rig_body){.part = "wheel",
                                  .kind = "dynamic",
                                  .position = at,
                                  .shapes = json_incref(k->shapes),
                                  .mass = mass,
                                  .is_tool = true});
    add_counterweight(site, "wheel", mass);
    json_t *motor = k->is_driven_by_torque ? json_pack("{s:o}", "torque", ramped(site, k->torque))
                                           : json_pack("{s:o}", "spin", ramped(site, k->spin));
    add_rig_joint(site, "revolute", "axle", "hub", "wheel", at, ACROSS, motor);
}

static void build(rig_site *site, const wheel_keys *k)
{
    double reach = k->radius + k->reach, mass = k->mass > 0.0 ? k->mass : WHEEL_MASS * k->load;
    scr_vec3 at = vec3(k->x, 0.0, site->top + reach);
    add_bin(site, k->bin[0], k->bin[1], WALL * k->bin[1]);
    add_carriage(site, k, at, mass);
    add_wheel(site, k, at, mass);
    add_settling(site);
    add_approach(site, "wheel", reach, 2.0 * reach, k->width);
    add_loading(site, "wheel", k->load);
    add_phase(site, "start", until_time(k->start), INFINITY);
    add_phase(site, "measure", until_time(k->duration), INFINITY);
    rig_def def = {.kind = RIG_SINGLE_WHEEL, .duration = k->duration, .load = k->load, .radius = k->radius};
    add_rig_probe(site, &def, "wheel", "wheel", "start", "load");
}

void build_single_wheel(rig_site *site)
{
    wheel_keys k = read_wheel_keys(site->at);
    add_soil(site, k.bin[0], k.bin[1], 0.0, k.bin[2]);
    if (cursor_is_ok(site->at)) build(site, &k);
    json_decref(k.shapes);
}
