// SPDX-License-Identifier: BSD-3-Clause
// What the collision stages need of a hull, from its corners and triangles.
//
// Half-edge 3 t + i runs along side i of triangle t, from its corner i to the next; its twin runs back along the
// triangle on the other side. Faces grow from the largest triangle left: over every side to the next triangle while
// that one's far corner is within FLAT of the plane. Starting from the largest means that slivers, whose own plane is
// all rounding, join the face they lie in. A face's rim must be a single loop of sides; where it is not, its triangles
// stay faces of their own.
//
//   face plane   normal = unit(sum of its triangles' area vectors),   offset = max over its corners of normal . x
//
// Triangles come from hull_of_points or from a saved state: whatever they are, nothing here may run away. That they
// are closed is checked; that they are convex is not.
#include "geometry/surface/hull.h"

#include <string.h>

#include "core/arrays/radix_sort.h"

// In units of the hull's radius: coordinates written with six digits still give flat faces.
static const double FLAT = 4e-6;
// A face of less area than this, in units of the radius squared, has no direction.
static const double NO_AREA = 1e-14;

// Scratch of one build.
typedef struct hull_work {
    const scr_triangles *given;
    int64_t triangle_count, side_count;
    double radius;     // m, about the origin
    int32_t *twin;     // (side_count) half-edges
    int32_t *face_of;  // (triangle_count)
    int32_t *stack;    // (triangle_count)
    scr_vec3 *area;    // m^2 (triangle_count) twice the area, along the normal
    uint64_t *key;     // (side_count)
    uint32_t *value;   // (side_count)
    scr_arena arena;   // what is left, for sorting
} hull_work;

static int32_t next_side(int32_t side) { return side % 3 == 2 ? side - 2 : side + 1; }
static int32_t side_start(const hull_work *w, int32_t side) { return w->given->triangle[side]; }
static int32_t side_end(const hull_work *w, int32_t side) { return w->given->triangle[next_side(side)]; }

static size_t work_bytes(int64_t triangles)
{
    int64_t sides = 3 * triangles;
    return scr_arena_bytes(sizeof(int32_t), sides) + 2 * scr_arena_bytes(sizeof(int32_t), triangles) +
           scr_arena_bytes(sizeof(scr_vec3), triangles) + scr_arena_bytes(sizeof(uint64_t), sides) +
           scr_arena_bytes(sizeof(uint32_t), sides) + scr_radix_sort_bytes(sides);
}

static hull_work make_work(const scr_triangles *given, scr_arena arena)
{
    hull_work w = {.given = given, .triangle_count = given->triangle_count, .side_count = 3 * given->triangle_count};
    w.twin = scr_arena_array(&arena, sizeof *w.twin, w.side_count);
    w.face_of = scr_arena_array(&arena, sizeof *w.face_of, w.triangle_count);
    w.stack = scr_arena_array(&arena, sizeof *w.stack, w.triangle_count);
    w.area = scr_arena_array(&arena, sizeof *w.area, w.triangle_count);
    w.key = scr_arena_array(&arena, sizeof *w.key, w.side_count);
    w.value = scr_arena_array(&arena, sizeof *w.value, w.side_count);
    w.arena = arena;
    for (int64_t k = 0; k < given->vertex_count; ++k) w.radius = fmax(w.radius, vec3_norm(given->vertex[k]));
    for (int64_t t = 0; t < w.triangle_count; ++t) {
        const int32_t *c = given->triangle + 3 * t;
        scr_vec3 a = given->vertex[c[0]];
        w.area[t] = vec3_cross(vec3_sub(given->vertex[c[1]], a), vec3_sub(given->vertex[c[2]], a));
    }
    return w;
}

