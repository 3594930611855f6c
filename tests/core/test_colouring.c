// SPDX-License-Identifier: BSD-3-Clause
// Colouring against a search that looks at all pairs before.
#include "core/arrays/colouring.h"

#include <string.h>

#include "check.h"
#include "core/base/memory.h"
#include "core/maths/rng.h"

enum { MAX_PAIRS = 3000, MAX_BODIES = 1000 };

static bool share_a_body(body_pair p, body_pair q)
{
    return (p.a != NO_BODY && (p.a == q.a || p.a == q.b)) || (p.b != NO_BODY && (p.b == q.a || p.b == q.b));
}

// The lowest colour that no earlier pair with a common body has.
static int lowest_free(const body_pair *pair, const uint8_t *colour, int64_t i)
{
    bool taken[COLOUR_COUNT + 1] = {false};
    for (int64_t j = 0; j < i; ++j) {
        if (share_a_body(pair[i], pair[j])) taken[colour[j]] = true;
    }
    int c = 0;
    while (c < COLOUR_COUNT && taken[c]) ++c;
    return c;
}

static void check_colours(const body_pair *pair, int64_t n, int body_count)
{
    static uint64_t taken[MAX_BODIES];
    static uint8_t colour[MAX_PAIRS];
    int64_t start[COLOUR_COUNT + 2], count[COLOUR_COUNT + 1] = {0};
    memset(taken, 0, (size_t)body_count * sizeof *taken);
    scr_colour(pair, n, taken, colour, start);
    for (int64_t i = 0; i < n; ++i) {
        assert_int_equal(colour[i], lowest_free(pair, colour, i));
        ++count[colour[i]];
    }
    assert_int_equal(start[0], 0);
    for (int c = 0; c <= COLOUR_COUNT; ++c) assert_int_equal(start[c + 1] - start[c], count[c]);
    assert_int_equal(start[COLOUR_COUNT + 1], n);
}

static body_pair random_pair(int64_t i, int body_count)
{
    double u[2];
    scr_uniform2(4, (uint64_t)body_count, (uint64_t)i, u);
    body_pair p = {(int32_t)(u[0] * body_count), (int32_t)(u[1] * body_count)};
    if (p.a == p.b) p.b = NO_BODY;
    return p;
}

static void colour_is_the_lowest_free_at_both_bodies(void **state)
{
    (void)state;
    static body_pair pair[MAX_PAIRS];
    const int body_counts[] = {2, 10, 40, 300, MAX_BODIES};  // few bodies: many pairs a body, up to overflow
    for (size_t k = 0; k < sizeof body_counts / sizeof *body_counts; ++k) {
        for (int64_t i = 0; i < MAX_PAIRS; ++i) pair[i] = random_pair(i, body_counts[k]);
        check_colours(pair, MAX_PAIRS, body_counts[k]);
    }
}

static void no_pairs_give_empty_colours(void **state)
{
    (void)state;
    check_colours(NULL, 0, 0);
}

// The solver never writes a wall, so any number of bodies may touch it in one colour.
static void a_wall_is_never_taken(void **state)
{
    (void)state;
    static body_pair pair[MAX_BODIES];
    uint64_t taken[MAX_BODIES] = {0};
    uint8_t colour[MAX_BODIES];
    int64_t start[COLOUR_COUNT + 2];
    for (int32_t i = 0; i < MAX_BODIES; ++i) pair[i] = i % 2 ? (body_pair){NO_BODY, i} : (body_pair){i, NO_BODY};
    scr_colour(pair, MAX_BODIES, taken, colour, start);
    assert_int_equal(start[1], MAX_BODIES);
    const body_pair walls[2] = {{NO_BODY, NO_BODY}, {NO_BODY, NO_BODY}};
    scr_colour(walls, 2, taken, colour, start);
    assert_int_equal(start[1], 2);
}

static void the_65th_pair_of_a_body_overflows(void **state)
{
    (void)state;
    enum { HUB = 0, PAIRS = 70 };
    body_pair pair[PAIRS];
    uint64_t taken[PAIRS + 1] = {0};
    uint8_t colour[PAIRS];
    int64_t start[COLOUR_COUNT + 2];
    for (int32_t i = 0; i < PAIRS; ++i) pair[i] = (body_pair){HUB, i + 1};
    scr_colour(pair, PAIRS, taken, colour, start);
    for (int i = 0; i < PAIRS; ++i) assert_int_equal(colour[i], i < COLOUR_COUNT ? i : COLOUR_OVERFLOW);
    assert_int_equal(start[COLOUR_COUNT], COLOUR_COUNT);
    assert_int_equal(start[COLOUR_COUNT + 1], PAIRS);
    for (int i = COLOUR_COUNT; i < PAIRS; ++i) assert_true(taken[i + 1] == 0);  // an overflow takes nothing
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colour_is_the_lowest_free_at_both_bodies),
        cmocka_unit_test(no_pairs_give_empty_colours),
        cmocka_unit_test(a_wall_is_never_taken),
        cmocka_unit_test(the_65th_pair_of_a_body_overflows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
