// How much emitters will make, guessed before the run.
#ifndef SCENE_EMISSION_ESTIMATE_H
#define SCENE_EMISSION_ESTIMATE_H

#include "scene/scene.h"

// Grains that all emitters will make until the end, if nothing is in their way: spheres, and other shapes.
typedef struct emission_estimate {
    int64_t spheres, others;
} emission_estimate;
emission_estimate expected_emissions(const scene *s);

#endif
