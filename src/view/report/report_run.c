// SPDX-License-Identifier: BSD-3-Clause
// A run directory as a report shows it.
#include "view/report/report_run.h"

#include <string.h>

#include "core/file/safe_file.h"
#include "io/json/json_memory.h"
#include "io/scene/scene_reader.h"
#include "view/report/report_camera.h"

enum {
    KEPT_BODIES = 4096,  // of the scene's list that are shown whatever the budget
    LIST_SHOWN = 40,     // entries of a list in the scene; the page only says how many more there are
};

// ---- scene and summary ---------------------------------------------------------------------------------------------

static scr_status read_json(const char *directory, const char *name, json_t **value, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = path_join(path, directory, name, error);
    if (status != SCR_OK) return status;
    if (!path_exists(path))
        return scr_fail(error, SCR_BAD_INPUT, "%s holds no run: there is no %s in it", directory, name);
    json_error_t where;
    json_memory_watch();
    *value = json_load_file(path, 0, &where);
    if (json_memory_ran_out()) return scr_fail_memory(error, 0, path);
    if (*value == NULL) return scr_fail(error, SCR_IO, "%s:%d:%d: %s", path, where.line, where.column, where.text);
    if (!json_is_object(*value)) return scr_fail(error, SCR_IO, "%s: this is not a %s of scree", path, name);
    return SCR_OK;
}

// Long lists end early, so that the text of a scene with thousands of bodies does not fill the page.
static void shorten_lists(json_t *value)
{
    size_t index;
    json_t *entry;
    const char *key;
    if (json_is_array(value) && json_array_size(value) > LIST_SHOWN + 1) {
        json_t *rest = json_sprintf("... and %zu more", json_array_size(value) - LIST_SHOWN);
        while (json_array_size(value) > LIST_SHOWN) json_array_remove(value, json_array_size(value) - 1);
        json_array_append_new(value, rest);
    }
    json_array_foreach(value, index, entry) shorten_lists(entry);
    json_object_foreach(value, key, entry) shorten_lists(entry);
}

// Names in the order of the scene: what frames call material 0, 1, 2 ...
static json_t *material_names(const json_t *text)
{
    json_t *names = json_array(), *materials = json_object_get(text, "materials"), *material;
    const char *name;
    json_object_foreach(materials, name, material) json_array_append_new(names, json_string(name));
    return names;
}

// Bodies get their ids in the order of the scene's list, from 1.
static json_t *body_names(const json_t *text)
{
    json_t *names = json_array(), *bodies = json_object_get(text, "bodies"), *body;
    size_t i;
    json_array_foreach(bodies, i, body)
    {
        if (i == KEPT_BODIES) break;
        const char *name = json_string_value(json_object_get(body, "name"));
        const char *kind = json_string_value(json_object_get(body, "kind"));
        json_t *entry = json_pack("{s:I, s:s, s:s}", "id", (json_int_t)i + 1, "name", name != NULL ? name : "", "kind",
                                  kind != NULL ? kind : "dynamic");
        json_t *appearance = json_object_get(body, "appearance");
        if (entry != NULL && appearance != NULL) json_object_set(entry, "appearance", appearance);
        json_array_append_new(names, entry);
    }
    return names;
}

// ---- frames --------------------------------------------------------------------------------------------------------

static scr_status open_frames(report_run *run, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = path_join(path, run->directory, "trajectory.h5", error);
    if (status != SCR_OK || !path_exists(path)) return status;
    status = trajectory_open(run->directory, &run->trajectory, error);
    if (status != SCR_OK || trajectory_frame_count(run->trajectory) > 0) return status;
    trajectory_close(run->trajectory, NULL);
    run->trajectory = NULL;
    return SCR_OK;
}

static int64_t surface_bytes(const frame_surface *s) { return 12 * (s->vertex_count + s->triangle_count); }

// Leave out the largest surfaces until the others fit. *bytes: of those that do.
static scr_status choose_surfaces(report_run *run, const frame_surfaces *s, int64_t budget, int64_t *bytes,
                                  scr_error *error)
{
    scr_status status = scr_make_zeros(&run->surface_fits, s->count, sizeof *run->surface_fits, "surfaces", error);
    if (status != SCR_OK) return status;
    *bytes = 0;
    for (int64_t i = 0; i < s->count; ++i) {
        run->surface_fits[i] = true;
        *bytes += surface_bytes(&s->item[i]);
    }
    while (*bytes > budget) {
        int64_t largest = -1;
        for (int64_t i = 0; i < s->count; ++i)
            if (run->surface_fits[i] && (largest < 0 || surface_bytes(&s->item[i]) > surface_bytes(&s->item[largest])))
                largest = i;
        run->surface_fits[largest] = false;
        *bytes -= surface_bytes(&s->item[largest]);
    }
    return SCR_OK;
}

