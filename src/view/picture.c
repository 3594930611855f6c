// Pixels and PNG files.
#include "view/picture.h"

#include <cairo.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "io/temporary_file.h"
#include "view/light.h"
#include "view/palette.h"

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

// ---- PNG files -----------------------------------------------------------------------------------------------------
//
// Cairo writes the file, but not how large it is on paper. That is a chunk of its own ("pHYs": pixels a metre, twice, and
// the number 1 for metres), which we put behind the first one.

enum { PNG_BEGIN = 33 };  // bytes: the signature and the first chunk

static uint32_t png_checksum(const unsigned char *data, int length)  // CRC-32, as PNG defines it
{
    uint32_t sum = UINT32_MAX;
    for (int i = 0; i < length; ++i) {
        sum ^= data[i];
        for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
    return ~sum;
}

static void put_number(unsigned char *to, uint32_t number)
{
    for (int i = 0; i < 4; ++i) to[i] = (unsigned char)(number >> (24 - 8 * i));
}

static bool write_paper_size(FILE *file, double dpi)
{
    enum { CONTENT = 9 };
    unsigned char chunk[CONTENT + 12] = {[4] = 'p', 'H', 'Y', 's'};
    uint32_t pixels = (uint32_t)(dpi / 0.0254 + 0.5);  // a metre
    put_number(chunk, CONTENT);
    put_number(chunk + 8, pixels);
    put_number(chunk + 12, pixels);
    chunk[16] = 1;
    put_number(chunk + 17, png_checksum(chunk + 4, CONTENT + 4));
    return fwrite(chunk, 1, sizeof chunk, file) == sizeof chunk;
}

typedef struct png_stream {
    FILE *file;
    double dpi;
    size_t written;  // bytes
} png_stream;

static cairo_status_t write_bytes(void *context, const unsigned char *data, unsigned length)
{
    png_stream *s = context;
    size_t first = 0;
    if (s->dpi > 0.0 && s->written < PNG_BEGIN && s->written + length >= PNG_BEGIN) {
        first = PNG_BEGIN - s->written;
        if (fwrite(data, 1, first, s->file) != first || !write_paper_size(s->file, s->dpi)) return CAIRO_STATUS_WRITE_ERROR;
    }
    s->written += length;
    return fwrite(data + first, 1, length - first, s->file) == length - first ? CAIRO_STATUS_SUCCESS
                                                                              : CAIRO_STATUS_WRITE_ERROR;
}

scr_status picture_write_png(const picture *p, const char *path, scr_error *error)
{
    FILE *file;
    scr_status status = file_open(path, &file, error);
    if (status != SCR_OK) return status;
    cairo_surface_t *surface = cairo_image_surface_create_for_data((unsigned char *)p->pixel, CAIRO_FORMAT_RGB24,
                                                                   p->width, p->height, 4 * p->width);
    png_stream stream = {.file = file, .dpi = p->dpi};
    errno = 0;
    cairo_status_t result = cairo_surface_write_to_png_stream(surface, write_bytes, &stream);
    if (fclose(file) != 0) result = CAIRO_STATUS_WRITE_ERROR;
    if (result != CAIRO_STATUS_SUCCESS)
        status = scr_fail(error, SCR_IO, "%s: the picture cannot be written: %s", path,
                          errno != 0 ? strerror(errno) : cairo_status_to_string(result));
    cairo_surface_destroy(surface);
    if (status == SCR_OK) return file_commit(path, error);
    file_abandon(path);
    return status;
}
