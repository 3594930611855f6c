// SPDX-License-Identifier: BSD-3-Clause
// Spheres and capsules against a triangle. The oracle searches the triangle's points by thirds, in barycentric
// coordinates: a distance is convex in them.
#include "check.h"

#include "collision/surface/narrow_triangle.h"
#include "narrow_shapes.h"

enum { TRIALS = 2000, THIRDS = 70 };

// ---- The oracle ----

typedef double cost(double at, void *context);

static double least(cost *f, void *context, double low, double high, double *at)
{
    for (int k = 0; k < THIRDS; ++k) {
        double p = low + (high - low) / 3.0, q = high - (high - low) / 3.0;
        if (f(p, context) < f(q, context)) high = q;
        else low = p;
    }
    *at = 0.5 * (low + high);
    // The ends are reached exactly only if they are tried.
    double value = f(*at, context);
    return fmin(value, fmin(f(low, context), f(high, context)));
}

typedef struct search {
    const scr_vec3 *corner;
    scr_vec3 from;
    scr_vec3 centre, arm;
    double across;
} search;

// From the point to a line of the triangle parallel to corner 0 - corner 1, in closed form.
static double to_line(double across, void *context)
{
    const search *s = context;
    scr_vec3 p = vec3_add_scaled(s->corner[0], across, vec3_sub(s->corner[2], s->corner[0]));
    scr_vec3 q = vec3_add_scaled(s->corner[1], across, vec3_sub(s->corner[2], s->corner[1]));
    scr_vec3 line = vec3_sub(q, p), arm = vec3_sub(s->from, p);
    double square = vec3_dot(line, line), t = square > 0.0 ? fmin(1.0, fmax(0.0, vec3_dot(arm, line) / square)) : 0.0;
    return vec3_norm(vec3_add_scaled(arm, -t, line));
}

static double searched_distance(const scr_vec3 corner[3], scr_vec3 from)
{
    search s = {.corner = corner, .from = from};
    double at, value = least(to_line, &s, 0.0, 1.0, &at);
    return fmin(value, fmin(to_line(0.0, &s), to_line(1.0, &s)));
}

static double from_axis(double u, void *context)
{
    const search *s = context;
    return searched_distance(s->corner, vec3_add_scaled(s->centre, u, s->arm));
}

static void draw_triangle(draws *d, double room, scr_vec3 corner[3])
{
    for (int k = 0; k < 3; ++k) corner[k] = draw_vector(d, room);
}

static scr_vec3 front(const scr_vec3 corner[3])
{
    return vec3_unit(vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0])));
}

// Where the foot of a contact on the triangle is: the number of the part, by barycentric coordinates.
static int feature_by_areas(const scr_vec3 corner[3], scr_vec3 foot, double hair)
{
    scr_vec3 n = vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0]));
    bool on_edge[3];
    int edges = 0, edge = 0;
    for (int k = 0; k < 3; ++k) {
        scr_vec3 side = vec3_sub(corner[(k + 1) % 3], corner[k]), arm = vec3_sub(foot, corner[k]);
        on_edge[k] = vec3_dot(vec3_cross(side, arm), n) < hair * vec3_dot(n, n);
        edges += on_edge[k];
        if (on_edge[k]) edge = k;
    }
    if (edges == 0) return TRIANGLE_FACE;
    if (edges == 1) return TRIANGLE_EDGE + edge;
    for (int k = 0; k < 3; ++k)
        if (on_edge[k] && on_edge[(k + 2) % 3]) return TRIANGLE_CORNER + k;  // edges k - 1 and k meet at corner k
    return -1;
}

// ---- Spheres ----

