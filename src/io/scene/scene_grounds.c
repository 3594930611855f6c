// SPDX-License-Identifier: BSD-3-Clause
// Grounds, and the regions of fills that lie under or on one.
#include <math.h>
#include <stddef.h>

#include "io/scene/scene_sections.h"

_Static_assert(offsetof(scene_ground, name) == 0, "read_indexed_list needs the name in front");

// Two numbers under a key; false if it is not given, or null.
static bool read_two(json_cursor *at, const char *key, const char *what, number_range range, double two[2])
{
    json_cursor member = cursor_member(at, key);
    if (!cursor_has(at, key)) return false;
    cursor_expect_list(&member, 2, what);
    for (size_t i = 0; i < 2 && cursor_is_ok(at); ++i) {
        json_cursor entry = cursor_entry(&member, i);
        two[i] = cursor_value_number(&entry, range);
    }
    return cursor_is_ok(at);
}

static void need_two(json_cursor *at, const char *key, const char *what, number_range range, double two[2])
{
    if (!read_two(at, key, what, range, two)) cursor_fail_missing(at, key, what);
}

static void read_raster(json_cursor *ground, ground_def *def)
{
    if (!cursor_has(ground, "raster")) {
        cursor_member(ground, "raster");
        return;
    }
    json_cursor at = cursor_object(ground, "raster");
    def->raster_path = read_file_path(&at, "file", "raster");
    def->has_range =
        read_two(&at, "range", "two numbers, the heights of black and white", RANGE_COORDINATE, def->range);
    def->pixel = cursor_has(&at, "pixel") ? cursor_needed_number(&at, "pixel", RANGE_LENGTH) : 0.0;
    json_cursor pixel = cursor_member(&at, "pixel");
    if (def->pixel > 0.0 && def->size[0] > 0.0)
        cursor_fail_at_key(&pixel,
                           "the raster has the \"size\" of the ground, or a \"pixel\" of its own, but not both");
    cursor_close(&at);
}

static void read_profile(json_cursor *ground, ground_def *def)
{
    if (!cursor_has(ground, "profile")) {
        cursor_member(ground, "profile");
        return;
    }
    json_cursor at = cursor_object(ground, "profile");
    def->profile = read_number_pairs(&at, "an x and a height");
    cursor_close(&at);
}

static void read_roughness(json_cursor *ground, ground_roughness *r)
{
    static const char *const classes[] = {"A", "B", "C", "D", "E", "F", "G", "H"};
    if (!cursor_has(ground, "roughness")) {
        cursor_member(ground, "roughness");
        return;
    }
    json_cursor at = cursor_object(ground, "roughness");
    r->present = true;
    r->iso_class = cursor_choice(&at, "class", classes, 8, -1);
    r->is_extruded = cursor_flag(&at, "extruded", false);
    r->shortest = cursor_number(&at, "shortest", 0.35, RANGE_LENGTH);
    r->longest = cursor_number(&at, "longest", 90.0, RANGE_LENGTH);
    if (cursor_is_ok(&at) && !(r->shortest < r->longest)) {
        json_cursor member = cursor_member(&at, cursor_has(&at, "longest") ? "longest" : "shortest");
        cursor_fail(&member, "the longest wave must be longer than the shortest: %g m is not more than %g m",
                    r->longest, r->shortest);
    }
    cursor_close(&at);
}

static void read_line(json_cursor *at, ground_feature *f)
{
    static const char what[] = "two numbers, x and y";
    need_two(at, "from", what, RANGE_COORDINATE, f->from);
    need_two(at, "to", what, RANGE_COORDINATE, f->to);
    if (cursor_is_ok(at) && f->from[0] == f->to[0] && f->from[1] == f->to[1]) {
        json_cursor to = cursor_member(at, "to");
        cursor_fail(&to, "\"from\" and \"to\" must be two places");
    }
}

