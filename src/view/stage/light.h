// SPDX-License-Identifier: BSD-3-Clause
// Light: a broad sun behind the viewer's left shoulder, a sky that is brighter and bluer overhead, and the pale
// backdrop in front of which all stands. Radiance is in units in which a white level surface in full light has 1.
#ifndef VIEW_STAGE_LIGHT_H
#define VIEW_STAGE_LIGHT_H

#include "view/stage/camera.h"

typedef struct light {
    vec3f sun_direction;           // towards it
    float sun_cosine;              // of the half angle under which it is seen
    vec3f sun;                     // irradiance over pi of a surface that faces it
    vec3f zenith, horizon, below;  // radiance of the sky
} light;

light light_for(const camera *c);
vec3f light_sky(const light *l, vec3f direction);  // what falls in from there
vec3f light_backdrop(float height);                // height in the picture, from -1 at the bottom to 1 at the top

// Radiance to display: linear in the middle, with a soft shoulder instead of burnt-out highlights. Still linear RGB.
vec3f light_developed(vec3f radiance);

#endif
