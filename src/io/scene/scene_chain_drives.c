// SPDX-License-Identifier: BSD-3-Clause
// Chains: rings of links that a sprocket drives by constraint.
#include <stddef.h>

#include "io/scene/scene_sections.h"

_Static_assert(offsetof(scene_chain_drive, name) == 0, "read_named_list needs the name in front");

static const number_range TEETH = {3.0, 1000.0, false, false};

static void expect_moving_end(scene_reading *reading, json_cursor *at, int joint)
{
    if (cursor_is_ok(at) && reading->scene->joints[joint].end[1].body == GROUND)
        cursor_fail(at, "the second body of this joint is the ground: it must be the sprocket, or a link");
}

static int read_sprocket(scene_reading *reading, json_cursor *at)
{
    json_cursor name = cursor_member(at, "sprocket");
    int joint = read_name_of(at, "sprocket", &reading->joints);
    if (cursor_is_ok(at) && reading->scene->joints[joint].def.kind != SCR_JOINT_REVOLUTE)
        cursor_fail(&name, "a sprocket turns in a revolute joint");
    expect_moving_end(reading, &name, joint);
    return joint;
}

static void read_pins(scene_reading *reading, json_cursor *at, scene_chain_drive *chain)
{
    json_cursor list = cursor_list(at, "pins");
    if (cursor_is_ok(at) && list.count < 3) cursor_fail(&list, "a chain has at least three pins");
    chain->pin = cursor_new_array(&list, list.count, sizeof *chain->pin, "pins");
    for (size_t k = 0; cursor_is_ok(at) && k < list.count; ++k) {
        json_cursor name = cursor_entry(&list, k);
        chain->pin[k] = find_name(&name, &reading->joints, cursor_value_text(&name));
        expect_moving_end(reading, &name, chain->pin[k]);
        chain->pin_count = (int)k + 1;
    }
}

static void read_chain_drive(scene_reading *reading, json_cursor *at, void *entry)
{
    scene_chain_drive *chain = entry;
    chain->location = cursor_location(at);
    chain->sprocket = read_sprocket(reading, at);
    chain->teeth = (int)cursor_needed_whole(at, "teeth", TEETH);
    read_pins(reading, at, chain);
    cursor_close(at);
}

void read_chain_drives(scene_reading *reading, json_cursor *root)
{
    static const named_list chain_drives = {"chain_drives", "chain drive", false, sizeof(scene_chain_drive),
                                            read_chain_drive};
    reading->scene->chain_drives = read_named_list(reading, root, &chain_drives, &reading->scene->chain_drive_count);
}
