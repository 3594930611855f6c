// SPDX-License-Identifier: BSD-3-Clause
// Coulomb friction against closed form: sticking and sliding on an incline, sliding distance, slide to roll, belts.
//
// An incline is a floor under tilted gravity. The cone complementarity law lets a contact that slides at speed u hover
// at a gap of h mu u; bodies that begin by sliding are put there, others settle first.
#include "dynamics/physics.h"

static const scr_vec3 ZERO = {0.0, 0.0, 0.0};

static scr_vec3 tilted(double slope)  // gravity on a floor of that slope, downhill along x
{
    double c = 1.0 / sqrt(1.0 + slope * slope);
    return vec3(GRAVITY * slope * c, 0.0, -GRAVITY * c);
}

static scr_world_def inclined(double slope, double h)
{
    scr_world_def def = scr_default_world_def();
    def.gravity = tilted(slope);
    def.time_step = h;
    return def;
}

static const scr_vec3 BLOCK = {0.1, 0.08, 0.03};  // m, half edges: flat enough not to tip over

typedef struct ride {
    double way, speed;
} ride;

typedef struct slope_test {
    ride tilt;  // the first 0.2 s after the tilt: corners take up their load, contacts lean
    ride then;  // the way, and the gain of speed, in the second after that
} slope_test;

// A block that rests on a level floor, which is then tilted at once.
static slope_test block_on_slope(double slope, double mu, bool rigid, double tolerance)
{
    scr_world_def def = inclined(0.0, 1e-3);
    def.contact.law = rigid ? SCR_RIGID : SCR_COMPLIANT;
    def.solver.tolerance = tolerance;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, mu, 0.0);
    add_floor(world, stone);
    scr_body block = add_box(world, stone, BLOCK, vec3(0.0, 0.0, BLOCK.z), ZERO);
    step(world, 200);
    scr_world_set_gravity(world, tilted(slope), NULL);
    scr_body_state at[3] = {state_of(world, block)};
    step(world, 200);
    at[1] = state_of(world, block);
    step(world, 1000);
    at[2] = state_of(world, block);
    scr_world_destroy(world);
    return (slope_test){{at[1].position.x - at[0].position.x, at[1].velocity.x},
                        {at[2].position.x - at[1].position.x, at[2].velocity.x - at[1].velocity.x}};
}

static const double FRICTION[] = {0.3, 0.5, 0.8};
enum { FRICTION_COUNT = 3 };

// While the block leans on its corners it gives way by as much as they yield and the solver's tolerance lets it; then
// it stands. An elastic corner yields by F/k, k = 1/(h^2 eps a_t): about 1e-8 m here.
static void a_block_sticks_just_below_the_friction_angle(void **state)
{
    (void)state;
    for (int k = 0; k < FRICTION_COUNT; ++k) {
        for (int rigid = 0; rigid <= 1; ++rigid) {
            slope_test plain = block_on_slope(0.999 * FRICTION[k], FRICTION[k], rigid, 1e-4);
            assert_within(plain.tilt.way, 0.0, 1e-5);
            assert_within(plain.then.way, 0.0, 1e-7);
            assert_within(plain.then.speed, 0.0, 1e-7);
            slope_test exact = block_on_slope(0.999 * FRICTION[k], FRICTION[k], rigid, 3e-5);
            assert_within(exact.tilt.way, 0.0, 1e-7);
            assert_within(exact.then.way, 0.0, 1e-8);
        }
    }
}

static double sliding_acceleration(double slope, double mu)
{
    return GRAVITY * (slope - mu) / sqrt(1.0 + slope * slope);
}

static void a_block_slides_just_above_the_friction_angle(void **state)
{
    (void)state;
    const double steeper[] = {1.001, 1.1, 1.5};
    for (int k = 0; k < FRICTION_COUNT; ++k) {
        for (int s = 0; s < 3; ++s) {
            for (int rigid = 0; rigid <= 1; ++rigid) {
                double slope = steeper[s] * FRICTION[k], a = sliding_acceleration(slope, FRICTION[k]);
                slope_test slide = block_on_slope(slope, FRICTION[k], rigid, 1e-3);
                assert_near(slide.then.speed, a, 0.001);
            }
        }
    }
}

