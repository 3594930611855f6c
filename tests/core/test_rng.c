// SPDX-License-Identifier: BSD-3-Clause
// Random numbers: the published vectors, and the statistics users rely on.
#include "core/maths/rng.h"

#include "check.h"

enum { DRAWS = 200000 };

// From the known-answer file of Random123, the reference implementation.
static void philox_gives_the_published_answers(void **state)
{
    (void)state;
    const struct {
        uint32_t counter[4], key[2], answer[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
        scr_random4 seen = scr_philox(known[k].counter, known[k].key);
        for (int i = 0; i < 4; ++i) assert_int_equal(seen.v[i], known[k].answer[i]);
    }
}

// Seed is the key, stream and index are the counter; 53 bits of each half of the block.
static void uniform_is_made_of_the_block(void **state)
{
    (void)state;
    uint64_t seed = 0x0123456789abcdef, stream = 0xfedcba9876543210, index = 0xdeadbeef01020304;
    const uint32_t counter[4] = {0x01020304, 0xdeadbeef, 0x76543210, 0xfedcba98}, key[2] = {0x89abcdef, 0x01234567};
    scr_random4 block = scr_philox(counter, key);
    double u[2];
    scr_uniform2(seed, stream, index, u);
    for (int i = 0; i < 2; ++i) {
        uint64_t bits = (uint64_t)block.v[2 * i + 1] << 32 | block.v[2 * i];
        assert_true(u[i] == ldexp((double)(bits >> 11), -53));
    }
    assert_true(scr_uniform(seed, stream, index) == u[0]);
}

static void uniform_fills_the_unit_interval_evenly(void **state)
{
    (void)state;
    enum { BINS = 100 };
    int count[2][BINS] = {{0}};
    double sum[2] = {0}, product = 0.0;
    for (uint64_t i = 0; i < DRAWS; ++i) {
        double u[2];
        scr_uniform2(5, 6, i, u);
        for (int k = 0; k < 2; ++k) {
            assert_true(u[k] >= 0.0 && u[k] < 1.0);
            ++count[k][(int)(u[k] * BINS)];
            sum[k] += u[k];
        }
        product += (u[0] - 0.5) * (u[1] - 0.5);
    }
    for (int k = 0; k < 2; ++k) {
        double chi2 = 0.0, expected = (double)DRAWS / BINS;
        for (int b = 0; b < BINS; ++b) chi2 += (count[k][b] - expected) * (count[k][b] - expected) / expected;
        assert_true(chi2 > 50.0 && chi2 < 160.0);  // 99 degrees of freedom: 99 with a deviation of 14
        assert_within(sum[k] / DRAWS, 0.5, 4.0 * sqrt(1.0 / 12.0 / DRAWS));
    }
    assert_within(product / DRAWS, 0.0, 4.0 / 12.0 / sqrt(DRAWS));  // the two of a draw are independent
}

static double correlation(uint64_t seed_a, uint64_t stream_a, uint64_t seed_b, uint64_t stream_b, uint64_t lag)
{
    double sum = 0.0;
    for (uint64_t i = 0; i < DRAWS; ++i)
        sum += (scr_uniform(seed_a, stream_a, i) - 0.5) * (scr_uniform(seed_b, stream_b, i + lag) - 0.5);
    return 12.0 * sum / DRAWS;
}

static void seeds_streams_and_draws_are_unrelated(void **state)
{
    (void)state;
    double limit = 4.0 / sqrt(DRAWS);
    assert_within(correlation(1, 0, 2, 0, 0), 0.0, limit);
    assert_within(correlation(1, 0, 1, 1, 0), 0.0, limit);
    assert_within(correlation(1, 0, 1, 0, 1), 0.0, limit);
    assert_within(correlation(1, 0, 1, (uint64_t)1 << 32, 0), 0.0, limit);
    assert_within(correlation(1, 0, (uint64_t)1 << 32 | 1, 0, 0), 0.0, limit);
    assert_within(correlation(1, 0, 1, 0, (uint64_t)1 << 32), 0.0, limit);
    assert_near(correlation(1, 0, 1, 0, 0), 1.0, 0.02);  // what a copy looks like
}

static void normal_has_the_moments_of_the_bell_curve(void **state)
{
    (void)state;
    double m1 = 0.0, m2 = 0.0, m3 = 0.0, m4 = 0.0;
    for (uint64_t i = 0; i < DRAWS; ++i) {
        double x = scr_normal(7, 8, i);
        m1 += x;
        m2 += x * x;
        m3 += x * x * x;
        m4 += x * x * x * x;
    }
    double root = sqrt(DRAWS);  // deviations of the sample moments are sqrt(1, 2, 15, 96) / root
    assert_within(m1 / DRAWS, 0.0, 4.0 / root);
    assert_within(m2 / DRAWS, 1.0, 4.0 * sqrt(2.0) / root);
    assert_within(m3 / DRAWS, 0.0, 4.0 * sqrt(15.0) / root);
    assert_within(m4 / DRAWS, 3.0, 4.0 * sqrt(96.0) / root);
}

static void normal_has_the_quantiles_of_the_bell_curve(void **state)
{
    (void)state;
    const double at[] = {-2.5, -1.0, -0.3, 0.0, 0.7, 1.5, 3.0};
    for (size_t k = 0; k < sizeof at / sizeof *at; ++k) {
        int below = 0;
        for (uint64_t i = 0; i < DRAWS; ++i) below += scr_normal(9, 10, i) < at[k];
        double p = 0.5 * erfc(-at[k] / sqrt(2.0));
        assert_within((double)below / DRAWS, p, 4.0 * sqrt(p * (1.0 - p) / DRAWS));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_answers),
        cmocka_unit_test(uniform_is_made_of_the_block),
        cmocka_unit_test(uniform_fills_the_unit_interval_evenly),
        cmocka_unit_test(seeds_streams_and_draws_are_unrelated),
        cmocka_unit_test(normal_has_the_moments_of_the_bell_curve),
        cmocka_unit_test(normal_has_the_quantiles_of_the_bell_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
