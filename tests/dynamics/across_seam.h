// SPDX-License-Identifier: BSD-3-Clause
// Two bodies that collide across the seam of a space whose cells move against each other: one of them as an image, or
// carried there by hand. Both ways must end alike.
#ifndef DYNAMICS_ACROSS_SEAM_H
#define DYNAMICS_ACROSS_SEAM_H

#include "dynamics/physics.h"

static const double RADIUS = 0.01, LENGTH = 0.105;

static inline scr_material add_grit_of(scr_world *world, double friction, double restitution, double young)
{
    scr_material_def def = scr_default_material_def();
    scr_material material;
    def.friction = friction, def.restitution = restitution, def.young = young;
    assert_ok(scr_world_add_material(world, &def, &material, &error));
    return material;
}

static inline scr_material add_grit(scr_world *world, double friction, double restitution)
{
    return add_grit_of(world, friction, restitution, 1e7);
}

typedef struct seam_law {
    scr_contact_law kind;
    scr_friction_law friction;
    double restitution, young, time_step;  // 1, Pa, s
    int steps;
} seam_law;
// The last but one is so soft that its springs and dampers work for a hundred steps.
static const seam_law LAWS[] = {{SCR_COMPLIANT, SCR_FRICTION_CONVEX, 0.0, 1e7, 2e-4, 60},
                                {SCR_COMPLIANT, SCR_FRICTION_COULOMB, 0.6, 1e7, 2e-4, 60},
                                {SCR_RIGID, SCR_FRICTION_CONVEX, 0.6, 1e7, 2e-4, 60},
                                {SCR_COMPLIANT, SCR_FRICTION_CONVEX, 0.0, 1e5, 1e-4, 250},
                                {SCR_PENALTY, SCR_FRICTION_CONVEX, 0.6, 1e7, 1e-5, 1200}};
enum { LAW_COUNT = sizeof LAWS / sizeof *LAWS, SHAPE_COUNT = 3 };

static inline scr_shape shape_of(int kind, scr_material stone)
{
    scr_vec3 half = vec3(RADIUS, 0.9 * RADIUS, 0.8 * RADIUS);
    return kind == 0 ? scr_sphere(RADIUS, stone) : kind == 1 ? scr_ellipsoid(half, stone) : scr_box(half, stone);
}

// The ends of both bodies in a world of the test's own.
typedef void seam_collision(const seam_law *l, int kind, bool by_hand, scr_body_state end[2]);

static inline void check_across_seam(seam_collision *collide)
{
    for (int k = 0; k < LAW_COUNT; ++k)
        for (int kind = 0; kind < SHAPE_COUNT; ++kind) {
            scr_body_state across[2], by_hand[2];
            collide(&LAWS[k], kind, false, across);
            collide(&LAWS[k], kind, true, by_hand);
            for (int i = 0; i < 2; ++i) {
                assert_within3(across[i].position, by_hand[i].position, 1e-7);
                assert_within3(across[i].velocity, by_hand[i].velocity, 1e-5);
                assert_within3(across[i].spin, by_hand[i].spin, 1e-3);
            }
        }
}

#endif
