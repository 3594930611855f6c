// SPDX-License-Identifier: BSD-3-Clause
// Save a world, go on, load what was saved and go on from there: both end in the same state, bit by bit.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <scree/scree.h>

static scr_error error;

static void check(scr_status status)
{
    if (status == SCR_OK) return;
    fprintf(stderr, "%s\n", error.message);
    exit(1);
}

static scr_world *make_heap(void)
{
    scr_world_def def = scr_default_world_def();
    scr_material_def stone_def = scr_default_material_def();
    scr_world *world;
    scr_material stone;
    check(scr_world_create(&def, &world, &error));
    check(scr_world_add_material(world, &stone_def, &stone, &error));
    scr_shape plane = scr_plane(stone);
    scr_body_def floor_def = scr_default_body_def();
    scr_body floor_body;
    floor_def.kind = SCR_FIXED;
    floor_def.shapes = &plane;
    floor_def.shape_count = 1;
    check(scr_world_add_body(world, &floor_def, &floor_body, &error));
    for (int k = 0; k < 125; ++k) {
        const double radius = 0.02;  // m
        scr_vec3 at = {0.041 * (k % 5) + 0.001 * (k % 3), 0.041 * (k / 5 % 5), 0.03 + 0.041 * (k / 25)};
        check(scr_world_add_spheres(world, 1, &at, &radius, NULL, stone, NULL, &error));
    }
    return world;
}

static uint64_t go_on(scr_world *world, int steps)
{
    for (int k = 0; k < steps; ++k) check(scr_world_step(world, &error));
    return scr_world_hash(world);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "heap.scr";
    scr_world *world = make_heap(), *loaded;
    go_on(world, 200);
    check(scr_world_save(world, path, &error));
    uint64_t unbroken = go_on(world, 200);
    check(scr_world_load(path, &loaded, &error));
    uint64_t resumed = go_on(loaded, 200);
    printf("unbroken %016" PRIx64 ", loaded %016" PRIx64 " after %.2f s\n", unbroken, resumed, scr_world_time(loaded));
    scr_world_destroy(world);
    scr_world_destroy(loaded);
    return unbroken == resumed ? 0 : 1;
}
