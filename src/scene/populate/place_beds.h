// SPDX-License-Identifier: BSD-3-Clause
// The beds of a scene, from their files into the world.
#ifndef SCENE_POPULATE_PLACE_BEDS_H
#define SCENE_POPULATE_PLACE_BEDS_H

#include "scene/model/scene.h"

scr_status place_bed(const scene *s, int index, scr_world *world, scr_error *error);

#endif
