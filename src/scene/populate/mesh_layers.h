// SPDX-License-Identifier: BSD-3-Clause
// Layers of grains on meshes.
//
// The grains of the first layer touch the surface, those of the others have their centres a pitch further off each, all
// on the side to which triangles face. Places are tried at random, by area: a point of a triangle, and from there along
// its normal; on a solid also from its edges and corners, in directions between those of the normals around them. A
// place counts if no point of the surface is nearer than the one it came from: so it is on the right side, whatever the
// surface does.
#ifndef SCENE_POPULATE_MESH_LAYERS_H
#define SCENE_POPULATE_MESH_LAYERS_H

#include "scene/model/scene.h"

// The places of a fill whose region is "layers", in the place of what the list held: until there are `count` of them,
// or hardly another one would fit. count is PACKING_TOO_LARGE where a body is absurdly large beside its grains.
scr_status mesh_layers_fill(const scene *s, int fill, const scr_world *world, packed_grains *g, scr_error *error);

#endif
