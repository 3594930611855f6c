// SPDX-License-Identifier: BSD-3-Clause
// A chain of 50 links with a mass at its end a million times a link's: at rest every hinge carries what hangs below it,
// swinging it is a pendulum, and the hinges stay closed.
//
// Across itself the taut chain is a stiff string: its fastest oscillation has rate 2 sqrt(T/(m l)) under the tension T,
// 20,000 rad/s here, far beyond what a step of 1 ms resolves.
#include "dynamics/mechanism.h"

enum { LINKS = 50 };
static const double LINK = 0.1, LINK_MASS = 0.1, TIP_RATIO = 1e6;  // m, kg
static const double BAR = 1e-6;                                    // gap over the length of a link

typedef struct chain {
    scr_world *world;
    scr_body link[LINKS], tip;
    scr_joint joint[LINKS + 1];  // from the top
} chain;

// Straight, at an angle from hanging down that turns about -y. Hinges are parallel to y, or every other one to the
// link's other side.
static chain make_chain(double time_step, double angle, bool is_crossed, double tip_ratio)
{
    chain c = {.world = mechanism_world(time_step, vec3(0.0, 0.0, -GRAVITY))};
    scr_vec3 down = vec3(sin(angle), 0.0, -cos(angle)), side = vec3(cos(angle), 0.0, sin(angle)),
             y = vec3(0.0, 1.0, 0.0);
    scr_body above = GROUND;
    for (int k = 0; k <= LINKS; ++k) {
        bool is_tip = k == LINKS;
        scr_vec3 pin = vec3_scale(LINK * k, down);
        scr_body body =
            is_tip ? add_round_part(c.world, tip_ratio * LINK_MASS, 0.4 * tip_ratio * LINK_MASS * LINK * LINK, pin)
                   : add_part(c.world, scr_box(vec3(0.1 * LINK, 0.1 * LINK, 0.5 * LINK), STEEL), LINK_MASS,
                              vec3_add_scaled(pin, 0.5 * LINK, down), turned(vec3(0.0, -1.0, 0.0), angle));
        c.joint[k] = join(c.world, SCR_JOINT_REVOLUTE, above, body, pin, is_crossed && k % 2 == 1 ? side : y);
        *(is_tip ? &c.tip : &c.link[k]) = above = body;
    }
    return c;
}

static double widest_gap(const chain *c)
{
    double gap = 0.0;
    for (int k = 0; k <= LINKS; ++k) gap = fmax(gap, joint_state(c->world, c->joint[k]).gap);
    return gap / LINK;
}

static void check_hanging(double time_step, int steps, bool is_crossed)
{
    chain c = make_chain(time_step, 1e-12, is_crossed, TIP_RATIO);  // not quite straight down, as nothing is
    for (int n = 1; n <= steps; ++n) {
        step(c.world, 1);
        if (n % 50 == 0) assert_at_most(widest_gap(&c), BAR);
    }
    for (int k = 0; k <= LINKS; ++k) {
        double below = (TIP_RATIO + LINKS - k) * LINK_MASS * GRAVITY;
        scr_joint_state joint = joint_state(c.world, c.joint[k]);
        assert_within3(joint.force, vec3(0.0, 0.0, below), 1e-3 * below);
        assert_within3(joint.torque, STILL, 1e-3 * LINK_MASS * GRAVITY * LINK);
    }
    assert_within3(state_of(c.world, c.tip).position, vec3(0.0, 0.0, -LINK * LINKS), 1e-6 * LINK);
    scr_world_destroy(c.world);
}

static void a_hanging_chain_carries_what_is_below_each_hinge(void **state)
{
    (void)state;
    check_hanging(1e-3, 3000, false);
}
static void so_does_one_of_crossed_hinges(void **state)
{
    (void)state;
    check_hanging(1e-3, 3000, true);
}
static void a_hanging_chain_in_short_steps_carries_what_is_below(void **state)
{
    (void)state;
    check_hanging(5e-5, 3000, false);
}

static void pendulum(const void *context, const long double *y, long double *rate)
{
    const double *length = context;
    rate[0] = y[1];
    rate[1] = -GRAVITY / *length * sinl(y[0]);
}

// The links' masses change its rate by 1e-5 or so. The pull at the top is that of the tip.
static void check_swinging(double time_step, double duration, double tip_ratio, double accuracy)
{
    const double start = 0.5, length = LINK * LINKS;
    chain c = make_chain(time_step, start, false, tip_ratio);
    double energy = total_energy(c.world), worst_energy = 0.0, gap = 0.0, mass = tip_ratio * LINK_MASS;
    int steps = (int)lround(duration / time_step);
    for (int n = 1; n <= steps; ++n) {
        step(c.world, 1);
        if (n % 50 != 0) continue;
        gap = fmax(gap, widest_gap(&c));
        worst_energy = fmax(worst_energy, fabs(total_energy(c.world) - energy));
    }
    long double y[2] = {start, 0.0L};
    solve_ode(pendulum, &length, 2, y, duration, 100);
    scr_vec3 at = state_of(c.world, c.tip).position;
    double pull = mass * (GRAVITY * cosl(y[0]) + length * y[1] * y[1]),
           swing = mass * GRAVITY * length * (1.0 - cos(start));
    double carried = vec3_norm(joint_state(c.world, c.joint[0]).force);
    print_message("swinging: angle off by %.1e rad, pull by %.1e, energy by %.1e of the swing's, gap %.1e of a link\n",
                  fabs(atan2(at.x, -at.z) - (double)y[0]), fabs(carried / pull - 1.0), worst_energy / swing, gap);
    assert_within(atan2(at.x, -at.z), (double)y[0], accuracy);
    assert_near(carried, pull, 1e-3);
    assert_at_most(gap, BAR);
    assert_at_most(worst_energy, 1e-3 * swing);
    scr_world_destroy(c.world);
}

