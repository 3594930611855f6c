// SPDX-License-Identifier: BSD-3-Clause
// An open trajectory.h5: its datasets and its list of frames, which writer and reader share. Internal to the
// trajectory.
#ifndef IO_TRAJECTORY_TRAJECTORY_FILE_H
#define IO_TRAJECTORY_TRAJECTORY_FILE_H

#include "core/file/safe_file.h"
#include "core/text/checksum.h"
#include "io/trajectory/hdf5_rows.h"
#include "io/trajectory/trajectory.h"
#include "io/trajectory/trajectory_columns.h"
#include "io/trajectory/trajectory_parked.h"

enum { FEW_ROWS = 64 };  // the least that a chunk holds, of anything but spheres

struct trajectory {
    char directory[PATH_LENGTH_MAX], path[PATH_LENGTH_MAX];
    bool writing;
    bool broken;  // a write failed: the file is left as it is on the disk
    hid_t file, entry_type, count_set;
    hdf5_rows entries, index, column[COLUMN_COUNT];
    parked_rows parked;
    frame_entry *entry;
    int64_t frame_count, entry_capacity;
    char *scratch;  // a column of records
    int64_t scratch_capacity;
    frame_surfaces surfaces;  // of a file that was opened to be read
    periodic_cell period;     // the same
    bool has_rotations;       // the same: of the spheres of all frames
    const bool *hidden;       // by id - 1: bodies that are not read; NULL: none
    int64_t hidden_count;
};

extern const char TRAJECTORY_FORMAT[], HAS_ROTATIONS[];

scr_status trajectory_new(const char *directory, bool writing, trajectory **result, scr_error *error);
void trajectory_destroy(trajectory *t);  // all but the file
// Everything after opening the file itself, to read or to go on.
scr_status read_entries(trajectory *t, scr_error *error);
int64_t common_rows(const trajectory *t, row_kind rows);  // that all columns of a kind have
int64_t chunk_rows(int64_t wanted, int64_t least);        // a chunk for about so many rows
scr_status reserve_scratch(trajectory *t, const frame *f, scr_error *error);
// A frame's checksum is that of its entry, then of its columns.
checksum entry_checksum(const frame_entry *e);
void add_column(checksum *sum, const column *c, const void *numbers, int64_t rows);

// Surfaces are written before the file is opened to readers, and never again (trajectory_surfaces.c).
herr_t write_surfaces(trajectory *t, const frame_surfaces *s);
scr_status read_surfaces(trajectory *t, scr_error *error);
// Likewise (trajectory_period.c); nothing is written of a space that does not repeat itself.
herr_t write_period(trajectory *t, const periodic_cell *period);
scr_status read_period(trajectory *t, scr_error *error);

#endif
