// SPDX-License-Identifier: BSD-3-Clause
// Andrews' squeezing mechanism: seven bodies in a plane, three closed loops, driven by a constant torque against a
// spring.
//
// Data and reference solution: Test Set for Initial Value Problem Solvers (CWI Amsterdam, later Bari), problem
// "andrews", where PSIDE computed it with tolerances of 1e-14; the mechanism is described in Hairer and Wanner, Solving
// Ordinary Differential Equations II, section VII.7. Angles there are b, t, g, p, d, w, e (beta ... epsilon):
//     F = r (cos b, sin b)                             K1 from O to F
//     E = F - d (cos(b + t), sin(b + t))               K2 from F to E
//     E = B + s (sin g, -cos g)                        K3, which the spring from C pulls at D
//     G = A + z (cos d, sin d),  E = G + e (sin(p + d), -cos(p + d))        K5 from A to G, K4 from G to E
//     H = A + u (sin e, -cos e), E = H + f (cos(w + e), sin(w + e))         K7 from A to H, K6 from H to E
// All hinges are parallel: of their 50 conditions 9 are redundant, and one freedom is left.
#include "dynamics/mechanism.h"

enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON, ANGLES };
static const double START[ANGLES] = {-0.0617138900142764496, 0.0,
                                     0.455279819163070380,   0.222668390165885885,
                                     0.487364979543842550,   -0.222668390165885885,
                                     1.23054744454982119};
static const double AT_30_MS[ANGLES] = {0.1581077119629904e2, -0.1575637105984298e2, 0.4082224013073101e-1,
                                        -0.5347301163226948,  0.5244099658805304,    0.5347301163226948,
                                        0.1048080741042263e1};
static const double RATE_AT_30_MS[ANGLES] = {0.1139920302151208e4, -0.1424379294994111e4, 0.1103291221937134e2,
                                             0.1929337464421385e2, 0.5735699284790808,    -0.1929337464421385e2,
                                             0.3231791658026955};
static const double DURATION = 0.03, TORQUE = 0.033;  // s, N m

typedef struct squeezer {
    scr_world *world;
    scr_joint joint[ANGLES];  // whose turning is the angle
    scr_joint all[10];
} squeezer;

// From a point along a direction of the plane, given by its angle.
static scr_vec3 ahead(scr_vec3 from, double length, double angle)
{
    return vec3(from.x + length * cos(angle), from.y + length * sin(angle), 0.0);
}

static scr_joint hinge(squeezer *s, int *count, scr_body a, scr_body b, scr_vec3 at)
{
    return s->all[(*count)++] = join(s->world, SCR_JOINT_REVOLUTE, a, b, at, vec3(0.0, 0.0, 1.0));
}

