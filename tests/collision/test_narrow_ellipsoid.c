// SPDX-License-Identifier: BSD-3-Clause
// Ellipsoids against spheres, planes and each other.
//
// Pairs are made with a known answer: the two surfaces face each other at points with opposite normals, at a given gap.
// If they are apart no other gap can be smaller, both being convex. If they overlap no further than their inner balls
// none can either. Deeper overlap is compared with a search over all directions (height_search.h).
#include "ellipsoid_shapes.h"

#include "collision/ellipsoid/narrow_ellipsoid.h"
#include "collision/narrow/narrow_sphere.h"

enum { TRIALS = 3000, SEARCHES = 250 };

static const double FLATTEST[] = {1.0, 0.6, 0.1, 0.01};
enum { FLATNESSES = sizeof FLATTEST / sizeof *FLATTEST };

typedef struct two_shapes {
    const placed_shape *a, *b;
} two_shapes;

static double extent(const placed_shape *s, scr_vec3 n)
{
    return s->kind == SCR_SPHERE ? s->radius : extent_along(s, n);
}

static double height_between(scr_vec3 n, const void *context)
{
    const two_shapes *t = context;
    return vec3_dot(n, vec3_sub(t->b->pose.position, t->a->pose.position)) - extent(t->a, n) - extent(t->b, n);
}

// Minus the least overlap of two shapes, or their distance.
static double searched_gap(const placed_shape *a, const placed_shape *b)
{
    placed_shape even = make_ellipsoid(vec3(0, 0, 0), QUAT_IDENTITY, vec3(1, 1, 1));
    placed_shape spreads[3] = {even, b->kind == SCR_ELLIPSOID ? *b : even, a->kind == SCR_ELLIPSOID ? *a : even};
    scr_vec3 n;
    return search_highest(height_between, &(two_shapes){a, b}, spreads, 3, &n);
}

static void assert_swaps(const placed_shape *a, const placed_shape *b, double reach, double distance)
{
    contact_point ab = only_contact(a, b, reach), ba = only_contact(b, a, reach);
    assert_same_vector(ab.normal, vec3_neg(ba.normal), distance);
    assert_same_vector(ab.point, ba.point, distance);
    assert_within(ab.gap, ba.gap, distance);
}

static void an_ellipsoid_meets_a_plane_where_their_normals_are_opposite(void **state)
{
    (void)state;
    draws d = {1, 0};
    for (int k = 0; k < TRIALS; ++k) {
        placed_shape e = draw_ellipsoid(&d, draw_vector(&d, 1.0), FLATTEST[k % FLATNESSES]);
        surface_point s = draw_surface_point(&d, &e);
        double least = least_axis(&e), gap = draw(&d, -3.0, 0.5) * least;
        placed_shape plane = make_plane(vec3(0, 0, 0), draw_rotation(&d));
        scr_vec3 up = quat_rotate(plane.pose.rotation, vec3(0, 0, 1));
        // Turn the ellipsoid until its normal there looks down on the plane.
        scr_vec3 axis = vec3_cross(s.normal, vec3_neg(up));
        double cosine = -vec3_dot(s.normal, up);
        if (cosine < -0.9) continue;
        motion rotation = {quat_unit((scr_quat){1.0 + cosine, axis.x, axis.y, axis.z}), vec3(0, 0, 0)};
        e = moved(rotation, e);
        scr_vec3 touch = vec3_add(e.pose.position, quat_rotate(rotation.rotation, s.arm));
        plane.pose.position = vec3_add(vec3_add_scaled(touch, -gap, up), vec3_cross(up, draw_vector(&d, 2.0)));
        contact_point c = only_contact(&e, &plane, least);
        assert_within(c.gap, gap, 1e-12 * least);
        assert_same_vector(c.normal, vec3_neg(up), 1e-14);
        // The point moves by the curvature's radius times the rounding of the turn.
        double radius = longest_axis(&e) * longest_axis(&e) / least;
        assert_same_vector(c.point, vec3_add_scaled(touch, -0.5 * gap, up), 2e-15 * radius + 1e-14);
        assert_swaps(&e, &plane, least, 0.0);
    }
}

