// SPDX-License-Identifier: BSD-3-Clause
// When Cairo needs its first font, Fontconfig reads its settings; should memory run out then, it tries again for ever,
// and should it run out while a font is chosen, another one is drawn without a word.
//
// So fonts are chosen here, once, and Cairo is told their files. Fontconfig does not always say when it has lost a rule
// or a font for want of memory: it is asked twice, from its settings on, and must say the same.
#include "view/picture/fonts.h"

#include <cairo-ft.h>
#include <fontconfig/fontconfig.h>
#include <string.h>

typedef enum weight { REGULAR, BOLD, WEIGHTS } weight;
static cairo_font_face_t *face[WEIGHTS];

// The font of a weight, or NULL if memory runs out or there is none; is_out says which.
static FcPattern *choose(FcConfig *fonts, weight w, bool *is_out)
{
    FcResult result = FcResultNoMatch;
    FcPattern *asked = FcPatternCreate(), *chosen = NULL;
    bool is_asked = asked != NULL && FcPatternAddString(asked, FC_FAMILY, (const FcChar8 *)"sans-serif") &&
                    FcPatternAddInteger(asked, FC_WEIGHT, w == BOLD ? FC_WEIGHT_BOLD : FC_WEIGHT_MEDIUM) &&
                    FcPatternAddInteger(asked, FC_SLANT, FC_SLANT_ROMAN) &&
                    FcConfigSubstitute(fonts, asked, FcMatchPattern);
    if (is_asked) {
        FcDefaultSubstitute(asked);
        chosen = FcFontMatch(fonts, asked, &result);
    }
    *is_out = *is_out || !is_asked || (chosen == NULL && result != FcResultNoMatch);
    if (asked != NULL) FcPatternDestroy(asked);
    return chosen;
}

static bool are_same(const FcPattern *a, const FcPattern *b)
{
    return a == NULL || b == NULL ? a == b : FcPatternEqual(a, b);
}

// Once more, from the settings on: whether the fonts are the same.
static bool are_confirmed(FcPattern *const chosen[WEIGHTS])
{
    FcConfig *fonts = FcInitLoadConfigAndFonts();
    bool is_out = fonts == NULL, same = !is_out;
    for (int w = 0; w < WEIGHTS && same; ++w) {
        FcPattern *again = choose(fonts, (weight)w, &is_out);
        same = !is_out && are_same(chosen[w], again);
        if (again != NULL) FcPatternDestroy(again);
    }
    if (fonts != NULL) FcConfigDestroy(fonts);
    return same;
}

// A face of that very file. Without a font at all Cairo has one of its own.
static cairo_font_face_t *face_of(FcPattern *chosen, weight w)
{
    if (chosen != NULL) return cairo_ft_font_face_create_for_pattern(chosen);
    return cairo_toy_font_face_create("sans-serif", CAIRO_FONT_SLANT_NORMAL,
                                      w == BOLD ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
}

static bool find(FcConfig *fonts)
{
    FcPattern *chosen[WEIGHTS] = {NULL};
    bool is_out = fonts == NULL || !FcConfigSetCurrent(fonts);
    for (int w = 0; w < WEIGHTS && !is_out; ++w) chosen[w] = choose(fonts, (weight)w, &is_out);
    is_out = is_out || !are_confirmed(chosen);
    for (int w = 0; w < WEIGHTS; ++w) {
        if (!is_out) face[w] = face_of(chosen[w], (weight)w);
        if (chosen[w] != NULL) FcPatternDestroy(chosen[w]);
        is_out = is_out || cairo_font_face_status(face[w]) != CAIRO_STATUS_SUCCESS;
    }
    return !is_out;
}

scr_status fonts_find(scr_error *error)
{
    static bool found;
    if (found) return SCR_OK;
    FcConfig *fonts = FcInitLoadConfigAndFonts();
    found = find(fonts);
    if (fonts != NULL) FcConfigDestroy(fonts);  // our own hold of it
    return found ? SCR_OK : scr_fail(error, SCR_NO_MEMORY, "out of memory: no room for the list of fonts");
}

void fonts_use(cairo_t *c, bool bold, double size)
{
    cairo_set_font_face(c, face[bold ? BOLD : REGULAR]);
    cairo_set_font_size(c, size);
}
