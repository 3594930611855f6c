// SPDX-License-Identifier: BSD-3-Clause
// Space that repeats itself along some axes. Positions are never wrapped: a body that crosses a seam goes on, and what
// matters of two positions is their offset to the nearest image of each other.
#ifndef CORE_MATHS_PERIOD_H
#define CORE_MATHS_PERIOD_H

#include <math.h>
#include <stdbool.h>

#include "core/maths/vec3.h"

// Space may be sheared (Lees and Edwards 1972): the cells next to each other along one axis, the gradient, slide past
// each other along another one, the flow. The image of a body n cells up is n shear_offset ahead and n shear_velocity
// faster. As positions are never wrapped, nor are velocities: what crosses the sheared seam goes on as it was.
typedef struct periodic_cell {
    bool any;               // some axis repeats
    double low[3];          // m: where the cell begins that is shown
    double length[3];       // m; 0 along axes that do not repeat
    double inverse[3];      // 1/m; 0 likewise
    bool is_sheared;        // else what follows is 0
    int flow, gradient;     // axes that repeat
    double shear_offset;    // m along the flow: how far the next cell up the gradient has slid
    double shear_velocity;  // m/s likewise
    bool is_stretched;      // lengths change; else what follows is 0. A space is not sheared and stretched at once
    double stretch[3];      // m/s: how fast each length grows; the image one cell up is so much faster
} periodic_cell;

// Do images of a body have other velocities than the body?
static inline bool period_moves(const periodic_cell *p) { return p->is_sheared || p->is_stretched; }

static inline double period_offset_along(const periodic_cell *p, int axis, double d)
{
    return d - p->length[axis] * rint(p->inverse[axis] * d);
}

static inline double vec3_along(scr_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// A vector along the flow.
static inline scr_vec3 period_flow(const periodic_cell *p, double length)
{
    return vec3(p->flow == 0 ? length : 0.0, p->flow == 1 ? length : 0.0, p->flow == 2 ? length : 0.0);
}

// What `cells` cells up the gradient have slid, taken from a position or an offset.
static inline scr_vec3 period_unsheared(const periodic_cell *p, scr_vec3 d, double cells)
{
    return vec3_sub(d, period_flow(p, cells * p->shear_offset));
}

// Cells up the gradient that an offset spans, as that to the nearest image.
static inline double period_cells_between(const periodic_cell *p, scr_vec3 d)
{
    return rint(p->inverse[p->gradient] * vec3_along(d, p->gradient));
}

// An offset between two positions, as that to the nearest image.
static inline scr_vec3 period_offset(const periodic_cell *p, scr_vec3 d)
{
    if (!p->any) return d;
    if (p->is_sheared) d = period_unsheared(p, d, period_cells_between(p, d));
    return vec3(period_offset_along(p, 0, d.x), period_offset_along(p, 1, d.y), period_offset_along(p, 2, d.z));
}

// m/s: of what is so many cells up along each axis.
static inline scr_vec3 period_stretching(const periodic_cell *p, double x, double y, double z)
{
    return vec3(x * p->stretch[0], y * p->stretch[1], z * p->stretch[2]);
}

// m/s: how much faster than a body its image is that `d`, from the body to a place, has been moved to by period_offset.
static inline scr_vec3 period_image_velocity(const periodic_cell *p, scr_vec3 d)
{
    if (p->is_stretched)
        return period_stretching(p, rint(p->inverse[0] * d.x), rint(p->inverse[1] * d.y), rint(p->inverse[2] * d.z));
    if (!p->is_sheared) return vec3(0.0, 0.0, 0.0);
    return period_flow(p, period_cells_between(p, d) * p->shear_velocity);
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

// How many cells up the gradient a place is; 0 where space is not sheared.
static inline double period_layer(const periodic_cell *p, scr_vec3 x)
{
    return p->is_sheared ? period_cell(p, p->gradient, vec3_along(x, p->gradient)) : 0.0;
}

static inline scr_vec3 period_wrapped(const periodic_cell *p, scr_vec3 x)
{
    if (!p->any) return x;
    if (p->is_sheared) x = period_unsheared(p, x, period_layer(p, x));
    return vec3(period_wrapped_along(p, 0, x.x), period_wrapped_along(p, 1, x.y), period_wrapped_along(p, 2, x.z));
}

// m/s: of a body at x, its velocity where period_wrapped shows it.
static inline scr_vec3 period_wrapped_velocity(const periodic_cell *p, scr_vec3 x, scr_vec3 v)
{
    if (p->is_stretched)
        return vec3_sub(v,
                        period_stretching(p, period_cell(p, 0, x.x), period_cell(p, 1, x.y), period_cell(p, 2, x.z)));
    return p->is_sheared ? vec3_sub(v, period_flow(p, period_layer(p, x) * p->shear_velocity)) : v;
}

#endif
