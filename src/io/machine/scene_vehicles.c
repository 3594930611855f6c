// SPDX-License-Identifier: BSD-3-Clause
// Vehicles of a scene: each is written into the scene's tree as the bodies, joints, springs, materials and probes that
// its file stands for, before those are read. The scene as run has them in place of the vehicle.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/maths/quat.h"
#include "core/maths/trig.h"
#include "io/json/json_memory.h"
#include "io/machine/machines.h"
#include "io/machine/vehicle_state.h"
#include "io/value/scene_values.h"
#include "io/vehicle/tracked_parts.h"

enum { VEHICLE_NAME_MAX = 24 };
static const double DEGREES = 57.29577951308232;  // a radian

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

// What turns each sprocket, in the words of a joint's motor, and the driver, if there is one. Both are owned.
typedef struct vehicle_drive {
    json_t *motor[SIDES_MAX];
    json_t *driver;
} vehicle_drive;

static void free_drive(vehicle_drive *drive)
{
    for (int k = 0; k < SIDES_MAX; ++k) json_decref(drive->motor[k]);
    json_decref(drive->driver);
}

// A driver sets the speed of motors that do not turn otherwise; the limit of their torque is theirs.
static void read_driver_of_vehicle(json_cursor *at, const tracked_vehicle *v, vehicle_drive *drive)
{
    double torque = cursor_number_or_null(at, "max_torque", INFINITY, RANGE_POSITIVE);
    if (!cursor_is_ok(at)) return;
    drive->driver = json_deep_copy(at->value);
    json_object_del(drive->driver, "max_torque");
    for (int k = 0; k < v->side_count; ++k)
        drive->motor[k] =
            json_pack("{s:i, s:o}", "spin", 0, "max_torque", isfinite(torque) ? json_real(torque) : json_null());
}

// "driver"; "both"; or "left" and "right".
static void read_drives(json_cursor *at, const tracked_vehicle *v, vehicle_drive *drive)
{
    if (!cursor_has(at, "drive")) {
        json_cursor absent = cursor_member(at, "drive");
        if (absent.value == NULL) cursor_store(&absent, json_null());
        return;
    }
    json_cursor drives = cursor_object(at, "drive");
    json_cursor both = cursor_member(&drives, "both"), left = cursor_member(&drives, "left"),
                right = cursor_member(&drives, "right"), driver = cursor_member(&drives, "driver");
    bool each = left.value != NULL || right.value != NULL;
    cursor_close(&drives);
    if (cursor_is_ok(at) && both.value != NULL && each)
        cursor_fail_at_key(&both, "\"both\" stands for left and right: leave it out, or leave those out");
    if (cursor_is_ok(at) && driver.value != NULL && (both.value != NULL || each))
        cursor_fail_at_key(&driver, "a driver turns the sprockets itself: leave it out, or leave the others out");
    if (cursor_is_ok(at) && driver.value != NULL) {
        json_cursor words = cursor_object(&drives, "driver");
        read_driver_of_vehicle(&words, v, drive);
        return;
    }
    for (int k = 0; k < v->side_count; ++k) {
        const json_cursor *own = strcmp(side_name(v, k), "left") == 0 ? &left : &right;
        drive->motor[k] = json_incref(own->value != NULL ? own->value : both.value);
    }
}

// The driver among the scene's, with what it must know of the vehicle. It goes on as it stands unless it says
// otherwise.
static void add_driver(vehicle_site *site, json_t *drivers, json_t *driver)
{
    const tracked_vehicle *v = &site->file->tracked;
    json_t *tracks = json_array();
    scr_vec3 forward = quat_rotate(site->frame.rotation, vec3(1.0, 0.0, 0.0));
    for (int side = 0; side < v->side_count; ++side)
        json_array_append_new(tracks, json_pack("{s:s, s:f, s:f}", "sprocket",
                                                name_part(site, side_name(v, side), "sprocket", -1).text, "y",
                                                v->side_y[side] - v->chassis_position[1], "rolling_radius",
                                                sprocket_rolling_radius(v)));
    json_object_set_new(driver, "name", json_string(site->name));
    json_object_set_new(driver, "body", json_string(name_part(site, NULL, "chassis", -1).text));
    json_object_set_new(driver, "tracks", tracks);
    const char *kind = json_string_value(json_object_get(driver, "kind"));
    if (kind != NULL && strcmp(kind, "straight") == 0 && json_object_get(driver, "heading_degrees") == NULL)
        json_object_set_new(driver, "heading_degrees", json_real(DEGREES * scr_atan2(forward.y, forward.x)));
    json_array_append(drivers, driver);
}

// A probe of the whole vehicle, under its name.
static void add_vehicle_probe(vehicle_site *site, double ground, double from)
{
    const tracked_vehicle *v = &site->file->tracked;
    json_t *tracks = json_array();
    ground_run run = vehicle_ground_run(v);
    for (int side = 0; side < v->side_count; ++side) {
        json_t *shoes = json_array(), *pins = json_array(), *wheels = json_array();
        const char *name = side_name(v, side);
        for (int k = 0; k < v->shoe.count; ++k)
            json_array_append_new(shoes, json_string(name_part(site, name, "shoe", k).text));
        for (int k = 0; k < track_link_count(&v->shoe); ++k)
            json_array_append_new(pins, json_string(name_part(site, name, "pin", k).text));
        for (int k = 0; k < v->road_wheel_count; ++k)
            json_array_append_new(wheels, json_string(name_part(site, name, "road wheel", k).text));
        json_array_append_new(
            tracks,
            json_pack("{s:s, s:f, s:f, s:f, s:s, s:s, s:f, s:f, s:f, s:o, s:o, s:o}", "side", name, "rear",
                      run.rear - v->chassis_position[0], "front", run.front - v->chassis_position[0], "y",
                      v->side_y[side] - v->chassis_position[1], "sprocket", name_part(site, name, "sprocket", -1).text,
                      "tensioner", name_part(site, name, "tensioner", -1).text, "rolling_radius",
                      sprocket_rolling_radius(v), "shoe_depth", shoe_depth(&v->shoe), "guide", shoe_guide(&v->shoe),
                      "shoes", shoes, "pins", pins, "road_wheels", wheels));
    }
    json_array_append_new(site->probes,
                          json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:o}", "name", site->name, "kind",
                                    "tracked_vehicle", "chassis", name_part(site, NULL, "chassis", -1).text, "mass",
                                    vehicle_mass(v), "ground", ground, "from", from, "tracks", tracks));
}

