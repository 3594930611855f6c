// SPDX-License-Identifier: BSD-3-Clause
// The grains of a run, as a bed.
#ifndef APP_SOURCE_TAKEN_BED_H
#define APP_SOURCE_TAKEN_BED_H

#include "scene/bed/bed.h"

// As they are in the run's last checkpoint. group: NULL: all grains; else the free bodies of this collision group.
scr_status bed_take_run(const char *directory, const char *group, bed *b, scr_error *error);

#endif
