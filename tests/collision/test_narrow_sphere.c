// SPDX-License-Identifier: BSD-3-Clause
// Spheres against spheres, planes and boxes.
#include "check.h"

#include "collision/narrow/narrow_sphere.h"
#include "narrow_shapes.h"

enum { TRIALS = 2000 };

static contact_point only_contact(const placed_shape *a, const placed_shape *b, double reach)
{
    contact_point out[MANIFOLD_MAX];
    assert_int_equal(narrow_phase(a, b, reach, out), 1);
    assert_near(vec3_norm(out[0].normal), 1.0, 1e-14);
    return out[0];
}

// The other order gives the same point and gap, and the opposite normal.
static void assert_swaps(const placed_shape *a, const placed_shape *b, double reach)
{
    contact_point ab = only_contact(a, b, reach), ba = only_contact(b, a, reach);
    assert_same_vector(ab.normal, vec3_neg(ba.normal), 1e-15);
    assert_same_vector(ab.point, ba.point, 1e-13);
    assert_near(ab.gap, ba.gap, 1e-13);
    assert_int_equal(ab.feature, ba.feature);
}

static void two_spheres_meet_on_the_line_of_centres(void **state)
{
    (void)state;
    draws d = {1, 0};
    for (int k = 0; k < TRIALS; ++k) {
        double ra = draw(&d, 0.1, 2.0), rb = draw(&d, 0.1, 2.0), gap = draw(&d, -0.9, 0.5) * fmin(ra, rb);
        scr_vec3 centre = draw_vector(&d, 3.0), n = quat_rotate(draw_rotation(&d), vec3(0.0, 0.0, 1.0));
        placed_shape a = make_sphere(centre, ra), b = make_sphere(vec3_add_scaled(centre, ra + rb + gap, n), rb);
        contact_point c = only_contact(&a, &b, 2.0);
        assert_within(c.gap, gap, 1e-12 * (ra + rb));
        assert_same_vector(c.normal, n, 1e-12);
        assert_same_vector(c.point, vec3_add_scaled(centre, ra + 0.5 * gap, n), 1e-12);
        assert_swaps(&a, &b, 2.0);
    }
}

static void a_sphere_meets_a_plane_below_its_centre(void **state)
{
    (void)state;
    draws d = {2, 0};
    for (int k = 0; k < TRIALS; ++k) {
        double r = draw(&d, 0.1, 2.0), gap = draw(&d, -3.0, 0.5) * r;  // deep under the plane too
        placed_shape plane = make_plane(draw_vector(&d, 3.0), draw_rotation(&d));
        scr_vec3 up = quat_rotate(plane.pose.rotation, vec3(0.0, 0.0, 1.0));
        scr_vec3 foot = pose_apply(plane.pose, vec3(draw(&d, -5, 5), draw(&d, -5, 5), 0));
        placed_shape sphere = make_sphere(vec3_add_scaled(foot, r + gap, up), r);
        contact_point c = only_contact(&sphere, &plane, 2.0);
        assert_within(c.gap, gap, 1e-12 * r);
        assert_same_vector(c.normal, vec3_neg(up), 1e-12);
        assert_same_vector(c.point, vec3_add_scaled(foot, 0.5 * gap, up), 1e-12);
        assert_swaps(&sphere, &plane, 2.0);
    }
}

// The least of f over [-half, half], f convex.
static double least_along(double (*f)(double, void *), void *context, double half)
{
    double low = -half, high = half;
    for (int k = 0; k < 100; ++k) {
        double p = low + (high - low) / 3.0, q = high - (high - low) / 3.0;
        if (f(p, context) < f(q, context)) high = q;
        else low = p;
    }
    return 0.5 * (low + high);
}

// Distance from the sphere's centre to a point of the box, as one of the point's box coordinates varies.
typedef struct search {
    const placed_shape *sphere, *box;
    double at[3];  // m, box coordinates of the point
    int varied;
} search;

static scr_vec3 searched_point(const search *s) { return pose_apply(s->box->pose, vec3(s->at[0], s->at[1], s->at[2])); }

static double searched_distance(double at, void *context)
{
    search s = *(search *)context;
    s.at[s.varied] = at;
    return vec3_norm(vec3_sub(searched_point(&s), s.sphere->pose.position));
}

