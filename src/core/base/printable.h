// SPDX-License-Identifier: BSD-3-Clause
// Characters that a terminal obeys rather than shows: with them a title could move the cursor, rename the window or
// hide what was said. Line feeds and tabs are not counted among them.
#ifndef CORE_BASE_PRINTABLE_H
#define CORE_BASE_PRINTABLE_H

#include <stdbool.h>

bool is_control_code(unsigned code_point);  // of Unicode
int control_length(const char *text);       // bytes of the control character that a UTF-8 text begins with; 0: none
void make_printable(char *text);            // '?' in the place of each such byte

#endif
