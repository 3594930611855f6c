// Colours. All are computed in OKLab, a space in which equal distances look equally different (B. Ottosson, 2020):
// L is lightness from 0 to 1, chroma the distance from grey, hue an angle. Results are linear RGB with the sRGB
// primaries, as light adds up.
#ifndef VIEW_PALETTE_H
#define VIEW_PALETTE_H

#include <stdint.h>

#include "view/vec3f.h"

enum { PALETTE_STEPS = 256 };

// For quantities: from deep indigo over teal and green to yellow, ever lighter, at constant speed through OKLab.
typedef struct palette {
    vec3f colour[PALETTE_STEPS];
} palette;

void palette_init(palette *p);
vec3f palette_at(const palette *p, float share);  // share from 0 to 1; clamped

vec3f palette_sand(uint32_t id);         // for grains: sand, no two quite the same
vec3f palette_category(uint32_t index);  // for kinds of things: eight distinct colours, over and over

vec3f palette_oklch(float lightness, float chroma, float hue_degrees);  // clipped to what a screen can show
float srgb_encoded(float linear);                                       // 0 to 1, for 8-bit pictures

#endif
