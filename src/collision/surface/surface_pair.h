// SPDX-License-Identifier: BSD-3-Clause
// One shape meeting one surface: what the files narrow_surface*.c share.
//
// Everything is done in the frame of the surface. Points are collected in the list from `first` on; their normals point
// from the shape to the surface.
#ifndef COLLISION_SURFACE_SURFACE_PAIR_H
#define COLLISION_SURFACE_SURFACE_PAIR_H

#include "collision/narrow/contact_point.h"
#include "collision/surface/surface_feature.h"

typedef struct surface_pair {
    const shape_surface *surface;
    placed_shape shape;  // in the frame of the surface
    scr_aabb box;        // m, about the shape, with reach
    double size;         // m: lengths that are small compared with it do not matter
    double reach;        // m
    bool solid;
    contact_list *list;
    int64_t first;
} surface_pair;

void collide_sphere(surface_pair *m);
void collide_capsule(surface_pair *m);
void collide_ellipsoid(surface_pair *m);
void collide_convex(surface_pair *m);
void collide_plane(surface_pair *m);
// Two surfaces; the shape is the second one.
void collide_surface(surface_pair *m);

// The point of the surface that a contact touches.
static inline scr_vec3 touched_point(const contact_point *c)
{
    return vec3_add_scaled(c->point, 0.5 * c->gap, c->normal);
}
// Points of a shape against one triangle: those whose normal the touched feature allows are kept; an overlap whose
// shortest way out is none that the surface has is turned to the face.
void keep_allowed(surface_pair *m, int32_t triangle, const contact_point *found, const surface_feature *feature,
                  int count);
// The shape against the plane of a triangle; with `over_triangle` only what is over the triangle itself.
void add_face_points(surface_pair *m, int32_t triangle, bool over_triangle);
// For shapes without flat or straight parts, which touch a plane in one point: of two contacts the farther one is
// dropped if its place is not in front of the plane in which the nearer one touches.
void drop_behind_nearer(surface_pair *m);
// For the others: one contact of those at one place with one normal.
void drop_doubles(surface_pair *m);
// Of two parts that meet, one name.
uint32_t mixed_name(uint32_t surface, uint32_t shape);
// From the frame of a shape; flip: normals point the other way.
void points_into_world(const placed_shape *frame, bool flip, contact_point *point, int64_t count);
// In the order of their features, each its own: where two have one name, the later takes the next free one.
void order_by_feature(contact_point *point, int64_t count);

#endif
