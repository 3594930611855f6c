// SPDX-License-Identifier: BSD-3-Clause
// Convex shapes of every kind against each other, against planes and against triangles.
//
// The oracle is in convex_oracle.h: what a contact claims is proved, from both sides, by closed forms that the code
// under test does not use. Sizes are about 1 m throughout, so that distances below are also relative.
#include "check.h"

#include <string.h>

#include "collision/convex/narrow_convex.h"
#include "collision/narrow/narrow_box.h"
#include "collision/narrow/narrow_sphere.h"
#include "convex_oracle.h"
#include "geometry/surface/surfaces.h"

static const double FAR = 1e5;  // m, within which every pair here is
enum { TRIANGLE = SCR_HULL + 1, KINDS = TRIANGLE + 1 };

static surfaces world;
enum { CUBE = 1, FIRST_ROUGH = 2, ROUGH_HULLS = 8 };  // surfaces: a cube of half edge 0.5, and random ones

static int make_world(void **state)
{
    (void)state;
    draws d = {100, 0};
    scr_error error = {0};
    scr_vec3 points[50];
    surfaces_init(&world);
    for (int k = 0; k < 8; ++k) points[k] = vec3(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5);
    if (surfaces_add_hull(&world, 8, points, &error) != SCR_OK) return -1;
    for (int i = 0; i < ROUGH_HULLS; ++i) {
        int count = i < 4 ? 50 : 6 + i;
        for (int k = 0; k < count; ++k)
            points[k] = i < 2 ? quat_rotate(draw_rotation(&d), vec3(0.0, 0.0, 0.8)) : draw_vector(&d, 0.7);
        if (surfaces_add_hull(&world, count, points, &error) != SCR_OK) return -1;
    }
    return 0;
}

static int end_world(void **state)
{
    (void)state;
    surfaces_free(&world);
    return 0;
}

static const shape_surface *hull_surface(uint32_t index1) { return surface_of(&world, (scr_surface){index1}); }

static placed_shape make_hull(uint32_t index1, scr_vec3 position, scr_quat rotation)
{
    return (placed_shape){SCR_HULL, {position, rotation}, 0.0, {0.0, 0.0, 0.0}, hull_surface(index1)};
}

static placed_shape make_round(scr_shape_kind kind, scr_vec3 position, scr_quat rotation, double radius,
                               double half_length)
{
    return (placed_shape){kind, {position, rotation}, radius, {radius, radius, half_length}, NULL};
}

static solid draw_solid(draws *d, int kind)
{
    solid s = {0};
    if (kind == TRIANGLE) {
        s.triangle = true;
        scr_vec3 middle = draw_vector(d, 0.5);
        for (int k = 0; k < 3; ++k) s.corner[k] = vec3_add(middle, draw_vector(d, 1.0));
        return s;
    }
    scr_vec3 position = draw_vector(d, 0.5);
    scr_quat rotation = draw_rotation(d);
    double r = draw(d, 0.2, 1.0), x = draw(d, 0.2, 1.0), y = draw(d, 0.2, 1.0), z = draw(d, 0.2, 1.0);
    s.shape = (placed_shape){(scr_shape_kind)kind, {position, rotation}, r, vec3(x, y, z), NULL};
    if (kind == SCR_HULL) s.shape.surface = hull_surface(CUBE + (uint32_t)draw(d, 0.0, 1 + ROUGH_HULLS));
    return s;
}

static void shift(solid *s, scr_vec3 by)
{
    s->shape.pose.position = vec3_add(s->shape.pose.position, by);
    for (int k = 0; k < 3; ++k) s->corner[k] = vec3_add(s->corner[k], by);
}

static int meet(const solid *a, const solid *b, double reach, contact_point out[MANIFOLD_MAX])
{
    return b->triangle ? convex_triangle(&a->shape, b->corner, reach, out)
                       : narrow_convex(&a->shape, &b->shape, reach, out);
}

static contact_point nearest_of(const contact_point *points, int count)
{
    assert_true(count >= 1 && count <= MANIFOLD_MAX);
    int best = 0;
    for (int k = 1; k < count; ++k)
        if (points[k].gap < points[best].gap) best = k;
    return points[best];
}

