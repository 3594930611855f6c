// SPDX-License-Identifier: BSD-3-Clause
// Grains that need not be spheres. A fill or an emitter says what a grain of radius 1 looks like; a grain is that
// shape, clump of spheres or pebble, scaled by its radius and turned at random. Spheres are not turned: all look the same.
#ifndef SCENE_POPULATE_GRAIN_SHAPE_H
#define SCENE_POPULATE_GRAIN_SHAPE_H

#include "geometry/shape/packing.h"
#include "scene/model/scene.h"

scr_shape grain_shape(const scr_shape *unit, double radius, scr_material material);
double grain_reach(const scene_grain *grain);               // radius of the ball around a grain, over its radius
double grain_volume(const scr_shape *unit, double radius);  // m^3

// Grains to be made: rotation i is draw number first + i of the stream.
typedef struct grain_batch {
    int64_t count;
    const scr_vec3 *position;  // m
    const double *radius;      // m
    const scr_vec3 *velocity;  // m/s
    scr_material material;
    uint64_t seed, rotation_stream, pebble_stream, first;
    bool fixed;
} grain_batch;
scr_status add_grains(scr_world *world, const scene_grain *kind, const grain_batch *grains, scr_error *error);

#endif
