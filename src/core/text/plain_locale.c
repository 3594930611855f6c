// SPDX-License-Identifier: BSD-3-Clause
// The C locale for one thread, for as long as numbers are read or written.
#include "core/text/plain_locale.h"

scr_status plain_locale_enter(plain_locale *locale, scr_error *error)
{
    locale->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (locale->plain == (locale_t)0) return scr_fail(error, SCR_NO_MEMORY, "out of memory for the C locale");
    locale->before = uselocale(locale->plain);
    return SCR_OK;
}

void plain_locale_leave(plain_locale *locale)
{
    uselocale(locale->before);
    freelocale(locale->plain);
}
