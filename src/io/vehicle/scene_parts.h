// SPDX-License-Identifier: BSD-3-Clause
// Bodies, joints and springs written into the tree of a scene, as its author could have written them.
#ifndef IO_VEHICLE_SCENE_PARTS_H
#define IO_VEHICLE_SCENE_PARTS_H

#include <jansson.h>

#include "core/maths/pose.h"
#include "io/vehicle/part_geometry.h"
#include "io/vehicle/vehicle_file.h"

// A vehicle in a scene. The lists belong to the scene's tree.
typedef struct vehicle_site {
    const vehicle_file *file;
    const char *name;  // parts are called after it: "robot left shoe 3"
    pose frame;        // of the vehicle in the world
    json_t *bodies, *joints, *springs, *chain_drives, *probes;
    part_geometry geometry;  // of parts without shapes of their own
    json_t *partners;        // groups of the scene's own bodies, which all parts touch
} vehicle_site;

extern const char *const SHOES_GROUP, *const PARTS_GROUP;

json_t *scene_list(json_t *root, const char *key);  // the scene's own, made if need be
json_t *groups_of_bodies(json_t *root);             // all groups of the scene's own bodies, and that of grains; new

typedef struct part_name {
    char text[96];
} part_name;
part_name name_part_of(const char *owner, const char *part);  // "anchor guide"; part NULL: the owner itself
// "robot left shoe 3"; side NULL: none; number below 0: none.
part_name name_part(const vehicle_site *site, const char *side, const char *part, int number);

typedef struct part_body {
    part_name name;
    scr_vec3 position;  // m, in the vehicle's frame
    scr_quat rotation;
    double mass;  // kg
    const part_look *look;
    json_t *shapes;          // taken over; the look's own go before it
    bool is_shoe, is_ghost;  // a ghost touches nothing
} part_body;
void add_part(vehicle_site *site, part_body part);

// A joint at a point and along an axis, both in the vehicle's frame. `more` (taken over, may be NULL) is merged in.
void add_part_joint(vehicle_site *site, const char *kind, part_name name, part_name a, part_name b, scr_vec3 point,
                    scr_vec3 axis, json_t *more);
void add_part_spring(vehicle_site *site, part_name joint, double stiffness, double damping, double preload);

// Shapes, at a place in the body's frame.
json_t *box_shape(scr_vec3 size, scr_vec3 at);
json_t *axle_shape(double radius, double length, scr_vec3 at);  // a cylinder along y
json_t *vector_json(scr_vec3 v);
json_t *quaternion_json(scr_quat q);
scr_quat rotation_to(double x, double z);  // about y: takes the x axis to the direction (x, z) of the side view

#endif
