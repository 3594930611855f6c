// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/sphere_set/sphere_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file/safe_file.h"
#include "core/text/memory_stream.h"
#include "core/text/plain_locale.h"
#include "core/text/text_file.h"
#include "geometry/mesh_file/mesh_file_parts.h"

static const double LENGTH_MAX = 1e9;  // m
static const char FIRST_WORD[] = "scree-spheres";

static bool at_note(const mesh_source *s) { return *s->at == '#' || at_line_end(s); }

// To the first word that is not in a note; the end of the text if there is none.
static void skip_notes(mesh_source *s)
{
    for (skip_blanks(s); s->at < s->end && at_note(s); skip_blanks(s)) next_line(s);
}

static scr_status end_line(mesh_source *s)
{
    skip_blanks(s);
    if (!at_note(s)) return source_fail(s, s->line, "'%s' is more than belongs here", word_here(s).text);
    next_line(s);
    return SCR_OK;
}

// A line of a word and numbers.
static scr_status read_line(mesh_source *s, const char *word, int count, double *value)
{
    size_t length = strlen(word);
    skip_notes(s);
    if (strncmp(s->at, word, length) != 0 || !is_blank(s->at[length]))
        return source_fail(s, s->line, "\"%s\" must stand here, not '%s'", word, word_here(s).text);
    s->at += length;
    for (int k = 0; k < count; ++k) {
        scr_status status = read_number(s, &value[k]);
        if (status != SCR_OK) return status;
    }
    return end_line(s);
}

static bool is_length(double value) { return fabs(value) <= LENGTH_MAX; }

static scr_status read_solid(mesh_source *s, sphere_set *out)
{
    double volume, i[6], centre[3];
    scr_status status = read_line(s, "volume", 1, &volume);
    if (status == SCR_OK && !(volume > 0.0 && isfinite(volume)))
        status = source_fail(s, s->line - 1, "a volume is positive, not %g", volume);
    if (status == SCR_OK) status = read_line(s, "inertia", 6, i);
    for (int k = 0; k < 6 && status == SCR_OK; ++k)
        if (!isfinite(i[k]) || (k < 3 && !(i[k] > 0.0)))
            status = source_fail(s, s->line - 1, "%g cannot be in an inertia", i[k]);
    if (status == SCR_OK) status = read_line(s, "centre", 3, centre);
    if (status == SCR_OK && !(is_length(centre[0]) && is_length(centre[1]) && is_length(centre[2])))
        status = source_fail(s, s->line - 1, "coordinates must be numbers, at most %g m", LENGTH_MAX);
    if (status != SCR_OK) return status;
    double scale = s->scale, square = scale * scale;
    out->solid.volume = square * scale * volume;
    out->solid.centre = vec3_scale(scale, vec3(centre[0], centre[1], centre[2]));
    out->solid.inertia = (mat3){{{square * i[0], square * i[3], square * i[4]},
                                 {square * i[3], square * i[1], square * i[5]},
                                 {square * i[4], square * i[5], square * i[2]}}};
    return SCR_OK;
}

static scr_status read_sphere(mesh_source *s, sphere_set *out)
{
    double c[4];
    for (int k = 0; k < 4; ++k) {
        scr_status status = read_number(s, &c[k]);
        if (status != SCR_OK) return status;
        c[k] *= s->scale;
    }
    if (!(is_length(c[0]) && is_length(c[1]) && is_length(c[2])))
        return source_fail(s, s->line, "a sphere is at (%g, %g, %g) m: coordinates must be numbers, at most %g m", c[0],
                           c[1], c[2], LENGTH_MAX);
    if (!(c[3] > 0.0 && is_length(c[3])))
        return source_fail(s, s->line, "a radius must be positive and at most %g m, not %g", LENGTH_MAX, c[3]);
    scr_status status = sphere_set_add(out, (set_sphere){vec3(c[0], c[1], c[2]), c[3]}, s->error);
    return status == SCR_OK ? end_line(s) : status;
}

