#include "collision/neighbours.h"

#include <string.h>

#include "core/scan.h"
#include "core/threads.h"

enum { MARGIN_STEPS = 8 };                // a list should last so many steps for a body at constant speed
static const double REST_MARGIN = 0.05;   // of the radius: what a body at rest gets
static const double LARGEST_MARGIN = 1.0; // of the radius: wider ones cost more in tests than they save in rebuilding
enum { ROW_STAGE = 8 };  // neighbours staged per collider before the rows are laid out; few rows are longer

void neighbours_free(neighbours *list)
{
    scr_free(list->start);
    scr_free(list->other);
    scr_free(list->margin);
    scr_free(list->made_at);
    scr_free(list->made_rotation);
    spatial_grid_free(&list->grid);
}

// How far the farthest point of a collider may have come since the list was made.
static double travelled(const neighbours *list, const colliders *c, int64_t i)
{
    const ball *now = &c->ball[i], *then = &list->made_at[i];
    double way = vec3_norm(vec3(now->x - then->x, now->y - then->y, now->z - then->z));
    int32_t p = c->place[i];
    if (c->kind[i] == SCR_SPHERE || p == NO_PLACE) return way;
    scr_quat q = c->rotation[p], made = list->made_rotation[p];
    if (q.w == made.w && q.x == made.x && q.y == made.y && q.z == made.z) return way;  // not even rounding
    scr_quat turn = quat_mul(q, quat_conj(made));
    double half_chord = vec3_norm(vec3(turn.x, turn.y, turn.z)); // sin of half the angle
    return way + 2.0 * c->radius[i] * half_chord;
}

static bool is_complete(const neighbours *list, const colliders *c, const neighbour_motion *motion, int threads)
{
    if (!list->valid || list->collider_count != c->table.count) return false;
    bool complete = true;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(&& : complete)
    for (int64_t i = 0; i < list->collider_count; ++i)
        complete = complete && travelled(list, c, i) + (double)motion->reach[i] <= (double)list->margin[i];
    return complete;
}

static void choose_margins(neighbours *list, const colliders *c, const neighbour_motion *motion, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 0; i < c->table.count; ++i) {
        double r = isfinite(c->radius[i]) ? c->radius[i] : 0.0;
        double room = fmax(REST_MARGIN * r, MARGIN_STEPS * (double)motion->travel[i]);
        if (!motion->is_moved[i] && motion->travel[i] == 0.0f) room = 0.0;
        if (r > 0.0) room = fmin(room, LARGEST_MARGIN * r);
        list->margin[i] = (float)(1.001 * ((double)motion->reach[i] + room));
    }
}

typedef struct row {
    int32_t *item;
    int64_t count, room;
} row;

static inline void row_add(row *r, int32_t other)
{
    if (r->count < r->room) r->item[r->count] = other;
    ++r->count;
}

// Rows are short: insertion sort.
static void row_sort(int32_t *item, int64_t count)
{
    for (int64_t k = 1; k < count; ++k) {
        int32_t v = item[k];
        int64_t at = k;
        for (; at > 0 && item[at - 1] > v; --at) item[at] = item[at - 1];
        item[at] = v;
    }
}

typedef struct search {
    const neighbours *list;
    const colliders *c;
    const uint8_t *is_moved;
    ball_search near;
    bool small_parts;  // are there shapes other than grains in the grid
} search;

// Is the pair to stand in row i? The rule uses state alone, so rows do not depend on who was wide when they were made.
static bool owns(const search *s, int64_t i, int64_t j)
{
    return (s->is_moved[i] | s->is_moved[j]) && colliders_may_touch(s->c, i, j) && collider_owns(s->c, i, j);
}

static void add_run(const search *s, int64_t i, const grid_lane *b, int64_t first, int64_t last, row *r)
{
    const spatial_grid *grid = &s->list->grid;
    for (; first < last; first += SEARCH_RUN_MAX) {
        uint64_t hits = s->near(&grid->lanes, first, min_i64(last - first, SEARCH_RUN_MAX), b->x, b->y, b->z, b->r);
        for (; hits != 0; hits &= hits - 1) {
            int32_t j = grid->collider[first + __builtin_ctzll(hits)];
            if (owns(s, i, j)) row_add(r, j);
        }
    }
}

