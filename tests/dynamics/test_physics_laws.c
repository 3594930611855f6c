// SPDX-License-Identifier: BSD-3-Clause
// The same bed of grains under the complementarity law and under the penalty law.
//
// Grains fall from a loose lattice into a bin with smooth walls and come to rest. What a bed is made of must not depend
// on how its contacts are computed: the floor carries the weight (exactly, the walls being smooth), and packing
// fraction and coordination number agree between the laws and with what is known of spheres poured under gravity.
#include "contact_view.h"
#include "dynamics/laws.h"

enum { SIDE = 8, LAYERS = 12, SAMPLES = 28 };

typedef struct bed {
    double floor_over_weight;
    double packing;       // share of the volume that is grain, away from the walls
    double coordination;  // twice the contacts that carry a force, over the grains with more than one of them
    double overlap;       // mean, over the radius
} bed;

static scr_world *pour(scr_contact_law law, double friction, scr_body *floor)
{
    const double width = SIDE * LATTICE_PITCH;
    scr_world *world = make_law_world(law);
    scr_material grain = add_grain_material(world, friction, 0.0), smooth = add_grain_material(world, 0.0, 0.0);
    scr_body wall[4];
    *floor = add_floor(world, grain);
    add_walls(world, smooth, width, width, wall);
    add_grains(world, grain, vec3(0.0, 0.0, 0.0), SIDE, SIDE, LAYERS);
    return world;
}

static bool is_in_a_grain(const scr_body_view *view, scr_vec3 at)
{
    for (int64_t i = 0; i < view->count; ++i) {
        if (view->inv_mass[i] == 0.0) continue;
        scr_vec3 d = vec3_sub(at, vec3(view->x[i], view->y[i], view->z[i]));
        double radius = cbrt(3.0 / (4.0 * 3.14159265358979 * 2500.0 * view->inv_mass[i]));
        if (vec3_dot(d, d) < radius * radius) return true;
    }
    return false;
}

// By points of a lattice in a box that stays clear of walls, floor and surface, where packings are layered.
static double packing_inside(const scr_world *world)
{
    scr_body_view view = scr_world_bodies(world);
    const double width = SIDE * LATTICE_PITCH, margin = 3.5 * GRAIN;
    const double low[3] = {margin, margin, margin},
                 high[3] = {width - margin, width - margin, 2.0 * GRAIN * LAYERS * 0.65};
    int64_t hits = 0;
    for (int k = 0; k < SAMPLES * SAMPLES * SAMPLES; ++k) {
        const int place[3] = {k % SAMPLES, k / SAMPLES % SAMPLES, k / (SAMPLES * SAMPLES)};
        double x[3];
        for (int a = 0; a < 3; ++a) x[a] = low[a] + (high[a] - low[a]) * (place[a] + 0.5) / SAMPLES;
        hits += is_in_a_grain(&view, vec3(x[0], x[1], x[2]));
    }
    return (double)hits / (SAMPLES * SAMPLES * SAMPLES);
}

// A frictionless packing that just stands has three contacts a grain, walls included: a coordination of 6.
static double coordination_of(const scr_world *world)
{
    int64_t bodies = scr_world_bodies(world).count, contacts = 0;
    int *count = calloc((size_t)bodies + 1, sizeof *count), grains = 0;
    assert_non_null(count);
    for (int64_t k = 0; k < contact_count(world); ++k) {
        one_contact c = contact_at(world, k);
        if (vec3_norm(c.force) == 0.0) continue;
        ++contacts;
        if (scr_body_mass(world, c.a) > 0.0) ++count[c.a.index1];
        if (scr_body_mass(world, c.b) > 0.0) ++count[c.b.index1];
    }
    for (int64_t i = 0; i <= bodies; ++i) grains += count[i] > 1;
    free(count);
    return 2.0 * (double)contacts / grains;
}

static bed settle(scr_contact_law law, double friction)
{
    scr_body floor;
    scr_world *world = pour(law, friction, &floor);
    double weight = total_mass(world) * GRAVITY;
    step_for(world, 0.5);
    bed b = {.floor_over_weight = -mean_lift_on(world, floor, 0.05) / weight,
             .packing = packing_inside(world),
             .coordination = coordination_of(world),
             .overlap = scr_world_overlap(world).mean};
    scr_world_destroy(world);
    return b;
}

static void a_bed_is_the_same_under_both_laws(void **state)
{
    (void)state;
    bed c = settle(SCR_COMPLIANT, 0.5), p = settle(SCR_PENALTY, 0.5);
    assert_within(c.floor_over_weight, 1.0, 0.01);
    assert_within(p.floor_over_weight, 1.0, 0.01);
    assert_within(c.packing, p.packing, 0.015);
    assert_within(c.coordination, p.coordination, 0.3);
    // With friction a packing stands from 4 contacts a grain on (isostatic); without, it needs 6.
    assert_at_most(4.0, c.coordination);
    assert_at_most(c.coordination, 6.0);
    assert_at_most(p.overlap, 0.01);
    assert_at_most(c.overlap, 0.01);
}

// Without friction spheres come to rest close packed at random: 0.64 in the bulk, and 6 contacts each where they just
// touch. Pressed to overlaps of x of a radius, by 3/2 x more of the volume, they have 7.7 times the root of that more
// (O'Hern et al., Phys. Rev. E 68, 011306, 2003).
static void spheres_pack_at_random(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        bed b = settle(BOTH_LAWS[k], 0.0);
        assert_at_most(0.60, b.packing);
        assert_at_most(b.packing, 0.66);
        assert_within(b.coordination, 6.0 + 7.7 * sqrt(1.5 * b.overlap * b.packing), 0.5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bed_is_the_same_under_both_laws),
        cmocka_unit_test(spheres_pack_at_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
