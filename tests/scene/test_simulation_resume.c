// SPDX-License-Identifier: BSD-3-Clause
// The same bits for any number of threads, and after going on from a copy of the tables.
#include "make_scene.h"

enum { ROWS = 12, STEPS_PER_ROW = 25, VALUE_MAX = 64 };

// A bit of everything: a bed on a shaking plate, a turning paddle, an emitter, a sink, a domain, a plug that goes.
static void make_everything(test_scene *t)
{
    scene_begin(t);
    t->s.gravity = formulae(t, "sin(20 * t)", "0", "-9.81");
    scene_body *plate =
        add_body(t, "plate", SCR_KINEMATIC, scr_box(vec3(0.1, 0.1, 0.05), (scr_material){1}), vec3(0, 0, 0));
    plate->has_motion = plate->motion.has_position = true;
    plate->motion.position = formulae(t, "0.01 * sin(30 * t)", "0", "-0.05");
    scene_body *paddle =
        add_body(t, "paddle", SCR_KINEMATIC, scr_box(vec3(0.2, 0.02, 0.02), (scr_material){1}), vec3(0, 0, 0.3));
    paddle->has_motion = paddle->motion.has_spin = paddle->motion.has_velocity = true;
    paddle->motion.axis = vec3(0, 0, 1);
    paddle->motion.spin = formula(t, "10");
    paddle->motion.velocity = formulae(t, "0", "0", "-0.1");
    add_body(t, "plug", SCR_FIXED, scr_box(vec3(0.1, 0.1, 0.02), (scr_material){1}), vec3(0, 0, 0.02))->remove_at =
        0.12;
    add_ball(t, "ball", 0.03, vec3(0, 0, 0.45));
    scene_fill *fill = add_fill(t, "bed", FILL_JITTERED, box_region(vec3(-0.2, -0.2, 0.05), vec3(0.2, 0.2, 0.25)),
                                uniform_size(0.01, 0.02));
    fill->count = 300;
    fill->velocity = vec3(0, 0, -0.5);
    scene_emitter *e =
        add_emitter(t, box_region(vec3(-0.2, -0.2, 0.5), vec3(0.2, 0.2, 0.6)), uniform_size(0.008, 0.016), 15.0);
    e->velocity = vec3(0, 0, -1);
    add_sink(t, box_region(vec3(-9, -9, -9), vec3(9, 0, -0.15)));
    t->s.domain = (scene_domain){true, {-9, -9, -0.2}, {9, 9, 9}, LEAVE_REMOVE};
    for (int k = PROBE_ENERGY; k <= PROBE_BODY_COUNT; ++k) {
        char name[] = {(char)('a' + k), '\0'};
        scene_probe *probe = add_probe(t, name, (probe_kind)k);
        probe->region = box_region(vec3(-1, -1, 0), vec3(1, 1, 0.2));
        probe->point = vec3(0, 0, 0.4);
        probe->normal = vec3(0, 0, -1);
        probe->body = k == PROBE_BODY_STATE ? 3 : 0;
    }
}

typedef struct outcome {
    double row[ROWS][VALUE_MAX];
    scr_scene_counts counts;
    uint64_t hash;
} outcome;

static void run_rows(simulation *sim, int first, int last, outcome *o)
{
    for (int r = first; r < last; ++r) {
        advance_steps(sim, STEPS_PER_ROW);
        simulation_probe_row(sim, o->row[r]);
    }
    o->counts = simulation_count(sim);
    o->hash = simulation_hash(sim);
}

static outcome run_unbroken(int threads)
{
    test_scene t;
    make_everything(&t);
    simulation *sim = created(&t.s, threads);
    outcome o = {0};
    run_rows(sim, 0, ROWS, &o);
    assert_true(o.counts.emitted > 50 && o.counts.sunk > 10 &&
                o.counts.left > 10);  // the scene does what it is meant to
    simulation_destroy(sim);
    scene_end(&t);
    return o;
}

static void assert_same_outcome(const outcome *a, const outcome *b)
{
    for (int r = 0; r < ROWS; ++r) assert_memory_equal(a->row[r], b->row[r], sizeof a->row[r]);
    assert_memory_equal(&a->counts, &b->counts, sizeof a->counts);
    assert_true(a->hash == b->hash);
}

static void the_number_of_threads_changes_no_bit(void **state)
{
    (void)state;
    outcome one = run_unbroken(1);
    for (int threads = 2; threads <= 4; ++threads) {
        outcome other = run_unbroken(threads);
        assert_same_outcome(&one, &other);
    }
}

// Broken off after every row in turn, also in the middle of a mean, on another number of threads.
static void a_resumed_run_equals_an_unbroken_one(void **state)
{
    (void)state;
    outcome unbroken = run_unbroken(1);
    for (int broken_at = 0; broken_at < ROWS; broken_at += 3) {
        test_scene t;
        make_everything(&t);
        simulation *first = created(&t.s, 2);
        outcome o = {0};
        run_rows(first, 0, broken_at, &o);
        advance_steps(first, 11);
        simulation *second = resumed(&t.s, first, 1);
        simulation_destroy(first);
        advance_steps(second, STEPS_PER_ROW - 11);
        simulation_probe_row(second, o.row[broken_at]);
        run_rows(second, broken_at + 1, ROWS, &o);
        assert_same_outcome(&unbroken, &o);
        simulation_destroy(second);
        scene_end(&t);
    }
}

static void tables_of_another_scene_are_refused(void **state)
{
    (void)state;
    test_scene t, other;
    make_everything(&t);
    make_everything(&other);
    other.s.probe_count -= 1;
    simulation *first = created(&t.s, 1), *second = NULL;
    scr_error error;
    assert_int_equal(simulation_create(&other.s, false, 1, &second, &error), SCR_OK);
    copy_tables(first, second);
    assert_int_equal(simulation_after_load(second, &error), SCR_BAD_INPUT);
    assert_string_equal(error.message, "the saved state has 7 probes, the scene has 6: they do not belong together");
    simulation_destroy(first);
    simulation_destroy(second);
    scene_end(&t);
    scene_end(&other);
}

// A simulation on which nothing more grows takes no memory in a step.
static void a_steady_step_allocates_nothing(void **state)
{
    (void)state;
    test_scene t;
    make_everything(&t);
    t.emitters[0].stop = 0.05;
    simulation *sim = created(&t.s, 1);
    double values[VALUE_MAX];
    advance_steps(sim, 300);
    simulation_probe_row(sim, values);
    int64_t before = scr_allocation_count();
    advance_steps(sim, 100);
    simulation_probe_row(sim, values);
    assert_int_equal(scr_allocation_count(), before);
    simulation_destroy(sim);
    scene_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_threads_changes_no_bit),
        cmocka_unit_test(a_resumed_run_equals_an_unbroken_one),
        cmocka_unit_test(tables_of_another_scene_are_refused),
        cmocka_unit_test(a_steady_step_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
