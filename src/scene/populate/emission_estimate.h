// SPDX-License-Identifier: BSD-3-Clause
// How much emitters will make, guessed before the run.
#ifndef SCENE_POPULATE_EMISSION_ESTIMATE_H
#define SCENE_POPULATE_EMISSION_ESTIMATE_H

#include "core/base/status.h"
#include "scene/model/scene.h"

// Grains that all emitters will make until the end, if nothing but grains is in their way: spheres, and other shapes.
typedef struct emission_estimate {
    int64_t spheres, others;
} emission_estimate;
emission_estimate expected_emissions(const scene *s);

// Memory of a body with its contacts in a step, bytes, as runs show it.
enum { BODY_BYTES = 1300 };
// SCR_NO_MEMORY, with both figures, if so many bodies are more than this machine can hold. Asked before they are made:
// a system that promises more memory than it has would end the program in the middle of it.
scr_status check_body_limit(double bodies, scr_error *error);
// SCR_BAD_INPUT for emitters that would fill the machine before the end of the run, if nothing takes grains away. A
// sink or a domain may.
scr_status check_emitters_limit(const scene *s, scr_error *error);

#endif
