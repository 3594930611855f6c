// trajectory.h5: the frames of a run.
//
// Surviving a kill at any moment rests on three things:
//   - HDF5's single-writer mode (SWMR): its structures reach the file in an order that keeps the file readable;
//   - no chunk cache: rows are in the file when H5Dwrite returns, before anything points at them;
//   - /frame_count, eight bytes rewritten in place when everything else of a frame is there.
// A resume that goes back to an earlier frame lowers /frame_count and overwrites the rows behind it. The datasets
// never shrink: in single-writer mode they cannot, and without it a kill while shrinking could lose them.
#include "io/trajectory.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/quat.h"
#include "io/hdf5_tools.h"
#include "io/safe_file.h"
#include "io/xdmf.h"

enum {
    SPHERE_CHUNK = 4096,  // rows; a compromise between small files of small runs and few chunks of large ones
    INDEX_CHUNK = 4096,   // numbers
    FEW_CHUNK = 64,       // rows of things that are few: boxes, planes, frames
    CORNERS = 8,
    CHUNK_BYTES_MAX = 1 << 16,  // no column has larger chunks
};

// Where a column's numbers are: spheres have an array for each column, boxes and planes a record for each row. Corners
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
    {"/boxes/position", BOX_ROWS, FIELD_F32, 3, "m", IN_RECORD, offsetof(frame_box, position)},
    {"/boxes/rotation", BOX_ROWS, FIELD_F32, 4, "", IN_RECORD, offsetof(frame_box, rotation)},
    {"/boxes/half", BOX_ROWS, FIELD_F32, 3, "m", IN_RECORD, offsetof(frame_box, half)},
    {"/boxes/velocity", BOX_ROWS, FIELD_F32, 3, "m/s", IN_RECORD, offsetof(frame_box, velocity)},
    {"/boxes/id", BOX_ROWS, FIELD_U32, 1, "", IN_RECORD, offsetof(frame_box, id)},
    {"/boxes/material", BOX_ROWS, FIELD_U8, 1, "", IN_RECORD, offsetof(frame_box, material)},
    {"/boxes/kind", BOX_ROWS, FIELD_U8, 1, "", IN_RECORD, offsetof(frame_box, kind)},
    {"/boxes/corner", BOX_ROWS, FIELD_F32, 3 * CORNERS, "m", CORNERS_OF_BOX, 0},
    {"/planes/position", PLANE_ROWS, FIELD_F32, 3, "m", IN_RECORD, offsetof(frame_plane, position)},
    {"/planes/rotation", PLANE_ROWS, FIELD_F32, 4, "", IN_RECORD, offsetof(frame_plane, rotation)},
    {"/planes/id", PLANE_ROWS, FIELD_U32, 1, "", IN_RECORD, offsetof(frame_plane, id)},
    {"/planes/material", PLANE_ROWS, FIELD_U8, 1, "", IN_RECORD, offsetof(frame_plane, material)},
};
enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };
_Static_assert(SPHERE_CHUNK * 3 * sizeof(float) <= CHUNK_BYTES_MAX, "position and velocity of spheres");
_Static_assert(FEW_CHUNK * 3 * CORNERS * sizeof(float) <= CHUNK_BYTES_MAX, "corners of boxes");

struct trajectory {
    char directory[PATH_LENGTH_MAX], path[PATH_LENGTH_MAX];
    bool writing;
    bool broken;  // a write failed: the file is left as it is on the disk
    hid_t file, entry_type, count_set, entry_set, index_set;
    hid_t set[COLUMN_COUNT];
    // Rows that the datasets have, whether counted or left over.
    hsize_t row_total[ROW_KIND_COUNT], entry_total, index_total;
    frame_entry *entry;
    int64_t frame_count, entry_capacity;
    char *scratch;  // a column of boxes or planes
    int64_t scratch_capacity;
};

// ---- what a dataset looks like -------------------------------------------------------------------------------------

