// SPDX-License-Identifier: BSD-3-Clause
// Scattered packings keep their distance, stay inside and leave no hole; layers under a ground follow its surface.
#include "geometry/shape/packing.h"

#include <stdlib.h>

#include "check.h"
#include "core/maths/rng.h"

enum { SIDE = 24 };
static double heights[SIDE * SIDE], deeper[SIDE * SIDE];
static const height_grid hills = {{SIDE, SIDE}, {0.05, 0.04}, {0.3, -0.2}, heights};
static const height_grid bedrock = {{SIDE, SIDE}, {0.05, 0.04}, {0.3, -0.2}, deeper};

// Hills of slopes up to about 1, and steps of half a metre in a corner.
static int make_hills(void **state)
{
    (void)state;
    for (int iy = 0; iy < SIDE; ++iy) {
        for (int ix = 0; ix < SIDE; ++ix) {
            double u[2], step = ix > 16 && iy > 16 ? 0.5 * ((ix / 3 + iy / 3) & 1) : 0.0;
            scr_uniform2(1, 2, (uint64_t)(iy * SIDE + ix), u);
            heights[iy * SIDE + ix] = 0.15 * sin(0.5 * ix) * cos(0.4 * iy) + 0.02 * u[0] + step;
            deeper[iy * SIDE + ix] = -0.4 + 0.1 * sin(0.3 * ix);
        }
    }
    return 0;
}

static const region crate = {.kind = REGION_BOX, .low = {-0.31, 0.2, 1.0}, .high = {0.33, 0.75, 1.6}};
static const region drum = {
    .kind = REGION_CYLINDER, .base = {0.3, 0.1, -1.0}, .axis = {0, 0, 1}, .radius = 0.33, .height = 0.7};
static const region globe = {.kind = REGION_SPHERE, .centre = {1.0, -2.0, 0.5}, .radius = 0.4};

static region under(const height_grid *top, const height_grid *bottom, double drop, double floor)
{
    region r = {.kind = REGION_GROUND, .top = top, .bottom = bottom, .drop = drop, .floor = floor};
    region_set_bounds(&r);
    return r;
}

// share: of the distance that two grains must keep, over the sum of their radii.
static void assert_inside_and_apart(const packing *p, const packed_grains *g, double share)
{
    for (int64_t i = 0; i < g->count; ++i) {
        double slack = 1e-8 * g->radius[i], reach = p->reach * g->radius[i];
        assert_true(region_contains(p->region, g->position[i], reach - slack));
        for (int64_t j = 0; j < i; ++j) {
            double distance = vec3_norm(vec3_sub(g->position[i], g->position[j]));
            if (distance >= share * p->reach * (g->radius[i] + g->radius[j]) - slack) continue;
            print_error("grains %d and %d are %g apart, their radii are %g and %g\n", (int)i, (int)j, distance,
                        g->radius[i], g->radius[j]);
            fail();
        }
    }
}

static packed_grains scattered(const packing *p, int64_t limit)
{
    packed_grains g = {0};
    scr_error error;
    if (packing_scatter(p, limit, &g, &error) != SCR_OK) fail_msg("%s", error.message);
    return g;
}

static bool is_free(const packed_grains *g, scr_vec3 place, double distance)
{
    for (int64_t i = 0; i < g->count; ++i)
        if (vec3_norm(vec3_sub(g->position[i], place)) < distance) return false;
    return true;
}

// Of the points of the region, the share at which another grain would fit.
static double share_free(const packing *p, const packed_grains *g, double margin, double distance)
{
    scr_aabb box = region_bounds(p->region);
    scr_vec3 edge = vec3_sub(box.high, box.low);
    int inside = 0, free_count = 0;
    for (uint64_t i = 0; inside < 4000 && i < 1000000; ++i) {
        double u[4];
        scr_uniform2(9, 9, 2 * i, u);
        scr_uniform2(9, 9, 2 * i + 1, u + 2);
        scr_vec3 place = vec3_add(box.low, vec3_mul(edge, vec3(u[0], u[1], u[2])));
        if (!region_contains(p->region, place, margin)) continue;
        ++inside;
        free_count += is_free(g, place, distance);
    }
    assert_true(inside == 4000);
    return (double)free_count / inside;
}

