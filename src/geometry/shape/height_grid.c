// SPDX-License-Identifier: BSD-3-Clause
// Heights over a grid, and balls that touch them.
//
// A ball of radius r over the origin that touches a surface h(x, y) from above has its centre at the largest value of
//   h + sqrt(r^2 - d^2),  d^2 = x^2 + y^2 <= r^2.
// On a triangle h is a plane of slope (a, b), and the sum is concave: its largest value lies at
//   (x, y) = r (a, b) / sqrt(1 + a^2 + b^2),  where it is h(0, 0) + r sqrt(1 + a^2 + b^2),
// if that is in the triangle, else on an edge. An edge at the distance e from the origin is met by a disc of radius
// sqrt(r^2 - e^2), for which the same holds along the edge; beyond an end of it, that end is the best. Below: the same
// with the heights' sign changed.
#include "geometry/shape/height_grid.h"

#include <limits.h>

#include "core/base/memory.h"

scr_status height_grid_create(height_grid *g, int64_t nx, int64_t ny, scr_error *error)
{
    *g = (height_grid){0};
    if (nx < 2 || ny < 2 || nx > INT32_MAX / ny / 6)
        return scr_fail(error, SCR_BAD_INPUT,
                        "heights of %lld x %lld points: there must be at least 2 a side and at most %d", (long long)nx,
                        (long long)ny, INT32_MAX / 6);
    size_t bytes = scr_array_bytes(nx * ny, sizeof *g->height);
    g->height = scr_alloc(bytes);
    if (g->height == NULL) return scr_fail_memory(error, bytes, "heights");
    for (int64_t i = 0; i < nx * ny; ++i) g->height[i] = 0.0;
    g->size[0] = (int32_t)nx;
    g->size[1] = (int32_t)ny;
    return SCR_OK;
}

void height_grid_free(height_grid *g)
{
    scr_free(g->height);
    *g = (height_grid){0};
}

static double coordinate(const height_grid *g, int axis, int64_t index)
{
    return g->centre[axis] + ((double)index - 0.5 * (g->size[axis] - 1)) * g->spacing[axis];
}
double height_grid_x(const height_grid *g, int64_t ix) { return coordinate(g, 0, ix); }
double height_grid_y(const height_grid *g, int64_t iy) { return coordinate(g, 1, iy); }

scr_aabb height_grid_bounds(const height_grid *g)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < (int64_t)g->size[0] * g->size[1]; ++i) {
        low = fmin(low, g->height[i]);
        high = fmax(high, g->height[i]);
    }
    return (scr_aabb){vec3(coordinate(g, 0, 0), coordinate(g, 1, 0), low),
                      vec3(coordinate(g, 0, g->size[0] - 1), coordinate(g, 1, g->size[1] - 1), high)};
}

// A place in cells from the first point, confined to the grid.
static double in_cells(const height_grid *g, int axis, double x)
{
    double u = (x - g->centre[axis]) / g->spacing[axis] + 0.5 * (g->size[axis] - 1);
    return fmin(fmax(u, 0.0), g->size[axis] - 1.0);
}

double height_grid_at(const height_grid *g, double x, double y)
{
    double u = in_cells(g, 0, x), v = in_cells(g, 1, y);
    double ix = fmin(floor(u), g->size[0] - 2.0), iy = fmin(floor(v), g->size[1] - 2.0);
    int64_t nx = g->size[0];
    const double *h = g->height + (int64_t)iy * nx + (int64_t)ix;
    u -= ix;
    v -= iy;
    return v > u ? h[0] + u * (h[nx + 1] - h[nx]) + v * (h[nx] - h[0])
                 : h[0] + u * (h[1] - h[0]) + v * (h[nx + 1] - h[1]);
}