static void a_sphere_meets_an_ellipsoid_at_its_nearest_point(void **state)
{
    (void)state;
    draws d = {2, 0};
    for (int k = 0; k < TRIALS; ++k) {
        placed_shape e = draw_ellipsoid(&d, draw_vector(&d, 1.0), FLATTEST[k % FLATNESSES]);
        surface_point s = draw_surface_point(&d, &e);
        double least = least_axis(&e), radius = draw(&d, 0.1, 2.0) * least;
        // From inside, as deep as the inner ball, to outside.
        double centre = draw(&d, -0.99 * safe_overlap(&e, s.normal), radius + 0.5 * least), gap = centre - radius;
        scr_vec3 touch = vec3_add(e.pose.position, s.arm);
        placed_shape sphere = make_sphere(vec3_add_scaled(touch, centre, s.normal), radius);
        contact_point c = only_contact(&sphere, &e, least);
        assert_within(c.gap, gap, 1e-12 * least);
        assert_swaps(&sphere, &e, least, 0.0);
        // How fast the normal turns with the centre: it has no limit near the middle of the inner ball.
        double room = safe_overlap(&e, s.normal) + centre;
        assert_same_vector(c.normal, vec3_neg(s.normal), 1e-14 * longest_axis(&e) / room);
        assert_same_vector(c.point, vec3_add_scaled(touch, 0.5 * gap, s.normal), 1e-14 * longest_axis(&e) / room);
    }
}

static void a_sphere_deep_in_an_ellipsoid_takes_the_shortest_way_out(void **state)
{
    (void)state;
    draws d = {3, 0};
    for (int k = 0; k < SEARCHES; ++k) {
        placed_shape e = draw_ellipsoid(&d, draw_vector(&d, 1.0), FLATTEST[k % FLATNESSES]);
        scr_vec3 u = vec3_scale(draw(&d, 0.0, 1.0), quat_rotate(draw_rotation(&d), vec3(0, 0, 1)));
        if (k % 3 == 1) u.x = 0.0;  // in planes of symmetry
        if (k % 5 == 1) u.z = 0.0;
        if (k % 7 == 1) u = vec3(0, u.y, 0);
        scr_vec3 centre = pose_apply(e.pose, vec3_mul(u, e.half));
        placed_shape sphere = make_sphere(centre, 0.3 * least_axis(&e));
        assert_within(only_contact(&sphere, &e, 0.0).gap, searched_gap(&sphere, &e), 1e-10 * least_axis(&e));
    }
}

// Just beside the axes and planes, and at the centre, of ellipsoids with equal and unequal axes.
static void no_place_of_a_sphere_in_an_ellipsoid_gives_anything_but_numbers(void **state)
{
    (void)state;
    const double nudge[] = {0.0, 5e-324, 1e-300, -1e-160, 1e-17, -1e-9};
    const scr_vec3 sizes[] = {{1, 1, 1}, {1, 1, 0.5}, {1, 0.5, 0.5}, {0.5, 1, 0.7}, {1, 0.01, 1}, {1e-3, 1, 0.1}};
    for (int n = 0; n < 6; ++n) {
        for (int size = 0; size < 6; ++size) {
            placed_shape e = make_ellipsoid(vec3(0, 0, 0), QUAT_IDENTITY, sizes[size]);
            for (int place = 0; place < 125;
                 ++place) {  // from the centre over the focal curve to the surface and beyond
                const double part[] = {0.0, 0.5, 0.75, 1.0, 1.2};
                scr_vec3 u = vec3(part[place % 5], part[place / 5 % 5], part[place / 25]);
                scr_vec3 at = vec3_add_scaled(vec3_mul(u, e.half), nudge[n], vec3(1, -1, 1));
                placed_shape sphere = make_sphere(at, 10.0);
                contact_point c = only_contact(&sphere, &e, 0.0);
                assert_true(vec3_is_finite(c.point));
                double height = -vec3_dot(c.normal, at) - extent_along(&e, c.normal) - 10.0;
                assert_within(c.gap, height, 1e-14);
                if (place == 0) assert_within(c.gap, -least_axis(&e) - 10.0, 2e-9);
            }
        }
    }
}

// Two ellipsoids face each other at points with opposite normals; b is placed at the given gap.
static void place_facing(draws *d, const placed_shape *a, placed_shape *b, double gap, scr_vec3 *n, scr_vec3 *middle)
{
    surface_point s = draw_surface_point(d, a);
    *n = s.normal;
    scr_vec3 touch = vec3_add(a->pose.position, s.arm);
    b->pose.position = vec3_add(vec3_add_scaled(touch, gap, *n), arm_along(b, *n));
    *middle = vec3_add_scaled(touch, 0.5 * gap, *n);
}

