// SPDX-License-Identifier: BSD-3-Clause
// Solids that are known in closed form, as meshes that tests make. A mesh of a round one has its vertices on it.
#ifndef TESTS_GEOMETRY_MADE_SOLIDS_H
#define TESTS_GEOMETRY_MADE_SOLIDS_H

#include "geometry/made_mesh.h"

// A surface of revolution about z: a closed profile of (r, z) points, counter-clockwise, none on the axis, in n steps.
static inline void add_revolved(made_mesh *m, const double (*profile)[2], int count, int n)
{
    int32_t first = (int32_t)m->vertex_count;
    for (int i = 0; i < n; ++i) {
        double a = 2.0 * M_PI * i / n;
        for (int k = 0; k < count; ++k)
            add_spot(m, vec3(profile[k][0] * cos(a), profile[k][0] * sin(a), profile[k][1]));
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < count; ++k) {
            int32_t a = first + i * count + k, b = first + (i + 1) % n * count + k;
            int32_t c = first + (i + 1) % n * count + (k + 1) % count, d = first + i * count + (k + 1) % count;
            add_face(m, a, b, c);
            add_face(m, a, c, d);
        }
    }
}

static inline void add_torus(made_mesh *m, double major, double minor, int n)
{
    double profile[64][2];
    assert_true(n <= 64);
    for (int k = 0; k < n; ++k) {
        profile[k][0] = major + minor * cos(2.0 * M_PI * k / n);
        profile[k][1] = minor * sin(2.0 * M_PI * k / n);
    }
    add_revolved(m, profile, n, 2 * n);
}

// Two fans and a strip.
static inline void add_cylinder(made_mesh *m, double radius, double half, int n)
{
    int32_t first = (int32_t)m->vertex_count;
    for (int i = 0; i < 2 * n; ++i) {
        double a = 2.0 * M_PI * (i / 2) / n;
        add_spot(m, vec3(radius * cos(a), radius * sin(a), i % 2 == 0 ? -half : half));
    }
    int32_t below = add_spot(m, vec3(0.0, 0.0, -half)), above = add_spot(m, vec3(0.0, 0.0, half));
    for (int i = 0; i < n; ++i) {
        int32_t a = first + 2 * i, b = first + 2 * ((i + 1) % n);
        add_face(m, a, b, b + 1);
        add_face(m, a, b + 1, a + 1);
        add_face(m, below, b, a);
        add_face(m, above, a + 1, b + 1);
    }
}

// Of n parallels and 2 n meridians.
static inline void add_ball(made_mesh *m, double radius, int n)
{
    int32_t first = (int32_t)m->vertex_count, width = 2 * n;
    for (int j = 1; j < n; ++j) {
        for (int i = 0; i < width; ++i) {
            double a = M_PI * i / n, b = M_PI * j / n;
            add_spot(m, vec3_scale(radius, vec3(sin(b) * cos(a), sin(b) * sin(a), cos(b))));
        }
    }
    int32_t north = add_spot(m, vec3(0.0, 0.0, radius)), south = add_spot(m, vec3(0.0, 0.0, -radius));
    for (int i = 0; i < width; ++i) {
        int32_t a = first + i, b = first + (i + 1) % width, last = (n - 2) * width;
        add_face(m, north, a, b);
        add_face(m, south, b + last, a + last);
        for (int32_t row = 0; row < last; row += width) {
            add_face(m, a + row, a + row + width, b + row + width);
            add_face(m, a + row, b + row + width, b + row);
        }
    }
}

#endif
