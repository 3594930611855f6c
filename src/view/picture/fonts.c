// SPDX-License-Identifier: BSD-3-Clause
// When Cairo needs its first font, Fontconfig reads its settings; should memory run out then, it tries again for ever.
// So they are read here, once, by a call that gives up, and Cairo finds them there.
#include "view/picture/fonts.h"

#include <fontconfig/fontconfig.h>
#include <stdbool.h>

scr_status fonts_find(scr_error *error)
{
    static bool found;
    if (found) return SCR_OK;
    FcConfig *fonts = FcInitLoadConfigAndFonts();
    found = fonts != NULL && FcConfigSetCurrent(fonts);
    if (fonts != NULL) FcConfigDestroy(fonts);  // our own hold of it
    return found ? SCR_OK : scr_fail(error, SCR_NO_MEMORY, "out of memory: no room for the list of fonts");
}
