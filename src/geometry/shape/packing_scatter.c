// SPDX-License-Identifier: BSD-3-Clause
// Scattered packings.
//
// Poisson disks are those of R. Bridson (SIGGRAPH 2007): around a place that is taken, candidates are drawn between one
// and two distances away until SHELL_TRIES of them in a row have been too near to others; then the place is done with,
// and another takes its turn. Darts thrown into the region begin, and find what parts of it are not connected.
// Random ones are added one after the other (random sequential addition), which jams at about 0.38 of the volume for
// equal spheres. Numbers are drawn one after the other from one stream: one thread, the same for any number.
#include "core/base/interruption.h"
#include "core/base/memory.h"
#include "core/maths/rng.h"
#include "core/maths/trig.h"
#include "geometry/shape/packing.h"

#include <stdlib.h>

enum { SHELL_TRIES = 30, DARTS = 2000, PLACE_TRIES = 4000, LOOKS_BETWEEN = 1024 };
static const double CELL_BUDGET = 2e8;     // bins
static const double OUTSIDE_BUDGET = 1e6;  // points of the bounds that are drawn to find one of the region
static const double TWO_PI = 6.28318530717958647692;

// Places in bins as wide as the largest distance that counts.
typedef struct scatter {
    const packing *packing;
    scr_aabb bounds;
    double width;  // m
    int64_t bins[3];
    int32_t *first;  // of a bin; -1: none
    int32_t *next;   // after a place, in the same bin
    int64_t next_capacity;
    packed_grains
        *grains;  // for Poisson disks radius[i] is half the distance, for random ones spacing x reach x radius
    uint64_t draws;
} scatter;

static void draw2(scatter *s, double u[2])
{
    uint64_t stream = (s->packing->stream << STREAM_BITS) + SCATTER_STREAM;
    scr_uniform2(s->packing->seed, stream, s->draws++, u);
}

static int64_t bin_along(const scatter *s, int axis, double x)
{
    double low = axis == 0 ? s->bounds.low.x : axis == 1 ? s->bounds.low.y : s->bounds.low.z;
    int64_t bin = (int64_t)((x - low) / s->width);
    return bin < 0 ? 0 : bin >= s->bins[axis] ? s->bins[axis] - 1 : bin;
}

static int64_t bin_of(const scatter *s, scr_vec3 p)
{
    return (bin_along(s, 2, p.z) * s->bins[1] + bin_along(s, 1, p.y)) * s->bins[0] + bin_along(s, 0, p.x);
}

static bool bin_is_free(const scatter *s, int64_t bin, scr_vec3 p, double half)
{
    const packed_grains *g = s->grains;
    for (int32_t i = s->first[bin]; i >= 0; i = s->next[i]) {
        scr_vec3 d = vec3_sub(g->position[i], p);
        double sum = g->radius[i] + half;
        if (vec3_dot(d, d) < sum * sum) return false;
    }
    return true;
}

// Is no place nearer than half plus its own?
static bool is_free(const scatter *s, scr_vec3 p, double half)
{
    int64_t at[3] = {bin_along(s, 0, p.x), bin_along(s, 1, p.y), bin_along(s, 2, p.z)}, low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = at[k] > 0 ? at[k] - 1 : 0;
        high[k] = at[k] + 1 < s->bins[k] ? at[k] + 1 : at[k];
    }
    for (int64_t z = low[2]; z <= high[2]; ++z)
        for (int64_t y = low[1]; y <= high[1]; ++y)
            for (int64_t x = low[0]; x <= high[0]; ++x)
                if (!bin_is_free(s, (z * s->bins[1] + y) * s->bins[0] + x, p, half)) return false;
    return true;
}

static scr_status add_place(scatter *s, scr_vec3 p, double half, scr_error *error)
{
    packed_grains *g = s->grains;
    scr_status status = packed_grains_reserve(g, g->count + 1, error);
    if (status == SCR_OK)
        status = scr_grow(&s->next, &s->next_capacity, g->count + 1, sizeof *s->next, "places", error);
    if (status == SCR_OK && g->count % LOOKS_BETWEEN == 0 && interruption_is_overdue())
        status = interruption_fail(error);
    if (status != SCR_OK) return status;
    int64_t bin = bin_of(s, p);
    g->position[g->count] = p;
    g->radius[g->count] = half;
    s->next[g->count] = s->first[bin];
    s->first[bin] = (int32_t)g->count++;
    return SCR_OK;
}

// A point of the region, at least margin away from its boundary; false if none is found.
static bool draw_inside(scatter *s, double margin, scr_vec3 *p)
{
    for (double tries = 0.0; tries < OUTSIDE_BUDGET; tries += 1.0) {
        double u[4];
        draw2(s, u);
        draw2(s, u + 2);
        scr_vec3 edge = vec3_sub(s->bounds.high, s->bounds.low);
        *p = vec3_add(s->bounds.low, vec3(u[0] * edge.x, u[1] * edge.y, u[2] * edge.z));
        *p = region_settle(s->packing->region, *p, margin);
        if (region_contains(s->packing->region, *p, margin)) return true;
    }
    return false;
}

