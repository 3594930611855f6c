// SPDX-License-Identifier: BSD-3-Clause
// Changes made to a scene's JSON tree before it is read: --set path=value, and what a study varies.
#ifndef IO_JSON_JSON_OVERRIDE_H
#define IO_JSON_JSON_OVERRIDE_H

#include <jansson.h>

#include "scree/base.h"

typedef struct scene_override {
    const char *path, *value;  // --set solver.max_iterations=50
    const char *origin;        // "study.json:7:5", where it was asked for; NULL: on the command line
} scene_override;

// One spelling of a path, "fills.0.count", of "fills[0].count" and "/fills/0/count", in place. False: a key between
// slashes has a point in it, and so no such spelling.
bool json_path_spell(char *path);

// The sentence, behind where the change was asked for.
scr_status json_override_fail(const scene_override *override, const char *sentence, scr_error *error);

// Put the value at the path, "solver.max_iterations" or "fills.0.count". It is taken as JSON, or as text if it is not.
// Missing keys are made, as the reader refuses those it does not know; entries of lists, parameters and materials must
// be there already.
scr_status json_override_apply(json_t *root, const scene_override *override, scr_error *error);

#endif
