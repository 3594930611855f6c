// SPDX-License-Identifier: BSD-3-Clause
// Fonts, found before Cairo asks for one.
#ifndef VIEW_PICTURE_FONTS_H
#define VIEW_PICTURE_FONTS_H

#include <cairo.h>
#include <stdbool.h>

#include "core/base/status.h"

// To be called before any text is drawn or measured. Fails only for want of memory; without any font there is no text.
scr_status fonts_find(scr_error *error);
void fonts_use(cairo_t *c, bool bold, double size);  // once they are found

#endif
