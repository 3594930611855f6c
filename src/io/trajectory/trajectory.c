// SPDX-License-Identifier: BSD-3-Clause
// trajectory.h5: the frames of a run.
//
// Surviving a kill at any moment rests on these:
//   - HDF5's single-writer mode (SWMR): its structures reach the file in an order that keeps the file readable;
//   - no cache for rows (io/trajectory/hdf5_rows.h): they are in the file before anything points at them;
//   - pages: a kill can cut a write in two at the end of a memory page, so no structure that HDF5 rewrites in place may
//     lie across one. Structures of less than a page are kept within one; those that list the chunks of a dataset stay
//     below a page for some thousand chunks, so a chunk holds about a whole frame;
//   - /frame_count, eight bytes rewritten in place when everything else of a frame is there.
// Damage is noticed when a file is opened (HDF5's structures carry checksums) and when a frame is read: its rows and
// its entry carry one of ours. No more is read for it than what was asked for.
// A resume that goes back to an earlier frame lowers /frame_count and overwrites the rows behind it. The datasets
// never shrink: in single-writer mode they cannot, and without it a kill while shrinking could lose them.
#include "io/trajectory/trajectory.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/threads.h"
#include "core/file/safe_file.h"
#include "core/maths/quat.h"
#include "core/text/checksum.h"
#include "io/file/open_file.h"
#include "io/trajectory/hdf5_rows.h"
#include "io/trajectory/xdmf.h"

enum {
    CORNERS = 8,
    PAGE = 4096,       // bytes; of memory, and of the file
    FEW_ROWS = 64,     // the least that a chunk holds, of anything but spheres
    MANY_ROWS = 1024,  // the same for spheres
    CHUNK_ROWS_MAX = 1 << 20,
    INDEX_CHUNK = 4096,  // numbers
};

// Where a column's numbers are: spheres have an array for each column, all others a record for each row. Corners
// follow from the rest of a box: they are written for other programs and never read.
typedef enum column_source { IN_ARRAY, IN_RECORD, CORNERS_OF_BOX } column_source;

typedef struct column {
    const char *path;
    row_kind rows;
    field_type type;
    int width;
    const char *unit;
    column_source source;
    size_t offset;  // of the array's pointer in frame, or of the number in the record
} column;

