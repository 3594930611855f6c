// SPDX-License-Identifier: BSD-3-Clause
// Shapes in scenes: every kind with its lengths, compounds taken apart, surfaces shared, files left where they are.
#include <stdio.h>

#include "core/maths/quat.h"
#include "io/scene_text.h"

static scene *read_good(const char *quoted)
{
    scene *s;
    scr_error error = {.message = ""};
    if (read_quoted(quoted, NULL, 0, &s, NULL, &error) != SCR_OK) fail_msg("%s", error.message);
    return s;
}

static void assert_vector(scr_vec3 v, double x, double y, double z)
{
    assert_near(v.x, x, 1e-15);
    assert_near(v.y, y, 1e-15);
    assert_near(v.z, z, 1e-15);
}

static void lengths_are_halved_as_the_world_wants_them(void **state)
{
    (void)state;
    scene *s =
        read_good("{'time': {'end': 1}, 'bodies': [{'shapes': ["
                  "{'sphere': {'radius': 1}}, {'ellipsoid': {'semi_axes': [1, 2, 3]}}, {'box': {'size': [1, 2, 3]}},"
                  "{'capsule': {'radius': 1, 'length': 3}}, {'cylinder': {'radius': 2, 'length': 5}},"
                  "{'cone': {'radius': '2+1', 'length': 7}}]}]}");
    const scr_shape *shape = s->bodies[0].shapes;
    assert_int_equal(s->bodies[0].def.shape_count, 6);
    for (int k = 0; k < 6; ++k) assert_int_equal(shape[k].kind, SCR_SPHERE + k);
    assert_near(shape[0].radius, 1.0, 0.0);
    assert_vector(shape[1].half, 1.0, 2.0, 3.0);
    assert_vector(shape[2].half, 0.5, 1.0, 1.5);
    const double radius[] = {1.0, 2.0, 3.0}, half[] = {1.5, 2.5, 3.5};
    for (int k = 0; k < 3; ++k) {
        assert_near(shape[3 + k].radius, radius[k], 0.0);
        assert_near(shape[3 + k].half.z, half[k], 0.0);
    }
    scene_destroy(s);
}

// A quarter turn about x, then inside it one about z: a point is turned by the inner one first.
static void compounds_inside_compounds_are_placed_from_the_inside_out(void **state)
{
    (void)state;
    scene *s = read_good("{'time': {'end': 1}, 'bodies': [{'shapes': [{'position': [0, 0, 10],"
                         "'rotation': {'axis': [1, 0, 0], 'angle_degrees': 90}, 'compound': {'shapes': ["
                         "{'sphere': {'radius': 1}, 'position': [1, 2, 3]},"
                         "{'position': [5, 0, 0], 'rotation': {'axis': [0, 0, 1], 'angle_degrees': 90},"
                         " 'compound': {'shapes': [{'box': {'size': [1, 1, 1]}, 'position': [1, 0, 0]}]}}]}}]}]}");
    const scr_shape *shape = s->bodies[0].shapes;
    assert_int_equal(s->bodies[0].def.shape_count, 2);
    assert_vector(shape[0].position, 1.0, -3.0, 12.0);  // (x, y, z) -> (x, -z, y), then up by 10
    // (1, 0, 0) -> (0, 1, 0) -> (5, 1, 0) -> (5, 0, 1) -> (5, 0, 11)
    assert_vector(shape[1].position, 5.0, 0.0, 11.0);
    scr_vec3 x = quat_rotate(shape[1].rotation, vec3(1.0, 0.0, 0.0));  // -> y -> z
    assert_vector(x, 0.0, 0.0, 1.0);
    scene_destroy(s);
}

static void compounds_have_a_deepest_level(void **state)
{
    (void)state;
    char text[4096] = "{'time': {'end': 1}, 'bodies': [{'shapes': [";
    for (int k = 0; k < 40; ++k) strcat(text, "{'compound': {'shapes': [");
    strcat(text, "{'sphere': {'radius': 1}}");
    for (int k = 0; k < 40; ++k) strcat(text, "]}}");
    strcat(text, "]}]}");
    scene *s;
    scr_error error = {.message = ""};
    assert_int_equal(read_quoted(text, NULL, 0, &s, NULL, &error), SCR_BAD_INPUT);
    assert_true(says(&error, "s.json:1:446: compounds go 16 deep, not deeper"));
}

