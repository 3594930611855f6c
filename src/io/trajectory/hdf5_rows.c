// SPDX-License-Identifier: BSD-3-Clause
// A row set: an HDF5 dataset of rows that grows at its end.
#include "io/trajectory/hdf5_rows.h"

static int rank_of(const hdf5_rows *set) { return set->width > 1 ? 2 : 1; }

static hid_t uncached(void)
{
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    if (access >= 0) H5Pset_chunk_cache(access, H5D_CHUNK_CACHE_NSLOTS_DEFAULT, 0, H5D_CHUNK_CACHE_W0_DEFAULT);
    return access;
}

herr_t row_set_create(hdf5_rows *set, hid_t file, const char *path, hid_t type, int width, int64_t chunk_rows,
                      const char *unit)
{
    *set = (hdf5_rows){.id = H5I_INVALID_HID, .type = type, .width = width};
    set->chunk_bytes = (hsize_t)chunk_rows * (hsize_t)width * H5Tget_size(type);
    hsize_t columns = (hsize_t)width, size[2] = {0, columns}, limit[2] = {H5S_UNLIMITED, columns};
    hsize_t chunk[2] = {(hsize_t)chunk_rows, columns};
    hid_t space = H5Screate_simple(rank_of(set), size, limit), access = uncached();
    hid_t links = H5Pcreate(H5P_LINK_CREATE), layout = H5Pcreate(H5P_DATASET_CREATE);
    if (space >= 0 && access >= 0 && links >= 0 && layout >= 0) {
        H5Pset_create_intermediate_group(links, 1);
        H5Pset_chunk(layout, rank_of(set), chunk);
        H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER);
        set->id = H5Dcreate2(file, path, type, space, links, layout, access);
    }
    herr_t result = set->id < 0 ? -1 : 0;
    if (result >= 0 && unit[0] != '\0') result = hdf5_put_text(set->id, "unit", unit);
    hdf5_close(layout);
    hdf5_close(links);
    hdf5_close(access);
    hdf5_close(space);
    return result;
}

herr_t row_set_open(hdf5_rows *set, hid_t file, const char *path, hid_t type, int width)
{
    *set = (hdf5_rows){.type = type, .width = width};
    hid_t access = uncached();
    set->id = access < 0 ? access : H5Dopen2(file, path, access);
    hid_t space = set->id < 0 ? set->id : H5Dget_space(set->id);
    hid_t layout = set->id < 0 ? set->id : H5Dget_create_plist(set->id);
    int rank = rank_of(set);
    hsize_t size[H5S_MAX_RANK] = {0}, chunk[2] = {0, 1};
    bool fits = space >= 0 && layout >= 0 && H5Sget_simple_extent_dims(space, size, NULL) == rank &&
                H5Pget_chunk(layout, rank, chunk) == rank && (rank == 1 || size[1] == (hsize_t)width) &&
                size[0] <= INT64_MAX;
    set->rows = fits ? (int64_t)size[0] : 0;
    set->chunk_bytes = chunk[0] * chunk[1] * H5Tget_size(type);
    hdf5_close(layout);
    hdf5_close(space);
    hdf5_close(access);
    return fits ? 0 : -1;
}

herr_t row_set_extend(hdf5_rows *set, int64_t rows)
{
    if (rows <= set->rows) return 0;
    hsize_t size[2] = {(hsize_t)rows, (hsize_t)set->width};
    if (H5Dset_extent(set->id, size) < 0) return -1;
    set->rows = rows;
    return 0;
}

// The rows as a selection of the file's, and as much room in memory.
typedef struct row_range {
    hid_t there, here;
} row_range;

static herr_t open_range(const hdf5_rows *set, int64_t start, int64_t count, row_range *range)
{
    hsize_t first[2] = {(hsize_t)start, 0}, size[2] = {(hsize_t)count, (hsize_t)set->width};
    range->there = H5Dget_space(set->id);
    range->here = H5Screate_simple(rank_of(set), size, NULL);
    if (range->there < 0 || range->here < 0) return -1;
    return H5Sselect_hyperslab(range->there, H5S_SELECT_SET, first, NULL, size, NULL);
}

static void close_range(row_range *range)
{
    hdf5_close(range->here);
    hdf5_close(range->there);
}

herr_t row_set_write(hdf5_rows *set, int64_t start, int64_t count, const void *data)
{
    if (count == 0) return 0;
    if (row_set_extend(set, start + count) < 0) return -1;
    row_range range;
    herr_t result = open_range(set, start, count, &range);
    if (result >= 0) result = H5Dwrite(set->id, set->type, range.here, range.there, H5P_DEFAULT, data);
    close_range(&range);
    return result;
}

herr_t row_set_read(const hdf5_rows *set, int64_t start, int64_t count, void *data)
{
    if (count == 0) return 0;
    row_range range;
    herr_t result = open_range(set, start, count, &range);
    if (result >= 0) result = H5Dread(set->id, set->type, range.here, range.there, H5P_DEFAULT, data);
    close_range(&range);
    return result;
}
