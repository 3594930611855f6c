// SPDX-License-Identifier: BSD-3-Clause
// Boxes around what matters in a frame.
#include "view/stage/extent.h"

#include <stdlib.h>

#include "core/base/threads.h"

enum { TRIM_SAMPLE = 4096 };  // grains sampled to find the outliers
enum { FEW_PARTS = 64 };
// Share of them, at either end of an axis, that are outliers. On level ground some roll far away from a heap, but a
// thin stream that falls out of a silo is worth seeing.
static const float TRIM_LEVEL = 0.03f, TRIM_UPRIGHT = 0.003f;
static const float TRIM_STRETCH = 0.2f;  // of the others' span, by which outliers may widen it
static const float WALL_REACH = 0.5f;    // a wall is near up to so many of the grains' largest edges beyond the grains
static const float WALL_WHOLE = 3.0f;    // and framed as a whole if it is less than so many of those edges long
static const float ALONG_AXIS = 0.99f;   // component of a normal from which on a plane is square to an axis

static const extent NOWHERE = {{INFINITY, INFINITY, INFINITY, 0.0f}, {-INFINITY, -INFINITY, -INFINITY, 0.0f}};

static bool is_empty(const extent *e) { return !(e->low[0] <= e->high[0]); }
static bool is_in_reach(vec3f v)  // false for what is not a number, too
{
    return fabsf(v[0]) < EXTENT_REACH && fabsf(v[1]) < EXTENT_REACH && fabsf(v[2]) < EXTENT_REACH;
}

extent extent_united(const extent *a, const extent *b)
{
    return (extent){vec3f_min(a->low, b->low), vec3f_max(a->high, b->high)};
}

static extent of_sphere(const frame_spheres *s, int64_t i)
{
    vec3f centre = vec3f_load(&s->position[3 * i]), reach = vec3f_all(s->radius[i]);
    return is_in_reach(centre) && is_in_reach(reach) ? (extent){centre - reach, centre + reach} : NOWHERE;
}

extent extent_of_box(const frame_shape *box)
{
    vec3f centre = vec3f_load(box->position), reach = vec3f_all(0.0f);
    for (int axis = 0; axis < 3; ++axis) {
        vec3f edge = vec3f_all(0.0f);
        edge[axis] = box->half[axis];
        edge = vec3f_rotate(box->rotation, edge);
        reach += vec3f_max(edge, -edge);
    }
    return is_in_reach(centre) && is_in_reach(reach) ? (extent){centre - reach, centre + reach} : NOWHERE;
}

// Half the box of a round part, in its own frame.
static vec3f round_reach(const frame_shape *p)
{
    vec3f half = vec3f_load(p->half);
    if (p->shape == SCR_CAPSULE) half[2] += p->half[0];
    return half;
}

static extent of_surface(const frame_surfaces *all, int32_t index)
{
    const frame_surface *s = &all->item[index];
    extent e = NOWHERE;
    for (int64_t i = s->first_vertex; i < s->first_vertex + s->vertex_count; ++i) {
        vec3f v = vec3f_load(&all->vertex[3 * i]);
        e = extent_united(&e, &(extent){v, v});
    }
    return e;
}

// The box around a rotated box.
static extent rotated(const frame_shape *p, const extent *own)
{
    frame_shape box = {.rotation = {p->rotation[0], p->rotation[1], p->rotation[2], p->rotation[3]}};
    vec3f centre = vec3f_load(p->position) + vec3f_rotate(p->rotation, extent_centre(own)),
          half = 0.5f * (own->high - own->low);
    for (int axis = 0; axis < 3; ++axis) {
        box.position[axis] = centre[axis];
        box.half[axis] = half[axis];
    }
    return extent_of_box(&box);
}

