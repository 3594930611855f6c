// SPDX-License-Identifier: BSD-3-Clause
// The map from coordinates to cells never decreases, uses all its cells, keeps them wide enough, and leaves gaps out.
#include "collision/broad/axis_map.h"

#include "check.h"
#include "core/maths/rng.h"

static void check_map(const axis_pieces *pieces, double edge, double unit)
{
    axis_map map = axis_map_of(pieces, edge, unit);
    int last = pieces->count - 1;
    double low = pieces->low[0], high = pieces->low[last] + pieces->length[last];
    assert_true((double)map.size == axis_cells(pieces, edge));
    assert_int_equal(axis_cell(&map, low * unit), 0);
    assert_int_equal(axis_cell(&map, high * unit), map.size - 1);
    assert_int_equal(axis_cell(&map, -INFINITY), 0);
    assert_int_equal(axis_cell(&map, INFINITY), map.size - 1);
    int32_t cell = 0;
    double entered = low;
    for (int k = 0; k <= 20000; ++k) {
        double x = low + (high - low) * k / 20000.0;
        int32_t at = axis_cell(&map, x * unit);
        assert_true(at >= cell && at < map.size);
        if (at > cell && axis_is_wide(pieces, edge))
            assert_true(x - entered > edge * (at - cell) - (high - low) / 10000.0);
        if (at > cell) entered = x;
        cell = at;
    }
    for (int k = 0; k < pieces->count; ++k) {  // and around every joint, where rounding would show
        double joint = pieces->low[k] * unit;
        assert_true(axis_cell(&map, nextafter(joint, -INFINITY)) <= axis_cell(&map, joint));
        assert_true(axis_cell(&map, joint) <= axis_cell(&map, nextafter(joint, INFINITY)));
    }
}

static void one_piece_has_equal_cells(void **state)
{
    (void)state;
    axis_pieces pieces = axis_whole(-3.0, 7.0);
    assert_true(axis_cells(&pieces, 1.0) == 10.0 && axis_cells(&pieces, 3.0) == 3.0 &&
                axis_cells(&pieces, 100.0) == 1.0);
    for (double edge = 0.01; edge < 20.0; edge *= 1.7) check_map(&pieces, edge, 4.0);
    pieces = axis_whole(2.0, 2.0);
    check_map(&pieces, 1.0, 1.0);
}

static axis_pieces pieces_of(double (*value)(double u), double low, double high)
{
    double sample[400];
    for (int k = 0; k < 400; ++k) sample[k] = value((k + 0.5) / 400.0);
    return axis_cut(low, high, sample, 400);
}

static double even(double u) { return 10.0 * u; }
static double two_heaps(double u) { return u < 0.5 ? u : 1e6 + u; }
static double ten_heaps(double u) { return 1000.0 * floor(10.0 * u) + u; }

static void gaps_are_cut_out(void **state)
{
    (void)state;
    axis_pieces pieces = pieces_of(even, 0.0, 10.0);
    assert_int_equal(pieces.count, 1);
    pieces = pieces_of(even, 0.0, 1e9);  // one far away that the sample did not see
    assert_true(axis_cells(&pieces, 0.1) < 120.0 && axis_cells(&pieces, 0.1) >= 100.0);
    check_map(&pieces, 0.1, 2.0);
    pieces = pieces_of(two_heaps, 0.0, 1e6 + 1.0);
    assert_true(axis_cells(&pieces, 0.01) < 120.0 && axis_cells(&pieces, 0.01) >= 90.0);
    check_map(&pieces, 0.01, 1.0);
    pieces = pieces_of(ten_heaps, 0.0, 9001.0);  // more heaps than cuts
    assert_true(pieces.count <= AXIS_PIECES);
    for (double edge = 0.01; edge < 1e5; edge *= 3.0) check_map(&pieces, edge, 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_piece_has_equal_cells),
        cmocka_unit_test(gaps_are_cut_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
