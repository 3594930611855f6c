// Grains by the many: fills, tables, emitters; and sinks, which take them away.
#include "io/scene_parts.h"

static const scr_vec3 ZERO = {0.0, 0.0, 0.0};

static void read_fill(scene_parts *parts, json_cursor *at, scene_fill *fill)
{
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
    fill->velocity = cursor_vector(at, "velocity", &ZERO, RANGE_ANY);
    cursor_close(at);
}

static void read_table(scene_parts *parts, json_cursor *at, scene_table *table)
{
    table->path = read_file_path(at, "file", "table");
    json_cursor member = cursor_member(at, "file");
    table->place = cursor_place(&member);
    table->material = read_material(parts, at);
    cursor_close(at);
}

static void read_emitter(scene_parts *parts, json_cursor *at, scene_emitter *emitter)
{
    emitter->place = cursor_place(at);
    emitter->region = read_region(at, "region");
    emitter->size = read_size(at, "radius");
    emitter->shape = read_grain_shape(at, "shape");
    emitter->material = read_material(parts, at);
    emitter->velocity = cursor_vector(at, "velocity", &ZERO, RANGE_ANY);
    emitter->rate = cursor_needed_number(at, "rate", RANGE_POSITIVE);
    read_start_and_stop(at, &emitter->start, &emitter->stop);
    emitter->limit = cursor_whole(at, "limit", 0, RANGE_COUNT);
    cursor_close(at);
}

static void read_fills(scene_parts *parts, json_cursor *root)
{
    scene *s = parts->scene;
    name_index names = {json_object(), "fill"};
    json_cursor list = cursor_list(root, "fills");
    s->fills = cursor_new_array(&list, list.count, sizeof *s->fills, "fills");
    for (size_t i = 0; i < list.count && cursor_is_ok(root); ++i) {
        json_cursor at = cursor_object_entry(&list, i);
        s->fill_count = (int)i + 1;
        read_name(&at, &names, (int)i, false, s->fills[i].name);
        read_fill(parts, &at, &s->fills[i]);
    }
    json_decref(names.by_name);
}

static void read_tables(scene_parts *parts, json_cursor *root)
{
    scene *s = parts->scene;
    name_index names = {json_object(), "table"};
    json_cursor list = cursor_list(root, "tables");
    s->tables = cursor_new_array(&list, list.count, sizeof *s->tables, "tables");
    for (size_t i = 0; i < list.count && cursor_is_ok(root); ++i) {
        json_cursor at = cursor_object_entry(&list, i);
        s->table_count = (int)i + 1;
        read_name(&at, &names, (int)i, false, s->tables[i].name);
        read_table(parts, &at, &s->tables[i]);
    }
    json_decref(names.by_name);
}

static void read_emitters(scene_parts *parts, json_cursor *root)
{
    scene *s = parts->scene;
    name_index names = {json_object(), "emitter"};
    json_cursor list = cursor_list(root, "emitters");
    s->emitters = cursor_new_array(&list, list.count, sizeof *s->emitters, "emitters");
    for (size_t i = 0; i < list.count && cursor_is_ok(root); ++i) {
        json_cursor at = cursor_object_entry(&list, i);
        s->emitter_count = (int)i + 1;
        read_name(&at, &names, (int)i, false, s->emitters[i].name);
        read_emitter(parts, &at, &s->emitters[i]);
    }
    json_decref(names.by_name);
}

static void read_sinks(scene_parts *parts, json_cursor *root)
{
    scene *s = parts->scene;
    name_index names = {json_object(), "sink"};
    json_cursor list = cursor_list(root, "sinks");
    s->sinks = cursor_new_array(&list, list.count, sizeof *s->sinks, "sinks");
    for (size_t i = 0; i < list.count && cursor_is_ok(root); ++i) {
        json_cursor at = cursor_object_entry(&list, i);
        scene_sink *sink = &s->sinks[i];
        s->sink_count = (int)i + 1;
        read_name(&at, &names, (int)i, false, sink->name);
        sink->region = read_region(&at, "region");
        read_start_and_stop(&at, &sink->start, &sink->stop);
        cursor_close(&at);
    }
    json_decref(names.by_name);
}

void read_grains(scene_parts *parts, json_cursor *root)
{
    read_fills(parts, root);
    read_tables(parts, root);
    read_emitters(parts, root);
    read_sinks(parts, root);
}
