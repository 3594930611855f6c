// How much emitters will make, guessed before the run.
#ifndef SCENE_EMISSION_ESTIMATE_H
#define SCENE_EMISSION_ESTIMATE_H

#include "scene/scene.h"

// How many grains all emitters together make until the end of the run, if none is blocked.
int64_t expected_emissions(const scene *s);

#endif
