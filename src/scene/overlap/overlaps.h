// SPDX-License-Identifier: BSD-3-Clause
// Deep overlaps of a scene as it begins: a mistake in the scene, said with its place, before it explodes.
#ifndef SCENE_OVERLAP_OVERLAPS_H
#define SCENE_OVERLAP_OVERLAPS_H

#include "collision/narrow/contact_point.h"
#include "scene/model/scene.h"

// What overlaps are measured by, m: a radius, the shortest half edge or semi-axis; of a hull, its bounding radius;
// infinite for meshes, heightfields and planes.
double shape_inner_radius(const placed_shape *shape);

// Grains that one entry of the scene made: those with ids first_id, first_id + 1, ...
typedef struct grain_origin {
    const char *kind;  // "fill"
    const char *name;
    int index;  // in its list
    scene_location location;
    uint64_t first_id;
} grain_origin;

// SCR_BAD_INPUT if two bodies that may touch, and of which one at least can move, overlap by more than
// s->overlap_limit of the smaller of their shapes' radii (of a box: its shortest half edge). Of several such pairs the
// one is named whose later body was made first. The ids of the scene's own bodies are 1 to body_count, in order;
// origins are in ascending order of first_id and tell where all others came from.
scr_status check_overlaps(scr_world *world, const scene *s, const grain_origin *origins, int origin_count, int threads,
                          scr_error *error);

#endif
