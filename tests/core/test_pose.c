// SPDX-License-Identifier: BSD-3-Clause
// Poses form a group that moves points as matrices do, and points of a body move as its twist says.
#include "core/maths/pose.h"

#include "check.h"
#include "core/maths/mat3.h"
#include "core/maths/rng.h"

enum { SAMPLES = 2000 };
static const double ROUNDING = 1e-14;

static scr_vec3 draw_vector(uint64_t sample, uint64_t which)
{
    return vec3(scr_normal(1, 3 * which, sample), scr_normal(1, 3 * which + 1, sample),
                scr_normal(1, 3 * which + 2, sample));
}

static pose draw_pose(uint64_t sample, uint64_t which)
{
    scr_vec3 v = draw_vector(sample, 10 + which);
    return (pose){draw_vector(sample, 20 + which), quat_unit((scr_quat){scr_normal(2, which, sample), v.x, v.y, v.z})};
}

static void assert_near3(scr_vec3 a, scr_vec3 b, double tolerance)
{
    assert_within(vec3_norm(vec3_sub(a, b)), 0.0, tolerance);
}

static void assert_same_pose(pose a, pose b)
{
    assert_near3(a.position, b.position, 10.0 * ROUNDING);
    for (int k = 0; k < 3; ++k)
        assert_near3(quat_rotate(a.rotation, vec3(k == 0, k == 1, k == 2)),
                     quat_rotate(b.rotation, vec3(k == 0, k == 1, k == 2)), ROUNDING);
}

static void a_pose_rotates_then_shifts(void **state)
{
    (void)state;
    for (uint64_t s = 0; s < SAMPLES; ++s) {
        pose p = draw_pose(s, 0);
        scr_vec3 x = draw_vector(s, 0);
        mat3 r = mat3_from_quat(p.rotation);
        assert_near3(pose_apply(p, x), vec3_add(mat3_times(&r, x), p.position), ROUNDING);
        assert_near3(pose_unapply(p, pose_apply(p, x)), x, ROUNDING);
        assert_near3(quat_z(p.rotation), vec3(r.m[0][2], r.m[1][2], r.m[2][2]), ROUNDING);
    }
}

static void poses_are_a_group(void **state)
{
    (void)state;
    for (uint64_t s = 0; s < SAMPLES; ++s) {
        pose a = draw_pose(s, 0), b = draw_pose(s, 1);
        scr_vec3 x = draw_vector(s, 0);
        assert_near3(pose_apply(pose_compose(a, b), x), pose_apply(a, pose_apply(b, x)), 10.0 * ROUNDING);
        assert_same_pose(pose_compose(a, pose_inverse(a)), POSE_IDENTITY);
        assert_same_pose(pose_compose(pose_inverse(a), a), POSE_IDENTITY);
        assert_same_pose(pose_relative(a, b), pose_compose(pose_inverse(a), b));
    }
}

static void a_stored_pose_comes_back_to_the_bit(void **state)
{
    (void)state;
    double number[POSE_WIDTH + 1] = {[POSE_WIDTH] = 7.0};
    pose p = draw_pose(0, 0);
    pose_store(number, p);
    pose q = pose_load(number);
    assert_memory_equal(&p, &q, sizeof p);
    assert_true(number[POSE_WIDTH] == 7.0);
}

// The difference quotient of a point's path, the body turning about w at a steady rate.
static void points_move_as_the_twist_says(void **state)
{
    (void)state;
    const double h = 1e-5;
    for (uint64_t s = 0; s < SAMPLES; ++s) {
        pose p = draw_pose(s, 0);
        twist t = {draw_vector(s, 1), draw_vector(s, 2)};
        scr_vec3 local = draw_vector(s, 3), end[2];
        for (int k = 0; k < 2; ++k) {
            double time = k == 0 ? -h : h, angle = 0.5 * time * vec3_norm(t.w);
            scr_vec3 v = vec3_scale(sin(angle), vec3_unit(t.w));
            pose moved = {vec3_add_scaled(p.position, time, t.v),
                          quat_mul((scr_quat){cos(angle), v.x, v.y, v.z}, p.rotation)};
            end[k] = pose_apply(moved, local);
        }
        scr_vec3 r = vec3_sub(pose_apply(p, local), p.position);
        assert_near3(point_velocity(t, r), vec3_scale(0.5 / h, vec3_sub(end[1], end[0])), 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pose_rotates_then_shifts),
        cmocka_unit_test(poses_are_a_group),
        cmocka_unit_test(a_stored_pose_comes_back_to_the_bit),
        cmocka_unit_test(points_move_as_the_twist_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
