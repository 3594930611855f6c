// SPDX-License-Identifier: BSD-3-Clause
// Impacts under the penalty law: the benchmark of Chung and Ooi (Granular Matter 13, 2011), tests 1 to 8, and closed
// forms. Published points are read off the paper's figures.
#include "penalty.h"

static const solid GLASS = {48e9, 0.20, 2800.0, 0.35, 1.0}, LIMESTONE = {20e9, 0.25, 2500.0, 0.35, 1.0};
static const solid ALLOY = {70e9, 0.33, 2700.0, 0.4, 0.5}, MAGNESIUM = {40e9, 0.35, 1800.0, 0.0, 1.0};
static const solid NYLON = {2.5e9, 0.40, 1000.0, 0.4, 0.5}, COPPER = {120e9, 0.35, 8900.0, 0.4, 0.5};
static const solid ALUMINA = {380e9, 0.23, 4000.0, 0.092, 0.98}, IRON = {150e9, 0.25, 7200.0, 0.0, 1.0};
static const solid STEEL = {208e9, 0.30, 7850.0, 0.3, 1.0}, POLYETHYLENE = {1e9, 0.40, 1400.0, 0.3, 1.0};

typedef struct rebound {
    scr_vec3 velocity, spin;
    impact_record impact;
} rebound;

// A sphere strikes the rigid floor with steps of `share` of Hertz' time.
static rebound strike_floor(solid s, double radius, scr_vec3 velocity, scr_vec3 spin, scr_normal_law normal,
                            double share)
{
    double time = hertz(sphere_mass(radius, s.density), radius, plain_strain_modulus(s), -velocity.z).time;
    scr_world *world = make_penalty_world(share * time, normal);
    add_floor(world, add_rigid(world, s));
    scr_body ball = add_sphere(world, add_solid(world, s), radius, vec3(0.0, 0.0, radius * (1.0 + 1e-9)), velocity);
    scr_body_state state = state_of(world, ball);
    state.spin = spin;
    set_state(world, ball, state);
    rebound r = {.impact = step_through_impact(world, ball)};
    state = state_of(world, ball);
    r.velocity = state.velocity, r.spin = state.spin;
    scr_world_destroy(world);
    return r;
}

// Two spheres meet head on along x, in the frame in which the first has velocity v and the second -w.
typedef struct impact_pair {
    scr_vec3 velocity[2], spin[2];
    impact_record impact;
} impact_pair;

static impact_pair meet(const solid s[2], const double radius[2], const double speed[2], const double spin[2],
                        double share)
{
    double m[2] = {sphere_mass(radius[0], s[0].density), sphere_mass(radius[1], s[1].density)};
    double mass = m[0] * m[1] / (m[0] + m[1]), curvature = 1.0 / radius[0] + 1.0 / radius[1];
    double modulus = 1.0 / (1.0 / plain_strain_modulus(s[0]) + 1.0 / plain_strain_modulus(s[1]));
    scr_world *world =
        make_penalty_world(share * hertz(mass, 1.0 / curvature, modulus, speed[0] + speed[1]).time, SCR_HERTZ);
    scr_body ball[2];
    impact_pair out;
    for (int k = 0; k < 2; ++k) {
        double side = k == 0 ? -1.0 : 1.0;
        ball[k] = add_sphere(world, add_solid(world, s[k]), radius[k], vec3(side * radius[k] * (1.0 + 1e-9), 0.0, 0.0),
                             vec3(-side * speed[k], 0.0, 0.0));
        scr_body_state state = state_of(world, ball[k]);
        state.spin.y = spin[k];
        set_state(world, ball[k], state);
    }
    out.impact = step_through_impact(world, ball[0]);
    for (int k = 0; k < 2; ++k)
        out.velocity[k] = state_of(world, ball[k]).velocity, out.spin[k] = state_of(world, ball[k]).spin;
    scr_world_destroy(world);
    return out;
}

static void test_1_two_spheres_collide_as_hertz_says(void **state)
{
    (void)state;
    const solid both[] = {GLASS, LIMESTONE};
    for (int k = 0; k < 2; ++k) {
        const solid s[2] = {both[k], both[k]};
        impact_pair m = meet(s, (double[]){0.01, 0.01}, (double[]){10.0, 10.0}, (double[]){0.0, 0.0}, 2.5e-4);
        hertz_impact closed =
            hertz(0.5 * sphere_mass(0.01, s[0].density), 0.005, 0.5 * plain_strain_modulus(s[0]), 20.0);
        assert_near(m.impact.time, closed.time, 1e-3);
        assert_near(m.impact.force, closed.force, 1e-3);
        assert_near(m.velocity[0].x, -10.0, 1e-6);
        assert_near(m.velocity[1].x, 10.0, 1e-6);
    }
}

