// SPDX-License-Identifier: BSD-3-Clause
// Going down the tree, places, failures and unknown keys. The typed getters are in json_values.c.
#include "io/json/json_cursor.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/text/nearest_name.h"

enum { PATH_BYTES = 512 };  // bytes of a path in a message

json_cursor cursor_root(json_document *document)
{
    return (json_cursor){.document = document, .value = document->root};
}

bool cursor_is_ok(const json_cursor *at) { return at->document->status == SCR_OK; }

shown_text shown(const char *text)
{
    shown_text s;
    enum { SHOWN_MAX = sizeof s.text - sizeof "..." };
    size_t length = 0;
    for (; text[length] != '\0' && length < SHOWN_MAX; ++length) {
        unsigned char c = (unsigned char)text[length];
        s.text[length] = c < 0x20 || c == 0x7f ? '?' : (char)c;
    }
    bool cut = text[length] != '\0';
    // cut between characters, not inside one
    while (cut && length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) --length;
    strcpy(s.text + length, cut ? "..." : "");
    return s;
}

shown_text cursor_shown_name(const json_cursor *at)
{
    if (at->key != NULL) return shown(at->key);
    if (at->parent == NULL) return shown(at->document->what != NULL ? at->document->what : "scene");
    char name[sizeof(shown_text) + 32];
    snprintf(name, sizeof name, "%s[%zu]", cursor_shown_name(at->parent).text, at->index);
    return shown(name);
}

// Append to a path of limited length; what does not fit is dropped.
__attribute__((format(printf, 2, 3))) static void append(char path[PATH_BYTES], const char *format, ...)
{
    size_t length = strlen(path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path + length, PATH_BYTES - length, format, arguments);
    va_end(arguments);
}

// The path as the command line writes it: "fills.0.count".
static void write_path(const json_cursor *at, char path[PATH_BYTES])
{
    path[0] = '\0';
    if (at->parent == NULL) return;
    write_path(at->parent, path);
    if (path[0] != '\0') append(path, ".");
    if (at->key != NULL) append(path, "%s", at->key);
    else append(path, "%zu", at->index);
}

// The path as a schema would see it: "fills[].count", "materials.*.density".
static void write_pattern(const json_cursor *at, char path[PATH_BYTES])
{
    path[0] = '\0';
    if (at->parent == NULL) return;
    write_pattern(at->parent, path);
    if (at->key == NULL) append(path, "[]");
    else append(path, "%s%s", path[0] != '\0' ? "." : "", at->parent->names_are_free ? "*" : at->key);
}

// Entries are asked for in rising order: going on from the last one keeps a long list linear.
static size_t locate_entry(json_cursor *list, size_t list_at, size_t index)
{
    const json_source *source = &list->document->source;
    if (!list->has_located_entry || list->located_entry_index > index) {
        list->has_located_entry = true;
        list->located_entry_index = 0;
        list->located_entry = json_locate_first_entry(source, list_at);
    }
    for (; list->located_entry_index < index && list->located_entry != NOT_IN_TEXT; ++list->located_entry_index) {
        list->located_entry = json_locate_next_entry(source, list->located_entry);
    }
    return list->located_entry;
}

static size_t locate(json_cursor *at)
{
    if (at->is_located) return at->located_at;
    const json_source *source = &at->document->source;
    if (at->parent == NULL) at->located_at = json_locate_root(source);
    else if (at->key != NULL) at->located_at = json_locate_member(source, locate(at->parent), at->key, NULL);
    else at->located_at = locate_entry(at->parent, locate(at->parent), at->index);
    at->is_located = true;
    return at->located_at;
}

scene_location cursor_location(json_cursor *at)
{
    while (at->parent != NULL && locate(at) == NOT_IN_TEXT) at = at->parent;
    return json_line_and_column(&at->document->source, locate(at));
}

static bool is_inside(const char *path, const char *outer)
{
    size_t length = strlen(outer);
    return strncmp(path, outer, length) == 0 && (path[length] == '\0' || path[length] == '.');
}

// The command-line option that put the value there, or NULL if it stands in the text. The last one counts.
static const scene_override *overriding(json_cursor *at)
{
    char path[PATH_BYTES];
    write_path(at, path);
    for (int i = at->document->override_count - 1; i >= 0; --i) {
        const scene_override *o = &at->document->overrides[i];
        if (is_inside(path, o->path)) return o;
        if (at->parent != NULL && locate(at) == NOT_IN_TEXT && is_inside(o->path, path)) return o;
    }
    return NULL;
}

