// SPDX-License-Identifier: BSD-3-Clause
// Sun, sky and backdrop, and how they are exposed.
#include "view/stage/light.h"

static const float SUN_AZIMUTH = 0.75f;     // rad, to the left of the viewer
static const float SUN_RISE = 0.90f;        // rad above the horizon
static const float SUN_HALF_ANGLE = 0.06f;  // rad; thirteen times the real one: shadows with soft edges
static const float SUN_SHARE = 0.58f;       // of the light on a level surface; the rest comes from the sky
static const float EXPOSURE = 1.15f;
static const float SHOULDER = 0.65f;  // from this radiance on, highlights are compressed

light light_for(const camera *c)
{
    vec3f across = vec3f_unit(vec3f_of(c->back[0], c->back[1], 0.0f));  // level, towards the viewer
    vec3f left = vec3f_of(across[1], -across[0], 0.0f);
    vec3f level = cosf(SUN_AZIMUTH) * across + sinf(SUN_AZIMUTH) * left;
    vec3f tint = vec3f_of(1.0f, 0.955f, 0.885f);
    light l = {
        .sun_direction = cosf(SUN_RISE) * level + vec3f_of(0.0f, 0.0f, sinf(SUN_RISE)),
        .sun_cosine = cosf(SUN_HALF_ANGLE),
        .sun = tint * (SUN_SHARE / sinf(SUN_RISE)),
        .zenith = vec3f_of(0.93f, 1.0f, 1.10f),
        .horizon = vec3f_of(0.92f, 0.94f, 0.97f),
        .below = vec3f_of(0.35f, 0.34f, 0.33f),
    };
    l.zenith *= 1.0f - SUN_SHARE;
    l.horizon *= 1.0f - SUN_SHARE;
    l.below *= 1.0f - SUN_SHARE;
    return l;
}

vec3f light_sky(const light *l, vec3f direction)
{
    float height = direction[2];
    if (height < 0.0f) return vec3f_mix(l->horizon, l->below, smooth_step(0.0f, 0.2f, -height));
    return vec3f_mix(l->horizon, l->zenith, height * (2.0f - height));
}

vec3f light_backdrop(float height)
{
    vec3f low = vec3f_of(0.66f, 0.67f, 0.68f), high = vec3f_of(0.45f, 0.52f, 0.60f);
    return vec3f_mix(low, high, smooth_step(-0.4f, 1.3f, height));
}

static float developed(float x)
{
    if (x <= SHOULDER) return x;
    float room = 1.0f - SHOULDER;
    return SHOULDER + room * (1.0f - expf(-(x - SHOULDER) / room));
}

vec3f light_developed(vec3f radiance)
{
    vec3f exposed = EXPOSURE * radiance;
    return vec3f_of(developed(exposed[0]), developed(exposed[1]), developed(exposed[2]));
}