static scr_status read_spheres(mesh_source *s, sphere_set *out)
{
    double announced;
    scr_status status = read_line(s, "spheres", 1, &announced);
    if (status == SCR_OK && !(announced >= 1.0 && announced <= SPHERE_SET_MAX && announced == floor(announced)))
        status = source_fail(s, s->line - 1, "a sphere set has 1 to %d spheres, not %g", SPHERE_SET_MAX, announced);
    for (skip_notes(s); status == SCR_OK && s->at < s->end; skip_notes(s)) status = read_sphere(s, out);
    if (status == SCR_OK && (double)out->count != announced)
        status =
            source_fail(s, s->line, "%.0f spheres were announced, %lld are there", announced, (long long)out->count);
    return status;
}

static scr_status read_set(mesh_source *s, sphere_set *out)
{
    double version;
    scr_status status = read_line(s, FIRST_WORD, 1, &version);
    if (status == SCR_OK && version != 1.0)
        status = source_fail(s, s->line - 1, "version %g of sphere sets is not known", version);
    if (status == SCR_OK) status = read_solid(s, out);
    return status == SCR_OK ? read_spheres(s, out) : status;
}

scr_status sphere_file_read_text(const char *text, size_t size, const char *name, double scale, sphere_set *out,
                                 scr_error *error)
{
    *out = (sphere_set){0};
    if (!(scale > 0.0) || !isfinite(scale))
        return scr_fail(error, SCR_BAD_INPUT, "%s: scale must be positive, not %g", name, scale);
    mesh_source s = {.name = name, .at = text, .end = text + size, .line = 1, .scale = scale, .error = error};
    plain_locale locale;
    scr_status status = plain_locale_enter(&locale, error);
    if (status != SCR_OK) return status;
    status = read_set(&s, out);
    plain_locale_leave(&locale);
    if (status != SCR_OK) sphere_set_free(out);
    return status;
}

scr_status sphere_file_read(const char *path, double scale, sphere_set *out, scr_error *error)
{
    char *text = NULL;
    size_t length = 0;
    *out = (sphere_set){0};
    scr_status status = text_file_read(path, &text, &length, error);
    if (status == SCR_OK) status = sphere_file_read_text(text, length, path, scale, out, error);
    scr_free(text);
    return status;
}

static void print_notes(FILE *out, const char *note)
{
    while (*note != '\0') {
        size_t length = strcspn(note, "\n");
        fprintf(out, "# %.*s\n", (int)length, note);
        note += length + (note[length] == '\n');
    }
}

static void print_set(FILE *out, const sphere_set *set, const char *note)
{
    const solid_properties *s = &set->solid;
    const mat3 *i = &s->inertia;
    fprintf(out, "%s 1\n", FIRST_WORD);
    print_notes(out, note);
    fprintf(out, "volume %.17g\n", s->volume);
    fprintf(out, "inertia %.17g %.17g %.17g %.17g %.17g %.17g\n", i->m[0][0], i->m[1][1], i->m[2][2], i->m[0][1],
            i->m[0][2], i->m[1][2]);
    fprintf(out, "centre %.17g %.17g %.17g\n", s->centre.x, s->centre.y, s->centre.z);
    fprintf(out, "spheres %lld\n", (long long)set->count);
    for (int64_t k = 0; k < set->count; ++k) {
        const set_sphere *p = &set->sphere[k];
        fprintf(out, "%.17g %.17g %.17g %.17g\n", p->centre.x, p->centre.y, p->centre.z, p->radius);
    }
}

scr_status sphere_file_write(const char *path, const sphere_set *set, const char *note, scr_error *error)
{
    char *text = NULL;
    size_t size = 0;
    plain_locale locale;
    scr_status status = plain_locale_enter(&locale, error);
    if (status != SCR_OK) return status;
    FILE *out = memory_stream_open(&text, &size);
    if (out == NULL) {
        status = scr_fail_memory(error, 0, path);
    } else {
        print_set(out, set, note);
        bool complete = !ferror(out);
        if (fclose(out) != 0 || !complete) status = scr_fail_memory(error, size, path);
    }
    plain_locale_leave(&locale);
    if (status == SCR_OK) status = file_replace(path, text, size, error);
    free(text);
    return status;
}

bool sphere_file_has_ending(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcmp(dot, ".spheres") == 0;
}
