// SPDX-License-Identifier: BSD-3-Clause
// Tables (core/arrays/table.h) as groups of an HDF5 file: the group has the table's name and its count as an attribute,
// and holds one dataset a field, with its unit.
#ifndef IO_FILE_HDF5_TABLE_H
#define IO_FILE_HDF5_TABLE_H

#include <hdf5.h>

#include "core/arrays/table.h"

herr_t hdf5_write_table(hid_t parent, const table *t);  // negative on failure, as HDF5 does it
// Fills a table whose fields are there in the right types and sizes. path is for the sentence of a failure.
scr_status hdf5_read_table(hid_t parent, const char *path, table *t, scr_error *error);

#endif
