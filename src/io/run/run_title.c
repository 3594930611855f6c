// SPDX-License-Identifier: BSD-3-Clause
// The title of a run.
#include "io/run/run_title.h"

#include <jansson.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/file/safe_file.h"
#include "core/text/text_file.h"
#include "io/json/json_memory.h"

static scr_status find_title(const char *text, size_t length, char **title, scr_error *error)
{
    json_memory_watch();
    json_t *scene = json_loadb(text, length, 0, NULL);
    const char *found = json_string_value(json_object_get(scene, "title"));
    bool ran_out = json_memory_ran_out();
    if (!ran_out && found != NULL && found[0] != '\0') ran_out = (*title = strdup(found)) == NULL;
    json_decref(scene);
    return ran_out ? scr_fail_memory(error, length, "the title of a run") : SCR_OK;
}

scr_status run_title(const char *directory, char **title, scr_error *error)
{
    char path[PATH_LENGTH_MAX], *text = NULL;
    size_t length = 0;
    *title = NULL;
    scr_status status = path_join(path, directory, "scene.json", error);
    if (status != SCR_OK || !path_exists(path)) return status;
    status = text_file_read(path, &text, &length, error);
    if (status == SCR_OK) status = find_title(text, length, title, error);
    scr_free(text);
    return status;
}
