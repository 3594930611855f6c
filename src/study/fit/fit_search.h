// SPDX-License-Identifier: BSD-3-Clause
// The search for a minimum in the unit cube, without derivatives, by NLopt: BOBYQA (Powell 2009), which follows a
// quadratic model of the function, or SBPLX (Rowan 1990), which goes by simplices of subspaces and minds noise less.
//
// It is the same every time: whoever remembers the values that the function had goes the same way again at no cost.
#ifndef STUDY_FIT_FIT_SEARCH_H
#define STUDY_FIT_FIT_SEARCH_H

#include "study/plan/study_plan.h"

// The function; SCR_OK, or a reason to stop.
typedef scr_status fit_function(void *context, const double *place, double *value, scr_error *error);

typedef struct fit_search {
    int n;
    fit_method method;
    int restarts;             // from points of a Sobol sequence, after the first start
    int64_t evaluations_max;  // from each start
    double tolerance;         // ends a search: moves so small
    uint64_t seed;            // of the sequence
} fit_search;

typedef struct fit_minimum {
    double place[AXES_MAX], value;
    bool is_converged;  // the search that found it ended by itself
} fit_minimum;

scr_status fit_search_run(const fit_search *search, const double *start, fit_function *function, void *context,
                          fit_minimum *best, scr_error *error);

#endif
