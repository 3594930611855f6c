// SPDX-License-Identifier: BSD-3-Clause
// The penalty law by itself: its symmetry, its limits, adhesion against tables, and the same bits for every instruction
// set.
#include "dynamics/bodies/damping.h"
#include "dynamics/penalty/law/adhesion.h"
#include "dynamics/penalty/law/pack.h"
#include "dynamics/penalty/law/rolling.h"
#include "penalty.h"

static const double H = 1e-6;  // s

static const material_pair MEETING = {.friction = 0.4,
                                      .restitution = 0.6,
                                      .rolling_friction = 0.05,
                                      .spinning_friction = 0.02,
                                      .surface_energy = 0.05,
                                      .modulus = 1e9,
                                      .shear_modulus = 2e8,
                                      .shear_ratio = 0.8,
                                      .damping_ratio = 0.2};

static law_lanes lanes_of(const material_pair *both, scr_normal_law normal, scr_adhesion_law adhesion)
{
    scr_contact_def contact = {.normal = normal, .adhesion = adhesion};
    law_coefficients c = law_of_pair(both, &contact, 1e-3, 1e-5, 2e-3);
    law_lanes k;
    for (int lane = 0; lane < REAL_LANES; ++lane) law_lanes_set(&k, lane, &c);
    return k;
}

static real drawn(double low, double high, uint64_t *next)
{
    real v;
    for (int lane = 0; lane < REAL_LANES; ++lane) v[lane] = random_in(low, high, (*next)++);
    return v;
}
static real3 drawn3(double size, uint64_t *next)
{
    return (real3){drawn(-size, size, next), drawn(-size, size, next), drawn(-size, size, next)};
}
static scr_vec3 lane_of(real3 v, int lane) { return vec3(v.x[lane], v.y[lane], v.z[lane]); }
static real3 unit3(real3 v) { return real3_scale(real_set(1.0) / real_sqrt(real3_dot(v, v)), v); }

static void assert_opposite(real3 a, real3 b)
{
    real3 sum = real3_add(a, b);
    for (int lane = 0; lane < REAL_LANES; ++lane)
        assert_true(sum.x[lane] == 0.0 && sum.y[lane] == 0.0 && sum.z[lane] == 0.0);
}

static contact_pack drawn_pack(const law_lanes *k, uint64_t *next)
{
    contact_pack p = {.law = *k,
                      .overlap = drawn(-2e-6, 1e-5, next),
                      .n = unit3(drawn3(1.0, next)),
                      .u = drawn3(0.1, next),
                      .w = drawn3(10.0, next),
                      .spring = drawn3(1e-6, next),
                      .roll = drawn3(1e-3, next)};
    p.in_touch = p.overlap > real_set(-1e-6);
    return p;
}

static contact_pack swapped(contact_pack p)
{
    p.n = real3_neg(p.n), p.u = real3_neg(p.u), p.w = real3_neg(p.w), p.spring = real3_neg(p.spring),
    p.roll = real3_neg(p.roll);
    return p;
}

// Every combination of the law's parts.
enum { VARIANTS = 32 };
static law_options variant(int v, scr_normal_law *normal, scr_adhesion_law *adhesion)
{
    *normal = v & 1 ? SCR_HOOKE : SCR_HERTZ;
    *adhesion = v & 2 && !(v & 1) ? SCR_JKR : SCR_DMT;
    return (law_options){.hertz = *normal == SCR_HERTZ,
                         .jkr = *adhesion == SCR_JKR,
                         .rolling = v & 4,
                         .spinning = v & 16,
                         .elastic_rolling = v & 8,
                         .time_step = H,
                         .stretch_time = H};
}

