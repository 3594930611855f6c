// SPDX-License-Identifier: BSD-3-Clause
// Drivers on a vehicle of pure kinematics: tracks at +-b that slip by known shares move it at the mean of their speeds
// and turn it at their difference over 2 b.
#include "check.h"
#include "core/maths/trig.h"
#include "vehicle/driver/driver.h"

static const double PI = 3.141592653589793, H = 1e-3, HALF_GAUGE = 0.3;

typedef struct cart {
    driver_state driver;
    driver_input in;
    double forward_share, yaw_share;  // of what kinematics promises that comes true
} cart;

static cart cart_at(double x, double y, double heading)
{
    return (cart){.in = {.at = {x, y}, .heading = heading}, .forward_share = 1.0, .yaw_share = 1.0};
}

static void step(cart *c, const driver_def *def)
{
    double sine, cosine;
    c->driver = driver_decide(def, c->driver, &c->in, H);
    double left = driver_track_speed(&c->driver, HALF_GAUGE), right = driver_track_speed(&c->driver, -HALF_GAUGE);
    c->in.speed = c->forward_share * 0.5 * (left + right);
    c->in.yaw_rate = c->yaw_share * 0.5 * (right - left) / HALF_GAUGE;
    scr_sincos(c->in.heading + 0.5 * H * c->in.yaw_rate, &sine, &cosine);
    c->in.at.x += H * c->in.speed * cosine;
    c->in.at.y += H * c->in.speed * sine;
    c->in.heading += H * c->in.yaw_rate;
}

static void drive(cart *c, const driver_def *def, double duration)
{
    for (int k = 0; k < (int)(duration / H + 0.5); ++k) step(c, def);
}

static driver_def driver_of(driver_kind kind)
{
    return (driver_def){.kind = kind, .gain = 2.0, .acceleration = 1.0, .half_gauge = HALF_GAUGE, .yaw_rate_max = 1.0};
}

// It turns to its heading the short way and holds it, without having left its acceleration behind.
static void straight_on_holds_heading_and_speed(void **state)
{
    (void)state;
    driver_def def = driver_of(DRIVER_STRAIGHT);
    def.heading = 0.9 * PI;
    cart c = cart_at(0, 0, -0.9 * PI);
    c.in.asked_speed = 0.5;
    drive(&c, &def, 0.2);
    assert_near(c.in.speed, 0.2, 1e-9);  // a t
    assert_true(c.in.yaw_rate < 0.0);
    drive(&c, &def, 8.0);
    assert_within(c.in.heading, -1.1 * PI, 1e-4);
    assert_near(c.in.speed, 0.5, 1e-3);
}

// Tracks that slip run faster, until the vehicle does what was asked of it; without a gain they do not.
static void slip_is_made_up_for(void **state)
{
    (void)state;
    driver_def def = driver_of(DRIVER_TURN);
    cart c = cart_at(0, 0, 0), plain = c;
    c.in.asked_speed = 0.4, c.in.asked_yaw_rate = -0.6, c.forward_share = 0.8, c.yaw_share = 0.5;
    plain = c;
    drive(&c, &def, 8.0);
    assert_near(c.in.speed, 0.4, 1e-3);
    assert_near(c.in.yaw_rate, -0.6, 1e-3);
    assert_near(driver_track_speed(&c.driver, HALF_GAUGE), 0.4 / 0.8 + 0.6 / 0.5 * HALF_GAUGE, 1e-3);
    def.gain = 0.0;
    drive(&plain, &def, 8.0);
    assert_near(plain.in.speed, 0.8 * 0.4, 1e-12);
    assert_near(plain.in.yaw_rate, -0.5 * 0.6, 1e-12);
}

// What is stuck does not make a driver turn sprockets ever faster.
static void a_stuck_vehicle_is_driven_at_most_three_times_as_fast(void **state)
{
    (void)state;
    driver_def def = driver_of(DRIVER_TURN);
    cart c = cart_at(0, 0, 0);
    c.in.asked_speed = 0.4, c.in.asked_yaw_rate = 0.0, c.forward_share = 0.0;
    drive(&c, &def, 60.0);
    assert_near(driver_track_speed(&c.driver, 0.0), 1.2, 1e-12);
}

