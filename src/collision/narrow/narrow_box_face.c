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
static void cross_side(const reference_face *face, int side, const clip_vertex *v, const clip_vertex *w,
                       clip_vertex *cut)
{
    double from = beyond(face, side, v), share = from / (from - beyond(face, side, w));
    cut->at[0] = v->at[0] + share * (w->at[0] - v->at[0]);
    cut->at[1] = v->at[1] + share * (w->at[1] - v->at[1]);
    cut->gap = v->gap + share * (w->gap - v->gap);
    cut->side_after = from < 0.0 ? ON_SIDE + side : v->side_after;
    if (v->side_after < ON_SIDE) {
        cut->reference_feature = BOX_EDGE + edge_at_side(face, side);
        cut->incident_feature = BOX_EDGE + v->side_after;
    } else {
        cut->reference_feature = BOX_CORNER + corner_between(face, side, v->side_after - ON_SIDE);
        cut->incident_feature = BOX_FACE + face->incident_face;
    }
}

// A polygon, and room for what is left of it.
typedef struct clipped_polygon {
    int count, now;  // now: which of the two it is
    clip_vertex vertex[2][MANIFOLD_MAX];
} clipped_polygon;

static void clip_to_side(const reference_face *face, int side, clipped_polygon *polygon)
{
    const clip_vertex *from = polygon->vertex[polygon->now];
    clip_vertex *to = polygon->vertex[1 - polygon->now];
    double out[MANIFOLD_MAX];
    bool any_out = false;
    for (int i = 0; i < polygon->count; ++i) {
        out[i] = beyond(face, side, &from[i]);
        any_out |= out[i] > face->tolerance;
    }
    if (!any_out) return;
    int kept = 0;
    for (int i = 0; i < polygon->count; ++i) {
        int next = i + 1 < polygon->count ? i + 1 : 0;
        const clip_vertex *v = &from[i], *w = &from[next];
        double out_v = out[i], out_w = out[next];
        if (!(out_v > face->tolerance)) {
            to[kept] = *v;
            if (out_v >= -face->tolerance && out_w > face->tolerance) to[kept].side_after = ON_SIDE + side;
            ++kept;
        }
        if ((out_v < -face->tolerance && out_w > face->tolerance) ||
            (out_v > face->tolerance && out_w < -face->tolerance))
            cross_side(face, side, v, w, &to[kept++]);
    }
    polygon->count = kept;
    polygon->now = 1 - polygon->now;
}

static scr_vec3 manifold_point(const reference_face *face, const clip_vertex *v)
{
    scr_vec3 arm = vec3_scale(face->box->half[face->across] + 0.5 * v->gap, face->normal);
    for (int u = 0; u < 2; ++u) arm = vec3_add_scaled(arm, v->at[u], face->box->axis[face->along[u]]);
    return vec3_add(face->box->centre, arm);
}

// A vertex that is a point of the manifold.
typedef struct found_vertex {
    uint32_t feature;
    int vertex;
} found_vertex;

static void insert_by_feature(found_vertex *sorted, int count, found_vertex found)
{
    int i = count;
    for (; i > 0 && sorted[i - 1].feature > found.feature; --i) sorted[i] = sorted[i - 1];
    sorted[i] = found;
}

int box_face_manifold(const box_pair *pair, const box_axis *axis, double reach, contact_point out[MANIFOLD_MAX],
                      double *nearest)
{
    bool reference_is_a = axis->axis_b == NO_AXIS;
    reference_face face = make_reference(pair, axis);
    clipped_polygon polygon;
    polygon.count = 4;
    polygon.now = 0;
    place_incident_face(&face, &pair->box[reference_is_a ? 1 : 0], polygon.vertex[0]);
    for (int side = 0; side < SIDE_COUNT; ++side) {
        clip_to_side(&face, side, &polygon);
        assert(polygon.count <= 4 + side + 1);
    }

    const clip_vertex *vertex = polygon.vertex[polygon.now];
    found_vertex found[MANIFOLD_MAX];
    int count = 0;
    *nearest = INFINITY;
    for (int k = 0; k < polygon.count; ++k) {
        const clip_vertex *v = &vertex[k];
        if (!(v->gap < reach)) continue;
        *nearest = fmin(*nearest, v->gap);
        uint32_t feature = reference_is_a ? box_feature_pair(v->reference_feature, v->incident_feature)
                                          : box_feature_pair(v->incident_feature, v->reference_feature);
        insert_by_feature(found, count++, (found_vertex){feature, k});
    }
    for (int k = 0; k < count; ++k) {
        const clip_vertex *v = &vertex[found[k].vertex];
        out[k] = (contact_point){manifold_point(&face, v), axis->normal, v->gap, found[k].feature, {0.0, 0.0}};
    }
    return count;
}
