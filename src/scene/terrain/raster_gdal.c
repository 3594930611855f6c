// SPDX-License-Identifier: BSD-3-Clause
// GeoTIFF and other rasters through GDAL, where scree was built with it.
#include "scene/terrain/raster.h"

#include <math.h>

#if SCREE_HAVE_GDAL

#include <cpl_conv.h>
#include <cpl_error.h>
#include <gdal.h>

// The size of a pixel, if rows run along x and columns along y, and the unit is no angle.
static void read_pixel_size(GDALDatasetH set, raster *r)
{
    double map[6];
    const char *projection = GDALGetProjectionRef(set);
    bool is_angle = projection != NULL && (projection[0] == 'G' && projection[1] == 'E' && projection[2] == 'O');
    if (is_angle || GDALGetGeoTransform(set, map) != CE_None || map[2] != 0.0 || map[4] != 0.0) return;
    r->pixel[0] = fabs(map[1]);
    r->pixel[1] = fabs(map[5]);
}

static scr_status read_band(GDALDatasetH set, const char *path, raster *r, scr_error *error)
{
    if (GDALGetRasterCount(set) < 1) return scr_fail(error, SCR_BAD_INPUT, "%s has no band of numbers", path);
    GDALRasterBandH band = GDALGetRasterBand(set, 1);
    int width = GDALGetRasterBandXSize(band), height = GDALGetRasterBandYSize(band), has_nothing = 0;
    scr_status status = raster_allocate(r, width, height, path, error);
    if (status != SCR_OK) return status;
    if (GDALRasterIO(band, GF_Read, 0, 0, width, height, r->value, width, height, GDT_Float64, 0, 0) != CE_None)
        return scr_fail(error, SCR_BAD_INPUT, "%s cannot be read: %s", path, CPLGetLastErrorMsg());
    double nothing = GDALGetRasterNoDataValue(band, &has_nothing);
    for (int64_t i = 0; i < r->width * r->height; ++i) {
        bool is_missing = has_nothing != 0 && r->value[i] == nothing;
        if (isfinite(r->value[i]) && !is_missing) continue;
        return scr_fail(error, SCR_BAD_INPUT, "%s: pixel %lld of row %lld %s; fill the gaps of the raster first", path,
                        (long long)(i % r->width), (long long)(i / r->width),
                        is_missing ? "has no data" : "is no number");
    }
    read_pixel_size(set, r);
    return SCR_OK;
}

scr_status raster_read_gdal(const char *path, raster *r, scr_error *error)
{
    *r = (raster){0};
    GDALAllRegister();
    CPLPushErrorHandler(CPLQuietErrorHandler);
    GDALDatasetH set = GDALOpenEx(path, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    scr_status status = SCR_OK;
    if (set == NULL) status = scr_fail(error, SCR_BAD_INPUT, "%s is no raster: %s", path, CPLGetLastErrorMsg());
    else status = read_band(set, path, r, error);
    if (set != NULL) GDALClose(set);
    CPLPopErrorHandler();
    if (status != SCR_OK) raster_free(r);
    return status;
}

#else

scr_status raster_read_gdal(const char *path, raster *r, scr_error *error)
{
    *r = (raster){0};
    return scr_fail(error, SCR_BAD_INPUT,
                    "%s is no PNG image; other rasters, such as GeoTIFF, need GDAL, which this scree was built without",
                    path);
}

#endif
