// SPDX-License-Identifier: BSD-3-Clause
// A JSON text on its way to a tree: the file, then the parser; refusals say where.
#ifndef IO_JSON_JSON_DOCUMENT_H
#define IO_JSON_JSON_DOCUMENT_H

#include "io/json/json_cursor.h"

// What messages call it, the least such text, and what to do about one that is too long.
typedef struct json_text_kind {
    const char *what, *least, *advice;  // "the scene"
} json_text_kind;

// The whole file, which may be a pipe; free() *text, also after a failure.
scr_status json_text_load(const char *path, const json_text_kind *kind, char **text, size_t *length, scr_error *error);
// The tree of a document whose path and source are set. Plain locale only (core/text/plain_locale.h).
scr_status json_document_parse(json_document *document, const json_text_kind *kind, scr_error *error);

#endif