static hid_t make_entry_type(void)
{
    hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(frame_entry));
    if (type < 0) return type;
    static const char *const starts[ROW_KIND_COUNT] = {"sphere_start", "box_start", "plane_start"};
    static const char *const counts[ROW_KIND_COUNT] = {"sphere_count", "box_count", "plane_count"};
    H5Tinsert(type, "time", offsetof(frame_entry, time), H5T_NATIVE_DOUBLE);
    for (size_t k = 0; k < ROW_KIND_COUNT; ++k) {
        H5Tinsert(type, starts[k], offsetof(frame_entry, start) + k * sizeof(int64_t), H5T_NATIVE_INT64);
        H5Tinsert(type, counts[k], offsetof(frame_entry, count) + k * sizeof(int64_t), H5T_NATIVE_INT64);
    }
    return type;
}

// Without a cache every write goes to the file at once, and a reader sees what is in the file.
static hid_t uncached(void)
{
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    if (access >= 0) H5Pset_chunk_cache(access, H5D_CHUNK_CACHE_NSLOTS_DEFAULT, 0, H5D_CHUNK_CACHE_W0_DEFAULT);
    return access;
}

// A dataset of rows without end, width numbers each, empty so far.
static hid_t create_rows(hid_t file, const char *path, hid_t type, int width, hsize_t chunk, const char *unit)
{
    int rank = width > 1 ? 2 : 1;
    hsize_t size[2] = {0, (hsize_t)width}, limit[2] = {H5S_UNLIMITED, (hsize_t)width},
            piece[2] = {chunk, (hsize_t)width};
    hid_t set = H5I_INVALID_HID;
    hid_t space = H5Screate_simple(rank, size, limit), access = uncached();
    hid_t links = H5Pcreate(H5P_LINK_CREATE), layout = H5Pcreate(H5P_DATASET_CREATE);
    if (space >= 0 && access >= 0 && links >= 0 && layout >= 0) {
        H5Pset_create_intermediate_group(links, 1);
        H5Pset_chunk(layout, rank, piece);
        H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER);
        set = H5Dcreate2(file, path, type, space, links, layout, access);
    }
    if (set >= 0 && unit[0] != '\0' && hdf5_put_text(set, "unit", unit) < 0) {
        H5Dclose(set);
        set = H5I_INVALID_HID;
    }
    if (layout >= 0) H5Pclose(layout);
    if (links >= 0) H5Pclose(links);
    if (access >= 0) H5Pclose(access);
    if (space >= 0) H5Sclose(space);
    return set;
}

static hid_t create_column(hid_t file, const column *c)
{
    hsize_t chunk = c->rows == SPHERE_ROWS ? SPHERE_CHUNK : FEW_CHUNK;
    return create_rows(file, c->path, hdf5_type(c->type), c->width, chunk, c->unit);
}

// Open a dataset of rows and say how many it has. Fails unless it has the shape we would give it.
static hid_t open_rows(hid_t file, const char *path, int width, hsize_t *rows)
{
    hid_t access = uncached();
    hid_t set = access < 0 ? access : H5Dopen2(file, path, access);
    hid_t space = set < 0 ? set : H5Dget_space(set);
    hsize_t size[H5S_MAX_RANK] = {0};
    bool fits = false;
    if (space >= 0 && H5Sget_simple_extent_dims(space, size, NULL) == (width > 1 ? 2 : 1))
        fits = width == 1 || size[1] == (hsize_t)width;
    if (fits) *rows = size[0];
    if (space >= 0) H5Sclose(space);
    if (access >= 0) H5Pclose(access);
    if (set >= 0 && !fits) {
        H5Dclose(set);
        set = H5I_INVALID_HID;
    }
    return set;
}

typedef enum direction { INTO_MEMORY, INTO_FILE } direction;

