// SPDX-License-Identifier: BSD-3-Clause
// The runs that a study needs: a case for each point and seed, and the different runs among them.
#ifndef STUDY_RUNS_STUDY_LIST_H
#define STUDY_RUNS_STUDY_LIST_H

#include "study/runs/run_pool.h"

typedef struct study_list {
    study_case *cases;
    int64_t *run_of;  // (case) which run it is: cases of the same scene are one
    int64_t case_count, capacity;
    study_run *runs;
    int64_t run_count;
} study_list;

enum { RUNS_MAX = 20000 };

// Start from all zero; free it in any case. Room for so many more cases; then add them one by one.
scr_status study_list_reserve(study_list *list, int64_t count, scr_error *error);
scr_status study_list_add(study_list *list, const study_plan *plan, const study_axis *axes, int axis_count,
                          const char *const *value_text, int seed_index, scr_error *error);
void study_list_free(study_list *list);

// When all are there: give each run its place, and see what stands there already.
scr_status study_list_place(study_list *list, study_directory *d, scr_error *error);

#endif
