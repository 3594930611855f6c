// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/surface/heightfield.h"

#include <string.h>

#include "geometry/surface/patches.h"

static const double SPACING_MIN = 1e-9, COORDINATE_MAX = 1e9;  // m

scr_status heightfield_check(const scr_heights *field, scr_error *error)
{
    for (int axis = 0; axis < 2; ++axis) {
        if (field->size[axis] < 2)
            return scr_fail(error, SCR_BAD_INPUT, "a heightfield needs at least 2 points along x and y, not %d",
                            field->size[axis]);
        if (!(field->spacing[axis] >= SPACING_MIN) || !(field->spacing[axis] * field->size[axis] <= COORDINATE_MAX))
            return scr_fail(error, SCR_BAD_INPUT, "the spacing of a heightfield must be positive, not %g",
                            field->spacing[axis]);
    }
    for (int64_t k = 0; k < (int64_t)field->size[0] * field->size[1]; ++k)
        if (!(fabs(field->height[k]) <= COORDINATE_MAX))
            return scr_fail(error, SCR_BAD_INPUT, "height %lld is %g: it must be a number, at most %g m", (long long)k,
                            field->height[k], COORDINATE_MAX);
    return SCR_OK;
}

void heightfield_points(const scr_heights *field, scr_vec3 *vertex, int32_t *triangle)
{
    int32_t nx = field->size[0], ny = field->size[1];
    for (int32_t iy = 0; iy < ny; ++iy) {
        for (int32_t ix = 0; ix < nx; ++ix) {
            int64_t k = (int64_t)iy * nx + ix;
            vertex[k] = vec3((ix - 0.5 * (nx - 1)) * field->spacing[0], (iy - 0.5 * (ny - 1)) * field->spacing[1],
                             field->height[k]);
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

static int32_t next_in_field(const void *field, int32_t e) { return heightfield_next_edge(field, e); }

scr_status heightfield_build(const scr_triangles *triangles, const int32_t size[2], const double spacing[2],
                             heightfield **out, scr_error *error)
{
    heightfield *h = scr_alloc(sizeof *h);
    if (h == NULL) return scr_fail_memory(error, sizeof *h, "a heightfield");
    *h = (heightfield){.size = {size[0], size[1]}, .spacing = {spacing[0], spacing[1]}};
    *out = h;
    int64_t capacity = 0;
    scr_status status =
        scr_grow(&h->patch, &capacity, triangles->triangle_count, sizeof *h->patch, "a heightfield", error);
    return status == SCR_OK ? patches_label(triangles, next_in_field, h, h->patch, error) : status;
}

void heightfield_free(heightfield *field)
{
    if (field == NULL) return;
    scr_free(field->patch);
    scr_free(field);
}

// The first triangle of a cell has the edges south, east, diagonal; the second diagonal, north, west.
int32_t heightfield_next_edge(const heightfield *field, int32_t e)
{
    int32_t width = field->size[0] - 1, depth = field->size[1] - 1, cell = e / 6, ix = cell % width, iy = cell / width;
    switch (e % 6) {
    case 0: return iy > 0 ? 6 * (cell - width) + 4 : e;
    case 1: return ix + 1 < width ? 6 * (cell + 1) + 5 : e;
    case 2: return e + 1;
    case 3: return e - 1;
    case 4: return iy + 1 < depth ? 6 * (cell + width) : e;
    default: return ix > 0 ? 6 * (cell - 1) + 1 : e;
    }
}

int heightfield_fan(const heightfield *field, int32_t vertex, int32_t corner[HEIGHTFIELD_FAN])
{
    int32_t width = field->size[0] - 1, depth = field->size[1] - 1, ix = vertex % field->size[0],
            iy = vertex / field->size[0];
    int32_t cell = iy * width + ix;
    int count = 0;
    bool west = ix > 0, east = ix<width, south = iy> 0, north = iy < depth;
    if (west && south) corner[count++] = 6 * (cell - width - 1) + 2, corner[count++] = 6 * (cell - width - 1) + 4;
    if (east && south) corner[count++] = 6 * (cell - width) + 5;
    if (west && north) corner[count++] = 6 * (cell - 1) + 1;
    if (east && north) corner[count++] = 6 * cell, corner[count++] = 6 * cell + 3;
    return count;
}

// Columns or rows of cells from low to high; none if first > last.
typedef struct cell_span {
    int32_t first, last;
} cell_span;

static cell_span cells_between(const heightfield *field, int axis, double low, double high)
{
    const double slack = 1e-9;  // of a cell: places are rounded
    double last = field->size[axis] - 2, middle = 0.5 * (field->size[axis] - 1);
    double from = floor(low / field->spacing[axis] + middle - slack),
           to = floor(high / field->spacing[axis] + middle + slack);
    if (!(from <= last) || !(to >= 0.0)) return (cell_span){0, -1};
    return (cell_span){(int32_t)fmax(from, 0.0), (int32_t)fmin(to, last)};
}

static void cell_heights(const shape_surface *s, int32_t ix, int32_t iy, double *low, double *high)
{
    int32_t nx = s->heightfield->size[0];
    const scr_vec3 *v = s->triangles.vertex + (int64_t)iy * nx + ix;
    *low = fmin(fmin(v[0].z, v[1].z), fmin(v[nx].z, v[nx + 1].z));
    *high = fmax(fmax(v[0].z, v[1].z), fmax(v[nx].z, v[nx + 1].z));
}

void heightfield_walk(const shape_surface *s, const scr_aabb *box, tree_visit *visit, void *context)
{
    const heightfield *field = s->heightfield;
    cell_span x = cells_between(field, 0, box->low.x, box->high.x),
              y = cells_between(field, 1, box->low.y, box->high.y);
    for (int32_t iy = y.first; iy <= y.last; ++iy) {
        for (int32_t ix = x.first; ix <= x.last; ++ix) {
            double low, high;
            cell_heights(s, ix, iy, &low, &high);
            if (low > box->high.z || high < box->low.z) continue;
            int32_t triangle = 2 * (iy * (field->size[0] - 1) + ix);
            if (!visit(context, triangle) || !visit(context, triangle + 1)) return;
        }
    }
}

int32_t heightfield_triangle_at(const shape_surface *s, double x, double y)
{
    const heightfield *field = s->heightfield;
    double u = x / field->spacing[0] + 0.5 * (field->size[0] - 1),
           v = y / field->spacing[1] + 0.5 * (field->size[1] - 1);
    if (!(u >= 0.0 && v >= 0.0 && u <= field->size[0] - 1 && v <= field->size[1] - 1)) return -1;
    double ix = fmin(floor(u), field->size[0] - 2), iy = fmin(floor(v), field->size[1] - 2);
    int32_t cell = (int32_t)iy * (field->size[0] - 1) + (int32_t)ix;
    return 2 * cell + (v - iy > u - ix);
}

bool heightfield_may_reach(const shape_surface *s, scr_vec3 centre, double radius)
{
    const heightfield *field = s->heightfield;
    cell_span x = cells_between(field, 0, centre.x - radius, centre.x + radius),
              y = cells_between(field, 1, centre.y - radius, centre.y + radius);
    for (int32_t iy = y.first; iy <= y.last; ++iy) {
        for (int32_t ix = x.first; ix <= x.last; ++ix) {
            double low, high;
            cell_heights(s, ix, iy, &low, &high);
            if (centre.z - radius <= high) return true;
        }
    }
    return false;
}