static void two_ellipsoids_meet_where_their_normals_are_opposite(void **state)
{
    (void)state;
    draws d = {4, 0};
    for (int k = 0; k < 4 * TRIALS; ++k) {
        double flattest = FLATTEST[k % FLATNESSES], size = pow(10.0, draw(&d, -1.0, 1.0));
        placed_shape a = draw_ellipsoid(&d, draw_vector(&d, 1.0), flattest),
                     b = draw_ellipsoid(&d, a.pose.position, flattest);
        b.half = vec3_scale(size, b.half);
        double least = fmin(least_axis(&a), least_axis(&b)), gap = draw(&d, 0.0, 2.0) * least;
        scr_vec3 n, middle;
        place_facing(&d, &a, &b, gap, &n, &middle);
        double safe = safe_overlap(&a, n) + safe_overlap(&b, n);
        if (k % 2) {
            double overlap = draw(&d, 0.0, 0.99) * safe;
            b.pose.position = vec3_add_scaled(b.pose.position, -gap - overlap, n);
            middle = vec3_add_scaled(middle, -0.5 * gap - 0.5 * overlap, n);
            gap = -overlap;
        }
        contact_point c = only_contact(&a, &b, 3.0 * least);
        assert_within(c.gap, gap, 1e-12 * least);
        assert_swaps(&a, &b, 3.0 * least, 0.0);
        double sharp =
            (longest_axis(&a) + longest_axis(&b)) / (safe + gap);  // how fast the normal turns with the place
        assert_same_vector(c.normal, n, 1e-11 + 1e-13 * sharp / flattest);
        assert_same_vector(c.point, middle, (1e-11 + 1e-13 * sharp / flattest) * (size + 1.0) / flattest);
    }
}

static void deep_overlap_takes_the_shortest_way_out(void **state)
{
    (void)state;
    draws d = {5, 0};
    for (int k = 0; k < SEARCHES; ++k) {
        double flattest = FLATTEST[k % FLATNESSES];
        placed_shape a = draw_ellipsoid(&d, draw_vector(&d, 1.0), flattest),
                     b = draw_ellipsoid(&d, a.pose.position, flattest);
        if (k % 5 == 0) b.pose.rotation = a.pose.rotation;
        scr_vec3 n, middle;
        place_facing(&d, &a, &b, 0.0, &n, &middle);
        scr_vec3 apart = vec3_scale(draw(&d, 0.0, 1.0), vec3_sub(b.pose.position, a.pose.position));
        b.pose.position = vec3_add(a.pose.position, apart);
        double least = fmin(least_axis(&a), least_axis(&b)), gap = searched_gap(&a, &b);
        contact_point c = only_contact(&a, &b, 0.0);
        assert_within(c.gap, gap, 1e-9 * least);  // the search's own accuracy
        assert_within(c.gap, height_between(c.normal, &(two_shapes){&a, &b}), 1e-12 * least);
        assert_swaps(&a, &b, 0.0, 0.0);
        // Pushed apart along the normal they just touch.
        b.pose.position = vec3_add_scaled(b.pose.position, -c.gap, c.normal);
        assert_within(only_contact(&a, &b, least).gap, 0.0, 1e-10 * least);
    }
}

static void round_ellipsoids_are_spheres(void **state)
{
    (void)state;
    draws d = {6, 0};
    for (int k = 0; k < TRIALS; ++k) {
        double ra = draw(&d, 0.1, 2.0), rb = draw(&d, 0.1, 2.0), apart = draw(&d, 0.0, 1.2) * (ra + rb);
        scr_vec3 xa = draw_vector(&d, 3.0),
                 xb = vec3_add_scaled(xa, apart, quat_rotate(draw_rotation(&d), vec3(0, 0, 1)));
        if (k % 10 == 0) xb = xa;
        placed_shape sphere[2] = {make_sphere(xa, ra), make_sphere(xb, rb)};
        placed_shape round[2] = {make_ellipsoid(xa, draw_rotation(&d), vec3(ra, ra, ra)),
                                 make_ellipsoid(xb, draw_rotation(&d), vec3(rb, rb, rb))};
        contact_point expected = only_contact(&sphere[0], &sphere[1], 10.0);
        for (int mix = 1; mix < 4; ++mix) {
            const placed_shape *a = mix & 1 ? &round[0] : &sphere[0], *b = mix & 2 ? &round[1] : &sphere[1];
            contact_point c = only_contact(a, b, 10.0);
            assert_within(c.gap, expected.gap, 1e-12);
            if (apart < 1e-3 || k % 10 == 0) continue;
            assert_same_vector(c.normal, expected.normal, 1e-12 / fmin(apart, 1.0));
            assert_same_vector(c.point, expected.point, 1e-12 / fmin(apart, 1.0));
        }
    }
}

