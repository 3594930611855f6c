// SPDX-License-Identifier: BSD-3-Clause
// A run directory opened to be looked at.
#include "app/source/run_source.h"

#include <string.h>

#include "core/file/safe_file.h"
#include "core/text/nearest_name.h"
#include "io/scene/scene_reader.h"

static int lowest_bit(uint32_t bits) { return bits != 0 ? __builtin_ctz(bits) : 0; }

static scr_status list_names(run_source *source, scr_error *error)
{
    const scene *s = source->scene;
    size_t bytes[5] = {scr_array_bytes(s->material_count + 1, sizeof *source->material_name),
                       scr_array_bytes(s->group_count + 1, sizeof *source->group_name),
                       scr_array_bytes(s->body_count + 1, sizeof *source->group_of_body),
                       scr_array_bytes(s->body_count + 1, sizeof *source->appearance),
                       scr_array_bytes(s->body_count + 1, sizeof *source->hidden)};
    source->material_name = scr_alloc(bytes[0]);
    source->group_name = scr_alloc(bytes[1]);
    source->group_of_body = scr_alloc(bytes[2]);
    source->appearance = scr_alloc(bytes[3]);
    source->hidden = scr_alloc(bytes[4]);
    if (source->material_name == NULL || source->group_name == NULL || source->group_of_body == NULL ||
        source->appearance == NULL || source->hidden == NULL)
        return scr_fail_memory(error, bytes[0] + bytes[1] + bytes[2] + bytes[3] + bytes[4], "the names of materials");
    for (int m = 0; m < s->material_count; ++m) source->material_name[m] = s->materials[m].name;
    for (int g = 0; g < s->group_count; ++g) source->group_name[g] = s->groups[g];
    for (int b = 0; b < s->body_count; ++b) {
        source->group_of_body[b] = lowest_bit(s->bodies[b].def.group);
        source->appearance[b] = s->bodies[b].appearance;
        source->hidden[b] = s->bodies[b].appearance.is_hidden;
    }
    source->names = (run_names){.title = s->title,
                                .material_name = source->material_name,
                                .material_count = s->material_count,
                                .group_name = source->group_name,
                                .group_count = s->group_count,
                                .group_of_body = source->group_of_body,
                                .body_count = s->body_count,
                                .appearance = {source->appearance, s->body_count}};
    return SCR_OK;
}

// Without a scene there all is as by default.
static scr_status read_scene(run_source *source, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = path_join(path, source->directory, "scene.json", error);
    if (status != SCR_OK || !path_exists(path)) return status;
    status = scene_read_run_file(path, &source->scene, error);
    return status == SCR_OK ? list_names(source, error) : status;
}

static scr_status open_trajectory(run_source *source, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = path_join(path, source->directory, "trajectory.h5", error);
    if (status == SCR_OK && !path_exists(path))
        status = scr_fail(error, SCR_IO,
                          "%s holds no trajectory.h5: is it a run directory, and did its scene ask for "
                          "frames (output.frame_interval)?",
                          source->directory);
    if (status == SCR_OK) status = trajectory_open(source->directory, &source->trajectory, error);
    if (status == SCR_OK && trajectory_frame_count(source->trajectory) == 0)
        status = scr_fail(error, SCR_BAD_INPUT, "%s holds no frame yet", source->directory);
    return status;
}

scr_status run_source_open(run_source *source, const char *directory, scr_error *error)
{
    *source = (run_source){.directory = directory};
    if (!path_is_directory(directory))
        return scr_fail(error, SCR_IO, "%s is not a run directory: there is no such directory", directory);
    scr_status status = read_scene(source, error);
    return status == SCR_OK ? open_trajectory(source, error) : status;
}

void run_source_close(run_source *source)
{
    trajectory_close(source->trajectory, NULL);
    scr_free(source->material_name);
    scr_free(source->group_name);
    scr_free(source->group_of_body);
    scr_free(source->appearance);
    scr_free(source->hidden);
    scene_destroy(source->scene);
    *source = (run_source){0};
}

void run_source_hide_bodies(run_source *source)
{
    if (source->scene != NULL) trajectory_hide_bodies(source->trajectory, source->hidden, source->scene->body_count);
}

scr_status run_source_body(const run_source *source, const char *name, int64_t *id, scr_error *error)
{
    nearest_name search = nearest_to(name);
    int count = source->scene != NULL ? source->scene->body_count : 0;
    for (int b = 0; b < count; ++b) {
        const char *known = source->scene->bodies[b].name;
        if (known[0] != '\0' && strcmp(known, name) == 0) {
            *id = b + 1;
            return SCR_OK;
        }
        if (known[0] != '\0') nearest_offer(&search, known);
    }
    if (search.best != NULL)
        return scr_fail(error, SCR_BAD_INPUT, "the scene has no body \"%s\"; did you mean \"%s\"?", name, search.best);
    return scr_fail(error, SCR_BAD_INPUT, "the scene has no body \"%s\"", name);
}

scr_status run_source_needs_contacts(const run_source *source, const char *what, scr_error *error)
{
    if (source->scene != NULL && source->scene->output.contacts) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT,
                    "%s needs the forces of contacts, and the frames in %s hold none: run the scene again with "
                    "--set output.contacts=true",
                    what, source->directory);
}
