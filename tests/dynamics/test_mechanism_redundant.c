// SPDX-License-Identifier: BSD-3-Clause
// Mechanisms with more conditions than they need: a platform on three parallel links, a wheel's two wishbones. What
// their pins carry is finite and as symmetric as they are; what statics can tell is right; assembly counts the
// conditions.
#include "dynamics/mechanism.h"

static const scr_vec3 X = {1.0, 0.0, 0.0}, Y = {0.0, 1.0, 0.0};

// A platform that hangs from three equal, parallel bars. With angle a from straight down it is one pendulum:
//     w^2 = (M l + 3 m l/2) g / (M l^2 + 3 (i + m l^2/4)),  i of a bar about its middle
enum { BARS = 3 };
static const double LENGTH = 0.4, SPREAD = 0.3, BAR_MASS = 0.5, PLATFORM_MASS = 4.0, THICK = 0.02;  // m, kg

static const double FLEXIBLE = 1e5;  // N/m

typedef struct swing {
    scr_world *world;
    scr_body platform;
    scr_joint top[BARS], bottom[BARS];
} swing;

// On hinges, or on bushings that give a little but turn freely about y.
static swing make_swing(double time_step, double angle, bool is_flexible)
{
    swing s = {.world = mechanism_world(time_step, vec3(0.0, 0.0, -GRAVITY))};
    scr_vec3 hang = vec3(LENGTH * sin(angle), 0.0, -LENGTH * cos(angle));
    s.platform = add_part(s.world, scr_box(vec3(0.5, 0.1, THICK), STEEL), PLATFORM_MASS, hang, QUAT_IDENTITY);
    for (int k = 0; k < BARS; ++k) {
        scr_vec3 pin = vec3(SPREAD * (k - 1), 0.0, 0.0);
        scr_body bar = add_part(s.world, scr_box(vec3(THICK, THICK, 0.5 * LENGTH), STEEL), BAR_MASS,
                                vec3_add_scaled(pin, 0.5, hang), turned(vec3_neg(Y), angle));
        scr_joint_def top = scr_joint_at(is_flexible ? SCR_JOINT_BUSHING : SCR_JOINT_REVOLUTE, GROUND, bar, pin, Y);
        for (int axis = 0; is_flexible && axis < 5; ++axis) {  // the sixth is about z of the joint, which is y
            top.stiffness[axis] = axis < 3 ? FLEXIBLE : 1e3;
            top.damping[axis] = axis < 3 ? 3e3 : 3.0;
        }
        s.top[k] = add_joint(s.world, &top);
        s.bottom[k] = join(s.world, SCR_JOINT_REVOLUTE, bar, s.platform, vec3_add(pin, hang), Y);
    }
    return s;
}

static void three_bars_share_a_weight_symmetrically(void **state)
{
    (void)state;
    swing s = make_swing(1e-3, 0.0, false);
    step(s.world, 300);
    double sum = 0.0, size = PLATFORM_MASS * GRAVITY;
    scr_vec3 force[BARS];
    for (int k = 0; k < BARS; ++k) {
        scr_joint_state top = joint_state(s.world, s.top[k]), bottom = joint_state(s.world, s.bottom[k]);
        force[k] = bottom.force;
        assert_within(top.force.z - bottom.force.z, BAR_MASS * GRAVITY, 1e-9 * size);
        assert_within3(top.torque, STILL, 1e-9 * size * LENGTH);
        assert_true(force[k].z > 0.1 * size);
        sum += force[k].z;
    }
    print_message("three bars carry %.4f, %.4f, %.4f of the platform\n", force[0].z / size, force[1].z / size,
                  force[2].z / size);
    assert_near(sum, size, 1e-9);
    assert_within3(vec3_sub(force[0], vec3(-force[2].x, force[2].y, force[2].z)), STILL, 1e-9 * size);
    assert_within(force[1].x, 0.0, 1e-9 * size);
    assert_within3(state_of(s.world, s.platform).position, vec3(0.0, 0.0, -LENGTH), 1e-12);
    scr_world_destroy(s.world);
}

