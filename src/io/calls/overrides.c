// SPDX-License-Identifier: BSD-3-Clause
// "PATH=VALUE".
#include "io/calls/overrides.h"

#include <stdlib.h>
#include <string.h>

scr_status overrides_parse(overrides *o, const char *const *list, int count, scr_error *error)
{
    *o = (overrides){0};
    size_t size = 1;
    for (int k = 0; k < count; ++k) size += strlen(list[k]) + 1;
    o->item = calloc((size_t)count + 1, sizeof *o->item);
    o->text = malloc(size);
    if (o->item == NULL || o->text == NULL) {
        overrides_free(o);
        return scr_fail_memory(error, size, "--set");
    }
    char *next = o->text;
    for (int k = 0; k < count; ++k) {
        strcpy(next, list[k]);
        char *equals = strchr(next, '=');
        if (equals == NULL || equals == next) {
            overrides_free(o);
            return scr_fail(error, SCR_BAD_INPUT,
                            "--set needs PATH=VALUE, as in --set solver.max_iterations=50, not \"%s\"", list[k]);
        }
        *equals = '\0';
        json_path_spell(next);  // what has no spelling of ours is refused where it is looked up
        o->item[o->count++] = (scene_override){.path = next, .value = equals + 1};
        next = equals + 1 + strlen(equals + 1) + 1;
    }
    return SCR_OK;
}

void overrides_free(overrides *o)
{
    free(o->item);
    free(o->text);
    *o = (overrides){0};
}
