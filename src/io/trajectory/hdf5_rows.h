// SPDX-License-Identifier: BSD-3-Clause
// A row set: an HDF5 dataset of rows that grows at its end, made for one writer that may be killed and for readers
// beside it. There is no cache in between: rows are in the file when a write returns, before anything points at them.
#ifndef IO_TRAJECTORY_HDF5_ROWS_H
#define IO_TRAJECTORY_HDF5_ROWS_H

#include "io/file/hdf5_tools.h"

typedef struct hdf5_rows {
    hid_t id;
    hid_t type;           // of a number, as in memory; belongs to the caller
    int width;            // numbers a row
    int64_t rows;         // that the dataset has
    hsize_t chunk_bytes;  // space is taken in pieces of this size
} hdf5_rows;

// All return a negative number on failure, as HDF5 does it. A row set is closed with its file.
herr_t row_set_create(hdf5_rows *set, hid_t file, const char *path, hid_t type, int width, int64_t chunk_rows,
                      const char *unit);
herr_t row_set_open(hdf5_rows *set, hid_t file, const char *path, hid_t type,
                    int width);                                                        // fails if the shape is another
herr_t row_set_extend(hdf5_rows *set, int64_t rows);                                   // never shrinks
herr_t row_set_write(hdf5_rows *set, int64_t start, int64_t count, const void *data);  // extends as needed
herr_t row_set_read(const hdf5_rows *set, int64_t start, int64_t count, void *data);

#endif
