// SPDX-License-Identifier: BSD-3-Clause
// Colours, by way of OKLab.
#include "view/colour/palette.h"

#include "core/maths/rng.h"
#include "core/maths/trig.h"

static const float DEGREE = 0.017453293f;  // rad

typedef struct oklab {
    float l, a, b;
} oklab;

static oklab from_polar(float lightness, float chroma, float hue_degrees)
{
    double sine, cosine;
    scr_sincos(hue_degrees * DEGREE, &sine, &cosine);
    return (oklab){lightness, chroma * (float)cosine, chroma * (float)sine};
}

// The two matrices of OKLab's definition: to cone responses (their cube roots), then to linear sRGB.
static vec3f to_linear(oklab c)
{
    float l = c.l + 0.3963377774f * c.a + 0.2158037573f * c.b;
    float m = c.l - 0.1055613458f * c.a - 0.0638541728f * c.b;
    float s = c.l - 0.0894841775f * c.a - 1.2914855480f * c.b;
    l = l * l * l, m = m * m * m, s = s * s * s;
    vec3f rgb = vec3f_of(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
                         -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
                         -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s);
    return vec3f_min(vec3f_max(rgb, vec3f_all(0.0f)), vec3f_all(1.0f));
}

vec3f palette_oklch(float lightness, float chroma, float hue_degrees)
{
    return to_linear(from_polar(lightness, chroma, hue_degrees));
}

float srgb_encoded(float linear)
{
    float x = lesser(greater(linear, 0.0f), 1.0f);
    return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1.0f / 2.4f) - 0.055f;
}

float srgb_decoded(float encoded)
{
    float x = lesser(greater(encoded, 0.0f), 1.0f);
    return x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
}

// The paths of our own palettes. They start light enough to keep their hue in a shadow; the chroma stays inside the
// sRGB gamut, which is narrowest at teal.
static oklab path_at(colour_map map, float t)
{
    if (map == MAP_EARTH) return from_polar(0.46f + 0.44f * t, 0.055f + 0.02f * t, 62.0f + 24.0f * t);
    return from_polar(0.40f + 0.51f * t, 0.145f - 0.19f * t + 0.22f * t * t, 285.0f - 183.0f * t);
}

static float distance(oklab p, oklab q)
{
    return sqrtf((p.l - q.l) * (p.l - q.l) + (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b));
}

static void walk_path(palette *p, colour_map map)
{
    enum { FINE = 4096 };  // pieces of the path when its length is measured
    float length = 0.0f;
    for (int i = 0; i < FINE; ++i)
        length += distance(path_at(map, (float)i / FINE), path_at(map, (float)(i + 1) / FINE));
    float walked = 0.0f;
    int step = 0;
    for (int i = 0; i < FINE && step < PALETTE_STEPS - 1; ++i) {
        oklab here = path_at(map, (float)i / FINE);
        if (walked >= length * (float)step / (PALETTE_STEPS - 1)) p->colour[step++] = to_linear(here);
        walked += distance(here, path_at(map, (float)(i + 1) / FINE));
    }
    while (step < PALETTE_STEPS) p->colour[step++] = to_linear(path_at(map, 1.0f));
}

void palette_init(palette *p, colour_map map)
{
    if (map == MAP_SCREE || map == MAP_EARTH) walk_path(p, map);
    else palette_use_published(p, map);
}

vec3f palette_at(const palette *p, float share)
{
    float x = lesser(greater(share, 0.0f), 1.0f) * (PALETTE_STEPS - 1);
    int i = x < PALETTE_STEPS - 2 ? (int)x : PALETTE_STEPS - 2;
    return vec3f_mix(p->colour[i], p->colour[i + 1], x - (float)i);
}

vec3f palette_sand(uint32_t id)
{
    scr_random4 r = scr_philox((const uint32_t[4]){id, 0, 0, 0}, (const uint32_t[2]){0x5a4d, 0});
    float light = (float)r.v[0] * 0x1p-32f, warm = (float)r.v[1] * 0x1p-32f, rich = (float)r.v[2] * 0x1p-32f;
    return palette_oklch(0.70f + 0.15f * light, 0.060f + 0.035f * rich, 64.0f + 16.0f * warm);
}

vec3f palette_category(uint32_t index)
{
    // Earth colours, far from each other in hue or in lightness: ochre, slate, brick, sage, plum, sky, straw, pine.
    static const struct {
        float lightness, chroma, hue;
    } colours[] = {
        {0.75f, 0.115f, 70.0f},  {0.52f, 0.050f, 245.0f}, {0.60f, 0.135f, 35.0f}, {0.71f, 0.090f, 140.0f},
        {0.48f, 0.105f, 340.0f}, {0.80f, 0.070f, 225.0f}, {0.87f, 0.095f, 95.0f}, {0.45f, 0.070f, 175.0f},
    };
    enum { COLOURS = sizeof colours / sizeof colours[0] };
    uint32_t i = index % COLOURS;
    return palette_oklch(colours[i].lightness, colours[i].chroma, colours[i].hue);
}
