// SPDX-License-Identifier: BSD-3-Clause
// Balls of a space that repeats itself, for a grid that knows nothing of it: all balls in one cell, and those near its
// low faces once more beyond the high ones. Each pair of balls stands in it once with the offset of nearest images.
#ifndef COLLISION_BROAD_IMAGES_H
#define COLLISION_BROAD_IMAGES_H

#include "collision/broad/colliders.h"

typedef struct ball_images {
    ball *ball;
    float *margin;       // m
    uint32_t *collider;  // whose image it is
    uint8_t *shift;      // bit k: it is moved up along axis k by one length (and slides)
    int64_t count, capacity;
} ball_images;

// The first images are the colliders themselves, in their order.
scr_status images_make(ball_images *images, const colliders *c, const float *margin, scr_error *error);
void images_free(ball_images *images);
// Are these two images as near to each other as images of their colliders can be, and the pair that stands for them?
bool images_are_nearest(const ball_images *images, const periodic_cell *period, uint32_t a, uint32_t b);

#endif
