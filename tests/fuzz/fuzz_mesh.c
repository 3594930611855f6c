// SPDX-License-Identifier: BSD-3-Clause
// Any bytes at all as a mesh file of MESH_FORMAT, which the build sets: the reader either fails with a sentence that
// names the file, or gives triangles whose corners exist, are places, and are three different ones; and a mesh can be
// made of these.
#include <math.h>

#include "fuzz/fuzz.h"
#include "geometry/mesh_file/mesh_file.h"
#include "geometry/surface/surfaces.h"

static void check_soup(const triangle_soup *soup)
{
    promise(soup->triangle_count > 0);
    for (int64_t k = 0; k < soup->vertex_count; ++k)
        promise(isfinite(soup->vertex[k].x) && isfinite(soup->vertex[k].y) && isfinite(soup->vertex[k].z));
    for (int64_t k = 0; k < soup->triangle_count; ++k) {
        const int32_t *t = soup->triangle + 3 * k;
        for (int c = 0; c < 3; ++c) promise(t[c] >= 0 && t[c] < soup->vertex_count);
        promise(t[0] != t[1] && t[1] != t[2] && t[2] != t[0]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char name[] = "fuzz.mesh";
    char *text = text_of(data, size);
    triangle_soup soup;
    scr_error error = {0};
    scr_status status = mesh_read_text(MESH_FORMAT, text, size, name, 1.0, &soup, &error);
    if (status == SCR_OK) {
        surfaces all;
        scr_triangles view = triangle_soup_view(&soup);
        check_soup(&soup);
        surfaces_init(&all);
        surfaces_add_mesh(&all, &view, &error);
        surfaces_free(&all);
    } else {
        promise(strncmp(error.message, name, strlen(name)) == 0 || status == SCR_NO_MEMORY);
        promise(soup.vertex == NULL && soup.triangle == NULL);
    }
    triangle_soup_free(&soup);
    free(text);
    return 0;
}
