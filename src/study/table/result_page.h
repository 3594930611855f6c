// SPDX-License-Identifier: BSD-3-Clause
// One HTML file with tables and plots: it needs no network and nothing beside it, and runs no program.
#ifndef STUDY_TABLE_RESULT_PAGE_H
#define STUDY_TABLE_RESULT_PAGE_H

#include "view/report/report_page.h"

typedef struct result_page {
    const char *path;
    report_page out;
} result_page;

// Begin; then what is on the page, in order; then end, which must be called after a successful begin: `status` is that
// of what was done meanwhile, and after a failure no page is left.
scr_status result_page_begin(result_page *page, const char *path, const char *title, scr_error *error);
scr_status result_page_end(result_page *page, scr_status status, scr_error *error);

void result_page_heading(result_page *page, const char *text);
void result_page_paragraph(result_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The picture in an SVG file becomes part of the page.
scr_status result_page_picture(result_page *page, const char *svg, const char *about, scr_error *error);

// Cells from the left to the right, row by row; the first row has the names.
void result_table_begin(result_page *page);
void result_table_row(result_page *page);
void result_table_cell(result_page *page, const char *text);
void result_table_number(result_page *page, double value);                    // "-" if it is none
void result_table_spread(result_page *page, double value, double deviation);  // "1.23 ± 0.04"
void result_table_link(result_page *page, const char *to, const char *text);
void result_table_end(result_page *page);

#endif
