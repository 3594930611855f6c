// SPDX-License-Identifier: BSD-3-Clause
// One run of a study: the changes that make its scene, and the fingerprint of that scene.
//
// A run is known by its scene as run, every default filled in. So runs that are there are found again whatever was
// added to the study meanwhile, and are not taken for others once the scene has changed.
#ifndef STUDY_PLAN_STUDY_CASE_H
#define STUDY_PLAN_STUDY_CASE_H

#include "study/plan/study_plan.h"

typedef struct study_case {
    int64_t seed;  // -1: the scene's own
    uint64_t fingerprint;
    // owned
    scene_override *change;  // those of the plan, a value for each axis, the seed
    int change_count;
    char **text;  // the same as "PATH=VALUE", for the command line; the last is NULL
} study_case;

// value_text: of each axis, as JSON. Reads the scene: what is wrong with it, or with the study's changes, is a sentence
// with file, line and column. Free it also after a failure.
scr_status study_case_make(const study_plan *plan, const study_axis *axes, int axis_count,
                           const char *const *value_text, int seed_index, study_case *c, scr_error *error);
void study_case_free(study_case *c);

#endif
