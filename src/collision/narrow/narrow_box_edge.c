// SPDX-License-Identifier: BSD-3-Clause
// Edge against edge: the nearest points of two edges.
//
// An edge is p + u d with |u| <= half its length. With r from p to q, the middles of the two edges, and c = d . e,
//   |r + v e - u d|^2 is least at   u = (d . r - c e . r) / (1 - c^2),   v = c u - e . r
// Each is kept within its edge in turn; when v had to be moved, u follows it once more. That is exact, because the
// function is convex. Parallel edges have no single nearest pair: the middle of the interval they share is taken.
// Where a corner is nearest, the three edges that end there are equally near; all of them name it as the same feature.
#define LANES_SCALAR
#include "collision/narrow/box_axes.h"
#include "collision/narrow/narrow_box_pair.h"

static const double EDGE_TIE = 1e-10;         // in units of the pair's size
static const double HEIGHT_ROUNDING = 1e-12;  // of heights of edges, in units of all lengths that they are made of
static const double TOWARDS_CENTRE = 0.1;

static double within(double v, double half) { return v < -half ? -half : v > half ? half : v; }

static int edge_axis_index(int edge) { return edge / 4; }

static scr_vec3 edge_middle(const oriented_box *box, int edge)
{
    int along = edge_axis_index(edge), first = (along + 1) % 3, second = (along + 2) % 3;
    scr_vec3 middle = vec3_add_scaled(box->centre, edge & 1 ? box->half[first] : -box->half[first], box->axis[first]);
    return vec3_add_scaled(middle, edge & 2 ? box->half[second] : -box->half[second], box->axis[second]);
}

// The part of the box that is u along an edge from its middle.
static int feature_at(const oriented_box *box, int edge, double u)
{
    int along = edge_axis_index(edge);
    if (fabs(u) < box->half[along]) return BOX_EDGE + edge;
    return BOX_CORNER + ((u > 0.0) << along | (edge & 1) << (along + 1) % 3 | (edge >> 1 & 1) << (along + 2) % 3);
}

static edge_approach approach(const box_pair *pair, int edge_a, int edge_b)
{
    const oriented_box *a = &pair->box[0], *b = &pair->box[1];
    int i = edge_axis_index(edge_a), j = edge_axis_index(edge_b);
    double half_a = a->half[i], half_b = b->half[j], c = pair->rotation[i][j], s2 = sine_squared(pair, i, j);
    scr_vec3 p = edge_middle(a, edge_a), q = edge_middle(b, edge_b), r = vec3_sub(q, p);
    double dr = vec3_dot(a->axis[i], r), er = vec3_dot(b->axis[j], r);

    double low = fmax(-half_a, dr - half_b), high = fmin(half_a, dr + half_b);  // the interval parallel edges share
    double u = within(s2 < PARALLEL_EDGES ? 0.5 * (low + high) : (dr - c * er) / s2, half_a);
    double v = c * u - er;
    if (fabs(v) > half_b) {
        v = within(v, half_b);
        u = within(dr + c * v, half_a);
    }
    edge_approach near = {.feature_a = feature_at(a, edge_a, u),
                          .feature_b = feature_at(b, edge_b, v),
                          .on_a = vec3_add_scaled(p, u, a->axis[i]),
                          .on_b = vec3_add_scaled(q, v, b->axis[j])};
    near.distance = vec3_norm(vec3_sub(near.on_b, near.on_a));
    return near;
}

// The corner of a box that is farthest along a direction.
static int farthest_corner(const oriented_box *box, scr_vec3 direction)
{
    int corner = 0;
    for (int k = 0; k < 3; ++k) corner |= vec3_dot(direction, box->axis[k]) > 0.0 ? 1 << k : 0;
    return corner;
}

edge_approach box_facing_edges(const box_pair *pair, const box_axis *axis)
{
    return approach(pair, edge_at(farthest_corner(&pair->box[0], axis->normal), axis->axis_a),
                    edge_at(farthest_corner(&pair->box[1], vec3_neg(axis->normal)), axis->axis_b));
}

// The distance, and a grain more for each corner: of equally near pairs the interval shared by two edges goes first.
static double approach_cost(const box_pair *pair, const edge_approach *near)
{
    int corners = (near->feature_a < BOX_EDGE) + (near->feature_b < BOX_EDGE);
    return near->distance + EDGE_TIE * pair->size * corners;
}

// How far each edge reaches along a direction, m.
static void edge_heights(const oriented_box *box, scr_vec3 n, double height[EDGE_COUNT])
{
    double middle = vec3_dot(n, box->centre), part[3];
    for (int k = 0; k < 3; ++k) part[k] = box->half[k] * vec3_dot(n, box->axis[k]);
    for (int edge = 0; edge < EDGE_COUNT; ++edge) {
        int along = edge_axis_index(edge), first = (along + 1) % 3, second = (along + 2) % 3;
        height[edge] = middle + fabs(part[along]) + (edge & 1 ? part[first] : -part[first]) +
                       (edge & 2 ? part[second] : -part[second]);
    }
}

// The nearest of the edges that end at the corners which face each other along a direction.
static edge_approach nearest_at_corners(const box_pair *pair, scr_vec3 n)
{
    int corner_a = farthest_corner(&pair->box[0], n), corner_b = farthest_corner(&pair->box[1], vec3_neg(n));
    edge_approach nearest = {.distance = INFINITY};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            edge_approach near = approach(pair, edge_at(corner_a, i), edge_at(corner_b, j));
            if (near.distance < nearest.distance) nearest = near;
        }
    }
    return nearest;
}

edge_approach box_nearest_edges(const box_pair *pair, scr_vec3 normal)
{
    const oriented_box *a = &pair->box[0], *b = &pair->box[1];
    // Where a face gave the normal the corners of its edges face b alike: look a little towards b's centre.
    scr_vec3 between = vec3_sub(b->centre, a->centre);
    edge_approach first = nearest_at_corners(pair, vec3_add_scaled(normal, TOWARDS_CENTRE, vec3_unit(between)));
    // No two points of two edges are nearer than their edges' heights along any direction tell: along the shortest way
    // found so far, most pairs of edges need no closer look.
    scr_vec3 way = vec3_unit(vec3_sub(first.on_b, first.on_a));
    double above_a[EDGE_COUNT], below_b[EDGE_COUNT], lengths = vec3_norm(between);
    for (int k = 0; k < 3; ++k) lengths += a->half[k] + b->half[k];
    double enough = approach_cost(pair, &first) + HEIGHT_ROUNDING * lengths;
    edge_heights(a, way, above_a);
    edge_heights(b, vec3_neg(way), below_b);
    edge_approach nearest = {.distance = INFINITY};
    for (int edge_a = 0; edge_a < EDGE_COUNT; ++edge_a) {
        for (int edge_b = 0; edge_b < EDGE_COUNT; ++edge_b) {
            if (-(above_a[edge_a] + below_b[edge_b]) > enough) continue;
            edge_approach near = approach(pair, edge_a, edge_b);
            if (approach_cost(pair, &near) < approach_cost(pair, &nearest)) nearest = near;
        }
    }
    return nearest;
}
