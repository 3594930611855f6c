// SPDX-License-Identifier: BSD-3-Clause
// The runs that a study needs.
#include "study/runs/study_list.h"

#include "core/base/memory.h"

scr_status study_list_reserve(study_list *list, int64_t count, scr_error *error)
{
    if (count > RUNS_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "the study has %lld runs; %d are the most", (long long)count, RUNS_MAX);
    scr_status status = scr_make_zeros(&list->cases, count, sizeof *list->cases, "runs", error);
    if (status == SCR_OK) status = scr_make_zeros(&list->run_of, count, sizeof *list->run_of, "runs", error);
    if (status == SCR_OK) status = scr_make_zeros(&list->runs, count, sizeof *list->runs, "runs", error);
    list->capacity = status == SCR_OK ? count : 0;
    return status;
}

static int64_t find_run(const study_list *list, uint64_t fingerprint)
{
    int64_t k = 0;
    while (k < list->run_count && list->runs[k].of->fingerprint != fingerprint) ++k;
    return k;
}

scr_status study_list_add(study_list *list, const study_plan *plan, const study_axis *axes, int axis_count,
                          const char *const *value_text, int seed_index, scr_error *error)
{
    study_case *c = &list->cases[list->case_count];
    scr_status status = study_case_make(plan, axes, axis_count, value_text, seed_index, c, error);
    ++list->case_count;  // to be freed
    if (status != SCR_OK) return status;
    int64_t run = find_run(list, c->fingerprint);
    if (run == list->run_count) list->runs[list->run_count++] = (study_run){.of = c};
    list->run_of[list->case_count - 1] = run;
    return SCR_OK;
}

void study_list_free(study_list *list)
{
    for (int64_t k = 0; k < list->case_count; ++k) study_case_free(&list->cases[k]);
    scr_free(list->cases);
    scr_free(list->run_of);
    scr_free(list->runs);
    *list = (study_list){0};
}

scr_status study_list_place(study_list *list, study_directory *d, scr_error *error)
{
    uint64_t *fingerprint = NULL;
    int64_t *number = NULL;
    scr_status status = scr_make_zeros(&fingerprint, list->run_count, sizeof *fingerprint, "runs", error);
    if (status == SCR_OK) status = scr_make_zeros(&number, list->run_count, sizeof *number, "runs", error);
    for (int64_t k = 0; k < list->run_count && status == SCR_OK; ++k) fingerprint[k] = list->runs[k].of->fingerprint;
    if (status == SCR_OK) status = study_directory_place(d, fingerprint, list->run_count, number, error);
    for (int64_t k = 0; k < list->run_count && status == SCR_OK; ++k) list->runs[k].number = number[k];
    if (status == SCR_OK) study_runs_look(d, list->runs, list->run_count);
    scr_free(fingerprint);
    scr_free(number);
    return status;
}
