// SPDX-License-Identifier: BSD-3-Clause
// Triaxial cell: six rigid walls round a sample. Back, left and bottom stand; front, right and top move along x, y and
// z, each pressed inwards with the confining pressure times the face between the others as it is now, so that the
// stress is held while the cell changes its shape. Once the sample is compressed the top is driven down at a speed.
//
//            | speed
//       _____v_____              phases: close     the walls come in under a small share of the pressure
//      |____top____|                     compress  it grows to the whole on all three
//   b ||  . . . .  || f <-- pressure     start     the top comes up to its speed
//   a ||  . . . .  || r                  measure
//   c ||. . . . . .|| o
//   k |___bottom____| n t            z, x;  left and right: y
//
// With "walls": "periodic" there are none: space repeats itself, and a servo changes the lengths of its cell so that
// the same stresses are held, and then drives its height.
#include <math.h>

#include "core/maths/vec3.h"
#include "io/rig/rig_parts.h"

static const double THICKNESS = 0.1, MARGIN = 0.5;  // of walls, and how far they reach beyond the cell: of its largest
static const double WALL_MASS = 0.01;               // kg/N
// m/s: of a wall that nothing but its guide's damper resists. While it gives way at v the damper takes the share
// v / CELL_GUIDE_SPEED of the pressure, which is why it is not that of other rigs.
static const double CELL_GUIDE_SPEED = 5.0;
static const double TOUCHED = 0.1;  // of the small share on the first area: the top presses on the sample
static const double HELD = 0.99;    // of what a servo is to hold: it does

enum { WALL_COUNT = 6 };
static const char *const WALLS[3][2] = {{"back", "front"}, {"left", "right"}, {"bottom", "top"}};

typedef struct cell_keys {
    double size[3];        // m
    double pressure;       // Pa
    double speed, travel;  // m/s, m
    double wall_mass;      // kg; 0: by the load
    bool is_periodic;      // there are no walls
} cell_keys;

static cell_keys read_cell_keys(json_cursor *at)
{
    static const char *const walls[] = {"rigid", "periodic"};
    cell_keys k = {.size = {1.0, 1.0, 1.0}};
    read_lengths_of(at, "size", k.size, 3);
    k.pressure = cursor_needed_number(at, "pressure", RANGE_POSITIVE);
    k.speed = cursor_needed_number(at, "speed", RANGE_POSITIVE);
    k.travel = cursor_needed_number(at, "travel", RANGE_LENGTH);
    k.is_periodic = cursor_choice(at, "walls", walls, 2, 0) == 1;
    k.wall_mass = cursor_number(at, "wall_mass", 0.0, RANGE_NOT_NEGATIVE);
    if (cursor_is_ok(at) && !(k.travel < k.size[2])) {
        json_cursor travel = cursor_member(at, "travel");
        cursor_fail(&travel, "\"travel\" must be less than the height of the cell, which is %g m", k.size[2]);
    }
    return k;
}

static scr_vec3 along(int axis, double value)
{
    return vec3(axis == 0 ? value : 0.0, axis == 1 ? value : 0.0, axis == 2 ? value : 0.0);
}

// Where the face of a wall is: the frame of its body, about whose middle the wall lies.
static scr_vec3 face_of(const cell_keys *k, int axis, int end)
{
    scr_vec3 face = along(axis, (end - 0.5) * k->size[axis]);
    face.z += 0.5 * k->size[2];
    return face;
}

static json_t *wall_shapes(const cell_keys *k, int axis, int end)
{
    double largest = fmax(k->size[0], fmax(k->size[1], k->size[2])), t = THICKNESS * largest, side[3];
    for (int a = 0; a < 3; ++a) side[a] = a == axis ? t : k->size[a] + 2.0 * MARGIN * largest;
    json_t *shapes = json_array();
    json_array_append_new(shapes, box_shape(vec3(side[0], side[1], side[2]), along(axis, (end - 0.5) * t)));
    return shapes;
}

static json_t *pair_of_walls(int axis)
{
    return json_pack("[s,s]", rig_part(WALLS[axis][0]).text, rig_part(WALLS[axis][1]).text);
}

// Pa: that closes the cell.
static double small_pressure(const rig_site *site, const cell_keys *k)
{
    return k->pressure * fmin(1.0, site->keys.approach_speed / CELL_GUIDE_SPEED);
}

// The pressure along an axis by phase, times a sign; along z there is none once the sample is compressed.
static json_t *pressure_by_phase(const rig_site *site, const cell_keys *k, int axis, double sign)
{
    double small = sign * small_pressure(site, k), whole = sign * k->pressure;
    json_t *growing = json_sprintf("%.17g + %.17g*min(1, t/%.17g)", small, whole - small, site->keys.ramp);
    json_t *stress = json_pack("{s:{s:f, s:o}}", "phases", "close", small, "compress", growing);
    json_t *phases = json_object_get(stress, "phases");
    json_object_set_new(phases, "start", axis < 2 ? json_real(whole) : json_null());
    json_object_set_new(phases, "measure", axis < 2 ? json_real(whole) : json_null());
    return stress;
}

// The pressure on a moving wall.
static void add_pressure(rig_site *site, const cell_keys *k, int axis)
{
    json_t *component[3] = {NULL, NULL, NULL};
    component[axis] = pressure_by_phase(site, k, axis, -1.0);
    part_name wall = rig_part(WALLS[axis][1]);
    json_array_append_new(site->loads, json_pack("{s:s, s:s, s:o, s:[o,o]}", "name", wall.text, "body", wall.text,
                                                 "force", vector_of(component[0], component[1], component[2]), "area",
                                                 pair_of_walls((axis + 1) % 3), pair_of_walls((axis + 2) % 3)));
}

