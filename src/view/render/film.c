// SPDX-License-Identifier: BSD-3-Clause
// Light received by pixels, and its smoothing.
#include "view/render/film.h"

#include <string.h>

#include "view/colour/vec3f.h"

enum { REACH = 5 };                      // pixels, on either side
static const float AGREEMENT = 3.0f;     // difference of two pixels, in standard deviations, that halves a weight
static const float LEAST_NOISE = 1e-7f;  // variance below which nothing is seen

scr_status film_init(film *f, int width, int height, scr_error *error)
{
    int64_t pixels = (int64_t)width * height;
    size_t bytes = scr_array_bytes(pixels, 5 * sizeof(float));
    *f = (film){.width = width,
                .height = height,
                .radiance = scr_alloc(scr_array_bytes(pixels, 3 * sizeof(float))),
                .variance = scr_alloc(scr_array_bytes(pixels, sizeof(float))),
                .path = scr_alloc(scr_array_bytes(pixels, sizeof(uint32_t)))};
    if (f->radiance != NULL && f->variance != NULL && f->path != NULL) return SCR_OK;
    film_free(f);
    return scr_fail_memory(error, bytes, "the light of a picture");
}

void film_free(film *f)
{
    scr_free(f->radiance);
    scr_free(f->variance);
    scr_free(f->path);
    *f = (film){0};
}

static vec3f smoothed(const film *f, int x, int y)
{
    int64_t here = (int64_t)y * f->width + x;
    vec3f own = vec3f_load(&f->radiance[3 * here]), sum = own;
    if (f->path[here] == NOT_FLAT || f->variance[here] < LEAST_NOISE) return own;
    float weights = 1.0f;
    int left = x > REACH ? x - REACH : 0, right = x + REACH < f->width ? x + REACH : f->width - 1;
    int top = y > REACH ? y - REACH : 0, bottom = y + REACH < f->height ? y + REACH : f->height - 1;
    for (int v = top; v <= bottom; ++v) {
        for (int u = left; u <= right; ++u) {
            int64_t there = (int64_t)v * f->width + u;
            if (f->path[there] != f->path[here] || there == here) continue;
            vec3f other = vec3f_load(&f->radiance[3 * there]), difference = other - own;
            float noise = AGREEMENT * AGREEMENT * (f->variance[here] + f->variance[there]);
            float off = vec3f_dot(difference, difference) / (3.0f * noise);
            float weight = 1.0f / (1.0f + off * off * off);  // one for likes, falling steeply beyond
            sum += weight * other;
            weights += weight;
        }
    }
    return sum * (1.0f / weights);
}

void film_smooth(const film *f, int threads, float *radiance)
{
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads)
    for (int y = 0; y < f->height; ++y) {
        for (int x = 0; x < f->width; ++x) {
            vec3f pixel = smoothed(f, x, y);
            memcpy(&radiance[3 * ((int64_t)y * f->width + x)], &pixel, 3 * sizeof *radiance);
        }
    }
}