// The box's point that is nearest to the sphere's centre, by searching along one box axis after the other.
static scr_vec3 search_nearest(const placed_shape *sphere, const placed_shape *box)
{
    search s = {sphere, box, {0.0, 0.0, 0.0}, 0};
    const double half[3] = {box->half.x, box->half.y, box->half.z};
    for (int sweep = 0; sweep < 2; ++sweep)
        for (s.varied = 0; s.varied < 3; ++s.varied)
            s.at[s.varied] = least_along(searched_distance, &s, half[s.varied]);
    return searched_point(&s);
}

static void a_sphere_outside_a_box_meets_its_nearest_point(void **state)
{
    (void)state;
    draws d = {3, 0};
    int met = 0;
    while (met < TRIALS / 4) {
        placed_shape box = draw_box(&d, 2.0), sphere = make_sphere(draw_vector(&d, 4.0), draw(&d, 0.1, 1.0));
        scr_vec3 nearest = search_nearest(&sphere, &box);
        double distance = vec3_norm(vec3_sub(nearest, sphere.pose.position)), gap = distance - sphere.radius;
        if (distance < 0.01 || fabs(gap - 0.3) < 1e-6) continue;
        contact_point out[MANIFOLD_MAX];
        assert_int_equal(narrow_phase(&sphere, &box, 0.3, out), gap < 0.3);
        if (gap >= 0.3) continue;
        ++met;
        scr_vec3 n = vec3_scale(1.0 / distance, vec3_sub(nearest, sphere.pose.position));
        assert_within(out[0].gap, gap, 1e-12);
        assert_same_vector(out[0].normal, n, 1e-5);  // a search finds the place to the root of the rounding only
        assert_same_vector(out[0].point, vec3_add_scaled(sphere.pose.position, sphere.radius + 0.5 * gap, n), 1e-6);
        assert_swaps(&sphere, &box, 0.3);
    }
}

// Pushed out along the normal by its depth a sphere just touches the box; along no face would it be out sooner.
static void a_sphere_inside_a_box_leaves_by_the_nearest_face(void **state)
{
    (void)state;
    draws d = {4, 0};
    for (int k = 0; k < TRIALS; ++k) {
        placed_shape box = draw_box(&d, 2.0);
        scr_vec3 local = vec3_mul(box.half, draw_vector(&d, 1.0));
        placed_shape sphere =
            make_sphere(moved_point((motion){box.pose.rotation, box.pose.position}, local), draw(&d, 0.1, 1.0));
        double depth = INFINITY;
        for (int axis = 0; axis < 3; ++axis) {
            scr_vec3 n = box_axis_in_world(&box, axis), top = box_corner(&box, 7), low = box_corner(&box, 0);
            depth = fmin(depth, vec3_dot(n, vec3_sub(top, sphere.pose.position)));
            depth = fmin(depth, vec3_dot(n, vec3_sub(sphere.pose.position, low)));
        }
        contact_point c = only_contact(&sphere, &box, 0.0);
        assert_within(c.gap, -depth - sphere.radius, 1e-12);
        placed_shape out = sphere;
        out.pose.position = vec3_add_scaled(sphere.pose.position, c.gap, c.normal);
        assert_within(only_contact(&out, &box, 1.0).gap, 0.0, 1e-12);
        assert_same_vector(c.point, vec3_add_scaled(sphere.pose.position, 0.5 * (sphere.radius - depth), c.normal),
                           1e-12);
        assert_swaps(&sphere, &box, 0.0);
    }
}

static void no_place_of_a_sphere_in_a_box_gives_anything_but_numbers(void **state)
{
    (void)state;
    const double nudge[] = {0.0, 1e-300, -1e-300, 1e-17, -1e-17, 1e-15, -1e-15, 1e-9, -1e-9};
    enum { NUDGES = sizeof nudge / sizeof *nudge };
    draws d = {5, 0};
    for (int place = 0; place < 27; ++place) {  // corners, edges, faces and the centre of a unit cube
        scr_vec3 at = vec3(place % 3 - 1, place / 3 % 3 - 1, place / 9 - 1);
        for (int k = 0; k < NUDGES; ++k) {
            for (int turned = 0; turned < 2; ++turned) {
                placed_shape box = make_box(vec3(0, 0, 0), turned ? draw_rotation(&d) : QUAT_IDENTITY, vec3(1, 1, 1));
                scr_vec3 local = vec3_add_scaled(at, nudge[k], vec3(1.0, 1.0, 1.0));
                placed_shape sphere = make_sphere(quat_rotate(box.pose.rotation, local), 0.25);
                contact_point c = only_contact(&sphere, &box, 0.1);
                assert_true(vec3_is_finite(c.point) && vec3_is_finite(c.normal));
                assert_within(c.gap, place == 13 ? -1.25 : -0.25, 1e-8);
                assert_true(vec3_dot(c.normal, sphere.pose.position) <= 1e-9);  // never pulled through to the far side
                // On the surface to the last digits the nearest face decides, beyond it the true direction.
                scr_vec3 n = quat_unrotate(box.pose.rotation, c.normal);
                if (fabs(nudge[k]) <= 1e-15) assert_within(fmax(fabs(n.x), fmax(fabs(n.y), fabs(n.z))), 1.0, 1e-14);
                if (nudge[k] == 1e-9 && place == 26)
                    assert_same_vector(n, vec3_scale(-sqrt(1.0 / 3.0), vec3(1, 1, 1)), 1e-6);
            }
        }
    }
}

