// SPDX-License-Identifier: BSD-3-Clause
// Triangle meshes: what the collision stages need beyond vertices and triangles.
//
// A closed mesh has an inside and pushes outwards only; any other is a sheet, with two sides and no thickness.
#ifndef GEOMETRY_SURFACE_MESH_H
#define GEOMETRY_SURFACE_MESH_H

#include "geometry/surface/mesh_tree.h"

struct mesh {
    bool closed;         // every edge has two triangles that run along it in opposite senses, and there is room inside
    int32_t *ring;       // (3 triangle_count) the next of all edges that lie on an edge, round and round
    int32_t *fan_start;  // (vertex_count + 1) first entry of a vertex in fan
    int32_t *fan;        // (3 triangle_count) 3 t + k where corner k of triangle t is the vertex
    int32_t *patch;      // (triangle_count) the lowest triangle of the flat part it belongs to
    mesh_tree tree;
};

// Checks what a user gave: numbers, indices, triangles with an area. The message names vertex or triangle.
scr_status mesh_check(const scr_triangles *triangles, scr_error *error);
// The triangles as they are to be used: those with a vertex twice are left out, and a solid given inside out is turned.
// *own holds what had to be copied, and is the caller's to free.
scr_status mesh_clean(const scr_triangles *given, scr_triangles *clean, int32_t **own, bool *closed, scr_error *error);
scr_status mesh_build(const scr_triangles *triangles, mesh **out, scr_error *error);
void mesh_free(mesh *m);

// May a ball touch the mesh? True if one of its triangles is near enough; a few that are not pass too.
bool mesh_may_reach(const shape_surface *s, scr_vec3 centre, double radius);

#endif
