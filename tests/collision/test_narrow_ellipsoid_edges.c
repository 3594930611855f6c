// SPDX-License-Identifier: BSD-3-Clause
// Ellipsoids against triangles, capsules and boxes.
//
// As in test_narrow_ellipsoid.c pairs are made with a known answer: a face, an edge or a corner is put where the
// ellipsoid has a drawn normal, at a given gap, and the rest of the body lies behind it. A search over all directions
// decides the others.
#include "ellipsoid_shapes.h"

#include "collision/ellipsoid/narrow_ellipsoid.h"

enum { TRIALS = 4000, SEARCHES = 240 };

static const double FLATTEST[] = {1.0, 0.6, 0.1, 0.01};
enum { FLATNESSES = sizeof FLATTEST / sizeof *FLATTEST };

// A body with corners, and what surrounds them.
typedef struct cornered {
    const placed_shape *e;
    const scr_vec3 *corner;
    int count;
    double radius;
    scr_vec3 edges[3], normals[3];  // directions, of any length, of all edges and faces
    int edge_count, normal_count;
} cornered;

static double height_over(scr_vec3 n, const void *context)
{
    const cornered *c = context;
    double nearest = INFINITY;
    for (int k = 0; k < c->count; ++k)
        nearest = fmin(nearest, vec3_dot(n, vec3_sub(c->corner[k], c->e->pose.position)));
    return nearest - extent_along(c->e, n) - c->radius;
}

// The highest direction across an edge: all of the circle, then a narrowing search about the best.
static double highest_across(const cornered *c, scr_vec3 along)
{
    enum { ANGLES = 4000 };
    scr_vec3 f = vec3_unit(vec3_cross(along, fabs(along.x) < fabs(along.y) ? vec3(1, 0, 0) : vec3(0, 1, 0)));
    scr_vec3 g = vec3_unit(vec3_cross(along, f));
    double highest = -INFINITY, best = 0.0, width = 6.283185307179586 / ANGLES;
    for (int k = 0; k < ANGLES; ++k) {
        double height = height_over(vec3_add(vec3_scale(cos(k * width), f), vec3_scale(sin(k * width), g)), c);
        if (height > highest) highest = height, best = k * width;
    }
    double low = best - width, high = best + width;
    for (int k = 0; k < 80; ++k) {
        double p = low + (high - low) / 3.0, q = high - (high - low) / 3.0;
        double at_p = height_over(vec3_add(vec3_scale(cos(p), f), vec3_scale(sin(p), g)), c);
        double at_q = height_over(vec3_add(vec3_scale(cos(q), f), vec3_scale(sin(q), g)), c);
        highest = fmax(highest, fmax(at_p, at_q));
        if (at_p > at_q) high = q;
        else low = p;
    }
    return highest;
}

// The search over all directions does not find the tops of ridges, which are where two corners are equally near, nor
// where ridges cross: those directions are looked at by themselves.
static double searched_gap(const cornered *c)
{
    placed_shape spreads[2] = {*c->e, *c->e};
    spreads[1].half = vec3(1, 1, 1);
    scr_vec3 n;
    double highest = search_highest(height_over, c, spreads, 2, &n);
    for (int k = 0; k < c->edge_count; ++k) highest = fmax(highest, highest_across(c, c->edges[k]));
    for (int k = 0; k < c->normal_count; ++k) {
        scr_vec3 m = vec3_unit(c->normals[k]);
        highest = fmax(highest, fmax(height_over(m, c), height_over(vec3_neg(m), c)));
    }
    return highest;
}

static cornered cornered_segment(const placed_shape *e, const scr_vec3 ends[2], double radius)
{
    return (cornered){e, ends, 2, radius, {vec3_sub(ends[1], ends[0])}, {{0.0, 0.0, 0.0}}, 1, 0};
}

