// SPDX-License-Identifier: BSD-3-Clause
// Two ellipsoids, one pair at a time, also where they overlap so deeply that there are several ways out.
#include "collision/ellipsoid/narrow_ellipsoid.h"
#include "core/maths/vec3.h"

#define LANES_SCALAR
#include "collision/ellipsoid/ellipsoid_climb.h"

static real3 real3_of(scr_vec3 v) { return (real3){v.x, v.y, v.z}; }
static scr_vec3 vec3_of(real3 v) { return vec3(v.x, v.y, v.z); }

static ellipsoid ellipsoid_of(const placed_shape *shape)
{
    scr_quat q = shape->pose.rotation;
    return place_ellipsoid((const double[]){q.w, q.x, q.y, q.z}, real3_of(shape->half));
}

enum { DEEP_STARTS = 15 };

// Some order of the two that does not depend on which is called a. Which order is of no importance.
static bool is_in_order(const pair *p)
{
    for (int k = 0; k < 3; ++k) {
        real3 a = p->a.axis[k], b = p->b.axis[k];
        if (a.x != b.x) return a.x < b.x;
        if (a.y != b.y) return a.y < b.y;
        if (a.z != b.z) return a.z < b.z;
    }
    return true;
}

// The k-th of: the axes of both, the products of one's with the other's, or the centre line where that is zero. Heights
// of n and -n differ by n.d alone, so each is taken to the side that b is on, and upwards if that is neither.
static real3 deep_start(const pair *p, const ellipsoid *first, const ellipsoid *second, int k)
{
    real3 n = k < 3   ? first->axis[k]
              : k < 6 ? second->axis[k - 3]
                      : real3_cross(first->axis[k / 3 - 2], second->axis[k % 3]);
    if (real3_dot(n, n) == 0.0) n = p->between;
    double side = real3_dot(n, p->between);
    if (side == 0.0) side = n.z != 0.0 ? n.z : n.y != 0.0 ? n.y : n.x;
    return real3_of(vec3_unit(vec3_of(side < 0.0 ? real3_neg(n) : n)));
}

// Climbs from all of these until one end is known to be the highest; false when out of reach.
static bool search_deep(pair *p, finding *best)
{
    bool in_order = is_in_order(p);
    const ellipsoid *first = in_order ? &p->a : &p->b, *second = in_order ? &p->b : &p->a;
    for (int k = 0; k < DEEP_STARTS && !is_highest(p, best); ++k) {
        real3 n = deep_start(p, first, second, k);
        if (!climb(p, &n, true)) return false;
        finding found = look_along(p, n);
        if (found.gap > best->gap) *best = found;
    }
    return true;
}

int ellipsoid_pair(const placed_shape *a, const placed_shape *b, double reach, contact_point *out, int *evaluations)
{
    *evaluations = 0;
    real3 between = real3_of(vec3_sub(b->pose.position, a->pose.position));
    if (!balls_are_near(real3_of(a->half), real3_of(b->half), between, reach)) return 0;

    pair p = {ellipsoid_of(a), ellipsoid_of(b), between, reach, 0.0};
    real3 n = first_direction(&p);
    bool near = climb(&p, &n, true);
    finding f;
    if (near) {
        f = look_along(&p, n);
        if (!is_highest(&p, &f)) near = search_deep(&p, &f);
    }
    *evaluations = (int)p.evaluations;
    if (!near || !(f.gap < reach)) return 0;
    scr_vec3 on_a = vec3_add(a->pose.position, vec3_of(f.on_a)), on_b = vec3_sub(b->pose.position, vec3_of(f.on_b));
    *out = (contact_point){vec3_scale(0.5, vec3_add(on_a, on_b)), vec3_of(f.n), f.gap, 0, {0.0, 0.0}};
    return 1;
}

int narrow_ellipsoid_ellipsoid(const placed_shape *a, const placed_shape *b, double reach, contact_point *out)
{
    int evaluations;
    return ellipsoid_pair(a, b, reach, out, &evaluations);
}
