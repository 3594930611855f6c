// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/surface/patches.h"

#include "geometry/surface/triangle.h"

// Normals of one plane differ by less than this; about 1e-5 rad.
static const double ONE_PLANE = 1e-5;

// Representative of k's set; on the way every second entry is made to skip one.
static int32_t find_root(int32_t *parent, int32_t k)
{
    while (parent[k] != k) {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    return k;
}

static void join(int32_t *parent, int32_t a, int32_t b)
{
    a = find_root(parent, a), b = find_root(parent, b);
    if (a < b) parent[b] = a;
    else parent[a] = b;
}

scr_status patches_label(const scr_triangles *t, next_edge *next, const void *surface, int32_t *patch, scr_error *error)
{
    scr_vec3 *normal = NULL;
    int64_t capacity = 0;
    scr_status status = scr_grow(&normal, &capacity, t->triangle_count, sizeof *normal, "patches of a surface", error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < t->triangle_count; ++k) {
        triangle3 c = triangle_corners(t, k);
        normal[k] = triangle_normal(&c);
        patch[k] = (int32_t)k;
    }
    for (int32_t e = 0; e < 3 * t->triangle_count; ++e) {
        int32_t other = next(surface, e);
        if (other > e && vec3_norm(vec3_sub(normal[e / 3], normal[other / 3])) < ONE_PLANE)
            join(patch, e / 3, other / 3);
    }
    for (int32_t k = 0; k < t->triangle_count; ++k) patch[k] = find_root(patch, k);
    scr_free(normal);
    return SCR_OK;
}
