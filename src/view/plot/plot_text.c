// SPDX-License-Identifier: BSD-3-Clause
// Text on plots.
#include "view/plot/plot_text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "view/picture/fonts.h"

static const double RAISED_TYPE = 0.72, RAISED_BY = 0.42;  // of the type
static const char DOTS[] = "\u2026";

void plot_use(cairo_t *c, plot_ink ink) { cairo_set_source_rgb(c, ink.r, ink.g, ink.b); }

void plot_use_type(cairo_t *c) { fonts_use(c, false, PLOT_TYPE); }

double plot_text_width(cairo_t *c, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(c, text, &extents);
    return extents.x_advance;
}

void plot_write_text(cairo_t *c, double x, double y, double share, const char *text)
{
    cairo_move_to(c, x - share * plot_text_width(c, text), y);
    cairo_show_text(c, text);
}

double plot_raised_width(cairo_t *c, const char *text, const char *raised)
{
    double width = plot_text_width(c, text);
    cairo_set_font_size(c, RAISED_TYPE * PLOT_TYPE);
    width += plot_text_width(c, raised);
    cairo_set_font_size(c, PLOT_TYPE);
    return width;
}

void plot_write_raised(cairo_t *c, double x, double y, double share, const char *text, const char *raised)
{
    double start = x - share * plot_raised_width(c, text, raised), base = plot_text_width(c, text);
    plot_write_text(c, start, y, 0.0, text);
    cairo_set_font_size(c, RAISED_TYPE * PLOT_TYPE);
    plot_write_text(c, start + base, y - RAISED_BY * PLOT_TYPE, 0.0, raised);
    cairo_set_font_size(c, PLOT_TYPE);
}

// Bytes of the character at text, or 0 if they make none (RFC 3629).
static size_t character_length(const unsigned char *text)
{
    if (text[0] < 0x80) return 1;
    size_t length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    if (text[0] < 0xc2 || text[0] > 0xf4) return 0;
    for (size_t k = 1; k < length; ++k) {
        if ((text[k] & 0xc0) != 0x80) return 0;  // a NUL as well, so nothing behind it is read
    }
    uint32_t lead = text[0], next = text[1];
    int overlong = (lead == 0xe0 && next < 0xa0) || (lead == 0xf0 && next < 0x90);
    int outside = (lead == 0xed && next >= 0xa0) || (lead == 0xf4 && next >= 0x90);
    return overlong || outside ? 0 : length;
}

static void copy_characters(const char *text, char copy[PLOT_TEXT_SIZE])
{
    size_t used = 0;
    while (*text != '\0' && used + 4 < PLOT_TEXT_SIZE) {
        size_t length = character_length((const unsigned char *)text);
        if (length == 0) copy[used] = '?';
        else memcpy(&copy[used], text, length);
        used += length == 0 ? 1 : length;
        text += length == 0 ? 1 : length;
    }
    copy[used] = '\0';
}

// The start of the character before (or at) a place.
static size_t character_start(const char *text, size_t at)
{
    while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80) --at;
    return at;
}

void plot_fit_text(cairo_t *c, const char *text, double width, char fitted[PLOT_TEXT_SIZE])
{
    char whole[PLOT_TEXT_SIZE];
    copy_characters(text, whole);
    size_t length = strlen(whole);
    memcpy(fitted, whole, length + 1);
    for (size_t kept = length; kept > 2 && plot_text_width(c, fitted) > width; --kept) {
        size_t head = character_start(whole, kept / 2), tail = character_start(whole, length - kept / 2);
        snprintf(fitted, PLOT_TEXT_SIZE, "%.*s%s%s", (int)head, whole, DOTS, whole + tail);
    }
}