scr_status extent_of_parts(const frame *f, extent *part, scr_error *error)
{
    int64_t count = f->surfaces != NULL ? f->surfaces->count : 0;
    size_t bytes = scr_array_bytes(count + 1, sizeof(extent));
    extent *own = scr_alloc(bytes);
    if (own == NULL) return scr_fail_memory(error, bytes, "the surfaces of a picture");
    for (int64_t i = 0; i < count; ++i) own[i] = of_surface(f->surfaces, (int32_t)i);
    for (int64_t i = 0; i < f->part_count; ++i) {
        const frame_shape *p = &f->parts[i];
        vec3f reach = round_reach(p);
        part[i] = p->surface >= 0 ? rotated(p, &own[p->surface]) : rotated(p, &(extent){-reach, reach});
    }
    scr_free(own);
    return SCR_OK;
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// A few dynamic parts are things that count wherever they are, many are grains.
static bool parts_are_grains(const frame *f)
{
    int64_t dynamic = 0;
    for (int64_t i = 0; i < f->part_count && dynamic <= FEW_PARTS; ++i) dynamic += f->parts[i].kind == SCR_DYNAMIC;
    return dynamic > FEW_PARTS;
}

// Grains in a row: spheres, then parts.
static int64_t grain_count(const frame *f) { return f->spheres.count + (parts_are_grains(f) ? f->part_count : 0); }

static const float *grain_position(const frame *f, int64_t i)
{
    if (i < f->spheres.count) return &f->spheres.position[3 * i];
    const frame_shape *part = &f->parts[i - f->spheres.count];
    return part->kind == SCR_DYNAMIC ? part->position : NULL;
}

// Shrink low..high along one axis to where the bulk of the grains is, and a little more.
static void trim_strays(const frame *f, int axis, float *low, float *high)
{
    float sample[TRIM_SAMPLE];
    int count = 0;
    int64_t all = grain_count(f), stride = block_count_of(all, TRIM_SAMPLE);
    for (int64_t i = 0; i < all; i += stride) {
        const float *position = grain_position(f, i);
        if (position != NULL && fabsf(position[axis]) < EXTENT_REACH) sample[count++] = position[axis];
    }
    int outliers = (int)((axis < 2 ? TRIM_LEVEL : TRIM_UPRIGHT) * (float)count);
    if (outliers == 0) return;
    qsort(sample, (size_t)count, sizeof sample[0], by_value);
    float bulk_low = sample[outliers], bulk_high = sample[count - 1 - outliers];
    float slack = TRIM_STRETCH * (bulk_high - bulk_low);
    *low = greater(*low, bulk_low - slack);
    *high = lesser(*high, bulk_high + slack);
}

extent extent_of_grains(const frame *f, const extent *part)
{
    extent e = NOWHERE, walls = NOWHERE;
    for (int64_t i = 0; i < f->spheres.count; ++i) {
        extent one = of_sphere(&f->spheres, i);
        e = extent_united(&e, &one);
    }
    bool many = parts_are_grains(f);
    for (int64_t i = 0; i < f->part_count; ++i)
        if (many && f->parts[i].kind == SCR_DYNAMIC) e = extent_united(&e, &part[i]);
    if (!is_empty(&e)) {
        float low[3] = {e.low[0], e.low[1], e.low[2]}, high[3] = {e.high[0], e.high[1], e.high[2]};
        for (int axis = 0; axis < 3; ++axis) trim_strays(f, axis, &low[axis], &high[axis]);
        e = (extent){vec3f_load(low), vec3f_load(high)};
    }
    for (int64_t i = 0; i < f->box_count; ++i) {
        extent one = extent_of_box(&f->boxes[i]);
        if (f->boxes[i].kind == SCR_DYNAMIC) e = extent_united(&e, &one);
        else walls = extent_united(&walls, &one);
    }
    for (int64_t i = 0; i < f->part_count; ++i) {
        if (f->parts[i].kind != SCR_DYNAMIC) walls = extent_united(&walls, &part[i]);
        else if (!many) e = extent_united(&e, &part[i]);
    }
    if (!is_empty(&e)) return e;
    return is_empty(&walls) ? (extent){vec3f_all(-0.5f), vec3f_all(0.5f)} : walls;
}

static float largest_edge(const extent *e)
{
    vec3f edge = e->high - e->low;
    return greater(edge[0], greater(edge[1], edge[2]));
}

float extent_gap_to_plane(const extent *e, vec3f point, vec3f normal)
{
    vec3f nearest = vec3f_of(normal[0] > 0.0f ? e->low[0] : e->high[0], normal[1] > 0.0f ? e->low[1] : e->high[1],
                             normal[2] > 0.0f ? e->low[2] : e->high[2]);
    return vec3f_dot(nearest - point, normal);
}

float extent_wall_reach(const extent *grains) { return WALL_REACH * largest_edge(grains); }

// Move the side of e that faces a plane along an axis out to that plane.
static void include_plane(extent *e, float reach, vec3f point, vec3f normal)
{
    for (int axis = 0; axis < 3; ++axis) {
        if (fabsf(normal[axis]) < ALONG_AXIS) continue;
        float gap = extent_gap_to_plane(e, point, normal);
        if (!(gap > 0.0f && gap <= reach)) continue;
        if (normal[axis] > 0.0f) e->low[axis] = point[axis];
        else e->high[axis] = point[axis];
    }
}

// Add a wall, or the part of it that is near the grains.
static void include_wall(extent *e, const extent *wall, const extent *near, float grains_edge)
{
    extent part = {vec3f_max(wall->low, near->low), vec3f_min(wall->high, near->high)};
    if (part.low[0] > part.high[0] || part.low[1] > part.high[1] || part.low[2] > part.high[2]) return;
    *e = extent_united(e, largest_edge(wall) < WALL_WHOLE * grains_edge ? wall : &part);
}

extent extent_of_subject(const frame *f, const extent *part, const extent *grains)
{
    float reach = extent_wall_reach(grains), edge = largest_edge(grains);
    extent near = extent_grown(grains, reach), e = *grains;
    for (int64_t i = 0; i < f->box_count; ++i) {
        extent wall = extent_of_box(&f->boxes[i]);
        if (f->boxes[i].kind != SCR_DYNAMIC) include_wall(&e, &wall, &near, edge);
    }
    for (int64_t i = 0; i < f->part_count; ++i)
        if (f->parts[i].kind != SCR_DYNAMIC) include_wall(&e, &part[i], &near, edge);
    for (int64_t i = 0; i < f->plane_count; ++i)
        include_plane(&e, reach, vec3f_load(f->planes[i].position), extent_plane_normal(&f->planes[i]));
    return e;
}

vec3f extent_plane_normal(const frame_shape *plane)
{
    return vec3f_rotate(plane->rotation, vec3f_of(0.0f, 0.0f, 1.0f));
}
