// SPDX-License-Identifier: BSD-3-Clause
// scree sweep: a study file becomes a directory of runs, with their figures in tables, plots and one page.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command/command.h"
#include "app/command/interrupt.h"
#include "app/command/options.h"
#include "app/sweep/slurm_script.h"
#include "app/sweep/study_messages.h"
#include "app/sweep/study_progress.h"
#include "core/base/threads.h"
#include "core/text/human.h"
#include "study/runs/run_figures.h"
#include "study/runs/study_list.h"
#include "study/table/soil_table.h"
#include "study/table/study_page.h"
#include "study/table/study_plots.h"

typedef struct sweep_options {
    const char *path, *directory;
    int jobs, threads;
    double only;  // which run; 0: all
    bool slurm, quiet;
} sweep_options;

typedef struct sweep {
    const sweep_options *o;
    study_plan plan;
    study_points points;
    study_list list;
    study_directory directory;
    study_progress progress;
    bool is_checked;  // some run has all the figures
} sweep;

static parse_result parse(int argc, char **argv, sweep_options *o)
{
    const option options[] = {
        {"output", 'o', OPTION_TEXT, &o->directory, "DIR",
         "the directory of the study; default: runs/ and the study file's name"},
        {"jobs", 0, OPTION_COUNT, &o->jobs, "N", "runs at a time; default: as many as threads"},
        {"threads", 'j', OPTION_COUNT, &o->threads, "N",
         "threads to use, shared out among the runs; default: all cores. Results do not depend on it"},
        {"slurm", 0, OPTION_FLAG, &o->slurm, NULL,
         "run nothing; write DIR/study.slurm, a job array with a task for each run"},
        {"run", 0, OPTION_NUMBER, &o->only, "K",
         "do only the K-th run, and no table: what the tasks of a job array call"},
        {"quiet", 'q', OPTION_FLAG, &o->quiet, NULL, "print errors only"},
    };
    const verb_usage usage = {
        .verb = "sweep",
        .arguments = "STUDY.json",
        .argument_count = 1,
        .about =
            "Runs a scene over a list, a grid, a Latin hypercube or a Sobol sequence of its parameters, and over\n"
            "seeds, several runs at a time (docs/studies.md). Every run has a directory of its own in DIR/runs; DIR\n"
            "gets study.csv with means and scatter, runs.csv, plots and study.html. A run that fails does not stop\n"
            "the others. Ctrl-C saves all of them; the same command goes on, also after a kill, and does nothing\n"
            "again that is done.",
        .example = "scree sweep studies/slide/friction.json -o slide\n"
                   "scree sweep study.json -o out --jobs 4 --threads 8",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, &o->path);
}

// Every case, each with the scene read: what is wrong with one is known before any is run.
static scr_status list_cases(sweep *s, scr_error *error)
{
    const char *text[AXES_MAX];
    int axes = s->plan.axis_count, seeds = s->plan.seed_count;
    scr_status status = study_list_reserve(&s->list, s->points.count * seeds, error);
    for (int64_t c = 0; c < s->points.count * seeds && status == SCR_OK; ++c) {
        for (int k = 0; k < axes; ++k) text[k] = s->points.value[c / seeds * axes + k].text;
        status = study_list_add(&s->list, &s->plan, s->plan.axis, axes, text, (int)(c % seeds), error);
    }
    return status;
}

static scr_status check_only(const sweep *s, scr_error *error)
{
    double k = s->o->only;
    if (k == 0.0 || (k == floor(k) && k <= (double)s->list.run_count)) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "--run %g: the study has %lld runs, from 1 on", k,
                    (long long)s->list.run_count);
}

static scr_status prepare(sweep *s, const char *directory, scr_error *error)
{
    scr_status status = study_plan_read(s->o->path, &s->plan, error);
    if (status == SCR_OK) status = study_plan_expect_sweep(&s->plan, error);
    if (status == SCR_OK) {
        const char *const inputs[] = {s->o->path, s->plan.scene};
        status = study_directory_check(directory, inputs, 2, error);
    }
    if (status == SCR_OK) status = study_points_make(&s->plan, &s->points, error);
    if (status == SCR_OK) status = list_cases(s, error);
    return status == SCR_OK ? check_only(s, error) : status;
}

static void show_progress(void *context, const pool_count *count)
{
    study_progress_show(&((sweep *)context)->progress, count);
}

// Are the figures there that the study asks for? Known as soon as one run is done.
static scr_status check_figures(void *context, const study_run *run, scr_error *error)
{
    sweep *s = context;
    char path[PATH_LENGTH_MAX];
    double value;
    run_output output = {0};
    if (s->is_checked) return SCR_OK;
    scr_status status = study_run_path(&s->directory, run->number, "", path, error);
    if (status == SCR_OK) status = run_output_open(path, true, &output, error);
    for (int k = 0; k < s->plan.figure_count && status == SCR_OK; ++k)
        status = run_figure(&output, &s->plan.figure[k], &value, error);
    run_output_close(&output);
    s->is_checked = status == SCR_OK;
    return status;
}

static scr_status check_figures_of_done(sweep *s, scr_error *error)
{
    for (int64_t k = 0; k < s->list.run_count; ++k) {
        if (s->list.runs[k].state == STUDY_DONE) return check_figures(s, &s->list.runs[k], error);
    }
    return SCR_OK;
}