static void ellipsoids_with_one_centre_part_along_their_shortest_axes(void **state)
{
    (void)state;
    draws d = {7, 0};
    for (int k = 0; k < 400; ++k) {
        scr_vec3 centre = draw_vector(&d, 1.0);
        placed_shape a = draw_ellipsoid(&d, centre, FLATTEST[k % FLATNESSES]), b = a;
        if (k % 2) b.half = vec3_scale(draw(&d, 0.5, 2.0), b.half);
        if (k % 3 == 1) b.pose.position = vec3_add(centre, vec3(1e-160, -1e-161, 1e-300));
        contact_point c = only_contact(&a, &b, 0.0);
        assert_within(c.gap, -(least_axis(&a) + least_axis(&b)), 1e-12 * least_axis(&a));
        assert_true(vec3_is_finite(c.point));
    }
    // Discs lying in each other part upwards; nothing else says where to.
    placed_shape disc = make_ellipsoid(vec3(0, 0, 0), QUAT_IDENTITY, vec3(1, 1, 0.1));
    assert_same_vector(only_contact(&disc, &disc, 0.0).normal, vec3(0, 0, 1), 1e-14);
}

// What reach decides is whether there is a contact, never which.
static void reach_only_decides_whether(void **state)
{
    (void)state;
    draws d = {8, 0};
    int met = 0;
    for (int k = 0; k < TRIALS; ++k) {
        double flattest = FLATTEST[k % FLATNESSES];
        placed_shape a = draw_ellipsoid(&d, draw_vector(&d, 1.0), flattest),
                     b = draw_ellipsoid(&d, draw_vector(&d, 1.0), flattest);
        placed_shape others[3] = {b, make_sphere(b.pose.position, 0.3), make_plane(b.pose.position, b.pose.rotation)};
        for (int o = 0; o < 3; ++o) {
            contact_point whole = only_contact(&a, &others[o], 100.0), out[MANIFOLD_MAX];
            const double reaches[] = {-1.0, -0.1, 0.0, 0.01, 0.2, 1.0};
            for (int r = 0; r < 6; ++r) {
                int count = narrow_phase(&a, &others[o], reaches[r], out);
                if (fabs(whole.gap - reaches[r]) > 1e-12) assert_int_equal(count, whole.gap < reaches[r]);
                if (count == 0) continue;
                ++met;
                assert_true(out[0].gap == whole.gap);
                assert_same_vector(out[0].normal, whole.normal, 0.0);
                assert_same_vector(out[0].point, whole.point, 0.0);
            }
            assert_int_equal(narrow_phase(&a, &others[o], whole.gap, out), 0);  // exactly at reach is not nearer
        }
    }
    assert_true(met > TRIALS);
}

// A shift by 2^20 m is exact for coordinates that are multiples of 2^-20 m: gap and normal keep every bit.
static void far_from_the_origin_nothing_changes(void **state)
{
    (void)state;
    const double grid = 0x1p-20, far = 0x1p20;
    draws d = {9, 0};
    for (int k = 0; k < TRIALS; ++k) {
        scr_vec3 at = vec3_scale(1.0 / grid, draw_vector(&d, 1.0));
        at = vec3_scale(grid, vec3(floor(at.x), floor(at.y), floor(at.z)));
        placed_shape e = draw_ellipsoid(&d, at, 0.1), zero = draw_ellipsoid(&d, vec3(0, 0, 0), 0.1);
        placed_shape others[3] = {zero, make_sphere(zero.pose.position, 0.5),
                                  make_plane(zero.pose.position, zero.pose.rotation)};
        for (int o = 0; o < 3; ++o) {
            contact_point near = only_contact(&e, &others[o], 10.0);
            scr_vec3 shift = vec3(far, -far, far);
            placed_shape a = e, b = others[o];
            a.pose.position = vec3_add(a.pose.position, shift);
            b.pose.position = vec3_add(b.pose.position, shift);
            contact_point away = only_contact(&a, &b, 10.0);
            assert_true(away.gap == near.gap);
            assert_same_vector(away.normal, near.normal, 0.0);
            assert_same_vector(away.point, vec3_add(near.point, shift), far * 1e-15);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ellipsoid_meets_a_plane_where_their_normals_are_opposite),
        cmocka_unit_test(a_sphere_meets_an_ellipsoid_at_its_nearest_point),
        cmocka_unit_test(a_sphere_deep_in_an_ellipsoid_takes_the_shortest_way_out),
        cmocka_unit_test(no_place_of_a_sphere_in_an_ellipsoid_gives_anything_but_numbers),
        cmocka_unit_test(two_ellipsoids_meet_where_their_normals_are_opposite),
        cmocka_unit_test(deep_overlap_takes_the_shortest_way_out),
        cmocka_unit_test(round_ellipsoids_are_spheres),
        cmocka_unit_test(ellipsoids_with_one_centre_part_along_their_shortest_axes),
        cmocka_unit_test(reach_only_decides_whether),
        cmocka_unit_test(far_from_the_origin_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
