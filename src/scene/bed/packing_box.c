// SPDX-License-Identifier: BSD-3-Clause
#include "scene/bed/packing_box.h"

#include <math.h>

#include "dynamics/world/world_state.h"

static const double PI = 3.14159265358979323846;
static const double WHOLE = 1.0 - 1e-9;  // of a length: a box as long as that is the whole cell

double ball_radius_of(double volume) { return cbrt(0.75 * volume / PI); }

// Share of a unit ball's volume below the plane at height h of its centre.
static double share_below(double h)
{
    if (h <= -1.0) return 0.0;
    if (h >= 1.0) return 1.0;
    return 0.25 * (h + 1.0) * (h + 1.0) * (2.0 - h);
}

double packing_box_space(const packing_box *box)
{
    double space = 1.0;
    for (int axis = 0; axis < 3; ++axis) space *= box->high[axis] - box->low[axis];
    return space;
}

double packing_box_solid(const packing_box *box, scr_vec3 at, double volume)
{
    const double place[3] = {at.x, at.y, at.z}, r = ball_radius_of(volume);
    for (int axis = 0; axis < 3; ++axis)
        if (!box->is_open[axis])
            volume *=
                share_below((box->high[axis] - place[axis]) / r) - share_below((box->low[axis] - place[axis]) / r);
    return volume;
}

static packing_box box_in(const periodic_cell *p, scr_vec3 low, scr_vec3 high)
{
    packing_box box = {.low = {low.x, low.y, low.z}, .high = {high.x, high.y, high.z}};
    for (int axis = 0; axis < 3; ++axis) {
        if (!(p->length[axis] > 0.0) || box.high[axis] - box.low[axis] < WHOLE * p->length[axis]) continue;
        box.is_open[axis] = true;
        box.high[axis] = box.low[axis] + p->length[axis];
    }
    return box;
}

double packing_of_world(const scr_world *world, scr_vec3 low, scr_vec3 high, uint64_t last_id)
{
    const periodic_cell *p = world_period(world);
    const packing_box box = box_in(p, low, high);
    const scr_vec3 middle = vec3_scale(0.5, vec3_add(low, high));
    scr_body_view b = scr_world_bodies(world);
    double solid = 0.0;
    int64_t last = -1;
    for (int64_t k = 0; k < scr_world_shape_count(world); ++k) {
        scr_placed_shape shape = scr_world_shape(world, k);
        int64_t i = shape.body;
        // The shapes of a body follow one another, and are of one material.
        if (i == last || b.kind[i] != SCR_DYNAMIC || b.id[i] <= last_id) continue;
        last = i;
        double density = scr_world_material(world, (scr_material){shape.material + 1}).density;
        scr_vec3 at = period_nearest(p, middle, vec3(b.x[i], b.y[i], b.z[i]));
        solid += packing_box_solid(&box, at, 1.0 / (b.inv_mass[i] * density));
    }
    return solid / packing_box_space(&box);
}
