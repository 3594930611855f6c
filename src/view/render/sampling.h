// SPDX-License-Identifier: BSD-3-Clause
// Where to send rays: well-spread points in the unit square, the same whoever asks.
//
// All pixels and samples share one Owen-scrambled Sobol sequence. A pixel takes its points from a stretch of the
// sequence given by its place on a Morton curve: the points of one pixel are well spread, and so are those of
// neighbouring pixels taken together, which turns the noise of few samples into a fine even grain. A point depends
// on pixel, sample and purpose alone.
#ifndef VIEW_RENDER_SAMPLING_H
#define VIEW_RENDER_SAMPLING_H

#include <stdint.h>

#include "view/colour/vec3f.h"

typedef enum sample_purpose { SAMPLE_PIXEL, SAMPLE_SUN, SAMPLE_SKY, SAMPLE_BOUNCE_SUN } sample_purpose;

typedef struct square_point {
    float u, v;  // in [0, 1)
} square_point;

uint32_t sample_index(int x, int y, int sample, int samples_a_pixel);
square_point sample_square(uint32_t index, sample_purpose purpose);

// A direction about the unit vector n, with density cos / pi.
vec3f sample_hemisphere(vec3f n, square_point p);
// A direction about the unit vector axis, even over the cone whose half angle has this cosine.
vec3f sample_cone(vec3f axis, float cosine, square_point p);

#endif
