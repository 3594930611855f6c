// SPDX-License-Identifier: BSD-3-Clause
// A slider-crank and a four-bar linkage, driven at constant speed: places against closed-form kinematics, the motor's
// torque against virtual work, pins against Newton's laws for each part.
//
// The crank's angle t gives the places x(t) of all parts; with t' = w constant their velocities are w dx/dt and their
// accelerations w^2 d2x/dt2. The motor supplies what energy the parts gain: T w = dE/dt. The plane is x and z, and
// angles turn about -y, from x towards z.
#include "dynamics/mechanism.h"

static const double SPEED = 20.0;  // rad/s
static const double CRANK = 0.1;   // m, from the origin to pin A
static const double START = 0.7;   // rad
static const scr_vec3 AXIS = {0.0, -1.0, 0.0};
enum { PARTS = 3 };  // crank, coupler from pin A to pin B, and the slider or rocker at pin B

typedef struct place {
    long double x, z, angle;
} place;  // of a centre of mass

typedef struct linkage {
    void (*place)(long double crank, place part[PARTS]);
    double half_length[PARTS];  // m; bars are as long as pins are apart
    double mass[PARTS];         // kg
    bool slides;                // the last part slides along x; else it turns about a pin of the ground
} linkage;

static const double ROD = 0.35;                                       // m, slider-crank
static const double GROUND_PIN = 0.4, COUPLER = 0.35, ROCKER = 0.25;  // m, four-bar

static void place_slider_crank(long double t, place part[PARTS])
{
    long double ax = CRANK * cosl(t), az = CRANK * sinl(t), along = sqrtl(ROD * ROD - az * az);
    part[0] = (place){0.5L * ax, 0.5L * az, t};
    part[1] = (place){ax + 0.5L * along, 0.5L * az, atan2l(-az, along)};
    part[2] = (place){ax + along, 0.0L, 0.0L};
}

// B is where circles about A and the ground's pin meet, above.
static void place_four_bar(long double t, place part[PARTS])
{
    long double ax = CRANK * cosl(t), az = CRANK * sinl(t), dx = GROUND_PIN - ax, dz = -az, d = hypotl(dx, dz);
    long double along = (COUPLER * COUPLER - ROCKER * ROCKER + d * d) / (2.0L * d),
                up = sqrtl(COUPLER * COUPLER - along * along);
    long double bx = ax + (along * dx - up * dz) / d, bz = az + (along * dz + up * dx) / d;
    part[0] = (place){0.5L * ax, 0.5L * az, t};
    part[1] = (place){0.5L * (ax + bx), 0.5L * (az + bz), atan2l(bz - az, bx - ax)};
    part[2] = (place){0.5L * (GROUND_PIN + bx), 0.5L * bz, atan2l(bz, bx - GROUND_PIN)};
}

static const linkage SLIDER_CRANK = {place_slider_crank, {0.05, 0.175, 0.03}, {0.5, 0.8, 1.1}, true};
static const linkage FOUR_BAR = {place_four_bar, {0.05, 0.175, 0.125}, {0.5, 0.8, 1.1}, false};
static const double THICK = 0.015;  // m

static double part_inertia(const linkage *l, int k) { return box_inertia(l->mass[k], l->half_length[k], THICK); }

// Velocities and accelerations of the parts by central differences of sixth order.
static void part_motion(const linkage *l, long double t, place velocity[PARTS], place acceleration[PARTS])
{
    enum { SIDE = 3 };
    static const long double FIRST[SIDE + 1] = {0.0L, 0.75L, -0.15L, 1.0L / 60.0L};
    static const long double SECOND[SIDE + 1] = {-49.0L / 18.0L, 1.5L, -0.15L, 1.0L / 90.0L};
    const long double d = 1e-3L, w = SPEED;
    for (int k = 0; k < PARTS; ++k) velocity[k] = acceleration[k] = (place){0.0L, 0.0L, 0.0L};
    for (int s = -SIDE; s <= SIDE; ++s) {
        place part[PARTS];
        l->place(t + s * d, part);
        long double first = (s < 0 ? -FIRST[-s] : FIRST[s]) * w / d, second = SECOND[abs(s)] * w * w / (d * d);
        for (int k = 0; k < PARTS; ++k) {
            velocity[k].x += first * part[k].x;
            velocity[k].z += first * part[k].z;
            velocity[k].angle += first * part[k].angle;
            acceleration[k].x += second * part[k].x;
            acceleration[k].z += second * part[k].z;
            acceleration[k].angle += second * part[k].angle;
        }
    }
}

static double linkage_energy(const linkage *l, double t)
{
    place part[PARTS], v[PARTS], a[PARTS];
    long double sum = 0.0L;
    l->place(t, part);
    part_motion(l, t, v, a);
    for (int k = 0; k < PARTS; ++k)
        sum += 0.5L * l->mass[k] * (v[k].x * v[k].x + v[k].z * v[k].z) +
               0.5L * part_inertia(l, k) * v[k].angle * v[k].angle + l->mass[k] * GRAVITY * part[k].z;
    return (double)sum;
}