static void test_2_a_sphere_strikes_a_rigid_plane_as_hertz_says(void **state)
{
    (void)state;
    const solid both[] = {{70e9, 0.30, 2699.0, 0.0, 1.0}, MAGNESIUM};
    for (int k = 0; k < 2; ++k) {
        rebound r = strike_floor(both[k], 0.1, vec3(0.0, 0.0, -0.2), vec3(0.0, 0.0, 0.0), SCR_HERTZ, 2.5e-4);
        hertz_impact closed = hertz(sphere_mass(0.1, both[k].density), 0.1, plain_strain_modulus(both[k]), 0.2);
        assert_near(r.impact.time, closed.time, 1e-3);
        assert_near(r.impact.force, closed.force, 1e-3);
        assert_near(r.velocity.z, 0.2, 1e-6);
    }
}

static void test_3_the_restitution_is_what_was_asked_for(void **state)
{
    (void)state;
    const solid both[] = {ALUMINA, IRON};
    const scr_normal_law laws[] = {SCR_HERTZ, SCR_HOOKE};
    for (int k = 0; k < 2; ++k) {
        for (int law = 0; law < 2; ++law) {
            for (double e = 0.1; e < 1.05; e += 0.1) {
                solid s = both[k];
                s.restitution = fmin(e, 1.0), s.friction = 0.0;
                rebound r = strike_floor(s, 2.5e-3, vec3(0.0, 0.0, -3.9), vec3(0.0, 0.0, 0.0), laws[law], 1e-3);
                assert_within(r.velocity.z / 3.9, s.restitution, 2e-3);
            }
        }
    }
}

// The paper's own program and ours agree to 2 %: of the tangential restitution, and of the largest spin.
static void test_4_oblique_impacts_agree_with_the_published_ones(void **state)
{
    (void)state;
    const double angle[] = {5.0, 10.0, 20.0, 30.0, 50.0, 70.0, 85.0};
    const double restitution[] = {0.948, 0.687, 0.616, 0.684, 0.845, 0.932, 0.983};
    const double spin[] = {19.0, 213.0, 511.0, 617.0, 457.0, 246.0, 63.0};  // rad/s
    for (int k = 0; k < 7; ++k) {
        double along = 3.9 * sin(angle[k] * PI / 180.0), down = 3.9 * cos(angle[k] * PI / 180.0);
        rebound r = strike_floor(ALUMINA, 2.5e-3, vec3(along, 0.0, -down), vec3(0.0, 0.0, 0.0), SCR_HERTZ, 1e-3);
        assert_near(r.velocity.z, 0.98 * down, 1e-3);
        assert_near(r.velocity.x / along, restitution[k], 0.02);
        assert_within(r.spin.y, spin[k], 0.02 * 617.0);
        if (angle[k] < 30.0) continue;  // gross sliding: v' = v - mu (1 + e) v_n, spin 5/2 of that over r
        assert_near(r.velocity.x, along - 0.092 * 1.98 * down, 5e-3);
        assert_near(r.spin.y, 2.5 * 0.092 * 1.98 * down / 2.5e-3, 0.01);
    }
}

// A sphere that sticks where it touches: the contact point is an oscillator whose stiffness follows the overlap,
//     d'' = -k/m d^(3/2),   s'' = -7/2 S_t/m s,   S_t = 2 (1 - nu)/(2 - nu) 3/2 k sqrt(d)
// in units of the impact, by Runge and Kutta's rule: how fast it goes for how fast it came.
typedef struct stuck {
    double d, v, s, u;
} stuck;
static stuck slope(stuck y, double ratio)
{
    double root = sqrt(fmax(y.d, 0.0));
    return (stuck){y.v, -y.d * root, y.u, -3.5 * ratio * 1.5 * root * y.s};
}
static stuck moved(stuck y, double h, stuck by)
{
    return (stuck){y.d + h * by.d, y.v + h * by.v, y.s + h * by.s, y.u + h * by.u};
}

static double recoil_of_a_stuck_point(double poisson)
{
    double ratio = 2.0 * (1.0 - poisson) / (2.0 - poisson), h = 1e-4;
    stuck y = {0.0, 1.0, 0.0, 1.0};
    do {
        stuck a = slope(y, ratio), b = slope(moved(y, 0.5 * h, a), ratio), c = slope(moved(y, 0.5 * h, b), ratio);
        stuck d = slope(moved(y, h, c), ratio);
        y = moved(moved(moved(moved(y, h / 6.0, a), h / 3.0, b), h / 3.0, c), h / 6.0, d);
    } while (y.d > 0.0);
    return y.u;
}

