// SPDX-License-Identifier: BSD-3-Clause
// What solvers did on a problem: a table to read, histories as CSV, and their plot.
#include "app/solve/trial_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/solve/solver_names.h"
#include "core/file/safe_file.h"
#include "core/text/memory_stream.h"
#include "view/plot/plot.h"

void print_trial_head(void)
{
    printf("\n%-7s %10s %8s %9s %10s %10s %9s   %15s   %15s\n", "", "", "", "", "residual", "published", "velocity",
           "to 3 %", "to 1 %");
    printf("%-7s %10s %8s %9s %10s %10s %9s   %7s %7s   %7s %7s\n", "solver", "iterations", "passes", "seconds", "m/s",
           "m/s", "error", "passes", "s", "passes", "s");
}

static void print_reached(const trial_point *point)
{
    if (point == NULL) printf("   %7s %7s", "-", "-");
    else printf("   %7" PRId64 " %7.3g", point->passes, point->seconds);
}

void print_trial(const char *name, const trial *t)
{
    const trial_point *end = &t->point[t->count - 1];
    printf("%-7s %10d %8" PRId64 " %9.3g %10.2e %10.2e %9.2e", name, end->iterations, end->passes, end->seconds,
           end->residual, end->published_residual, end->velocity_error);
    print_reached(trial_reaches(t, 0.03));
    print_reached(trial_reaches(t, 0.01));
    printf("\n");
}

scr_status write_trials_csv(const char *path, const scr_solver_kind *solver, const trial *trials, int count,
                            scr_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = memory_stream_open(&text, &size);
    if (memory == NULL) return scr_fail_memory(error, BUFSIZ, "the table");
    fprintf(
        memory,
        "solver,iterations,passes,seconds [s],residual [m/s],published residual [m/s],force error,velocity error\n");
    for (int i = 0; i < count; ++i) {
        for (int64_t k = 0; k < trials[i].count; ++k) {
            const trial_point *p = &trials[i].point[k];
            fprintf(memory, "%s,%d,%" PRId64 ",%.6g,%.9g,%.9g,%.9g,%.9g\n", SOLVER_NAMES[solver[i]], p->iterations,
                    p->passes, p->seconds, p->residual, p->published_residual, p->force_error, p->velocity_error);
        }
    }
    scr_status status =
        fclose(memory) == 0 ? file_replace(path, text, size, error) : scr_fail_memory(error, size, "the table");
    free(text);
    return status;
}

static const double PAGE_WIDTH = 976.0, PAGE_HEIGHT = 738.0;  // points

// The columns of a trial that a plot shows.
enum { PASSES, SECONDS, RESIDUAL, VELOCITY, COLUMN_COUNT };

static double column_of(const trial_point *p, int column)
{
    const double value[COLUMN_COUNT] = {(double)p->passes, p->seconds, p->residual, p->velocity_error};
    return value[column];
}

scr_status write_trials_plot(const char *path, const char *title, const scr_solver_kind *solver, const trial *trials,
                             int count, scr_error *error)
{
    static const struct {
        int x, y;
        const char *x_label, *y_label;
    } panels[] = {
        {PASSES, RESIDUAL, "passes over all contacts", "residual (m/s)"},
        {SECONDS, RESIDUAL, "seconds", "residual (m/s)"},
        {PASSES, VELOCITY, "passes over all contacts", "velocity error"},
        {SECONDS, VELOCITY, "seconds", "velocity error"},
    };
    enum { PANELS = sizeof panels / sizeof panels[0] };
    double *column[SOLVER_KINDS][COLUMN_COUNT] = {0};
    plot_curve curve[PANELS][SOLVER_KINDS];
    plot_panel panel[PANELS];
    scr_status status = SCR_OK;
    for (int i = 0; i < count; ++i) {
        for (int c = 0; c < COLUMN_COUNT; ++c) {
            size_t bytes = scr_array_bytes(trials[i].count, sizeof(double));
            column[i][c] = scr_alloc(bytes);
            if (column[i][c] == NULL) status = scr_fail_memory(error, bytes, "the plot");
            for (int64_t k = 0; status == SCR_OK && k < trials[i].count; ++k)
                column[i][c][k] = column_of(&trials[i].point[k], c);
        }
    }
    for (int p = 0; p < PANELS; ++p) {
        for (int i = 0; i < count; ++i)
            curve[p][i] = (plot_curve){SOLVER_NAMES[solver[i]],
                                       column[i][panels[p].x],
                                       column[i][panels[p].y],
                                       trials[i].count,
                                       i,
                                       PLOT_ENDING,
                                       NULL};
        panel[p] = (plot_panel){panels[p].x_label, panels[p].y_label, true, true, curve[p], count};
    }
    const plot_page page = {.title = title,
                            .panel = panel,
                            .panel_count = PANELS,
                            .column_count = 2,
                            .legend = PLOT_LEGEND_ABOVE,
                            .width = PAGE_WIDTH,
                            .height = PAGE_HEIGHT};
    if (status == SCR_OK) status = plot_write(path, &page, error);
    for (int i = 0; i < count; ++i) {
        for (int c = 0; c < COLUMN_COUNT; ++c) scr_free(column[i][c]);
    }
    return status;
}
