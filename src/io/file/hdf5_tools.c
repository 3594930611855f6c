// SPDX-License-Identifier: BSD-3-Clause
// What trajectory and checkpoint share of HDF5.
#include "io/file/hdf5_tools.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/printable.h"

enum { READ_ATTEMPTS = 10 };

hid_t hdf5_access(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0) return access;
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    // Lock where the file system can; those that cannot are no reason to refuse.
    H5Pset_file_locking(access, true, true);
    // What does not fit together is read again a few times, in case somebody is writing it this moment. HDF5's own
    // patience with a file that may have a writer lasts for minutes.
    H5Pset_metadata_read_attempts(access, READ_ATTEMPTS);
    // Whole datasets are written at once. Were small ones kept until they are closed, nobody would notice a disk that
    // fails then: HDF5 does not live on after an error of closing.
    H5Pset_sieve_buf_size(access, 0);
    // Closing a file closes what is still open in it, so that one call ends everything after a failure.
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    return access;
}

hid_t hdf5_creation(hid_t kind)
{
    hid_t creation = H5Pcreate(kind);
    if (creation < 0 || H5Pset_obj_track_times(creation, false) >= 0) return creation;
    hdf5_close(creation);
    return H5I_INVALID_HID;
}

hid_t hdf5_make_group(hid_t parent, const char *name)
{
    hid_t creation = hdf5_creation(H5P_GROUP_CREATE);
    hid_t group = creation < 0 ? creation : H5Gcreate2(parent, name, H5P_DEFAULT, creation, H5P_DEFAULT);
    hdf5_close(creation);
    return group;
}

// HDF5 keeps a list of errors from the call of the user down to the cause. The cause, if it came from the system,
// reads "..., errno = 28, error message = 'No space left on device', ...".
typedef struct cause {
    char text[200];
} cause;

static herr_t find_cause(unsigned depth, const H5E_error2_t *entry, void *data)
{
    (void)depth;
    cause *found = data;
    if (entry->desc == NULL) return 0;
    static const char mark[] = "error message = '";
    const char *reason = strstr(entry->desc, mark);
    if (reason != NULL) {
        reason += strlen(mark);
        snprintf(found->text, sizeof found->text, "%.*s", (int)strcspn(reason, "'"), reason);
        return 1;  // nothing below can be plainer
    }
    snprintf(found->text, sizeof found->text, "%s", entry->desc);
    return 0;
}

scr_status hdf5_fail(scr_error *error, const char *path, const char *what)
{
    cause found = {""};
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, find_cause, &found);
    H5Eclear2(H5E_DEFAULT);
    if (found.text[0] == '\0') return scr_fail(error, SCR_IO, "%s: %s", path, what);
    // The library's words for what a user does most often wrong.
    if (strcmp(found.text, "file signature not found") == 0)
        return scr_fail(error, SCR_IO, "%s: %s: it is no HDF5 file", path, what);
    return scr_fail(error, SCR_IO, "%s: %s: %s", path, what, found.text);
}

void hdf5_close(hid_t id)
{
    if (id < 0) return;
    hid_t errors = H5Eget_current_stack();
    H5Idec_ref(id);
    if (errors >= 0) H5Eset_current_stack(errors);
}

hid_t hdf5_type(field_type type)
{
    switch (type) {
    case FIELD_F64: return H5T_NATIVE_DOUBLE;
    case FIELD_F32: return H5T_NATIVE_FLOAT;
    case FIELD_I64: return H5T_NATIVE_INT64;
    case FIELD_U64: return H5T_NATIVE_UINT64;
    case FIELD_I32: return H5T_NATIVE_INT32;
    case FIELD_U32: return H5T_NATIVE_UINT32;
    case FIELD_U16: return H5T_NATIVE_UINT16;
    case FIELD_U8: return H5T_NATIVE_UINT8;
    }
    return H5I_INVALID_HID;
}

static herr_t put(hid_t object, const char *name, hid_t type, hsize_t count, const void *value)
{
    herr_t result = -1;
    hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, NULL);
    hid_t attribute = space < 0 ? space : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute >= 0) result = H5Awrite(attribute, type, value);
    hdf5_close(attribute);
    hdf5_close(space);
    return result;
}

herr_t hdf5_put_text(hid_t object, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0) return -1;
    herr_t result = H5Tset_size(type, strlen(text) + 1);
    if (result >= 0) result = put(object, name, type, 1, text);
    hdf5_close(type);
    return result;
}

herr_t hdf5_put_u64(hid_t object, const char *name, uint64_t value)
{
    return put(object, name, H5T_NATIVE_UINT64, 1, &value);
}

herr_t hdf5_put_f64s(hid_t object, const char *name, const double *values, int count)
{
    return put(object, name, H5T_NATIVE_DOUBLE, (hsize_t)count, values);
}

bool hdf5_get_text(hid_t object, const char *name, char *text, size_t size)
{
    bool found = false;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    hid_t type = attribute < 0 ? attribute : H5Aget_type(attribute);
    // Only text of fixed length, as we write it: anything else was not written by us.
    if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0) {
        hid_t wanted = H5Tcopy(H5T_C_S1);
        found = H5Tset_size(wanted, size) >= 0 && H5Aread(attribute, wanted, text) >= 0;
        hdf5_close(wanted);
    }
    hdf5_close(type);
    hdf5_close(attribute);
    if (size > 0) text[found ? size - 1 : 0] = '\0';
    if (size > 0) make_printable(text);
    return found;
}

// Exactly so many numbers: an attribute of another shape would overrun the place it is read to.
static bool get(hid_t object, const char *name, hid_t type, int count, void *values)
{
    bool found = false;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    hid_t space = attribute < 0 ? attribute : H5Aget_space(attribute);
    if (space >= 0 && H5Sget_simple_extent_npoints(space) == count) found = H5Aread(attribute, type, values) >= 0;
    hdf5_close(space);
    hdf5_close(attribute);
    return found;
}

bool hdf5_get_u64(hid_t object, const char *name, uint64_t *value)
{
    return get(object, name, H5T_NATIVE_UINT64, 1, value);
}

bool hdf5_get_f64s(hid_t object, const char *name, double *values, int count)
{
    return get(object, name, H5T_NATIVE_DOUBLE, count, values);
}
