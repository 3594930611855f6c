// SPDX-License-Identifier: BSD-3-Clause
// Rays and round shapes against a search that knows only which points are inside.
#include "check.h"
#include "core/maths/rng.h"
#include "view/render/round_ray.h"

static double draw(uint64_t i) { return scr_uniform(11, 0, i); }

static bool is_inside(scr_shape_kind kind, const float h[3], const double p[3])
{
    double across = sqrt(p[0] * p[0] + p[1] * p[1]), r = h[0], l = h[2], beyond = fmax(fabs(p[2]) - l, 0.0);
    switch (kind) {
    case SCR_ELLIPSOID: return pow(p[0] / h[0], 2) + pow(p[1] / h[1], 2) + pow(p[2] / h[2], 2) <= 1.0;
    case SCR_CAPSULE: return hypot(across, beyond) <= r;
    case SCR_CYLINDER: return across <= r && fabs(p[2]) <= l;
    default: return fabs(p[2]) <= l && across <= r * (l - p[2]) / (2.0 * l);
    }
}

// The first distance, up to `reach`, at which a march in small steps finds itself inside; then bisection.
static double march(scr_shape_kind kind, const float h[3], const double o[3], const double d[3], double reach,
                    bool *found)
{
    const int steps = 4000;
    double before = 0.0;
    *found = false;
    for (int k = 1; k <= steps && !*found; ++k) {
        double t = reach * k / steps, p[3] = {o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2]};
        *found = is_inside(kind, h, p);
        if (!*found) before = t;
    }
    double after = before + reach / steps;
    for (int k = 0; k < 60 && *found; ++k) {
        double t = 0.5 * (before + after), p[3] = {o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2]};
        if (is_inside(kind, h, p)) after = t;
        else before = t;
    }
    return after;
}

static void rays_meet_shapes_where_a_march_does(void **state)
{
    (void)state;
    static const scr_shape_kind kinds[] = {SCR_ELLIPSOID, SCR_CAPSULE, SCR_CYLINDER, SCR_CONE};
    int met_count = 0, missed_near_misses = 0;
    for (uint64_t i = 0; i < 1200; ++i) {
        scr_shape_kind kind = kinds[i % 4];
        float h[3] = {(float)(0.3 + draw(20 * i)), (float)(0.3 + draw(20 * i + 1)), (float)(0.3 + draw(20 * i + 2))};
        if (kind != SCR_ELLIPSOID) h[1] = h[0];
        // From a point 4 m away towards a point near the shape.
        double o[3], to[3], d[3], norm = 0.0;
        for (int k = 0; k < 3; ++k) {
            o[k] = draw(20 * i + 3 + (uint64_t)k) - 0.5;
            to[k] = 2.0 * (draw(20 * i + 6 + (uint64_t)k) - 0.5);
        }
        double length = sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]);
        for (int k = 0; k < 3; ++k) o[k] *= 4.0 / length, d[k] = to[k] - o[k], norm += d[k] * d[k];
        for (int k = 0; k < 3; ++k) d[k] /= sqrt(norm);
        bool expected;
        double t = march(kind, h, o, d, 8.0, &expected);
        float distance;
        vec3f normal, origin = vec3f_of((float)o[0], (float)o[1], (float)o[2]),
                      direction = vec3f_of((float)d[0], (float)d[1], (float)d[2]);
        bool met = round_ray_intersect(kind, h, origin, direction, 0.0f, INFINITY, &distance, &normal);
        if (met != expected) {  // the march steps over what it only grazes
            assert_true(met);
            ++missed_near_misses;
            continue;
        }
        if (!met) continue;
        ++met_count;
        assert_within(distance, t, 2e-4);  // single precision where the ray grazes
        assert_true(vec3f_dot(normal, direction) < 1e-3f * vec3f_norm(normal));
        // Out along the normal is outside, in is inside.
        normal = vec3f_unit(normal);
        double out[3], in[3];
        for (int k = 0; k < 3; ++k) {
            double p = o[k] + t * d[k];
            out[k] = p + 1e-3 * (double)normal[k];
            in[k] = p - 1e-3 * (double)normal[k];
        }
        assert_false(is_inside(kind, h, out));
        if (fabs(in[2]) < 0.98 * (double)h[2]) assert_true(is_inside(kind, h, in));
    }
    assert_true(met_count > 500);
    assert_true(missed_near_misses < 12);
}

static void from_inside_a_ray_leaves_by_the_far_side(void **state)
{
    (void)state;
    const float h[3] = {1.0f, 1.0f, 2.0f};
    float distance;
    vec3f normal, up = vec3f_of(0.0f, 0.0f, 1.0f), side = vec3f_of(1.0f, 0.0f, 0.0f), zero = vec3f_all(0.0f);
    assert_true(round_ray_intersect(SCR_CAPSULE, h, zero, up, 0.0f, INFINITY, &distance, &normal));
    assert_within(distance, 3.0, 1e-6);
    assert_true(round_ray_intersect(SCR_CYLINDER, h, zero, up, 0.0f, INFINITY, &distance, &normal));
    assert_within(distance, 2.0, 1e-6);
    assert_true(round_ray_intersect(SCR_CONE, h, zero, side, 0.0f, INFINITY, &distance, &normal));
    assert_within(distance, 0.5, 1e-6);
    assert_true(round_ray_intersect(SCR_ELLIPSOID, h, zero, up, 0.0f, INFINITY, &distance, &normal));
    assert_within(distance, 2.0, 1e-6);
    assert_false(round_ray_intersect(SCR_ELLIPSOID, h, zero, up, 0.0f, 1.9f, &distance, &normal));
    assert_false(round_ray_intersect(SCR_ELLIPSOID, h, zero, up, 2.1f, INFINITY, &distance, &normal));
}

// A ray down the axis meets the tip, one beside it the side, one from below the base.
static void a_cone_has_a_tip_and_a_base(void **state)
{
    (void)state;
    const float h[3] = {1.0f, 1.0f, 1.0f};
    float distance;
    vec3f normal, down = vec3f_of(0.0f, 0.0f, -1.0f);
    assert_true(round_ray_intersect(SCR_CONE, h, vec3f_of(0.0f, 0.0f, 5.0f), down, 0.0f, INFINITY, &distance, &normal));
    assert_within(distance, 4.0, 1e-5);
    assert_true(round_ray_intersect(SCR_CONE, h, vec3f_of(0.5f, 0.0f, 5.0f), down, 0.0f, INFINITY, &distance, &normal));
    assert_within(distance, 5.0, 1e-5);
    normal = vec3f_unit(normal);
    assert_within(normal[0] / normal[2], 2.0, 1e-4);  // the side falls by 2 for each step out
    assert_true(
        round_ray_intersect(SCR_CONE, h, vec3f_of(0.9f, 0.0f, -5.0f), -down, 0.0f, INFINITY, &distance, &normal));
    assert_within(distance, 4.0, 1e-5);
    assert_true(normal[2] < 0.0f);
    assert_false(
        round_ray_intersect(SCR_CONE, h, vec3f_of(1.1f, 0.0f, -5.0f), -down, 0.0f, INFINITY, &distance, &normal));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_meet_shapes_where_a_march_does),
        cmocka_unit_test(from_inside_a_ray_leaves_by_the_far_side),
        cmocka_unit_test(a_cone_has_a_tip_and_a_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