// Move rows start ... start + count between memory and a dataset that has them.
static herr_t move_rows(hid_t set, hid_t type, int width, int64_t start, int64_t count, void *data, direction way)
{
    if (count == 0) return 0;
    hsize_t first[2] = {(hsize_t)start, 0}, size[2] = {(hsize_t)count, (hsize_t)width};
    herr_t result = -1;
    hid_t there = H5Dget_space(set), here = H5Screate_simple(width > 1 ? 2 : 1, size, NULL);
    if (there >= 0 && here >= 0 && H5Sselect_hyperslab(there, H5S_SELECT_SET, first, NULL, size, NULL) >= 0) {
        result = way == INTO_FILE ? H5Dwrite(set, type, here, there, H5P_DEFAULT, data)
                                  : H5Dread(set, type, here, there, H5P_DEFAULT, data);
    }
    if (here >= 0) H5Sclose(here);
    if (there >= 0) H5Sclose(there);
    return result;
}

static herr_t extend_rows(hid_t set, int width, int64_t rows)
{
    hsize_t size[2] = {(hsize_t)rows, (hsize_t)width};
    return H5Dset_extent(set, size);
}

// ---- opening and closing -------------------------------------------------------------------------------------------

static scr_status trajectory_new(const char *directory, bool writing, trajectory **result, scr_error *error)
{
    *result = NULL;
    trajectory *t = scr_alloc(sizeof *t);
    if (t == NULL) return scr_fail_memory(error, sizeof *t, "a trajectory");
    *t = (trajectory){.writing = writing, .file = H5I_INVALID_HID, .entry_type = H5I_INVALID_HID};
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
    if (t->entry_type >= 0) H5Tclose(t->entry_type);
    scr_free(t->entry);
    scr_free(t->scratch);
    scr_free(t);
}

static herr_t create_datasets(trajectory *t)
{
    hid_t scalar = H5Screate(H5S_SCALAR), early = H5Pcreate(H5P_DATASET_CREATE);
    if (scalar < 0 || early < 0) return -1;
    H5Pset_alloc_time(early, H5D_ALLOC_TIME_EARLY);
    t->count_set = H5Dcreate2(t->file, "/frame_count", H5T_NATIVE_INT64, scalar, H5P_DEFAULT, early, H5P_DEFAULT);
    H5Pclose(early);
    H5Sclose(scalar);
    t->entry_set = create_rows(t->file, "/frame", t->entry_type, 1, FEW_CHUNK, "");
    t->index_set = create_rows(t->file, "/index", H5T_NATIVE_UINT32, 1, INDEX_CHUNK, "");
    if (t->count_set < 0 || t->entry_set < 0 || t->index_set < 0) return -1;
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        t->set[c] = create_column(t->file, &columns[c]);
        if (t->set[c] < 0) return -1;
    }
    return hdf5_put_text(t->file, "format", "scree trajectory 1");
}

// /frame_count is all that makes frames exist: raw bytes in place, in the file when this returns.
static herr_t write_frame_count(trajectory *t, int64_t count)
{
    if (H5Dwrite(t->count_set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &count) < 0) return -1;
    return H5Dflush(t->count_set);
}

