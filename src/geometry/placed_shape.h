// A shape as it stands in the world, and what follows from a shape alone: volume, inertia, extent.
#ifndef GEOMETRY_PLACED_SHAPE_H
#define GEOMETRY_PLACED_SHAPE_H

#include "core/mat3.h"
#include "scree/shape.h"

typedef struct placed_shape {
    scr_shape_kind kind;
    scr_vec3 position;  // m
    scr_quat rotation;
    double radius;      // m; spheres
    scr_vec3 half;      // m; boxes
} placed_shape;

typedef struct mass_properties {
    double mass;       // kg
    scr_vec3 centre;   // m
    mat3 inertia;      // kg m^2 about the centre, in the axes of the frame it is given in
} mass_properties;

typedef struct scr_aabb { scr_vec3 low, high; } scr_aabb;

// Checks kind, sizes and rotation; the message names the field ("radius must be positive, not -1").
scr_status shape_check(const scr_shape *shape, scr_error *error);
double shape_volume(const scr_shape *shape);           // m^3; 0 for a plane
double shape_bounding_radius(const scr_shape *shape);  // m, about the shape's own position; infinite for a plane
// Of a shape of the given density, in the frame that shape->position and shape->rotation refer to.
mass_properties shape_mass_properties(const scr_shape *shape, double density);
mass_properties mass_properties_sum(const mass_properties *parts, int count);
placed_shape shape_place(const scr_shape *shape, scr_vec3 position, scr_quat rotation);
scr_aabb placed_aabb(const placed_shape *shape);       // infinite where the shape is

#endif
