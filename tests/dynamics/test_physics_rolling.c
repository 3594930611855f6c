// SPDX-License-Identifier: BSD-3-Clause
// Friction against rolling and spinning: a ball that slows down, stays on a slope, stops turning, as mechanics has it.
#include "contact_view.h"
#include "copied_world.h"

static const scr_vec3 STILL = {0.0, 0.0, 0.0};
static const double RADIUS = 0.05, ROLLING = 0.1, SPINNING = 0.05;

typedef struct way {
    scr_contact_law law;
    scr_solver_kind solver;
    scr_precision precision;
    scr_friction_law friction;
} way;
static const way WAYS[] = {{SCR_COMPLIANT, SCR_SOLVER_AGS, SCR_PRECISION_USUAL, SCR_FRICTION_CONVEX},
                           {SCR_RIGID, SCR_SOLVER_AGS, SCR_PRECISION_USUAL, SCR_FRICTION_CONVEX},
                           {SCR_COMPLIANT, SCR_SOLVER_GS, SCR_PRECISION_USUAL, SCR_FRICTION_CONVEX},
                           {SCR_COMPLIANT, SCR_SOLVER_APGD, SCR_PRECISION_USUAL, SCR_FRICTION_CONVEX},
                           {SCR_COMPLIANT, SCR_SOLVER_AGS, SCR_PRECISION_DOUBLE, SCR_FRICTION_CONVEX},
                           {SCR_COMPLIANT, SCR_SOLVER_AGS, SCR_PRECISION_DOUBLE, SCR_FRICTION_COULOMB},
                           {SCR_RIGID, SCR_SOLVER_GS, SCR_PRECISION_DOUBLE, SCR_FRICTION_COULOMB}};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS };

static scr_world_def def_of(const way *w)
{
    scr_world_def def = scr_default_world_def();
    def.contact.law = w->law;
    def.contact.friction = w->friction;
    def.solver.kind = w->solver;
    def.solver.precision = w->precision;
    def.solver.tolerance = w->solver == SCR_SOLVER_APGD ? 1e-9 : 1e-6;
    return def;
}

static scr_material add_rough(scr_world *world, double friction)
{
    scr_material_def def = scr_default_material_def();
    scr_material material;
    def.friction = friction;
    def.rolling_friction = ROLLING;
    def.spinning_friction = SPINNING;
    assert_ok(scr_world_add_material(world, &def, &material, &error));
    return material;
}

// m v' = -F, I w' = F R - mu_r R m g, v = R w: v' = -5/7 mu_r g.
static void a_rolling_ball_slows_down_by_five_sevenths(void **state)
{
    (void)state;
    for (int k = 0; k < WAY_COUNT; ++k) {
        scr_world_def def = def_of(&WAYS[k]);
        scr_world *world = make_world(&def);
        scr_material rough = add_rough(world, 0.5);
        scr_body floor = add_floor(world, rough),
                 ball = add_sphere(world, rough, RADIUS, vec3(0.0, 0.0, RADIUS), STILL);
        scr_body_state rolls = state_of(world, ball);
        rolls.velocity = vec3(0.6, 0.8, 0.0);
        rolls.spin = vec3(-0.8 / RADIUS, 0.6 / RADIUS, 0.0);
        set_state(world, ball, rolls);
        step(world, 50);
        double before = vec3_norm(state_of(world, ball).velocity);
        step(world, 200);
        scr_body_state after = state_of(world, ball);
        assert_near((before - vec3_norm(after.velocity)) / (200 * def.time_step), 5.0 / 7.0 * ROLLING * GRAVITY, 2e-3);
        assert_within(after.velocity.x * 0.8 - after.velocity.y * 0.6, 0.0, 1e-4);  // straight on
        scr_vec3 force, torque, weight = vec3(0.0, 0.0, GRAVITY * scr_body_mass(world, ball));
        assert_int_equal(contact_count(world), 1);
        one_contact c = contact_at(world, 0);
        assert_near(vec3_norm(c.torque), ROLLING * RADIUS * weight.z, 5e-3);
        assert_ok(scr_body_contact_force(world, floor, &force, &torque, &error));
        assert_near(force.z, -weight.z, 5e-3);
        scr_world_destroy(world);
    }
}

