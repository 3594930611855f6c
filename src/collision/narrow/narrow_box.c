// SPDX-License-Identifier: BSD-3-Clause
// Boxes against planes and boxes.
//
// Two boxes are compared along 15 axes: 3 + 3 face normals and 9 cross products of edges. With t from centre a to
// centre b, the separation along a unit axis n is
//   s(n) = |t . n| - sum_k ha_k |a_k . n| - sum_k hb_k |b_k . n|        never more than the boxes' distance
// and let s* be the largest of them. If s* < 0 the boxes overlap, and moving b by -s* along that axis is the shortest
// way out. If s* > 0 they are disjoint, and s* is their distance unless a corner is nearest to a corner or an edge.
//
// A face normal is preferred, because it gives a whole manifold: the face that opposes it, clipped to it. The manifold
// is right if its nearest gap is s*. Two planks laid crosswise and tilted by a hair have an edge axis as their best
// one, yet the patch where they touch, seen along a face's normal, has that same gap (to the square of the tilt), so
// they keep their four points. Comparing the faces' own s(n) would miss this: the planks' far ends, not the patch,
// decide it. Otherwise the nearest edges give one point, with the exact distance when the boxes are disjoint.
//
// Everything happens in a's frame: a common shift or turn of both boxes costs no digits.
#include "collision/narrow/narrow_box.h"

#include "collision/narrow/narrow_box_pair.h"

// How far a face's manifold may be from s* and still be preferred: a share of |s*| plus a share of the boxes' size.
// Below the size's share all is rounding or the slack of PARALLEL_SINE_SQUARED.
static const double GAP_SHARE = 0.01, SIZE_SHARE = 1e-5;
// A pair's size is its smallest half edge, but never so small beside its largest length that a share of it is rounding.
static const double SIZE_LEAST = 1e-8;
// A later face must be better by this share of the size, so that equal ones do not take turns.
static const double FACE_TIE = 1e-6;
// Cosine of 8 degrees: a face normal so near to the best axis means the same contact.
static const double NEARLY_ALONG = 0.99;

int narrow_box_plane(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX])
{
    _Static_assert((int)CORNER_COUNT <= (int)MANIFOLD_MAX, "every corner may touch");
    scr_vec3 up = quat_z(b->pose.rotation), in_box = quat_unrotate(a->pose.rotation, up);
    double height = vec3_dot(up, vec3_sub(a->pose.position, b->pose.position));
    int count = 0;
    for (int corner = 0; corner < CORNER_COUNT; ++corner) {
        scr_vec3 sign =
            vec3(2 * corner_bit(corner, 0) - 1, 2 * corner_bit(corner, 1) - 1, 2 * corner_bit(corner, 2) - 1);
        scr_vec3 arm = vec3_mul(sign, a->half);
        double gap = height + vec3_dot(in_box, arm);
        if (!(gap < reach)) continue;
        scr_vec3 point =
            vec3_add(a->pose.position, vec3_add_scaled(quat_rotate(a->pose.rotation, arm), -0.5 * gap, up));
        out[count++] = (contact_point){point, vec3_neg(up), gap, (uint32_t)corner, {0.0, 0.0}};
    }
    return count;
}

static box_pair pair_in_frame_of_a(const placed_shape *a, const placed_shape *b)
{
    mat3 rotation = mat3_from_quat(quat_mul(quat_conj(a->pose.rotation), b->pose.rotation));
    box_pair pair = {
        .box = {{vec3(0.0, 0.0, 0.0),
                 {vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0)},
                 {a->half.x, a->half.y, a->half.z}},
                {pose_unapply(a->pose, b->pose.position),
                 {vec3(rotation.m[0][0], rotation.m[1][0], rotation.m[2][0]),
                  vec3(rotation.m[0][1], rotation.m[1][1], rotation.m[2][1]),
                  vec3(rotation.m[0][2], rotation.m[1][2], rotation.m[2][2])},
                 {b->half.x, b->half.y, b->half.z}}},
    };
    double least = INFINITY, most = vec3_norm(pair.box[1].centre);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) pair.rotation[i][j] = rotation.m[i][j];
        least = fmin(least, fmin(pair.box[0].half[i], pair.box[1].half[i]));
        most = fmax(most, fmax(pair.box[0].half[i], pair.box[1].half[i]));
    }
    pair.size = fmax(least, SIZE_LEAST * most);
    return pair;
}

// The axis pointing from a to b, which are the vector between apart; half_sum is both boxes' half shadow on it.
static box_axis directed_axis(int axis_a, int axis_b, scr_vec3 axis, scr_vec3 between, double half_sum)
{
    double along = vec3_dot(between, axis);
    return (box_axis){axis_a, axis_b, along < 0.0 ? vec3_neg(axis) : axis, fabs(along) - half_sum};
}

static box_axis face_axis_of_a(const box_pair *pair, int i)
{
    const oriented_box *a = &pair->box[0], *b = &pair->box[1];
    double half = a->half[i];
    for (int j = 0; j < 3; ++j) half += b->half[j] * fabs(pair->rotation[i][j]);
    return directed_axis(i, NO_AXIS, a->axis[i], b->centre, half);
}

