// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
//
// A ball of radius r looks, in a level whose largest radius is R, at the rows and cells between its centre -+ (r + R).
// In its own level it looks only at what comes after it: the rest of its row, the row beside, and the three rows above.
// Those five runs are nearly always at most eight balls long: five tests of eight lanes, whose answers are put into one
// word before any branch.
#include "collision/broad/ball_pairs.h"

#include "core/maths/wide.h"

enum { RUNS = 5, AT_ONCE = 6 };  // AT_ONCE: pairs of a ball that are written together, most often all of them
#define NO_HIT ((uint64_t)1 << (RUNS * LANES - 1))  // stands in where there is none: any place that is one

// The lowest so many bits: a table is quicker than a shift by a variable.
static const uint8_t LOWEST[LANES + 1] = {0x00, 0x01, 0x03, 0x07, 0x0f, 0x1f, 0x3f, 0x7f, 0xff};

typedef struct output {
    ball_pair *pair;
    int64_t count, capacity;
} output;

typedef struct wide_ball {
    wide x, y, z, r;
} wide_ball;

static inline void put(output *out, uint32_t a, uint32_t b)
{
    if (out->count < out->capacity) out->pair[out->count] = (ball_pair){a, b};
    ++out->count;
}

// Which of the eight balls from `first` on overlap this one.
static inline uint32_t overlaps(const ball_lanes *lanes, uint32_t first, const wide_ball *ball)
{
    wide dx = wide_load(lanes->x + first) - ball->x, dy = wide_load(lanes->y + first) - ball->y;
    wide dz = wide_load(lanes->z + first) - ball->z, sum = wide_load(lanes->r + first) + ball->r;
    return wide_bits(dx * dx + dy * dy + dz * dz < sum * sum);
}

static inline void search_run(const ball_lanes *lanes, uint32_t a, const wide_ball *ball, uint32_t first, uint32_t last,
                              output *out)
{
    for (; first < last; first += LANES) {
        uint32_t hits = overlaps(lanes, first, ball);
        if (last - first < LANES) hits &= LOWEST[last - first];
        for (; hits != 0; hits &= hits - 1) put(out, a, first + (uint32_t)__builtin_ctz(hits));
    }
}

typedef struct cell_span {
    int32_t first, last;
} cell_span;
static inline cell_span span_of(const axis_map *map, double x, double reach)
{
    return (cell_span){axis_cell(map, x - reach), axis_cell(map, x + reach)};
}

// All balls of a coarser level around the ball.
static void search_coarser(const ball_grid *grid, const grid_level *level, uint32_t a, const wide_ball *ball,
                           output *out)
{
    const ball_lanes *lanes = &grid->lanes;
    if (level->ball_count <= LANES) {  // a large body among grains: one test is quicker than its cells
        uint32_t first = grid->cell_start[level->first_cell];
        search_run(lanes, a, ball, first, first + (uint32_t)level->ball_count, out);
        return;
    }
    double reach = (double)lanes->r[a] + level->reach;
    cell_span x = span_of(&level->axis[0], (double)lanes->x[a], reach),
              y = span_of(&level->axis[1], (double)lanes->y[a], reach);
    cell_span z = span_of(&level->axis[2], (double)lanes->z[a], reach);
    int64_t nx = level->axis[0].size, ny = level->axis[1].size;
    for (int32_t iz = z.first; iz <= z.last; ++iz)
        for (int32_t iy = y.first; iy <= y.last; ++iy) {
            const uint32_t *row = grid->cell_start + level->first_cell + ((int64_t)iz * ny + iy) * nx;
            search_run(lanes, a, ball, row[x.first], row[x.last + 1], out);
        }
}

// The balls of its own level that come after the ball, wherever they may be.
static void search_own_level(const ball_grid *grid, const grid_level *level, int64_t own_y, int64_t own_z, uint32_t a,
                             const wide_ball *ball, output *out)
{
    const ball_lanes *lanes = &grid->lanes;
    double reach = (double)lanes->r[a] + level->reach;
    cell_span x = span_of(&level->axis[0], (double)lanes->x[a], reach),
              y = span_of(&level->axis[1], (double)lanes->y[a], reach);
    int32_t last_z = axis_cell(&level->axis[2], (double)lanes->z[a] + reach);
    int64_t nx = level->axis[0].size, ny = level->axis[1].size;
    const uint32_t *row = grid->cell_start + level->first_cell + (own_z * ny + own_y) * nx;
    search_run(lanes, a, ball, a + 1, row[x.last + 1], out);
    for (int64_t iz = own_z; iz <= last_z; ++iz)
        for (int64_t iy = iz == own_z ? own_y + 1 : y.first; iy <= y.last; ++iy) {
            row = grid->cell_start + level->first_cell + (iz * ny + iy) * nx;
            search_run(lanes, a, ball, row[x.first], row[x.last + 1], out);
        }
}

