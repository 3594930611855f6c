// SPDX-License-Identifier: BSD-3-Clause
// GeoTIFF and other rasters through GDAL, where scree was built with it.
//
// GDAL brings a hundred libraries. It is loaded when the first raster asks for it: linked, it would make every start of
// the command several times longer.
#include "scene/terrain/raster.h"

#include <math.h>

#if SCREE_HAVE_GDAL

#include <dlfcn.h>
#include <gdal.h>
#include <string.h>

// What is called of it, under GDAL's own names.
static struct gdal_calls {
    __typeof__(GDALAllRegister) *GDALAllRegister;
    __typeof__(GDALOpenEx) *GDALOpenEx;
    __typeof__(GDALClose) *GDALClose;
    __typeof__(GDALGetRasterCount) *GDALGetRasterCount;
    __typeof__(GDALGetRasterBand) *GDALGetRasterBand;
    __typeof__(GDALGetRasterBandXSize) *GDALGetRasterBandXSize;
    __typeof__(GDALGetRasterBandYSize) *GDALGetRasterBandYSize;
    __typeof__(GDALRasterIO) *GDALRasterIO;
    __typeof__(GDALGetRasterNoDataValue) *GDALGetRasterNoDataValue;
    __typeof__(GDALGetGeoTransform) *GDALGetGeoTransform;
    __typeof__(GDALGetProjectionRef) *GDALGetProjectionRef;
    __typeof__(CPLPushErrorHandler) *CPLPushErrorHandler;
    __typeof__(CPLPopErrorHandler) *CPLPopErrorHandler;
    __typeof__(CPLQuietErrorHandler) *CPLQuietErrorHandler;
    __typeof__(CPLGetLastErrorMsg) *CPLGetLastErrorMsg;
} gdal;

// In the order of the members above.
static const char *const names[] = {
    "GDALAllRegister",        "GDALOpenEx",           "GDALClose",
    "GDALGetRasterCount",     "GDALGetRasterBand",    "GDALGetRasterBandXSize",
    "GDALGetRasterBandYSize", "GDALRasterIO",         "GDALGetRasterNoDataValue",
    "GDALGetGeoTransform",    "GDALGetProjectionRef", "CPLPushErrorHandler",
    "CPLPopErrorHandler",     "CPLQuietErrorHandler", "CPLGetLastErrorMsg",
};
_Static_assert(sizeof gdal == sizeof names, "a name for each call");

// Not from two threads at a time: scenes are populated by one.
static scr_status load_gdal(const char *path, scr_error *error)
{
    if (gdal.CPLGetLastErrorMsg != NULL) return SCR_OK;
    void *library = dlopen(SCREE_GDAL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    void *found[sizeof names / sizeof *names];
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        found[i] = library != NULL ? dlsym(library, names[i]) : NULL;
        if (found[i] == NULL)
            return scr_fail(error, SCR_BAD_INPUT,
                            "%s is no PNG image, and GDAL, which reads other rasters, cannot be loaded: %s", path,
                            dlerror());
    }
    memcpy(&gdal, found, sizeof gdal);
    gdal.GDALAllRegister();
    return SCR_OK;
}

// The size of a pixel, if rows run along x and columns along y, and the unit is no angle.
static void read_pixel_size(GDALDatasetH set, raster *r)
{
    double map[6];
    const char *projection = gdal.GDALGetProjectionRef(set);
    bool is_angle = projection != NULL && strncmp(projection, "GEOGCS", 6) == 0;
    if (is_angle || gdal.GDALGetGeoTransform(set, map) != CE_None || map[2] != 0.0 || map[4] != 0.0) return;
    r->pixel[0] = fabs(map[1]);
    r->pixel[1] = fabs(map[5]);
}

static void swap_pixels(raster *r, int64_t a, int64_t b)
{
    double value = r->value[a];
    r->value[a] = r->value[b];
    r->value[b] = value;
}

// Some files begin in the south, or in the east, and say so.
static void put_north_first(GDALDatasetH set, raster *r)
{
    double map[6];
    if (gdal.GDALGetGeoTransform(set, map) != CE_None) return;
    int64_t w = r->width, h = r->height;
    for (int64_t y = 0; map[5] > 0.0 && y < h / 2; ++y)
        for (int64_t x = 0; x < w; ++x) swap_pixels(r, y * w + x, (h - 1 - y) * w + x);
    for (int64_t y = 0; map[1] < 0.0 && y < h; ++y)
        for (int64_t x = 0; x < w / 2; ++x) swap_pixels(r, y * w + x, y * w + w - 1 - x);
}

static scr_status read_band(GDALDatasetH set, const char *path, raster *r, scr_error *error)
{
    if (gdal.GDALGetRasterCount(set) < 1) return scr_fail(error, SCR_BAD_INPUT, "%s has no band of numbers", path);
    GDALRasterBandH band = gdal.GDALGetRasterBand(set, 1);
    int width = gdal.GDALGetRasterBandXSize(band), height = gdal.GDALGetRasterBandYSize(band), has_nothing = 0;
    scr_status status = raster_allocate(r, width, height, path, error);
    if (status != SCR_OK) return status;
    if (gdal.GDALRasterIO(band, GF_Read, 0, 0, width, height, r->value, width, height, GDT_Float64, 0, 0) != CE_None)
        return scr_fail(error, SCR_BAD_INPUT, "%s cannot be read: %s", path, gdal.CPLGetLastErrorMsg());
    double nothing = gdal.GDALGetRasterNoDataValue(band, &has_nothing);
    for (int64_t i = 0; i < r->width * r->height; ++i) {
        bool is_missing = has_nothing != 0 && r->value[i] == nothing;
        if (isfinite(r->value[i]) && !is_missing) continue;
        return scr_fail(error, SCR_BAD_INPUT, "%s: pixel %lld of row %lld %s; fill the gaps of the raster first", path,
                        (long long)(i % r->width), (long long)(i / r->width),
                        is_missing ? "has no data" : "is no number");
    }
    read_pixel_size(set, r);
    put_north_first(set, r);
    return SCR_OK;
}

scr_status raster_read_gdal(const char *path, raster *r, scr_error *error)
{
    *r = (raster){0};
    scr_status status = load_gdal(path, error);
    if (status != SCR_OK) return status;
    gdal.CPLPushErrorHandler(gdal.CPLQuietErrorHandler);
    GDALDatasetH set = gdal.GDALOpenEx(path, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    if (set == NULL) status = scr_fail(error, SCR_BAD_INPUT, "%s is no raster: %s", path, gdal.CPLGetLastErrorMsg());
    else status = read_band(set, path, r, error);
    if (set != NULL) gdal.GDALClose(set);
    gdal.CPLPopErrorHandler();
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
