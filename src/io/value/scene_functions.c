// SPDX-License-Identifier: BSD-3-Clause
// Functions of time in a scene: a number, a formula of t, a table, a sine, pieces of these, or one of these in each
// phase. All that depends on time is read here.
//
// A table in a file is read here and takes the file's place in the scene as run, so that a resumed run, which must know
// its motors, motions and loads, needs no files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "io/value/scene_values.h"
#include "scene/formula/number_table.h"

enum { PAIR_MAX = 100000 };  // a scene is a text that people open

static void expect_rising(json_cursor *at, const double *before, const double *pair)
{
    if (pair[0] > before[0]) return;
    cursor_fail(at, "the first numbers of a table must rise: %g is not above %g", pair[0], before[0]);
}

static void expect_pair_count(json_cursor *at, int64_t count)
{
    if (count == 0) cursor_fail(at, "a table must have at least one row");
    if (count > PAIR_MAX) cursor_fail(at, "a table has at most %d rows, not %lld", PAIR_MAX, (long long)count);
}

static number_pairs read_listed_pairs(json_cursor *at, const char *what)
{
    char two[64];
    snprintf(two, sizeof two, "two numbers, %s", what);
    json_cursor list = cursor_list(at, "table");
    if (cursor_is_ok(at)) expect_pair_count(&list, (int64_t)list.count);
    number_pairs pairs = {0, cursor_new_array(&list, list.count, 2 * sizeof *pairs.value, "a table")};
    for (size_t i = 0; i < list.count && cursor_is_ok(at); ++i) {
        json_cursor entry = cursor_entry(&list, i);
        cursor_expect_list(&entry, 2, two);
        for (size_t k = 0; k < 2; ++k) {
            json_cursor number = cursor_entry(&entry, k);
            pairs.value[2 * i + k] = cursor_value_number(&number, RANGE_ANY);
        }
        if (i > 0 && cursor_is_ok(at)) expect_rising(&entry, &pairs.value[2 * i - 2], &pairs.value[2 * i]);
        pairs.count = (int64_t)i + 1;
    }
    return pairs;
}

// In the scene as run the numbers stand where the name of the file was.
static void store_pairs(json_cursor *at, const number_pairs *pairs)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < pairs->count; ++i)
        json_array_append_new(list, json_pack("[f,f]", pairs->value[2 * i], pairs->value[2 * i + 1]));
    json_object_del(at->value, "file");
    if (json_array_size(list) != (size_t)pairs->count || json_object_set(at->value, "table", list) != 0)
        cursor_fail_memory(at, 0, "a table");
    json_decref(list);
}

static number_pairs read_filed_pairs(json_cursor *at)
{
    number_table rows = {0};
    scr_error reason;
    char *path = read_file_path(at, "file", "table");
    json_cursor member = cursor_member(at, "file");
    scr_status status = cursor_is_ok(at) ? number_table_read_file(path, &rows, &reason) : SCR_OK;
    if (status == SCR_NO_MEMORY) cursor_fail_memory(&member, 0, "a table");
    else if (status != SCR_OK) cursor_fail(&member, "%s", reason.message);
    if (cursor_is_ok(at) && rows.columns != 2)
        cursor_fail(&member, "%s: a table has 2 numbers a row, not %lld", path, (long long)rows.columns);
    if (cursor_is_ok(at)) expect_pair_count(&member, rows.rows);
    for (int64_t i = 1; i < rows.rows && cursor_is_ok(at); ++i)
        expect_rising(&member, &rows.value[2 * i - 2], &rows.value[2 * i]);
    free(path);
    if (!cursor_is_ok(at)) {
        number_table_free(&rows);
        return (number_pairs){0};
    }
    number_pairs pairs = {rows.rows, rows.value};
    store_pairs(at, &pairs);
    return pairs;
}

number_pairs read_number_pairs(json_cursor *at, const char *what)
{
    static const char *const keys[] = {"table", "file"};
    const char *given = read_only_key(at, keys, 2, "table");
    return given == keys[1] ? read_filed_pairs(at) : read_listed_pairs(at, what);
}

static void read_sine(json_cursor *function, time_function *f)
{
    json_cursor at = cursor_object(function, "sine");
    f->kind = TIME_SINE;
    f->amplitude = cursor_needed_number(&at, "amplitude", RANGE_ANY);
    f->frequency = cursor_needed_number(&at, "frequency", RANGE_NOT_NEGATIVE);
    f->phase = cursor_number(&at, "phase", 0.0, RANGE_ANY);
    f->offset = cursor_number(&at, "offset", 0.0, RANGE_ANY);
    cursor_close(&at);
}

static void read_value(json_cursor *at, time_function *f);

// What is a piece of a function, or its value in a phase, is not put together of such itself.
static void read_whole(json_cursor *at, time_function *f)
{
    static const char *const keys[] = {"pieces", "phases"};
    for (int k = 0; k < 2; ++k)
        if (json_object_get(at->value, keys[k]) != NULL)
            cursor_fail(at, "pieces and phases have no %s of their own", keys[k]);
    if (cursor_is_ok(at)) read_value(at, f);
}

