// SPDX-License-Identifier: BSD-3-Clause
// Cut-away planes: all bodies on the viewer's side of them are taken away, the ground is not.
//
// What is kept is convex, the part of space beyond all planes. A ray is inside it from one distance to another or not
// at all, so that to look at bodies that are cut is to look along a piece of the ray. Light comes through what was
// taken away.
#ifndef VIEW_STAGE_CUT_H
#define VIEW_STAGE_CUT_H

#include <stdbool.h>

#include "view/colour/vec3f.h"

typedef struct cut {
    int count;
    int axis[3];
    float at[3];    // m
    float kept[3];  // the side that is kept: +1 where the coordinate is larger, -1 where it is smaller
} cut;

// Planes across the axes that have one, at so many metres.
cut cut_for(const bool has[3], const double at[3], vec3f eye);
// The piece of a ray inside what is kept; false if there is none. *plane is the one by which the ray comes in, or -1 if
// it begins inside.
bool cut_piece(const cut *c, vec3f origin, vec3f direction, float *near, float *far, int *plane);
vec3f cut_normal(const cut *c, int plane);  // towards what was taken away

#endif
