// SPDX-License-Identifier: BSD-3-Clause
// From a scene file to a simulation in memory.
#include "io/calls/scene_build.h"

#include "io/calls/overrides.h"

// An end that the caller asks for in place of the scene's.
static scr_status set_end(scene *s, const scr_scene_def *def, scr_error *error)
{
    if (!(def->end_time > 0.0)) return SCR_OK;
    s->end_time = def->end_time;
    if (def->end_time >= s->world.time_step) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "an end at %g s: a step of %s takes longer, %g s", def->end_time, def->path,
                    s->world.time_step);
}

scr_status scene_build(const scr_scene_def *def, built_scene *built, char **as_run, scr_error *error)
{
    *built = (built_scene){0};
    overrides changes;
    scr_status status = overrides_parse(&changes, def->overrides, def->override_count, error);
    if (status != SCR_OK) return status;
    status = scene_read_file(def->path, changes.item, changes.count, &built->scene, as_run, error);
    overrides_free(&changes);
    if (status == SCR_OK) status = set_end(built->scene, def, error);
    if (status != SCR_OK) return status;
    return simulation_create(built->scene, true, def->thread_count, &built->simulation, error);
}

void built_scene_free(built_scene *built)
{
    simulation_destroy(built->simulation);
    scene_destroy(built->scene);
    *built = (built_scene){0};
}
