// SPDX-License-Identifier: BSD-3-Clause
// The columns of trajectory.h5: which numbers of a frame go into which dataset, gathered to be written and scattered
// after reading. Internal to the trajectory.
#ifndef IO_TRAJECTORY_TRAJECTORY_COLUMNS_H
#define IO_TRAJECTORY_TRAJECTORY_COLUMNS_H

#include "core/arrays/table.h"
#include "io/trajectory/frame.h"
#include "io/trajectory/xdmf.h"

enum { BOX_CORNERS = 8, COLUMN_COUNT = 33 };

// Where a column's numbers are: spheres have an array for each column, all others a record for each row. Corners
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

extern const column frame_columns[COLUMN_COUNT];

size_t column_size(const column *c);  // bytes of a row
int64_t frame_rows(const frame *f, row_kind rows);
int64_t column_scratch_bytes(const frame *f);  // as much as any column of records needs
// The numbers of a column in one piece: the frame's own array, or the scratch that gathering fills and scattering
// empties.
char *column_numbers(char *scratch, const frame *f, const column *c);
void gather_column(char *scratch, const frame *f, const column *c);
void scatter_column(const char *scratch, const frame *f, const column *c);

#endif
