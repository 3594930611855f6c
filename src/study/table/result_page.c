// SPDX-License-Identifier: BSD-3-Clause
// One HTML file with tables and plots.
#include "study/table/result_page.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "build_info.h"
#include "core/file/temporary_file.h"
#include "io/file/made_by.h"

static const char HEAD[] =
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<style>\n"
    ":root { color-scheme: light dark; }\n"
    "body { font: 15px/1.5 system-ui, sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em; }\n"
    "h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin-top: 2em; }\n"
    ".wide { overflow-x: auto; }\n"
    "table { border-collapse: collapse; font-variant-numeric: tabular-nums; }\n"
    "th, td { padding: .25em .8em; text-align: right; border-bottom: 1px solid #8884; white-space: nowrap; }\n"
    "th { border-bottom: 2px solid #8888; } tr:hover td { background: #8881; }\n"
    "img { max-width: 100%; height: auto; background: #fff; border-radius: 6px; }\n"
    "p.made { opacity: .6; font-size: .85em; }\n"
    "</style>\n";

static void raw(result_page *page, const char *text) { page_text(&page->out, text, strlen(text)); }

scr_status result_page_begin(result_page *page, const char *path, const char *title, scr_error *error)
{
    *page = (result_page){.path = path};
    scr_status status = file_open(path, &page->out.file, error);
    if (status != SCR_OK) return status;
    raw(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<!-- " MADE_BY_SCREE " -->\n<meta charset=\"utf-8\">\n<title>");
    page_words(&page->out, title);
    raw(page, "</title>\n");
    raw(page, HEAD);
    raw(page, "<h1>");
    page_words(&page->out, title);
    raw(page, "</h1>\n");
    return SCR_OK;
}

scr_status result_page_end(result_page *page, scr_status status, scr_error *error)
{
    raw(page, "<p class=\"made\">scree " SCREE_VERSION "</p>\n</html>\n");
    if (fclose(page->out.file) != 0 && page->out.failure == 0) page->out.failure = errno;
    if (status == SCR_OK && page->out.failure != 0)
        status = scr_fail(error, SCR_IO, "%s: the page cannot be written: %s", page->path, strerror(page->out.failure));
    if (status == SCR_OK) return file_commit(page->path, error);
    file_abandon(page->path);
    return status;
}

void result_page_heading(result_page *page, const char *text)
{
    raw(page, "<h2>");
    page_words(&page->out, text);
    raw(page, "</h2>\n");
}

void result_page_paragraph(result_page *page, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    raw(page, "<p>");
    page_words(&page->out, text);
    raw(page, "</p>\n");
}

scr_status result_page_picture(result_page *page, const char *svg, const char *about, scr_error *error)
{
    char *text = NULL;
    size_t size = 0;
    scr_status status = file_read(svg, &text, &size, error);
    if (status == SCR_OK) {
        raw(page, "<p><img alt=\"");
        page_words(&page->out, about);
        raw(page, "\" src=\"data:image/svg+xml;base64,");
        page_base64(&page->out, text, size);
        raw(page, "\"></p>\n");
    }
    free(text);
    return status;
}

void result_table_begin(result_page *page) { raw(page, "<div class=\"wide\"><table>\n<tr>"); }
void result_table_row(result_page *page) { raw(page, "\n<tr>"); }
void result_table_end(result_page *page) { raw(page, "\n</table></div>\n"); }

void result_table_cell(result_page *page, const char *text)
{
    raw(page, "<td>");
    page_words(&page->out, text);
}

void result_table_number(result_page *page, double value)
{
    char text[32] = "\u2013";
    if (isfinite(value)) snprintf(text, sizeof text, "%.6g", value);
    result_table_cell(page, text);
}

// Two digits of the deviation, and as many places of the value.
void result_table_spread(result_page *page, double value, double deviation)
{
    char text[80];
    if (!isfinite(value) || !(deviation > 0.0) || !isfinite(deviation)) {
        result_table_number(page, value);
        return;
    }
    int power = (int)floor(log10(fmax(fabs(value), deviation))), places = 1 - (int)floor(log10(deviation));
    bool is_plain = power >= -3 && power < 6;
    if (!is_plain) places += power;
    double scale = is_plain ? 1.0 : pow(10.0, power);
    places = places < 0 ? 0 : places > 12 ? 12 : places;
    int length = snprintf(text, sizeof text, is_plain ? "%.*f \u00b1 %.*f" : "(%.*f \u00b1 %.*f)", places,
                          value / scale, places, deviation / scale);
    if (!is_plain) snprintf(text + length, sizeof text - (size_t)length, "e%+03d", power);
    result_table_cell(page, text);
}

void result_table_link(result_page *page, const char *to, const char *text)
{
    raw(page, "<td><a href=\"");
    page_words(&page->out, to);
    raw(page, "\">");
    page_words(&page->out, text);
    raw(page, "</a>");
}
