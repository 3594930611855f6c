// SPDX-License-Identifier: BSD-3-Clause
// The shapes that are made of a part's figures, in another geometry: the same part as hulls, meshes or spheres.
#ifndef IO_VEHICLE_PART_GEOMETRY_H
#define IO_VEHICLE_PART_GEOMETRY_H

#include <jansson.h>

typedef enum part_geometry {
    GEOMETRY_PRIMITIVES,
    GEOMETRY_HULLS,
    GEOMETRY_MESHES,
    GEOMETRY_SPHERES,
    GEOMETRY_COUNT
} part_geometry;
extern const char *const GEOMETRY_WORDS[GEOMETRY_COUNT];

// Boxes, cylinders along y and hulls of a list of shapes (taken over), as others. Hulls stay hulls where there are only
// spheres besides.
json_t *shapes_in_geometry(json_t *shapes, part_geometry geometry);

#endif
