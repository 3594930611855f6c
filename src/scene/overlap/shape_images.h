// SPDX-License-Identifier: BSD-3-Clause
// Where space repeats itself: the images of a shape that may touch what is in a box.
#ifndef SCENE_OVERLAP_SHAPE_IMAGES_H
#define SCENE_OVERLAP_SHAPE_IMAGES_H

#include "core/maths/period.h"
#include "geometry/shape/placed_shape.h"

// By how many cells a shape may be moved along each axis, `count` images in all.
typedef struct shape_images {
    const periodic_cell *period;
    int64_t first[3], along[3], count;
} shape_images;

// Those of a shape's box that overlap another; where space does not repeat itself that is the shape itself, or none.
shape_images images_overlapping(const periodic_cell *period, const scr_aabb *shape, const scr_aabb *other);
placed_shape shape_image(const shape_images *images, const placed_shape *shape, int64_t k);

#endif
