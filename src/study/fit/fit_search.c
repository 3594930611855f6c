// SPDX-License-Identifier: BSD-3-Clause
// The search for a minimum.
#include "study/fit/fit_search.h"

#include <math.h>
#include <nlopt.h>
#include <string.h>

#include "core/base/memory.h"

static const double FIRST_STEP = 0.15;  // of the cube's edge

typedef struct searcher {
    nlopt_opt nlopt;
    fit_function *function;
    void *context;
    int n;
    fit_minimum found;  // from this start
    scr_status status;
    scr_error *error;
} searcher;

static double call(unsigned n, const double *place, double *gradient, void *context)
{
    searcher *s = context;
    double value = INFINITY;
    (void)n;
    (void)gradient;
    if (s->status == SCR_OK) s->status = s->function(s->context, place, &value, s->error);
    if (s->status != SCR_OK) nlopt_force_stop(s->nlopt);
    else if (value < s->found.value) {
        s->found.value = value;
        memcpy(s->found.place, place, (size_t)s->n * sizeof *place);
    }
    return value;
}

static bool set_up(searcher *s, const fit_search *search)
{
    nlopt_opt o = s->nlopt;
    return nlopt_set_lower_bounds1(o, 0.0) > 0 && nlopt_set_upper_bounds1(o, 1.0) > 0 &&
           nlopt_set_min_objective(o, call, s) > 0 && nlopt_set_initial_step1(o, FIRST_STEP) > 0 &&
           nlopt_set_xtol_abs1(o, search->tolerance) > 0 && nlopt_set_maxeval(o, (int)search->evaluations_max) > 0;
}

static scr_status search_from(const fit_search *search, const double *start, searcher *s)
{
    double place[AXES_MAX], value;
    memcpy(place, start, (size_t)search->n * sizeof *place);
    s->found = (fit_minimum){.value = INFINITY};
    s->nlopt = nlopt_create(search->method == FIT_SBPLX ? NLOPT_LN_SBPLX : NLOPT_LN_BOBYQA, (unsigned)search->n);
    if (s->nlopt == NULL || !set_up(s, search)) {
        nlopt_destroy(s->nlopt);
        return scr_fail_memory(s->error, 0, "the search of NLopt");
    }
    nlopt_result result = nlopt_optimize(s->nlopt, place, &value);
    nlopt_destroy(s->nlopt);
    s->found.is_converged = result == NLOPT_XTOL_REACHED || result == NLOPT_FTOL_REACHED || result == NLOPT_SUCCESS ||
                            result == NLOPT_ROUNDOFF_LIMITED;
    if (s->status != SCR_OK) return s->status;
    if (!isfinite(s->found.value))
        return scr_fail(s->error, SCR_DIVERGED, "the search of NLopt found nothing (%s)",
                        nlopt_result_to_string(result));
    return SCR_OK;
}

scr_status fit_search_run(const fit_search *search, const double *start, fit_function *function, void *context,
                          fit_minimum *best, scr_error *error)
{
    int n = search->n;
    double *others = NULL;
    searcher s = {.function = function, .context = context, .n = n, .error = error};
    scr_status status = scr_make_zeros(&others, search->restarts * n, sizeof *others, "starts", error);
    if (status == SCR_OK) sobol_points(search->seed, search->restarts, n, others);
    if (status == SCR_OK) status = search_from(search, start, &s);
    if (status == SCR_OK) *best = s.found;
    for (int k = 0; k < search->restarts && status == SCR_OK; ++k) {
        status = search_from(search, &others[k * n], &s);
        if (status == SCR_OK && s.found.value < best->value) *best = s.found;
    }
    scr_free(others);
    return status;
}
