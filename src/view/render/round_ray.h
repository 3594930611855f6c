// SPDX-License-Identifier: BSD-3-Clause
// Where a ray intersects an ellipsoid, a capsule, a cylinder or a cone, in the frame of the shape.
//
// All are convex: a line is inside one from t0 to t1 or not at all.
//   ellipsoid  a ball, once the axes are scaled to 1
//   cylinder   the points between the planes z = -l and z = l and within x^2 + y^2 <= r^2: the overlap of two stretches
//   cone       the same with x^2 + y^2 <= (r (l - z) / 2 l)^2, the double cone whose other half lies beyond the tip
//   capsule    a cylinder and two balls: from the first of their beginnings to the last of their ends
// Squares of distances from far away would leave no digits, so rays start anew at their point nearest to the origin.
#ifndef VIEW_RENDER_ROUND_RAY_H
#define VIEW_RENDER_ROUND_RAY_H

#include "scree/shape.h"
#include "view/colour/vec3f.h"

// The nearest surface point at a distance between near and far. `direction` is a unit vector; half: m, as in
// frame_shape; the normal points outwards and has any length.
bool round_ray_intersect(scr_shape_kind kind, const float half[3], vec3f origin, vec3f direction, float near, float far,
                         float *distance, vec3f *normal);

#endif
