// SPDX-License-Identifier: BSD-3-Clause
#include "scene/terrain/ground_features.h"

#include "core/maths/trig.h"

static const double PI = 0x1.921fb54442d18p1;

// A wave from trough to trough, in both directions: smooth at the top and at the foot.
static double bump_height(const ground_feature *f, double x, double y)
{
    double u = (x - f->from[0]) / f->size[0], v = (y - f->from[1]) / f->size[1], d = sqrt(u * u + v * v), sine, cosine;
    if (d >= 1.0) return 0.0;
    scr_sincos(PI * d, &sine, &cosine);
    return 0.5 * f->height * (1.0 + cosine);
}

static double pile_height(const ground_feature *f, double x, double y)
{
    double dx = x - f->from[0], dy = y - f->from[1];
    return f->height * fmax(0.0, 1.0 - sqrt(dx * dx + dy * dy) / f->size[0]);
}

// How far along the line from one end to the other, 0 to 1 between them.
static double share_along(const ground_feature *f, double x, double y)
{
    double dx = f->to[0] - f->from[0], dy = f->to[1] - f->from[1];
    double share = ((x - f->from[0]) * dx + (y - f->from[1]) * dy) / (dx * dx + dy * dy);
    return fmin(fmax(share, 0.0), 1.0);
}

// A trapezium across, with round ends.
static double ditch_height(const ground_feature *f, double x, double y)
{
    double share = share_along(f, x, y);
    double dx = x - f->from[0] - share * (f->to[0] - f->from[0]), dy = y - f->from[1] - share * (f->to[1] - f->from[1]);
    double wall = 0.5 * (f->width - f->bottom), from_rim = 0.5 * f->width - sqrt(dx * dx + dy * dy);
    return -f->height * fmin(fmax(from_rim / wall, 0.0), 1.0);
}

double feature_height(const ground_feature *f, double x, double y)
{
    switch (f->kind) {
    case FEATURE_BUMP: return bump_height(f, x, y);
    case FEATURE_DITCH: return ditch_height(f, x, y);
    case FEATURE_PILE: return pile_height(f, x, y);
    case FEATURE_SLOPE: break;
    }
    return f->height * share_along(f, x, y);
}

void feature_add(const ground_feature *f, height_grid *grid)
{
    for (int64_t iy = 0; iy < grid->size[1]; ++iy)
        for (int64_t ix = 0; ix < grid->size[0]; ++ix)
            grid->height[iy * grid->size[0] + ix] +=
                feature_height(f, height_grid_x(grid, ix), height_grid_y(grid, iy));
}
