// SPDX-License-Identifier: BSD-3-Clause
// Impacts against closed form: Newton's restitution u_n' = -e u_n, momentum kept, sticking friction in the tangent.
#include "dynamics/physics.h"

static scr_world_def small_steps(double h, scr_vec3 gravity)
{
    scr_world_def def = scr_default_world_def();
    def.time_step = h;
    def.gravity = gravity;
    return def;
}

static const scr_vec3 DOWN = {0.0, 0.0, -9.81}, NOWHERE = {0.0, 0.0, 0.0};

// Heights of the apexes that follow a drop, above the resting place.
static void apexes(double e, double height, double h, int count, double *apex)
{
    const double radius = 0.05;
    scr_world_def def = small_steps(h, DOWN);
    scr_world *world = make_world(&def);
    scr_material rubber = add_material(world, 0.5, e);
    add_floor(world, rubber);
    scr_body ball = add_sphere(world, rubber, radius, vec3(0.0, 0.0, radius + height), NOWHERE);
    double last_speed = 0.0;
    for (int found = 0; found < count;) {
        step(world, 1);
        scr_body_state now = state_of(world, ball);
        if (last_speed > 0.0 && now.velocity.z <= 0.0) apex[found++] = now.position.z - radius;
        last_speed = now.velocity.z;
    }
    scr_world_destroy(world);
}

// A step before the impact the ball turns round up to v h above the floor: each bounce misses by that much at most.
static void a_ball_bounces_to_e_squared_of_its_height(void **state)
{
    (void)state;
    const double h = 1e-4, height = 1.0, speed = sqrt(2.0 * GRAVITY * height);
    const double restitution[] = {0.3, 0.5, 0.8, 1.0};
    for (int k = 0; k < 4; ++k) {
        double e = restitution[k], apex[4], expected = height, miss = 0.0;
        apexes(e, height, h, 4, apex);
        for (int n = 0; n < 4; ++n) {
            expected *= e * e;
            miss = e * e * miss + 2.0 * h * speed * pow(e, n);
            assert_within(apex[n], expected, miss);
        }
    }
}

static void the_bounce_converges_with_the_time_step(void **state)
{
    (void)state;
    double coarse, fine;
    apexes(0.7, 1.0, 1e-3, 1, &coarse);
    apexes(0.7, 1.0, 1e-5, 1, &fine);
    assert_within(coarse, 0.49, 1e-3 * 2.0 * 4.43);
    assert_within(fine, 0.49, 1e-5 * 2.0 * 4.43);
}

static void a_dead_ball_stays_down(void **state)
{
    (void)state;
    const double radius = 0.05;
    scr_world_def def = small_steps(1e-3, DOWN);
    scr_world *world = make_world(&def);
    scr_material lead = add_material(world, 0.5, 0.0);
    add_floor(world, lead);
    scr_body ball = add_sphere(world, lead, radius, vec3(0.0, 0.0, radius + 0.5), NOWHERE);
    step(world, 400);  // it falls for 0.32 s
    assert_within(state_of(world, ball).velocity.z, 0.0, 1e-6);
    assert_within(state_of(world, ball).position.z, radius, 1e-3 * radius);
    scr_world_destroy(world);
}

// Two spheres on one line: momentum is kept and u' = -e u.
// A ball that is set down on a soft slope sinks in and comes back, pressed all the while: its springs are elastic, and
// a bounce on top of them would throw it higher every time.
static void a_ball_set_down_on_a_soft_slope_gains_nothing(void **state)
{
    (void)state;
    const double radius = 0.1;
    scr_world_def def = small_steps(1e-3, vec3(1.46, 0.0, -9.7));
    scr_world *world = make_world(&def);
    scr_material_def soft_def = scr_default_material_def();
    soft_def.young = 1e7;
    soft_def.friction = 0.9;
    soft_def.restitution = 0.2;
    scr_material compliance;
    assert_ok(scr_world_add_material(world, &soft_def, &compliance, &error));
    add_floor(world, compliance);
    scr_body ball = add_sphere(world, compliance, radius, vec3(0.0, 0.0, radius), NOWHERE);
    scr_energy start = scr_world_energy(world);
    for (int k = 0; k < 500; ++k) {
        step(world, 1);
        scr_energy now = scr_world_energy(world);
        assert_at_most(now.kinetic + now.potential, start.kinetic + start.potential + 1e-3 * now.kinetic + 1e-9);
    }
    // it rolls down: a = g sin / (1 + 2/5), later
    assert_at_most(1.46 / 1.4 * 0.5, 1.1 * state_of(world, ball).velocity.x);
    scr_world_destroy(world);
}

