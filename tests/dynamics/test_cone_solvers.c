// SPDX-License-Identifier: BSD-3-Clause
// Solvers of the contact problem without a world: closed forms, one answer from all of them, both laws of friction, and
// problems that no scene should make.
#include "small_system.h"

static const solver_way WAYS[] = {
    {"ags", SCR_SOLVER_AGS, SCR_PRECISION_USUAL, 0.0, 3000, SCR_BEST},
    {"gs", SCR_SOLVER_GS, SCR_PRECISION_USUAL, 0.0, 3000, SCR_BEST},
    {"fine ags", SCR_SOLVER_AGS, SCR_PRECISION_DOUBLE, 1e-12, 20000, SCR_BEST},
    {"fine gs", SCR_SOLVER_GS, SCR_PRECISION_DOUBLE, 1e-12, 50000, SCR_BEST},
    {"apgd", SCR_SOLVER_APGD, SCR_PRECISION_USUAL, 3e-8, 60000, SCR_BEST},
    {"jacobi", SCR_SOLVER_JACOBI, SCR_PRECISION_USUAL, 3e-8, 50000, SCR_BEST},
    {"bb", SCR_SOLVER_BB, SCR_PRECISION_USUAL, 3e-8, 20000, SCR_BEST},
};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS, FIRST_FINE = 2, DOUBLE_AGS = 2, DOUBLE_GS = 3 };

static const scr_vec3 UP = {0.0, 0.0, 1.0}, ZERO = {0.0, 0.0, 0.0};

// Single precision; double; and the residual that methods of gradients stop on shows its own rounding.
static double accuracy_of(int way) { return way < FIRST_FINE ? 1e-5 : way <= DOUBLE_GS ? 1e-9 : 1e-6; }

// ---- closed forms ----

// Spheres one above the other on a floor, falling at v: contact k carries all that is above it.
static void a_stack_carries_what_is_above(void **state)
{
    (void)state;
    const double radius = 0.1, v = 0.3;
    enum { HEIGHT = 5 };
    for (int way = 0; way < WAY_COUNT; ++way) {
        small_system s = {0};
        double mass[HEIGHT], above = 0.0;
        for (int k = 0; k < HEIGHT; ++k) {
            mass[k] = 1.0 + 0.5 * k;
            above += mass[k];
            small_sphere(&s, mass[k], radius, vec3_scale(-v, UP), ZERO);
            small_contact(&s, k == 0 ? NO_BODY : k - 1, k, UP, vec3_scale(radius, UP), vec3_scale(-radius, UP), true,
                          0.5, 0.0);
        }
        small_solve(&s, &WAYS[way], SCR_FRICTION_CONVEX);
        for (int k = 0; k < HEIGHT; ++k) {
            assert_within3(small_impulse(&s, k), vec3(0.0, 0.0, above * v), accuracy_of(way) * above * v * 10.0);
            above -= mass[k];
        }
    }
}

// A plate that falls flat on a grid of points: together they stop it, however they share the load. So many points on
// one body ask jacobi for a smaller omega than its usual one.
static void a_plate_rests_on_many_points(void **state)
{
    (void)state;
    const double mass = 3.0, v = 0.4;
    enum { SIDE = 7 };
    for (int way = 0; way < WAY_COUNT; ++way) {
        small_system s = {0};
        small_block(&s, mass, vec3(0.2, 0.2, 0.4), vec3_scale(-v, UP), ZERO);
        for (int k = 0; k < SIDE * SIDE; ++k) {
            scr_vec3 lever = vec3(0.1 * (k % SIDE - SIDE / 2), 0.1 * (k / SIDE - SIDE / 2), -0.05);
            small_contact(&s, NO_BODY, 0, UP, ZERO, lever, false, 0.5, 0.0);
        }
        small_solve(&s, &WAYS[way], SCR_FRICTION_CONVEX);
        scr_vec3 sum = {0};
        for (int64_t i = 0; i < s.contact_count; ++i) sum = vec3_add(sum, small_impulse(&s, i));
        assert_within3(sum, vec3(0.0, 0.0, mass * v), accuracy_of(way) * mass * v);
    }
}

