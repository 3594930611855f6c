// SPDX-License-Identifier: BSD-3-Clause
// The options of `scree render` that say how a picture looks, as they were typed; NULL or 0 where they were not.
#ifndef APP_RENDER_RENDER_ARGUMENTS_H
#define APP_RENDER_RENDER_ARGUMENTS_H

#include "app/command/options.h"
#include "view/render/render.h"

typedef struct render_arguments {
    const char *view, *size, *colour, *map, *range, *eye, *target, *field_of_view, *follow;
    double orbit, dpi;
    int samples, threads;
    option_list cut;
    bool chains, bare;
} render_arguments;

// What the command line says, over what the view in o said, which is that of the scene. The caller frees o->view if
// *view_is_own, because it was read from a file.
scr_status render_arguments_read(const render_arguments *words, render_options *o, bool *view_is_own, scr_error *error);

// Exactly `count` numbers with a separator between them. form: how it should have been written.
scr_status read_numbers(const char *name, const char *text, char separator, const char *form, int count, double *number,
                        scr_error *error);

#endif
