// SPDX-License-Identifier: BSD-3-Clause
// Regions: what is inside, how large they are, and points spread evenly in them.
#include "geometry/shape/region.h"

#include "check.h"
#include "core/maths/rng.h"

enum { POINTS = 200000 };

static const region unit_box = {.kind = REGION_BOX, .low = {-1, 0, 2}, .high = {2, 4, 7}};

static const region globe = {.kind = REGION_SPHERE, .centre = {3, -1, 2}, .radius = 0.7};

static region slanted_cylinder(void)
{
    return (region){.kind = REGION_CYLINDER,
                    .base = {1, 2, 3},
                    .axis = vec3_unit(vec3(1.0, 2.0, -2.0)),
                    .radius = 0.5,
                    .height = 3.0};
}

static scr_vec3 random_in(const scr_aabb *box, uint64_t i)
{
    double u[4];
    scr_uniform2(7, 1, 2 * i, u);
    scr_uniform2(7, 1, 2 * i + 1, u + 2);
    return vec3(box->low.x + u[0] * (box->high.x - box->low.x), box->low.y + u[1] * (box->high.y - box->low.y),
                box->low.z + u[2] * (box->high.z - box->low.z));
}

static scr_vec3 sampled(const region *r, double margin, uint64_t i)
{
    double u[4];
    scr_uniform2(9, 1, 2 * i, u);
    scr_uniform2(9, 1, 2 * i + 1, u + 2);
    return region_point(r, margin, u);
}

// The share of the bounds' volume that is inside, by counting random points.
static double counted_volume(const region *r, double margin)
{
    scr_aabb box = region_bounds(r);
    scr_vec3 edge = vec3_sub(box.high, box.low);
    int64_t inside = 0;
    for (uint64_t i = 0; i < POINTS; ++i) inside += region_contains(r, random_in(&box, i), margin);
    return edge.x * edge.y * edge.z * (double)inside / POINTS;
}

static void volume_is_the_share_of_points_inside(void **state)
{
    (void)state;
    region cylinder = slanted_cylinder();
    assert_near(region_volume(&unit_box), 60.0, 1e-15);
    assert_near(region_volume(&cylinder), M_PI * 0.25 * 3.0, 1e-15);
    assert_near(counted_volume(&unit_box, 0.0), 60.0, 1e-12);
    assert_near(counted_volume(&cylinder, 0.0), region_volume(&cylinder), 0.03);
    assert_near(counted_volume(&globe, 0.0), region_volume(&globe), 0.03);
}

static void a_margin_shrinks_the_region_on_all_sides(void **state)
{
    (void)state;
    const double m = 0.2;
    region cylinder = slanted_cylinder();
    assert_near(counted_volume(&unit_box, m), (3 - 2 * m) * (4 - 2 * m) * (5 - 2 * m), 0.02);
    assert_near(counted_volume(&cylinder, m), M_PI * (0.5 - m) * (0.5 - m) * (3 - 2 * m), 0.05);
    assert_near(counted_volume(&globe, m), 4.0 / 3.0 * M_PI * (0.7 - m) * (0.7 - m) * (0.7 - m), 0.03);
    assert_false(region_contains(&cylinder, vec3_add_scaled(cylinder.base, 1.5, cylinder.axis), 0.6));
}

static void bounds_are_tight(void **state)
{
    (void)state;
    region cylinder = slanted_cylinder();
    scr_aabb box = region_bounds(&cylinder), seen = {vec3(1e9, 1e9, 1e9), vec3(-1e9, -1e9, -1e9)};
    for (uint64_t i = 0; i < POINTS; ++i) {
        scr_vec3 p = sampled(&cylinder, 0.0, i);
        seen.low = vec3(fmin(seen.low.x, p.x), fmin(seen.low.y, p.y), fmin(seen.low.z, p.z));
        seen.high = vec3(fmax(seen.high.x, p.x), fmax(seen.high.y, p.y), fmax(seen.high.z, p.z));
    }
    scr_vec3 below = vec3_sub(seen.low, box.low), above = vec3_sub(box.high, seen.high);
    assert_true(below.x >= 0 && below.y >= 0 && below.z >= 0 && above.x >= 0 && above.y >= 0 && above.z >= 0);
    assert_true(below.x < 0.05 && below.y < 0.05 && below.z < 0.05);
    assert_true(above.x < 0.05 && above.y < 0.05 && above.z < 0.05);
}

// Each half of the radius and of the height holds as many points as its share of the volume.
static void points_are_inside_and_evenly_spread(void **state)
{
    (void)state;
    const double margin = 0.1;
    region cylinder = slanted_cylinder(), core = cylinder;
    core.radius = 0.5 * (cylinder.radius - margin);
    int64_t in_core = 0, in_lower_half = 0;
    for (uint64_t i = 0; i < POINTS; ++i) {
        scr_vec3 p = sampled(&cylinder, margin, i);
        assert_true(region_contains(&cylinder, p, margin - 1e-12));
        in_core += region_contains(&core, p, 0.0);
        in_lower_half += vec3_dot(vec3_sub(p, cylinder.base), cylinder.axis) < 1.5;
        scr_vec3 q = sampled(&unit_box, margin, i);
        assert_true(region_contains(&unit_box, q, margin - 1e-12));
    }
    assert_within((double)in_core / POINTS, 0.25, 0.005);
    assert_within((double)in_lower_half / POINTS, 0.5, 0.005);
}

static void a_region_thinner_than_the_margin_gives_its_middle(void **state)
{
    (void)state;
    const region sheet = {.kind = REGION_BOX, .low = {0, 0, 1}, .high = {1, 1, 1}};
    region disc = slanted_cylinder();
    disc.height = 0.0;
    for (uint64_t i = 0; i < 100; ++i) {
        assert_near(sampled(&sheet, 0.1, i).z, 1.0, 1e-15);
        scr_vec3 p = vec3_sub(sampled(&disc, 0.1, i), disc.base);
        assert_within(vec3_dot(p, disc.axis), 0.0, 1e-12);
        assert_true(vec3_norm(p) <= disc.radius - 0.1 + 1e-12);
    }
}

static void a_point_that_is_no_number_is_outside(void **state)
{
    (void)state;
    region cylinder = slanted_cylinder();
    assert_false(region_contains(&unit_box, vec3(NAN, 1, 3), 0.0));
    assert_false(region_contains(&cylinder, vec3(1, NAN, 3), 0.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volume_is_the_share_of_points_inside),
        cmocka_unit_test(a_margin_shrinks_the_region_on_all_sides),
        cmocka_unit_test(bounds_are_tight),
        cmocka_unit_test(points_are_inside_and_evenly_spread),
        cmocka_unit_test(a_region_thinner_than_the_margin_gives_its_middle),
        cmocka_unit_test(a_point_that_is_no_number_is_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
