// SPDX-License-Identifier: BSD-3-Clause
// The shortest way out of an overlap, by an expanding polytope.
//
// The difference set D of all xb - xa holds the origin when the shapes overlap; the way out along n is as long as D
// reaches beyond the origin in the direction -n. A polytope inside D, its corners support points of D, grows: its face
// of least distance from the origin is pushed out to the support point in the face's direction. As the polytope is
// inside D, no way out is shorter than its least face distance; as each support point bounds D, the reach along a
// face's normal is the length of a way out. So the search ends when a shorter way than the known one is found, or when
// all faces are so far that there is none. Distances carry a sign: the origin may begin outside the polytope.
//
// It starts from six support points along three axes, an octahedron, perhaps with some corners in common.
#include "collision/convex/convex_depth.h"

enum { POINT_MAX = 96, FACE_MAX = 2 * POINT_MAX, RIM_MAX = FACE_MAX };

typedef struct polytope_face {
    uint8_t corner[3];  // counter-clockwise seen from outside
    scr_vec3 normal;    // unit, outward
    double distance;    // m, of the face's plane from the origin
} polytope_face;

typedef struct polytope {
    const convex_shape *a, *b;
    int32_t hint[2];
    int point_count, face_count;
    scr_vec3 point[POINT_MAX];
    polytope_face face[FACE_MAX];
    double tolerance;  // m, below which lengths are rounding
} polytope;

static scr_vec3 support_of_difference(polytope *p, scr_vec3 n)
{
    support_point b = convex_support(p->b, n, p->hint[1]), a = convex_support(p->a, vec3_neg(n), p->hint[0]);
    p->hint[0] = a.corner;
    p->hint[1] = b.corner;
    return vec3_sub(b.at, a.at);
}

// False if the face has no direction or there is no room for it.
static bool add_face(polytope *p, int i, int j, int k)
{
    scr_vec3 origin = p->point[i], u = vec3_sub(p->point[j], origin), v = vec3_sub(p->point[k], origin);
    scr_vec3 area = vec3_cross(u, v);
    double norm = vec3_norm(area);
    if (!(norm > p->tolerance * p->tolerance) || p->face_count == FACE_MAX) return false;
    polytope_face *face = &p->face[p->face_count++];
    *face = (polytope_face){{(uint8_t)i, (uint8_t)j, (uint8_t)k}, vec3_scale(1.0 / norm, area), 0.0};
    face->distance = vec3_dot(face->normal, origin);
    return true;
}

// The number of a point, which may be there already.
static int add_point(polytope *p, scr_vec3 point)
{
    for (int k = 0; k < p->point_count; ++k)
        if (vec3_norm(vec3_sub(point, p->point[k])) <= p->tolerance) return k;
    p->point[p->point_count] = point;
    return p->point_count++;
}

// Faces with a corner twice are left out: their neighbours meet in their place, and the surface stays closed.
static bool start_octahedron(polytope *p)
{
    int corner[3][2];
    for (int k = 0; k < 3; ++k) {
        scr_vec3 axis = vec3(k == 0, k == 1, k == 2);
        corner[k][0] = add_point(p, support_of_difference(p, axis));
        corner[k][1] = add_point(p, support_of_difference(p, vec3_neg(axis)));
    }
    for (int octant = 0; octant < 8; ++octant) {
        int bit[3] = {octant & 1, octant >> 1 & 1, octant >> 2};
        bool even = (bit[0] + bit[1] + bit[2]) % 2 == 0;
        int i = corner[0][bit[0]], j = corner[1][bit[1]], k = corner[2][bit[2]];
        if (i == j || j == k || k == i) continue;
        if (!add_face(p, i, even ? j : k, even ? k : j)) return false;
    }
    return p->face_count >= 4;
}

// The support point along the axis or against it, whichever is farther from the plane through a point square to it.
static scr_vec3 farther_point(polytope *p, scr_vec3 axis, scr_vec3 from)
{
    scr_vec3 one = support_of_difference(p, axis), other = support_of_difference(p, vec3_neg(axis));
    return vec3_dot(axis, vec3_sub(one, from)) >= vec3_dot(axis, vec3_sub(from, other)) ? one : other;
}

// A set that is flat or slender may show too few corners along the axes. Four that span it: two along the normal, one
// far from their line, one far from their plane.
static bool start_tetrahedron(polytope *p, scr_vec3 normal)
{
    scr_vec3 a = support_of_difference(p, normal), b = support_of_difference(p, vec3_neg(normal));
    scr_vec3 line = vec3_unit(vec3_sub(b, a));
    scr_vec3 across = vec3_unit(vec3_cross(line, fabs(line.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
    scr_vec3 c = farther_point(p, across, a);
    if (fabs(vec3_dot(across, vec3_sub(c, a))) <= p->tolerance) c = farther_point(p, vec3_cross(line, across), a);
    scr_vec3 plane = vec3_unit(vec3_cross(line, vec3_sub(c, a))), d = farther_point(p, plane, a);
    bool above = vec3_dot(plane, vec3_sub(d, a)) > 0.0;
    p->point_count = 4;
    p->face_count = 0;
    p->point[0] = a, p->point[1] = above ? b : c, p->point[2] = above ? c : b, p->point[3] = d;
    return add_face(p, 0, 2, 1) && add_face(p, 0, 1, 3) && add_face(p, 1, 2, 3) && add_face(p, 2, 0, 3);
}

// Replace all faces that see the point by a fan from their common rim to it.
static bool push_out(polytope *p, scr_vec3 point)
{
    uint8_t rim[RIM_MAX][2];
    int rim_count = 0, kept = 0;
    if (p->point_count == POINT_MAX) return false;
    for (int f = 0; f < p->face_count; ++f) {
        polytope_face face = p->face[f];
        if (vec3_dot(face.normal, point) - face.distance <= p->tolerance) {
            p->face[kept++] = face;
            continue;
        }
        for (int side = 0; side < 3; ++side) {
            uint8_t from = face.corner[side], to = face.corner[(side + 1) % 3];
            int twin = 0;
            while (twin < rim_count && !(rim[twin][0] == to && rim[twin][1] == from)) ++twin;
            if (twin < rim_count) {
                --rim_count;
                rim[twin][0] = rim[rim_count][0], rim[twin][1] = rim[rim_count][1];
            } else {
                if (rim_count == RIM_MAX) return false;
                rim[rim_count][0] = from, rim[rim_count][1] = to;
                ++rim_count;
            }
        }
    }
    if (kept == p->face_count) return false;  // it sees none: rounding
    p->face_count = kept;
    int corner = add_point(p, point);
    for (int k = 0; k < rim_count; ++k)
        if (!add_face(p, rim[k][0], rim[k][1], corner)) return false;
    return true;
}

bool convex_shorter_way(const convex_shape *a, const convex_shape *b, double depth, double slack, scr_vec3 *normal)
{
    polytope p = {.a = a, .b = b};
    p.tolerance = 1e-9 * (a->size + b->size);
    if (!start_octahedron(&p) && !start_tetrahedron(&p, *normal)) return false;
    for (;;) {
        int least = 0;
        for (int f = 1; f < p.face_count; ++f)
            if (p.face[f].distance < p.face[least].distance) least = f;
        polytope_face face = p.face[least];
        if (face.distance >= depth - slack) return false;
        scr_vec3 point = support_of_difference(&p, face.normal);
        if (vec3_dot(point, face.normal) < depth - slack) {
            *normal = vec3_neg(face.normal);
            return true;
        }
        if (!push_out(&p, point)) return false;
    }
}