static const column columns[] = {
    {"/spheres/position", SPHERE_ROWS, FIELD_F32, 3, "m", IN_ARRAY, offsetof(frame, spheres.position)},
    {"/spheres/velocity", SPHERE_ROWS, FIELD_F32, 3, "m/s", IN_ARRAY, offsetof(frame, spheres.velocity)},
    {"/spheres/radius", SPHERE_ROWS, FIELD_F32, 1, "m", IN_ARRAY, offsetof(frame, spheres.radius)},
    {"/spheres/id", SPHERE_ROWS, FIELD_U32, 1, "", IN_ARRAY, offsetof(frame, spheres.id)},
    {"/spheres/material", SPHERE_ROWS, FIELD_U8, 1, "", IN_ARRAY, offsetof(frame, spheres.material)},
    {"/spheres/rotation", ROTATION_ROWS, FIELD_F32, 4, "", IN_RECORD, offsetof(frame_rotation, rotation)},
    {"/spheres/angular_velocity", ROTATION_ROWS, FIELD_F32, 3, "rad/s", IN_RECORD,
     offsetof(frame_rotation, angular_velocity)},
    {"/boxes/position", BOX_ROWS, FIELD_F32, 3, "m", IN_RECORD, offsetof(frame_box, position)},
    {"/boxes/rotation", BOX_ROWS, FIELD_F32, 4, "", IN_RECORD, offsetof(frame_box, rotation)},
    {"/boxes/half", BOX_ROWS, FIELD_F32, 3, "m", IN_RECORD, offsetof(frame_box, half)},
    {"/boxes/velocity", BOX_ROWS, FIELD_F32, 3, "m/s", IN_RECORD, offsetof(frame_box, velocity)},
    {"/boxes/angular_velocity", BOX_ROWS, FIELD_F32, 3, "rad/s", IN_RECORD, offsetof(frame_box, angular_velocity)},
    {"/boxes/id", BOX_ROWS, FIELD_U32, 1, "", IN_RECORD, offsetof(frame_box, id)},
    {"/boxes/material", BOX_ROWS, FIELD_U8, 1, "", IN_RECORD, offsetof(frame_box, material)},
    {"/boxes/kind", BOX_ROWS, FIELD_U8, 1, "", IN_RECORD, offsetof(frame_box, kind)},
    {"/boxes/corner", BOX_ROWS, FIELD_F32, 3 * CORNERS, "m", CORNERS_OF_BOX, 0},
    {"/planes/position", PLANE_ROWS, FIELD_F32, 3, "m", IN_RECORD, offsetof(frame_plane, position)},
    {"/planes/rotation", PLANE_ROWS, FIELD_F32, 4, "", IN_RECORD, offsetof(frame_plane, rotation)},
    {"/planes/id", PLANE_ROWS, FIELD_U32, 1, "", IN_RECORD, offsetof(frame_plane, id)},
    {"/planes/material", PLANE_ROWS, FIELD_U8, 1, "", IN_RECORD, offsetof(frame_plane, material)},
    {"/parts/position", PART_ROWS, FIELD_F32, 3, "m", IN_RECORD, offsetof(frame_part, position)},
    {"/parts/rotation", PART_ROWS, FIELD_F32, 4, "", IN_RECORD, offsetof(frame_part, rotation)},
    {"/parts/half", PART_ROWS, FIELD_F32, 3, "m", IN_RECORD, offsetof(frame_part, half)},
    {"/parts/velocity", PART_ROWS, FIELD_F32, 3, "m/s", IN_RECORD, offsetof(frame_part, velocity)},
    {"/parts/angular_velocity", PART_ROWS, FIELD_F32, 3, "rad/s", IN_RECORD, offsetof(frame_part, angular_velocity)},
    {"/parts/surface", PART_ROWS, FIELD_I32, 1, "", IN_RECORD, offsetof(frame_part, surface)},
    {"/parts/id", PART_ROWS, FIELD_U32, 1, "", IN_RECORD, offsetof(frame_part, id)},
    {"/parts/material", PART_ROWS, FIELD_U8, 1, "", IN_RECORD, offsetof(frame_part, material)},
    {"/parts/kind", PART_ROWS, FIELD_U8, 1, "", IN_RECORD, offsetof(frame_part, kind)},
    {"/parts/shape", PART_ROWS, FIELD_U8, 1, "", IN_RECORD, offsetof(frame_part, shape)},
    {"/contacts/ends", CONTACT_ROWS, FIELD_F32, 6, "m", IN_RECORD, offsetof(frame_contact, ends)},
    {"/contacts/force", CONTACT_ROWS, FIELD_F32, 3, "N", IN_RECORD, offsetof(frame_contact, force)},
    {"/contacts/bodies", CONTACT_ROWS, FIELD_U32, 2, "", IN_RECORD, offsetof(frame_contact, bodies)},
};
enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

struct trajectory {
    char directory[PATH_LENGTH_MAX], path[PATH_LENGTH_MAX];
    bool writing;
    bool broken;  // a write failed: the file is left as it is on the disk
    hid_t file, entry_type, count_set;
    hdf5_rows entries, index, column[COLUMN_COUNT];
    frame_entry *entry;
    int64_t frame_count, entry_capacity;
    char *scratch;  // a column of records
    int64_t scratch_capacity;
    frame_surfaces surfaces;  // of a file that was opened to be read
    const bool *hidden;       // by id - 1: bodies that are not read; NULL: none
    int64_t hidden_count;
};

_Static_assert(sizeof(frame_surface) == 4 * sizeof(int64_t), "a surface is a row of four numbers");

// ---- opening and closing -------------------------------------------------------------------------------------------

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

static scr_status trajectory_new(const char *directory, bool writing, trajectory **result, scr_error *error)
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

static void trajectory_destroy(trajectory *t)
{
    hdf5_close(t->entry_type);
    scr_free(t->entry);
    scr_free(t->scratch);
    frame_surfaces_free(&t->surfaces);
    scr_free(t);
}

// A chunk that holds about so many rows: a power of two, so that frames may grow a little.
static int64_t chunk_rows(int64_t wanted, int64_t least)
{
    int64_t chunk = least;
    while (chunk < wanted && chunk < CHUNK_ROWS_MAX) chunk *= 2;
    return chunk;
}