static void read_ditch(json_cursor *at, ground_feature *f)
{
    read_line(at, f);
    f->width = cursor_needed_number(at, "width", RANGE_LENGTH);
    f->bottom = cursor_number(at, "bottom", 0.0, RANGE_NOT_NEGATIVE);
    f->height = cursor_needed_number(at, "depth", RANGE_COORDINATE);
    if (cursor_is_ok(at) && !(f->bottom < f->width)) {
        json_cursor bottom = cursor_member(at, "bottom");
        cursor_fail(&bottom, "the bottom must be narrower than the top: %g m is not less than %g m", f->bottom,
                    f->width);
    }
}

static void read_feature(json_cursor *entry, ground_feature *f)
{
    static const char *const kinds[] = {
        [FEATURE_BUMP] = "bump", [FEATURE_DITCH] = "ditch", [FEATURE_SLOPE] = "slope", [FEATURE_PILE] = "pile"};
    const char *kind = read_only_key(entry, kinds, 4, "feature");
    if (kind == NULL) {
        cursor_close(entry);
        cursor_fail(entry, "\"%s\" must have \"bump\", \"ditch\", \"slope\" or \"pile\"",
                    cursor_shown_name(entry).text);
        return;
    }
    json_cursor at = cursor_object(entry, kind);
    while (kind != kinds[f->kind]) ++f->kind;
    if (f->kind == FEATURE_DITCH) {
        read_ditch(&at, f);
    } else if (f->kind == FEATURE_SLOPE) {
        read_line(&at, f);
        f->height = cursor_needed_number(&at, "rise", RANGE_COORDINATE);
    } else {
        need_two(&at, "at", "two numbers, x and y", RANGE_COORDINATE, f->from);
        f->height = cursor_needed_number(&at, "height", RANGE_COORDINATE);
        if (f->kind == FEATURE_PILE) f->size[0] = f->size[1] = cursor_needed_number(&at, "radius", RANGE_LENGTH);
        else need_two(&at, "size", "two numbers, its extents along x and y", RANGE_LENGTH, f->size);
        if (f->kind == FEATURE_BUMP) f->size[0] *= 0.5, f->size[1] *= 0.5;
    }
    cursor_close(&at);
    cursor_close(entry);
}

static void read_features(json_cursor *ground, ground_def *def)
{
    json_cursor list = cursor_list(ground, "features");
    def->features = cursor_new_array(&list, list.count, sizeof *def->features, "features");
    for (size_t i = 0; i < list.count && cursor_is_ok(ground); ++i) {
        json_cursor entry = cursor_object_entry(&list, i);
        read_feature(&entry, &def->features[i]);
        def->feature_count = (int)i + 1;
    }
}

// Where a ground lies and how fine it is: its own, or those of the one it begins as.
static void read_extent(scene_reading *reading, json_cursor *at, ground_def *def)
{
    static const char *const own[] = {"position", "size", "spacing", "raster"};
    def->base = cursor_has(at, "on") ? read_name_of(at, "on", &reading->grounds) : GROUND_NONE;
    cursor_member(at, "on");
    for (int k = 0; k < 4 && def->base != GROUND_NONE; ++k) {
        json_cursor member = cursor_member(at, own[k]);
        if (cursor_has(at, own[k]))
            cursor_fail_at_key(&member, "a ground \"on\" another one has its \"%s\" from there", own[k]);
    }
    if (def->base != GROUND_NONE) return;
    read_two(at, "position", "two numbers, x and y", RANGE_COORDINATE, def->position);
    bool has_size = read_two(at, "size", "two numbers, along x and y", RANGE_LENGTH, def->size);
    bool has_raster = cursor_has(at, "raster");
    if (!has_size && !has_raster) cursor_fail_missing(at, "size", "two numbers, along x and y");
    def->spacing = cursor_has(at, "spacing") ? cursor_needed_number(at, "spacing", RANGE_LENGTH) : 0.0;
    cursor_member(at, "spacing");
    if (!(def->spacing > 0.0) && !has_raster) cursor_fail_missing(at, "spacing", "a number, from point to point");
    read_raster(at, def);
}

