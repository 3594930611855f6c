#include "geometry/mesh.h"

#include "core/radix_sort.h"

static const double COORDINATE_MAX = 1e9;  // m

scr_status mesh_check(const scr_triangles *t, scr_error *error)
{
    if (t->vertex_count < 3 || t->triangle_count < 1) return scr_fail(error, SCR_BAD_INPUT, "a mesh needs at least one triangle");
    for (int64_t k = 0; k < t->vertex_count; ++k) {
        scr_vec3 v = t->vertex[k];
        if (!(fabs(v.x) <= COORDINATE_MAX && fabs(v.y) <= COORDINATE_MAX && fabs(v.z) <= COORDINATE_MAX))
            return scr_fail(error, SCR_BAD_INPUT, "vertex %lld is at (%g, %g, %g): coordinates must be numbers, at most %g m",
                            (long long)k, v.x, v.y, v.z, COORDINATE_MAX);
    }
    for (int64_t k = 0; k < 3 * t->triangle_count; ++k)
        if (t->triangle[k] < 0 || t->triangle[k] >= t->vertex_count)
            return scr_fail(error, SCR_BAD_INPUT, "triangle %lld refers to vertex %d, but there are %lld", (long long)(k / 3),
                            t->triangle[k], (long long)t->vertex_count);
    return SCR_OK;
}

scr_status mesh_is_closed(const scr_triangles *t, bool *closed, scr_error *error)
{
    int64_t n = 3 * t->triangle_count;
    scr_arena scratch = {0};
    scr_status status = scr_arena_reserve(
        &scratch, scr_arena_bytes(sizeof(uint64_t), n) + scr_arena_bytes(sizeof(uint32_t), n) + scr_radix_sort_bytes(n), "mesh edges", error);
    if (status != SCR_OK) return status;
    scr_arena arena = scratch;
    uint64_t *key = scr_arena_array(&arena, sizeof *key, n);
    uint32_t *from = scr_arena_array(&arena, sizeof *from, n);
    for (int64_t k = 0; k < n; ++k) {
        uint32_t a = (uint32_t)t->triangle[k], b = (uint32_t)t->triangle[k % 3 == 2 ? k - 2 : k + 1];
        key[k] = (uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a);
        from[k] = (uint32_t)k << 1 | (a < b);
    }
    scr_radix_sort(key, from, n, 64, arena, 1);
    *closed = n % 2 == 0;
    for (int64_t k = 0; k < n && *closed; k += 2) {
        bool paired = key[k] == key[k + 1] && (from[k] & 1u) != (from[k + 1] & 1u);
        *closed = paired && (k + 2 >= n || key[k + 2] != key[k]);
    }
    scr_arena_free(&scratch);
    return SCR_OK;
}

scr_status mesh_build(const scr_triangles *triangles, mesh **out, scr_error *error)
{
    mesh *m = scr_alloc(sizeof *m);
    if (m == NULL) return scr_fail_memory(error, sizeof *m, "a mesh");
    *out = m;
    return mesh_is_closed(triangles, &m->closed, error);
}

void mesh_free(mesh *m) { scr_free(m); }