// The three datasets of surfaces. They are written before the file is opened to readers, and never again.
typedef struct surface_sets {
    hdf5_rows item, vertex, triangle;
} surface_sets;

static uint64_t surfaces_checksum(const frame_surfaces *s)
{
    checksum sum = checksum_begin();
    if (s->count > 0) checksum_add(&sum, s->item, (size_t)s->count * sizeof *s->item);
    if (s->vertex_count > 0) checksum_add(&sum, s->vertex, 3 * (size_t)s->vertex_count * sizeof *s->vertex);
    if (s->triangle_count > 0) checksum_add(&sum, s->triangle, 3 * (size_t)s->triangle_count * sizeof *s->triangle);
    return checksum_value(&sum);
}

static herr_t write_surfaces(trajectory *t, const frame_surfaces *s)
{
    const frame_surfaces none = {0};
    surface_sets set;
    if (s == NULL) s = &none;
    if (row_set_create(&set.item, t->file, "/surfaces/range", H5T_NATIVE_INT64, 4, chunk_rows(s->count, FEW_ROWS), "") <
            0 ||
        row_set_create(&set.vertex, t->file, "/surfaces/vertex", H5T_NATIVE_FLOAT, 3,
                       chunk_rows(s->vertex_count, FEW_ROWS), "m") < 0 ||
        row_set_create(&set.triangle, t->file, "/surfaces/triangle", H5T_NATIVE_INT32, 3,
                       chunk_rows(s->triangle_count, FEW_ROWS), "") < 0)
        return -1;
    if (row_set_write(&set.item, 0, s->count, s->item) < 0 ||
        row_set_write(&set.vertex, 0, s->vertex_count, s->vertex) < 0)
        return -1;
    if (row_set_write(&set.triangle, 0, s->triangle_count, s->triangle) < 0) return -1;
    return hdf5_put_u64(t->file, "surfaces_checksum", surfaces_checksum(s));
}

static const char FORMAT[] = "scree trajectory 5";

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
        const column *col = &columns[c];
        if (row_set_create(&t->column[c], t->file, col->path, hdf5_type(col->type), col->width, chunk[col->rows],
                           col->unit) < 0)
            return -1;
    }
    return hdf5_put_text(t->file, "format", FORMAT);
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
    hid_t file = H5Fcreate(path, H5F_ACC_EXCL, pages, access);  // made anew: no link is followed
    hdf5_close(pages);
    return file;
}

scr_status trajectory_create(const char *directory, frame_size usual, const frame_surfaces *surfaces,
                             trajectory **result, scr_error *error)
{
    trajectory *t;
    hid_t access = hdf5_access();
    scr_status status = trajectory_new(directory, true, &t, error);
    if (status != SCR_OK) goto done;
    t->file = create_file(t->path, access);
    if (t->file < 0 || create_datasets(t, &usual) < 0 || write_surfaces(t, surfaces) < 0 ||
        write_frame_count(t, 0) < 0 || H5Fstart_swmr_write(t->file) < 0) {
        status = hdf5_fail(error, t->path, "cannot create");
        hdf5_close(t->file);
        trajectory_destroy(t);
        goto done;
    }
    *result = t;
done:
    hdf5_close(access);
    return status;
}

static herr_t open_datasets(trajectory *t)
{
    t->count_set = H5Dopen2(t->file, "/frame_count", H5P_DEFAULT);
    if (t->count_set < 0 || row_set_open(&t->entries, t->file, "/frame", t->entry_type, 1) < 0 ||
        row_set_open(&t->index, t->file, "/index", H5T_NATIVE_UINT32, 1) < 0)
        return -1;
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        const column *col = &columns[c];
        if (row_set_open(&t->column[c], t->file, col->path, hdf5_type(col->type), col->width) < 0) return -1;
    }
    return 0;
}

