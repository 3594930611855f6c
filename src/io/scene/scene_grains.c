// SPDX-License-Identifier: BSD-3-Clause
// Grains by the many: fills, tables, beds, emitters; and sinks, which take them away.
#include <stddef.h>

#include "io/bed/bed_file.h"
#include "io/scene/scene_sections.h"

_Static_assert(offsetof(scene_fill, name) == 0 && offsetof(scene_table, name) == 0 && offsetof(scene_bed, name) == 0 &&
                   offsetof(scene_emitter, name) == 0 && offsetof(scene_sink, name) == 0,
               "read_named_list needs the name in front");

static const scr_vec3 ZERO = {0.0, 0.0, 0.0};

// Spheres that are one grain, in radii of it.
static void read_clump(json_cursor *at, scene_grain *grain)
{
    static const number_range ratio = {1e-3, 1e3, false, false};
    json_cursor list = cursor_list(at, "clump");
    if (cursor_is_ok(at) && (list.count < 2 || list.count > CLUMP_MAX))
        cursor_fail(&list, "a clump has 2 to %d spheres, not %zu", CLUMP_MAX, list.count);
    for (size_t k = 0; k < list.count && cursor_is_ok(at); ++k) {
        json_cursor ball = cursor_object_entry(&list, k);
        grain->clump[k].centre = cursor_vector(&ball, "centre", NULL, RANGE_COORDINATE);
        grain->clump[k].radius = cursor_needed_number(&ball, "radius", ratio);
        cursor_close(&ball);
    }
    grain->clump_count = (int)list.count;
}

// Hulls of random points.
static scene_pebble read_pebble(json_cursor *at)
{
    static const number_range ratio = {1e-3, 1e3, false, false}, corners = {8, PEBBLE_CORNERS_MAX, false, false};
    static const number_range forms = {1, 1000, false, false}, roughness = {0.0, 0.9, false, false};
    static const scr_vec3 stone = {1.0, 0.8, 0.6};
    json_cursor pebble = cursor_object(at, "pebble");
    scene_pebble read = {.semi_axes = cursor_vector(&pebble, "semi_axes", &stone, ratio),
                         .roughness = cursor_number(&pebble, "roughness", 0.1, roughness)};
    read.corners = (int)cursor_whole(&pebble, "corners", 24, corners);
    read.forms = (int)cursor_whole(&pebble, "forms", 16, forms);
    cursor_close(&pebble);
    return read;
}

static scene_grain read_grain(scene_reading *reading, json_cursor *at)
{
    scene_grain grain = {0};
    json_cursor shape = cursor_member(at, "shape");
    if (json_is_object(shape.value) && cursor_has(&shape, "clump")) {
        shape = cursor_object(at, "shape");
        grain.shape = scr_sphere(1.0, (scr_material){0});
        read_clump(&shape, &grain);
        cursor_close(&shape);
    } else if (json_is_object(shape.value) && cursor_has(&shape, "pebble")) {
        shape = cursor_object(at, "shape");
        grain.shape = scr_sphere(1.0, (scr_material){0});
        grain.pebble = read_pebble(&shape);
        cursor_close(&shape);
    } else {
        grain.shape = read_grain_shape(at, "shape");
    }
    grain.material = read_material(reading, at);
    return grain;
}

// Every grain of a mix says what it is made of: the fill or emitter must not say it too.
static void refuse_with_mix(json_cursor *at, const char *key)
{
    json_cursor member = cursor_member(at, key);
    if (member.value != NULL) cursor_fail_at_key(&member, "\"%s\" belongs into the entries of \"mix\"", key);
}

// Grains that are all alike are a mix of one.
static scene_mix read_mix(scene_reading *reading, json_cursor *at)
{
    bool is_mixed = cursor_has(at, "mix");
    json_cursor list = *at;
    if (is_mixed) {
        refuse_with_mix(at, "shape");
        refuse_with_mix(at, "material");
        list = cursor_list(at, "mix");
        if (cursor_is_ok(at) && list.count == 0) cursor_fail(&list, "\"mix\" must have at least one entry");
    }
    size_t count = is_mixed ? list.count : 1;
    scene_mix mix = {(int)count, cursor_new_array(at, count, sizeof *mix.grain, "a mix"),
                     cursor_new_array(at, count, sizeof *mix.weight, "a mix")};
    if (!is_mixed && cursor_is_ok(at)) mix.grain[0] = read_grain(reading, at), mix.weight[0] = 1.0;
    for (size_t i = 0; is_mixed && i < count && cursor_is_ok(at); ++i) {
        json_cursor entry = cursor_object_entry(&list, i);
        mix.weight[i] = cursor_number(&entry, "weight", 1.0, RANGE_POSITIVE);
        mix.grain[i] = read_grain(reading, &entry);
        cursor_close(&entry);
    }
    return mix;
}

