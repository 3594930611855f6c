// SPDX-License-Identifier: BSD-3-Clause
// Spheres and capsules against one triangle of a surface, which has two sides and no thickness.
//
// The part of the triangle that is met: TRIANGLE_FACE; TRIANGLE_EDGE + k, the edge from corner k to the next; or
// TRIANGLE_CORNER + k. Corners are counter-clockwise seen from the triangle's front.
#ifndef COLLISION_SURFACE_NARROW_TRIANGLE_H
#define COLLISION_SURFACE_NARROW_TRIANGLE_H

#include "collision/narrow/contact_point.h"

enum { TRIANGLE_FACE = 0, TRIANGLE_EDGE = 1, TRIANGLE_CORNER = 4 };
enum { CAPSULE_TRIANGLE_MAX = 3 };

// The point where a sphere is nearer than reach to the triangle: 1, or 0 if there is none. The normal points from the
// centre to the triangle's nearest point; a centre in the triangle's plane is pushed out in front. The feature is the
// feature. The triangle may be a needle, a line or a point.
int sphere_triangle(scr_vec3 centre, double radius, const scr_vec3 corner[3], double reach, contact_point *out,
                    int *touched_feature);

// The points where the capsule about centre +- arm is nearer than reach: the nearest one, and the ends of the interval
// of its axis that runs along the face or an edge, each with its own gap and normal. In the order of their features,
// which say where on the capsule they are: 0 and 1 the interval's ends, towards -arm and +arm; 2 anywhere else. An axis
// that pierces the triangle is pushed out along the triangle's normal, to the side its middle is on.
int capsule_triangle(scr_vec3 centre, scr_vec3 arm, double radius, const scr_vec3 corner[3], double reach,
                     contact_point out[CAPSULE_TRIANGLE_MAX], int touched_feature[CAPSULE_TRIANGLE_MAX]);

#endif
