// SPDX-License-Identifier: BSD-3-Clause
// State tables with one entry for each entry of a list in the scene: their length never changes.
#ifndef SCENE_PARTS_LIST_TABLE_H
#define SCENE_PARTS_LIST_TABLE_H

#include "core/arrays/table.h"

scr_status list_table_init(table *t, int64_t count, scr_error *error);  // all zero
// After a load: has it the length that the scene's list has?
scr_status list_table_check(const table *t, int64_t count, scr_error *error);

#endif