static void read_fill(scene_reading *reading, json_cursor *at, void *entry)
{
    scene_fill *fill = entry;
    static const char *const patterns[] = {[FILL_GRID] = "grid",
                                           [FILL_JITTERED] = "jittered",
                                           [FILL_HEXAGONAL] = "hexagonal",
                                           [FILL_POISSON] = "poisson",
                                           [FILL_RANDOM] = "random"};
    static const number_range spacing = {0.5, 1e6, false, false};
    fill->location = cursor_location(at);
    fill->pattern = (fill_pattern)cursor_choice(at, "pattern", patterns, 5, FILL_JITTERED);
    fill->count = cursor_whole(at, "count", 0, RANGE_COUNT);
    read_fill_region(reading, at, fill);
    fill->size = read_size(at, "radius");
    fill->mix = read_mix(reading, at);
    fill->spacing = cursor_number(at, "spacing", 1.05, spacing);
    fill->jitter = cursor_number(at, "jitter", 0.5, RANGE_SHARE);
    fill->velocity = cursor_vector(at, "velocity", &ZERO, RANGE_SPEED);
    fill->fixed = cursor_flag(at, "fixed", false);
    fill->avoid = cursor_flag(at, "avoid", false);
    if (fill->avoid && fill->count > 0) {
        json_cursor member = cursor_member(at, "avoid");
        cursor_fail_at_key(&member,
                           "how many grains are left out is not known before: \"avoid\" goes without \"count\"");
    }
    cursor_close(at);
}

static void read_table(scene_reading *reading, json_cursor *at, void *entry)
{
    scene_table *from = entry;
    from->path = read_file_path(at, "file", "table");
    json_cursor member = cursor_member(at, "file");
    from->location = cursor_location(&member);
    from->material = read_material(reading, at);
    cursor_close(at);
}

static void read_bed(scene_reading *reading, json_cursor *at, void *entry)
{
    scene_bed *from = entry;
    static const scr_vec3 one = {1.0, 1.0, 1.0};
    static const number_range copies = {1.0, 1e6, false, false};
    from->path = read_file_path(at, "file", "bed");
    json_cursor member = cursor_member(at, "file");
    from->location = cursor_location(&member);
    from->read = bed_file_read;
    from->position = cursor_vector(at, "position", &ZERO, RANGE_COORDINATE);
    scr_vec3 repeat = cursor_vector(at, "repeat", &one, copies);
    from->repeat[0] = (int)repeat.x, from->repeat[1] = (int)repeat.y, from->repeat[2] = (int)repeat.z;
    if (cursor_is_ok(at) &&
        (repeat.x != from->repeat[0] || repeat.y != from->repeat[1] || repeat.z != from->repeat[2])) {
        json_cursor numbers = cursor_member(at, "repeat");
        cursor_fail(&numbers, "\"repeat\" must be three whole numbers");
    }
    from->material = cursor_has(at, "material") ? read_material(reading, at) : ANY_MATERIAL;
    cursor_close(at);
}

static void read_emitter(scene_reading *reading, json_cursor *at, void *entry)
{
    scene_emitter *emitter = entry;
    emitter->location = cursor_location(at);
    emitter->region = read_region(at, "region");
    emitter->size = read_size(at, "radius");
    emitter->mix = read_mix(reading, at);
    for (int k = 0; k < emitter->mix.count && cursor_is_ok(at); ++k) {
        if (emitter->mix.grain[k].clump_count > 0) cursor_fail(at, "clumps are made by fills, not by emitters");
        if (emitter->mix.grain[k].pebble.corners > 0) cursor_fail(at, "pebbles are made by fills, not by emitters");
    }
    emitter->velocity = cursor_vector(at, "velocity", &ZERO, RANGE_SPEED);
    emitter->rate = cursor_needed_number(at, "rate", RANGE_POSITIVE);
    read_start_and_stop(at, &emitter->start, &emitter->stop);
    emitter->limit = cursor_whole(at, "limit", 0, RANGE_COUNT);
    cursor_close(at);
}

static void read_sink(scene_reading *reading, json_cursor *at, void *entry)
{
    (void)reading;
    scene_sink *sink = entry;
    sink->region = read_region(at, "region");
    read_start_and_stop(at, &sink->start, &sink->stop);
    cursor_close(at);
}

void read_grains(scene_reading *reading, json_cursor *root)
{
    static const named_list fills = {"fills", "fill", false, sizeof(scene_fill), read_fill};
    static const named_list tables = {"tables", "table", false, sizeof(scene_table), read_table};
    static const named_list beds = {"beds", "bed", false, sizeof(scene_bed), read_bed};
    static const named_list emitters = {"emitters", "emitter", false, sizeof(scene_emitter), read_emitter};
    static const named_list sinks = {"sinks", "sink", false, sizeof(scene_sink), read_sink};
    scene *s = reading->scene;
    s->fills = read_named_list(reading, root, &fills, &s->fill_count);
    s->tables = read_named_list(reading, root, &tables, &s->table_count);
    s->beds = read_named_list(reading, root, &beds, &s->bed_count);
    s->emitters = read_named_list(reading, root, &emitters, &s->emitter_count);
    s->sinks = read_named_list(reading, root, &sinks, &s->sink_count);
}