scr_status trajectory_create(const char *directory, trajectory **result, scr_error *error)
{
    trajectory *t;
    hid_t access = hdf5_access();
    scr_status status = trajectory_new(directory, true, &t, error);
    if (status != SCR_OK) goto done;
    t->file = H5Fcreate(t->path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (t->file < 0 || create_datasets(t) < 0 || write_frame_count(t, 0) < 0 || H5Fstart_swmr_write(t->file) < 0) {
        status = hdf5_fail(error, t->path, "cannot create");
        if (t->file >= 0) H5Fclose(t->file);
        trajectory_destroy(t);
        goto done;
    }
    *result = t;
done:
    if (access >= 0) H5Pclose(access);
    return status;
}

// A kill may come between extending two columns of a kind. To a reader only rows that all of them have count; to go on
// writing, all are made as long as the longest.
static herr_t even_out(trajectory *t, const hsize_t rows[COLUMN_COUNT])
{
    for (int k = 0; k < ROW_KIND_COUNT; ++k) {
        hsize_t least = HSIZE_UNDEF, most = 0;
        for (int c = 0; c < COLUMN_COUNT; ++c) {
            if ((int)columns[c].rows != k) continue;
            if (rows[c] < least) least = rows[c];
            if (rows[c] > most) most = rows[c];
        }
        t->row_total[k] = t->writing ? most : least;
    }
    for (int c = 0; t->writing && c < COLUMN_COUNT; ++c) {
        hsize_t wanted = t->row_total[columns[c].rows];
        if (rows[c] < wanted && extend_rows(t->set[c], columns[c].width, (int64_t)wanted) < 0) return -1;
    }
    return 0;
}

static herr_t open_datasets(trajectory *t)
{
    t->count_set = H5Dopen2(t->file, "/frame_count", H5P_DEFAULT);
    t->entry_set = open_rows(t->file, "/frame", 1, &t->entry_total);
    t->index_set = open_rows(t->file, "/index", 1, &t->index_total);
    if (t->count_set < 0 || t->entry_set < 0 || t->index_set < 0) return -1;
    hsize_t rows[COLUMN_COUNT];
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        t->set[c] = open_rows(t->file, columns[c].path, columns[c].width, &rows[c]);
        if (t->set[c] < 0) return -1;
    }
    return even_out(t, rows);
}

static bool entry_is_valid(const trajectory *t, const frame_entry *e)
{
    for (int k = 0; k < ROW_KIND_COUNT; ++k) {
        if (e->start[k] < 0 || e->count[k] < 0 || (uint64_t)e->start[k] > t->row_total[k]) return false;
        if ((uint64_t)e->count[k] > t->row_total[k] - (uint64_t)e->start[k]) return false;
    }
    return true;
}

// Everything after opening the file itself, to read or to go on.
static scr_status read_entries(trajectory *t, scr_error *error)
{
    static const char not_ours[] = "this is not a trajectory of scree, or it is damaged";
    if (open_datasets(t) < 0) return hdf5_fail(error, t->path, not_ours);
    hid_t space = H5Dget_space(t->count_set);
    bool single = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    if (space >= 0) H5Sclose(space);
    int64_t count = 0;
    if (!single || H5Dread(t->count_set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &count) < 0)
        return hdf5_fail(error, t->path, not_ours);
    if (count < 0 || (uint64_t)count > t->entry_total)
        return scr_fail(error, SCR_IO, "%s: damaged: %lld frames are counted, but %llu are there", t->path,
                        (long long)count, (unsigned long long)t->entry_total);
    scr_status status = scr_grow(&t->entry, &t->entry_capacity, count, sizeof *t->entry, "frames", error);
    if (status != SCR_OK) return status;
    if (move_rows(t->entry_set, t->entry_type, 1, 0, count, t->entry, INTO_MEMORY) < 0)
        return hdf5_fail(error, t->path, "cannot read the list of frames");
    for (int64_t i = 0; i < count; ++i) {
        if (!entry_is_valid(t, &t->entry[i]))
            return scr_fail(error, SCR_IO, "%s: damaged: frame %lld points to rows that are not there", t->path,
                            (long long)i);
    }
    t->frame_count = count;
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
    if (status == SCR_OK) *result = t;
    else trajectory_close(t, NULL);
done:
    if (access >= 0) H5Pclose(access);
    return status;
}

// After a kill the file says that somebody is writing it, and its own idea of its length may be out of date in either
// direction. These two properties are those that HDF5's repair program h5clear uses.
static hid_t open_after_kill(const char *path, hid_t access)
{
    const hbool_t yes = true;
    if (H5Pset(access, "clear_status_flags", &yes) < 0 || H5Pset(access, "skip_eof_check", &yes) < 0)
        return H5I_INVALID_HID;
    hid_t file = H5Fopen(path, H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access);
    // New things go behind all that is in the file, so that they cannot meet what was never recorded in its length.
    // The last chunk may have been cut off by the kill: it keeps its place.
    if (file >= 0 && H5Fincrement_filesize(file, CHUNK_BYTES_MAX) < 0) {
        H5Fclose(file);
        return H5I_INVALID_HID;
    }
    return file;
}

