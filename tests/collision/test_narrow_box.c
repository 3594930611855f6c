// SPDX-License-Identifier: BSD-3-Clause
// Boxes against planes and boxes. The oracles know nothing of axes' formulae or clipping: distances are searched for,
// overlaps are read off the corners' shadows.
#include "check.h"

#include "collision/narrow/narrow_box.h"
#include "narrow_shapes.h"

enum { TRIALS = 4000 };

// How far a contact of boxes may be from the truth: a share of the gap, and a share of the smallest half edge.
static const double GAP_SHARE = 0.01, SIZE_SHARE = 2e-4;

static double smallest_half(const placed_shape *a, const placed_shape *b)
{
    return fmin(fmin(a->half.x, fmin(a->half.y, a->half.z)), fmin(b->half.x, fmin(b->half.y, b->half.z)));
}

static double nearest_gap(const contact_point *points, int count)
{
    double gap = INFINITY;
    for (int i = 0; i < count; ++i) gap = fmin(gap, points[i].gap);
    return gap;
}

// ---- Box and plane ----

static void each_corner_near_a_plane_is_a_point(void **state)
{
    (void)state;
    draws d = {1, 0};
    for (int k = 0; k < TRIALS; ++k) {
        placed_shape box = draw_box(&d, 1.0), plane = make_plane(draw_vector(&d, 1.0), draw_rotation(&d));
        scr_vec3 up = quat_rotate(plane.pose.rotation, vec3(0, 0, 1));
        contact_point out[MANIFOLD_MAX], swapped[MANIFOLD_MAX];
        int count = checked_narrow_phase(&box, &plane, 0.2, out), expected = 0;
        assert_int_equal(narrow_phase(&plane, &box, 0.2, swapped), count);
        for (int corner = 0; corner < 8; ++corner) {
            scr_vec3 at = box_corner(&box, corner);
            double gap = vec3_dot(up, vec3_sub(at, plane.pose.position));
            if (gap >= 0.2) continue;
            assert_true(expected < count);
            assert_int_equal(out[expected].feature, corner);
            assert_within(out[expected].gap, gap, 1e-13);
            assert_same_vector(out[expected].normal, vec3_neg(up), 1e-14);
            assert_same_vector(out[expected].point, vec3_add_scaled(at, -0.5 * gap, up), 1e-13);
            assert_same_vector(swapped[expected].normal, up, 1e-14);
            assert_same_vector(swapped[expected].point, out[expected].point, 0.0);
            ++expected;
        }
        assert_int_equal(count, expected);
    }
}

// ---- Oracles for two boxes ----

// Least distance from an edge of one box to the other box: convex along the edge, so thirds close in on it.
static double edge_box_distance(scr_vec3 from, scr_vec3 to, const placed_shape *box)
{
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 60; ++k) {
        double p = low + (high - low) / 3.0, q = high - (high - low) / 3.0;
        double at_p = point_box_distance(vec3_add_scaled(from, p, vec3_sub(to, from)), box);
        double at_q = point_box_distance(vec3_add_scaled(from, q, vec3_sub(to, from)), box);
        if (at_p < at_q) high = q;
        else low = p;
    }
    return point_box_distance(vec3_add_scaled(from, 0.5 * (low + high), vec3_sub(to, from)), box);
}

// Distance of disjoint boxes: from an edge of a to b, or from a corner of b to a.
static double searched_distance(const placed_shape *a, const placed_shape *b)
{
    double least = INFINITY;
    for (int corner = 0; corner < 8; ++corner) {
        least = fmin(least, point_box_distance(box_corner(b, corner), a));
        for (int axis = 0; axis < 3; ++axis) {
            int other = corner ^ 1 << axis;
            if (other > corner) least = fmin(least, edge_box_distance(box_corner(a, corner), box_corner(a, other), b));
        }
    }
    return least;
}

// Gap between the shadows of the corners on a direction that points from a to b.
static double shadow_gap(const placed_shape *a, const placed_shape *b, scr_vec3 n)
{
    double top_a = -INFINITY, low_b = INFINITY;
    for (int corner = 0; corner < 8; ++corner) {
        top_a = fmax(top_a, vec3_dot(n, vec3_sub(box_corner(a, corner), a->pose.position)));
        low_b = fmin(low_b, vec3_dot(n, vec3_sub(box_corner(b, corner), a->pose.position)));
    }
    return low_b - top_a;
}

