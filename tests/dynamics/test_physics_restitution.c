// SPDX-License-Identifier: BSD-3-Clause
// Restitution keeps its energy: impacts that follow one upon another within a step, and those that happen at once.
#include "dynamics/physics.h"

static const scr_vec3 STILL = {0.0, 0.0, 0.0};

static scr_vec3 random_vector(double size, uint64_t k)
{
    return vec3(random_in(-size, size, 3 * k), random_in(-size, size, 3 * k + 1), random_in(-size, size, 3 * k + 2));
}

static scr_world *make_space(bool rigid, double h, scr_vec3 gravity)
{
    scr_world_def def = scr_default_world_def();
    def.contact.law = rigid ? SCR_RIGID : SCR_COMPLIANT;
    def.gravity = gravity;
    def.time_step = h;
    return make_world(&def);
}

// A closed box with 500 balls that fly about.
static scr_world *make_gas(bool rigid, double h, double friction)
{
    enum { SIDE = 8, BALLS = 500 };
    const double width = 0.4, pitch = width / SIDE, radius = 0.01;
    scr_world *world = make_space(rigid, h, STILL);
    scr_material glass = add_material(world, friction, 1.0);
    scr_shape lid = scr_plane(glass);
    scr_body_def top = scr_default_body_def();
    scr_body wall[4];
    add_floor(world, glass);
    add_walls(world, glass, width, width, wall);
    top.kind = SCR_FIXED;
    top.position = vec3(0.0, 0.0, width);
    top.rotation = (scr_quat){0.0, 1.0, 0.0, 0.0};
    top.shapes = &lid;
    top.shape_count = 1;
    add_body(world, &top);
    for (uint64_t k = 0; k < BALLS; ++k) {
        scr_vec3 cell = vec3((double)(k % SIDE), (double)(k / SIDE % SIDE), (double)(k / (SIDE * SIDE)));
        scr_vec3 at = vec3_add(cell, vec3(0.5, 0.5, 0.5)), v = random_vector(1.0, k);
        add_sphere(world, glass, radius, vec3_scale(pitch, at), v);
    }
    return world;
}

// Some 30 impacts a ball and second. No step adds any energy beyond rounding.
static double energy_left(scr_world *world, double seconds)
{
    double start = scr_world_energy(world).kinetic, last = start;
    int steps = (int)lround(seconds / scr_world_time_step(world));
    for (int k = 0; k < steps; ++k) {
        step(world, 1);
        double now = scr_world_energy(world).kinetic;
        assert_at_most(now, last + 1e-9 * start);
        last = now;
    }
    scr_world_destroy(world);
    return last / start;
}

static void an_elastic_gas_keeps_its_energy(void **state)
{
    (void)state;
    for (int rigid = 0; rigid <= 1; ++rigid) {
        assert_near(energy_left(make_gas(rigid, 1e-3, 0.0), 5.0), 1.0, 1e-6);
        assert_near(energy_left(make_gas(rigid, 2.5e-4, 0.0), 1.0), 1.0, 1e-6);
    }
}

// Friction takes from it what impacts one by one take, whatever the step and whether contacts are compliant.
static void a_rough_gas_loses_what_friction_takes(void **state)
{
    (void)state;
    double coarse = energy_left(make_gas(true, 1e-3, 0.5), 0.5), fine = energy_left(make_gas(true, 2.5e-4, 0.5), 0.5);
    assert_near(coarse, fine, 0.1);
    assert_near(energy_left(make_gas(false, 1e-3, 0.5), 0.5), coarse, 1e-3);
}

// Balls in a row, `gap` apart, struck by the first: what each of them has in the end, of the first one's speed.
enum { BALLS = 5 };
static void strike_row(bool rigid, double gap, double e, double *speed)
{
    const double radius = 0.02, v = 1.0;
    scr_world *world = make_space(rigid, 1e-3, STILL);
    scr_material steel = add_material(world, 0.3, e);
    scr_body ball[BALLS];
    for (int k = 0; k < BALLS; ++k) {
        double x = (2.0 * radius + gap) * k - (k == 0 ? 0.0123 : 0.0);
        ball[k] = add_sphere(world, steel, radius, vec3(x, 0.0, 0.0), vec3(k == 0 ? v : 0.0, 0.0, 0.0));
    }
    step(world, 300);
    for (int k = 0; k < BALLS; ++k) speed[k] = state_of(world, ball[k]).velocity.x / v;
    scr_world_destroy(world);
}

static void a_cradle_hands_its_speed_on(void **state)
{
    (void)state;
    const double gap[] = {0.0, 1e-6, 5e-4, 5e-3};
    for (int k = 0; k < 8; ++k) {
        double speed[BALLS];
        strike_row(k % 2, gap[k / 2], 1.0, speed);
        for (int ball = 0; ball < BALLS; ++ball) assert_within(speed[ball], ball == BALLS - 1 ? 1.0 : 0.0, 1e-6);
    }
}

// Each of equal balls hands on (1 + e)/2 of its speed, and the row keeps its momentum.
static void a_row_with_losses_behaves_as_impacts_of_pairs(void **state)
{
    (void)state;
    const double gap[] = {0.0, 5e-4, 5e-3}, e = 0.5;
    for (int k = 0; k < 6; ++k) {
        double speed[BALLS], sum = 0.0;
        strike_row(k % 2, gap[k / 2], e, speed);
        for (int ball = 0; ball < BALLS; ++ball) sum += speed[ball];
        assert_near(speed[BALLS - 1], pow(0.5 * (1.0 + e), BALLS - 1), 1e-6);
        assert_near(sum, 1.0, 1e-6);
    }
}

