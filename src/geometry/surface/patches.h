// SPDX-License-Identifier: BSD-3-Clause
// Patches: triangles that lie in one plane and hang together. A contact that is named after its patch keeps its name
// while it wanders over the triangles of a flat floor.
#ifndef GEOMETRY_SURFACE_PATCHES_H
#define GEOMETRY_SURFACE_PATCHES_H

#include "geometry/surface/surface.h"

// The next of all edges that lie on edge e, round and round; e itself if it is alone.
typedef int32_t next_edge(const void *surface, int32_t e);
// Fill patch (triangle_count): the lowest triangle of each triangle's patch.
scr_status patches_label(const scr_triangles *triangles, next_edge *next, const void *surface, int32_t *patch,
                         scr_error *error);

#endif
