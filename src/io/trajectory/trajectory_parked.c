// SPDX-License-Identifier: BSD-3-Clause
// The parked grains of an active box in trajectory.h5.
#include "io/trajectory/trajectory_parked.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/threads.h"
#include "core/text/checksum.h"
#include "io/trajectory/trajectory_file.h"

enum { MANY_ROWS = 1024, CELL_WIDTH = 6, READ_AT_ONCE = 1 << 20 };
_Static_assert(sizeof(parked_cell) == CELL_WIDTH * sizeof(int64_t), "an entry is a row of numbers of 8 bytes");

static const struct {
    const char *path, *unit;
    field_type type;
    int width;
} columns[PARKED_COLUMNS] = {
    {"/parked/position", "m", FIELD_F32, 3}, {"/parked/rotation", "", FIELD_F32, 4},
    {"/parked/radius", "m", FIELD_F32, 1},   {"/parked/id", "", FIELD_U32, 1},
    {"/parked/material", "", FIELD_U8, 1},
};

static size_t column_bytes(int c) { return (size_t)columns[c].width * (columns[c].type == FIELD_U8 ? 1 : 4); }

static size_t grain_bytes(void)
{
    size_t bytes = 0;
    for (int c = 0; c < PARKED_COLUMNS; ++c) bytes += column_bytes(c);
    return bytes;
}

void parked_rows_free(parked_rows *p)
{
    scr_free(p->entry);
    scr_free(p->latest);
    scr_free(p->total);
    scr_free(p->scratch);
}

herr_t parked_rows_create(parked_rows *p, hid_t file, int64_t usual)
{
    if (usual == 0) return 0;
    p->is_there = true;
    p->latest_frame = -1;
    if (row_set_create(&p->cell, file, "/parked/cell", H5T_NATIVE_INT64, CELL_WIDTH, MANY_ROWS, "") < 0) return -1;
    for (int c = 0; c < PARKED_COLUMNS; ++c)
        if (row_set_create(&p->column[c], file, columns[c].path, hdf5_type(columns[c].type), columns[c].width,
                           chunk_rows(usual, MANY_ROWS), columns[c].unit) < 0)
            return -1;
    return 0;
}

// ---- entries ------------------------------------------------------------------------------------------------------

static int64_t entries_up_to(const parked_rows *p, int64_t index)
{
    int64_t first = 0, last = p->entry_count;
    while (first < last) {
        int64_t middle = first + (last - first) / 2;
        if (p->entry[middle].frame <= index) first = middle + 1;
        else last = middle;
    }
    return first;
}

static scr_status reserve_cells(parked_rows *p, int64_t cells, scr_error *error)
{
    scr_status status =
        scr_grow(&p->latest, &p->latest_capacity, cells, sizeof *p->latest, "cells of parked grains", error);
    for (int64_t c = p->cell_count; c < cells && status == SCR_OK; ++c) p->latest[c] = -1;
    if (status == SCR_OK) p->cell_count = max_i64(cells, p->cell_count);
    return status;
}

// Bring `latest` to a frame, from an earlier one or from nothing.
static void find_latest(parked_rows *p, int64_t index)
{
    if (index < p->latest_frame) {
        for (int64_t c = 0; c < p->cell_count; ++c) p->latest[c] = -1;
        p->latest_frame = -1;
    }
    for (int64_t k = entries_up_to(p, p->latest_frame), last = entries_up_to(p, index); k < last; ++k)
        p->latest[p->entry[k].cell] = k;
    p->latest_frame = index;
}

void parked_rows_cut(parked_rows *p, int64_t frame_count)
{
    p->entry_count = entries_up_to(p, frame_count - 1);
    p->grain_count = 0;
    for (int64_t k = 0; k < p->entry_count; ++k)
        p->grain_count = max_i64(p->grain_count, p->entry[k].first + p->entry[k].count);
    for (int64_t c = 0; c < p->cell_count; ++c) p->latest[c] = -1;
    p->latest_frame = -1;
}

static int64_t grain_rows_there(const parked_rows *p)
{
    int64_t rows = INT64_MAX;
    for (int c = 0; c < PARKED_COLUMNS; ++c) rows = min_i64(rows, p->column[c].rows);
    return rows;
}

// Frames rise and rows are there.
static bool entries_are_valid(const parked_rows *p)
{
    int64_t rows = grain_rows_there(p);
    for (int64_t k = 0; k < p->entry_count; ++k) {
        const parked_cell *e = &p->entry[k];
        if (e->cell < 0 || e->cell >= INT32_MAX || e->first < 0 || e->count < 0 || e->first > rows) return false;
        if (e->count > rows - e->first || (k > 0 && e->frame < e[-1].frame)) return false;
    }
    return true;
}

