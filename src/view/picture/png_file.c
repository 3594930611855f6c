// SPDX-License-Identifier: BSD-3-Clause
// PNG files.
//
// Cairo writes the file, but not how large it is on paper nor who made it. These are chunks of their own, which we put
// behind the first one: "pHYs" (pixels a metre, twice, and the number 1 for metres) and "tEXt" (a word, a zero, a
// remark).
#include "view/picture/png_file.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "io/file/made_by.h"

enum {
    PNG_BEGIN = 33,   // bytes: the signature and the first chunk
    CONTENT_MAX = 64  // bytes, of a chunk of ours
};

static uint32_t png_checksum(const unsigned char *data, size_t length)  // CRC-32, as PNG defines it
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < length; ++i) {
        sum ^= data[i];
        for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
    return ~sum;
}

static void put_number(unsigned char *to, uint32_t number)
{
    for (int i = 0; i < 4; ++i) to[i] = (unsigned char)(number >> (24 - 8 * i));
}

// A chunk is its length, its name, its content and a checksum of the last two.
static bool write_chunk(FILE *file, const char name[4], const void *content, size_t length)
{
    unsigned char chunk[CONTENT_MAX + 12];
    put_number(chunk, (uint32_t)length);
    memcpy(chunk + 4, name, 4);
    memcpy(chunk + 8, content, length);
    put_number(chunk + 8 + length, png_checksum(chunk + 4, length + 4));
    return fwrite(chunk, 1, length + 12, file) == length + 12;
}

static bool write_paper_size(FILE *file, double dpi)
{
    unsigned char content[9] = {[8] = 1};
    uint32_t pixels = (uint32_t)(dpi / 0.0254 + 0.5);  // a metre
    put_number(content, pixels);
    put_number(content + 4, pixels);
    return write_chunk(file, "pHYs", content, sizeof content);
}

static bool write_maker(FILE *file)
{
    static const char content[] = "Comment\0" MADE_BY_SCREE;
    _Static_assert(sizeof content <= CONTENT_MAX, "the remark fits");
    return write_chunk(file, "tEXt", content, sizeof content - 1);
}

typedef struct png_stream {
    FILE *file;
    double dpi;
    size_t written;  // bytes of Cairo's
} png_stream;

static cairo_status_t write_bytes(void *context, const unsigned char *data, unsigned length)
{
    png_stream *s = context;
    size_t first = 0;
    if (s->written < PNG_BEGIN && s->written + length >= PNG_BEGIN) {
        first = PNG_BEGIN - s->written;
        if (fwrite(data, 1, first, s->file) != first || (s->dpi > 0.0 && !write_paper_size(s->file, s->dpi)) ||
            !write_maker(s->file))
            return CAIRO_STATUS_WRITE_ERROR;
    }
    s->written += length;
    return fwrite(data + first, 1, length - first, s->file) == length - first ? CAIRO_STATUS_SUCCESS
                                                                              : CAIRO_STATUS_WRITE_ERROR;
}

cairo_status_t png_write(cairo_surface_t *surface, double dpi, FILE *file)
{
    png_stream stream = {.file = file, .dpi = dpi};
    return cairo_surface_write_to_png_stream(surface, write_bytes, &stream);
}
