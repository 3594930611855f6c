// SPDX-License-Identifier: BSD-3-Clause
// The film: the light that each pixel received, how sure that is, and what it came from.
//
// A few random rays a pixel leave noise. On grains it drowns in their texture, but on walls and ground it shows, so
// pixels that see one and the same flat surface are averaged with their like.
#ifndef VIEW_RENDER_FILM_H
#define VIEW_RENDER_FILM_H

#include "core/base/memory.h"

enum { NOT_FLAT = 0 };

typedef struct film {
    int width, height;
    float *radiance;  // linear RGB, 3 a pixel, row by row from the top
    float *variance;  // of a pixel's radiance, mean over the three colours
    uint32_t *path;   // equal for pixels all of whose rays took the same way to the same flat surface; else NOT_FLAT
} film;

scr_status film_init(film *f, int width, int height, scr_error *error);
void film_free(film *f);

// Smooth flat surfaces: each pixel becomes a mean over its neighbourhood of those with the same path, weighed by how
// well their light agrees within its uncertainty, so that the edges of shadows stay. Into `radiance`, as in a film.
void film_smooth(const film *f, int threads, float *radiance);

#endif