// Rows that all columns of a kind have. A kill may come between extending two of them.
static int64_t common_rows(const trajectory *t, row_kind rows)
{
    int64_t least = INT64_MAX;
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        if (columns[c].rows == rows && t->column[c].rows < least) least = t->column[c].rows;
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

// Everything after opening the file itself, to read or to go on.
static scr_status read_entries(trajectory *t, scr_error *error)
{
    static const char not_ours[] = "this is not a trajectory of scree, or of another version of it, or it is damaged";
    char format[sizeof FORMAT + 8];
    bool is_ours = hdf5_get_text(t->file, "format", format, sizeof format) && strcmp(format, FORMAT) == 0;
    if (!is_ours || open_datasets(t) < 0) return hdf5_fail(error, t->path, not_ours);
    hid_t space = H5Dget_space(t->count_set);
    bool single = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    hdf5_close(space);
    int64_t count = 0;
    if (!single || H5Dread(t->count_set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &count) < 0)
        return hdf5_fail(error, t->path, not_ours);
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
    return SCR_OK;
}

static bool surface_is_valid(const frame_surfaces *s, const frame_surface *item)
{
    if (item->first_vertex < 0 || item->vertex_count < 0 || item->first_vertex > s->vertex_count) return false;
    if (item->first_triangle < 0 || item->triangle_count < 0 || item->first_triangle > s->triangle_count) return false;
    if (item->vertex_count > s->vertex_count - item->first_vertex) return false;
    if (item->triangle_count > s->triangle_count - item->first_triangle) return false;
    for (int64_t k = 3 * item->first_triangle; k < 3 * (item->first_triangle + item->triangle_count); ++k)
        if (s->triangle[k] < 0 || s->triangle[k] >= item->vertex_count) return false;
    return true;
}

static scr_status read_surfaces(trajectory *t, scr_error *error)
{
    surface_sets set;
    frame_surfaces *s = &t->surfaces;
    if (row_set_open(&set.item, t->file, "/surfaces/range", H5T_NATIVE_INT64, 4) < 0 ||
        row_set_open(&set.vertex, t->file, "/surfaces/vertex", H5T_NATIVE_FLOAT, 3) < 0 ||
        row_set_open(&set.triangle, t->file, "/surfaces/triangle", H5T_NATIVE_INT32, 3) < 0)
        return hdf5_fail(error, t->path, "cannot read the surfaces");
    scr_status status = scr_grow(&s->item, &s->capacity, set.item.rows, sizeof *s->item, "surfaces", error);
    if (status == SCR_OK)
        status = scr_grow(&s->vertex, &s->vertex_capacity, set.vertex.rows, 3 * sizeof *s->vertex, "surfaces", error);
    if (status == SCR_OK)
        status = scr_grow(&s->triangle, &s->triangle_capacity, set.triangle.rows, 3 * sizeof *s->triangle, "surfaces",
                          error);
    if (status != SCR_OK) return status;
    if (row_set_read(&set.item, 0, set.item.rows, s->item) < 0 ||
        row_set_read(&set.vertex, 0, set.vertex.rows, s->vertex) < 0 ||
        row_set_read(&set.triangle, 0, set.triangle.rows, s->triangle) < 0)
        return hdf5_fail(error, t->path, "cannot read the surfaces");
    s->count = set.item.rows;
    s->vertex_count = set.vertex.rows;
    s->triangle_count = set.triangle.rows;
    uint64_t written;
    if (!hdf5_get_u64(t->file, "surfaces_checksum", &written) || written != surfaces_checksum(s))
        return scr_fail(error, SCR_IO, "%s: damaged: the surfaces are not what was written", t->path);
    for (int64_t i = 0; i < s->count; ++i) {
        if (!surface_is_valid(s, &s->item[i]))
            return scr_fail(error, SCR_IO, "%s: damaged: surface %lld has points that are not there", t->path,
                            (long long)i);
    }
    return SCR_OK;
}

scr_status trajectory_open(const char *directory, trajectory **result, scr_error *error)
{
    trajectory *t;
    hid_t access = hdf5_access();
    scr_status status = trajectory_new(directory, false, &t, error);
    if (status != SCR_OK) goto done;
    // As a reader beside a writer: a run may be going on, or may have been killed.
    t->file = H5Fopen(t->path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    status = t->file < 0 ? hdf5_fail(error, t->path, "cannot read") : read_entries(t, error);
    if (status == SCR_OK) status = read_surfaces(t, error);
    if (status == SCR_OK) *result = t;
    else trajectory_close(t, NULL);
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

// New things go behind all that is in the file, so that they cannot meet what was never recorded in its length. The
// last chunk may have been cut off by the kill: it keeps its place.
static herr_t move_end(trajectory *t)
{
    hsize_t size, margin = 0;
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        if (t->column[c].chunk_bytes > margin) margin = t->column[c].chunk_bytes;
    }
    if (H5Fget_filesize(t->file, &size) < 0) return -1;
    hsize_t end = (size + margin + PAGE - 1) / PAGE * PAGE;
    return H5Fincrement_filesize(t->file, end - size);
}

// Make all columns of a kind equally long again, and forget the frames after the first frame_count.
static herr_t go_back(trajectory *t, int64_t frame_count)
{
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        for (int other = 0; other < COLUMN_COUNT; ++other) {
            if (columns[other].rows != columns[c].rows) continue;
            if (row_set_extend(&t->column[c], t->column[other].rows) < 0) return -1;
        }
    }
    if (write_frame_count(t, frame_count) < 0) return -1;
    t->frame_count = frame_count;
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

// ---- frames --------------------------------------------------------------------------------------------------------

// Each corner of a box is its centre plus or minus the half edges, in the order of a hexahedron's nodes.
static void box_corners(const frame_box *box, float *corner)
{
    static const signed char sign[CORNERS][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                                 {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    scr_quat q = {box->rotation[0], box->rotation[1], box->rotation[2], box->rotation[3]};
    for (int c = 0; c < CORNERS; ++c) {
        scr_vec3 local = vec3(sign[c][0] * box->half[0], sign[c][1] * box->half[1], sign[c][2] * box->half[2]);
        scr_vec3 point = vec3_add(vec3(box->position[0], box->position[1], box->position[2]), quat_rotate(q, local));
        corner[3 * c] = (float)point.x;
        corner[3 * c + 1] = (float)point.y;
        corner[3 * c + 2] = (float)point.z;
    }
}

static size_t column_size(const column *c)
{
    field_info field = {.type = c->type, .width = c->width};
    return field_size(&field);
}

static int64_t frame_rows(const frame *f, row_kind rows)
{
    const int64_t count[ROW_KIND_COUNT] = {f->spheres.count, f->box_count,     f->plane_count,
                                           f->part_count,    f->contact_count, f->rotation_count};
    return count[rows];
}

// The records that hold a column, and the bytes from one to the next.
static char *records(const frame *f, row_kind rows, size_t *stride)
{
    const size_t size[ROW_KIND_COUNT] = {
        0, sizeof *f->boxes, sizeof *f->planes, sizeof *f->parts, sizeof *f->contacts, sizeof *f->rotations};
    char *const first[ROW_KIND_COUNT] = {
        NULL, (char *)f->boxes, (char *)f->planes, (char *)f->parts, (char *)f->contacts, (char *)f->rotations};
    *stride = size[rows];
    return first[rows];
}

// The numbers of a column in one piece: the frame's own array, or scratch that a caller fills or empties.
static char *column_numbers(trajectory *t, const frame *f, const column *c)
{
    if (c->source != IN_ARRAY) return t->scratch;
    char *array;
    memcpy(&array, (const char *)f + c->offset, sizeof array);  // a pointer of some type: moved as bytes
    return array;
}

static void gather_column(trajectory *t, const frame *f, const column *c)
{
    if (c->source == IN_ARRAY) return;
    if (c->source == CORNERS_OF_BOX) {
        for (int64_t i = 0; i < f->box_count; ++i)
            box_corners(&f->boxes[i], (float *)(void *)t->scratch + 3 * CORNERS * i);
        return;
    }
    size_t stride, size = column_size(c);
    const char *record = records(f, c->rows, &stride);
    int64_t rows = frame_rows(f, c->rows);
    for (int64_t i = 0; i < rows; ++i)
        memcpy(t->scratch + (size_t)i * size, record + (size_t)i * stride + c->offset, size);
}

static void scatter_column(trajectory *t, const frame *f, const column *c)
{
    if (c->source == IN_ARRAY) return;
    size_t stride, size = column_size(c);
    char *record = records(f, c->rows, &stride);
    int64_t rows = frame_rows(f, c->rows);
    for (int64_t i = 0; i < rows; ++i)
        memcpy(record + (size_t)i * stride + c->offset, t->scratch + (size_t)i * size, size);
}

// Scratch for any column of records.
static scr_status reserve_scratch(trajectory *t, const frame *f, scr_error *error)
{
    int64_t need = 0;
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        if (columns[c].source != IN_ARRAY)
            need = max_i64(need, frame_rows(f, columns[c].rows) * (int64_t)column_size(&columns[c]));
    }
    return scr_grow(&t->scratch, &t->scratch_capacity, need, 1, "shapes of a frame", error);
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

static checksum entry_checksum(const frame_entry *e)
{
    checksum sum = checksum_begin();
    checksum_add(&sum, e, offsetof(frame_entry, checksum));
    return sum;
}

// Corners follow from other columns and are not read back.
static void add_column(checksum *sum, const column *c, const void *numbers, int64_t rows)
{
    if (c->source != CORNERS_OF_BOX && rows > 0) checksum_add(sum, numbers, (size_t)rows * column_size(c));
}

static herr_t write_rows(trajectory *t, const frame *f, frame_entry *e)
{
    checksum sum = entry_checksum(e);
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        const column *col = &columns[c];
        gather_column(t, f, col);
        add_column(&sum, col, column_numbers(t, f, col), e->count[col->rows]);
        if (row_set_write(&t->column[c], e->start[col->rows], e->count[col->rows], column_numbers(t, f, col)) < 0)
            return -1;
    }
    e->checksum = checksum_value(&sum);
    return write_index(
        t, max_i64(max_i64(f->spheres.count, f->part_count), max_i64(CORNERS * f->box_count, 2 * f->contact_count)));
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

int64_t trajectory_frame_count(const trajectory *t) { return t->frame_count; }
double trajectory_frame_time(const trajectory *t, int64_t index) { return t->entry[index].time; }
frame_size trajectory_frame_size(const trajectory *t, int64_t index)
{
    const int64_t *count = t->entry[index].count;
    return (frame_size){count[SPHERE_ROWS], count[BOX_ROWS],     count[PLANE_ROWS],
                        count[PART_ROWS],   count[CONTACT_ROWS], count[ROTATION_ROWS]};
}

scr_status trajectory_read(trajectory *t, int64_t index, frame *f, scr_error *error)
{
    if (index < 0 || index >= t->frame_count)
        return scr_fail(error, SCR_BAD_INPUT, "%s: there is no frame %lld; frames go from 0 to %lld", t->path,
                        (long long)index, (long long)t->frame_count - 1);
    const frame_entry *e = &t->entry[index];
    frame_size size = trajectory_frame_size(t, index);
    scr_status status = frame_reserve(f, size, error);
    if (status != SCR_OK) return status;
    f->time = e->time;
    f->spheres.count = e->count[SPHERE_ROWS];
    f->box_count = e->count[BOX_ROWS];
    f->plane_count = e->count[PLANE_ROWS];
    f->part_count = e->count[PART_ROWS];
    f->contact_count = e->count[CONTACT_ROWS];
    f->rotation_count = e->count[ROTATION_ROWS];
    f->surfaces = &t->surfaces;
    status = reserve_scratch(t, f, error);
    if (status != SCR_OK) return status;
    checksum sum = entry_checksum(e);
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        const column *col = &columns[c];
        if (col->source == CORNERS_OF_BOX) continue;
        if (row_set_read(&t->column[c], e->start[col->rows], e->count[col->rows], column_numbers(t, f, col)) < 0)
            return hdf5_fail(error, t->path, "cannot read a frame");
        add_column(&sum, col, column_numbers(t, f, col), e->count[col->rows]);
        scatter_column(t, f, col);
    }
    if (checksum_value(&sum) != e->checksum)
        return scr_fail(error, SCR_IO, "%s: damaged: frame %lld is not what was written", t->path, (long long)index);
    for (int64_t i = 0; i < f->part_count; ++i) {
        if (f->parts[i].surface < -1 || f->parts[i].surface >= t->surfaces.count || f->parts[i].shape > SCR_PLANE)
            return scr_fail(error, SCR_IO, "%s: damaged: frame %lld has a shape that cannot be", t->path,
                            (long long)index);
    }
    if (t->hidden != NULL) frame_hide_bodies(f, t->hidden, t->hidden_count);
    return SCR_OK;
}

void trajectory_hide_bodies(trajectory *t, const bool *hidden, int64_t count)
{
    t->hidden = hidden;
    t->hidden_count = count;
}
