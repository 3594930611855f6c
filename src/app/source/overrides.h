// --set PATH=VALUE: changes of a scene from the command line.
#ifndef APP_SOURCE_OVERRIDES_H
#define APP_SOURCE_OVERRIDES_H

#include "app/command/options.h"
#include "io/scene/scene_reader.h"

typedef struct overrides {
    scene_override *item;
    char *text;  // what the items point into
    int count;
} overrides;

scr_status overrides_parse(overrides *o, const option_list *list, scr_error *error);
void overrides_free(overrides *o);

#endif