static void check_head_on(double radius_a, double radius_b, double e, bool rigid)
{
    scr_world_def def = small_steps(1e-3, NOWHERE);
    def.contact.law = rigid ? SCR_RIGID : SCR_COMPLIANT;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, e);
    const double va = 2.0, vb = -0.5;
    scr_body a = add_sphere(world, stone, radius_a, vec3(0.0, 0.0, 0.0), vec3(va, 0.0, 0.0));
    scr_body b = add_sphere(world, stone, radius_b, vec3(radius_a + radius_b + 0.1, 0.0, 0.0), vec3(vb, 0.0, 0.0));
    double ma = scr_body_mass(world, a), mb = scr_body_mass(world, b);
    double centre = (ma * va + mb * vb) / (ma + mb);
    step(world, 200);
    // Impulses are single precision.
    assert_within(state_of(world, a).velocity.x, centre - e * mb / (ma + mb) * (va - vb), 1e-6);
    assert_within(state_of(world, b).velocity.x, centre + e * ma / (ma + mb) * (va - vb), 1e-6);
    assert_within(vec3_norm(state_of(world, a).spin), 0.0, 1e-9);
    scr_world_destroy(world);
}

static void two_spheres_part_at_e_times_their_approach(void **state)
{
    (void)state;
    check_head_on(0.05, 0.05, 1.0, false);
    check_head_on(0.05, 0.05, 0.5, true);
    check_head_on(0.05, 0.15, 0.8, false);
    check_head_on(0.05, 0.5, 0.8, false);  // 1 : 1000 in mass
}

// A dead impact of compliant spheres leaves them together but for what the compliance gives back.
static void two_dead_spheres_move_on_together(void **state)
{
    (void)state;
    for (int rigid = 0; rigid <= 1; ++rigid) {
        scr_world_def def = small_steps(1e-3, NOWHERE);
        def.contact.law = rigid ? SCR_RIGID : SCR_COMPLIANT;
        def.contact.compliance = 1e-3;
        scr_world *world = make_world(&def);
        scr_material lead = add_material(world, 0.5, 0.0);
        scr_body a = add_sphere(world, lead, 0.05, vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0));
        scr_body b = add_sphere(world, lead, 0.05, vec3(0.15, 0.0, 0.0), NOWHERE);
        step(world, 100);
        double compliance = rigid ? 1e-6 : 2.0 * def.contact.compliance;
        assert_within(state_of(world, a).velocity.x, 0.5, compliance);
        assert_within(state_of(world, b).velocity.x, 0.5, compliance);
        scr_world_destroy(world);
    }
}