static contact_point nearest_contact(const solid *a, const solid *b)
{
    contact_point out[MANIFOLD_MAX];
    return nearest_of(out, meet(a, b, FAR, out));
}

// What must hold of any list of points: unit normals, ascending features, none beyond reach.
static void assert_orderly(const contact_point *points, int count, double reach)
{
    assert_true(count <= MANIFOLD_MAX);
    for (int k = 0; k < count; ++k) {
        assert_near(vec3_norm(points[k].normal), 1.0, 1e-14);
        assert_true(vec3_is_finite(points[k].point));
        assert_true(points[k].gap < reach);
        if (k > 0) assert_true(points[k].feature > points[k - 1].feature);
    }
}

// Two shapes with a gap of about the given one: b is moved along the normal from where it is clearly apart.
static void place_pair(draws *d, solid *a, solid *b, double gap)
{
    scr_vec3 n = quat_rotate(draw_rotation(d), vec3(0.0, 0.0, 1.0));
    shift(b, vec3_scale(0.3 - solid_separation(a, b, n), n));
    const double steps[] = {fmax(gap, 1e-3), fmax(gap, 1e-6), gap};  // the last move is short, its error sideways small
    for (int k = 0; k < 3; ++k) {
        contact_point c = nearest_contact(a, b);
        shift(b, vec3_scale(steps[k] - c.gap, c.normal));
    }
}

static bool has_round_edge(int kind) { return kind == SCR_ELLIPSOID || kind == SCR_CYLINDER || kind == SCR_CONE; }

// The gap is a lower bound along the normal, and its two ends lie in the two shapes: no other distance is possible.
static void assert_proved(const solid *a, const solid *b, double in_shape)
{
    contact_point out[MANIFOLD_MAX];
    int count = meet(a, b, FAR, out);
    assert_orderly(out, count, FAR);
    contact_point c = nearest_of(out, count);
    assert_within(solid_separation(a, b, c.normal), c.gap, 1e-12);
    assert_within(fmax(0.0, solid_outside(a, vec3_add_scaled(c.point, -0.5 * c.gap, c.normal))), 0.0, in_shape);
    assert_within(fmax(0.0, solid_outside(b, vec3_add_scaled(c.point, 0.5 * c.gap, c.normal))), 0.0, in_shape);
}

static void every_pair_apart_has_its_distance(void **state)
{
    (void)state;
    draws d = {1, 0};
    const double gaps[] = {0.5, 1e-2, 1e-4, 1e-7, 1e-10};
    for (int kind_a = 0; kind_a < TRIANGLE; ++kind_a) {
        for (int kind_b = kind_a; kind_b < KINDS; ++kind_b) {
            for (int k = 0; k < 400; ++k) {
                solid a = draw_solid(&d, kind_a), b = draw_solid(&d, kind_b);
                double gap = gaps[k % 5];
                place_pair(&d, &a, &b, gap);
                assert_within(nearest_contact(&a, &b).gap, gap, 1e-9);
                assert_proved(&a, &b, 2e-5);
            }
        }
    }
}

static void every_shallow_overlap_has_its_depth(void **state)
{
    (void)state;
    draws d = {2, 0};
    const double gaps[] = {0.0, -1e-7, -1e-4, -1e-2, -0.05};
    for (int kind_a = 0; kind_a < TRIANGLE; ++kind_a) {
        for (int kind_b = kind_a; kind_b < KINDS; ++kind_b) {
            bool round = has_round_edge(kind_a) || has_round_edge(kind_b);
            for (int k = 0; k < 15; ++k) {
                solid a = draw_solid(&d, kind_a), b = draw_solid(&d, kind_b);
                place_pair(&d, &a, &b, gaps[k % 5]);
                assert_proved(&a, &b, k % 5 < 3 ? 4e-5 : 1e-3);
                scr_vec3 n;
                double gap = nearest_contact(&a, &b).gap, best = best_separation(&a, &b, &d, &n);
                assert_true(best <= gap + 4e-9 + (round ? 0.011 * fabs(gap) : 0.0));
            }
        }
    }
}

