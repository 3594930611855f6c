// SPDX-License-Identifier: BSD-3-Clause
// How a body looks in pictures: colour, opacity, visibility.
#include <stdio.h>
#include <string.h>

#include "io/scene/scene_sections.h"

static bool is_hex(const char *text)
{
    return strlen(text) == 7 && text[0] == '#' && strspn(text + 1, "0123456789abcdefABCDEF") == 6;
}

static void read_colour(json_cursor *at, scene_appearance *a)
{
    json_cursor colour = cursor_member(at, "colour");
    a->has_colour = cursor_has(at, "colour");
    if (!a->has_colour) {
        cursor_store(&colour, json_null());
        return;
    }
    const char *text = cursor_value_text(&colour);
    unsigned channel[3];
    if (!cursor_is_ok(at)) return;
    if (!is_hex(text) || sscanf(text + 1, "%2x%2x%2x", &channel[0], &channel[1], &channel[2]) != 3) {
        cursor_fail(&colour, "\"colour\" is written as \"#d08030\", red, green and blue in hexadecimal, not \"%s\"",
                    shown(text).text);
        return;
    }
    for (int k = 0; k < 3; ++k) a->colour[k] = (float)channel[k] / 255.0f;
}

void read_appearance(json_cursor *body, scene_appearance *a)
{
    json_cursor at = cursor_object(body, "appearance");
    read_colour(&at, a);
    a->has_opacity = cursor_has(&at, "opacity");
    a->opacity = cursor_number_or_null(&at, "opacity", 1.0, RANGE_SHARE);
    a->is_hidden = !cursor_flag(&at, "visible", true);
    cursor_close(&at);
}
