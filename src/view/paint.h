// Paint: the colour of every body, and the legend that explains it.
#ifndef VIEW_PAINT_H
#define VIEW_PAINT_H

#include "io/frame.h"
#include "scene/scene.h"
#include "view/palette.h"

enum { LEGEND_SWATCHES = 12 };

typedef enum legend_kind { LEGEND_NONE, LEGEND_BAR, LEGEND_MATERIALS } legend_kind;

typedef struct legend {
    legend_kind kind;
    const char *title;            // "Speed"
    const char *unit;             // "mm/s"
    double min, max;              // of the bar, in that unit
    bool goes_below, goes_above;  // some bodies lie outside the bar
    int swatch_count;
    uint32_t swatch[LEGEND_SWATCHES];  // materials in the picture
} legend;

typedef struct paint {
    float *sphere, *box, *part;  // linear RGB, 3 a body
    vec3f ground, wall;   // of planes
    palette scale;
    legend legend;
} paint;

typedef struct paint_request {
    colour_by colour;
    bool has_range;
    double range_min, range_max;
} paint_request;

scr_status paint_init(paint *p, const frame *f, const paint_request *request, scr_error *error);
void paint_free(paint *p);

#endif
