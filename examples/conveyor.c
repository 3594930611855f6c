// SPDX-License-Identifier: BSD-3-Clause
// A hopper lets grains out onto a belt, which carries them off to a heap: a fixed plate whose surface moves.
//
//   conveyor [SECONDS]     2 if not said
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <scree/scree.h>

enum { GRAINS = 600 };
static const double RADIUS = 0.01, BELT_SPEED = 0.5, BELT_END = 0.8;  // m, m/s, m
static scr_error error;

static void check(scr_status status)
{
    if (status == SCR_OK) return;
    fprintf(stderr, "%s\n", error.message);
    exit(1);
}

static void add_fixed(scr_world *world, const scr_shape *shapes, int count, double surface_speed)
{
    scr_body_def def = scr_default_body_def();
    scr_body body;
    def.kind = SCR_FIXED;
    def.shapes = shapes, def.shape_count = count;
    def.surface_velocity.x = surface_speed;
    check(scr_world_add_body(world, &def, &body, &error));
}

// Four plates that lean against a square opening at the bottom.
static void add_hopper(scr_world *world, scr_material steel)
{
    const double lean = 0.6, opening = 0.05, c = cos(0.5 * lean);  // rad, m: half the opening
    scr_shape plate[4];
    for (int k = 0; k < 4; ++k) {
        double side = k % 2 == 0 ? -1.0 : 1.0, far = side * (opening + 0.12 * sin(lean)), s = sin(0.5 * side * lean);
        plate[k] = scr_box(k < 2 ? (scr_vec3){0.005, 0.25, 0.12} : (scr_vec3){0.25, 0.005, 0.12}, steel);
        plate[k].position = k < 2 ? (scr_vec3){far, 0.0, 0.2} : (scr_vec3){0.0, far, 0.2};
        plate[k].rotation = k < 2 ? (scr_quat){c, 0.0, s, 0.0} : (scr_quat){c, -s, 0.0, 0.0};
    }
    add_fixed(world, plate, 4, 0.0);
}

int main(int argc, char **argv)
{
    const double end = argc > 1 ? atof(argv[1]) : 2.0;  // s
    scr_world_def def = scr_default_world_def();
    scr_material_def stone_def = scr_default_material_def();
    scr_world *world;
    scr_material stone;
    check(scr_world_create(&def, &world, &error));
    check(scr_world_add_material(world, &stone_def, &stone, &error));
    scr_shape belt = scr_box((scr_vec3){0.5, 0.15, 0.01}, stone), ground = scr_plane(stone);
    belt.position = (scr_vec3){BELT_END - 0.5, 0.0, -0.01};
    ground.position.z = -0.5;
    add_fixed(world, &belt, 1, BELT_SPEED);
    add_fixed(world, &ground, 1, 0.0);
    add_hopper(world, stone);
    for (int k = 0; k < GRAINS; ++k) {
        scr_vec3 at = {0.022 * (k % 8 - 3.5) + 0.001 * (k % 3), 0.022 * (k / 8 % 8 - 3.5), 0.3 + 0.022 * (k / 64)};
        check(scr_world_add_spheres(world, 1, &at, &RADIUS, NULL, stone, NULL, &error));
    }
    while (scr_world_time(world) < end) {
        check(scr_world_step(world, &error));
        if (scr_world_step_count(world) % 200 != 0) continue;
        scr_body_view view = scr_world_bodies(world);
        int on_belt = 0, gone = 0;
        for (int64_t i = 0; i < view.count; ++i) {
            if (view.kind[i] != SCR_DYNAMIC) continue;
            gone += view.z[i] < -0.1;
            on_belt += view.z[i] > -0.1 && view.z[i] < 0.08;
        }
        printf("t = %.1f s: %d grains on the belt, %d gone over its end\n", scr_world_time(world), on_belt, gone);
    }
    scr_world_destroy(world);
    return 0;
}
