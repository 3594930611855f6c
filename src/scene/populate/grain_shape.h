// SPDX-License-Identifier: BSD-3-Clause
// Grains that need not be spheres. A fill or an emitter says what a grain of radius 1 looks like; a grain is that
// shape, clump of spheres or pebble, scaled by its radius and turned at random. Spheres are not turned: all look
// the same.
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
    const scr_vec3 *velocity;  // m/s; NULL: they stand still
    scr_material material;
    uint64_t seed, rotation_stream, pebble_stream, first;
    bool fixed;
} grain_batch;
scr_status add_grains(scr_world *world, const scene_grain *kind, const grain_batch *grains, scr_error *error);

// ---- pebbles --------------------------------------------------------------------------------------------------------
//
// Pebbles: grains that are convex hulls of random points.
//
// The corners of a pebble lie in random directions, all equally likely, on an ellipsoid, and are then drawn towards its
// middle, each by a random share up to the roughness. A kind of pebbles has a few forms, each a hull of its own. A hull
// is made for one size: those of grains are rounded to steps of 1 to 3 per cent, so that grains alike share a hull,
// with mass, centre and inertia of exactly that polyhedron.
double pebble_reach(const scene_pebble *pebble);  // of the ball around a pebble, over its radius
double pebble_radius(double radius);              // m: rounded
// The points of a form: `corners` of them, for a radius of 1.
void pebble_points(const scene_pebble *pebble, uint64_t seed, uint64_t stream, int form, scr_vec3 *points);

// The hulls of a kind that are in a world.
typedef struct pebble_hull {
    int form;
    double radius;  // m
    scr_surface surface;
} pebble_hull;
typedef struct pebble_hulls {
    const scene_pebble *pebble;
    uint64_t seed, stream;
    pebble_hull *hull;
    int64_t count, capacity;
} pebble_hulls;

// The shape of grain `number`, from its form and radius; its hull is added to the world when it is the first of its
// kind.
scr_status pebble_shape(pebble_hulls *hulls, scr_world *world, uint64_t number, double radius, scr_material material,
                        scr_shape *shape, scr_error *error);
void pebble_hulls_free(pebble_hulls *hulls);

#endif
