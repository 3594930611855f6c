// SPDX-License-Identifier: BSD-3-Clause
// Solvers: three ways to one answer; energy that never rises; impulses in their cones; bodies with more contacts than
// there are colours.
#include <string.h>

#include "contact_view.h"
#include "dynamics/cone/solve/solve.h"
#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/cone/stages/plain_contacts.h"
#include "dynamics/cone/sweeps/general_sweep.h"
#include "dynamics/cone/system/contact_row.h"
#include "dynamics/world/world.h"
#include "mixed_world.h"
#include "stages.h"

// ---- small problems ----

typedef struct problem_kind {
    const char *name;
    bool rigid, boxes;
    double friction;
    double heaviest;  // kg; of every fifth body, the others weigh what their volume says; 0: all do
    double rolling;   // friction against rolling, half of it against spinning
    double cohesion;  // Pa
} problem_kind;

static const problem_kind KINDS[] = {
    {"compliant spheres", false, false, 0.5, 0.0, 0.0, 0.0},
    {"frictionless spheres", false, false, 0.0, 0.0, 0.0, 0.0},
    {"compliant boxes", false, true, 0.5, 0.0, 0.0, 0.0},
    {"rough boxes", false, true, 1.2, 0.0, 0.0, 0.0},
    {"rigid spheres", true, false, 0.4, 0.0, 0.0, 0.0},
    {"rigid boxes", true, true, 0.4, 0.0, 0.0, 0.0},
    {"unequal masses", false, false, 0.5, 30.0, 0.0, 0.0},
    {"rigid frictionless", true, true, 0.0, 0.0, 0.0, 0.0},
    {"rolling spheres", false, false, 0.5, 0.0, 0.1, 0.0},
    {"rolling boxes", false, true, 0.5, 0.0, 0.2, 0.0},
    {"rolling, frictionless", false, true, 0.0, 0.0, 0.1, 0.0},
    {"sticky spheres", false, false, 0.5, 0.0, 0.0, 1e4},
    {"sticky rolling boxes", false, true, 0.5, 0.0, 0.1, 1e4},
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS, SEED_COUNT = 3 };

// Twenty-seven bodies thrown together in a box that holds them with a little room to spare, so that walls do not
// squeeze what is rigid between them: most touch several others.
static scr_world *pile(const scr_world_def *def, const problem_kind *kind, uint64_t seed)
{
    scr_world *world = make_world(def);
    scr_material_def stuff = scr_default_material_def();
    scr_material material;
    stuff.friction = kind->friction;
    stuff.rolling_friction = kind->rolling;
    stuff.spinning_friction = 0.5 * kind->rolling;
    stuff.cohesion = kind->cohesion;
    assert_ok(scr_world_add_material(world, &stuff, &material, &error));
    scr_body wall[4];
    add_floor(world, material);
    add_walls(world, material, 0.31, 0.31, wall);
    for (uint64_t k = 0; k < 27; ++k) {
        uint64_t draw = 1000 * seed + 20 * k;
        scr_shape shape = scr_sphere(random_in(0.048, 0.051, draw), material);
        if (kind->boxes && k % 4 == 1) shape = scr_box(vec3(0.049, 0.047, 0.048), material);
        scr_body_def body = scr_default_body_def();
        body.position =
            vec3(0.055 + 0.1 * (double)(k % 3), 0.055 + 0.1 * (double)(k / 3 % 3), 0.0505 + 0.1 * (double)(k / 9));
        body.velocity =
            vec3(random_in(-1.0, 1.0, draw + 1), random_in(-1.0, 1.0, draw + 2), random_in(-1.0, 0.2, draw + 3));
        body.spin =
            vec3(random_in(-5.0, 5.0, draw + 4), random_in(-5.0, 5.0, draw + 5), random_in(-5.0, 5.0, draw + 6));
        body.mass = k % 5 == 0 ? kind->heaviest : 0.0;
        body.shapes = &shape;
        body.shape_count = 1;
        add_body(world, &body);
    }
    return world;
}