// Deep inside each other, with one centre, one in the other, and equal: some way out, its length as told, and for
// shapes with flat faces the shortest.
static void deep_overlaps_have_a_way_out(void **state)
{
    (void)state;
    draws d = {3, 0};
    for (int kind_a = 0; kind_a < TRIANGLE; ++kind_a) {
        for (int kind_b = kind_a; kind_b < KINDS; ++kind_b) {
            bool round = has_round_edge(kind_a) || has_round_edge(kind_b);
            for (int k = 0; k < 12; ++k) {
                solid a = draw_solid(&d, kind_a), b = draw_solid(&d, kind_b);
                scr_vec3 middle = b.triangle
                                      ? vec3_scale(1.0 / 3.0, vec3_add(b.corner[0], vec3_add(b.corner[1], b.corner[2])))
                                      : b.shape.pose.position;
                shift(&b, vec3_sub(a.shape.pose.position, middle));
                if (k % 3 == 1) shift(&b, draw_vector(&d, 0.2));
                if (k % 3 == 2 && kind_a == kind_b) b = a;
                contact_point out[MANIFOLD_MAX];
                int count = meet(&a, &b, FAR, out);
                assert_orderly(out, count, FAR);
                contact_point c = nearest_of(out, count);
                assert_within(solid_separation(&a, &b, c.normal), c.gap, 1e-12);
                scr_vec3 n;
                double best = best_separation(&a, &b, &d, &n);
                assert_true(best <= c.gap + (round ? 0.05 * fabs(c.gap) : 0.0) + 1e-6);
            }
        }
    }
}

// Both orders give one contact: the gap, the opposite normal and, where there is one point, the same one.
static void the_order_of_shapes_does_not_matter(void **state)
{
    (void)state;
    draws d = {4, 0};
    for (int kind_a = 0; kind_a < TRIANGLE; ++kind_a) {
        for (int kind_b = 0; kind_b < TRIANGLE; ++kind_b) {
            for (int k = 0; k < 20; ++k) {
                solid a = draw_solid(&d, kind_a), b = draw_solid(&d, kind_b);
                place_pair(&d, &a, &b, k % 2 == 0 ? 0.02 : -1e-4);
                contact_point ab[MANIFOLD_MAX], ba[MANIFOLD_MAX];
                int count_ab = narrow_phase(&a.shape, &b.shape, FAR, ab),
                    count_ba = narrow_phase(&b.shape, &a.shape, FAR, ba);
                contact_point one = nearest_of(ab, count_ab), other = nearest_of(ba, count_ba);
                assert_within(one.gap, other.gap, 1e-6);
                if (k % 2 != 0) continue;  // of two equally short ways out either may be taken
                assert_within(one.gap, other.gap, kind_a == SCR_BOX && kind_b == SCR_BOX ? 1e-4 : 1e-10);
                assert_within(vec3_norm(vec3_add(one.normal, other.normal)), 0.0, 1e-4);
                assert_within(vec3_dot(vec3_sub(one.point, other.point), one.normal), 0.0, 1e-4);
            }
        }
    }
}

// The general method against what was written for the pair.
static void boxes_and_spheres_agree_with_their_direct_functions(void **state)
{
    (void)state;
    draws d = {5, 0};
    for (int k = 0; k < 2000; ++k) {
        solid a = {.shape = draw_box(&d, 0.6)}, b = {.shape = draw_box(&d, 0.6)};
        contact_point general[MANIFOLD_MAX], direct[MANIFOLD_MAX];
        int count = narrow_box_box(&a.shape, &b.shape, FAR, direct);
        double told = nearest_of(direct, count).gap;
        double found = nearest_of(general, narrow_convex(&a.shape, &b.shape, FAR, general)).gap;
        assert_within(found, told, 0.011 * fabs(told) + 2e-5);  // a face's manifold may be as much off the best axis

        placed_shape ball = make_sphere(draw_vector(&d, 1.5), draw(&d, 0.2, 0.8));
        assert_int_equal(narrow_sphere_box(&ball, &b.shape, FAR, direct), 1);
        contact_point c = nearest_of(general, narrow_convex(&ball, &b.shape, FAR, general));
        assert_within(c.gap, direct[0].gap, 1e-12);
        if (direct[0].gap > -ball.radius) assert_within(vec3_norm(vec3_sub(c.normal, direct[0].normal)), 0.0, 1e-8);
    }
}

