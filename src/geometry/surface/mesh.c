// SPDX-License-Identifier: BSD-3-Clause
// Edges that join the same two vertices are found by sorting. Those of one place form a ring: alone at a border, two
// where a surface goes on, more where sheets meet.
#include "geometry/surface/mesh.h"

#include <limits.h>
#include <string.h>

#include "core/arrays/radix_sort.h"
#include "geometry/surface/patches.h"
#include "geometry/surface/triangle.h"

static const double COORDINATE_MAX = 1e9;  // m
// A closed mesh with less volume than this, in units of its extent cubed, has no room inside.
static const double NO_VOLUME = 1e-14;

scr_status mesh_check(const scr_triangles *t, scr_error *error)
{
    if (t->vertex_count < 3 || t->triangle_count < 1)
        return scr_fail(error, SCR_BAD_INPUT, "a mesh needs at least one triangle");
    if (t->vertex_count > INT32_MAX / 4 || t->triangle_count > INT32_MAX / 4)
        return scr_fail(error, SCR_BAD_INPUT, "a mesh has at most %d vertices and triangles", INT32_MAX / 4);
    for (int64_t k = 0; k < t->vertex_count; ++k) {
        scr_vec3 v = t->vertex[k];
        if (!(fabs(v.x) <= COORDINATE_MAX && fabs(v.y) <= COORDINATE_MAX && fabs(v.z) <= COORDINATE_MAX))
            return scr_fail(error, SCR_BAD_INPUT,
                            "vertex %lld is at (%g, %g, %g): coordinates must be numbers, at most %g m", (long long)k,
                            v.x, v.y, v.z, COORDINATE_MAX);
    }
    for (int64_t k = 0; k < 3 * t->triangle_count; ++k)
        if (t->triangle[k] < 0 || t->triangle[k] >= t->vertex_count)
            return scr_fail(error, SCR_BAD_INPUT, "triangle %lld refers to vertex %d, but there are %lld",
                            (long long)(k / 3), t->triangle[k], (long long)t->vertex_count);
    for (int64_t k = 0; k < t->triangle_count; ++k) {
        triangle3 c = triangle_corners(t, k);
        if (!triangle_is_flat(&c)) return SCR_OK;
    }
    return scr_fail(error, SCR_BAD_INPUT, "no triangle of the mesh has an area");
}

// Edges sorted by the vertices they join; entries are 2 (3 t + k), plus 1 if the edge runs from the lower vertex.
typedef struct sorted_edges {
    scr_arena memory;
    uint64_t *key;
    uint32_t *entry;
    int64_t count;
} sorted_edges;

static scr_status sort_edges(const scr_triangles *t, sorted_edges *edges, scr_error *error)
{
    int64_t n = 3 * t->triangle_count;
    int bits = scr_bits_for(t->vertex_count);
    *edges = (sorted_edges){.count = n};
    scr_status status = scr_arena_reserve(&edges->memory,
                                          scr_arena_bytes(sizeof(uint64_t), n) + scr_arena_bytes(sizeof(uint32_t), n) +
                                              scr_radix_sort_bytes(n),
                                          "mesh edges", error);
    if (status != SCR_OK) return status;
    scr_arena arena = edges->memory;
    edges->key = scr_arena_array(&arena, sizeof *edges->key, n);
    edges->entry = scr_arena_array(&arena, sizeof *edges->entry, n);
    for (int64_t k = 0; k < n; ++k) {
        uint32_t a = (uint32_t)t->triangle[k], b = (uint32_t)t->triangle[k % 3 == 2 ? k - 2 : k + 1];
        edges->key[k] = (uint64_t)(a < b ? a : b) << bits | (a < b ? b : a);
        edges->entry[k] = (uint32_t)k << 1 | (a < b);
    }
    scr_radix_sort(edges->key, edges->entry, n, 2 * bits, arena, 1);
    return SCR_OK;
}

// Does every edge have two triangles that run along it in opposite senses?
static bool edges_are_paired(const sorted_edges *e)
{
    if (e->count % 2 != 0) return false;
    for (int64_t k = 0; k < e->count; k += 2) {
        bool pair = e->key[k] == e->key[k + 1] && (e->entry[k] & 1u) != (e->entry[k + 1] & 1u);
        if (!pair || (k + 2 < e->count && e->key[k + 2] == e->key[k])) return false;
    }
    return true;
}

static void link_rings(const sorted_edges *e, int32_t *ring)
{
    for (int64_t first = 0, last; first < e->count; first = last) {
        for (last = first + 1; last < e->count && e->key[last] == e->key[first];) ++last;
        for (int64_t k = first; k < last; ++k)
            ring[e->entry[k] >> 1] = (int32_t)(e->entry[k + 1 < last ? k + 1 : first] >> 1);
    }
}

static double extent_of(const scr_triangles *t)
{
    scr_vec3 first = t->vertex[t->triangle[0]];
    double extent = 0.0;
    for (int64_t k = 0; k < 3 * t->triangle_count; ++k)
        extent = fmax(extent, vec3_norm(vec3_sub(t->vertex[t->triangle[k]], first)));
    return extent;
}