// The largest gap over all directions that matter, both ways along each: negative if and only if the boxes overlap.
static double best_shadow_gap(const placed_shape *a, const placed_shape *b, scr_vec3 *direction)
{
    scr_vec3 axes[15];
    int count = 0;
    for (int i = 0; i < 3; ++i) {
        axes[count++] = box_axis_in_world(a, i);
        axes[count++] = box_axis_in_world(b, i);
        for (int j = 0; j < 3; ++j) {
            scr_vec3 n = vec3_cross(box_axis_in_world(a, i), box_axis_in_world(b, j));
            if (vec3_norm(n) > 1e-5) axes[count++] = vec3_unit(n);
        }
    }
    double best = -INFINITY;
    for (int k = 0; k < 2 * count; ++k) {
        scr_vec3 n = k < count ? axes[k] : vec3_neg(axes[k - count]);
        double gap = shadow_gap(a, b, n);
        if (gap > best) {
            best = gap;
            *direction = n;
        }
    }
    return best;
}

// ---- Two boxes at random ----

// Half a gap back from the point is a's surface, half a gap on is b's.
static void assert_on_both_surfaces(const placed_shape *a, const placed_shape *b, const contact_point *points,
                                    int count, double slack)
{
    for (int i = 0; i < count; ++i) {
        scr_vec3 on_a = vec3_add_scaled(points[i].point, -0.5 * points[i].gap, points[i].normal);
        scr_vec3 on_b = vec3_add_scaled(points[i].point, 0.5 * points[i].gap, points[i].normal);
        assert_within(point_box_distance(on_a, a), 0.0, slack);
        assert_within(point_box_distance(on_b, b), 0.0, slack);
    }
}

static void assert_disjoint_contact(const placed_shape *a, const placed_shape *b, double reach, scr_vec3 best)
{
    contact_point out[MANIFOLD_MAX];
    int count = checked_narrow_phase(a, b, reach, out);
    double distance = searched_distance(a, b), size = smallest_half(a, b),
           slack = GAP_SHARE * distance + SIZE_SHARE * size;
    if (distance < reach) assert_true(count > 0);
    if (distance > reach + slack) assert_int_equal(count, 0);
    if (count == 0) return;
    double gap = nearest_gap(out, count);
    assert_true(gap <= distance + 1e-9 * size);  // never promises more room than there is
    assert_true(gap >= distance - slack);
    assert_true(gap >= 0.0);
    assert_on_both_surfaces(a, b, out, count, slack);
    assert_true(shadow_gap(a, b, out[0].normal) >= gap - slack || vec3_dot(out[0].normal, best) > 0.98);
}

static void assert_overlap_contact(const placed_shape *a, const placed_shape *b, double reach, double depth_gap,
                                   scr_vec3 best)
{
    contact_point out[MANIFOLD_MAX];
    int count = checked_narrow_phase(a, b, reach, out);
    double slack = GAP_SHARE * fabs(depth_gap) + SIZE_SHARE * smallest_half(a, b);
    assert_true(count > 0);
    assert_within(nearest_gap(out, count), depth_gap, slack);
    assert_true(shadow_gap(a, b, out[0].normal) >= depth_gap - slack || vec3_dot(out[0].normal, best) > 0.98);
    assert_on_both_surfaces(a, b, out, count, slack);
}

static void random_boxes_agree_with_the_oracles(void **state)
{
    (void)state;
    draws d = {2, 0};
    int disjoint = 0, overlapping = 0;
    while (disjoint < TRIALS || overlapping < TRIALS) {
        placed_shape a = draw_box(&d, 1.2), b = draw_box(&d, 1.2);
        scr_vec3 direction = {0};
        double gap = best_shadow_gap(&a, &b, &direction);
        if (gap > 0.0 && gap < 0.4 && disjoint++ < TRIALS) assert_disjoint_contact(&a, &b, 0.3, direction);
        if (gap < 0.0 && overlapping++ < TRIALS) assert_overlap_contact(&a, &b, 0.1, gap, direction);
    }
}

