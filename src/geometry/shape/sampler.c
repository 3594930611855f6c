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
// A uniform rotation is a uniform point of the unit sphere in four dimensions (K. Shoemake, 1992):
//   (sqrt(1 - u) sin a, sqrt(1 - u) cos a, sqrt(u) sin b, sqrt(u) cos b),   u in [0, 1), a and b in [0, 2 pi).
#include "geometry/shape/sampler.h"

#include <assert.h>
#include <math.h>

#include "core/maths/quat.h"
#include "core/maths/rng.h"
#include "core/maths/trig.h"

enum {
    TRY_MAX = 1 << 12,  // more than enough: where the mean lies within the bounds, a third of the draws is kept
};
static const double WIDE_RANGE = 3.0;  // deviations
_Static_assert((int)TRY_MAX <= (int)JITTER_STREAM, "tries draw from streams of their own");

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
