// SPDX-License-Identifier: BSD-3-Clause
// Curves on axes, by Cairo.
//
// A page is laid out from the texts on it: tick labels decide where the axes begin, names of curves how wide a legend
// is. All panels have the same margins, so that axes stand above one another.
#include "view/plot/plot.h"

#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/file/temporary_file.h"
#include "io/file/made_by.h"
#include "view/picture/fonts.h"
#include "view/picture/png_file.h"
#include "view/plot/plot_frame.h"
#include "view/plot/plot_text.h"

// Lengths are in points, at 72 an inch.
static const double MARGIN = 18.0, GAP = 16.0, ROW_GAP = 22.0;  // around the page; beside panels; between rows of them
static const double NUMBERS_GAP = 16.0;                         // between a y label, its numbers and the frame
static const double LINE_HEIGHT = 18.0, SWATCH = 22.0;          // of a legend; its piece of line
static const double LEGEND_SHARE = 0.3;                         // of the page, at most
static const double LEAST_WIDTH = 120.0, LEAST_HEIGHT = 50.0;   // of a frame
static const double TITLE_TYPE = 16.0;
static const double CURVE_WIDTH[] = {
    [PLOT_LINE] = 1.4, [PLOT_ENDING] = 1.9, [PLOT_PALE] = 1.0, [PLOT_POINTS] = 1.4, [PLOT_DOTTED] = 1.4};
static const double DOT = 2.8, BAR_END = 3.5;  // radius; half the width of the ends of error bars
static const double PALE = 0.68;               // share of white
enum { PAGE_MAX = 16000 };                     // points; Cairo's pictures have at most 32767 pixels along an edge

static const plot_ink TEXT = PLOT_INK_TEXT, QUIET = {0.40, 0.43, 0.47};
// Told apart by those who see no red or green as well (after Okabe and Ito).
static const plot_ink CURVES[] = {{0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45}, {0.80, 0.47, 0.65},
                                  {0.34, 0.71, 0.91}, {0.90, 0.62, 0.00}, {0.35, 0.35, 0.35}};
enum { CURVE_INKS = sizeof CURVES / sizeof CURVES[0] };

typedef struct layout {
    double head;          // height of title, note and legend
    double left, legend;  // width of what stands beside a frame: y label and numbers; names of curves
    double cell_width, frame_width, frame_height;
} layout;

static plot_ink ink_of(const plot_curve *curve)
{
    plot_ink i = CURVES[curve->ink % CURVE_INKS];
    if (curve->style != PLOT_PALE) return i;
    return (plot_ink){i.r + PALE * (1.0 - i.r), i.g + PALE * (1.0 - i.g), i.b + PALE * (1.0 - i.b)};
}

// Where there are more curves than inks, lines are broken differently.
static void set_dash(cairo_t *c, const plot_curve *curve)
{
    static const double dashes[][2] = {{6.0, 3.0}, {1.5, 3.0}, {10.0, 5.0}};
    int kind = curve->ink / CURVE_INKS % 4;
    cairo_set_dash(c, dashes[kind > 0 ? kind - 1 : 0], kind > 0 ? 2 : 0, 0.0);
}

static void stroke_curve(cairo_t *c, const plot_curve *curve, double width)
{
    plot_use(c, ink_of(curve));
    cairo_set_line_width(c, width);
    set_dash(c, curve);
    cairo_stroke(c);
    cairo_set_dash(c, NULL, 0, 0.0);
}

static void draw_dot(cairo_t *c, plot_point p)
{
    cairo_arc(c, p.x, p.y, DOT, 0.0, 6.283185307179586);
    cairo_fill(c);
}

// From value - spread to value + spread, with ends; down to the frame's foot where a logarithmic axis has no place.
static void draw_bar(cairo_t *c, const plot_frame *f, const plot_curve *curve, int64_t k)
{
    double from = curve->y[k] - curve->spread[k], to = curve->y[k] + curve->spread[k], ends[2] = {from, to};
    plot_curve bar = {.x = (double[]){curve->x[k], curve->x[k]}, .y = ends, .count = 2};
    if (!(curve->spread[k] > 0.0) || !plot_frame_shows(f, &bar, 1)) return;
    plot_point high = plot_frame_point(f, &bar, 1), low = {high.x, f->y + f->height};
    if (plot_frame_shows(f, &bar, 0)) low = plot_frame_point(f, &bar, 0);
    cairo_move_to(c, low.x, low.y);
    cairo_line_to(c, high.x, high.y);
    cairo_move_to(c, low.x - BAR_END, low.y);
    cairo_line_to(c, low.x + BAR_END, low.y);
    cairo_move_to(c, high.x - BAR_END, high.y);
    cairo_line_to(c, high.x + BAR_END, high.y);
    cairo_stroke(c);
}

