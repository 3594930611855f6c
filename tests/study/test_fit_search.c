// SPDX-License-Identifier: BSD-3-Clause
// The search finds known minima, goes the same way every time, and stops when it is told to.
#include <string.h>

#include "check.h"
#include "study/fit/fit_search.h"

enum { CALLS_MAX = 2000 };

typedef struct valley {
    int n, calls, stop_at;  // stop_at 0: never
    double way[CALLS_MAX];  // the first coordinate of every call
} valley;

// A bent valley with its only minimum, 1, at 0.3, 0.4, 0.5, ...
static scr_status height(void *context, const double *place, double *value, scr_error *error)
{
    valley *v = context;
    v->way[v->calls++] = place[0];
    if (v->calls == v->stop_at) return scr_fail(error, SCR_INTERRUPTED, "enough");
    *value = 1.0;
    for (int k = 0; k < v->n; ++k) {
        double off = place[k] - 0.3 - 0.1 * k, bend = k > 0 ? place[k - 1] - 0.2 - 0.1 * k : 0.0;
        *value += 5.0 * (off + bend * bend) * (off + bend * bend) + bend * bend;
    }
    return SCR_OK;
}

static const double START[AXES_MAX] = {0.9, 0.8, 0.7};

static void both_methods_find_the_minimum(void **state)
{
    (void)state;
    for (int n = 1; n <= 3; ++n) {
        for (int method = 0; method < 2; ++method) {
            valley v = {.n = n};
            fit_minimum best;
            scr_error error;
            fit_search search = {n, (fit_method)method, 0, 500, 1e-5, 1};
            assert_int_equal(fit_search_run(&search, START, height, &v, &best, &error), SCR_OK);
            assert_true(best.is_converged);
            assert_within(best.value, 1.0, 1e-6);
            for (int k = 0; k < n; ++k) assert_within(best.place[k], 0.3 + 0.1 * k, 2e-3);
        }
    }
}

static void it_goes_the_same_way_twice(void **state)
{
    (void)state;
    static valley a, b;
    fit_minimum best;
    fit_search search = {3, FIT_BOBYQA, 2, 60, 1e-4, 9};
    a = b = (valley){.n = 3};
    assert_int_equal(fit_search_run(&search, START, height, &a, &best, NULL), SCR_OK);
    assert_int_equal(fit_search_run(&search, START, height, &b, &best, NULL), SCR_OK);
    assert_int_equal(a.calls, b.calls);
    assert_memory_equal(a.way, b.way, sizeof a.way);
}

// Two basins: the first start leads to the shallow one.
static scr_status basins(void *context, const double *place, double *value, scr_error *error)
{
    (void)context;
    (void)error;
    double deep = place[0] - 0.15, shallow = place[0] - 0.85;
    *value = fmin(20.0 * deep * deep, 0.5 + 20.0 * shallow * shallow);
    return SCR_OK;
}

static void restarts_find_a_better_basin(void **state)
{
    (void)state;
    fit_minimum best;
    fit_search search = {1, FIT_SBPLX, 0, 200, 1e-4, 1};
    assert_int_equal(fit_search_run(&search, START, basins, NULL, &best, NULL), SCR_OK);
    assert_within(best.place[0], 0.85, 1e-3);
    search.restarts = 3;
    assert_int_equal(fit_search_run(&search, START, basins, NULL, &best, NULL), SCR_OK);
    assert_within(best.place[0], 0.15, 1e-3);
}

static void a_failure_stops_it_and_too_few_calls_are_told(void **state)
{
    (void)state;
    valley v = {.n = 2, .stop_at = 7};
    fit_minimum best;
    scr_error error;
    fit_search search = {2, FIT_BOBYQA, 3, 500, 1e-5, 1};
    assert_int_equal(fit_search_run(&search, START, height, &v, &best, &error), SCR_INTERRUPTED);
    assert_int_equal(v.calls, 7);
    assert_string_equal(error.message, "enough");
    v = (valley){.n = 2};
    search = (fit_search){2, FIT_BOBYQA, 0, 8, 1e-5, 1};
    assert_int_equal(fit_search_run(&search, START, height, &v, &best, &error), SCR_OK);
    assert_false(best.is_converged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_methods_find_the_minimum),
        cmocka_unit_test(it_goes_the_same_way_twice),
        cmocka_unit_test(restarts_find_a_better_basin),
        cmocka_unit_test(a_failure_stops_it_and_too_few_calls_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