static scr_world_def solver_def(scr_solver_kind solver, int iterations, double tolerance, bool rigid)
{
    scr_world_def def = scr_default_world_def();
    def.thread_count = 1;
    def.solver =
        (scr_solver_def){.kind = solver, .max_iterations = iterations, .tolerance = tolerance, .warm_start = true};
    def.contact.law = rigid ? SCR_RIGID : SCR_COMPLIANT;
    return def;
}

// Largest difference between the velocities of the same bodies, and the largest speed, spins counted with 0.05 m.
static double velocity_difference(const scr_world *a, const scr_world *b, double *speed)
{
    scr_body_view in_a = scr_world_bodies(a);
    double worst = 0.0;
    *speed = 0.0;
    for (int64_t i = 0; i < in_a.count; ++i) {
        scr_body_state x = state_of(a, in_a.handle[i]), y = state_of(b, in_a.handle[i]);
        worst =
            fmax(worst, fmax(vec3_norm(vec3_sub(x.velocity, y.velocity)), 0.05 * vec3_norm(vec3_sub(x.spin, y.spin))));
        *speed = fmax(*speed, fmax(vec3_norm(x.velocity), 0.05 * vec3_norm(x.spin)));
    }
    return worst;
}

static void three_solvers_reach_one_answer(void **state)
{
    (void)state;
    const struct {
        scr_solver_kind solver;
        int iterations;
        double tolerance;
    } ways[] = {{SCR_SOLVER_APGD, 5000, 1e-10}, {SCR_SOLVER_AGS, 3000, 0.0}, {SCR_SOLVER_GS, 5000, 0.0}};
    for (int k = 0; k < KIND_COUNT; ++k) {
        double worst[3] = {0};
        for (uint64_t seed = 0; seed < SEED_COUNT; ++seed) {
            scr_world *world[3];
            for (int way = 0; way < 3; ++way) {
                scr_world_def def =
                    solver_def(ways[way].solver, ways[way].iterations, ways[way].tolerance, KINDS[k].rigid);
                world[way] = pile(&def, &KINDS[k], seed);
                step(world[way], 1);
                double speed, difference = velocity_difference(world[0], world[way], &speed);
                worst[way] = fmax(worst[way], difference / speed);
            }
            for (int way = 0; way < 3; ++way) scr_world_destroy(world[way]);
        }
        print_message("%s: ags %.1e, gs %.1e from apgd\n", KINDS[k].name, worst[1], worst[2]);
        assert_at_most(worst[1], 1e-5);
        assert_at_most(worst[2], 1e-5);
    }
}

static void the_residual_goes_to_nothing(void **state)
{
    (void)state;
    for (int solver = SCR_SOLVER_AGS; solver <= SCR_SOLVER_APGD; ++solver) {
        for (int k = 0; k < KIND_COUNT; ++k) {
            double residual[3], force_error = 1.0;
            scr_accuracy accuracy;
            for (int hard = 0; hard < 3; ++hard) {
                const int iterations[3] = {2, 100, 3000};
                scr_world_def def = solver_def((scr_solver_kind)solver, iterations[hard], 0.0, KINDS[k].rigid);
                if (solver == SCR_SOLVER_APGD) def.solver.tolerance = 1e-12;
                scr_world *world = pile(&def, &KINDS[k], 1);
                step(world, 1);
                assert_ok(scr_world_accuracy(world, &accuracy, &error));
                residual[hard] = accuracy.residual;
                force_error = scr_world_report(world).force_error;
                assert_at_most(accuracy.cone_violation, 1e-6);
                scr_world_destroy(world);
            }
            print_message("solver %d, %s: %.1e %.1e %.1e m/s\n", solver, KINDS[k].name, residual[0], residual[1],
                          residual[2]);
            assert_at_most(residual[1], residual[0]);
            assert_at_most(residual[2], 2e-5);  // speeds are about 1 m/s
            assert_at_most(force_error, 2e-5);
        }
    }
}

