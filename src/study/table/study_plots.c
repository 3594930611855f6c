// SPDX-License-Identifier: BSD-3-Clause
// The plots of a sweep.
#include "study/table/study_plots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "view/plot/plot.h"

static const double PANEL_WIDTH = 360.0, ONE_WIDTH = 760.0, PANEL_HEIGHT = 190.0, HEAD = 110.0;  // points
enum { LABEL_SIZE = 300, CURVES_MAX = 64 };

typedef struct label {
    char text[LABEL_SIZE];
} label;

typedef struct drawing {
    const study_table *t;
    int across[PLOTTED_AXES_MAX];  // axes: a column of panels each
    int across_count;
    int apart;  // the axis whose values are curves of their own; -1: none
    int figure_count;
    double *x, *y, *spread;  // (panel, point)
    plot_curve *curve;       // (panel, CURVES_MAX)
    plot_panel panel[PLOTTED_AXES_MAX * PLOTTED_FIGURES_MAX];
    label x_label[PLOTTED_AXES_MAX], y_label[PLOTTED_FIGURES_MAX];
    label curve_name[CURVES_MAX];
} drawing;

static label label_of(const char *name, const char *unit)
{
    label l;
    snprintf(l.text, sizeof l.text, unit[0] != '\0' ? "%.200s (%.64s)" : "%.200s", name, unit);
    return l;
}

static const study_value *value_at(const study_table *t, int64_t point, int axis)
{
    return &t->points->value[point * t->plan->axis_count + axis];
}

static bool is_numeric(const study_table *t, int axis)
{
    for (int64_t p = 0; p < t->points->count; ++p) {
        if (isfinite(value_at(t, p, axis)->number)) return true;
    }
    return false;
}

// The point at which the value of an axis is there for the first time.
static int64_t first_with_value(const study_table *t, int64_t point, int axis)
{
    for (int64_t p = 0; p < point; ++p) {
        if (strcmp(value_at(t, p, axis)->text, value_at(t, point, axis)->text) == 0) return p;
    }
    return point;
}

static int distinct_count(const study_table *t, int axis)
{
    int count = 0;
    for (int64_t p = 0; p < t->points->count; ++p) count += first_with_value(t, p, axis) == p;
    return count;
}

static void choose_axes(drawing *g)
{
    const study_plan *plan = g->t->plan;
    g->apart = -1;
    for (int k = 0; k < plan->axis_count && g->across_count < PLOTTED_AXES_MAX; ++k) {
        if (is_numeric(g->t, k)) g->across[g->across_count++] = k;
    }
    bool is_grid = plan->design == DESIGN_GRID && plan->axis_count == 2 && g->across_count > 0;
    if (!is_grid) return;
    int apart = g->across[0] == 0 ? 1 : 0;
    if (distinct_count(g->t, apart) > CURVES_MAX) return;
    g->apart = apart;
    g->across_count = 1;
}

// One curve: all points, or those with one value of the axis that sets curves apart. Points of a grid come in rising
// order of what the file says; a list keeps its own.
static int64_t gather(drawing *g, int figure, int axis, int64_t like, double *x, double *y, double *spread)
{
    const study_table *t = g->t;
    int64_t count = 0;
    for (int64_t p = 0; p < t->points->count; ++p) {
        if (g->apart >= 0 && first_with_value(t, p, g->apart) != like) continue;
        const figure_statistics *s = &t->statistics[p * t->plan->figure_count + figure];
        x[count] = value_at(t, p, axis)->number;
        y[count] = s->mean;
        spread[count++] = isfinite(s->deviation) ? s->deviation : 0.0;
    }
    return count;
}

