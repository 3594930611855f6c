// SPDX-License-Identifier: BSD-3-Clause
// Surfaces made by hand for tests of pictures: a ball of rings and a cube.
#ifndef TESTS_VIEW_SURFACES_BY_HAND_H
#define TESTS_VIEW_SURFACES_BY_HAND_H

#include <math.h>
#include <string.h>

#include "io/trajectory/frame.h"

enum { RINGS = 24, SPOKES = 48 };

static inline void append_by_hand(frame_surfaces *s, const float *vertex, int64_t vertices, const int32_t *triangle,
                                  int64_t triangles)
{
    scr_grow(&s->item, &s->capacity, s->count + 1, sizeof *s->item, "test", NULL);
    scr_grow(&s->vertex, &s->vertex_capacity, s->vertex_count + vertices, 3 * sizeof(float), "test", NULL);
    scr_grow(&s->triangle, &s->triangle_capacity, s->triangle_count + triangles, 3 * sizeof(int32_t), "test", NULL);
    s->item[s->count++] = (frame_surface){s->vertex_count, vertices, s->triangle_count, triangles};
    memcpy(&s->vertex[3 * s->vertex_count], vertex, (size_t)(3 * vertices) * sizeof(float));
    memcpy(&s->triangle[3 * s->triangle_count], triangle, (size_t)(3 * triangles) * sizeof(int32_t));
    s->vertex_count += vertices;
    s->triangle_count += triangles;
}

// A ball of radius 1 about the origin; the poles are rings of almost no size.
static inline void append_ball(frame_surfaces *s)
{
    static float vertex[3 * (RINGS + 1) * SPOKES];
    static int32_t triangle[6 * RINGS * SPOKES];
    for (int i = 0; i <= RINGS; ++i) {
        for (int j = 0; j < SPOKES; ++j) {
            float a = 3.14159265f * fmaxf(1e-3f, fminf((float)i / RINGS, 1.0f - 1e-3f)),
                  b = 6.2831853f * (float)j / SPOKES;
            float *v = &vertex[3 * (i * SPOKES + j)];
            v[0] = sinf(a) * cosf(b), v[1] = sinf(a) * sinf(b), v[2] = cosf(a);
        }
    }
    int32_t *t = triangle;
    for (int i = 0; i < RINGS; ++i) {
        for (int j = 0; j < SPOKES; ++j, t += 6) {
            int32_t a = i * SPOKES + j, b = i * SPOKES + (j + 1) % SPOKES;
            const int32_t two[6] = {a, a + SPOKES, b + SPOKES, a, b + SPOKES, b};
            memcpy(t, two, sizeof two);
        }
    }
    append_by_hand(s, vertex, (RINGS + 1) * SPOKES, triangle, 2 * RINGS * SPOKES);
}

// A cube of half edge 1 about the origin.
static inline void append_cube(frame_surfaces *s)
{
    static const int32_t triangle[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    float vertex[24];
    for (int c = 0; c < 8; ++c)
        for (int axis = 0; axis < 3; ++axis) vertex[3 * c + axis] = c >> axis & 1 ? 1.0f : -1.0f;
    append_by_hand(s, vertex, 8, triangle, 12);
}

static inline frame_shape *add_part(frame *f, scr_shape_kind shape, scr_body_kind kind, const float position[3],
                                    const float half[3], int32_t surface)
{
    scr_grow(&f->parts, &f->part_capacity, f->part_count + 1, sizeof *f->parts, "test", NULL);
    frame_shape *part = &f->parts[f->part_count];
    *part = (frame_shape){.rotation = {1.0f, 0.0f, 0.0f, 0.0f},
                          .surface = surface,
                          .kind = (uint8_t)kind,
                          .shape = (uint8_t)shape,
                          .id = (uint32_t)(++f->part_count)};
    memcpy(part->position, position, sizeof part->position);
    memcpy(part->half, half, sizeof part->half);
    return part;
}

#endif