static void a_sphere_meets_the_triangles_nearest_point(void **state)
{
    (void)state;
    draws d = {1, 0};
    int seen[7] = {0};
    for (int k = 0; k < TRIALS; ++k) {
        scr_vec3 corner[3];
        draw_triangle(&d, 1.0, corner);
        scr_vec3 centre = draw_vector(&d, 1.5);
        double radius = draw(&d, 0.05, 1.0), reach = 0.3, distance = searched_distance(corner, centre);
        contact_point c;
        int feature, count = sphere_triangle(centre, radius, corner, reach, &c, &feature);
        assert_int_equal(count, distance - radius < reach);
        if (count == 0) continue;
        assert_within(c.gap, distance - radius, 1e-12);
        assert_near(vec3_norm(c.normal), 1.0, 1e-14);
        assert_int_equal(c.feature, feature);
        scr_vec3 foot = vec3_add_scaled(c.point, 0.5 * c.gap, c.normal);
        assert_same_vector(foot, vec3_add_scaled(centre, distance, c.normal), 1e-12);
        assert_within(searched_distance(corner, foot), 0.0, 1e-12);
        double area = vec3_norm(vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0])));
        if (area > 0.05) assert_int_equal(feature_by_areas(corner, foot, 1e-9), feature);
        ++seen[feature];
        // From behind it is the same, seen in a mirror; turned and shifted too.
        motion m = {draw_rotation(&d), draw_vector(&d, 10.0)};
        scr_vec3 other[3] = {moved_point(m, corner[2]), moved_point(m, corner[1]), moved_point(m, corner[0])};
        contact_point c2;
        int feature2;
        assert_int_equal(sphere_triangle(moved_point(m, centre), radius, other, reach + 1e-9, &c2, &feature2), 1);
        assert_within(c2.gap, c.gap, 1e-12);
        assert_same_vector(c2.normal, quat_rotate(m.rotation, c.normal), 1e-11 / fmin(1.0, distance));
        assert_same_vector(c2.point, moved_point(m, c.point), 1e-12 / fmin(1.0, distance));
        const int mirrored[7] = {0, 2, 1, 3, 6, 5, 4};
        assert_int_equal(feature2, mirrored[feature]);
    }
    for (int feature = 0; feature < 7; ++feature) assert_true(seen[feature] > 50);
}

// However thin it is, the distance to a needle is that to its longest edge, give or take its height.
static void needles_lines_and_points_have_their_distance(void **state)
{
    (void)state;
    draws d = {2, 0};
    const double heights[] = {1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 1e-18, 1e-200, 0.0};
    for (int k = 0; k < TRIALS; ++k) {
        double height = heights[k % 8];
        motion m = {draw_rotation(&d), draw_vector(&d, 1.0)};
        scr_vec3 flat[3] = {vec3(-1, 0, 0), vec3(1, 0, 0), vec3(draw(&d, -1.5, 1.5), height, 0)}, corner[3];
        if (k % 5 == 0) flat[2] = flat[k % 2];
        if (k % 50 == 1) flat[1] = flat[2] = flat[0];
        for (int i = 0; i < 3; ++i) corner[(i + k) % 3] = moved_point(m, flat[i]);
        // Right over it half of the time, near to it sometimes.
        scr_vec3 above = vec3(draw(&d, -1.2, 1.2), k % 2 == 0 ? 0.3 * height : draw(&d, -0.2, 0.2), draw(&d, 0.0, 0.4));
        if (k % 7 == 0) above.z = 0.0;
        scr_vec3 centre = moved_point(m, above);
        contact_point c;
        int feature;
        assert_int_equal(sphere_triangle(centre, 0.5, corner, 3.0, &c, &feature), 1);
        assert_within(c.gap, searched_distance(corner, centre) - 0.5, 1e-12);
        assert_near(vec3_norm(c.normal), 1.0, 1e-13);
        assert_true(vec3_is_finite(c.point) && feature >= 0 && feature < 7);
    }
}