static double segment_distance(scr_vec3 p, scr_vec3 q, scr_vec3 point)
{
    scr_vec3 along = vec3_sub(q, p);
    double t = fmin(1.0, fmax(0.0, vec3_dot(vec3_sub(point, p), along) / vec3_dot(along, along)));
    return vec3_norm(vec3_sub(point, vec3_add_scaled(p, t, along)));
}

// A convex function of the place along the first line: golden section finds its minimum.
static double lines_distance(scr_vec3 p1, scr_vec3 q1, scr_vec3 p2, scr_vec3 q2)
{
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 100; ++k) {
        double u = high - 0.618033988749895 * (high - low), v = low + 0.618033988749895 * (high - low);
        double at_u = segment_distance(p2, q2, vec3_add_scaled(p1, u, vec3_sub(q1, p1)));
        double at_v = segment_distance(p2, q2, vec3_add_scaled(p1, v, vec3_sub(q1, p1)));
        if (at_u < at_v) high = v;
        else low = u;
    }
    return segment_distance(p2, q2, vec3_add_scaled(p1, low, vec3_sub(q1, p1)));
}

static void capsules_are_as_far_apart_as_their_lines(void **state)
{
    (void)state;
    draws d = {6, 0};
    for (int k = 0; k < 1000; ++k) {
        solid a = draw_solid(&d, SCR_CAPSULE), b = draw_solid(&d, k % 2 ? SCR_CAPSULE : SCR_SPHERE);
        shift(&b, draw_vector(&d, 1.5));
        scr_vec3 arm_a = quat_rotate(a.shape.pose.rotation, vec3(0.0, 0.0, a.shape.half.z));
        scr_vec3 arm_b = quat_rotate(b.shape.pose.rotation, vec3(0.0, 0.0, k % 2 ? b.shape.half.z : 0.0));
        scr_vec3 p = vec3_sub(a.shape.pose.position, arm_a), q = vec3_add(a.shape.pose.position, arm_a);
        double distance =
            k % 2 ? lines_distance(p, q, vec3_sub(b.shape.pose.position, arm_b), vec3_add(b.shape.pose.position, arm_b))
                  : segment_distance(p, q, b.shape.pose.position);
        assert_within(nearest_contact(&a, &b).gap, distance - a.shape.radius - b.shape.radius, 1e-9);
    }
}

// A box and the hull of its corners are one thing.
// Beside each other they are as far apart as their axes less their radii; where they overlap, the shorter way out is
// across or along. A hair of tilt, as a chain of hinges leaves it, changes nothing but that hair.
static void parallel_cylinders_meet_as_their_axes_do(void **state)
{
    (void)state;
    draws d = {21, 0};
    const double gaps[] = {0.3, 1e-4, 0.0, -1e-5, -0.1}, tilts[] = {0.0, 1e-12, 3e-8};
    for (int k = 0; k < 3000; ++k) {
        scr_quat rotation = draw_rotation(&d);
        scr_vec3 at = draw_vector(&d, 0.5), axis = quat_rotate(rotation, vec3(0.0, 0.0, 1.0)),
                 side = quat_rotate(rotation, vec3(1.0, 0.0, 0.0));
        double r1 = draw(&d, 0.2, 1.0), r2 = draw(&d, 0.2, 1.0), l1 = draw(&d, 0.1, 1.0), l2 = draw(&d, 0.1, 1.0);
        double across = gaps[k % 5], along = -draw(&d, 0.01, 2.0 * fmin(l1, l2)), tilt = tilts[k % 3];
        scr_vec3 shift = vec3_add_scaled(vec3_scale(across + r1 + r2, side), along + l1 + l2, axis);
        scr_quat turned = quat_unit(
            quat_mul((scr_quat){1.0, 0.5 * tilt * side.x, 0.5 * tilt * side.y, 0.5 * tilt * side.z}, rotation));
        placed_shape a = make_round(SCR_CYLINDER, at, rotation, r1, l1),
                     b = make_round(SCR_CYLINDER, vec3_add(at, shift), turned, r2, l2);
        contact_point out[MANIFOLD_MAX], c = nearest_of(out, narrow_convex(&a, &b, FAR, out));
        if (fabs(across - along) < 0.02 * fabs(along)) continue;  // both ways are as good
        bool is_across = across > along;
        assert_within(c.gap, is_across ? across : along, 1e-12 + 2.0 * tilt);
        assert_within(fabs(vec3_dot(c.normal, is_across ? side : axis)), 1.0, 1e-9);
        if (across > 0.0) assert_proved(&(solid){.shape = a}, &(solid){.shape = b}, 1e-12 + 2.0 * tilt);
    }
}

