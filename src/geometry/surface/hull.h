// SPDX-License-Identifier: BSD-3-Clause
// Convex hulls: the corners and flat faces of the smallest convex solid around some points.
//
// A hull's state is its corners and triangles (geometry/surface/surfaces.h). From these come its faces: polygons made
// of all triangles that lie in one plane to within a hair of the hull's size, so that a cube given by points has six
// faces of four corners, not twelve triangles. Faces, edges and the neighbours of each corner are numbered from 0.
#ifndef GEOMETRY_SURFACE_HULL_H
#define GEOMETRY_SURFACE_HULL_H

#include "geometry/surface/surface.h"

enum { HULL_CORNER_MAX = 65000 };  // so that a corner's number, and a few marks beside it, fit 16 bits

typedef struct hull_edge {
    int32_t corner[2];  // the lower number first
    int32_t face[2];    // the first runs along the edge from corner[0] to corner[1], the second back
} hull_edge;

struct hull {
    int32_t corner_count, face_count, edge_count;
    double inner_radius;         // m, of a ball about the origin inside the hull; 0 if the origin is not inside
    scr_vec3 *corner;            // m (corner_count)
    scr_vec3 *face_normal;       // unit, outward (face_count); 0 for a face too narrow to have a direction
    double *face_offset;         // m (face_count): the face is where normal . x = offset, to within a hair
    int32_t *face_start;         // (face_count + 1) first entry of a face in face_corner
    int32_t *face_corner;        // corners round each face, counter-clockwise seen from outside
    hull_edge *edge;             // (edge_count) between two faces
    int32_t *corner_face_start;  // (corner_count + 1)
    int32_t *corner_face;        // faces round each corner, ascending
    int32_t *near_start;         // (corner_count + 1)
    int32_t *near;               // corners that share a triangle with each corner, ascending
    scr_arena memory;            // holds all of the above
};

// The corners of the hull of points and its triangles, counter-clockwise seen from outside. Both arrays are the
// caller's to free (scr_free). An error says why there is no hull: too few points, all in one plane, not numbers.
scr_status hull_of_points(int64_t count, const scr_vec3 *points, scr_triangles *out, scr_error *error);
// What the collision stages need of a hull, made from its corners and triangles.
scr_status hull_build(const scr_triangles *triangles, hull **out, scr_error *error);
void hull_free(hull *h);

// The corner farthest along a direction, found by walking from corner `from` to ever better neighbours: on a convex
// solid the walk ends at the best of all. A start near the end makes it short.
static inline int32_t hull_support(const hull *h, scr_vec3 direction, int32_t from)
{
    double best = vec3_dot(direction, h->corner[from]);
    for (int32_t at = from;;) {
        for (int32_t k = h->near_start[at]; k < h->near_start[at + 1]; ++k) {
            double along = vec3_dot(direction, h->corner[h->near[k]]);
            if (along > best) {
                best = along;
                from = h->near[k];
            }
        }
        if (from == at) return at;
        at = from;
    }
}

#endif