// Speeds of the contact point over mu v_n. Gross sliding: v' = v - 7 mu v_n. Around its onset, finite elements (Vu-Quoc
// and Zhang 1999, as the benchmark quotes them) know of partial slip in the contact, which springs do not. Where
// nothing slips: see above.
static void test_5_the_recoil_of_the_contact_point(void **state)
{
    (void)state;
    const double in[] = {4.755, 5.758, 7.124, 9.118, 12.36}, finite_elements[] = {-1.71, -1.20, 0.13, 2.15, 5.43};
    const solid both[] = {STEEL, POLYETHYLENE};
    const double radius = 1e-5, down = 5.0, unit = 0.3 * 5.0;
    for (int k = 0; k < 2; ++k) {
        for (int p = 0; p < 5; ++p) {
            rebound r =
                strike_floor(both[k], radius, vec3(in[p] * unit, 0.0, -down), vec3(0.0, 0.0, 0.0), SCR_HERTZ, 1e-3);
            double recoil = (r.velocity.x - radius * r.spin.y) / unit;
            if (k == 0) assert_within(recoil, finite_elements[p], in[p] < 5.0 ? 0.3 : 0.06);
            if (in[p] < 7.0) continue;
            double lever = k == 0 ? 0.02 : 0.07;  // it is shorter than the radius by half the overlap
            assert_within(recoil, in[p] - 7.0, lever);
            assert_within(radius * r.spin.y / unit, 5.0, lever);
        }
        solid sticky = both[k];
        sticky.friction = 1e3;
        rebound r = strike_floor(sticky, radius, vec3(0.1, 0.0, -0.05), vec3(0.0, 0.0, 0.0), SCR_HERTZ, 1e-3);
        assert_within((r.velocity.x - radius * r.spin.y) / 0.1, recoil_of_a_stuck_point(sticky.poisson), 5e-3);
    }
}

// Gross sliding brakes the spin by 5/2 mu (1 + e) v_n / r and drives the centre with mu (1 + e) v_n; below that the
// contact sticks, and its point comes back at no more than it came.
static void test_6_a_spinning_sphere_strikes_a_plane(void **state)
{
    (void)state;
    const solid both[] = {ALLOY, NYLON};
    for (int k = 0; k < 2; ++k) {
        for (double spin = 0.175; spin < 22.0; spin *= 1.5) {
            rebound r = strike_floor(both[k], 0.1, vec3(0.0, 0.0, -0.2), vec3(0.0, -spin, 0.0), SCR_HERTZ, 1e-3);
            double drive = 0.4 * 1.5 * 0.2, recoil = r.velocity.x - 0.1 * r.spin.y;
            assert_near(r.velocity.z, 0.1, 2e-3);
            if (0.1 * spin > 3.6 * drive) {
                assert_near(r.velocity.x, -drive, 5e-3);
                assert_near(r.spin.y, -spin + 2.5 * drive / 0.1, 5e-3);
            } else {
                assert_at_most(fabs(recoil), 0.1 * spin);
                assert_near(r.velocity.x, -0.4 * 0.1 * (spin + r.spin.y), 1e-3);  // one impulse turns and drives it
            }
        }
    }
}

// Like gears that fit: the surfaces do not rub, so spins and courses stay as they are.
static void test_7_equal_spheres_spinning_against_each_other(void **state)
{
    (void)state;
    const solid both[] = {ALLOY, COPPER};
    for (int k = 0; k < 2; ++k) {
        for (double spin = 0.175; spin < 23.0; spin *= 2.0) {
            const solid s[2] = {both[k], both[k]};
            impact_pair m = meet(s, (double[]){0.1, 0.1}, (double[]){0.2, 0.2}, (double[]){spin, -spin}, 1e-3);
            for (int b = 0; b < 2; ++b) {
                assert_near(m.spin[b].y, b == 0 ? spin : -spin, 1e-9);
                assert_within(m.velocity[b].z, 0.0, 1e-9);
                assert_near(m.velocity[b].x, b == 0 ? -0.1 : 0.1, 2e-3);
            }
        }
    }
}

// The other one is five times as large and a thousand times as dense: a wall that is curved.
static void test_8_spheres_of_different_size(void **state)
{
    (void)state;
    const solid both[] = {ALLOY, NYLON};
    for (int k = 0; k < 2; ++k) {
        for (double spin = 6.0; spin < 22.0; spin *= 1.5) {
            solid s[2] = {both[k], both[k]};
            s[1].density *= 1000.0;
            impact_pair m = meet(s, (double[]){0.1, 0.5}, (double[]){0.2, 0.0}, (double[]){spin, 0.0}, 1e-3);
            double drive = 0.4 * 1.5 * 0.2;
            assert_near(m.velocity[0].x, -0.1, 3e-3);
            assert_near(m.velocity[0].z, drive, 5e-3);
            assert_near(m.spin[0].y, spin - 2.5 * drive / 0.1, 5e-3);
        }
    }
}