// Two spheres that meet head on: the impulse is the reduced mass times their speed, however unequal they are.
static void two_spheres_share_their_momentum(void **state)
{
    (void)state;
    const double light = 1e-3, ratio[] = {1.0, 1e3, 1e6, 1e12};
    for (int way = 0; way < WAY_COUNT; ++way) {
        for (int k = 0; k < 4; ++k) {
            small_system s = {0};
            double heavy = light * ratio[k], reduced = light * heavy / (light + heavy);
            small_sphere(&s, heavy, 0.1, vec3(0.0, 0.0, 1.0), ZERO);
            small_sphere(&s, light, 0.1, vec3(0.0, 0.0, -2.0), ZERO);
            small_contact(&s, 0, 1, UP, vec3_scale(0.1, UP), vec3_scale(-0.1, UP), true, 0.5, 0.0);
            small_solve(&s, &WAYS[way], SCR_FRICTION_CONVEX);
            assert_near(small_impulse(&s, 0).z, 3.0 * reduced, accuracy_of(way));
        }
    }
}

// A sphere that hits the floor at vn and slides at vt. Coulomb: the normal impulse stops vn, the tangent takes mu times
// that while 7/2 of it over m is below vt, else it ends the slip. The convex law lets what slides rise at mu |u_t|.
static void a_sliding_sphere_obeys_either_law(void **state)
{
    (void)state;
    const double mass = 2.0, vn = 0.7, mu = 0.3, slow = 0.5 * 3.5 * mu * vn, fast = 5.0;
    for (int way = 0; way < WAY_COUNT; ++way) {
        for (int law = SCR_FRICTION_CONVEX; law <= SCR_FRICTION_COULOMB; ++law) {
            if (!solver_knows(WAYS[way].kind, (scr_friction_law)law)) continue;
            double near = law == SCR_FRICTION_COULOMB ? 1e-12 : accuracy_of(way);
            small_system s = {0};
            small_sphere(&s, mass, 0.1, vec3(fast, 0.0, -vn), ZERO);
            small_contact(&s, NO_BODY, 0, UP, ZERO, vec3_scale(-0.1, UP), true, mu, 0.0);
            small_solve(&s, &WAYS[way], (scr_friction_law)law);
            scr_vec3 g = small_impulse(&s, 0), u = small_result_velocity(&s, 0);
            assert_near(g.x, -mu * g.z, 1e-6);
            assert_within(u.z, law == SCR_FRICTION_COULOMB ? 0.0 : mu * u.x, 10.0 * near);
            if (law == SCR_FRICTION_COULOMB) assert_near(g.z, mass * vn, near);
            assert_near(g.z * (1.0 + (law == SCR_FRICTION_COULOMB ? 0.0 : 3.5 * mu * mu)),
                        mass * (vn + (law == SCR_FRICTION_COULOMB ? 0.0 : mu * fast)), 10.0 * near);

            s = (small_system){0};
            small_sphere(&s, mass, 0.1, vec3(slow, 0.0, -vn), ZERO);
            small_contact(&s, NO_BODY, 0, UP, ZERO, vec3_scale(-0.1, UP), true, mu, 0.0);
            small_solve(&s, &WAYS[way], (scr_friction_law)law);
            assert_within3(small_impulse(&s, 0), vec3(-mass * slow / 3.5, 0.0, mass * vn), 10.0 * near);
        }
    }
}