static void a_centre_in_the_plane_is_pushed_out_in_front(void **state)
{
    (void)state;
    draws d = {3, 0};
    for (int k = 0; k < TRIALS; ++k) {
        scr_vec3 corner[3] = {vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0)};
        double x = draw(&d, 0.0, 1.0), y = draw(&d, 0.0, 1.0 - x);
        if (k % 4 == 0) y = 0.0;   // on an edge
        if (k % 16 == 0) x = 0.0;  // on a corner
        contact_point c;
        int feature;
        assert_int_equal(sphere_triangle(vec3(x, y, 0.0), 0.1, corner, 0.0, &c, &feature), 1);
        assert_same_vector(c.normal, vec3(0, 0, -1), 1e-14);
        assert_within(c.gap, -0.1, 1e-14);
        assert_same_vector(c.point, vec3(x, y, -0.05), 1e-14);
    }
}

// A shift by 2^20 m is exact for coordinates that are multiples of 2^-20 m.
static void far_from_the_origin_nothing_changes(void **state)
{
    (void)state;
    const double far = 0x1p20;
    draws d = {4, 0};
    for (int k = 0; k < TRIALS; ++k) {
        scr_vec3 at[5], shift = vec3(far, -far, far);
        for (int i = 0; i < 5; ++i) {
            scr_vec3 v = vec3_scale(0x1p20, draw_vector(&d, 1.0));
            at[i] = vec3_scale(0x1p-20, vec3(floor(v.x), floor(v.y), floor(v.z)));
        }
        scr_vec3 away[4];
        for (int i = 0; i < 4; ++i) away[i] = vec3_add(at[i], shift);
        contact_point c[CAPSULE_TRIANGLE_MAX], c2[CAPSULE_TRIANGLE_MAX];
        int feature[CAPSULE_TRIANGLE_MAX], feature2[CAPSULE_TRIANGLE_MAX];
        int count = capsule_triangle(at[3], at[4], 0.3, at, 0.2, c, feature);
        assert_int_equal(capsule_triangle(away[3], at[4], 0.3, away, 0.2, c2, feature2), count);
        for (int i = 0; i < count; ++i) {
            assert_true(c2[i].gap == c[i].gap && feature2[i] == feature[i]);
            assert_same_vector(c2[i].normal, c[i].normal, 0.0);
            assert_same_vector(c2[i].point, vec3_add(c[i].point, shift), far * 1e-15);
        }
        count = sphere_triangle(at[3], 0.3, at, 0.2, c, feature);
        assert_int_equal(sphere_triangle(away[3], 0.3, away, 0.2, c2, feature2), count);
        if (count > 0) assert_true(c2[0].gap == c[0].gap && feature2[0] == feature[0]);
    }
}

// ---- Capsules ----

