// SPDX-License-Identifier: BSD-3-Clause
// What a reader must know of a run before trusting its figures, in sentences. Everything that shows a run shows these:
// summary.json, the table at its end, scree info and the report.
#ifndef IO_RUN_RUN_WARNINGS_H
#define IO_RUN_RUN_WARNINGS_H

#include "io/run/run_record.h"
#include "scene/run/simulation.h"

typedef struct run_warnings {
    scr_sentences warnings;  // results may be wrong
    scr_sentences notes;     // good to know
} run_warnings;

run_warnings run_warnings_of(const scr_run_record *record, const simulation *sim);

#endif
