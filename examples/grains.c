// SPDX-License-Identifier: BSD-3-Clause
// Ten thousand grains fall into a box. How long a step takes, how the grains settle, and what the floor bears.
//
//   grains [STEPS]     1000 if not said
#include <stdio.h>
#include <stdlib.h>

#include <scree/scree.h>

enum { ROW = 20, GRAINS = 10000 };
static const double RADIUS = 0.005, WIDTH = ROW * 0.011;  // m
static scr_error error;

static void check(scr_status status)
{
    if (status == SCR_OK) return;
    fprintf(stderr, "%s\n", error.message);
    exit(1);
}

// A box of five plates, one body.
static scr_body add_box(scr_world *world, scr_material stone)
{
    const double t = 0.005, w = 0.5 * WIDTH, h = 0.2;  // m: half a plate's thickness, half the width, half the height
    scr_shape plate[5];
    for (int k = 0; k < 4; ++k) {
        double side = k % 2 == 0 ? -1.0 : 1.0;
        plate[k] = scr_box(k < 2 ? (scr_vec3){t, w, h} : (scr_vec3){w, t, h}, stone);
        plate[k].position = k < 2 ? (scr_vec3){side * (w + t), 0.0, h} : (scr_vec3){0.0, side * (w + t), h};
    }
    plate[4] = scr_box((scr_vec3){w, w, t}, stone);
    plate[4].position.z = -t;
    scr_body_def def = scr_default_body_def();
    scr_body box;
    def.kind = SCR_FIXED;
    def.shapes = plate;
    def.shape_count = 5;
    check(scr_world_add_body(world, &def, &box, &error));
    return box;
}

static void pour(scr_world *world, scr_material stone)
{
    static scr_vec3 at[GRAINS];
    static double radius[GRAINS];
    for (int k = 0; k < GRAINS; ++k) {
        int layer = k / (ROW * ROW);
        double shift = layer % 2 == 0 ? 0.25 : 0.75;
        at[k] = (scr_vec3){0.011 * (k % ROW + shift) - 0.5 * WIDTH, 0.011 * (k / ROW % ROW + shift) - 0.5 * WIDTH,
                           0.02 + 0.011 * layer};
        radius[k] = RADIUS * (0.8 + 0.2 * (k * 7 % 11) / 10.0);
    }
    check(scr_world_add_spheres(world, GRAINS, at, radius, NULL, stone, NULL, &error));
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 1000;
    scr_world_def def = scr_default_world_def();
    scr_material_def stone_def = scr_default_material_def();
    scr_world *world;
    scr_material stone;
    check(scr_world_create(&def, &world, &error));
    check(scr_world_add_material(world, &stone_def, &stone, &error));
    scr_body box = add_box(world, stone);
    pour(world, stone);
    for (int k = 1; k <= steps; ++k) {
        check(scr_world_step(world, &error));
        if (k % 100 != 0 && k != steps) continue;
        scr_vec3 force, torque;
        check(scr_body_contact_force(world, box, &force, &torque, &error));
        printf("t = %.2f s: kinetic energy %.4f J, %lld contacts, the box bears %.1f N, %.1f ms a step\n",
               scr_world_time(world), scr_world_energy(world).kinetic,
               (long long)scr_world_report(world).touching_count, -force.z,
               1e3 * scr_world_stage_seconds(world).total / k);
    }
    scr_world_destroy(world);
    return 0;
}