// The volume of what may be a solid, 0 if there is no room in it; negative if it was given inside out.
static double enclosed_volume(const scr_triangles *t)
{
    double volume = triangles_solid(t).volume, extent = extent_of(t);
    return fabs(volume) > NO_VOLUME * extent * extent * extent ? volume : 0.0;
}

scr_status mesh_clean(const scr_triangles *given, scr_triangles *clean, int32_t **own, bool *closed, scr_error *error)
{
    int64_t capacity = 0, kept = 0;
    sorted_edges edges = {0};
    *own = NULL;
    scr_status status = scr_grow(own, &capacity, 3 * given->triangle_count, sizeof **own, "triangles", error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < given->triangle_count; ++k) {
        const int32_t *t = given->triangle + 3 * k;
        if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) memcpy(*own + 3 * kept++, t, 3 * sizeof *t);
    }
    *clean = (scr_triangles){given->vertex_count, kept, given->vertex, *own};
    status = sort_edges(clean, &edges, error);
    if (status == SCR_OK) {
        double volume = edges_are_paired(&edges) ? enclosed_volume(clean) : 0.0;
        *closed = volume != 0.0;
        for (int64_t k = 0; k < kept && volume < 0.0; ++k) {
            int32_t *t = *own + 3 * k, swapped = t[1];
            t[1] = t[2], t[2] = swapped;
        }
    }
    scr_arena_free(&edges.memory);
    return status;
}

static void fill_fans(const scr_triangles *t, int32_t *start, int32_t *fan)
{
    memset(start, 0, (size_t)(t->vertex_count + 1) * sizeof *start);
    for (int64_t k = 0; k < 3 * t->triangle_count; ++k) ++start[t->triangle[k] + 1];
    for (int64_t v = 0; v < t->vertex_count; ++v) start[v + 1] += start[v];
    for (int64_t k = 3 * t->triangle_count - 1; k >= 0; --k) fan[--start[t->triangle[k] + 1]] = (int32_t)k;
    // Filling moved every start of the next vertex back to this one's: shift them again.
    memmove(start, start + 1, (size_t)t->vertex_count * sizeof *start);
    start[t->vertex_count] = (int32_t)(3 * t->triangle_count);
}

static int32_t next_in_ring(const void *m, int32_t e) { return ((const mesh *)m)->ring[e]; }

scr_status mesh_build(const scr_triangles *t, mesh **out, scr_error *error)
{
    mesh *m = scr_alloc(sizeof *m);
    if (m == NULL) return scr_fail_memory(error, sizeof *m, "a mesh");
    *m = (mesh){0};
    *out = m;
    int64_t corners = 0, vertices = 0, fans = 0, triangles = 0;
    sorted_edges edges = {0};
    scr_status status = scr_grow(&m->ring, &corners, 3 * t->triangle_count, sizeof *m->ring, "a mesh", error);
    if (status == SCR_OK)
        status = scr_grow(&m->fan_start, &vertices, t->vertex_count + 1, sizeof *m->fan_start, "a mesh", error);
    if (status == SCR_OK) status = scr_grow(&m->fan, &fans, 3 * t->triangle_count, sizeof *m->fan, "a mesh", error);
    if (status == SCR_OK)
        status = scr_grow(&m->patch, &triangles, t->triangle_count, sizeof *m->patch, "a mesh", error);
    if (status == SCR_OK) status = sort_edges(t, &edges, error);
    if (status == SCR_OK) {
        link_rings(&edges, m->ring);
        fill_fans(t, m->fan_start, m->fan);
        m->closed = edges_are_paired(&edges) && enclosed_volume(t) > 0.0;
    }
    scr_arena_free(&edges.memory);
    if (status == SCR_OK) status = patches_label(t, next_in_ring, m, m->patch, error);
    return status == SCR_OK ? mesh_tree_build(t, &m->tree, error) : status;
}

void mesh_free(mesh *m)
{
    if (m == NULL) return;
    scr_free(m->ring);
    scr_free(m->fan_start);
    scr_free(m->fan);
    scr_free(m->patch);
    mesh_tree_free(&m->tree);
    scr_free(m);
}

typedef struct reach_search {
    const scr_triangles *triangles;
    scr_vec3 centre;
    double radius;
    bool found;
} reach_search;

// A long triangle across its box: its plane says more.
static bool near_plane(void *context, int32_t k)
{
    reach_search *s = context;
    triangle3 t = triangle_corners(s->triangles, k);
    scr_vec3 area = triangle_area_vector(&t);
    double height = vec3_dot(area, vec3_sub(s->centre, t.corner[0]));  // times twice the area
    s->found = height * height <= s->radius * s->radius * vec3_dot(area, area);
    return !s->found;
}

bool mesh_may_reach(const shape_surface *s, scr_vec3 centre, double radius)
{
    reach_search search = {&s->triangles, centre, radius, false};
    ball_test ball = ball_test_of(centre, radius);
    mesh_tree_walk(&s->mesh->tree, tree_overlaps_ball, &ball, near_plane, &search);
    return search.found;
}
