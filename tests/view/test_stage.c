// SPDX-License-Identifier: BSD-3-Clause
// What is framed, what is ground, and which walls turn to glass.
#include "check.h"
#include "view/stage/stage.h"
#include "view/synthetic.h"

static const ground_request NO_GROUND = {0};
static const float QUARTER = 1.57079633f;  // rad

static void fill_unit_cube(frame *f)  // grains in the unit cube that stands on the origin
{
    for (uint64_t i = 0; i < 3000; ++i) {
        double u[2], v[2];
        scr_uniform2(3, 0, i, u);
        scr_uniform2(3, 1, i, v);
        add_sphere(f, (float)u[0] - 0.5f, (float)u[1] - 0.5f, (float)v[0], 0.02f, 0.0f);
    }
}

static void a_stray_grain_does_not_move_the_camera(void **state)
{
    (void)state;
    frame f = {0};
    fill_unit_cube(&f);
    extent before = extent_of_grains(&f, NULL);
    add_sphere(&f, 500.0f, 0.0f, -800.0f, 0.02f, 0.0f);
    add_sphere(&f, NAN, 0.0f, 0.0f, 0.02f, 0.0f);
    extent after = extent_of_grains(&f, NULL);
    for (int axis = 0; axis < 3; ++axis) {
        assert_within(after.low[axis], before.low[axis], 0.25);  // m, in 1 m
        assert_within(after.high[axis], before.high[axis], 0.25);
    }
    frame_free(&f);
}

static void few_grains_all_count(void **state)
{
    (void)state;
    frame f = {0};
    add_sphere(&f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f);
    add_sphere(&f, 50.0f, 0.0f, 0.0f, 1.0f, 0.0f);
    extent e = extent_of_grains(&f, NULL);
    assert_near(e.low[0], -1.0, 1e-6);
    assert_near(e.high[0], 51.0, 1e-6);
    frame_free(&f);
}

static void walls_are_framed_as_far_as_they_are_near(void **state)
{
    (void)state;
    frame f = {0};
    fill_unit_cube(&f);
    add_box(&f, SCR_FIXED, (float[3]){0.0f, 0.0f, -0.05f}, (float[3]){100.0f, 100.0f, 0.05f}, 0.0f, 0.0f);  // a floor
    add_box(&f, SCR_FIXED, (float[3]){70.0f, 0.0f, 0.0f}, (float[3]){1.0f, 1.0f, 1.0f}, 0.0f, 0.0f);        // far away
    extent grains = extent_of_grains(&f, NULL), subject = extent_of_subject(&f, NULL, &grains);
    assert_within(subject.low[2], -0.1, 1e-5);
    assert_true(subject.high[0] > 0.9f && subject.high[0] < 1.2f);
    frame_free(&f);
}

static void walls_before_the_grains_are_glass(void **state)
{
    (void)state;
    frame f = {0};
    fill_unit_cube(&f);
    enum { FRONT, RIGHT, BACK, LEFT, FLOOR, BLADE, WALL_COUNT };
    for (int side = 0; side < 4; ++side) {
        float turn = (float)side * QUARTER;
        add_box(&f, SCR_FIXED, (float[3]){0.6f * sinf(turn), -0.6f * cosf(turn), 0.7f}, (float[3]){0.6f, 0.05f, 0.7f},
                0.0f, turn);
    }
    add_box(&f, SCR_FIXED, (float[3]){0.0f, 0.0f, -0.1f}, (float[3]){0.7f, 0.7f, 0.05f}, 0.0f, 0.0f);
    add_box(&f, SCR_KINEMATIC, (float[3]){0.0f, 0.0f, 0.5f}, (float[3]){0.3f, 0.01f, 0.3f}, 0.0f, 0.0f);
    const bool expected[WALL_COUNT] = {[FRONT] = true, [RIGHT] = true};

    stage s;
    assert_int_equal(stage_init(&s, &f, NULL, &NO_GROUND, NULL), SCR_OK);
    stage_choose_glass(&s, vec3f_of(3.0f, -5.0f, 2.0f));
    for (int i = 0; i < WALL_COUNT; ++i) assert_int_equal(s.box_is_glass[i], expected[i]);
    stage_choose_glass(&s, vec3f_of(0.0f, 0.0f, 9.0f));  // from above nothing is in the way
    for (int i = 0; i < WALL_COUNT; ++i) assert_int_equal(s.box_is_glass[i], false);
    stage_free(&s);
    frame_free(&f);
}

static void planes_seen_from_behind_are_glass_and_meet_at_corners(void **state)
{
    (void)state;
    frame f = {0};
    fill_unit_cube(&f);
    for (int side = 0; side < 4; ++side) {  // walls that face inwards, at 0.6 m
        float turn = (float)side * QUARTER;
        add_plane(&f, (float[3]){0.6f * sinf(turn), -0.6f * cosf(turn), 0.0f}, -QUARTER, turn);
    }
    add_plane(&f, (float[3]){0.0f, 0.0f, -0.1f}, 0.0f, 0.0f);
    stage s;
    ground_request ground = {.wanted = true};
    assert_int_equal(stage_init(&s, &f, NULL, &ground, NULL), SCR_OK);
    assert_int_equal(s.patch_count, 5);  // the level plane is the ground: no other is added
    stage_choose_glass(&s, vec3f_of(0.5f, -9.0f, 3.0f));
    const bool glass[5] = {true, false, false, false, false};
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(s.patches[i].glass, glass[i]);
        assert_int_equal(s.patches[i].ground, i == 4);
        for (int k = 0; i < 4 && k < s.patches[i].vertex_count; ++k) {
            vec3f v = s.patches[i].vertex[k];
            assert_true(fabsf(v[0]) < 0.601f && fabsf(v[1]) < 0.601f && v[2] > -0.101f && v[2] < 1.3f);
        }
        assert_true(s.patches[i].vertex_count >= 4);
    }
    stage_free(&s);
    frame_free(&f);
}

static void ground_lies_where_it_is_asked_for(void **state)
{
    (void)state;
    frame f = {0};
    fill_unit_cube(&f);
    stage s;
    assert_int_equal(stage_init(&s, &f, NULL, &(ground_request){.wanted = true}, NULL), SCR_OK);
    assert_int_equal(s.patch_count, 1);
    assert_within(s.patches[0].vertex[0][2], s.grains.low[2], 1e-3);
    stage_free(&s);
    assert_int_equal(stage_init(&s, &f, NULL, &(ground_request){true, true, -3.0}, NULL), SCR_OK);
    assert_within(s.patches[0].vertex[0][2], -3.0, 1e-5);
    stage_free(&s);
    assert_int_equal(stage_init(&s, &f, NULL, &NO_GROUND, NULL), SCR_OK);
    assert_int_equal(s.patch_count, 0);
    stage_free(&s);
    frame_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stray_grain_does_not_move_the_camera),
        cmocka_unit_test(few_grains_all_count),
        cmocka_unit_test(walls_are_framed_as_far_as_they_are_near),
        cmocka_unit_test(walls_before_the_grains_are_glass),
        cmocka_unit_test(planes_seen_from_behind_are_glass_and_meet_at_corners),
        cmocka_unit_test(ground_lies_where_it_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