static void a_ratio_of_a_million_in_mass_bounces_as_it_should(void **state)
{
    (void)state;
    solid s[2] = {GLASS, GLASS};
    s[1].density *= 1e3;  // and ten times the radius
    impact_pair m = meet(s, (double[]){0.001, 0.01}, (double[]){0.0, 1.0}, (double[]){0.0, 0.0}, 1e-3);
    assert_near(m.velocity[0].x, -2.0 / (1.0 + 1e-6), 1e-5);
    assert_near(m.velocity[1].x, -(1.0 - 1e-6) / (1.0 + 1e-6), 1e-9);
}

// Where the sphere is midway through its impact, for steps of h, h/2, h/4.
static double height_in_mid_impact(double share)
{
    const double radius = 0.01;
    double time = hertz(sphere_mass(radius, GLASS.density), radius, plain_strain_modulus(GLASS), 1.0).time;
    scr_world *world = make_penalty_world(share * time, SCR_HERTZ);
    add_floor(world, add_rigid(world, GLASS));
    scr_body ball = add_sphere(world, add_solid(world, GLASS), radius, vec3(0.0, 0.0, radius), vec3(0.1, 0.0, -1.0));
    step(world, (int)(0.7 / share + 0.5));
    scr_vec3 at = state_of(world, ball).position;
    scr_world_destroy(world);
    return (at.z - radius) / (time * 1.0);
}

static void springs_are_second_order(void **state)
{
    (void)state;
    double exact = height_in_mid_impact(0.7 / 22400), last = 0.0;
    for (int k = 0; k < 4; ++k) {
        double error = fabs(height_in_mid_impact(0.7 / (35 << k)) - exact);
        print_message("%d steps: error %.3g\n", 35 << k, error);
        if (k > 0) assert_within(last / error, 4.0, 0.6);
        last = error;
    }
}

static void a_hundred_bounces_keep_the_energy(void **state)
{
    (void)state;
    const double radius = 0.01, room = 0.05;
    double time = hertz(sphere_mass(radius, GLASS.density), radius, plain_strain_modulus(GLASS), 1.0).time;
    scr_world *world = make_penalty_world(0.02 * time, SCR_HERTZ);
    scr_material rigid = add_rigid(world, GLASS);
    scr_body wall[4];
    add_walls(world, rigid, 2.0 * radius + 20.0 * time, room, wall);
    solid slippery = GLASS;
    slippery.friction = 0.0;
    scr_body ball = add_sphere(world, add_solid(world, slippery), radius, vec3(radius + 10.0 * time, 0.5 * room, 0.0),
                               vec3(1.0, 0.0, 0.0));
    double before = total_energy(world), worst = 0.0;
    int bounces = 0;
    bool touched = false;
    while (bounces < 100) {
        step(world, 1);
        bool touches = scr_world_report(world).touching_count > 0;
        bounces += touched && !touches;
        touched = touches;
        worst = fmax(worst, fabs(total_energy(world) / before - 1.0));
        assert_true(scr_world_step_count(world) < 1000000);
    }
    print_message("after %d bounces %.3g, on the way %.3g\n", bounces, total_energy(world) / before - 1.0, worst);
    assert_near(total_energy(world), before, 1e-4);
    assert_at_most(worst, 0.01);
    assert_near(vec3_norm(state_of(world, ball).velocity), 1.0, 1e-4);
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_1_two_spheres_collide_as_hertz_says),
        cmocka_unit_test(test_2_a_sphere_strikes_a_rigid_plane_as_hertz_says),
        cmocka_unit_test(test_3_the_restitution_is_what_was_asked_for),
        cmocka_unit_test(test_4_oblique_impacts_agree_with_the_published_ones),
        cmocka_unit_test(test_5_the_recoil_of_the_contact_point),
        cmocka_unit_test(test_6_a_spinning_sphere_strikes_a_plane),
        cmocka_unit_test(test_7_equal_spheres_spinning_against_each_other),
        cmocka_unit_test(test_8_spheres_of_different_size),
        cmocka_unit_test(a_ratio_of_a_million_in_mass_bounces_as_it_should),
        cmocka_unit_test(springs_are_second_order),
        cmocka_unit_test(a_hundred_bounces_keep_the_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
