// SPDX-License-Identifier: BSD-3-Clause
// Springs, dampers, stops and bushings: rates of oscillation, decay, and where things come to rest.
#include "dynamics/mechanism.h"

static const double MASS = 2.0, STIFFNESS = 800.0;  // kg, N/m: 20 rad/s
static const scr_vec3 X = {1.0, 0.0, 0.0};

// One freedom on a spring: a box that slides along x, or turns about it, against a spring along the joint's motion, or
// one between two points.
typedef enum arrangement { SLIDING, TURNING, STRETCHED, ARRANGEMENTS } arrangement;
static const char *const NAME[ARRANGEMENTS] = {"sliding", "turning", "stretched"};
typedef struct oscillator {
    scr_world *world;
    scr_body body;
    scr_joint joint;
    scr_spring spring;
    double inertia;  // kg or kg m^2
} oscillator;

static const double LENGTH = 0.5;  // m, of the spring between points, without force

static oscillator make_oscillator(arrangement how, double time_step, const scr_spring_def *like)
{
    oscillator o = {.world = mechanism_world(time_step, STILL), .inertia = MASS};
    o.body = add_part(o.world, scr_box(vec3(0.1, 0.1, 0.2), STEEL), MASS, STILL, QUAT_IDENTITY);
    if (how == TURNING) o.inertia = box_inertia(MASS, 0.1, 0.2);
    o.joint = join(o.world, how == TURNING ? SCR_JOINT_REVOLUTE : SCR_JOINT_PRISMATIC, GROUND, o.body, STILL, X);
    scr_spring_def def = *like;
    if (how == STRETCHED) {
        def.b = o.body;
        def.point_a = vec3(-LENGTH, 0.0, 0.0);
        def.point_b = STILL;
    } else def.joint = o.joint;
    o.spring = add_spring(o.world, &def);
    return o;
}

static double motion_of(const oscillator *o)
{
    scr_joint_state now = joint_state(o->world, o->joint);
    return now.along + now.about;  // one of them stays 0
}

static void deflection(oscillator *o, arrangement how, double speed)
{
    set_motion(o->world, o->body, how == TURNING ? STILL : vec3(speed, 0.0, 0.0),
               how == TURNING ? vec3(speed, 0.0, 0.0) : STILL);
}

// x = v/w e^(-d t) sin(w t) with d = c/2m, w^2 = k/m - d^2: the largest distance from it within 1 s, over v/w.
static double oscillation_error(arrangement how, double damping_ratio, double time_step)
{
    const double speed = 0.5;
    scr_spring_def def = scr_default_spring_def();
    double inertia = how == TURNING ? box_inertia(MASS, 0.1, 0.2) : MASS, rate = sqrt(STIFFNESS / MASS);
    def.stiffness = rate * rate * inertia;
    def.damping = 2.0 * damping_ratio * rate * inertia;
    oscillator o = make_oscillator(how, time_step, &def);
    deflection(&o, how, speed);
    double decay = damping_ratio * rate, w = sqrt(rate * rate - decay * decay), worst = 0.0, most = 0.0;
    for (int n = 1; n <= (int)lround(1.0 / time_step); ++n) {
        step(o.world, 1);
        double t = n * time_step;
        worst = fmax(worst, fabs(motion_of(&o) - speed / w * exp(-decay * t) * sin(w * t)));
        if (t > 0.5) most = fmax(most, total_energy(o.world));
    }
    if (damping_ratio == 0.0)
        assert_near(most, 0.5 * o.inertia * speed * speed, 1e-10);  // the midpoint rule loses nothing
    scr_world_destroy(o.world);
    return worst / (speed / w);
}

static void check_oscillation(double damping_ratio)
{
    for (arrangement how = SLIDING; how < ARRANGEMENTS; ++how) {
        double coarse = oscillation_error(how, damping_ratio, 2e-3), fine = oscillation_error(how, damping_ratio, 1e-3);
        print_message("%s, damping %.1f: off by %.2e, %.2e, order %.3f\n", NAME[how], damping_ratio, coarse, fine,
                      order_of(coarse, fine));
        assert_at_most(fine, 1e-3);
        assert_within(order_of(coarse, fine), 2.0, 0.05);
    }
}

static void springs_oscillate_at_their_rate(void **state)
{
    (void)state;
    check_oscillation(0.0);
}
static void damped_springs_decay_at_their_rate(void **state)
{
    (void)state;
    check_oscillation(0.1);
}

// 10,000 times stiffer than a step resolves: nothing blows up, energy stays.
static void no_stiffness_limits_the_step(void **state)
{
    (void)state;
    for (arrangement how = SLIDING; how < ARRANGEMENTS; ++how) {
        scr_spring_def def = scr_default_spring_def();
        def.stiffness = 1e14;
        oscillator o = make_oscillator(how, 1e-3, &def);
        deflection(&o, how, 0.1);
        double energy = total_energy(o.world);
        for (int n = 0; n < 1000; ++n) {
            step(o.world, 1);
            assert_near(total_energy(o.world), energy, 1e-6);
        }
        assert_at_most(fabs(motion_of(&o)), 1e-3);
        scr_world_destroy(o.world);
    }
}

