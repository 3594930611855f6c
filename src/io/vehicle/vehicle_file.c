// SPDX-License-Identifier: BSD-3-Clause
// Vehicle files -> figures.
#include "io/vehicle/vehicle_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/plain_locale.h"
#include "io/json/json_document.h"
#include "io/vehicle/vehicle_reading.h"

static const json_text_kind VEHICLE_TEXT = {"the vehicle", "{\"kind\": \"tracked\"} and its parts", ""};

// Paths in shapes are seen from the vehicle's file; scenes that use it are elsewhere.
static void make_paths_absolute(json_t *value, const char *directory)
{
    const char *key;
    json_t *member;
    size_t index;
    if (json_is_array(value)) { json_array_foreach(value, index, member) make_paths_absolute(member, directory); }
    if (!json_is_object(value)) return;
    json_object_foreach(value, key, member)
    {
        bool is_path = json_is_string(member) && strcmp(key, "file") == 0;
        if (is_path && json_string_value(member)[0] != '/')
            json_object_set_new(value, key, json_sprintf("%s/%s", directory, json_string_value(member)));
        else make_paths_absolute(member, directory);
    }
}

static void read_materials_of_parts(json_cursor *root, vehicle_file *file)
{
    json_cursor materials = cursor_map(root, "materials");
    file->materials = materials.value;
    if (cursor_is_ok(root) && json_object_size(materials.value) == 0)
        cursor_fail_missing(root, "materials", "at least one, as scenes have them");
}

static void read_chassis(json_cursor *root, vehicle_file *file)
{
    json_cursor at = cursor_object(root, "chassis");
    static const scr_vec3 origin = {0.0, 0.0, 0.0};
    scr_vec3 position = cursor_vector(&at, "position", &origin, RANGE_COORDINATE);
    file->tracked.chassis_mass = cursor_needed_number(&at, "mass", RANGE_POSITIVE);
    file->tracked.chassis_position[0] = position.x;
    file->tracked.chassis_position[1] = position.y;
    file->tracked.chassis_position[2] = position.z;
    file->chassis = read_part_look(&at, file);
    if (cursor_is_ok(&at) && file->chassis.shapes == NULL)
        cursor_fail_missing(&at, "shapes", "a list of shapes, as bodies of scenes have them");
    cursor_close(&at);
}

static void read_sides(json_cursor *root, tracked_vehicle *v)
{
    static const char *const names[SIDES_MAX] = {"left", "right"};
    json_cursor at = cursor_object(root, "sides");
    for (int k = 0; k < SIDES_MAX; ++k)
        if (cursor_has(&at, names[k]))
            v->side_y[v->side_count++] = cursor_needed_number(&at, names[k], RANGE_COORDINATE);
    if (cursor_is_ok(&at) && v->side_count == 0) cursor_fail_missing(&at, "left", "the y of the left track, in m");
    if (cursor_is_ok(&at) && v->side_count == 2 && !(v->side_y[0] > v->side_y[1])) {
        json_cursor right = cursor_member(&at, "right");
        cursor_fail(&right, "the right track must be to the right of the left one: its y is the smaller one");
    }
    cursor_close(&at);
}

static void read_vehicle(json_cursor *root, vehicle_file *file)
{
    static const char *const kinds[] = {"tracked"};
    static const char *const keys[] = {"$schema", "kind",     "title", "description", "materials",   "chassis",
                                       "sides",   "sprocket", "idler", "road_wheels", "top_rollers", "shoes"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) cursor_member(root, keys[k]);
    cursor_expect_object(root);
    cursor_close(root);
    cursor_choice(root, "kind", kinds, 1, -1);
    file->title = cursor_text(root, "title", "a vehicle");
    read_materials_of_parts(root, file);
    read_chassis(root, file);
    read_sides(root, &file->tracked);
    read_shoes(root, file);
    read_wheels(root, file);
}

scr_status vehicle_file_read_text(const char *text, size_t length, const char *path, vehicle_file *file,
                                  scr_error *error)
{
    json_document document = {.path = path, .source = json_source_of(text, length), .error = error};
    plain_locale locale;
    *file = (vehicle_file){0};
    scr_status status = plain_locale_enter(&locale, error);
    if (status != SCR_OK) return status;
    status = json_document_parse(&document, &VEHICLE_TEXT, error);
    file->root = document.root;
    if (status == SCR_OK) {
        json_cursor root = cursor_root(&document);
        read_vehicle(&root, file);
        status = document.status;
    }
    plain_locale_leave(&locale);
    return status;
}

scr_status vehicle_file_read(const char *path, vehicle_file *file, scr_error *error)
{
    char *text = NULL, *directory = realpath(path, NULL);
    size_t length = 0;
    *file = (vehicle_file){0};
    scr_status status = json_text_load(path, &VEHICLE_TEXT, &text, &length, error);
    if (status == SCR_OK) status = vehicle_file_read_text(text, length, path, file, error);
    if (status == SCR_OK && directory != NULL) {
        *strrchr(directory, '/') = '\0';
        make_paths_absolute(file->root, directory);
    }
    free(directory);
    free(text);
    return status;
}

void vehicle_file_free(vehicle_file *file) { json_decref(file->root); }
