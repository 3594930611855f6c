// SPDX-License-Identifier: BSD-3-Clause
// A shape as it stands in the world, and what follows from a shape alone: volume, inertia, extent.
#ifndef GEOMETRY_SHAPE_PLACED_SHAPE_H
#define GEOMETRY_SHAPE_PLACED_SHAPE_H

#include "geometry/surface/surface.h"

typedef struct placed_shape {
    scr_shape_kind kind;
    pose pose;
    double radius;                 // m; spheres, capsules, cylinders, the base of cones
    scr_vec3 half;                 // m; as scr_shape
    const shape_surface *surface;  // hulls, meshes, heightfields, sphere sets
} placed_shape;

typedef struct mass_properties {
    double mass;      // kg
    scr_vec3 centre;  // m
    mat3 inertia;     // kg m^2 about the centre, in the axes of the frame it is given in
} mass_properties;

// Checks kind, sizes and rotation; the message names the field ("radius must be positive, not -1").
scr_status shape_check(const scr_shape *shape, scr_error *error);
// In what follows s is the shape's surface; NULL for kinds that have none.
// m^3; 0 for a plane, a sheet, a heightfield, a sphere set
double shape_volume(const scr_shape *shape, const shape_surface *s);
// m, about the shape's own position; infinite for a plane
double shape_bounding_radius(const scr_shape *shape, const shape_surface *s);
// Of a shape of the given density, in the frame that shape->position and shape->rotation refer to.
mass_properties shape_mass_properties(const scr_shape *shape, const shape_surface *s, double density);
mass_properties mass_properties_sum(const mass_properties *parts, int count);
placed_shape shape_place(const scr_shape *shape, const shape_surface *s, pose body);
scr_aabb placed_aabb(const placed_shape *shape);  // infinite where the shape is
// Kinds whose points and faces are in a surface.
static inline bool kind_has_surface(scr_shape_kind kind)
{
    return (kind >= SCR_HULL && kind <= SCR_HEIGHTFIELD) || kind == SCR_SPHERE_SET;
}
static inline bool kind_has_triangles(scr_shape_kind kind) { return kind == SCR_MESH || kind == SCR_HEIGHTFIELD; }
// Kinds of many triangles or spheres, each of which may touch by itself.
static inline bool kind_has_parts(scr_shape_kind kind) { return kind_has_triangles(kind) || kind == SCR_SPHERE_SET; }
static inline bool kind_is_convex(scr_shape_kind kind) { return kind <= SCR_HULL; }  // and bounded

#endif
