// SPDX-License-Identifier: BSD-3-Clause
// Characters that a terminal obeys.
#include "core/base/printable.h"

bool is_control_code(unsigned code_point)
{
    return (code_point < 0x20 && code_point != '\n' && code_point != '\t') || (code_point >= 0x7f && code_point < 0xa0);
}

int control_length(const char *text)
{
    unsigned char first = (unsigned char)text[0], second = first != '\0' ? (unsigned char)text[1] : 0;
    if (first == 0xc2 && second >= 0x80 && is_control_code(second)) return 2;  // U+0080 to U+009F
    return first != '\0' && first < 0x80 && is_control_code(first) ? 1 : 0;
}

void make_printable(char *text)
{
    for (int length; *text != '\0'; text += length > 0 ? length : 1) {
        length = control_length(text);
        for (int k = 0; k < length; ++k) text[k] = '?';
    }
}