static void a_hull_of_a_box_meets_as_the_box(void **state)
{
    (void)state;
    draws d = {7, 0};
    for (int kind = 0; kind < KINDS; ++kind) {
        for (int k = 0; k < 100; ++k) {
            solid other = draw_solid(&d, kind);
            shift(&other, draw_vector(&d, 1.2));
            scr_vec3 position = draw_vector(&d, 0.2);
            scr_quat rotation = draw_rotation(&d);
            solid box = {.shape = make_box(position, rotation, vec3(0.5, 0.5, 0.5))};
            solid of_corners = {.shape = make_hull(CUBE, position, rotation)};
            contact_point as_box[MANIFOLD_MAX], as_hull[MANIFOLD_MAX];
            int count = meet(&box, &other, FAR, as_box), hull_count = meet(&of_corners, &other, FAR, as_hull);
            double gap = nearest_of(as_box, count).gap,
                   slack = gap < 0.0 && has_round_edge(kind) ? 0.02 * fabs(gap) : 0.0;
            assert_within(nearest_of(as_hull, hull_count).gap, gap, 1e-8 + slack);
            if (gap > 0.01) assert_int_equal(hull_count, count);
        }
    }
}

static void assert_manifold(const solid *a, const solid *b, int wanted, double gap)
{
    contact_point out[MANIFOLD_MAX];
    int count = meet(a, b, 0.01, out);
    if (count != wanted) print_error("%d points, not %d\n", count, wanted);
    assert_int_equal(count, wanted);
    assert_orderly(out, count, 0.01);
    for (int k = 0; k < count; ++k) assert_within(out[k].gap, gap, 1e-9);
}

// Faces, discs and lines that lie along each other hold each other at several points, whatever way the whole is turned.
static void flat_features_touch_at_several_points(void **state)
{
    (void)state;
    draws d = {8, 0};
    const scr_quat upright = QUAT_IDENTITY, lying = quat_unit((scr_quat){1.0, 0.0, 1.0, 0.0});
    const scr_quat eighth = {0.92387953251128674, 0.0, 0.0, 0.38268343236508977};  // 45 degrees about z
    for (int k = 0; k < 60; ++k) {
        double gap = k % 3 == 0 ? 0.0 : (k % 3 == 1 ? 1e-3 : -1e-3);
        motion m =
            k < 3 ? (motion){QUAT_IDENTITY, {0.0, 0.0, 0.0}} : (motion){draw_rotation(&d), draw_vector(&d, 50.0)};
        scr_vec3 over = vec3(0.0, 0.0, 0.5 + gap);
        solid floors[2] = {{.shape = moved(m, make_box(vec3(0.0, 0.0, -0.5), upright, vec3(2.0, 2.0, 0.5)))},
                           {.shape = moved(m, make_hull(CUBE, vec3(0.0, 0.0, -0.5), upright))}};
        struct {
            placed_shape shape;
            int points[2];
        } on_top[] = {
            {make_hull(CUBE, vec3_add(over, vec3(0.0, 0.0, 0.0)), upright), {4, 4}},
            {make_hull(CUBE, vec3_add(over, vec3(0.3, 0.2, 0.0)), upright), {4, 4}},
            {make_hull(CUBE, over, eighth), {4, 8}},
            {make_box(over, upright, vec3(0.25, 0.25, 0.5)), {4, 4}},
            {make_round(SCR_CYLINDER, over, upright, 0.4, 0.5), {8, 8}},
            {make_round(SCR_CONE, over, upright, 0.4, 0.5), {8, 8}},
            {make_round(SCR_CYLINDER, over, lying, 0.5, 0.3), {2, 2}},
            {make_round(SCR_CAPSULE, over, lying, 0.5, 0.3), {2, 2}},
            {make_sphere(over, 0.5), {1, 1}},
        };
        for (size_t i = 0; i < sizeof on_top / sizeof *on_top; ++i) {
            for (int f = 0; f < 2; ++f) {
                solid top = {.shape = moved(m, on_top[i].shape)};
                assert_manifold(&floors[f], &top, on_top[i].points[f], gap);
            }
        }
        solid sheet = {.triangle = true};
        const scr_vec3 corner[3] = {{-3.0, -2.0, 0.0}, {3.0, -2.0, 0.0}, {0.0, 4.0, 0.0}};
        for (int c = 0; c < 3; ++c) sheet.corner[c] = moved_point(m, corner[c]);
        for (size_t i = 0; i < sizeof on_top / sizeof *on_top; ++i) {
            solid top = {.shape = moved(m, on_top[i].shape)};
            assert_manifold(&top, &sheet, on_top[i].points[0], gap);
        }
        // Lines along lines
        solid below = {.shape = moved(m, make_round(SCR_CYLINDER, vec3(0.0, 0.0, -0.5), lying, 0.5, 1.0))};
        for (size_t i = 6; i < 8; ++i) {
            solid top = {.shape = moved(m, on_top[i].shape)};
            assert_manifold(&below, &top, 2, gap);
        }
    }
}

