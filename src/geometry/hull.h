// Convex hulls: the corners and flat faces of the smallest convex solid around some points.
#ifndef GEOMETRY_HULL_H
#define GEOMETRY_HULL_H

#include "geometry/surface.h"

struct hull {
    int64_t corner_count;
};

// The corners of the hull of points and its triangles, counter-clockwise seen from outside. Both arrays are the
// caller's to free (scr_free). An error says why there is no hull: too few points, all in one plane, not numbers.
scr_status hull_of_points(int64_t count, const scr_vec3 *points, scr_triangles *out, scr_error *error);
// What the collision stages need of a hull, made from its corners and triangles.
scr_status hull_build(const scr_triangles *triangles, hull **out, scr_error *error);
void hull_free(hull *h);

#endif
