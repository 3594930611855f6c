// SPDX-License-Identifier: BSD-3-Clause
// A run as it stands in its last checkpoint, in memory: nothing of it is written to.
#ifndef APP_SOURCE_SAVED_RUN_H
#define APP_SOURCE_SAVED_RUN_H

#include "io/calls/scene_build.h"

scr_status open_saved_run(const char *directory, int threads, built_scene *built, scr_error *error);

#endif
