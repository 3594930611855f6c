// SPDX-License-Identifier: BSD-3-Clause
// A finished picture: 8-bit sRGB pixels, and its file.
#ifndef VIEW_PICTURE_PICTURE_H
#define VIEW_PICTURE_PICTURE_H

#include "core/base/memory.h"

typedef struct picture {
    int width, height;
    uint32_t *pixel;  // 0x00RRGGBB, row by row from the top
    double dpi;       // pixels an inch, for print; 0 (default): the file does not say
} picture;

scr_status picture_init(picture *p, int width, int height, scr_error *error);  // undefined pixels
void picture_free(picture *p);
// Develop linear RGB radiance, 3 floats a pixel, into the picture.
void picture_develop(picture *p, const float *radiance);
// Write a PNG file: under a temporary name beside it first, so that `path` never holds half a picture.
scr_status picture_write_png(const picture *p, const char *path, scr_error *error);

#endif
