// SPDX-License-Identifier: BSD-3-Clause
// Pairs of a bed where space repeats itself: which image of b is the nearest to a. Included by the kernels.
//
// Along an axis of length L the way d from a to b becomes d - k L, k the whole number nearest to d / L: as everywhere
// else (core/maths/period.h), and the opposite bit by bit when the two change places. The state knows no cell: records
// have grains wherever they have gone.
// Where space is sheared, the image of b that is k cells up the gradient has slid by k times what the next cell has,
// and is as many times faster than b as that is: both come off first. Where space is stretched, the image that is k
// cells up an axis is k times what the length grows by faster.
// In single precision lines have grains in the cell that is shown, k = -1, 0 or 1 for any two that are near, and whole
// numbers cannot tell which. So a line also says in which of 64 layers along each axis its grain is, in one number:
//     c = t_x + 2^8 t_y + 2^16 t_z,  t = 64 (x - low) / L rounded
// All steps from the difference of two such numbers to k are exact. Grains that are near are less than 0.4 L apart, or
// more than 0.6 L: a bed asks for cells of so many radii (BED_CELL_RADII).
#ifndef DYNAMICS_PENALTY_BED_GRAIN_IMAGES_H
#define DYNAMICS_PENALTY_BED_GRAIN_IMAGES_H

#include "core/maths/period.h"
#include "core/maths/quads.h"

// The nearest whole numbers, of what is below 2^51 or 2^22 in size.
static inline real real_whole(real v)
{
    const real shift = real_set(sizeof(real_number) == sizeof(double) ? 6755399441055744.0 : 12582912.0);
    return (v + shift) - shift;
}
static inline quad quad_whole_of(quad v)
{
    const double shift = 6755399441055744.0;
    return (v + shift) - shift;
}

static inline real along(real3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
static inline real3 less_along(real3 v, int axis, real less)
{
    if (axis == 0) v.x = v.x - less;
    else if (axis == 1) v.y = v.y - less;
    else v.z = v.z - less;
    return v;
}

static inline real3 less_stretching(const periodic_cell *p, real3 v, real3 cells)
{
    v.x = v.x - cells.x * real_set((real_number)p->stretch[0]);
    v.y = v.y - cells.y * real_set((real_number)p->stretch[1]);
    v.z = v.z - cells.z * real_set((real_number)p->stretch[2]);
    return v;
}

#if !defined(LANES_SINGLE)

// v: of b less that of a, in the end of that image; or NULL.
static inline real3 nearest_way(const periodic_cell *p, real3 way, real3 *v)
{
    if (p->is_sheared) {
        real cells = real_whole(real_set(p->inverse[p->gradient]) * along(way, p->gradient));
        way = less_along(way, p->flow, cells * real_set(p->shear_offset));
        if (v != NULL) *v = less_along(*v, p->flow, cells * real_set(p->shear_velocity));
    }
    const real3 cells = {real_whole(real_set(p->inverse[0]) * way.x), real_whole(real_set(p->inverse[1]) * way.y),
                         real_whole(real_set(p->inverse[2]) * way.z)};
    if (p->is_stretched && v != NULL) *v = less_stretching(p, *v, cells);
    way.x = way.x - real_set(p->length[0]) * cells.x;
    way.y = way.y - real_set(p->length[1]) * cells.y;
    way.z = way.z - real_set(p->length[2]) * cells.z;
    return way;
}

#else

enum { CELL_LAYERS = 64 };  // along each axis
static const float LAYERS_Y = 256.0f, LAYERS_Z = 65536.0f;

// In the cell that is shown, with the velocity there. The fourth number stays as it is.
static inline quad place_in_cell(const periodic_cell *p, quad x, quad *v, float *layers)
{
    const quad low = {p->low[0], p->low[1], p->low[2], 0.0}, length = {p->length[0], p->length[1], p->length[2], 0.0},
               inverse = {p->inverse[0], p->inverse[1], p->inverse[2], 0.0};
    if (p->is_sheared) {
        const double up = quad_whole_of(inverse * (x - low) - 0.5)[p->gradient];
        x[p->flow] -= up * p->shear_offset;
        (*v)[p->flow] -= up * p->shear_velocity;
    }
    quad cells = inverse * (x - low), shown = cells - quad_whole_of(cells - 0.5);
    quad layer = quad_whole_of(CELL_LAYERS * shown);
    layer = quad_select(length > 0.0, layer, (quad){0});
    *layers = (float)layer[0] + LAYERS_Y * (float)layer[1] + LAYERS_Z * (float)layer[2];
    const quad up = quad_whole_of(cells - 0.5);
    if (p->is_stretched) *v = *v - (quad){p->stretch[0], p->stretch[1], p->stretch[2], 0.0} * up;
    return x - length * up;
}

// How many cells b is from a, along each axis, to a layer.
static inline real3 cells_between(real layers)
{
    const real layer = real_set(1.0 / CELL_LAYERS);
    real z = real_whole(layers * real_set(1.0 / LAYERS_Z)), rest = layers - real_set(LAYERS_Z) * z;
    real y = real_whole(rest * real_set(1.0 / LAYERS_Y)), x = rest - real_set(LAYERS_Y) * y;
    return (real3){layer * x, layer * y, layer * z};
}

#endif

#endif
