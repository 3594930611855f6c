// SPDX-License-Identifier: BSD-3-Clause
// Features of a surface (the face of a triangle, an edge, a vertex) and the directions in which each may be touched.
//
// A point of a surface is touched from direction d (unit, away from the surface) only if no way along the surface leads
// towards d: else a neighbouring point is nearer and that is where the contact is. On a face this holds for its
// normals; on an edge if  d . m <= 0  for the direction m into each triangle beside it; on a vertex if  d . e <= 0
// along each edge e that leaves it. So edges and corners that stand out are felt, those inside a flat floor or a valley
// never are.
#ifndef COLLISION_SURFACE_SURFACE_FEATURE_H
#define COLLISION_SURFACE_SURFACE_FEATURE_H

#include "geometry/surface/surface_query.h"

typedef enum feature_kind { SURFACE_FACE, SURFACE_EDGE, SURFACE_VERTEX } feature_kind;

typedef struct surface_feature {
    feature_kind kind;
    int32_t triangle;
    int32_t item;  // an edge's number 3 t + k, or a vertex
} surface_feature;

// Of a triangle, as collision/surface/narrow_triangle.h counts features.
surface_feature surface_feature_of(const shape_surface *s, int32_t triangle, int feature);
// Where a point of a triangle is, to within `near`.
surface_feature surface_feature_at(const shape_surface *s, int32_t triangle, scr_vec3 point, double near);
bool surface_feature_allows(const shape_surface *s, const surface_feature *p, scr_vec3 d);  // d of any length
// A place whose nearest point is on the feature is outside a solid if it is in front of this normal (not a unit
// vector).
scr_vec3 surface_feature_normal(const shape_surface *s, const surface_feature *p);
// Does the surface end here?
bool surface_feature_is_border(const shape_surface *s, const surface_feature *p);
// Is it inside a flat part, so that nothing there but the way it was cut into triangles tells it from the rest?
bool surface_feature_is_inner(const shape_surface *s, const surface_feature *p);
// Of the triangles at a vertex that a walk can meet, is this the first? So each vertex is looked at once.
bool surface_is_first_at(const shape_surface *s, int32_t vertex, int32_t triangle);
// The same number from step to step, whatever triangle of a flat part, an edge or a vertex was met first.
uint32_t surface_feature_name(const shape_surface *s, const surface_feature *p);
bool surface_name_is_face(uint32_t name);

#endif