// A solid sphere needs friction 2/7 m g sin to roll: it rolls while tan <= 7/2 mu.
static ride sphere_on_slope(double slope, double mu, double seconds, double *slip)
{
    const double radius = 0.05;
    scr_world_def def = inclined(slope, 1e-3);
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, mu, 0.0);
    add_floor(world, stone);
    scr_body ball = add_sphere(world, stone, radius, vec3(0.0, 0.0, radius), ZERO);
    step(world, (int)lround(seconds / def.time_step));
    scr_body_state now = state_of(world, ball);
    *slip = now.velocity.x - now.spin.y * radius;
    scr_world_destroy(world);
    return (ride){now.position.x, now.velocity.x};
}

static void a_sphere_rolls_below_seven_halves_mu(void **state)
{
    (void)state;
    const double friction[] = {0.1, 0.3, 0.5};
    for (int k = 0; k < 3; ++k) {
        double slope = 0.999 * 3.5 * friction[k], slip, a = 5.0 / 7.0 * GRAVITY * slope / sqrt(1.0 + slope * slope);
        ride roll = sphere_on_slope(slope, friction[k], 1.0, &slip);
        assert_within(slip, 0.0, 1e-5 * a);
        assert_near(roll.speed, a, 1e-5);
        assert_near(roll.way, 0.5 * a, 0.0011);  // semi-implicit Euler: h/t too far
    }
}

static void a_sphere_slips_above_seven_halves_mu(void **state)
{
    (void)state;
    const double friction[] = {0.1, 0.3, 0.5};
    for (int k = 0; k < 3; ++k) {
        double mu = friction[k], slope = 1.001 * 3.5 * mu, slip;
        ride slide = sphere_on_slope(slope, mu, 1.0, &slip);
        double slip_rate = sliding_acceleration(slope, 3.5 * mu);  // g (sin - 7/2 mu cos)
        assert_near(slip, slip_rate, 0.02);
        assert_near(slide.speed, sliding_acceleration(slope, mu), 1e-3);
    }
}

static double slide_block_until_rest(double v, double mu, double h)
{
    scr_world_def def = inclined(0.0, h);
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, mu, 0.0);
    add_floor(world, stone);
    scr_body block = add_box(world, stone, BLOCK, vec3(0.0, 0.0, BLOCK.z + h * mu * v), vec3(v, 0.0, 0.0));
    step(world, (int)lround(1.2 * v / (mu * GRAVITY) / h));
    scr_body_state end = state_of(world, block);
    assert_within(end.velocity.x, 0.0, 1e-6);
    assert_within(end.position.y, 0.0, 1e-3);
    scr_world_destroy(world);
    return end.position.x;
}

static void a_block_slides_v2_over_2_mu_g(void **state)
{
    (void)state;
    assert_near(slide_block_until_rest(2.0, 0.5, 1e-3), 4.0 / (2.0 * 0.5 * GRAVITY), 0.005);
    assert_near(slide_block_until_rest(5.0, 0.5, 1e-3), 25.0 / (2.0 * 0.5 * GRAVITY), 0.005);
    assert_near(slide_block_until_rest(3.0, 0.2, 1e-3), 9.0 / (2.0 * 0.2 * GRAVITY), 0.005);
}

// With Coulomb's own law nothing hovers: a block that slides stays on the floor, where the convex law lifts it to h mu
// v.
typedef struct glide {
    // m above where it rests; m/s^2, mean over the run; its largest deviation in a step
    double height, deceleration, spread;
} glide;