// A block on one point off its centre, so that pushing it turns it: the contact's block is full. Sliding and sticking,
// the answer fulfils Coulomb's law.
static void a_point_of_a_block_obeys_coulomb(void **state)
{
    (void)state;
    for (int way = DOUBLE_AGS; way <= DOUBLE_GS; ++way) {
        for (uint64_t k = 0; k < 200; ++k) {
            small_system s = {0};
            scr_vec3 v =
                vec3(random_in(-3.0, 3.0, 9 * k), random_in(-3.0, 3.0, 9 * k + 1), random_in(-2.0, 0.2, 9 * k + 2));
            scr_vec3 w =
                vec3(random_in(-3.0, 3.0, 9 * k + 3), random_in(-3.0, 3.0, 9 * k + 4), random_in(-3.0, 3.0, 9 * k + 5));
            scr_vec3 lever = vec3(random_in(-0.3, 0.3, 9 * k + 6), random_in(-0.3, 0.3, 9 * k + 7), -0.4);
            double mu = random_in(0.0, 0.6, 9 * k + 8);
            small_block(&s, 1.5, vec3(0.05, 0.08, 0.1), v, w);
            small_contact(&s, NO_BODY, 0, UP, ZERO, lever, false, mu, 0.0);
            solve_result result = small_solve(&s, &WAYS[way], SCR_FRICTION_COULOMB);
            scr_vec3 g = small_impulse(&s, 0), u = small_result_velocity(&s, 0), slip = vec3(u.x, u.y, 0.0),
                     grip = vec3(g.x, g.y, 0.0);
            assert_at_most(result.accuracy.force_error, 1e-10);
            assert_at_most(-1e-9, u.z);
            assert_within(u.z * g.z, 0.0, 1e-8);
            assert_at_most(vec3_norm(grip), mu * g.z + 1e-12);
            assert_within(vec3_dot(grip, slip), -mu * g.z * vec3_norm(slip), 1e-8);  // opposes the slip with all it has
        }
    }
}

// ---- one answer ----

// Grains and blocks thrown together at random, each touching the next few, on compliant contacts: strictly convex.
static small_system heap(uint64_t seed, bool blocks, double heaviest, double eps)
{
    small_system s = {0};
    enum { COUNT = 24 };
    for (uint64_t k = 0; k < COUNT; ++k) {
        uint64_t draw = 5000 * seed + 50 * k;
        scr_vec3 v = vec3(random_in(-1.0, 1.0, draw), random_in(-1.0, 1.0, draw + 1), random_in(-1.0, 0.0, draw + 2));
        scr_vec3 w =
            vec3(random_in(-5.0, 5.0, draw + 3), random_in(-5.0, 5.0, draw + 4), random_in(-5.0, 5.0, draw + 5));
        double mass = k % 7 == 3 ? heaviest : random_in(0.5, 1.5, draw + 6);
        if (blocks && k % 3 == 0) small_block(&s, mass, vec3_scale(mass, vec3(0.004, 0.006, 0.009)), v, w);
        else small_sphere(&s, mass, 0.1, v, w);
    }
    for (int parts = 0; parts <= 1; ++parts) {
        for (int32_t k = 0; k < COUNT; ++k) {
            for (int32_t j = 0; j < 4; ++j) {
                uint64_t draw = 5000 * seed + 50 * (uint64_t)k + 10 * (uint64_t)j + 7;
                int32_t a = j == 0 ? NO_BODY : (k + j * j) % COUNT;
                bool is_part = !s.body[k].is_grain || (a != NO_BODY && !s.body[a].is_grain);
                if (is_part != (parts == 1)) continue;
                scr_vec3 n = vec3_unit(
                    vec3(random_in(-1.0, 1.0, draw), random_in(-1.0, 1.0, draw + 1), random_in(0.2, 1.0, draw + 2)));
                scr_vec3 off =
                    is_part ? vec3(random_in(-0.1, 0.1, draw + 3), random_in(-0.1, 0.1, draw + 4), 0.0) : ZERO;
                small_contact(&s, a, k, n, vec3_add(vec3_scale(0.1, n), off), vec3_sub(off, vec3_scale(0.1, n)),
                              !is_part, 0.5, eps);
            }
        }
    }
    return s;
}

