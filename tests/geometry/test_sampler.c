// SPDX-License-Identifier: BSD-3-Clause
// Samplers: radii follow their distribution; packed grains are inside, apart, as many as asked for, bottom first.
#include "geometry/shape/packing.h"

#include <stdlib.h>

#include "check.h"

enum { DRAWS = 100000 };
// Kolmogorov's bound: the largest distance between an empirical and the true distribution function exceeds
// 1.95 / sqrt(n) once in a thousand. The draws are fixed by the seed, so the test never flickers.
static const double KOLMOGOROV = 1.95;

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double draw[DRAWS];
static void draw_all(const size_distribution *size)
{
    for (int i = 0; i < DRAWS; ++i) {
        draw[i] = size_draw(size, 1, 3, (uint64_t)i);
        assert_true(draw[i] >= size->min && draw[i] <= size->max);
    }
    qsort(draw, DRAWS, sizeof *draw, ascending);
}

static double mean_of_draws(void)
{
    double sum = 0.0;
    for (int i = 0; i < DRAWS; ++i) sum += draw[i];
    return sum / DRAWS;
}

static double normal_cdf(double z) { return 0.5 * erfc(-z / sqrt(2.0)); }

typedef double distribution_function(const size_distribution *size, double r);
static double uniform_cdf(const size_distribution *size, double r) { return (r - size->min) / (size->max - size->min); }
static double confined_normal_cdf(const size_distribution *size, double r)
{
    double at = normal_cdf((r - size->mean) / size->deviation),
           low = normal_cdf((size->min - size->mean) / size->deviation),
           high = normal_cdf((size->max - size->mean) / size->deviation);
    return (at - low) / (high - low);
}
static double confined_lognormal_cdf(const size_distribution *size, double r)
{
    double relative = size->deviation / size->mean, s = sqrt(log1p(relative * relative));
    double m = log(size->mean) - 0.5 * s * s;
    double at = normal_cdf((log(r) - m) / s), low = normal_cdf((log(size->min) - m) / s),
           high = normal_cdf((log(size->max) - m) / s);
    return (at - low) / (high - low);
}

static void assert_follows(const size_distribution *size, distribution_function *cdf)
{
    draw_all(size);
    double distance = 0.0;
    for (int i = 0; i < DRAWS; ++i) {
        double expected = cdf(size, draw[i]);
        distance = fmax(distance, fmax(fabs(expected - (double)i / DRAWS), fabs(expected - (i + 1.0) / DRAWS)));
    }
    assert_within(distance, 0.0, KOLMOGOROV / sqrt(DRAWS));
}

static void uniform_radii_are_uniform(void **state)
{
    (void)state;
    const size_distribution size = {.kind = SIZE_UNIFORM, .min = 0.01, .max = 0.03};
    assert_follows(&size, uniform_cdf);
    assert_near(mean_of_draws(), 0.02, 0.005);
}

static void normal_radii_are_normal_between_their_bounds(void **state)
{
    (void)state;
    const size_distribution wide = {.kind = SIZE_NORMAL, .min = 0.001, .max = 0.04, .mean = 0.02, .deviation = 0.004};
    const size_distribution narrow = {
        .kind = SIZE_NORMAL, .min = 0.019, .max = 0.022, .mean = 0.02, .deviation = 0.004};
    const size_distribution tail = {.kind = SIZE_NORMAL, .min = 0.04, .max = 0.09, .mean = 0.02, .deviation = 0.005};
    assert_follows(&narrow, confined_normal_cdf);
    assert_follows(&tail, confined_normal_cdf);
    assert_follows(&wide, confined_normal_cdf);
    assert_near(mean_of_draws(), wide.mean, 0.005);
}

static void lognormal_radii_have_their_mean_and_deviation(void **state)
{
    (void)state;
    const size_distribution size = {.kind = SIZE_LOGNORMAL, .min = 1e-4, .max = 1.0, .mean = 0.02, .deviation = 0.01};
    assert_follows(&size, confined_lognormal_cdf);
    double mean = mean_of_draws(), square = 0.0;
    for (int i = 0; i < DRAWS; ++i) square += (draw[i] - mean) * (draw[i] - mean);
    assert_near(mean, size.mean, 0.01);
    assert_near(sqrt(square / DRAWS), size.deviation, 0.03);
}

static void classes_are_taken_by_their_shares(void **state)
{
    (void)state;
    double radius[] = {0.01, 0.5, 0.02, 0.03}, share[] = {1.0, 0.0, 2.0, 5.0};  // shares need not add up to 1
    const size_distribution size = {.kind = SIZE_TABLE, .class_count = 4, .radius = radius, .share = share};
    int count[4] = {0};
    for (int i = 0; i < DRAWS; ++i) {
        double r = size_draw(&size, 1, 3, (uint64_t)i);
        for (int c = 0; c < 4; ++c) count[c] += r == radius[c];
    }
    for (int c = 0; c < 4; ++c) assert_within((double)count[c] / DRAWS, share[c] / 8.0, 0.005);
    assert_near(size_largest(&size), 0.03, 0.0);  // that of 0.5 is never taken
}

