// SPDX-License-Identifier: BSD-3-Clause
// The panel at the right that says what colours mean: a bar with numbers, or swatches with names.
#ifndef VIEW_PICTURE_LEGEND_PANEL_H
#define VIEW_PICTURE_LEGEND_PANEL_H

#include "view/colour/paint.h"
#include "view/picture/canvas.h"

// Names of the kinds of things that swatches stand for; where there is none, `noun` and a number.
typedef struct kind_names {
    const char *noun;  // "material"
    const char *const *name;
    int count;
} kind_names;

// Share of the width that the legend takes up.
double legend_panel_share(const legend *l, int width, int height);
void legend_panel_draw(const canvas *s, const legend *l, const palette *scale, const kind_names *names);

enum { TICKS_MAX = 12 };
// Round numbers (1, 2 or 5 times a power of ten apart) between min and max, about `wanted` of them; returns how many,
// and how many decimals they need.
int legend_ticks(double min, double max, int wanted, double tick[TICKS_MAX], int *decimals);

#endif