// ---- the energy that sweeps bring down ----

typedef struct velocity_change {
    scr_vec3 v, w;
} velocity_change;

static scr_vec3 impulse_at(const scr_world *world, int64_t i)
{
    const float *g = world->contacts.impulse + 3 * i;
    return vec3((double)g[0], (double)g[1], (double)g[2]);
}

static scr_vec3 twist_at(const scr_world *world, int64_t i)
{
    const float *angular_impulse = world->contacts.angular_impulse + 3 * i;
    if (!world->contacts.has_angular_impulses) return vec3(0.0, 0.0, 0.0);
    return vec3((double)angular_impulse[0], (double)angular_impulse[1], (double)angular_impulse[2]);
}

// f(g) = 1/2 dv^T M dv + r^T g + 1/2 g^T R g, in double precision, from the rows of the problem.
static double objective(const scr_world *world)
{
    const bodies *b = &world->bodies;
    contact_system system = world_contact_system(world);
    velocity_change *change = calloc((size_t)b->table.count, sizeof *change);
    double f = 0.0;
    for (int64_t i = 0; i < world->contacts.count; ++i) {
        contact_row row = contact_row_of(world, i);
        scr_vec3 g = impulse_at(world, i);
        double gn = vec3_dot(g, row.n);
        f += vec3_dot(row.r, g) +
             0.5 * (row.eps_n * row.a_n * gn * gn + row.eps_t * row.a_t * (vec3_dot(g, g) - gn * gn));
        const int32_t body[2] = {row.a, row.b};
        const scr_vec3 lever[2] = {row.lever_a, row.lever_b};
        scr_vec3 angular_impulse = twist_at(world, i),
                 q = vec3_scale(row.arm > 0.0 ? 1.0 / row.arm : 0.0, angular_impulse);
        f += vec3_dot(row.r_q, q) + 0.5 * row.eps_q * row.a_q * vec3_dot(q, q);
        for (int s = 0; s < 2; ++s) {
            if (body[s] < 0) continue;
            scr_vec3 push = s == 0 ? vec3_neg(g) : g,
                     turn = vec3_add(vec3_cross(lever[s], push), s == 0 ? vec3_neg(angular_impulse) : angular_impulse);
            mat3 inverse = system.body(world, body[s]).inv_inertia;
            change[body[s]].v = vec3_add_scaled(change[body[s]].v, b->inv_mass[body[s]], push);
            change[body[s]].w = vec3_add(change[body[s]].w, mat3_times(&inverse, turn));
        }
    }
    for (int64_t i = 0; i < b->table.count; ++i) {
        if (b->inv_mass[i] == 0.0) continue;
        scr_vec3 w = quat_unrotate(body_rotation(b, i), change[i].w);
        f += 0.5 * (vec3_dot(change[i].v, change[i].v) / b->inv_mass[i] + w.x * w.x / b->inv_ix[i] +
                    w.y * w.y / b->inv_iy[i] + w.z * w.z / b->inv_iz[i]);
    }
    free(change);
    return f;
}

