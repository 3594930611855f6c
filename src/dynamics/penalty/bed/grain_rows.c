// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/penalty/bed/grain_rows.h"

#include <string.h>

#include "core/arrays/scan.h"
#include "core/arrays/short_sort.h"
#include "core/base/threads.h"

static const char *const what = "neighbours of grains";
enum { SPARE_SHARE = 16, SPARE_ENTRIES = 4096 };  // room for rows that grow: a share of all, and so many

void grain_rows_free(grain_rows *rows)
{
    scr_free(rows->start);
    scr_free(rows->other);
    scr_free(rows->length);
    scr_free(rows->ball);
    scr_free(rows->image);
    ball_grid_free(&rows->grid);
    pair_list_free(&rows->pairs);
}

scr_status grain_rows_reserve(grain_rows *rows, int64_t count, scr_error *error)
{
    rows->image_count = 0;
    scr_status status = scr_grow_anew(&rows->ball, &rows->ball_capacity, count, sizeof *rows->ball, what, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&rows->length, &rows->length_capacity, count, sizeof *rows->length, what, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&rows->start, &rows->start_capacity, count + 1, sizeof *rows->start, what, error);
    return status;
}

// The axes along which a ball stands so near to the low face that another one beyond the high face may reach it.
static uint8_t axes_of(const scr_ball *b, const periodic_cell *p, double reach)
{
    const double at[3] = {b->x, b->y, b->z};
    uint8_t axes = 0;
    for (int axis = 0; axis < 3 && isfinite(b->r); ++axis)
        axes |= (uint8_t)((p->length[axis] > 0.0 && at[axis] - p->low[axis] <= reach) << axis);
    return axes;
}

typedef struct image_ball {
    scr_ball ball;
    uint8_t shift;
} image_ball;

// Of a ball that is `moved` already, all that are moved along some of these axes, but for itself if it is not.
static int add_shifted(const periodic_cell *p, image_ball of, uint8_t axes, image_ball *to)
{
    int count = 0;
    for (uint8_t shift = axes;; shift = (uint8_t)((shift - 1) & axes)) {
        if ((shift | of.shift) != 0)
            to[count++] = (image_ball){{of.ball.x + (shift & 1 ? p->length[0] : 0.0),
                                        of.ball.y + (shift & 2 ? p->length[1] : 0.0),
                                        of.ball.z + (shift & 4 ? p->length[2] : 0.0), of.ball.r},
                                       (uint8_t)(shift | of.shift)};
        if (shift == 0) return count;
    }
}

// One cell up the gradient of a sheared space, and there in the cell again along the flow.
static image_ball moved_up(const periodic_cell *p, scr_ball b)
{
    scr_vec3 at = vec3_add(vec3(b.x, b.y, b.z), period_flow(p, p->shear_offset));
    double x[3] = {at.x, at.y, at.z};
    x[p->flow] = period_wrapped_along(p, p->flow, x[p->flow]);
    x[p->gradient] += p->length[p->gradient];
    return (image_ball){{x[0], x[1], x[2], b.r}, (uint8_t)(1 << p->gradient)};
}

enum { IMAGES_MOST = 7 };

// The images of a ball that others beyond a high face may reach; how many there are.
static int images_of(const periodic_cell *p, scr_ball b, double reach, image_ball *to)
{
    uint8_t axes = axes_of(&b, p, reach);
    if (!p->is_sheared) return axes == 0 ? 0 : add_shifted(p, (image_ball){b, 0}, axes, to);
    const uint8_t up = (uint8_t)(1 << p->gradient), others = (uint8_t)~up;
    int count = add_shifted(p, (image_ball){b, 0}, axes & others, to);
    if ((axes & up) == 0) return count;
    image_ball above = moved_up(p, b);
    return count + add_shifted(p, above, axes_of(&above.ball, p, reach) & others, to + count);
}

scr_status grain_rows_add_images(grain_rows *rows, int64_t count, const periodic_cell *p, scr_error *error)
{
    double widest = 0.0;
    int64_t wanted = 0;
    image_ball image[IMAGES_MOST];
    for (int64_t i = 0; i < count; ++i)
        if (isfinite(rows->ball[i].r)) widest = fmax(widest, rows->ball[i].r);
    for (int64_t i = 0; i < count; ++i) wanted += images_of(p, rows->ball[i], rows->ball[i].r + widest, image);
    int64_t room = count + wanted > rows->ball_capacity ? wanted + wanted / 4 : wanted;
    scr_status status = scr_grow(&rows->ball, &rows->ball_capacity, count + room, sizeof *rows->ball, what, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&rows->image, &rows->image_capacity, room, sizeof *rows->image, what, error);
    if (status != SCR_OK) return status;
    for (int64_t i = 0; i < count; ++i) {
        int here = images_of(p, rows->ball[i], rows->ball[i].r + widest, image);
        for (int k = 0; k < here; ++k) {
            rows->ball[count + rows->image_count] = image[k].ball;
            rows->image[rows->image_count++] = (grain_image){(int32_t)i, image[k].shift};
        }
    }
    return SCR_OK;
}

typedef struct sieve {
    const grain_rows *rows;
    int64_t count;  // slots
    const colliders *colliders;
    const int32_t *collider;
} sieve;

static grain_image image_of(const sieve *s, uint32_t number)
{
    return number < s->count ? (grain_image){(int32_t)number, 0} : s->rows->image[number - s->count];
}