// Nearly aligned boxes, where cross products vanish and every choice is a tie, brought to a small gap or overlap along
// some direction: faces, edges and corners all occur.
static void nearly_aligned_boxes_agree_with_the_oracles(void **state)
{
    (void)state;
    const double tilts[] = {0.0, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};
    enum { TILTS = sizeof tilts / sizeof *tilts };
    draws d = {3, 0};
    for (int k = 0; k < 2 * TRIALS; ++k) {
        placed_shape a = draw_box(&d, 1.0), b = draw_box(&d, 1.0);
        double tilt = tilts[k % TILTS];
        scr_vec3 t = draw_vector(&d, tilt), local = draw_vector(&d, 1.0);
        b.pose.rotation = quat_unit(quat_mul(a.pose.rotation, (scr_quat){1.0, 0.5 * t.x, 0.5 * t.y, 0.5 * t.z}));
        // On one, two or all axes the boxes stand just apart; on the others they overlap somehow.
        double apart[3] = {draw(&d, -0.01, 0.02), draw(&d, -0.01, 0.02), draw(&d, -0.01, 0.02)},
               at[3] = {local.x, local.y, local.z};
        const double ha[3] = {a.half.x, a.half.y, a.half.z}, hb[3] = {b.half.x, b.half.y, b.half.z};
        for (int i = 0; i < 3; ++i) at[i] = i <= k / TILTS % 3 ? ha[i] + hb[i] + apart[i] : at[i] * (ha[i] + hb[i]);
        b.pose.position = moved_point((motion){a.pose.rotation, a.pose.position}, vec3(at[0], at[1], at[2]));
        scr_vec3 direction = {0};
        double gap = best_shadow_gap(&a, &b, &direction);
        if (gap > 1e-6) assert_disjoint_contact(&a, &b, 0.03, direction);
        if (gap < -1e-6) assert_overlap_contact(&a, &b, 0.03, gap, direction);
    }
}

static void a_common_motion_moves_the_contacts_with_it(void **state)
{
    (void)state;
    draws d = {4, 0};
    for (int k = 0; k < TRIALS; ++k) {
        placed_shape a = draw_box(&d, 1.0), b = draw_box(&d, 1.0);
        motion m = {draw_rotation(&d), draw_vector(&d, 10.0)};
        placed_shape ma = moved(m, a), mb = moved(m, b);
        contact_point before[MANIFOLD_MAX], after[MANIFOLD_MAX];
        int count = checked_narrow_phase(&a, &b, 0.2, before);
        assert_int_equal(checked_narrow_phase(&ma, &mb, 0.2, after), count);
        for (int i = 0; i < count; ++i) {
            assert_int_equal(after[i].feature, before[i].feature);
            assert_within(after[i].gap, before[i].gap, 1e-12);
            assert_same_vector(after[i].normal, quat_rotate(m.rotation, before[i].normal), 1e-11);
            assert_same_vector(after[i].point, moved_point(m, before[i].point), 1e-11);
        }
    }
}

static const contact_point *with_feature(const contact_point *points, int count, uint32_t feature)
{
    for (int i = 0; i < count; ++i)
        if (points[i].feature == feature) return &points[i];
    fail_msg("no point has feature %x", feature);
    return NULL;
}

static uint32_t swapped_feature(uint32_t feature) { return feature % 32 * 32 + feature / 32; }

static void swapping_the_boxes_negates_the_normal(void **state)
{
    (void)state;
    draws d = {5, 0};
    for (int k = 0; k < TRIALS; ++k) {
        placed_shape a = draw_box(&d, 1.0), b = draw_box(&d, 1.0);
        contact_point ab[MANIFOLD_MAX], ba[MANIFOLD_MAX];
        int count = checked_narrow_phase(&a, &b, 0.2, ab);
        assert_int_equal(checked_narrow_phase(&b, &a, 0.2, ba), count);
        for (int i = 0; i < count; ++i) {
            const contact_point *same = with_feature(ba, count, swapped_feature(ab[i].feature));
            assert_within(same->gap, ab[i].gap, 1e-12);
            assert_same_vector(same->normal, vec3_neg(ab[i].normal), 1e-11);
            assert_same_vector(same->point, ab[i].point, 1e-11);
        }
    }
}