static void draw_marks(cairo_t *c, const plot_frame *f, const plot_curve *curve)
{
    bool has_dots = curve->style == PLOT_POINTS || curve->style == PLOT_DOTTED;
    plot_use(c, ink_of(curve));
    cairo_set_line_width(c, 1.0);
    for (int64_t k = 0; k < curve->count; ++k) {
        if (!plot_frame_shows(f, curve, k)) continue;
        if (curve->spread != NULL) draw_bar(c, f, curve, k);
        if (has_dots) draw_dot(c, plot_frame_point(f, curve, k));
    }
}

static void draw_curve(cairo_t *c, const plot_frame *f, const plot_curve *curve)
{
    draw_marks(c, f, curve);
    if (curve->style == PLOT_POINTS) return;
    plot_point point = {0};
    bool any = false;
    plot_path path = plot_path_begin(c);
    for (int64_t k = 0; k < curve->count; ++k) {
        if (!plot_frame_shows(f, curve, k)) {
            plot_path_end(&path);
            continue;
        }
        point = plot_frame_point(f, curve, k);
        plot_path_add(&path, point);
        any = true;
    }
    plot_path_end(&path);
    stroke_curve(c, curve, CURVE_WIDTH[curve->style]);
    if (!any || curve->style != PLOT_ENDING) return;
    draw_dot(c, point);
}

static void draw_curves(cairo_t *c, const plot_frame *f, const plot_panel *panel)
{
    cairo_save(c);
    cairo_rectangle(c, f->x - 3.0, f->y - 3.0, f->width + 6.0, f->height + 6.0);
    cairo_clip(c);
    cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(c, CAIRO_LINE_CAP_ROUND);
    for (int pale = 1; pale >= 0; --pale) {  // the pale ones behind all others
        for (int i = 0; i < panel->curve_count; ++i) {
            if ((panel->curve[i].style == PLOT_PALE) == (pale == 1)) draw_curve(c, f, &panel->curve[i]);
        }
    }
    cairo_restore(c);
}

static void draw_swatch(cairo_t *c, double x, double y, const plot_curve *curve, const char *name)
{
    const plot_point start = {x, y - 0.35 * PLOT_TYPE};
    if (curve->style == PLOT_POINTS) {
        plot_use(c, ink_of(curve));
        draw_dot(c, (plot_point){start.x + 0.5 * SWATCH, start.y});
    } else {
        cairo_move_to(c, start.x, start.y);
        cairo_line_to(c, start.x + SWATCH, start.y);
        stroke_curve(c, curve, 2.4);
    }
    plot_use(c, TEXT);
    plot_write_text(c, x + SWATCH + 6.0, y, 0.0, name);
}

static int named_count(const plot_panel *panel)
{
    int count = 0;
    for (int i = 0; i < panel->curve_count; ++i) count += panel->curve[i].name != NULL;
    return count;
}

// Beside the frame from its top; what does not fit is counted in the last line.
static void draw_legend_beside(cairo_t *c, const plot_frame *f, const plot_panel *panel, double width)
{
    char text[PLOT_TEXT_SIZE];
    int named = named_count(panel), lines = (int)((f->height + GAP) / LINE_HEIGHT), shown = 0;
    if (lines < 1) lines = 1;
    int most = named <= lines ? named : lines - 1;
    double x = f->x + f->width + GAP, y = f->y + PLOT_TYPE;
    for (int i = 0; i < panel->curve_count && shown < most; ++i) {
        if (panel->curve[i].name == NULL) continue;
        plot_fit_text(c, panel->curve[i].name, width - GAP - SWATCH - 6.0, text);
        draw_swatch(c, x, y + LINE_HEIGHT * shown++, &panel->curve[i], text);
    }
    if (shown == named) return;
    snprintf(text, sizeof text, "and %d more", named - shown);
    plot_write_text(c, x, y + LINE_HEIGHT * shown, 0.0, text);
}

