// SPDX-License-Identifier: BSD-3-Clause
// Tracks round their wheels: the taut loop has the length of its arcs and tangents, and pins close it, a link apart.
#include <string.h>

#include "check.h"
#include "vehicle/tracked/tracked.h"

static const double PI = 3.141592653589793;

static track_path path_of(const track_circle *circles, int count)
{
    track_path path;
    scr_error error;
    assert_int_equal(track_path_make(circles, count, &path, &error), SCR_OK);
    return path;
}

// Two pulleys: 2 sqrt(D^2 - (R - r)^2) of straight belt, pi + 2 asin((R - r) / D) round the large one, the rest round
// the small one.
static void an_open_belt_has_the_length_of_the_textbook(void **state)
{
    (void)state;
    const double radii[][2] = {{0.2, 0.2}, {0.3, 0.1}, {0.1, 0.3}, {0.25, 0.249}};
    for (int k = 0; k < 4; ++k) {
        double large = fmax(radii[k][0], radii[k][1]), small = fmin(radii[k][0], radii[k][1]), apart = 1.3;
        const track_circle pulleys[2] = {{{-0.4, 0.5}, radii[k][0]},
                                         {{-0.4 + apart * cos(0.3), 0.5 + apart * sin(0.3)}, radii[k][1]}};
        double lean = asin((large - small) / apart);
        double length = 2.0 * apart * cos(lean) + large * (PI + 2.0 * lean) + small * (PI - 2.0 * lean);
        assert_near(path_of(pulleys, 2).length, length, 1e-12);
    }
}

// Wheels that the hull does not touch change nothing, and wheels in one line are passed along it.
static void wheels_inside_the_loop_do_not_bend_it(void **state)
{
    (void)state;
    const track_circle wheels[5] = {
        {{0, 0}, 0.2}, {{1, 0}, 0.2}, {{0.5, 0.05}, 0.1}, {{0.25, 0}, 0.2}, {{0.75, -0.1}, 0.1}};
    assert_near(path_of(wheels, 5).length, path_of(wheels, 2).length, 1e-9);
    // begun in the middle of the lower run, too
    const track_circle from_the_middle[3] = {{{0.4, 0}, 0.2}, {{0, 0}, 0.2}, {{1, 0}, 0.2}};
    assert_near(path_of(from_the_middle, 3).length, 2.0 + 0.4 * PI, 1e-12);
}

static void a_path_is_followed_at_its_own_length(void **state)
{
    (void)state;
    const track_circle wheels[3] = {{{-1, 0.4}, 0.2}, {{1, 0.5}, 0.25}, {{0, 0.1}, 0.1}};
    track_path path = path_of(wheels, 3);
    enum { POINTS = 20000 };
    double length = 0.0;
    track_point before = track_path_at(&path, 0.0), first = before;
    assert_near(before.z, 0.0, 1e-15);  // the lowest point
    for (int k = 1; k <= POINTS; ++k) {
        track_point now = track_path_at(&path, path.length * k / POINTS);
        length += hypot(now.x - before.x, now.z - before.z);
        before = now;
    }
    assert_near(length, path.length, 1e-7);
    assert_within(hypot(before.x - first.x, before.z - first.z), 0.0, 1e-12);
}

static void a_wheel_that_holds_all_others_is_refused(void **state)
{
    (void)state;
    const track_circle wheels[2] = {{{0, 0}, 1.0}, {{0.1, 0}, 0.2}};
    track_path path;
    scr_error error;
    assert_int_equal(track_path_make(wheels, 2, &path, &error), SCR_BAD_INPUT);
}

static tracked_vehicle vehicle_of(shoe_kind kind)
{
    tracked_vehicle v = {.sprocket = {.position = {-0.6, 0.3}, .teeth = 16},
                         .idler = {.position = {0.7, 0.3}, .radius = 0.15},
                         .tensioner = {.slide = {1, 0}, .lower = -0.4, .upper = 0.6},
                         .road_wheel_count = 2,
                         .shoe = {.kind = kind, .count = 61, .pitch = 0.06, .pad_depth = 0.007, .pad_thickness = 0.01}};
    v.road_wheel[0] = (tracked_wheel){.position = {-0.4, 0.14}, .radius = 0.09};
    v.road_wheel[1] = (tracked_wheel){.position = {0.4, 0.14}, .radius = 0.09};
    if (kind == SHOE_DOUBLE_PIN) v.shoe.count = 48, v.shoe.connector_pitch = 0.02;
    return v;
}

static void pins_close_a_track_a_link_apart(void **state)
{
    (void)state;
    const shoe_kind kinds[] = {SHOE_SINGLE_PIN, SHOE_DOUBLE_PIN};
    for (int k = 0; k < 2; ++k) {
        tracked_vehicle v = vehicle_of(kinds[k]);
        track_wrap wrap;
        scr_error error;
        assert_int_equal(tracked_wrap(&v, &wrap, &error), SCR_OK);
        int count = track_link_count(&v.shoe);
        for (int i = 0; i < count; ++i) {
            track_point a = wrap.pin[i], b = wrap.pin[(i + 1) % count];
            double link = kinds[k] == SHOE_DOUBLE_PIN && i % 2 == 1 ? v.shoe.connector_pitch : v.shoe.pitch;
            assert_within(hypot(b.x - a.x, b.z - a.z), link, 1e-12);
        }
        track_wrap_free(&wrap);
    }
}

static void a_track_that_cannot_close_is_refused(void **state)
{
    (void)state;
    const int counts[2] = {30, 90};
    const char *const words[2] = {"too short", "too long"};
    for (int k = 0; k < 2; ++k) {
        tracked_vehicle v = vehicle_of(SHOE_SINGLE_PIN);
        v.shoe.count = counts[k];
        track_wrap wrap;
        scr_error error;
        assert_int_equal(tracked_wrap(&v, &wrap, &error), SCR_BAD_INPUT);
        assert_non_null(strstr(error.message, words[k]));
        track_wrap_free(&wrap);
    }
}

// p / (2 sin(pi / z)); with connectors the angles that both span make up a tooth's.
static void pins_sit_on_the_sprocket_between_its_teeth(void **state)
{
    (void)state;
    tracked_vehicle v = vehicle_of(SHOE_SINGLE_PIN);
    assert_near(sprocket_pin_radius(&v), 0.03 / sin(PI / 16), 1e-12);
    assert_near(sprocket_rolling_radius(&v), 0.06 * 16 / (2 * PI), 1e-12);
    v = vehicle_of(SHOE_DOUBLE_PIN);
    double r = sprocket_pin_radius(&v);
    assert_near(2 * asin(0.03 / r) + 2 * asin(0.01 / r), 2 * PI / 16, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_open_belt_has_the_length_of_the_textbook),
        cmocka_unit_test(wheels_inside_the_loop_do_not_bend_it),
        cmocka_unit_test(a_path_is_followed_at_its_own_length),
        cmocka_unit_test(a_wheel_that_holds_all_others_is_refused),
        cmocka_unit_test(pins_close_a_track_a_link_apart),
        cmocka_unit_test(a_track_that_cannot_close_is_refused),
        cmocka_unit_test(pins_sit_on_the_sprocket_between_its_teeth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
