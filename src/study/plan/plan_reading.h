// SPDX-License-Identifier: BSD-3-Clause
// The parts of a study file, each read by functions of its own. Internal to the reader.
#ifndef STUDY_PLAN_PLAN_READING_H
#define STUDY_PLAN_PLAN_READING_H

#include "io/json/json_cursor.h"
#include "study/plan/study_plan.h"

study_origin origin_of_key(json_cursor *at);
study_origin origin_of_value(json_cursor *at);
// A file that the study names is seen from where the study file is. The caller's, NULL without memory.
char *path_beside(const char *study, const char *name);

// The path at a key of a map, in our spelling; the caller's, NULL after a failure.
char *read_scene_path(json_cursor *member);
void read_vary(json_cursor *root, study_plan *plan);
void read_fit_axes(json_cursor *fit, study_fit *f);
// "energy.kinetic", or an object that says more.
void read_figure(json_cursor *at, study_figure *figure);
void read_figure_words(json_cursor *at, study_figure *figure);
void read_collect(json_cursor *root, study_plan *plan);
void read_fit(json_cursor *root, study_plan *plan);

#endif
