// SPDX-License-Identifier: BSD-3-Clause
// What the tests of ellipsoids share: drawing them, round to needle and disc, and points of their surface with the
// normal.
#ifndef TESTS_COLLISION_ELLIPSOID_SHAPES_H
#define TESTS_COLLISION_ELLIPSOID_SHAPES_H

#include "check.h"
#include "height_search.h"
#include "narrow_shapes.h"

// Of the semi-axes the longest is at most 1, the shortest at least `flattest`; every tenth has all equal, and others
// are needles and discs.
static inline placed_shape draw_ellipsoid(draws *d, scr_vec3 position, double flattest)
{
    double kind = draw(d, 0.0, 1.0), e[3];
    for (int k = 0; k < 3; ++k) e[k] = pow(flattest, draw(d, 0.0, 1.0));
    if (kind < 0.1) e[1] = e[2] = e[0];
    if (kind > 0.9) e[0] = 1.0, e[1] = e[2] = flattest;
    if (kind > 0.8 && kind < 0.9) e[0] = e[1] = 1.0, e[2] = flattest;
    return make_ellipsoid(position, draw_rotation(d), vec3(e[0], e[1], e[2]));
}

static inline double least_axis(const placed_shape *e) { return fmin(e->half.x, fmin(e->half.y, e->half.z)); }
static inline double longest_axis(const placed_shape *e) { return fmax(e->half.x, fmax(e->half.y, e->half.z)); }

// Support function, in the world: how far e reaches beyond its centre along n.
static inline double extent_along(const placed_shape *e, scr_vec3 n)
{
    return vec3_norm(vec3_mul(e->half, quat_unrotate(e->pose.rotation, n)));
}

// A point of the surface drawn at random, from the centre, and the normal there, both in the world.
typedef struct surface_point {
    scr_vec3 arm, normal;
} surface_point;

static inline surface_point draw_surface_point(draws *d, const placed_shape *e)
{
    scr_vec3 u = quat_rotate(draw_rotation(d), vec3(0, 0, 1));
    return (surface_point){quat_rotate(e->pose.rotation, vec3_mul(e->half, u)), spread_normal(e, u)};
}

// The point, from the centre, where the normal is n.
static inline scr_vec3 arm_along(const placed_shape *e, scr_vec3 n)
{
    scr_vec3 local = quat_unrotate(e->pose.rotation, n), square = vec3_mul(e->half, e->half);
    return quat_rotate(e->pose.rotation, vec3_scale(1.0 / extent_along(e, n), vec3_mul(square, local)));
}

// An overlap, in a direction along which the surface reaches h, up to which no other way out is shorter: m^2 / h.
static inline double safe_overlap(const placed_shape *e, scr_vec3 n)
{
    return least_axis(e) * least_axis(e) / extent_along(e, n);
}

static inline contact_point only_contact(const placed_shape *a, const placed_shape *b, double reach)
{
    contact_point out[MANIFOLD_MAX];
    assert_int_equal(narrow_phase(a, b, reach, out), 1);
    assert_near(vec3_norm(out[0].normal), 1.0, 1e-14);
    assert_int_equal(out[0].feature, 0);
    return out[0];
}

#endif