static void a_capsules_nearest_gap_is_the_distance(void **state)
{
    (void)state;
    draws d = {5, 0};
    int met = 0, pierced = 0;
    for (int k = 0; k < TRIALS; ++k) {
        scr_vec3 corner[3], centre = draw_vector(&d, 1.5), arm = draw_vector(&d, 0.8);
        draw_triangle(&d, 1.0, corner);
        if (k % 4 == 0) arm = vec3_add_scaled(arm, -vec3_dot(arm, front(corner)), front(corner));
        if (k % 4 == 1) arm = vec3_scale(draw(&d, 0.1, 1.0), vec3_sub(corner[1], corner[0]));
        if (k % 4 == 2) centre = vec3_add_scaled(vec3_scale(0.5, vec3_add(corner[0], corner[1])), 0.3, centre);
        double radius = draw(&d, 0.1, 0.5), reach = 0.4, at;
        search s = {.corner = corner, .centre = centre, .arm = arm};
        double distance = fmin(least(from_axis, &s, -1.0, 1.0, &at), fmin(from_axis(-1.0, &s), from_axis(1.0, &s)));
        contact_point c[CAPSULE_TRIANGLE_MAX];
        int feature[CAPSULE_TRIANGLE_MAX], count = capsule_triangle(centre, arm, radius, corner, reach, c, feature);
        assert_int_equal(count > 0, distance - radius < reach);
        if (count == 0) continue;
        ++met;
        double gap = INFINITY;
        for (int i = 0; i < count; ++i) {
            gap = fmin(gap, c[i].gap);
            assert_near(vec3_norm(c[i].normal), 1.0, 1e-13);
            assert_true(i == 0 || c[i].feature > c[i - 1].feature);
        }
        if (distance < 1e-9) {  // pierced: out along the front's normal, as deep as the stretch over the face is
            ++pierced;
            assert_within(fabs(vec3_dot(c[0].normal, front(corner))), 1.0, 1e-11);
            assert_true(gap <= -radius);
            continue;
        }
        assert_within(gap, distance - radius, 1e-12);
        // Every point is truly on both: its foot on the triangle, a radius from the axis, and as near as it says.
        for (int i = 0; i < count; ++i) {
            scr_vec3 foot = vec3_add_scaled(c[i].point, 0.5 * c[i].gap, c[i].normal);
            assert_within(searched_distance(corner, foot), 0.0, 1e-12);
            scr_vec3 on_axis = vec3_add_scaled(foot, -(c[i].gap + radius), c[i].normal), r = vec3_sub(on_axis, centre);
            double u = vec3_dot(r, arm) / vec3_dot(arm, arm);
            assert_within(u, 0.0, 1.0 + 1e-11);
            assert_same_vector(r, vec3_scale(u, arm), 1e-11);
            assert_within(searched_distance(corner, on_axis), c[i].gap + radius, 1e-12);
        }
    }
    assert_true(met > TRIALS / 4 && pierced > TRIALS / 50);
}

static void a_capsule_lying_on_a_triangle_has_the_stretchs_two_ends(void **state)
{
    (void)state;
    const scr_vec3 corner[3] = {vec3(0, 0, 0), vec3(4, 0, 0), vec3(0, 4, 0)};
    contact_point c[CAPSULE_TRIANGLE_MAX];
    int feature[CAPSULE_TRIANGLE_MAX];
    // Inside; both ends over the face. From behind, the mirror image.
    for (int side = -1; side <= 1; side += 2) {
        assert_int_equal(capsule_triangle(vec3(1, 1, 0.45 * side), vec3(0.5, 0, 0), 0.5, corner, 0.1, c, feature), 2);
        for (int i = 0; i < 2; ++i) {
            assert_same_vector(c[i].point, vec3(i == 0 ? 0.5 : 1.5, 1, -0.025 * side), 1e-14);
            assert_same_vector(c[i].normal, vec3(0, 0, -side), 1e-14);
            assert_within(c[i].gap, -0.05, 1e-14);
            assert_int_equal(feature[i], TRIANGLE_FACE);
        }
    }
    // Longer than the triangle: cut by the edge from corner 2 to 0 and by that from 1 to 2.
    assert_int_equal(capsule_triangle(vec3(1, 1, 0.5), vec3(9, 0, 0), 0.5, corner, 0.1, c, feature), 2);
    assert_same_vector(c[0].point, vec3(0, 1, 0), 1e-13);
    assert_same_vector(c[1].point, vec3(3, 1, 0), 1e-13);
    assert_int_equal(feature[0], TRIANGLE_EDGE + 2);
    assert_int_equal(feature[1], TRIANGLE_EDGE + 1);
    // Beside an edge, higher than it: two points on the edge.
    assert_int_equal(capsule_triangle(vec3(2, -0.3, 0.4), vec3(1, 0, 0), 0.45, corner, 0.1, c, feature), 2);
    for (int i = 0; i < 2; ++i) {
        assert_within(c[i].gap, 0.05, 1e-14);
        assert_same_vector(c[i].normal, vec3(0, 0.6, -0.8), 1e-14);
        assert_int_equal(feature[i], TRIANGLE_EDGE + 0);
    }
    // Upright: its end alone. Through the face: out to the side of its middle.
    assert_int_equal(capsule_triangle(vec3(1, 1, 1.2), vec3(0, 0, 1), 0.25, corner, 0.1, c, feature), 1);
    assert_within(c[0].gap, -0.05, 1e-14);
    assert_int_equal(capsule_triangle(vec3(1, 1, -0.5), vec3(0.5, 0, 1), 0.25, corner, 0.1, c, feature), 1);
    assert_same_vector(c[0].normal, vec3(0, 0, 1), 1e-14);
    assert_within(c[0].gap, -0.75, 1e-14);
    assert_int_equal(c[0].feature, 1);
}

