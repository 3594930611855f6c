// SPDX-License-Identifier: BSD-3-Clause
// All surfaces of a world: their points and triangles are state, what is made of them is derived.
#ifndef GEOMETRY_SURFACE_SURFACES_H
#define GEOMETRY_SURFACE_SURFACES_H

#include "core/arrays/table.h"
#include "geometry/surface/surface.h"

typedef struct surface_vertices {
    table table;
    double *position;  // m, 3 each, in the frame of the surface's shapes
} surface_vertices;

typedef struct surface_triangles {
    table table;
    int32_t *corner;  // 3 each: vertices, counted from the surface's first
} surface_triangles;

typedef struct surface_spheres {
    table table;
    double *radius;  // m: of the spheres about the vertices of all sphere sets, in their order
} surface_spheres;

typedef struct surfaces {
    table table;
    // State, written when a surface is added; one is never removed
    uint8_t *kind;   // scr_shape_kind
    double *centre;  // m, 3 each
    int64_t *first_vertex, *vertex_count;
    int64_t *first_triangle, *triangle_count;
    int32_t *size;    // 2 each; heightfields: points along x and y
    double *spacing;  // m, 2 each; heightfields
    surface_vertices vertices;
    surface_triangles triangles;
    surface_spheres spheres;
    // Derived
    shape_surface *item;  // (count) what shapes refer to
    int64_t item_count, item_capacity;
} surfaces;

void surfaces_init(surfaces *s);
void surfaces_free(surfaces *s);
scr_status surfaces_add_hull(surfaces *s, int64_t count, const scr_vec3 *points, scr_error *error);
scr_status surfaces_add_mesh(surfaces *s, const scr_triangles *given, scr_error *error);
scr_status surfaces_add_heightfield(surfaces *s, const scr_heights *given, scr_error *error);
// index receives its entry: that of an earlier set of the same spheres, if there is one.
scr_status surfaces_add_sphere_set(surfaces *s, int64_t count, const scr_vec3 *centre, const double *radius,
                                   int64_t *index, scr_error *error);
// An entry of other surfaces as it is, to the bit: a hull made anew of its corners may number them otherwise.
scr_status surfaces_add_copy(surfaces *s, const surfaces *from, int64_t index, scr_error *error);
// After the state was loaded: check it, then make all that is derived anew.
bool surfaces_are_valid(const surfaces *s);
scr_status surfaces_index(surfaces *s, scr_error *error);

// The surface of an index from 1, or NULL.
static inline const shape_surface *surface_of(const surfaces *s, scr_surface handle)
{
    return handle.index1 == 0 || handle.index1 > s->item_count ? NULL : &s->item[handle.index1 - 1];
}

#endif