// The answer after every number of sweeps, each time from the same beginning.
static void no_sweep_raises_the_energy(void **state)
{
    (void)state;
    const scr_solver_kind solvers[] = {SCR_SOLVER_AGS, SCR_SOLVER_GS};
    for (int s = 0; s < 2; ++s) {
        for (int k = 0; k < KIND_COUNT; ++k) {
            scr_world_def def = solver_def(solvers[s], 1, 0.0, KINDS[k].rigid);
            scr_world *world = pile(&def, &KINDS[k], 2);
            detect(world);
            double first = 0.0, last = 0.0;
            for (int sweeps = 1; sweeps <= 60; ++sweeps) {
                world->def.solver.max_iterations = sweeps;
                assert_ok(recall_impulses(world, &error));
                assert_ok(foresee_hover(world, &error));
                assert_ok(prepare(world, &error));
                contact_system system = world_contact_system(world);
                solve_setting setting = {.def = &world->def.solver, .kernels = world->kernels};
                solve_result result;
                assert_ok(solve_system(&world->problem, &system, &setting, &world->scratch, &result, &error));
                assert_true(result.iterations == sweeps || result.change == 0.0);  // nothing left to change
                double f = objective(world);
                if (sweeps == 1) first = f;
                // Impulses are single precision: f is known to about its seventh digit.
                if (sweeps > 1 && f > last + 1e-6 * fabs(last))
                    fail_msg("%s, solver %d: f rises from %.9g to %.9g J in sweep %d", KINDS[k].name, s, last, f,
                             sweeps);
                last = f;
            }
            assert_true(first < 0.0 && last < first);  // no impulse at all has f = 0
            scr_world_destroy(world);
        }
    }
}

static void impulses_stay_in_their_cones(void **state)
{
    (void)state;
    for (int solver = SCR_SOLVER_AGS; solver <= SCR_SOLVER_APGD; ++solver) {
        for (int k = 0; k < KIND_COUNT; ++k) {
            if (KINDS[k].cohesion > 0.0) continue;  // they pull
            scr_world_def def = solver_def((scr_solver_kind)solver, 7, 0.0, KINDS[k].rigid);
            scr_world *world = pile(&def, &KINDS[k], 0);
            int64_t pushing = 0;
            for (int t = 0; t < 5; ++t) {
                step(world, 1);
                for (int64_t i = 0; i < contact_count(world); ++i) {
                    one_contact c = contact_at(world, i);
                    double normal = vec3_dot(c.force, c.normal), size = vec3_norm(c.force);
                    double tangent = vec3_norm(vec3_add_scaled(c.force, -normal, c.normal));
                    assert_at_most(-normal, 1e-6 * size);
                    assert_at_most(tangent - KINDS[k].friction * normal, 1e-6 * size);
                    pushing += normal > 0.0;
                }
            }
            assert_true(pushing > 50);
            scr_world_destroy(world);
        }
    }
}

// ---- more contacts on a body than colours ----

enum { SIDE = 12 };  // spheres under a plate, along each edge

// A plate, heavy, on side x side spheres on a floor.
static scr_world *plate_on_spheres(const scr_world_def *def, int side, scr_body *plate, scr_body *ground)
{
    const double r = 0.02, width = 2.2 * r * side;
    scr_world *world = make_world(def);
    scr_material material = add_material(world, 0.5, 0.0);
    *ground = add_floor(world, material);
    for (int k = 0; k < side * side; ++k)
        add_sphere(world, material, r, vec3(2.2 * r * (k % side + 0.5), 2.2 * r * (k / side + 0.5), r),
                   vec3(0.0, 0.0, 0.0));
    *plate = add_box(world, material, vec3(0.5 * width, 0.5 * width, 0.02),
                     vec3(0.5 * width, 0.5 * width, 2.0 * r + 0.02), vec3(0.0, 0.0, 0.0));
    return world;
}

static void a_plate_on_many_spheres_is_carried(void **state)
{
    (void)state;
    scr_world_def def = solver_def(SCR_SOLVER_AGS, 300, 1e-3, false);
    scr_body plate, ground;
    scr_world *world = plate_on_spheres(&def, SIDE, &plate, &ground);
    step(world, 150);
    int64_t on_plate = 0;
    for (int64_t i = 0; i < contact_count(world); ++i) {
        one_contact c = contact_at(world, i);
        on_plate += c.a.index1 == plate.index1 || c.b.index1 == plate.index1;
    }
    assert_true(on_plate > 100);
    assert_near(contact_force_on(world, plate).z, GRAVITY * scr_body_mass(world, plate), 1e-3);
    assert_near(-contact_force_on(world, ground).z, GRAVITY * total_mass(world), 1e-3);
    assert_at_most(vec3_norm(state_of(world, plate).velocity), 1e-4);
    scr_world_destroy(world);
}

