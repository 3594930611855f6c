// What a reader must know of a run before trusting its figures, in sentences. Everything that shows a run shows these:
// summary.json, the table at its end, scree info and the report.
#ifndef IO_RUN_RUN_WARNINGS_H
#define IO_RUN_RUN_WARNINGS_H

#include "io/run/run_record.h"
#include "scene/run/simulation.h"

enum { SENTENCES_MAX = 4, SENTENCE_LENGTH = 256 };

typedef struct sentence_list {
    int count;
    char text[SENTENCES_MAX][SENTENCE_LENGTH];
} sentence_list;

typedef struct run_warnings {
    sentence_list warnings;  // results may be wrong
    sentence_list notes;     // good to know
} run_warnings;

run_warnings run_warnings_of(const run_record *record, const simulation *sim);

#endif
