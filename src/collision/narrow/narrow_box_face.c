// SPDX-License-Identifier: BSD-3-Clause
// Face against box: the manifold of two faces that oppose each other.
//
// The axis belongs to a face of one box, the reference; the incident face is that of the other box which opposes it
// most. Over the reference face each point of the incident one has two coordinates along the face's edges and a gap
// above it. The incident quadrangle is clipped to the rectangle |at[u]| <= half[u], one side after another
// (Sutherland-Hodgman).
//
// A corner within the tolerance of a side is on it: it is kept as it is, and its edges do not cross that side. So two
// equal boxes stacked flush have four corners as their manifold, whatever their last digits say. It also bounds the
// count: a side cuts a convex polygon at two places at most, even a rounded one, because the tolerance is far more than
// rounding. So each of the four sides adds one point at most to the four there were.
#include <assert.h>

#include "collision/narrow/narrow_box_pair.h"

static const double TOLERANCE = 1e-4;  // in units of the pair's size

// The polygon's side after a vertex: an edge of the incident box, or ON_SIDE plus a side of the reference rectangle.
// Side 2 u + 1 is at +half[u], side 2 u at -half[u].
enum { SIDE_COUNT = 4, ON_SIDE = EDGE_COUNT };

typedef struct clip_vertex {
    double at[2];                             // m, along the reference face's two edges
    double gap;                               // m, above the reference face
    int reference_feature, incident_feature;  // box_feature
    int side_after;
} clip_vertex;

typedef struct reference_face {
    const oriented_box *box;
    int across, along[2];  // the axes of the box
    bool positive;         // which of the two faces across that axis
    scr_vec3 normal;       // outward
    double tolerance;      // m
    int incident_face;     // number of the face that opposes it
} reference_face;

static double along_axis(const reference_face *face, int u, scr_vec3 arm)
{
    return vec3_dot(arm, face->box->axis[face->along[u]]);
}

// The corner of the reference face where two of its sides meet; of a side with itself, one of its ends.
static int corner_between(const reference_face *face, int side, int other_side)
{
    int corner = face->positive ? 1 << face->across : 0;
    if (side % 2 == 1) corner |= 1 << face->along[side / 2];
    if (other_side / 2 != side / 2 && other_side % 2 == 1) corner |= 1 << face->along[other_side / 2];
    return corner;
}

// The edge of the reference face at a side: it runs along the other coordinate.
static int edge_at_side(const reference_face *face, int side)
{
    return edge_at(corner_between(face, side, side), face->along[1 - side / 2]);
}

static reference_face make_reference(const box_pair *pair, const box_axis *axis)
{
    bool from_a = axis->axis_b == NO_AXIS;
    reference_face face = {.box = &pair->box[from_a ? 0 : 1], .across = from_a ? axis->axis_a : axis->axis_b};
    face.along[0] = (face.across + 1) % 3;
    face.along[1] = (face.across + 2) % 3;
    face.normal = from_a ? axis->normal : vec3_neg(axis->normal);  // the axis points from a to b
    face.positive = vec3_dot(face.normal, face.box->axis[face.across]) > 0.0;
    face.tolerance = TOLERANCE * pair->size;
    return face;
}

// The four corners of the face of the other box that opposes the reference face most.
static void place_incident_face(reference_face *face, const oriented_box *other, clip_vertex polygon[])
{
    int across = 0;
    double slope[3];
    for (int k = 0; k < 3; ++k) {
        slope[k] = vec3_dot(face->normal, other->axis[k]);
        if (fabs(slope[k]) > fabs(slope[across])) across = k;
    }
    bool positive = slope[across] < 0.0;
    int along[2] = {(across + 1) % 3, (across + 2) % 3};
    face->incident_face = face_across(across, positive);

    static const int round[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};  // bits of the corners, round the face
    for (int v = 0; v < 4; ++v) {
        int corner = (positive ? 1 << across : 0) | round[v][0] << along[0] | round[v][1] << along[1];
        scr_vec3 arm = vec3_sub(other->centre, face->box->centre);
        for (int k = 0; k < 3; ++k)
            arm = vec3_add_scaled(arm, corner_bit(corner, k) ? other->half[k] : -other->half[k], other->axis[k]);
        polygon[v] = (clip_vertex){
            .at = {along_axis(face, 0, arm), along_axis(face, 1, arm)},
            .gap = vec3_dot(arm, face->normal) - face->box->half[face->across],
            .reference_feature = BOX_FACE + face_across(face->across, face->positive),
            .incident_feature = BOX_CORNER + corner,
            .side_after = edge_at(corner, along[v % 2]),
        };
    }
}

