// SPDX-License-Identifier: BSD-3-Clause
// trajectory.h5 as a run writes it, frame by frame.
//
// Surviving a kill at any moment rests on these:
//   - HDF5's single-writer mode (SWMR): its structures reach the file in an order that keeps the file readable;
//   - no cache for rows (io/trajectory/hdf5_rows.h): they are in the file before anything points at them;
//   - pages: a kill can cut a write in two at the end of a memory page, so no structure that HDF5 rewrites in place may
//     lie across one. Structures of less than a page are kept within one; those that list the chunks of a dataset stay
//     below a page for some thousand chunks, so a chunk holds about a whole frame;
//   - /frame_count, eight bytes rewritten in place when everything else of a frame is there.
// A resume that goes back to an earlier frame lowers /frame_count and overwrites the rows behind it. The datasets
// never shrink: in single-writer mode they cannot, and without it a kill while shrinking could lose them.
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/base/threads.h"
#include "core/file/temporary_file.h"
#include "io/file/open_file.h"
#include "io/trajectory/trajectory_file.h"

enum {
    PAGE = 4096,         // bytes; of memory, and of the file
    MANY_ROWS = 1024,    // the least that a chunk of spheres holds
    INDEX_CHUNK = 4096,  // numbers
};

static herr_t create_datasets(trajectory *t, const frame_size *usual)
{
    const int64_t chunk[ROW_KIND_COUNT] = {
        chunk_rows(usual->spheres, MANY_ROWS), chunk_rows(usual->boxes, FEW_ROWS),
        chunk_rows(usual->planes, FEW_ROWS),   chunk_rows(usual->parts, FEW_ROWS),
        chunk_rows(usual->contacts, FEW_ROWS), chunk_rows(usual->rotations, FEW_ROWS)};
    hid_t scalar = H5Screate(H5S_SCALAR), early = H5Pcreate(H5P_DATASET_CREATE);
    if (scalar >= 0 && early >= 0) {
        H5Pset_alloc_time(early, H5D_ALLOC_TIME_EARLY);
        t->count_set = H5Dcreate2(t->file, "/frame_count", H5T_NATIVE_INT64, scalar, H5P_DEFAULT, early, H5P_DEFAULT);
    }
    hdf5_close(early);
    hdf5_close(scalar);
    if (t->count_set < 0 || row_set_create(&t->entries, t->file, "/frame", t->entry_type, 1, FEW_ROWS, "") < 0 ||
        row_set_create(&t->index, t->file, "/index", H5T_NATIVE_UINT32, 1, INDEX_CHUNK, "") < 0)
        return -1;
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        const column *col = &frame_columns[c];
        if (row_set_create(&t->column[c], t->file, col->path, hdf5_type(col->type), col->width, chunk[col->rows],
                           col->unit) < 0)
            return -1;
    }
    if (parked_rows_create(&t->parked, t->file, usual->parked) < 0) return -1;
    if (usual->rotations > 0 && hdf5_put_u64(t->file, HAS_ROTATIONS, 1) < 0) return -1;
    return hdf5_put_text(t->file, "format", TRAJECTORY_FORMAT);
}

// /frame_count is all that makes frames exist: raw bytes in place, in the file when this returns.
static herr_t write_frame_count(trajectory *t, int64_t count)
{
    if (H5Dwrite(t->count_set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &count) < 0) return -1;
    return H5Dflush(t->count_set);
}

static hid_t create_file(const char *path, hid_t access)
{
    hid_t pages = H5Pcreate(H5P_FILE_CREATE);
    if (pages < 0) return pages;
    H5Pset_file_space_strategy(pages, H5F_FSPACE_STRATEGY_PAGE, false, 1);
    H5Pset_file_space_page_size(pages, PAGE);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, pages, access);
    hdf5_close(pages);
    return file;
}

static herr_t begin_file(trajectory *t, const frame_size *usual, const frame_surfaces *shown,
                         const periodic_cell *period)
{
    if (t->file < 0 || create_datasets(t, usual) < 0 || write_surfaces(t, shown) < 0 || write_period(t, period) < 0 ||
        write_frame_count(t, 0) < 0)
        return -1;
    return H5Fstart_swmr_write(t->file);
}

// It has another name until it can be read: whoever opened it before that would lock out single-writer mode.
scr_status trajectory_create(const char *directory, frame_size usual, const frame_surfaces *shown,
                             const periodic_cell *period, trajectory **result, scr_error *error)
{
    trajectory *t;
    char temporary[PATH_LENGTH_MAX];
    hid_t access = hdf5_access();
    scr_status status = trajectory_new(directory, true, &t, error);
    if (status != SCR_OK) goto done;
    status = file_begin(t->path, temporary, error);
    if (status == SCR_OK) {
        t->file = create_file(temporary, access);
        if (begin_file(t, &usual, shown, period) >= 0) {
            status = file_commit_new(t->path, error);
        } else {
            status = hdf5_fail(error, t->path, "cannot create");
            file_abandon(t->path);
        }
    }
    if (status == SCR_OK) {
        *result = t;
    } else {
        hdf5_close(t->file);
        trajectory_destroy(t);
    }
done:
    hdf5_close(access);
    return status;
}

