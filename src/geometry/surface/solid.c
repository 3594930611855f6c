// SPDX-License-Identifier: BSD-3-Clause
// What a closed set of triangles has inside.
//
// The solid is cut into tetrahedra from one point o to every triangle (a, b, c), positive where the triangle faces away
// from o and negative where it faces o; what lies outside the solid cancels. With d = a . (b x c) seen from o:
//   volume        d / 6
//   first moment  d / 24 (a + b + c)
//   second moment d / 120 (a a^T + b b^T + c c^T + s s^T),  s = a + b + c
//   inertia       trace(S) 1 - S, moved from o to the centre of mass by the parallel axes
// o is the first vertex, near the solid, so that one far from its frame's origin loses no digits.
#include "geometry/surface/surface.h"

static void add_outer(mat3 *sum, double scale, scr_vec3 v)
{
    const double c[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) sum->m[i][j] += scale * c[i] * c[j];
    }
}

solid_properties triangles_solid(const scr_triangles *t)
{
    scr_vec3 origin = t->vertex[t->triangle[0]], first = {0};
    mat3 second = {0};
    double volume = 0.0;
    for (int64_t k = 0; k < t->triangle_count; ++k) {
        const int32_t *corner = t->triangle + 3 * k;
        scr_vec3 a = vec3_sub(t->vertex[corner[0]], origin), b = vec3_sub(t->vertex[corner[1]], origin);
        scr_vec3 c = vec3_sub(t->vertex[corner[2]], origin), s = vec3_add(a, vec3_add(b, c));
        double d = vec3_dot(a, vec3_cross(b, c));
        volume += d / 6.0;
        first = vec3_add_scaled(first, d / 24.0, s);
        add_outer(&second, d / 120.0, a);
        add_outer(&second, d / 120.0, b);
        add_outer(&second, d / 120.0, c);
        add_outer(&second, d / 120.0, s);
    }
    if (!(volume > 0.0)) return (solid_properties){.volume = volume, .centre = origin};

    scr_vec3 arm = vec3_scale(1.0 / volume, first);
    add_outer(&second, -volume, arm);
    double trace = second.m[0][0] + second.m[1][1] + second.m[2][2];
    solid_properties p = {.volume = volume, .centre = vec3_add(origin, arm)};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) p.inertia.m[i][j] = ((i == j ? trace : 0.0) - second.m[i][j]) / volume;
    }
    return p;
}
