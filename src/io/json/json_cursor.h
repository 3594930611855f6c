// SPDX-License-Identifier: BSD-3-Clause
// A cursor is one place in the JSON tree of a scene, with typed getters for what is below it.
//
// Getters do four things. They check type and range; they record which keys were asked for, so that cursor_close() can
// refuse keys that nobody knows and name the nearest one; they write defaults and the values of formulae back into the
// tree, which becomes the scene "as run"; and they fail with the place in the text. The first failure is kept: after it
// every getter returns its default at once, so that reading code needs no checks of its own.
#ifndef IO_JSON_JSON_CURSOR_H
#define IO_JSON_JSON_CURSOR_H

#include <jansson.h>

#include "io/json/json_locate.h"
#include "io/json/json_override.h"
#include "scene/model/scene.h"

typedef struct json_document {
    const char *path;  // for messages
    const char *what;  // what messages call the whole, "study"; NULL: "scene"
    json_source source;
    json_t *root;  // owned by the caller
    const scene_override *overrides;
    int override_count;
    expression_name *parameters;  // those read so far; names belong to the tree
    int64_t parameter_count, parameter_capacity;
    bool files_may_be_gone;  // those the scene names have been read before
    scene *made;             // what is made of it; NULL for a view
    scr_status status;       // of the first failure
    scr_error *error;
    // Told about every key asked for, as "bodies[].shapes[].material"; names chosen by the user are "*". May be NULL.
    void (*on_key)(void *context, const char *pattern);
    void *context;
} json_document;

enum { ASKED_MAX = 64 };  // keys of one object

typedef struct json_cursor {
    json_document *document;
    struct json_cursor *parent;  // NULL for the root
    const char *key;             // in the parent, if that is an object
    size_t index;                // in the parent, if that is a list
    json_t *value;               // NULL if there is none
    size_t count;                // entries of a list
    bool names_are_free;         // an object whose keys the user chooses
    int asked_count;
    const char *asked[ASKED_MAX];
    // Found when needed: where the value is in the text; for a list also where the entry asked for last is.
    bool is_located, has_located_entry;
    size_t located_at, located_entry, located_entry_index;
} json_cursor;

// Bounds of a number; infinite where there is none.
typedef struct number_range {
    double min, max;
    bool above_min, below_max;  // the bound itself is excluded
} number_range;

extern const number_range RANGE_ANY, RANGE_POSITIVE, RANGE_NOT_NEGATIVE, RANGE_SHARE;
extern const number_range RANGE_COUNT;       // whole numbers that a double holds exactly
extern const number_range RANGE_COORDINATE;  // m: where a double still resolves a grain
extern const number_range RANGE_SPEED;       // m/s, rad/s: more than anything has, and no energy becomes infinite
extern const number_range RANGE_LENGTH;      // m: radii and edges

json_cursor cursor_root(json_document *document);
bool cursor_has(json_cursor *at, const char *key);  // given, and not null
// Go down. An object or list that is not given is made, empty.
json_cursor cursor_object(json_cursor *at, const char *key);
json_cursor cursor_map(json_cursor *at, const char *key);     // an object whose keys the user chooses
json_cursor cursor_list(json_cursor *at, const char *key);    // its length is `count`
json_cursor cursor_member(json_cursor *at, const char *key);  // a value of any type, given or not
json_cursor cursor_entry(json_cursor *list, size_t index);    // a value of any type
json_cursor cursor_object_entry(json_cursor *list, size_t index);
void cursor_refuse_old_key(json_cursor *object, const char *old,
                           const char *key);  // with a sentence naming the new one
// When all keys of an object have been asked for: refuse the others. "comment" is allowed everywhere.
void cursor_close(json_cursor *object);

// Values by key. In a number's place a text is a formula of the parameters.
double cursor_number(json_cursor *at, const char *key, double fallback, number_range range);
double cursor_needed_number(json_cursor *at, const char *key, number_range range);
// null, which is also the default, stands for `absent`.
double cursor_number_or_null(json_cursor *at, const char *key, double absent, number_range range);
int64_t cursor_whole(json_cursor *at, const char *key, int64_t fallback, number_range range);
int64_t cursor_needed_whole(json_cursor *at, const char *key, number_range range);
bool cursor_flag(json_cursor *at, const char *key, bool fallback);
// Text belongs to the tree. A fallback of NULL means that the key is needed.
const char *cursor_text(json_cursor *at, const char *key, const char *fallback);
// One of the words, as its index. A fallback of -1 means that the key is needed.
int cursor_choice(json_cursor *at, const char *key, const char *const *words, int word_count, int fallback);
// A list of three numbers; a fallback of NULL means that the key is needed.
scr_vec3 cursor_vector(json_cursor *at, const char *key, const scr_vec3 *fallback, number_range range);

// Values at the cursor itself.
double cursor_value_number(json_cursor *at, number_range range);
expression *cursor_value_of_time(json_cursor *at);  // a formula, the caller's; NULL after a failure
const char *cursor_value_text(json_cursor *at);     // "" after a failure
void cursor_expect_object(json_cursor *at);
void cursor_expect_list(json_cursor *at, size_t count, const char *what);  // of exactly so many entries
void cursor_store(json_cursor *at, json_t *fresh);                         // replace it, or make it; takes `fresh`

// Fail with a sentence. It points at the cursor's value, at the key in front of it, at a byte of its text, or at the
// object that lacks a key.
void cursor_fail(json_cursor *at, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cursor_fail_at_key(json_cursor *at, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cursor_fail_in_text(json_cursor *at, int offset, const char *sentence);
void cursor_fail_missing(json_cursor *object, const char *key, const char *what);  // what: "a number"
void cursor_fail_memory(json_cursor *at, size_t bytes, const char *what);
bool cursor_is_ok(const json_cursor *at);         // nothing has failed so far
scene_location cursor_location(json_cursor *at);  // of the value, or of the nearest thing around it that is in the text
scene_location cursor_key_location(json_cursor *at);  // of the key in front of it, if it has one

// For messages: the user's own words, cut to a readable length and without control characters; the cursor's name; the
// type of a value.
typedef struct shown_text {
    char text[96];
} shown_text;
shown_text shown(const char *text);
shown_text cursor_shown_name(const json_cursor *at);  // fills[2], friction
const char *json_type_name(const json_t *value);      // "a list"

// count zeroed entries of the given size; NULL after a failure or if there are none to make.
void *cursor_new_array(json_cursor *at, size_t count, size_t size, const char *what);

#endif
