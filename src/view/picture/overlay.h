// SPDX-License-Identifier: BSD-3-Clause
// What is written on a picture: title, time and how much of the run is over at the lower left, a scale bar at the lower
// right, the legend at the right. Drawn by Cairo.
#ifndef VIEW_PICTURE_OVERLAY_H
#define VIEW_PICTURE_OVERLAY_H

#include "view/picture/legend_panel.h"
#include "view/picture/picture.h"

typedef struct overlay {
    const char *title;             // NULL or "": none
    double time;                   // s
    double first_time, last_time;  // s, of the run; equal: no bar shows how much is over
    double pixels_per_metre;       // at the depth of what the camera looks at; 0: no scale bar
    const legend *legend;
    const palette *scale;  // of the legend's bar
    kind_names names;      // of the legend's swatches
} overlay;

scr_status overlay_draw(const overlay *o, picture *p, scr_error *error);

// "t = 0.25 s": with as many decimals as the time has, two at least.
void overlay_time_text(double time, char *text, size_t size);
// The length of a scale bar: 1, 2 or 5 times a power of ten, at most `longest`; and how it is written: "50 mm".
double overlay_scale_length(double longest);
void overlay_length_text(double length, char *text, size_t size);

#endif
