// SPDX-License-Identifier: BSD-3-Clause
// Decimal numbers in text: read fast, with the nearest double as result.
#ifndef CORE_TEXT_DECIMAL_H
#define CORE_TEXT_DECIMAL_H

#include <stdbool.h>

// Read a number [+-] digits [. digits] [e [+-] digits] at text, which ends with a NUL somewhere behind the number.
// Returns where the number ends, or NULL if there is none. *value may be infinite: the number was too large.
// The caller has entered the plain locale (core/text/plain_locale.h).
const char *decimal_read(const char *text, double *value);

#endif
