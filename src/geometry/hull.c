#include "geometry/hull.h"

scr_status hull_of_points(int64_t count, const scr_vec3 *points, scr_triangles *out, scr_error *error)
{
    (void)count, (void)points, (void)out;
    return scr_fail(error, SCR_BAD_INPUT, "no hulls yet");
}

scr_status hull_build(const scr_triangles *triangles, hull **out, scr_error *error)
{
    hull *h = scr_alloc(sizeof *h);
    if (h == NULL) return scr_fail_memory(error, sizeof *h, "a hull");
    h->corner_count = triangles->vertex_count;
    *out = h;
    return SCR_OK;
}

void hull_free(hull *h) { scr_free(h); }
