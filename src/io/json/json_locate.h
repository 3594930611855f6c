// SPDX-License-Identifier: BSD-3-Clause
// Where things are in a JSON text. Jansson's values do not know where they came from, so the text is walked again.
//
// The text has been parsed before: it is known to be valid JSON. Places are offsets in bytes; that of a value is its
// first character.
#ifndef IO_JSON_JSON_LOCATE_H
#define IO_JSON_JSON_LOCATE_H

#include "scene/model/scene.h"

#define NOT_IN_TEXT SIZE_MAX

typedef struct json_source {
    const char *text;
    size_t length;
    // How far lines and columns were counted: places are mostly asked for in rising order, so all are counted in one
    // go.
    size_t counted_to;
    scene_location location;
} json_source;

json_source json_source_of(const char *text, size_t length);

size_t json_locate_root(const json_source *source);
// The value of a key of the object at `object`, or NOT_IN_TEXT. *key_at (may be NULL) receives the place of the key.
size_t json_locate_member(const json_source *source, size_t object, const char *key, size_t *key_at);
size_t json_locate_first_entry(const json_source *source, size_t list);  // NOT_IN_TEXT if the list is empty
size_t json_locate_next_entry(const json_source *source, size_t entry);  // NOT_IN_TEXT after the last
// The byte `offset` of the value of the string at `string`, which may be written with escapes.
size_t json_locate_in_string(const json_source *source, size_t string, size_t offset);

// The first character of a string, plain or as an escape, that a terminal would obey (core/base/printable.h), or
// NOT_IN_TEXT.
size_t json_locate_control(const json_source *source);

// Line and column of a place, from 1. Columns count characters (of UTF-8), not bytes.
scene_location json_line_and_column(json_source *source, size_t at);

#endif
