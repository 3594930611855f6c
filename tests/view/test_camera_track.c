// SPDX-License-Identifier: BSD-3-Clause
// Cameras that move: they go round, along and through the places they should.
#include <string.h>

#include "check.h"
#include "core/maths/vec3.h"
#include "view/stage/camera_track.h"

static scene_view standing(void)
{
    scene_view v = scene_default_view();
    v.has_eye = v.has_target = true;
    v.eye = vec3(3.0, 0.0, 2.5);
    v.target = vec3(1.0, 1.0, 0.5);
    return v;
}

static void assert_vec3(scr_vec3 v, double x, double y, double z)
{
    assert_within(v.x, x, 1e-12);
    assert_within(v.y, y, 1e-12);
    assert_within(v.z, z, 1e-12);
}

static void a_quarter_turn_goes_to_the_left_of_what_is_seen(void **state)
{
    (void)state;
    scene_view v = standing();
    v.orbit = 360.0;
    camera_key key = camera_track_at(&v, &(track_instant){.share = 0.25});
    assert_vec3(key.eye, 2.0, 3.0, 2.5);  // counter-clockwise seen from above, at the same height
    assert_vec3(key.target, 1.0, 1.0, 0.5);
    key = camera_track_at(&v, &(track_instant){.share = 1.0});
    assert_vec3(key.eye, 3.0, 0.0, 2.5);
}

static void a_camera_moves_along_with_a_body(void **state)
{
    (void)state;
    scene_view v = standing();
    camera_key key = camera_track_at(&v, &(track_instant){.body_shift = {0.5, -2.0, 0.25}});
    assert_vec3(key.eye, 3.5, -2.0, 2.75);
    assert_vec3(key.target, 1.5, -1.0, 0.75);
}

static void a_path_goes_through_its_places_without_a_jerk(void **state)
{
    (void)state;
    camera_key path[] = {{0.0, {0, 0, 1}, {1, 0, 0}}, {1.0, {2, 0, 1}, {1, 1, 0}}, {3.0, {4, 3, 1}, {0, 1, 0}}};
    scene_view v = scene_default_view();
    v.path = path;
    v.path_count = 3;
    for (int i = 0; i < 3; ++i) {
        camera_key key = camera_track_at(&v, &(track_instant){.time = path[i].time});
        assert_vec3(key.eye, path[i].eye.x, path[i].eye.y, path[i].eye.z);
        assert_vec3(key.target, path[i].target.x, path[i].target.y, path[i].target.z);
    }
    assert_vec3(camera_track_at(&v, &(track_instant){.time = -5.0}).eye, 0.0, 0.0, 1.0);
    assert_vec3(camera_track_at(&v, &(track_instant){.time = 9.0}).eye, 4.0, 3.0, 1.0);
    // The speed before and after the middle place is the same: that of the way between its neighbours.
    const double h = 1e-5;
    scr_vec3 before = camera_track_at(&v, &(track_instant){.time = 1.0 - h}).eye;
    scr_vec3 after = camera_track_at(&v, &(track_instant){.time = 1.0 + h}).eye;
    assert_within((2.0 - before.x) / h, 4.0 / 3.0, 1e-3);
    assert_within((after.x - 2.0) / h, 4.0 / 3.0, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quarter_turn_goes_to_the_left_of_what_is_seen),
        cmocka_unit_test(a_camera_moves_along_with_a_body),
        cmocka_unit_test(a_path_goes_through_its_places_without_a_jerk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
