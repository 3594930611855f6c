// SPDX-License-Identifier: BSD-3-Clause
// What the tests of granular matter share: the same grains under the complementarity law and under the penalty law.
#ifndef TESTS_DYNAMICS_LAWS_H
#define TESTS_DYNAMICS_LAWS_H

#include "dynamics/physics.h"

static const double GRAIN = 0.005;            // m, mean radius
static const double GRAIN_SPREAD = 0.1;       // radii lie within so much of it
static const double LATTICE_PITCH = 0.01122;  // m: the largest grain has room
static const double GRAIN_YOUNG = 3e7;        // Pa: soft, but overlaps stay below a hundredth of a radius
static const double PENALTY_STEP = 3e-5;      // s: a twentieth of a contact at 1 m/s is 3.2e-5

static const scr_contact_law BOTH_LAWS[2] = {SCR_COMPLIANT, SCR_PENALTY};

static inline scr_world *make_law_world(scr_contact_law law)
{
    scr_world_def def = scr_default_world_def();
    def.contact.law = law;
    if (law == SCR_PENALTY) def.time_step = PENALTY_STEP;
    return make_world(&def);
}

static inline scr_material add_grain_material(scr_world *world, double friction, double rolling_friction)
{
    scr_material_def def = scr_default_material_def();
    scr_material material;
    def.friction = friction;
    def.rolling_friction = rolling_friction;
    def.restitution = 0.2;
    def.young = GRAIN_YOUNG;
    assert_ok(scr_world_add_material(world, &def, &material, &error));
    return material;
}

// Grains of different radii on a loose lattice, layer upon layer from `low`, each moved a little off its place.
static inline void add_grains(scr_world *world, scr_material material, scr_vec3 low, int nx, int ny, int nz)
{
    for (int k = 0; k < nx * ny * nz; ++k) {
        uint64_t i = (uint64_t)k * 4;
        double shift = 0.01 * GRAIN, radius = GRAIN * random_in(1.0 - GRAIN_SPREAD, 1.0 + GRAIN_SPREAD, i);
        scr_vec3 place = vec3(k % nx + 0.5, k / nx % ny + 0.5, k / (nx * ny) + 0.5);
        scr_vec3 off =
            vec3(random_in(-shift, shift, i + 1), random_in(-shift, shift, i + 2), random_in(-shift, shift, i + 3));
        add_sphere(world, material, radius, vec3_add(vec3_add_scaled(low, LATTICE_PITCH, place), off),
                   vec3(0.0, 0.0, 0.0));
    }
}

static inline void step_for(scr_world *world, double seconds)
{
    step(world, (int)(seconds / scr_world_time_step(world) + 0.5));
}

// z of the mean force on a body over so many seconds: single steps flicker.
static inline double mean_lift_on(scr_world *world, scr_body body, double seconds)
{
    int count = (int)(seconds / scr_world_time_step(world) + 0.5);
    double sum = 0.0;
    for (int k = 0; k < count; ++k) {
        step(world, 1);
        sum += contact_force_on(world, body).z;
    }
    return sum / count;
}

#endif