// Push until it rests: how far it went, and that the spring says it holds just that.
static double rest_under(arrangement how, scr_spring_def def, double force)
{
    double inertia = how == TURNING ? box_inertia(MASS, 0.1, 0.2) : MASS;
    def.damping = 2.0 * 30.0 * inertia;
    oscillator o = make_oscillator(how, 2e-3, &def);
    scr_vec3 push = vec3(force, 0.0, 0.0);
    for (int n = 0; n < 2500; ++n) {
        assert_ok(scr_body_apply_force(o.world, o.body, how == TURNING ? STILL : push, how == TURNING ? push : STILL,
                                       &error));
        step(o.world, 1);
    }
    assert_near(spring_state(o.world, o.spring).force, force, 1e-9);
    assert_within(spring_state(o.world, o.spring).rate, 0.0, 1e-9);
    double motion = motion_of(&o);
    assert_within(spring_state(o.world, o.spring).length, motion + (how == STRETCHED ? LENGTH : 0.0), 1e-12);
    scr_world_destroy(o.world);
    return motion;
}

static void a_spring_rests_where_it_balances(void **state)
{
    (void)state;
    for (arrangement how = SLIDING; how < ARRANGEMENTS; ++how) {
        scr_spring_def def = scr_default_spring_def();
        def.stiffness = STIFFNESS;
        assert_near(rest_under(how, def, 40.0), 40.0 / STIFFNESS, 1e-9);
        def.preload = 25.0;
        assert_near(rest_under(how, def, 40.0), 15.0 / STIFFNESS, 1e-9);
        def.preload = 0.0;
        def.rest = (how == STRETCHED ? LENGTH : 0.0) + 0.03;
        assert_near(rest_under(how, def, -8.0), 0.03 - 8.0 / STIFFNESS, 1e-9);
    }
}

// Pieces between the pairs, and the end pieces beyond them.
static void a_tabulated_spring_rests_where_its_table_says(void **state)
{
    (void)state;
    static const double table[] = {-0.05, -100.0, 0.0, 0.0, 0.02, 10.0, 0.06, 90.0};
    const double force[] = {-130.0, -50.0, 4.0, 50.0, 130.0}, stretch[] = {-0.065, -0.025, 0.008, 0.04, 0.08};
    for (int how = SLIDING; how < ARRANGEMENTS; ++how) {
        for (int k = 0; k < 5; ++k) {
            scr_spring_def def = scr_default_spring_def();
            def.table = table;
            def.table_count = 4;
            assert_near(rest_under((arrangement)how, def, force[k]), stretch[k], 1e-9);
        }
    }
}

// Half a swing by each slope: T = pi (sqrt(m/k1) + sqrt(m/k2)). By how much of it the swing is late after 3 of them.
static double two_slopes_lateness(arrangement how, int steps)
{
    const double inertia = how == TURNING ? box_inertia(MASS, 0.1, 0.2) : MASS, speed = 0.5, rate1 = 20.0, rate2 = 50.0;
    const double table[] = {-1.0, -rate1 * rate1 * inertia, 0.0, 0.0, 1.0, rate2 * rate2 * inertia};
    double period = PI / rate1 + PI / rate2;
    scr_spring_def def = scr_default_spring_def();
    def.table = table;
    def.table_count = 3;
    oscillator o = make_oscillator(how, period / steps, &def);
    deflection(&o, how, speed);
    double energy = total_energy(o.world);
    step(o.world, 3 * steps);
    double late = -motion_of(&o) / speed / (3.0 * period);
    assert_near(total_energy(o.world), energy, 1e-3);
    scr_world_destroy(o.world);
    return late;
}

static void a_spring_of_two_slopes_swings_half_by_each(void **state)
{
    (void)state;
    for (arrangement how = SLIDING; how < ARRANGEMENTS; ++how) {
        double coarse = two_slopes_lateness(how, 200), fine = two_slopes_lateness(how, 400);
        print_message("%s, two slopes: late by %.2e, %.2e of the period\n", NAME[how], coarse, fine);
        assert_at_most(fabs(coarse), 1e-3);
        assert_at_most(fabs(fine), 0.5 * fabs(coarse));
    }
}

// Beyond a stop both springs hold.
static void stops_hold_beside_the_spring(void **state)
{
    (void)state;
    for (arrangement how = SLIDING; how < ARRANGEMENTS; ++how) {
        scr_spring_def def = scr_default_spring_def();
        double zero = how == STRETCHED ? LENGTH : 0.0;
        def.stiffness = STIFFNESS;
        def.lower = zero - 0.02;
        def.upper = zero + 0.03;
        def.stop_stiffness = 1e4;
        def.stop_damping = 50.0;
        assert_near(rest_under(how, def, 20.0), 0.025, 1e-9);
        assert_near(rest_under(how, def, 100.0), 0.03 + (100.0 - 24.0) / (1e4 + STIFFNESS), 1e-9);
        assert_near(rest_under(how, def, -100.0), -0.02 - (100.0 - 16.0) / (1e4 + STIFFNESS), 1e-9);
    }
}