// A capsule that rocks by a hair keeps its points.
static void tiny_motions_keep_features_and_points(void **state)
{
    (void)state;
    draws d = {6, 0};
    for (int k = 0; k < TRIALS; ++k) {
        const scr_vec3 corner[3] = {vec3(0, 0, 0), vec3(4, 0, 0), vec3(0, 4, 0)};
        scr_vec3 centre = vec3(1, 1, 0.5), arm = vec3(draw(&d, 0.2, 3.0), draw(&d, -0.5, 0.5), 0.0);
        contact_point before[CAPSULE_TRIANGLE_MAX], after[CAPSULE_TRIANGLE_MAX];
        int feature[CAPSULE_TRIANGLE_MAX], feature2[CAPSULE_TRIANGLE_MAX];
        assert_int_equal(capsule_triangle(centre, arm, 0.5, corner, 0.1, before, feature), 2);
        const double tiny = 1e-7;
        centre = vec3_add(centre, draw_vector(&d, tiny));
        arm = vec3_add(arm, draw_vector(&d, tiny));
        int count = capsule_triangle(centre, arm, 0.5, corner, 0.1, after, feature2);
        assert_in_range(count, 2, 3);  // an end beyond the triangle may be nearest, by a hair
        for (int i = 0; i < 2; ++i) {
            assert_int_equal(after[i].feature, before[i].feature);
            assert_same_vector(after[i].point, before[i].point, 50.0 * tiny);
            assert_same_vector(after[i].normal, before[i].normal, 50.0 * tiny);
        }
    }
}

static void coordinates_that_are_no_numbers_meet_nothing(void **state)
{
    (void)state;
    const scr_vec3 lost[3] = {vec3(NAN, 0, 0), vec3(NAN, 0, 0), vec3(NAN, 1, 0)};
    const scr_vec3 sound[3] = {vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0)};
    contact_point c[CAPSULE_TRIANGLE_MAX];
    int feature[CAPSULE_TRIANGLE_MAX];
    assert_int_equal(sphere_triangle(vec3(0, 0, 0), 1.0, lost, 1.0, c, feature), 0);
    assert_int_equal(capsule_triangle(vec3(0, 0, 0), vec3(1, 0, 0), 1.0, lost, 1.0, c, feature), 0);
    assert_int_equal(sphere_triangle(vec3(0, NAN, 0), 1.0, sound, 1.0, c, feature), 0);
    assert_int_equal(capsule_triangle(vec3(0, NAN, 0), vec3(1, 0, 0), 1.0, sound, 1.0, c, feature), 0);
    assert_int_equal(sphere_triangle(vec3(INFINITY, 0, 0), 1.0, sound, 1.0, c, feature), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_meets_the_triangles_nearest_point),
        cmocka_unit_test(needles_lines_and_points_have_their_distance),
        cmocka_unit_test(a_centre_in_the_plane_is_pushed_out_in_front),
        cmocka_unit_test(far_from_the_origin_nothing_changes),
        cmocka_unit_test(a_capsules_nearest_gap_is_the_distance),
        cmocka_unit_test(a_capsule_lying_on_a_triangle_has_the_stretchs_two_ends),
        cmocka_unit_test(tiny_motions_keep_features_and_points),
        cmocka_unit_test(coordinates_that_are_no_numbers_meet_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
