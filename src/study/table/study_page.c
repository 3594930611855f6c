// SPDX-License-Identifier: BSD-3-Clause
// study.html.
#include "study/table/study_page.h"

#include <stdio.h>

#include "study/table/result_page.h"

enum { CELL = 300 };

static const char *design_words(const study_plan *plan)
{
    static const char *const words[] = {[DESIGN_GRID] = "a grid",
                                        [DESIGN_LIST] = "a list",
                                        [DESIGN_LATIN_HYPERCUBE] = "a Latin hypercube",
                                        [DESIGN_SOBOL] = "a Sobol sequence"};
    return words[plan->design];
}

static void print_heads(result_page *page, const study_plan *plan)
{
    char text[CELL];
    for (int k = 0; k < plan->axis_count + plan->figure_count; ++k) {
        bool is_axis = k < plan->axis_count;
        const char *name = is_axis ? plan->axis[k].name : plan->figure[k - plan->axis_count].name;
        const char *unit = is_axis ? plan->axis[k].unit : plan->figure[k - plan->axis_count].unit;
        snprintf(text, sizeof text, unit[0] != '\0' ? "%.200s (%.64s)" : "%.200s", name, unit);
        result_table_cell(page, text);
    }
}

static void print_axes(result_page *page, const study_table *t, int64_t point)
{
    for (int k = 0; k < t->plan->axis_count; ++k) {
        const study_value *value = &t->points->value[point * t->plan->axis_count + k];
        if (value->number == value->number) result_table_number(page, value->number);
        else result_table_cell(page, value->shown);
    }
}

static void print_points(result_page *page, const study_table *t)
{
    const study_plan *plan = t->plan;
    char text[CELL];
    result_page_heading(page, plan->seed_count > 1 ? "Means, and the standard deviation of a run" : "Figures");
    result_table_begin(page);
    result_table_cell(page, "point");
    print_heads(page, plan);
    for (int64_t p = 0; p < t->points->count; ++p) {
        result_table_row(page);
        snprintf(text, sizeof text, "%lld", (long long)p + 1);
        result_table_cell(page, text);
        print_axes(page, t, p);
        for (int k = 0; k < plan->figure_count; ++k) {
            const figure_statistics *s = &t->statistics[p * plan->figure_count + k];
            result_table_spread(page, s->mean, s->deviation);
        }
    }
    result_table_end(page);
}

static void print_runs(result_page *page, const study_table *t)
{
    const study_plan *plan = t->plan;
    char text[CELL], link[CELL];
    result_page_heading(page, "Runs");
    result_table_begin(page);
    result_table_cell(page, "run");
    result_table_cell(page, "point");
    if (plan->seeds != NULL) result_table_cell(page, "seed");
    print_heads(page, plan);
    for (int64_t c = 0; c < t->case_count; ++c) {
        const study_run *run = &t->runs[t->run_of[c]];
        result_table_row(page);
        snprintf(text, sizeof text, "%04lld", (long long)run->number);
        snprintf(link, sizeof link, "runs/%04lld", (long long)run->number);
        result_table_link(page, link, text);
        snprintf(text, sizeof text, "%lld", (long long)(c / plan->seed_count) + 1);
        result_table_cell(page, text);
        snprintf(text, sizeof text, "%lld", plan->seeds != NULL ? (long long)plan->seeds[c % plan->seed_count] : 0LL);
        if (plan->seeds != NULL) result_table_cell(page, text);
        print_axes(page, t, c / plan->seed_count);
        for (int k = 0; k < plan->figure_count; ++k) result_table_number(page, t->value[c * plan->figure_count + k]);
    }
    result_table_end(page);
}

static void print_failures(result_page *page, const study_table *t)
{
    bool any = false;
    for (int64_t r = 0; r < t->run_count; ++r) {
        if (t->runs[r].state != STUDY_FAILED) continue;
        if (!any) result_page_heading(page, "Runs that failed");
        any = true;
        result_page_paragraph(page, "%04lld: %s", (long long)t->runs[r].number, t->runs[r].reason);
    }
}

scr_status study_page_write(const study_table *t, const study_directory *d, bool has_plots, scr_error *error)
{
    char path[PATH_LENGTH_MAX], svg[PATH_LENGTH_MAX];
    const study_plan *plan = t->plan;
    result_page page;
    scr_status status = study_file_path(d, "study.html", path, error);
    if (status == SCR_OK) status = study_file_path(d, "study.svg", svg, error);
    if (status == SCR_OK)
        status = result_page_begin(&page, path, plan->title[0] != '\0' ? plan->title : "A study", error);
    if (status != SCR_OK) return status;
    result_page_paragraph(&page, "Scene %s; %lld point%s (%s), %d seed%s each.", plan->scene,
                          (long long)t->points->count, t->points->count == 1 ? "" : "s", design_words(plan),
                          plan->seed_count, plan->seed_count == 1 ? "" : "s");
    print_failures(&page, t);
    if (has_plots) status = result_page_picture(&page, svg, "each figure against what varies", error);
    print_points(&page, t);
    if (plan->seed_count > 1) print_runs(&page, t);
    return result_page_end(&page, status, error);
}