// A ball on points of its own lower half.
static scr_world *ball_on_points(const scr_world_def *def, scr_body_kind kind, scr_body *heavy)
{
    const double big = 0.5, small = 0.02;
    scr_world *world = make_world(def);
    scr_material material = add_material(world, 0.5, 0.0);
    *heavy = add_sphere(world, material, big, vec3(0.0, 0.0, 1.0), vec3(0.0, 0.0, -0.2));
    for (int k = 0; k < 150; ++k) {  // a spiral of Fibonacci's angle over the cap below
        double down = 1.0 - 0.5 * (k + 0.5) / 150.0, across = sqrt(1.0 - down * down), angle = 2.39996322972865 * k;
        scr_vec3 direction = vec3(across * cos(angle), across * sin(angle), -down);
        scr_vec3 at = vec3_add_scaled(vec3(0.0, 0.0, 1.0), big + small, direction);
        add_shape(world, kind, scr_sphere(small, material), at,
                  vec3_scale(kind == SCR_DYNAMIC ? -0.5 : 0.0, direction));
    }
    return world;
}

static void a_ball_on_many_points_is_carried(void **state)
{
    (void)state;
    scr_world_def def = solver_def(SCR_SOLVER_AGS, 300, 1e-4, false);
    scr_body heavy;
    scr_world *world = ball_on_points(&def, SCR_FIXED, &heavy);
    step(world, 200);
    assert_true(contact_count(world) > 100);
    assert_near(contact_force_on(world, heavy).z, GRAVITY * scr_body_mass(world, heavy), 1e-3);
    assert_at_most(vec3_norm(state_of(world, heavy).velocity), 1e-4);
    scr_world_destroy(world);
}

// The overflow is solved as everything else is: the same answer as that of the solver that needs no colours. A body's
// velocity is summed in single precision over all its contacts, which bounds the agreement: 0.1 % of what gravity does.
static void the_overflow_gives_the_same_answer(void **state)
{
    (void)state;
    for (int scene = 0; scene < 2; ++scene) {
        scr_world *world[2];
        for (int way = 0; way < 2; ++way) {
            scr_world_def def = way == 0 ? solver_def(SCR_SOLVER_APGD, 3000, 1e-10, false)
                                         : solver_def(SCR_SOLVER_AGS, 1000, 0.0, false);
            scr_body body, ground;
            world[way] =
                scene == 0 ? plate_on_spheres(&def, SIDE, &body, &ground) : ball_on_points(&def, SCR_DYNAMIC, &body);
            step(world[way], 1);
        }
        double speed, difference = velocity_difference(world[0], world[1], &speed);
        print_message("%s: %.1e m/s at %.1e m/s\n", scene == 0 ? "plate" : "ball", difference, speed);
        assert_at_most(difference, scene == 0 ? 1e-3 * GRAVITY * 1e-3 : 1e-5 * speed);
        scr_world_destroy(world[0]);
        scr_world_destroy(world[1]);
    }
}

static void the_overflow_has_the_same_bits_for_any_thread_count(void **state)
{
    (void)state;
    const scr_solver_kind solvers[] = {SCR_SOLVER_AGS, SCR_SOLVER_APGD};
    for (int s = 0; s < 2; ++s) {
        uint64_t hash = 0;
        for (int variant = 0; variant < 5; ++variant) {
            scr_world_def def = solver_def(solvers[s], 6, 0.0, false);
            def.thread_count = variant < 4 ? variant + 1 : 3;
            def.instruction_set = variant == 4 ? SCR_PLAIN : SCR_BEST;
            scr_body plate, ground;
            scr_world *world = plate_on_spheres(&def, 41, &plate, &ground);  // 1681 spheres: four threads are used
            step(world, 4);
            if (variant == 0) hash = scr_world_hash(world);
            assert_true(scr_world_hash(world) == hash);
            scr_world_destroy(world);
        }
    }
}

