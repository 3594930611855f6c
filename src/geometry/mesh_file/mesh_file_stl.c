// SPDX-License-Identifier: BSD-3-Clause
// STL: loose triangles, as text or as bytes.
//
//   binary   80 bytes of anything, a 32-bit count, then 50 bytes a triangle: normal, three corners (12 little-endian
//            floats) and two bytes more. A file whose length fits its count is binary, even if it begins with "solid".
//   text     solid NAME  { facet normal x y z  outer loop  { vertex x y z } x 3  endloop  endfacet }  endsolid NAME
// Normals are not used: the order of the corners says where outside is.
#include <ctype.h>
#include <string.h>

#include "geometry/mesh_file/mesh_file_parts.h"

enum { HEADER_BYTES = 84, TRIANGLE_BYTES = 50, COUNT_AT = 80, NORMAL_BYTES = 12 };

static uint32_t word_at(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const char *bytes)
{
    uint32_t bits = word_at(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static scr_status read_binary(mesh_source *s, int64_t count)
{
    const char *at = s->at + HEADER_BYTES;
    scr_status status = SCR_OK;
    for (int64_t k = 0; k < count && status == SCR_OK; ++k, at += TRIANGLE_BYTES) {
        int32_t first = (int32_t)s->out->vertex_count;
        s->line = k + 1;  // there are no lines: messages count triangles
        for (int c = 0; c < 3 && status == SCR_OK; ++c) {
            const char *v = at + NORMAL_BYTES + 12 * c;
            status = soup_add_vertex(s, (scr_vec3){float_at(v), float_at(v + 4), float_at(v + 8)});
        }
        if (status == SCR_OK) status = soup_add_triangle(s, first, first + 1, first + 2);
    }
    return status;
}

static void skip_space(mesh_source *s)
{
    for (; s->at < s->end && (is_blank(*s->at) || *s->at == '\n'); ++s->at) s->line += *s->at == '\n';
}

// Is the next word this one, in any case? If so, it is passed.
static bool take_word(mesh_source *s, const char *word)
{
    size_t n = strlen(word);
    skip_space(s);
    if ((size_t)(s->end - s->at) < n) return false;
    for (size_t k = 0; k < n; ++k)
        if (tolower((unsigned char)s->at[k]) != word[k]) return false;
    if (isalnum((unsigned char)s->at[n])) return false;
    s->at += n;
    return true;
}

static scr_status need_word(mesh_source *s, const char *word)
{
    if (take_word(s, word)) return SCR_OK;
    return s->at < s->end ? source_fail(s, s->line, "'%s' stands where '%s' should be", word_here(s).text, word)
                          : source_fail(s, s->line, "the file ends where '%s' should be", word);
}

static scr_status read_corner(mesh_source *s)
{
    double c[3];
    scr_status status = need_word(s, "vertex");
    for (int k = 0; k < 3 && status == SCR_OK; ++k) status = read_number(s, &c[k]);
    return status == SCR_OK ? soup_add_vertex(s, (scr_vec3){c[0], c[1], c[2]}) : status;
}

// After the word facet. Its normal may be anything that fits on the line.
static scr_status read_facet(mesh_source *s)
{
    int32_t first = (int32_t)s->out->vertex_count;
    next_line(s);
    scr_status status = need_word(s, "outer");
    if (status == SCR_OK) status = need_word(s, "loop");
    for (int c = 0; c < 3 && status == SCR_OK; ++c) status = read_corner(s);
    if (status == SCR_OK) status = need_word(s, "endloop");
    if (status == SCR_OK) status = need_word(s, "endfacet");
    return status == SCR_OK ? soup_add_triangle(s, first, first + 1, first + 2) : status;
}

static scr_status read_words(mesh_source *s)
{
    scr_status status = SCR_OK;
    for (skip_space(s); s->at < s->end && status == SCR_OK; skip_space(s)) {
        if (take_word(s, "facet")) status = read_facet(s);
        else if (take_word(s, "solid") || take_word(s, "endsolid")) next_line(s);
        else return source_fail(s, s->line, "'%s' stands where 'facet' or 'endsolid' should be", word_here(s).text);
    }
    return status;
}

scr_status read_stl(mesh_source *s)
{
    int64_t size = s->end - s->at, count = size >= HEADER_BYTES ? (int64_t)word_at(s->at + COUNT_AT) : 0;
    if (size >= HEADER_BYTES && size == HEADER_BYTES + TRIANGLE_BYTES * count) return read_binary(s, count);
    mesh_source look = *s;
    if (take_word(&look, "solid")) return read_words(s);
    if (size < HEADER_BYTES)
        return source_fail(s, 1, "an STL file begins with 'solid' or has a header of %d bytes", HEADER_BYTES);
    return source_fail(s, 1, "the header promises %lld triangles, %lld bytes, but the file has %lld", (long long)count,
                       (long long)(HEADER_BYTES + TRIANGLE_BYTES * count), (long long)size);
}
