// The grid: every collider is in it once, cells are ordered, and whoever may touch is found where it is looked for.
#include "collision/spatial_grid.h"

#include <string.h>

#include "arrangements.h"

enum { SEEDS = 3 };

// Margins between nothing and half a radius; a plane's is small.
static void draw_margins(const crowd *w, draws *d, float *margin)
{
    for (int64_t k = 0; k < w->c.table.count; ++k) {
        double r = isfinite(w->c.radius[k]) ? w->c.radius[k] : 0.01;
        margin[k] = (float)(r * draw(d, 0.0, 0.5));
    }
}

static void build(spatial_grid *grid, crowd *w, const float *margin, int threads)
{
    scr_error error;
    must(spatial_grid_build(grid, &w->c, margin, &w->scratch, threads, &error), &error);
}

static int64_t cell_of(const spatial_grid *grid, const ball *b, int32_t at[3])
{
    const double x[3] = {b->x, b->y, b->z};
    for (int axis = 0; axis < 3; ++axis) at[axis] = grid_coordinate(grid, x[axis], axis);
    return grid_cell(grid, at[0], at[1], at[2]);
}

static void check_that_all_are_listed_once(const spatial_grid *grid, const crowd *w)
{
    const colliders *c = &w->c;
    int64_t n = c->table.count;
    uint8_t seen[CROWD_MAX] = {0};
    assert_int_equal(grid->small_count + grid->wide_count + grid->plane_count, n);
    for (int64_t cell = 0; cell < grid->cell_count; ++cell) {
        assert_true(grid->cell_start[cell] <= grid->cell_start[cell + 1]);
        for (int32_t k = grid->cell_start[cell]; k < grid->cell_start[cell + 1]; ++k) {
            int32_t i = grid->collider[k], at[3];
            ++seen[i];
            assert_true(grid->is_small[i]);
            assert_true(cell_of(grid, &c->ball[i], at) == cell);
            if (k > grid->cell_start[cell]) assert_true(grid->collider[k - 1] < i);
        }
    }
    assert_int_equal(grid->cell_start[0], 0);
    assert_int_equal(grid->cell_start[grid->cell_count], grid->small_count);
    const int32_t *lists[2] = {grid->wide, grid->plane};
    const int64_t counts[2] = {grid->wide_count, grid->plane_count};
    for (int list = 0; list < 2; ++list) {
        for (int64_t k = 0; k < counts[list]; ++k) {
            int32_t i = lists[list][k];
            ++seen[i];
            assert_false(grid->is_small[i]);
            assert_true((c->kind[i] == SCR_PLANE) == (list == 1));
            if (k > 0) assert_true(lists[list][k - 1] < i);
        }
    }
    for (int64_t i = 0; i < n; ++i) assert_int_equal(seen[i], 1);
}

// Linear memory: a user who places two grains at the ends of the world must not pay for the space between them.
static void check_that_cells_are_few(const spatial_grid *grid)
{
    assert_true(grid->cell_count >= 1);
    assert_true(grid->cell_count == (int64_t)grid->size[0] * grid->size[1] * grid->size[2]);
    if (grid->cell_count > 64 + 8 * grid->small_count)
        fail_msg("%lld cells for %lld balls", (long long)grid->cell_count, (long long)grid->small_count);
}

static int64_t count_marks(const spatial_grid *grid, int64_t cell, int32_t wide)
{
    int64_t count = 0;
    for (int64_t k = grid->mark_start[cell]; k < grid->mark_start[cell + 1]; ++k) count += grid->mark[k] == wide;
    return count;
}

static void check_that_near_ones_are_found(const spatial_grid *grid, const crowd *w, const float *margin)
{
    const colliders *c = &w->c;
    for (int64_t i = 0; i < c->table.count; ++i) {
        if (!grid->is_small[i]) continue;
        int32_t at_i[3], at_j[3];
        int64_t cell = cell_of(grid, &c->ball[i], at_i);
        for (int64_t j = 0; j < c->table.count; ++j) {
            bool close_call;
            if (j == i || c->kind[j] == SCR_PLANE) continue;
            if (grid->is_small[j]) {
                double d = vec3_norm(
                    vec3(c->ball[j].x - c->ball[i].x, c->ball[j].y - c->ball[i].y, c->ball[j].z - c->ball[i].z));
                if (d >= c->radius[i] + c->radius[j] + (double)margin[i] + (double)margin[j]) continue;
                cell_of(grid, &c->ball[j], at_j);
                for (int axis = 0; axis < 3; ++axis) assert_true(abs(at_i[axis] - at_j[axis]) <= 1);
            } else {
                assert_true(count_marks(grid, cell, (int32_t)j) <= 1);
                if (are_near(w, i, j, (double)margin[i] + (double)margin[j], &close_call))
                    assert_int_equal(count_marks(grid, cell, (int32_t)j), 1);
            }
        }
    }
}