// A circle of the radius asked for, to the left if that is positive.
static void a_turn_keeps_its_radius(void **state)
{
    (void)state;
    const double radii[] = {2.0, -1.5};
    for (int k = 0; k < 2; ++k) {
        driver_def def = driver_of(DRIVER_TURN);
        def.radius = radii[k];
        cart c = cart_at(0, 0, 0);
        c.in.asked_speed = 0.5;
        for (int n = 0; n < 20000; ++n) {
            step(&c, &def);
            assert_near(hypot(c.in.at.x, c.in.at.y - radii[k]), fabs(radii[k]), 1e-3);
        }
        assert_true(c.in.heading * radii[k] > 0.0);
    }
}

static driver_def path_driver(const ground_point *points, int count)
{
    driver_def def = driver_of(DRIVER_PATH);
    def.path = (waypoints){points, count};
    def.look_ahead = 0.6;
    return def;
}

// Round corners it stays within the distance it looks ahead, goes no faster than it may turn, and stops at the end.
static void a_path_is_followed_and_ends_at_its_last_waypoint(void **state)
{
    (void)state;
    const ground_point points[] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {-1, 8}};
    driver_def def = path_driver(points, 5);
    cart c = cart_at(0, 0.3, 0);
    c.in.asked_speed = 1.5;
    double farthest = 0.0, length = waypoints_length(&def.path);
    for (int n = 0; n < 30000; ++n) {
        step(&c, &def);
        ground_point near = waypoints_at(&def.path, waypoints_nearest(&def.path, 0.0, length, c.in.at));
        farthest = fmax(farthest, hypot(near.x - c.in.at.x, near.y - c.in.at.y));
        assert_true(fabs(c.in.yaw_rate) < 1.05 * def.yaw_rate_max);
    }
    assert_true(farthest < def.look_ahead);
    assert_within(hypot(c.in.at.x + 1, c.in.at.y - 8), 0.0, 0.05);
    assert_within(c.in.speed, 0.0, 0.02);
    assert_near(c.driver.along, length, 5e-3);
}

// A path that begins behind the vehicle is turned to on the spot.
static void what_is_behind_is_turned_to(void **state)
{
    (void)state;
    const ground_point points[] = {{0, 0}, {-5, 0}};
    driver_def def = path_driver(points, 2);
    cart c = cart_at(0, 0, 0.1);
    c.in.asked_speed = 0.5;
    drive(&c, &def, 1.0);
    assert_within(hypot(c.in.at.x, c.in.at.y), 0.0, 0.01);
    assert_true(c.in.yaw_rate > 0.9);
    drive(&c, &def, 30.0);
    assert_within(hypot(c.in.at.x + 5, c.in.at.y), 0.0, 0.05);
}

static void a_path_has_lengths_and_nearest_points(void **state)
{
    (void)state;
    const ground_point points[] = {{0, 0}, {3, 0}, {3, 4}};
    waypoints path = {points, 3};
    assert_near(waypoints_length(&path), 7.0, 1e-15);
    ground_point beyond = waypoints_at(&path, 9.0);
    assert_near(beyond.x, 3.0, 1e-15);
    assert_near(beyond.y, 6.0, 1e-15);
    assert_near(waypoints_nearest(&path, 0.0, 7.0, (ground_point){2.9, 1.0}), 4.0, 1e-15);
    assert_near(waypoints_nearest(&path, 0.0, 3.5, (ground_point){2.9, 1.0}), 3.5, 1e-15);
    assert_near(waypoints_nearest(&path, 5.0, 7.0, (ground_point){1.0, 0.0}), 5.0, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_on_holds_heading_and_speed),
        cmocka_unit_test(slip_is_made_up_for),
        cmocka_unit_test(a_stuck_vehicle_is_driven_at_most_three_times_as_fast),
        cmocka_unit_test(a_turn_keeps_its_radius),
        cmocka_unit_test(a_path_is_followed_and_ends_at_its_last_waypoint),
        cmocka_unit_test(what_is_behind_is_turned_to),
        cmocka_unit_test(a_path_has_lengths_and_nearest_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
