// SPDX-License-Identifier: BSD-3-Clause
// scree fit: parameters of a scene that reproduce what was measured.
#include "study/fit/fit.h"

#include <stdio.h>

#include "app/command/command.h"
#include "app/command/interrupt.h"
#include "app/command/options.h"
#include "app/sweep/study_messages.h"
#include "core/base/threads.h"
#include "core/text/human.h"
#include "study/fit/fit_report.h"

typedef struct fit_options {
    const char *path, *directory;
    int threads;
    bool quiet;
} fit_options;

typedef struct fit_work {
    const fit_options *o;
    study_plan plan;
    fit_data data;
    uint64_t fingerprint;
    study_directory directory;
    fit_log log;
    fit fit;
    fit_result result;
    double best;
    int64_t best_at;
    char log_path[PATH_LENGTH_MAX];
} fit_work;

static parse_result parse(int argc, char **argv, fit_options *o)
{
    const option options[] = {
        {"output", 'o', OPTION_TEXT, &o->directory, "DIR",
         "the directory of the study; default: runs/ and the study file's name"},
        {"threads", 'j', OPTION_COUNT, &o->threads, "N",
         "threads to use, shared out among the seeds; default: all cores. Results do not depend on it"},
        {"quiet", 'q', OPTION_FLAG, &o->quiet, NULL, "print errors only"},
    };
    const verb_usage usage = {
        .verb = "fit",
        .arguments = "STUDY.json",
        .argument_count = 1,
        .about =
            "Finds the parameters of a scene that reproduce measured numbers and curves, by NLopt's search without\n"
            "derivatives (docs/studies.md). Every evaluation runs the scene, once for each seed. DIR gets fit.json\n"
            "and fit.csv, the answer with its uncertainty and the sensitivity of each parameter, plots and fit.html.\n"
            "Ctrl-C saves; the same command goes on, also after a kill.",
        .example = "scree fit studies/slide/fit.json -o slide",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, &o->path);
}

static scr_status check_directory(const fit_work *w, const char *directory, scr_error *error)
{
    const char *inputs[TARGETS_MAX + 2] = {w->o->path, w->plan.scene};
    for (int k = 0; k < w->plan.fit.target_count; ++k) inputs[k + 2] = w->plan.fit.target[k].curve;
    return study_directory_check(directory, inputs, w->plan.fit.target_count + 2, error);
}

static scr_status prepare(fit_work *w, const char *directory, scr_error *error)
{
    scr_status status = study_plan_read(w->o->path, &w->plan, error);
    if (status == SCR_OK) status = study_plan_expect_fit(&w->plan, error);
    if (status == SCR_OK) status = check_directory(w, directory, error);
    if (status == SCR_OK) status = fit_data_make(&w->plan, &w->data, error);
    return status == SCR_OK ? fit_fingerprint(&w->plan, &w->data, &w->fingerprint, error) : status;
}

// A line for each evaluation that took runs.
static void tell_evaluation(void *context, const fit_evaluation *e)
{
    fit_work *w = context;
    if (w->best_at == 0 || e->objective < w->best) {
        w->best = e->objective;
        w->best_at = e->number;
    }
    if (w->o->quiet || !e->is_new) return;
    fprintf(stderr, "%4lld  objective %-10s", (long long)e->number,
            e->is_failed ? "failed" : human_figure(e->objective).text);
    for (int k = 0; k < w->plan.fit.axis_count; ++k)
        fprintf(stderr, "  %s %.5g", w->plan.fit.axis[k].name, e->parameter[k]);
    if (w->best_at == e->number) fprintf(stderr, "  best so far\n");
    else fprintf(stderr, "  best %s at %lld\n", human_figure(w->best).text, (long long)w->best_at);
}

static void print_answer(const fit_work *w)
{
    const study_fit *plan = &w->plan.fit;
    printf("%s/fit.html, fit.json, fit.csv: %s\n", w->directory.path,
           human_things(w->fit.evaluation_count, "evaluation", "evaluations").text);
    printf("  %-32s %14s %14s %12s\n", "parameter", "value", "uncertainty", "sensitivity");
    for (int k = 0; k < plan->axis_count; ++k) {
        const fit_parameter *p = &w->result.parameter[k];
        char name[300];  // with its unit, which is not that of the sensitivity
        snprintf(name, sizeof name, plan->axis[k].unit[0] != '\0' ? "%.200s (%.64s)" : "%.200s", plan->axis[k].name,
                 plan->axis[k].unit);
        printf("  %-32s %14.6g %14.2g %12.3g\n", name, p->value, p->uncertainty, p->sensitivity);
    }
    for (int k = 0; fit_warning(&w->fit, &w->result, k) != NULL; ++k)
        printf("  warning: %s\n", fit_warning(&w->fit, &w->result, k));
}

static scr_status work(fit_work *w, scr_error *error)
{
    int jobs = w->plan.seed_count < w->o->threads ? w->plan.seed_count : w->o->threads;
    scr_status status = study_file_path(&w->directory, "evaluations.csv", w->log_path, error);
    if (status == SCR_OK) status = fit_log_open(w->log_path, &w->plan, &w->data, w->fingerprint, &w->log, error);
    if (status != SCR_OK) return status;
    if (!w->o->quiet && w->log.row_count > 0)
        fprintf(stderr, "%s: %s known from evaluations.csv\n", w->o->path,
                human_things(w->log.row_count, "run is", "runs are").text);
    w->fit = (fit){
        .plan = &w->plan,
        .data = &w->data,
        .directory = &w->directory,
        .log = &w->log,
        .pool = {.command = "/proc/self/exe", .scene = w->plan.scene, .jobs = jobs, .threads = w->o->threads / jobs},
        .tell = tell_evaluation,
        .context = w};
    status = fit_begin(&w->fit, error);
    if (status == SCR_OK) status = fit_run(&w->fit, &w->result, error);
    return status == SCR_OK ? fit_report_write(&w->fit, &w->result, error) : status;
}

static int fit_opened(fit_work *w)
{
    scr_error error = {0};
    scr_status status = work(w, &error);
    if (status == SCR_INTERRUPTED) {
        if (!w->o->quiet) tell_study_interrupted();
        return EXIT_INTERRUPTED;
    }
    if (status != SCR_OK) return complain_of_study(&error);
    if (!w->o->quiet) print_answer(w);
    return EXIT_DONE;
}

static int run_fit(fit_work *w)
{
    scr_error error = {0};
    char directory[PATH_LENGTH_MAX];
    if (w->o->directory == NULL) study_directory_name(w->o->path, directory);
    const char *path = w->o->directory != NULL ? w->o->directory : directory;
    if (prepare(w, path, &error) != SCR_OK) return complain(&error);
    interrupt_asks_to_stop(w->o->quiet);
    if (study_directory_open(path, false, w->o->quiet ? NULL : tell_study_waits, &w->directory, &error) != SCR_OK)
        return complain_at_work(&error);
    return fit_opened(w);
}

int app_fit(int argc, char **argv)
{
    fit_options o = {.threads = scr_core_count()};
    parse_result parsed = parse(argc, argv, &o);
    if (parsed != PARSE_OK) return exit_code_of(parsed);
    fit_work w = {.o = &o, .directory = {.lock = -1, .runs_lock = -1}};
    int code = run_fit(&w);
    fit_result_free(&w.result);
    fit_free(&w.fit);
    scr_error error;
    if (fit_log_close(&w.log, &error) != SCR_OK && code == EXIT_DONE) code = complain_at_work(&error);
    fit_data_free(&w.data);
    study_directory_close(&w.directory);
    study_plan_free(&w.plan);
    return code;
}