// A sphere that strikes the floor at a slant and sticks there loses all sliding at the point of contact. Its inertia
// in the tangent is 2/7 of its mass:
//   v' = v - 2/7 (v - w r),   w' r = w r + 5/7 (v - w r)
// The impact is resolved a step early, up to a gap v_n h above the floor, and acts half way down: on an arm that is
// v_n h / 2 too long at most. The cone complementarity law already acts on a ball that ends a step within h mu u of the
// floor, u being its sliding speed, and takes away from the approach: this one is dropped from where none does.
static void a_slanting_ball_that_sticks_leaves_rolling(void **state)
{
    (void)state;
    const double radius = 0.05, e = 0.6, v = 1.0, vn = 3.0, wr = -0.4, h = 1e-5, slide = v - wr, mu = 0.3;
    const double gap = 100.9 * vn * h;  // 0.9 vn h > mu slide h are left before the step of the impact
    scr_world_def def = small_steps(h, NOWHERE);
    scr_world *world = make_world(&def);
    scr_material rubber = add_material(world, mu, e);
    add_floor(world, rubber);
    scr_body ball = add_sphere(world, rubber, radius, vec3(0.0, 0.0, radius + gap), vec3(v, 0.0, -vn));
    scr_body_state start = state_of(world, ball);
    start.spin = vec3(0.0, wr / radius, 0.0);  // positive: rolls along x
    set_state(world, ball, start);
    step(world, 200);
    scr_body_state end = state_of(world, ball);
    double arm_error = vn * h / (2.0 * radius) * slide;
    assert_within(end.velocity.x, v - 2.0 / 7.0 * slide, arm_error);
    assert_within(end.spin.y * radius, wr + 5.0 / 7.0 * slide, arm_error);
    assert_within(end.velocity.z, e * vn, 1e-6);
    scr_world_destroy(world);
}

// A row of touching balls struck by an equal one, impact after impact: the last one leaves with the speed of the first.
// The gaps keep the impacts apart, as Newton's law is for one at a time.
static void a_row_of_equal_balls_hands_the_speed_on(void **state)
{
    (void)state;
    enum { BALLS = 5 };
    const double radius = 0.02;
    scr_world_def def = small_steps(1e-4, NOWHERE);
    scr_world *world = make_world(&def);
    scr_material steel = add_material(world, 0.3, 1.0);
    scr_body ball[BALLS];
    for (int k = 0; k < BALLS; ++k)
        ball[k] =
            add_sphere(world, steel, radius, vec3(2.5 * radius * k, 0.0, 0.0), vec3(k == 0 ? 1.0 : 0.0, 0.0, 0.0));
    step(world, 600);
    for (int k = 0; k < BALLS; ++k)
        assert_within(state_of(world, ball[k]).velocity.x, k == BALLS - 1 ? 1.0 : 0.0, 1e-6);
    scr_world_destroy(world);
}

// A free rod (a thin box) struck at its end by a sphere of mass m without friction. For a rod of mass M and half length
// a, the inverse mass at the end is 1/M + a^2/I, I = M (a^2 + c^2)/3.
static void a_rod_struck_at_its_end_swings_and_flies(void **state)
{
    (void)state;
    const double a = 0.5, c = 0.02, radius = 0.02, v = 2.0, e = 0.5;
    scr_world_def def = small_steps(1e-4, NOWHERE);
    scr_world *world = make_world(&def);
    scr_material ice = add_material(world, 0.0, e);
    scr_body rod = add_box(world, ice, vec3(a, c, c), vec3(0.0, 0.0, 0.0), NOWHERE);
    const double arm = 0.9 * a;
    scr_body ball = add_sphere(world, ice, radius, vec3(arm, 0.0, c + radius + 0.01), vec3(0.0, 0.0, -v));
    double m = scr_body_mass(world, ball), big = scr_body_mass(world, rod), inertia = big * (a * a + c * c) / 3.0;
    double impulse = (1.0 + e) * v / (1.0 / m + 1.0 / big + arm * arm / inertia);
    step(world, 200);
    assert_within(state_of(world, ball).velocity.z, -v + impulse / m, 1e-5);
    assert_within(state_of(world, rod).velocity.z, -impulse / big, 1e-5);
    assert_within(state_of(world, rod).spin.y, arm * impulse / inertia, 1e-4);
    scr_world_destroy(world);
}

// A cloud of spheres and oblong boxes that falls in on itself and flies apart again.
enum { CLOUD = 300 };