static void fail_with(json_cursor *at, scene_location location, const char *sentence)
{
    json_document *document = at->document;
    if (document->status != SCR_OK) return;
    const scene_override *o = overriding(at);
    if (o != NULL) {
        document->status = json_override_fail(o, sentence, document->error);
    } else {
        document->status = scr_fail(document->error, SCR_BAD_INPUT, "%s:%d:%d: %s", document->path, location.line,
                                    location.column, sentence);
    }
}

// Each of the public failures points somewhere else.
static void fail_with_format(json_cursor *at, scene_location location, const char *format, va_list arguments)
{
    char sentence[sizeof(scr_error)];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    fail_with(at, location, sentence);
}

void cursor_fail(json_cursor *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (cursor_is_ok(at)) fail_with_format(at, cursor_location(at), format, arguments);
    va_end(arguments);
}

scene_location cursor_key_location(json_cursor *at)
{
    size_t key_at = NOT_IN_TEXT;
    if (at->key != NULL) json_locate_member(&at->document->source, locate(at->parent), at->key, &key_at);
    return key_at != NOT_IN_TEXT ? json_line_and_column(&at->document->source, key_at) : cursor_location(at);
}

void cursor_fail_at_key(json_cursor *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (cursor_is_ok(at)) fail_with_format(at, cursor_key_location(at), format, arguments);
    va_end(arguments);
}

void cursor_fail_in_text(json_cursor *at, int offset, const char *sentence)
{
    if (!cursor_is_ok(at)) return;
    json_source *source = &at->document->source;
    scene_location location = cursor_location(at);
    if (locate(at) != NOT_IN_TEXT) {
        location = json_line_and_column(source, json_locate_in_string(source, locate(at), (size_t)offset));
    }
    fail_with(at, location, sentence);
}

void cursor_fail_memory(json_cursor *at, size_t bytes, const char *what)
{
    if (cursor_is_ok(at)) at->document->status = scr_fail_memory(at->document->error, bytes, what);
}

static bool was_asked(const json_cursor *at, const char *key)
{
    for (int i = 0; i < at->asked_count; ++i) {
        if (strcmp(at->asked[i], key) == 0) return true;
    }
    return false;
}

// Record that a key of this object is known.
static void ask(json_cursor *at, const char *key)
{
    if (was_asked(at, key)) return;
    assert(at->asked_count < ASKED_MAX);
    at->asked[at->asked_count++] = key;
    if (at->document->on_key == NULL) return;
    json_cursor member = {.document = at->document, .parent = at, .key = key};
    char pattern[PATH_BYTES];
    write_pattern(&member, pattern);
    at->document->on_key(at->document->context, pattern);
}

json_cursor cursor_member(json_cursor *at, const char *key)
{
    if (!at->names_are_free) ask(at, key);
    json_t *value = cursor_is_ok(at) ? json_object_get(at->value, key) : NULL;
    return (json_cursor){.document = at->document, .parent = at, .key = key, .value = value};
}

json_cursor cursor_entry(json_cursor *list, size_t index)
{
    json_t *value = cursor_is_ok(list) ? json_array_get(list->value, index) : NULL;
    return (json_cursor){.document = list->document, .parent = list, .index = index, .value = value};
}

bool cursor_has(json_cursor *at, const char *key)
{
    json_cursor member = cursor_member(at, key);
    return member.value != NULL && !json_is_null(member.value);
}

const char *json_type_name(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "a list";
    case JSON_STRING: return "text";
    case JSON_INTEGER:
    case JSON_REAL: return "a number";
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    case JSON_NULL: return "null";
    }
    return "nothing";
}

void cursor_expect_object(json_cursor *at)
{
    if (at->value == NULL || json_is_object(at->value)) return;
    cursor_fail(at, "\"%s\" must be an object { ... }, not %s", cursor_shown_name(at).text, json_type_name(at->value));
}

