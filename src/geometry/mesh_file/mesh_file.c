// SPDX-License-Identifier: BSD-3-Clause
// Reading a mesh file: the bytes, the choice of format, and what all formats have in common.
//
// Polygons are cut into triangles from their first corner if that is right (every corner turns the same way about the
// polygon's normal, Newell's sum of cross products), else ear by ear: a corner that turns left and whose triangle holds
// no other corner is cut off, until a triangle is left.
#include "geometry/mesh_file/mesh_file.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/maths/vec3.h"
#include "core/text/plain_locale.h"
#include "core/text/text_file.h"
#include "geometry/mesh_file/mesh_file_parts.h"

static const double COORDINATE_MAX = 1e9;  // m
enum { COUNT_MAX = INT32_MAX / 4, HOLLOW_POLYGON_MAX = 1000 };

scr_status source_fail(const mesh_source *s, int64_t line, const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return scr_fail(s->error, SCR_BAD_INPUT, "%s:%lld: %s", s->name, (long long)line, sentence);
}

void next_line(mesh_source *s)
{
    const char *end = memchr(s->at, '\n', (size_t)(s->end - s->at));
    s->at = end != NULL ? end + 1 : s->end;
    ++s->line;
}

short_word word_here(const mesh_source *s)
{
    short_word word = {""};
    for (size_t k = 0;
         k + 1 < sizeof word.text && s->at + k < s->end && isprint((unsigned char)s->at[k]) && s->at[k] != ' '; ++k)
        word.text[k] = s->at[k];
    return word;
}

scr_status read_number(mesh_source *s, double *value)
{
    skip_blanks(s);
    const char *end = s->at < s->end ? decimal_read(s->at, value) : NULL;
    if (end == NULL) {
        if (at_line_end(s)) return source_fail(s, s->line, "a number is missing at the end of the line");
        return source_fail(s, s->line, "'%s' is not a number", word_here(s).text);
    }
    s->at = end;
    return SCR_OK;
}

scr_status soup_add_vertex(mesh_source *s, scr_vec3 v)
{
    triangle_soup *out = s->out;
    v = vec3_scale(s->scale, v);
    if (!(fabs(v.x) <= COORDINATE_MAX && fabs(v.y) <= COORDINATE_MAX && fabs(v.z) <= COORDINATE_MAX))
        return source_fail(s, s->line, "a vertex is at (%g, %g, %g) m: coordinates must be numbers, at most %g m", v.x,
                           v.y, v.z, COORDINATE_MAX);
    if (out->vertex_count == COUNT_MAX) return source_fail(s, s->line, "a mesh has at most %d vertices", COUNT_MAX);
    scr_status status = SCR_OK;
    if (out->vertex_count == out->vertex_capacity)
        status = scr_grow(&out->vertex, &out->vertex_capacity, out->vertex_count + 1, sizeof *out->vertex, "vertices",
                          s->error);
    if (status == SCR_OK) out->vertex[out->vertex_count++] = v;
    return status;
}

scr_status soup_add_triangle(mesh_source *s, int32_t a, int32_t b, int32_t c)
{
    triangle_soup *out = s->out;
    if (out->triangle_count == COUNT_MAX) return source_fail(s, s->line, "a mesh has at most %d triangles", COUNT_MAX);
    if (out->triangle_count == out->triangle_capacity) {
        scr_status status = scr_grow(&out->triangle, &out->triangle_capacity, out->triangle_count + 1,
                                     3 * sizeof *out->triangle, "triangles", s->error);
        if (status != SCR_OK) return status;
    }
    int32_t *t = out->triangle + 3 * out->triangle_count++;
    t[0] = a, t[1] = b, t[2] = c;
    return SCR_OK;
}

// How much the corner at `here` turns left about the normal.
static double orientation_at(const scr_vec3 *v, int32_t before, int32_t here, int32_t after, scr_vec3 normal)
{
    return vec3_dot(normal, vec3_cross(vec3_sub(v[here], v[before]), vec3_sub(v[after], v[here])));
}