// After a kill the file says that somebody is writing it, and its own idea of its length may be out of date in either
// direction. These two properties are those that HDF5's repair program h5clear uses.
static hid_t open_after_kill(const char *path, hid_t access)
{
    const hbool_t yes = true;
    if (H5Pset(access, "clear_status_flags", &yes) < 0 || H5Pset(access, "skip_eof_check", &yes) < 0)
        return H5I_INVALID_HID;
    return H5Fopen(path, H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access);
}

static hsize_t larger(hsize_t a, hsize_t b) { return a > b ? a : b; }

// New things go behind all that is in the file, so that they cannot meet what was never recorded in its length. The
// last chunk may have been cut off by the kill: it keeps its place.
static herr_t move_end(trajectory *t)
{
    hsize_t size, margin = larger(t->entries.chunk_bytes, t->index.chunk_bytes);
    for (int c = 0; c < PARKED_COLUMNS && t->parked.is_there; ++c)
        margin = larger(margin, t->parked.column[c].chunk_bytes);
    for (int c = 0; c < COLUMN_COUNT; ++c) margin = larger(margin, t->column[c].chunk_bytes);
    if (H5Fget_filesize(t->file, &size) < 0) return -1;
    hsize_t end = (size + margin + PAGE - 1) / PAGE * PAGE;
    return H5Fincrement_filesize(t->file, end - size);
}

// Make all columns of a kind equally long again, and forget the frames after the first frame_count.
static herr_t go_back(trajectory *t, int64_t frame_count)
{
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        for (int other = 0; other < COLUMN_COUNT; ++other) {
            if (frame_columns[other].rows != frame_columns[c].rows) continue;
            if (row_set_extend(&t->column[c], t->column[other].rows) < 0) return -1;
        }
    }
    if (write_frame_count(t, frame_count) < 0) return -1;
    t->frame_count = frame_count;
    parked_rows_cut(&t->parked, frame_count);
    return 0;
}

// How many frames stay of those that are there.
static int64_t kept_frames(const trajectory *t, int64_t frame_count, double time)
{
    bool shows_stop = t->frame_count > frame_count && t->entry[frame_count].time == time;
    return shows_stop ? frame_count + 1 : frame_count;
}

scr_status trajectory_continue(const char *directory, int64_t frame_count, double time, trajectory **result,
                               scr_error *error)
{
    trajectory *t;
    hid_t access = hdf5_access();
    scr_status status = trajectory_new(directory, true, &t, error);
    if (status != SCR_OK) goto done;
    status = file_check_limit(t->path, error);
    if (status == SCR_OK && (t->file = open_after_kill(t->path, access)) < 0)
        status = hdf5_fail(error, t->path, "cannot continue");
    if (status == SCR_OK) status = read_entries(t, error);
    if (status == SCR_OK && t->frame_count < frame_count)
        status = scr_fail(error, SCR_IO, "%s: only %lld frames are there, but %lld were written", t->path,
                          (long long)t->frame_count, (long long)frame_count);
    if (status == SCR_OK && (move_end(t) < 0 || go_back(t, kept_frames(t, frame_count, time)) < 0))
        status = hdf5_fail(error, t->path, "cannot continue");
    if (status == SCR_OK) *result = t;
    else trajectory_abandon(t);
done:
    hdf5_close(access);
    return status;
}

scr_status trajectory_cut(trajectory *t, int64_t frame_count, scr_error *error)
{
    if (write_frame_count(t, frame_count) < 0) {
        t->broken = true;
        return hdf5_fail(error, t->path, "cannot write");
    }
    t->frame_count = frame_count;
    parked_rows_cut(&t->parked, frame_count);
    return SCR_OK;
}

static scr_status write_xdmf(trajectory *t, scr_error *error)
{
    int64_t row_total[ROW_KIND_COUNT];
    for (int k = 0; k < ROW_KIND_COUNT; ++k) row_total[k] = common_rows(t, (row_kind)k);
    return xdmf_write(t->directory, t->entry, t->frame_count, row_total, t->index.rows, error);
}

static int descriptor(const trajectory *t)
{
    void *handle = NULL;
    return H5Fget_vfd_handle(t->file, H5P_DEFAULT, &handle) < 0 ? -1 : *(int *)handle;
}