static glide glide_of_block(scr_friction_law friction, bool rigid, scr_solver_kind solver)
{
    const double v = 4.0, mu = 0.5, h = 1e-3;
    enum { STEPS = 200 };
    scr_world_def def = inclined(0.0, h);
    def.contact.friction = friction;
    def.contact.law = rigid ? SCR_RIGID : SCR_COMPLIANT;
    def.solver.kind = solver;
    def.solver.tolerance = 1e-8;
    def.solver.max_iterations = 2000;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, mu, 0.0);
    add_floor(world, stone);
    scr_body block = add_box(world, stone, BLOCK, vec3(0.0, 0.0, BLOCK.z), ZERO);
    step(world, 100);
    scr_body_state rest = state_of(world, block), now = rest;
    now.velocity = vec3(v, 0.0, 0.0);
    set_state(world, block, now);
    glide g = {0};
    for (int k = 0; k < STEPS; ++k) {
        double before = state_of(world, block).velocity.x;
        step(world, 1);
        now = state_of(world, block);
        g.height = fmax(g.height, now.position.z - rest.position.z);
        if (k >= STEPS / 4) g.spread = fmax(g.spread, fabs((before - now.velocity.x) / h - mu * GRAVITY));
    }
    scr_accuracy accuracy;
    assert_ok(scr_world_accuracy(world, &accuracy, &error));
    assert_at_most(scr_world_report(world).force_error, 1e-4);
    g.deceleration = (v - now.velocity.x) / (STEPS * h);
    scr_world_destroy(world);
    return g;
}

static void coulomb_friction_lets_nothing_hover(void **state)
{
    (void)state;
    const double hover = 1e-3 * 0.5 * 4.0;  // h mu v
    for (int rigid = 0; rigid <= 1; ++rigid) {
        for (scr_solver_kind solver = SCR_SOLVER_AGS; solver <= SCR_SOLVER_GS; ++solver) {
            glide exact = glide_of_block(SCR_FRICTION_COULOMB, rigid, solver);
            print_message("rigid %d, solver %d: rises %.1e m, slows at %.6g m/s^2, within %.1e in every step\n", rigid,
                          (int)solver, exact.height, exact.deceleration, exact.spread);
            assert_at_most(exact.height, 0.005 * hover);
            assert_near(exact.deceleration, 0.5 * GRAVITY, 1e-3);
            assert_at_most(exact.spread, 0.01 * GRAVITY);
        }
    }
    // It gets there slowly, while it is slowed down to 3 m/s: hover.c.
    assert_true(glide_of_block(SCR_FRICTION_CONVEX, true, SCR_SOLVER_AUTO).height > 0.75 * hover);
}

// At rest both laws are one: a sphere on two others and a floor, none of which slides, moves alike under both.
static void both_laws_agree_at_rest(void **state)
{
    (void)state;
    scr_vec3 at[2];
    for (int law = SCR_FRICTION_CONVEX; law <= SCR_FRICTION_COULOMB; ++law) {
        const double r = 0.05;
        scr_world_def def = inclined(0.0, 1e-3);
        def.contact.friction = (scr_friction_law)law;
        def.solver.tolerance = 1e-8;
        def.solver.max_iterations = 5000;
        scr_world *world = make_world(&def);
        scr_material stone = add_material(world, 0.8, 0.0);
        add_floor(world, stone);
        add_sphere(world, stone, r, vec3(-r, 0.0, r), ZERO);
        add_sphere(world, stone, r, vec3(r, 0.0, r), ZERO);
        scr_body top = add_sphere(world, stone, r, vec3(0.0, 0.0, r + sqrt(3.0) * r), ZERO);
        step(world, 200);
        at[law] = state_of(world, top).position;
        assert_within(vec3_norm(state_of(world, top).velocity), 0.0, 1e-5);
        scr_world_destroy(world);
    }
    assert_within3(at[SCR_FRICTION_COULOMB], at[SCR_FRICTION_CONVEX], 1e-8);
}

typedef struct roll {
    double speed, spin_speed, way;
} roll;

