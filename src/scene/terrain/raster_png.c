// SPDX-License-Identifier: BSD-3-Clause
// Grey PNG images as rasters, through libpng.
//
// libpng leaves by longjmp when a file is broken. What is freed after that lives in a structure of the caller, so that
// no local variable is read which may have been in a register.
#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "core/base/memory.h"
#include "scene/terrain/raster.h"

typedef struct png_job {
    png_structp png;
    png_infop info;
    unsigned char *row;
    char reason[128];
    scr_status status;
} png_job;

static void note_reason(png_structp png, png_const_charp reason)
{
    png_job *job = png_get_error_ptr(png);
    snprintf(job->reason, sizeof job->reason, "%s", reason);
    longjmp(png_jmpbuf(png), 1);
}

static void ignore_warning(png_structp png, png_const_charp reason)
{
    (void)png;
    (void)reason;
}

static bool has_colour(int type) { return (type & (PNG_COLOR_MASK_COLOR | PNG_COLOR_MASK_PALETTE)) != 0; }

// The whole image, which may leave by longjmp. Interlaced ones are not read: that would take all rows at once.
static scr_status read_rows(png_job *job, const char *path, raster *r, scr_error *error)
{
    png_read_info(job->png, job->info);
    int type = png_get_color_type(job->png, job->info), bits = png_get_bit_depth(job->png, job->info);
    if (has_colour(type)) return scr_fail(error, SCR_BAD_INPUT, "%s is a coloured image; a heightmap is grey", path);
    if (png_get_interlace_type(job->png, job->info) != PNG_INTERLACE_NONE)
        return scr_fail(error, SCR_BAD_INPUT, "%s is interlaced; save the heightmap without that", path);
    if (bits < 8) png_set_expand_gray_1_2_4_to_8(job->png);
    png_set_strip_alpha(job->png);
    png_read_update_info(job->png, job->info);
    scr_status status = raster_allocate(r, png_get_image_width(job->png, job->info),
                                        png_get_image_height(job->png, job->info), path, error);
    if (status != SCR_OK) return status;
    size_t bytes = png_get_rowbytes(job->png, job->info);
    job->row = scr_alloc(bytes);
    if (job->row == NULL) return scr_fail_memory(error, bytes, "a row of pixels");
    for (int64_t y = 0; y < r->height; ++y) {
        png_read_row(job->png, job->row, NULL);
        double *value = r->value + y * r->width;
        for (int64_t x = 0; x < r->width; ++x) {
            const unsigned char *two = job->row + 2 * x;
            value[x] = bits == 16 ? (256 * two[0] + two[1]) / 65535.0 : job->row[x] / 255.0;
        }
    }
    png_read_end(job->png, NULL);
    return SCR_OK;
}

static void read_or_note(png_job *job, FILE *file, const char *path, raster *r, scr_error *error)
{
    if (setjmp(png_jmpbuf(job->png)) != 0) {
        job->status = scr_fail(error, SCR_BAD_INPUT, "%s cannot be read: %s", path, job->reason);
        return;
    }
    png_init_io(job->png, file);
    job->status = read_rows(job, path, r, error);
}

scr_status raster_read_png(FILE *file, const char *path, raster *r, scr_error *error)
{
    png_job job = {.status = SCR_OK};
    *r = (raster){.is_grey = true};
    job.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, note_reason, ignore_warning);
    if (job.png != NULL) job.info = png_create_info_struct(job.png);
    if (job.info == NULL) job.status = scr_fail_memory(error, sizeof job, "a PNG reader");
    else read_or_note(&job, file, path, r, error);
    png_destroy_read_struct(&job.png, &job.info, NULL);
    scr_free(job.row);
    if (job.status != SCR_OK) raster_free(r);
    return job.status;
}
