// SPDX-License-Identifier: BSD-3-Clause
// What sleeping changes of the motion, beside the same bed that is always awake.
#include "sleeping_bed.h"

// ---- a slowly growing load ----------------------------------------------------------------------------------------

typedef struct loading {
    double rest, settled;  // m: height of the plate before the load grows and after
    double less;           // m: its height when the load was less than at the end by the share `force`
    int64_t slept;         // steps with all grains asleep while it grows
    int64_t woken_cells;
} loading;

static scr_body_state state_of(simulation *sim, int body)
{
    scr_body_state state;
    assert_int_equal(scr_body_get_state(simulation_world(sim), simulation_body_handle(sim, body), &state, NULL),
                     SCR_OK);
    return state;
}

static const scene_sleeping FINE = {.present = true, .speed = 2e-4, .after = 0.03, .force = 0.1, .cell = 0.04};

// Press a plate on columns of grains, which is elastic, with a force that grows to twice its value (N).
static loading press(bool sleeps, double force)
{
    enum { REST = 800, RAMP = 1500 };
    const double half = 5 * GRAIN, height = 12 * GRAIN;
    test_scene t;
    make_bed(&t, half, half, height);
    t.fills[0].pattern = FILL_GRID;
    t.fills[0].size = constant_size(GRAIN);
    t.fills[0].spacing = 1.0;
    add_body(&t, "plate", SCR_DYNAMIC, scr_box(vec3(0.98 * half, 0.98 * half, 0.005), (scr_material){1}),
             vec3(0, 0, height + 0.005));
    int plate = t.s.body_count - 1;
    if (sleeps) t.s.sleeping = FINE;
    simulation *sim = created(&t.s, 1);
    loading l = {0};
    for (int n = 0; n < REST + RAMP; ++n) {
        if (n == REST) l.rest = state_of(sim, plate).position.z;
        if (n == REST + (int)(RAMP * (1.0 - 2.0 * FINE.force))) l.less = state_of(sim, plate).position.z;
        double share = n < REST ? 1.0 : 1.0 + (double)(n - REST) / RAMP;
        scr_body_apply_force(simulation_world(sim), simulation_body_handle(sim, plate), vec3(0, 0, -share * force),
                             vec3(0, 0, 0), NULL);
        advance_steps(sim, 1);
        l.slept += n >= REST && sleeps && simulation_count(sim).sleep.awake == 0;
    }
    l.settled = state_of(sim, plate).position.z;
    l.woken_cells = simulation_count(sim).sleep.woken_cells;
    simulation_destroy(sim);
    scene_end(&t);
    return l;
}

// It has the settlement of a load that is less by no more than the share `force`, but for what grains moved while they
// fell asleep.
static void a_bed_asleep_settles_under_a_growing_load(void **state)
{
    (void)state;
    loading awake = press(false, 60.0), asleep = press(true, 60.0);
    double still = FINE.speed * FINE.after;
    print_message("%g m at rest, %g m; settles to %g and %g m, under less to %g m; %lld of 1500 steps all asleep\n",
                  awake.rest, asleep.rest, awake.settled, asleep.settled, awake.less, (long long)asleep.slept);
    assert_within(asleep.rest, awake.rest, still);
    assert_true(asleep.settled > awake.settled - still && asleep.settled < awake.less + still);
    assert_true(awake.rest - awake.less > 10.0 * still);  // or it would prove nothing
    assert_true(asleep.slept > 500 && asleep.woken_cells > 0);
}

// ---- a ball -------------------------------------------------------------------------------------------------------

typedef struct impact {
    double height;  // m, of the ball at rest
    double before;  // share of grains that slept before it came
    double least;   // and of those that slept on while it struck
} impact;

// A ball is thrown at a strip of grains at rest, near its end.
static impact strike(bool sleeps, double x)
{
    enum { REST = 2500, STEPS = 3300 };
    const double r = 0.015;
    test_scene t;
    make_bed(&t, 0.4, 0.04, 0.07);
    scene_emitter *from =
        add_emitter(&t, box_region(vec3(x - r, -r, 0.12), vec3(x + r, r, 0.12 + 2 * r)), constant_size(r), 1e3);
    from->velocity = vec3(0, 0, -1);
    from->start = 1e-3 * REST;
    from->limit = 1;
    if (sleeps) let_sleep(&t);
    simulation *sim = created(&t.s, 1);
    impact result = {0.0, 0.0, 1.0};
    double grains = (double)(body_count(sim) - t.s.body_count);
    for (int n = 0; n < STEPS; ++n) {
        advance_steps(sim, 1);
        double share = (double)asleep(sim) / grains;
        if (n == REST - 1) result.before = share;
        if (n >= REST) result.least = fmin(result.least, share);
    }
    int64_t ball_entry = entry_of(sim, (uint64_t)body_count(sim));
    assert_int_equal(simulation_count(sim).emitted, 1);
    result.height = scr_world_bodies(simulation_world(sim)).z[ball_entry];
    simulation_destroy(sim);
    scene_end(&t);
    return result;
}

// It comes to rest in another place by less than the radius of a grain, and as deep in the mean. Awake, it already
// matters this much whether it is thrown a few grains further.
static void a_ball_comes_to_rest_as_deep_in_a_bed_asleep(void **state)
{
    (void)state;
    enum { PLACES = 3 };
    double mean = 0.0;
    for (int k = 0; k < PLACES; ++k) {
        double x = -0.35 + 0.02 * k;
        impact awake = strike(false, x), asleep = strike(true, x);
        print_message("at %g m: rests at %g m awake, %g m asleep; %g slept before, %g slept on\n", x, awake.height,
                      asleep.height, asleep.before, asleep.least);
        assert_true(asleep.before == 1.0);
        assert_true(asleep.least > 0.3);
        assert_within(asleep.height, awake.height, GRAIN);
        mean += (asleep.height - awake.height) / PLACES;
    }
    assert_within(mean, 0.0, 0.25 * GRAIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bed_asleep_settles_under_a_growing_load),
        cmocka_unit_test(a_ball_comes_to_rest_as_deep_in_a_bed_asleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
