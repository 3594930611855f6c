// SPDX-License-Identifier: BSD-3-Clause
// Shapes in bins against looking at all of them: no pair whose boxes meet is missed, whatever the sizes.
#include "scene/overlap/shape_bins.h"

#include "check.h"
#include "core/maths/rng.h"

enum { SHAPES = 600 };

static double uniform(uint64_t index) { return scr_uniform(11, 1, index); }

// Spheres and boxes over five decades of size, in clusters, some far away, and two planes.
static placed_shape random_shape(int i)
{
    uint64_t at = 8 * (uint64_t)i;
    double size = pow(10.0, -4.0 + 5.0 * uniform(at)), spread = i % 7 == 0 ? 1e6 : i % 3 == 0 ? 0.01 : 2.0;
    placed_shape shape = {.kind = i % 4 == 0 ? SCR_BOX : SCR_SPHERE, .pose.rotation = {1, 0, 0, 0}, .radius = size};
    shape.pose.position = vec3_scale(spread, vec3(uniform(at + 1) - 0.5, uniform(at + 2) - 0.5, uniform(at + 3) - 0.5));
    shape.half = vec3(size, 0.1 * size, 0.5 * size);
    shape.pose.rotation = quat_unit((scr_quat){uniform(at + 4), uniform(at + 5), uniform(at + 6), uniform(at + 7)});
    if (i == 100 || i == 200) shape.kind = SCR_PLANE;
    return shape;
}

static bool boxes_overlap(const placed_shape *a, const placed_shape *b)
{
    scr_aabb p = placed_aabb(a), q = placed_aabb(b);
    return p.low.x <= q.high.x && q.low.x <= p.high.x && p.low.y <= q.high.y && q.low.y <= p.high.y &&
           p.low.z <= q.high.z && q.low.z <= p.high.z;
}

static bool seen[SHAPES];
static bool note(void *context, int32_t shape)
{
    ++*(int64_t *)context;
    seen[shape] = true;
    return false;
}

static bool stop_at_once(void *context, int32_t shape)
{
    (void)shape;
    ++*(int64_t *)context;
    return true;
}

static void fill(shape_bins *bins)
{
    *bins = (shape_bins){0};
    assert_int_equal(shape_bins_reset(bins, SHAPES, NULL), SCR_OK);
    for (int i = 0; i < SHAPES; ++i) {
        placed_shape shape = random_shape(i);
        assert_int_equal(shape_bins_add(bins, &shape, NULL), SCR_OK);
    }
}

static void a_visit_misses_nothing_that_meets(void **state)
{
    (void)state;
    shape_bins bins;
    fill(&bins);
    int64_t visits = 0, meetings = 0;
    for (int i = 0; i < SHAPES; ++i) {
        placed_shape shape = random_shape(i);
        for (int j = 0; j < SHAPES; ++j) seen[j] = false;
        assert_false(shape_bins_visit(&bins, &shape, false, note, &visits));
        for (int j = 0; j < SHAPES; ++j) {
            if (!boxes_overlap(&shape, &bins.shape[j])) continue;
            ++meetings;
            if (!seen[j]) fail_msg("shape %d is not found from shape %d", j, i);
        }
    }
    assert_true(meetings > SHAPES && meetings < SHAPES * SHAPES / 2);
    shape_bins_free(&bins);
}

static void each_pair_is_seen_from_one_side_by_looking_at_larger_ones(void **state)
{
    (void)state;
    static bool pair[SHAPES][SHAPES];
    shape_bins bins;
    fill(&bins);
    int64_t visits = 0;
    for (int i = 0; i < SHAPES; ++i) {
        placed_shape shape = random_shape(i);
        for (int j = 0; j < SHAPES; ++j) seen[j] = false;
        shape_bins_visit(&bins, &shape, true, note, &visits);
        for (int j = 0; j < SHAPES; ++j) pair[i][j] = seen[j];
    }
    for (int i = 0; i < SHAPES; ++i) {
        for (int j = 0; j < i; ++j) {
            if (boxes_overlap(&bins.shape[i], &bins.shape[j])) assert_true(pair[i][j] || pair[j][i]);
        }
    }
    shape_bins_free(&bins);
}

static bool count_visit(void *context, int32_t shape)
{
    (void)shape;
    ++*(int64_t *)context;
    return false;
}

// Visits a grain in a cubic bed of n x n x n equal grains makes on average.
static double visits_per_grain(int n)
{
    shape_bins bins = {0};
    assert_int_equal(shape_bins_reset(&bins, (int64_t)n * n * n, NULL), SCR_OK);
    placed_shape grain = {.kind = SCR_SPHERE, .pose.rotation = {1, 0, 0, 0}, .radius = 0.5};
    for (int i = 0; i < n * n * n; ++i) {
        grain.pose.position = vec3(i % n, i / n % n, i / (n * n));
        assert_int_equal(shape_bins_add(&bins, &grain, NULL), SCR_OK);
    }
    int64_t visits = 0, stopped = 0;
    for (int i = 0; i < n * n * n; ++i) {
        shape_bins_visit(&bins, &bins.shape[i], false, count_visit, &visits);
        assert_true(shape_bins_visit(&bins, &bins.shape[i], false, stop_at_once, &stopped));
    }
    assert_int_equal(stopped, n * n * n);  // a visitor that has seen enough is not called again
    shape_bins_free(&bins);
    return (double)visits / (n * n * n);
}

static void cost_of_a_visit_does_not_depend_on_the_number_of_shapes(void **state)
{
    (void)state;
    double small = visits_per_grain(10), large = visits_per_grain(40);
    assert_true(large < 1.5 * small && large < 200.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_visit_misses_nothing_that_meets),
        cmocka_unit_test(each_pair_is_seen_from_one_side_by_looking_at_larger_ones),
        cmocka_unit_test(cost_of_a_visit_does_not_depend_on_the_number_of_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
