// SPDX-License-Identifier: BSD-3-Clause
// Scenes with grounds, from their text to the bodies of the world.
#include <string.h>

#include "core/maths/vec3.h"
#include "io/scene_text.h"
#include "scene/run/simulation.h"

static simulation *made(const char *quoted, scene **s)
{
    simulation *sim = NULL;
    scr_error error;
    if (read_quoted(quoted, NULL, 0, s, NULL, &error) != SCR_OK) fail_msg("%s", error.message);
    if (simulation_create(*s, true, 1, &sim, &error) != SCR_OK) fail_msg("%s", error.message);
    return sim;
}

static void unmade(simulation *sim, scene *s)
{
    simulation_destroy(sim);
    scene_destroy(s);
}

enum { LID = 2 };  // the bit of the scene's only named group, after the default one

// A hill in the north-east: the topmost grains touch the heightfield of the same ground from below, and none stick out.
static void grains_and_heightfields_have_the_same_surface(void **state)
{
    (void)state;
    scene *s;
    simulation *sim =
        made("{'time': {'end': 1}, 'grounds': [{'name': 'site', 'position': [1, 2], 'size': [2, 2], 'spacing': 0.05,"
             " 'features': [{'bump': {'at': [1.4, 2.5], 'size': [1, 1], 'height': 0.3}}]}],"
             " 'bodies': [{'name': 'lid', 'kind': 'fixed', 'group': 'lid', 'collides_with': [],"
             "            'shapes': [{'heightfield': {'ground': 'site'}}]}],"
             " 'fills': [{'pattern': 'grid', 'region': {'under': {'ground': 'site', 'depth': 0.2}}, 'radius': 0.02}]}",
             &s);
    scr_body_view b = scr_world_bodies(simulation_world(sim));
    double highest = -1.0, x = 0.0, y = 0.0;
    int touching = 0;
    assert_true(b.count > 5000);
    for (int64_t i = 0; i < b.count; ++i) {
        if (b.kind[i] != SCR_DYNAMIC) continue;
        assert_true(b.x[i] > 0.02 - 1e-9 && b.x[i] < 1.98 + 1e-9 && b.y[i] > 1.02 - 1e-9 && b.y[i] < 2.98 + 1e-9);
        if (b.z[i] > highest) highest = b.z[i], x = b.x[i], y = b.y[i];
        scr_vec3 centre = vec3(b.x[i], b.y[i], b.z[i]);
        scr_hit hit;
        scr_error error;
        assert_int_equal(scr_world_nearest(simulation_world(sim), 1, &centre, 1.0, LID, &hit, &error), SCR_OK);
        double distance = vec3_norm(vec3_sub(hit.point, centre));
        assert_true(distance > 0.02 - 1e-9);
        touching += distance < 0.02 + 1e-9;
    }
    assert_int_equal(touching, 47 * 47);  // the topmost of each column
    assert_within(highest, 0.28, 0.01);
    assert_within(x, 1.4, 0.03);
    assert_within(y, 2.5, 0.03);
    unmade(sim, s);
}

static void boulders_lie_in_the_bed_that_avoids_them(void **state)
{
    (void)state;
    const char *with = "{'time': {'end': 1}, 'grounds': [{'name': 'site', 'size': [1, 1], 'spacing': 0.1}],"
                       " 'bodies': [{'name': 'post', 'kind': 'fixed', 'position': [0.3, 0.3, 0], 'shapes': [{'box': "
                       "{'size': [0.1, 0.1, 1]}}]}],"
                       " 'fills': [{'name': 'boulders', 'pattern': 'random', 'count': 4, 'radius': 0.1,"
                       "            'region': {'on': {'ground': 'site', 'sunk': 0.5}}, 'avoid': false},"
                       "           {'name': 'bed', 'region': {'under': {'ground': 'site', 'depth': 0.2}}, 'radius': "
                       "0.02, 'avoid': true}]}";
    scene *s;
    simulation *sim = made(with, &s);
    scr_body_view b = scr_world_bodies(simulation_world(sim));
    int boulders = 0, grains = 0;
    for (int64_t i = 0; i < b.count; ++i) {
        boulders += b.id[i] >= 2 && b.id[i] <= 5;
        grains += b.id[i] > 5;
        if (b.id[i] >= 2 && b.id[i] <= 5) assert_within(b.z[i], 0.0, 1e-12);  // sunk by half
    }
    assert_int_equal(boulders, 4);
    assert_true(grains > 1500 && grains < 23 * 23 * 4);
    for (int64_t i = 0; i < b.count; ++i)
        for (int64_t j = 0; j < b.count; ++j) {
            if (b.id[i] < 2 || b.id[i] > 5 || b.id[j] <= b.id[i]) continue;
            double distance = vec3_norm(vec3(b.x[i] - b.x[j], b.y[i] - b.y[j], b.z[i] - b.z[j]));
            assert_true(distance >= 0.1 + (b.id[j] <= 5 ? 0.1 : 0.02) - 1e-12);
        }
    unmade(sim, s);
}

static void fixed_grains_stay(void **state)
{
    (void)state;
    scene *s;
    simulation *sim =
        made("{'time': {'end': 1}, 'grounds': [{'name': 'plane', 'size': [1, 1], 'spacing': 1}],"
             " 'fills': [{'pattern': 'grid', 'region': {'under': {'ground': 'plane', 'depth': 0.11}}, 'radius': 0.05,"
             "            'spacing': 0.7, 'fixed': true}]}",
             &s);
    scr_error error;
    scr_body_view b = scr_world_bodies(simulation_world(sim));
    assert_int_equal(b.count, 13 * 13);
    for (int step = 0; step < 3; ++step) assert_int_equal(simulation_step(sim, &error), SCR_OK);
    b = scr_world_bodies(simulation_world(sim));
    for (int64_t i = 0; i < b.count; ++i) assert_true(b.kind[i] == SCR_FIXED && b.z[i] == -0.05);
    unmade(sim, s);
}

static void a_raster_that_cannot_be_read_is_named_with_its_ground(void **state)
{
    (void)state;
    scene *s;
    simulation *sim = NULL;
    scr_error error;
    const char *text = "{'time': {'end': 1},\n 'grounds': [{'name': 'site', 'raster': {'file': '" SCREE_SOURCE_DIR
                       "/tests/io/scenes/hills.png', 'pixel': 1}}]}";
    assert_int_equal(read_quoted(text, NULL, 0, &s, NULL, &error), SCR_OK);
    assert_int_equal(simulation_create(s, true, 1, &sim, &error), SCR_BAD_INPUT);
    assert_true(strncmp(error.message, "s.json:2:14: ground 'site': ", 28) == 0);
    assert_non_null(strstr(error.message, "give the heights of black and white as \"range\""));
    scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grains_and_heightfields_have_the_same_surface),
        cmocka_unit_test(boulders_lie_in_the_bed_that_avoids_them),
        cmocka_unit_test(fixed_grains_stay),
        cmocka_unit_test(a_raster_that_cannot_be_read_is_named_with_its_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
