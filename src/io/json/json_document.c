// SPDX-License-Identifier: BSD-3-Clause
// A JSON text on its way to a tree.
#include "io/json/json_document.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/status.h"
#include "io/json/json_memory.h"

enum { MEGABYTE = 1 << 20, FILE_MAX = 64 * MEGABYTE, FIRST_READ = 64 << 10 };  // bytes

static scr_status refuse_unreadable_text(const char *text, size_t length, const char *path, const json_text_kind *kind,
                                         scr_error *error)
{
    static const char UTF8_MARK[] = "\xef\xbb\xbf", UTF16_LITTLE[] = "\xff\xfe", UTF16_BIG[] = "\xfe\xff";
    if (length > FILE_MAX) {
        return scr_fail(error, SCR_BAD_INPUT, "%s: %s has more than %d MiB%s", path, kind->what, FILE_MAX / MEGABYTE,
                        kind->advice);
    }
    bool has_mark = (length >= 3 && memcmp(text, UTF8_MARK, 3) == 0) ||
                    (length >= 2 && (memcmp(text, UTF16_LITTLE, 2) == 0 || memcmp(text, UTF16_BIG, 2) == 0));
    if (has_mark) {
        return scr_fail(error, SCR_BAD_INPUT,
                        "%s:1:1: the text begins with a byte order mark; save it as UTF-8 without one", path);
    }
    size_t blank = 0;
    while (blank < length && strchr(" \t\r\n", text[blank]) != NULL) ++blank;
    if (blank == length) {
        return scr_fail(error, SCR_BAD_INPUT, "%s:1:1: %s is empty; the least is %s", path, kind->what, kind->least);
    }
    return SCR_OK;
}

static scr_status refuse_control_characters(json_document *document, scr_error *error)
{
    size_t at = json_locate_control(&document->source);
    if (at == NOT_IN_TEXT) return SCR_OK;
    scene_location location = json_line_and_column(&document->source, at);
    return scr_fail(error, SCR_BAD_INPUT,
                    "%s:%d:%d: a control character: a terminal would obey it where it shows this text", document->path,
                    location.line, location.column);
}

scr_status json_document_parse(json_document *document, const json_text_kind *kind, scr_error *error)
{
    const json_source *source = &document->source;
    scr_status status = refuse_unreadable_text(source->text, source->length, document->path, kind, error);
    if (status != SCR_OK) return status;
    json_error_t reason;
    json_memory_watch();
    document->root = json_loadb(source->text, source->length, JSON_REJECT_DUPLICATES, &reason);
    if (json_memory_ran_out()) return scr_fail_memory(error, source->length, "a JSON tree");
    if (document->root != NULL) return refuse_control_characters(document, error);
    // Jansson counts columns from 0 at the start of a line.
    return scr_fail(error, SCR_BAD_INPUT, "%s:%d:%d: not valid JSON: %s", document->path,
                    reason.line < 1 ? 1 : reason.line, reason.column < 1 ? 1 : reason.column, shown(reason.text).text);
}

// Reading stops when there is more than a text may have.
scr_status json_text_load(const char *path, const json_text_kind *kind, char **text, size_t *length, scr_error *error)
{
    scr_status status = SCR_OK;
    size_t capacity = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) return scr_fail(error, SCR_IO, "%s: %s", path, strerror(errno));
    do {
        capacity = capacity > 0 ? 2 * capacity : FIRST_READ;
        char *grown = realloc(*text, capacity);
        if (grown == NULL) {
            status = scr_fail_memory(error, capacity, kind->what);
            goto done;
        }
        *text = grown;
        *length += fread(grown + *length, 1, capacity - *length, file);
    } while (*length == capacity && *length <= FILE_MAX);
    if (ferror(file)) status = scr_fail(error, SCR_IO, "%s: %s", path, strerror(errno));
done:
    fclose(file);
    return status;
}