static void read_ground(scene_reading *reading, json_cursor *at, void *entry)
{
    scene_ground *ground = entry;
    ground->location = cursor_location(at);
    ground_def *def = &ground->def;
    read_extent(reading, at, def);
    if (def->base != GROUND_NONE && cursor_is_ok(at)) {
        int own = reading->scene->ground_count - 1;  // it is in the list, and in that of names, already
        json_cursor member = cursor_member(at, "on");
        if (def->base == own) {
            cursor_fail(&member, "a ground lies on another one, before it, not on itself");
            return;
        }
        const ground_def *base = &(ground - own + def->base)->def;
        def->position[0] = base->position[0];
        def->position[1] = base->position[1];
    }
    def->height = cursor_number(at, "height", 0.0, RANGE_COORDINATE);
    read_profile(at, def);
    read_roughness(at, &def->roughness);
    read_features(at, def);
    cursor_close(at);
}

void read_grounds(scene_reading *reading, json_cursor *root)
{
    static const named_list grounds = {"grounds", "ground", true, sizeof(scene_ground), read_ground};
    scene *s = reading->scene;
    s->grounds = read_indexed_list(reading, root, &grounds, &reading->grounds, &s->ground_count);
}

static void read_under(scene_reading *reading, json_cursor *at, scene_fill *fill)
{
    static const char *const bottoms[] = {"depth", "floor", "bottom"};
    fill->region.kind = REGION_GROUND;
    fill->top = fill->bottom = read_name_of(at, "ground", &reading->grounds);
    const char *kind = read_only_key(at, bottoms, 3, "bottom");
    if (kind == bottoms[0]) fill->region.drop = cursor_needed_number(at, kind, RANGE_LENGTH);
    if (kind == bottoms[1]) fill->region.floor = cursor_needed_number(at, kind, RANGE_COORDINATE);
    if (kind == bottoms[1]) fill->bottom = GROUND_NONE;
    if (kind == bottoms[2]) fill->bottom = read_name_of(at, kind, &reading->grounds);
    cursor_close(at);
    if (kind == NULL) cursor_fail(at, "\"under\" must have \"depth\", \"floor\" or \"bottom\"");
}

static void read_on(scene_reading *reading, json_cursor *at, scene_fill *fill)
{
    fill->region.kind = REGION_SURFACE;
    fill->top = fill->bottom = read_name_of(at, "ground", &reading->grounds);
    fill->region.drop = cursor_number(at, "sunk", 0.0, RANGE_SHARE);
    cursor_close(at);
    if (fill->pattern == FILL_RANDOM && fill->count > 0) return;
    cursor_fail_at_key(at, "grains \"on\" a ground have the pattern \"random\" and a \"count\"");
}

static void read_layers(scene_reading *reading, json_cursor *at, scene_fill *fill)
{
    static const number_range layers = {1.0, 1000.0, false, false};
    fill->layers_on = read_name_of(at, "body", &reading->bodies);
    fill->layers = (int)cursor_whole(at, "count", 1, layers);
    cursor_close(at);
    if (!cursor_is_ok(at)) return;
    const scene_body *body = &reading->scene->bodies[fill->layers_on];
    for (int k = 0; k < body->def.shape_count; ++k)
        if (body->shapes[k].kind == SCR_MESH) return;
    json_cursor name = cursor_member(at, "body");
    cursor_fail(&name, "grains lie in layers on meshes, and body '%s' has none", body->name);
}

void read_fill_region(scene_reading *reading, json_cursor *at, scene_fill *fill)
{
    static const char *const kinds[] = {"under", "on", "layers"};
    fill->top = fill->bottom = GROUND_NONE;
    if (cursor_has(at, "region")) {
        json_cursor where = cursor_object(at, "region");
        const char *kind = read_only_key(&where, kinds, 3, "region");
        if (kind != NULL) {
            json_cursor inner = cursor_object(&where, kind);
            if (kind == kinds[0]) read_under(reading, &inner, fill);
            else if (kind == kinds[1]) read_on(reading, &inner, fill);
            else read_layers(reading, &inner, fill);
            cursor_close(&where);
            return;
        }
    }
    fill->region = read_region(at, "region");
}