static bool is_ear(const scr_vec3 *v, const int32_t *corner, int64_t count, int64_t k, scr_vec3 normal)
{
    int32_t a = corner[(k + count - 1) % count], b = corner[k], c = corner[(k + 1) % count];
    if (!(orientation_at(v, a, b, c, normal) > 0.0)) return false;
    for (int64_t m = 0; m < count; ++m) {
        int32_t p = corner[m];
        if (p == a || p == b || p == c) continue;
        if (orientation_at(v, a, b, p, normal) >= 0.0 && orientation_at(v, b, c, p, normal) >= 0.0 &&
            orientation_at(v, c, a, p, normal) >= 0.0)
            return false;
    }
    return true;
}

static scr_status cut_ears(mesh_source *s, const int32_t *given, int64_t count, scr_vec3 normal)
{
    if (count > HOLLOW_POLYGON_MAX)
        return source_fail(s, s->line, "a polygon that is not convex has at most %d corners, not %lld",
                           HOLLOW_POLYGON_MAX, (long long)count);
    int32_t corner[HOLLOW_POLYGON_MAX];
    memcpy(corner, given, (size_t)count * sizeof *corner);
    scr_status status = SCR_OK;
    for (; count > 3 && status == SCR_OK; --count) {
        int64_t k = 0;
        while (k < count && !is_ear(s->out->vertex, corner, count, k, normal)) ++k;
        if (k == count) k = 0;  // crossed or flat: any cut is as good as another
        status = soup_add_triangle(s, corner[(k + count - 1) % count], corner[k], corner[(k + 1) % count]);
        memmove(corner + k, corner + k + 1, (size_t)(count - k - 1) * sizeof *corner);
    }
    return status == SCR_OK ? soup_add_triangle(s, corner[0], corner[1], corner[2]) : status;
}

scr_status soup_add_polygon(mesh_source *s, const int32_t *corner, int64_t count)
{
    if (count == 3) return soup_add_triangle(s, corner[0], corner[1], corner[2]);
    const scr_vec3 *v = s->out->vertex;
    scr_vec3 first = v[corner[0]], normal = {0};
    for (int64_t k = 1; k + 1 < count; ++k)
        normal = vec3_add(normal, vec3_cross(vec3_sub(v[corner[k]], first), vec3_sub(v[corner[k + 1]], first)));
    bool convex = true;
    for (int64_t k = 0; k < count && convex; ++k)
        convex = orientation_at(v, corner[(k + count - 1) % count], corner[k], corner[(k + 1) % count], normal) >= 0.0;
    if (!convex) return cut_ears(s, corner, count, normal);
    scr_status status = SCR_OK;
    for (int64_t k = 1; k + 1 < count && status == SCR_OK; ++k)
        status = soup_add_triangle(s, corner[0], corner[k], corner[k + 1]);
    return status;
}