// A hair of tilt neither changes which points there are nor what they are called.
static void a_hair_of_tilt_keeps_the_manifold(void **state)
{
    (void)state;
    draws d = {9, 0};
    for (int k = 0; k < 300; ++k) {
        placed_shape below = make_hull(CUBE, vec3(0.0, 0.0, -0.5), QUAT_IDENTITY);
        placed_shape above = make_hull(CUBE, vec3(k % 2 ? 0.3 : 0.0, k % 2 ? 0.1 : 0.0, 0.4999), QUAT_IDENTITY);
        contact_point level[MANIFOLD_MAX], tilted[MANIFOLD_MAX];
        int count = narrow_convex(&below, &above, 0.01, level);
        assert_int_equal(count, 4);
        scr_vec3 rotation = draw_vector(&d, 1e-6);
        above.pose.rotation = quat_unit((scr_quat){1.0, rotation.x, rotation.y, rotation.z});
        above.pose.position = vec3_add(above.pose.position, draw_vector(&d, 1e-6));
        assert_int_equal(narrow_convex(&below, &above, 0.01, tilted), 4);
        for (int i = 0; i < count; ++i) {
            assert_int_equal(level[i].feature, tilted[i].feature);
            assert_within(vec3_norm(vec3_sub(level[i].point, tilted[i].point)), 0.0, 1e-5);
            assert_within(vec3_norm(vec3_sub(level[i].normal, tilted[i].normal)), 0.0, 1e-5);
        }
    }
}

static void a_common_motion_changes_nothing(void **state)
{
    (void)state;
    draws d = {10, 0};
    for (int kind_a = 0; kind_a < TRIANGLE; ++kind_a) {
        for (int kind_b = kind_a; kind_b < TRIANGLE; ++kind_b) {
            for (int k = 0; k < 10; ++k) {
                solid a = draw_solid(&d, kind_a), b = draw_solid(&d, kind_b);
                place_pair(&d, &a, &b, k % 2 ? 0.01 : -1e-3);
                motion m = {draw_rotation(&d), draw_vector(&d, 1000.0)};
                solid c = a, e = b;
                c.shape = moved(m, a.shape), e.shape = moved(m, b.shape);
                contact_point here = nearest_contact(&a, &b), there = nearest_contact(&c, &e);
                assert_within(here.gap, there.gap, 1e-10);
                assert_within(vec3_norm(vec3_sub(quat_rotate(m.rotation, here.normal), there.normal)), 0.0, 1e-3);
            }
        }
    }
}