// A shift by 2^20 m is exact for coordinates that are multiples of 2^-20 m.
static void far_from_the_origin_nothing_changes(void **state)
{
    (void)state;
    const double grid = 0x1p-20, far = 0x1p20;
    draws d = {6, 0};
    for (int k = 0; k < TRIALS; ++k) {
        placed_shape a = draw_box(&d, 1.0), b = draw_box(&d, 1.0);
        a.pose.position = vec3_scale(grid, vec3(floor(a.pose.position.x / grid), floor(a.pose.position.y / grid),
                                                floor(a.pose.position.z / grid)));
        b.pose.position = vec3(0.0, 0.0, 0.0);
        contact_point near[MANIFOLD_MAX], away[MANIFOLD_MAX];
        int count = checked_narrow_phase(&a, &b, 0.2, near);
        motion shift = {QUAT_IDENTITY, vec3(far, -far, far)};
        a.pose.position = moved_point(shift, a.pose.position);
        b.pose.position = moved_point(shift, b.pose.position);
        assert_int_equal(checked_narrow_phase(&a, &b, 0.2, away), count);
        for (int i = 0; i < count; ++i) {
            assert_true(away[i].gap == near[i].gap && away[i].feature == near[i].feature);
            assert_same_vector(away[i].normal, near[i].normal, 0.0);
            assert_same_vector(away[i].point, moved_point(shift, near[i].point), far * 1e-15);
        }
    }
}

// ---- Boxes at rest ----

// Box b on box a with the given gap, shifted along the face and turned about the vertical, all of it in a random frame.
static void stack(scr_vec3 half_a, scr_vec3 half_b, double gap, double x, double y, scr_quat rotation, motion frame,
                  placed_shape *a, placed_shape *b)
{
    *a = moved(frame, make_box(vec3(0, 0, 0), QUAT_IDENTITY, half_a));
    *b = moved(frame, make_box(vec3(x, y, half_a.z + half_b.z + gap), rotation, half_b));
}

static scr_quat about_z(double half_angle_tangent) { return quat_unit((scr_quat){1.0, 0.0, 0.0, half_angle_tangent}); }

static void stacked_boxes_touch_at_the_corners_of_their_common_patch(void **state)
{
    (void)state;
    draws d = {7, 0};
    const double gaps[] = {0.005, 1e-9, 0.0, -1e-9, -0.005};
    const scr_vec3 halves[] = {{1, 1, 1}, {0.5, 0.4, 0.3}, {5, 5, 0.1}, {2, 0.3, 0.2}};
    for (int k = 0; k < 400; ++k) {
        scr_vec3 half_a = halves[k % 4], half_b = halves[k / 4 % 4];
        double gap = gaps[k / 16 % 5];
        double x = k % 3 == 0 ? 0.0 : draw(&d, -0.9, 0.9) * (half_a.x + half_b.x);
        double y = k % 3 == 0 ? 0.0 : draw(&d, -0.9, 0.9) * (half_a.y + half_b.y);
        motion frame = {draw_rotation(&d), draw_vector(&d, 3.0)};
        placed_shape a, b;
        stack(half_a, half_b, gap, x, y, QUAT_IDENTITY, frame, &a, &b);
        contact_point out[MANIFOLD_MAX];
        int count = checked_narrow_phase(&a, &b, 0.02, out);
        assert_int_equal(count, 4);
        const double low[2] = {fmax(-half_a.x, x - half_b.x), fmax(-half_a.y, y - half_b.y)};
        const double high[2] = {fmin(half_a.x, x + half_b.x), fmin(half_a.y, y + half_b.y)};
        int seen = 0;
        for (int i = 0; i < count; ++i) {
            scr_vec3 p = quat_unrotate(frame.rotation, vec3_sub(out[i].point, frame.shift));
            assert_within(out[i].gap, gap, 1e-13);
            assert_same_vector(out[i].normal, quat_rotate(frame.rotation, vec3(0, 0, 1)), 1e-13);
            assert_within(p.z, half_a.z + 0.5 * gap, 1e-13);
            bool right = p.x > 0.5 * (low[0] + high[0]), back = p.y > 0.5 * (low[1] + high[1]);
            assert_within(p.x, right ? high[0] : low[0], 1e-13);
            assert_within(p.y, back ? high[1] : low[1], 1e-13);
            seen |= 1 << (2 * back + right);
        }
        assert_int_equal(seen, 15);
    }
}