// Bits of a place; -0 and 0 are one.
static uint64_t position_hash(scr_vec3 v)
{
    const double c[3] = {v.x + 0.0, v.y + 0.0, v.z + 0.0};
    uint64_t hash = 0;
    for (int k = 0; k < 3; ++k) {
        uint64_t bits;
        memcpy(&bits, &c[k], sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

static bool same_position(scr_vec3 a, scr_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// Give every vertex that a triangle uses its new number: the same for equal places, in the order of first use. slot is
// a hash table of new numbers, -1 where it is free.
static void renumber(triangle_soup *soup, scr_vec3 *kept, int32_t *number, int32_t *slot, uint64_t mask)
{
    memset(number, -1, (size_t)soup->vertex_count * sizeof *number);
    memset(slot, -1, (size_t)(mask + 1) * sizeof *slot);
    int32_t count = 0;
    for (int64_t k = 0; k < 3 * soup->triangle_count; ++k) {
        int32_t from = soup->triangle[k];
        if (number[from] < 0) {
            scr_vec3 v = soup->vertex[from];
            uint64_t at = position_hash(v) & mask;
            while (slot[at] >= 0 && !same_position(kept[slot[at]], v)) at = (at + 1) & mask;
            if (slot[at] < 0) {
                kept[count] = v;
                slot[at] = count++;
            }
            number[from] = slot[at];
        }
        soup->triangle[k] = number[from];
    }
    memcpy(soup->vertex, kept, (size_t)count * sizeof *kept);
    soup->vertex_count = count;
}

static void drop_collapsed(triangle_soup *soup)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < soup->triangle_count; ++k) {
        const int32_t *t = soup->triangle + 3 * k;
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        memmove(soup->triangle + 3 * kept++, t, 3 * sizeof *t);
    }
    soup->triangle_count = kept;
}

static scr_status weld(triangle_soup *soup, scr_error *error)
{
    if (soup->triangle_count == 0) return SCR_OK;
    int64_t slots = 16;
    while (slots < 2 * soup->vertex_count) slots *= 2;
    scr_arena scratch = {0};
    scr_status status = scr_arena_reserve(&scratch,
                                          scr_arena_bytes(sizeof(scr_vec3), soup->vertex_count) +
                                              scr_arena_bytes(sizeof(int32_t), soup->vertex_count) +
                                              scr_arena_bytes(sizeof(int32_t), slots),
                                          "vertices", error);
    if (status != SCR_OK) return status;
    scr_arena arena = scratch;
    scr_vec3 *kept = scr_arena_array(&arena, sizeof *kept, soup->vertex_count);
    int32_t *number = scr_arena_array(&arena, sizeof *number, soup->vertex_count);
    int32_t *slot = scr_arena_array(&arena, sizeof *slot, slots);
    renumber(soup, kept, number, slot, (uint64_t)slots - 1);
    drop_collapsed(soup);
    scr_arena_free(&scratch);
    return SCR_OK;
}

static scr_status read_text(mesh_format format, mesh_source *s)
{
    plain_locale locale;
    scr_status status = plain_locale_enter(&locale, s->error);
    if (status != SCR_OK) return status;
    status = format == MESH_OBJ ? read_obj(s) : format == MESH_STL ? read_stl(s) : read_inp(s);
    plain_locale_leave(&locale);
    if (status == SCR_OK) status = weld(s->out, s->error);
    if (status == SCR_OK && s->out->triangle_count == 0)
        status = scr_fail(s->error, SCR_BAD_INPUT, "%s: there are no triangles in it", s->name);
    return status;
}

scr_status mesh_read_text(mesh_format format, const char *text, size_t size, const char *name, double scale,
                          triangle_soup *out, scr_error *error)
{
    *out = (triangle_soup){0};
    if (!(scale > 0.0) || !isfinite(scale))
        return scr_fail(error, SCR_BAD_INPUT, "%s: scale must be positive, not %g", name, scale);
    mesh_source s = {
        .name = name, .at = text, .end = text + size, .line = 1, .scale = scale, .out = out, .error = error};
    scr_status status = read_text(format, &s);
    if (status != SCR_OK) triangle_soup_free(out);
    return status;
}

static bool format_of(const char *path, mesh_format *format)
{
    static const struct {
        const char *ending;
        mesh_format format;
    } known[] = {{".obj", MESH_OBJ}, {".stl", MESH_STL}, {".inp", MESH_INP}};
    const char *dot = strrchr(path, '.');
    for (size_t k = 0; dot != NULL && k < sizeof known / sizeof *known; ++k) {
        size_t n = 0;
        while (dot[n] != '\0' && tolower((unsigned char)dot[n]) == known[k].ending[n]) ++n;
        *format = known[k].format;
        if (dot[n] == '\0' && known[k].ending[n] == '\0') return true;
    }
    return false;
}

bool mesh_file_has_ending(const char *path)
{
    mesh_format format;
    return format_of(path, &format);
}

scr_status mesh_read(const char *path, double scale, triangle_soup *out, scr_error *error)
{
    *out = (triangle_soup){0};
    mesh_format format;
    if (!format_of(path, &format))
        return scr_fail(error, SCR_BAD_INPUT, "%s: a mesh file ends in .obj, .stl or .inp", path);
    char *text = NULL;
    size_t length = 0;
    scr_status status = text_file_read(path, &text, &length, error);
    if (status == SCR_OK) status = mesh_read_text(format, text, length, path, scale, out, error);
    scr_free(text);
    return status;
}

void triangle_soup_free(triangle_soup *soup)
{
    scr_free(soup->vertex);
    scr_free(soup->triangle);
    *soup = (triangle_soup){0};
}

scr_status scr_mesh_read(const char *path, double scale, scr_triangles *out, scr_error *error)
{
    triangle_soup soup;
    scr_status status = mesh_read(path, scale, &soup, error);
    *out = triangle_soup_view(&soup);
    return status;
}

void scr_mesh_free(scr_triangles *triangles)
{
    scr_free((void *)triangles->vertex);
    scr_free((void *)triangles->triangle);
    *triangles = (scr_triangles){0};
}
