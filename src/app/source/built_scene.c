#include "app/source/built_scene.h"

#include "app/command/output_path.h"
#include "app/source/overrides.h"

scr_status scene_build(const scene_request *request, built_scene *built, char **as_run, scr_error *error)
{
    *built = (built_scene){0};
    overrides changes;
    scr_status status = overrides_parse(&changes, &request->set, error);
    if (status != SCR_OK) return status;
    status = scene_read_file(request->path, changes.item, changes.count, &built->scene, as_run, error);
    overrides_free(&changes);
    if (status != SCR_OK) return status;
    if (request->until > 0.0) built->scene->end_time = request->until;
    if (request->until > 0.0 && request->until < built->scene->world.time_step)
        return scr_fail(error, SCR_BAD_INPUT, "--until %g: a step of %s takes longer, %g s", request->until,
                        request->path, built->scene->world.time_step);
    return simulation_create(built->scene, true, request->threads, &built->simulation, error);
}

scr_status build_for_output(const scene_request *request, const char *output, bool force, built_scene *built,
                            scr_error *error)
{
    *built = (built_scene){0};
    scr_status status = SCR_OK;
    output_rule rule = {&request->path, 1, force};
    if (output != NULL) status = check_output_file(output, &rule, error);
    if (status == SCR_OK) status = scene_build(request, built, NULL, error);
    if (status != SCR_OK || output == NULL) return status;
    // Which files the scene names is known only now.
    rule = (output_rule){(const char *const *)built->scene->files, built->scene->file_count, force};
    return check_output_file(output, &rule, error);
}

void built_scene_free(built_scene *built)
{
    simulation_destroy(built->simulation);
    scene_destroy(built->scene);
    *built = (built_scene){0};
}
