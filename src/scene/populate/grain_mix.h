// SPDX-License-Identifier: BSD-3-Clause
// Mixes: which kind of grain each one is, and what holds for all of them.
#ifndef SCENE_POPULATE_GRAIN_MIX_H
#define SCENE_POPULATE_GRAIN_MIX_H

#include "scene/model/scene.h"

int mix_draw(const scene_mix *mix, uint64_t seed, uint64_t stream, uint64_t number);  // the kind of a grain
double mix_reach(const scene_mix *mix);            // the largest radius of the ball around a grain, over its radius
double mix_share(const scene_mix *mix, int kind);  // of the number of grains
double kind_mass(const scene *s, const scene_grain *kind, double radius);  // kg, of a grain

#endif
