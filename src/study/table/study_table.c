// SPDX-License-Identifier: BSD-3-Clause
// What a sweep found.
#include "study/table/study_table.h"

#include <math.h>

#include "core/base/memory.h"
#include "io/export/csv_text.h"
#include "study/runs/run_figures.h"

static const char *const STATES[] = {[STUDY_WAITING] = "not run",
                                     [STUDY_AT_WORK] = "running",
                                     [STUDY_DONE] = "done",
                                     [STUDY_FAILED] = "failed",
                                     [STUDY_STOPPED] = "stopped"};

figure_statistics statistics_of(const double *value, int64_t count, int64_t stride)
{
    figure_statistics s = {.mean = NAN, .deviation = NAN};
    double sum = 0.0, squares = 0.0;
    for (int64_t k = 0; k < count; ++k) {
        if (!isfinite(value[k * stride])) continue;
        sum += value[k * stride];
        ++s.count;
    }
    if (s.count == 0) return s;
    s.mean = sum / (double)s.count;
    for (int64_t k = 0; k < count; ++k) {
        double off = value[k * stride] - s.mean;
        if (isfinite(off)) squares += off * off;
    }
    if (s.count > 1) s.deviation = sqrt(squares / (double)(s.count - 1));
    return s;
}

static bool needs_probes(const study_plan *plan)
{
    for (int k = 0; k < plan->figure_count; ++k) {
        if (plan->figure[k].probe != NULL) return true;
    }
    return false;
}

static scr_status read_run(study_table *t, const study_directory *d, int64_t run, double *value, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    run_output output = {0};
    scr_status status = study_run_path(d, t->runs[run].number, "", path, error);
    if (status == SCR_OK) status = run_output_open(path, needs_probes(t->plan), &output, error);
    for (int k = 0; k < t->plan->figure_count && status == SCR_OK; ++k)
        status = run_figure(&output, &t->plan->figure[k], &value[k], error);
    if (status == SCR_OK)
        t->times[run] = (run_times){.wall = run_summary_number(&output, "seconds.wall"),
                                    .step = run_summary_number(&output, "seconds.per_step"),
                                    .memory = run_summary_number(&output, "peak_memory"),
                                    .threads = run_summary_number(&output, "threads"),
                                    .resumes = run_summary_number(&output, "resumes")};
    run_output_close(&output);
    return status;
}

static scr_status read_values(study_table *t, const study_directory *d, scr_error *error)
{
    int figures = t->plan->figure_count;
    scr_status status = SCR_OK;
    for (int64_t c = 0; c < t->case_count && status == SCR_OK; ++c) {
        double *value = &t->value[c * figures];
        for (int k = 0; k < figures; ++k) value[k] = NAN;
        if (t->runs[t->run_of[c]].state == STUDY_DONE) status = read_run(t, d, t->run_of[c], value, error);
    }
    return status;
}

scr_status study_table_make(const study_plan *plan, const study_points *points, const study_directory *d,
                            const study_run *runs, int64_t run_count, const int64_t *run_of, int64_t case_count,
                            study_table *t, scr_error *error)
{
    int figures = plan->figure_count, seeds = plan->seed_count;
    *t = (study_table){plan, points, runs, run_of, case_count, run_count, NULL, NULL, NULL};
    scr_status status = scr_make_zeros(&t->value, case_count * figures, sizeof *t->value, "figures", error);
    if (status == SCR_OK)
        status = scr_make_zeros(&t->statistics, points->count * figures, sizeof *t->statistics, "figures", error);
    if (status == SCR_OK) status = scr_make_zeros(&t->times, run_count, sizeof *t->times, "times", error);
    if (status == SCR_OK) status = read_values(t, d, error);
    for (int64_t k = 0; k < points->count * figures && status == SCR_OK; ++k)
        t->statistics[k] = statistics_of(&t->value[k / figures * seeds * figures + k % figures], seeds, figures);
    return status;
}

void study_table_free(study_table *t)
{
    scr_free(t->value);
    scr_free(t->statistics);
    scr_free(t->times);
    *t = (study_table){0};
}

// ---- files ---------------------------------------------------------------------------------------------------------

static void print_axis_names(FILE *out, const study_plan *plan)
{
    for (int k = 0; k < plan->axis_count; ++k) {
        fputc(',', out);
        csv_print_name(out, plan->axis[k].name, plan->axis[k].unit);
    }
}

