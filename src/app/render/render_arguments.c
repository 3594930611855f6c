// SPDX-License-Identifier: BSD-3-Clause
// How a picture looks, as it was typed.
#include "app/render/render_arguments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/nearest_name.h"
#include "io/scene/scene_reader.h"
#include "view/colour/quantity.h"

scr_status read_numbers(const char *name, const char *text, char separator, const char *form, int count, double *number,
                        scr_error *error)
{
    const char *at = text;
    for (int i = 0; i < count; ++i) {
        char *end;
        number[i] = strtod(at, &end);
        char expected = i + 1 < count ? separator : '\0';
        if (end == at || *end != expected || !isfinite(number[i]))
            return scr_fail(error, SCR_BAD_INPUT, "--%s is written as --%s %s, not \"%s\"", name, name, form, text);
        at = end + 1;
    }
    return SCR_OK;
}

static scr_status read_point(const char *name, const char *text, bool *given, scr_vec3 *point, scr_error *error)
{
    double p[3] = {0.0};
    if (text == NULL) return SCR_OK;
    scr_status status = read_numbers(name, text, ',', "x,y,z (metres)", 3, p, error);
    if (status != SCR_OK) return status;
    *given = true;
    *point = (scr_vec3){p[0], p[1], p[2]};
    return SCR_OK;
}

static scr_status read_size(const char *text, render_options *o, scr_error *error)
{
    double edge[2] = {0.0};
    if (text == NULL) return SCR_OK;
    scr_status status = read_numbers("size", text, 'x', "1600x1000", 2, edge, error);
    if (status != SCR_OK) return status;
    for (int i = 0; i < 2; ++i)
        if (edge[i] != floor(edge[i]) || edge[i] < 1.0 || edge[i] > 1e6)
            return scr_fail(error, SCR_BAD_INPUT, "--size needs whole numbers of pixels, not \"%s\"", text);
    o->width = (int)edge[0];
    o->height = (int)edge[1];
    return SCR_OK;
}

// One of some words, as its index.
static scr_status read_choice(const char *name, const char *text, const char *const *words, int count, int *choice,
                              scr_error *error)
{
    nearest_name search = nearest_to(text);
    for (int k = 0; k < count; ++k) {
        if (strcmp(text, words[k]) == 0) {
            *choice = k;
            return SCR_OK;
        }
        nearest_offer(&search, words[k]);
    }
    if (search.best != NULL)
        return scr_fail(error, SCR_BAD_INPUT, "--%s \"%s\" is unknown; did you mean \"%s\"?", name, text, search.best);
    char list[160] = "";
    for (int k = 0; k < count; ++k) {
        strcat(list, k == 0 ? "" : k + 1 < count ? ", " : " or ");
        strcat(list, words[k]);
    }
    return scr_fail(error, SCR_BAD_INPUT, "--%s is %s, not \"%s\"", name, list, text);
}

static scr_status read_colours(const render_arguments *words, scene_view *v, scr_error *error)
{
    int colour = v->colour, map = v->map;
    scr_status status = SCR_OK;
    if (words->colour != NULL)
        status = read_choice("colour", words->colour, COLOUR_WORDS, COLOUR_BY_COUNT, &colour, error);
    if (status == SCR_OK && words->map != NULL)
        status = read_choice("map", words->map, COLOUR_MAP_WORDS, MAP_COUNT, &map, error);
    if (status != SCR_OK) return status;
    if (colour != (int)v->colour || (words->chains && !v->chains)) v->has_range = false;  // it was for another quantity
    v->colour = (colour_by)colour;
    v->map = (colour_map)map;
    v->chains = v->chains || words->chains;
    return SCR_OK;
}

static scr_status read_range(const char *text, scene_view *v, scr_error *error)
{
    double end[2] = {0.0};
    if (text == NULL) return SCR_OK;
    if (!v->chains && !colour_is_quantity(v->colour))
        return scr_fail(error, SCR_BAD_INPUT,
                        "--range belongs to --colour radius, speed, force or displacement, and to --chains");
    scr_status status = read_numbers("range", text, ',', "min,max (m, m/s or N)", 2, end, error);
    if (status != SCR_OK) return status;
    v->has_range = true;
    v->range_min = end[0];
    v->range_max = end[1];
    return SCR_OK;
}

// "x=0.1", or several with commas between them.
static scr_status read_cut(const char *text, scene_view *v, scr_error *error)
{
    for (const char *at = text;; ++at) {
        int axis = at[0] - 'x';
        char *end = (char *)at;
        double where = axis >= 0 && axis < 3 && at[1] == '=' ? strtod(at + 2, &end) : NAN;
        if (end <= at + 2 || !isfinite(where) || (*end != ',' && *end != '\0'))
            return scr_fail(error, SCR_BAD_INPUT, "--cut is written as --cut x=0.1 (metres; x, y or z), not \"%s\"",
                            text);
        v->has_cut[axis] = true;
        v->cut[axis] = where;
        if (*end == '\0') return SCR_OK;
        at = end;
    }
}

// Words for a camera that stands somewhere take it off its path.
static scr_status read_camera(const render_arguments *words, scene_view *v, scr_error *error)
{
    bool stands = words->eye != NULL || words->target != NULL || words->follow != NULL || words->orbit != 0.0;
    if (stands) v->path_count = 0;
    scr_status status = read_point("eye", words->eye, &v->has_eye, &v->eye, error);
    if (status == SCR_OK) status = read_point("target", words->target, &v->has_target, &v->target, error);
    if (status == SCR_OK && words->field_of_view != NULL) {
        status = read_numbers("fov", words->field_of_view, ' ', "DEGREES", 1, &v->field_of_view, error);
        if (status == SCR_OK && v->field_of_view <= 0.0)
            status = scr_fail(error, SCR_BAD_INPUT, "--fov must be positive, not %s", words->field_of_view);
    }
    if (status == SCR_OK && words->follow != NULL) {
        if (strlen(words->follow) > NAME_MAX_LENGTH)
            return scr_fail(error, SCR_BAD_INPUT, "the scene has no body \"%.60s...\"", words->follow);
        memcpy(v->follow, words->follow, strlen(words->follow) + 1);
    }
    if (words->orbit != 0.0) v->orbit = words->orbit;
    return status;
}

scr_status render_arguments_read(const render_arguments *words, render_options *o, bool *view_is_own, scr_error *error)
{
    scr_status status = SCR_OK;
    if (words->view != NULL) {
        status = scene_read_view_file(words->view, &o->view, error);
        *view_is_own = status == SCR_OK;
    }
    if (words->samples > 0) o->samples = words->samples;
    if (words->bare) o->view.captions = false;
    o->threads = words->threads;
    o->dpi = words->dpi;
    if (status == SCR_OK) status = read_size(words->size, o, error);
    if (status == SCR_OK) status = read_colours(words, &o->view, error);
    if (status == SCR_OK) status = read_range(words->range, &o->view, error);
    for (int k = 0; k < words->cut.count && status == SCR_OK; ++k)
        status = read_cut(words->cut.item[k], &o->view, error);
    if (status == SCR_OK) status = read_camera(words, &o->view, error);
    return status;
}