static void surfaces_of_the_same_words_are_one(void **state)
{
    (void)state;
    const char *words = "{'hull': {'points': [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]%s}}";
    char text[2048], one[256], two[256];
    snprintf(one, sizeof one, words, "");
    snprintf(two, sizeof two, words, ", 'scale': 2");
    snprintf(text, sizeof text, "{'time': {'end': 1}, 'bodies': [{'shapes': [%s, %s, %s]}, {'shapes': [%s]}]}", one,
             two, one, two);
    scene *s = read_good(text);
    assert_int_equal(s->surface_count, 2);
    assert_int_equal(s->bodies[0].shapes[0].surface.index1, 1);
    assert_int_equal(s->bodies[0].shapes[1].surface.index1, 2);
    assert_int_equal(s->bodies[0].shapes[2].surface.index1, 1);
    assert_int_equal(s->bodies[1].shapes[0].surface.index1, 2);
    assert_int_equal(s->surfaces[0].point_count, 4);
    assert_near(s->surfaces[1].scale, 2.0, 0.0);
    assert_vector(s->surfaces[1].points[3], 0.0, 0.0, 1.0);
    scene_destroy(s);
}

static void meshes_and_heights_are_read(void **state)
{
    (void)state;
    scene *s = read_good("{'time': {'end': 1}, 'bodies': [{'kind': 'fixed', 'shapes': ["
                         "{'mesh': {'vertices': [[0,0,0],[1,0,0],[0,1,0]], 'triangles': [[0,1,2],[2,1,0]]}},"
                         "{'heightfield': {'heights': [[0,1,2],[3,4,5]], 'spacing': [0.5, 2], 'scale': 3}}]}]}");
    const scene_surface *roof = &s->surfaces[0], *field = &s->surfaces[1];
    assert_int_equal(roof->kind, SCR_MESH);
    assert_int_equal(roof->point_count, 3);
    assert_int_equal(roof->triangle_count, 2);
    assert_int_equal(roof->triangles[3], 2);
    assert_null(roof->path);
    assert_int_equal(field->kind, SCR_HEIGHTFIELD);
    assert_int_equal(field->size[0], 3);
    assert_int_equal(field->size[1], 2);
    assert_near(field->heights[5], 5.0, 0.0);
    assert_near(field->spacing[1], 2.0, 0.0);
    assert_near(field->scale, 3.0, 0.0);
    scene_destroy(s);
}

static void grains_have_lengths_in_radii(void **state)
{
    (void)state;
    scene *s = read_good("{'time': {'end': 1}, 'fills': ["
                         "{'region': {'box': {'low': [0,0,0], 'high': [1,1,1]}}, 'radius': 0.1},"
                         "{'region': {'box': {'low': [0,0,0], 'high': [1,1,1]}}, 'radius': 0.1,"
                         " 'shape': {'ellipsoid': {'semi_axes': [1, 1, 0.6]}}}], 'emitters': ["
                         "{'region': {'box': {'low': [0,0,0], 'high': [1,1,1]}}, 'radius': 0.1, 'rate': 1,"
                         " 'shape': {'cone': {'radius': 1, 'length': 3}}}]}");
    assert_int_equal(s->fills[0].mix.grain[0].shape.kind, SCR_SPHERE);
    assert_near(s->fills[0].mix.grain[0].shape.radius, 1.0, 0.0);
    assert_int_equal(s->fills[1].mix.grain[0].shape.kind, SCR_ELLIPSOID);
    assert_vector(s->fills[1].mix.grain[0].shape.half, 1.0, 1.0, 0.6);
    assert_int_equal(s->emitters[0].mix.grain[0].shape.kind, SCR_CONE);
    assert_near(s->emitters[0].mix.grain[0].shape.half.z, 1.5, 0.0);
    scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_halved_as_the_world_wants_them),
        cmocka_unit_test(compounds_inside_compounds_are_placed_from_the_inside_out),
        cmocka_unit_test(compounds_have_a_deepest_level),
        cmocka_unit_test(surfaces_of_the_same_words_are_one),
        cmocka_unit_test(meshes_and_heights_are_read),
        cmocka_unit_test(grains_have_lengths_in_radii),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
