// SPDX-License-Identifier: BSD-3-Clause
// The angle of repose grows with friction and with rolling friction.
//
// A slice of grains between two smooth panes leans against a wall on a rough floor; the gate that held its other side
// is lifted, and it slides down to a slope. Its angle depends on how it is made, so no figure is right; but that it
// grows is not in doubt.
#include "dynamics/laws.h"

enum { LENGTH = 9, DEPTH = 3, LAYERS = 10, FLOOR = 45 };
static const double GATE_SPEED[] = {0.2, 0.25};  // m/s; one slice is known to about a degree, their mean better

// Spheres that stick out of the floor by half a grain: no grain rolls away on it.
static void add_rough_floor(scr_world *world, scr_material material)
{
    scr_shape bump[FLOOR * DEPTH];
    for (int k = 0; k < FLOOR * DEPTH; ++k) {
        bump[k] = scr_sphere(GRAIN, material);
        bump[k].position = vec3(2.0 * GRAIN * (k % FLOOR), GRAIN * (1.0 + 2.0 * (k / FLOOR)) * 1.1, -0.5 * GRAIN);
    }
    scr_body_def def = scr_default_body_def();
    def.kind = SCR_FIXED;
    def.shapes = bump;
    def.shape_count = FLOOR * DEPTH;
    add_body(world, &def);
    add_floor(world, material);
}

static scr_body add_gate(scr_world *world, scr_material material, double x)
{
    return add_shape(world, SCR_KINEMATIC, scr_box(vec3(0.5 * GRAIN, 1.0, 1.0), material),
                     vec3(x + 0.5 * GRAIN, 0.0, 1.0), vec3(0.0, 0.0, 0.0));
}

// Degrees. The centroid of a triangle against the wall lies at a third of its length and of its height: their ratio is
// the slope, and a mean over all grains knows it better than the few at the surface.
static double slope_of(const scr_world *world)
{
    scr_body_view view = scr_world_bodies(world);
    double sx = 0.0, sz = 0.0;
    for (int64_t i = 0; i < view.count; ++i) {
        if (view.inv_mass[i] == 0.0) continue;
        sx += view.x[i] / view.inv_mass[i];
        sz += view.z[i] / view.inv_mass[i];
    }
    return atan2(sz, sx) * 180.0 / 3.14159265358979;
}

static double slope_left(scr_contact_law law, double friction, double rolling_friction, double gate_speed)
{
    scr_world *world = make_law_world(law);
    scr_material grain = add_grain_material(world, friction, rolling_friction),
                 smooth = add_grain_material(world, 0.0, 0.0);
    scr_body wall[4], gate = add_gate(world, smooth, LENGTH * LATTICE_PITCH);
    add_rough_floor(world, grain);
    add_walls(world, smooth, FLOOR * 2.0 * GRAIN, DEPTH * LATTICE_PITCH, wall);
    add_grains(world, grain, vec3(0.0, 0.0, 0.6 * GRAIN), LENGTH, DEPTH, LAYERS);
    step_for(world, 0.15);
    scr_body_state rises = state_of(world, gate);
    rises.velocity.z = gate_speed;
    set_state(world, gate, rises);
    step_for(world, 0.8);
    double angle = slope_of(world);
    scr_world_destroy(world);
    return angle;
}

static double angle_of_repose(scr_contact_law law, double friction, double rolling_friction)
{
    return 0.5 * (slope_left(law, friction, rolling_friction, GATE_SPEED[0]) +
                  slope_left(law, friction, rolling_friction, GATE_SPEED[1]));
}

static void check_slopes(scr_contact_law law)
{
    double slippery = angle_of_repose(law, 0.1, 0.0), rough = angle_of_repose(law, 0.6, 0.0);
    double angular = angle_of_repose(law, 0.6, 0.3);
    print_message("%.1f, %.1f, %.1f degrees\n", slippery, rough, angular);
    assert_at_most(slippery + 3.0, rough);
    assert_at_most(rough + 4.0, angular);
    assert_at_most(angular, 45.0);
}

static void slopes_grow_with_friction_by_complementarity(void **state)
{
    (void)state;
    check_slopes(SCR_COMPLIANT);
}

static void slopes_grow_with_friction_by_penalty(void **state)
{
    (void)state;
    only_if_long();
    check_slopes(SCR_PENALTY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_grow_with_friction_by_complementarity),
        cmocka_unit_test(slopes_grow_with_friction_by_penalty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
