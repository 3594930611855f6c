// SPDX-License-Identifier: BSD-3-Clause
// Solid shapes of a frame as cells of points: what programs that know no shapes can show.
//
// Boxes are hexahedra; hulls, meshes and heightfields their own triangles. Ellipsoids, capsules, cylinders and cones,
// which are all bodies of revolution but for the ellipsoid's three scales, are tessellated if that is asked for:
// triangles with corners on the surface, so that the mesh is a little smaller than the shape. Planes, which have no
// end, are left out.
#ifndef IO_EXPORT_PART_MESH_H
#define IO_EXPORT_PART_MESH_H

#include "io/trajectory/frame.h"

enum { CELL_TRIANGLE = 5, CELL_HEXAHEDRON = 12 };  // VTK's numbers

typedef struct part_mesh {
    float *vertex;  // m, 3 each
    int64_t vertex_count, vertex_capacity;
    int64_t *corner;  // vertices of the cells, one cell after the other
    int64_t corner_count, corner_capacity;
    // One of each a cell.
    int64_t cell_count, cell_capacity;
    int64_t *end;  // where its corners end
    uint8_t *type;
    float *velocity;  // m/s, 3, of the shape
    uint32_t *id;
    uint8_t *material, *kind, *shape;
} part_mesh;

enum { SEGMENTS_MIN = 4, SEGMENTS_MAX = 360 };

// Replaces what was there. segments: of a full circle; 0: without ellipsoids, capsules, cylinders and cones.
scr_status part_mesh_of(const frame *f, int segments, part_mesh *mesh, scr_error *error);
void part_mesh_free(part_mesh *mesh);

#endif
