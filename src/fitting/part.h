// SPDX-License-Identifier: BSD-3-Clause
// A part: triangles that bound a solid, recentred on its centre of mass.
#ifndef FITTING_PART_H
#define FITTING_PART_H

#include "geometry/surface/surfaces.h"

typedef struct part {
    surfaces *made;                // which owns it, and may not move
    const shape_surface *surface;  // closed; its origin is the centre of mass
    int64_t flat_count;            // triangles without an area
} part;

// SCR_BAD_INPUT says in a sentence why the triangles bound no solid: open, turned against each other, inside out. On
// failure nothing is to be freed.
scr_status part_make(const scr_triangles *given, part *out, scr_error *error);
void part_free(part *p);
solid_properties part_solid(const part *p);  // its centre is in the frame of the given triangles

#endif