// Plates, needles, and a grain on a hill: the aspect of a shape and the ratio of two sizes may be large.
static void slivers_and_unequal_sizes_are_met_too(void **state)
{
    (void)state;
    draws d = {11, 0};
    const double gaps[] = {1e-2, 1e-5, -1e-6};
    for (int k = 0; k < 20000; ++k) {
        solid a = draw_solid(&d, (int)draw(&d, SCR_ELLIPSOID, SCR_HULL)),
              b = draw_solid(&d, (int)draw(&d, SCR_SPHERE, KINDS));
        if (k % 2 == 0) {  // a thin one
            double thin = k % 4 == 0 ? 1e-2 : 1e-3;
            if (a.shape.kind == SCR_BOX || a.shape.kind == SCR_ELLIPSOID) a.shape.half.y *= thin;
            else a.shape.radius *= thin;
        } else {  // a large one
            a.shape.radius *= 1000.0;
            a.shape.half = vec3_scale(1000.0, a.shape.half);
        }
        double size = k % 2 == 0 ? 1.0 : 1000.0;
        place_pair(&d, &a, &b, gaps[k % 3]);
        contact_point c = nearest_contact(&a, &b);
        assert_within(solid_separation(&a, &b, c.normal), c.gap, 1e-12 * size);
        if (gaps[k % 3] > 0.0) assert_within(c.gap, gaps[k % 3], 1e-8 * size);
        else assert_within(c.gap, 0.0, 1.1e-6 + 1e-9 * size);  // corners may pass each other
    }
}

// A thin triangle seen from above and below, at its face, sides and corners, against points in closed form.
static void a_sphere_meets_a_triangle_as_its_centre_does(void **state)
{
    (void)state;
    draws d = {12, 0};
    for (int k = 0; k < 2000; ++k) {
        solid sheet = draw_solid(&d, TRIANGLE), ball = {.shape = make_sphere(draw_vector(&d, 1.5), 0.3)};
        scr_vec3 p = ball.shape.pose.position, u = vec3_sub(sheet.corner[1], sheet.corner[0]),
                 v = vec3_sub(sheet.corner[2], sheet.corner[0]);
        scr_vec3 n = vec3_unit(vec3_cross(u, v));
        double distance = INFINITY;
        bool above = true;
        for (int c = 0; c < 3; ++c) {
            scr_vec3 from = sheet.corner[c], to = sheet.corner[(c + 1) % 3];
            distance = fmin(distance, segment_distance(from, to, p));
            above = above && vec3_dot(vec3_cross(n, vec3_sub(to, from)), vec3_sub(p, from)) > 0.0;
        }
        if (above) distance = fabs(vec3_dot(n, vec3_sub(p, sheet.corner[0])));
        contact_point out[MANIFOLD_MAX];
        assert_int_equal(meet(&ball, &sheet, FAR, out), 1);
        assert_within(out[0].gap, distance - 0.3, 1e-12);
        scr_vec3 on_sheet = vec3_add_scaled(p, distance, out[0].normal);
        assert_within(fmax(0.0, solid_outside(&sheet, on_sheet)), 0.0, 1e-9);
    }
}

static void only_pairs_within_reach_are_reported(void **state)
{
    (void)state;
    draws d = {13, 0};
    for (int kind_a = 0; kind_a < TRIANGLE; ++kind_a) {
        for (int kind_b = kind_a; kind_b < KINDS; ++kind_b) {
            for (int k = 0; k < 10; ++k) {
                solid a = draw_solid(&d, kind_a), b = draw_solid(&d, kind_b);
                double gap = draw(&d, 0.01, 0.3);
                contact_point out[MANIFOLD_MAX];
                place_pair(&d, &a, &b, gap);
                assert_true(meet(&a, &b, gap * (1.0 + 1e-6), out) > 0);
                assert_int_equal(meet(&a, &b, gap * (1.0 - 1e-6), out), 0);
            }
        }
    }
}

static void a_hull_cube_stands_on_a_plane_with_four_corners(void **state)
{
    (void)state;
    draws d = {14, 0};
    for (int k = 0; k < 200; ++k) {
        motion m = {draw_rotation(&d), draw_vector(&d, 10.0)};
        placed_shape plane = moved(m, make_plane(vec3(0.0, 0.0, 0.0), QUAT_IDENTITY));
        placed_shape cube = moved(m, make_hull(CUBE, vec3(draw(&d, -5, 5), draw(&d, -5, 5), 0.4999), QUAT_IDENTITY));
        contact_point out[MANIFOLD_MAX];
        assert_int_equal(narrow_phase(&cube, &plane, 0.01, out), 4);
        assert_orderly(out, 4, 0.01);
        for (int i = 0; i < 4; ++i) {
            assert_within(out[i].gap, -1e-4, 1e-12);
            assert_within(vec3_dot(out[i].normal, quat_rotate(m.rotation, vec3(0.0, 0.0, -1.0))), 1.0, 1e-12);
        }
    }
}

