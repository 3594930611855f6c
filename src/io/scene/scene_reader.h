// SPDX-License-Identifier: BSD-3-Clause
// Scene JSON -> scene. Jansson parses; what it cannot say (line and column of a value) is found by walking the text.
#ifndef IO_SCENE_SCENE_READER_H
#define IO_SCENE_SCENE_READER_H

#include "io/json/json_override.h"
#include "scene/model/scene.h"

// Read a scene. *as_run (may be NULL) receives the JSON text with every default filled in and every expression of
// parameters replaced by its value; free() it. Failure: one sentence "file:line:column: ..." in error.
scr_status scene_read_file(const char *path, const scene_override *overrides, int override_count, scene **result,
                           char **as_run, scr_error *error);
// The scene.json of a run directory, as run. Its tables have been read: the files may be gone, or on another machine.
scr_status scene_read_run_file(const char *path, scene **result, scr_error *error);
// A file with the words of a scene's view and nothing else. The caller frees the view. A body that the camera follows
// is not looked up.
scr_status scene_read_view_file(const char *path, scene_view *view, scr_error *error);
// The same as scene_read_file() from memory; `path` is used for messages and for resolving relative file names.
scr_status scene_read_text(const char *text, size_t length, const char *path, const scene_override *overrides,
                           int override_count, scene **result, char **as_run, scr_error *error);

#endif
