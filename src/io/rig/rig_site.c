// SPDX-License-Identifier: BSD-3-Clause
// What all rigs are asked for, and their soil.
#include <math.h>

#include "core/text/nearest_name.h"
#include "io/rig/rig_parts.h"

const char *const RIG_NAME = "rig";

static const double SPACING = 1.05;  // of a fill whose soil says nothing about it

static scr_vec3 read_constant_gravity(json_cursor *rig)
{
    scr_vec3 usual = scr_default_world_def().gravity;
    return cursor_vector(rig->parent, "gravity", &usual, RANGE_ANY);
}

static rig_keys read_keys(json_cursor *at)
{
    rig_keys keys = {.approach_speed = cursor_number(at, "approach_speed", 0.2, RANGE_POSITIVE),
                     .touch_speed = cursor_number(at, "touch_speed", 0.02, RANGE_POSITIVE),
                     .ramp = cursor_number(at, "ramp", 0.05, RANGE_POSITIVE)};
    json_cursor rest = cursor_object(at, "settle");
    keys.rest_speed = cursor_number(&rest, "speed", 0.002, RANGE_POSITIVE);
    keys.rest_time = cursor_number(&rest, "for", 0.05, RANGE_NOT_NEGATIVE);
    keys.rest_at_most = cursor_number(&rest, "at_most", 5.0, RANGE_POSITIVE);
    cursor_close(&rest);
    return keys;
}

// Parts that a rig writes have no place in the file: what they are made of is looked up where it is said. Materials of
// vehicles are not yet there.
const char *read_rig_material(json_cursor *at, const char *key)
{
    json_t *root = at->document->root, *materials = json_object_get(root, "materials"), *unused;
    const char *name = cursor_text(at, key, NULL), *known;
    json_cursor member = cursor_member(at, key);
    if (!cursor_is_ok(at) || json_object_get(materials, name) != NULL) return name;
    if (json_array_size(json_object_get(root, "vehicles")) > 0) return name;
    nearest_name nearest = nearest_to(name);
    json_object_foreach(materials, known, unused) nearest_offer(&nearest, known);
    if (nearest.best != NULL)
        cursor_fail(&member, "there is no material \"%s\"; did you mean \"%s\"?", shown(name).text, nearest.best);
    else cursor_fail(&member, "there is no material \"%s\" in the scene", shown(name).text);
    return name;
}

static const char *read_part_material(json_cursor *at, json_t *root)
{
    const json_t *materials = json_object_get(root, "materials");
    if (cursor_has(at, "material")) return read_rig_material(at, "material");
    cursor_member(at, "material");
    if (cursor_is_ok(at) && json_object_size(materials) > 1)
        cursor_fail_missing(at, "material", "the name of the material that the rig is made of");
    return NULL;
}

rig_site rig_site_open(json_cursor *at)
{
    json_t *root = at->document->root;
    if (json_object_get(root, "phases") != NULL)
        cursor_fail(at, "a rig has phases of its own: leave out \"phases\", or the rig");
    rig_site site = {.at = at,
                     .root = root,
                     .bodies = scene_list(root, "bodies"),
                     .joints = scene_list(root, "joints"),
                     .springs = scene_list(root, "springs"),
                     .loads = scene_list(root, "loads"),
                     .fills = scene_list(root, "fills"),
                     .phases = scene_list(root, "phases"),
                     .probes = scene_list(root, "probes"),
                     .partners = groups_of_bodies(root),
                     .material = read_part_material(at, root),
                     .gravity = read_constant_gravity(at),
                     .keys = read_keys(at)};
    return site;
}

void rig_site_close(rig_site *site)
{
    json_decref(site->partners);
    cursor_close(site->at);
}

void read_lengths_of(json_cursor *at, const char *key, double *length, int count)
{
    const char *what = count == 2 ? "two lengths" : "three lengths";
    for (int k = 0; k < count; ++k) length[k] = 1.0;
    json_cursor list = cursor_member(at, key);
    if (list.value == NULL) cursor_fail_missing(at, key, what);
    cursor_expect_list(&list, (size_t)count, what);
    for (int k = 0; k < count && cursor_is_ok(at); ++k) {
        json_cursor entry = cursor_entry(&list, (size_t)k);
        length[k] = cursor_value_number(&entry, RANGE_LENGTH);
    }
}

// m; 0 if the soil does not say it as a number.
static double largest_radius(json_cursor *soil)
{
    json_cursor radius = cursor_member(soil, "radius");
    if (radius.value == NULL) cursor_fail_missing(soil, "radius", "as of a fill");
    if (!cursor_is_ok(soil)) return 0.0;
    if (!json_is_object(radius.value)) return cursor_value_number(&radius, RANGE_LENGTH);
    json_cursor uniform = cursor_member(&radius, "uniform");
    if (!json_is_array(uniform.value) || json_array_size(uniform.value) != 2) return 0.0;
    json_cursor larger = cursor_entry(&uniform, 1);
    return cursor_value_number(&larger, RANGE_LENGTH);
}

// m: how high a fill is that has room for so many grains on its lattice.
static double fill_height(json_cursor *soil, double length, double width, double fallback)
{
    double count = (double)cursor_whole(soil, "count", 0, RANGE_COUNT), radius = largest_radius(soil);
    if (cursor_has(soil, "height")) return cursor_needed_number(soil, "height", RANGE_LENGTH);
    cursor_member(soil, "height");
    if (!cursor_is_ok(soil) || !(count > 0.0)) return fallback;
    if (!(radius > 0.0)) {
        cursor_fail_missing(soil, "height", "of the fill, which does not follow from this \"radius\"");
        return fallback;
    }
    double cell = 2.0 * radius * cursor_number(soil, "spacing", SPACING, RANGE_POSITIVE);
    double layer = floor(length / cell) * floor(width / cell);
    if (layer < 1.0) cursor_fail(soil, "no grain of radius %g m fits into %g x %g m", radius, length, width);
    return (ceil(count / fmax(1.0, layer)) + 1.0) * cell;
}

void add_soil(rig_site *site, double length, double width, double floor, double height)
{
    static const char *const others[] = {"material", "shape", "mix", "pattern", "spacing", "jitter", "velocity"};
    site->top = height;
    if (!cursor_has(site->at, "soil")) {
        cursor_member(site->at, "soil");
        return;
    }
    json_cursor soil = cursor_object(site->at, "soil");
    double filled = fill_height(&soil, length, width, height);
    if (cursor_has(&soil, "material")) read_rig_material(&soil, "material");
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k) cursor_member(&soil, others[k]);
    cursor_close(&soil);
    if (!cursor_is_ok(&soil)) return;
    json_t *fill = json_deep_copy(soil.value);
    json_object_del(fill, "height");
    json_object_set_new(fill, "region",
                        json_pack("{s:{s:[f,f,f], s:[f,f,f]}}", "box", "low", -0.5 * length, -0.5 * width, floor,
                                  "high", 0.5 * length, 0.5 * width, floor + filled));
    json_array_append_new(site->fills, fill);
    site->top = fmax(height, filled);
}
