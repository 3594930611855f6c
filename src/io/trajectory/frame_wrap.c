// SPDX-License-Identifier: BSD-3-Clause
// Frames of a space that repeats itself: files keep how far bodies have come, pictures show one cell.
#include "io/trajectory/frame.h"

// Moves a position into the cell and says by how many cells.
static void wrap(const periodic_cell *p, float position[3], int32_t image[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        double x = position[axis], cells = period_cell(p, axis, x);
        image[axis] = 0;
        if (p->length[axis] == 0.0 || !(fabs(cells) < INT32_MAX)) continue;  // nor if it is no number
        image[axis] = (int32_t)cells;
        position[axis] = (float)period_wrapped_along(p, axis, x);
    }
}

static void wrap_shapes(const periodic_cell *p, frame_shape *shape, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) wrap(p, shape[i].position, shape[i].image);
}

static void wrap_contact(const periodic_cell *p, frame_contact *contact)
{
    int32_t image[3];
    wrap(p, contact->ends, image);
    for (int axis = 0; axis < 3; ++axis)
        contact->ends[3 + axis] = (float)(contact->ends[3 + axis] - image[axis] * p->length[axis]);
}

scr_status frame_wrap(frame *f, scr_error *error)
{
    const periodic_cell *p = &f->period;
    f->image_count = 0;
    if (!p->any) return SCR_OK;
    scr_status status =
        scr_grow(&f->images, &f->image_capacity, f->spheres.count, sizeof *f->images, "images of a frame", error);
    if (status != SCR_OK) return status;
    f->image_count = f->spheres.count;
    for (int64_t i = 0; i < f->spheres.count; ++i) wrap(p, &f->spheres.position[3 * i], f->images[i].along);
    wrap_shapes(p, f->boxes, f->box_count);
    wrap_shapes(p, f->parts, f->part_count);
    for (int64_t i = 0; i < f->contact_count; ++i) wrap_contact(p, &f->contacts[i]);
    return SCR_OK;
}