// The rows after a row that its balls may reach: where their cells begin. An absent one has no bits of `present`.
typedef struct cell_rows {
    const uint32_t *row[RUNS];
    uint32_t present[RUNS];
    double low, inverse, last;  // of the cells along the rows
    double reach;
} cell_rows;

static cell_rows rows_after(const ball_grid *grid, const grid_level *level, int64_t y, int64_t z)
{
    static const int step_y[RUNS] = {0, 1, -1, 0, 1}, step_z[RUNS] = {0, 0, 1, 1, 1};
    int64_t nx = level->axis[0].size, ny = level->axis[1].size, nz = level->axis[2].size;
    cell_rows rows = {.low = level->axis[0].low[0],
                      .inverse = level->axis[0].inverse[0],
                      .last = level->axis[0].last[0],
                      .reach = level->reach};
    for (int k = 0; k < RUNS; ++k) {
        int64_t iy = y + step_y[k], iz = z + step_z[k];
        bool present = iy >= 0 && iy < ny && iz < nz;
        rows.present[k] = present ? UINT32_MAX : 0;
        rows.row[k] = grid->cell_start + level->first_cell + (present ? (iz * ny + iy) * nx : 0);
    }
    return rows;
}

// axis_cell for an axis of one piece.
static inline int64_t cell_in_row(const cell_rows *rows, double x)
{
    double cell = (x - rows->low) * rows->inverse;
    cell = cell > 0.0 ? cell : 0.0;
    return (int64_t)(cell < rows->last ? cell : rows->last);
}

// The five runs at once; one after the other if one of them is long, or room is short.
static inline void search_rows(const ball_lanes *lanes, const cell_rows *rows, uint32_t a, const wide_ball *ball,
                               output *out)
{
    double x = (double)lanes->x[a], reach = (double)lanes->r[a] + rows->reach;
    int64_t from = cell_in_row(rows, x - reach), to = cell_in_row(rows, x + reach) + 1;
    const uint32_t first[RUNS] = {a + 1, rows->row[1][from], rows->row[2][from], rows->row[3][from],
                                  rows->row[4][from]};
    uint32_t count[RUNS], too_long = 0;
    uint64_t hits = 0;
    for (int k = 0; k < RUNS; ++k) {
        count[k] = (rows->row[k][to] - first[k]) & rows->present[k];
        too_long |= count[k] > LANES;
    }
    if (too_long || out->count + RUNS * LANES + AT_ONCE > out->capacity) {
        for (int k = 0; k < RUNS; ++k) search_run(lanes, a, ball, first[k], first[k] + count[k], out);
        return;
    }
    for (int k = 0; k < RUNS; ++k)
        hits |= (uint64_t)(overlaps(lanes, first[k], ball) & LOWEST[count[k]]) << (LANES * k);
    // How many there are nobody can foresee: a few are written in any case, and what is too much is overwritten.
    ball_pair *pair = out->pair + out->count;
    out->count += __builtin_popcountll(hits);
    do {
        for (int k = 0; k < AT_ONCE; ++k, hits &= hits - 1) {
            int bit = __builtin_ctzll(hits | NO_HIT);
            *pair++ = (ball_pair){a, first[bit / LANES] + (uint32_t)(bit % LANES)};
        }
    } while (hits != 0);
}

int64_t KERNEL(ball_pairs)(const ball_grid *grid, int64_t bucket, ball_pair *pairs, int64_t capacity)
{
    const grid_level *level = grid_level_of_bucket(grid, bucket), *end = grid->level + grid->level_count;
    const ball_lanes copy = grid->lanes, *lanes = &copy;
    int64_t nx = level->axis[0].size, ny = level->axis[1].size, rows = ny * level->axis[2].size;
    int64_t first_row = (bucket - level->first_bucket) << level->row_shift;
    int64_t last_row = first_row + ((int64_t)1 << level->row_shift);
    if (last_row > rows) last_row = rows;
    output out = {pairs, 0, capacity};
    for (int64_t r = first_row; r < last_row; ++r) {
        const uint32_t *row = grid->cell_start + level->first_cell + r * nx;
        if (row[0] == row[nx]) continue;
        int64_t y = r % ny, z = r / ny;
        cell_rows after = rows_after(grid, level, y, z);
        for (uint32_t a = row[0]; a < row[nx]; ++a) {
            wide_ball ball = {wide_set(lanes->x[a]), wide_set(lanes->y[a]), wide_set(lanes->z[a]),
                              wide_set(lanes->r[a])};
            if (level->looks_one_cell_far) search_rows(lanes, &after, a, &ball, &out);
            else search_own_level(grid, level, y, z, a, &ball, &out);
            for (const grid_level *coarser = level + 1; coarser < end; ++coarser)
                search_coarser(grid, coarser, a, &ball, &out);
        }
    }
    return out.count;
}
