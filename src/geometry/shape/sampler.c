// SPDX-License-Identifier: BSD-3-Clause
// Samplers.
//
// Confined normal radii are drawn by rejection. Where [min, max] holds the mean and is wide, normal numbers are drawn
// until one falls inside; otherwise uniform ones in [min, max], each kept with the probability
//   exp((b^2 - z^2) / 2),   z = (x - mean) / deviation,  b the z of [min, max] nearest to 0.
// Each is kept often just where the other would be kept rarely. A lognormal radius is exp of a normal number with
//   s^2 = log(1 + (deviation / mean)^2),  m = log(mean) - s^2 / 2.
//
// Between two sieves, of radii a < b, the mass that passes is a straight line over log r, as on the paper that grading
// curves are drawn on. The mass p between them is then spread as p dr / (r log(b/a)), the number as that over r^3:
//   number = p (a^-3 - b^-3) / (3 log(b/a)),   r = (a^-3 - u (a^-3 - b^-3))^(-1/3) for a uniform u,
// and the mean of r^3 by number is p / number.
//
// Patterns have the pitch d = spacing * largest diameter. The hexagonal one is close packed: rows of pitch d, rows
// d sqrt(3)/2 apart, layers d sqrt(2/3) apart, every other row moved by d/2 and every other layer by d sqrt(3)/6 so
// that each grain rests in the hollow of three; at spacing 1 it fills pi / sqrt(18) = 0.74 of a large region. A grain
// that is no sphere is given the room of the ball around it, so that it may have any rotation.
//
// A uniform rotation is a uniform point of the unit sphere in four dimensions (K. Shoemake, 1992):
//   (sqrt(1 - u) sin a, sqrt(1 - u) cos a, sqrt(u) sin b, sqrt(u) cos b),   u in [0, 1), a and b in [0, 2 pi).
#include "geometry/shape/sampler.h"

#include <assert.h>

#include "core/maths/quat.h"
#include "core/maths/rng.h"
#include "core/maths/trig.h"

enum {
    STREAM_BITS = 16,         // a caller's stream is 2^STREAM_BITS of the generator's
    TRY_MAX = 1 << 12,        // more than enough: where the mean lies within the bounds, a third of the draws is kept
    JITTER_STREAM = 1 << 15,  // beyond those of the tries
    JITTER_HALVINGS = 10,
};
static const double WIDE_RANGE = 3.0;      // deviations
static const double FIT_TOLERANCE = 1e-9;  // of a pitch: a region made to measure holds what it was measured for
static const double SITE_BUDGET = 1e9;     // places of a pattern that are looked at before giving up

// A normal number confined to [low, high], itself in units of the deviation from the mean.
static double confined_normal(double low, double high, uint64_t seed, uint64_t stream, uint64_t index)
{
    double nearest = low > 0.0 ? low : high < 0.0 ? high : 0.0, z = nearest;
    bool wide = nearest == 0.0 && high - low > WIDE_RANGE;
    for (uint64_t try = 0; try < TRY_MAX; ++try) {
        if (wide) {
            z = scr_normal(seed, stream + try, index);
            if (z >= low && z <= high) return z;
        } else {
            double u[2];
            scr_uniform2(seed, stream + try, index, u);
            z = low + u[0] * (high - low);
            if (u[1] < scr_exp(0.5 * (nearest * nearest - z * z))) return z;
        }
    }
    return nearest;
}

static double draw_normal(const size_distribution *size, uint64_t seed, uint64_t stream, uint64_t index)
{
    if (!(size->deviation > 0.0)) return size->mean;
    double low = (size->min - size->mean) / size->deviation, high = (size->max - size->mean) / size->deviation;
    return size->mean + size->deviation * confined_normal(low, high, seed, stream, index);
}

static double draw_lognormal(const size_distribution *size, uint64_t seed, uint64_t stream, uint64_t index)
{
    if (!(size->deviation > 0.0)) return size->mean;
    double relative = size->deviation / size->mean, variance = scr_log(1.0 + relative * relative);
    double mean = scr_log(size->mean) - 0.5 * variance, deviation = sqrt(variance);
    double low = (scr_log(size->min) - mean) / deviation, high = (scr_log(size->max) - mean) / deviation;
    return scr_exp(mean + deviation * confined_normal(low, high, seed, stream, index));
}

// The class that a uniform number u of [0, 1) falls into, when each takes its share of that range.
static int class_at(const double *share, int count, double u)
{
    double total = 0.0;
    for (int c = 0; c < count; ++c) total += share[c];
    double left = u * total;
    int chosen = 0;
    for (int c = 0; c < count; ++c) {
        if (!(share[c] > 0.0)) continue;
        chosen = c;
        left -= share[c];
        if (left < 0.0) break;
    }
    return chosen;
}

int class_draw(const double *share, int count, uint64_t seed, uint64_t stream, uint64_t index)
{
    assert(stream < STREAM_LIMIT);
    return class_at(share, count, scr_uniform(seed, stream << STREAM_BITS, index));
}

static double inverse_cube(double x) { return 1.0 / (x * x * x); }

// The share of the number of grains over the share p of the mass of those between two sieves, 1/m^3.
static double number_over_mass(double a, double b)
{
    return (inverse_cube(a) - inverse_cube(b)) / (3.0 * scr_log(b / a));
}