// Half-edges between the same two corners come together when sorted; there must be one each way.
static bool pair_sides(hull_work *w)
{
    for (int32_t k = 0; k < w->side_count; ++k) {
        uint64_t a = (uint64_t)side_start(w, k), b = (uint64_t)side_end(w, k);
        if (a == b) return false;
        w->key[k] = a < b ? a << 32 | b : b << 32 | a;
        w->value[k] = (uint32_t)k;
    }
    if (w->side_count % 2 != 0) return false;
    scr_radix_sort(w->key, w->value, w->side_count, 64, w->arena, 1);
    for (int64_t k = 0; k < w->side_count; k += 2) {
        int32_t one = (int32_t)w->value[k], other = (int32_t)w->value[k + 1];
        bool more = k + 2 < w->side_count && w->key[k + 2] == w->key[k];
        if (w->key[k] != w->key[k + 1] || more || side_start(w, one) == side_start(w, other)) return false;
        w->twin[one] = other;
        w->twin[other] = one;
    }
    return true;
}

// Triangles by falling area, equal ones by number, into value[].
static void sort_by_area(hull_work *w)
{
    for (int64_t t = 0; t < w->triangle_count; ++t) {
        double area = vec3_norm(w->area[t]);
        memcpy(&w->key[t], &area, sizeof area);  // positive doubles are ordered as their bits are
        w->key[t] = ~w->key[t];
        w->value[t] = (uint32_t)t;
    }
    scr_radix_sort(w->key, w->value, w->triangle_count, 64, w->arena, 1);
}

// All triangles that hang together and lie in the plane of the seed.
static void grow_face(hull_work *w, int32_t seed, int32_t face)
{
    scr_vec3 normal = vec3_unit(w->area[seed]), origin = w->given->vertex[side_start(w, 3 * seed)];
    int64_t depth = 0;
    w->face_of[seed] = face;
    w->stack[depth++] = seed;
    while (depth > 0) {
        int32_t t = w->stack[--depth];
        for (int32_t side = 3 * t; side < 3 * t + 3; ++side) {
            int32_t twin = w->twin[side], other = twin / 3;
            if (w->face_of[other] >= 0) continue;
            scr_vec3 far = w->given->vertex[side_start(w, next_side(next_side(twin)))];
            double height = vec3_dot(normal, vec3_sub(far, origin));
            // A sliver may be turned any way, a triangle that has a direction must face as the seed does.
            bool is_reversed = vec3_dot(normal, w->area[other]) < -FLAT * w->radius * w->radius;
            if (fabs(height) > FLAT * w->radius || is_reversed) continue;
            w->face_of[other] = face;
            w->stack[depth++] = other;
        }
    }
}

static bool on_rim(const hull_work *w, int32_t side) { return w->face_of[w->twin[side] / 3] != w->face_of[side / 3]; }

// The rim's next half-edge: round the corner where this one ends, staying inside the face.
static int32_t next_on_rim(const hull_work *w, int32_t side)
{
    side = next_side(side);
    while (!on_rim(w, side)) side = next_side(w->twin[side]);
    return side;
}

static int64_t rim_length(const hull_work *w, int32_t first)
{
    int64_t length = 1;
    for (int32_t side = next_on_rim(w, first); side != first; side = next_on_rim(w, side)) ++length;
    return length;
}

// Give every triangle a face, split the faces whose rim is not one loop, and number faces in the order of their first
// triangle. Returns how many.
static int32_t find_faces(hull_work *w)
{
    int32_t count = 0;
    sort_by_area(w);
    for (int64_t t = 0; t < w->triangle_count; ++t) w->face_of[t] = -1;
    for (int64_t k = 0; k < w->triangle_count; ++k)
        if (w->face_of[w->value[k]] < 0) grow_face(w, (int32_t)w->value[k], count++);

    // value[face]: a half-edge of its rim, plus 1; key[face]: how many there are
    for (int32_t f = 0; f < count; ++f) w->key[f] = w->value[f] = 0;
    for (int32_t side = 0; side < w->side_count; ++side) {
        if (!on_rim(w, side)) continue;
        w->key[w->face_of[side / 3]] += 1;
        w->value[w->face_of[side / 3]] = (uint32_t)side + 1;
    }
    for (int32_t f = 0; f < count; ++f) {
        bool simple = w->value[f] != 0 && rim_length(w, (int32_t)w->value[f] - 1) == (int64_t)w->key[f];
        w->value[f] = simple;
    }
    // stack[face]: its number in the order of triangles, plus 1
    int32_t numbered = 0;
    for (int32_t f = 0; f < count; ++f) w->stack[f] = 0;
    for (int64_t t = 0; t < w->triangle_count; ++t) {
        int32_t f = w->face_of[t];
        if (!w->value[f]) {
            w->face_of[t] = numbered++;
            continue;
        }
        if (w->stack[f] == 0) w->stack[f] = ++numbered;
        w->face_of[t] = w->stack[f] - 1;
    }
    return numbered;
}

