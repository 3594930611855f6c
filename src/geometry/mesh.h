// Triangle meshes: what the collision stages need beyond vertices and triangles.
#ifndef GEOMETRY_MESH_H
#define GEOMETRY_MESH_H

#include "geometry/surface.h"

struct mesh {
    bool closed;  // every edge has two triangles that run along it in opposite senses: there is an inside
};

// Checks what a user gave: numbers, indices, triangles with an area. The message names vertex or triangle.
scr_status mesh_check(const scr_triangles *triangles, scr_error *error);
scr_status mesh_build(const scr_triangles *triangles, mesh **out, scr_error *error);
void mesh_free(mesh *m);
// Does every edge have two triangles that run along it in opposite senses?
scr_status mesh_is_closed(const scr_triangles *triangles, bool *closed, scr_error *error);

#endif
