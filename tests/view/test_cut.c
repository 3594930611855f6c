// SPDX-License-Identifier: BSD-3-Clause
// Cut-away planes: bodies end at them, show a flat face there, and light comes through what was taken away.
#include "check.h"
#include "view/render/ray_scene.h"
#include "view/synthetic.h"

typedef struct cut_world {
    frame f;
    stage s;
    ray_scene *rays;
} cut_world;

static void build(cut_world *w, cut c, bool ground)
{
    assert_int_equal(
        stage_init(&w->s, &w->f, NULL, &(ground_request){.wanted = ground, .has_height = true, .height = -2.0}, NULL),
        SCR_OK);
    w->s.cut = c;
    assert_int_equal(ray_scene_create(&w->s, &w->rays, NULL), SCR_OK);
}

static void tear_down(cut_world *w)
{
    ray_scene_destroy(w->rays);
    stage_free(&w->s);
    frame_free(&w->f);
}

static const bool ACROSS_Y[3] = {false, true, false};

static void the_viewers_side_is_taken_away(void **state)
{
    (void)state;
    cut c = cut_for(ACROSS_Y, (const double[3]){0.0, 0.25, 0.0}, vec3f_of(0.0f, -5.0f, 0.0f));
    assert_int_equal(c.count, 1);
    assert_true(c.kept[0] > 0.0f);
    c = cut_for(ACROSS_Y, (const double[3]){0.0, 0.25, 0.0}, vec3f_of(0.0f, 5.0f, 0.0f));
    assert_true(c.kept[0] < 0.0f);
}

// A ball of radius 1 at the origin, cut at y = 0.6, seen from y = -5: a disc of radius 0.8.
static void a_ball_shows_the_disc_of_its_cut(void **state)
{
    (void)state;
    cut_world w = {0};
    vec3f eye = vec3f_of(0.0f, -5.0f, 0.0f), ahead = vec3f_of(0.0f, 1.0f, 0.0f);
    add_sphere(&w.f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f);
    build(&w, cut_for(ACROSS_Y, (const double[3]){0.0, 0.6, 0.0}, eye), false);
    surface hit;
    assert_true(ray_scene_intersect(w.rays, eye + vec3f_of(0.79f, 0.0f, 0.0f), ahead, &hit));
    assert_near(hit.distance, 5.6, 1e-6);
    assert_int_equal(hit.kind, SURFACE_SPHERE);
    assert_near(hit.normal[1], -1.0, 1e-6);
    assert_false(ray_scene_intersect(w.rays, eye + vec3f_of(0.81f, 0.0f, 0.0f), ahead, &hit));
    // From the other side the ball is whole.
    assert_true(ray_scene_intersect(w.rays, vec3f_of(0.9f, 5.0f, 0.0f), -ahead, &hit) == false);
    assert_true(ray_scene_intersect(w.rays, vec3f_of(0.0f, 5.0f, 0.0f), -ahead, &hit));
    assert_near(hit.distance, 4.0, 1e-5);
    tear_down(&w);
}

static void light_passes_what_was_taken_away(void **state)
{
    (void)state;
    cut_world w = {0};
    vec3f eye = vec3f_of(0.0f, -5.0f, 0.0f), up = vec3f_of(0.0f, 0.0f, 1.0f);
    add_sphere(&w.f, 0.0f, -2.0f, 1.0f, 0.5f, 0.0f);  // all of it is taken away
    add_sphere(&w.f, 0.0f, 2.0f, 1.0f, 0.5f, 0.0f);
    build(&w, cut_for(ACROSS_Y, (const double[3]){0.0, 0.0, 0.0}, eye), true);
    assert_false(ray_scene_is_occluded(w.rays, vec3f_of(0.0f, -2.0f, -1.0f), up));
    assert_true(ray_scene_is_occluded(w.rays, vec3f_of(0.0f, 2.0f, -1.0f), up));
    surface hit;  // the ground is not cut
    assert_true(ray_scene_intersect(w.rays, vec3f_of(0.0f, -2.0f, 3.0f), -up, &hit));
    assert_int_equal(hit.kind, SURFACE_PATCH);
    assert_near(hit.distance, 5.0, 1e-4);
    tear_down(&w);
}

static void boxes_and_round_parts_are_solid_inside(void **state)
{
    (void)state;
    cut_world w = {0};
    vec3f eye = vec3f_of(0.0f, -5.0f, 0.0f), ahead = vec3f_of(0.0f, 1.0f, 0.0f);
    add_box(&w.f, SCR_DYNAMIC, (float[3]){-2.0f, 0.0f, 0.0f}, (float[3]){0.5f, 0.5f, 0.5f}, 0.0f, 0.0f);
    scr_grow(&w.f.parts, &w.f.part_capacity, 1, sizeof *w.f.parts, "test", NULL);
    w.f.parts[w.f.part_count++] = (frame_shape){.position = {2.0f, 0.0f, 0.0f},
                                                .rotation = {1.0f},
                                                .half = {0.5f, 0.5f, 0.5f},
                                                .surface = -1,
                                                .shape = SCR_CYLINDER};
    build(&w, cut_for(ACROSS_Y, (const double[3]){0.0, 0.1, 0.0}, eye), false);
    const surface_kind kind[2] = {SURFACE_BOX, SURFACE_PART};
    for (int k = 0; k < 2; ++k) {
        surface hit;
        assert_true(ray_scene_intersect(w.rays, eye + vec3f_of(k == 0 ? -2.1f : 2.1f, 0.0f, 0.2f), ahead, &hit));
        assert_int_equal(hit.kind, kind[k]);
        assert_near(hit.distance, 5.1, 1e-5);
        assert_near(hit.normal[1], -1.0, 1e-6);
    }
    tear_down(&w);
}

static void two_planes_keep_what_is_beyond_both(void **state)
{
    (void)state;
    const bool has[3] = {true, true, false};
    cut c = cut_for(has, (const double[3]){1.0, 2.0, 0.0}, vec3f_of(9.0f, -9.0f, 0.0f));  // keeps x < 1, y > 2
    float near = 0.0f, far = INFINITY;
    int plane;
    assert_true(cut_piece(&c, vec3f_of(0.0f, 0.0f, 0.0f), vec3f_of(0.0f, 1.0f, 0.0f), &near, &far, &plane));
    assert_near(near, 2.0, 1e-6);
    assert_int_equal(plane, 1);
    near = 0.0f, far = INFINITY;
    assert_false(cut_piece(&c, vec3f_of(1.5f, 0.0f, 0.0f), vec3f_of(0.0f, 1.0f, 0.0f), &near, &far, &plane));
    near = 0.0f, far = INFINITY;
    assert_true(cut_piece(&c, vec3f_of(0.0f, 3.0f, 0.0f), vec3f_of(1.0f, 0.0f, 0.0f), &near, &far, &plane));
    assert_near(far, 1.0, 1e-6);
    assert_int_equal(plane, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_viewers_side_is_taken_away),      cmocka_unit_test(a_ball_shows_the_disc_of_its_cut),
        cmocka_unit_test(light_passes_what_was_taken_away),    cmocka_unit_test(boxes_and_round_parts_are_solid_inside),
        cmocka_unit_test(two_planes_keep_what_is_beyond_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