static void draw_legend_above(cairo_t *c, double x, double y, const plot_panel *panel)
{
    for (int i = 0; i < panel->curve_count; ++i) {
        if (panel->curve[i].name == NULL) continue;
        draw_swatch(c, x, y, &panel->curve[i], panel->curve[i].name);
        x += SWATCH + 6.0 + plot_text_width(c, panel->curve[i].name) + 22.0;
    }
}

static void draw_panel(cairo_t *c, const plot_page *page, const layout *l, int index, double x, double y)
{
    const plot_panel *panel = &page->panel[index];
    plot_frame f = {.x = x + l->left, .y = y, .width = l->frame_width, .height = l->frame_height};
    plot_frame_set_axes(&f, page, index);
    plot_frame_draw(c, &f, panel, l->left);
    draw_curves(c, &f, panel);
    if (page->legend == PLOT_LEGEND_BESIDE) draw_legend_beside(c, &f, panel, l->legend);
}

// Title, note and legend over the panels; returns their height, and does no more than that unless they are to be drawn.
static double draw_head(cairo_t *c, const plot_page *page, double x, bool drawn)
{
    char text[PLOT_TEXT_SIZE];
    double y = MARGIN, width = page->width - MARGIN - x;
    if (page->title != NULL) {
        y += TITLE_TYPE;
        fonts_use(c, true, TITLE_TYPE);
        plot_fit_text(c, page->title, width, text);
        plot_use(c, TEXT);
        if (drawn) plot_write_text(c, x, y, 0.0, text);
        plot_use_type(c);
        y += 6.0;
    }
    if (page->note != NULL) {
        y += PLOT_TYPE + 2.0;
        plot_fit_text(c, page->note, width, text);
        plot_use(c, QUIET);
        if (drawn) plot_write_text(c, x, y, 0.0, text);
        y += 6.0;
    }
    if (page->legend == PLOT_LEGEND_ABOVE) {
        y += PLOT_TYPE + 6.0;
        if (drawn) draw_legend_above(c, x, y, &page->panel[0]);
        y += 4.0;
    }
    return y + ROW_GAP;
}

// Names beside panels are as wide as they are, up to a share of the page; a panel of one curve needs none.
static double legend_width(cairo_t *c, const plot_page *page)
{
    double widest = 0.0;
    if (page->legend != PLOT_LEGEND_BESIDE) return 0.0;
    for (int k = 0; k < page->panel_count; ++k) {
        for (int i = 0; i < page->panel[k].curve_count; ++i) {
            char text[PLOT_TEXT_SIZE];
            if (page->panel[k].curve[i].name == NULL) continue;
            plot_fit_text(c, page->panel[k].curve[i].name, page->width, text);
            widest = fmax(widest, plot_text_width(c, text));
        }
    }
    return widest > 0.0 ? fmin(GAP + SWATCH + 6.0 + widest, LEGEND_SHARE * page->width) : 0.0;
}

static layout lay_out(cairo_t *c, const plot_page *page)
{
    layout l = {.head = draw_head(c, page, MARGIN, false), .legend = legend_width(c, page)};
    int rows = (page->panel_count + page->column_count - 1) / page->column_count;
    double height = page->height - l.head - MARGIN;
    for (int row = 0; row < rows; ++row)
        height -= plot_frame_height_below(&page->panel[row * page->column_count]) + (row > 0 ? ROW_GAP : 0.0);
    l.frame_height = height / rows;
    plot_frame f = {.height = l.frame_height};
    for (int k = 0; k < page->panel_count && f.height > 0.0; ++k) {
        plot_frame_set_axes(&f, page, k);
        l.left = fmax(l.left, plot_frame_numbers_width(c, &f));
    }
    l.left += NUMBERS_GAP + PLOT_TYPE;
    l.cell_width = (page->width - 2.0 * MARGIN + GAP) / page->column_count;
    l.frame_width = l.cell_width - GAP - l.left - l.legend;
    return l;
}

static void draw_panels(cairo_t *c, const plot_page *page, const layout *l)
{
    double y = l->head;
    for (int k = 0; k < page->panel_count; ++k) {
        int column = k % page->column_count;
        draw_panel(c, page, l, k, MARGIN + column * l->cell_width, y);
        if (column == page->column_count - 1) y += l->frame_height + plot_frame_height_below(&page->panel[k]) + ROW_GAP;
    }
}

