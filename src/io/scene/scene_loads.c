// SPDX-License-Identifier: BSD-3-Clause
// Loads: forces and torques on bodies as functions of time.
#include <stddef.h>

#include "io/scene/scene_sections.h"

_Static_assert(offsetof(scene_load, name) == 0, "read_named_list needs the name in front");

static void read_anchor(json_cursor *at, scene_anchor *end)
{
    static const char *const keys[] = {"at", "at_body"};
    const char *given = read_only_key(at, keys, 2, "load");
    end->has_point = given != NULL && cursor_has(at, given);
    end->own_point = given == keys[1];
    if (end->has_point) {
        end->point = cursor_vector(at, given, NULL, RANGE_COORDINATE);
    } else if (given == NULL) {
        json_cursor absent = cursor_member(at, keys[0]);
        cursor_store(&absent, json_null());
    }
}

// Two pairs of bodies whose distances are the sides of the face that is loaded.
static void read_area(scene_reading *reading, json_cursor *at, scene_load *load)
{
    static const char *const what = "two pairs of names of bodies";
    json_cursor pairs = cursor_member(at, "area");
    if (!cursor_is_ok(at) || !cursor_has(at, "area")) {
        cursor_store(&pairs, json_null());
        return;
    }
    load->is_stress = true;
    cursor_expect_list(&pairs, 2, what);
    for (size_t k = 0; k < 2 && cursor_is_ok(at); ++k) {
        json_cursor pair = cursor_entry(&pairs, k);
        read_name_list(&pair, &reading->bodies, what, load->across[k], 2);
    }
}

static void read_load(scene_reading *reading, json_cursor *at, void *entry)
{
    static const char *const frames[] = {"world", "body"};
    static const scr_vec3 none = {0.0, 0.0, 0.0};
    scene_load *load = entry;
    load->location = cursor_location(at);
    load->end.body = read_name_of(at, "body", &reading->bodies);
    if (cursor_is_ok(at) && reading->scene->bodies[load->end.body].def.kind != SCR_DYNAMIC) {
        json_cursor body = cursor_member(at, "body");
        cursor_fail(&body, "only a dynamic body can be loaded: others do not yield to forces");
    }
    load->in_body_axes = cursor_choice(at, "frame", frames, 2, 0) == 1;
    read_anchor(at, &load->end);
    if (!cursor_has(at, "force") && !cursor_has(at, "torque"))
        cursor_fail_missing(at, "force", "three numbers or functions of time; or \"torque\"");
    read_area(reading, at, load);
    load->force = read_time_vector(at, "force", &none);
    load->torque = read_time_vector(at, "torque", &none);
    cursor_close(at);
}

void read_loads(scene_reading *reading, json_cursor *root)
{
    static const named_list loads = {"loads", "load", false, sizeof(scene_load), read_load};
    reading->scene->loads = read_named_list(reading, root, &loads, &reading->scene->load_count);
}
