// SPDX-License-Identifier: BSD-3-Clause
// probes.csv for a report: what its columns are called, and their numbers, thinned if there are too many.
#ifndef VIEW_REPORT_REPORT_PROBES_H
#define VIEW_REPORT_REPORT_PROBES_H

#include <jansson.h>

#include "view/report/report_page.h"

typedef struct report_probes {
    json_t *column;  // [{"name": "floor.fz", "unit": "N"}, ...], time first; owned
    int64_t row_total, row_count, stride;
    double *value;  // row_count numbers for each column in turn; what is no number stays none
} report_probes;

// No file is no columns. A row that a kill cut off at the end does not count. budget: bytes of numbers.
scr_status report_probes_read(const char *path, int64_t budget, report_probes *probes, scr_error *error);
void report_probes_free(report_probes *probes);

#endif