// How far a vertex lies beyond a side of the reference rectangle.
static double beyond(const reference_face *face, int side, const clip_vertex *v)
{
    double at = v->at[side / 2];
    return (side % 2 == 1 ? at : -at) - face->box->half[face->along[side / 2]];
}

// Where the polygon's side from v to w crosses a side of the rectangle: two edges that cross, or the rectangle's corner
// if that part of the polygon is itself a side of the rectangle.
static clip_vertex cross_side(const reference_face *face, int side, const clip_vertex *v, const clip_vertex *w)
{
    double from = beyond(face, side, v), share = from / (from - beyond(face, side, w));
    clip_vertex cut = {
        .at = {v->at[0] + share * (w->at[0] - v->at[0]), v->at[1] + share * (w->at[1] - v->at[1])},
        .gap = v->gap + share * (w->gap - v->gap),
        .side_after = from < 0.0 ? ON_SIDE + side : v->side_after,
    };
    if (v->side_after < ON_SIDE) {
        cut.reference_feature = BOX_EDGE + edge_at_side(face, side);
        cut.incident_feature = BOX_EDGE + v->side_after;
    } else {
        cut.reference_feature = BOX_CORNER + corner_between(face, side, v->side_after - ON_SIDE);
        cut.incident_feature = BOX_FACE + face->incident_face;
    }
    return cut;
}

static int clip_to_side(const reference_face *face, int side, const clip_vertex *polygon, int count,
                        clip_vertex *clipped)
{
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        const clip_vertex *v = &polygon[i], *w = &polygon[(i + 1) % count];
        double out_v = beyond(face, side, v), out_w = beyond(face, side, w);
        if (!(out_v > face->tolerance)) {
            clipped[kept] = *v;
            if (out_v >= -face->tolerance && out_w > face->tolerance) clipped[kept].side_after = ON_SIDE + side;
            ++kept;
        }
        if ((out_v < -face->tolerance && out_w > face->tolerance) ||
            (out_v > face->tolerance && out_w < -face->tolerance))
            clipped[kept++] = cross_side(face, side, v, w);
    }
    return kept;
}

static contact_point manifold_point(const reference_face *face, bool reference_is_a, const clip_vertex *v)
{
    scr_vec3 arm = vec3_scale(face->box->half[face->across] + 0.5 * v->gap, face->normal);
    for (int u = 0; u < 2; ++u) arm = vec3_add_scaled(arm, v->at[u], face->box->axis[face->along[u]]);
    return (contact_point){
        .point = vec3_add(face->box->centre, arm),
        .normal = reference_is_a ? face->normal : vec3_neg(face->normal),
        .gap = v->gap,
        .feature = reference_is_a ? box_feature_pair(v->reference_feature, v->incident_feature)
                                  : box_feature_pair(v->incident_feature, v->reference_feature),
    };
}

static void insert_by_feature(contact_point *sorted, int count, contact_point point)
{
    int i = count;
    for (; i > 0 && sorted[i - 1].feature > point.feature; --i) sorted[i] = sorted[i - 1];
    sorted[i] = point;
}

int box_face_manifold(const box_pair *pair, const box_axis *axis, double reach, contact_point out[MANIFOLD_MAX],
                      double *nearest)
{
    bool reference_is_a = axis->axis_b == NO_AXIS;
    reference_face face = make_reference(pair, axis);
    clip_vertex polygon[2][MANIFOLD_MAX];
    place_incident_face(&face, &pair->box[reference_is_a ? 1 : 0], polygon[0]);
    int vertex_count = 4;
    for (int side = 0; side < SIDE_COUNT; ++side) {
        vertex_count = clip_to_side(&face, side, polygon[side % 2], vertex_count, polygon[(side + 1) % 2]);
        assert(vertex_count <= 4 + side + 1);
    }

    int count = 0;
    *nearest = INFINITY;
    for (int v = 0; v < vertex_count; ++v) {
        const clip_vertex *vertex = &polygon[SIDE_COUNT % 2][v];
        if (!(vertex->gap < reach)) continue;
        *nearest = fmin(*nearest, vertex->gap);
        insert_by_feature(out, count++, manifold_point(&face, reference_is_a, vertex));
    }
    return count;
}