// The share of the mass of all grains up to a radius that passes the sieves, straight over log r.
static double sieve_cdf(int count, const double *radius, const double *passing, double r)
{
    int c = 0;
    while (c + 2 < count && r > radius[c + 1]) ++c;
    double share = log(r / radius[c]) / log(radius[c + 1] / radius[c]);
    return passing[c] + fmin(fmax(share, 0.0), 1.0) * (passing[c + 1] - passing[c]);
}

// By mass, where n equal grains would give Kolmogorov's bound: grains of mass m count as (sum m)^2 / sum m^2 equal ones
// (Kish's effective sample size).
static void sieved_grains_have_the_curve_by_mass(void **state)
{
    (void)state;
    enum { SIEVES = 5 };
    const double given_radius[SIEVES] = {0.002, 0.003, 0.004, 0.006, 0.009};
    const double given_passing[SIEVES] = {0.0, 0.2, 0.2, 0.7, 1.0};  // nothing between the second and the third
    double radius[SIEVES], passing[SIEVES], sum = 0.0, squares = 0.0, distance = 0.0, so_far = 0.0;
    for (int i = 0; i < SIEVES; ++i) radius[i] = given_radius[i], passing[i] = given_passing[i];
    size_distribution size;
    size_from_sieves(&size, SIEVES - 1, radius, passing);
    draw_all(&size);
    for (int i = 0; i < DRAWS; ++i) sum += pow(draw[i], 3), squares += pow(draw[i], 6);
    for (int i = 0; i < DRAWS; ++i) {
        double expected = sieve_cdf(SIEVES, given_radius, given_passing, draw[i]);
        distance = fmax(distance, fabs(expected - so_far / sum));
        so_far += pow(draw[i], 3);
        distance = fmax(distance, fabs(expected - so_far / sum));
        assert_true(!(draw[i] > given_radius[1] + 1e-12 && draw[i] < given_radius[2] - 1e-12));
    }
    assert_within(distance, 0.0, KOLMOGOROV / sqrt(sum * sum / squares));
    assert_near(size_mean_cube(&size), sum / DRAWS, 0.02);
    assert_near(size_largest(&size), 0.009, 0.0);
}

static void a_draw_depends_on_seed_stream_and_index_alone(void **state)
{
    (void)state;
    const size_distribution size = {.kind = SIZE_NORMAL, .min = 0.001, .max = 0.04, .mean = 0.02, .deviation = 0.004};
    double a = size_draw(&size, 1, 2, 3);
    assert_true(a == size_draw(&size, 1, 2, 3));
    assert_true(a != size_draw(&size, 2, 2, 3));
    assert_true(a != size_draw(&size, 1, 3, 3));
    assert_true(a != size_draw(&size, 1, 2, 4));
}

// A packing with its grains.
typedef struct grains {
    int64_t count;
    scr_vec3 *place;
    double *radius;
} grains;

static grains packed(const packing *p, int64_t limit)
{
    grains g = {.count = packing_count(p, limit)};
    assert_true(g.count > 0);
    g.place = malloc((size_t)g.count * sizeof *g.place);
    g.radius = malloc((size_t)g.count * sizeof *g.radius);
    packing_fill(p, g.count, g.place, g.radius);
    return g;
}

static void free_grains(grains *g)
{
    free(g->place);
    free(g->radius);
}

static void assert_inside_and_apart(const packing *p, const grains *g)
{
    for (int64_t i = 0; i < g->count; ++i) {
        double slack = 1e-8 * g->radius[i];
        assert_true(region_contains(p->region, g->place[i], g->radius[i] - slack));
        for (int64_t j = 0; j < i; ++j) {
            double distance = vec3_norm(vec3_sub(g->place[i], g->place[j]));
            if (distance < g->radius[i] + g->radius[j] - slack) {
                print_error("grains %d and %d are %g apart, their radii are %g and %g\n", (int)i, (int)j, distance,
                            g->radius[i], g->radius[j]);
                fail();
            }
        }
    }
}

static const region crate = {.kind = REGION_BOX, .low = {-0.31, 0.2, 1.0}, .high = {0.33, 0.75, 1.6}};
static const region drum = {
    .kind = REGION_CYLINDER, .base = {0.3, 0.1, -1.0}, .axis = {0, 0, 1}, .radius = 0.33, .height = 0.7};

static region slanted_drum(void)
{
    region r = drum;
    r.axis = vec3_unit(vec3(1.0, 0.3, 0.7));
    return r;
}

