// SPDX-License-Identifier: BSD-3-Clause
#include "scene/overlap/shape_images.h"

// Shifts k * length with which [low, high] overlaps [other_low, other_high]. What has no end has no images.
static void range_along(const periodic_cell *p, int axis, const double shape[2], const double other[2], int64_t *first,
                        int64_t *along)
{
    *first = 0;
    *along = shape[0] <= other[1] && other[0] <= shape[1];
    if (p->length[axis] == 0.0 || !isfinite(shape[1] - shape[0]) || !isfinite(other[1] - other[0])) return;
    double lowest = ceil((other[0] - shape[1]) * p->inverse[axis]),
           highest = floor((other[1] - shape[0]) * p->inverse[axis]);
    *first = (int64_t)lowest;
    *along = highest >= lowest ? (int64_t)(highest - lowest) + 1 : 0;
}

shape_images images_overlapping(const periodic_cell *period, const scr_aabb *shape, const scr_aabb *other)
{
    const double box[3][2] = {
        {shape->low.x, shape->high.x}, {shape->low.y, shape->high.y}, {shape->low.z, shape->high.z}};
    const double with[3][2] = {
        {other->low.x, other->high.x}, {other->low.y, other->high.y}, {other->low.z, other->high.z}};
    shape_images images = {.period = period, .count = 1};
    for (int axis = 0; axis < 3; ++axis) {
        range_along(period, axis, box[axis], with[axis], &images.first[axis], &images.along[axis]);
        images.count *= images.along[axis];
    }
    return images;
}

placed_shape shape_image(const shape_images *images, const placed_shape *shape, int64_t k)
{
    const double *length = images->period->length;
    const int64_t *along = images->along, *first = images->first;
    placed_shape image = *shape;
    scr_vec3 shift =
        vec3(length[0] * (double)(first[0] + k % along[0]), length[1] * (double)(first[1] + k / along[0] % along[1]),
             length[2] * (double)(first[2] + k / along[0] / along[1]));
    image.pose.position = vec3_add(image.pose.position, shift);
    return image;
}
