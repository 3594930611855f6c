// SPDX-License-Identifier: BSD-3-Clause
// Janssen's law: the floor of a narrow silo carries a weight that stops growing with the height of the filling.
//
// Grains stand in a shaft of width D with rough walls; then the floor sinks slowly, so that friction acts upwards on
// all of the wall. Janssen (1895), with the share K of the vertical pressure that acts sideways and friction mu at the
// wall:
//     floor = W_s (1 - exp(-W / W_s)),     W_s = weight of a filling of height D / (4 mu K)
// A second filling on top of the first is then nearly all carried by the walls. K of grains is 0.3 to 0.8.
#include "dynamics/laws.h"

enum { SIDE = 4, SHORT = 16, TALL = 32, PACKINGS = 3 };
static const double WIDTH = 0.045;                           // m: SIDE grains on their lattice
static const double WALL_FRICTION = 0.5, SINK_SPEED = 0.02;  // m/s
static const double MEAN_TIME = 0.4;                         // s: arches form and break all the while

typedef struct silo {
    double weight, floor;  // N
} silo;

static scr_body add_sinking_floor(scr_world *world, scr_material material)
{
    scr_body_def def = scr_default_body_def();
    scr_shape plane = scr_plane(material);
    def.kind = SCR_KINEMATIC;
    def.shapes = &plane;
    def.shape_count = 1;
    return add_body(world, &def);
}

// A packing of its own for each number: grains begin a hair higher, and come to rest differently.
static silo fill_and_sink(scr_contact_law law, int layers, int packing)
{
    scr_world *world = make_law_world(law);
    scr_material grain = add_grain_material(world, WALL_FRICTION, 0.0);
    scr_body wall[4], floor = add_sinking_floor(world, grain);
    add_walls(world, grain, WIDTH, WIDTH, wall);
    add_grains(world, grain, vec3(0.0, 0.0, 1e-5 * packing), SIDE, SIDE, layers);
    step_for(world, 0.4);
    scr_body_state sinks = state_of(world, floor);
    sinks.velocity.z = -SINK_SPEED;
    set_state(world, floor, sinks);
    step_for(world, 0.1);
    silo s = {total_mass(world) * GRAVITY, -mean_lift_on(world, floor, MEAN_TIME)};
    scr_world_destroy(world);
    return s;
}

// From packing to packing the load differs by 6 %.
static silo mean_of_packings(scr_contact_law law, int layers)
{
    silo mean = {0};
    for (int k = 0; k < PACKINGS; ++k) {
        silo s = fill_and_sink(law, layers, k);
        mean.weight += s.weight / PACKINGS;
        mean.floor += s.floor / PACKINGS;
    }
    return mean;
}

static void assert_saturates(scr_contact_law law)
{
    silo half = mean_of_packings(law, SHORT), full = mean_of_packings(law, TALL);
    assert_at_most(full.floor, 0.35 * full.weight);
    assert_near(full.floor, half.floor, 0.2);
    double bulk = 0.58 * 2500.0 * GRAVITY;  // N/m^3 of a bed with friction
    print_message("floor carries %.3f N of %.3f N, %.3f N of half of it\n", full.floor, full.weight, half.floor);
    double sideways = bulk * WIDTH * WIDTH * WIDTH / (4.0 * WALL_FRICTION * full.floor);
    assert_at_most(0.3, sideways);
    assert_at_most(sideways, 0.8);
}

static void the_load_on_a_floor_saturates_by_complementarity(void **state)
{
    (void)state;
    assert_saturates(SCR_COMPLIANT);
}

static void the_load_on_a_floor_saturates_by_penalty(void **state)
{
    (void)state;
    only_if_long();
    assert_saturates(SCR_PENALTY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_load_on_a_floor_saturates_by_complementarity),
        cmocka_unit_test(the_load_on_a_floor_saturates_by_penalty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
