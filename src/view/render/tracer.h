// SPDX-License-Identifier: BSD-3-Clause
// From rays to light: the radiance that reaches each pixel.
//
// A camera ray passes panes of glass, each of which adds a faint reflection, a tint and the line of its edges, and
// bodies that the scene lets one see through, each surface of which adds its share of its own light, until it hits a
// solid one. That surface is lit by the sun, if a ray towards a random point of the sun's disc is free, and by what a
// random ray over the hemisphere finds: the sky, or another surface in its own sunlight and a share of sky (one bounce;
// later ones are estimated). The ground takes part in all this and fades into the backdrop far out.
#ifndef VIEW_RENDER_TRACER_H
#define VIEW_RENDER_TRACER_H

#include "view/colour/paint.h"
#include "view/render/film.h"
#include "view/render/ray_scene.h"
#include "view/stage/camera.h"
#include "view/stage/light.h"

typedef struct tracer {
    const stage *stage;
    const ray_scene *rays;
    const paint *paint;
    const camera *camera;
    light light;
    int samples;  // camera rays a pixel
} tracer;

typedef struct tracer_progress {
    void (*report)(void *context, double share);  // called by one thread, now and then; NULL: silent
    void *context;
} tracer_progress;

// Expose a film of the camera's size. The result is the same for any number of threads.
void tracer_render(const tracer *t, int threads, tracer_progress progress, film *f);

#endif
