// SPDX-License-Identifier: BSD-3-Clause
// Feet of a point on an ellipse: where the distance from the point is a local minimum.
#ifndef COLLISION_NARROW_ELLIPSE_FOOT_H
#define COLLISION_NARROW_ELLIPSE_FOOT_H

#include <stdbool.h>

typedef struct ellipse_view {
    double a, b;    // m, half axes, a >= b > 0
    double mx, my;  // m, the point, in the quadrant of positive coordinates
} ellipse_view;

// The outward normal (not unit) at the foot in the point's own quadrant. There always is one.
void ellipse_near_normal(const ellipse_view *e, double *nx, double *ny);
// That at the foot across the long axis, where y has the other sign, given here as positive. False if there is none.
bool ellipse_far_normal(const ellipse_view *e, double *nx, double *ny);

#endif