// The balls of a block of cells, run by run.
static void add_cells(const search *s, int64_t i, const cell_range *range, row *r)
{
    const spatial_grid *grid = &s->list->grid;
    grid_lane b = grid_lane_of(grid, &s->c->ball[i], s->c->radius[i] + (double)s->list->margin[i]);
    for (int32_t z = range->first[2]; z <= range->last[2]; ++z)
        for (int32_t y = range->first[1]; y <= range->last[1]; ++y)
            add_run(s, i, &b, grid->cell_start[grid_cell(grid, range->first[0], y, z)],
                    grid->cell_start[grid_cell(grid, range->last[0], y, z) + 1], r);
}

static void add_grid_neighbours(const search *s, int64_t i, row *r)
{
    const spatial_grid *grid = &s->list->grid;
    const double at[3] = {s->c->ball[i].x, s->c->ball[i].y, s->c->ball[i].z};
    cell_range around;
    for (int axis = 0; axis < 3; ++axis) {
        int32_t cell = grid_coordinate(grid, at[axis], axis);
        around.first[axis] = cell > 0 ? cell - 1 : 0;
        around.last[axis] = cell + 1 < grid->size[axis] ? cell + 1 : cell;
    }
    add_cells(s, i, &around, r);
}

static void add_marked_neighbours(const search *s, int64_t i, row *r)
{
    const spatial_grid *grid = &s->list->grid;
    const ball *b = &s->c->ball[i];
    int64_t cell =
        grid_cell(grid, grid_coordinate(grid, b->x, 0), grid_coordinate(grid, b->y, 1), grid_coordinate(grid, b->z, 2));
    for (int64_t k = grid->mark_start[cell]; k < grid->mark_start[cell + 1]; ++k)
        if (owns(s, i, grid->mark[k])) row_add(r, grid->mark[k]);
}

// The small ones that a wide collider owns: it looks into the cells around itself.
static void add_small_neighbours(const search *s, int64_t i, row *r)
{
    const spatial_grid *grid = &s->list->grid;
    if (!collider_is_grain(s->c, i) && !s->small_parts) return; // every small one is a grain and owns the pair
    placed_shape shape = collider_placed(s->c, i);
    cell_range range = cells_near(grid, &shape, grid->small_radius + (double)s->list->margin[i]);
    add_cells(s, i, &range, r);
}

static bool boxes_meet(const scr_aabb *a, const scr_aabb *b, double reach)
{
    return a->low.x - reach < b->high.x && b->low.x - reach < a->high.x && a->low.y - reach < b->high.y &&
           b->low.y - reach < a->high.y && a->low.z - reach < b->high.z && b->low.z - reach < a->high.z;
}

// Wide ones are few: each is compared with all others.
static void add_wide_neighbours(const search *s, int64_t i, row *r)
{
    const spatial_grid *grid = &s->list->grid;
    placed_shape shape = collider_placed(s->c, i);
    scr_aabb box = placed_aabb(&shape);
    for (int64_t k = 0; k < grid->wide_count; ++k) {
        int32_t j = grid->wide[k];
        if (!owns(s, i, j)) continue;
        placed_shape other = collider_placed(s->c, j);
        scr_aabb other_box = placed_aabb(&other);
        if (boxes_meet(&box, &other_box, (double)s->list->margin[i] + (double)s->list->margin[j])) row_add(r, j);
    }
}

static void add_planes(const search *s, int64_t i, row *r)
{
    const ball *b = &s->c->ball[i];
    for (int64_t k = 0; k < s->list->grid.plane_count; ++k) {
        int32_t j = s->list->grid.plane[k];
        const ball *p = &s->c->ball[j];
        scr_vec3 normal = quat_rotate(s->c->rotation[s->c->place[j]], vec3(0.0, 0.0, 1.0));
        double height = vec3_dot(normal, vec3(b->x - p->x, b->y - p->y, b->z - p->z));
        double near = b->r + (double)s->list->margin[i] + (double)s->list->margin[j];
        if (height < near && owns(s, i, j)) row_add(r, j);
    }
}

