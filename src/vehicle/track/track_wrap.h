// SPDX-License-Identifier: BSD-3-Clause
// Shoes round the wheels: where the pins of a closed track are.
//
// Pins lie on the taut loop, a link apart as the crow flies. They meet again at the first one for one position of the
// idler along its tensioner: that position is found.
#ifndef VEHICLE_TRACK_TRACK_WRAP_H
#define VEHICLE_TRACK_TRACK_WRAP_H

#include "vehicle/track/track_path.h"

typedef struct track_layout {
    const track_circle *circles;  // the idler's at no travel
    int circle_count, idler;
    track_point slide;              // unit: the way the idler goes when the tensioner pushes it
    double travel_min, travel_max;  // m
    const double *links;            // m: lengths of the links one after the other, again and again
    int links_of_pattern, link_count;
} track_layout;

typedef struct track_wrap {
    double travel;  // m: of the idler
    track_path path;
    track_point *pin;  // (link count); link k goes from pin k to the next one
} track_wrap;

scr_status track_wrap_make(const track_layout *layout, track_wrap *wrap, scr_error *error);
void track_wrap_free(track_wrap *wrap);

#endif
