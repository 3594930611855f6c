// SPDX-License-Identifier: BSD-3-Clause
// What a picture is about: the box around the grains, and the box that the camera should frame.
#ifndef VIEW_STAGE_EXTENT_H
#define VIEW_STAGE_EXTENT_H

#include "io/trajectory/frame.h"
#include "view/colour/vec3f.h"

typedef struct extent {
    vec3f low, high;  // m
} extent;

// What lies further from the origin than this is not shown. It keeps rays and boxes clear of overflow.
#define EXTENT_REACH 1e12f  // m

// The box around every part of the frame, upside down for those out of reach.
scr_status extent_of_parts(const frame *f, extent *part, scr_error *error);
// The box around all spheres, dynamic boxes and dynamic parts. Grains that strayed do not count: along each axis the
// outermost few are left out where they would stretch the box. If nothing moves it is the box around the walls, and
// without walls the unit cube about the origin.
extent extent_of_grains(const frame *f, const extent *part);
// The grains and the walls near them: boxes, parts, and planes square to an axis. A box or part counts as a whole
// unless it is much larger than the heap of grains: a silo is seen to its brim, and a large floor does not push the
// camera away.
extent extent_of_subject(const frame *f, const extent *part, const extent *grains);
// How far from the grains a wall is still near, m.
float extent_wall_reach(const extent *grains);

extent extent_of_box(const frame_shape *box);
vec3f extent_plane_normal(const frame_shape *plane);
// Distance of a box from a plane, along its normal; negative if they cut each other.
float extent_gap_to_plane(const extent *e, vec3f point, vec3f normal);

extent extent_united(const extent *a, const extent *b);
static inline vec3f extent_centre(const extent *e) { return 0.5f * (e->low + e->high); }
static inline float extent_radius(const extent *e) { return 0.5f * vec3f_norm(e->high - e->low); }
static inline extent extent_grown(const extent *e, float by)
{
    return (extent){e->low - vec3f_all(by), e->high + vec3f_all(by)};
}

#endif