static void all_solvers_reach_one_answer(void **state)
{
    (void)state;
    const struct {
        const char *name;
        bool blocks;
        double heaviest;
    } kinds[] = {{"grains", false, 1.0},
                 {"grains and blocks", true, 1.0},
                 {"a thousand times as heavy", true, 1e3},
                 {"1e5 times as heavy", false, 1e5}};
    for (int k = 0; k < 4; ++k) {
        for (uint64_t seed = 1; seed <= (k == 3 ? 1 : 2); ++seed) {
            double reference[3 * SMALL_CONTACTS];
            for (int w = 0; w < WAY_COUNT; ++w) {
                int way = (w + DOUBLE_AGS) % WAY_COUNT;  // the reference first
                small_system s = heap(seed, kinds[k].blocks, kinds[k].heaviest, 0.01);
                solver_way exact = WAYS[way];
                // m/s: heavy bodies make much of little
                if (way > DOUBLE_GS) exact.tolerance /= sqrt(kinds[k].heaviest);
                solve_result result = small_solve(&s, &exact, SCR_FRICTION_CONVEX);
                if (w == 0) memcpy(reference, s.precise, sizeof reference);
                double distance = distance_to(&s, reference);
                print_message("%s, %s: %d iterations, %.1e\n", kinds[k].name, WAYS[way].name, result.iterations,
                              distance);
                if (way < FIRST_FINE) assert_at_most(distance, 2e-5);  // single precision
                if (way >= FIRST_FINE) assert_at_most(distance, 1e-6);
                if (way >= FIRST_FINE) assert_at_most(result.accuracy.force_error, 1e-6);
            }
        }
    }
}

static void impulses_lie_in_their_cones(void **state)
{
    (void)state;
    const double friction[] = {0.0, 0.5, 1e3};
    for (int way = 0; way < WAY_COUNT; ++way) {
        for (int m = 0; m < 3; ++m) {
            small_system s = heap(7, true, 10.0, 0.01);
            for (int64_t i = 0; i < s.contact_count; ++i) s.row[i].mu = friction[m];
            solver_way few = WAYS[way];
            few.iterations = 9;
            small_solve(&s, &few, SCR_FRICTION_CONVEX);
            for (int64_t i = 0; i < s.contact_count; ++i) {
                scr_vec3 g = small_impulse(&s, i);
                double gn = vec3_dot(g, s.row[i].n), gt = vec3_norm(vec3_add_scaled(g, -gn, s.row[i].n));
                assert_at_most(gt, friction[m] * gn + 1e-6 * (1.0 + friction[m]) * vec3_norm(g));
                assert_at_most(-gn, 1e-6 * vec3_norm(g));
            }
        }
    }
}

static void threads_and_instructions_do_not_change_the_bits(void **state)
{
    (void)state;
    for (int way = 0; way < WAY_COUNT; ++way) {
        for (int law = SCR_FRICTION_CONVEX; law <= SCR_FRICTION_COULOMB; ++law) {
            if (!solver_knows(WAYS[way].kind, (scr_friction_law)law)) continue;
            double first[3 * SMALL_CONTACTS];
            for (int run = 0; run < 4; ++run) {  // 1, 2, 3 threads with the best instructions, then 1 with plain ones
                small_system s = heap(2, true, 100.0, 1e-3);
                solver_way few = WAYS[way];
                few.iterations = 40;
                few.set = run == 3 ? SCR_PLAIN : SCR_BEST;
                small_solve_from(&s, &few, (scr_friction_law)law, run == 3 ? 1 : run + 1, NULL);
                if (run == 0) memcpy(first, s.precise, sizeof first);
                assert_memory_equal(first, s.precise, 3 * (size_t)s.contact_count * sizeof *first);
            }
        }
    }
}

