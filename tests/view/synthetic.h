// SPDX-License-Identifier: BSD-3-Clause
// Frames made by hand for tests of pictures: single spheres and boxes, and a silo with grains in it.
#ifndef TESTS_VIEW_SYNTHETIC_H
#define TESTS_VIEW_SYNTHETIC_H

#include <math.h>
#include <string.h>

#include "core/maths/rng.h"
#include "io/trajectory/frame.h"

static inline void add_sphere(frame *f, float x, float y, float z, float radius, float vz)
{
    frame_spheres *s = &f->spheres;
    int64_t i = s->count, capacity[5];
    for (int k = 0; k < 5; ++k) capacity[k] = s->capacity;
    scr_grow(&s->position, &capacity[0], i + 1, 3 * sizeof(float), "test", NULL);
    scr_grow(&s->velocity, &capacity[1], i + 1, 3 * sizeof(float), "test", NULL);
    scr_grow(&s->radius, &capacity[2], i + 1, sizeof(float), "test", NULL);
    scr_grow(&s->id, &capacity[3], i + 1, sizeof(uint32_t), "test", NULL);
    scr_grow(&s->material, &capacity[4], i + 1, sizeof(uint8_t), "test", NULL);
    s->capacity = capacity[0];
    memcpy(&s->position[3 * i], (float[3]){x, y, z}, 3 * sizeof(float));
    memcpy(&s->velocity[3 * i], (float[3]){0.0f, 0.0f, vz}, 3 * sizeof(float));
    s->radius[i] = radius;
    s->id[i] = (uint32_t)i + 1;
    s->material[i] = (uint8_t)(i % 3);
    s->count = i + 1;
}

// A box turned by `tilt` (rad) about x, then by `turn` (rad) about z.
static inline frame_shape *add_box(frame *f, scr_body_kind kind, const float position[3], const float half[3],
                                   float tilt, float turn)
{
    scr_grow(&f->boxes, &f->box_capacity, f->box_count + 1, sizeof *f->boxes, "test", NULL);
    frame_shape *box = &f->boxes[f->box_count];
    float ct = cosf(0.5f * tilt), st = sinf(0.5f * tilt), cz = cosf(0.5f * turn), sz = sinf(0.5f * turn);
    *box = (frame_shape){.rotation = {cz * ct, cz * st, sz * st, sz * ct},
                         .surface = -1,
                         .shape = SCR_BOX,
                         .kind = (uint8_t)kind,
                         .id = (uint32_t)(1000000 + f->box_count)};
    memcpy(box->position, position, sizeof box->position);
    memcpy(box->half, half, sizeof box->half);
    ++f->box_count;
    return box;
}

// A plane through a point, whose normal is z turned by `tilt` (rad) about x, then by `turn` about z.
static inline void add_plane(frame *f, const float position[3], float tilt, float turn)
{
    scr_grow(&f->planes, &f->plane_capacity, f->plane_count + 1, sizeof *f->planes, "test", NULL);
    float ct = cosf(0.5f * tilt), st = sinf(0.5f * tilt), cz = cosf(0.5f * turn), sz = sinf(0.5f * turn);
    frame_shape *plane = &f->planes[f->plane_count++];
    *plane = (frame_shape){
        .rotation = {cz * ct, cz * st, sz * st, sz * ct}, .surface = -1, .kind = SCR_FIXED, .shape = SCR_PLANE};
    memcpy(plane->position, position, sizeof plane->position);
}