static cornered cornered_triangle(const placed_shape *e, const scr_vec3 p[3])
{
    scr_vec3 f = vec3_sub(p[1], p[0]), g = vec3_sub(p[2], p[0]);
    return (cornered){e, p, 3, 0.0, {f, g, vec3_sub(f, g)}, {vec3_cross(f, g)}, 3, 1};
}

static cornered cornered_box(const placed_shape *e, const placed_shape *box, scr_vec3 corner[8])
{
    cornered c = {.e = e, .corner = corner, .count = 8, .edge_count = 3, .normal_count = 3};
    for (int k = 0; k < 8; ++k) corner[k] = box_corner(box, k);
    for (int k = 0; k < 3; ++k) c.edges[k] = c.normals[k] = box_axis_in_world(box, k);
    return c;
}

// Two unit vectors across n, at random.
static void draw_across(draws *d, scr_vec3 n, scr_vec3 *f, scr_vec3 *g)
{
    *f = vec3_unit(vec3_cross(n, quat_rotate(draw_rotation(d), vec3(0, 0, 1))));
    *g = vec3_cross(n, *f);
}

// A triangle whose nearest point to what is below it, along n, is q: in its face, within its first edge, or its first
// corner.
typedef enum nearest_feature { FACE, EDGE, CORNER } nearest_feature;

static void draw_triangle(draws *d, nearest_feature nearest, scr_vec3 q, scr_vec3 n, double size, scr_vec3 corner[3])
{
    scr_vec3 f, g;
    draw_across(d, n, &f, &g);
    double rise = draw(d, 0.05, 2.0), skew = draw(d, -1.0, 1.0);
    scr_vec3 back = vec3_add(vec3_add_scaled(g, skew, f), vec3_scale(nearest == FACE ? 0.0 : rise, n));
    switch (nearest) {
    case FACE:
        corner[0] = vec3_add(f, vec3_scale(-0.7, g));
        corner[1] = vec3_add(vec3_scale(-1.0, f), vec3_scale(-0.5, g));
        corner[2] = back;
        break;
    case EDGE:
        corner[0] = vec3_scale(draw(d, 0.01, 1.0), f);
        corner[1] = vec3_scale(-draw(d, 0.01, 1.0), f);
        corner[2] = back;
        break;
    case CORNER:
        corner[0] = vec3(0, 0, 0);
        corner[1] = vec3_add_scaled(f, draw(d, 0.05, 2.0), n);
        corner[2] = back;
        break;
    }
    for (int k = 0; k < 3; ++k) corner[k] = vec3_add_scaled(q, size, corner[k]);
}

static void a_triangle_touches_at_its_nearest_feature(void **state)
{
    (void)state;
    draws d = {1, 0};
    for (int k = 0; k < TRIALS; ++k) {
        placed_shape e = draw_ellipsoid(&d, draw_vector(&d, 1.0), FLATTEST[k % FLATNESSES]);
        surface_point s = draw_surface_point(&d, &e);
        double least = least_axis(&e), safe = safe_overlap(&e, s.normal), gap = draw(&d, 0.0, 1.0) * least;
        if (k % 8 < 4) gap = -0.99 * draw(&d, 0.0, 1.0) * safe;
        scr_vec3 touch = vec3_add(e.pose.position, s.arm), corner[3];
        draw_triangle(&d, (nearest_feature)(k % 3), vec3_add_scaled(touch, gap, s.normal), s.normal, draw(&d, 0.1, 2.0),
                      corner);
        // Any corner may come first, and the triangle be seen from either side.
        int first = k % 5 % 3;
        scr_vec3 turned[3] = {corner[first], corner[(first + 1) % 3], corner[(first + 2) % 3]};
        if (k % 7 < 3) turned[1] = corner[(first + 2) % 3], turned[2] = corner[(first + 1) % 3];
        contact_point c;
        assert_int_equal(ellipsoid_triangle(&e, turned, 2.0 * least, &c), 1);
        assert_within(c.gap, gap, 1e-12 * least);
        // How fast the normal turns with the place of an edge or corner, and the point with the normal.
        double turn = 1e-14 * longest_axis(&e) / (safe + gap), spread = longest_axis(&e) * longest_axis(&e) / least;
        assert_same_vector(c.normal, s.normal, 1e-13 + turn);
        assert_same_vector(c.point, vec3_add_scaled(touch, 0.5 * gap, s.normal), (1e-13 + turn) * (1.0 + spread));
        assert_int_equal(ellipsoid_triangle(&e, turned, gap - 1e-9 * least, &c), 0);
        assert_int_equal(ellipsoid_triangle(&e, turned, gap + 1e-9 * least, &c), 1);
    }
}