static void bodies_that_change_places_feel_the_same_bits(void **state)
{
    (void)state;
    uint64_t next = 0;
    for (int v = 0; v < VARIANTS; ++v) {
        scr_normal_law normal;
        scr_adhesion_law adhesion;
        law_options parts = variant(v, &normal, &adhesion);
        law_lanes k = lanes_of(&MEETING, normal, adhesion);
        for (int draw = 0; draw < 500; ++draw) {
            contact_pack p = drawn_pack(&k, &next), q = swapped(p);
            pack_law_of_plain(&parts, &p);
            pack_law_of_plain(&parts, &q);
            assert_opposite(p.force, q.force);
            assert_opposite(p.torque, q.torque);
            assert_opposite(p.spring, q.spring);
            assert_opposite(p.roll, q.roll);
        }
    }
}

static void the_instruction_set_changes_no_bit(void **state)
{
    (void)state;
#if defined(SCREE_HAVE_AVX2)
    if (!__builtin_cpu_supports("avx2")) return;
    uint64_t next = 0;
    for (int v = 0; v < VARIANTS; ++v) {
        scr_normal_law normal;
        scr_adhesion_law adhesion;
        law_options parts = variant(v, &normal, &adhesion);
        law_lanes k = lanes_of(&MEETING, normal, adhesion);
        for (int draw = 0; draw < 500; ++draw) {
            contact_pack p = drawn_pack(&k, &next), q = p;
            pack_law_of_plain(&parts, &p);
            pack_law_of_avx2(&parts, &q);
            assert_memory_equal(&p, &q, sizeof p);
        }
    }
#endif
}

// Out of touch nothing acts and nothing is remembered; in touch friction stays in its cone and torques below their
// limits.
static void forces_stay_within_their_limits(void **state)
{
    (void)state;
    uint64_t next = 0;
    int slips = 0, sticks = 0;
    for (int v = 0; v < VARIANTS; ++v) {
        scr_normal_law normal;
        scr_adhesion_law adhesion;
        law_options parts = variant(v, &normal, &adhesion);
        law_lanes k = lanes_of(&MEETING, normal, adhesion);
        double pull = adhesion == SCR_JKR ? 1.5 * PI * 0.05 * 1e-3 : 2.0 * PI * 0.05 * 1e-3;
        for (int draw = 0; draw < 500; ++draw) {
            contact_pack p = drawn_pack(&k, &next);
            pack_law_of_plain(&parts, &p);
            for (int lane = 0; lane < REAL_LANES; ++lane) {
                scr_vec3 n = lane_of(p.n, lane), f = lane_of(p.force, lane), s = lane_of(p.spring, lane),
                         m = lane_of(p.torque, lane);
                if (!p.in_touch[lane]) {
                    assert_true(vec3_norm(f) == 0.0 && vec3_norm(s) == 0.0 && vec3_norm(m) == 0.0 &&
                                p.energy[lane] == 0.0);
                    continue;
                }
                double fn = vec3_dot(f, n), ft = vec3_norm(vec3_add_scaled(f, -fn, n));
                double load = fn + (adhesion == SCR_JKR ? 2.0 : 1.0) * pull;
                assert_at_most(-pull * (1.0 + 1e-12), fn);
                assert_at_most(ft, 0.4 * load * (1.0 + 1e-9) + 1e-12);
                assert_within(vec3_dot(s, n), 0.0, 1e-20);
                assert_at_most(vec3_norm(m), (0.05 + 0.02) * 1e-3 * load * (1.0 + 1e-9) + 1e-15);
                *(ft > 0.399999 * load ? &slips : &sticks) += 1;
            }
        }
    }
    assert_true(slips > 1000 && sticks > 1000);
}

// y^4 - 4/3 y = x by bisection.
static double root_by_bisection(double x)
{
    double low = 1.0, high = 2.0;
    while (high * high * high * high - 4.0 / 3.0 * high < x) high *= 2.0;
    for (int k = 0; k < 200; ++k) {
        double y = 0.5 * (low + high);
        if (y * y * y * y - 4.0 / 3.0 * y < x) low = y;
        else high = y;
    }
    return 0.5 * (low + high);
}

static void jkr_contacts_are_as_wide_as_they_should_be(void **state)
{
    (void)state;
    assert_within(jkr_root(real_set(-1.0 / 3.0))[0], 1.0, 1e-14);
    for (double x = -0.333; x < 1e6; x += 0.01 + 0.05 * fabs(x))
        assert_near(jkr_root(real_set(x))[0], root_by_bisection(x), 1e-13);
}

