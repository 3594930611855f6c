// SPDX-License-Identifier: BSD-3-Clause
// study.html: the table of a sweep, its plots, its runs.
#ifndef STUDY_TABLE_STUDY_PAGE_H
#define STUDY_TABLE_STUDY_PAGE_H

#include "study/table/study_table.h"

scr_status study_page_write(const study_table *t, const study_directory *d, bool has_plots, scr_error *error);

#endif