// False, and nothing drawn, if the page is too small for what is to be on it.
static bool draw_page(cairo_t *c, const plot_page *page)
{
    plot_use_type(c);
    layout l = lay_out(c, page);
    if (l.frame_width < LEAST_WIDTH || l.frame_height < LEAST_HEIGHT) return false;
    cairo_set_source_rgb(c, 1.0, 1.0, 1.0);
    cairo_rectangle(c, 0.0, 0.0, page->width, page->height);
    cairo_fill(c);
    draw_head(c, page, MARGIN + l.left, true);
    draw_panels(c, page, &l);
    return true;
}

static bool ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), end_length = strlen(end);
    return length > end_length && strcasecmp(path + length - end_length, end) == 0;
}

scr_status plot_check_name(const char *path, scr_error *error)
{
    if (ends_with(path, ".svg") || ends_with(path, ".png")) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "a plot goes to a file that ends in .svg or .png, not to %s", path);
}

// Cairo has no place for remarks in what it writes; behind the end of a page is one.
static cairo_status_t add_maker(const char *file)
{
    FILE *out = fopen(file, "ab");
    bool is_whole = out != NULL && fputs("<!-- " MADE_BY_SCREE " -->\n", out) >= 0;
    if (out != NULL && fclose(out) != 0) is_whole = false;
    return is_whole ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_status_t draw_svg(const char *file, const plot_page *page, bool *fits)
{
    cairo_surface_t *surface = cairo_svg_surface_create(file, page->width, page->height);
    cairo_t *c = cairo_create(surface);
    *fits = draw_page(c, page);
    cairo_status_t result = cairo_status(c);
    cairo_destroy(c);
    cairo_surface_finish(surface);
    if (result == CAIRO_STATUS_SUCCESS) result = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return result == CAIRO_STATUS_SUCCESS && *fits ? add_maker(file) : result;
}

static cairo_status_t write_png(cairo_surface_t *surface, const char *file)
{
    FILE *out = fopen(file, "wb");
    if (out == NULL) return CAIRO_STATUS_WRITE_ERROR;
    cairo_status_t result = png_write(surface, 0.0, out);
    if (fclose(out) != 0) result = CAIRO_STATUS_WRITE_ERROR;
    return result;
}

static cairo_status_t draw_png(const char *file, const plot_page *page, bool *fits)
{
    const double scale = PLOT_PIXELS_PER_POINT;
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(scale * page->width), (int)(scale * page->height));
    cairo_t *c = cairo_create(surface);
    cairo_scale(c, scale, scale);
    *fits = draw_page(c, page);
    cairo_status_t result = cairo_status(c);
    cairo_destroy(c);
    if (result == CAIRO_STATUS_SUCCESS && *fits) result = write_png(surface, file);
    cairo_surface_destroy(surface);
    return result;
}

static scr_status fail_to_fit(const plot_page *page, scr_error *error)
{
    return scr_fail(error, SCR_BAD_INPUT, "a page of %g x %g points is too small for %d panel%s", page->width,
                    page->height, page->panel_count, page->panel_count == 1 ? "" : "s");
}

scr_status plot_write(const char *path, const plot_page *page, scr_error *error)
{
    char temporary[PATH_LENGTH_MAX];
    bool fits = true;
    scr_status status = plot_check_name(path, error);
    if (status != SCR_OK) return status;
    if (fmax(page->width, page->height) > PAGE_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "a page of %g x %g points is too large; %d is the most", page->width,
                        page->height, PAGE_MAX);
    status = fonts_find(error);
    if (status == SCR_OK) status = file_begin(path, temporary, error);
    if (status != SCR_OK) return status;
    cairo_status_t result =
        ends_with(path, ".svg") ? draw_svg(temporary, page, &fits) : draw_png(temporary, page, &fits);
    if (result == CAIRO_STATUS_SUCCESS && fits) return file_commit(path, error);
    file_abandon(path);
    if (!fits) return fail_to_fit(page, error);
    return scr_fail(error, SCR_IO, "%s: cannot write: %s", path, cairo_status_to_string(result));
}
