// SPDX-License-Identifier: BSD-3-Clause
// What the tests of the narrow phase share: shapes drawn at random, moving two of them together, and what is true of
// all contacts.
#ifndef TESTS_COLLISION_NARROW_SHAPES_H
#define TESTS_COLLISION_NARROW_SHAPES_H

#include "check.h"
#include "collision/convex/narrow_phase.h"
#include "core/maths/rng.h"

#define assert_same_vector(a, b, distance)                                                                             \
    check_within(vec3_norm(vec3_sub((a), (b))), 0.0, (distance), #a, __FILE__, __LINE__)

// The index-th random number of a sequence, between low and high.
typedef struct draws {
    uint64_t seed, next;
} draws;

static inline double draw(draws *d, double low, double high)
{
    return low + (high - low) * scr_uniform(d->seed, 0, d->next++);
}
static inline scr_vec3 draw_vector(draws *d, double size)
{
    double x = draw(d, -size, size), y = draw(d, -size, size), z = draw(d, -size, size);
    return vec3(x, y, z);
}
static inline scr_quat draw_rotation(draws *d)
{
    scr_quat q;
    do {
        scr_vec3 v = draw_vector(d, 1.0);
        q = (scr_quat){draw(d, -1.0, 1.0), v.x, v.y, v.z};
    } while (quat_norm2(q) > 1.0 || quat_norm2(q) < 0.01);
    return quat_unit(q);
}
static inline placed_shape make_sphere(scr_vec3 position, double radius)
{
    return (placed_shape){SCR_SPHERE, {position, QUAT_IDENTITY}, radius, {0.0, 0.0, 0.0}, NULL};
}
static inline placed_shape make_box(scr_vec3 position, scr_quat rotation, scr_vec3 half)
{
    return (placed_shape){SCR_BOX, {position, rotation}, 0.0, half, NULL};
}
static inline placed_shape make_ellipsoid(scr_vec3 position, scr_quat rotation, scr_vec3 semi_axes)
{
    return (placed_shape){SCR_ELLIPSOID, {position, rotation}, 0.0, semi_axes, NULL};
}
static inline placed_shape make_plane(scr_vec3 position, scr_quat rotation)
{
    return (placed_shape){SCR_PLANE, {position, rotation}, 0.0, {0.0, 0.0, 0.0}, NULL};
}
static inline placed_shape draw_box(draws *d, double room)
{
    scr_vec3 position = draw_vector(d, room), half = vec3_abs(draw_vector(d, 0.9));
    return make_box(position, draw_rotation(d), vec3_add(half, vec3(0.1, 0.1, 0.1)));
}

typedef struct motion {
    scr_quat rotation;
    scr_vec3 shift;
} motion;

static inline scr_vec3 moved_point(motion m, scr_vec3 p) { return vec3_add(m.shift, quat_rotate(m.rotation, p)); }
static inline placed_shape moved(motion m, placed_shape s)
{
    s.pose.position = moved_point(m, s.pose.position);
    s.pose.rotation = quat_unit(quat_mul(m.rotation, s.pose.rotation));
    return s;
}

static inline scr_vec3 box_corner(const placed_shape *box, int corner)
{
    scr_vec3 sign = vec3(corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0);
    return pose_apply(box->pose, vec3_mul(sign, box->half));
}
static inline scr_vec3 box_axis_in_world(const placed_shape *box, int axis)
{
    return quat_rotate(box->pose.rotation, vec3(axis == 0, axis == 1, axis == 2));
}

// Distance from a point to a box, 0 inside it.
static inline double point_box_distance(scr_vec3 point, const placed_shape *box)
{
    scr_vec3 arm = vec3_sub(point, box->pose.position);
    const double half[3] = {box->half.x, box->half.y, box->half.z};
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
        double out = fabs(vec3_dot(arm, box_axis_in_world(box, k))) - half[k];
        if (out > 0.0) square += out * out;
    }
    return sqrt(square);
}

// What every manifold owes its reader.
static inline int checked_narrow_phase(const placed_shape *a, const placed_shape *b, double reach,
                                       contact_point out[MANIFOLD_MAX])
{
    int count = narrow_phase(a, b, reach, out);
    assert_in_range(count, 0, MANIFOLD_MAX);
    for (int i = 0; i < count; ++i) {
        assert_true(vec3_is_finite(out[i].point) && isfinite(out[i].gap));
        assert_near(vec3_norm(out[i].normal), 1.0, 1e-13);
        assert_true(out[i].gap < reach);
        assert_true(out[i].feature < 1u << 16);
        if (i > 0) assert_true(out[i].feature > out[i - 1].feature);  // all different, and in order
    }
    return count;
}

#endif
