// SPDX-License-Identifier: BSD-3-Clause
// Parameters of a scene that reproduce what was measured.
//
//   S(p) = sum_i w_i ((m_i(p) - y_i) / e_i)^2      m_i: the mean over the seeds of what runs with parameters p give
//
// is least. All evaluations have the same seeds, so that S changes because p does. Around the minimum the Jacobian of
// the residuals is measured by central differences; with it (study/fit/least_squares.h) come
//   from the measurement   (J^T J)^-1, times S over the degrees of freedom where that is above 1: the fit is worse than
//                          the errors say, and so is what it tells
//   from the seeds         each seed alone would have moved the answer by a Gauss-Newton step; the scatter of these
//                          steps, over the root of their number
//   from the search        its tolerance
// and the uncertainty is the root of the sum of their squares.
#ifndef STUDY_FIT_FIT_H
#define STUDY_FIT_FIT_H

#include "study/fit/fit_log.h"
#include "study/fit/fit_search.h"
#include "study/runs/study_list.h"

typedef struct fit_evaluation {
    int64_t number;  // from 1
    bool is_new;     // it took runs; otherwise its numbers were known
    double parameter[AXES_MAX];
    double objective;
    bool is_failed;  // no run gave numbers; the objective is made up to turn the search away
} fit_evaluation;

typedef struct fit {
    const study_plan *plan;
    const fit_data *data;
    study_directory *directory;
    fit_log *log;
    run_pool pool;
    void (*tell)(void *context, const fit_evaluation *evaluation);  // after each; may be NULL
    void *context;
    // of the latest evaluation
    double *seed_model;  // (seed, datum)
    double *model;       // (datum), means
    double *deviation;   // (datum), of a run
    char reason[512];    // why a run failed
    // of all of them
    fit_evaluation *evaluation;
    int64_t evaluation_count, evaluation_capacity;
    double worst;  // objective
} fit;

typedef struct fit_parameter {
    double value, uncertainty;                         // not a number where it is not known
    double from_measurement, from_seeds, from_search;  // standard deviations
    double sensitivity;  // by how many of their errors the targets move (root mean square) over the parameter's range
    bool is_at_bound;
} fit_parameter;

typedef struct fit_result {
    fit_minimum minimum;
    fit_parameter parameter[AXES_MAX];
    double correlation[AXES_MAX * AXES_MAX];  // of the answers, from the measurement; (n, n)
    bool is_determined;                       // the targets tell each parameter, within its range
    double *model, *deviation;                // (datum) at the minimum
    double mean_square;                       // S over the degrees of freedom; not a number without any
} fit_result;

// Of scene and targets: numbers of evaluations belong to it. Reads the scene.
scr_status fit_fingerprint(const study_plan *plan, const fit_data *data, uint64_t *fingerprint, scr_error *error);

// plan, data, directory, log and pool are set; free it also after a failure.
scr_status fit_begin(fit *f, scr_error *error);
scr_status fit_run(fit *f, fit_result *result, scr_error *error);
void fit_free(fit *f);
void fit_result_free(fit_result *result);

// One evaluation, at a place of the unit cube that the parameters' ranges span.
scr_status fit_evaluate(fit *f, const double *place, double *objective, scr_error *error);
// What is known around the minimum, which takes evaluations of its own.
scr_status fit_judge(fit *f, fit_result *result, scr_error *error);

#endif
