// SPDX-License-Identifier: BSD-3-Clause
// Space that repeats itself along some axes. Positions are never wrapped: a body that crosses a seam goes on, and what
// matters of two positions is their offset to the nearest image of each other.
#ifndef CORE_MATHS_PERIOD_H
#define CORE_MATHS_PERIOD_H

#include <math.h>
#include <stdbool.h>

#include "core/maths/vec3.h"

typedef struct periodic_cell {
    bool any;           // some axis repeats
    double low[3];      // m: where the cell begins that is shown
    double length[3];   // m; 0 along axes that do not repeat
    double inverse[3];  // 1/m; 0 likewise
} periodic_cell;

static inline double period_offset_along(const periodic_cell *p, int axis, double d)
{
    return d - p->length[axis] * rint(p->inverse[axis] * d);
}

// An offset between two positions, as that to the nearest image.
static inline scr_vec3 period_offset(const periodic_cell *p, scr_vec3 d)
{
    if (!p->any) return d;
    return vec3(period_offset_along(p, 0, d.x), period_offset_along(p, 1, d.y), period_offset_along(p, 2, d.z));
}

// Of `to` the image that is nearest to `from`.
static inline scr_vec3 period_nearest(const periodic_cell *p, scr_vec3 from, scr_vec3 to)
{
    return p->any ? vec3_add(from, period_offset(p, vec3_sub(to, from))) : to;
}

// How many cells from the one that is shown.
static inline double period_cell(const periodic_cell *p, int axis, double x)
{
    return floor(p->inverse[axis] * (x - p->low[axis]));
}

// Within the cell, whatever rounding does: what asks whether all is in the cell must find all.
static inline double period_wrapped_along(const periodic_cell *p, int axis, double x)
{
    if (p->length[axis] == 0.0) return x;
    double low = p->low[axis], high = low + p->length[axis], y = x - p->length[axis] * period_cell(p, axis, x);
    return y < low ? low : y > high ? high : y;
}

static inline scr_vec3 period_wrapped(const periodic_cell *p, scr_vec3 x)
{
    if (!p->any) return x;
    return vec3(period_wrapped_along(p, 0, x.x), period_wrapped_along(p, 1, x.y), period_wrapped_along(p, 2, x.z));
}

#endif