scr_status trajectory_continue(const char *directory, int64_t frame_count, trajectory **result, scr_error *error)
{
    trajectory *t;
    hid_t access = hdf5_access();
    scr_status status = trajectory_new(directory, true, &t, error);
    if (status != SCR_OK) goto done;
    t->file = open_after_kill(t->path, access);
    status = t->file < 0 ? hdf5_fail(error, t->path, "cannot continue") : read_entries(t, error);
    if (status == SCR_OK && t->frame_count < frame_count)
        status = scr_fail(error, SCR_IO, "%s: only %lld frames are there, but %lld were written", t->path,
                          (long long)t->frame_count, (long long)frame_count);
    if (status == SCR_OK && write_frame_count(t, frame_count) < 0)
        status = hdf5_fail(error, t->path, "cannot continue");
    if (status != SCR_OK) {
        t->writing = false;
        trajectory_close(t, NULL);
        goto done;
    }
    t->frame_count = frame_count;
    *result = t;
done:
    if (access >= 0) H5Pclose(access);
    return status;
}

static scr_status write_xdmf(trajectory *t, scr_error *error)
{
    return xdmf_write(t->directory, t->entry, t->frame_count, t->row_total, t->index_total, error);
}

scr_status trajectory_sync(trajectory *t, scr_error *error)
{
    void *handle = NULL;
    if (H5Fflush(t->file, H5F_SCOPE_LOCAL) < 0 || H5Fget_vfd_handle(t->file, H5P_DEFAULT, &handle) < 0) {
        t->broken = true;
        return hdf5_fail(error, t->path, "cannot write");
    }
    if (fsync(*(int *)handle) != 0)
        return scr_fail(error, SCR_IO, "%s: cannot bring to the disk: %s", t->path, strerror(errno));
    return write_xdmf(t, error);
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

// ---- frames --------------------------------------------------------------------------------------------------------

// Each corner of a box is its centre plus or minus the half edges, in the order of a hexahedron's nodes.
static void box_corners(const frame_box *box, float *corner)
{
    static const signed char sign[CORNERS][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                                 {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    scr_quat q = {box->rotation[0], box->rotation[1], box->rotation[2], box->rotation[3]};
    for (int c = 0; c < CORNERS; ++c) {
        scr_vec3 local = vec3(sign[c][0] * box->half[0], sign[c][1] * box->half[1], sign[c][2] * box->half[2]);
        scr_vec3 place = vec3_add(vec3(box->position[0], box->position[1], box->position[2]), quat_rotate(q, local));
        corner[3 * c] = (float)place.x;
        corner[3 * c + 1] = (float)place.y;
        corner[3 * c + 2] = (float)place.z;
    }
}

static size_t column_size(const column *c)
{
    field_info field = {.type = c->type, .width = c->width};
    return field_size(&field);
}

static int64_t frame_rows(const frame *f, row_kind rows)
{
    switch (rows) {
    case SPHERE_ROWS: return f->spheres.count;
    case BOX_ROWS: return f->box_count;
    default: return f->plane_count;
    }
}

// The records that hold a column of boxes or planes, and the bytes from one to the next.
static char *records(const frame *f, row_kind rows, size_t *stride)
{
    *stride = rows == BOX_ROWS ? sizeof *f->boxes : sizeof *f->planes;
    return rows == BOX_ROWS ? (char *)f->boxes : (char *)f->planes;
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

// Scratch for any column of boxes and planes; the corners are the widest.
static scr_status reserve_scratch(trajectory *t, const frame *f, scr_error *error)
{
    int64_t rows = f->box_count > f->plane_count ? f->box_count : f->plane_count;
    return scr_grow(&t->scratch, &t->scratch_capacity, rows, 3 * CORNERS * sizeof(float), "boxes of a frame", error);
}

static herr_t write_column(trajectory *t, int c, const frame *f, const frame_entry *e)
{
    const column *col = &columns[c];
    int64_t start = e->start[col->rows], count = e->count[col->rows];
    if ((hsize_t)(start + count) > t->row_total[col->rows] && extend_rows(t->set[c], col->width, start + count) < 0)
        return -1;
    gather_column(t, f, col);
    return move_rows(t->set[c], hdf5_type(col->type), col->width, start, count, column_numbers(t, f, col), INTO_FILE);
}

// 0, 1, 2, ...: which points make up a sphere or a box. As long as the fullest frame needs it, shared by all frames.
static herr_t write_index(trajectory *t, int64_t needed)
{
    uint32_t number[INDEX_CHUNK];
    while ((int64_t)t->index_total < needed) {
        int64_t known = (int64_t)t->index_total, count = needed - known < INDEX_CHUNK ? needed - known : INDEX_CHUNK;
        for (int64_t i = 0; i < count; ++i) number[i] = (uint32_t)(known + i);
        if (extend_rows(t->index_set, 1, known + count) < 0) return -1;
        if (move_rows(t->index_set, H5T_NATIVE_UINT32, 1, known, count, number, INTO_FILE) < 0) return -1;
        t->index_total = (hsize_t)(known + count);
    }
    return 0;
}

static herr_t write_rows(trajectory *t, const frame *f, const frame_entry *e)
{
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        if (write_column(t, c, f, e) < 0) return -1;
    }
    if (write_index(t, f->spheres.count) < 0 || write_index(t, CORNERS * f->box_count) < 0) return -1;
    for (int k = 0; k < ROW_KIND_COUNT; ++k) {
        hsize_t end = (hsize_t)(e->start[k] + e->count[k]);
        if (end > t->row_total[k]) t->row_total[k] = end;
    }
    return 0;
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

static herr_t write_entry(trajectory *t, const frame_entry *e)
{
    hsize_t needed = (hsize_t)t->frame_count + 1;
    if (needed > t->entry_total) {
        if (extend_rows(t->entry_set, 1, (int64_t)needed) < 0) return -1;
        t->entry_total = needed;
    }
    frame_entry copy = *e;
    return move_rows(t->entry_set, t->entry_type, 1, t->frame_count, 1, &copy, INTO_FILE);
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
    if (write_rows(t, f, &e) < 0 || write_entry(t, &e) < 0 || H5Fflush(t->file, H5F_SCOPE_LOCAL) < 0 ||
        write_frame_count(t, t->frame_count + 1) < 0) {
        t->broken = true;
        return hdf5_fail(error, t->path, "cannot write");
    }
    t->entry[t->frame_count++] = e;
    return SCR_OK;
}

int64_t trajectory_frame_count(const trajectory *t) { return t->frame_count; }
double trajectory_frame_time(const trajectory *t, int64_t index) { return t->entry[index].time; }

scr_status trajectory_read(trajectory *t, int64_t index, frame *f, scr_error *error)
{
    if (index < 0 || index >= t->frame_count)
        return scr_fail(error, SCR_BAD_INPUT, "%s: there is no frame %lld; frames go from 0 to %lld", t->path,
                        (long long)index, (long long)t->frame_count - 1);
    const frame_entry *e = &t->entry[index];
    scr_status status = frame_reserve(f, e->count[SPHERE_ROWS], e->count[BOX_ROWS], e->count[PLANE_ROWS], error);
    if (status != SCR_OK) return status;
    f->time = e->time;
    f->spheres.count = e->count[SPHERE_ROWS];
    f->box_count = e->count[BOX_ROWS];
    f->plane_count = e->count[PLANE_ROWS];
    status = reserve_scratch(t, f, error);
    if (status != SCR_OK) return status;
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        const column *col = &columns[c];
        if (col->source == CORNERS_OF_BOX) continue;
        if (move_rows(t->set[c], hdf5_type(col->type), col->width, e->start[col->rows], e->count[col->rows],
                      column_numbers(t, f, col), INTO_MEMORY) < 0)
            return hdf5_fail(error, t->path, "cannot read a frame");
        scatter_column(t, f, col);
    }
    return SCR_OK;
}
