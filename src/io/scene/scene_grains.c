// Grains by the many: fills, tables, emitters; and sinks, which take them away.
#include <stddef.h>

#include "io/scene/scene_parts.h"

_Static_assert(offsetof(scene_fill, name) == 0 && offsetof(scene_table, name) == 0 &&
                   offsetof(scene_emitter, name) == 0 && offsetof(scene_sink, name) == 0,
               "read_named_list needs the name in front");

static const scr_vec3 ZERO = {0.0, 0.0, 0.0};

static void read_fill(scene_parts *parts, json_cursor *at, void *entry)
{
    scene_fill *fill = entry;
    static const char *const patterns[] = {
        [FILL_GRID] = "grid", [FILL_JITTERED] = "jittered", [FILL_HEXAGONAL] = "hexagonal"};
    static const number_range spacing = {0.5, 1e6, false, false};
    fill->place = cursor_place(at);
    fill->pattern = (fill_pattern)cursor_choice(at, "pattern", patterns, 3, FILL_JITTERED);
    fill->region = read_region(at, "region");
    fill->size = read_size(at, "radius");
    fill->shape = read_grain_shape(at, "shape");
    fill->material = read_material(parts, at);
    fill->count = cursor_whole(at, "count", 0, RANGE_COUNT);
    fill->spacing = cursor_number(at, "spacing", 1.05, spacing);
    fill->jitter = cursor_number(at, "jitter", 0.5, RANGE_SHARE);
    fill->velocity = cursor_vector(at, "velocity", &ZERO, RANGE_SPEED);
    cursor_close(at);
}

static void read_table(scene_parts *parts, json_cursor *at, void *entry)
{
    scene_table *table = entry;
    table->path = read_file_path(at, "file", "table");
    json_cursor member = cursor_member(at, "file");
    table->place = cursor_place(&member);
    table->material = read_material(parts, at);
    cursor_close(at);
}

static void read_emitter(scene_parts *parts, json_cursor *at, void *entry)
{
    scene_emitter *emitter = entry;
    emitter->place = cursor_place(at);
    emitter->region = read_region(at, "region");
    emitter->size = read_size(at, "radius");
    emitter->shape = read_grain_shape(at, "shape");
    emitter->material = read_material(parts, at);
    emitter->velocity = cursor_vector(at, "velocity", &ZERO, RANGE_SPEED);
    emitter->rate = cursor_needed_number(at, "rate", RANGE_POSITIVE);
    read_start_and_stop(at, &emitter->start, &emitter->stop);
    emitter->limit = cursor_whole(at, "limit", 0, RANGE_COUNT);
    cursor_close(at);
}

static void read_sink(scene_parts *parts, json_cursor *at, void *entry)
{
    (void)parts;
    scene_sink *sink = entry;
    sink->region = read_region(at, "region");
    read_start_and_stop(at, &sink->start, &sink->stop);
    cursor_close(at);
}

void read_grains(scene_parts *parts, json_cursor *root)
{
    static const named_list fills = {"fills", "fill", false, sizeof(scene_fill), read_fill};
    static const named_list tables = {"tables", "table", false, sizeof(scene_table), read_table};
    static const named_list emitters = {"emitters", "emitter", false, sizeof(scene_emitter), read_emitter};
    static const named_list sinks = {"sinks", "sink", false, sizeof(scene_sink), read_sink};
    scene *s = parts->scene;
    s->fills = read_named_list(parts, root, &fills, &s->fill_count);
    s->tables = read_named_list(parts, root, &tables, &s->table_count);
    s->emitters = read_named_list(parts, root, &emitters, &s->emitter_count);
    s->sinks = read_named_list(parts, root, &sinks, &s->sink_count);
}
