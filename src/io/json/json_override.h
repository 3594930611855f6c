// SPDX-License-Identifier: BSD-3-Clause
// --set path=value: changes made to a scene's JSON tree before it is read.
#ifndef IO_JSON_JSON_OVERRIDE_H
#define IO_JSON_JSON_OVERRIDE_H

#include <jansson.h>

#include "scree/base.h"

typedef struct scene_override {
    const char *path, *value;
} scene_override;  // --set solver.max_iterations=50

// Put the value at the path, "solver.max_iterations" or "fills.0.count". It is taken as JSON, or as text if it is not.
// Missing keys are made, as the reader refuses those it does not know; entries of lists, parameters and materials must
// be there already.
scr_status json_override_apply(json_t *root, const scene_override *override, scr_error *error);

#endif
