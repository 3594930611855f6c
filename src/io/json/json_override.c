// SPDX-License-Identifier: BSD-3-Clause
// Walking a path like fills.0.count down the tree and setting what is at its end.
#include "io/json/json_override.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/nearest_name.h"
#include "io/json/json_cursor.h"

enum {
    SEGMENT_MAX = 96,  // bytes of one key in a path
    DEPTH_MAX = 32,    // segments
};

typedef struct path_walk {
    const scene_override *override;
    const char *rest;           // of the path, behind the present segment
    char segment[SEGMENT_MAX];  // a key or an index
    size_t position;            // bytes of the path before the segment
    int depth;
    bool is_last;
    scr_error *error;
} path_walk;

scr_status json_override_fail(const scene_override *override, const char *sentence, scr_error *error)
{
    if (override->origin != NULL) return scr_fail(error, SCR_BAD_INPUT, "%s: %s", override->origin, sentence);
    return scr_fail(error, SCR_BAD_INPUT, "--set %s=%s: %s", shown(override->path).text, shown(override->value).text,
                    sentence);
}

static bool spell_pointer(char *path)
{
    if (strchr(path, '.') != NULL) return false;
    memmove(path, path + 1, strlen(path));
    for (char *c = path; *c != '\0'; ++c) {
        if (*c == '/') *c = '.';
    }
    return true;
}

// "[12]" becomes ".12"; brackets around anything else are part of a name.
bool json_path_spell(char *path)
{
    if (path[0] == '/') return spell_pointer(path);
    char *to = path;
    for (const char *from = path; *from != '\0';) {
        size_t digits = *from == '[' ? strspn(from + 1, "0123456789") : 0;
        if (digits == 0 || from[digits + 1] != ']' || to == path) {
            *to++ = *from++;
            continue;
        }
        *to++ = '.';
        memmove(to, from + 1, digits);
        to += digits;
        from += digits + 2;
    }
    *to = '\0';
    return true;
}

__attribute__((format(printf, 2, 3))) static scr_status fail(const path_walk *walk, const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return json_override_fail(walk->override, sentence, walk->error);
}

// Take the next segment of the path.
static scr_status advance(path_walk *walk)
{
    const char *dot = strchr(walk->rest, '.');
    size_t length = dot != NULL ? (size_t)(dot - walk->rest) : strlen(walk->rest);
    if (length == 0) return fail(walk, "a path is keys and numbers with points between them, as in fills.0.count");
    if (++walk->depth > DEPTH_MAX) return fail(walk, "the path is longer than any in a scene");
    if (length >= SEGMENT_MAX) return fail(walk, "the path has a key that is too long");
    memcpy(walk->segment, walk->rest, length);
    walk->segment[length] = '\0';
    walk->position = (size_t)(walk->rest - walk->override->path);
    walk->is_last = dot == NULL;
    walk->rest += length + (dot != NULL ? 1 : 0);
    return SCR_OK;
}

static bool is_index(const char *segment)
{
    return strspn(segment, "0123456789") == strlen(segment) && strlen(segment) < 10;
}

static scr_status refuse_strange_path(const path_walk *walk)
{
    json_t *text = json_string(walk->override->path);  // which takes UTF-8 only
    if (text == NULL) return fail(walk, "the path is not UTF-8 text");
    json_decref(text);
    return SCR_OK;
}

// The value as JSON if it is, else as text: --set solver.method=gs needs no quotes. What begins like a list or an
// object is meant to be one.
static scr_status parse_value(const path_walk *walk, json_t **value)
{
    const char *text = walk->override->value;
    json_error_t reason;
    *value = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &reason);
    json_source source = json_source_of(text, strlen(text));
    if (*value != NULL && json_locate_control(&source) != NOT_IN_TEXT)
        return fail(walk, "the value has a control character");
    if (*value != NULL) return SCR_OK;
    if (text[0] == '[' || text[0] == '{' || text[0] == '"')
        return fail(walk, "not valid JSON: %s", shown(reason.text).text);
    *value = json_string(text);
    if (*value == NULL) return fail(walk, "the value is not UTF-8 text");
    return SCR_OK;
}

static scr_status fail_no_member(const path_walk *walk, json_t *object, const char *what)
{
    nearest_name nearest = nearest_to(walk->segment);
    const char *key;
    json_t *member;
    json_object_foreach(object, key, member) { nearest_offer(&nearest, key); }
    if (nearest.best != NULL) {
        return fail(walk, "the scene has no %s \"%s\"; did you mean \"%s\"?", what, walk->segment,
                    shown(nearest.best).text);
    }
    return fail(walk, "the scene has no %s \"%s\"", what, walk->segment);
}

// The names in these are the user's own: a new one there is a misspelt one.
static bool has_free_names(const path_walk *walk)
{
    const char *path = walk->override->path;
    static const char *const maps[] = {"parameters.", "materials."};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; ++i) {
        if (walk->position == strlen(maps[i]) && strncmp(path, maps[i], walk->position) == 0) return true;
    }
    return false;
}

// Step down into an object, or set its member if the present segment is the last one: that takes *value.
static scr_status enter_object(path_walk *walk, json_t **at, json_t **value)
{
    json_t *object = *at;
    bool is_missing = json_object_get(object, walk->segment) == NULL;
    if (is_missing && has_free_names(walk)) {
        return fail_no_member(walk, object, walk->override->path[0] == 'p' ? "parameter" : "material");
    }
    int failed = 0;
    if (walk->is_last) {
        failed = json_object_set_new(object, walk->segment, *value);
        *value = NULL;
    } else if (is_missing) {
        bool entry_follows = walk->rest[0] >= '0' && walk->rest[0] <= '9';  // which cannot be made by itself
        if (entry_follows) return fail_no_member(walk, object, "list");
        failed = json_object_set_new(object, walk->segment, json_object());
    }
    if (failed != 0) return scr_fail_memory(walk->error, 0, "--set");
    *at = json_object_get(object, walk->segment);
    return SCR_OK;
}

static scr_status enter_list(path_walk *walk, json_t **at, json_t **value)
{
    json_t *list = *at;
    size_t count = json_array_size(list);
    size_t index = is_index(walk->segment) ? (size_t)strtoul(walk->segment, NULL, 10) : SIZE_MAX;
    if (index == SIZE_MAX)
        return fail(walk, "expected the number of a list's entry, from 0, not \"%s\"", walk->segment);
    if (index >= count) return fail(walk, "there is no entry %zu: the list has %zu, counted from 0", index, count);
    if (walk->is_last) {
        int failed = json_array_set_new(list, index, *value);
        *value = NULL;
        if (failed != 0) return scr_fail_memory(walk->error, 0, "--set");
    }
    *at = json_array_get(list, index);
    return SCR_OK;
}

scr_status json_override_apply(json_t *root, const scene_override *override, scr_error *error)
{
    path_walk walk = {.override = override, .rest = override->path, .error = error};
    json_t *at = root, *value = NULL;
    scr_status status = refuse_strange_path(&walk);
    if (status == SCR_OK) status = parse_value(&walk, &value);
    while (status == SCR_OK && !walk.is_last) {
        char parent[SEGMENT_MAX];
        memcpy(parent, walk.segment, sizeof parent);
        status = advance(&walk);
        if (status != SCR_OK) break;
        if (json_is_object(at)) status = enter_object(&walk, &at, &value);
        else if (json_is_array(at)) status = enter_list(&walk, &at, &value);
        else status = fail(&walk, "\"%s\" is %s and has no \"%s\"", parent, json_type_name(at), walk.segment);
    }
    json_decref(value);
    return status;
}
