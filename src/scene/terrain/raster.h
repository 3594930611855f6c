// SPDX-License-Identifier: BSD-3-Clause
// Rasters: images and elevation data as rows of numbers, from north (the first row of the file) to south, each from
// west to east.
#ifndef SCENE_TERRAIN_RASTER_H
#define SCENE_TERRAIN_RASTER_H

#include <stdio.h>

#include "core/base/status.h"

typedef struct raster {
    int64_t width, height;  // pixels
    double *value;          // finite; grey: 0 for black to 1 for white
    bool is_grey;           // of an image, which knows of no metres
    double pixel[2];        // m along x and y, 0: not known
} raster;

enum { RASTER_PIXELS_MAX = 100 * 1000 * 1000 };

// A grey PNG of 1 to 16 bits, or any raster that GDAL reads, if that is built in. Failures are sentences that begin
// with the path. Free it in any case.
scr_status raster_read(const char *path, raster *r, scr_error *error);
scr_status raster_read_png(FILE *file, const char *path, raster *r, scr_error *error);
scr_status raster_read_gdal(const char *path, raster *r, scr_error *error);
// The array for width x height pixels, unless these are too few or absurdly many.
scr_status raster_allocate(raster *r, int64_t width, int64_t height, const char *path, scr_error *error);
void raster_free(raster *r);
// Between the centres of pixels by straight lines; u and v from 0 (west, south) to 1 (east, north).
double raster_at(const raster *r, double u, double v);

#endif