// Whoever is nearer to a wide shape than its margin and the small ones' radius lies in the cells near it.
static void check_cells_near_wide_ones(const spatial_grid *grid, const crowd *w, const float *margin)
{
    const colliders *c = &w->c;
    for (int64_t k = 0; k < grid->wide_count; ++k) {
        int32_t j = grid->wide[k], at[3];
        placed_shape shape = collider_placed(c, j);
        cell_range range = cells_near(grid, &shape, grid->small_radius + (double)margin[j]);
        for (int64_t i = 0; i < c->table.count; ++i) {
            bool close_call;
            if (!grid->is_small[i] || !are_near(w, i, j, (double)margin[i] + (double)margin[j], &close_call)) continue;
            cell_of(grid, &c->ball[i], at);
            for (int axis = 0; axis < 3; ++axis)
                assert_true(range.first[axis] <= at[axis] && at[axis] <= range.last[axis]);
        }
    }
}

static void every_crowd_is_found_in_its_cells(void **state)
{
    (void)state;
    for (int a = 0; a < ARRANGEMENT_COUNT; ++a) {
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            crowd *w = arranged(&ARRANGEMENTS[a], seed);
            float margin[CROWD_MAX];
            draws d = {seed, 1000000};
            draw_margins(w, &d, margin);
            spatial_grid grid = {0};
            build(&grid, w, margin, 1);
            check_that_cells_are_few(&grid);
            check_that_all_are_listed_once(&grid, w);
            check_that_near_ones_are_found(&grid, w, margin);
            check_cells_near_wide_ones(&grid, w, margin);
            spatial_grid_free(&grid);
            crowd_destroy(w);
        }
    }
}

// Equal balls packed as close as they touch, at all places relative to the faces of cells: cells any smaller than a
// diameter would put two of them two cells apart.
static void balls_that_touch_are_at_most_one_cell_apart(void **state)
{
    (void)state;
    crowd *w = crowd_create();
    const double spacing = 0.19995;  // m; just below the diameter
    for (int k = 0; k < 1000; ++k)
        add_grain(w, true, vec3(spacing * (k % 10), spacing * (k / 10 % 10), spacing * (k / 100)), 0.1);
    place(w, 1);
    const float margin[CROWD_MAX] = {0};
    spatial_grid grid = {0};
    build(&grid, w, margin, 1);
    check_that_cells_are_few(&grid);
    assert_true(grid.cell_count > 500);  // not one large cell
    check_that_near_ones_are_found(&grid, w, margin);
    spatial_grid_free(&grid);
    crowd_destroy(w);
}

// A grid that served a large crowd serves a small one, and the other way round.
static void a_grid_can_be_built_again_and_again(void **state)
{
    (void)state;
    spatial_grid grid = {0};
    for (int round = 0; round < 2 * ARRANGEMENT_COUNT; ++round) {
        crowd *w = arranged(&ARRANGEMENTS[(7 * round) % ARRANGEMENT_COUNT], 5);
        float margin[CROWD_MAX] = {0};
        build(&grid, w, margin, 1 + round % 4);
        check_that_cells_are_few(&grid);
        check_that_all_are_listed_once(&grid, w);
        crowd_destroy(w);
    }
    spatial_grid_free(&grid);
}