static void poisson_disks_keep_their_distance_and_leave_no_hole(void **state)
{
    (void)state;
    const size_distribution size = {.kind = SIZE_UNIFORM, .min = 0.015, .max = 0.03};
    const region below = under(&hills, &bedrock, 0.0, 0.0), *const regions[] = {&crate, &drum, &globe, &below};
    for (int r = 0; r < 4; ++r) {
        for (int far = 0; far < 2; ++far) {
            packing p = {FILL_POISSON, regions[r], &size, far ? 1.4 : 1.0, 0.0, 5, 1, 1.0};
            packed_grains g = scattered(&p, 0);
            double distance = 2.0 * 0.03 * p.spacing;
            assert_inside_and_apart(&p, &g, 1.0);
            for (int64_t i = 0; i < g.count; ++i)
                for (int64_t j = 0; j < i; ++j)
                    assert_true(vec3_norm(vec3_sub(g.position[i], g.position[j])) >= distance * (1.0 - 1e-12));
            assert_true(share_free(&p, &g, 0.03, distance) < 0.005);
            packed_grains some = scattered(&p, g.count / 2);
            assert_int_equal(some.count, g.count / 2);
            double highest = -INFINITY;
            for (int64_t i = 0; i < some.count; ++i) highest = fmax(highest, some.position[i].z);
            for (int64_t i = some.count; i < g.count; ++i) assert_true(g.position[i].z >= highest);
            packed_grains_free(&some);
            packed_grains_free(&g);
        }
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Few grains hardly know of each other: along each axis of a box they are uniform (Kolmogorov's bound), and radii are
// as drawn.
static void random_grains_are_as_many_as_asked_for_and_anywhere(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    const size_distribution size = {.kind = SIZE_UNIFORM, .min = 0.002, .max = 0.004};
    packing p = {FILL_RANDOM, &crate, &size, 1.0, 0.0, 5, 1, 1.0};
    packed_grains g = scattered(&p, COUNT);
    assert_int_equal(g.count, COUNT);
    assert_inside_and_apart(&p, &g, 1.0);
    double at[COUNT];
    for (int axis = 0; axis < 3; ++axis) {
        const double *low = &crate.low.x + axis, *high = &crate.high.x + axis;
        for (int i = 0; i < COUNT; ++i) at[i] = (*(&g.position[i].x + axis) - *low) / (*high - *low);
        qsort(at, COUNT, sizeof *at, ascending);
        double distance = 0.0;
        for (int i = 0; i < COUNT; ++i) distance = fmax(distance, fabs(at[i] - (i + 0.5) / COUNT));
        assert_within(distance, 0.0, 1.95 / sqrt(COUNT) + 0.004 / 0.55);  // the walls cost a radius
    }
    for (int i = 0; i < COUNT; ++i) assert_true(g.radius[i] == size_draw(&size, 5, 1, (uint64_t)i));
    packed_grains_free(&g);
}

// Random sequential addition of equal spheres jams at 0.384 of the volume; after some thousands of tries for the last
// one it is about 0.3.
static void random_grains_without_a_count_fill_the_region(void **state)
{
    (void)state;
    const size_distribution size = {.kind = SIZE_CONSTANT, .min = 0.03, .max = 0.03};
    const region below = under(&hills, &hills, 0.4, 0.0), *const regions[] = {&crate, &drum, &globe, &below};
    for (int r = 0; r < 4; ++r) {
        packing p = {FILL_RANDOM, regions[r], &size, 1.0, 0.0, 5, 1, 1.3};
        packed_grains g = scattered(&p, 0);
        assert_inside_and_apart(&p, &g, 1.0);
        assert_true(share_free(&p, &g, 0.039, 0.078) < 0.005);
        packed_grains_free(&g);
    }
}

// Every few degrees round the ball, out to its rim.
static double highest_by_search(const height_grid *grid, double x, double y, double radius, double side)
{
    enum { RINGS = 200, RAYS = 360 };
    double best = -INFINITY;
    scr_aabb box = height_grid_bounds(grid);
    for (int ring = 0; ring <= RINGS; ++ring) {
        double d = radius * sin(0.5 * M_PI * ring / RINGS);
        for (int ray = 0; ray < RAYS; ++ray) {
            double px = x + d * cos(2.0 * M_PI * ray / RAYS), py = y + d * sin(2.0 * M_PI * ray / RAYS);
            if (px < box.low.x || px > box.high.x || py < box.low.y || py > box.high.y) continue;
            best = fmax(best, side * height_grid_at(grid, px, py) + sqrt(fmax(0.0, radius * radius - d * d)));
        }
    }
    return best;
}

static void balls_touch_the_surface_from_either_side(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 200; ++i) {
        double u[4];
        scr_uniform2(3, 4, 2 * i, u);
        scr_uniform2(3, 4, 2 * i + 1, u + 2);
        double x = 0.3 + 1.1 * (u[0] - 0.5), y = -0.2 + 0.9 * (u[1] - 0.5), radius = 0.005 + 0.1 * u[2];
        double above = highest_by_search(&hills, x, y, radius, 1.0),
               below = highest_by_search(&hills, x, y, radius, -1.0);
        // the search never finds a higher place, and misses the highest by a little, more where the ground is a cliff
        double missed = ball_above(&hills, x, y, radius) - above,
               missed_below = -ball_below(&hills, x, y, radius) - below;
        bool is_cliff = x > 0.3 && y > -0.2;
        assert_true(missed > -1e-12 && missed < (is_cliff ? 0.2 : 0.005) * radius);
        assert_true(missed_below > -1e-12 && missed_below < (is_cliff ? 0.2 : 0.005) * radius);
    }
}

// A heightfield of one slope, where all is known: a ball of radius r under it is r / cos(slope) below it.
static void a_ball_under_a_slope_is_r_over_cosine_below_it(void **state)
{
    (void)state;
    double plane[16];
    const height_grid slope = {{4, 4}, {1.0, 1.0}, {0.0, 0.0}, plane};
    for (int i = 0; i < 16; ++i) plane[i] = 0.75 * (i % 4);
    assert_near(height_grid_at(&slope, 0.2, 0.3), 0.75 * 1.7, 1e-14);
    assert_near(ball_below(&slope, 0.2, 0.3, 0.1), 0.75 * 1.7 - 0.1 * 1.25, 1e-14);
    assert_near(ball_above(&slope, 0.2, 0.3, 0.1), 0.75 * 1.7 + 0.1 * 1.25, 1e-14);
}

// How far the surface is over the topmost grain near a place, in radii of that grain.
static double gap_at(const packed_grains *g, const height_grid *top, double x, double y, double pitch)
{
    double best = INFINITY;
    for (int64_t i = 0; i < g->count; ++i) {
        scr_vec3 c = g->position[i];
        if (fabs(c.x - x) > pitch || fabs(c.y - y) > pitch) continue;
        double gap = ball_below(top, c.x, c.y, g->radius[i]) - c.z;
        best = fmin(best, gap / g->radius[i]);
    }
    return best;
}

static void layers_under_a_ground_follow_it_within_a_radius(void **state)
{
    (void)state;
    const size_distribution sizes[] = {{.kind = SIZE_CONSTANT, .min = 0.02, .max = 0.02},
                                       {.kind = SIZE_UNIFORM, .min = 0.01, .max = 0.02}};
    const region grounds[] = {under(&hills, &bedrock, 0.0, 0.0), under(&hills, &hills, 0.1, 0.0),
                              under(&hills, NULL, 0.0, -0.3)};
    for (int k = 0; k < 3; ++k) {
        for (int s = 0; s < 2; ++s) {
            for (fill_pattern pattern = FILL_GRID; pattern <= FILL_HEXAGONAL; ++pattern) {
                packing p = {pattern, &grounds[k], &sizes[s], 1.0, 1.0, 5, 1, 1.0};
                packed_grains g = {.count = packing_count(&p, 0)};
                scr_error error;
                assert_true(g.count > 300);
                assert_int_equal(packed_grains_reserve(&g, g.count, &error), SCR_OK);
                packing_fill(&p, g.count, g.position, g.radius);
                assert_inside_and_apart(&p, &g, 1.0);
                for (int iy = 2; iy < 14; ++iy)  // not at the cliffs, where a thin layer has no room
                    for (int ix = 2; ix < 14; ++ix)
                        assert_true(gap_at(&g, &hills, height_grid_x(&hills, ix), height_grid_y(&hills, iy), 0.04) <
                                    (pattern == FILL_JITTERED ? 1.0 : 1e-9));
                packed_grains_free(&g);
            }
        }
    }
}

// Level ground over a level floor: as many layers as were measured for.
static void a_ground_of_n_diameters_has_n_layers(void **state)
{
    (void)state;
    double level[4] = {0};
    const height_grid field = {{2, 2}, {1.0, 1.0}, {0.0, 0.0}, level};
    const size_distribution size = {.kind = SIZE_CONSTANT, .min = 0.05, .max = 0.05};
    for (int layers = 1; layers <= 5; ++layers) {
        const region r = under(&field, &field, 0.1 * layers, 0.0);
        packing p = {FILL_GRID, &r, &size, 1.0, 0.0, 1, 1, 1.0};
        assert_int_equal(packing_count(&p, 0), 100 * layers);
        assert_int_equal(packing_count(&p, 42), 42);
    }
}

static void absurd_scatters_are_refused_at_once(void **state)
{
    (void)state;
    const size_distribution size = {.kind = SIZE_CONSTANT, .min = 1e-6, .max = 1e-6};
    const region huge = {.kind = REGION_BOX, .low = {-1e9, -1e9, -1e9}, .high = {1e9, 1e9, 1e9}};
    const region thin = {.kind = REGION_BOX, .high = {1e-6, 1e-6, 1e-7}};
    packing p = {FILL_POISSON, &huge, &size, 1.0, 0.0, 1, 1, 1.0};
    packed_grains g = scattered(&p, 0);
    assert_int_equal(g.count, PACKING_TOO_LARGE);
    p.region = &thin;
    g = scattered(&p, 0);
    assert_int_equal(g.count, 0);
    packed_grains_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poisson_disks_keep_their_distance_and_leave_no_hole),
        cmocka_unit_test(random_grains_are_as_many_as_asked_for_and_anywhere),
        cmocka_unit_test(random_grains_without_a_count_fill_the_region),
        cmocka_unit_test(balls_touch_the_surface_from_either_side),
        cmocka_unit_test(a_ball_under_a_slope_is_r_over_cosine_below_it),
        cmocka_unit_test(layers_under_a_ground_follow_it_within_a_radius),
        cmocka_unit_test(a_ground_of_n_diameters_has_n_layers),
        cmocka_unit_test(absurd_scatters_are_refused_at_once),
    };
    return cmocka_run_group_tests(tests, make_hills, NULL);
}
