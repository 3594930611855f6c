// SPDX-License-Identifier: BSD-3-Clause
// Numbers in files have a decimal point, whatever the language of the program that uses the library: between enter and
// leave, strtod() and printf() of this thread follow the C locale.
#ifndef CORE_TEXT_PLAIN_LOCALE_H
#define CORE_TEXT_PLAIN_LOCALE_H

#include <locale.h>

#include "core/base/status.h"

typedef struct plain_locale {
    locale_t plain, before;
} plain_locale;

scr_status plain_locale_enter(plain_locale *locale, scr_error *error);
void plain_locale_leave(plain_locale *locale);

#endif
