// SPDX-License-Identifier: BSD-3-Clause
// What a bed is made of, as lines to read.
#ifndef APP_SOURCE_BED_REPORT_H
#define APP_SOURCE_BED_REPORT_H

#include "scene/bed/bed.h"

scr_status print_bed(const char *path, const bed *b, scr_error *error);

#endif
