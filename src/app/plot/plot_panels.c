// SPDX-License-Identifier: BSD-3-Clause
// The page of a plot.
#include "app/plot/plot_panels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_SIZE = 256 };
static const double PAGE_WIDTH = 800.0, HEAD = 120.0;        // points
static const double PANEL_HEIGHT[] = {330.0, 220.0, 170.0};  // of one, of two, of more

typedef struct label {
    char text[LABEL_SIZE];
} label;

typedef struct figure {
    const plotted_run *runs;
    int run_count;
    const plot_settings *settings;
    plot_panel *panel;
    label *y_label;  // of each panel
    plot_curve *curve;
    int panel_count, curve_count;
} figure;

static label label_of(const char *name, size_t length, const char *unit)
{
    label l;
    if (unit[0] == '\0') snprintf(l.text, sizeof l.text, "%.*s", (int)length, name);
    else if (length == 0) snprintf(l.text, sizeof l.text, "%s", unit);
    else snprintf(l.text, sizeof l.text, "%.*s (%s)", (int)length, name, unit);
    return l;
}

static size_t probe_length(const char *column) { return strcspn(column, "."); }

static bool is_same_probe(const char *a, const char *b)
{
    return probe_length(a) == probe_length(b) && strncmp(a, b, probe_length(a)) == 0;
}

// Columns share a panel if they share a unit; numbers of different things, which have none, do so within a probe.
static bool is_same_panel(const plotted_column *a, const plotted_column *b)
{
    return strcmp(a->unit, b->unit) == 0 && (a->unit[0] != '\0' || is_same_probe(a->name, b->name));
}

// What is not positive has no place on a logarithmic axis: a column of such values would be an empty panel.
static scr_status check_log(const plotted_run *run, const plotted_column *column, bool is_log, scr_error *error)
{
    if (!is_log) return SCR_OK;
    for (int64_t k = 0; k < run->row_count; ++k) {
        if (column->shown[k] > 0.0) return SCR_OK;
    }
    return scr_fail(error, SCR_BAD_INPUT, "%s: no value of %s is positive; a logarithmic axis has no place for it",
                    run->directory, column->name);
}

// The curve of a column, over its raw values in pale if it is filtered.
static void add_curve(figure *s, const plotted_run *run, int64_t column, int ink, const char *name)
{
    const plotted_column *x = &run->column[0], *y = &run->column[column];
    if (s->settings->filter > 0.0)
        s->curve[s->curve_count++] = (plot_curve){NULL, x->raw, y->raw, run->row_count, ink, PLOT_PALE, NULL};
    s->curve[s->curve_count++] = (plot_curve){name, x->shown, y->shown, run->row_count, ink, PLOT_LINE, NULL};
}

static plot_panel *begin_panel(figure *s, label y_label)
{
    plot_panel *panel = &s->panel[s->panel_count];
    s->y_label[s->panel_count] = y_label;
    *panel = (plot_panel){.y_label = s->y_label[s->panel_count].text,
                          .x_is_log = s->settings->x_is_log,
                          .y_is_log = s->settings->y_is_log,
                          .curve = &s->curve[s->curve_count]};
    ++s->panel_count;
    return panel;
}

static void end_panel(figure *s, plot_panel *panel)
{
    panel->curve_count = (int)(&s->curve[s->curve_count] - panel->curve);
}

// The panel of column `first`, which is in none yet, and of those that belong to it.
static void add_shared_panel(figure *s, int64_t first)
{
    const plotted_run *run = &s->runs[0];
    const plotted_column *lead = &run->column[first];
    int members = 0, ink = 0;
    bool one_probe = true;
    for (int64_t k = first; k < run->column_count; ++k) {
        if (!is_same_panel(&run->column[k], lead)) continue;
        ++members;
        one_probe = one_probe && is_same_probe(run->column[k].name, lead->name);
    }
    size_t length = members == 1 ? strlen(lead->name) : one_probe ? probe_length(lead->name) : 0;
    plot_panel *panel = begin_panel(s, label_of(lead->name, length, lead->unit));
    for (int64_t k = first; k < run->column_count; ++k) {
        const plotted_column *column = &run->column[k];
        if (!is_same_panel(column, lead)) continue;
        const char *rest = column->name + probe_length(column->name);
        const char *name = one_probe && rest[0] == '.' ? rest + 1 : column->name;
        add_curve(s, run, k, ink++, members > 1 ? name : NULL);
    }
    end_panel(s, panel);
}