// ---- on the way ----

typedef struct history {
    double objective[4000];
    int count, last_iteration;
} history;

static void note(void *context, const solve_progress *progress)
{
    history *h = context;
    assert_true(progress->iterations > h->last_iteration && progress->passes >= progress->iterations &&
                progress->seconds >= 0.0);
    h->last_iteration = progress->iterations;
    h->objective[h->count++] = progress->accuracy.objective;
}

// ags, gs and jacobi never let f rise; bb and apgd may on the way, but not by much, and end at the least value.
static void objectives_fall(void **state)
{
    (void)state;
    for (int way = 0; way < WAY_COUNT; ++way) {
        bool monotone = WAYS[way].kind != SCR_SOLVER_BB && WAYS[way].kind != SCR_SOLVER_APGD;
        history h = {0};
        solve_watch watch = {note, &h};
        small_system s = heap(4, true, 1e3, 1e-3);
        solver_way some = WAYS[way];
        some.iterations = 300;
        solve_result result = small_solve_from(&s, &some, SCR_FRICTION_CONVEX, 1, &watch);
        assert_true(h.count > 20 && result.is_measured);
        double least = h.objective[h.count - 1], rounding = way < FIRST_FINE ? 1e-6 : 1e-12;
        print_message("%s: f from %.6g to %.6g J\n", WAYS[way].name, h.objective[0], least);
        assert_true(h.objective[0] <= 0.0 && least < h.objective[0]);
        for (int k = 1; k < h.count; ++k) {
            if (monotone) assert_at_most(h.objective[k], h.objective[k - 1] + rounding * fabs(least));
            assert_at_most(least, h.objective[k] + 1e-3 * fabs(least));
        }
    }
}

// ---- both laws ----

static void coulomb_is_fulfilled_at_every_contact(void **state)
{
    (void)state;
    for (int way = DOUBLE_AGS; way <= DOUBLE_GS; ++way) {
        for (uint64_t seed = 1; seed <= 3; ++seed) {
            small_system s = heap(seed, true, 20.0, 1e-3);
            for (int64_t i = 0; i < s.contact_count; ++i) s.row[i].mu = 0.3;
            solver_way exact = WAYS[way];
            exact.tolerance = 1e-10;
            solve_result result = small_solve(&s, &exact, SCR_FRICTION_COULOMB);
            assert_at_most(result.accuracy.force_error, 1e-10);
            int sliding = 0;
            for (int64_t i = 0; i < s.contact_count; ++i) {
                const contact_row *row = &s.row[i];
                scr_vec3 g = small_impulse(&s, i), u = small_result_velocity(&s, i);
                double gn = vec3_dot(g, row->n);
                scr_vec3 gt = vec3_add_scaled(g, -gn, row->n);
                u = vec3_add_scaled(vec3_add_scaled(u, row->eps_n * row->a_n * gn, row->n), row->eps_t * row->a_t, gt);
                double un = vec3_dot(u, row->n);
                scr_vec3 ut = vec3_add_scaled(u, -un, row->n);
                assert_at_most(-1e-7, un);
                assert_within(un * gn, 0.0, 1e-6);
                assert_within(vec3_dot(ut, gt) + row->mu * gn * vec3_norm(ut), 0.0, 1e-6);
                sliding += gn > 0.0 && vec3_norm(ut) > 1e-3;
            }
            assert_true(sliding > 5);
        }
    }
}