// Two squares turned by 45 degrees against each other share an octagon.
static void a_turned_box_touches_at_eight_points(void **state)
{
    (void)state;
    placed_shape a, b;
    stack(vec3(1, 1, 1), vec3(1, 1, 1), -0.001, 0.0, 0.0, about_z(sqrt(2.0) - 1.0), (motion){QUAT_IDENTITY, {0, 0, 0}},
          &a, &b);
    contact_point out[MANIFOLD_MAX];
    assert_int_equal(checked_narrow_phase(&a, &b, 0.01, out), 8);
    for (int i = 0; i < 8; ++i) {
        assert_within(fmax(fabs(out[i].point.x), fabs(out[i].point.y)), 1.0, 1e-13);
        assert_within(fmin(fabs(out[i].point.x), fabs(out[i].point.y)), sqrt(2.0) - 1.0, 1e-13);
        assert_within(out[i].gap, -0.001, 1e-13);
    }
}

static void tiny_motions_keep_features_and_points(void **state)
{
    (void)state;
    draws d = {8, 0};
    const scr_vec3 halves[] = {{1, 1, 1}, {0.5, 0.4, 0.3}, {5, 5, 0.1}, {2, 0.3, 0.2}};
    for (int k = 0; k < TRIALS; ++k) {
        placed_shape a, b;
        bool flush = k % 2 == 0;  // equal faces one over the other: the hardest case
        scr_vec3 half_a = halves[k / 2 % 4], half_b = flush ? half_a : halves[k / 8 % 4];
        scr_quat rotation = k % 3 == 0 ? about_z(draw(&d, 0.1, 0.3)) : QUAT_IDENTITY;
        motion frame = {draw_rotation(&d), draw_vector(&d, 3.0)};
        double shift = flush ? 0.0 : 0.15;
        stack(half_a, half_b, draw(&d, -1e-3, 1e-3), shift, -shift, rotation, frame, &a, &b);
        contact_point before[MANIFOLD_MAX], after[MANIFOLD_MAX];
        int count = checked_narrow_phase(&a, &b, 0.02, before);
        assert_true(count >= 4);
        const double tiny = 1e-7;
        scr_vec3 t = draw_vector(&d, tiny);
        b.pose.position = vec3_add(b.pose.position, draw_vector(&d, tiny));
        b.pose.rotation = quat_unit(quat_mul((scr_quat){1.0, t.x, t.y, t.z}, b.pose.rotation));
        assert_int_equal(checked_narrow_phase(&a, &b, 0.02, after), count);
        for (int i = 0; i < count; ++i) {
            assert_int_equal(after[i].feature, before[i].feature);
            assert_within(after[i].gap, before[i].gap, 40.0 * tiny);  // the tilt's arm is up to 8 m
            assert_same_vector(after[i].point, before[i].point, 1e3 * tiny);
            assert_same_vector(after[i].normal, before[i].normal, 20.0 * tiny);
        }
    }
}

// A cube caught in another's edge could leave by either of two faces: the last digits do not decide which.
static void equally_deep_faces_do_not_take_turns(void **state)
{
    (void)state;
    draws d = {12, 0};
    for (int k = 0; k < 200; ++k) {
        placed_shape a = make_box(vec3(0, 0, 0), QUAT_IDENTITY, vec3(1, 1, 1)), b = a;
        b.pose.position = vec3_add(vec3(1.9, 0.0, 1.9), draw_vector(&d, 1e-9));
        motion frame = {draw_rotation(&d), draw_vector(&d, 3.0)};
        a = moved(frame, a);
        b = moved(frame, b);
        contact_point out[MANIFOLD_MAX];
        assert_int_equal(checked_narrow_phase(&a, &b, 0.0, out), 4);
        assert_same_vector(out[0].normal, box_axis_in_world(&a, 0), 1e-13);
    }
}

