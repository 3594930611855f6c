// SPDX-License-Identifier: BSD-3-Clause
// Anchors of a scene: each is written into the scene's tree as the body, guide, load and probe that it stands for,
// before those are read. The scene as run has them in place of the anchor.
#include <math.h>
#include <string.h>

#include "io/machine/machines.h"
#include "io/value/scene_values.h"
#include "io/vehicle/anchor_parts.h"

enum { ANCHOR_NAME_MAX = 32 };

static const number_range BOXES = {3.0, HELIX_BOXES_MAX, false, false}, TURNS = {0.0, HELIX_TURNS_MAX, true, false};
static const double BOXES_OF_TURN_MIN = 5.0;

static void fail_at(json_cursor *at, const char *key, const char *sentence, double a, double b)
{
    json_cursor member = cursor_member(at, key);
    if (cursor_is_ok(at)) cursor_fail(&member, sentence, a, b);
}

static void read_shaft_and_tip(json_cursor *at, helical_anchor *anchor)
{
    json_cursor shaft = cursor_object(at, "shaft");
    anchor->shaft_radius = cursor_needed_number(&shaft, "radius", RANGE_LENGTH);
    anchor->shaft_length = cursor_needed_number(&shaft, "length", RANGE_LENGTH);
    cursor_close(&shaft);
    anchor->tip_radius = cursor_number(at, "tip_radius", anchor->shaft_radius, RANGE_LENGTH);
}

static void check_helix(json_cursor *at, const helical_anchor *anchor)
{
    const anchor_helix *h = &anchor->helix;
    double top = h->height + h->pitch * h->turns, end = anchor->tip_radius + anchor->shaft_length;
    if (!(h->radius > anchor->shaft_radius))
        fail_at(at, "radius", "a helix must be larger than its shaft: %g m is not above %g m", h->radius,
                anchor->shaft_radius);
    if (!(h->thickness < h->pitch))
        fail_at(at, "thickness", "a helix must be thinner than its pitch: %g m is not below %g m", h->thickness,
                h->pitch);
    if (h->boxes < BOXES_OF_TURN_MIN * h->turns)
        fail_at(at, "boxes", "a turn needs at least 5 boxes: %g are too few for %g turns", h->boxes, h->turns);
    if (top > end)
        fail_at(at, "turns",
                "the helix must end on the shaft: it reaches %g m above the end of the tip, the shaft %g m", top, end);
}

static void read_helix(json_cursor *anchor_at, helical_anchor *anchor)
{
    static const char *const hands[] = {"right", "left"};
    anchor_helix *h = &anchor->helix;
    if (!cursor_has(anchor_at, "helix")) {
        json_cursor absent = cursor_member(anchor_at, "helix");
        if (absent.value == NULL) cursor_store(&absent, json_null());
        return;
    }
    json_cursor at = cursor_object(anchor_at, "helix");
    h->radius = cursor_needed_number(&at, "radius", RANGE_LENGTH);
    h->pitch = cursor_needed_number(&at, "pitch", RANGE_LENGTH);
    h->turns = cursor_number(&at, "turns", 1.0, TURNS);
    h->thickness = cursor_needed_number(&at, "thickness", RANGE_LENGTH);
    h->height = cursor_number(&at, "height", anchor->tip_radius, RANGE_NOT_NEGATIVE);
    h->boxes = (int)cursor_whole(&at, "boxes", 67, BOXES);
    h->is_left_handed = cursor_choice(&at, "hand", hands, 2, 0) == 1;
    if (cursor_is_ok(&at)) check_helix(&at, anchor);
    cursor_close(&at);
}

// A function of time under a key, checked where it stands; NULL if it is not given.
static json_t *read_drive(json_cursor *at, const char *key)
{
    if (!cursor_has(at, key)) return NULL;
    time_function f = read_time_function(at, key);
    if (cursor_is_ok(at) && (f.kind == TIME_PIECES || f.kind == TIME_BY_PHASE)) {
        json_cursor member = cursor_member(at, key);
        cursor_fail(&member, "the phases are the pieces: give \"%s\" of each phase", key);
    }
    time_function_free(&f);
    return json_object_get(at->value, key);
}

// One of two keys at most.
static void read_drives(json_cursor *at, const char *effort, const char *rate, json_t **effort_value,
                        json_t **rate_value)
{
    const char *const keys[] = {effort, rate};
    read_only_key(at, keys, 2, "phase");
    *effort_value = read_drive(at, effort);
    *rate_value = read_drive(at, rate);
}