static scr_status fit_frames(report_run *run, int64_t budget, scr_error *error)
{
    frame *first = &run->instances.scratch;
    int64_t surface_bytes_shown = 0;
    scr_status status = trajectory_read(run->trajectory, 0, first, error);
    if (status == SCR_OK) status = choose_surfaces(run, first->surfaces, budget / 2, &surface_bytes_shown, error);
    if (status != SCR_OK) return status;
    size_t listed = json_array_size(json_object_get(run->text, "bodies"));
    uint32_t kept_ids = listed < KEPT_BODIES ? (uint32_t)listed : KEPT_BODIES;
    return report_instances_gather(&run->instances, run->trajectory, kept_ids, budget - surface_bytes_shown, error);
}

// What is wrong with a scene does not keep a page from being written; what is wrong with a disk does.
static scr_status unless_bad_input(scr_status status, const scr_error *found, scr_error *error)
{
    if (status == SCR_OK || status == SCR_BAD_INPUT) return SCR_OK;
    if (error != NULL) *error = *found;
    return status;
}

// A scene that this version does not understand is shown all the same, without what it says about pictures.
static scr_status read_model(report_run *run, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_error found = {0};
    scr_status status = path_join(path, run->directory, "scene.json", error);
    if (status != SCR_OK) return status;
    status = scene_read_run_file(path, &run->model, &found);
    if (status != SCR_OK) return unless_bad_input(status, &found, error);
    int count = run->model->body_count;
    status = scr_make_zeros(&run->hidden, count + 1, sizeof *run->hidden, "the bodies of a report", error);
    if (status != SCR_OK) return status;
    for (int b = 0; b < count; ++b) run->hidden[b] = run->model->bodies[b].appearance.is_hidden;
    trajectory_hide_bodies(run->trajectory, run->hidden, count);
    return SCR_OK;
}

// If there is a body to follow that cannot be followed, the page chooses a camera.
static scr_status find_camera(report_run *run, scr_error *error)
{
    scr_error found = {0};
    if (run->model == NULL) return SCR_OK;
    const report_instances *instances = &run->instances;
    scr_status status =
        report_camera_find(run->model, run->trajectory, instances->frame, instances->frame_count, &run->camera, &found);
    return unless_bad_input(status, &found, error);
}

scr_status report_run_open(report_run *run, const char *directory, int64_t budget, scr_error *error)
{
    *run = (report_run){.directory = directory};
    char path[PATH_LENGTH_MAX];
    if (!path_is_directory(directory))
        return scr_fail(error, SCR_BAD_INPUT, "%s is not a run directory: there is no such directory", directory);
    scr_status status = read_json(directory, "scene.json", &run->text, error);
    if (status == SCR_OK) status = read_json(directory, "summary.json", &run->summary, error);
    if (status == SCR_OK) status = path_join(path, directory, "probes.csv", error);
    int64_t binary = budget / 4 * 3;  // base64 takes four bytes for three
    if (status == SCR_OK) status = report_probes_read(path, binary / 4, &run->probes, error);
    if (status == SCR_OK) status = open_frames(run, error);
    if (status != SCR_OK || run->trajectory == NULL) return status;
    int64_t probes = run->probes.row_count * (int64_t)(json_array_size(run->probes.column) * sizeof(double));
    status = read_model(run, error);
    if (status == SCR_OK) status = fit_frames(run, binary - probes, error);
    return status == SCR_OK ? find_camera(run, error) : status;
}

void report_run_close(report_run *run)
{
    json_decref(run->summary);
    json_decref(run->text);
    json_decref(run->camera);
    report_probes_free(&run->probes);
    report_instances_free(&run->instances);
    trajectory_close(run->trajectory, NULL);
    scene_destroy(run->model);
    scr_free(run->hidden);
    scr_free(run->surface_fits);
    *run = (report_run){0};
}

// ---- writing -------------------------------------------------------------------------------------------------------

static json_t *point(vec3f p) { return json_pack("[f, f, f]", (double)p[0], (double)p[1], (double)p[2]); }