static void spheres_with_one_centre_part_upwards(void **state)
{
    (void)state;
    placed_shape a = make_sphere(vec3(1, 2, 3), 0.5), b = make_sphere(vec3(1, 2, 3), 0.25);
    contact_point c = only_contact(&a, &b, 0.0);
    assert_same_vector(c.normal, vec3(0, 0, 1), 0.0);
    assert_near(c.gap, -0.75, 1e-15);
    a.pose.position = vec3(0, 2, 3);
    b.pose.position = vec3(1e-160, 2, 3);  // its square is no ordinary number
    assert_true(vec3_is_finite(only_contact(&a, &b, 0.0).point));
}

static void nothing_meets_beyond_reach(void **state)
{
    (void)state;
    contact_point out[MANIFOLD_MAX];
    placed_shape a = make_sphere(vec3(0, 0, 0), 1.0), b = make_sphere(vec3(2.5, 0, 0), 1.0);
    placed_shape box = make_box(vec3(0, 2.5, 0), QUAT_IDENTITY, vec3(1, 1, 1)),
                 plane = make_plane(vec3(0, 0, -1.5), QUAT_IDENTITY);
    const placed_shape *others[] = {&b, &box, &plane};
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(narrow_phase(&a, others[k], 0.5, out), 0);  // exactly at reach is not nearer
        assert_int_equal(narrow_phase(&a, others[k], 0.5 + 1e-9, out), 1);
    }
    assert_int_equal(narrow_phase(&plane, &plane, 1.0, out), 0);
}

// A shift by 2^20 m is exact for coordinates that are multiples of 2^-20 m: gap and normal keep every bit.
static void far_from_the_origin_nothing_changes(void **state)
{
    (void)state;
    const double grid = 0x1p-20, far = 0x1p20;
    draws d = {6, 0};
    for (int k = 0; k < TRIALS; ++k) {
        scr_vec3 at = draw_vector(&d, 1.5);
        placed_shape sphere =
            make_sphere(vec3(floor(at.x / grid) * grid, floor(at.y / grid) * grid, floor(at.z / grid) * grid), 0.7);
        placed_shape others[] = {make_sphere(vec3(0, 0, 0), 0.9),
                                 make_box(vec3(0, 0, 0), draw_rotation(&d), vec3(1, 0.5, 0.7)),
                                 make_plane(vec3(0, 0, 0), draw_rotation(&d))};
        for (int o = 0; o < 3; ++o) {
            contact_point near[MANIFOLD_MAX], away[MANIFOLD_MAX];
            int count = narrow_phase(&sphere, &others[o], 0.1, near);
            motion shift = {QUAT_IDENTITY, vec3(far, -far, far)};
            placed_shape a = sphere, b = others[o];
            a.pose.position = moved_point(shift, a.pose.position);
            b.pose.position = moved_point(shift, b.pose.position);
            assert_int_equal(narrow_phase(&a, &b, 0.1, away), count);
            if (count == 0) continue;
            assert_true(away[0].gap == near[0].gap);
            assert_same_vector(away[0].normal, near[0].normal, 0.0);
            assert_same_vector(away[0].point, moved_point(shift, near[0].point), far * 1e-15);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_spheres_meet_on_the_line_of_centres),
        cmocka_unit_test(a_sphere_meets_a_plane_below_its_centre),
        cmocka_unit_test(a_sphere_outside_a_box_meets_its_nearest_point),
        cmocka_unit_test(a_sphere_inside_a_box_leaves_by_the_nearest_face),
        cmocka_unit_test(no_place_of_a_sphere_in_a_box_gives_anything_but_numbers),
        cmocka_unit_test(spheres_with_one_centre_part_upwards),
        cmocka_unit_test(nothing_meets_beyond_reach),
        cmocka_unit_test(far_from_the_origin_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
