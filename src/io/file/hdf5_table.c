// SPDX-License-Identifier: BSD-3-Clause
// Tables (core/arrays/table.h) as groups of an HDF5 file.
#include "io/file/hdf5_table.h"

#include "io/file/hdf5_tools.h"

// The shape of a field: one number, or rows of them.
typedef struct field_shape {
    int rank;
    hsize_t size[2];
} field_shape;

static field_shape shape_of(const table *t, const field_info *field)
{
    field_shape shape = {0};
    if (!field->scalar) shape.size[shape.rank++] = (hsize_t)t->count;
    if (field->width > 1) shape.size[shape.rank++] = (hsize_t)field->width;
    return shape;
}

static herr_t write_field(hid_t group, const table *t, const field_info *field)
{
    field_shape shape = shape_of(t, field);
    herr_t result = -1;
    hid_t set = H5I_INVALID_HID, layout = hdf5_creation(H5P_DATASET_CREATE);
    hid_t space = shape.rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(shape.rank, shape.size, NULL);
    if (space < 0 || layout < 0) goto done;
    H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER);  // every number is written: nothing to fill
    set = H5Dcreate2(group, field->name, hdf5_type(field->type), space, H5P_DEFAULT, layout, H5P_DEFAULT);
    if (set < 0 || (field->unit[0] != '\0' && hdf5_put_text(set, "unit", field->unit) < 0)) goto done;
    result = 0;
    if (H5Sget_simple_extent_npoints(space) > 0)
        result = H5Dwrite(set, hdf5_type(field->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, table_data(t, field));
done:
    hdf5_close(set);
    hdf5_close(space);
    hdf5_close(layout);
    return result;
}

herr_t hdf5_write_table(hid_t parent, const table *t)
{
    if (t->is_optional && t->count == 0) return 0;
    hid_t group = hdf5_make_group(parent, t->name);
    if (group < 0) return -1;
    herr_t result = hdf5_put_u64(group, "count", (uint64_t)t->count);
    for (int f = 0; result >= 0 && f < t->field_count; ++f) result = write_field(group, t, &t->field[f]);
    hdf5_close(group);
    return result;
}

// True if the dataset holds exactly the numbers that the field has room for.
static bool field_fits(hid_t set, const table *t, const field_info *field)
{
    bool fits = false;
    field_shape shape = shape_of(t, field);
    hsize_t size[H5S_MAX_RANK] = {0};
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    if (space >= 0 && type >= 0 && H5Tequal(type, hdf5_type(field->type)) > 0) {
        fits = H5Sget_simple_extent_dims(space, size, NULL) == shape.rank;
        for (int d = 0; d < shape.rank; ++d) fits = fits && size[d] == shape.size[d];
    }
    hdf5_close(type);
    hdf5_close(space);
    return fits;
}

static scr_status read_field(hid_t group, const char *path, const table *t, const field_info *field, scr_error *error)
{
    hid_t set = H5Dopen2(group, field->name, H5P_DEFAULT);
    scr_status status = SCR_OK;
    if (set < 0 || !field_fits(set, t, field)) {
        status = scr_fail(error, SCR_IO, "%s: %s.%s is damaged or missing, or was written by another version of scree",
                          path, t->name, field->name);
    } else if ((field->scalar || t->count > 0) &&
               H5Dread(set, hdf5_type(field->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, table_data(t, field)) < 0) {
        status = hdf5_fail(error, path, "cannot read");
    }
    hdf5_close(set);
    H5Eclear2(H5E_DEFAULT);
    return status;
}

scr_status hdf5_read_table(hid_t parent, const char *path, table *t, scr_error *error)
{
    if (t->is_optional && H5Lexists(parent, t->name, H5P_DEFAULT) == 0) {
        t->count = 0;
        return SCR_OK;
    }
    hid_t group = H5Gopen2(parent, t->name, H5P_DEFAULT);
    uint64_t count = 0;
    scr_status status = SCR_OK;
    if (group < 0 || !hdf5_get_u64(group, "count", &count) || count > INT64_MAX)
        status = scr_fail(error, SCR_IO,
                          "%s: the table %s is damaged or missing, or was written by another version of scree", path,
                          t->name);
    if (status == SCR_OK) status = table_reserve(t, (int64_t)count, error);
    if (status == SCR_OK) t->count = (int64_t)count;
    for (int f = 0; status == SCR_OK && f < t->field_count; ++f)
        status = read_field(group, path, t, &t->field[f], error);
    hdf5_close(group);
    H5Eclear2(H5E_DEFAULT);
    return status;
}