void size_from_sieves(size_distribution *size, int class_count, double *radius, double *passing)
{
    *size = (size_distribution){SIZE_SIEVE, .class_count = class_count, .radius = radius, .share = passing};
    for (int c = 0; c < class_count; ++c) {
        double mass = passing[c + 1] - passing[c];
        passing[c] = mass * number_over_mass(radius[c], radius[c + 1]);
        if (!(mass > 0.0)) continue;
        if (size->min == 0.0) size->min = radius[c];
        size->max = radius[c + 1];
    }
}

static double draw_sieved(const size_distribution *size, uint64_t seed, uint64_t stream, uint64_t index)
{
    double u[2];
    scr_uniform2(seed, stream, index, u);
    int c = class_at(size->share, size->class_count, u[0]);
    double a = inverse_cube(size->radius[c]), b = inverse_cube(size->radius[c + 1]);
    return 1.0 / scr_cbrt(a - u[1] * (a - b));
}

double size_draw(const size_distribution *size, uint64_t seed, uint64_t stream, uint64_t index)
{
    assert(stream < STREAM_LIMIT);
    stream <<= STREAM_BITS;
    double radius = size->max;
    switch (size->kind) {
    case SIZE_CONSTANT: break;
    case SIZE_UNIFORM: radius = size->min + scr_uniform(seed, stream, index) * (size->max - size->min); break;
    case SIZE_NORMAL: radius = draw_normal(size, seed, stream, index); break;
    case SIZE_LOGNORMAL: radius = draw_lognormal(size, seed, stream, index); break;
    case SIZE_SIEVE: radius = draw_sieved(size, seed, stream, index); break;
    case SIZE_TABLE: return size->radius[class_at(size->share, size->class_count, scr_uniform(seed, stream, index))];
    }
    return fmin(fmax(radius, size->min), size->max);  // rounding may have carried it over the edge
}

double size_largest(const size_distribution *size)
{
    if (size->kind != SIZE_TABLE) return size->max;
    double largest = 0.0;
    for (int c = 0; c < size->class_count; ++c) {
        if (size->share[c] > 0.0) largest = fmax(largest, size->radius[c]);
    }
    return largest;
}

// Of the radii of a class.
static double class_cube(const size_distribution *size, int c)
{
    const double *r = size->radius + c;
    return size->kind == SIZE_SIEVE ? 1.0 / number_over_mass(r[0], r[1]) : r[0] * r[0] * r[0];
}

double size_mean_cube(const size_distribution *size)
{
    double low = size->min, high = size->max, mean = size->mean, variance = size->deviation * size->deviation;
    switch (size->kind) {
    case SIZE_CONSTANT: return low * low * low;
    case SIZE_UNIFORM: return 0.25 * (low + high) * (low * low + high * high);
    case SIZE_NORMAL: return mean * mean * mean + 3.0 * mean * variance;
    case SIZE_LOGNORMAL: return pow(mean * (1.0 + variance / (mean * mean)), 3.0);
    case SIZE_TABLE:
    case SIZE_SIEVE: break;
    }
    double sum = 0.0, shares = 0.0;
    for (int c = 0; c < size->class_count; ++c) {
        sum += size->share[c] * class_cube(size, c);
        shares += size->share[c];
    }
    return shares > 0.0 ? sum / shares : 0.0;
}

scr_quat rotation_draw(uint64_t seed, uint64_t stream, uint64_t index)
{
    static const double two_pi = 6.28318530717958647692;
    double u[4], sine[2], cosine[2];
    assert(stream < STREAM_LIMIT);
    scr_uniform2(seed, stream << STREAM_BITS, 2 * index, u);
    scr_uniform2(seed, stream << STREAM_BITS, 2 * index + 1, u + 2);
    for (int k = 0; k < 2; ++k) scr_sincos(two_pi * u[1 + k], &sine[k], &cosine[k]);
    double near = sqrt(1.0 - u[0]), far = sqrt(u[0]);
    return quat_unit((scr_quat){near * sine[0], near * cosine[0], far * sine[1], far * cosine[1]});
}

// The places of a pattern in the bounds of a region, and how far a walk over them has come.
typedef struct lattice {
    const region *region;
    double margin;          // m; of a place from the region's boundary
    scr_vec3 first, pitch;  // m
    bool hexagonal;
    int64_t count[3], at[3];
    double looked_at;
} lattice;

// Places low + radius + k pitch that leave room for a radius at the other end: their number and, with what room is left
// shared between both ends, the first. Every other row moved by `shift` is to fit as well, if there is room for it.
static int64_t sites_along(double low, double high, double radius, double pitch, double shift, double *first)
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
    lattice l = lattice_of(p);
    double sites = (double)l.count[0] * (double)l.count[1] * (double)l.count[2];
    if (limit == 0 && sites > SITE_BUDGET) return PACKING_TOO_LARGE;
    int64_t count = 0;
    scr_vec3 position;
    while ((limit == 0 || count < limit) && lattice_next(&l, &position)) ++count;
    return l.looked_at < SITE_BUDGET ? count : PACKING_TOO_LARGE;
}

// Each grain stays in the cube of one pitch around its place, so it meets no other; and in the region, towards whose
// boundary it is moved less.
static scr_vec3 jittered(const packing *p, scr_vec3 position, double radius, double pitch, int64_t index)
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
    lattice l = lattice_of(p);
    for (int64_t i = 0; i < count && lattice_next(&l, &position[i]); ++i) {
        radius[i] = size_draw(p->size, p->seed, p->stream, (uint64_t)i);
        if (p->pattern == FILL_JITTERED) position[i] = jittered(p, position[i], p->reach * radius[i], l.pitch.x, i);
    }
}