static void the_thread_count_changes_nothing(void **state)
{
    (void)state;
    for (int a = 0; a < ARRANGEMENT_COUNT; ++a) {
        crowd *w = arranged(&ARRANGEMENTS[a], 9);
        float margin[CROWD_MAX];
        draws d = {9, 1000000};
        draw_margins(w, &d, margin);
        spatial_grid one = {0};
        build(&one, w, margin, 1);
        for (int threads = 2; threads <= 4; ++threads) {
            spatial_grid many = {0};
            build(&many, w, margin, threads);
            assert_int_equal(many.cell_count, one.cell_count);
            assert_memory_equal(many.cell_start, one.cell_start, (size_t)(one.cell_count + 1) * sizeof *one.cell_start);
            if (one.small_count > 0)
                assert_memory_equal(many.collider, one.collider, (size_t)one.small_count * sizeof *one.collider);
            spatial_grid_free(&many);
        }
        spatial_grid_free(&one);
        crowd_destroy(w);
    }
}

// One grain that flew away does not make all cells large: as many balls a cell as without it, nearly.
static void an_outlier_does_not_spoil_the_cells(void **state)
{
    (void)state;
    int64_t fullest[2] = {0};
    for (int outlier = 0; outlier < 2; ++outlier) {
        draws d = {3, 0};
        crowd *w = crowd_create();
        for (int k = 0; k < 2000; ++k) add_grain(w, true, draw_vector(&d, 1.0), 0.05);
        if (outlier) add_grain(w, true, vec3(1e6, 1e6, 1e6), 0.05);
        place(w, 1);
        float margin[CROWD_MAX] = {0};
        spatial_grid grid = {0};
        build(&grid, w, margin, 1);
        for (int64_t cell = 0; cell < grid.cell_count; ++cell) {
            int64_t count = grid.cell_start[cell + 1] - grid.cell_start[cell];
            if (count > fullest[outlier]) fullest[outlier] = count;
        }
        spatial_grid_free(&grid);
        crowd_destroy(w);
    }
    print_message("fullest cell: %lld balls, with an outlier %lld\n", (long long)fullest[0], (long long)fullest[1]);
    assert_true(fullest[1] <= 4 * fullest[0]);
}

// Positions beyond all sense still give a grid.
static void no_position_breaks_the_grid(void **state)
{
    (void)state;
    const double far[] = {1e18, 1e30, 1e160, 1e308, INFINITY, NAN};
    for (size_t k = 0; k < sizeof far / sizeof *far; ++k) {
        for (int others = 0; others < 3; ++others) {
            crowd *w = crowd_create();
            for (int i = 0; i < others; ++i) add_grain(w, true, vec3(0.1 * i, -far[k], 0.0), 0.1);
            add_grain(w, true, vec3(far[k], far[k], -far[k]), 1e-9);
            place(w, 1);
            const float margin[3] = {0};
            spatial_grid grid = {0};
            build(&grid, w, margin, 1);
            check_that_cells_are_few(&grid);
            check_that_all_are_listed_once(&grid, w);
            spatial_grid_free(&grid);
            crowd_destroy(w);
        }
    }
}

static void a_failed_allocation_leaks_nothing(void **state)
{
    (void)state;
    const arrangement all_kinds = ARRANGEMENT(wide_boxes);
    crowd *w = arranged(&all_kinds, 2);
    float margin[CROWD_MAX] = {0};
    scr_error error;
    for (int64_t n = 0;; ++n) {
        spatial_grid grid = {0};
        scr_arena_free(&w->scratch);
        scr_fail_allocation_in(n);
        scr_status status = spatial_grid_build(&grid, &w->c, margin, &w->scratch, 2, &error);
        scr_fail_allocation_in(-1);
        if (status == SCR_OK) {
            assert_true(n > 5);
            spatial_grid_free(&grid);
            break;
        }
        assert_int_equal(status, SCR_NO_MEMORY);
        build(&grid, w, margin, 2);  // the same grid goes on where memory came back
        check_that_all_are_listed_once(&grid, w);
        spatial_grid_free(&grid);
    }
    crowd_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_crowd_is_found_in_its_cells),
        cmocka_unit_test(a_grid_can_be_built_again_and_again),
        cmocka_unit_test(balls_that_touch_are_at_most_one_cell_apart),
        cmocka_unit_test(the_thread_count_changes_nothing),
        cmocka_unit_test(an_outlier_does_not_spoil_the_cells),
        cmocka_unit_test(no_position_breaks_the_grid),
        cmocka_unit_test(a_failed_allocation_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