typedef struct pins {
    double ax, az, bx, bz;
} pins;  // N: on the coupler at A, on the last part at B

// The last part's equation that its guide or pin does not enter, and the coupler's moment about A, give the force at B.
static pins pin_forces(const linkage *l, double t)
{
    place part[PARTS], v[PARTS], a[PARTS];
    l->place(t, part);
    part_motion(l, t, v, a);
    long double bx = 2.0L * part[1].x - 2.0L * part[0].x, bz = 2.0L * part[1].z - 2.0L * part[0].z;  // B
    long double ax = 2.0L * part[0].x, az = 2.0L * part[0].z;                                        // A
    long double rx = bx - ax, rz = bz - az, m2 = l->mass[1], m3 = l->mass[2];
    // rx (-fz) - rz (-fx) = i2 angle2'' + (g2 - A) x m2 (a2 - gravity)
    long double moment = part_inertia(l, 1) * a[1].angle + m2 * (0.5L * rx * (a[1].z + GRAVITY) - 0.5L * rz * a[1].x);
    long double p = 1.0L, q = 0.0L, other = m3 * a[2].x;  // p fx + q fz = other
    if (!l->slides) {
        long double sx = bx - GROUND_PIN, sz = bz;
        p = -sz;
        q = sx;
        other = part_inertia(l, 2) * a[2].angle + m3 * (0.5L * sx * (a[2].z + GRAVITY) - 0.5L * sz * a[2].x);
    }
    long double det = p * -rx - q * rz, fx = (other * -rx - q * moment) / det, fz = (p * moment - rz * other) / det;
    return (pins){(double)(m2 * a[1].x + fx), (double)(m2 * (a[1].z + GRAVITY) + fz), (double)fx, (double)fz};
}

typedef struct machine {
    scr_world *world;
    scr_body part[PARTS];
    scr_joint motor, a, b, last;
} machine;

// A crank that moves as prescribed needs no hinge of its own: its place is the motor's.
static scr_body add_told_crank(scr_world *world)
{
    scr_shape disc = scr_cylinder(CRANK, 0.02, STEEL);
    scr_body_def def = scr_default_body_def();
    def.kind = SCR_KINEMATIC;
    def.rotation = turned(vec3(1.0, 0.0, 0.0), 0.5 * PI);
    def.spin = vec3_scale(SPEED, AXIS);
    def.shapes = &disc;
    def.shape_count = 1;
    def.collides_with = 0;
    return add_body(world, &def);
}

static machine make_machine(const linkage *l, double time_step, bool is_told)
{
    machine m = {.world = mechanism_world(time_step, vec3(0.0, 0.0, -GRAVITY))};
    place part[PARTS], v[PARTS], acceleration[PARTS];
    l->place(START, part);
    part_motion(l, START, v, acceleration);
    if (is_told) m.part[0] = add_told_crank(m.world);
    for (int k = is_told ? 1 : 0; k < PARTS; ++k) {
        scr_shape bar = scr_box(vec3(l->half_length[k], 0.02, THICK), STEEL);
        m.part[k] = add_part(m.world, bar, l->mass[k], vec3((double)part[k].x, 0.0, (double)part[k].z),
                             turned(AXIS, (double)part[k].angle));
        set_motion(m.world, m.part[k], vec3((double)v[k].x, 0.0, (double)v[k].z), vec3_scale((double)v[k].angle, AXIS));
    }
    scr_vec3 a = vec3(CRANK * cos(START), 0.0, CRANK * sin(START));
    scr_vec3 b = vec3(2.0 * (double)part[1].x - a.x, 0.0, 2.0 * (double)part[1].z - a.z);
    if (!is_told) m.motor = join(m.world, SCR_JOINT_REVOLUTE, GROUND, m.part[0], STILL, AXIS);
    m.a = join(m.world, SCR_JOINT_REVOLUTE, m.part[0], m.part[1], a, AXIS);
    m.b = join(m.world, SCR_JOINT_REVOLUTE, m.part[1], m.part[2], b, AXIS);
    m.last = l->slides ? join(m.world, SCR_JOINT_PRISMATIC, GROUND, m.part[2], b, vec3(1.0, 0.0, 0.0))
                       : join(m.world, SCR_JOINT_REVOLUTE, GROUND, m.part[2], vec3(GROUND_PIN, 0.0, 0.0), AXIS);
    if (!is_told) set_motor(m.world, m.motor, SCR_DRIVE_SPEED, constantly(SPEED));
    return m;
}

