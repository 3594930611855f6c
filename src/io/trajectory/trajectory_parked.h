// SPDX-License-Identifier: BSD-3-Clause
// The parked grains of an active box in trajectory.h5. Internal to the trajectory.
//
// A frame has the grains in the world only. Those of a parked cell are written once, when a frame first shows them so:
//   /parked/position ...   one row a grain: position, rotation, radius, id, material
//   /parked/cell           one row whenever the parked grains of a cell are others than in the frame before, in the
//                          order of frames: the frame from which on they are these; the cell; since when (cell_grid.h);
//                          their first row and their number, 0 once they are in the world; a checksum of their rows
// The grains of a frame are those that the last row of each cell, up to this frame, tells of. Rows of frames that do
// not count are no rows, as everywhere in the file; a run that goes back to an earlier frame writes over them.
#ifndef IO_TRAJECTORY_TRAJECTORY_PARKED_H
#define IO_TRAJECTORY_TRAJECTORY_PARKED_H

#include "io/trajectory/frame.h"
#include "io/trajectory/hdf5_rows.h"
#include "scene/active/active_box.h"

enum { PARKED_COLUMNS = 5 };

typedef struct parked_cell {
    int64_t frame, cell, changed, first, count;
    uint64_t checksum;
} parked_cell;

typedef struct parked_rows {
    bool is_there;  // the file has them
    hdf5_rows cell, column[PARKED_COLUMNS];
    parked_cell *entry;  // those of frames that count
    int64_t entry_count, entry_capacity;
    int64_t grain_count;  // rows that they use
    int64_t *total;       // grains that are parked after each entry; of a file that was opened
    int64_t total_capacity;
    int64_t *latest;  // (cells) the last entry of each up to a frame, or -1
    int64_t cell_count, latest_capacity;
    int64_t latest_frame;  // up to which
    char *scratch;         // of columns
    int64_t scratch_capacity;
} parked_rows;

void parked_rows_free(parked_rows *p);
herr_t parked_rows_create(parked_rows *p, hid_t file, int64_t usual);
// What a file has of it, if anything, up to frame_count.
scr_status parked_rows_open(parked_rows *p, hid_t file, const char *path, int64_t frame_count, scr_error *error);
void parked_rows_cut(parked_rows *p, int64_t frame_count);  // forget what came with later frames
// What changed since the frame before, as part of this frame; writing fails as HDF5 does.
scr_status parked_rows_reserve(parked_rows *p, const active_box *box, scr_error *error);
herr_t parked_rows_write(parked_rows *p, const active_box *box, int64_t index);

int64_t parked_rows_count(const parked_rows *p, int64_t index);  // grains that are parked in a frame of such a file
// Add them to the spheres of a frame that was read.
scr_status parked_rows_read(parked_rows *p, const char *path, int64_t index, frame *f, scr_error *error);

#endif
