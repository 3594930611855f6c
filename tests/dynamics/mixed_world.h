// SPDX-License-Identifier: BSD-3-Clause
// A world with a bit of everything, for tests about state: grains of several sizes and two materials, boxes, compound
// bodies, fixed walls, a tilted plate and a turning paddle, all in motion.
#ifndef TESTS_DYNAMICS_MIXED_WORLD_H
#define TESTS_DYNAMICS_MIXED_WORLD_H

#include "physics.h"

static const double MIXED_WIDTH = 0.16;  // m, of the box they are in

static inline scr_world_def mixed_def(int threads)
{
    scr_world_def def = scr_default_world_def();
    def.thread_count = threads;
    def.solver.max_iterations = 25;
    return def;
}

// Two spheres and a box in one body.
static inline scr_status add_compound(scr_world *world, scr_material material, scr_vec3 position, scr_quat rotation,
                                      scr_body *body, scr_error *error)
{
    scr_shape shapes[3] = {scr_sphere(0.005, material), scr_sphere(0.004, material),
                           scr_box(vec3(0.002, 0.003, 0.006), material)};
    shapes[0].position = vec3(0.006, 0.0, 0.001);
    shapes[1].position = vec3(-0.006, 0.001, 0.0);
    shapes[2].rotation = random_rotation(5);
    scr_body_def def = scr_default_body_def();
    def.position = position;
    def.rotation = rotation;
    def.spin = vec3(1.0, -2.0, 3.0);
    def.shapes = shapes;
    def.shape_count = 3;
    return scr_world_add_body(world, &def, body, error);
}

static inline void add_mixed_furniture(scr_world *world, scr_material material)
{
    scr_body wall[4];
    add_floor(world, material);
    add_walls(world, material, MIXED_WIDTH, MIXED_WIDTH, wall);
    scr_shape plate = scr_box(vec3(0.04, 0.03, 0.002), material), paddle = scr_box(vec3(0.03, 0.004, 0.01), material);
    scr_body_def def = scr_default_body_def();
    def.kind = SCR_FIXED;
    def.position = vec3(0.05, 0.05, 0.01);
    def.rotation = random_rotation(3);
    def.shapes = &plate;
    def.shape_count = 1;
    add_body(world, &def);
    def.kind = SCR_KINEMATIC;
    def.position = vec3(0.11, 0.11, 0.02);
    def.rotation = QUAT_IDENTITY;
    def.spin = vec3(0.0, 0.0, 8.0);
    def.shapes = &paddle;
    add_body(world, &def);
}

// Materials 1 and 2, the furniture, then grains and, among every hundred of them, a few boxes and compound bodies.
static inline scr_world *mixed_world(const scr_world_def *def, int64_t grain_count)
{
    scr_world *world = make_world(def);
    scr_material_def stone_def = scr_default_material_def();
    scr_material stone, rubber = add_material(world, 0.8, 0.3);
    stone_def.young = 1e7;
    assert_ok(scr_world_add_material(world, &stone_def, &stone, &error));
    add_mixed_furniture(world, rubber);
    const double spacing = 0.011;  // m
    const int64_t row = (int64_t)(MIXED_WIDTH / spacing) - 1;
    for (int64_t k = 0; k < grain_count; ++k) {
        uint64_t draw = 10 * (uint64_t)k;
        scr_vec3 at = vec3(spacing * (double)(k % row + 1), spacing * (double)(k / row % row + 1),
                           0.04 + spacing * (double)(k / (row * row)));
        scr_vec3 v = vec3(random_in(-0.3, 0.3, draw), random_in(-0.3, 0.3, draw + 1), random_in(-1.0, 0.0, draw + 2));
        scr_material material = k % 3 == 0 ? rubber : stone;
        scr_body body;
        if (k % 100 == 40) assert_ok(add_compound(world, material, at, random_rotation(draw), &body, &error));
        else if (k % 50 == 20) add_box(world, material, vec3(0.003, 0.004, 0.005), at, v);
        else add_sphere(world, material, random_in(0.003, 0.0053, draw + 3), at, v);
    }
    return world;
}

// The body of an id, or null.
static inline scr_body body_with_id(const scr_world *world, uint64_t id)
{
    scr_body_view view = scr_world_bodies(world);
    for (int64_t i = 0; i < view.count; ++i)
        if (view.id[i] == id) return view.handle[i];
    return (scr_body){0};
}

#endif
