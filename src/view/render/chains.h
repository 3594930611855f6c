// SPDX-License-Identifier: BSD-3-Clause
// Force chains: the contacts of a frame as rods between the bodies that touch.
//
// A rod's width grows with the force: at the upper end of the colour bar it is half of a mean grain's, so that the few
// strong contacts stand out from the many weak ones. The grains themselves become small beads, or they would hide what
// lies between.
#ifndef VIEW_RENDER_CHAINS_H
#define VIEW_RENDER_CHAINS_H

#include "view/colour/quantity.h"

typedef struct chains {
    frame frame;        // the given one, with beads and rods; shares what they do not change
    int64_t first_rod;  // among its parts
    float *force;       // N, of each rod
} chains;

scr_status chains_init(chains *c, const frame *f, double force_max, scr_error *error);
void chains_free(chains *c);

#endif
