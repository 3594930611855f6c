// SPDX-License-Identifier: BSD-3-Clause
// Bodies that joints hold strike and are struck as a whole: pendulums, in closed form.
#include "dynamics/mechanism.h"

static const double RADIUS = 0.02, LENGTH = 0.3, TIME_STEP = 1e-3;  // m, m, s
static const scr_vec3 Y = {0.0, 1.0, 0.0};

static scr_world *make_space(scr_contact_law law, double restitution, scr_vec3 gravity, scr_material *glass)
{
    scr_world_def def = scr_default_world_def();
    def.contact.law = law;
    def.gravity = gravity;
    def.time_step = TIME_STEP;
    scr_world *world = make_world(&def);
    *glass = add_material(world, 0.0, restitution);
    return world;
}

// A ball that hangs from a hinge LENGTH above its lowest place, which is (x, 0, 0), raised by an angle.
static scr_body hang_ball(scr_world *world, scr_material glass, double x, double angle)
{
    scr_vec3 hinge = vec3(x, 0.0, LENGTH), lever = vec3(-LENGTH * sin(angle), 0.0, -LENGTH * cos(angle));
    scr_body ball = add_sphere(world, glass, RADIUS, vec3_add(hinge, lever), STILL);
    join(world, SCR_JOINT_REVOLUTE, GROUND, ball, hinge, Y);
    return ball;
}

// A ball meets a pendulum at its lowest place. The pendulum answers as a mass I/L^2, I about its hinge:
//   u' = (1 + e) m v/(m + M),   v' = v - M u'/m,   M = M_ball (1 + 2/5 r^2/L^2)
static void a_ball_and_a_pendulum_share_their_speed_as_masses_do(void **state)
{
    (void)state;
    const double v = 1.0, restitution[] = {0.5, 1.0};
    for (int k = 0; k < 4; ++k) {
        double e = restitution[k / 2];
        scr_material glass;
        scr_world *world = make_space(k % 2 ? SCR_RIGID : SCR_COMPLIANT, e, STILL, &glass);
        scr_body bob = hang_ball(world, glass, 0.0, 0.0);
        scr_body ball = add_sphere(world, glass, RADIUS, vec3(-2.0 * RADIUS - 0.0103, 0.0, 0.0), vec3(v, 0.0, 0.0));
        double m = scr_body_mass(world, ball), answer = m * (1.0 + 0.4 * RADIUS * RADIUS / (LENGTH * LENGTH));
        double struck = (1.0 + e) * m * v / (m + answer), energy = total_energy(world);
        step(world, 20);
        assert_near(vec3_norm(state_of(world, bob).velocity), struck, 1e-4);
        assert_near(state_of(world, bob).spin.y, -struck / LENGTH, 1e-4);
        assert_within(state_of(world, ball).velocity.x, v - answer * struck / m, 1e-4 * v);
        if (e == 1.0) assert_near(total_energy(world), energy, 1e-6);
        scr_world_destroy(world);
    }
}

// Newton's cradle: the last pendulum leaves as fast as the first one came, all others hang still.
enum { PENDULUMS = 5 };
static void a_cradle_of_pendulums_hands_its_speed_on(void **state)
{
    (void)state;
    const double gap[] = {0.0, 1e-6, 5e-4}, rate = 2.0;  // rad/s
    for (int k = 0; k < 6; ++k) {
        scr_material glass;
        scr_world *world = make_space(k % 2 ? SCR_RIGID : SCR_COMPLIANT, 1.0, STILL, &glass);
        scr_body ball[PENDULUMS];
        for (int n = 0; n < PENDULUMS; ++n)
            ball[n] = hang_ball(world, glass, n * (2.0 * RADIUS + gap[k / 2]), n == 0 ? 0.1 : 0.0);
        turn_about(world, ball[0], vec3(0.0, 0.0, LENGTH), vec3(0.0, -rate, 0.0));
        double energy = total_energy(world);
        step(world, 80);
        for (int n = 0; n < PENDULUMS; ++n)
            assert_within(-state_of(world, ball[n]).spin.y, n == PENDULUMS - 1 ? rate : 0.0, 1e-2 * rate);
        assert_near(total_energy(world), energy, 1e-3);
        scr_world_destroy(world);
    }
}

// Under gravity it goes on: some seven impacts later the energy of the fall is still there.
static void a_swinging_cradle_keeps_its_energy(void **state)
{
    (void)state;
    for (int rigid = 0; rigid <= 1; ++rigid) {
        scr_material glass;
        scr_world *world = make_space(rigid ? SCR_RIGID : SCR_COMPLIANT, 1.0, vec3(0.0, 0.0, -GRAVITY), &glass);
        double mass = 0.0;
        for (int n = 0; n < PENDULUMS; ++n) {
            scr_body ball = hang_ball(world, glass, n * (2.0 * RADIUS + 1e-5), n == 0 ? 0.5 : 0.0);
            mass = scr_body_mass(world, ball);
        }
        double fall = mass * GRAVITY * LENGTH * (1.0 - cos(0.5)), hanging = total_energy(world) - fall;
        step(world, 4000);
        double left = (total_energy(world) - hanging) / fall;
        print_message("%s: %.4f of the energy after 4 s\n", rigid ? "rigid" : "compliant", left);
        assert_within(left, 1.0, 2e-3);
        scr_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_and_a_pendulum_share_their_speed_as_masses_do),
        cmocka_unit_test(a_cradle_of_pendulums_hands_its_speed_on),
        cmocka_unit_test(a_swinging_cradle_keeps_its_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
