// SPDX-License-Identifier: BSD-3-Clause
// Packings on lattices.
//
// Patterns have the pitch d = spacing * largest diameter. The hexagonal one is close packed: rows of pitch d, rows
// d sqrt(3)/2 apart, layers d sqrt(2/3) apart, every other row moved by d/2 and every other layer by d sqrt(3)/6 so
// that each grain rests in the hollow of three; at spacing 1 it fills pi / sqrt(18) = 0.74 of a large region. A grain
// that is no sphere is given the room of the ball around it, so that it may have any rotation.
#include "geometry/shape/packing.h"

#include "core/maths/rng.h"
#include "geometry/shape/packing_parts.h"

enum { JITTER_HALVINGS = 10 };
static const double SITE_BUDGET = 1e9;  // places of a pattern that are looked at before giving up

// The places of a pattern in the bounds of a region, and how far a walk over them has come.
typedef struct lattice {
    const region *region;
    double margin;          // m; of a place from the region's boundary
    scr_vec3 first, pitch;  // m
    bool hexagonal;
    int64_t count[3], at[3];
    double looked_at;
} lattice;

int64_t sites_along(double low, double high, double radius, double pitch, double shift, double *first)
{
    double free_length = high - low - 2.0 * radius, tolerance = FIT_TOLERANCE * pitch;
    *first = low + radius;
    if (!(free_length >= -tolerance) || !(pitch > 0.0)) return 0;
    double count = fmin(floor(fmax(free_length, 0.0) / pitch + FIT_TOLERANCE) + 1.0, SITE_BUDGET);
    double slack = fmax(0.0, free_length - (count - 1.0) * pitch);
    if (slack >= shift - tolerance) slack = fmax(0.0, slack - shift);
    *first += 0.5 * slack;
    return (int64_t)count;
}

static lattice lattice_of(const packing *p)
{
    double radius = p->reach * size_largest(p->size), d = 2.0 * radius * p->spacing;
    lattice l = {.region = p->region, .margin = radius - FIT_TOLERANCE * d, .pitch = vec3(d, d, d)};
    l.hexagonal = p->pattern == FILL_HEXAGONAL;
    scr_vec3 shift = vec3(0.0, 0.0, 0.0);
    if (l.hexagonal) {
        l.pitch = vec3(d, sqrt(0.75) * d, sqrt(2.0 / 3.0) * d);
        shift = vec3(0.5 * d, l.pitch.y / 3.0, 0.0);
    }
    scr_aabb bounds = region_bounds(p->region);
    l.count[0] = sites_along(bounds.low.x, bounds.high.x, radius, l.pitch.x, shift.x, &l.first.x);
    l.count[1] = sites_along(bounds.low.y, bounds.high.y, radius, l.pitch.y, shift.y, &l.first.y);
    l.count[2] = sites_along(bounds.low.z, bounds.high.z, radius, l.pitch.z, shift.z, &l.first.z);
    l.first.z = bounds.low.z + radius;  // from the bottom up: the room that is left is on top
    return l;
}

static scr_vec3 lattice_site(const lattice *l)
{
    double i = (double)l->at[0], j = (double)l->at[1], k = (double)l->at[2];
    if (l->hexagonal) {
        i += 0.5 * (double)((l->at[1] + l->at[2]) & 1);
        j += (double)(l->at[2] & 1) / 3.0;
    }
    return vec3(l->first.x + i * l->pitch.x, l->first.y + j * l->pitch.y, l->first.z + k * l->pitch.z);
}

// The next place inside the region, x fastest and z slowest; false when there is none.
static bool lattice_next(lattice *l, scr_vec3 *position)
{
    if (l->count[0] == 0 || l->count[1] == 0) return false;
    while (l->at[2] < l->count[2] && l->looked_at < SITE_BUDGET) {
        *position = lattice_site(l);
        l->looked_at += 1.0;
        if (++l->at[0] == l->count[0]) {
            l->at[0] = 0;
            if (++l->at[1] == l->count[1]) {
                l->at[1] = 0;
                ++l->at[2];
            }
        }
        if (region_contains(l->region, *position, l->margin)) return true;
    }
    return false;
}

int64_t packing_count(const packing *p, int64_t limit)
{
    if (p->region->kind == REGION_GROUND) return drape_count(p, limit);
    lattice l = lattice_of(p);
    double sites = (double)l.count[0] * (double)l.count[1] * (double)l.count[2];
    if (limit == 0 && sites > SITE_BUDGET) return PACKING_TOO_LARGE;
    int64_t count = 0;
    scr_vec3 position;
    while ((limit == 0 || count < limit) && lattice_next(&l, &position)) ++count;
    return l.looked_at < SITE_BUDGET ? count : PACKING_TOO_LARGE;
}

scr_vec3 jittered(const packing *p, scr_vec3 position, double radius, double pitch, int64_t index)
{
    double u[4], free_length = p->jitter * fmax(0.0, 0.5 * pitch - radius);
    uint64_t stream = (p->stream << STREAM_BITS) + JITTER_STREAM;
    scr_uniform2(p->seed, stream, 2 * (uint64_t)index, u);
    scr_uniform2(p->seed, stream, 2 * (uint64_t)index + 1, u + 2);
    scr_vec3 move = vec3_scale(free_length, vec3(2.0 * u[0] - 1.0, 2.0 * u[1] - 1.0, 2.0 * u[2] - 1.0));
    for (int halving = 0; halving < JITTER_HALVINGS; ++halving) {
        scr_vec3 moved = vec3_add(position, move);
        if (region_contains(p->region, moved, radius)) return moved;
        move = vec3_scale(0.5, move);
    }
    return position;
}

void packing_fill(const packing *p, int64_t count, scr_vec3 *position, double *radius)
{
    if (p->region->kind == REGION_GROUND) {
        drape_fill(p, count, position, radius);
        return;
    }
    lattice l = lattice_of(p);
    for (int64_t i = 0; i < count && lattice_next(&l, &position[i]); ++i) {
        radius[i] = size_draw(p->size, p->seed, p->stream, (uint64_t)i);
        if (p->pattern == FILL_JITTERED) position[i] = jittered(p, position[i], p->reach * radius[i], l.pitch.x, i);
    }
}
