// SPDX-License-Identifier: BSD-3-Clause
// Smooth normals.
#include "view/render/surface_normals.h"

#include <string.h>

static const float CREASE = 0.85f;  // cosine of the angle, about 32 degrees, from which on an edge shows

// The triangles around each vertex, and twice the area vector of each triangle.
typedef struct fans {
    int64_t *start;  // (vertex count + 1)
    int32_t *triangle;
    float *area;  // 3 a triangle
} fans;

static vec3f area_vector(const float *vertex, const int32_t *corner)
{
    vec3f a = vec3f_load(&vertex[3 * corner[0]]), b = vec3f_load(&vertex[3 * corner[1]]),
          c = vec3f_load(&vertex[3 * corner[2]]);
    return vec3f_cross(b - a, c - a);
}

static void make_fans(fans *f, const float *vertex, const int32_t *corner, int64_t vertices, int64_t triangles)
{
    memset(f->start, 0, (size_t)(vertices + 1) * sizeof *f->start);
    for (int64_t k = 0; k < 3 * triangles; ++k) ++f->start[corner[k] + 1];
    for (int64_t v = 0; v < vertices; ++v) f->start[v + 1] += f->start[v];
    for (int64_t t = 0; t < triangles; ++t) {
        vec3f area = area_vector(vertex, &corner[3 * t]);
        memcpy(&f->area[3 * t], &area, 3 * sizeof *f->area);
    }
    // Filling moves every start to the next one's; afterwards they move back.
    for (int64_t k = 0; k < 3 * triangles; ++k) f->triangle[f->start[corner[k]]++] = (int32_t)(k / 3);
    for (int64_t v = vertices; v > 0; --v) f->start[v] = f->start[v - 1];
    f->start[0] = 0;
}

static vec3f corner_normal(const fans *f, int32_t vertex, int64_t triangle)
{
    vec3f own = vec3f_unit(vec3f_load(&f->area[3 * triangle])), sum = vec3f_all(0.0f);
    for (int64_t k = f->start[vertex]; k < f->start[vertex + 1]; ++k) {
        vec3f area = vec3f_load(&f->area[3 * f->triangle[k]]);
        if (vec3f_dot(area, own) >= CREASE * vec3f_norm(area)) sum += area;
    }
    return vec3f_norm(sum) > 0.0f ? vec3f_unit(sum) : own;
}

scr_status surface_normals_make(surface_normals *n, const frame_surfaces *all, int64_t index, scr_error *error)
{
    const frame_surface *s = &all->item[index];
    const float *vertex = &all->vertex[3 * s->first_vertex];
    const int32_t *corner = &all->triangle[3 * s->first_triangle];
    int64_t vertices = s->vertex_count, triangles = s->triangle_count;
    size_t bytes = scr_array_bytes(triangles + 1, 9 * sizeof *n->corner);
    fans f = {scr_alloc(scr_array_bytes(vertices + 1, sizeof *f.start)),
              scr_alloc(scr_array_bytes(triangles + 1, 3 * sizeof *f.triangle)),
              scr_alloc(scr_array_bytes(triangles + 1, 3 * sizeof *f.area))};
    n->corner = scr_alloc(bytes);
    scr_status status = SCR_OK;
    if (f.start == NULL || f.triangle == NULL || f.area == NULL || n->corner == NULL) {
        status = scr_fail_memory(error, 2 * bytes, "the normals of a picture");
    } else {
        make_fans(&f, vertex, corner, vertices, triangles);
        for (int64_t k = 0; k < 3 * triangles; ++k) {
            vec3f normal = corner_normal(&f, corner[k], k / 3);
            memcpy(&n->corner[3 * k], &normal, 3 * sizeof *n->corner);
        }
    }
    scr_free(f.start);
    scr_free(f.triangle);
    scr_free(f.area);
    return status;
}

void surface_normals_free(surface_normals *n)
{
    scr_free(n->corner);
    n->corner = NULL;
}

vec3f surface_normal_at(const surface_normals *n, uint32_t triangle, float u, float v)
{
    const float *c = &n->corner[9 * (int64_t)triangle];
    return vec3f_unit((1.0f - u - v) * vec3f_load(c) + u * vec3f_load(c + 3) + v * vec3f_load(c + 6));
}

vec3f surface_bulge_at(const surface_normals *n, const frame_surfaces *all, int64_t index, uint32_t triangle, float u,
                       float v)
{
    const frame_surface *s = &all->item[index];
    const int32_t *corner = &all->triangle[3 * (s->first_triangle + (int64_t)triangle)];
    const float weight[3] = {1.0f - u - v, u, v};
    vec3f vertex[3], point = vec3f_all(0.0f), bulge = vec3f_all(0.0f);
    for (int k = 0; k < 3; ++k) {
        vertex[k] = vec3f_load(&all->vertex[3 * (s->first_vertex + corner[k])]);
        point += weight[k] * vertex[k];
    }
    for (int k = 0; k < 3; ++k) {
        vec3f normal = vec3f_load(&n->corner[9 * (int64_t)triangle + 3 * k]);
        bulge -= weight[k] * lesser(vec3f_dot(point - vertex[k], normal), 0.0f) * normal;
    }
    return bulge;
}