static void check_places(const linkage *l, bool is_told)
{
    const double h = 5e-4;
    machine m = make_machine(l, h, is_told);
    for (int n = 1; n <= 2000; ++n) {  // three turns
        step(m.world, 1);
        place part[PARTS];
        l->place(START + SPEED * h * n, part);
        if (!is_told) assert_within(joint_state(m.world, m.motor).about, SPEED * h * n, 1e-9);
        for (int k = is_told ? 1 : 0; k < PARTS; ++k) {
            scr_body_state s = state_of(m.world, m.part[k]);
            assert_within3(s.position, vec3((double)part[k].x, 0.0, (double)part[k].z), 1e-9);
            scr_vec3 along = quat_rotate(s.rotation, vec3(1.0, 0.0, 0.0));
            assert_within3(along, vec3(cos((double)part[k].angle), 0.0, sin((double)part[k].angle)), 1e-8);
        }
        place v[PARTS], acceleration[PARTS];
        part_motion(l, START + SPEED * h * n, v, acceleration);
        scr_body_state last = state_of(m.world, m.part[2]);
        assert_within3(last.velocity, vec3((double)v[2].x, 0.0, (double)v[2].z), 1e-8);
        assert_within(joint_state(m.world, m.a).gap, 0.0, 1e-7 * CRANK);
    }
    scr_world_destroy(m.world);
}

// The largest over a turn, of the largest force there is: in the plane, and across it, where parallel hinges are
// redundant.
typedef struct force_errors {
    double torque, pins, across;
} force_errors;

static force_errors measure_forces(const linkage *l, double time_step)
{
    machine m = make_machine(l, time_step, false);
    double torque_error = 0.0, torque_size = 0.0, pin_error = 0.0, pin_size = 0.0, across = 0.0;
    int steps = (int)(2.0 * PI / (SPEED * time_step));
    for (int n = 1; n <= steps; ++n) {
        step(m.world, 1);
        double from = START + SPEED * time_step * (n - 1), to = from + SPEED * time_step;
        double torque = (linkage_energy(l, to) - linkage_energy(l, from)) / (to - from);  // mean over the step
        torque_size = fmax(torque_size, fabs(torque));
        torque_error = fmax(torque_error, fabs(joint_state(m.world, m.motor).motor_force - torque));
        pins p = pin_forces(l, 0.5 * (from + to));
        scr_joint_state a = joint_state(m.world, m.a), b = joint_state(m.world, m.b);
        pin_size = fmax(pin_size, fmax(hypot(p.ax, p.az), hypot(p.bx, p.bz)));
        pin_error = fmax(pin_error, hypot(a.force.x - p.ax, a.force.z - p.az));
        pin_error = fmax(pin_error, hypot(b.force.x - p.bx, b.force.z - p.bz));
        across = fmax(across, fmax(fabs(a.force.y), fabs(b.force.y)));
    }
    scr_world_destroy(m.world);
    return (force_errors){torque_error / torque_size, pin_error / pin_size, across / pin_size};
}

static void check_forces(const linkage *l)
{
    force_errors coarse = measure_forces(l, 1e-3), fine = measure_forces(l, 5e-4);
    print_message("torque off by %.2e, %.2e, order %.2f; pins by %.2e, %.2e, order %.2f; across %.1e\n", coarse.torque,
                  fine.torque, order_of(coarse.torque, fine.torque), coarse.pins, fine.pins,
                  order_of(coarse.pins, fine.pins), fine.across);
    assert_at_most(fine.torque, 1e-3);
    assert_at_most(fine.pins, 1e-3);
    assert_at_most(fine.across, 1e-3);
    assert_true(order_of(coarse.torque, fine.torque) > 1.8);
    assert_true(order_of(coarse.pins, fine.pins) > 1.8);
}

static void a_slider_crank_is_where_its_geometry_says(void **state)
{
    (void)state;
    check_places(&SLIDER_CRANK, false);
}
static void a_four_bar_is_where_its_geometry_says(void **state)
{
    (void)state;
    check_places(&FOUR_BAR, false);
}
static void linkages_follow_a_crank_that_turns_as_told(void **state)
{
    (void)state;
    check_places(&SLIDER_CRANK, true);
    check_places(&FOUR_BAR, true);
}
static void a_slider_crank_needs_the_torque_of_virtual_work(void **state)
{
    (void)state;
    check_forces(&SLIDER_CRANK);
}
static void a_four_bar_needs_the_torque_of_virtual_work(void **state)
{
    (void)state;
    check_forces(&FOUR_BAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slider_crank_is_where_its_geometry_says),
        cmocka_unit_test(a_four_bar_is_where_its_geometry_says),
        cmocka_unit_test(linkages_follow_a_crank_that_turns_as_told),
        cmocka_unit_test(a_slider_crank_needs_the_torque_of_virtual_work),
        cmocka_unit_test(a_four_bar_needs_the_torque_of_virtual_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