// The patch of two crossed planks is all edges crossing edges; a slight tilt must not leave one point of the four.
static void crossed_planks_keep_four_points_when_tilted(void **state)
{
    (void)state;
    draws d = {9, 0};
    const double tilts[] = {0.0, 1e-9, 1e-6, 1e-4, 1e-3, 0.01, 0.1}, gaps[] = {0.002, -0.002};
    for (int k = 0; k < 700; ++k) {
        placed_shape a, b;
        scr_quat rotation = about_z(1.0 + draw(&d, -0.05, 0.05));
        motion frame = {draw_rotation(&d), draw_vector(&d, 3.0)};
        stack(vec3(2, 0.2, 0.1), vec3(2, 0.2, 0.1), gaps[k % 2], 0.1, 0.1, rotation, frame, &a, &b);
        scr_vec3 t = draw_vector(&d, 0.5 * tilts[k / 2 % 7]);
        contact_point flat[MANIFOLD_MAX], tilted[MANIFOLD_MAX];
        assert_int_equal(checked_narrow_phase(&a, &b, 0.1, flat), 4);
        b.pose.rotation = quat_unit(quat_mul((scr_quat){1.0, t.x, t.y, t.z}, b.pose.rotation));
        assert_int_equal(checked_narrow_phase(&a, &b, 0.1, tilted), 4);
        for (int i = 0; i < 4; ++i) assert_int_equal(tilted[i].feature, flat[i].feature);
    }
}

// A corner of the upper box exactly on a rim of the lower one: the patch goes on along the rim to the lower one's
// corner.
static void a_corner_on_the_rim_is_followed_by_the_rims_end(void **state)
{
    (void)state;
    enum { EDGE = 8, FACE = 20 };  // where the numbers of edges and faces begin in a feature
    const double root3 = sqrt(3.0);
    for (int k = -1; k <= 1; ++k) {
        placed_shape a = make_box(vec3(0, 0, 0), QUAT_IDENTITY, vec3(1, 1, 1));
        placed_shape b = make_box(vec3(0, 0, 1.99), about_z(1.0 / root3), vec3(3, 3, 1));  // turned by 60 degrees
        scr_vec3 from_rim = vec3_sub(vec3(1.0 + 1e-7 * k, 0.0, 0.99), box_corner(&b, 0));
        b.pose.position = vec3_add(b.pose.position, from_rim);
        contact_point out[MANIFOLD_MAX];
        assert_int_equal(checked_narrow_phase(&a, &b, 0.01, out), 3);
        assert_int_equal(out[0].feature, 7 * 32 + FACE + 4);  // a's corner +x +y +z, b's face -z
        assert_same_vector(out[0].point, vec3(1, 1, 0.995), 1e-6);
        assert_in_range(out[1].feature / 32, EDGE, FACE - 1);
        assert_same_vector(out[1].point, vec3(1.0 - root3, 1, 0.995), 1e-6);
        assert_int_equal(out[2].feature, (FACE + 5) * 32 + 0);  // a's face +z, b's corner -x -y -z
        assert_same_vector(out[2].point, vec3(1, 0, 0.995), 1e-6);
    }
}

