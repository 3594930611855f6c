// SPDX-License-Identifier: BSD-3-Clause
// trajectory.xdmf: tells ParaView and its kin where in trajectory.h5 the frames are.
#ifndef IO_TRAJECTORY_XDMF_H
#define IO_TRAJECTORY_XDMF_H

#include "core/base/status.h"

// The kinds of rows in a trajectory, and the place of one frame among them.
typedef enum row_kind {
    SPHERE_ROWS,
    BOX_ROWS,
    PLANE_ROWS,
    PART_ROWS,
    CONTACT_ROWS,
    ROTATION_ROWS,  // of spheres
    ROW_KIND_COUNT
} row_kind;
typedef struct frame_entry {
    double time;
    int64_t start[ROW_KIND_COUNT], count[ROW_KIND_COUNT];
    uint64_t checksum;  // of the above and of the frame's rows
} frame_entry;

// row_total and index_total: how many rows the datasets have.
scr_status xdmf_write(const char *directory, const frame_entry *entry, int64_t frame_count,
                      const int64_t row_total[ROW_KIND_COUNT], int64_t index_total, scr_error *error);

#endif
