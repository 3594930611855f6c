// SPDX-License-Identifier: BSD-3-Clause
// A grain that is fixed, stored, added again and released is the same body to the bit, ids included.
#include <string.h>

#include "check.h"
#include "dynamics/world/fixed_grains.h"
#include "dynamics/world/world.h"

enum { GRAINS = 30, STEPS = 40 };

static scr_world *made(void)
{
    scr_world_def def = scr_default_world_def();
    scr_world *world;
    scr_material material;
    scr_material_def sand = scr_default_material_def();
    scr_body floor;
    scr_error error;
    def.thread_count = 1;
    assert_int_equal(scr_world_create(&def, &world, &error), SCR_OK);
    assert_int_equal(scr_world_add_material(world, &sand, &material, &error), SCR_OK);
    scr_shape shape = scr_plane(material);
    scr_body_def body = scr_default_body_def();
    body.kind = SCR_FIXED;
    body.shapes = &shape;
    body.shape_count = 1;
    assert_int_equal(scr_world_add_body(world, &body, &floor, &error), SCR_OK);
    scr_vec3 position[GRAINS], velocity[GRAINS];
    double radius[GRAINS];
    for (int k = 0; k < GRAINS; ++k) {
        radius[k] = 0.01 + 1e-4 * k;
        position[k] = (scr_vec3){0.021 * (k % 5) + 0.003 * (k / 5), 0.022 * (k / 5 % 2), 0.01 + 0.03 * (k / 10)};
        velocity[k] = (scr_vec3){0.3, 0.1 * (k % 3), 0.0};
    }
    assert_int_equal(scr_world_add_spheres(world, GRAINS, position, radius, velocity, material, NULL, &error), SCR_OK);
    for (int k = 0; k < STEPS; ++k) assert_int_equal(scr_world_step(world, &error), SCR_OK);
    return world;
}

static int64_t slot_of(const scr_world *world, uint64_t id)
{
    for (int64_t i = 0; i < world->bodies.table.count; ++i)
        if (world->bodies.id[i] == id) return i;
    fail_msg("body %llu is gone", (unsigned long long)id);
    return -1;
}

// All that a table says of one entry, but for where other things are.
static void assert_same_entry(const table *a, int64_t i, const table *b, int64_t k)
{
    for (int f = 0; f < a->field_count; ++f) {
        const field_info *field = &a->field[f];
        static const char *const places[] = {"handle", "first_collider", "body"};
        bool is_place = field->scalar;
        for (int p = 0; p < 3; ++p) is_place = is_place || strcmp(field->name, places[p]) == 0;
        size_t size = field_size(field);
        if (!is_place)
            assert_memory_equal((char *)table_data(a, field) + (size_t)i * size,
                                (char *)table_data(b, field) + (size_t)k * size, size);
    }
}

static void a_stored_grain_is_the_same_to_the_bit(void **state)
{
    (void)state;
    scr_world *stays = made(), *leaves = made();
    scr_error error;
    int32_t slot[GRAINS];
    stored_grain stored[GRAINS];
    scr_body handle[GRAINS];
    int64_t turned = 0;
    for (int k = 0; k < GRAINS; ++k) {
        slot[k] = (int32_t)slot_of(stays, (uint64_t)k + 2);
        turned += stays->bodies.qw[slot[k]] < 0.9999;
        assert_true(body_is_storable(stays, slot[k]));
    }
    assert_true(turned > GRAINS / 4);  // rotations of double precision are at stake
    assert_false(body_is_storable(stays, slot_of(stays, 1)));
    world_fix_grains(stays, slot, GRAINS);
    world_fix_grains(leaves, slot, GRAINS);
    for (int k = 0; k < GRAINS; ++k) {
        stored[k] = world_stored_grain(leaves, slot[k]);
        handle[k] = leaves->bodies.handle[slot[k]];
    }
    assert_int_equal(scr_world_remove_bodies(leaves, GRAINS, handle, &error), SCR_OK);
    assert_int_equal(leaves->bodies.table.count, 1);
    world_trim(leaves);
    assert_int_equal(world_add_fixed_grains(leaves, stored, GRAINS, &error), SCR_OK);
    world_release_grains(stays, slot, GRAINS);
    for (int k = 0; k < GRAINS; ++k) slot[k] = (int32_t)slot_of(leaves, (uint64_t)k + 2);
    world_release_grains(leaves, slot, GRAINS);
    for (int k = 0; k < GRAINS; ++k) {
        int64_t there = slot_of(stays, (uint64_t)k + 2);
        assert_same_entry(&stays->bodies.table, there, &leaves->bodies.table, slot[k]);
        assert_same_entry(&stays->colliders.table, stays->bodies.first_collider[there], &leaves->colliders.table,
                          leaves->bodies.first_collider[slot[k]]);
    }
    assert_int_equal(stays->bodies.next_id, leaves->bodies.next_id);
    assert_int_equal(stays->colliders.next_id, leaves->colliders.next_id);
    assert_true(bodies_are_valid(&leaves->bodies, &leaves->colliders));
    assert_int_equal(scr_world_step(leaves, &error), SCR_OK);
    scr_world_destroy(stays);
    scr_world_destroy(leaves);
}

// Grains fall on fixed ones, which carry them and do not move.
static void a_fixed_grain_carries_and_holds_still(void **state)
{
    (void)state;
    scr_world *world = made();
    scr_error error;
    for (int k = 0; k < 300; ++k) assert_int_equal(scr_world_step(world, &error), SCR_OK);
    int32_t low[GRAINS];
    int64_t count = 0;
    for (int64_t i = 0; i < world->bodies.table.count; ++i)
        if (body_is_storable(world, i) && world->bodies.z[i] < 0.016) low[count++] = (int32_t)i;
    assert_true(count > 5);
    world_fix_grains(world, low, count);
    uint64_t id[GRAINS];
    scr_vec3 at[GRAINS];
    for (int64_t k = 0; k < count; ++k) id[k] = world->bodies.id[low[k]], at[k] = body_position(&world->bodies, low[k]);
    for (int k = 0; k < 200; ++k) assert_int_equal(scr_world_step(world, &error), SCR_OK);
    for (int64_t k = 0; k < count; ++k) {
        int64_t i = slot_of(world, id[k]);
        scr_vec3 now = body_position(&world->bodies, i);
        assert_true(now.x == at[k].x && now.y == at[k].y && now.z == at[k].z);
        assert_int_equal(world->bodies.kind[i], SCR_FIXED);
    }
    assert_true(scr_world_report(world).max_penetration < 1e-3);
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stored_grain_is_the_same_to_the_bit),
        cmocka_unit_test(a_fixed_grain_carries_and_holds_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
