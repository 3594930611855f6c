// SPDX-License-Identifier: BSD-3-Clause
// Springs with dampers, between two points or along the motion of a joint.
#include <math.h>
#include <stddef.h>

#include "io/scene/scene_sections.h"

_Static_assert(offsetof(scene_spring, name) == 0, "read_indexed_list needs the name in front");

// Which motion of the joint it works against; what the joint has only one of need not be said.
static void read_spring_joint(scene_reading *reading, json_cursor *at, scene_spring *spring)
{
    static const char *const motions[] = {[SCR_AXIS_USUAL] = "usual", [SCR_ALONG] = "along", [SCR_ABOUT] = "about"};
    spring->def.axis = (scr_axis)cursor_choice(at, "motion", motions, 3, SCR_AXIS_USUAL);
    json_cursor name = cursor_member(at, "joint");
    spring->joint = read_moving_joint(reading, &name, spring->def.axis);
    if (!cursor_is_ok(at) || spring->def.axis != SCR_AXIS_USUAL) return;
    scr_joint_kind kind = reading->scene->joints[spring->joint].def.kind;
    if (!joint_slides(kind) && !joint_rotates(kind))
        cursor_fail(&name, "that joint neither slides nor turns: a spring does nothing");
    spring->def.axis = joint_slides(kind) ? SCR_ALONG : SCR_ABOUT;
}

static void read_stops(json_cursor *at, scr_spring_def *def)
{
    def->lower = cursor_number_or_null(at, "lower", -INFINITY, RANGE_ANY);
    def->upper = cursor_number_or_null(at, "upper", INFINITY, RANGE_ANY);
    def->stop_stiffness = cursor_number(at, "stop_stiffness", 0.0, RANGE_NOT_NEGATIVE);
    def->stop_damping = cursor_number(at, "stop_damping", 0.0, RANGE_NOT_NEGATIVE);
    if (!cursor_is_ok(at)) return;
    if (!(def->lower < def->upper)) {
        json_cursor upper = cursor_member(at, "upper");
        cursor_fail(&upper, "\"upper\" must be above \"lower\": %g is not above %g", def->upper, def->lower);
    }
    bool has_stops = isfinite(def->lower) || isfinite(def->upper);
    if (has_stops && def->stop_stiffness == 0.0)
        cursor_fail(at, "a spring with \"lower\" or \"upper\" needs \"stop_stiffness\" above 0");
}

static void read_law(json_cursor *at, scene_spring *spring)
{
    static const char *const laws[] = {"stiffness", "table", "file"};
    scr_spring_def *def = &spring->def;
    const char *law = read_only_key(at, laws, 3, "spring");
    if (law == laws[1] || law == laws[2]) {
        spring->table = read_number_pairs(at, "a stretch and a force");
        def->table = spring->table.value;
        def->table_count = (int)spring->table.count;
        if (cursor_is_ok(at) && def->table_count < 2)
            cursor_fail(at, "the table of a spring must have at least two rows");
    } else {
        def->stiffness = cursor_number(at, "stiffness", 0.0, RANGE_NOT_NEGATIVE);
    }
    def->damping = cursor_number(at, "damping", 0.0, RANGE_NOT_NEGATIVE);
    def->preload = cursor_number(at, "preload", 0.0, RANGE_ANY);
    def->rest = cursor_number_or_null(at, "rest", NAN, RANGE_ANY);
}

static void read_spring(scene_reading *reading, json_cursor *at, void *entry)
{
    static const char *const keys[] = {"joint", "bodies"};
    scene_spring *spring = entry;
    spring->location = cursor_location(at);
    spring->joint = -1;
    spring->def = scr_default_spring_def();
    const char *given = read_only_key(at, keys, 2, "spring");
    if (given == keys[0]) {
        read_spring_joint(reading, at, spring);
    } else {
        read_body_pair(reading, at, spring->end);
        read_anchors(at, spring->end, true);
        spring->def.axis = SCR_ALONG;
    }
    read_law(at, spring);
    read_stops(at, &spring->def);
    cursor_close(at);
}

void read_springs(scene_reading *reading, json_cursor *root)
{
    static const named_list springs = {"springs", "spring", false, sizeof(scene_spring), read_spring};
    reading->scene->springs =
        read_indexed_list(reading, root, &springs, &reading->springs, &reading->scene->spring_count);
}