static void a_swinging_chain_is_a_pendulum(void **state)
{
    (void)state;
    check_swinging(1e-3, 3.0, TIP_RATIO, 1e-4);
}
static void a_swinging_chain_in_short_steps_is_a_pendulum(void **state)
{
    (void)state;
    check_swinging(5e-5, 0.2, TIP_RATIO, 1e-4);
}

// The 20th hinge is too weak for what hangs below it: the rest falls freely, and the stump holds its own weight.
static void a_chain_breaks_at_its_weak_link(void **state)
{
    (void)state;
    enum { WEAK = 20, STEPS = 200 };
    const double h = 1e-3;
    chain c = make_chain(h, 0.0, false, 10.0);
    double below = (10.0 + LINKS - WEAK) * LINK_MASS * GRAVITY;
    scr_joint_def def = scr_joint_at(SCR_JOINT_REVOLUTE, c.link[WEAK - 1], c.link[WEAK], vec3(0.0, 0.0, -LINK * WEAK),
                                     vec3(0.0, 1.0, 0.0));
    assert_ok(scr_world_remove_joint(c.world, c.joint[WEAK], &error));
    def.break_force = 0.99 * below;
    c.joint[WEAK] = add_joint(c.world, &def);
    step(c.world, 1 + STEPS);
    assert_true(joint_state(c.world, c.joint[WEAK]).is_broken);
    assert_near(joint_state(c.world, c.joint[0]).force.z, WEAK * LINK_MASS * GRAVITY, 1e-6);
    assert_within3(joint_state(c.world, c.joint[LINKS]).force, STILL, 1e-6 * below);  // nothing pulls in free fall
    double fallen = -LINK * LINKS - state_of(c.world, c.tip).position.z, time = STEPS * h;
    assert_near(fallen, 0.5 * GRAVITY * time * time, 1e-2);  // it breaks within the first two steps
    scr_world_destroy(c.world);
}

// A closed chain of hinged links spins in free space as a regular polygon. Each link's centre moves on a circle of
// radius r, so two pulls T at its ends, pi/N from the chord each, give m w^2 r = 2 T sin(pi/N).
static void a_spinning_ring_pulls_at_its_hinges_as_a_hoop_does(void **state)
{
    (void)state;
    enum { RING = 46, STEPS = 2000 };
    const double h = 1e-3, spin = 10.0, mass = 0.3, radius = 0.5 * LINK / tan(PI / RING),
                 corner = 0.5 * LINK / sin(PI / RING);
    scr_world *world = mechanism_world(h, STILL);
    scr_vec3 y = vec3(0.0, 1.0, 0.0), drift = vec3(0.3, 0.1, -0.2);
    scr_body link[RING];
    scr_joint hinge[RING];
    for (int k = 0; k < RING; ++k) {
        double at = 2.0 * PI * k / RING;
        link[k] = add_part(world, scr_box(vec3(0.5 * LINK, 0.06, 0.01), STEEL), mass,
                           vec3(radius * sin(at), 0.0, radius * cos(at)), turned(y, at));
        turn_about(world, link[k], STILL, vec3_scale(spin, y));
        scr_body_state state_now = state_of(world, link[k]);
        set_motion(world, link[k], vec3_add(state_now.velocity, drift), state_now.spin);
    }
    for (int k = 0; k < RING; ++k) {
        double at = 2.0 * PI * (k + 0.5) / RING;
        hinge[k] = join(world, SCR_JOINT_REVOLUTE, link[k], link[(k + 1) % RING],
                        vec3(corner * sin(at), 0.0, corner * cos(at)), y);
    }
    scr_vec3 push = scr_world_momentum(world), angular_impulse = scr_world_angular_momentum(world);
    double energy = scr_world_energy(world).kinetic, off = 0.0, gap = 0.0;
    double pull = mass * spin * spin * radius / (2.0 * sin(PI / RING));
    for (int n = 1; n <= STEPS; ++n) {
        step(world, 1);
        for (int k = 0; k < RING && n % 100 == 0; ++k) {
            scr_joint_state now = joint_state(world, hinge[k]);
            off = fmax(off, fabs(vec3_norm(now.force) / pull - 1.0));
            gap = fmax(gap, now.gap / LINK);
        }
    }
    print_message("spinning ring: pulls off by %.1e, energy by %.1e, gaps %.1e of a link\n", off,
                  scr_world_energy(world).kinetic / energy - 1.0, gap);
    assert_at_most(off, 1e-3);
    assert_at_most(gap, BAR);
    assert_near(scr_world_energy(world).kinetic, energy, 1e-4);
    assert_within3(scr_world_momentum(world), push, 1e-11 * vec3_norm(push));
    assert_within3(scr_world_angular_momentum(world), angular_impulse, 1e-11 * vec3_norm(angular_impulse));
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hanging_chain_carries_what_is_below_each_hinge),
        cmocka_unit_test(so_does_one_of_crossed_hinges),
        cmocka_unit_test(a_hanging_chain_in_short_steps_carries_what_is_below),
        cmocka_unit_test(a_swinging_chain_is_a_pendulum),
        cmocka_unit_test(a_swinging_chain_in_short_steps_is_a_pendulum),
        cmocka_unit_test(a_chain_breaks_at_its_weak_link),
        cmocka_unit_test(a_spinning_ring_pulls_at_its_hinges_as_a_hoop_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
