// SPDX-License-Identifier: BSD-3-Clause
// What colours show, as a number for each shape of a frame: a radius, a speed, a force, a displacement.
#ifndef VIEW_COLOUR_QUANTITY_H
#define VIEW_COLOUR_QUANTITY_H

#include "io/trajectory/frame.h"
#include "scene/model/scene.h"

typedef struct quantity {
    float *sphere, *box, *part;  // NaN: this shape has none
} quantity;

typedef struct quantity_range {
    double min, max;
} quantity_range;

bool colour_is_quantity(colour_by colour);  // else it is a kind of thing: a body, a material, a group
typedef struct quantity_name {
    const char *title, *unit;  // "Speed", "m/s"
} quantity_name;
quantity_name quantity_name_of(colour_by colour);

// Units m, m/s, N. first: the frame that displacements count from; what is not in it has none.
//   radius        of an ellipsoid that of the ball of its volume; other shapes have none
//   force         sum of the magnitudes of all contact forces on the body
//   displacement  distance of the shape's centre from where it was
scr_status quantity_init(quantity *q, const frame *f, colour_by colour, const frame *first, scr_error *error);
void quantity_free(quantity *q);

// The range that a legend should show. Radii: all there are. Others: from zero to a round number which nearly all
// dynamic shapes are below; a few beyond it would leave the rest in the dark.
scr_status quantity_range_of(const quantity *q, const frame *f, colour_by colour, quantity_range *range,
                             scr_error *error);
quantity_range quantity_range_of_forces(const frame *f);  // of the contacts of a frame, in the same way

#endif
