// The title of a run.
#include "io/run/run_title.h"

#include <jansson.h>
#include <string.h>

#include "io/file/safe_file.h"

char *run_title(const char *directory)
{
    char path[PATH_LENGTH_MAX];
    if (path_join(path, directory, "scene.json", NULL) != SCR_OK) return NULL;
    json_t *scene = json_load_file(path, 0, NULL);
    const char *title = json_string_value(json_object_get(scene, "title"));
    char *copy = title != NULL && title[0] != '\0' ? strdup(title) : NULL;
    json_decref(scene);
    return copy;
}
