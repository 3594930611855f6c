// SPDX-License-Identifier: BSD-3-Clause
// The camera puts points where geometry says, and frames its subject when left alone.
#include "check.h"
#include "view/stage/camera.h"

static camera front_camera(void)  // 10 m in front of the origin, looking along y; 90 degrees high, twice as wide
{
    camera_request request = {.has_eye = true,
                              .has_target = true,
                              .eye = {0.0, -10.0, 0.0},
                              .field_of_view = 90.0,
                              .width = 200,
                              .height = 100};
    extent unused = {vec3f_all(-1.0f), vec3f_all(1.0f)};
    return camera_for(&request, &unused);
}

static void known_points_fall_on_known_pixels(void **state)
{
    (void)state;
    camera c = front_camera();
    float x, y;
    assert_true(camera_project(&c, vec3f_of(0.0f, 0.0f, 0.0f), &x, &y));
    assert_within(x, 100.0, 1e-4);
    assert_within(y, 50.0, 1e-4);
    assert_true(camera_project(&c, vec3f_of(5.0f, 0.0f, 5.0f), &x, &y));  // half of the half height, right and up
    assert_within(x, 125.0, 1e-4);
    assert_within(y, 25.0, 1e-4);
    assert_false(camera_project(&c, vec3f_of(0.0f, -11.0f, 0.0f), &x, &y));  // behind the eye
}

static void rays_lead_back_to_their_pixel(void **state)
{
    (void)state;
    camera c = front_camera();
    for (float px = 0.5f; px < 200.0f; px += 37.0f) {
        for (float py = 0.5f; py < 100.0f; py += 23.0f) {
            float x, y;
            vec3f direction = camera_direction(&c, px, py);
            assert_near(vec3f_norm(direction), 1.0, 1e-5);
            assert_true(camera_project(&c, c.eye + 3.0f * direction, &x, &y));
            assert_within(x, px, 1e-2);
            assert_within(y, py, 1e-2);
        }
    }
}

static void looking_straight_down_keeps_y_up(void **state)
{
    (void)state;
    camera_request request = {.has_eye = true,
                              .has_target = true,
                              .eye = {1.0, 2.0, 30.0},
                              .target = {1.0, 2.0, 0.0},
                              .width = 100,
                              .height = 100};
    extent unused = {vec3f_all(-1.0f), vec3f_all(1.0f)};
    camera c = camera_for(&request, &unused);
    float x, y;
    assert_true(camera_project(&c, vec3f_of(1.0f, 3.0f, 0.0f), &x, &y));
    assert_within(x, 50.0, 1e-3);
    assert_true(y < 49.0f);
}

// All corners lie in the part that is not kept free, with a margin of 3 % on all sides, and touch that margin on two
// opposite sides: nearer would be too near.
static void check_fit(vec3f low, vec3f high, double clear_right)
{
    extent subject = {low, high};
    camera_request request = {.width = 1600, .height = 1000, .clear_right = clear_right};
    camera c = camera_for(&request, &subject);
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;  // shares of the free part
    for (int corner = 0; corner < 8; ++corner) {
        vec3f p = vec3f_of(corner & 1 ? high[0] : low[0], corner & 2 ? high[1] : low[1], corner & 4 ? high[2] : low[2]);
        float x, y;
        assert_true(camera_project(&c, p, &x, &y));
        left = fmin(left, x / (1600.0 * (1.0 - clear_right))), top = fmin(top, y / 1000.0);
        right = fmax(right, x / (1600.0 * (1.0 - clear_right))), bottom = fmax(bottom, y / 1000.0);
    }
    const double margin = 0.03, exact = 2e-4;
    assert_true(left > margin - exact && right < 1.0 - margin + exact);
    assert_true(top > margin - exact && bottom < 1.0 - margin + exact);
    assert_within(fmax(right - left, bottom - top), 1.0 - 2.0 * margin, 2.0 * exact);
    assert_within(0.5 * (left + right), 0.5, 0.05);
    assert_true(c.eye[2] > 0.5f * (low[2] + high[2]));  // from above
}

static void an_automatic_view_holds_the_whole_subject(void **state)
{
    (void)state;
    check_fit(vec3f_of(-0.5f, -0.5f, 0.0f), vec3f_of(0.5f, 0.5f, 4.0f), 0.0);  // a tower
    check_fit(vec3f_of(-5.0f, -1.0f, 0.0f), vec3f_of(5.0f, 1.0f, 0.2f), 0.1);  // a bed along x
    check_fit(vec3f_of(99.0f, -300.0f, 7.0f), vec3f_of(101.0f, -290.0f, 8.0f),
              0.1);                                                             // one along y, far from the origin
    check_fit(vec3f_of(0.0f, 0.0f, 0.0f), vec3f_of(1e-3f, 1e-3f, 1e-3f), 0.0);  // a grain
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_points_fall_on_known_pixels),
        cmocka_unit_test(rays_lead_back_to_their_pixel),
        cmocka_unit_test(looking_straight_down_keeps_y_up),
        cmocka_unit_test(an_automatic_view_holds_the_whole_subject),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
