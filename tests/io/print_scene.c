// SPDX-License-Identifier: BSD-3-Clause
// For test_scene_schema.py: print, as one JSON object, the keys the reader asked for while reading a scene ("keys") and
// the scene as run ("as_run"). Exit code 2 and the message if the scene is wrong.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "io/json/json_write.h"
#include "io/scene/scene_sections.h"

static void collect_key(void *context, const char *pattern) { json_array_append_new(context, json_string(pattern)); }

// What scene_read_file() does, with somebody watching.
static json_t *read_watched(const char *path, json_t *keys, scr_error *error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        scr_fail(error, SCR_IO, "%s: cannot be opened", path);
        return NULL;
    }
    static char text[1 << 20];
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    json_document document = {.path = path,
                              .source = json_source_of(text, length),
                              .root = json_loadb(text, length, 0, NULL),
                              .error = error,
                              .on_key = collect_key,
                              .context = keys};
    scene *s = scr_alloc(sizeof *s);
    memset(s, 0, sizeof *s);
    scene_read_sections(&document, s);
    scene_destroy(s);
    scr_free(document.parameters);
    if (document.status == SCR_OK) return document.root;
    json_decref(document.root);
    return NULL;
}

int main(int argc, char **argv)
{
    scr_error error = {.message = "usage: print_scene SCENE"};
    json_t *keys = json_array(), *as_run = argc == 2 ? read_watched(argv[1], keys, &error) : NULL;
    if (as_run == NULL) {
        fprintf(stderr, "%s\n", error.message);
        json_decref(keys);
        return 2;
    }
    json_t *both = json_pack("{s:o, s:o}", "keys", keys, "as_run", as_run);
    char *text;
    if (json_write_text(both, &text, NULL) == SCR_OK) fputs(text, stdout);
    free(text);
    json_decref(both);
    return 0;
}
