// SPDX-License-Identifier: BSD-3-Clause
// Philox 4x32-10: ten rounds of two 32 x 32 -> 64 bit products, each round with a new key.
//
//   (L, R)(L', R') -> hi(M1 L') ^ R ^ k0, lo(M1 L'), hi(M0 L) ^ R' ^ k1, lo(M0 L),   k += W
//
// A draw's counter is (index, stream), its key the seed: 2^64 draws of 2^64 streams for 2^64 seeds.
#include "core/maths/rng.h"

#include <math.h>

#include "core/maths/trig.h"

enum { ROUNDS = 10 };
static const uint32_t MULTIPLIER_0 = 0xD2511F53u, MULTIPLIER_1 = 0xCD9E8D57u;
static const uint32_t WEYL_0 = 0x9E3779B9u, WEYL_1 = 0xBB67AE85u;  // golden ratio, sqrt(3) - 1
static const double TWO_PI = 0x1.921fb54442d18p2;

scr_random4 scr_philox(const uint32_t counter[4], const uint32_t key[2])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
    for (int round = 0; round < ROUNDS; ++round) {
        uint64_t product_0 = (uint64_t)MULTIPLIER_0 * c0, product_1 = (uint64_t)MULTIPLIER_1 * c2;
        c0 = (uint32_t)(product_1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)product_1;
        c2 = (uint32_t)(product_0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)product_0;
        k0 += WEYL_0;
        k1 += WEYL_1;
    }
    return (scr_random4){{c0, c1, c2, c3}};
}

// The 53 highest of 64 bits, as a multiple of 2^-53 in [0, 1).
static double unit_interval(uint32_t low, uint32_t high)
{
    uint64_t bits = ((uint64_t)high << 32 | low) >> 11;
    return (double)bits * 0x1p-53;
}

void scr_uniform2(uint64_t seed, uint64_t stream, uint64_t index, double u[2])
{
    const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    scr_random4 random = scr_philox(counter, key);
    u[0] = unit_interval(random.v[0], random.v[1]);
    u[1] = unit_interval(random.v[2], random.v[3]);
}

double scr_uniform(uint64_t seed, uint64_t stream, uint64_t index)
{
    double u[2];
    scr_uniform2(seed, stream, index, u);
    return u[0];
}

// Box and Muller: the radius of a normal pair is sqrt(-2 log(u)), its angle uniform. 1 - u is in (0, 1]: the
// logarithm is finite.
double scr_normal(uint64_t seed, uint64_t stream, uint64_t index)
{
    double u[2], sine, cosine;
    scr_uniform2(seed, stream, index, u);
    scr_sincos(TWO_PI * u[1], &sine, &cosine);
    return sqrt(-2.0 * scr_log(1.0 - u[0])) * cosine;
}
