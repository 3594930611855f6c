// SPDX-License-Identifier: BSD-3-Clause
// Making grounds.
#include "scene/terrain/ground.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "scene/terrain/raster.h"

void ground_def_free(ground_def *def)
{
    free(def->raster_path);
    number_pairs_free(&def->profile);
    scr_free(def->features);
}

static scr_status copy_grid(const height_grid *from, height_grid *grid, scr_error *error)
{
    scr_status status = height_grid_create(grid, from->size[0], from->size[1], error);
    if (status != SCR_OK) return status;
    double *height = grid->height;
    *grid = *from;
    grid->height = height;
    memcpy(height, from->height, (size_t)from->size[0] * (size_t)from->size[1] * sizeof *height);
    return SCR_OK;
}

// How large the ground is: as said, or as many pixels as the raster has.
static scr_status find_size(const ground_def *def, const raster *r, double size[2], scr_error *error)
{
    for (int axis = 0; axis < 2; ++axis) {
        double pixel = def->pixel > 0.0 ? def->pixel : r->pixel[axis];
        size[axis] = def->size[axis] > 0.0 ? def->size[axis] : pixel * (double)((axis == 0 ? r->width : r->height) - 1);
        if (!(size[axis] > 0.0))
            return scr_fail(error, SCR_BAD_INPUT,
                            "%s does not say how large its pixels are: give \"pixel\", or the \"size\" of the ground",
                            def->raster_path);
    }
    return SCR_OK;
}

static scr_status lay_grid(const ground_def *def, const raster *r, height_grid *grid, scr_error *error)
{
    double size[2], count[2];
    scr_status status = find_size(def, r, size, error);
    for (int axis = 0; status == SCR_OK && axis < 2; ++axis) {
        count[axis] = (double)(axis == 0 ? r->width : r->height);
        if (def->spacing > 0.0) count[axis] = 1.0 + fmin(fmax(ceil(size[axis] / def->spacing - 1e-6), 1.0), 1e9);
    }
    if (status == SCR_OK) status = height_grid_create(grid, (int64_t)count[0], (int64_t)count[1], error);
    for (int axis = 0; status == SCR_OK && axis < 2; ++axis) {
        grid->spacing[axis] = size[axis] / (grid->size[axis] - 1);
        grid->centre[axis] = def->position[axis];
    }
    return status;
}

// Heights of the raster: grey from black to white, numbers as they are or from the smallest to the largest.
static void add_raster(const ground_def *def, const raster *r, height_grid *grid)
{
    double low = 0.0, scale = 1.0, zero = 0.0;
    if (def->has_range) {
        double smallest = INFINITY, largest = -INFINITY;
        for (int64_t i = 0; i < r->width * r->height; ++i) {
            smallest = fmin(smallest, r->value[i]);
            largest = fmax(largest, r->value[i]);
        }
        if (r->is_grey) smallest = 0.0, largest = 1.0;
        low = def->range[0];
        zero = smallest;
        scale = largest > smallest ? (def->range[1] - low) / (largest - smallest) : 0.0;
    }
    for (int64_t iy = 0; iy < grid->size[1]; ++iy) {
        double v = (double)iy / (grid->size[1] - 1);
        for (int64_t ix = 0; ix < grid->size[0]; ++ix)
            grid->height[iy * grid->size[0] + ix] +=
                low + scale * (raster_at(r, (double)ix / (grid->size[0] - 1), v) - zero);
    }
}

static scr_status make_base(const ground_def *def, height_grid *grid, scr_error *error)
{
    raster r = {0};
    scr_status status = def->raster_path != NULL ? raster_read(def->raster_path, &r, error) : SCR_OK;
    if (status == SCR_OK && r.is_grey && !def->has_range)
        status = scr_fail(error, SCR_BAD_INPUT, "%s is an image: give the heights of black and white as \"range\"",
                          def->raster_path);
    if (status == SCR_OK) status = lay_grid(def, &r, grid, error);
    if (status == SCR_OK && r.value != NULL) add_raster(def, &r, grid);
    raster_free(&r);
    return status;
}

static void add_profile(const ground_def *def, height_grid *grid)
{
    for (int64_t ix = 0; ix < grid->size[0]; ++ix) {
        double z = number_pairs_at(&def->profile, height_grid_x(grid, ix));
        for (int64_t iy = 0; iy < grid->size[1]; ++iy) grid->height[iy * grid->size[0] + ix] += z;
    }
}

scr_status ground_make(const ground_def *def, const height_grid *base, uint64_t seed, uint64_t stream,
                       height_grid *grid, scr_error *error)
{
    scr_status status = base != NULL ? copy_grid(base, grid, error) : make_base(def, grid, error);
    if (status != SCR_OK) return status;
    for (int64_t i = 0; i < (int64_t)grid->size[0] * grid->size[1]; ++i) grid->height[i] += def->height;
    if (def->profile.count > 0) add_profile(def, grid);
    if (def->roughness.present) roughness_add(&def->roughness, seed, stream, grid);
    for (int k = 0; k < def->feature_count; ++k) feature_add(&def->features[k], grid);
    return SCR_OK;
}
