// What is written on a picture: title and time at the lower left, the legend at the right. Drawn by Cairo.
#ifndef VIEW_OVERLAY_H
#define VIEW_OVERLAY_H

#include "view/paint.h"
#include "view/picture.h"

typedef struct overlay {
    const char *title;  // NULL or "": none
    double time;        // s
    const legend *legend;
    const palette *scale;              // of the legend's bar
    const char *const *material_name;  // NULL: numbers instead
    int material_count;
} overlay;

// Share of the width that the legend takes up.
double overlay_legend_share(const legend *l, int width, int height);
scr_status overlay_draw(const overlay *o, picture *p, scr_error *error);

enum { TICKS_MAX = 12 };
// Round numbers (1, 2 or 5 times a power of ten apart) between min and max, about `wanted` of them; returns how many,
// and how many decimals they need.
int overlay_ticks(double min, double max, int wanted, double tick[TICKS_MAX], int *decimals);
// "t = 0.25 s": with as many decimals as the time has, two at least.
void overlay_time_text(double time, char *text, size_t size);

#endif
