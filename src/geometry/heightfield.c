#include "geometry/heightfield.h"

#include <string.h>

static const double SPACING_MIN = 1e-9, COORDINATE_MAX = 1e9;  // m

scr_status heightfield_check(const scr_heights *field, scr_error *error)
{
    for (int axis = 0; axis < 2; ++axis) {
        if (field->size[axis] < 2)
            return scr_fail(error, SCR_BAD_INPUT, "a heightfield needs at least 2 points along x and y, not %d", field->size[axis]);
        if (!(field->spacing[axis] >= SPACING_MIN) || !(field->spacing[axis] * field->size[axis] <= COORDINATE_MAX))
            return scr_fail(error, SCR_BAD_INPUT, "the spacing of a heightfield must be positive, not %g", field->spacing[axis]);
    }
    for (int64_t k = 0; k < (int64_t)field->size[0] * field->size[1]; ++k)
        if (!(fabs(field->height[k]) <= COORDINATE_MAX))
            return scr_fail(error, SCR_BAD_INPUT, "height %lld is %g: it must be a number, at most %g m", (long long)k, field->height[k],
                            COORDINATE_MAX);
    return SCR_OK;
}

void heightfield_points(const scr_heights *field, scr_vec3 *vertex, int32_t *triangle)
{
    int32_t nx = field->size[0], ny = field->size[1];
    for (int32_t iy = 0; iy < ny; ++iy) {
        for (int32_t ix = 0; ix < nx; ++ix) {
            int64_t k = (int64_t)iy * nx + ix;
            vertex[k] = vec3((ix - 0.5 * (nx - 1)) * field->spacing[0], (iy - 0.5 * (ny - 1)) * field->spacing[1], field->height[k]);
        }
    }
    for (int32_t iy = 0; iy + 1 < ny; ++iy) {
        for (int32_t ix = 0; ix + 1 < nx; ++ix, triangle += 6) {
            int32_t corner = iy * nx + ix;
            const int32_t two[6] = {corner, corner + 1, corner + nx + 1, corner, corner + nx + 1, corner + nx};
            memcpy(triangle, two, sizeof two);
        }
    }
}

scr_status heightfield_build(const scr_triangles *triangles, const int32_t size[2], const double spacing[2], heightfield **out,
                             scr_error *error)
{
    (void)triangles;
    heightfield *h = scr_alloc(sizeof *h);
    if (h == NULL) return scr_fail_memory(error, sizeof *h, "a heightfield");
    *h = (heightfield){.size = {size[0], size[1]}, .spacing = {spacing[0], spacing[1]}};
    *out = h;
    return SCR_OK;
}

void heightfield_free(heightfield *field) { scr_free(field); }
