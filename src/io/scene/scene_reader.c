// SPDX-License-Identifier: BSD-3-Clause
// Scene JSON -> scene: the file, the JSON parser, the command line's changes, then section by section.
#include "io/scene/scene_reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/text/plain_locale.h"
#include "io/json/json_document.h"
#include "io/json/json_memory.h"
#include "io/json/json_override.h"
#include "io/json/json_write.h"
#include "io/machine/machines.h"
#include "io/scene/scene_sections.h"

static const json_text_kind SCENE_TEXT = {"the scene", "{\"time\": {\"end\": 1}}", "; put its grains into tables"},
                            VIEW_TEXT = {"the view", "{}", ""};

// Every key of a scene. Asking for all of them first finds a misspelt "bodys" before the probe that misses its body.
static const char *const ROOT_KEYS[] = {
    "$schema",   "title",   "description", "parameters", "seed",        "time",    "gravity", "periodic",
    "solver",    "contact", "limits",      "materials",  "pairs",       "grounds", "bodies",  "joints",
    "actuators", "springs", "couplings",   "loads",      "fills",       "tables",  "beds",    "emitters",
    "sinks",     "domain",  "active_box",  "sleeping",   "probes",      "output",  "view",    "vehicles",
    "drivers",   "anchors", "phases",      "rig",        "chain_drives"};

_Static_assert(sizeof ROOT_KEYS / sizeof *ROOT_KEYS < ASKED_MAX, "a cursor remembers all of them, and \"comment\"");

void scene_read_sections(json_document *document, scene *s)
{
    document->made = s;
    json_cursor root = cursor_root(document);
    for (size_t i = 0; i < sizeof ROOT_KEYS / sizeof *ROOT_KEYS; ++i) cursor_member(&root, ROOT_KEYS[i]);
    cursor_expect_object(&root);
    cursor_close(&root);

    scene_reading reading = {.scene = s,
                             .materials = {json_object(), "material"},
                             .grounds = {json_object(), "ground"},
                             .bodies = {json_object(), "body"},
                             .joints = {json_object(), "joint"},
                             .springs = {json_object(), "spring"},
                             .couplings = {json_object(), "coupling"},
                             .surface_of_text = json_object()};
    read_parameters(&root);
    read_rig(&root);
    read_phases(&reading, &root);
    read_vehicles(&root);
    read_helical_anchors(&root);
    read_settings(&reading, &root);
    read_materials(&reading, &root);
    read_grounds(&reading, &root);
    read_bodies(&reading, &root);
    read_phase_ends(&reading, &root);
    read_joints(&reading, &root);
    read_springs(&reading, &root);
    read_couplings(&reading, &root);
    read_chain_drives(&reading, &root);
    read_loads(&reading, &root);
    read_drivers(&reading, &root);
    read_grains(&reading, &root);
    check_moduli(&reading, &root);
    read_active_box(&reading, &root);
    read_sleeping(&reading, &root);
    read_probes(&reading, &root);
    read_output(&reading, &root);
    read_view(&reading, &root);
    json_decref(reading.materials.by_name);
    json_decref(reading.grounds.by_name);
    json_decref(reading.bodies.by_name);
    json_decref(reading.joints.by_name);
    json_decref(reading.springs.by_name);
    json_decref(reading.couplings.by_name);
    json_decref(reading.surface_of_text);
}

static scr_status new_scene(const char *path, scene **result, scr_error *error)
{
    scene *s = scr_alloc(sizeof *s);
    if (s == NULL) return scr_fail_memory(error, sizeof *s, "the scene");
    memset(s, 0, sizeof *s);
    s->path = strdup(path);
    *result = s;
    return s->path != NULL ? SCR_OK : scr_fail_memory(error, strlen(path), "the scene's path");
}

// Read the scene of a document in which everything but the tree is set.
static scr_status read_document(json_document *document, scene **result, char **as_run)
{
    scr_error *error = document->error;
    scene *s = NULL;
    plain_locale locale;
    *result = NULL;
    if (as_run != NULL) *as_run = NULL;
    scr_status status = plain_locale_enter(&locale, error);
    if (status != SCR_OK) return status;
    status = json_document_parse(document, &SCENE_TEXT, error);
    for (int i = 0; status == SCR_OK && i < document->override_count; ++i) {
        status = json_override_apply(document->root, &document->overrides[i], error);
    }
    if (status == SCR_OK) status = new_scene(document->path, &s, error);
    if (status == SCR_OK) {
        scene_read_sections(document, s);
        status = document->status;
    }
    // A tree with gaps would be read as another scene, or blamed for what it does not say.
    if (json_memory_ran_out()) status = scr_fail_memory(error, document->source.length, "the scene's JSON tree");
    if (status == SCR_OK && as_run != NULL) status = json_write_text(document->root, as_run, error);

    plain_locale_leave(&locale);
    scr_free(document->parameters);
    json_decref(document->root);
    if (status == SCR_OK) *result = s;
    else scene_destroy(s);
    return status;
}

scr_status scene_read_text(const char *text, size_t length, const char *path, const scene_override *overrides,
                           int override_count, scene **result, char **as_run, scr_error *error)
{
    json_document document = {.path = path,
                              .source = json_source_of(text, length),
                              .overrides = overrides,
                              .override_count = override_count,
                              .error = error};
    return read_document(&document, result, as_run);
}

static scr_status read_file(json_document *document, scene **result, char **as_run)
{
    char *text = NULL;
    size_t length = 0;
    *result = NULL;
    if (as_run != NULL) *as_run = NULL;
    scr_status status = json_text_load(document->path, &SCENE_TEXT, &text, &length, document->error);
    document->source = json_source_of(text, length);
    if (status == SCR_OK) status = read_document(document, result, as_run);
    free(text);
    return status;
}

scr_status scene_read_file(const char *path, const scene_override *overrides, int override_count, scene **result,
                           char **as_run, scr_error *error)
{
    json_document document = {.path = path, .overrides = overrides, .override_count = override_count, .error = error};
    return read_file(&document, result, as_run);
}

scr_status scene_read_view_file(const char *path, scene_view *view, scr_error *error)
{
    char *text = NULL;
    size_t length = 0;
    plain_locale locale;
    json_document document = {.path = path, .error = error};
    *view = (scene_view){0};
    scr_status status = json_text_load(path, &VIEW_TEXT, &text, &length, error);
    document.source = json_source_of(text, length);
    if (status == SCR_OK) status = plain_locale_enter(&locale, error);
    if (status == SCR_OK) {
        status = json_document_parse(&document, &VIEW_TEXT, error);
        if (status == SCR_OK) {
            json_cursor root = cursor_root(&document);
            cursor_expect_object(&root);
            read_view_words(view, &root);
            status = document.status;
        }
        plain_locale_leave(&locale);
    }
    json_decref(document.root);
    free(text);
    if (status != SCR_OK) scene_view_free(view);
    return status;
}

scr_status scene_read_run_file(const char *path, scene **result, scr_error *error)
{
    json_document document = {.path = path, .files_may_be_gone = true, .error = error};
    return read_file(&document, result, NULL);
}
