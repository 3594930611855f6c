// SPDX-License-Identifier: BSD-3-Clause
// What sweeps learn from their rate, on errors of which a plain sweep takes known parts.
#include "check.h"

#include <math.h>

#include "dynamics/cone/solve/sweep_rate.h"

enum { ERRORS = 3, SWEEPS = 100 };

// Accelerated sweeps with a constant momentum over errors that know nothing of each other.
typedef struct model {
    double taken[ERRORS];  // of each error, by a plain sweep
    double now[ERRORS], old[ERRORS];
} model;

static double sweep(model *m, double beta)
{
    double change = 0.0;
    for (int k = 0; k < ERRORS; ++k) {
        double y = m->now[k] + beta * (m->now[k] - m->old[k]), z = (1.0 - m->taken[k]) * y;
        m->old[k] = m->now[k];
        m->now[k] = z;
        change += (z - y) * (z - y);
    }
    return change;
}

// As they are after some sweeps: of the fast ones little is left.
static model model_of(double slowest) { return (model){{slowest, 0.1, 0.5}, {1.0, 0.02, 0.004}, {1.0, 0.02, 0.004}}; }

static double best_momentum(double taken) { return (1.0 - sqrt(taken)) / (1.0 + sqrt(taken)); }

// With a constant momentum: what was learned before the first restart.
static sweep_rate learn(double slowest, double beta, bool *rises)
{
    model m = model_of(slowest);
    sweep_rate r = {0};
    *rises = false;
    for (int k = 0; k < SWEEPS && r.momentum == 0.0 && !*rises; ++k)
        *rises = sweep_rate_watch(&r, beta, sweep(&m, beta)) == RATE_RISES;
    return r;
}

static void too_little_momentum_is_told_from_the_rate(void **state)
{
    (void)state;
    const double slowest[] = {3e-3, 1e-3, 3e-4};
    for (int k = 0; k < 3; ++k) {
        bool rises;
        double best = best_momentum(slowest[k]), learned = learn(slowest[k], 0.85, &rises).momentum;
        print_message("a sweep takes %g: best %.4f, learned %.4f\n", slowest[k], best, learned);
        assert_false(rises);
        assert_within(learned, best, 0.1 * (1.0 - best));
    }
}

// An error that swings falls with the root of the momentum, whatever it is: nothing follows from that.
static void what_swings_teaches_nothing(void **state)
{
    (void)state;
    const double slowest[] = {3e-2, 1e-2};
    for (int k = 0; k < 2; ++k) {
        bool rises;
        assert_true(best_momentum(slowest[k]) < 0.95);
        sweep_rate r = learn(slowest[k], 0.95, &rises);
        assert_true(r.momentum == 0.0 || rises);
    }
}

static void sweeps_that_change_no_less_are_told_of(void **state)
{
    (void)state;
    sweep_rate r = {0};
    bool rises = false;
    for (int k = 0; k < SWEEPS && !rises; ++k) rises = sweep_rate_watch(&r, 0.9, 1.0 + 0.01 * k) == RATE_RISES;
    assert_true(rises);
}

// And of sweeps with other momenta in between.
static void nothing_is_learned_from_few_sweeps(void **state)
{
    (void)state;
    model m = model_of(1e-3);
    sweep_rate r = {0};
    for (int k = 0; k < SWEEPS; ++k) {
        sweep_rate_watch(&r, 0.85, sweep(&m, 0.85));
        if (k % 10 == 9) sweep_rate_leave(&r);
    }
    assert_true(r.momentum == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_little_momentum_is_told_from_the_rate),
        cmocka_unit_test(what_swings_teaches_nothing),
        cmocka_unit_test(sweeps_that_change_no_less_are_told_of),
        cmocka_unit_test(nothing_is_learned_from_few_sweeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
