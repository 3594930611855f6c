// SPDX-License-Identifier: BSD-3-Clause
// An open trajectory.h5, and what of it both writer and reader need.
//
// Damage is noticed when a file is opened (HDF5's structures carry checksums) and when a frame is read: its rows and
// its entry carry one of ours. No more is read for it than what was asked for.
#include "io/trajectory/trajectory_file.h"

#include <stddef.h>
#include <string.h>

enum { CHUNK_ROWS_MAX = 1 << 20 };

const char TRAJECTORY_FORMAT[] = "scree trajectory 5", HAS_ROTATIONS[] = "has_rotations";

static hid_t make_entry_type(void)
{
    hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(frame_entry));
    if (type < 0) return type;
    static const char *const starts[ROW_KIND_COUNT] = {"sphere_start", "box_start",     "plane_start",
                                                       "part_start",   "contact_start", "rotation_start"};
    static const char *const counts[ROW_KIND_COUNT] = {"sphere_count", "box_count",     "plane_count",
                                                       "part_count",   "contact_count", "rotation_count"};
    H5Tinsert(type, "time", offsetof(frame_entry, time), H5T_NATIVE_DOUBLE);
    for (size_t k = 0; k < ROW_KIND_COUNT; ++k) {
        H5Tinsert(type, starts[k], offsetof(frame_entry, start) + k * sizeof(int64_t), H5T_NATIVE_INT64);
        H5Tinsert(type, counts[k], offsetof(frame_entry, count) + k * sizeof(int64_t), H5T_NATIVE_INT64);
    }
    H5Tinsert(type, "checksum", offsetof(frame_entry, checksum), H5T_NATIVE_UINT64);
    return type;
}

scr_status trajectory_new(const char *directory, bool writing, trajectory **result, scr_error *error)
{
    *result = NULL;
    trajectory *t = scr_alloc(sizeof *t);
    if (t == NULL) return scr_fail_memory(error, sizeof *t, "a trajectory");
    *t = (trajectory){.writing = writing};
    t->file = t->entry_type = t->count_set = H5I_INVALID_HID;
    scr_status status = path_join(t->path, directory, "trajectory.h5", error);
    if (status == SCR_OK) {
        memcpy(t->directory, directory, strlen(directory) + 1);
        t->entry_type = make_entry_type();
        if (t->entry_type < 0) status = hdf5_fail(error, t->path, "cannot begin");
    }
    if (status != SCR_OK) {
        scr_free(t);
        return status;
    }
    *result = t;
    return SCR_OK;
}

void trajectory_destroy(trajectory *t)
{
    hdf5_close(t->entry_type);
    scr_free(t->entry);
    parked_rows_free(&t->parked);
    scr_free(t->scratch);
    frame_surfaces_free(&t->surfaces);
    scr_free(t);
}

// A chunk that holds about so many rows: a power of two, so that frames may grow a little.
int64_t chunk_rows(int64_t wanted, int64_t least)
{
    int64_t chunk = least;
    while (chunk < wanted && chunk < CHUNK_ROWS_MAX) chunk *= 2;
    return chunk;
}

// How many frames there are, before anything else is opened: a dataset is as long as it was when it was opened, and a
// run that goes on may count one frame more between the two.
static herr_t read_frame_count(trajectory *t, int64_t *count)
{
    t->count_set = H5Dopen2(t->file, "/frame_count", H5P_DEFAULT);
    hid_t space = t->count_set < 0 ? H5I_INVALID_HID : H5Dget_space(t->count_set);
    bool single = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    hdf5_close(space);
    return single ? H5Dread(t->count_set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, count) : -1;
}

static herr_t open_datasets(trajectory *t)
{
    if (row_set_open(&t->entries, t->file, "/frame", t->entry_type, 1) < 0 ||
        row_set_open(&t->index, t->file, "/index", H5T_NATIVE_UINT32, 1) < 0)
        return -1;
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        const column *col = &frame_columns[c];
        if (row_set_open(&t->column[c], t->file, col->path, hdf5_type(col->type), col->width) < 0) return -1;
    }
    return 0;
}

// Rows that all columns of a kind have. A kill may come between extending two of them.
int64_t common_rows(const trajectory *t, row_kind rows)
{
    int64_t least = INT64_MAX;
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        if (frame_columns[c].rows == rows && t->column[c].rows < least) least = t->column[c].rows;
    }
    return least;
}

static bool entry_is_valid(const frame_entry *e, const int64_t row_total[ROW_KIND_COUNT])
{
    for (int k = 0; k < ROW_KIND_COUNT; ++k) {
        if (e->start[k] < 0 || e->count[k] < 0 || e->start[k] > row_total[k]) return false;
        if (e->count[k] > row_total[k] - e->start[k]) return false;
    }
    return true;
}

scr_status read_entries(trajectory *t, scr_error *error)
{
    static const char not_ours[] = "this is not a trajectory of scree, or of another version of it, or it is damaged";
    char format[64];
    bool is_ours = hdf5_get_text(t->file, "format", format, sizeof format) && strcmp(format, TRAJECTORY_FORMAT) == 0;
    int64_t count = 0;
    if (!is_ours || read_frame_count(t, &count) < 0 || open_datasets(t) < 0) return hdf5_fail(error, t->path, not_ours);
    if (count < 0 || count > t->entries.rows)
        return scr_fail(error, SCR_IO, "%s: damaged: %lld frames are counted, but %lld are there", t->path,
                        (long long)count, (long long)t->entries.rows);
    scr_status status = scr_grow(&t->entry, &t->entry_capacity, count, sizeof *t->entry, "frames", error);
    if (status != SCR_OK) return status;
    if (row_set_read(&t->entries, 0, count, t->entry) < 0)
        return hdf5_fail(error, t->path, "cannot read the list of frames");
    int64_t row_total[ROW_KIND_COUNT];
    for (int k = 0; k < ROW_KIND_COUNT; ++k) row_total[k] = common_rows(t, (row_kind)k);
    for (int64_t i = 0; i < count; ++i) {
        if (!entry_is_valid(&t->entry[i], row_total))
            return scr_fail(error, SCR_IO, "%s: damaged: frame %lld points to rows that are not there", t->path,
                            (long long)i);
    }
    t->frame_count = count;
    return parked_rows_open(&t->parked, t->file, t->path, count, error);
}

scr_status reserve_scratch(trajectory *t, const frame *f, scr_error *error)
{
    return scr_grow(&t->scratch, &t->scratch_capacity, column_scratch_bytes(f), 1, "shapes of a frame", error);
}

checksum entry_checksum(const frame_entry *e)
{
    checksum sum = checksum_begin();
    checksum_add(&sum, e, offsetof(frame_entry, checksum));
    return sum;
}

// Corners follow from other columns and are not read back.
void add_column(checksum *sum, const column *c, const void *numbers, int64_t rows)
{
    if (c->source != CORNERS_OF_BOX && rows > 0) checksum_add(sum, numbers, (size_t)rows * column_size(c));
}