static json_t *sets_of(const report_instances *instances)
{
    json_t *sets = json_array();
    for (int set = 0; set < ITEM_SETS; ++set)
        json_array_append_new(sets, json_pack("{s:i, s:b, s:I}", "shape", (int)item_shape(set), "kept",
                                              item_is_kept(set), "count", (json_int_t)instances->set_listed[set]));
    return sets;
}

static json_t *surfaces_of(const report_run *run)
{
    json_t *list = json_array();
    const frame_surfaces *s = run->instances.scratch.surfaces;
    for (int64_t i = 0; i < s->count; ++i)
        json_array_append_new(list,
                              json_pack("{s:I, s:I, s:b}", "vertices", (json_int_t)s->item[i].vertex_count, "triangles",
                                        (json_int_t)s->item[i].triangle_count, "shown", run->surface_fits[i]));
    return list;
}

// The cell of a space that repeats itself; the length is 0 along axes that do not.
static json_t *period_of(const periodic_cell *p)
{
    if (!p->any) return json_null();
    return json_pack("{s:[f, f, f], s:[f, f, f]}", "low", p->low[0], p->low[1], p->low[2], "length", p->length[0],
                     p->length[1], p->length[2]);
}

static json_t *player_of(const report_run *run)
{
    if (run->trajectory == NULL) return json_null();
    const report_instances *instances = &run->instances;
    json_t *player =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f}", "frames", (json_int_t)instances->frame_count,
                  "frames_total", (json_int_t)instances->frame_total, "frame_stride", (json_int_t)instances->stride,
                  "grains", (json_int_t)run->shown.grains_most, "grains_total", (json_int_t)instances->grains_most,
                  "outliers", (json_int_t)run->shown.outliers_most, "surfaces_left_out",
                  (json_int_t)run->shown.surfaces_left, "speed_max", (double)instances->speed_max);
    json_object_set_new(player, "speed_range", json_real(instances->speed_range));
    json_object_set(player, "camera", run->camera != NULL ? run->camera : json_null());
    json_t *times = json_array();
    for (int64_t i = 0; i < instances->frame_count; ++i)
        json_array_append_new(times, json_real(trajectory_frame_time(run->trajectory, instances->frame[i])));
    json_object_set_new(player, "times", times);
    json_object_set_new(player, "low", point(instances->subject.low));
    json_object_set_new(player, "high", point(instances->subject.high));
    json_object_set_new(player, "sets", sets_of(instances));
    json_object_set_new(player, "rests", json_integer(instances->rest_count));
    json_object_set_new(player, "surfaces", surfaces_of(run));
    json_object_set_new(player, "period", period_of(trajectory_period(run->trajectory)));
    return player;
}

static json_t *probes_of(const report_probes *p)
{
    return json_pack("{s:O, s:I, s:I, s:I}", "columns", p->column, "rows", (json_int_t)p->row_count, "rows_total",
                     (json_int_t)p->row_total, "row_stride", (json_int_t)p->stride);
}

// Directories are named as the user did, if that is text at all.
static json_t *name_of(const char *directory)
{
    json_t *name = json_string(directory);
    return name != NULL ? name : json_string("a directory whose name is no text");
}

static json_t *describe(report_run *run)
{
    json_t *about = json_object();
    json_object_set_new(about, "directory", name_of(run->directory));
    json_object_set_new(about, "materials", material_names(run->text));
    json_object_set_new(about, "bodies", body_names(run->text));
    shorten_lists(run->text);
    json_object_set(about, "summary", run->summary);
    json_object_set(about, "scene", run->text);
    json_object_set_new(about, "probes", probes_of(&run->probes));
    json_object_set_new(about, "player", player_of(run));
    return about;
}

scr_status report_run_write(report_run *run, int number, report_page *page, scr_error *error)
{
    const report_probes *p = &run->probes;
    size_t bytes = (size_t)p->row_count * json_array_size(p->column) * sizeof *p->value;
    page_binary(page, "probes", number, p->value, bytes);
    scr_status status = SCR_OK;
    if (run->trajectory != NULL)
        status =
            report_frames_write(page, number, &run->instances, run->trajectory, run->surface_fits, &run->shown, error);
    if (status != SCR_OK) return status;
    json_memory_watch();
    json_t *about = describe(run);
    char id[32];
    snprintf(id, sizeof id, "run-%d", number);
    if (about != NULL) page_json(page, id, about);
    json_decref(about);
    return json_memory_ran_out() ? scr_fail_memory(error, 0, "a report") : SCR_OK;
}
