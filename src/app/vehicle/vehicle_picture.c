// SPDX-License-Identifier: BSD-3-Clause
// A vehicle standing on level ground, to be measured and drawn: a scene of nothing else.
#include "app/vehicle/vehicle_picture.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/status.h"
#include "core/maths/vec3.h"
#include "io/scene/scene_reader.h"
#include "view/render/render.h"

static scr_status read_scene(const char *path, vehicle_stand *stand, scr_error *error)
{
    char *absolute = realpath(path, NULL);
    if (absolute == NULL) return scr_fail_memory(error, strlen(path), "a path");
    json_t *root =
        json_pack("{s:{s:i}, s:[{s:s, s:s}]}", "time", "end", 1, "vehicles", "name", "vehicle", "file", absolute);
    char *text = json_dumps(root, 0);
    json_decref(root);
    free(absolute);
    if (text == NULL) return scr_fail_memory(error, strlen(path), "a scene");
    scr_status status = scene_read_text(text, strlen(text), path, NULL, 0, &stand->scene, NULL, error);
    free(text);
    return status;
}

static scr_vec3 centre_of_mass(const scr_world *world)
{
    scr_body_view b = scr_world_bodies(world);
    scr_vec3 sum = {0};
    double mass = 0.0;
    for (int64_t i = 0; i < b.count; ++i) {
        if (b.kind[i] != SCR_DYNAMIC) continue;
        sum = vec3_add_scaled(sum, 1.0 / b.inv_mass[i], vec3(b.x[i], b.y[i], b.z[i]));
        mass += 1.0 / b.inv_mass[i];
    }
    return vec3_scale(1.0 / mass, sum);
}

scr_status vehicle_stand_make(const char *path, int threads, vehicle_stand *stand, scr_error *error)
{
    *stand = (vehicle_stand){0};
    scr_status status = read_scene(path, stand, error);
    if (status == SCR_OK) status = simulation_create(stand->scene, true, threads, &stand->simulation, error);
    if (status == SCR_OK) stand->centre = centre_of_mass(simulation_world(stand->simulation));
    return status;
}

void vehicle_stand_free(vehicle_stand *stand)
{
    simulation_destroy(stand->simulation);
    scene_destroy(stand->scene);
}

static scr_status appearances(const scene *s, scene_appearance **list, scr_error *error)
{
    size_t bytes = (size_t)s->body_count * sizeof **list;
    *list = scr_alloc(bytes);
    if (*list == NULL) return scr_fail_memory(error, bytes, "appearances");
    for (int i = 0; i < s->body_count; ++i) (*list)[i] = s->bodies[i].appearance;
    return SCR_OK;
}

static render_options options_of(const vehicle_stand *stand, const scene_appearance *looks, int threads)
{
    render_options o = render_default_options();
    o.view = stand->scene->view;
    o.threads = threads;
    o.names = (run_names){.appearance = {looks, stand->scene->body_count}};
    o.view.ground = o.view.has_ground_height = true;
    return o;
}

scr_status vehicle_stand_draw(const vehicle_stand *stand, const char *picture_path, int threads, scr_error *error)
{
    frame f = {0};
    frame_surfaces shown = {0};
    picture drawn = {0};
    scene_appearance *looks = NULL;
    const scr_world *world = simulation_world(stand->simulation);
    scr_status status = appearances(stand->scene, &looks, error);
    if (status == SCR_OK) status = frame_surfaces_capture(world, &shown, error);
    if (status == SCR_OK) status = frame_capture(world, &f, error);
    f.surfaces = &shown;
    if (status == SCR_OK) status = frame_spread_sets(&f, error);
    if (status == SCR_OK) {
        render_options o = options_of(stand, looks, threads);
        status = render_frame(&f, &o, &drawn, NULL, error);
    }
    if (status == SCR_OK) status = picture_write_png(&drawn, picture_path, error);
    picture_free(&drawn);
    frame_free(&f);
    frame_surfaces_free(&shown);
    scr_free(looks);
    return status;
}