// Sums are made in blocks of bodies and of turning parts: more than a few blocks of both.
static void thousands_of_boxes_are_solved(void **state)
{
    (void)state;
    scr_world_def def = solver_def(SCR_SOLVER_AGS, 4, 0.0, false);
    scr_world *world = make_world(&def);
    scr_material material = add_material(world, 0.5, 0.0);
    add_floor(world, material);
    for (int k = 0; k < 10000; ++k)
        add_box(world, material, vec3(0.1, 0.1, 0.1), vec3(0.3 * (k % 100), 0.3 * (k / 100), 0.1), vec3(0.0, 0.0, 0.0));
    step(world, 2);
    assert_int_equal(contact_count(world), 40000);
    scr_world_destroy(world);
}

// ---- the smallest problems ----

static void nothing_to_solve_is_no_trouble(void **state)
{
    (void)state;
    for (int solver = SCR_SOLVER_AGS; solver <= SCR_SOLVER_APGD; ++solver) {
        scr_world_def def = solver_def((scr_solver_kind)solver, 1, 0.0, false);
        scr_world *world = make_world(&def);
        scr_accuracy accuracy = {1.0, 1.0};
        step(world, 3);  // no bodies
        scr_material material = add_material(world, 0.5, 0.0);
        add_floor(world, material);
        step(world, 3);  // nothing that moves
        scr_body body = add_sphere(world, material, 0.1, vec3(0.0, 0.0, 5.0), vec3(0.0, 0.0, 0.0));
        step(world, 3);  // nothing that touches
        assert_int_equal(contact_count(world), 0);
        assert_ok(scr_world_accuracy(world, &accuracy, &error));
        assert_true(accuracy.residual == 0.0 && accuracy.cone_violation == 0.0);
        assert_near(state_of(world, body).velocity.z, -3.0 * GRAVITY * 1e-3, 1e-14);
        scr_world_destroy(world);
    }
}

// A rigid ball that touches a floor in a frictionless world stops dead in one iteration; with friction its sliding
// contact keeps 5/7 of the speed at most.
static void one_contact_is_solved_at_once(void **state)
{
    (void)state;
    for (int solver = SCR_SOLVER_AGS; solver <= SCR_SOLVER_GS; ++solver) {
        scr_world_def def = solver_def((scr_solver_kind)solver, 1, 0.0, true);
        scr_world *world = make_world(&def);
        scr_material material = add_material(world, 0.0, 0.0);
        add_floor(world, material);
        scr_body body = add_sphere(world, material, 0.1, vec3(0.0, 0.0, 0.1), vec3(2.0, 0.0, -3.0));
        step(world, 1);
        scr_step_report report = scr_world_report(world);
        assert_int_equal(report.iterations, 1);
        assert_int_equal(report.contact_count, 1);
        assert_int_equal(report.touching_count, 1);
        assert_within(state_of(world, body).velocity.z, 0.0, 3.0 * 1e-6);
        assert_near(state_of(world, body).velocity.x, 2.0, 1e-12);
        double impulse = scr_body_mass(world, body) * (3.0 + GRAVITY * 1e-3);
        assert_near(contact_at(world, 0).force.z * -1e-3, impulse, 1e-6);  // on the floor, which is b
        scr_world_destroy(world);
    }
}