static bool is_first_of_panel(const plotted_run *run, int64_t column)
{
    for (int64_t k = 1; k < column; ++k) {
        if (is_same_panel(&run->column[k], &run->column[column])) return false;
    }
    return true;
}

// One column of all runs; the first panel names them for all.
static void add_column_panel(figure *s, int64_t column)
{
    const plotted_column *lead = &s->runs[0].column[column];
    plot_panel *panel = begin_panel(s, label_of(lead->name, strlen(lead->name), lead->unit));
    for (int i = 0; i < s->run_count; ++i) add_curve(s, &s->runs[i], column, i, column == 1 ? s->runs[i].label : NULL);
    end_panel(s, panel);
}

static scr_status make_arrays(figure *s, scr_error *error)
{
    int64_t columns = s->runs[0].column_count, curves = 2 * columns * s->run_count;
    scr_status status = scr_make_zeros(&s->panel, columns, sizeof *s->panel, "panels", error);
    if (status == SCR_OK) status = scr_make_zeros(&s->y_label, columns, sizeof *s->y_label, "panels", error);
    if (status == SCR_OK) status = scr_make_zeros(&s->curve, curves, sizeof *s->curve, "curves", error);
    return status;
}

static scr_status check_curves(const figure *s, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int i = 0; i < s->run_count; ++i) {
        const plotted_run *run = &s->runs[i];
        for (int64_t k = 0; status == SCR_OK && k < run->column_count; ++k)
            status = check_log(run, &run->column[k], k == 0 ? s->settings->x_is_log : s->settings->y_is_log, error);
    }
    return status;
}

static double natural_height(int panels) { return HEAD + panels * PANEL_HEIGHT[panels > 2 ? 2 : panels - 1]; }

static scr_status write_page(const figure *s, const char *path, scr_error *error)
{
    char note[80];
    const plotted_column *across = &s->runs[0].column[0];
    label x_label = label_of(across->name, strlen(across->name), across->unit);
    const plot_settings *settings = s->settings;
    s->panel[s->panel_count - 1].x_label = x_label.text;
    snprintf(note, sizeof note, "Gaussian filter, \u03c3 = %g s; the data as sampled in pale", settings->filter);
    const char *title = s->runs[0].title != NULL ? s->runs[0].title : s->runs[0].label;
    const plot_page page = {.title = s->run_count == 1 ? title : NULL,
                            .note = settings->filter > 0.0 ? note : NULL,
                            .panel = s->panel,
                            .panel_count = s->panel_count,
                            .column_count = 1,
                            .legend = PLOT_LEGEND_BESIDE,
                            .width = settings->width > 0.0 ? settings->width : PAGE_WIDTH,
                            .height = settings->height > 0.0 ? settings->height : natural_height(s->panel_count)};
    return plot_write(path, &page, error);
}

scr_status plot_runs(const char *path, const plotted_run *runs, int run_count, const plot_settings *settings,
                     int *panel_count, scr_error *error)
{
    figure s = {.runs = runs, .run_count = run_count, .settings = settings};
    scr_status status = check_curves(&s, error);
    if (status == SCR_OK) status = make_arrays(&s, error);
    for (int64_t k = 1; status == SCR_OK && k < runs[0].column_count; ++k) {
        if (run_count > 1) add_column_panel(&s, k);
        else if (is_first_of_panel(&runs[0], k)) add_shared_panel(&s, k);
    }
    if (status == SCR_OK) status = write_page(&s, path, error);
    *panel_count = s.panel_count;
    scr_free(s.panel);
    scr_free(s.y_label);
    scr_free(s.curve);
    return status;
}