// It comes to rest and stays there.
static void a_ball_that_has_stopped_rolling_stays(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        scr_world_def def = def_of(&WAYS[k]);
        scr_world *world = make_world(&def);
        scr_material rough = add_rough(world, 0.5);
        add_floor(world, rough);
        scr_body ball = add_sphere(world, rough, RADIUS, vec3(0.0, 0.0, RADIUS), vec3(0.2, 0.0, 0.0));
        step(world, 1000);
        scr_vec3 at = state_of(world, ball).position;
        step(world, 500);
        assert_within3(state_of(world, ball).position, at, 1e-7);
        assert_within3(state_of(world, ball).spin, STILL, 1e-4);
        scr_world_destroy(world);
    }
}

// On a slope it stays while tan(angle) < mu_r; beyond, it goes down with 5/7 g (sin - mu_r cos).
static void a_ball_rolls_down_beyond_the_angle_of_rolling(void **state)
{
    (void)state;
    for (int k = 0; k < WAY_COUNT; ++k) {
        for (int steep = 0; steep <= 1; ++steep) {
            double angle = atan(ROLLING * (steep ? 1.3 : 0.97));
            scr_world_def def = def_of(&WAYS[k]);
            def.gravity = vec3(GRAVITY * sin(angle), 0.0, -GRAVITY * cos(angle));
            scr_world *world = make_world(&def);
            scr_material rough = add_rough(world, 0.5);
            add_floor(world, rough);
            scr_body ball = add_sphere(world, rough, RADIUS, vec3(0.0, 0.0, RADIUS), STILL);
            step(world, 100);
            double before = state_of(world, ball).velocity.x;
            step(world, 200);
            double after = state_of(world, ball).velocity.x;
            double expected = steep ? 5.0 / 7.0 * GRAVITY * (sin(angle) - ROLLING * cos(angle)) : 0.0;
            assert_within((after - before) / (200 * def.time_step), expected, 0.005 * ROLLING * GRAVITY);
            if (!steep) assert_within(after, 0.0, 1e-4);
            scr_world_destroy(world);
        }
    }
}

// I w' = -mu_s R m g: w' = -5/2 mu_s g / R, until it stands.
static void a_ball_that_spins_like_a_top_stops(void **state)
{
    (void)state;
    for (int k = 0; k < WAY_COUNT; ++k) {
        scr_world_def def = def_of(&WAYS[k]);
        scr_world *world = make_world(&def);
        scr_material rough = add_rough(world, 0.5);
        add_floor(world, rough);
        scr_body ball = add_sphere(world, rough, RADIUS, vec3(0.0, 0.0, RADIUS), STILL);
        scr_body_state spins = state_of(world, ball);
        spins.spin = vec3(0.0, 0.0, 8.0);
        set_state(world, ball, spins);
        step(world, 20);
        double before = state_of(world, ball).spin.z;
        step(world, 200);
        assert_near((before - state_of(world, ball).spin.z) / (200 * def.time_step), 2.5 * SPINNING * GRAVITY / RADIUS,
                    2e-3);
        step(world, 300);
        assert_within3(state_of(world, ball).spin, STILL, 1e-3);
        scr_world_destroy(world);
    }
}

// Balls and boxes that fly into each other, turning.
static scr_world *make_crowd(const scr_world_def *def, double friction)
{
    enum { COUNT = 27 };
    scr_world *world = make_world(def);
    scr_material rough = add_rough(world, friction);
    for (uint64_t k = 0; k < COUNT; ++k) {
        scr_vec3 at =
            vec3_scale(2.02 * RADIUS, vec3((double)(k % 3) - 1.0, (double)(k / 3 % 3) - 1.0, (double)(k / 9) - 1.0));
        scr_body_def body = scr_default_body_def();
        scr_shape shape =
            k % 4 == 1 ? scr_box(vec3(0.9 * RADIUS, 0.8 * RADIUS, 0.95 * RADIUS), rough) : scr_sphere(RADIUS, rough);
        body.shapes = &shape;
        body.shape_count = 1;
        body.position = at;
        body.velocity = vec3_scale(-2.0, at);
        body.spin =
            vec3(random_in(-20.0, 20.0, 3 * k), random_in(-20.0, 20.0, 3 * k + 1), random_in(-20.0, 20.0, 3 * k + 2));
        add_body(world, &body);
    }
    return world;
}

