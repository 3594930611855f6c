// SPDX-License-Identifier: BSD-3-Clause
// Scenes in C strings: written with ' for ", so that they can be read.
#ifndef TESTS_IO_SCENE_TEXT_H
#define TESTS_IO_SCENE_TEXT_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "io/scene/scene_reader.h"

// A copy in which every `from` is a `to`; free() it.
static inline char *with_quotes(const char *text, char from, char to)
{
    char *copy = strdup(text);
    for (char *c = copy; *c != '\0'; ++c) {
        if (*c == from) *c = to;
    }
    return copy;
}

// Read a scene given with single quotes; messages call it s.json. The text is copied to a block of exactly its size, so
// that the address sanitizer sees a read beyond it.
static inline scr_status read_quoted(const char *quoted, const scene_override *overrides, int override_count, scene **s,
                                     char **as_run, scr_error *error)
{
    size_t length = strlen(quoted);
    char *text = with_quotes(quoted, '\'', '"'), *block = malloc(length > 0 ? length : 1);
    memcpy(block, text, length);
    scr_status status = scene_read_text(block, length, "s.json", overrides, override_count, s, as_run, error);
    free(block);
    free(text);
    return status;
}

// Does the message say this, with ' for "?
static inline bool says(const scr_error *error, const char *quoted)
{
    char *message = with_quotes(error->message, '"', '\'');
    bool same = strcmp(message, quoted) == 0;
    if (!same) print_error("expected  %s\nfound     %s\n", quoted, message);
    free(message);
    return same;
}

#endif
