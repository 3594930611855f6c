// SPDX-License-Identifier: BSD-3-Clause
// What the tests of sphere sets share: a set, and the same spheres as single shapes of a body.
#ifndef TESTS_DYNAMICS_SPHERE_SETS_H
#define TESTS_DYNAMICS_SPHERE_SETS_H

#include "physics.h"

enum { SET_SPHERES = 700 };
static const double SET_RADIUS = 0.1, SET_TUBE = 0.03;  // m

typedef struct made_set {
    scr_vec3 centre[SET_SPHERES];
    double radius[SET_SPHERES];
} made_set;

// A ring about z, of spheres of many sizes that overlap.
static inline void make_set(made_set *set)
{
    for (uint64_t k = 0; k < SET_SPHERES; ++k) {
        double u = random_in(0.0, 6.2831853, 40000 + 3 * k), v = random_in(0.0, 6.2831853, 40001 + 3 * k),
               r = random_in(0.002, 0.01, 40002 + 3 * k), arm = SET_RADIUS + (SET_TUBE - r) * cos(v);
        set->centre[k] = vec3(arm * cos(u), arm * sin(u), (SET_TUBE - r) * sin(v));
        set->radius[k] = r;
    }
}

// A body of the set, as one shape or as single spheres.
static inline scr_body add_set_body(scr_world *world, const made_set *set, bool as_one, scr_material material,
                                    const scr_body_def *given)
{
    scr_body_def def = *given;
    static scr_shape shape[SET_SPHERES];
    scr_surface surface;
    def.mass = 2.0;
    def.inertia = vec3(0.01, 0.012, 0.02);
    def.shapes = shape;
    def.shape_count = as_one ? 1 : SET_SPHERES;
    if (as_one) {
        assert_ok(scr_world_add_sphere_set(world, SET_SPHERES, set->centre, set->radius, &surface, &error));
        shape[0] = scr_surface_shape(world, surface, material);
    }
    for (int k = 0; k < SET_SPHERES && !as_one; ++k) {
        shape[k] = scr_sphere(set->radius[k], material);
        shape[k].position = set->centre[k];
    }
    return add_body(world, &def);
}

static inline scr_body_def moving_def(scr_vec3 position, scr_quat rotation, scr_vec3 velocity, scr_vec3 spin)
{
    scr_body_def def = scr_default_body_def();
    def.position = position, def.rotation = rotation, def.velocity = velocity, def.spin = spin;
    return def;
}

#endif