// A wall on a guide with a damper; the top has a motor that is off until the sample is compressed.
static void add_moving_wall(rig_site *site, const cell_keys *k, int axis)
{
    const char *part = WALLS[axis][1];
    double load = k->pressure * k->size[(axis + 1) % 3] * k->size[(axis + 2) % 3];
    double mass = k->wall_mass > 0.0 ? k->wall_mass : WALL_MASS * load;
    json_t *motor = NULL;
    if (axis == 2) {
        json_t *speed = ramped(site, -k->speed), *phases = json_object_get(speed, "phases");
        json_object_set_new(phases, "close", json_null());
        json_object_set_new(phases, "compress", json_null());
        motor = json_pack("{s:o}", "speed", speed);
    }
    scr_vec3 at = face_of(k, axis, 1);
    add_rig_body(
        site,
        (rig_body){.part = part, .kind = "dynamic", .position = at, .shapes = wall_shapes(k, axis, 1), .mass = mass});
    add_counterweight(site, part, mass);
    add_rig_joint(site, "prismatic", part, "", part, at, along(axis, 1.0), motor);
    json_array_append_new(site->springs,
                          json_pack("{s:s, s:s, s:f, s:f}", "name", rig_part(part).text, "joint", rig_part(part).text,
                                    "stiffness", 0.0, "damping", load / CELL_GUIDE_SPEED));
    add_pressure(site, k, axis);
}

static void add_cell_phases(rig_site *site, const cell_keys *k, double duration)
{
    const rig_keys *keys = &site->keys;
    double small = small_pressure(site, k);
    json_t *touched = k->is_periodic ? json_pack("{s:f}", "stress", HELD * small)
                                     : until_force("top", TOUCHED * small * k->size[0] * k->size[1]);
    json_t *compressed = until_time(2.0 * keys->ramp), *until[2] = {touched, compressed};
    if (k->is_periodic) json_object_set_new(compressed, "stress", json_real(HELD * k->pressure));
    static const char *const names[2] = {"close", "compress"};
    for (int p = 0; p < 2; ++p) {
        json_object_set_new(until[p], "speed", json_real(keys->rest_speed));
        json_object_set_new(until[p], "for", json_real(keys->rest_time));
        add_phase(site, names[p], until[p], keys->rest_at_most);
    }
    add_phase(site, "start", until_time(keys->ramp), INFINITY);
    add_phase(site, "measure", until_time(duration), INFINITY);
}

// Space itself is the cell.
static void add_periodic_cell(rig_site *site, const cell_keys *k)
{
    json_t *stress[3], *cell = json_object();
    for (int axis = 0; axis < 3; ++axis) stress[axis] = pressure_by_phase(site, k, axis, 1.0);
    for (int axis = 0; axis < 3; ++axis) {
        static const char *const names[3] = {"x", "y", "z"};
        double low = axis < 2 ? -0.5 * k->size[axis] : 0.0;
        json_object_set_new(cell, names[axis], json_pack("[f,f]", low, low + k->size[axis]));
    }
    json_object_set_new(cell, "servo",
                        json_pack("{s:o, s:o, s:f}", "stress", vector_of(stress[0], stress[1], stress[2]), "rate",
                                  vector_of(NULL, NULL, ramped(site, -k->speed)), "speed", site->keys.approach_speed));
    json_object_set_new(site->root, "periodic", cell);
}

static void check_has_no_cell(rig_site *site)
{
    json_cursor walls = cursor_member(site->at, "walls");
    if (cursor_is_ok(site->at) && json_object_get(site->root, "periodic") != NULL)
        cursor_fail(&walls, "a periodic triaxial cell is a space of its own: leave out \"periodic\" of the scene");
}

static void build_periodic(rig_site *site, const cell_keys *k)
{
    rig_def def = {.kind = RIG_TRIAXIAL, .duration = k->travel / k->speed, .load = k->pressure};
    check_has_no_cell(site);
    if (!cursor_is_ok(site->at)) return;
    add_periodic_cell(site, k);
    add_cell_phases(site, k, def.duration);
    add_rig_probe(site, &def, NULL, NULL, "start", "start");
}

void build_triaxial(rig_site *site)
{
    cell_keys k = read_cell_keys(site->at);
    add_soil(site, k.size[0], k.size[1], 0.0, k.size[2]);
    if (!cursor_is_ok(site->at)) return;
    k.size[2] = site->top;
    if (k.is_periodic) {
        build_periodic(site, &k);
        return;
    }
    for (int axis = 0; axis < 3; ++axis) {
        // kinematic without a motion: fixed bodies are ground to all, and walls must not meet
        add_rig_body(site, (rig_body){.part = WALLS[axis][0],
                                      .kind = "kinematic",
                                      .position = face_of(&k, axis, 0),
                                      .shapes = wall_shapes(&k, axis, 0)});
        add_moving_wall(site, &k, axis);
    }
    rig_def def = {.kind = RIG_TRIAXIAL, .duration = k.travel / k.speed, .load = k.pressure};
    add_cell_phases(site, &k, def.duration);
    add_rig_probe(site, &def, "top", "front", "start", "start");
    json_t *walls = json_array();
    for (int w = 0; w < WALL_COUNT; ++w) json_array_append_new(walls, json_string(rig_part(WALLS[w / 2][w % 2]).text));
    json_object_set_new(json_array_get(site->probes, json_array_size(site->probes) - 1), "walls", walls);
}