// Planes and every shape: the lowest point is as low as the shape reaches, no point is beyond its shape.
static void the_lowest_point_meets_a_plane(void **state)
{
    (void)state;
    draws d = {15, 0};
    for (int kind = 0; kind < TRIANGLE; ++kind) {
        for (int k = 0; k < 300; ++k) {
            solid s = draw_solid(&d, kind);
            placed_shape plane = make_plane(draw_vector(&d, 1.0), draw_rotation(&d));
            if (k % 3 == 0) plane.pose.rotation = s.shape.pose.rotation;  // a face or a disc flat on it
            scr_vec3 up = quat_rotate(plane.pose.rotation, vec3(0.0, 0.0, 1.0));
            double lowest = -solid_reach(&s, vec3_neg(up)) - vec3_dot(up, plane.pose.position);
            contact_point out[MANIFOLD_MAX];
            int count = narrow_convex_plane(&s.shape, &plane, lowest + 0.1, out);
            assert_orderly(out, count, lowest + 0.1);
            assert_within(nearest_of(out, count).gap, lowest, kind == SCR_CYLINDER || kind == SCR_CONE ? 2e-6 : 1e-12);
            for (int i = 0; i < count; ++i) {
                assert_true(solid_outside(&s, vec3_add_scaled(out[i].point, 0.5 * out[i].gap, up)) <= 2e-5);
                assert_within(vec3_dot(up, vec3_sub(out[i].point, plane.pose.position)), 0.5 * out[i].gap, 1e-12);
            }
            assert_int_equal(narrow_convex_plane(&s.shape, &plane, lowest - 1e-5, out), 0);
        }
    }
}

static void nothing_is_allocated_and_bits_repeat(void **state)
{
    (void)state;
    draws d = {16, 0};
    for (int k = 0; k < 200; ++k) {
        solid a = draw_solid(&d, (int)draw(&d, 0.0, TRIANGLE)), b = draw_solid(&d, (int)draw(&d, 0.0, KINDS));
        contact_point one[MANIFOLD_MAX] = {0}, two[MANIFOLD_MAX] = {0};
        int64_t before = scr_allocation_count();
        int count = meet(&a, &b, FAR, one);
        assert_int_equal(scr_allocation_count(), before);
        assert_int_equal(meet(&a, &b, FAR, two), count);
        for (int i = 0; i < count; ++i) {
            assert_memory_equal(&one[i].point, &two[i].point, sizeof one[i].point);
            assert_memory_equal(&one[i].normal, &two[i].normal, sizeof one[i].normal);
            assert_true(one[i].gap == two[i].gap && one[i].feature == two[i].feature);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_apart_has_its_distance),
        cmocka_unit_test(every_shallow_overlap_has_its_depth),
        cmocka_unit_test(deep_overlaps_have_a_way_out),
        cmocka_unit_test(the_order_of_shapes_does_not_matter),
        cmocka_unit_test(boxes_and_spheres_agree_with_their_direct_functions),
        cmocka_unit_test(capsules_are_as_far_apart_as_their_lines),
        cmocka_unit_test(parallel_cylinders_meet_as_their_axes_do),
        cmocka_unit_test(a_hull_of_a_box_meets_as_the_box),
        cmocka_unit_test(flat_features_touch_at_several_points),
        cmocka_unit_test(a_hair_of_tilt_keeps_the_manifold),
        cmocka_unit_test(a_common_motion_changes_nothing),
        cmocka_unit_test(slivers_and_unequal_sizes_are_met_too),
        cmocka_unit_test(a_sphere_meets_a_triangle_as_its_centre_does),
        cmocka_unit_test(only_pairs_within_reach_are_reported),
        cmocka_unit_test(a_hull_cube_stands_on_a_plane_with_four_corners),
        cmocka_unit_test(the_lowest_point_meets_a_plane),
        cmocka_unit_test(nothing_is_allocated_and_bits_repeat),
    };
    return cmocka_run_group_tests(tests, make_world, end_world);
}
