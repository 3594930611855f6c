// SPDX-License-Identifier: BSD-3-Clause
// The plots of a fit.
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "study/fit/fit_report.h"
#include "view/plot/plot.h"

static const double PANEL_WIDTH = 380.0, PANEL_HEIGHT = 330.0;  // points
enum {
    CURVE_PANELS_MAX = 4,
    LABEL_SIZE = 200,
    PANELS_MAX = AXES_MAX > CURVE_PANELS_MAX ? AXES_MAX : CURVE_PANELS_MAX + 1
};

typedef struct fit_drawing {
    const fit *f;
    const fit_result *result;
    double *across, *measured, *error;   // (datum)
    double *number, *objective, *value;  // (evaluation); value: (evaluation, axis)
    double best[AXES_MAX], best_objective;
    plot_curve curve[PANELS_MAX][2];
    plot_panel panel[PANELS_MAX];
    char x_label[PANELS_MAX][LABEL_SIZE], y_label[PANELS_MAX][LABEL_SIZE];
} fit_drawing;

static void set_label(char label[LABEL_SIZE], const char *name, const char *unit)
{
    snprintf(label, LABEL_SIZE, unit[0] != '\0' ? "%.120s (%.48s)" : "%.120s", name, unit);
}

static void draw_curve(fit_drawing *g, int target, int64_t first, int64_t count, int panel)
{
    const study_target *t = &g->f->plan->fit.target[target];
    plot_curve *curve = g->curve[panel];
    curve[0] =
        (plot_curve){"measured", &g->across[first], &g->measured[first], count, 1, PLOT_POINTS, &g->error[first]};
    curve[1] = (plot_curve){"fitted",
                            &g->across[first],
                            &g->result->model[first],
                            count,
                            0,
                            PLOT_LINE,
                            g->f->plan->seed_count > 1 ? &g->result->deviation[first] : NULL};
    set_label(g->x_label[panel], t->against, strcmp(t->against, "time") == 0 ? "s" : "");
    set_label(g->y_label[panel], t->figure.name, t->figure.unit[0] != '\0' ? t->figure.unit : g->f->data->unit[target]);
    g->panel[panel] = (plot_panel){g->x_label[panel], g->y_label[panel], false, false, curve, 2};
}

// Data of a target follow one another.
static int draw_curves(fit_drawing *g)
{
    const fit_data *data = g->f->data;
    int panels = 0;
    for (int64_t first = 0, last; first < data->count && panels < CURVE_PANELS_MAX; first = last) {
        int target = data->datum[first].target;
        for (last = first; last < data->count && data->datum[last].target == target; ++last) {}
        if (g->f->plan->fit.target[target].curve != NULL) draw_curve(g, target, first, last - first, panels++);
    }
    return panels;
}

static void draw_course(fit_drawing *g, int panel)
{
    plot_curve *curve = g->curve[panel];
    curve[0] = (plot_curve){NULL, g->number, g->objective, g->f->evaluation_count, 0, PLOT_DOTTED, NULL};
    g->panel[panel] = (plot_panel){"evaluation", "objective", false, true, curve, 1};
}

static void draw_parameter(fit_drawing *g, int axis)
{
    const study_axis *a = &g->f->plan->fit.axis[axis];
    plot_curve *curve = g->curve[axis];
    double *value = &g->value[axis * g->f->evaluation_count];
    curve[0] = (plot_curve){"evaluations", value, g->objective, g->f->evaluation_count, 0, PLOT_POINTS, NULL};
    curve[1] = (plot_curve){"the answer", &g->best[axis], &g->best_objective, 1, 1, PLOT_POINTS, NULL};
    set_label(g->x_label[axis], a->name, a->unit);
    g->panel[axis] = (plot_panel){g->x_label[axis], "objective", a->is_log, true, curve, 2};
}

static scr_status write_page(const fit_drawing *g, int panels, const char *note, const char *name, scr_error *error)
{
    static const char *const endings[] = {".svg", ".png"};
    char path[PATH_LENGTH_MAX], file[64];
    const char *title = g->f->plan->title;
    const plot_page page = {.title = title[0] != '\0' ? title : NULL,
                            .note = note,
                            .panel = g->panel,
                            .panel_count = panels,
                            .column_count = panels,
                            .legend = PLOT_LEGEND_ABOVE,
                            .width = panels > 1 ? PANEL_WIDTH * panels : 1.5 * PANEL_WIDTH,
                            .height = PANEL_HEIGHT};
    scr_status status = SCR_OK;
    for (int k = 0; k < 2 && status == SCR_OK; ++k) {
        snprintf(file, sizeof file, "%s%s", name, endings[k]);
        status = study_file_path(g->f->directory, file, path, error);
        if (status == SCR_OK) status = plot_write(path, &page, error);
    }
    return status;
}

static scr_status make_arrays(fit_drawing *g, scr_error *error)
{
    int64_t data = g->f->data->count, evaluations = g->f->evaluation_count;
    scr_status status = scr_make_zeros(&g->across, data, sizeof *g->across, "plots", error);
    if (status == SCR_OK) status = scr_make_zeros(&g->measured, data, sizeof *g->measured, "plots", error);
    if (status == SCR_OK) status = scr_make_zeros(&g->error, data, sizeof *g->error, "plots", error);
    if (status == SCR_OK) status = scr_make_zeros(&g->number, evaluations, sizeof *g->number, "plots", error);
    if (status == SCR_OK) status = scr_make_zeros(&g->objective, evaluations, sizeof *g->objective, "plots", error);
    if (status == SCR_OK) status = scr_make_zeros(&g->value, evaluations * AXES_MAX, sizeof *g->value, "plots", error);
    return status;
}

static void fill_arrays(fit_drawing *g)
{
    for (int64_t k = 0; k < g->f->data->count; ++k) {
        const fit_datum *d = &g->f->data->datum[k];
        g->across[k] = d->across;
        g->measured[k] = d->measured;
        g->error[k] = d->error;
    }
    int64_t evaluations = g->f->evaluation_count;
    for (int64_t k = 0; k < evaluations; ++k) {
        const fit_evaluation *e = &g->f->evaluation[k];
        g->number[k] = (double)e->number;
        g->objective[k] = e->objective;
        for (int axis = 0; axis < g->f->plan->fit.axis_count; ++axis)
            g->value[axis * evaluations + k] = e->parameter[axis];
    }
    g->best_objective = g->result->minimum.value;
    for (int axis = 0; axis < g->f->plan->fit.axis_count; ++axis) g->best[axis] = g->result->parameter[axis].value;
}

scr_status fit_plots_write(const fit *f, const fit_result *result, scr_error *error)
{
    fit_drawing *g = scr_alloc(sizeof *g);
    if (g == NULL) return scr_fail_memory(error, sizeof *g, "plots");
    *g = (fit_drawing){.f = f, .result = result};
    scr_status status = make_arrays(g, error);
    if (status == SCR_OK) {
        fill_arrays(g);
        int panels = draw_curves(g);
        draw_course(g, panels);
        status = write_page(g, panels + 1, NULL, "fit", error);
    }
    if (status == SCR_OK) {
        for (int axis = 0; axis < f->plan->fit.axis_count; ++axis) draw_parameter(g, axis);
        status = write_page(g, f->plan->fit.axis_count, "the objective at every evaluation", "fit_parameters", error);
    }
    double *const arrays[] = {g->across, g->measured, g->error, g->number, g->objective, g->value};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) scr_free(arrays[k]);
    scr_free(g);
    return status;
}