// ---- a vehicle that begins as a run has left one ----

static json_t *start_json(const scr_body_state *s)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "position", vector_json(s->position), "rotation",
                     quaternion_json(s->rotation), "velocity", vector_json(s->velocity), "spin", vector_json(s->spin));
}

// Bodies from the `first` on are the vehicle's.
static void put_parts_at_start(json_cursor *at, const vehicle_site *site, size_t first, const vehicle_state *state)
{
    const double *chassis = site->file->tracked.chassis_position;
    pose drawn = pose_compose(site->frame, (pose){vec3(chassis[0], chassis[1], chassis[2]), QUAT_IDENTITY});
    size_t count = json_array_size(site->bodies) - first, prefix = strlen(site->name) + 1;
    json_cursor member = cursor_member(at, "state");
    for (size_t k = 0; k < count; ++k) {
        json_t *body = json_array_get(site->bodies, first + k);
        const char *own = json_string_value(json_object_get(body, "name")) + prefix;
        const part_state *part = vehicle_state_find(state, own);
        if (part == NULL) {
            cursor_fail(&member, "it is the state of another vehicle: it has no %s", shown(own).text);
            return;
        }
        scr_body_state start = part_state_in_world(part, drawn);
        json_object_set_new(body, "start", start_json(&start));
    }
    if ((size_t)state->count != count)
        cursor_fail(&member, "it is the state of another vehicle: it has %lld parts, this one %zu",
                    (long long)state->count, count);
}

static void read_state(json_cursor *at, vehicle_state *state)
{
    if (!cursor_has(at, "state")) return;
    char *path = read_file_path(at, "state", "state");
    json_document *document = at->document;
    if (cursor_is_ok(at)) document->status = vehicle_state_read(path, state, document->error);
    free(path);
}

static void build_vehicle(json_cursor *at, json_t *root, const vehicle_file *file, const char *name, pose placed,
                          const vehicle_drive *drive, double from, const vehicle_state *state)
{
    track_wrap wrap;
    scr_error reason;
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
        .geometry = (part_geometry)cursor_choice(at, "geometry", GEOMETRY_WORDS, GEOMETRY_COUNT, GEOMETRY_PRIMITIVES),
        .partners = groups_of_bodies(root),
        .bodies = scene_list(root, "bodies"),
        .joints = scene_list(root, "joints"),
        .springs = scene_list(root, "springs"),
        .chain_drives = scene_list(root, "chain_drives"),
        .probes = scene_list(root, "probes"),
    };
    add_materials(root, file, name);
    size_t first_body = json_array_size(site.bodies);
    add_tracked_vehicle(&site, &wrap, drive->motor);
    if (state->count > 0) put_parts_at_start(at, &site, first_body, state);
    if (drive->driver != NULL) add_driver(&site, scene_list(root, "drivers"), drive->driver);
    add_vehicle_probe(&site, placed.position.z, from);
    json_decref(site.partners);
    track_wrap_free(&wrap);
}

// Half of a vehicle that has two sides: one track, and half of the chassis.
static void read_half(json_cursor *at, tracked_vehicle *v)
{
    static const char *const halves[] = {"none", "left", "right"};
    int half = cursor_choice(at, "half", halves, 3, 0);
    if (half == 0 || !cursor_is_ok(at)) return;
    if (v->side_count != SIDES_MAX) {
        json_cursor member = cursor_member(at, "half");
        cursor_fail(&member, "this vehicle has one side already");
    }
    v->side_y[0] = v->side_y[half - 1];
    v->side_count = 1;
    v->chassis_mass *= 0.5;
}

// The scene's word goes before that of the vehicle's file.
static void read_engagement(json_cursor *at, tracked_sprocket *sprocket)
{
    sprocket->engagement = (sprocket_engagement)cursor_choice(at, "engagement", ENGAGEMENT_WORDS, ENGAGEMENT_COUNT,
                                                              (int)sprocket->engagement);
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
    vehicle_state state = {0};
    json_document *document = at.document;
    if (cursor_is_ok(&at)) read_state(&at, &state);
    if (cursor_is_ok(&at)) document->status = vehicle_file_read(path, &file, document->error);
    if (cursor_is_ok(&at)) read_half(&at, &file.tracked);
    if (cursor_is_ok(&at)) read_engagement(&at, &file.tracked.sprocket);
    vehicle_drive drive = {0};
    if (cursor_is_ok(&at)) read_drives(&at, &file.tracked, &drive);
    if (cursor_is_ok(&at)) build_vehicle(&at, document->root, &file, name, placed, &drive, from, &state);
    cursor_close(&at);
    free_drive(&drive);
    vehicle_state_free(&state);
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
