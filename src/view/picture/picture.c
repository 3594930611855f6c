// SPDX-License-Identifier: BSD-3-Clause
// Pixels and PNG files.
#include "view/picture/picture.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/file/temporary_file.h"
#include "view/colour/palette.h"
#include "view/picture/png_file.h"
#include "view/stage/light.h"

scr_status picture_init(picture *p, int width, int height, scr_error *error)
{
    size_t bytes = scr_array_bytes((int64_t)width * height, sizeof *p->pixel);
    *p = (picture){.width = width, .height = height, .pixel = scr_alloc(bytes)};
    return p->pixel != NULL ? SCR_OK : scr_fail_memory(error, bytes, "the pixels of a picture");
}

void picture_free(picture *p)
{
    scr_free(p->pixel);
    p->pixel = NULL;
}

// To a byte. Smooth backgrounds would show steps of one level as contours; a fixed pattern of thresholds between them
// (an ordered dither: fractions of the golden ratio's two-dimensional kin) dissolves the steps.
static uint32_t byte_of(float linear, float threshold) { return (uint32_t)(255.0f * srgb_encoded(linear) + threshold); }

static float threshold_at(int x, int y)
{
    float t = 0.75487767f * (float)(x & 1023) + 0.56984029f * (float)(y & 1023);
    return t - floorf(t);
}

void picture_develop(picture *p, const float *radiance)
{
    for (int y = 0; y < p->height; ++y) {
        for (int x = 0; x < p->width; ++x) {
            int64_t i = (int64_t)y * p->width + x;
            vec3f c = light_developed(vec3f_load(&radiance[3 * i]));
            float t = threshold_at(x, y);
            p->pixel[i] = byte_of(c[0], t) << 16 | byte_of(c[1], t) << 8 | byte_of(c[2], t);
        }
    }
}

scr_status picture_write_png(const picture *p, const char *path, scr_error *error)
{
    FILE *file;
    scr_status status = file_open(path, &file, error);
    if (status != SCR_OK) return status;
    cairo_surface_t *surface = cairo_image_surface_create_for_data((unsigned char *)p->pixel, CAIRO_FORMAT_RGB24,
                                                                   p->width, p->height, 4 * p->width);
    errno = 0;
    cairo_status_t result = png_write(surface, p->dpi, file);
    if (fclose(file) != 0) result = CAIRO_STATUS_WRITE_ERROR;
    if (result != CAIRO_STATUS_SUCCESS)
        status = scr_fail(error, SCR_IO, "%s: the picture cannot be written: %s", path,
                          errno != 0 ? strerror(errno) : cairo_status_to_string(result));
    cairo_surface_destroy(surface);
    if (status == SCR_OK) return file_commit(path, error);
    file_abandon(path);
    return status;
}
