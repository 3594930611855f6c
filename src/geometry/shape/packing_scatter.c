// SPDX-License-Identifier: BSD-3-Clause
// Scattered packings.
//
// Poisson disks are those of R. Bridson (SIGGRAPH 2007): around a place that is taken, candidates are drawn between one
// and two distances away until SHELL_TRIES of them in a row have been too near to others; then the place is done with,
// and another takes its turn. Darts thrown into the region begin, and find what parts of it are not connected.
// Random ones are added one after the other (random sequential addition), which jams at about 0.38 of the volume for
// equal spheres. Numbers are drawn one after the other from one stream: one thread, the same for any number.
#include "core/base/memory.h"
#include "core/maths/rng.h"
#include "core/maths/trig.h"
#include "geometry/shape/place_bins.h"

#include <stdlib.h>

enum { SHELL_TRIES = 30, DARTS = 2000, PLACE_TRIES = 4000 };
static const double OUTSIDE_BUDGET = 1e6;  // points of the bounds that are drawn to find one of the region
static const double TWO_PI = 6.28318530717958647692;

typedef struct scatter {
    const packing *packing;
    place_bins places;  // Poisson disks ask for half the distance, random ones for spacing x reach x radius
    uint64_t draws;
} scatter;

static void draw2(scatter *s, double u[2])
{
    uint64_t stream = (s->packing->stream << STREAM_BITS) + SCATTER_STREAM;
    scr_uniform2(s->packing->seed, stream, s->draws++, u);
}

// A point of the region, at least margin away from its boundary; false if none is found.
static bool draw_inside(scatter *s, double margin, scr_vec3 *p)
{
    for (double tries = 0.0; tries < OUTSIDE_BUDGET; tries += 1.0) {
        double u[4];
        draw2(s, u);
        draw2(s, u + 2);
        scr_vec3 edge = vec3_sub(s->places.bounds.high, s->places.bounds.low);
        *p = vec3_add(s->places.bounds.low, vec3(u[0] * edge.x, u[1] * edge.y, u[2] * edge.z));
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
    packed_grains *g = s->places.grains;
    for (int64_t from = g->count - 1; from < g->count; ++from) {
        for (int try = 0; try < SHELL_TRIES; ++try) {
            scr_vec3 p = draw_near(s, g->position[from], 2.0 * half);
            if (!region_contains(s->packing->region, p, margin) || !place_is_free(&s->places, p, half)) continue;
            scr_status status = place_add(&s->places, p, half, error);
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
        if (!place_is_free(&s->places, p, half)) continue;
        scr_status status = place_add(&s->places, p, half, error);
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
        int64_t index = s->places.grains->count;
        double reach = p->reach * size_draw(p->size, p->seed, p->stream, (uint64_t)index);
        bool found = false;
        scr_vec3 place;
        for (int try = 0; try < PLACE_TRIES && !found; ++try) {
            if (!draw_inside(s, reach, &place)) return SCR_OK;
            found = place_is_free(&s->places, place, p->spacing * reach);
        }
        if (!found) return SCR_OK;
        scr_status status = place_add(&s->places, place, p->spacing * reach, error);
        if (status != SCR_OK || (limit > 0 && s->places.grains->count == limit)) return status;
    }
}

scr_status packing_scatter(const packing *p, int64_t limit, packed_grains *g, scr_error *error)
{
    double largest = p->reach * size_largest(p->size);
    g->count = 0;
    scatter s = {p, {.bounds = region_bounds(p->region), .width = 2.0 * p->spacing * largest, .grains = g}, 0};
    scr_status status = place_bins_begin(&s.places, error);
    if (status == SCR_OK && g->count != PACKING_TOO_LARGE) {
        status = p->pattern == FILL_POISSON ? scatter_disks(&s, error) : scatter_random(&s, limit, error);
        if (p->pattern == FILL_POISSON) keep_lowest(g, limit);
        for (int64_t i = 0; i < g->count; ++i) g->radius[i] = size_draw(p->size, p->seed, p->stream, (uint64_t)i);
    }
    place_bins_free(&s.places);
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
