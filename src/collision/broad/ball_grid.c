// SPDX-License-Identifier: BSD-3-Clause
#include "collision/broad/ball_grid.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/threads.h"

enum {
    OCTAVES = 2048,       // exponents a double can have; the last one is that of infinity
    LEVEL_OCTAVES = 3,    // a factor of eight
    SAMPLE = 1024,        // balls looked at to find gaps
    BUCKET_BALLS = 4096,  // aimed at: a bucket fits the cache of a core
    CHUNKS = 32,          // pieces of the input that are counted apart, whatever the number of threads
    CHUNK_BALLS = 8192,   // a piece is no shorter
    USUAL_LEVELS = 4,
    SCATTER_AHEAD = 4,  // records
    NO_LEVEL = 255,
};
static const double CELLS_PER_BALL = 2.0;
static const double FEW_CELLS = 64.0;
static const double EDGE_GROWTH = 1.1;  // the edge grows in such steps until there are few enough cells
static const double EDGE_MARGIN = 1.0 + 1e-6;
static const double BOX_MAX = 1e300;      // m
static const double LANE_MAX = 0x1p50;    // lane units; farther balls are candidates for all that look there
static const double LANE_LOSS = 0x1p-40;  // lane units; keeps squares of sums of radii above the smallest float
static const double SPARSE_EDGE = 3.0;    // largest radii
static const double SPLIT_MAX = 4.0;
static const double EXACT_LANES = 0x1p24;  // lane units; up to here rounding is far below the room that edges have
static const uint64_t LEFT_OUT = UINT64_MAX;

// What one thread saw of the balls.
typedef struct grid_survey {
    double low[3], high[3];
    int64_t odd_ball;
    int64_t count[OCTAVES];   // by exponent of the radius
    double largest[OCTAVES];  // m
} grid_survey;

void ball_grid_free(ball_grid *grid)
{
    scr_free(grid->survey);
    scr_arena_free(&grid->own_memory);
}

static inline double ball_radius(const scr_ball *balls, const float *margin, int64_t i)
{
    return margin == NULL ? balls[i].r : balls[i].r + (double)margin[i];
}

static inline int octave_of(double r)
{
    uint64_t bits;
    memcpy(&bits, &r, sizeof bits);
    return (int)(bits >> 52 & (OCTAVES - 1));
}

static bool is_odd(const scr_ball *b, double r)
{
    return !isfinite(b->x) || !isfinite(b->y) || !isfinite(b->z) || !isfinite(r) || r < 0.0;
}

static void survey_chunk(grid_survey *s, const scr_ball *balls, const float *margin, index_range chunk)
{
    *s = (grid_survey){.low = {BOX_MAX, BOX_MAX, BOX_MAX}, .high = {-BOX_MAX, -BOX_MAX, -BOX_MAX}, .odd_ball = -1};
    double low[3] = {BOX_MAX, BOX_MAX, BOX_MAX}, high[3] = {-BOX_MAX, -BOX_MAX, -BOX_MAX};
    for (int64_t i = chunk.first; i < chunk.last; ++i) {
        const scr_ball b = balls[i];
        double r = ball_radius(balls, margin, i);
        int octave = octave_of(r);
        ++s->count[octave];
        if (r > s->largest[octave]) s->largest[octave] = r;
        // A sum of zeros unless one of them is infinite or no number.
        if (!((b.x + b.y) * 0.0 + (b.z + r) * 0.0 == 0.0) || r < 0.0)
            if (s->odd_ball < 0 && is_odd(&b, r)) s->odd_ball = i;
        if (octave == OCTAVES - 1) continue;
        low[0] = b.x < low[0] ? b.x : low[0], high[0] = b.x > high[0] ? b.x : high[0];
        low[1] = b.y < low[1] ? b.y : low[1], high[1] = b.y > high[1] ? b.y : high[1];
        low[2] = b.z < low[2] ? b.z : low[2], high[2] = b.z > high[2] ? b.z : high[2];
    }
    memcpy(s->low, low, sizeof low);
    memcpy(s->high, high, sizeof high);
}