static void triangles_anywhere_agree_with_a_search(void **state)
{
    (void)state;
    draws d = {2, 0};
    int apart = 0, deep = 0;
    for (int k = 0; k < SEARCHES; ++k) {
        placed_shape e = draw_ellipsoid(&d, draw_vector(&d, 1.0), FLATTEST[k % FLATNESSES]);
        scr_vec3 corner[3];
        double size = draw(&d, 0.2, 2.0);
        for (int j = 0; j < 3; ++j) corner[j] = vec3_add(e.pose.position, draw_vector(&d, size));
        contact_point c;
        assert_int_equal(ellipsoid_triangle(&e, corner, 10.0, &c), 1);
        cornered t = cornered_triangle(&e, corner);
        double gap = searched_gap(&t);
        assert_within(c.gap, height_over(c.normal, &t), 1e-12 * least_axis(&e));
        assert_within(c.gap, gap, 1e-9 * least_axis(&e));  // the search's own accuracy
        gap > 0.0 ? ++apart : ++deep;
    }
    assert_true(apart > SEARCHES / 5 && deep > SEARCHES / 5);
}

// Without area it is an edge, without length a corner; both are met as the capsule without radius is.
static void a_triangle_without_area_is_what_is_left_of_it(void **state)
{
    (void)state;
    draws d = {3, 0};
    for (int k = 0; k < TRIALS / 10; ++k) {
        placed_shape e = draw_ellipsoid(&d, vec3(0, 0, 0), FLATTEST[k % FLATNESSES]);
        scr_vec3 p = draw_vector(&d, 2.0), q = draw_vector(&d, 2.0);
        contact_point line, point, expected;
        assert_int_equal(ellipsoid_triangle(&e, (scr_vec3[3]){p, q, q}, 10.0, &line), 1);
        placed_shape sphere = make_sphere(p, 0.0);
        assert_int_equal(ellipsoid_triangle(&e, (scr_vec3[3]){p, p, p}, 10.0, &point), 1);
        expected = only_contact(&e, &sphere, 10.0);
        assert_within(point.gap, expected.gap, 1e-13);
        cornered ends = cornered_segment(&e, (scr_vec3[2]){p, q}, 0.0);
        if (k < 100) assert_within(line.gap, searched_gap(&ends), 1e-9 * least_axis(&e));
    }
    placed_shape e = make_ellipsoid(vec3(0, 0, 0), QUAT_IDENTITY, vec3(1, 0.5, 0.25));
    contact_point c;
    // The centre in the triangle's plane: out to the side from which the corners run anticlockwise.
    const scr_vec3 flat[3] = {{4, -4, 0}, {0, 8, 0}, {-4, -4, 0}};
    assert_int_equal(ellipsoid_triangle(&e, flat, 0.0, &c), 1);
    assert_same_vector(c.normal, vec3(0, 0, -1), 1e-15);
    assert_within(c.gap, -0.25, 1e-15);
    // All of it in the centre.
    const scr_vec3 nothing[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    assert_int_equal(ellipsoid_triangle(&e, nothing, 0.0, &c), 1);
    assert_within(c.gap, -0.25, 1e-15);
}

static void a_capsule_is_met_at_its_side_or_its_caps(void **state)
{
    (void)state;
    draws d = {4, 0};
    for (int k = 0; k < TRIALS; ++k) {
        placed_shape e = draw_ellipsoid(&d, draw_vector(&d, 1.0), FLATTEST[k % FLATNESSES]), b = {.kind = SCR_CAPSULE};
        surface_point s = draw_surface_point(&d, &e);
        double least = least_axis(&e), gap = draw(&d, -1.0, 1.0) * least;
        b.radius = draw(&d, 0.1, 2.0) + fmax(0.0, -gap);  // its axis stays outside
        b.half.z = draw(&d, 0.1, 2.0);
        // The axis across the normal, or rising from one end.
        scr_vec3 f, g;
        draw_across(&d, s.normal, &f, &g);
        bool side = k % 2;
        scr_vec3 axis = side ? f : vec3_unit(vec3_add_scaled(f, draw(&d, 0.05, 3.0), s.normal));
        double from_end = side ? draw(&d, 0.01, 1.99) * b.half.z : 0.0;
        scr_vec3 touch = vec3_add(e.pose.position, s.arm), on_axis = vec3_add_scaled(touch, gap + b.radius, s.normal);
        b.pose.position = vec3_add_scaled(on_axis, b.half.z - from_end, axis);
        scr_vec3 turn = vec3_cross(vec3(0, 0, 1), axis);
        if (axis.z < -0.99) continue;  // the half turn is not defined by its product
        b.pose.rotation = quat_unit((scr_quat){1.0 + axis.z, turn.x, turn.y, turn.z});
        contact_point c = only_contact(&e, &b, 2.0 * least), swapped = only_contact(&b, &e, 2.0 * least);
        assert_within(c.gap, gap, 1e-12 * least + 2e-15 * (b.radius + b.half.z));
        double error = 1e-14 + 1e-13 * longest_axis(&e) / (safe_overlap(&e, s.normal) + gap + b.radius);
        assert_same_vector(c.normal, s.normal, error);
        assert_same_vector(swapped.normal, vec3_neg(c.normal), 0.0);
        assert_same_vector(swapped.point, c.point, 0.0);
        contact_point out[MANIFOLD_MAX];
        assert_int_equal(narrow_phase(&e, &b, gap - 1e-9 * least, out), 0);
    }
}

static void capsules_anywhere_agree_with_a_search(void **state)
{
    (void)state;
    draws d = {5, 0};
    for (int k = 0; k < SEARCHES; ++k) {
        placed_shape e = draw_ellipsoid(&d, draw_vector(&d, 1.0), FLATTEST[k % FLATNESSES]);
        placed_shape b = {.kind = SCR_CAPSULE, .pose.rotation = draw_rotation(&d), .radius = draw(&d, 0.01, 1.0)};
        b.half.z = draw(&d, 0.01, 1.0);
        b.pose.position = vec3_add(e.pose.position, draw_vector(&d, 1.0));
        scr_vec3 arm = quat_rotate(b.pose.rotation, vec3(0, 0, b.half.z));
        const scr_vec3 at[2] = {vec3_sub(b.pose.position, arm), vec3_add(b.pose.position, arm)};
        cornered ends = cornered_segment(&e, at, b.radius);
        assert_within(only_contact(&e, &b, 10.0).gap, searched_gap(&ends), 1e-9 * least_axis(&e));
    }
}

// A box with its nearest point to what is below it, along n, at q.
static placed_shape draw_box_over(draws *d, nearest_feature nearest, scr_vec3 q, scr_vec3 n)
{
    scr_vec3 half = vec3(draw(d, 0.1, 2.0), draw(d, 0.1, 2.0), draw(d, 0.1, 2.0));
    // In the box's frame n rises from the part into the box; the others are the two ends of it, or drawn.
    scr_vec3 rise = vec3(draw(d, 0.05, 1.0), draw(d, 0.05, 1.0), draw(d, 0.05, 1.0)), at = vec3_neg(half);
    if (nearest != CORNER) rise.y = 0.0, at.y = draw(d, -0.99, 0.99) * half.y;
    if (nearest == FACE) rise.x = 0.0, at.x = draw(d, -0.99, 0.99) * half.x;
    // Turn it so that this is along n.
    scr_vec3 from = vec3_unit(rise), axis = vec3_cross(from, n);
    double cosine = vec3_dot(from, n);
    assert_true(cosine > -1.0);
    scr_quat turn = quat_unit((scr_quat){1.0 + cosine, axis.x, axis.y, axis.z});
    double angle = draw(d, -3.0, 3.0);
    scr_quat spin = {cos(0.5 * angle), sin(0.5 * angle) * n.x, sin(0.5 * angle) * n.y, sin(0.5 * angle) * n.z};
    turn = quat_unit(quat_mul(spin, turn));
    return make_box(vec3_sub(q, quat_rotate(turn, at)), turn, half);
}

static void a_box_touches_at_its_nearest_feature(void **state)
{
    (void)state;
    draws d = {6, 0};
    for (int k = 0; k < TRIALS; ++k) {
        placed_shape e = draw_ellipsoid(&d, draw_vector(&d, 1.0), FLATTEST[k % FLATNESSES]);
        surface_point s = draw_surface_point(&d, &e);
        double least = least_axis(&e), safe = safe_overlap(&e, s.normal), gap = draw(&d, 0.0, 1.0) * least;
        if (k % 8 < 4) gap = -0.99 * draw(&d, 0.0, 1.0) * safe;
        scr_vec3 touch = vec3_add(e.pose.position, s.arm);
        placed_shape box = draw_box_over(&d, (nearest_feature)(k % 3), vec3_add_scaled(touch, gap, s.normal), s.normal);
        contact_point c = only_contact(&e, &box, 2.0 * least), swapped = only_contact(&box, &e, 2.0 * least);
        assert_within(c.gap, gap, 1e-12 * least);
        double turn = 1e-13 * longest_axis(&e) / (safe + gap), spread = longest_axis(&e) * longest_axis(&e) / least;
        assert_same_vector(c.normal, s.normal, 1e-13 + turn);
        assert_same_vector(c.point, vec3_add_scaled(touch, 0.5 * gap, s.normal), (1e-13 + turn) * (1.0 + spread));
        assert_same_vector(swapped.normal, vec3_neg(c.normal), 0.0);
        assert_same_vector(swapped.point, c.point, 0.0);
        contact_point out[MANIFOLD_MAX];
        assert_int_equal(narrow_phase(&e, &box, gap - 1e-9 * least, out), 0);
    }
}

static void boxes_anywhere_agree_with_a_search(void **state)
{
    (void)state;
    draws d = {7, 0};
    int apart = 0, deep = 0;
    for (int k = 0; k < SEARCHES; ++k) {
        placed_shape e = draw_ellipsoid(&d, draw_vector(&d, 1.0), FLATTEST[k % FLATNESSES]), box = draw_box(&d, 0.0);
        box.pose.position = vec3_add(e.pose.position, draw_vector(&d, 1.5));
        if (k % 10 == 0) box.pose.rotation = e.pose.rotation;
        scr_vec3 corner[8];
        cornered c = cornered_box(&e, &box, corner);
        double gap = searched_gap(&c);
        assert_within(only_contact(&e, &box, 10.0).gap, gap, 1e-9 * least_axis(&e));
        gap > 0.0 ? ++apart : ++deep;
    }
    assert_true(apart > SEARCHES / 10 && deep > SEARCHES / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_triangle_touches_at_its_nearest_feature),
        cmocka_unit_test(triangles_anywhere_agree_with_a_search),
        cmocka_unit_test(a_triangle_without_area_is_what_is_left_of_it),
        cmocka_unit_test(a_capsule_is_met_at_its_side_or_its_caps),
        cmocka_unit_test(capsules_anywhere_agree_with_a_search),
        cmocka_unit_test(a_box_touches_at_its_nearest_feature),
        cmocka_unit_test(boxes_anywhere_agree_with_a_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