// Springs of equal stiffness share equally, and give by what they carry.
static void three_flexible_bars_share_a_weight_equally(void **state)
{
    (void)state;
    swing s = make_swing(1e-3, 0.0, true);
    step(s.world, 3000);
    double each = (PLATFORM_MASS / BARS + BAR_MASS) * GRAVITY;
    for (int k = 0; k < BARS; ++k) {
        assert_within3(joint_state(s.world, s.top[k]).force, vec3(0.0, 0.0, each), 1e-6 * each);
        assert_within3(joint_state(s.world, s.bottom[k]).force, vec3(0.0, 0.0, each - BAR_MASS * GRAVITY), 1e-6 * each);
    }
    assert_within(state_of(s.world, s.platform).position.z, -LENGTH - each / FLEXIBLE, 1e-9);
    scr_world_destroy(s.world);
}

static double swing_lateness(int steps_a_period)
{
    const double angle = 0.8;
    double inertia = PLATFORM_MASS * LENGTH * LENGTH +
                     BARS * (box_inertia(BAR_MASS, THICK, 0.5 * LENGTH) + 0.25 * BAR_MASS * LENGTH * LENGTH);
    double rate = sqrt((PLATFORM_MASS + 0.5 * BARS * BAR_MASS) * LENGTH * GRAVITY / inertia);
    double period = 2.0 * PI / (rate * pendulum_mean(angle));
    swing s = make_swing(period / steps_a_period, angle, false);
    step(s.world, steps_a_period * 5 / 4);
    scr_body_state platform = state_of(s.world, s.platform);
    assert_within(platform.position.y, 0.0, 1e-10);
    assert_within3(vec3(platform.rotation.x, platform.rotation.y, platform.rotation.z), STILL, 1e-10);
    for (int k = 0; k < BARS; ++k) {
        scr_joint_state joint = joint_state(s.world, s.bottom[k]);
        assert_at_most(joint.gap, 1e-9 * LENGTH);
        assert_at_most(vec3_norm(joint.force), 3.0 * PLATFORM_MASS * GRAVITY);
    }
    double late = atan2(platform.position.x, -platform.position.z) / (2.0 * rate * sin(0.5 * angle)) / (1.25 * period);
    scr_world_destroy(s.world);
    return late;
}

static void a_platform_on_three_bars_swings_with_its_period(void **state)
{
    (void)state;
    double coarse = swing_lateness(200), fine = swing_lateness(400);
    print_message("platform: off by %.2e, %.2e, order %.3f\n", coarse, fine, order_of(coarse, fine));
    assert_at_most(fabs(fine), 5e-5);
    assert_within(order_of(coarse, fine), 2.0, 0.05);
}

// Two arms from y = PIVOT to y = BALL, each on two hinges before and behind; an upright between their ball joints, kept
// from turning by a rod. A spring pushes the lower arm down at its middle. All is symmetric in x but the rod, which
// carries nothing here.
static const double PIVOT = 0.3, BALL = 0.7, LOW = 0.2, HIGH = 0.5, HUB = 0.76;  // m
static const double ARM_MASS = 3.0, UPRIGHT_MASS = 20.0, LOAD = 3000.0;          // kg, N up at the hub

typedef struct wishbones {
    scr_world *world;
    scr_body upright;
    scr_joint pivot[2][2], ball[2], rod;  // [low, high][behind, before]
} wishbones;

static wishbones make_wishbones(void)
{
    wishbones w = {.world = mechanism_world(1e-3, vec3(0.0, 0.0, -GRAVITY))};
    const double height[2] = {LOW, HIGH}, middle = 0.5 * (PIVOT + BALL);
    scr_body arm[2];
    w.upright = add_part(w.world, scr_box(vec3(0.05, 0.04, 0.2), STEEL), UPRIGHT_MASS,
                         vec3(0.0, HUB, 0.5 * (LOW + HIGH)), QUAT_IDENTITY);
    for (int k = 0; k < 2; ++k) {
        arm[k] = add_part(w.world, scr_box(vec3(0.15, 0.5 * (BALL - PIVOT), 0.02), STEEL), ARM_MASS,
                          vec3(0.0, middle, height[k]), QUAT_IDENTITY);
        for (int x = 0; x < 2; ++x)
            w.pivot[k][x] =
                join(w.world, SCR_JOINT_REVOLUTE, GROUND, arm[k], vec3(0.3 * x - 0.15, PIVOT, height[k]), X);
        w.ball[k] = join(w.world, SCR_JOINT_SPHERICAL, arm[k], w.upright, vec3(0.0, BALL, height[k]), X);
    }
    scr_joint_def rod = scr_joint_at(SCR_JOINT_DISTANCE, GROUND, w.upright, vec3(0.2, PIVOT, LOW), X);
    rod.frame_b.position = vec3(0.2, BALL, LOW);
    w.rod = add_joint(w.world, &rod);
    scr_spring_def spring = scr_default_spring_def();
    spring.b = arm[0];
    spring.point_a = vec3(0.0, middle, LOW + 0.4);
    spring.point_b = vec3(0.0, middle, LOW);
    spring.stiffness = 5e4;
    spring.preload =
        -2.0 * (LOAD - (UPRIGHT_MASS + ARM_MASS) * GRAVITY);  // virtual work: it moves half as far as the hub
    add_spring(w.world, &spring);
    return w;
}

