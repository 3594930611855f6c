// SPDX-License-Identifier: BSD-3-Clause
// A line through many points.
#include "view/plot/plot_path.h"

#include <math.h>

static const double COLUMN_WIDTH = 0.2;  // points of the page

plot_path plot_path_begin(cairo_t *cairo)
{
    cairo_new_path(cairo);
    return (plot_path){.cairo = cairo};
}

static void line_to(plot_path *path, plot_point point) { cairo_line_to(path->cairo, point.x, point.y); }

// The first point of the column is drawn already.
static void finish_column(plot_path *path)
{
    bool low_first = path->low_at < path->high_at;
    int64_t last = path->in_column - 1;
    int64_t first_at = low_first ? path->low_at : path->high_at, second_at = low_first ? path->high_at : path->low_at;
    if (first_at > 0 && first_at < last) line_to(path, low_first ? path->low : path->high);
    if (second_at > 0 && second_at < last) line_to(path, low_first ? path->high : path->low);
    if (last > 0) line_to(path, path->last);
}

static void begin_column(plot_path *path, double column, plot_point point)
{
    path->column = column;
    path->in_column = 1;
    path->low = path->high = path->last = point;
    path->low_at = path->high_at = 0;
}

static void add_to_column(plot_path *path, plot_point point)
{
    if (point.y < path->low.y) path->low = point, path->low_at = path->in_column;
    if (point.y > path->high.y) path->high = point, path->high_at = path->in_column;
    path->last = point;
    ++path->in_column;
}

void plot_path_add(plot_path *path, plot_point point)
{
    double column = floor(point.x / COLUMN_WIDTH);
    if (path->point_count > 0 && column == path->column) {
        add_to_column(path, point);
    } else {
        if (path->point_count > 0) {
            finish_column(path);
            line_to(path, point);
        } else {
            cairo_move_to(path->cairo, point.x, point.y);
        }
        begin_column(path, column, point);
    }
    ++path->point_count;
}

void plot_path_end(plot_path *path)
{
    if (path->point_count == 0) return;
    finish_column(path);
    if (path->point_count == 1) line_to(path, path->last);
    path->point_count = 0;
}
