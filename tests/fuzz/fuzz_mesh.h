// What the fuzz targets of the mesh readers share: a reader either fails with a sentence that names the file, or gives
// triangles whose corners exist, are places, and are three different ones; and a mesh can be made of these.
#ifndef TESTS_FUZZ_MESH_H
#define TESTS_FUZZ_MESH_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "geometry/mesh_file.h"
#include "geometry/surfaces.h"

static inline void check(int condition)
{
    if (!condition) abort();
}

static inline void check_soup(const triangle_soup *soup)
{
    check(soup->triangle_count > 0);
    for (int64_t k = 0; k < soup->vertex_count; ++k)
        check(isfinite(soup->vertex[k].x) && isfinite(soup->vertex[k].y) && isfinite(soup->vertex[k].z));
    for (int64_t k = 0; k < soup->triangle_count; ++k) {
        const int32_t *t = soup->triangle + 3 * k;
        for (int c = 0; c < 3; ++c) check(t[c] >= 0 && t[c] < soup->vertex_count);
        check(t[0] != t[1] && t[1] != t[2] && t[2] != t[0]);
    }
}

static inline int read_any_mesh(mesh_format format, const char *name, const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (text == NULL) return 0;
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';

    triangle_soup soup;
    scr_error error = {0};
    scr_status status = mesh_read_text(format, text, size, name, 1.0, &soup, &error);
    if (status == SCR_OK) {
        surfaces all;
        scr_triangles view = triangle_soup_view(&soup);
        check_soup(&soup);
        surfaces_init(&all);
        surfaces_add_mesh(&all, &view, &error);
        surfaces_free(&all);
    } else {
        check(strncmp(error.message, name, strlen(name)) == 0 || status == SCR_NO_MEMORY);
        check(soup.vertex == NULL && soup.triangle == NULL);
    }
    triangle_soup_free(&soup);
    free(text);
    return 0;
}

#endif