static void print_axis_values(FILE *out, const study_table *t, int64_t point)
{
    for (int k = 0; k < t->plan->axis_count; ++k) {
        fputc(',', out);
        csv_print_text(out, t->points->value[point * t->plan->axis_count + k].shown);
    }
}

static void print_figure_name(FILE *out, const study_figure *figure, const char *ending)
{
    char name[256];
    snprintf(name, sizeof name, "%.200s%s", figure->name, ending);
    fputc(',', out);
    csv_print_name(out, name, figure->unit);
}

static int64_t done_count(const study_table *t, int64_t point)
{
    int64_t count = 0;
    for (int k = 0; k < t->plan->seed_count; ++k)
        count += t->runs[t->run_of[point * t->plan->seed_count + k]].state == STUDY_DONE;
    return count;
}

static void print_points(FILE *out, const void *context)
{
    const study_table *t = context;
    const study_plan *plan = t->plan;
    fputs("point", out);
    print_axis_names(out, plan);
    fputs(",runs", out);
    for (int k = 0; k < plan->figure_count; ++k) {
        print_figure_name(out, &plan->figure[k], "");
        print_figure_name(out, &plan->figure[k], " deviation");
    }
    fputc('\n', out);
    for (int64_t p = 0; p < t->points->count; ++p) {
        fprintf(out, "%lld", (long long)p + 1);
        print_axis_values(out, t, p);
        fprintf(out, ",%lld", (long long)done_count(t, p));
        for (int k = 0; k < plan->figure_count; ++k) {
            const figure_statistics *s = &t->statistics[p * plan->figure_count + k];
            fputc(',', out);
            csv_print_number(out, s->mean);
            fputc(',', out);
            csv_print_number(out, s->deviation);
        }
        fputc('\n', out);
    }
}

static void print_runs(FILE *out, const void *context)
{
    const study_table *t = context;
    const study_plan *plan = t->plan;
    fputs("run,point", out);
    print_axis_names(out, plan);
    fputs(plan->seeds != NULL ? ",seed,status" : ",status", out);
    for (int k = 0; k < plan->figure_count; ++k) print_figure_name(out, &plan->figure[k], "");
    fputc('\n', out);
    for (int64_t c = 0; c < t->case_count; ++c) {
        const study_run *run = &t->runs[t->run_of[c]];
        int64_t point = c / plan->seed_count;
        fprintf(out, "%04lld,%lld", (long long)run->number, (long long)point + 1);
        print_axis_values(out, t, point);
        if (plan->seeds != NULL) fprintf(out, ",%lld", (long long)plan->seeds[c % plan->seed_count]);
        fprintf(out, ",%s", STATES[run->state]);
        for (int k = 0; k < plan->figure_count; ++k) {
            fputc(',', out);
            csv_print_number(out, t->value[c * plan->figure_count + k]);
        }
        fputc('\n', out);
    }
}

static void print_times(FILE *out, const void *context)
{
    const study_table *t = context;
    fputs("run,wall clock [s],step [s],memory [B],threads,resumes\n", out);
    for (int64_t r = 0; r < t->run_count; ++r) {
        const run_times *times = &t->times[r];
        if (t->runs[r].state != STUDY_DONE) continue;
        fprintf(out, "%04lld", (long long)t->runs[r].number);
        const double cells[] = {times->wall, times->step, times->memory, times->threads, times->resumes};
        for (size_t k = 0; k < sizeof cells / sizeof *cells; ++k) {
            fputc(',', out);
            csv_print_number(out, cells[k]);
        }
        fputc('\n', out);
    }
}

scr_status study_table_write(const study_table *t, const study_directory *d, scr_error *error)
{
    static const struct {
        const char *name;
        csv_printer *print;
    } files[] = {{"study.csv", print_points}, {"runs.csv", print_runs}, {"times.csv", print_times}};
    char path[PATH_LENGTH_MAX];
    scr_status status = SCR_OK;
    for (size_t k = 0; k < sizeof files / sizeof *files && status == SCR_OK; ++k) {
        status = study_file_path(d, files[k].name, path, error);
        if (status == SCR_OK) status = csv_write(path, files[k].print, t, error);
    }
    return status;
}