static roll slide_sphere(double v, double mu, double seconds, double h, bool rigid)
{
    const double radius = 0.05;
    scr_world_def def = inclined(0.0, h);
    def.contact.law = rigid ? SCR_RIGID : SCR_COMPLIANT;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, mu, 0.0);
    add_floor(world, stone);
    scr_body ball = add_sphere(world, stone, radius, vec3(0.0, 0.0, radius + h * mu * v), vec3(v, 0.0, 0.0));
    step(world, (int)lround(seconds / h));
    scr_body_state end = state_of(world, ball);
    scr_world_destroy(world);
    return (roll){end.velocity.x, end.spin.y * radius, end.position.x};
}

// Sliding ends at t = 2 v / (7 mu g) with 5/7 of the speed, after 12/49 v^2 / (mu g).
static void a_sliding_sphere_ends_rolling_at_five_sevenths(void **state)
{
    (void)state;
    const double v = 2.0, mu = 0.4, h = 1e-4, slide_time = 2.0 * v / (7.0 * mu * GRAVITY);
    for (int rigid = 0; rigid <= 1; ++rigid) {
        roll half = slide_sphere(v, mu, 0.5 * slide_time, h, rigid),
             end = slide_sphere(v, mu, 3.0 * slide_time, h, rigid);
        assert_near(half.speed, 6.0 / 7.0 * v, 1e-3);
        assert_near(half.spin_speed, 2.5 / 7.0 * v, 1e-3);
        assert_near(end.speed, 5.0 / 7.0 * v, 1e-3);
        assert_near(end.spin_speed, 5.0 / 7.0 * v, 1e-3);
        assert_near(end.way, 12.0 / 49.0 * v * v / (mu * GRAVITY) + 5.0 / 7.0 * v * 2.0 * slide_time, 1e-3);
    }
}

// The whole way of the sliding and rolling sphere, against closed form, for h, h/2 and h/4.
static double slide_and_roll_error(double h)
{
    const double v = 2.0, mu = 0.4, seconds = 0.256, slide_time = 2.0 * v / (7.0 * mu * GRAVITY);
    double exact = 12.0 / 49.0 * v * v / (mu * GRAVITY) + 5.0 / 7.0 * v * (seconds - slide_time);
    return slide_sphere(v, mu, seconds, h, true).way - exact;
}

static void the_error_of_sliding_and_rolling_halves_with_h(void **state)
{
    (void)state;
    double coarse = slide_and_roll_error(1e-3), middle = slide_and_roll_error(5e-4),
           fine = slide_and_roll_error(2.5e-4);
    assert_within(coarse / middle, 2.0, 0.2);
    assert_within(middle / fine, 2.0, 0.2);
}

// A belt is a kinematic body. What lies on it is dragged by mu g until it goes along.
static void a_belt_drags_a_block(void **state)
{
    (void)state;
    const double mu = 0.4, belt_speed = 1.0, h = 1e-3;
    scr_world_def def = inclined(0.0, h);
    scr_world *world = make_world(&def);
    scr_material rubber = add_material(world, mu, 0.0);
    scr_body belt = add_shape(world, SCR_KINEMATIC, scr_box(vec3(5.0, 1.0, 0.1), rubber), vec3(0.0, 0.0, -0.1),
                              vec3(belt_speed, 0.0, 0.0));
    scr_body block = add_box(world, rubber, BLOCK, vec3(0.0, 0.0, BLOCK.z + h * mu * belt_speed), ZERO);
    step(world, 100);
    assert_near(state_of(world, block).velocity.x, mu * GRAVITY * 0.1, 0.005);
    assert_near(contact_force_on(world, belt).x, -mu * GRAVITY * scr_body_mass(world, block), 0.005);
    step(world, 400);
    assert_near(state_of(world, block).velocity.x, belt_speed, 1e-5);
    double start = state_of(world, block).position.x;
    step(world, 500);
    assert_near(state_of(world, block).position.x - start, 0.5 * belt_speed, 1e-5);
    assert_near(state_of(world, belt).position.x, belt_speed * scr_world_time(world), 1e-12);  // nothing slows it
    scr_world_destroy(world);
}

