// SPDX-License-Identifier: BSD-3-Clause
#include "app/source/built_scene.h"

#include "app/command/output_path.h"

scr_status build_requested(const scene_request *request, built_scene *built, scr_error *error)
{
    const scr_scene_def def = {request->path, request->set.item, request->set.count, request->until, request->threads};
    return scene_build(&def, built, NULL, error);
}

scr_status build_for_output(const scene_request *request, const char *output, bool force, built_scene *built,
                            scr_error *error)
{
    *built = (built_scene){0};
    scr_status status = SCR_OK;
    output_rule rule = {&request->path, 1, force};
    if (output != NULL) status = check_output_file(output, &rule, error);
    if (status == SCR_OK) status = build_requested(request, built, error);
    if (status != SCR_OK || output == NULL) return status;
    // Which files the scene names is known only now.
    rule = (output_rule){(const char *const *)built->scene->files, built->scene->file_count, force};
    return check_output_file(output, &rule, error);
}
