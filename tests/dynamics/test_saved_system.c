// SPDX-License-Identifier: BSD-3-Clause
// A kept contact problem is the one that the step solved: solved again, it moves the bodies as the step did.
#include <string.h>

#include "core/arrays/colouring.h"
#include "dynamics/cone/solve/solve.h"
#include "dynamics/world/world.h"
#include "dynamics/world/world_state.h"
#include "laboratory/impulse_motion.h"
#include "laboratory/laboratory.h"
#include "mixed_world.h"

static const double EASY = 1e-3;  // relative compliance of a contact

// A mixed heap after some steps, and the problem of the step after them.
static scr_world *kept_step(scr_world_def def, saved_system *kept)
{
    scr_world *world = mixed_world(&def, 300);
    step(world, 120);
    saved_system_init(kept);
    assert_ok(world_keep_problem(world, kept, &error));
    step(world, 1);
    assert_ok(world_keep_problem(world, NULL, &error));
    assert_true(kept->contacts.count > 300 && kept->bodies.count > 300);
    return world;
}

static void keeping_changes_nothing(void **state)
{
    (void)state;
    saved_system kept;
    scr_world_def def = mixed_def(1);
    scr_world *world = kept_step(def, &kept), *other = mixed_world(&def, 300);
    step(other, 121);
    assert_true(scr_world_hash(world) == scr_world_hash(other));
    assert_within(kept.time, 0.120, 1e-9);
    assert_near(kept.time_step, 1e-3, 1e-12);
    assert_ok(saved_system_check(&kept, "kept", &error));
    saved_system_free(&kept);
    scr_world_destroy(world);
    scr_world_destroy(other);
}

// The answer of the same solver on the kept problem, 3 a contact.
static void solve_again(const saved_system *kept, const scr_world_def *def, int threads, double *answer)
{
    laboratory lab;
    solve_result result;
    problem p = {0};
    scr_arena scratch = {0};
    float *impulse = calloc((size_t)kept->contacts.count, 3 * sizeof *impulse);
    for (int64_t k = 0; k < 3 * kept->contacts.count; ++k) impulse[k] = kept->guess[6 * (k / 3) + k % 3];
    assert_ok(laboratory_open(&lab, kept, threads, &error));
    contact_system system = saved_system_view(kept, impulse, NULL, threads);
    const solve_setting setting = {.def = &def->solver, .kernels = sweep_kernels_for(SCR_BEST)};
    assert_ok(problem_build(&p, &system, &error));
    assert_ok(solve_system(&p, &system, &setting, &scratch, &result, &error));
    for (int64_t k = 0; k < 3 * kept->contacts.count; ++k) answer[6 * (k / 3) + k % 3] = (double)impulse[k];
    laboratory_close(&lab);
    problem_free(&p);
    scr_arena_free(&scratch);
    free(impulse);
}

static void solved_again_it_gives_the_bits_of_the_step(void **state)
{
    (void)state;
    const scr_contact_law laws[] = {SCR_COMPLIANT, SCR_RIGID};
    for (int k = 0; k < 2; ++k) {
        saved_system kept;
        scr_world_def def = mixed_def(1);
        def.contact.law = laws[k];
        scr_world *world = kept_step(def, &kept);
        assert_int_equal(world->contacts.count, kept.contacts.count);
        double *answer = calloc((size_t)kept.contacts.count, 6 * sizeof *answer), largest = 0.0;
        for (int threads = 1; threads <= 3; threads += 2) {
            solve_again(&kept, &world->def, threads, answer);
            for (int64_t i = 0; i < 3 * kept.contacts.count; ++i) {
                double number = answer[6 * (i / 3) + i % 3];
                assert_true((float)number == world->contacts.impulse[i]);
                largest = fmax(largest, number);
            }
        }
        assert_true(largest > 0.0);
        free(answer);
        saved_system_free(&kept);
        scr_world_destroy(world);
    }
}

