// SPDX-License-Identifier: BSD-3-Clause
// Rasters: what all of them share.
#include "scene/terrain/raster.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"

scr_status raster_allocate(raster *r, int64_t width, int64_t height, const char *path, scr_error *error)
{
    if (width < 2 || height < 2 || width > RASTER_PIXELS_MAX / height)
        return scr_fail(error, SCR_BAD_INPUT,
                        "%s has %lld x %lld pixels; a heightmap has at least 2 a side and %d in all at most", path,
                        (long long)width, (long long)height, RASTER_PIXELS_MAX);
    size_t bytes = scr_array_bytes(width * height, sizeof *r->value);
    r->value = scr_alloc(bytes);
    if (r->value == NULL) return scr_fail_memory(error, bytes, "a raster");
    r->width = width;
    r->height = height;
    return SCR_OK;
}

void raster_free(raster *r)
{
    scr_free(r->value);
    *r = (raster){0};
}

scr_status raster_read(const char *path, raster *r, scr_error *error)
{
    static const unsigned char png_mark[4] = {0x89, 'P', 'N', 'G'};
    unsigned char mark[4] = {0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) return scr_fail(error, SCR_IO, "%s: %s", path, strerror(errno));
    bool is_png = fread(mark, 1, sizeof mark, file) == sizeof mark && memcmp(mark, png_mark, sizeof mark) == 0;
    rewind(file);
    scr_status status = is_png ? raster_read_png(file, path, r, error) : SCR_OK;
    fclose(file);
    return is_png ? status : raster_read_gdal(path, r, error);
}

double raster_at(const raster *r, double u, double v)
{
    double x = fmin(fmax(u, 0.0), 1.0) * (double)(r->width - 1),
           y = fmin(fmax(1.0 - v, 0.0), 1.0) * (double)(r->height - 1);
    double ix = fmin(floor(x), (double)r->width - 2.0), iy = fmin(floor(y), (double)r->height - 2.0);
    const double *p = r->value + (int64_t)iy * r->width + (int64_t)ix;
    double north = p[0] + (x - ix) * (p[1] - p[0]), south = p[r->width] + (x - ix) * (p[r->width + 1] - p[r->width]);
    return north + (y - iy) * (south - north);
}