static void read_schedule(json_cursor *anchor_at, anchor_site *site)
{
    json_cursor list = cursor_list(anchor_at, "schedule");
    if (cursor_is_ok(anchor_at) && list.count > PHASES_MAX)
        cursor_fail(&list, "a schedule has at most %d phases", (int)PHASES_MAX);
    for (size_t k = 0; k < list.count && cursor_is_ok(anchor_at); ++k) {
        json_cursor at = cursor_object_entry(&list, k);
        anchor_phase *phase = &site->phase[k];
        cursor_text(&at, "name", "");
        phase->from = cursor_needed_number(&at, "from", RANGE_NOT_NEGATIVE);
        if (k > 0 && !(phase->from > phase[-1].from))
            fail_at(&at, "from", "a phase begins after the one before it: %g s is not after %g s", phase->from,
                    phase[-1].from);
        read_drives(&at, "force", "speed", &phase->force, &phase->speed);
        read_drives(&at, "torque", "spin", &phase->torque, &phase->spin);
        cursor_close(&at);
        site->phase_count = (int)k + 1;
    }
}

static void read_mass(json_cursor *at, anchor_site *site)
{
    static const char *const keys[] = {"mass", "density"};
    const char *given = read_only_key(at, keys, 2, "anchor");
    if (given == NULL) cursor_fail_missing(at, "mass", "a number in kg; or \"density\"");
    if (given == keys[0]) site->mass = cursor_needed_number(at, "mass", RANGE_POSITIVE);
    if (given == keys[1]) site->density = cursor_needed_number(at, "density", RANGE_POSITIVE);
}

static void read_look(json_cursor *at, anchor_site *site)
{
    json_cursor material = cursor_member(at, "material"), appearance = cursor_member(at, "appearance");
    if (cursor_has(at, "appearance")) site->appearance = appearance.value;
    if (!cursor_has(at, "material")) return;
    site->material = cursor_value_text(&material);
    if (cursor_is_ok(at) && json_object_get(json_object_get(at->document->root, "materials"), site->material) == NULL)
        cursor_fail(&material, "no material is named \"%s\"", shown(site->material).text);
}

// The shortest rotation that takes z to a unit vector.
static scr_quat rotation_from_z(scr_vec3 d)
{
    if (d.z < -1.0 + 1e-12) return (scr_quat){0.0, 1.0, 0.0, 0.0};
    return quat_unit((scr_quat){1.0 + d.z, -d.y, d.x, 0.0});
}

static void read_anchor_entry(json_cursor *list, size_t index, name_index *names)
{
    static const scr_vec3 origin = {0.0, 0.0, 0.0}, down = {0.0, 0.0, -1.0};
    json_cursor at = cursor_object_entry(list, index);
    scene_name name;
    anchor_site site = {.name = name};
    read_name(&at, names, (int)index, true, name);
    if (cursor_is_ok(&at) && strlen(name) > ANCHOR_NAME_MAX) {
        json_cursor member = cursor_member(&at, "name");
        cursor_fail(&member, "an anchor's name has at most %d letters: its parts are called after it", ANCHOR_NAME_MAX);
    }
    site.surface.position = cursor_vector(&at, "position", &origin, RANGE_COORDINATE);
    site.surface.rotation = rotation_from_z(read_direction(&at, "direction", &down));
    site.depth = cursor_number(&at, "depth", 0.0, RANGE_COORDINATE);
    read_mass(&at, &site);
    read_shaft_and_tip(&at, &site.anchor);
    read_helix(&at, &site.anchor);
    read_look(&at, &site);
    read_schedule(&at, &site);
    site.max_force = cursor_number_or_null(&at, "max_force", INFINITY, RANGE_POSITIVE);
    site.max_torque = cursor_number_or_null(&at, "max_torque", INFINITY, RANGE_POSITIVE);
    cursor_close(&at);
    if (cursor_is_ok(&at)) add_anchor(at.document->root, &site);
}

void read_helical_anchors(json_cursor *root)
{
    json_t *root_value = root->document->root;
    if (json_object_get(root_value, "anchors") == NULL) return;
    name_index names = {json_object(), "anchor"};
    json_cursor list = cursor_list(root, "anchors");
    for (size_t k = 0; k < list.count && cursor_is_ok(root); ++k) read_anchor_entry(&list, k, &names);
    if (cursor_is_ok(root)) json_object_del(root_value, "anchors");
    json_decref(names.by_name);
}
