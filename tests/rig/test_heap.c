// SPDX-License-Identifier: BSD-3-Clause
// The cone of a heap: of grains that fill one, and of one with grains strewn round it.
#include <math.h>

#include "check.h"
#include "rig/heap.h"

static const double FOOT = 0.2, DEGREE = 0.017453292519943295;
enum { ACROSS = 160 };

// A lattice of equal masses in a cone of this slope.
static int fill_cone(heap_moments *m, double mass, double angle)
{
    double height = FOOT * tan(angle * DEGREE), pitch = 2.0 * FOOT / ACROSS;
    int count = 0;
    for (int i = 0; i < ACROSS; ++i)
        for (int j = 0; j < ACROSS; ++j) {
            double x = (i + 0.5) * pitch - FOOT, y = (j + 0.5) * pitch - FOOT, r = sqrt(x * x + y * y);
            for (double z = 0.25 * pitch; z < height * (1.0 - r / FOOT); z += 0.5 * pitch, ++count)
                heap_add(m, mass, z, r);
        }
    return count;
}

static void a_cone_has_its_own_slope(void **state)
{
    (void)state;
    static const double angles[] = {15.0, 30.0, 45.0}, masses[] = {1e-6, 2.0};
    for (int a = 0; a < 3; ++a)
        for (int k = 0; k < 2; ++k) {
            heap_moments m = {0};
            fill_cone(&m, masses[k], angles[a]);
            heap_cone cone = heap_cone_of(&m);
            assert_near(cone.angle, angles[a], 1e-3);
            assert_near(cone.foot, FOOT, 2e-3);
            assert_near(cone.height, FOOT * tan(angles[a] * DEGREE), 2e-3);
        }
}

// Two grains in a hundred lie on the ground, twice as far out as the foot.
static void grains_that_rolled_away_hardly_count(void **state)
{
    (void)state;
    heap_moments m = {0};
    int count = fill_cone(&m, 1.0, 30.0);
    heap_add(&m, 0.02 * count, 0.02 * FOOT, 2.0 * FOOT);
    assert_true(fabs(heap_cone_of(&m).angle - 30.0) < 0.5);
}

static void no_grains_make_no_heap(void **state)
{
    (void)state;
    heap_cone none = heap_cone_of(&(heap_moments){0});
    assert_true(none.angle == 0.0 && none.height == 0.0 && none.foot == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cone_has_its_own_slope),
        cmocka_unit_test(grains_that_rolled_away_hardly_count),
        cmocka_unit_test(no_grains_make_no_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