// v_free + M^-1 D g is what the world's bodies have after the step.
static void its_answer_moves_the_bodies_as_the_step_did(void **state)
{
    (void)state;
    saved_system kept;
    scr_world_def def = mixed_def(1);
    def.solver.kind = SCR_SOLVER_AGS;  // single precision: what is saved is all there is
    scr_world *world = kept_step(def, &kept);
    double *answer = calloc((size_t)kept.contacts.count, 6 * sizeof *answer);
    double *change = calloc((size_t)kept.bodies.count, 6 * sizeof *change);
    solve_again(&kept, &world->def, 1, answer);
    impulse_motion(&kept, answer, change);
    double fastest = 0.0;
    for (int64_t i = 0; i < kept.bodies.count; ++i) {
        const double *v = kept.free_velocity + 6 * i, *c = change + 6 * i;
        if (kept.inv_mass[i] == 0.0) continue;
        scr_vec3 expected = vec3(v[0] + c[0], v[1] + c[1], v[2] + c[2]),
                 spin = vec3(v[3] + c[3], v[4] + c[4], v[5] + c[5]);
        assert_within3(expected, body_velocity(&world->bodies, i), 1e-12);
        // While it moves, a body's spin changes with its inertia's axes: compared is what the step began to move with.
        assert_within3(spin, new_twist(&world->motion, i).w, 1e-9);
        fastest = fmax(fastest, vec3_norm(expected));
    }
    assert_true(fastest > 0.01);
    free(answer);
    free(change);
    saved_system_free(&kept);
    scr_world_destroy(world);
}

static scr_vec3 spin_of(const double *change, int32_t body)
{
    const double *c = change + 6 * (int64_t)body;
    return body == NO_BODY ? vec3(0.0, 0.0, 0.0) : vec3(c[3], c[4], c[5]);
}

static scr_vec3 speed_at(const double *change, int32_t body, scr_vec3 lever)
{
    if (body == NO_BODY) return vec3(0.0, 0.0, 0.0);
    const double *c = change + 6 * (int64_t)body;
    return vec3_add(vec3(c[0], c[1], c[2]), vec3_cross(spin_of(change, body), lever));
}

// Loads that act on bodies at rest do work on them: sum of g . u = v^T M v, u the speeds at which contacts move apart,
// and turn against each other.
static void the_norm_is_the_work_of_impulses(void **state)
{
    (void)state;
    saved_system s;
    scr_world *world = kept_step(mixed_def(1), &s);
    double *g = calloc((size_t)s.contacts.count, 6 * sizeof *g),
           *change = calloc((size_t)s.bodies.count, 6 * sizeof *change);
    double *inertia = calloc((size_t)s.bodies.count, 9 * sizeof *inertia), work = 0.0;
    for (int64_t k = 0; k < 6 * s.contacts.count; ++k) g[k] = random_in(-1.0, 1.0, (uint64_t)k);
    impulse_motion(&s, g, change);
    inertias_of(&s, inertia);
    for (int64_t i = 0; i < s.contacts.count; ++i) {
        contact_row row = saved_system_row(&s, i);
        scr_vec3 u = vec3_sub(speed_at(change, row.b, row.lever_b), speed_at(change, row.a, row.lever_a));
        scr_vec3 spin = vec3_sub(spin_of(change, row.b), spin_of(change, row.a));
        work += vec3_dot(vec3(g[6 * i], g[6 * i + 1], g[6 * i + 2]), u) +
                vec3_dot(vec3(g[6 * i + 3], g[6 * i + 4], g[6 * i + 5]), spin);
    }
    double norm = motion_norm(&s, inertia, change);
    assert_near(norm * norm, work, 1e-9);
    free(g), free(change), free(inertia);
    saved_system_free(&s);
    scr_world_destroy(world);
}