static size_t hull_bytes(int64_t corners, int64_t faces, int64_t sides)
{
    return scr_arena_bytes(sizeof(scr_vec3), corners) + scr_arena_bytes(sizeof(scr_vec3), faces) +
           scr_arena_bytes(sizeof(double), faces) + scr_arena_bytes(sizeof(int32_t), faces + 1) +
           2 * scr_arena_bytes(sizeof(int32_t), corners + 1) + 3 * scr_arena_bytes(sizeof(int32_t), sides) +
           scr_arena_bytes(sizeof(hull_edge), sides / 2);
}

static void take_arrays(hull *h, int64_t sides)
{
    scr_arena arena = h->memory;
    h->corner = scr_arena_array(&arena, sizeof *h->corner, h->corner_count);
    h->face_normal = scr_arena_array(&arena, sizeof *h->face_normal, h->face_count);
    h->face_offset = scr_arena_array(&arena, sizeof *h->face_offset, h->face_count);
    h->face_start = scr_arena_array(&arena, sizeof *h->face_start, h->face_count + 1);
    h->corner_face_start = scr_arena_array(&arena, sizeof *h->corner_face_start, h->corner_count + 1);
    h->near_start = scr_arena_array(&arena, sizeof *h->near_start, h->corner_count + 1);
    h->face_corner = scr_arena_array(&arena, sizeof *h->face_corner, sides);
    h->corner_face = scr_arena_array(&arena, sizeof *h->corner_face, sides);
    h->near = scr_arena_array(&arena, sizeof *h->near, sides);
    h->edge = scr_arena_array(&arena, sizeof *h->edge, sides / 2);
}

// The corners round each face, from the first of its half-edges that is on the rim.
static void walk_rims(hull *h, hull_work *w)
{
    for (int32_t side = (int32_t)w->side_count - 1; side >= 0; --side)
        if (on_rim(w, side)) w->value[w->face_of[side / 3]] = (uint32_t)side;
    int32_t filled = 0;
    for (int32_t f = 0; f < h->face_count; ++f) {
        h->face_start[f] = filled;
        int32_t first = (int32_t)w->value[f], at = first;
        do {
            h->face_corner[filled++] = side_start(w, at);
            at = next_on_rim(w, at);
        } while (at != first);
    }
    h->face_start[h->face_count] = filled;
}

static void find_planes(hull *h, const hull_work *w)
{
    for (int32_t f = 0; f < h->face_count; ++f) h->face_normal[f] = vec3(0.0, 0.0, 0.0);
    for (int64_t t = 0; t < w->triangle_count; ++t) {
        scr_vec3 *sum = &h->face_normal[w->face_of[t]];
        *sum = vec3_add(*sum, w->area[t]);
    }
    h->inner_radius = INFINITY;
    for (int32_t f = 0; f < h->face_count; ++f) {
        double area = vec3_norm(h->face_normal[f]);
        bool has_direction = area > NO_AREA * w->radius * w->radius;
        h->face_normal[f] = vec3_scale(has_direction ? 1.0 / area : 0.0, h->face_normal[f]);
        h->face_offset[f] = -INFINITY;
        for (int32_t k = h->face_start[f]; k < h->face_start[f + 1]; ++k)
            h->face_offset[f] = fmax(h->face_offset[f], vec3_dot(h->face_normal[f], h->corner[h->face_corner[k]]));
        if (has_direction) h->inner_radius = fmin(h->inner_radius, h->face_offset[f]);
    }
    h->inner_radius = fmax(0.0, fmin(h->inner_radius, w->radius));
}