static void make_panel(drawing *g, int figure, int column)
{
    int index = figure * g->across_count + column, axis = g->across[column], curves = 0;
    const study_plan *plan = g->t->plan;
    int64_t used = 0, points = g->t->points->count, base = index * points;
    bool is_line = plan->axis_count <= 2 && (plan->axis_count == 1 || g->apart >= 0) && plan->sample_count == 0;
    plot_curve *curve = &g->curve[index * CURVES_MAX];
    for (int64_t p = 0; p < points && curves < CURVES_MAX; ++p) {
        if (g->apart >= 0 ? first_with_value(g->t, p, g->apart) != p : p > 0) continue;
        double *x = &g->x[base + used], *y = &g->y[base + used], *spread = &g->spread[base + used];
        int64_t count = gather(g, figure, axis, p, x, y, spread);
        if (g->apart >= 0)
            snprintf(g->curve_name[curves].text, LABEL_SIZE, "%.100s = %.100s %.60s", plan->axis[g->apart].name,
                     value_at(g->t, p, g->apart)->shown, plan->axis[g->apart].unit);
        curve[curves] =
            (plot_curve){.name = g->apart >= 0 && index == 0 ? g->curve_name[curves].text : NULL,  // once for all
                         .x = x,
                         .y = y,
                         .count = count,
                         .ink = curves,
                         .style = is_line ? PLOT_DOTTED : PLOT_POINTS,
                         .spread = plan->seed_count > 1 ? spread : NULL};
        used += count;
        ++curves;
    }
    bool is_last = figure == g->figure_count - 1;
    g->panel[index] = (plot_panel){.x_label = is_last ? g->x_label[column].text : NULL,
                                   .y_label = g->y_label[figure].text,
                                   .x_is_log = plan->axis[axis].is_log,
                                   .curve = curve,
                                   .curve_count = curves};
}

static scr_status make_arrays(drawing *g, scr_error *error)
{
    int64_t panels = g->across_count * g->figure_count, numbers = panels * g->t->points->count;
    scr_status status = scr_make_zeros(&g->x, numbers, sizeof *g->x, "plots", error);
    if (status == SCR_OK) status = scr_make_zeros(&g->y, numbers, sizeof *g->y, "plots", error);
    if (status == SCR_OK) status = scr_make_zeros(&g->spread, numbers, sizeof *g->spread, "plots", error);
    if (status == SCR_OK) status = scr_make_zeros(&g->curve, panels * CURVES_MAX, sizeof *g->curve, "plots", error);
    return status;
}

static scr_status write_page(const drawing *g, const study_directory *d, scr_error *error)
{
    char note[160], path[PATH_LENGTH_MAX];
    const study_plan *plan = g->t->plan;
    snprintf(note, sizeof note, "means over %d seeds; bars: one standard deviation of a run", plan->seed_count);
    const plot_page page = {.title = plan->title[0] != '\0' ? plan->title : NULL,
                            .note = plan->seed_count > 1 ? note : NULL,
                            .panel = g->panel,
                            .panel_count = g->across_count * g->figure_count,
                            .column_count = g->across_count,
                            .legend = PLOT_LEGEND_BESIDE,
                            .width = g->across_count == 1 ? ONE_WIDTH : PANEL_WIDTH * g->across_count,
                            .height = HEAD + PANEL_HEIGHT * (g->figure_count == 1 ? 1.6 : g->figure_count)};
    scr_status status = study_file_path(d, "study.svg", path, error);
    if (status == SCR_OK) status = plot_write(path, &page, error);
    if (status == SCR_OK) status = study_file_path(d, "study.png", path, error);
    return status == SCR_OK ? plot_write(path, &page, error) : status;
}

static bool has_figures(const study_table *t)
{
    for (int64_t k = 0; k < t->points->count * t->plan->figure_count; ++k) {
        if (t->statistics[k].count > 0) return true;
    }
    return false;
}

scr_status study_plots_write(const study_table *t, const study_directory *d, bool *is_drawn, scr_error *error)
{
    const study_plan *plan = t->plan;
    drawing *g = scr_alloc(sizeof *g);
    if (g == NULL) return scr_fail_memory(error, sizeof *g, "plots");
    *g = (drawing){.t = t};
    choose_axes(g);
    g->figure_count = plan->figure_count < PLOTTED_FIGURES_MAX ? plan->figure_count : PLOTTED_FIGURES_MAX;
    for (int k = 0; k < g->across_count; ++k)
        g->x_label[k] = label_of(plan->axis[g->across[k]].name, plan->axis[g->across[k]].unit);
    for (int k = 0; k < g->figure_count; ++k) g->y_label[k] = label_of(plan->figure[k].name, plan->figure[k].unit);
    *is_drawn = g->across_count > 0 && has_figures(t);
    scr_status status = make_arrays(g, error);
    if (status == SCR_OK && *is_drawn) {
        for (int k = 0; k < g->across_count * g->figure_count; ++k)
            make_panel(g, k / g->across_count, k % g->across_count);
        status = write_page(g, d, error);
    }
    scr_free(g->x);
    scr_free(g->y);
    scr_free(g->spread);
    scr_free(g->curve);
    scr_free(g);
    return status;
}