// A sphere at rest on a floor: the floor gives it m g h, and without contacts it would fall at g h.
static void a_sphere_at_rest_needs_its_weight(void **state)
{
    (void)state;
    saved_system kept;
    scr_world_def def = scr_default_world_def();
    def.contact.compliance = EASY;
    def.contact.damping = 0.0;
    scr_world *world = make_world(&def);
    scr_material material = add_material(world, 0.5, 0.0);
    add_floor(world, material);
    scr_body sphere = add_sphere(world, material, 0.01, vec3(0.0, 0.0, 0.01), vec3(0.0, 0.0, 0.0));
    double weight = GRAVITY * scr_body_mass(world, sphere), h = def.time_step;
    step(world, 200);
    saved_system_init(&kept);
    assert_ok(world_keep_problem(world, &kept, &error));
    step(world, 1);
    assert_int_equal(kept.contacts.count, 1);
    assert_near(kept.eps_n[0], EASY, 1e-12);

    laboratory lab;
    double answer[6], inertia[18], change[12];
    solve_result result;
    assert_ok(laboratory_open(&lab, &kept, 1, &error));
    assert_ok(laboratory_find_reference(&lab, SCR_FRICTION_CONVEX, 100, answer, &result, &error));
    assert_near(fabs(answer[2]), weight * h, 1e-6);  // it acts on b, which may be the floor
    impulse_motion(&kept, answer, change);
    inertias_of(&kept, inertia);
    assert_near(motion_norm(&kept, inertia, change), GRAVITY * h * sqrt(weight / GRAVITY), 1e-6);  // sqrt(m) g h

    // A solver that is not given enough is as far from it as its impulse is; one that is, reaches it.
    trial t = {0};
    laboratory_set_reference(&lab, answer);
    trial_setting setting = {.solver = {.kind = SCR_SOLVER_AGS, .max_iterations = 5}, .cold = true};
    assert_ok(laboratory_try(&lab, &setting, &t, &error));
    assert_true(t.point[t.count - 1].velocity_error < 1e-6);
    assert_non_null(trial_reaches(&t, 0.01));
    assert_int_equal(trial_reaches(&t, 0.01)->iterations, 1);  // one contact of a sphere is solved exactly by one visit
    trial_free(&t);
    laboratory_close(&lab);
    saved_system_free(&kept);
    scr_world_destroy(world);
}

// A cohesive sphere on a floor can be pulled with cohesion times pi r^2.
static void a_cohesive_contact_keeps_its_pull(void **state)
{
    (void)state;
    const double radius = 0.01, cohesion = 500.0;
    saved_system kept;
    scr_world_def def = scr_default_world_def();
    scr_material_def mud = scr_default_material_def();
    scr_material material;
    scr_world *world = make_world(&def);
    mud.cohesion = cohesion;
    assert_ok(scr_world_add_material(world, &mud, &material, &error));
    add_floor(world, material);
    add_sphere(world, material, radius, vec3(0.0, 0.0, radius), vec3(0.0, 0.0, 0.0));
    step(world, 50);
    saved_system_init(&kept);
    assert_ok(world_keep_problem(world, &kept, &error));
    step(world, 1);
    assert_int_equal(kept.contacts.count, 1);
    assert_near(kept.apex[0], def.time_step * cohesion * 3.14159265358979 * radius * radius, 1e-9);
    assert_true(saved_system_view(&kept, NULL, NULL, 1).coheres);
    assert_near(saved_system_row(&kept, 0).apex, kept.apex[0], 0.0);
    saved_system_free(&kept);
    scr_world_destroy(world);
}

