// SPDX-License-Identifier: BSD-3-Clause
// Whether a grain would overlap what is there.
#ifndef SCENE_OVERLAP_VACANCY_H
#define SCENE_OVERLAP_VACANCY_H

#include "collision/query/shape_overlap.h"
#include "geometry/shape/packing.h"
#include "scene/overlap/shape_bins.h"

// points: scratch.
bool place_is_taken(const shape_bins *bins, const placed_shape *grain, contact_list *points);
// Take out of a list the grains whose balls, of reach x their radius, overlap a body of the world. The others keep
// their order.
scr_status drop_taken(const scr_world *world, double reach, packed_grains *grains, scr_error *error);

#endif