// Half-edges whose start is the lower corner, in their order, one for each edge between faces.
static void list_edges(hull *h, const hull_work *w)
{
    h->edge_count = 0;
    for (int32_t side = 0; side < w->side_count; ++side) {
        int32_t a = side_start(w, side), b = side_end(w, side);
        if (a > b || !on_rim(w, side)) continue;
        h->edge[h->edge_count++] = (hull_edge){{a, b}, {w->face_of[side / 3], w->face_of[w->twin[side] / 3]}};
    }
}

static void scan_counts(int32_t *start, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) start[k + 1] += start[k];
}

// Count into start[c + 1], scan, fill by start[c]++, then shift back. Filling in ascending order keeps each list so.
static void list_faces_of_corners(hull *h)
{
    memset(h->corner_face_start, 0, ((size_t)h->corner_count + 1) * sizeof *h->corner_face_start);
    for (int32_t k = 0; k < h->face_start[h->face_count]; ++k) h->corner_face_start[h->face_corner[k] + 1] += 1;
    scan_counts(h->corner_face_start, h->corner_count);
    for (int32_t f = 0; f < h->face_count; ++f) {
        for (int32_t k = h->face_start[f]; k < h->face_start[f + 1]; ++k)
            h->corner_face[h->corner_face_start[h->face_corner[k]]++] = f;
    }
    for (int32_t c = h->corner_count; c > 0; --c) h->corner_face_start[c] = h->corner_face_start[c - 1];
    h->corner_face_start[0] = 0;
}

// Half-edges sorted by start, then end: each corner's neighbours.
static void list_neighbours(hull *h, hull_work *w)
{
    memset(h->near_start, 0, ((size_t)h->corner_count + 1) * sizeof *h->near_start);
    for (int32_t side = 0; side < w->side_count; ++side) {
        w->key[side] = (uint64_t)side_start(w, side) << 32 | (uint64_t)side_end(w, side);
        w->value[side] = 0;
        h->near_start[side_start(w, side) + 1] += 1;
    }
    scan_counts(h->near_start, h->corner_count);
    scr_radix_sort(w->key, w->value, w->side_count, 64, w->arena, 1);
    for (int64_t k = 0; k < w->side_count; ++k) h->near[k] = (int32_t)(uint32_t)w->key[k];
}

static scr_status fill_hull(hull *h, hull_work *w, scr_error *error)
{
    if (!pair_sides(w)) return scr_fail(error, SCR_BAD_INPUT, "the triangles of a hull are not closed");
    h->corner_count = (int32_t)w->given->vertex_count;
    h->face_count = find_faces(w);
    scr_status status =
        scr_arena_reserve(&h->memory, hull_bytes(h->corner_count, h->face_count, w->side_count), "a hull", error);
    if (status != SCR_OK) return status;
    take_arrays(h, w->side_count);
    memcpy(h->corner, w->given->vertex, (size_t)h->corner_count * sizeof *h->corner);
    walk_rims(h, w);
    find_planes(h, w);
    list_edges(h, w);
    list_faces_of_corners(h);
    list_neighbours(h, w);
    return SCR_OK;
}

scr_status hull_build(const scr_triangles *triangles, hull **out, scr_error *error)
{
    if (triangles->vertex_count > HULL_CORNER_MAX || triangles->triangle_count > 2 * HULL_CORNER_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "a hull has at most %d corners", HULL_CORNER_MAX);
    hull *h = scr_alloc(sizeof *h);
    if (h == NULL) return scr_fail_memory(error, sizeof *h, "a hull");
    *h = (hull){0};
    scr_arena scratch = {0};
    scr_status status = scr_arena_reserve(&scratch, work_bytes(triangles->triangle_count), "a hull", error);
    if (status == SCR_OK) {
        hull_work work = make_work(triangles, scratch);
        status = fill_hull(h, &work, error);
    }
    scr_arena_free(&scratch);
    if (status != SCR_OK) {
        hull_free(h);
        return status;
    }
    *out = h;
    return SCR_OK;
}

void hull_free(hull *h)
{
    if (h == NULL) return;
    scr_arena_free(&h->memory);
    scr_free(h);
}
