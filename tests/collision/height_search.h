// SPDX-License-Identifier: BSD-3-Clause
// The highest value of a function of the direction by brute force: many directions, the best of them improved by trying
// their neighbours at ever shorter steps. Knows no derivatives. Narrow hills are found because directions are also
// spread as the normals of given ellipsoids are, which crowd where those are flat.
#ifndef TESTS_COLLISION_HEIGHT_SEARCH_H
#define TESTS_COLLISION_HEIGHT_SEARCH_H

#include "geometry/shape/placed_shape.h"

typedef double height_function(scr_vec3 n, const void *context);

enum { SEARCH_DIRECTIONS = 1200, SEARCH_CLIMBS = 5, SEARCH_STEPS = 1500 };

// The normal of an ellipsoid at the point that u of the unit sphere is stretched to; of a sphere, u.
static inline scr_vec3 spread_normal(const placed_shape *e, scr_vec3 u)
{
    scr_vec3 local = vec3(u.x / e->half.x, u.y / e->half.y, u.z / e->half.z);
    return vec3_unit(quat_rotate(e->pose.rotation, local));
}

// The k-th of count points spread evenly over the sphere, on a spiral.
static inline scr_vec3 spiral_point(int k, int count)
{
    double z = 1.0 - (2.0 * k + 1.0) / count, r = sqrt(1.0 - z * z), turn = 2.399963229728653 * k;
    return vec3(r * cos(turn), r * sin(turn), z);
}

static inline double improve_height(height_function *f, const void *context, const placed_shape *spread, scr_vec3 u,
                                    double step, scr_vec3 *n)
{
    double best = f(spread_normal(spread, u), context);
    for (int k = 0; k < SEARCH_STEPS && step > 1e-10; ++k) {
        scr_vec3 side = vec3_unit(vec3_cross(u, fabs(u.x) < 0.6 ? vec3(1, 0, 0) : vec3(0, 1, 0))),
                 up = vec3_cross(u, side);
        scr_vec3 at = u;
        for (int j = 0; j < 8; ++j) {
            double angle = 0.7853981633974483 * j + 0.1 * k;
            scr_vec3 shift = vec3_add(vec3_scale(cos(angle), side), vec3_scale(sin(angle), up));
            scr_vec3 trial = vec3_unit(vec3_add_scaled(u, step, shift));
            double height = f(spread_normal(spread, trial), context);
            if (height > best) {
                best = height;
                at = trial;
            }
        }
        step *= at.x == u.x && at.y == u.y && at.z == u.z ? 0.5 : 1.3;
        u = at;
    }
    *n = spread_normal(spread, u);
    return best;
}

static inline double search_highest(height_function *f, const void *context, const placed_shape *spreads, int count,
                                    scr_vec3 *n)
{
    double highest = -INFINITY;
    for (int c = 0; c < count; ++c) {
        scr_vec3 start[SEARCH_CLIMBS];
        for (int climb = 0; climb < SEARCH_CLIMBS; ++climb) {
            double best = -INFINITY;
            for (int k = 0; k < SEARCH_DIRECTIONS; ++k) {
                scr_vec3 u = spiral_point(k, SEARCH_DIRECTIONS);
                bool apart = true;
                for (int j = 0; j < climb; ++j) apart = apart && vec3_dot(u, start[j]) < 0.95;
                double height = apart ? f(spread_normal(&spreads[c], u), context) : -INFINITY;
                if (height > best) {
                    best = height;
                    start[climb] = u;
                }
            }
            scr_vec3 at;
            double height = improve_height(f, context, &spreads[c], start[climb], 0.05, &at);
            if (height > highest) {
                highest = height;
                *n = at;
            }
        }
    }
    return highest;
}

#endif