static void two_wishbones_carry_a_wheel_load_symmetrically(void **state)
{
    (void)state;
    wishbones w = make_wishbones();
    for (int n = 0; n < 500; ++n) {
        apply_force(w.world, w.upright, vec3(0.0, 0.0, LOAD));
        step(w.world, 1);
    }
    const double tiny = 1e-6 * LOAD, net = LOAD - UPRIGHT_MASS * GRAVITY;
    assert_within3(state_of(w.world, w.upright).position, vec3(0.0, HUB, 0.5 * (LOW + HIGH)), 1e-9);
    assert_within3(joint_state(w.world, w.rod).force, STILL, tiny);
    // The upper arm is a beam on two supports; the couple of the balls' sideways forces balances the hub's overhang.
    double side = net * (HUB - BALL) / (HIGH - LOW);
    assert_within3(joint_state(w.world, w.ball[1]).force, vec3(0.0, side, -0.5 * ARM_MASS * GRAVITY), tiny);
    assert_within3(joint_state(w.world, w.ball[0]).force, vec3(0.0, -side, -net + 0.5 * ARM_MASS * GRAVITY), tiny);
    for (int k = 0; k < 2; ++k) {
        scr_joint_state behind = joint_state(w.world, w.pivot[k][0]), before = joint_state(w.world, w.pivot[k][1]);
        double up = k == 1 ? 0.5 * ARM_MASS * GRAVITY : LOAD - (UPRIGHT_MASS + 0.5 * ARM_MASS) * GRAVITY;
        print_message("pivots: (%.3f, %.3f, %.3f) and (%.3f, %.3f, %.3f) N\n", behind.force.x, behind.force.y,
                      behind.force.z, before.force.x, before.force.y, before.force.z);
        assert_within3(vec3_sub(behind.force, vec3(-before.force.x, before.force.y, before.force.z)), STILL, tiny);
        assert_within(behind.force.y + before.force.y, k == 1 ? side : -side, tiny);
        assert_within(behind.force.z + before.force.z, up, tiny);
    }
    scr_world_destroy(w.world);
}

static void check_count(scr_world *world, int64_t rows, int64_t redundant, int64_t freedoms)
{
    scr_assembly found;
    assert_ok(scr_world_assemble(world, &found, &error));
    assert_int_equal(found.mechanism_count, 1);
    assert_int_equal(found.row_count, rows);
    assert_int_equal(found.redundant_count, redundant);
    assert_int_equal(found.degrees_of_freedom, freedoms);
}

static void assembly_counts_redundant_conditions(void **state)
{
    (void)state;
    swing s = make_swing(1e-3, 0.5, false);
    check_count(s.world, 5 * 6, 7, 1);
    int redundant = 0;
    for (int k = 0; k < BARS; ++k)
        redundant += joint_state(s.world, s.top[k]).redundant_rows + joint_state(s.world, s.bottom[k]).redundant_rows;
    assert_int_equal(redundant, 7);
    scr_world_destroy(s.world);
    wishbones w = make_wishbones();
    check_count(w.world, 4 * 5 + 2 * 3 + 1, 10, 1);
    scr_world_destroy(w.world);
}

// Bennett's linkage: four hinges in a ring, no two of them parallel, that by count of conditions could not move. It
// does where opposite sides are equal in length and twist and sin(twist)/length is the same for all:
//     tan(t1/2) tan(t2/2) = sin((b + a)/2) / sin((b - a)/2),   t3 = -t1, t4 = -t2
// with twists a and b between the hinges. Sides lead from hinge to hinge by Denavit and Hartenberg's convention.
enum { SIDES = 4 };
static const double TWIST[2] = {0.7, 1.2}, SIDE = 0.2;         // rad; m, the first one's length
static const double BENNETT_START = 1.0, BENNETT_SPEED = 3.0;  // rad, rad/s