static void a_crowd_that_rolls_keeps_momentum(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    def.gravity = STILL;
    for (int k = 0; k <= 1; ++k) {
        scr_world *world = make_crowd(&def, k == 0 ? 0.5 : 0.0);  // without friction, too
        scr_vec3 p = scr_world_momentum(world), l = scr_world_angular_momentum(world);
        double energy = total_energy(world), torque = 0.0;
        for (int n = 0; n < 200; ++n) {
            step(world, 1);
            for (int64_t i = 0; i < contact_count(world); ++i)
                torque = fmax(torque, vec3_norm(contact_at(world, i).torque));
        }
        assert_true(torque > 0.0);
        assert_within3(scr_world_momentum(world), p, 1e-12 * (vec3_norm(p) + 1.0));
        assert_within3(scr_world_angular_momentum(world), l, 1e-12 * (vec3_norm(l) + 1.0));
        assert_at_most(total_energy(world), energy);
        scr_world_destroy(world);
    }
}

// Balls and boxes of a heap in the making, which resist rolling.
static scr_world *make_rolling_heap(const scr_world_def *def, double cohesion)
{
    scr_world *world = make_heap(def);
    scr_material stone = {1};
    scr_material_pair_def pair = scr_default_material_pair_def();
    pair.rolling_friction = ROLLING;
    pair.spinning_friction = SPINNING;
    pair.cohesion = cohesion;
    assert_ok(scr_world_pair_materials(world, stone, stone, &pair, &error));
    return world;
}

// One step of a heap that comes down, from the same state for every solver.
enum { HEAP_BODIES = HEAP + 5 };
typedef struct heap_motion {
    scr_vec3 velocity[HEAP_BODIES], spin[HEAP_BODIES];
    scr_accuracy accuracy;
    int iterations;
} heap_motion;

static heap_motion one_step_of(scr_world *heap, const scr_world_def *def)
{
    heap_motion motion;
    scr_world *world = resumed(heap, def);
    step(world, 1);
    scr_body_view view = scr_world_bodies(world);
    for (int64_t i = 0; i < view.count; ++i) {
        scr_body_state at = state_of(world, view.handle[i]);
        motion.velocity[view.id[i] - 1] = at.velocity, motion.spin[view.id[i] - 1] = at.spin;
    }
    assert_true(scr_world_report(world).touching_count > HEAP / 2);
    assert_ok(scr_world_accuracy(world, &motion.accuracy, &error));
    motion.iterations = scr_world_report(world).iterations;
    scr_world_destroy(world);
    return motion;
}

static scr_world *heap_on_its_way(void)
{
    scr_world_def def = scr_default_world_def();
    scr_world *heap = make_rolling_heap(&def, 0.0);
    step(heap, 100);
    return heap;
}

// Balls and boxes, single and double precision, by sweeps and by gradients: the problem has one answer.
static void solvers_agree_on_who_rolls(void **state)
{
    (void)state;
    scr_world *heap = heap_on_its_way();
    const scr_solver_def ways[] = {
        {.kind = SCR_SOLVER_AGS, .max_iterations = 10000, .tolerance = 1e-10, .precision = SCR_PRECISION_DOUBLE},
        {.kind = SCR_SOLVER_GS, .max_iterations = 50000, .tolerance = 1e-10, .precision = SCR_PRECISION_DOUBLE},
        {.kind = SCR_SOLVER_GS,
         .max_iterations = 50000,
         .tolerance = 1e-10,
         .precision = SCR_PRECISION_DOUBLE,
         .omega = 1.3},
        {.kind = SCR_SOLVER_APGD, .max_iterations = 20000, .tolerance = 1e-9},
        {.kind = SCR_SOLVER_AGS, .max_iterations = 3000, .tolerance = 1e-7}};
    const double apart[] = {0.0, 1e-8, 1e-8, 1e-6, 1e-4};  // m/s
    heap_motion first;
    for (int k = 0; k < (int)(sizeof ways / sizeof *ways); ++k) {
        scr_world_def def = scr_default_world_def();
        def.solver = ways[k];
        heap_motion motion = one_step_of(heap, &def);
        if (k == 0) first = motion;
        for (int i = 0; i < HEAP_BODIES; ++i) {
            assert_within3(motion.velocity[i], first.velocity[i], apart[k]);
            assert_within3(vec3_scale(HEAP_SIZE, motion.spin[i]), vec3_scale(HEAP_SIZE, first.spin[i]), apart[k]);
        }
    }
    scr_world_destroy(heap);
}