static void a_turning_table_carries_a_block_round(void **state)
{
    (void)state;
    const double spin = 1.0, arm = 0.5;  // needs w^2 r / g = 0.05 of friction
    scr_world_def def = inclined(0.0, 1e-3);
    scr_world *world = make_world(&def);
    scr_material rubber = add_material(world, 0.5, 0.0);
    scr_shape plane = scr_plane(rubber);
    scr_body_def table = scr_default_body_def();
    table.kind = SCR_KINEMATIC;
    table.spin = vec3(0.0, 0.0, spin);
    table.shapes = &plane;
    table.shape_count = 1;
    add_body(world, &table);
    scr_body block = add_box(world, rubber, BLOCK, vec3(arm, 0.0, BLOCK.z), vec3(0.0, spin * arm, 0.0));
    scr_body_state start = state_of(world, block);
    start.spin = vec3(0.0, 0.0, spin);
    set_state(world, block, start);
    step(world, 1571);  // a quarter turn
    scr_body_state end = state_of(world, block);
    assert_near(hypot(end.position.x, end.position.y), arm, 0.005);
    assert_near(atan2(end.position.y, end.position.x), spin * 1.571, 0.005);
    assert_near(end.spin.z, spin, 0.005);
    scr_world_destroy(world);
}

// Friction of a pair: given for it, or the geometric mean of the two.
static double block_speed_with_pair(double mu_block, double mu_floor, double given, double slope)
{
    scr_world_def def = inclined(slope, 1e-3);
    scr_world *world = make_world(&def);
    scr_material a = add_material(world, mu_block, 0.0), b = add_material(world, mu_floor, 0.0);
    scr_material_pair_def pair = scr_default_material_pair_def();
    pair.friction = given;
    if (given >= 0.0) assert_ok(scr_world_pair_materials(world, b, a, &pair, &error));
    add_floor(world, b);
    scr_body block = add_box(world, a, BLOCK, vec3(0.0, 0.0, BLOCK.z), ZERO);
    step(world, 1000);
    double speed = state_of(world, block).velocity.x;
    scr_world_destroy(world);
    return speed;
}

static void a_pair_of_materials_has_its_own_friction(void **state)
{
    (void)state;
    const double slope = 0.5;
    assert_near(block_speed_with_pair(0.1, 0.4, -1.0, slope), sliding_acceleration(slope, 0.2),
                0.005);  // sqrt(0.1 0.4)
    assert_near(block_speed_with_pair(0.9, 0.9, 0.25, slope), sliding_acceleration(slope, 0.25), 0.005);
    assert_near(block_speed_with_pair(0.9, 0.9, 0.0, slope), sliding_acceleration(slope, 0.0), 0.005);
    assert_within(block_speed_with_pair(0.1, 0.1, 0.6, slope), 0.0, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_sticks_just_below_the_friction_angle),
        cmocka_unit_test(a_block_slides_just_above_the_friction_angle),
        cmocka_unit_test(a_sphere_rolls_below_seven_halves_mu),
        cmocka_unit_test(a_sphere_slips_above_seven_halves_mu),
        cmocka_unit_test(a_block_slides_v2_over_2_mu_g),
        cmocka_unit_test(coulomb_friction_lets_nothing_hover),
        cmocka_unit_test(both_laws_agree_at_rest),
        cmocka_unit_test(a_sliding_sphere_ends_rolling_at_five_sevenths),
        cmocka_unit_test(the_error_of_sliding_and_rolling_halves_with_h),
        cmocka_unit_test(a_belt_drags_a_block),
        cmocka_unit_test(a_turning_table_carries_a_block_round),
        cmocka_unit_test(a_pair_of_materials_has_its_own_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
