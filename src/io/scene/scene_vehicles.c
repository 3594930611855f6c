// SPDX-License-Identifier: BSD-3-Clause
// Vehicles of a scene: each is written into the scene's tree as the bodies, joints, springs, materials and probes that
// its file stands for, before those are read. The scene as run has them in place of the vehicle.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/maths/quat.h"
#include "io/json/json_memory.h"
#include "io/scene/scene_sections.h"
#include "io/vehicle/tracked_parts.h"

enum { VEHICLE_NAME_MAX = 24 };

static void add_materials(json_t *root, const vehicle_file *file, const char *name)
{
    json_t *materials = json_object_get(root, "materials"), *definition;
    const char *key;
    if (!json_is_object(materials)) {
        materials = json_object();
        json_object_set_new(root, "materials", materials);
    }
    json_object_foreach(file->materials, key, definition)
    {
        char full[2 * NAME_MAX_LENGTH];
        snprintf(full, sizeof full, "%s %s", name, key);
        json_object_set(materials, full, definition);
    }
}

// What turns each sprocket: "both", or "left" and "right".
static void read_drives(json_cursor *at, const tracked_vehicle *v, json_t *drive[SIDES_MAX])
{
    if (!cursor_has(at, "drive")) {
        json_cursor absent = cursor_member(at, "drive");
        if (absent.value == NULL) cursor_store(&absent, json_null());
        return;
    }
    json_cursor drives = cursor_object(at, "drive");
    json_cursor both = cursor_member(&drives, "both"), left = cursor_member(&drives, "left"),
                right = cursor_member(&drives, "right");
    cursor_close(&drives);
    for (int k = 0; k < v->side_count; ++k) {
        const json_cursor *own = strcmp(side_name(v, k), "left") == 0 ? &left : &right;
        drive[k] = own->value != NULL ? own->value : both.value;
    }
    if (cursor_is_ok(at) && both.value != NULL && (left.value != NULL || right.value != NULL))
        cursor_fail_at_key(&both, "\"both\" stands for left and right: leave it out, or leave those out");
}

// A probe of the whole vehicle, under its name.
static void add_vehicle_probe(vehicle_site *site, double ground, double from)
{
    const tracked_vehicle *v = &site->file->tracked;
    json_t *tracks = json_array();
    ground_run run = vehicle_ground_run(v);
    for (int side = 0; side < v->side_count; ++side) {
        json_t *shoes = json_array(), *pins = json_array();
        const char *name = side_name(v, side);
        for (int k = 0; k < v->shoe.count; ++k)
            json_array_append_new(shoes, json_string(name_part(site, name, "shoe", k).text));
        for (int k = 0; k < track_link_count(&v->shoe); ++k)
            json_array_append_new(pins, json_string(name_part(site, name, "pin", k).text));
        json_array_append_new(
            tracks,
            json_pack("{s:s, s:f, s:f, s:f, s:s, s:s, s:f, s:f, s:o, s:o}", "side", name, "rear",
                      run.rear - v->chassis_position[0], "front", run.front - v->chassis_position[0], "y",
                      v->side_y[side] - v->chassis_position[1], "sprocket", name_part(site, name, "sprocket", -1).text,
                      "tensioner", name_part(site, name, "tensioner", -1).text, "rolling_radius",
                      sprocket_rolling_radius(v), "shoe_depth", shoe_depth(&v->shoe), "shoes", shoes, "pins", pins));
    }
    json_array_append_new(site->probes,
                          json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:o}", "name", site->name, "kind",
                                    "tracked_vehicle", "chassis", name_part(site, NULL, "chassis", -1).text, "mass",
                                    vehicle_mass(v), "ground", ground, "from", from, "tracks", tracks));
}

static void build_vehicle(json_cursor *at, json_t *root, const vehicle_file *file, const char *name, pose placed,
                          double from)
{
    json_t *drive[SIDES_MAX] = {NULL, NULL};
    track_wrap wrap;
    scr_error reason;
    read_drives(at, &file->tracked, drive);
    if (!cursor_is_ok(at)) return;
    if (tracked_wrap(&file->tracked, &wrap, &reason) != SCR_OK) {
        cursor_fail(at, "vehicle '%s': %s", shown(name).text, reason.message);
        track_wrap_free(&wrap);
        return;
    }
    scr_vec3 up = quat_z(placed.rotation);
    vehicle_site site = {
        .file = file,
        .name = name,
        .frame = {vec3_add_scaled(placed.position, -track_lowest(&file->tracked, &wrap), up), placed.rotation},
        .partners = groups_of_bodies(root),
        .bodies = scene_list(root, "bodies"),
        .joints = scene_list(root, "joints"),
        .springs = scene_list(root, "springs"),
        .probes = scene_list(root, "probes"),
    };
    add_materials(root, file, name);
    add_tracked_vehicle(&site, &wrap, drive);
    add_vehicle_probe(&site, placed.position.z, from);
    json_decref(site.partners);
    track_wrap_free(&wrap);
}

static void read_vehicle(json_cursor *list, size_t index, name_index *names)
{
    static const scr_vec3 origin = {0.0, 0.0, 0.0};
    json_cursor at = cursor_object_entry(list, index);
    scene_name name;
    read_name(&at, names, (int)index, true, name);
    if (cursor_is_ok(&at) && strlen(name) > VEHICLE_NAME_MAX) {
        json_cursor member = cursor_member(&at, "name");
        cursor_fail(&member, "a vehicle's name has at most %d letters: its parts are called after it",
                    VEHICLE_NAME_MAX);
    }
    char *path = read_file_path(&at, "file", "vehicle");
    pose placed = {.position = cursor_vector(&at, "position", &origin, RANGE_COORDINATE),
                   .rotation = read_rotation(&at, "rotation")};
    double from = cursor_number(&at, "measure_from", 0.0, RANGE_NOT_NEGATIVE);
    vehicle_file file = {0};
    json_document *document = at.document;
    if (cursor_is_ok(&at)) document->status = vehicle_file_read(path, &file, document->error);
    if (cursor_is_ok(&at)) build_vehicle(&at, document->root, &file, name, placed, from);
    cursor_close(&at);
    vehicle_file_free(&file);
    free(path);
}

void read_vehicles(json_cursor *root)
{
    json_t *root_value = root->document->root;
    if (json_object_get(root_value, "vehicles") == NULL) return;
    name_index names = {json_object(), "vehicle"};
    json_cursor list = cursor_list(root, "vehicles");
    bool ran_out = json_memory_ran_out();  // each file's reader watches anew
    for (size_t k = 0; k < list.count && cursor_is_ok(root); ++k) {
        read_vehicle(&list, k, &names);
        ran_out |= json_memory_ran_out();
    }
    json_object_del(root_value, "vehicles");
    json_decref(names.by_name);
    if (ran_out && cursor_is_ok(root)) cursor_fail_memory(root, 0, "a vehicle");
}
