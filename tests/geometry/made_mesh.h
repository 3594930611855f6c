// SPDX-License-Identifier: BSD-3-Clause
// Meshes that tests make point by point, in memory of fixed size: large, so not for the stack.
#ifndef TESTS_GEOMETRY_MADE_MESH_H
#define TESTS_GEOMETRY_MADE_MESH_H

#include "check.h"
#include "core/maths/vec3.h"
#include "scree/scree.h"

enum { SPOTS_MAX = 4000, FACES_MAX = 8000 };

typedef struct made_mesh {
    scr_vec3 vertex[SPOTS_MAX];
    int32_t triangle[3 * FACES_MAX];
    int64_t vertex_count, triangle_count;
} made_mesh;

static inline int32_t add_spot(made_mesh *m, scr_vec3 v)
{
    assert_true(m->vertex_count < SPOTS_MAX);
    m->vertex[m->vertex_count] = v;
    return (int32_t)m->vertex_count++;
}

static inline void add_face(made_mesh *m, int32_t a, int32_t b, int32_t c)
{
    assert_true(m->triangle_count < FACES_MAX);
    int32_t *t = m->triangle + 3 * m->triangle_count++;
    t[0] = a, t[1] = b, t[2] = c;
}

// A box, its corners numbered by the bits for x, y and z.
static inline void add_block(made_mesh *m, scr_vec3 at, scr_vec3 half)
{
    static const int32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    int32_t first = (int32_t)m->vertex_count;
    for (int k = 0; k < 8; ++k)
        add_spot(m, vec3_add(at, vec3_mul(half, vec3(k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0))));
    for (int k = 0; k < 6; ++k) {
        add_face(m, first + quads[k][0], first + quads[k][1], first + quads[k][2]);
        add_face(m, first + quads[k][0], first + quads[k][2], first + quads[k][3]);
    }
}

static inline void clear_mesh(made_mesh *m) { m->vertex_count = m->triangle_count = 0; }

static inline scr_triangles triangles_of(const made_mesh *m)
{
    return (scr_triangles){m->vertex_count, m->triangle_count, m->vertex, m->triangle};
}

#endif