// Nothing slides: both laws have one and the same answer.
static void laws_agree_where_nothing_slides(void **state)
{
    (void)state;
    double reference[3 * SMALL_CONTACTS];
    for (int law = SCR_FRICTION_CONVEX; law <= SCR_FRICTION_COULOMB; ++law) {
        small_system s = {0};
        for (int k = 0; k < 3; ++k) small_sphere(&s, 1.0 + k, 0.1, vec3(0.01 * k, 0.0, -0.5), ZERO);
        for (int k = 0; k < 3; ++k)
            small_contact(&s, k == 0 ? NO_BODY : k - 1, k, UP, vec3_scale(0.1, UP), vec3_scale(-0.1, UP), true, 0.8,
                          1e-3);
        small_solve(&s, &WAYS[DOUBLE_AGS], (scr_friction_law)law);
        if (law == SCR_FRICTION_CONVEX) memcpy(reference, s.precise, sizeof reference);
        assert_at_most(distance_to(&s, reference), 1e-10);
    }
}

static void coulomb_needs_sweeps(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    def.contact.friction = SCR_FRICTION_COULOMB;
    def.solver.kind = SCR_SOLVER_APGD;
    scr_world *world;
    scr_error error = {0};
    assert_int_equal(scr_world_create(&def, &world, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "ags and gs"));
}

// ---- problems that no scene should make ----

// Single precision squares impulses: beyond 1e19 N s there is no number for that, and no scene comes near it.
static void nothing_is_ever_nan(void **state)
{
    (void)state;
    const double masses[] = {1e-12, 1e-3, 1.0, 1e12}, frictions[] = {0.0, 1e-300, 0.5, 1e8, 1e100},
                 speeds[] = {0.0, 1e-300, 1.0, 1e9};
    for (uint64_t seed = 0; seed < 24; ++seed) {
        for (int way = 0; way < WAY_COUNT; ++way) {
            for (int law = SCR_FRICTION_CONVEX; law <= SCR_FRICTION_COULOMB; ++law) {
                if (!solver_knows(WAYS[way].kind, (scr_friction_law)law)) continue;
                small_system s = heap(100 + seed, seed % 2 == 0, masses[seed % 4], seed % 3 == 0 ? 0.0 : 1e-3);
                for (int64_t i = 0; i < s.contact_count; ++i) {
                    uint64_t draw = 100000 * seed + 10 * (uint64_t)i;
                    s.row[i].mu = frictions[(int)random_in(0.0, way < FIRST_FINE ? 4.0 : 5.0, draw)];
                    s.row[i].r =
                        vec3_scale(speeds[(int)random_in(0.0, way < FIRST_FINE ? 3.0 : 4.0, draw + 1)], s.row[i].r);
                    if (i % 5 == 0 && i > 0) s.row[i] = s.row[i - 1];  // twice the same
                }
                s.general_count = 0;
                for (int64_t i = 0; i < s.contact_count; ++i) s.general_count += !s.row[i].centre_line;
                solver_way few = WAYS[way];
                few.iterations = 30;
                solve_result result = small_solve(&s, &few, (scr_friction_law)law);
                for (int64_t k = 0; k < 3 * s.contact_count; ++k)
                    if (!isfinite(s.precise[k]))
                        fail_msg("%s, seed %d: impulse %d is not finite", WAYS[way].name, (int)seed, (int)k);
                if (way >= FIRST_FINE)
                    assert_true(isfinite(result.accuracy.objective) && isfinite(result.accuracy.force_error));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_carries_what_is_above),
        cmocka_unit_test(a_plate_rests_on_many_points),
        cmocka_unit_test(two_spheres_share_their_momentum),
        cmocka_unit_test(a_sliding_sphere_obeys_either_law),
        cmocka_unit_test(a_point_of_a_block_obeys_coulomb),
        cmocka_unit_test(all_solvers_reach_one_answer),
        cmocka_unit_test(impulses_lie_in_their_cones),
        cmocka_unit_test(threads_and_instructions_do_not_change_the_bits),
        cmocka_unit_test(objectives_fall),
        cmocka_unit_test(coulomb_is_fulfilled_at_every_contact),
        cmocka_unit_test(laws_agree_where_nothing_slides),
        cmocka_unit_test(coulomb_needs_sweeps),
        cmocka_unit_test(nothing_is_ever_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
