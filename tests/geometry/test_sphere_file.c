// SPDX-License-Identifier: BSD-3-Clause
// Sphere sets as files: what is written is read again to the bit; what cannot be gets a sentence with its line.
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "geometry/sphere_set/sphere_file.h"

static const char HEAD[] = "scree-spheres 1\nvolume 2\ninertia 1 2 3 0.1 0.2 0.3\ncentre 4 5 6\n";

static void assert_refused(const char *head, const char *rest, const char *message)
{
    char text[1024];
    sphere_set set;
    scr_error error = {0};
    snprintf(text, sizeof text, "%s%s", head, rest);
    assert_int_equal(sphere_file_read_text(text, strlen(text), "a.spheres", 1.0, &set, &error), SCR_BAD_INPUT);
    if (strstr(error.message, message) == NULL) fail_msg("\"%s\" does not say \"%s\"", error.message, message);
    assert_null(set.sphere);
}

static void what_is_written_is_read_to_the_bit(void **state)
{
    (void)state;
    char path[] = "/tmp/scree_spheres_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    sphere_set set = {0}, again;
    set.solid = (solid_properties){
        0.1, {1.0 / 3.0, 0.2, -0.3}, {{{0.7, 0.01, 0.02}, {0.01, 1.0 / 7.0, -0.03}, {0.02, -0.03, 0.9}}}};
    for (int k = 1; k < 100; ++k)
        assert_int_equal(sphere_set_add(&set, (set_sphere){{1.0 / k, -2.0 / k, 3.0 / k}, 0.1 / k}, NULL), SCR_OK);
    assert_int_equal(sphere_file_write(path, &set, "a note\nof two lines", NULL), SCR_OK);
    assert_int_equal(sphere_file_read(path, 1.0, &again, NULL), SCR_OK);
    assert_int_equal(again.count, set.count);
    assert_memory_equal(again.sphere, set.sphere, (size_t)set.count * sizeof *set.sphere);
    assert_memory_equal(&again.solid, &set.solid, sizeof set.solid);
    sphere_set_free(&set);
    sphere_set_free(&again);
    unlink(path);
}

static void a_scale_makes_volume_grow_with_its_cube(void **state)
{
    (void)state;
    char text[512];
    sphere_set set;
    snprintf(text, sizeof text, "%s%s", HEAD, "spheres 1\n1 2 3 0.5\n");
    assert_int_equal(sphere_file_read_text(text, strlen(text), "a", 2.0, &set, NULL), SCR_OK);
    assert_near(set.solid.volume, 16.0, 1e-15);
    assert_near(set.solid.inertia.m[1][2], 4.0 * 0.3, 1e-15);
    assert_near(set.solid.centre.z, 12.0, 1e-15);
    assert_near(set.sphere[0].centre.y, 4.0, 1e-15);
    assert_near(set.sphere[0].radius, 1.0, 1e-15);
    sphere_set_free(&set);
}

static void what_is_wrong_is_named_with_its_line(void **state)
{
    (void)state;
    assert_refused("", "", "a.spheres:1: \"scree-spheres\" must stand here");
    assert_refused("scree-spheres 2\n", "", "a.spheres:1: version 2");
    assert_refused("scree-spheres 1\nvolume -1\n", "", "a.spheres:2: a volume is positive");
    assert_refused("scree-spheres 1\nvolume 1\ninertia 0 1 1 0 0 0\n", "", "a.spheres:3: 0 cannot be in an inertia");
    assert_refused(HEAD, "spheres 0\n", "a.spheres:5: a sphere set has 1 to");
    assert_refused(HEAD, "spheres 1e30\n", "a.spheres:5: a sphere set has 1 to");
    assert_refused(HEAD, "spheres 2\n0 0 0 1\n", "2 spheres were announced, 1 are there");
    assert_refused(HEAD, "spheres 1\n0 0 0 1\n0 0 0 1\n", "1 spheres were announced, 2 are there");
    assert_refused(HEAD, "spheres 1\n0 0 0", "a.spheres:6: a number is missing");
    assert_refused(HEAD, "spheres 1\n0 0 nan 1\n", "a.spheres:6: 'nan' is not a number");
    assert_refused(HEAD, "spheres 1\n0 0 1e300 1\n", "a.spheres:6: a sphere is at");
    assert_refused(HEAD, "spheres 1\n0 0 0 0\n", "a.spheres:6: a radius must be positive");
    assert_refused(HEAD, "spheres 1\n0 0 0 1 1\n", "a.spheres:6: '1' is more than belongs here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_to_the_bit),
        cmocka_unit_test(a_scale_makes_volume_grow_with_its_cube),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