// The highest centre that an edge asks for, of a ball over the origin; points are relative to the place of the ball.
static double above_edge(scr_vec3 a, scr_vec3 b, double radius)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
    dx /= length;
    dy /= length;
    double from = a.x * dx + a.y * dy, to = from + length,
           across = a.x * dy - a.y * dx;  // along the edge, from the foot
    double square = radius * radius - across * across;
    if (!(square >= 0.0)) return -INFINITY;
    double disc = sqrt(square), slope = (b.z - a.z) / length;
    if (from > disc || to < -disc) return -INFINITY;
    double at = fmin(fmax(disc * slope / sqrt(1.0 + slope * slope), from), to);
    return a.z + slope * (at - from) + sqrt(fmax(0.0, square - at * at));
}

static bool is_left(scr_vec3 a, scr_vec3 b, double x, double y)
{
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) >= 0.0;
}

// The same of a triangle, counter-clockwise, whose plane rises by (p, q) along x and y.
static double above_triangle(const scr_vec3 t[3], double p, double q, double radius)
{
    double root = sqrt(1.0 + p * p + q * q), x = radius * p / root, y = radius * q / root;
    if (is_left(t[0], t[1], x, y) && is_left(t[1], t[2], x, y) && is_left(t[2], t[0], x, y))
        return t[0].z - p * t[0].x - q * t[0].y + radius * root;
    return fmax(above_edge(t[0], t[1], radius), fmax(above_edge(t[1], t[2], radius), above_edge(t[2], t[0], radius)));
}

// The same of the cell at (ix, iy). side: 1 for the surface, -1 for it upside down.
static double above_cell(const height_grid *g, int64_t ix, int64_t iy, double x, double y, double radius, double side)
{
    int64_t nx = g->size[0];
    const double *h = g->height + iy * nx + ix;
    double dx = g->spacing[0], dy = g->spacing[1], left = coordinate(g, 0, ix) - x, low = coordinate(g, 1, iy) - y;
    const scr_vec3 corner[4] = {vec3(left, low, side * h[0]), vec3(left + dx, low, side * h[1]),
                                vec3(left + dx, low + dy, side * h[nx + 1]), vec3(left, low + dy, side * h[nx])};
    const scr_vec3 first[3] = {corner[0], corner[1], corner[2]}, second[3] = {corner[0], corner[2], corner[3]};
    return fmax(above_triangle(first, (corner[1].z - corner[0].z) / dx, (corner[2].z - corner[1].z) / dy, radius),
                above_triangle(second, (corner[2].z - corner[3].z) / dx, (corner[3].z - corner[0].z) / dy, radius));
}

static double highest_corner(const height_grid *g, int64_t ix, int64_t iy, double side)
{
    int64_t nx = g->size[0];
    const double *h = g->height + iy * nx + ix;
    return fmax(fmax(side * h[0], side * h[1]), fmax(side * h[nx], side * h[nx + 1]));
}

static double above_surface(const height_grid *g, double x, double y, double radius, double side)
{
    double best = side * height_grid_at(g, x, y) + radius;  // it reaches down to the place under its centre at least
    int64_t first[2], last[2];
    const double at[2] = {x, y};
    for (int axis = 0; axis < 2; ++axis) {
        first[axis] = (int64_t)floor(in_cells(g, axis, at[axis] - radius));
        last[axis] = (int64_t)floor(in_cells(g, axis, at[axis] + radius));
        if (first[axis] > g->size[axis] - 2) first[axis] = g->size[axis] - 2;
        if (last[axis] > g->size[axis] - 2) last[axis] = g->size[axis] - 2;
    }
    for (int64_t iy = first[1]; iy <= last[1]; ++iy)
        for (int64_t ix = first[0]; ix <= last[0]; ++ix)
            if (highest_corner(g, ix, iy, side) + radius > best)
                best = fmax(best, above_cell(g, ix, iy, x, y, radius, side));
    return best;
}

double ball_above(const height_grid *g, double x, double y, double radius)
{
    return above_surface(g, x, y, radius, 1.0);
}
double ball_below(const height_grid *g, double x, double y, double radius)
{
    return -above_surface(g, x, y, radius, -1.0);
}
