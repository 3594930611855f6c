// SPDX-License-Identifier: BSD-3-Clause
// Pairs of grains by the kernels: the law of sphere_pairs.h, and the same bits from every instruction set.
#include "check.h"

#include <string.h>

#include "collision/contacts/contacts.h"
#include "collision/contacts/sphere_pairs.h"
#include "core/maths/rng.h"

enum { BALLS = 64 };

static ball balls[BALLS];
static float closing[BALLS];

static double draw(uint64_t k, double low, double high) { return low + (high - low) * scr_uniform(11, 1, k); }

// Some that touch, some apart, some with one centre; far from the origin, where digits are few.
static grain_pairs some_pairs(uint64_t round, int count)
{
    double far = round % 3 == 0 ? 1e6 : 0.0;
    for (uint64_t i = 0; i < BALLS; ++i) {
        uint64_t k = 1000 * round + 8 * i;
        balls[i] = (ball){far + draw(k, 0, 4), draw(k + 1, 0, 4), draw(k + 2, 0, 4), draw(k + 3, 0.2, 1.0)};
        closing[i] = i % 5 == 0 ? INFINITY : (float)draw(k + 4, 0.0, 0.3);
    }
    balls[7] = balls[9];
    grain_pairs p = {.ball = balls, .closing = closing, .envelope = 0.02, .count = count};
    for (int k = 0; k < count; ++k) {
        p.a[k] = k % 11 == 0 ? 7 : (int32_t)draw(90000 + 2 * (uint64_t)k, 0, BALLS);
        p.b[k] = k % 11 == 0 ? 9 : (int32_t)draw(90001 + 2 * (uint64_t)k, 0, BALLS);
    }
    for (int k = count; k % PAIR_LANES != 0; ++k) p.a[k] = p.a[0], p.b[k] = p.b[0];
    return p;
}

static void kernels_follow_the_law(void **state)
{
    (void)state;
    int seen[3] = {0};
    for (uint64_t round = 0; round < 20; ++round) {
        grain_pairs p = some_pairs(round, round % 2 == 0 ? PAIR_BLOCK : 37);
        uint8_t verdict[PAIR_BLOCK];
        double gap[PAIR_BLOCK];
        pair_frames places;
        KERNEL_FOR(true, pair_kernels)->meet(&p, verdict, gap);
        KERNEL_FOR(true, pair_kernels)->place(&p, &places);
        for (int k = 0; k < p.count; ++k) {
            const ball *a = &balls[p.a[k]], *b = &balls[p.b[k]];
            scr_vec3 between = vec3(b->x - a->x, b->y - a->y, b->z - a->z);
            double d = vec3_norm(between), near = a->r + b->r + 0.02 * fmin(a->r, b->r);
            double far = near + (double)closing[p.a[k]] + (double)closing[p.b[k]];
            int expected = d < near ? GRAINS_TOUCH : d < far ? GRAINS_UNDECIDED : GRAINS_APART;
            assert_int_equal(verdict[k], expected);
            ++seen[expected];
            assert_within(places.gap[k], d - a->r - b->r, 1e-15);
            assert_true(gap[k] == places.gap[k]);
            scr_vec3 n = vec3(places.normal[3 * k], places.normal[3 * k + 1], places.normal[3 * k + 2]);
            scr_vec3 exact = d > 0.0 ? vec3_scale(1.0 / d, between) : vec3(0.0, 0.0, 1.0);
            assert_within(vec3_norm(vec3_sub(n, exact)), 0.0, 1e-15);
            contact_geometry single = geometry_between(a, b);
            assert_true(single.gap == gap[k] && single.normal.x == n.x && single.normal.y == n.y);
            assert_true(single.normal.z == n.z);
        }
    }
    assert_true(seen[GRAINS_APART] > 50 && seen[GRAINS_TOUCH] > 50 && seen[GRAINS_UNDECIDED] > 50);
}

static void every_instruction_set_gives_the_same_bits(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 20; ++round) {
        grain_pairs p = some_pairs(round, PAIR_BLOCK);
        uint8_t verdict[2][PAIR_BLOCK];
        double gap[2][PAIR_BLOCK];
        static pair_frames places[2];
        pair_kernels_plain.meet(&p, verdict[0], gap[0]);
        KERNEL_FOR(true, pair_kernels)->meet(&p, verdict[1], gap[1]);
        pair_kernels_plain.place(&p, &places[0]);
        KERNEL_FOR(true, pair_kernels)->place(&p, &places[1]);
        assert_memory_equal(verdict[0], verdict[1], PAIR_BLOCK);
        assert_memory_equal(gap[0], gap[1], sizeof *gap);
        assert_memory_equal(&places[0], &places[1], sizeof *places);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_follow_the_law),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