// A ball that rolls on a floor which resists it: the laboratory's answer moves it as the step did.
static void a_rolling_contact_keeps_its_moment(void **state)
{
    (void)state;
    const double radius = 0.1, resistance = 0.05;
    saved_system kept;
    scr_world_def def = scr_default_world_def();
    scr_material_def grass = scr_default_material_def();
    scr_material material;
    scr_world *world = make_world(&def);
    grass.rolling_friction = resistance;
    assert_ok(scr_world_add_material(world, &grass, &material, &error));
    add_floor(world, material);
    scr_body rolling = add_sphere(world, material, radius, vec3(0.0, 0.0, radius), vec3(1.0, 0.0, 0.0));
    scr_body_state at = state_of(world, rolling);
    at.spin = vec3(0.0, 1.0 / radius, 0.0);
    set_state(world, rolling, at);
    step(world, 100);
    saved_system_init(&kept);
    assert_ok(world_keep_problem(world, &kept, &error));
    step(world, 1);
    assert_true(saved_system_rolls(&kept));
    assert_ok(saved_system_check(&kept, "kept", &error));

    laboratory lab;
    solve_result result;
    double answer[6], change[12];
    trial t = {0};
    assert_ok(laboratory_open(&lab, &kept, 1, &error));
    assert_ok(laboratory_find_reference(&lab, SCR_FRICTION_CONVEX, 2000, answer, &result, &error));
    impulse_motion(&kept, answer, change);
    int64_t moved = kept.inv_mass[0] > 0.0 ? 0 : 1;
    assert_within(kept.free_velocity[6 * moved] + change[6 * moved], new_twist(&world->motion, moved).v.x, 1e-5);
    assert_within(radius * (kept.free_velocity[6 * moved + 4] + change[6 * moved + 4]),
                  radius * new_twist(&world->motion, moved).w.y, 1e-5);
    assert_true(fabs(answer[4]) > 0.5 * resistance * radius * fabs(answer[2]));  // it is resisted
    laboratory_set_reference(&lab, answer);
    for (int kind = SCR_SOLVER_AGS; kind <= SCR_SOLVER_APGD; ++kind) {
        const trial_setting setting = {.solver = {.kind = (scr_solver_kind)kind, .max_iterations = 500}, .cold = true};
        assert_ok(laboratory_watch(&lab, &setting, &t, &error));
        assert_at_most(t.point[t.count - 1].velocity_error, 1e-4);
        assert_at_most(t.point[t.count - 2].velocity_error, 1e-4);  // as watched
    }
    trial_free(&t);
    laboratory_close(&lab);
    saved_system_free(&kept);
    scr_world_destroy(world);
}

static void the_last_crossing_counts(void **state)
{
    (void)state;
    trial_point points[6] = {{.iterations = 1, .velocity_error = 0.5},   {.iterations = 2, .velocity_error = 0.02},
                             {.iterations = 3, .velocity_error = 0.04},  {.iterations = 4, .velocity_error = 0.03},
                             {.iterations = 5, .velocity_error = 0.005}, {.iterations = 6, .velocity_error = 0.011}};
    trial t = {.point = points, .count = 6};
    assert_int_equal(trial_reaches(&t, 0.03)->iterations, 4);
    assert_int_equal(trial_reaches(&t, 1.0)->iterations, 1);
    assert_null(trial_reaches(&t, 0.01));
    t.count = 0;
    assert_null(trial_reaches(&t, 0.01));
}

static void penalty_worlds_have_no_problem(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    scr_error error = {0};
    saved_system kept;
    saved_system_init(&kept);
    def.contact.law = SCR_PENALTY;
    scr_world *world = make_world(&def);
    assert_int_equal(world_keep_problem(world, &kept, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "penalty"));
    scr_world_destroy(world);
}

// ---- what is refused -----------------------------------------------------------------------------------------------

typedef struct fault {
    double *number;
    double value;
    const char *says;
} fault;

static void check_refused(const saved_system *s, const char *says)
{
    scr_error error = {0};
    if (saved_system_check(s, "p.h5", &error) != SCR_BAD_INPUT || strstr(error.message, says) == NULL ||
        strncmp(error.message, "p.h5: ", 6) != 0)
        fail_msg("expected \"%s\", not \"%s\"", says, error.message);
}

