// SPDX-License-Identifier: BSD-3-Clause
// A sphere set: many spheres that stand for the surface of a solid, with the mass properties of the solid itself.
//
// The origin is the solid's centre of mass. The spheres say where the body touches, never what it weighs: they overlap,
// and most sets are hollow.
#ifndef GEOMETRY_SPHERE_SET_SPHERE_SET_H
#define GEOMETRY_SPHERE_SET_SPHERE_SET_H

#include "geometry/surface/surface.h"

typedef struct set_sphere {
    scr_vec3 centre;  // m
    double radius;    // m
} set_sphere;

typedef struct sphere_set {
    set_sphere *sphere;
    int64_t count, capacity;
    solid_properties solid;  // solid.centre: where the origin was in the frame that the surface was given in
} sphere_set;

enum { SPHERE_SET_MAX = 1 << 24 };  // spheres

scr_status sphere_set_add(sphere_set *set, set_sphere sphere, scr_error *error);
void sphere_set_free(sphere_set *set);

#endif
