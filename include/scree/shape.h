// SPDX-License-Identifier: BSD-3-Clause
// Shapes: the geometry a body carries. A body may carry any number of them: that is what a compound is.
//
// The functions below make a shape at the origin of its body's frame; sizes are checked when a body is added.
#ifndef SCREE_SHAPE_H
#define SCREE_SHAPE_H

#include "scree/material.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The kinds of shape.
typedef enum scr_shape_kind {
    SCR_SPHERE,
    SCR_ELLIPSOID,
    SCR_BOX,
    SCR_CAPSULE,  ///< all points within radius of a straight line
    SCR_CYLINDER,
    SCR_CONE,
    SCR_HULL,         ///< the convex hull of points
    SCR_MESH,         ///< triangles: a solid if they are closed, else a sheet without thickness
    SCR_HEIGHTFIELD,  ///< ground over a rectangular grid of points; fixed and kinematic bodies only
    SCR_PLANE,        ///< everything below z = 0 of the shape's own frame; fixed and kinematic bodies only
    SCR_SPHERE_SET,   ///< very many spheres at a cost that follows those that touch; its mass is the caller's to give
} scr_shape_kind;

/// Points and faces of a hull, mesh or heightfield, or the spheres of a set, added to a world once and carried by any
/// number of bodies. All zero is none.
typedef struct scr_surface {
    uint32_t index1;
} scr_surface;

/// One shape in the frame of its body. Make one with scr_sphere() and its kin, then move it if need be.
typedef struct scr_shape {
    scr_shape_kind kind;
    scr_material material;
    scr_vec3 position;  ///< m, in the body's frame: the centre of the shape; of a hull or mesh, its centre of mass
    scr_quat rotation;  ///< in the body's frame
    double radius;      ///< m; spheres, capsules, cylinders, the base of cones
    /// m; boxes: half the edges; ellipsoids: the semi-axes; capsules, cylinders, cones: z is half
    scr_vec3 half;
    ///< the length of the axis, a capsule's without its caps
    scr_surface surface;  ///< hulls, meshes, heightfields, sphere sets
} scr_shape;

/// A sphere of a radius in m.
SCR_API scr_shape scr_sphere(double radius, scr_material material);
/// An ellipsoid of three semi-axes in m.
SCR_API scr_shape scr_ellipsoid(scr_vec3 semi_axes, scr_material material);
/// A box of three half edges in m.
SCR_API scr_shape scr_box(scr_vec3 half_edges, scr_material material);
/// A capsule along z, whose straight part goes from -half_length to half_length (m), with half balls beyond.
SCR_API scr_shape scr_capsule(double radius, double half_length, scr_material material);
/// A cylinder along z, from -half_length to half_length (m).
SCR_API scr_shape scr_cylinder(double radius, double half_length, scr_material material);
/// A cone along z: its base of that radius at -half_length, its tip at half_length (m). Its frame is in the middle of
/// them.
SCR_API scr_shape scr_cone(double radius, double half_length, scr_material material);
/// The plane z = 0, solid below.
SCR_API scr_shape scr_plane(scr_material material);

#ifdef __cplusplus
}
#endif

#endif