// Entries of the grid become slots. Two images both moved up along an axis: the pair stands lower, too. No two grains
// are near each other by more than one image: the cell is long enough.
static int64_t keep_acceptable(void *context, ball_pair *pairs, int64_t count)
{
    const sieve *s = context;
    const uint32_t *id_of = s->rows->grid.id_of;
    int64_t kept = 0;
    for (int64_t k = 0; k < count; ++k) {
        uint32_t i = id_of[pairs[k].a], j = id_of[pairs[k].b];
        if (s->rows->image_count > 0) {
            grain_image a = image_of(s, i), b = image_of(s, j);
            if (a.shift & b.shift) continue;
            i = (uint32_t)a.slot, j = (uint32_t)b.slot;
        }
        if (colliders_may_touch(s->colliders, s->collider[i], s->collider[j])) pairs[kept++] = (ball_pair){i, j};
    }
    return kept;
}

static bool is_in(index_range range, int64_t i) { return i >= range.first && i < range.last; }

// One thread reads all pairs and takes those of its own rows: no two threads ever write to the same one.
static void measure_rows(grain_rows *rows, index_range range)
{
    for (int64_t i = range.first; i < range.last; ++i) rows->length[i] = 0;
    for (int64_t b = 0; b < rows->grid.bucket_count; ++b) {
        const ball_pair *pair = pair_list_bucket(&rows->pairs, b);
        for (int64_t k = 0; k < rows->pairs.count[b]; ++k) {
            if (is_in(range, pair[k].a)) ++rows->length[pair[k].a];
            if (is_in(range, pair[k].b)) ++rows->length[pair[k].b];
        }
    }
    for (int64_t i = range.first; i < range.last; ++i) rows->start[i] = rows->length[i];
}

static void fill_rows(grain_rows *rows, index_range range)
{
    for (int64_t i = range.first; i < range.last; ++i) rows->length[i] = 0;
    for (int64_t b = 0; b < rows->grid.bucket_count; ++b) {
        const ball_pair *pair = pair_list_bucket(&rows->pairs, b);
        for (int64_t k = 0; k < rows->pairs.count[b]; ++k) {
            int64_t i = pair[k].a, j = pair[k].b;
            if (is_in(range, i)) rows->other[rows->start[i] + rows->length[i]++] = (int32_t)j;
            if (is_in(range, j)) rows->other[rows->start[j] + rows->length[j]++] = (int32_t)i;
        }
    }
    for (int64_t i = range.first; i < range.last; ++i) short_sort(rows->other + rows->start[i], rows->length[i]);
}

scr_status grain_rows_make(grain_rows *rows, int64_t count, const colliders *c, const int32_t *collider, int threads,
                           scr_error *error)
{
    sieve s = {rows, count, c, collider};
    scr_status status = ball_grid_build(&rows->grid, rows->ball, NULL, count + rows->image_count, threads, error);
    if (status == SCR_OK)
        status = pair_list_find(&rows->pairs, &rows->grid, KERNEL_FOR(!rows->plain, ball_pairs), keep_acceptable, &s,
                                threads, error);
    if (status != SCR_OK) return status;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int t = 0; t < threads; ++t) measure_rows(rows, chunk_of(count, t, threads));
    int64_t total = scr_scan_i64(rows->start, count, threads);
    int64_t need = total + total / SPARE_SHARE + SPARE_ENTRIES;
    int64_t capacity = need > rows->other_capacity ? need + total / 8 : need;  // a bed that settles needs a little more
    status = scr_grow_anew(&rows->other, &rows->other_capacity, capacity, sizeof *rows->other, what, error);
    if (status != SCR_OK) return status;
    rows->used = total;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int t = 0; t < threads; ++t) fill_rows(rows, chunk_of(count, t, threads));
    return SCR_OK;
}

scr_status grain_rows_widen(grain_rows *rows, int64_t count, scr_error *error)
{
    scr_status status = scr_grow(&rows->length, &rows->length_capacity, count, sizeof *rows->length, what, error);
    if (status == SCR_OK)
        status = scr_grow(&rows->start, &rows->start_capacity, count + 1, sizeof *rows->start, what, error);
    return status;
}

static bool add_to_row(grain_rows *rows, int32_t row, int32_t other)
{
    int64_t n = rows->length[row], at = 0;
    const int32_t *old = rows->other + rows->start[row];
    while (at < n && old[at] < other) ++at;
    if (at < n && old[at] == other) return true;
    if (rows->used + n + 1 > rows->other_capacity) return false;
    int32_t *moved = rows->other + rows->used;
    memcpy(moved, old, (size_t)at * sizeof *moved);
    moved[at] = other;
    memcpy(moved + at + 1, old + at, (size_t)(n - at) * sizeof *moved);
    rows->start[row] = rows->used;
    rows->used += n + 1;
    ++rows->length[row];
    return true;
}

bool grain_rows_add(grain_rows *rows, int32_t a, int32_t b) { return add_to_row(rows, a, b) && add_to_row(rows, b, a); }

void grain_rows_drop(grain_rows *rows, int32_t row, int32_t other)
{
    int32_t *at = rows->other + rows->start[row], *end = at + rows->length[row];
    while (at < end && *at != other) ++at;
    if (at == end) return;
    memmove(at, at + 1, (size_t)(end - at - 1) * sizeof *at);
    --rows->length[row];
}
