// SPDX-License-Identifier: BSD-3-Clause
// A world that was saved, loaded and stepped is the one that went on, bit by bit; and nothing that is not such a file
// is taken for one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/text/checksum.h"
#include "mixed_world.h"

typedef enum kind_of_world { OF_IMPULSES, OF_RIGID_BODIES, OF_PENALTY, WITH_A_BED, KINDS } kind_of_world;

// Two bars on hinges, one driven, with a spring; so that joints, motors and springs are among what is saved.
static void add_mechanism(scr_world *world, scr_material material)
{
    scr_body bar[2];
    for (int k = 0; k < 2; ++k)
        bar[k] =
            add_box(world, material, vec3(0.02, 0.004, 0.004), vec3(0.04 + 0.05 * k, 0.08, 0.3), vec3(0.0, 0.0, 0.0));
    scr_joint joint[2];
    scr_joint_def hinge =
        scr_joint_at(SCR_JOINT_REVOLUTE, (scr_body){0}, bar[0], vec3(0.015, 0.08, 0.3), vec3(0.0, 1.0, 0.0));
    assert_ok(scr_world_add_joint(world, &hinge, &joint[0], &error));
    hinge = scr_joint_at(SCR_JOINT_REVOLUTE, bar[0], bar[1], vec3(0.065, 0.08, 0.3), vec3(0.0, 1.0, 0.0));
    assert_ok(scr_world_add_joint(world, &hinge, &joint[1], &error));
    scr_motor_def motor = scr_default_motor_def();
    motor.value.constant = 3.0;
    assert_ok(scr_joint_set_motor(world, joint[0], &motor, &error));
    scr_spring_def spring = scr_default_spring_def();
    spring.a = bar[1];
    spring.point_a = vec3(0.1, 0.08, 0.3), spring.point_b = vec3(0.1, 0.08, 0.4);
    spring.stiffness = 20.0;
    scr_spring added;
    assert_ok(scr_world_add_spring(world, &spring, &added, &error));
}

static void add_surfaces(scr_world *world, scr_material material)
{
    const scr_vec3 corner[5] = {{0, 0, 0}, {0.01, 0, 0}, {0, 0.01, 0}, {0, 0, 0.01}, {0.01, 0.01, 0.01}};
    scr_surface hull;
    assert_ok(scr_world_add_hull(world, 5, corner, &hull, &error));
    add_shape(world, SCR_DYNAMIC, scr_surface_shape(world, hull, material), vec3(0.08, 0.02, 0.2), vec3(0.0, 0.0, 0.0));
}

static scr_world *world_of(kind_of_world kind)
{
    scr_world_def def = mixed_def(1);
    if (kind == OF_RIGID_BODIES) def.contact.law = SCR_RIGID;
    if (kind >= OF_PENALTY) def.contact.law = SCR_PENALTY, def.time_step = 2e-5, def.contact.normal = SCR_HERTZ;
    scr_world *world = make_world(&def);
    scr_material_def stone_def = scr_default_material_def();
    scr_material stone;
    stone_def.young = 1e7, stone_def.restitution = 0.3, stone_def.rolling_friction = kind == WITH_A_BED ? 0.0 : 0.01;
    assert_ok(scr_world_add_material(world, &stone_def, &stone, &error));
    add_mixed_furniture(world, stone);
    scr_body_view view = scr_world_bodies(world);
    assert_ok(scr_body_set_surface_velocity(world, view.handle[0], vec3(0.1, 0.0, 0.0), &error));
    int count = kind == WITH_A_BED ? 700 : 120;
    for (int k = 0; k < count; ++k)
        add_sphere(world, stone, 0.005, vec3(0.01 * (k % 14 + 1), 0.01 * (k / 14 % 14 + 1), 0.03 + 0.01 * (k / 196)),
                   vec3(0.0, 0.0, -0.5));
    scr_body body;
    assert_ok(add_compound(world, stone, vec3(0.05, 0.05, 0.15), random_rotation(1), &body, &error));
    add_surfaces(world, stone);
    add_mechanism(world, stone);
    return world;
}