// How many grains are parked after each entry, which takes back what the one before it of its cell told.
static scr_status add_up(parked_rows *p, scr_error *error)
{
    scr_status status =
        scr_grow(&p->total, &p->total_capacity, p->entry_count, sizeof *p->total, "parked grains", error);
    int64_t parked = 0;
    for (int64_t k = 0; k < p->entry_count && status == SCR_OK; ++k) {
        int64_t *last = &p->latest[p->entry[k].cell];
        parked += p->entry[k].count - (*last >= 0 ? p->entry[*last].count : 0);
        *last = k;
        p->total[k] = parked;
    }
    return status;
}

scr_status parked_rows_open(parked_rows *p, hid_t file, const char *path, int64_t frame_count, scr_error *error)
{
    p->latest_frame = -1;
    if (H5Lexists(file, "/parked", H5P_DEFAULT) <= 0) return SCR_OK;
    bool is_open = row_set_open(&p->cell, file, "/parked/cell", H5T_NATIVE_INT64, CELL_WIDTH) >= 0;
    for (int c = 0; c < PARKED_COLUMNS; ++c)
        is_open = is_open &&
                  row_set_open(&p->column[c], file, columns[c].path, hdf5_type(columns[c].type), columns[c].width) >= 0;
    if (!is_open) return hdf5_fail(error, path, "cannot read the parked grains");
    p->is_there = true;
    int64_t rows = p->cell.rows, cells = 0;
    scr_status status = scr_grow(&p->entry, &p->entry_capacity, rows, sizeof *p->entry, "parked grains", error);
    if (status != SCR_OK) return status;
    if (row_set_read(&p->cell, 0, rows, p->entry) < 0) return hdf5_fail(error, path, "cannot read the parked grains");
    while (p->entry_count < rows && p->entry[p->entry_count].frame >= 0 &&
           p->entry[p->entry_count].frame < frame_count &&
           (p->entry_count == 0 || p->entry[p->entry_count].frame >= p->entry[p->entry_count - 1].frame))
        ++p->entry_count;
    if (!entries_are_valid(p))
        return scr_fail(error, SCR_IO, "%s: damaged: a parked cell points to rows that are not there", path);
    for (int64_t k = 0; k < p->entry_count; ++k) cells = max_i64(cells, p->entry[k].cell + 1);
    status = reserve_cells(p, cells, error);
    if (status == SCR_OK) status = add_up(p, error);
    if (status == SCR_OK) parked_rows_cut(p, frame_count);
    return status;
}

// ---- writing ------------------------------------------------------------------------------------------------------

static bool is_due(const parked_rows *p, const active_box *box, int64_t cell)
{
    int64_t known = p->latest[cell] >= 0 ? p->entry[p->latest[cell]].changed : 0;
    return box->cells.changed[cell] != known;
}

scr_status parked_rows_reserve(parked_rows *p, const active_box *box, scr_error *error)
{
    int64_t cells = box->cells.table.count, due = 0, most = 0;
    scr_status status = reserve_cells(p, cells, error);
    if (status != SCR_OK) return status;
    find_latest(p, INT64_MAX);
    for (int64_t c = 0; c < cells; ++c) {
        if (!is_due(p, box, c)) continue;
        ++due;
        most = max_i64(most, box->cells.parked[c]);
    }
    status = scr_grow(&p->entry, &p->entry_capacity, p->entry_count + due, sizeof *p->entry, "parked grains", error);
    int64_t bytes = most * (int64_t)(sizeof(stored_grain) + grain_bytes());
    return status == SCR_OK ? scr_grow(&p->scratch, &p->scratch_capacity, bytes, 1, "parked grains", error) : status;
}

// The columns of so many grains, one behind the other.
static char *column_at(char *first, int c, int64_t count)
{
    for (int k = 0; k < c; ++k) first += (size_t)count * column_bytes(k);
    return first;
}

static void put_grain(char *first, int64_t count, int64_t i, const stored_grain *g)
{
    const float position[3] = {(float)g->position.x, (float)g->position.y, (float)g->position.z},
                radius = (float)g->radius;
    const uint32_t id = (uint32_t)g->id;
    const uint8_t material = (uint8_t)g->material;
    const void *number[PARKED_COLUMNS] = {position, g->rotation, &radius, &id, &material};
    for (int c = 0; c < PARKED_COLUMNS; ++c)
        memcpy(column_at(first, c, count) + (size_t)i * column_bytes(c), number[c], column_bytes(c));
}

static herr_t write_cell(parked_rows *p, const active_box *box, int64_t cell, int64_t index)
{
    stored_grain *g = (stored_grain *)p->scratch;
    int64_t count = grain_store_read(&box->store, box->cells.list[cell], g);
    char *first = p->scratch + (size_t)count * sizeof *g;
    for (int64_t i = 0; i < count; ++i) put_grain(first, count, i, &g[i]);
    parked_cell e = {index,          cell,  box->cells.changed[cell],
                     p->grain_count, count, checksum_of(first, (size_t)count * grain_bytes())};
    for (int c = 0; c < PARKED_COLUMNS; ++c)
        if (row_set_write(&p->column[c], e.first, count, column_at(first, c, count)) < 0) return -1;
    p->grain_count += count;
    p->latest[cell] = p->entry_count;
    p->entry[p->entry_count++] = e;
    return 0;
}

