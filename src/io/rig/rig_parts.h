// SPDX-License-Identifier: BSD-3-Clause
// A test rig written into the tree of a scene as bodies, joints, loads, fills, phases and a probe, as its author could
// have written them. Each kind of rig reads its own keys and puts its parts together from these.
//
// A part that holds a load is a dynamic body on a prismatic guide. A force as large as its weight, upwards, takes the
// weight away; a force by phase lowers it and is the asked load in the end, a dead load that does not care whether the
// part sinks or rises. A damper on the guide, of the load over GUIDE_SPEED, sets how fast a part comes down under a
// share of the load; of a part that sinks at a speed v it carries the share v / GUIDE_SPEED of the load.
#ifndef IO_RIG_RIG_PARTS_H
#define IO_RIG_RIG_PARTS_H

#include "io/json/json_cursor.h"
#include "io/vehicle/scene_parts.h"
#include "rig/rig_kinds.h"

extern const char *const RIG_NAME;  // of the probe; parts are called after it: "rig lid"

// What all rigs are asked for.
typedef struct rig_keys {
    double rest_speed, rest_time, rest_at_most;  // m/s, s, s: when a bed has settled
    double approach_speed, touch_speed;          // m/s, downwards
    double ramp;                                 // s in which motions come up to their speed, and loads to theirs
} rig_keys;

typedef struct rig_site {
    json_cursor *at;  // the rig in the scene
    json_t *root;
    json_t *bodies, *joints, *springs, *loads, *fills, *phases, *probes;
    json_t *partners;      // groups that its parts touch
    const char *material;  // of its parts; NULL: the scene's only one
    scr_vec3 gravity;      // m/s^2
    rig_keys keys;
    double top;  // m above the floor: everything lies below it as the run begins
} rig_site;

rig_site rig_site_open(json_cursor *at);  // reads the keys that all rigs have
void rig_site_close(rig_site *site);

// The name of one of the scene's materials under a key that is there.
const char *read_rig_material(json_cursor *at, const char *key);
// Lengths under a key, all needed: "three lengths".
void read_lengths_of(json_cursor *at, const char *key, double *length, int count);
// The soil of a rig as a fill over a floor of this size (m) at a height z; without one `site->top` is as high as the
// bin.
void add_soil(rig_site *site, double length, double width, double floor, double height);

part_name rig_part(const char *part);  // "rig lid"
typedef struct rig_body {
    const char *part, *kind;  // "lid", "dynamic"
    scr_vec3 position;
    json_t *shapes;    // taken over
    double mass;       // kg, of a dynamic one
    json_t *velocity;  // taken over: [0, 0, f] by phase, of a kinematic one; NULL: none
    bool is_ghost;     // it touches nothing, and is not shown
    bool is_tool;      // it is shown as steel, not as glass
} rig_body;
void add_rig_body(rig_site *site, rig_body body);
// Floor and four walls round a floor of this size, as one fixed body; thickness: m.
void add_bin(rig_site *site, double length, double width, double thickness);
// A box whose x axis points away from the z axis, at an angle about it.
json_t *radial_box(scr_vec3 size, double radius, double z, double angle);
json_t *four_walls(double length, double width, double low, double high, double thickness);

void add_rig_joint(rig_site *site, const char *kind, const char *part, const char *a, const char *b, scr_vec3 at,
                   scr_vec3 axis, json_t *motor);
// A load upwards as large as the weight of a part.
void add_counterweight(rig_site *site, const char *part, double mass);
// A guide along z on which a part is pressed down with this load.
void add_load_guide(rig_site *site, const char *a, const char *part, scr_vec3 at, double load);

// Functions by phase, as values of JSON: taken over by whoever gets them.
json_t *ramped(const rig_site *site, double value);            // up to it in the phase "start", then it
json_t *vector_of(json_t *x, json_t *y, json_t *z);            // NULL: 0
json_t *descent(const rig_site *site, double measured_speed);  // of a driven tool along z

// Phases. `until` is taken over.
void add_phase(rig_site *site, const char *name, json_t *until, double at_most);
void add_rest(rig_site *site, const char *name);  // until all are at rest
void add_settling(rig_site *site);  // "settle" and, until a tool's underside is near the grains, "approach"
void add_approach(rig_site *site, const char *tool, double depth, double length, double width);
json_t *until_force(const char *part, double force);
json_t *until_time(double time);
// "touchdown", and "load" until it rests on the grains and those do not move
void add_loading(rig_site *site, const char *part, double load);

// The probe, which is the rig's report; tool and driven NULL: there are none. Names of phases are those where x and z
// are counted from.
void add_rig_probe(rig_site *site, const rig_def *def, const char *tool, const char *driven, const char *zero_x,
                   const char *zero_z);

// Each kind: reads its keys and adds its parts.
void build_direct_shear(rig_site *site);
void build_pressure_sinkage(rig_site *site);
void build_cone(rig_site *site);
void build_single_wheel(rig_site *site);
void build_triaxial(rig_site *site);
void build_bevameter_ring(rig_site *site);
void build_repose(rig_site *site);

#endif