static void an_iteration_count_is_kept(void **state)
{
    (void)state;
    const int counts[] = {1, 2, 3, 255, 256, 257, 300};
    for (int solver = SCR_SOLVER_AGS; solver <= SCR_SOLVER_GS; ++solver) {
        for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
            scr_world_def def = solver_def((scr_solver_kind)solver, counts[k], 0.0, false);
            scr_world *world = pile(&def, &KINDS[2], 3);
            step(world, 1);
            assert_int_equal(scr_world_report(world).iterations, counts[k]);
            scr_world_destroy(world);
        }
        scr_world_def def = solver_def((scr_solver_kind)solver, 5000, 1e-3, false);
        scr_world *world = pile(&def, &KINDS[2], 3);
        step(world, 1);
        assert_true(scr_world_report(world).iterations < 500 && scr_world_report(world).change <= 1e-3);
        scr_world_destroy(world);
    }
}

// ---- contacts packed lane by lane ----

static double largest_size(const float *v, int count)
{
    double largest = 0.0;
    for (int k = 0; k < count; ++k) largest = fmax(largest, fabs((double)v[k]));
    return largest;
}

static void assert_lanes_alike(const float *a, const float *b, int count, double least, const char *what)
{
    double slack = 1e-5 * fmax(least, largest_size(b, count));
    for (int k = 0; k < count; ++k)
        if (!(fabs((double)a[k] - (double)b[k]) <= slack))
            fail_msg("%s: %g in lanes, %g one by one", what, (double)a[k], (double)b[k]);
}

