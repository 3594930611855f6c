// SPDX-License-Identifier: BSD-3-Clause
// Boxes against planes and boxes.
//
// Two boxes are compared along the 15 axes of box_axes.h; let s* be the largest separation. If s* < 0 the boxes
// overlap, and moving b by -s* along that axis is the shortest way out. If s* > 0 they are disjoint, and s* is their
// distance unless a corner is nearest to a corner or an edge.
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

#define LANES_SCALAR
#include "collision/narrow/box_axes.h"

// How far a face's manifold may be from s* and still be preferred: a share of |s*| plus a share of the boxes' size.
// Below the size's share all is rounding or the slack of PARALLEL_EDGES.
static const double GAP_SHARE = 0.01, SIZE_SHARE = 1e-5;
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

static real3 real3_of(scr_vec3 v) { return (real3){v.x, v.y, v.z}; }
static real_quat real_quat_of(scr_quat q) { return (real_quat){q.w, q.x, q.y, q.z}; }

static box_lanes in_frame_of_a(const placed_shape *a, const placed_shape *b)
{
    return box_lanes_of(real_quat_of(a->pose.rotation), real_quat_of(b->pose.rotation),
                        real3_of(vec3_sub(b->pose.position, a->pose.position)), real3_of(a->half), real3_of(b->half));
}

static void place_pair(const box_lanes *p, box_pair *pair)
{
    oriented_box *a = &pair->box[0], *b = &pair->box[1];
    a->centre = vec3(0.0, 0.0, 0.0);
    b->centre = vec3(p->centre[0], p->centre[1], p->centre[2]);
    pair->size = p->size;
    for (int i = 0; i < 3; ++i) {
        a->half[i] = p->half[0][i];
        b->half[i] = p->half[1][i];
        a->axis[i] = vec3(i == 0, i == 1, i == 2);
        b->axis[i] = vec3(p->turn[0][i], p->turn[1][i], p->turn[2][i]);
        for (int j = 0; j < 3; ++j) pair->rotation[i][j] = p->turn[i][j];
    }
}

// The axis pointing from a to b.
static box_axis directed_axis(int axis_a, int axis_b, scr_vec3 axis, box_shadow shadow)
{
    return (box_axis){axis_a, axis_b, shadow.along < 0.0 ? vec3_neg(axis) : axis, separation_of(shadow)};
}

static box_axis face_axis(const box_lanes *p, const box_pair *pair, int face)
{
    if (face < 3) return directed_axis(face, NO_AXIS, pair->box[0].axis[face], face_shadow_of_a(p, face));
    return directed_axis(NO_AXIS, face - 3, pair->box[1].axis[face - 3], face_shadow_of_b(p, face - 3));
}

static box_axis edge_axis(const box_lanes *p, const box_pair *pair, int edge)
{
    if (edge == NO_EDGE_AXIS) return (box_axis){NO_AXIS, NO_AXIS, {0.0, 0.0, 0.0}, -INFINITY};
    int i = edge / 3, j = edge % 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    double length = sqrt(edge_sine_squared(p, i, j));
    scr_vec3 axis = vec3_add(vec3_scale(p->turn[i1][j] / length, pair->box[0].axis[i2]),
                             vec3_scale(-p->turn[i2][j] / length, pair->box[0].axis[i1]));
    return directed_axis(i, j, axis, edge_shadow(p, i, j));
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
    edge_approach near = crossing ? box_facing_edges(pair, best) : box_nearest_edges(pair, best->normal);
    if (crossing && disjoint && near.distance > by_axis) near = box_nearest_edges(pair, best->normal);
    if (disjoint && near.distance > by_axis) {
        normal = vec3_scale(1.0 / near.distance, vec3_sub(near.on_b, near.on_a));
        gap = near.distance;
    }
    if (!(gap < reach)) return 0;
    scr_vec3 point = vec3_scale(0.5, vec3_add(near.on_a, near.on_b));
    *out = (contact_point){point, normal, gap, box_feature_pair(near.feature_a, near.feature_b), {0.0, 0.0}};
    return 1;
}

static int contact_along(const placed_shape *a, const box_lanes *p, double reach, int face_number, int edge_number,
                         contact_point out[MANIFOLD_MAX])
{
    box_pair pair;
    place_pair(p, &pair);
    box_axis face = face_axis(p, &pair, face_number), edge = edge_axis(p, &pair, edge_number);
    const box_axis *best = edge.separation > face.separation ? &edge : &face;

    int count = face_contact(&pair, &face, best, reach, out);
    if (count == 0) count = edge_contact(&pair, best, reach, out);
    scr_vec3 normal = count > 0 ? quat_rotate(a->pose.rotation, out[0].normal) : best->normal;  // all points have one
    for (int i = 0; i < count; ++i) {
        out[i].point = pose_apply(a->pose, out[i].point);
        out[i].normal = normal;
    }
    return count;
}

int narrow_box_box(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX])
{
    box_lanes p = in_frame_of_a(a, b);
    box_best best;
    if (!find_box_axes(&p, reach, true, &best)) return 0;
    return contact_along(a, &p, reach, (int)best.face, (int)best.edge, out);
}

int narrow_box_box_along(const placed_shape *a, const placed_shape *b, double reach, uint8_t clue,
                         contact_point out[MANIFOLD_MAX])
{
    box_lanes p = in_frame_of_a(a, b);
    return contact_along(a, &p, reach, clue >> 4, clue & 15, out);
}
