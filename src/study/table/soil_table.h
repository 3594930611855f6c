// SPDX-License-Identifier: BSD-3-Clause
// soil.csv: what all runs of a sweep say about one soil, for studies of a rig over its loads or plates.
#ifndef STUDY_TABLE_SOIL_TABLE_H
#define STUDY_TABLE_SOIL_TABLE_H

#include "study/table/study_table.h"

// Nothing if the study does not ask for it.
scr_status soil_table_write(const study_table *t, const study_directory *d, scr_error *error);

#endif
