// SPDX-License-Identifier: BSD-3-Clause
// Time goes forward and laps add up.
#include "core/base/stopwatch.h"

#include <time.h>

#include "check.h"

static const double ROUNDING = 1e-6;  // s; the clock may be years past its start

static double seconds_between(struct timespec a, struct timespec b)
{
    return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}

static void time_never_goes_back(void **state)
{
    (void)state;
    double last = scr_now();
    for (int i = 0; i < 100000; ++i) {
        double now = scr_now();
        assert_true(now >= last);
        last = now;
    }
}

static void a_second_is_a_second(void **state)
{
    (void)state;
    const struct timespec nap = {0, 20000000};
    struct timespec clock[4];
    clock_gettime(CLOCK_MONOTONIC, &clock[0]);
    double start = scr_now();
    clock_gettime(CLOCK_MONOTONIC, &clock[1]);
    nanosleep(&nap, NULL);
    clock_gettime(CLOCK_MONOTONIC, &clock[2]);
    double slept = scr_now() - start;
    clock_gettime(CLOCK_MONOTONIC, &clock[3]);
    // However busy the machine is, the time lies between those measured just inside and just outside.
    assert_true(slept >= seconds_between(clock[1], clock[2]) - ROUNDING);
    assert_true(slept <= seconds_between(clock[0], clock[3]) + ROUNDING);
}

static void laps_laid_end_to_end_make_the_whole(void **state)
{
    (void)state;
    double start = scr_now(), mark = start, a = 0.0, b = 0.0;
    for (int i = 0; i < 1000; ++i) {
        scr_lap(&mark, &a);
        scr_lap(&mark, &b);
    }
    assert_true(a > 0.0 && b > 0.0);
    assert_within(a + b, mark - start, ROUNDING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_never_goes_back),
        cmocka_unit_test(a_second_is_a_second),
        cmocka_unit_test(laps_laid_end_to_end_make_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
