// SPDX-License-Identifier: BSD-3-Clause
// Gears, racks and differentials: conditions on the motions of two or three joints.
//   gear          a = ratio b                    teeth: n_a a + n_b b = 0, those of a ring gear negative
//   rack          slide = radius turn
//   differential  drive = ratio (left + right) / 2
#include <math.h>
#include <stddef.h>

#include "io/scene/scene_sections.h"

_Static_assert(offsetof(scene_coupling, name) == 0, "read_indexed_list needs the name in front");

static const number_range FACTOR = {-1e6, 1e6, false, false};

static void add_joint(scene_coupling *c, int joint, scr_axis axis, double ratio)
{
    int k = c->def.count++;
    c->joint[k] = joint;
    c->def.axis[k] = axis;
    c->def.ratio[k] = ratio;
}

static void expect_not_zero(json_cursor *at, const char *key, double value)
{
    if (!cursor_is_ok(at) || value != 0.0) return;
    json_cursor member = cursor_member(at, key);
    cursor_fail(&member, "\"%s\" must not be 0", key);
}

// Two turning joints named under a key.
static void read_rotating_pair(scene_reading *reading, json_cursor *at, const char *key, int joint[2])
{
    if (!cursor_has(at, key)) cursor_fail_missing(at, key, "two names of joints");
    json_cursor names = cursor_member(at, key);
    cursor_expect_list(&names, 2, "two names of joints");
    for (size_t k = 0; k < 2; ++k) {
        json_cursor name = cursor_entry(&names, k);
        joint[k] = read_moving_joint(reading, &name, SCR_ABOUT);
    }
}

static int read_joint(scene_reading *reading, json_cursor *at, const char *key, scr_axis axis)
{
    json_cursor name = cursor_member(at, key);
    if (name.value == NULL) cursor_fail_missing(at, key, "the name of a joint");
    return read_moving_joint(reading, &name, axis);
}

static double ratio_of_teeth(json_cursor *at)
{
    json_cursor list = cursor_member(at, "teeth");
    double teeth[2] = {1.0, 1.0};
    cursor_expect_list(&list, 2, "two numbers of teeth");
    for (size_t k = 0; k < 2 && cursor_is_ok(at); ++k) {
        json_cursor entry = cursor_entry(&list, k);
        teeth[k] = cursor_value_number(&entry, FACTOR);
        if (cursor_is_ok(at) && (teeth[k] != floor(teeth[k]) || teeth[k] == 0.0))
            cursor_fail(&entry, "teeth are counted: %g is no number of them", teeth[k]);
    }
    return -teeth[1] / teeth[0];
}

static void read_gear(scene_reading *reading, json_cursor *at, scene_coupling *c)
{
    static const char *const keys[] = {"ratio", "teeth"};
    int joint[2] = {0, 0};
    const char *given = read_only_key(at, keys, 2, "gear");
    read_rotating_pair(reading, at, "joints", joint);
    if (given == NULL) cursor_fail(at, "a gear must have \"ratio\" or \"teeth\"");
    double ratio = given == keys[1] ? ratio_of_teeth(at) : cursor_needed_number(at, "ratio", FACTOR);
    if (given == keys[0]) expect_not_zero(at, "ratio", ratio);
    add_joint(c, joint[0], SCR_ABOUT, 1.0);
    add_joint(c, joint[1], SCR_ABOUT, -ratio);
}

static void read_rack(scene_reading *reading, json_cursor *at, scene_coupling *c)
{
    int rack = read_joint(reading, at, "rack", SCR_ALONG), pinion = read_joint(reading, at, "pinion", SCR_ABOUT);
    double radius = cursor_needed_number(at, "radius", FACTOR);
    expect_not_zero(at, "radius", radius);
    add_joint(c, rack, SCR_ALONG, 1.0);
    add_joint(c, pinion, SCR_ABOUT, -radius);
}

static void read_differential(scene_reading *reading, json_cursor *at, scene_coupling *c)
{
    int side[2] = {0, 0}, drive = read_joint(reading, at, "drive", SCR_ABOUT);
    read_rotating_pair(reading, at, "sides", side);
    double ratio = cursor_number(at, "ratio", 1.0, FACTOR);
    expect_not_zero(at, "ratio", ratio);
    add_joint(c, drive, SCR_ABOUT, 1.0);
    add_joint(c, side[0], SCR_ABOUT, -0.5 * ratio);
    add_joint(c, side[1], SCR_ABOUT, -0.5 * ratio);
}

static void expect_different_joints(json_cursor *at, const scene_coupling *c)
{
    for (int k = 1; k < c->def.count; ++k) {
        for (int m = 0; m < k; ++m) {
            if (c->joint[k] == c->joint[m]) cursor_fail(at, "a coupling needs joints that differ");
        }
    }
}

static void read_coupling(scene_reading *reading, json_cursor *at, void *entry)
{
    static const char *const kinds[] = {"gear", "rack", "differential"};
    scene_coupling *c = entry;
    c->location = cursor_location(at);
    int kind = cursor_choice(at, "kind", kinds, 3, -1);
    if (!cursor_is_ok(at)) return;
    if (kind == 0) read_gear(reading, at, c);
    if (kind == 1) read_rack(reading, at, c);
    if (kind == 2) read_differential(reading, at, c);
    if (cursor_is_ok(at)) expect_different_joints(at, c);
    cursor_close(at);
}

void read_couplings(scene_reading *reading, json_cursor *root)
{
    static const named_list couplings = {"couplings", "coupling", false, sizeof(scene_coupling), read_coupling};
    reading->scene->couplings =
        read_indexed_list(reading, root, &couplings, &reading->couplings, &reading->scene->coupling_count);
}