static const double BUSHING[6] = {3e4, 1e4, 5e4, 40.0, 90.0, 60.0};

static oscillator make_bushing(const double damping[6], double time_step)
{
    oscillator o = {.world = mechanism_world(time_step, STILL)};
    scr_quat askew = random_rotation(31);
    o.body = add_part(o.world, scr_box(vec3(0.1, 0.1, 0.1), STEEL), MASS, vec3(0.2, -0.1, 0.3), askew);
    scr_joint_def def = scr_joint_at(SCR_JOINT_BUSHING, GROUND, o.body, vec3(0.2, -0.1, 0.3), X);
    def.frame_a.rotation = def.frame_b.rotation = askew;
    for (int k = 0; k < 6; ++k) {
        def.stiffness[k] = BUSHING[k];
        def.damping[k] = damping[k];
    }
    o.joint = add_joint(o.world, &def);
    return o;
}

// Displacement in the joint's axes, then the rotation vector.
static void bushing_motion(const oscillator *o, double motion[6])
{
    scr_joint_state now = joint_state(o->world, o->joint);
    scr_quat a = now.frame_a.rotation, r = quat_mul(quat_conj(a), now.frame_b.rotation);
    scr_vec3 shift = quat_unrotate(a, vec3_sub(now.frame_b.position, now.frame_a.position)), v = vec3(r.x, r.y, r.z);
    double s = vec3_norm(v), angle = 2.0 * atan2(s, fabs(r.w)) * (r.w < 0.0 ? -1.0 : 1.0),
           scale = s > 0.0 ? angle / s : 2.0;
    motion[0] = shift.x, motion[1] = shift.y, motion[2] = shift.z;
    motion[3] = scale * v.x, motion[4] = scale * v.y, motion[5] = scale * v.z;
}

static void a_bushing_yields_by_its_six_stiffnesses(void **state)
{
    (void)state;
    const double load[6] = {300.0, -200.0, 700.0, 20.0, -30.0, 25.0}, damping[6] = {300, 300, 300, 1.0, 1.0, 1.0};
    for (int k = 0; k < 6; ++k) {
        oscillator o = make_bushing(damping, 1e-3);
        scr_quat askew = joint_state(o.world, o.joint).frame_a.rotation;
        scr_vec3 push = quat_rotate(askew, vec3_scale(load[k], vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2)));
        for (int n = 0; n < 3000; ++n) {
            assert_ok(scr_body_apply_force(o.world, o.body, k < 3 ? push : STILL, k < 3 ? STILL : push, &error));
            step(o.world, 1);
        }
        double motion[6];
        bushing_motion(&o, motion);
        for (int i = 0; i < 6; ++i) assert_within(motion[i], i == k ? load[k] / BUSHING[k] : 0.0, 1e-9);
        scr_joint_state now = joint_state(o.world, o.joint);
        assert_within3(k < 3 ? now.force : now.torque, vec3_neg(push), 1e-6);
        scr_world_destroy(o.world);
    }
}

static double bushing_error(int k, double time_step)
{
    const double none[6] = {0.0};
    oscillator o = make_bushing(none, time_step);
    double inertia = k < 3 ? MASS : box_inertia(MASS, 0.1, 0.1), rate = sqrt(BUSHING[k] / inertia), worst = 0.0,
           motion[6];
    scr_quat askew = joint_state(o.world, o.joint).frame_a.rotation;
    scr_vec3 v = quat_rotate(askew, vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2));
    set_motion(o.world, o.body, k < 3 ? v : STILL, k < 3 ? STILL : v);
    for (int n = 1; n * time_step < 6.0 * PI / rate; ++n) {
        step(o.world, 1);
        bushing_motion(&o, motion);
        worst = fmax(worst, fabs(motion[k] - sin(rate * time_step * n) / rate) * rate);
        assert_near(total_energy(o.world), 0.5 * inertia, 1e-7);
    }
    scr_world_destroy(o.world);
    return worst;
}

static void a_bushing_oscillates_at_its_six_rates(void **state)
{
    (void)state;
    for (int k = 0; k < 6; ++k) {
        double coarse = bushing_error(k, 4e-4), fine = bushing_error(k, 2e-4);
        assert_at_most(fine, 2e-3);
        assert_within(order_of(coarse, fine), 2.0, 0.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_oscillate_at_their_rate),
        cmocka_unit_test(damped_springs_decay_at_their_rate),
        cmocka_unit_test(no_stiffness_limits_the_step),
        cmocka_unit_test(a_spring_rests_where_it_balances),
        cmocka_unit_test(a_tabulated_spring_rests_where_its_table_says),
        cmocka_unit_test(a_spring_of_two_slopes_swings_half_by_each),
        cmocka_unit_test(stops_hold_beside_the_spring),
        cmocka_unit_test(a_bushing_yields_by_its_six_stiffnesses),
        cmocka_unit_test(a_bushing_oscillates_at_its_six_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