static void find_row(const search *s, int64_t i, row *r)
{
    if (s->c->kind[i] == SCR_PLANE) return;
    if (s->list->grid.is_small[i]) {
        add_grid_neighbours(s, i, r);
        add_marked_neighbours(s, i, r);
    } else {
        add_small_neighbours(s, i, r);
        add_wide_neighbours(s, i, r);
    }
    add_planes(s, i, r);
}

static bool has_small_parts(const neighbours *list, const colliders *c)
{
    for (int64_t i = 0; i < c->table.count; ++i)
        if (list->grid.is_small[i] && !collider_is_grain(c, i)) return true;
    return false;
}

// Search once into a short stage per collider, lay the rows out, then copy; rows longer than the stage are searched
// again.
static scr_status make_rows(neighbours *list, const colliders *c, const neighbour_motion *motion, scr_arena *scratch,
                            int threads, scr_error *error)
{
    int64_t n = c->table.count;
    scr_status status =
        scr_arena_reserve(scratch, scr_arena_bytes(ROW_STAGE * sizeof(int32_t), n), "neighbour search", error);
    if (status == SCR_OK)
        status = scr_grow(&list->start, &list->start_capacity, n + 1, sizeof *list->start, "neighbour lists", error);
    if (status != SCR_OK) return status;
    scr_arena arena = *scratch;
    int32_t *stage = scr_arena_array(&arena, ROW_STAGE * sizeof *stage, n);
    search s = {list, c, motion->is_moved, ball_search_best(), has_small_parts(list, c)};

#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
    for (int64_t i = 0; i < n; ++i) {
        row r = {stage + ROW_STAGE * i, 0, ROW_STAGE};
        find_row(&s, i, &r);
        list->start[i] = r.count;
    }
    int64_t total = scr_scan_i64(list->start, n, threads);
    status = scr_grow(&list->other, &list->other_capacity, total, sizeof *list->other, "neighbour lists", error);
    if (status != SCR_OK) return status;

#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
    for (int64_t i = 0; i < n; ++i) {
        int64_t count = list->start[i + 1] - list->start[i];
        row r = {list->other + list->start[i], 0, count};
        if (count <= ROW_STAGE)
            for (int64_t k = 0; k < count; ++k) r.item[k] = stage[ROW_STAGE * i + k];
        else
            find_row(&s, i, &r);
        row_sort(r.item, count);
    }
    return SCR_OK;
}

scr_status neighbours_update(neighbours *list, const colliders *c, const neighbour_motion *motion, scr_arena *scratch,
                             int threads, scr_error *error)
{
    if (is_complete(list, c, motion, threads)) return SCR_OK;
    list->valid = false;
    int64_t n = c->table.count, places = c->places.table.count;
    scr_status status =
        scr_grow(&list->margin, &list->margin_capacity, n, sizeof *list->margin, "neighbour margins", error);
    if (status == SCR_OK)
        status = scr_grow(&list->made_at, &list->made_capacity, n, sizeof *list->made_at, "neighbour positions", error);
    if (status == SCR_OK)
        status = scr_grow(&list->made_rotation, &list->made_rotation_capacity, places, sizeof *list->made_rotation,
                          "neighbour rotations", error);
    if (status != SCR_OK) return status;

    choose_margins(list, c, motion, threads);
    if (n > 0) memcpy(list->made_at, c->ball, (size_t)n * sizeof *c->ball);
    if (places > 0) memcpy(list->made_rotation, c->rotation, (size_t)places * sizeof *c->rotation);
    status = spatial_grid_build(&list->grid, c, list->margin, scratch, threads, error);
    if (status == SCR_OK) status = make_rows(list, c, motion, scratch, threads, error);
    if (status != SCR_OK) return status;
    list->collider_count = n;
    list->valid = true;
    ++list->build_count;
    return SCR_OK;
}