// A point between one and two distances from a place, all equally likely.
static scr_vec3 draw_near(scatter *s, scr_vec3 place, double distance)
{
    double u[4], sine, cosine;
    draw2(s, u);
    draw2(s, u + 2);
    double z = 2.0 * u[0] - 1.0, across = sqrt(fmax(0.0, 1.0 - z * z)), r = distance * scr_cbrt(1.0 + 7.0 * u[2]);
    scr_sincos(TWO_PI * u[1], &sine, &cosine);
    return vec3_add_scaled(place, r, vec3(across * cosine, across * sine, z));
}

// Fill all that can be reached from the last place.
static scr_status grow_disks(scatter *s, double half, double margin, scr_error *error)
{
    packed_grains *g = s->grains;
    for (int64_t from = g->count - 1; from < g->count; ++from) {
        for (int try = 0; try < SHELL_TRIES; ++try) {
            scr_vec3 p = draw_near(s, g->position[from], 2.0 * half);
            if (!region_contains(s->packing->region, p, margin) || !is_free(s, p, half)) continue;
            scr_status status = add_place(s, p, half, error);
            if (status != SCR_OK) return status;
            try = -1;
        }
    }
    return SCR_OK;
}

static scr_status scatter_disks(scatter *s, scr_error *error)
{
    double margin = s->packing->reach * size_largest(s->packing->size), half = margin * s->packing->spacing;
    for (int dart = 0; dart < DARTS; ++dart) {
        scr_vec3 p;
        if (!draw_inside(s, margin, &p)) return SCR_OK;
        if (!is_free(s, p, half)) continue;
        scr_status status = add_place(s, p, half, error);
        if (status == SCR_OK) status = grow_disks(s, half, margin, error);
        if (status != SCR_OK) return status;
    }
    return SCR_OK;
}

static int by_height(const void *a, const void *b)
{
    const scr_vec3 *p = a, *q = b;
    if (p->z != q->z) return p->z < q->z ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

static void keep_lowest(packed_grains *g, int64_t limit)
{
    if (g->count > 0) qsort(g->position, (size_t)g->count, sizeof *g->position, by_height);
    if (limit > 0 && g->count > limit) g->count = limit;
}

static scr_status scatter_random(scatter *s, int64_t limit, scr_error *error)
{
    const packing *p = s->packing;
    for (;;) {
        int64_t index = s->grains->count;
        double reach = p->reach * size_draw(p->size, p->seed, p->stream, (uint64_t)index);
        bool found = false;
        scr_vec3 place;
        for (int try = 0; try < PLACE_TRIES && !found; ++try) {
            if (!draw_inside(s, reach, &place)) return SCR_OK;
            found = is_free(s, place, p->spacing * reach);
        }
        if (!found) return SCR_OK;
        scr_status status = add_place(s, place, p->spacing * reach, error);
        if (status != SCR_OK || (limit > 0 && s->grains->count == limit)) return status;
    }
}

static scr_status scatter_begin(scatter *s, scr_error *error)
{
    scr_vec3 edge = vec3_sub(s->bounds.high, s->bounds.low);
    s->bins[0] = 1 + (int64_t)fmin(edge.x / s->width, CELL_BUDGET);
    s->bins[1] = 1 + (int64_t)fmin(edge.y / s->width, CELL_BUDGET);
    s->bins[2] = 1 + (int64_t)fmin(edge.z / s->width, CELL_BUDGET);
    double bins = (double)s->bins[0] * (double)s->bins[1] * (double)s->bins[2];
    if (!(bins <= CELL_BUDGET)) {
        s->grains->count = PACKING_TOO_LARGE;
        return SCR_OK;
    }
    size_t bytes = scr_array_bytes((int64_t)bins, sizeof *s->first);
    s->first = scr_alloc(bytes);
    if (s->first == NULL) return scr_fail_memory(error, bytes, "places");
    for (int64_t i = 0; i < (int64_t)bins; ++i) s->first[i] = -1;
    return SCR_OK;
}

scr_status packing_scatter(const packing *p, int64_t limit, packed_grains *g, scr_error *error)
{
    double largest = p->reach * size_largest(p->size);
    g->count = 0;
    scatter s = {p, region_bounds(p->region), .width = 2.0 * p->spacing * largest, .grains = g};
    scr_status status = scatter_begin(&s, error);
    if (status == SCR_OK && g->count != PACKING_TOO_LARGE) {
        status = p->pattern == FILL_POISSON ? scatter_disks(&s, error) : scatter_random(&s, limit, error);
        if (p->pattern == FILL_POISSON) keep_lowest(g, limit);
        for (int64_t i = 0; i < g->count; ++i) g->radius[i] = size_draw(p->size, p->seed, p->stream, (uint64_t)i);
    }
    scr_free(s.first);
    scr_free(s.next);
    return status;
}

scr_status packed_grains_reserve(packed_grains *g, int64_t count, scr_error *error)
{
    scr_status status = scr_grow(&g->position, &g->position_capacity, count, sizeof *g->position, "grains", error);
    if (status != SCR_OK) return status;
    return scr_grow(&g->radius, &g->radius_capacity, count, sizeof *g->radius, "grains", error);
}

void packed_grains_free(packed_grains *g)
{
    scr_free(g->position);
    scr_free(g->radius);
    *g = (packed_grains){0};
}