// Coulomb's law for g and q alike: what is solved is what is measured, and the sweeps end before they must.
static void coulomb_is_solved_where_rolling_is_resisted(void **state)
{
    (void)state;
    scr_world *heap = heap_on_its_way();
    for (scr_solver_kind kind = SCR_SOLVER_AGS; kind <= SCR_SOLVER_GS; ++kind) {
        scr_world_def def = scr_default_world_def();
        def.contact.friction = SCR_FRICTION_COULOMB;
        // 1e-4 before it is raised for Coulomb's law (force_error.h)
        def.solver = (scr_solver_def){.kind = kind, .max_iterations = 20000, .tolerance = 2.5e-4};
        heap_motion motion = one_step_of(heap, &def);
        assert_at_most(motion.iterations, def.solver.max_iterations - 1);
        assert_at_most(motion.accuracy.residual, 1e-5);
    }
    scr_world_destroy(heap);
}

static uint64_t heap_hash(int threads, scr_instruction_set set, const way *w, bool resume)
{
    scr_world_def def = def_of(w);
    def.thread_count = threads;
    def.instruction_set = set;
    def.solver.max_iterations = 20;
    scr_world *world = make_rolling_heap(&def, 100.0);
    step(world, 70);
    if (resume) {
        scr_world *other = resumed(world, &def);
        scr_world_destroy(world);
        world = other;
    }
    step(world, 30);
    assert_true(scr_world_report(world).touching_count > HEAP / 2);
    uint64_t hash = scr_world_hash(world);
    scr_world_destroy(world);
    return hash;
}

static void a_rolling_heap_has_the_same_bits(void **state)
{
    (void)state;
    const int ways[] = {0, 3, 4, 5};
    for (int k = 0; k < 4; ++k) {
        const way *w = &WAYS[ways[k]];
        uint64_t one = heap_hash(1, SCR_BEST, w, false);
        assert_true(heap_hash(2, SCR_BEST, w, false) == one);
        assert_true(heap_hash(3, SCR_BEST, w, false) == one);
        assert_true(heap_hash(2, SCR_PLAIN, w, false) == one);
        assert_true(heap_hash(1, SCR_BEST, w, true) == one);
    }
}

// Numbers that a scene may hold, sensible or not: nothing becomes a NaN, and nothing flies.
static void no_friction_makes_a_nan(void **state)
{
    (void)state;
    const double values[] = {0.0, 1e-300, 1e-3, 1.0, 1e6, 1e30};
    enum { COUNT = sizeof values / sizeof *values };
    for (int k = 0; k < COUNT * COUNT * 2; ++k) {
        scr_world_def def = scr_default_world_def();
        def.contact.law = k % 2 == 0 ? SCR_COMPLIANT : SCR_RIGID;
        def.contact.damping = k % 3 == 0 ? 1e-3 : 0.0;
        scr_world *world = make_world(&def);
        scr_material_def odd = scr_default_material_def();
        scr_material material;
        odd.friction = values[k / 2 % COUNT];
        odd.rolling_friction = values[k / 2 / COUNT];
        odd.spinning_friction = values[(k / 2 + k / 2 / COUNT) % COUNT];
        odd.cohesion = k % 5 == 0 ? values[k / 2 % COUNT] : 0.0;
        assert_ok(scr_world_add_material(world, &odd, &material, &error));
        add_floor(world, material);
        add_box(world, material, vec3(RADIUS, RADIUS, 0.5 * RADIUS), vec3(0.0, 0.0, 0.5 * RADIUS), vec3(0.1, 0.0, 0.0));
        add_sphere(world, material, RADIUS, vec3(0.0, 0.0, 2.0 * RADIUS), STILL);
        add_sphere(world, material, 0.1 * RADIUS, vec3(3.0 * RADIUS, 0.0, 0.1 * RADIUS), vec3(0.5, 0.0, 0.0));
        step(world, 20);
        assert_at_most(scr_world_report(world).max_speed, 1.0);
        scr_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rolling_ball_slows_down_by_five_sevenths),
        cmocka_unit_test(a_ball_that_has_stopped_rolling_stays),
        cmocka_unit_test(a_ball_rolls_down_beyond_the_angle_of_rolling),
        cmocka_unit_test(a_ball_that_spins_like_a_top_stops),
        cmocka_unit_test(a_crowd_that_rolls_keeps_momentum),
        cmocka_unit_test(solvers_agree_on_who_rolls),
        cmocka_unit_test(coulomb_is_solved_where_rolling_is_resisted),
        cmocka_unit_test(a_rolling_heap_has_the_same_bits),
        cmocka_unit_test(no_friction_makes_a_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
