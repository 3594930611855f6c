// SPDX-License-Identifier: BSD-3-Clause
// Points of a unit cube.
#include "study/design/unit_points.h"

#include "core/maths/rng.h"

enum { BITS = 32 };

// Streams of random numbers: each axis has its own.
enum { STREAM_SHUFFLE = 0x10000, STREAM_PLACE = 0x20000, STREAM_SHIFT = 0x30000 };

// The slices of an axis in random order (Fisher and Yates), then a place in each.
static void latin_axis(uint64_t seed, int64_t count, int axes, int axis, double *u)
{
    for (int64_t k = 0; k < count; ++k) u[k * axes + axis] = (double)k;
    for (int64_t k = count - 1; k > 0; --k) {
        double r = scr_uniform(seed, (uint64_t)(STREAM_SHUFFLE + axis), (uint64_t)k);
        int64_t other = (int64_t)(r * (double)(k + 1));
        double slice = u[k * axes + axis];
        u[k * axes + axis] = u[other * axes + axis];
        u[other * axes + axis] = slice;
    }
    for (int64_t k = 0; k < count; ++k) {
        double within = scr_uniform(seed, (uint64_t)(STREAM_PLACE + axis), (uint64_t)k);
        u[k * axes + axis] = (u[k * axes + axis] + within) / (double)count;
    }
}

void latin_hypercube(uint64_t seed, int64_t count, int axes, double *u)
{
    for (int axis = 0; axis < axes; ++axis) latin_axis(seed, count, axes, axis, u);
}

// A primitive polynomial x^s + a_1 x^(s-1) + ... + 1 over the numbers 0 and 1, its inner coefficients as the bits of a,
// and the first direction numbers: Joe and Kuo's table new-joe-kuo-6, dimensions 2 to 16. The first axis has none.
typedef struct sobol_axis {
    int s, a, m[6];
} sobol_axis;
static const sobol_axis AXIS[UNIT_AXES_MAX - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
};

// v_k = m_k 2^(BITS - k), and  v_k = a_1 v_(k-1) ^ ... ^ a_(s-1) v_(k-s+1) ^ v_(k-s) ^ (v_(k-s) >> s).
static void direction_numbers(int axis, uint32_t v[BITS])
{
    const sobol_axis *p = axis > 0 ? &AXIS[axis - 1] : &(sobol_axis){0};
    for (int k = 0; k < BITS; ++k) {
        if (axis == 0 || k < p->s) {
            v[k] = (uint32_t)(axis == 0 ? 1 : p->m[k]) << (BITS - 1 - k);
            continue;
        }
        v[k] = v[k - p->s] ^ (v[k - p->s] >> p->s);
        for (int i = 1; i < p->s; ++i) {
            if (p->a >> (p->s - 1 - i) & 1) v[k] ^= v[k - i];
        }
    }
}

static void sobol_one(uint64_t seed, int64_t count, int axes, int axis, double *u)
{
    uint32_t v[BITS], x = 0;
    uint32_t shift = (uint32_t)(scr_uniform(seed, (uint64_t)(STREAM_SHIFT + axis), 0) * 0x1p32);
    direction_numbers(axis, v);
    for (int64_t k = 0; k < count; ++k) {
        u[k * axes + axis] = (double)(x ^ shift) * 0x1p-32;
        x ^= v[__builtin_ctzll(~(uint64_t)k) % BITS];  // the order of Antonov and Saleev: one digit changes at a time
    }
}

void sobol_points(uint64_t seed, int64_t count, int axes, double *u)
{
    for (int axis = 0; axis < axes; ++axis) sobol_one(seed, count, axes, axis, u);
}

void grid_place(int64_t point, const int64_t *value_count, int axes, int64_t *place)
{
    for (int axis = axes - 1; axis >= 0; --axis) {
        place[axis] = point % value_count[axis];
        point /= value_count[axis];
    }
}
