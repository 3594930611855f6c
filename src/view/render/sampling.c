// SPDX-License-Identifier: BSD-3-Clause
// Scrambled Sobol points and the directions made of them.
#include "view/render/sampling.h"

static uint32_t reversed(uint32_t x)
{
    x = __builtin_bswap32(x);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    return ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
}

// Owen's nested scrambling: a digit may be flipped depending on the digits above it. Of a number written backwards, a
// bit may change by what lies below it, which is how carries run in sums and products, so a few of those do it.
static uint32_t scrambled_backwards(uint32_t x, uint32_t seed)
{
    x ^= x * 0x6c1d9a3eu;
    x += seed;
    x *= (seed >> 16) | 1u;
    x ^= x * 0x35e81b74u;
    x ^= x * 0x1f43c6d2u;
    return x;
}

static uint32_t mixed(uint32_t x)
{
    x = (x ^ (x >> 15)) * 0x9e3779b1u;
    x = (x ^ (x >> 13)) * 0x85ebca6bu;
    return x ^ (x >> 16);
}

// Second dimension of Sobol's sequence, backwards. Its matrix is Pascal's triangle modulo 2, whose entry (j, k) is odd
// when the binary digits of j are among those of k: a product of five sparse factors, one for each binary digit of an
// index.
static uint32_t pascal(uint32_t x)
{
    x ^= (x >> 1) & 0x55555555u;
    x ^= (x >> 2) & 0x33333333u;
    x ^= (x >> 4) & 0x0f0f0f0fu;
    x ^= (x >> 8) & 0x00ff00ffu;
    return x ^ ((x >> 16) & 0x0000ffffu);
}

static uint32_t spread_bits(uint32_t x)  // bit i to bit 2 i
{
    x = (x | (x << 8)) & 0x00ff00ffu;
    x = (x | (x << 4)) & 0x0f0f0f0fu;
    x = (x | (x << 2)) & 0x33333333u;
    return (x | (x << 1)) & 0x55555555u;
}

uint32_t sample_index(int x, int y, int sample, int samples_a_pixel)
{
    uint32_t morton = spread_bits((uint32_t)x) | (spread_bits((uint32_t)y) << 1);
    return morton * (uint32_t)samples_a_pixel + (uint32_t)sample;
}

square_point sample_square(uint32_t index, sample_purpose purpose)
{
    // A different order for each purpose, or their points would go in step. The first dimension of Sobol's sequence,
    // backwards, is the index itself.
    uint32_t seed = mixed((uint32_t)purpose + 1u), i = reversed(scrambled_backwards(reversed(index), seed));
    uint32_t u = reversed(scrambled_backwards(i, mixed(seed + 1u)));
    uint32_t v = reversed(scrambled_backwards(pascal(i), mixed(seed + 2u)));
    return (square_point){(float)(u >> 8) * 0x1p-24f, (float)(v >> 8) * 0x1p-24f};
}

// Two unit vectors that complete n to a right-handed frame.
static void complete_frame(vec3f n, vec3f *s, vec3f *t)
{
    vec3f other = fabsf(n[0]) < 0.6f ? vec3f_of(1.0f, 0.0f, 0.0f) : vec3f_of(0.0f, 1.0f, 0.0f);
    *s = vec3f_unit(vec3f_cross(other, n));
    *t = vec3f_cross(n, *s);
}

static vec3f about(vec3f axis, float cosine, float share)
{
    vec3f s, t;
    complete_frame(axis, &s, &t);
    float sine = sqrtf(greater(1.0f - cosine * cosine, 0.0f)), angle = 6.2831853f * share;
    return sine * cosf(angle) * s + sine * sinf(angle) * t + cosine * axis;
}

vec3f sample_hemisphere(vec3f n, square_point p) { return about(n, sqrtf(1.0f - p.u), p.v); }

vec3f sample_cone(vec3f axis, float cosine, square_point p) { return about(axis, 1.0f - p.u * (1.0f - cosine), p.v); }