static void a_loaded_world_goes_on_as_the_saved_one(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        scr_world *world = world_of(kind), *from_file, *from_memory;
        char path[] = "/tmp/scree_saved_XXXXXX";
        void *data;
        size_t size;
        close(mkstemp(path));
        step(world, 90);
        assert_ok(scr_world_save(world, path, &error));
        assert_ok(scr_world_save_to_memory(world, &data, &size, &error));
        assert_ok(scr_world_load(path, &from_file, &error));
        assert_ok(scr_world_load_from_memory(data, size, &from_memory, &error));
        assert_true(scr_world_hash(from_file) == scr_world_hash(world));
        step(world, 60), step(from_file, 60), step(from_memory, 60);
        assert_true(scr_world_hash(from_file) == scr_world_hash(world));
        assert_true(scr_world_hash(from_memory) == scr_world_hash(world));
        assert_int_equal(scr_world_step_count(from_file), 150);
        scr_memory_free(data);
        scr_world_destroy(world), scr_world_destroy(from_file), scr_world_destroy(from_memory);
        unlink(path);
    }
}

static void expect_refusal(const void *data, size_t size, const char *words)
{
    scr_world *world = (scr_world *)1;
    scr_error error = {0};
    scr_status status = scr_world_load_from_memory(data, size, &world, &error);
    if (status == SCR_OK || world != NULL || strstr(error.message, words) == NULL) {
        print_error("status %d, \"%s\", which does not say \"%s\"\n", (int)status, error.message, words);
        fail();
    }
}

static void what_is_cut_off_or_changed_is_refused(void **state)
{
    (void)state;
    scr_world *world = world_of(OF_IMPULSES);
    char *data;
    void *bytes;
    size_t size;
    step(world, 20);
    assert_ok(scr_world_save_to_memory(world, &bytes, &size, &error));
    data = bytes;
    expect_refusal(data, 0, "not a saved world");
    expect_refusal("{\"title\": \"a scene\"}", 20, "not a saved world");
    for (size_t k = 9; k < size; k += 1 + size / 200) expect_refusal(data, k, "cut off");
    for (size_t k = 32; k < size; k += 1 + size / 200) {
        data[k] ^= 16;
        expect_refusal(data, size, "checksum");
        data[k] ^= 16;
    }
    data[8] = 6;
    expect_refusal(data, size, "format 6");
    data[8] = 4;
    scr_memory_free(bytes);
    scr_world_destroy(world);
}

// Whoever changes a file on purpose can make the checksum fit: what it holds is checked all the same.
static void what_cannot_be_is_refused_whatever_the_checksum(void **state)
{
    (void)state;
    scr_world *world = world_of(OF_IMPULSES);
    void *bytes;
    size_t size;
    int refused = 0, taken = 0;
    step(world, 20);
    assert_ok(scr_world_save_to_memory(world, &bytes, &size, &error));
    char *data = bytes, *copy = malloc(size);
    for (uint64_t round = 0; round < 3000; ++round) {
        memcpy(copy, data, size);
        for (int k = 0; k < 2; ++k)
            copy[24 + (size_t)random_in(0.0, (double)size - 32.0, 3 * round + (uint64_t)k)] ^= (char)(1 << (round % 8));
        uint64_t sum = checksum_of(copy, size - 8);
        memcpy(copy + size - 8, &sum, sizeof sum);
        scr_world *loaded;
        scr_error error = {0};
        scr_status status = scr_world_load_from_memory(copy, size, &loaded, &error);
        assert_true(status == SCR_OK ? loaded != NULL : loaded == NULL && error.message[0] != '\0');
        refused += status != SCR_OK, taken += status == SCR_OK;
        scr_world_destroy(loaded);
    }
    assert_true(refused > 300 && taken > 300);
    free(copy);
    scr_memory_free(bytes);
    scr_world_destroy(world);
}

static void a_file_that_cannot_be_written_or_read_says_why(void **state)
{
    (void)state;
    scr_world *world = world_of(OF_IMPULSES), *loaded;
    scr_error error = {0};
    assert_int_equal(scr_world_save(world, "/nowhere/at/all.scr", &error), SCR_IO);
    assert_non_null(strstr(error.message, "/nowhere/at/all.scr"));
    assert_int_equal(scr_world_load("/nowhere/at/all.scr", &loaded, &error), SCR_IO);
    assert_non_null(strstr(error.message, "/nowhere/at/all.scr"));
    assert_null(loaded);
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_world_goes_on_as_the_saved_one),
        cmocka_unit_test(what_is_cut_off_or_changed_is_refused),
        cmocka_unit_test(what_cannot_be_is_refused_whatever_the_checksum),
        cmocka_unit_test(a_file_that_cannot_be_written_or_read_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