// In the terms of the original paper: the radius from the overlap, the force from the radius.
static void jkr_forces_follow_the_original_formulae(void **state)
{
    (void)state;
    const double R = 1e-3, E = MEETING.modulus, w = MEETING.surface_energy;
    material_pair frictionless = MEETING;
    frictionless.friction = frictionless.damping_ratio = 0.0;
    law_lanes k = lanes_of(&frictionless, SCR_HERTZ, SCR_JKR);
    double last_force = 0.0, lowest = 0.0, energy = 0.0;
    const double da = 1e-9;
    double a_end = cbrt(9.0 * PI * w * R * R / (8.0 * E));
    for (double a = 20.0 * a_end; a > a_end; a -= da) {
        double overlap = a * a / R - sqrt(2.0 * PI * w * a / E);
        double force = 4.0 / 3.0 * E * a * a * a / R - sqrt(8.0 * PI * w * E * a * a * a);
        real3 spring = {0}, n = {real_set(1.0), real_set(0.0), real_set(0.0)};
        normal_response normal;
        real3 f = law_force(NORMAL_JKR, &k, real_set(H), real_set(overlap), n, (real3){0}, (real_mask){-1, -1, -1, -1},
                            &spring, &normal);
        assert_within(f.x[0], force, 1e-9 * fabs(force) + 1e-12);
        lowest = fmin(lowest, f.x[0]);
        // The energy is what the force does on the way: its change is checked against the trapezium rule.
        if (last_force != 0.0) {
            double old = (a + da) * (a + da) / R - sqrt(2.0 * PI * w * (a + da) / E);
            assert_within(energy - normal.energy[0], 0.5 * (last_force + force) * (old - overlap),
                          1e-6 * fabs(energy) * da / a_end + 1e-20);
        }
        last_force = force, energy = normal.energy[0];
    }
    assert_near(lowest, -1.5 * PI * w * R, 1e-6);
}

// The pull at touch after Derjaguin, Muller and Toporov, and that of a constant cohesion.
static void dmt_and_cohesion_pull_as_published(void **state)
{
    (void)state;
    material_pair both = MEETING;
    both.cohesion = 1e4;
    law_lanes k = lanes_of(&both, SCR_HERTZ, SCR_DMT);
    normal_response at_touch = hertz_response(&k, real_set(1e-30), real_set(0.0));
    assert_near(at_touch.force[0], -(2.0 * PI * 0.05 * 1e-3 + 1e4 * PI * 2e-3 * 2e-3), 1e-9);
    assert_true(hertz_response(&k, real_set(0.0), real_set(0.0)).force[0] == 0.0);
}

// A linear spring and damper that never pull, followed to the end of the impact.
static double restitution_of(double beta)
{
    double x = 0.0, v = 1.0, h = 1e-5;
    for (;;) {
        double middle_v = v + 0.5 * h * (-x - 2.0 * beta * v), middle_x = x + 0.5 * h * v;
        double force = -middle_x - 2.0 * beta * middle_v;
        if (force > 0.0) return -v;
        x += h * middle_v;
        v += h * force;
    }
}

static void damping_gives_the_restitution(void **state)
{
    (void)state;
    for (double e = 0.05; e < 0.995; e += 0.05) assert_near(restitution_of(damping_ratio(e)), e, 1e-4);
    assert_true(damping_ratio(1.0) == 0.0);
    assert_true(damping_ratio(0.0) == damping_ratio(0.05));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_that_change_places_feel_the_same_bits),
        cmocka_unit_test(the_instruction_set_changes_no_bit),
        cmocka_unit_test(forces_stay_within_their_limits),
        cmocka_unit_test(jkr_contacts_are_as_wide_as_they_should_be),
        cmocka_unit_test(jkr_forces_follow_the_original_formulae),
        cmocka_unit_test(dmt_and_cohesion_pull_as_published),
        cmocka_unit_test(damping_gives_the_restitution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