// Tilted by 45 degrees on an edge, a box touches along that edge; on its tip, in one point; crosswise, where edges
// cross.
static void edges_and_corners_touch_where_they_should(void **state)
{
    (void)state;
    contact_point out[MANIFOLD_MAX];
    const double root2 = sqrt(2.0), root3 = sqrt(3.0), tan22 = root2 - 1.0;  // tan of half of 45 degrees
    placed_shape floor_box = make_box(vec3(0, 0, -1), QUAT_IDENTITY, vec3(4, 4, 1));

    placed_shape on_edge =
        make_box(vec3(0, 0, root2 - 0.01), quat_unit((scr_quat){1.0, tan22, 0.0, 0.0}), vec3(1, 1, 1));
    assert_int_equal(checked_narrow_phase(&floor_box, &on_edge, 0.001, out), 2);
    for (int i = 0; i < 2; ++i) {
        assert_within(out[i].gap, -0.01, 1e-13);
        assert_within(fabs(out[i].point.x), 1.0, 1e-13);
        assert_same_vector(vec3(0, out[i].point.y, out[i].point.z), vec3(0, 0, -0.005), 1e-13);
    }

    // The turn that takes the cube's diagonal (1, 1, 1) to the vertical.
    scr_quat upright = quat_unit((scr_quat){1.0 + 1.0 / root3, 1.0 / root3, -1.0 / root3, 0.0});
    placed_shape on_tip = make_box(vec3(0.5, 0.5, root3 + 0.01), upright, vec3(1, 1, 1));
    assert_int_equal(checked_narrow_phase(&floor_box, &on_tip, 0.02, out), 1);
    assert_within(out[0].gap, 0.01, 1e-13);
    assert_same_vector(out[0].normal, vec3(0, 0, 1), 1e-13);
    assert_same_vector(out[0].point, vec3(0.5, 0.5, 0.005), 1e-12);

    for (int sign = -1; sign <= 1; sign += 2) {  // two roofs, ridge over ridge, at right angles
        double gap = 0.01 * sign;
        placed_shape low = make_box(vec3(0, 0, 0), quat_unit((scr_quat){1.0, tan22, 0.0, 0.0}), vec3(2, 1, 1));
        placed_shape high =
            make_box(vec3(0.3, 0.4, 2.0 * root2 + gap), quat_unit((scr_quat){1.0, 0.0, tan22, 0.0}), vec3(1, 2, 1));
        assert_int_equal(checked_narrow_phase(&low, &high, 0.02, out), 1);
        assert_within(out[0].gap, gap, 1e-13);
        assert_same_vector(out[0].normal, vec3(0, 0, 1), 1e-13);
        assert_same_vector(out[0].point, vec3(0.3, 0.0, root2 + 0.5 * gap), 1e-12);
    }

    // Cubes offset along a face's diagonal and along a space diagonal: edge to edge, corner to corner.
    placed_shape cube = make_box(vec3(0, 0, 0), QUAT_IDENTITY, vec3(1, 1, 1)), other = cube;
    other.pose.position = vec3(2.03, 2.04, 0.5);
    assert_int_equal(checked_narrow_phase(&cube, &other, 0.06, out), 1);
    assert_within(out[0].gap, 0.05, 1e-13);
    assert_same_vector(out[0].normal, vec3(0.6, 0.8, 0.0), 1e-12);
    assert_same_vector(out[0].point, vec3(1.015, 1.02, 0.25), 1e-12);  // the middle of the stretch they share
    assert_int_equal(checked_narrow_phase(&cube, &other, 0.049, out), 0);
    other.pose.position = vec3(2.03, -2.04, 2.12);
    assert_int_equal(checked_narrow_phase(&cube, &other, 0.14, out), 1);
    assert_within(out[0].gap, 0.13, 1e-13);
    assert_same_vector(out[0].normal, vec3(3.0 / 13.0, -4.0 / 13.0, 12.0 / 13.0), 1e-12);
    assert_same_vector(out[0].point, vec3(1.015, -1.02, 1.06), 1e-13);
}

// ---- Boxes that ought not to be ----

