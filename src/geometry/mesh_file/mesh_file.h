// SPDX-License-Identifier: BSD-3-Clause
// Triangles from files: Wavefront OBJ, STL (text and binary), Abaqus INP.
//
// Whatever the format, what comes out is the same: vertices at exactly equal places are one, vertices that no triangle
// uses are gone, and so are triangles that lost a corner in this. Vertices stand in the order in which triangles first
// use them. Errors name file and line: "shoe.obj:12: vertex 9 is not defined yet".
#ifndef GEOMETRY_MESH_FILE_MESH_FILE_H
#define GEOMETRY_MESH_FILE_MESH_FILE_H

#include "core/base/memory.h"
#include "scree/surface.h"

typedef struct triangle_soup {
    scr_vec3 *vertex;   // m
    int32_t *triangle;  // 3 each
    int64_t vertex_count, triangle_count;
    int64_t vertex_capacity, triangle_capacity;
} triangle_soup;

typedef enum mesh_format { MESH_OBJ, MESH_STL, MESH_INP } mesh_format;

bool mesh_file_has_ending(const char *path);  // is it called like a mesh?
// By the ending of the name; coordinates are multiplied by scale. On failure *out is empty.
scr_status mesh_read(const char *path, double scale, triangle_soup *out, scr_error *error);
// The same from memory; text[size] is NUL. name stands in messages.
scr_status mesh_read_text(mesh_format format, const char *text, size_t size, const char *name, double scale,
                          triangle_soup *out, scr_error *error);
void triangle_soup_free(triangle_soup *soup);

static inline scr_triangles triangle_soup_view(const triangle_soup *soup)
{
    return (scr_triangles){soup->vertex_count, soup->triangle_count, soup->vertex, soup->triangle};
}

#endif