herr_t parked_rows_write(parked_rows *p, const active_box *box, int64_t index)
{
    int64_t before = p->entry_count;
    for (int64_t c = 0; c < box->cells.table.count; ++c)
        if (is_due(p, box, c) && write_cell(p, box, c, index) < 0) return -1;
    return row_set_write(&p->cell, before, p->entry_count - before, p->entry + before);
}

// ---- reading ------------------------------------------------------------------------------------------------------

int64_t parked_rows_count(const parked_rows *p, int64_t index)
{
    int64_t last = entries_up_to(p, index);
    return last > 0 ? p->total[last - 1] : 0;
}

static int by_first_row(const void *a, const void *b)
{
    const parked_cell *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

// The entries that tell of a frame's grains, in the order of their rows: behind those of all frames.
static scr_status list_shown(parked_rows *p, int64_t index, int64_t *count, scr_error *error)
{
    find_latest(p, index);
    *count = 0;
    scr_status status = scr_grow(&p->entry, &p->entry_capacity, p->entry_count + p->cell_count, sizeof *p->entry,
                                 "parked grains", error);
    if (status != SCR_OK) return status;
    parked_cell *shown = p->entry + p->entry_count;
    for (int64_t c = 0; c < p->cell_count; ++c)
        if (p->latest[c] >= 0 && p->entry[p->latest[c]].count > 0) shown[(*count)++] = p->entry[p->latest[c]];
    qsort(shown, (size_t)*count, sizeof *shown, by_first_row);
    return SCR_OK;
}

static void add_to_frame(frame *f, const char *first, int64_t count)
{
    frame_spheres *s = &f->spheres;
    char *data = (char *)first;
    int64_t at = s->count;
    memcpy(s->position + 3 * at, column_at(data, 0, count), (size_t)count * column_bytes(0));
    memset(s->velocity + 3 * at, 0, (size_t)count * 3 * sizeof *s->velocity);
    memcpy(s->radius + at, column_at(data, 2, count), (size_t)count * column_bytes(2));
    memcpy(s->id + at, column_at(data, 3, count), (size_t)count * column_bytes(3));
    memcpy(s->material + at, column_at(data, 4, count), (size_t)count * column_bytes(4));
    const char *rotation = column_at(data, 1, count);
    for (int64_t i = 0; f->has_rotations && i < count; ++i) {
        frame_rotation *to = &f->rotations[f->rotation_count++];
        *to = (frame_rotation){0};
        memcpy(to->rotation, rotation + (size_t)i * column_bytes(1), sizeof to->rotation);
    }
    s->count += count;
}

// The rows of some entries that follow one another, as they were written?
static bool rows_are_intact(const parked_cell *e, int64_t entries, char *first, int64_t count)
{
    for (int64_t k = 0, at = 0; k < entries; at += e[k].count, ++k) {
        checksum sum = checksum_begin();
        for (int c = 0; c < PARKED_COLUMNS; ++c)
            checksum_add(&sum, column_at(first, c, count) + (size_t)at * column_bytes(c),
                         (size_t)e[k].count * column_bytes(c));
        if (checksum_value(&sum) != e[k].checksum) return false;
    }
    return true;
}

static scr_status read_range(parked_rows *p, const char *path, const parked_cell *e, int64_t entries, int64_t count,
                             frame *f, scr_error *error)
{
    scr_status status =
        scr_grow(&p->scratch, &p->scratch_capacity, count * (int64_t)grain_bytes(), 1, "parked grains", error);
    if (status != SCR_OK) return status;
    for (int c = 0; c < PARKED_COLUMNS; ++c)
        if (row_set_read(&p->column[c], e->first, count, column_at(p->scratch, c, count)) < 0)
            return hdf5_fail(error, path, "cannot read the parked grains");
    if (!rows_are_intact(e, entries, p->scratch, count))
        return scr_fail(error, SCR_IO, "%s: damaged: parked grains are not what was written", path);
    add_to_frame(f, p->scratch, count);
    return SCR_OK;
}

scr_status parked_rows_read(parked_rows *p, const char *path, int64_t index, frame *f, scr_error *error)
{
    int64_t shown = 0;
    if (!p->is_there) return SCR_OK;
    scr_status status = list_shown(p, index, &shown, error);
    const parked_cell *e = p->entry + p->entry_count;
    for (int64_t k = 0, next = 0; k < shown && status == SCR_OK; k = next) {
        int64_t count = 0;
        do count += e[next++].count;
        while (next < shown && e[next].first == e[k].first + count && count < READ_AT_ONCE);
        status = read_range(p, path, e + k, next - k, count, f, error);
    }
    return status;
}