static squeezer make_squeezer(double time_step)
{
    squeezer s = {.world = mechanism_world(time_step, STILL)};
    const double *q = START, right = 0.5 * PI;
    const scr_vec3 o = {0.0, 0.0, 0.0}, a = {-0.06934, -0.00227, 0.0}, b = {-0.03635, 0.03273, 0.0},
                   c = {0.014, 0.072, 0.0};
    scr_vec3 f = ahead(o, 7e-3, q[BETA]), e = ahead(f, -28e-3, q[BETA] + q[THETA]);
    scr_vec3 g = ahead(a, 4e-2, q[DELTA]), h = ahead(a, 4e-2, q[EPSILON] - right);
    scr_vec3 d = ahead(ahead(b, 2e-2, q[GAMMA]), 18e-3, q[GAMMA] - right);
    double along4 = q[PHI] + q[DELTA] - right, along6 = q[OMEGA] + q[EPSILON];
    assert_within3(ahead(b, 35e-3, q[GAMMA] - right), e, 1e-15);  // the loops are closed
    assert_within3(ahead(g, 2e-2, along4), e, 1e-15);
    assert_within3(ahead(h, 2e-2, along6), e, 1e-15);
    scr_body k1 = add_round_part(s.world, 0.04325, 2.194e-6, ahead(o, 92e-5, q[BETA]));
    scr_body k2 = add_round_part(s.world, 0.00365, 4.410e-7, ahead(f, -115e-4, q[BETA] + q[THETA]));
    scr_body k3 =
        add_round_part(s.world, 0.02373, 5.255e-6, ahead(ahead(b, 1043e-5, q[GAMMA]), 1874e-5, q[GAMMA] - right));
    scr_body k4 = add_round_part(s.world, 0.00706, 5.667e-7, ahead(g, 2e-2 - 1421e-5, along4));
    scr_body k5 =
        add_round_part(s.world, 0.07050, 1.169e-5, ahead(ahead(a, 2308e-5, q[DELTA]), 916e-5, q[DELTA] - right));
    scr_body k6 = add_round_part(s.world, 0.00706, 5.667e-7, ahead(h, 2e-2 - 1421e-5, along6));
    scr_body k7 =
        add_round_part(s.world, 0.05498, 1.912e-5, ahead(ahead(a, 1228e-5, q[EPSILON] - right), -449e-5, q[EPSILON]));
    int n = 0;
    s.joint[BETA] = hinge(&s, &n, GROUND, k1, o);
    s.joint[THETA] = hinge(&s, &n, k1, k2, f);
    s.joint[GAMMA] = hinge(&s, &n, GROUND, k3, b);
    s.joint[PHI] = hinge(&s, &n, k5, k4, g);
    s.joint[DELTA] = hinge(&s, &n, GROUND, k5, a);
    s.joint[OMEGA] = hinge(&s, &n, k7, k6, h);
    s.joint[EPSILON] = hinge(&s, &n, GROUND, k7, a);
    hinge(&s, &n, k2, k3, e);
    hinge(&s, &n, k2, k4, e);
    hinge(&s, &n, k2, k6, e);
    scr_spring_def spring = scr_default_spring_def();
    spring.b = k3;
    spring.point_a = c;
    spring.point_b = d;
    spring.rest = 7785e-5;
    spring.stiffness = 4530.0;
    add_spring(s.world, &spring);
    set_motor(s.world, s.joint[BETA], SCR_DRIVE_FORCE, constantly(TORQUE));
    return s;
}

typedef struct squeezed {
    double angle, rate, gap;
} squeezed;  // errors: of the angles, of the rates, gaps on the way

static squeezed squeeze(int steps)
{
    squeezer s = make_squeezer(DURATION / steps);
    squeezed off = {0.0, 0.0, 0.0};
    for (int n = 0; n < steps; ++n) {
        step(s.world, 1);
        for (int k = 0; k < 10 && n % 10 == 9; ++k) off.gap = fmax(off.gap, joint_state(s.world, s.all[k]).gap);
    }
    for (int k = 0; k < ANGLES; ++k) {
        scr_joint_state joint = joint_state(s.world, s.joint[k]);
        off.angle = fmax(off.angle, fabs(START[k] + joint.about - AT_30_MS[k]));
        off.rate = fmax(off.rate, fabs(joint.about_rate - RATE_AT_30_MS[k]));
    }
    scr_world_destroy(s.world);
    return off;
}

static void the_squeezer_ends_where_the_published_solution_does(void **state)
{
    (void)state;
    squeezed coarse = squeeze(3000), fine = squeeze(6000);
    print_message("angles off by %.2e, %.2e rad, order %.2f; rates by %.2e, %.2e rad/s, order %.2f; gaps %.1e m\n",
                  coarse.angle, fine.angle, order_of(coarse.angle, fine.angle), coarse.rate, fine.rate,
                  order_of(coarse.rate, fine.rate), fine.gap);
    assert_at_most(fine.angle, 5e-5);
    assert_within(order_of(coarse.angle, fine.angle), 2.0, 0.1);
    assert_within(order_of(coarse.rate, fine.rate), 2.0, 0.1);
    assert_at_most(fine.gap, 1e-6 * 7e-3);
}

static void assembly_finds_one_freedom_and_nine_redundant_conditions(void **state)
{
    (void)state;
    squeezer s = make_squeezer(1e-5);
    scr_assembly found;
    assert_ok(scr_world_assemble(s.world, &found, &error));
    assert_int_equal(found.mechanism_count, 1);
    assert_int_equal(found.body_count, 7);
    assert_int_equal(found.row_count, 50);
    assert_int_equal(found.redundant_count, 9);
    assert_int_equal(found.degrees_of_freedom, 1);
    assert_at_most(found.gap, 1e-15);
    scr_world_destroy(s.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_squeezer_ends_where_the_published_solution_does),
        cmocka_unit_test(assembly_finds_one_freedom_and_nine_redundant_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
