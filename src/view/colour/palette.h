// SPDX-License-Identifier: BSD-3-Clause
// Colours. All are computed in OKLab, a space in which equal distances look equally different (B. Ottosson, 2020):
// L is lightness from 0 to 1, chroma the distance from grey, hue an angle. Results are linear RGB with the sRGB
// primaries, as light adds up.
#ifndef VIEW_COLOUR_PALETTE_H
#define VIEW_COLOUR_PALETTE_H

#include <stdint.h>

#include "scene/model/scene.h"
#include "view/colour/vec3f.h"

enum { PALETTE_STEPS = 256 };

// For quantities: ever lighter, in steps that look equal. Our own (MAP_SCREE) goes from deep indigo over teal and green
// to yellow, at constant speed through OKLab, and begins light enough to show in a shadow; MAP_EARTH does so from brown
// to pale sand, for ground that should look like ground; the others are in colour_maps.c.
typedef struct palette {
    vec3f colour[PALETTE_STEPS];
} palette;

void palette_init(palette *p, colour_map map);
void palette_use_published(palette *p, colour_map map);  // any but our two
vec3f palette_at(const palette *p, float share);         // share from 0 to 1; clamped

vec3f palette_sand(uint32_t id);         // for grains: sand, no two quite the same
vec3f palette_category(uint32_t index);  // for kinds of things: eight distinct colours, over and over

vec3f palette_oklch(float lightness, float chroma, float hue_degrees);  // clipped to what a screen can show
float srgb_encoded(float linear);                                       // 0 to 1, for 8-bit pictures
float srgb_decoded(float encoded);                                      // the inverse

#endif