static void what_solvers_could_not_bear_is_refused(void **state)
{
    (void)state;
    saved_system s;
    scr_world *world = kept_step(mixed_def(1), &s);
    int64_t grain = 0, part = 0;  // contacts of each kind with two bodies that can be moved
    while (!(s.centre_line[grain] && s.a[grain] != NO_BODY && s.b[grain] != NO_BODY)) ++grain;
    while (!(!s.centre_line[part] && s.a[part] != NO_BODY && s.b[part] != NO_BODY)) ++part;
    int64_t body = s.a[grain];
    const fault faults[] = {
        {&s.inv_mass[body], NAN, "inverse mass"},
        {&s.inv_mass[body], -1.0, "inverse mass"},
        {&s.inv_mass[body], 1e300, "inverse mass"},
        {&s.inv_mass[body], 0.0, "cannot be moved"},
        {&s.inv_inertia[9 * body], 0.0, "inertia"},
        {&s.inv_inertia[9 * body + 1], 1e9, "inertia"},
        {&s.length[body], 0.0, "length"},
        {&s.free_velocity[6 * body + 2], INFINITY, "free velocity"},
        {&s.n[3 * grain], 2.0, "length 1"},
        {&s.n[3 * grain + 1], NAN, "no number"},
        {&s.lever_b[3 * part], 1e200, "no number"},
        {&s.r[3 * part + 2], NAN, "no number"},
        {&s.mu[grain], -0.1, "friction"},
        {&s.mu[grain], NAN, "friction"},
        {&s.eps_n[grain], -1.0, "compliance"},
        {&s.eps_t[grain], NAN, "compliance"},
        {&s.a_n[grain], 2.0 * s.a_n[grain], "diagonal"},
        {&s.a_t[part], 0.0, "diagonal"},
        {&s.apex[grain], -1.0, "cohesion"},
        {&s.arm[grain], 0.1, "rolling"},

        {&s.length_a[grain], -1.0, "lengths"},
        {&s.answer[6 * grain + 3], NAN, "answer"},
    };
    for (size_t k = 0; k < sizeof faults / sizeof *faults; ++k) {
        double before = *faults[k].number;
        *faults[k].number = faults[k].value;
        check_refused(&s, faults[k].says);
        *faults[k].number = before;
    }
    int32_t a = s.a[grain];
    const struct {
        int32_t body;
        const char *says;
    } wrong[] = {{(int32_t)s.bodies.count, "that there is not"},
                 {-2, "that there is not"},
                 {INT32_MIN, "that there is not"},
                 {s.b[grain], "with itself"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        s.a[grain] = wrong[k].body;
        check_refused(&s, wrong[k].says);
    }
    s.a[grain] = a;
    s.guess[6 * grain] = NAN;
    check_refused(&s, "first guess");
    s.guess[6 * grain] = 0.0f;
    s.centre_line[part] = 1;
    check_refused(&s, "centre line");
    s.centre_line[part] = 2;
    check_refused(&s, "centre line");
    s.centre_line[part] = 0;
    assert_ok(saved_system_check(&s, "p.h5", &error));
    saved_system_free(&s);
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeping_changes_nothing),
        cmocka_unit_test(solved_again_it_gives_the_bits_of_the_step),
        cmocka_unit_test(its_answer_moves_the_bodies_as_the_step_did),
        cmocka_unit_test(the_norm_is_the_work_of_impulses),
        cmocka_unit_test(a_sphere_at_rest_needs_its_weight),
        cmocka_unit_test(a_cohesive_contact_keeps_its_pull),
        cmocka_unit_test(a_rolling_contact_keeps_its_moment),
        cmocka_unit_test(the_last_crossing_counts),
        cmocka_unit_test(penalty_worlds_have_no_problem),
        cmocka_unit_test(what_solvers_could_not_bear_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