void cursor_store(json_cursor *at, json_t *fresh)
{
    if (!cursor_is_ok(at)) {
        json_decref(fresh);
        return;
    }
    // Jansson takes the value, or destroys it if it cannot, or reports that there was none.
    int failed = at->key != NULL ? json_object_set_new(at->parent->value, at->key, fresh)
                                 : json_array_set_new(at->parent->value, at->index, fresh);
    if (failed != 0) cursor_fail_memory(at, 0, "the scene's JSON tree");
    else at->value = fresh;
}

json_cursor cursor_object(json_cursor *at, const char *key)
{
    json_cursor member = cursor_member(at, key);
    if (member.value == NULL) cursor_store(&member, json_object());
    cursor_expect_object(&member);
    return member;
}

json_cursor cursor_map(json_cursor *at, const char *key)
{
    json_cursor map = cursor_object(at, key);
    map.names_are_free = true;
    return map;
}

json_cursor cursor_list(json_cursor *at, const char *key)
{
    json_cursor member = cursor_member(at, key);
    if (member.value == NULL) cursor_store(&member, json_array());
    if (member.value != NULL && !json_is_array(member.value)) {
        cursor_fail(&member, "\"%s\" must be a list [ ... ], not %s", cursor_shown_name(&member).text,
                    json_type_name(member.value));
    }
    member.count = cursor_is_ok(&member) ? json_array_size(member.value) : 0;
    return member;
}

json_cursor cursor_object_entry(json_cursor *list, size_t index)
{
    json_cursor entry = cursor_entry(list, index);
    cursor_expect_object(&entry);
    return entry;
}

static void fail_unknown_key(json_cursor *object, const char *key)
{
    json_cursor unknown = {.document = object->document, .parent = object, .key = key};
    nearest_name nearest = nearest_to(key);
    for (int i = 0; i < object->asked_count; ++i) nearest_offer(&nearest, object->asked[i]);
    if (nearest.best != NULL) {
        cursor_fail_at_key(&unknown, "unknown key \"%s\"; did you mean \"%s\"?", shown(key).text, nearest.best);
        return;
    }
    char known[PATH_BYTES] = "";
    for (int i = 0; i < object->asked_count; ++i) append(known, "%s%s", i > 0 ? ", " : "", object->asked[i]);
    cursor_fail_at_key(&unknown, "unknown key \"%s\"; the keys of \"%s\" are %s", shown(key).text,
                       cursor_shown_name(object).text, known);
}

// Not asked for as others are: the old key is not among those that a sentence lists.
void cursor_refuse_old_key(json_cursor *object, const char *old, const char *key)
{
    if (!cursor_is_ok(object) || json_object_get(object->value, old) == NULL) return;
    json_cursor found = {.document = object->document, .parent = object, .key = old};
    cursor_fail_at_key(&found, "\"%s\" is now called \"%s\"", old, key);
}

// A needed key that is not there is often there under a misspelt name.
void cursor_fail_missing(json_cursor *object, const char *key, const char *what)
{
    if (!cursor_is_ok(object)) return;
    nearest_name nearest = nearest_to(key);
    const char *given;
    json_t *value;
    json_object_foreach(object->value, given, value)
    {
        if (!was_asked(object, given)) nearest_offer(&nearest, given);
    }
    if (nearest.best != NULL) {
        json_cursor misspelt = {.document = object->document, .parent = object, .key = nearest.best};
        cursor_fail_at_key(&misspelt, "unknown key \"%s\"; did you mean \"%s\"?", shown(nearest.best).text, key);
    } else {
        cursor_fail(object, "\"%s\" needs \"%s\": %s", cursor_shown_name(object).text, key, what);
    }
}

void cursor_close(json_cursor *object)
{
    ask(object, "comment");
    const char *key;
    json_t *value;
    if (!cursor_is_ok(object)) return;
    json_object_foreach(object->value, key, value)
    {
        if (was_asked(object, key)) continue;
        fail_unknown_key(object, key);
        return;
    }
}

void *cursor_new_array(json_cursor *at, size_t count, size_t size, const char *what)
{
    if (!cursor_is_ok(at) || count == 0) return NULL;
    size_t bytes = count <= INT32_MAX ? scr_array_bytes((int64_t)count, size) : SIZE_MAX;
    void *array = bytes == SIZE_MAX ? NULL : scr_alloc(bytes);
    if (array == NULL) cursor_fail_memory(at, bytes, what);
    else memset(array, 0, bytes);
    return array;
}
