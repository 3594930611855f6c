// SPDX-License-Identifier: BSD-3-Clause
// "PATH=VALUE": changes of a scene that is to be read.
#ifndef IO_CALLS_OVERRIDES_H
#define IO_CALLS_OVERRIDES_H

#include "io/scene/scene_reader.h"

typedef struct overrides {
    scene_override *item;
    char *text;  // what the items point into
    int count;
} overrides;

scr_status overrides_parse(overrides *o, const char *const *list, int count, scr_error *error);
void overrides_free(overrides *o);

#endif