static void grains_of_every_pattern_are_inside_and_apart(void **state)
{
    (void)state;
    const size_distribution size = {.kind = SIZE_UNIFORM, .min = 0.015, .max = 0.03};
    const region slanted = slanted_drum(), *const regions[] = {&crate, &drum, &slanted};
    for (int r = 0; r < 3; ++r) {
        for (fill_pattern pattern = FILL_GRID; pattern <= FILL_HEXAGONAL; ++pattern) {
            for (int spacing = 0; spacing < 2; ++spacing) {
                packing p = {pattern, regions[r], &size, spacing == 0 ? 1.0 : 1.3, 1.0, 5, 1, 1.0};
                grains g = packed(&p, 0);
                assert_inside_and_apart(&p, &g);
                free_grains(&g);
            }
        }
    }
}

static void a_region_made_to_measure_is_full(void **state)
{
    (void)state;
    const size_distribution size = {.kind = SIZE_CONSTANT, .min = 0.05, .max = 0.05};
    for (int n = 1; n <= 30; ++n) {
        const region cube = {.kind = REGION_BOX, .low = {0.1, 0.2, 0.3}, .high = {0.1 + 0.1 * n, 0.3, 0.3 + 0.1 * n}};
        packing p = {FILL_GRID, &cube, &size, 1.0, 0.0, 1, 1, 1.0};
        assert_int_equal(packing_count(&p, 0), n * n);
    }
}

// The walls cost up to half a layer of density: the limit lies between the share of the whole box that is filled and
// the share of the box of the centres, and the two close in on it as grains get smaller.
static void hexagonal_density_tends_to_0_74(void **state)
{
    (void)state;
    const region cube = {.kind = REGION_BOX, .low = {0, 0, 0}, .high = {1, 1, 1}};
    for (double r = 0.04; r > 0.004; r *= 0.5) {
        const size_distribution size = {.kind = SIZE_CONSTANT, .min = r, .max = r};
        packing p = {FILL_HEXAGONAL, &cube, &size, 1.0, 0.0, 1, 1, 1.0};
        double filled = (double)packing_count(&p, 0) * 4.0 / 3.0 * M_PI * r * r * r, limit = M_PI / sqrt(18.0);
        assert_true(filled < limit && filled / pow(1.0 - 2.0 * r, 3) > limit);
        assert_true(limit - filled < 3.0 * r);
    }
}

// In the middle of a hexagonal packing every grain touches twelve others.
static void hexagonal_neighbours_are_twelve(void **state)
{
    (void)state;
    const size_distribution size = {.kind = SIZE_CONSTANT, .min = 0.05, .max = 0.05};
    const region cube = {.kind = REGION_BOX, .low = {0, 0, 0}, .high = {1, 1, 1}};
    packing p = {FILL_HEXAGONAL, &cube, &size, 1.0, 0.0, 1, 1, 1.0};
    grains g = packed(&p, 0);
    for (int64_t i = 0; i < g.count; ++i) {
        if (!region_contains(&cube, g.place[i], 0.2)) continue;
        int neighbours = 0;
        for (int64_t j = 0; j < g.count; ++j)
            neighbours += j != i && vec3_norm(vec3_sub(g.place[i], g.place[j])) < 0.1 * (1.0 + 1e-9);
        assert_int_equal(neighbours, 12);
    }
    free_grains(&g);
}

static void a_limit_takes_the_lowest_places(void **state)
{
    (void)state;
    const size_distribution size = {.kind = SIZE_CONSTANT, .min = 0.03, .max = 0.03};
    for (fill_pattern pattern = FILL_GRID; pattern <= FILL_HEXAGONAL; ++pattern) {
        packing p = {pattern, &drum, &size, 1.05, 0.0, 1, 1, 1.0};
        int64_t all = packing_count(&p, 0), some = all / 3;
        assert_int_equal(packing_count(&p, some), some);
        assert_int_equal(packing_count(&p, all + 1), all);
        grains g = packed(&p, 0);
        double highest_taken = 0.0, lowest_left = INFINITY;
        for (int64_t i = 0; i < all; ++i) {
            if (i < some) highest_taken = fmax(highest_taken, g.place[i].z - drum.base.z);
            else lowest_left = fmin(lowest_left, g.place[i].z - drum.base.z);
        }
        assert_true(highest_taken <= lowest_left + 1e-12);
        free_grains(&g);
    }
}