static box_axis face_axis_of_b(const box_pair *pair, int j)
{
    const oriented_box *a = &pair->box[0], *b = &pair->box[1];
    double half = b->half[j];
    for (int i = 0; i < 3; ++i) half += a->half[i] * fabs(pair->rotation[i][j]);
    return directed_axis(NO_AXIS, j, b->axis[j], b->centre, half);
}

// a_i x b_j, written out in a's frame, where each number is an entry of the turn: no digits cancel.
static box_axis edge_axis(const box_pair *pair, int i, int j)
{
    const oriented_box *a = &pair->box[0], *b = &pair->box[1];
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    double p = pair->rotation[i1][j], q = pair->rotation[i2][j], length = sqrt(p * p + q * q);
    scr_vec3 axis = vec3_add(vec3_scale(p / length, a->axis[i2]), vec3_scale(-q / length, a->axis[i1]));
    double half = a->half[i1] * fabs(q) + a->half[i2] * fabs(p) + b->half[j1] * fabs(pair->rotation[i][j2]) +
                  b->half[j2] * fabs(pair->rotation[i][j1]);
    return directed_axis(i, j, axis, b->centre, half / length);
}

// The best face axis and the best edge axis; false as soon as one shows that the boxes are out of reach.
static bool find_axes(const box_pair *pair, double reach, box_axis *face, box_axis *edge)
{
    *face = *edge = (box_axis){.axis_a = NO_AXIS, .axis_b = NO_AXIS, .separation = -INFINITY};
    for (int k = 0; k < 6; ++k) {
        box_axis axis = k < 3 ? face_axis_of_a(pair, k) : face_axis_of_b(pair, k - 3);
        if (!(axis.separation < reach)) return false;
        if (axis.separation > face->separation + FACE_TIE * pair->size) *face = axis;
    }
    for (int k = 0; k < 9; ++k) {
        int i = k / 3, j = k % 3;
        if (sine_squared(pair, i, j) < PARALLEL_SINE_SQUARED) continue;
        box_axis axis = edge_axis(pair, i, j);
        if (!(axis.separation < reach)) return false;
        if (axis.separation > edge->separation) *edge = axis;
    }
    return true;
}

static double gap_slack(const box_pair *pair, const box_axis *best)
{
    return GAP_SHARE * fabs(best->separation) + SIZE_SHARE * pair->size;
}

static bool face_is_as_good(const box_axis *face, const box_axis *best, double slack)
{
    return face->separation >= best->separation - slack || vec3_dot(face->normal, best->normal) >= NEARLY_ALONG;
}

// The manifold of a face, if that tells the boxes' separation; else 0 points.
static int face_contact(const box_pair *pair, const box_axis *face, const box_axis *best, double reach,
                        contact_point out[MANIFOLD_MAX])
{
    double slack = gap_slack(pair, best), nearest;
    if (!face_is_as_good(face, best, slack)) return 0;
    int count = box_face_manifold(pair, face, reach, out, &nearest);
    if (count == 0 || fabs(nearest - best->separation) > slack) return 0;

    // Disjoint boxes may close a gap, but never one that is longer than their distance.
    double excess = best->separation > 0.0 ? fmax(nearest - best->separation, 0.0) : 0.0;
    for (int i = 0; i < count; ++i) out[i].gap -= excess;
    return count;
}

// The one point where edges are nearest.
static int edge_contact(const box_pair *pair, const box_axis *best, double reach, contact_point *out)
{
    bool disjoint = best->separation > 0.0, crossing = best->axis_a != NO_AXIS && best->axis_b != NO_AXIS;
    scr_vec3 normal = best->normal;
    double gap = best->separation;
    double by_axis = best->separation + SIZE_SHARE * pair->size;  // m, what the axis tells, with room for rounding

    // No axis tells the distance from a corner to a corner or an edge: the nearest points themselves do.
    edge_approach near = crossing ? box_facing_edges(pair, best) : box_nearest_edges(pair);
    if (crossing && disjoint && near.distance > by_axis) near = box_nearest_edges(pair);
    if (disjoint && near.distance > by_axis) {
        normal = vec3_scale(1.0 / near.distance, vec3_sub(near.on_b, near.on_a));
        gap = near.distance;
    }
    if (!(gap < reach)) return 0;
    scr_vec3 point = vec3_scale(0.5, vec3_add(near.on_a, near.on_b));
    *out = (contact_point){point, normal, gap, box_feature_pair(near.feature_a, near.feature_b), {0.0, 0.0}};
    return 1;
}

int narrow_box_box(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX])
{
    box_pair pair = pair_in_frame_of_a(a, b);
    box_axis face, edge;
    if (!find_axes(&pair, reach, &face, &edge)) return 0;
    const box_axis *best = edge.separation > face.separation ? &edge : &face;

    int count = face_contact(&pair, &face, best, reach, out);
    if (count == 0) count = edge_contact(&pair, best, reach, out);
    for (int i = 0; i < count; ++i) {
        out[i].point = pose_apply(a->pose, out[i].point);
        out[i].normal = quat_rotate(a->pose.rotation, out[i].normal);
    }
    return count;
}