bool trajectory_is_in_place(const trajectory *t)
{
    int file = descriptor(t);
    return file >= 0 && is_open_as(file, t->path);
}

scr_status trajectory_sync(trajectory *t, scr_error *error)
{
    int file = descriptor(t);
    // Frames are in the file once they are counted; what a failed one left in memory is not asked for.
    if (file < 0 || (!t->broken && H5Fflush(t->file, H5F_SCOPE_LOCAL) < 0)) {
        t->broken = true;
        return hdf5_fail(error, t->path, "cannot write");
    }
    if (fsync(file) != 0) return scr_fail(error, SCR_IO, "%s: cannot bring to the disk: %s", t->path, strerror(errno));
    return t->broken ? SCR_OK : write_xdmf(t, error);
}

scr_status trajectory_close(trajectory *t, scr_error *error)
{
    if (t == NULL) return SCR_OK;
    scr_status status = SCR_OK;
    if (t->writing) status = write_xdmf(t, error);
    if (t->file >= 0 && H5Fclose(t->file) < 0 && status == SCR_OK && t->writing && !t->broken)
        status = hdf5_fail(error, t->path, "cannot write");
    H5Eclear2(H5E_DEFAULT);
    trajectory_destroy(t);
    return status;
}

void trajectory_abandon(trajectory *t)
{
    if (t == NULL) return;
    t->writing = false;
    trajectory_close(t, NULL);
}

// 0, 1, 2, ...: which points make up a sphere or a box. As long as the fullest frame needs it, shared by all frames.
static herr_t write_index(trajectory *t, int64_t needed)
{
    uint32_t number[INDEX_CHUNK];
    while (t->index.rows < needed) {
        int64_t known = t->index.rows, count = min_i64(needed - known, INDEX_CHUNK);
        for (int64_t i = 0; i < count; ++i) number[i] = (uint32_t)(known + i);
        if (row_set_write(&t->index, known, count, number) < 0) return -1;
    }
    return 0;
}

static herr_t write_rows(trajectory *t, const frame *f, frame_entry *e)
{
    checksum sum = entry_checksum(e);
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        const column *col = &frame_columns[c];
        gather_column(t->scratch, f, col);
        add_column(&sum, col, column_numbers(t->scratch, f, col), e->count[col->rows]);
        if (row_set_write(&t->column[c], e->start[col->rows], e->count[col->rows], column_numbers(t->scratch, f, col)) <
            0)
            return -1;
    }
    e->checksum = checksum_value(&sum);
    return write_index(t, max_i64(max_i64(f->spheres.count, f->part_count),
                                  max_i64(BOX_CORNERS * f->box_count, 2 * f->contact_count)));
}

// A frame's rows begin where those of the frame before it end.
static frame_entry next_entry(const trajectory *t, const frame *f)
{
    frame_entry e = {.time = f->time};
    for (int k = 0; k < ROW_KIND_COUNT; ++k) {
        const frame_entry *last = t->frame_count > 0 ? &t->entry[t->frame_count - 1] : NULL;
        e.start[k] = last != NULL ? last->start[k] + last->count[k] : 0;
        e.count[k] = frame_rows(f, (row_kind)k);
    }
    return e;
}

scr_status trajectory_append_parked(trajectory *t, const active_box *box, scr_error *error)
{
    if (t->broken) return scr_fail(error, SCR_IO, "%s: cannot write: an earlier write failed", t->path);
    scr_status status = parked_rows_reserve(&t->parked, box, error);
    if (status != SCR_OK || parked_rows_write(&t->parked, box, t->frame_count) >= 0) return status;
    t->broken = true;
    return hdf5_fail(error, t->path, "cannot write");
}

scr_status trajectory_append(trajectory *t, const frame *f, scr_error *error)
{
    if (t->broken) return scr_fail(error, SCR_IO, "%s: cannot write: an earlier write failed", t->path);
    frame_entry e = next_entry(t, f);
    scr_status status = reserve_scratch(t, f, error);
    if (status == SCR_OK)
        status = scr_grow(&t->entry, &t->entry_capacity, t->frame_count + 1, sizeof e, "frames", error);
    if (status != SCR_OK) return status;
    // First all rows and the entry, in the file; only then the frame counts.
    if (write_rows(t, f, &e) < 0 || row_set_write(&t->entries, t->frame_count, 1, &e) < 0 ||
        H5Fflush(t->file, H5F_SCOPE_LOCAL) < 0 || write_frame_count(t, t->frame_count + 1) < 0) {
        t->broken = true;
        return hdf5_fail(error, t->path, "cannot write");
    }
    t->entry[t->frame_count++] = e;
    return SCR_OK;
}