static void jitter_moves_grains_by_its_share_of_the_free_room(void **state)
{
    (void)state;
    const size_distribution size = {.kind = SIZE_CONSTANT, .min = 0.02, .max = 0.02};
    packing p = {FILL_GRID, &crate, &size, 1.5, 0.5, 1, 1, 1.0};
    grains still = packed(&p, 0);
    p.pattern = FILL_JITTERED;
    grains moved = packed(&p, 0);
    assert_int_equal(still.count, moved.count);
    const double room = 0.5 * (0.5 * 0.04 * 1.5 - 0.02);
    double largest = 0.0;
    for (int64_t i = 0; i < still.count; ++i) {
        scr_vec3 d = vec3_abs(vec3_sub(moved.place[i], still.place[i]));
        largest = fmax(largest, fmax(d.x, fmax(d.y, d.z)));
    }
    assert_true(largest <= room + 1e-15 && largest > 0.9 * room);
    free_grains(&still);
    free_grains(&moved);
}

static void absurd_regions_are_refused_at_once(void **state)
{
    (void)state;
    const size_distribution size = {.kind = SIZE_CONSTANT, .min = 1e-6, .max = 1e-6};
    const region huge = {.kind = REGION_BOX, .low = {-1e9, -1e9, -1e9}, .high = {1e9, 1e9, 1e9}};
    const region point = {.kind = REGION_BOX};
    const region thin = {.kind = REGION_BOX, .high = {1.0, 1.0, 1e-6}};
    packing p = {FILL_HEXAGONAL, &huge, &size, 1.0, 0.0, 1, 1, 1.0};
    assert_int_equal(packing_count(&p, 0), PACKING_TOO_LARGE);
    assert_int_equal(packing_count(&p, 1000), 1000);  // the lowest thousand are found all the same
    p.region = &point;
    assert_int_equal(packing_count(&p, 0), 0);
    p.region = &thin;
    assert_int_equal(packing_count(&p, 0), 0);
}

// A uniform rotation q: every product of two of its numbers has the mean of a uniform point of the unit sphere, 1/4 or
// 0.
static void rotations_are_uniform(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    double mean[4] = {0}, product[4][4] = {{0}};
    for (uint64_t i = 0; i < COUNT; ++i) {
        scr_quat r = rotation_draw(3, 5, i);
        const double q[4] = {r.w, r.x, r.y, r.z};
        assert_within(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1.0, 1e-14);
        for (int a = 0; a < 4; ++a) {
            mean[a] += q[a] / COUNT;
            for (int b = 0; b < 4; ++b) product[a][b] += q[a] * q[b] / COUNT;
        }
    }
    for (int a = 0; a < 4; ++a) {
        assert_within(mean[a], 0.0, 5.0 * 0.5 / sqrt(COUNT));
        for (int b = 0; b < 4; ++b) assert_within(product[a][b], a == b ? 0.25 : 0.0, 5.0 * 0.25 / sqrt(COUNT));
    }
    scr_quat here = rotation_draw(3, 5, 7), there = rotation_draw(3, 6, 7), other = rotation_draw(4, 5, 7);
    assert_true(here.w != there.w && here.w != other.w);
}

// Grains that reach further than their radius are given the room for it.
static void room_is_left_for_all_that_a_grain_reaches(void **state)
{
    (void)state;
    const size_distribution size = {.kind = SIZE_UNIFORM, .min = 0.01, .max = 0.02};
    for (fill_pattern pattern = FILL_GRID; pattern <= FILL_HEXAGONAL; ++pattern) {
        packing p = {pattern, &crate, &size, 1.0, 1.0, 1, 1, 1.7};
        grains g = packed(&p, 0);
        assert_true(g.count > 20);
        for (int64_t i = 0; i < g.count; ++i) {
            assert_true(g.radius[i] >= 0.01 && g.radius[i] <= 0.02);
            assert_true(region_contains(&crate, g.place[i], 1.7 * g.radius[i] - 1e-9));
            for (int64_t j = 0; j < i; ++j)
                assert_true(vec3_norm(vec3_sub(g.place[i], g.place[j])) >= 1.7 * (g.radius[i] + g.radius[j]) - 1e-9);
        }
        free_grains(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_radii_are_uniform),
        cmocka_unit_test(normal_radii_are_normal_between_their_bounds),
        cmocka_unit_test(lognormal_radii_have_their_mean_and_deviation),
        cmocka_unit_test(classes_are_taken_by_their_shares),
        cmocka_unit_test(sieved_grains_have_the_curve_by_mass),
        cmocka_unit_test(a_draw_depends_on_seed_stream_and_index_alone),
        cmocka_unit_test(grains_of_every_pattern_are_inside_and_apart),
        cmocka_unit_test(a_region_made_to_measure_is_full),
        cmocka_unit_test(hexagonal_density_tends_to_0_74),
        cmocka_unit_test(hexagonal_neighbours_are_twelve),
        cmocka_unit_test(a_limit_takes_the_lowest_places),
        cmocka_unit_test(jitter_moves_grains_by_its_share_of_the_free_room),
        cmocka_unit_test(rotations_are_uniform),
        cmocka_unit_test(room_is_left_for_all_that_a_grain_reaches),
        cmocka_unit_test(absurd_regions_are_refused_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
