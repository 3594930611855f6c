// SPDX-License-Identifier: BSD-3-Clause
// A surface: the points and faces of a hull, a mesh or a heightfield, or the spheres of a set, made once and shared by
// any number of shapes.
//
// Points are in the frame of the shape, whose origin is the centre of mass of the solid inside (of a sheet, the mean of
// its area; of a heightfield, the middle of its grid; of a sphere set, the origin it was given in). `centre` says where
// that was in the frame they were given in. What the collision stages need beyond points and triangles is made from
// these by hull_build, mesh_build, heightfield_build and sphere_tree_build: it is derived, never saved.
#ifndef GEOMETRY_SURFACE_SURFACE_H
#define GEOMETRY_SURFACE_SURFACE_H

#include "core/base/memory.h"
#include "core/maths/mat3.h"
#include "core/maths/pose.h"
#include "scree/surface.h"

typedef struct scr_aabb {
    scr_vec3 low, high;
} scr_aabb;

typedef struct hull hull;                // geometry/surface/hull.h
typedef struct mesh mesh;                // geometry/surface/mesh.h
typedef struct heightfield heightfield;  // geometry/surface/heightfield.h
typedef struct sphere_tree sphere_tree;  // geometry/surface/sphere_tree.h

typedef struct shape_surface {
    scr_shape_kind kind;      // SCR_HULL, SCR_MESH, SCR_HEIGHTFIELD or SCR_SPHERE_SET
    scr_vec3 centre;          // m
    scr_triangles triangles;  // m; of a hull: its corners, and its faces cut into triangles; of a set: its centres
    const double *radius_at;  // m; of a set: the radius of the sphere about each of them
    double volume;            // m^3; 0 for a sheet, a heightfield and a set
    mat3 inertia;             // m^2 about the origin: that of the solid inside, for a mass of one
    double radius;            // m, of the bounding ball about the origin
    scr_aabb box;             // m
    const hull *hull;         // one of the four
    const mesh *mesh;
    const heightfield *heightfield;
    const sphere_tree *spheres;
} shape_surface;

// Volume, centre of mass and inertia (for a mass of one, about the centre) of the solid that closed triangles bound.
typedef struct solid_properties {
    double volume;    // m^3
    scr_vec3 centre;  // m
    mat3 inertia;     // m^2
} solid_properties;
solid_properties triangles_solid(const scr_triangles *t);

#endif
