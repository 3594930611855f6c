// SPDX-License-Identifier: BSD-3-Clause
// An oracle for convex pairs that shares nothing with the code it checks: support heights and insides in closed form.
//
// h(n) is how far a shape reaches along a unit n from the origin. For shapes a and b the function s(n) = -h_a(n) -
// h_b(-n) is a lower bound of their gap; two points, one inside each, are an upper bound of their distance. Where both
// agree the gap is proved. Of overlapping shapes s is tried along many directions: none may be better.
#ifndef TESTS_COLLISION_CONVEX_ORACLE_H
#define TESTS_COLLISION_CONVEX_ORACLE_H

#include "geometry/surface/hull.h"
#include "narrow_shapes.h"

// A shape or, if `triangle` is set, three corners.
typedef struct solid {
    placed_shape shape;
    bool triangle;
    scr_vec3 corner[3];
} solid;

static inline double solid_reach(const solid *s, scr_vec3 n)
{
    if (s->triangle) return fmax(vec3_dot(n, s->corner[0]), fmax(vec3_dot(n, s->corner[1]), vec3_dot(n, s->corner[2])));
    const placed_shape *p = &s->shape;
    scr_vec3 d = quat_unrotate(p->pose.rotation, n), h = p->half;
    double base = vec3_dot(n, p->pose.position), r = p->radius, across = sqrt(d.x * d.x + d.y * d.y), most = -INFINITY;
    switch (p->kind) {
    case SCR_SPHERE: return base + r;
    case SCR_ELLIPSOID: return base + vec3_norm(vec3_mul(h, d));
    case SCR_BOX: return base + h.x * fabs(d.x) + h.y * fabs(d.y) + h.z * fabs(d.z);
    case SCR_CAPSULE: return base + r + h.z * fabs(d.z);
    case SCR_CYLINDER: return base + r * across + h.z * fabs(d.z);
    case SCR_CONE: return base + fmax(h.z * d.z, r * across - h.z * d.z);
    default: break;
    }
    const scr_triangles *t = &p->surface->triangles;
    for (int64_t k = 0; k < t->vertex_count; ++k) most = fmax(most, vec3_dot(d, t->vertex[k]));
    return base + most;
}

static inline double solid_separation(const solid *a, const solid *b, scr_vec3 n)
{
    return -solid_reach(b, vec3_neg(n)) - solid_reach(a, n);
}

// How far a point is outside a shape, to first order near its surface; 0 or less inside. Of a triangle: its distance.
static inline double solid_outside(const solid *s, scr_vec3 point)
{
    if (s->triangle) {
        scr_vec3 u = vec3_sub(s->corner[1], s->corner[0]), v = vec3_sub(s->corner[2], s->corner[0]);
        scr_vec3 w = vec3_sub(point, s->corner[0]), n = vec3_unit(vec3_cross(u, v));
        double worst = fabs(vec3_dot(w, n));
        for (int k = 0; k < 3; ++k) {
            scr_vec3 side = vec3_unit(vec3_sub(s->corner[(k + 1) % 3], s->corner[k]));
            worst = fmax(worst, vec3_dot(vec3_sub(point, s->corner[k]), vec3_cross(side, n)));
        }
        return worst;
    }
    const placed_shape *p = &s->shape;
    scr_vec3 x = pose_unapply(p->pose, point), h = p->half;
    double r = p->radius, across = sqrt(x.x * x.x + x.y * x.y), most = -INFINITY;
    switch (p->kind) {
    case SCR_SPHERE: return vec3_norm(x) - r;
    case SCR_ELLIPSOID: {
        scr_vec3 scaled = vec3(x.x / h.x, x.y / h.y, x.z / h.z),
                 slope = vec3(scaled.x / h.x, scaled.y / h.y, scaled.z / h.z);
        return (vec3_dot(scaled, scaled) - 1.0) / (2.0 * vec3_norm(slope));
    }
    case SCR_BOX: return fmax(fabs(x.x) - h.x, fmax(fabs(x.y) - h.y, fabs(x.z) - h.z));
    case SCR_CAPSULE: return vec3_norm(vec3(x.x, x.y, x.z - fmax(-h.z, fmin(h.z, x.z)))) - r;
    case SCR_CYLINDER: return fmax(across - r, fabs(x.z) - h.z);
    case SCR_CONE: return fmax(-h.z - x.z, (across * 2.0 * h.z + (x.z - h.z) * r) / sqrt(r * r + 4.0 * h.z * h.z));
    default: break;
    }
    const hull *solid_hull = p->surface->hull;
    for (int32_t f = 0; f < solid_hull->face_count; ++f)
        most = fmax(most, vec3_dot(solid_hull->face_normal[f], x) - solid_hull->face_offset[f]);
    return most;
}

// Directions spread evenly over the sphere.
static inline scr_vec3 spread_direction(int k, int count)
{
    double z = 1.0 - (2.0 * k + 1.0) / count, r = sqrt(1.0 - z * z), angle = k * 2.39996322972865332;
    return vec3(r * cos(angle), r * sin(angle), z);
}

// The largest separation over many directions, refined near the best of them by random steps that shrink.
static inline double best_separation(const solid *a, const solid *b, draws *d, scr_vec3 *best_n)
{
    enum { COARSE = 1500, TRIES = 40 };
    *best_n = vec3(0.0, 0.0, 1.0);
    double best = solid_separation(a, b, *best_n);
    for (int k = 0; k < COARSE; ++k) {
        scr_vec3 n = spread_direction(k, COARSE);
        double s = solid_separation(a, b, n);
        if (s > best) best = s, *best_n = n;
    }
    for (double step = 0.1; step > 1e-7; step *= 0.6) {
        for (int k = 0; k < TRIES; ++k) {
            scr_vec3 n = vec3_unit(vec3_add_scaled(*best_n, step, draw_vector(d, 1.0)));
            double s = solid_separation(a, b, n);
            if (s > best) best = s, *best_n = n;
        }
    }
    return best;
}

#endif
