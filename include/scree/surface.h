// SPDX-License-Identifier: BSD-3-Clause
// Surfaces: the points and faces that hulls, meshes and heightfields are made of, and the spheres of sphere sets.
#ifndef SCREE_SURFACE_H
#define SCREE_SURFACE_H

#include "scree/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Triangles with shared vertices, counter-clockwise seen from outside.
typedef struct scr_triangles {
    int64_t vertex_count, triangle_count;
    const scr_vec3 *vertex;   ///< m
    const int32_t *triangle;  ///< 3 a triangle: entries in vertex
} scr_triangles;

/// Heights over a rectangular grid in the x-y plane of the shape's frame, centred on its origin; solid below.
typedef struct scr_heights {
    int32_t size[2];       ///< points along x and y, at least 2 each
    double spacing[2];     ///< m, from point to point along x and y
    const double *height;  ///< m; size[0] * size[1], x fastest
} scr_heights;

/// Read triangles from a file: Wavefront OBJ (.obj), STL (.stl, text or binary) or Abaqus (.inp: shell elements, and
/// the outer faces of solid ones). Coordinates are multiplied by scale, to be m; vertices at equal places become one.
/// SCR_IO or SCR_BAD_INPUT name file and line. What is read belongs to the caller: scr_mesh_free.
SCR_API scr_status scr_mesh_read(const char *path, double scale, scr_triangles *out, scr_error *error);
/// Give back what scr_mesh_read made. All zero is fine.
SCR_API void scr_mesh_free(scr_triangles *triangles);

/// Add the convex hull of points (m) as a surface. At least four of them, not all in one plane: else SCR_BAD_INPUT.
SCR_API scr_status scr_world_add_hull(scr_world *world, int64_t count, const scr_vec3 *points, scr_surface *added,
                                      scr_error *error);
/// Add triangles as a surface. SCR_BAD_INPUT names the vertex or triangle that cannot be.
SCR_API scr_status scr_world_add_mesh(scr_world *world, const scr_triangles *given, scr_surface *added,
                                      scr_error *error);
/// Add heights over a grid as a surface, likewise.
SCR_API scr_status scr_world_add_heightfield(scr_world *world, const scr_heights *given, scr_surface *added,
                                             scr_error *error);
/// Add spheres, of a centre and a radius in m each, as a sphere set: a shape that touches wherever one of them does.
/// Spheres that are in the world already become that same surface. A set has no volume of its own: a dynamic body of
/// nothing else needs mass and inertia. SCR_BAD_INPUT names the sphere that cannot be.
SCR_API scr_status scr_world_add_sphere_set(scr_world *world, int64_t count, const scr_vec3 *centre,
                                            const double *radius, scr_surface *added, scr_error *error);
/// A shape of the surface, placed where its points were given. All zero if the world has no such surface.
SCR_API scr_shape scr_surface_shape(const scr_world *world, scr_surface surface, scr_material material);
/// The surface's points in the frame of its shapes (whose origin is the centre of mass), and its triangles; of a sphere
/// set the centres, in an order of its own, and no triangles. Valid until a surface is added.
SCR_API scr_triangles scr_surface_triangles(const scr_world *world, scr_surface surface);

#ifdef __cplusplus
}
#endif

#endif