static void no_place_of_two_boxes_gives_anything_but_numbers(void **state)
{
    (void)state;
    const double places[] = {0.0, 1.0, -1.0, 2.0, 0.5, 1e-17, 2.0 + 1e-15, 1e-300, -1e-9};
    const double sizes[] = {1.0, 0.5, 1e-9, 1e9, 1.0 + 1e-15};
    const scr_quat rotations[] = {{1, 0, 0, 0},    {0, 1, 0, 0},         {0.5, 0.5, 0.5, 0.5}, {1, 1, 0, 0},
                                  {1, 1e-9, 0, 0}, {1, 1e-17, 1e-17, 0}, {1, 0, 1e-6, 1e-6}};
    enum {
        PLACES = sizeof places / sizeof *places,
        SIZES = sizeof sizes / sizeof *sizes,
        ROTATIONS = sizeof rotations / sizeof *rotations
    };
    draws d = {10, 0};
    for (int k = 0; k < 100000; ++k) {
        double pick[8];
        for (int i = 0; i < 8; ++i) pick[i] = draw(&d, 0.0, 1.0);
        placed_shape a = make_box(vec3(0, 0, 0), quat_unit(rotations[(int)(pick[6] * ROTATIONS)]), vec3(1, 1, 1));
        placed_shape b = make_box(
            vec3(places[(int)(pick[0] * PLACES)], places[(int)(pick[1] * PLACES)], places[(int)(pick[2] * PLACES)]),
            quat_unit(rotations[(int)(pick[7] * ROTATIONS)]),
            vec3(sizes[(int)(pick[3] * SIZES)], sizes[(int)(pick[4] * SIZES)], sizes[(int)(pick[5] * SIZES)]));
        if (k % 4 == 0) a.pose.rotation = draw_rotation(&d);
        if (k % 8 == 0) b.pose.rotation = draw_rotation(&d);
        contact_point out[MANIFOLD_MAX];
        checked_narrow_phase(&a, &b, 0.1, out);
        checked_narrow_phase(&b, &a, 0.1, out);
    }
}

static void a_box_in_itself_or_in_another_leaves_by_the_shortest_way(void **state)
{
    (void)state;
    draws d = {11, 0};
    for (int k = 0; k < 100; ++k) {
        scr_quat q = draw_rotation(&d);
        placed_shape a = make_box(draw_vector(&d, 1.0), q, vec3(3, 2, 1)),
                     inside = make_box(a.pose.position, q, vec3(0.1, 0.2, 0.3));
        contact_point out[MANIFOLD_MAX];
        assert_int_equal(checked_narrow_phase(&a, &a, 0.0, out), 4);
        assert_within(nearest_gap(out, 4), -2.0, 1e-13);
        assert_int_equal(checked_narrow_phase(&a, &inside, 0.0, out), 4);
        assert_within(nearest_gap(out, 4), -1.3, 1e-13);
        assert_within(fabs(vec3_dot(out[0].normal, box_axis_in_world(&a, 2))), 1.0, 1e-13);
    }
}

static void coordinates_that_are_no_numbers_meet_nothing(void **state)
{
    (void)state;
    placed_shape cube = make_box(vec3(0, 0, 0), QUAT_IDENTITY, vec3(1, 1, 1)), lost = cube;
    lost.pose.position.x = NAN;
    contact_point out[MANIFOLD_MAX];
    assert_int_equal(narrow_phase(&cube, &lost, 0.1, out), 0);
    lost.pose.position.x = INFINITY;
    assert_int_equal(narrow_phase(&lost, &cube, 0.1, out), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_corner_near_a_plane_is_a_point),
        cmocka_unit_test(random_boxes_agree_with_the_oracles),
        cmocka_unit_test(nearly_aligned_boxes_agree_with_the_oracles),
        cmocka_unit_test(a_common_motion_moves_the_contacts_with_it),
        cmocka_unit_test(swapping_the_boxes_negates_the_normal),
        cmocka_unit_test(far_from_the_origin_nothing_changes),
        cmocka_unit_test(stacked_boxes_touch_at_the_corners_of_their_common_patch),
        cmocka_unit_test(a_turned_box_touches_at_eight_points),
        cmocka_unit_test(tiny_motions_keep_features_and_points),
        cmocka_unit_test(equally_deep_faces_do_not_take_turns),
        cmocka_unit_test(crossed_planks_keep_four_points_when_tilted),
        cmocka_unit_test(a_corner_on_the_rim_is_followed_by_the_rims_end),
        cmocka_unit_test(edges_and_corners_touch_where_they_should),
        cmocka_unit_test(no_place_of_two_boxes_gives_anything_but_numbers),
        cmocka_unit_test(a_box_in_itself_or_in_another_leaves_by_the_shortest_way),
        cmocka_unit_test(coordinates_that_are_no_numbers_meet_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
