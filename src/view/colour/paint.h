// SPDX-License-Identifier: BSD-3-Clause
// Paint: the colour of every body, and the legend that explains it.
#ifndef VIEW_COLOUR_PAINT_H
#define VIEW_COLOUR_PAINT_H

#include "view/colour/appearance.h"
#include "view/colour/quantity.h"

enum { LEGEND_SWATCHES = 12 };

typedef enum legend_kind { LEGEND_NONE, LEGEND_BAR, LEGEND_SWATCHES_OF_NAMES } legend_kind;

typedef struct legend {
    legend_kind kind;
    const char *title;            // "Speed"
    char unit[16];                // "mm/s"
    double min, max;              // of the bar, in that unit
    bool goes_below, goes_above;  // some bodies lie outside the bar
    int swatch_count;
    uint32_t swatch[LEGEND_SWATCHES];  // materials or groups in the picture
} legend;

typedef struct paint {
    float *sphere, *box, *part;  // linear RGB, 3 a body
    vec3f ground, wall;          // of planes without a colour of their own
    appearance_list appearance;
    palette scale;
    legend legend;
} paint;

typedef struct paint_request {
    colour_by colour;
    colour_map map;
    bool has_range;
    quantity_range range;
    const frame *first;        // that displacements count from
    const int *group_of_body;  // by id - 1; bodies beyond are in group 0
    int64_t body_count;
    appearance_list appearance;  // a body with a colour of its own has it, whatever colours mean
    // Parts from here on are rods that stand for contact forces (view/render/chains.h); all else is pale then. -1:
    // there are none.
    int64_t first_rod;
    const float *rod_force;  // N
} paint_request;

scr_status paint_init(paint *p, const frame *f, const paint_request *request, scr_error *error);
void paint_free(paint *p);

#endif
