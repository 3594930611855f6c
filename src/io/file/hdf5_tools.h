// SPDX-License-Identifier: BSD-3-Clause
// What trajectory and checkpoint share of HDF5: access rules, types, units, and failures as sentences.
//
// All calls of HDF5 come from one thread: the library makes no promise for more.
#ifndef IO_FILE_HDF5_TOOLS_H
#define IO_FILE_HDF5_TOOLS_H

#include <hdf5.h>

#include "core/arrays/table.h"

// How files are opened: the newest format, whose every structure carries a checksum, so that damage is noticed and
// not followed. Free with H5Pclose. Also silences HDF5's own printing of errors. Negative if there is no memory.
hid_t hdf5_access(void);

// How files, groups and datasets are made whose bytes follow from what they hold: HDF5 writes the time of day into each
// of them unless told not to. `kind` is H5P_FILE_CREATE, H5P_GROUP_CREATE or H5P_DATASET_CREATE. Free with H5Pclose.
hid_t hdf5_creation(hid_t kind);
hid_t hdf5_make_group(hid_t parent, const char *name);

// "DIR/trajectory.h5: cannot write: No space left on device". The reason is the deepest one HDF5 knows.
// Clears HDF5's record of errors.
scr_status hdf5_fail(scr_error *error, const char *path, const char *what);

// Close anything; what is not open (negative) is left alone. HDF5's record of an earlier error is kept: its own calls
// forget it, and with it the reason of a failure.
void hdf5_close(hid_t id);

hid_t hdf5_type(field_type type);  // as in memory here; not to be closed

// Attributes of a group or dataset. Negative on failure, as HDF5 does it.
herr_t hdf5_put_text(hid_t object, const char *name, const char *text);
herr_t hdf5_put_u64(hid_t object, const char *name, uint64_t value);
herr_t hdf5_put_f64s(hid_t object, const char *name, const double *values, int count);
// The text is cut to fit size; false if there is no such text, number, or so many numbers.
bool hdf5_get_text(hid_t object, const char *name, char *text, size_t size);
bool hdf5_get_u64(hid_t object, const char *name, uint64_t *value);
bool hdf5_get_f64s(hid_t object, const char *name, double *values, int count);

#endif
