// SPDX-License-Identifier: BSD-3-Clause
// A heavy body that stands on a closed ring of hinged shoes, as a tracked vehicle does, and a bed of grains for it.
//
// The ring is a stadium: RING_RUN shoes in each straight run, RING_TURN in each end, where 16 of them would make a
// regular polygon. The body inside is a box with a cylinder at each end, a little smaller than the ring.
#ifndef TESTS_DYNAMICS_RING_H
#define TESTS_DYNAMICS_RING_H

#include "mechanism.h"

enum { RING_RUN = 16, RING_TURN = 7, RING_SHOES = 2 * (RING_RUN + RING_TURN) };
static const double SHOE_PITCH = 0.03, SHOE_MASS = 0.3, BODY_MASS = 200.0;                 // m, kg
static const double SHOE_HALF_HEIGHT = 0.005, SHOE_HALF_WIDTH = 0.06, RING_PLAY = 0.0005;  // m
static const double GRAIN = 0.0045;                                                        // m, radius: 1 g of stone
static const double BED_WIDTH = 0.15;                                                      // m

typedef struct ring {
    scr_body body, shoe[RING_SHOES];
    scr_joint hinge[RING_SHOES];
} ring;

static inline double ring_height(void) { return SHOE_PITCH / tan(PI / 16.0); }  // between the hinges of the two runs

static inline scr_body add_ring_body(scr_world *world, scr_material material, scr_vec3 at)
{
    const double half = 0.5 * ring_height() - SHOE_HALF_HEIGHT - RING_PLAY, reach = 0.5 * (RING_RUN - 1) * SHOE_PITCH;
    scr_shape shape[3] = {scr_box(vec3(reach, 0.05, half), material), scr_cylinder(half, 0.05, material),
                          scr_cylinder(half, 0.05, material)};
    for (int k = 1; k < 3; ++k) {
        shape[k].position.x = k == 1 ? -reach : reach;
        shape[k].rotation = turned(vec3(1.0, 0.0, 0.0), 0.5 * PI);
    }
    scr_body_def def = scr_default_body_def();
    def.position = at;
    def.shapes = shape;
    def.shape_count = 3;
    def.mass = BODY_MASS;
    return add_body(world, &def);
}

// The lower run's hinges lie at `at`, which is the middle of the run. Neighbours do not touch; all shoes touch the
// body.
static inline ring add_ring(scr_world *world, scr_material material, scr_vec3 at)
{
    ring r;
    scr_vec3 pin[RING_SHOES + 1] = {vec3_add(at, vec3(-0.5 * RING_RUN * SHOE_PITCH, 0.0, 0.0))},
                              y = vec3(0.0, 1.0, 0.0);
    r.body = add_ring_body(world, material, vec3_add(at, vec3(0.0, 0.0, 0.5 * ring_height() - RING_PLAY)));
    for (int k = 0; k < RING_SHOES; ++k) {
        int half = k / (RING_RUN + RING_TURN), place = k % (RING_RUN + RING_TURN);
        double heading = PI * half + (place < RING_RUN ? 0.0 : PI / (RING_TURN + 1) * (place - RING_RUN + 1));
        scr_vec3 ahead = vec3_scale(SHOE_PITCH, vec3(cos(heading), 0.0, sin(heading)));
        scr_shape plate = scr_box(vec3(0.45 * SHOE_PITCH, SHOE_HALF_WIDTH, SHOE_HALF_HEIGHT), material);
        scr_body_def def = scr_default_body_def();
        def.position = vec3_add_scaled(pin[k], 0.5, ahead);
        def.rotation = turned(vec3_neg(y), heading);
        def.shapes = &plate;
        def.shape_count = 1;
        def.mass = SHOE_MASS;
        r.shoe[k] = add_body(world, &def);
        pin[k + 1] = vec3_add(pin[k], ahead);
    }
    assert_within3(pin[RING_SHOES], pin[0], 1e-14);
    for (int k = 0; k < RING_SHOES; ++k)
        r.hinge[k] = join(world, SCR_JOINT_REVOLUTE, r.shoe[k], r.shoe[(k + 1) % RING_SHOES], pin[k + 1], y);
    return r;
}

// Layers of grains in a box of smooth walls, 0 < x < length, 0 < y < BED_WIDTH, each in the hollows of the one below
// and a little out of its place: how many. Their tops are below BED_LAYER a layer, and what one grain has more.
static const double BED_LAYER = 1.42 * 0.0045;  // m
static inline int add_bed(scr_world *world, scr_material stone, scr_material smooth, double length, int layers)
{
    const double pitch = 2.06 * GRAIN;
    const int along = (int)(length / pitch), across = (int)(BED_WIDTH / pitch);
    int count = 0;
    scr_body wall[4];
    add_floor(world, stone);
    add_walls(world, smooth, length, BED_WIDTH, wall);
    for (int layer = 0; layer < layers; ++layer) {
        const int shift = layer % 2, row = along - shift, rows = across - shift;
        for (int k = 0; k < row * rows; ++k) {
            uint64_t draw = 4 * (uint64_t)count++;
            scr_vec3 at = vec3(pitch * (k % row + 0.5 * (1 + shift)), pitch * (k / row + 0.5 * (1 + shift)),
                               GRAIN + BED_LAYER * layer);
            at.x += 0.02 * GRAIN * random_in(-1.0, 1.0, draw + 1);
            at.y += 0.02 * GRAIN * random_in(-1.0, 1.0, draw + 2);
            add_sphere(world, stone, GRAIN * random_in(0.94, 1.0, draw), at, STILL);
        }
    }
    return count;
}

#endif
