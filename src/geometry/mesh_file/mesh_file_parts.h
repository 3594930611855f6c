// SPDX-License-Identifier: BSD-3-Clause
// What the readers of mesh files share: a place in a text, failing with file and line, and collecting triangles.
#ifndef GEOMETRY_MESH_FILE_MESH_FILE_PARTS_H
#define GEOMETRY_MESH_FILE_MESH_FILE_PARTS_H

#include "core/text/decimal.h"
#include "geometry/mesh_file/mesh_file.h"

typedef struct mesh_source {
    const char *name;      // of the file, for messages
    const char *at, *end;  // *end is NUL
    int64_t line;          // of `at`, from 1
    double scale;
    triangle_soup *out;
    scr_error *error;
} mesh_source;

scr_status read_obj(mesh_source *s);
scr_status read_stl(mesh_source *s);
scr_status read_inp(mesh_source *s);

// "name:line: sentence"
scr_status source_fail(const mesh_source *s, int64_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
scr_status soup_add_vertex(mesh_source *s, scr_vec3 v);  // scales it; fails if it is not a number within limits
scr_status soup_add_triangle(mesh_source *s, int32_t a, int32_t b, int32_t c);
// A polygon of vertices already added, cut into triangles.
scr_status soup_add_polygon(mesh_source *s, const int32_t *corner, int64_t count);

static inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
static inline void skip_blanks(mesh_source *s)
{
    while (is_blank(*s->at)) ++s->at;
}
static inline bool at_line_end(const mesh_source *s) { return s->at >= s->end || *s->at == '\n'; }
// To the start of the next line.
void next_line(mesh_source *s);
// The word at `at`, cut short for a message.
typedef struct short_word {
    char text[24];
} short_word;
short_word word_here(const mesh_source *s);
// A number, blanks before it skipped.
scr_status read_number(mesh_source *s, double *value);

#endif