// A square silo, 1 m wide and 1.6 m high, over a hopper with a hole, about grain_count grains in it, a stream below and
// a heap on the floor.
static inline void fill_silo(frame *f, int64_t grain_count)
{
    const float width = 1.0f, wall = 0.02f, tall = 1.6f, hole = 0.16f, slope = 0.9f;  // m, rad
    const float quarter = 1.57079633f;
    float reach = 0.5f * (width - hole), drop = reach * tanf(slope), length = reach / cosf(slope);
    float bottom = 1.0f;  // m: where the hopper ends
    float brim = bottom + drop;
    for (int side = 0; side < 4; ++side) {
        float turn = (float)side * quarter, c = cosf(turn), s = sinf(turn);
        float out = 0.5f * width + wall, middle = 0.5f * (0.5f * width + 0.5f * hole);
        add_box(f, SCR_FIXED, (float[3]){s * out, -c * out, brim + 0.5f * tall},
                (float[3]){0.5f * width + 2.0f * wall, wall, 0.5f * tall}, 0.0f, turn);
        float below = wall / cosf(slope);
        add_box(f, SCR_FIXED, (float[3]){s * middle, -c * middle, bottom + 0.5f * drop - below},
                (float[3]){0.5f * width + wall, 0.5f * length + wall, wall}, -slope, turn);
    }
    float volume = width * width * tall * 0.75f + drop * width * width * 0.4f;
    float spacing = cbrtf(volume / (float)grain_count), radius = 0.5f * spacing;
    uint64_t n = 0;
    for (int k = 0; f->spheres.count < grain_count; ++k) {
        float z = bottom + ((float)k + 0.5f) * 0.82f * spacing;
        float half = z < brim ? 0.5f * hole + (z - bottom) / tanf(slope) : 0.5f * width;
        float shift = k % 2 ? 0.5f * spacing : 0.0f;
        for (float y = -half + radius + 0.5f * shift; y <= half - radius; y += spacing) {
            for (float x = -half + radius + shift; x <= half - radius; x += spacing, ++n) {
                double u[2], v[2];
                scr_uniform2(7, 0, n, u);
                scr_uniform2(7, 1, n, v);
                if (z > brim + 0.75f * tall - 0.5f * (x * x + y * y)) continue;
                float centre = expf(-(x * x + y * y) / (0.15f * 0.15f)) * expf(-(z - bottom));
                float jitter = 0.25f * spacing;
                add_sphere(f, x + jitter * (float)(u[0] - 0.5), y + jitter * (float)(u[1] - 0.5),
                           z + jitter * (float)(v[0] - 0.5), radius * (0.8f + 0.25f * (float)v[1]),
                           -1.2f * centre - 0.02f * (float)u[0]);
            }
        }
        if (z > brim + 2.0f * tall) break;
    }
    int64_t falling = grain_count / 60, heap = grain_count / 12;
    for (int64_t i = 0; i < falling; ++i) {
        double u[2], v[2];
        scr_uniform2(7, 2, (uint64_t)i, u);
        scr_uniform2(7, 3, (uint64_t)i, v);
        float fallen = (float)(v[0] * 0.9), r = 0.5f * hole * (float)sqrt(u[0]) * (1.0f - 0.3f * fallen);
        add_sphere(f, r * cosf(6.2831853f * (float)u[1]), r * sinf(6.2831853f * (float)u[1]), bottom - fallen,
                   radius * (0.8f + 0.25f * (float)v[1]), -sqrtf(0.3f + 19.6f * fallen));
    }
    float heap_radius = cbrtf(3.0f * (float)heap * spacing * spacing * spacing / (3.14159f * 0.45f));
    for (int64_t i = 0, tries = 0; i < heap && tries < 40 * heap; ++tries) {
        double u[2], v[2];
        scr_uniform2(7, 4, (uint64_t)tries, u);
        scr_uniform2(7, 5, (uint64_t)tries, v);
        float x = heap_radius * (float)(2.0 * u[0] - 1.0), y = heap_radius * (float)(2.0 * u[1] - 1.0);
        float top = 0.45f * (heap_radius - hypotf(x, y)),
              z = radius + floorf((float)v[0] * heap_radius / spacing) * spacing;
        if (z > top) continue;
        add_sphere(f, x, y, z, radius * (0.8f + 0.25f * (float)v[1]), 0.0f);
        ++i;
    }
    add_box(f, SCR_FIXED, (float[3]){0.0f, 0.0f, -0.03f}, (float[3]){1.1f, 1.1f, 0.03f}, 0.0f, 0.0f);
    f->time = 2.5;
}

#endif