// A box that falls flat on its face leaves flat, at e times its speed: its corners strike at once.
static void a_flat_box_bounces_flat(void **state)
{
    (void)state;
    const double restitution[] = {0.5, 1.0};
    for (int k = 0; k < 4; ++k) {
        double e = restitution[k / 2], last = 0.0;
        scr_world *world = make_space(k % 2, 1e-3, vec3(0.0, 0.0, -GRAVITY));
        scr_material wood = add_material(world, 0.5, e);
        add_floor(world, wood);
        scr_body box = add_box(world, wood, vec3(0.1, 0.07, 0.03), vec3(0.0, 0.0, 0.33), STILL);
        while (state_of(world, box).velocity.z <= 0.0) {
            last = state_of(world, box).velocity.z;
            step(world, 1);
        }
        scr_body_state end = state_of(world, box);
        assert_near(end.velocity.z, -e * last, 1e-6);
        assert_within(vec3_norm(end.spin), 0.0, 1e-6);
        scr_world_destroy(world);
    }
}

static void throw_plate(scr_world *world, scr_material stone, uint64_t k, double x)
{
    scr_body_def def = scr_default_body_def();
    scr_shape shape = scr_box(vec3(0.1, random_in(0.005, 0.1, 9000 + k), 0.01), stone);
    def.position = vec3(x, 0.0, 0.16);
    def.rotation = random_rotation(k);
    def.velocity = random_vector(3.0, 1000 + k);
    def.velocity.z = -2.0;
    def.spin = random_vector(20.0, 2000 + k);
    def.shapes = &shape;
    def.shape_count = 1;
    add_body(world, &def);
}

// Rods and boxes thrown at a floor at all angles and spins, with friction: many corners, coupled by friction. None
// gains.
static void no_oblique_impact_gains_energy(void **state)
{
    (void)state;
    enum { THROWS = 200 };
    const double friction[] = {0.0, 0.3, 1.0, 3.0}, restitution[] = {0.3, 0.9, 1.0};
    for (uint64_t k = 0; k < THROWS; ++k) {
        scr_world *world = make_space(k % 2, 1e-3, STILL);
        scr_material stone = add_material(world, friction[k % 4], restitution[k % 3]);
        add_floor(world, stone);
        throw_plate(world, stone, k, 0.0);
        double last = scr_world_energy(world).kinetic;
        for (int n = 0; n < 100; ++n) {
            step(world, 1);
            double now = total_energy(world);
            assert_at_most(now, last * (1.0 + 1e-4));  // a free body's energy is kept to second order
            last = now;
        }
        scr_world_destroy(world);
    }
}

// A drop of ten balls, each at its own height, with or without plates that strike the same floor far away, some of them
// so that friction would add energy. The balls are none the wiser.
static void impacts_far_away_change_nothing(void **state)
{
    (void)state;
    enum { DROPS = 10, PLATES = 20 };
    double speed[2][DROPS];
    for (int crowded = 0; crowded < 2; ++crowded) {
        scr_world *world = make_space(true, 1e-3, STILL);
        scr_material stone = add_material(world, 1.0, 1.0);
        add_floor(world, stone);
        scr_body ball[DROPS];
        for (int k = 0; k < DROPS; ++k)
            ball[k] = add_sphere(world, stone, 0.02, vec3(0.1 * k, 0.0, 0.03 + 0.007 * k), vec3(0.3, 0.0, -2.0));
        for (uint64_t k = 0; crowded && k < PLATES; ++k) throw_plate(world, stone, k, 10.0 + (double)k);
        step(world, 80);
        for (int k = 0; k < DROPS; ++k) speed[crowded][k] = state_of(world, ball[k]).velocity.z;
        scr_world_destroy(world);
    }
    for (int k = 0; k < DROPS; ++k) {
        assert_near(speed[0][k], 2.0, 1e-9);
        assert_near(speed[1][k], speed[0][k], 1e-12);
    }
}

// An impact is part of the force on a body: the floor receives what the ball's momentum changes by.
static void the_force_of_an_impact_is_reported(void **state)
{
    (void)state;
    scr_world *world = make_space(false, 1e-3, STILL);
    scr_material rubber = add_material(world, 0.5, 0.8);
    scr_body floor = add_floor(world, rubber);
    scr_body ball = add_sphere(world, rubber, 0.05, vec3(0.0, 0.0, 0.0701), vec3(0.3, 0.0, -1.0));
    double mass = scr_body_mass(world, ball), impulse = 0.0;
    int steps_with_force = 0;
    for (int k = 0; k < 40; ++k) {
        step(world, 1);
        double force = contact_force_on(world, ball).z;
        assert_within(contact_force_on(world, floor).z, -force, 1e-9);
        impulse += force * scr_world_time_step(world);
        steps_with_force += force != 0.0;
        assert_int_equal(scr_world_report(world).touching_count, force != 0.0);
    }
    assert_near(impulse, 1.8 * mass, 1e-6);
    assert_int_equal(steps_with_force, 1);
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_elastic_gas_keeps_its_energy),
        cmocka_unit_test(a_rough_gas_loses_what_friction_takes),
        cmocka_unit_test(a_cradle_hands_its_speed_on),
        cmocka_unit_test(a_row_with_losses_behaves_as_impacts_of_pairs),
        cmocka_unit_test(a_flat_box_bounces_flat),
        cmocka_unit_test(no_oblique_impact_gains_energy),
        cmocka_unit_test(impacts_far_away_change_nothing),
        cmocka_unit_test(the_force_of_an_impact_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