// Box, radii and the first odd ball, in survey[0].
static void survey_balls(ball_grid *grid, const scr_ball *balls, const float *margin, int64_t count, int threads)
{
    grid_survey *all = grid->survey;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int t = 0; t < threads; ++t) survey_chunk(&all[t], balls, margin, chunk_of(count, t, threads));
    for (int t = 1; t < threads; ++t) {
        for (int axis = 0; axis < 3; ++axis) {
            all->low[axis] = fmin(all->low[axis], all[t].low[axis]);
            all->high[axis] = fmax(all->high[axis], all[t].high[axis]);
        }
        if (all->odd_ball < 0) all->odd_ball = all[t].odd_ball;
        for (int k = 0; k < OCTAVES; ++k) {
            all->count[k] += all[t].count[k];
            all->largest[k] = fmax(all->largest[k], all[t].largest[k]);
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        all->low[axis] = fmax(all->low[axis], -BOX_MAX);
        all->high[axis] = fmin(all->high[axis], BOX_MAX);
    }
    grid->odd_ball = all->odd_ball;
}

// Group the octaves that occur into levels, from the largest radius down; level_of_octave is filled in.
static void choose_levels(ball_grid *grid, uint8_t *level_of_octave)
{
    const grid_survey *s = grid->survey;
    int top = OCTAVES - 2, bottom = 0, width = LEVEL_OCTAVES;
    while (top > 0 && s->count[top] == 0) --top;
    while (bottom < top && s->count[bottom] == 0) ++bottom;
    while ((top - bottom) / width >= GRID_LEVELS) ++width;

    memset(level_of_octave, NO_LEVEL, OCTAVES);
    grid->level_count = 0;
    for (int group = (top - bottom) / width; group >= 0; --group) {
        grid_level level = {0};
        for (int k = top - group * width; k > top - (group + 1) * width && k >= bottom; --k) {
            if (s->count[k] == 0) continue;
            level.ball_count += s->count[k];
            level.radius = fmax(level.radius, s->largest[k]);
            level_of_octave[k] = (uint8_t)grid->level_count;
        }
        if (level.ball_count > 0) grid->level[grid->level_count++] = level;
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The pieces of an axis as a sample of the balls shows them; the origin is put where the middle ball is.
static axis_pieces sampled_pieces(ball_grid *grid, const scr_ball *balls, int64_t count, int axis)
{
    double sample[SAMPLE];
    int64_t n = 0, wanted = min_i64(count, SAMPLE);
    for (int64_t k = 0; k < wanted; ++k) {
        const scr_ball *b = &balls[count / wanted * k];
        double x = axis == 0 ? b->x : axis == 1 ? b->y : b->z;
        if (isfinite(b->r) && fabs(x) <= BOX_MAX) sample[n++] = x;
    }
    qsort(sample, (size_t)n, sizeof *sample, by_value);
    if (n > 0) grid->origin[axis] = sample[n / 2];
    for (int64_t k = 0; k < n; ++k) sample[k] -= grid->origin[axis];
    return axis_cut(grid->survey->low[axis] - grid->origin[axis], grid->survey->high[axis] - grid->origin[axis], sample,
                    n);
}

static double cells_of_edge(const axis_pieces pieces[3], double edge)
{
    return axis_cells(&pieces[0], edge) * axis_cells(&pieces[1], edge) * axis_cells(&pieces[2], edge);
}

// How many cells a level may have; every piece of an axis has one at least.
static double most_cells(const grid_level *level, const axis_pieces pieces[3])
{
    double least = (double)pieces[0].count * pieces[1].count * pieces[2].count;
    return CELLS_PER_BALL * (double)level->ball_count + FEW_CELLS + least;
}

// The smallest edge that is wide enough for the balls and does not make too many cells.
static double level_edge(const grid_level *level, const axis_pieces pieces[3])
{
    double edge = 2.0 * level->radius * EDGE_MARGIN, longest = 0.0;
    for (int axis = 0; axis < 3; ++axis)
        for (int k = 0; k < pieces[axis].count; ++k)
            if (!pieces[axis].is_gap[k]) longest = fmax(longest, pieces[axis].length[k]);
    edge = fmax(edge, longest / most_cells(level, pieces));
    if (!(edge > 0.0)) edge = 1.0;
    while (cells_of_edge(pieces, edge) > most_cells(level, pieces)) edge *= EDGE_GROWTH;
    return edge;
}

// Cells of every level. Gaps are looked for only where the box is too large for cells as small as the balls.
static void choose_cells(ball_grid *grid, const scr_ball *balls, int64_t count)
{
    axis_pieces pieces[3];
    bool fits = true;
    for (int axis = 0; axis < 3; ++axis) {
        double low = grid->survey->low[axis], high = grid->survey->high[axis];
        grid->origin[axis] = 0.5 * low + 0.5 * high;
        pieces[axis] = axis_whole(low - grid->origin[axis], high - grid->origin[axis]);
    }
    for (int k = 0; k < grid->level_count && fits; ++k)
        fits = cells_of_edge(pieces, fmax(2.0 * grid->level[k].radius * EDGE_MARGIN, DBL_MIN)) <=
               most_cells(&grid->level[k], pieces);
    for (int axis = 0; axis < 3 && !fits; ++axis) pieces[axis] = sampled_pieces(grid, balls, count, axis);

    int64_t cells = 0, buckets = 0;
    for (int k = 0; k < grid->level_count; ++k) {
        grid_level *level = &grid->level[k];
        double edge = level_edge(level, pieces);
        if (k == 0) {
            int exponent;
            frexp(edge, &exponent);
            grid->unit = ldexp(1.0, -(exponent < -1000 ? -1000 : exponent));
        }
        // Where a cell holds several balls, it is cut along the row: searches read shorter runs.
        double split = fmin(fmax(floor((double)level->ball_count / cells_of_edge(pieces, edge)), 1.0), SPLIT_MAX);
        double farthest = 0.0;
        bool wide = true;
        for (int axis = 0; axis < 3; ++axis) {
            level->axis[axis] = axis_map_of(&pieces[axis], axis == 0 ? edge / split : edge, grid->unit);
            wide &= axis == 0 || axis_is_wide(&pieces[axis], edge);
            farthest = fmax(farthest, fabs(grid->survey->low[axis] - grid->origin[axis]));
            farthest = fmax(farthest, fabs(grid->survey->high[axis] - grid->origin[axis]));
        }
        level->reach = level->radius * grid->unit;
        level->looks_one_cell_far =
            wide && pieces[0].count == 1 && edge <= SPARSE_EDGE * level->radius && farthest * grid->unit < EXACT_LANES;

        int64_t rows = (int64_t)level->axis[1].size * level->axis[2].size;
        double rows_a_bucket = (double)rows * BUCKET_BALLS / (double)level->ball_count;
        level->row_shift = 0;
        while (level->row_shift < 30 && (double)((int64_t)2 << level->row_shift) <= rows_a_bucket) ++level->row_shift;
        level->first_cell = cells;
        level->first_bucket = buckets;
        level->bucket_count = block_count_of(rows, (int64_t)1 << level->row_shift);
        cells += rows * level->axis[0].size + 1;
        buckets += level->bucket_count;
    }
    grid->bucket_count = buckets;
}

// Tables are made as large as they can become for so many balls: a crowd that moves asks for no more.
static int64_t most_cell_entries(const ball_grid *grid, int64_t count)
{
    int64_t least = AXIS_PIECES * AXIS_PIECES * AXIS_PIECES + (int64_t)FEW_CELLS + 1;
    return (int64_t)(CELLS_PER_BALL * (double)count) + max_i64(grid->level_count, USUAL_LEVELS) * least;
}
static int64_t most_buckets(const ball_grid *grid, int64_t count)
{
    return max_i64(grid->bucket_count, 2 * (count / BUCKET_BALLS) + 2 * max_i64(grid->level_count, USUAL_LEVELS));
}

static scr_status lay_out_arrays(ball_grid *grid, int64_t count, int64_t chunks, scr_error *error)
{
    scr_arena *memory = grid->memory != NULL ? grid->memory : &grid->own_memory;
    int64_t lanes = count + LANE_PADDING, buckets = most_buckets(grid, count), cells = most_cell_entries(grid, count);
    size_t bytes = scr_arena_bytes(sizeof *grid->cell_key, count) + scr_arena_bytes(sizeof *grid->record, count) +
                   scr_arena_bytes(sizeof *grid->record_of, count) + scr_arena_bytes(sizeof *grid->id_of, count) +
                   4 * scr_arena_bytes(sizeof(float), lanes) + scr_arena_bytes(sizeof *grid->cell_start, cells) +
                   scr_arena_bytes(sizeof *grid->bucket_start, buckets + 1) +
                   scr_arena_bytes(sizeof *grid->histogram, chunks * buckets);
    scr_status status = scr_arena_reserve(memory, bytes, "grid", error);
    if (status != SCR_OK) return status;
    scr_arena arena = *memory;
    grid->cell_key = scr_arena_array(&arena, sizeof *grid->cell_key, count);
    grid->record = scr_arena_array(&arena, sizeof *grid->record, count);
    grid->record_of = scr_arena_array(&arena, sizeof *grid->record_of, count);
    grid->id_of = scr_arena_array(&arena, sizeof *grid->id_of, count);
    float **lane[4] = {&grid->lanes.x, &grid->lanes.y, &grid->lanes.z, &grid->lanes.r};
    for (int k = 0; k < 4; ++k) *lane[k] = scr_arena_array(&arena, sizeof(float), lanes);
    grid->cell_start = scr_arena_array(&arena, sizeof *grid->cell_start, cells);
    grid->bucket_start = scr_arena_array(&arena, sizeof *grid->bucket_start, buckets + 1);
    grid->histogram = scr_arena_array(&arena, sizeof *grid->histogram, chunks * buckets);
    return SCR_OK;
}

static inline double in_lanes(const ball_grid *grid, double x, int axis)
{
    return (x - grid->origin[axis]) * grid->unit;
}

// Which bucket a ball belongs to (upper half), and which cell in it.
static inline uint64_t cell_key_of(const ball_grid *grid, const grid_level *level, const scr_ball *b)
{
    int64_t x = axis_cell(&level->axis[0], in_lanes(grid, b->x, 0)),
            y = axis_cell(&level->axis[1], in_lanes(grid, b->y, 1));
    int64_t z = axis_cell(&level->axis[2], in_lanes(grid, b->z, 2)), row = z * level->axis[1].size + y;
    int64_t row_in_bucket = row & (((int64_t)1 << level->row_shift) - 1);
    uint64_t bucket = (uint64_t)(level->first_bucket + (row >> level->row_shift));
    return bucket << 32 | (uint64_t)(row_in_bucket * level->axis[0].size + x);
}

// What cell_key_of needs where all balls are of one level and every axis is one piece: few enough numbers for
// registers.
typedef struct plain_frame {
    double origin[3], unit, low[3], inverse[3], last[3];
    int64_t nx, ny, bucket_mask;
    int row_shift;
} plain_frame;

static bool frame_is_plain(const ball_grid *grid)
{
    const axis_map *axis = grid->level[0].axis;
    return grid->level_count == 1 && axis[0].count == 1 && axis[1].count == 1 && axis[2].count == 1;
}

static plain_frame plain_frame_of(const ball_grid *grid)
{
    const grid_level *level = &grid->level[0];
    plain_frame f = {.unit = grid->unit,
                     .nx = level->axis[0].size,
                     .ny = level->axis[1].size,
                     .bucket_mask = ((int64_t)1 << level->row_shift) - 1,
                     .row_shift = level->row_shift};
    for (int axis = 0; axis < 3; ++axis) {
        f.origin[axis] = grid->origin[axis];
        f.low[axis] = level->axis[axis].low[0];
        f.inverse[axis] = level->axis[axis].inverse[0];
        f.last[axis] = level->axis[axis].last[0];
    }
    return f;
}

static inline int64_t plain_cell(const plain_frame *f, double x, int axis)
{
    double cell = ((x - f->origin[axis]) * f->unit - f->low[axis]) * f->inverse[axis];
    cell = cell > 0.0 ? cell : 0.0;
    return (int64_t)(cell < f->last[axis] ? cell : f->last[axis]);
}

static inline uint64_t plain_cell_key_of(const plain_frame *f, const scr_ball *b)
{
    int64_t x = plain_cell(f, b->x, 0), row = plain_cell(f, b->z, 2) * f->ny + plain_cell(f, b->y, 1);
    return (uint64_t)(row >> f->row_shift) << 32 | (uint64_t)((row & f->bucket_mask) * f->nx + x);
}

static void count_chunk(const ball_grid *grid, const scr_ball *balls, const float *margin,
                        const uint8_t *level_of_octave, index_range chunk, uint64_t *restrict cell_key,
                        uint32_t *restrict histogram)
{
    memset(histogram, 0, (size_t)grid->bucket_count * sizeof *histogram);
    const bool is_plain = frame_is_plain(grid);
    const plain_frame frame = plain_frame_of(grid);
    for (int64_t i = chunk.first; i < chunk.last; ++i) {
        int level = level_of_octave[octave_of(ball_radius(balls, margin, i))];
        cell_key[i] = LEFT_OUT;
        if (level == NO_LEVEL) continue;
        uint64_t at =
            is_plain ? plain_cell_key_of(&frame, &balls[i]) : cell_key_of(grid, &grid->level[level], &balls[i]);
        cell_key[i] = at;
        ++histogram[at >> 32];
    }
}

// Bucket by bucket, and chunk by chunk in it: counts become the places of the first.
static void scan_buckets(ball_grid *grid, int64_t chunks)
{
    int64_t sum = 0;
    for (int64_t b = 0; b < grid->bucket_count; ++b) {
        grid->bucket_start[b] = sum;
        for (int64_t k = 0; k < chunks; ++k) {
            uint32_t *slot = &grid->histogram[k * grid->bucket_count + b], found = *slot;
            *slot = (uint32_t)sum;
            sum += found;
        }
    }
    grid->bucket_start[grid->bucket_count] = grid->entry_count = sum;
}

static void scatter_chunk(ball_grid *grid, const scr_ball *balls, const float *margin, index_range chunk,
                          uint32_t *next)
{
    grid_record *record = grid->record;
    const uint64_t *cell_key = grid->cell_key;
    for (int64_t i = chunk.first; i < chunk.last; ++i) {
        if (cell_key[i] == LEFT_OUT) continue;
        const scr_ball *b = &balls[i];
        grid_record *to = &record[next[cell_key[i] >> 32]++];
        __builtin_prefetch(to + SCATTER_AHEAD,
                           1);  // hundreds of places are written in turn: no processor foresees that
        *to = (grid_record){b->x, b->y, b->z, ball_radius(balls, margin, i), (uint32_t)i, (uint32_t)cell_key[i]};
    }
}

// A ball in single precision, enlarged by what that may lose. Each ball brings its own loss, so one far away does not
// blur the others.
static inline void set_lane(const ball_lanes *lanes, int64_t entry, double x, double y, double z, double r)
{
    double farthest = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    farthest = fabs(z) > farthest ? fabs(z) : farthest;
    r += 4.0 * FLT_EPSILON * (fabs(x) + fabs(y) + fabs(z) + r) + LANE_LOSS;
    if (!(farthest < LANE_MAX)) {
        x = fabs(x) < LANE_MAX ? x : x > 0.0 ? LANE_MAX : -LANE_MAX;
        y = fabs(y) < LANE_MAX ? y : y > 0.0 ? LANE_MAX : -LANE_MAX;
        z = fabs(z) < LANE_MAX ? z : z > 0.0 ? LANE_MAX : -LANE_MAX;
        r = INFINITY;
    }
    lanes->x[entry] = (float)x, lanes->y[entry] = (float)y, lanes->z[entry] = (float)z, lanes->r[entry] = (float)r;
}

// Counting sort by cell. Counts become ends, and filling in from the back turns ends into starts.
static void sort_bucket(ball_grid *grid, int64_t bucket)
{
    const grid_level *level = grid_level_of_bucket(grid, bucket);
    int64_t rows = (int64_t)level->axis[1].size * level->axis[2].size, step = (int64_t)1 << level->row_shift;
    int64_t first_row = (bucket - level->first_bucket) * step, row_count = min_i64(step, rows - first_row);
    int64_t cell_count = row_count * level->axis[0].size, first = grid->bucket_start[bucket],
            last = grid->bucket_start[bucket + 1];
    uint32_t *start = grid->cell_start + level->first_cell + first_row * level->axis[0].size;

    memset(start, 0, (size_t)cell_count * sizeof *start);
    const grid_record *record = grid->record;
    for (int64_t k = first; k < last; ++k) ++start[record[k].cell];
    uint32_t sum = (uint32_t)first;
    for (int64_t c = 0; c < cell_count; ++c) start[c] = sum += start[c];
    const ball_lanes lanes = grid->lanes;
    const double unit = grid->unit, at[3] = {grid->origin[0], grid->origin[1], grid->origin[2]};
    uint32_t *record_of = grid->record_of, *id_of = grid->id_of;
    for (int64_t k = last - 1; k >= first; --k) {
        const grid_record *b = &record[k];
        int64_t entry = --start[b->cell];
        record_of[entry] = (uint32_t)k;
        id_of[entry] = b->id;
        set_lane(&lanes, entry, (b->x - at[0]) * unit, (b->y - at[1]) * unit, (b->z - at[2]) * unit, b->r * unit);
    }
    if (first_row + row_count == rows) start[cell_count] = (uint32_t)last;
}

scr_status ball_grid_build(ball_grid *grid, const scr_ball *balls, const float *margin, int64_t count, int threads,
                           scr_error *error)
{
    uint8_t level_of_octave[OCTAVES];
    int64_t chunks = max_i64(1, min_i64(CHUNKS, count / CHUNK_BALLS));
    scr_status status =
        scr_grow_anew(&grid->survey, &grid->survey_capacity, threads, sizeof *grid->survey, "grid survey", error);
    if (status != SCR_OK) return status;
    survey_balls(grid, balls, margin, count, threads);
    choose_levels(grid, level_of_octave);
    choose_cells(grid, balls, count);
    status = lay_out_arrays(grid, count, chunks, error);
    if (status != SCR_OK) return status;

#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t k = 0; k < chunks; ++k)
        count_chunk(grid, balls, margin, level_of_octave, chunk_of(count, k, chunks), grid->cell_key,
                    grid->histogram + k * grid->bucket_count);
    scan_buckets(grid, chunks);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t k = 0; k < chunks; ++k)
        scatter_chunk(grid, balls, margin, chunk_of(count, k, chunks), grid->histogram + k * grid->bucket_count);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t b = 0; b < grid->bucket_count; ++b) sort_bucket(grid, b);
    // A search reads whole groups of lanes: what lies behind the last ball is no ball.
    for (int k = 0; k < LANE_PADDING; ++k) {
        int64_t at = grid->entry_count + k;
        grid->lanes.x[at] = grid->lanes.y[at] = grid->lanes.z[at] = grid->lanes.r[at] = 0.0f;
    }
    return SCR_OK;
}
