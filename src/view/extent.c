// Boxes around what matters in a frame.
#include "view/extent.h"

#include <stdlib.h>

#include "core/threads.h"

enum { TRIM_SAMPLE = 4096 };  // grains looked at to find the strays
// Share of them, at either end of an axis, that are strays. On level ground some roll far away from a heap, but a thin
// stream that falls out of a silo is worth seeing.
static const float TRIM_LEVEL = 0.03f, TRIM_UPRIGHT = 0.003f;
static const float TRIM_STRETCH = 0.2f;  // of the others' span, by which strays may widen it
static const float WALL_REACH = 0.5f;    // a wall is near up to so many of the grains' largest edges beyond the grains
static const float WALL_WHOLE = 3.0f;    // and framed as a whole if it is less than so many of those edges long
static const float ALONG_AXIS = 0.99f;   // component of a normal from which on a plane is square to an axis

static const extent NOWHERE = {{INFINITY, INFINITY, INFINITY, 0.0f}, {-INFINITY, -INFINITY, -INFINITY, 0.0f}};

static bool is_empty(const extent *e) { return !(e->low[0] <= e->high[0]); }
static bool is_in_reach(vec3f v)  // false for what is not a number, too
{
    return fabsf(v[0]) < EXTENT_REACH && fabsf(v[1]) < EXTENT_REACH && fabsf(v[2]) < EXTENT_REACH;
}

static extent united(const extent *a, const extent *b)
{
    return (extent){vec3f_min(a->low, b->low), vec3f_max(a->high, b->high)};
}

static extent of_sphere(const frame_spheres *s, int64_t i)
{
    vec3f centre = vec3f_load(&s->position[3 * i]), reach = vec3f_all(s->radius[i]);
    return is_in_reach(centre) && is_in_reach(reach) ? (extent){centre - reach, centre + reach} : NOWHERE;
}

extent extent_of_box(const frame_box *box)
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

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Shrink low..high along one axis to where the bulk of the spheres is, and a little more.
static void trim_strays(const frame_spheres *s, int axis, float *low, float *high)
{
    float sample[TRIM_SAMPLE];
    int count = 0;
    int64_t stride = block_count_of(s->count, TRIM_SAMPLE);
    for (int64_t i = 0; i < s->count; i += stride) {
        float x = s->position[3 * i + axis];
        if (fabsf(x) < EXTENT_REACH) sample[count++] = x;
    }
    int strays = (int)((axis < 2 ? TRIM_LEVEL : TRIM_UPRIGHT) * (float)count);
    if (strays == 0) return;
    qsort(sample, (size_t)count, sizeof sample[0], by_value);
    float bulk_low = sample[strays], bulk_high = sample[count - 1 - strays];
    float slack = TRIM_STRETCH * (bulk_high - bulk_low);
    *low = greater(*low, bulk_low - slack);
    *high = lesser(*high, bulk_high + slack);
}

extent extent_of_grains(const frame *f)
{
    extent e = NOWHERE;
    for (int64_t i = 0; i < f->spheres.count; ++i) {
        extent one = of_sphere(&f->spheres, i);
        e = united(&e, &one);
    }
    if (!is_empty(&e)) {
        float low[3] = {e.low[0], e.low[1], e.low[2]}, high[3] = {e.high[0], e.high[1], e.high[2]};
        for (int axis = 0; axis < 3; ++axis) trim_strays(&f->spheres, axis, &low[axis], &high[axis]);
        e = (extent){vec3f_load(low), vec3f_load(high)};
    }
    extent walls = NOWHERE;
    for (int64_t i = 0; i < f->box_count; ++i) {
        extent one = extent_of_box(&f->boxes[i]);
        if (f->boxes[i].kind == SCR_DYNAMIC) e = united(&e, &one);
        else walls = united(&walls, &one);
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

extent extent_of_subject(const frame *f, const extent *grains)
{
    float reach = extent_wall_reach(grains);
    extent near = extent_grown(grains, reach), e = *grains;
    for (int64_t i = 0; i < f->box_count; ++i) {
        if (f->boxes[i].kind == SCR_DYNAMIC) continue;
        extent wall = extent_of_box(&f->boxes[i]);
        extent part = {vec3f_max(wall.low, near.low), vec3f_min(wall.high, near.high)};
        if (part.low[0] > part.high[0] || part.low[1] > part.high[1] || part.low[2] > part.high[2]) continue;
        bool whole = largest_edge(&wall) < WALL_WHOLE * largest_edge(grains);
        e = united(&e, whole ? &wall : &part);
    }
    for (int64_t i = 0; i < f->plane_count; ++i)
        include_plane(&e, reach, vec3f_load(f->planes[i].position), extent_plane_normal(&f->planes[i]));
    return e;
}

vec3f extent_plane_normal(const frame_plane *plane)
{
    return vec3f_rotate(plane->rotation, vec3f_of(0.0f, 0.0f, 1.0f));
}
