// SPDX-License-Identifier: BSD-3-Clause
// Wavefront OBJ: "v x y z" defines a vertex, "f 1 2 3" a polygon of them, counted from 1, or backwards from the latest
// with negative numbers. A corner may be written 1/2/3, 1/2 or 1//3: what follows the first number is texture and
// normal, and is skipped, as are all other lines. A backslash joins a line with the next.
#include <string.h>

#include "geometry/mesh_file/mesh_file_parts.h"

typedef struct corner_list {
    int32_t *item;
    int64_t count, capacity;
} corner_list;

// Blanks, and the end of a line that a backslash joins with the next.
static void skip_joined_blanks(mesh_source *s)
{
    for (;;) {
        skip_blanks(s);
        if (*s->at != '\\') return;
        const char *end = s->at + 1;
        while (is_blank(*end)) ++end;
        if (*end != '\n') return;
        s->at = end + 1;
        ++s->line;
    }
}

static bool at_end(const mesh_source *s) { return at_line_end(s) || *s->at == '#'; }

static scr_status read_vertex(mesh_source *s)
{
    double c[3];
    for (int k = 0; k < 3; ++k) {
        skip_joined_blanks(s);
        scr_status status = read_number(s, &c[k]);
        if (status != SCR_OK) return status;
    }
    return soup_add_vertex(s, (scr_vec3){c[0], c[1], c[2]});
}

// The vertex of one corner; what stands behind slashes is passed over.
static scr_status read_corner(mesh_source *s, int32_t *vertex)
{
    const char *at = s->at;
    bool backwards = *at == '-';
    int64_t number = 0, count = s->out->vertex_count;
    at += backwards || *at == '+';
    if (!(*at >= '0' && *at <= '9'))
        return source_fail(s, s->line, "'%s' is not a vertex of a face", word_here(s).text);
    for (; *at >= '0' && *at <= '9'; ++at)
        if (number < INT32_MAX) number = 10 * number + (*at - '0');
    if (number == 0) return source_fail(s, s->line, "vertices are counted from 1, not 0");
    if (number > count)
        return source_fail(s, s->line, "vertex %s%lld is not defined yet", backwards ? "-" : "", (long long)number);
    while (*at == '/' || *at == '-' || (*at >= '0' && *at <= '9')) ++at;
    s->at = at;
    *vertex = (int32_t)(backwards ? count - number : number - 1);
    return SCR_OK;
}

static scr_status read_face(mesh_source *s, corner_list *corners)
{
    corners->count = 0;
    for (skip_joined_blanks(s); !at_end(s); skip_joined_blanks(s)) {
        scr_status status = SCR_OK;
        if (corners->count == corners->capacity)
            status = scr_grow(&corners->item, &corners->capacity, corners->count + 1, sizeof *corners->item, "a face",
                              s->error);
        if (status == SCR_OK) status = read_corner(s, &corners->item[corners->count]);
        if (status != SCR_OK) return status;
        ++corners->count;
    }
    if (corners->count < 3)
        return source_fail(s, s->line, "a face needs at least 3 vertices, not %lld", (long long)corners->count);
    return soup_add_polygon(s, corners->item, corners->count);
}

// Is the line's first word this letter?
static bool begins_with(const mesh_source *s, char letter) { return *s->at == letter && is_blank(s->at[1]); }

scr_status read_obj(mesh_source *s)
{
    corner_list corners = {0};
    scr_status status = SCR_OK;
    for (; s->at < s->end && status == SCR_OK; next_line(s)) {
        skip_blanks(s);
        bool vertex = begins_with(s, 'v'), face = begins_with(s, 'f');
        if (!vertex && !face) continue;
        ++s->at;
        status = vertex ? read_vertex(s) : read_face(s, &corners);
    }
    scr_free(corners.item);
    return status;
}