static scr_world *make_cloud(scr_solver_kind solver, bool rigid)
{
    scr_world_def def = small_steps(1e-3, NOWHERE);
    def.solver.kind = solver;
    def.solver.max_iterations = 30;
    def.contact.law = rigid ? SCR_RIGID : SCR_COMPLIANT;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.4);
    for (int k = 0; k < CLOUD; ++k) {
        const double edge = 0.1;
        scr_vec3 at = {edge * (k % 7 - 3), edge * (k / 7 % 7 - 3), edge * (k / 49 - 3)};
        double size = random_in(0.02, 0.035, (uint64_t)k);
        scr_shape shape = k % 3 == 0 ? scr_box(vec3(size, 0.7 * size, 0.4 * size), stone) : scr_sphere(size, stone);
        scr_body_def body = scr_default_body_def();
        body.position = vec3_add(at, vec3(0.005 * k / CLOUD, 0.0, 0.0));
        body.rotation = random_rotation((uint64_t)k);
        body.velocity = vec3_add(vec3_scale(-3.0, at), vec3(0.2 * random_in(-1.0, 1.0, 1000 + (uint64_t)k), 0.1, 0.05));
        body.spin = vec3_scale(10.0, vec3(body.rotation.x, body.rotation.y, body.rotation.z));
        body.shapes = &shape;
        body.shape_count = 1;
        add_body(world, &body);
    }
    return world;
}

// Sizes against which an error of momentum is to be seen: sums of magnitudes.
static double momentum_size(const scr_world *world, bool angular)
{
    scr_body_view view = scr_world_bodies(world);
    double size = 0.0;
    for (int64_t i = 0; i < view.count; ++i) {
        double arm = angular ? vec3_norm(vec3(view.x[i], view.y[i], view.z[i])) : 1.0;
        size += arm * vec3_norm(vec3(view.vx[i], view.vy[i], view.vz[i])) / view.inv_mass[i];
    }
    return size;
}

static void check_cloud(scr_solver_kind solver, bool rigid)
{
    scr_world *world = make_cloud(solver, rigid);
    scr_vec3 linear = scr_world_momentum(world), angular = scr_world_angular_momentum(world);
    double linear_size = momentum_size(world, false), angular_size = momentum_size(world, true);
    double energy = scr_world_energy(world).kinetic;
    int64_t most = 0;
    const int n = 400;
    for (int k = 0; k < n; ++k) {
        step(world, 1);
        if (scr_world_report(world).touching_count > most) most = scr_world_report(world).touching_count;
    }
    assert_true(most > CLOUD / 2);  // they did meet
    assert_within3(scr_world_momentum(world), linear, n * 2.2e-16 * linear_size);
    assert_within3(scr_world_angular_momentum(world), angular, n * 2.2e-16 * angular_size);
    assert_at_most(scr_world_energy(world).kinetic, 0.9 * energy);
    scr_world_destroy(world);
}

static void a_closed_system_keeps_its_momenta_to_rounding(void **state)
{
    (void)state;
    check_cloud(SCR_SOLVER_AGS, false);
    check_cloud(SCR_SOLVER_AGS, true);
    check_cloud(SCR_SOLVER_GS, false);
    check_cloud(SCR_SOLVER_APGD, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bounces_to_e_squared_of_its_height),
        cmocka_unit_test(the_bounce_converges_with_the_time_step),
        cmocka_unit_test(a_dead_ball_stays_down),
        cmocka_unit_test(a_ball_set_down_on_a_soft_slope_gains_nothing),
        cmocka_unit_test(two_spheres_part_at_e_times_their_approach),
        cmocka_unit_test(two_dead_spheres_move_on_together),
        cmocka_unit_test(a_slanting_ball_that_sticks_leaves_rolling),
        cmocka_unit_test(a_row_of_equal_balls_hands_the_speed_on),
        cmocka_unit_test(a_rod_struck_at_its_end_swings_and_flies),
        cmocka_unit_test(a_closed_system_keeps_its_momenta_to_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