#define ASSERT_MEMBER_ALIKE(a, b, member, least)                                                                       \
    assert_lanes_alike((const float *)(a)->member, (const float *)(b)->member,                                         \
                       (int)(sizeof(b)->member / sizeof(float)), (least), #member)

static void assert_bundles_alike(const general_bundle *a, const general_bundle *b)
{
    assert_memory_equal(a->a, b->a, sizeof a->a);
    assert_memory_equal(a->b, b->b, sizeof a->b);
    ASSERT_MEMBER_ALIKE(a, b, n, 1.0);
    ASSERT_MEMBER_ALIKE(a, b, angular_a, 0.0);
    ASSERT_MEMBER_ALIKE(a, b, angular_b, 0.0);
    ASSERT_MEMBER_ALIKE(a, b, r, 0.01);
    ASSERT_MEMBER_ALIKE(a, b, block, 0.0);
    ASSERT_MEMBER_ALIKE(a, b, cn, 0.0);
    ASSERT_MEMBER_ALIKE(a, b, ct, 0.0);
    ASSERT_MEMBER_ALIKE(a, b, compliance_n, 0.0);
    ASSERT_MEMBER_ALIKE(a, b, compliance_t, 0.0);
    ASSERT_MEMBER_ALIKE(a, b, kappa, 0.0);
    ASSERT_MEMBER_ALIKE(a, b, mu, 0.0);
    ASSERT_MEMBER_ALIKE(a, b, apex, 0.0);
    ASSERT_MEMBER_ALIKE(a, b, g, 0.0);
}

static void general_contacts_are_packed_as_one_by_one(void **state)
{
    (void)state;
    scr_world_def def = mixed_def(2);
    scr_world *world = mixed_world(&def, 2000);
    step(world, 100);
    assert_ok(plain_contacts_open(world, &error));
    plain_contacts_open_rows(world);
    contact_system system = world_contact_system(world);
    problem alone = {0}, plain = {0};
    assert_non_null(system.general_rows);
    assert_ok(problem_build(&world->problem, &system, &error));
    world->def.instruction_set = SCR_PLAIN;
    assert_ok(problem_build(&plain, &system, &error));
    system.general_rows = NULL;
    assert_ok(problem_build(&alone, &system, &error));
    int64_t count = world->problem.general.bundle_count;
    assert_true(count > 20);
    assert_int_equal(plain.general.bundle_count, count);
    assert_int_equal(alone.general.bundle_count, count);
    for (int64_t k = 0; k < count; ++k) {
        assert_memory_equal(&world->problem.general_bundle[k], &plain.general_bundle[k], sizeof(general_bundle));
        assert_bundles_alike(&world->problem.general_bundle[k], &alone.general_bundle[k]);
    }
    problem_free(&alone);
    problem_free(&plain);
    scr_world_destroy(world);
}

static int64_t record_count_of(const problem *p) { return p->general_copies + p->general.copy_count; }

// One sweep over all groups whose bundles share no body, into copies of the problem's bundles and records.
static void sweep_copies(const problem *p, const sweep_kernels *kernels, bool is_apart, general_bundle *bundle,
                         wide_record *record, sweep_sums *sums)
{
    const sweep_mode mode = {.relaxation = 1.2f, .accelerated = true, .sums = true, .is_apart = is_apart};
    const contact_order *order = &p->general;
    memcpy(bundle, p->general_bundle, (size_t)order->bundle_count * sizeof *bundle);
    memcpy(record, p->record, (size_t)record_count_of(p) * sizeof *record);
    for (int64_t g = 0; g < order->group_count; ++g) {
        const bundle_group *group = &order->group[g];
        if (group->first_copy < group->last_copy) continue;
        kernels->general->sweep(bundle + group->first_bundle, group->last_bundle - group->first_bundle, record, &mode,
                                &sums[g]);
    }
}

static void bundles_abreast_have_the_bits_of_one_after_the_other(void **state)
{
    (void)state;
    scr_world_def def = mixed_def(2);
    scr_world *world = mixed_world(&def, 2000);
    step(world, 100);
    const problem *p = &world->problem;
    size_t bundles = (size_t)p->general.bundle_count * sizeof(general_bundle),
           records = (size_t)record_count_of(p) * sizeof(wide_record);
    general_bundle *abreast = aligned_alloc(32, bundles), *in_turn = aligned_alloc(32, bundles);
    wide_record *record_abreast = aligned_alloc(32, records), *record_in_turn = aligned_alloc(32, records);
    const sweep_kernels *best = KERNEL_TO_AVX512_FOR(true, sweep_kernels),
                        *simple = KERNEL_TO_AVX512_FOR(false, sweep_kernels);
    size_t groups = (size_t)p->general.group_count;
    sweep_sums *sums_abreast = calloc(groups, sizeof *sums_abreast),
               *sums_in_turn = calloc(groups, sizeof *sums_in_turn);
    sweep_copies(p, best, true, abreast, record_abreast, sums_abreast);
    sweep_copies(p, simple, false, in_turn, record_in_turn, sums_in_turn);
    assert_memory_equal(sums_abreast, sums_in_turn, groups * sizeof *sums_abreast);
    assert_memory_equal(abreast, in_turn, bundles);
    assert_memory_equal(record_abreast, record_in_turn, records);
    assert_true(memcmp(record_abreast, p->record, records) != 0);
    free(abreast), free(in_turn), free(record_abreast), free(record_in_turn), free(sums_abreast), free(sums_in_turn);
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_solvers_reach_one_answer),
        cmocka_unit_test(the_residual_goes_to_nothing),
        cmocka_unit_test(no_sweep_raises_the_energy),
        cmocka_unit_test(impulses_stay_in_their_cones),
        cmocka_unit_test(a_plate_on_many_spheres_is_carried),
        cmocka_unit_test(a_ball_on_many_points_is_carried),
        cmocka_unit_test(the_overflow_gives_the_same_answer),
        cmocka_unit_test(the_overflow_has_the_same_bits_for_any_thread_count),
        cmocka_unit_test(thousands_of_boxes_are_solved),
        cmocka_unit_test(nothing_to_solve_is_no_trouble),
        cmocka_unit_test(one_contact_is_solved_at_once),
        cmocka_unit_test(an_iteration_count_is_kept),
        cmocka_unit_test(general_contacts_are_packed_as_one_by_one),
        cmocka_unit_test(bundles_abreast_have_the_bits_of_one_after_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