static double second_angle(double first)
{
    double ratio = sin(0.5 * (TWIST[1] + TWIST[0])) / sin(0.5 * (TWIST[1] - TWIST[0]));
    return 2.0 * atan2(ratio * cos(0.5 * first), sin(0.5 * first));
}

typedef struct bennett {
    scr_world *world;
    scr_joint hinge[SIDES];
} bennett;

// The fourth side is the ground.
static bennett make_bennett(double time_step)
{
    bennett b = {.world = mechanism_world(time_step, vec3(0.0, 0.0, -GRAVITY))};
    double first = BENNETT_START, second = second_angle(first), angle[SIDES] = {first, second, -first, -second};
    scr_frame frame = {.rotation = QUAT_IDENTITY};
    scr_body before = GROUND;
    for (int k = 0; k < SIDES; ++k) {
        double angular_impulse = TWIST[k % 2], length = SIDE * sin(angular_impulse) / sin(TWIST[0]);
        scr_frame here = frame;
        frame.rotation = quat_mul(frame.rotation, turned(vec3(0.0, 0.0, 1.0), angle[k]));
        scr_vec3 along = quat_rotate(frame.rotation, vec3(length, 0.0, 0.0));
        scr_body bar = k == SIDES - 1 ? GROUND
                                      : add_part(b.world, scr_box(vec3(0.5 * length, 0.02, 0.01), STEEL), 1.0,
                                                 vec3_add_scaled(frame.position, 0.5, along), frame.rotation);
        b.hinge[k] = join(b.world, SCR_JOINT_REVOLUTE, before, bar, here.position,
                          quat_rotate(here.rotation, vec3(0.0, 0.0, 1.0)));
        frame.position = vec3_add(frame.position, along);
        frame.rotation = quat_mul(frame.rotation, turned(X, angular_impulse));
        before = bar;
    }
    assert_within3(frame.position, STILL, 1e-15);  // the ring is closed
    assert_near(fabs(frame.rotation.w), 1.0, 1e-15);
    set_motor(b.world, b.hinge[0], SCR_DRIVE_SPEED, constantly(BENNETT_SPEED));
    return b;
}

static void a_ring_of_skew_hinges_moves_as_its_geometry_says(void **state)
{
    (void)state;
    const double h = 1e-3;
    bennett b = make_bennett(h);
    check_count(b.world, 5 * SIDES + 1, 3, 0);  // with the motor nothing is free
    double off = 0.0, most = 0.0;
    for (int n = 1; n <= 2500; ++n) {  // more than a turn
        double energy = total_energy(b.world);
        step(b.world, 1);
        double torque = (total_energy(b.world) - energy) / (BENNETT_SPEED * h);
        off = fmax(off, fabs(joint_state(b.world, b.hinge[0]).motor_force - torque));
        most = fmax(most, fabs(torque));
        double first = BENNETT_START + BENNETT_SPEED * h * n;
        double apart = second_angle(BENNETT_START) + joint_state(b.world, b.hinge[1]).about - second_angle(first);
        assert_within(joint_state(b.world, b.hinge[0]).about, BENNETT_SPEED * h * n, 1e-9);
        assert_within(apart - 2.0 * PI * round(apart / (2.0 * PI)), 0.0, 1e-8);
        for (int k = 0; k < SIDES; ++k) {
            assert_at_most(joint_state(b.world, b.hinge[k]).gap, 1e-6 * SIDE);
            assert_at_most(vec3_norm(joint_state(b.world, b.hinge[k]).force), 1e3);
        }
    }
    print_message("skew hinges: the motor's torque is off by %.1e of its largest, %.1f N m\n", off / most, most);
    assert_at_most(off, 1e-3 * most);
    scr_world_destroy(b.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_bars_share_a_weight_symmetrically),
        cmocka_unit_test(three_flexible_bars_share_a_weight_equally),
        cmocka_unit_test(a_platform_on_three_bars_swings_with_its_period),
        cmocka_unit_test(two_wishbones_carry_a_wheel_load_symmetrically),
        cmocka_unit_test(assembly_counts_redundant_conditions),
        cmocka_unit_test(a_ring_of_skew_hinges_moves_as_its_geometry_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
