// SPDX-License-Identifier: BSD-3-Clause
// JSON values as text for people: two spaces of indent, lists of plain values on one line, keys in the order in which
// they were set, and numbers in the shortest form that reads back to the same bits.
#ifndef IO_JSON_JSON_WRITE_H
#define IO_JSON_JSON_WRITE_H

#include <jansson.h>

#include "core/base/status.h"

// *text receives the value and a newline; free() it.
scr_status json_write_text(const json_t *value, char **text, scr_error *error);

// The shortest decimal form of a finite number. Whole numbers have no point; -0.0 keeps its sign. (Inside
// core/text/plain_locale.h, if the program may have another locale.)
typedef struct number_text {
    char text[32];
} number_text;
number_text json_number_text(double value);

#endif