static scr_status work(sweep *s, scr_error *error)
{
    study_run *runs = s->o->only > 0 ? &s->list.runs[(int64_t)s->o->only - 1] : s->list.runs;
    int64_t count = s->o->only > 0 ? 1 : s->list.run_count;
    pool_count before = study_runs_count(runs, count);
    int most = (int)(before.waiting < s->o->threads ? before.waiting : s->o->threads);
    int jobs = s->o->jobs > 0 ? s->o->jobs : most > 0 ? most : 1;
    run_pool pool = {.command = "/proc/self/exe",
                     .scene = s->plan.scene,
                     .jobs = jobs,
                     .threads = s->o->threads / jobs > 0 ? s->o->threads / jobs : 1,
                     .progress = show_progress,
                     .on_done = check_figures,
                     .context = s};
    if (!s->o->quiet)
        fprintf(stderr, "%s: %s, of which %s done; %d at a time, %s each, into %s\n", s->o->path,
                human_things(count, "run", "runs").text, before.done == 1 ? "1 is" : human_count(before.done).text,
                jobs, human_things(pool.threads, "thread", "threads").text, s->directory.path);
    s->progress = study_progress_begin(s->o->quiet, &before);
    scr_status status = check_figures_of_done(s, error);
    if (status == SCR_OK) status = run_pool_work(&pool, &s->directory, runs, count, error);
    study_progress_clear(&s->progress);
    return status;
}

static scr_status write_results(sweep *s, scr_error *error)
{
    study_table table = {0};
    bool has_plots = false;
    scr_status status = study_table_make(&s->plan, &s->points, &s->directory, s->list.runs, s->list.run_count,
                                         s->list.run_of, s->list.case_count, &table, error);
    if (status == SCR_OK) status = study_table_write(&table, &s->directory, error);
    if (status == SCR_OK) status = soil_table_write(&table, &s->directory, error);
    if (status == SCR_OK) status = study_plots_write(&table, &s->directory, &has_plots, error);
    if (status == SCR_OK) status = study_page_write(&table, &s->directory, has_plots, error);
    if (status == SCR_OK && !s->o->quiet) {
        printf("%s/\n", s->directory.path);
        printf("  study.csv   means and scatter of %s\n", human_things(s->points.count, "point", "points").text);
        printf("  runs.csv    every run; times.csv has their wall clocks\n");
        if (s->plan.soil != SOIL_NONE) printf("  soil.csv    what they say about the soil\n");
        if (has_plots) printf("  study.svg   plots, and study.png\n");
        printf("  study.html  all of it; open it in a browser\n");
    }
    study_table_free(&table);
    return status;
}

static int tell_failures(const sweep *s)
{
    pool_count count = study_runs_count(s->list.runs, s->list.run_count);
    if (count.failed == 0) return EXIT_DONE;
    for (int64_t k = 0; k < s->list.run_count; ++k) {
        const study_run *run = &s->list.runs[k];
        if (run->state != STUDY_FAILED) continue;
        fprintf(stderr, "scree: %lld of %lld runs failed; the first is %s/runs/%04lld: %s\n", (long long)count.failed,
                (long long)s->list.run_count, s->directory.path, (long long)run->number, run->reason);
        break;
    }
    return EXIT_FAILED;
}

static int write_script(sweep *s)
{
    scr_error error;
    char path[PATH_LENGTH_MAX];
    scr_status status = study_file_path(&s->directory, "study.slurm", path, &error);
    if (status == SCR_OK)
        status = slurm_script_write(path, s->o->path, s->directory.path, s->list.run_count, s->o->threads, &error);
    if (status != SCR_OK) return complain_of_study(&error);
    if (!s->o->quiet)
        printf("%s: a job array of %s; sbatch takes it\n", path, human_things(s->list.run_count, "task", "tasks").text);
    return EXIT_DONE;
}

static int sweep_opened(sweep *s)
{
    scr_error error = {0};
    if (s->o->slurm) return write_script(s);
    scr_status status = study_list_place(&s->list, &s->directory, &error);
    if (status == SCR_OK) status = work(s, &error);
    if (status == SCR_INTERRUPTED) {
        if (!s->o->quiet) tell_study_interrupted();
        return EXIT_INTERRUPTED;
    }
    if (status == SCR_OK && s->o->only == 0) status = write_results(s, &error);
    return status == SCR_OK ? tell_failures(s) : complain_of_study(&error);
}

static int run_sweep(sweep *s)
{
    scr_error error = {0};
    char directory[PATH_LENGTH_MAX];
    if (s->o->directory == NULL) study_directory_name(s->o->path, directory);
    const char *path = s->o->directory != NULL ? s->o->directory : directory;
    if (prepare(s, path, &error) != SCR_OK) return complain(&error);
    interrupt_asks_to_stop(s->o->quiet);
    if (study_directory_open(path, s->o->only > 0, s->o->quiet ? NULL : tell_study_waits, &s->directory, &error) !=
        SCR_OK)
        return complain_at_work(&error);
    return sweep_opened(s);
}

int app_sweep(int argc, char **argv)
{
    sweep_options o = {.threads = scr_core_count()};
    parse_result parsed = parse(argc, argv, &o);
    if (parsed != PARSE_OK) return exit_code_of(parsed);
    sweep s = {.o = &o, .directory = {.lock = -1, .runs_lock = -1}};
    int code = run_sweep(&s);
    study_list_free(&s.list);
    study_points_free(&s.points);
    study_directory_close(&s.directory);
    study_plan_free(&s.plan);
    return code;
}