static void read_piece(json_cursor *at, const time_piece *before, time_piece *piece)
{
    piece->from = cursor_needed_number(at, "from", RANGE_NOT_NEGATIVE);
    json_cursor value = cursor_member(at, "value");
    if (cursor_is_ok(at) && before != NULL && !(piece->from > before->from))
        cursor_fail(at, "the times of pieces must rise: %g is not above %g", piece->from, before->from);
    if (value.value == NULL) cursor_fail_missing(at, "value", "a function of time, or null for nothing");
    piece->is_nothing = json_is_null(value.value);
    if (!piece->is_nothing) read_whole(&value, &piece->value);
    cursor_close(at);
}

static void read_pieces(json_cursor *function, time_function *f)
{
    json_cursor list = cursor_list(function, "pieces");
    f->kind = TIME_PIECES;
    if (cursor_is_ok(function)) expect_pair_count(&list, (int64_t)list.count);
    f->piece = cursor_new_array(&list, list.count, sizeof *f->piece, "pieces");
    for (size_t k = 0; k < list.count && cursor_is_ok(function); ++k) {
        json_cursor at = cursor_object_entry(&list, k);
        f->piece_count = (int64_t)k + 1;
        read_piece(&at, k > 0 ? &f->piece[k - 1] : NULL, &f->piece[k]);
    }
}

static int find_phase(json_cursor *at, const char *name)
{
    const scene *s = at->document->made;
    for (int k = 0; k < s->phase_count; ++k)
        if (strcmp(s->phases[k].name, name) == 0) return k;
    cursor_fail_at_key(at, "there is no phase \"%s\"", shown(name).text);
    return 0;
}

int read_phase_name(json_cursor *at, const char *key)
{
    json_cursor member = cursor_member(at, key);
    if (member.value == NULL) cursor_fail_missing(at, key, "the name of a phase");
    const char *name = cursor_value_text(&member);
    return cursor_is_ok(at) ? find_phase(&member, name) : 0;
}

// A function for some of the phases, or nothing; in the others the value is 0.
static void read_by_phase(json_cursor *function, time_function *f)
{
    json_cursor map = cursor_map(function, "phases");
    const char *name;
    json_t *unused;
    int count = cursor_is_ok(function) ? function->document->made->phase_count : 0;
    if (cursor_is_ok(function) && count == 0) cursor_fail_at_key(&map, "the scene has no \"phases\"");
    f->of_phase = cursor_new_array(&map, (size_t)count, sizeof *f->of_phase, "a function of time");
    if (!cursor_is_ok(function)) return;
    f->kind = TIME_BY_PHASE;
    f->phase_count = count;
    json_object_foreach(map.value, name, unused)
    {
        if (strcmp(name, "comment") == 0) continue;
        json_cursor member = cursor_member(&map, name);
        int k = find_phase(&member, name);
        if (!cursor_is_ok(function)) return;
        if (json_is_null(member.value)) f->of_phase[k].kind = TIME_NOTHING;
        else read_whole(&member, &f->of_phase[k]);
    }
}

static void read_object(json_cursor *at, time_function *f)
{
    static const char *const kinds[] = {"table", "file", "sine", "pieces", "phases"};
    const char *kind = read_only_key(at, kinds, 5, "function of time");
    if (kind == kinds[4]) {
        read_by_phase(at, f);
    } else if (kind == kinds[2]) {
        read_sine(at, f);
    } else if (kind == kinds[3]) {
        read_pieces(at, f);
    } else if (kind != NULL) {
        f->kind = TIME_TABLE;
        f->table = read_number_pairs(at, "a time and a value");
    }
    cursor_close(at);
    if (kind == NULL)
        cursor_fail(at, "\"%s\" must have table, file, sine, pieces or phases", cursor_shown_name(at).text);
}

static void read_value(json_cursor *at, time_function *f)
{
    if (!cursor_is_ok(at)) return;
    if (json_is_object(at->value)) {
        read_object(at, f);
    } else if (json_is_number(at->value)) {
        f->constant = cursor_value_number(at, RANGE_ANY);
    } else if (json_is_string(at->value)) {
        f->kind = TIME_FORMULA;
        f->formula = cursor_value_of_time(at);
    } else {
        cursor_fail(at,
                    "\"%s\" must be a number, a formula, or an object with table, file, sine, pieces or phases, not %s",
                    cursor_shown_name(at).text, json_type_name(at->value));
    }
}

time_function read_time_function(json_cursor *at, const char *key)
{
    time_function f = {.kind = TIME_CONSTANT};
    json_cursor member = cursor_member(at, key);
    if (member.value == NULL) cursor_fail_missing(at, key, "a number or a function of time");
    read_value(&member, &f);
    return f;
}

time_vector read_time_vector(json_cursor *at, const char *key, const scr_vec3 *fallback)
{
    static const char expected[] = "three numbers or functions of time";
    time_vector v = {0};
    time_function *component[3] = {&v.x, &v.y, &v.z};
    json_cursor list = cursor_member(at, key);
    if (list.value == NULL && fallback == NULL) cursor_fail_missing(at, key, expected);
    else if (list.value == NULL) cursor_store(&list, json_pack("[f,f,f]", fallback->x, fallback->y, fallback->z));
    cursor_expect_list(&list, 3, expected);
    for (size_t i = 0; i < 3 && cursor_is_ok(at); ++i) {
        json_cursor entry = cursor_entry(&list, i);
        read_value(&entry, component[i]);
    }
    return v;
}
