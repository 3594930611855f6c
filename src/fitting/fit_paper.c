// SPDX-License-Identifier: BSD-3-Clause
// The sphere through the corners P, Q, R of a triangle whose centre lies below it (the paper's section 3.2).
//
// All centres are on the normal through the circumcentre C; with the circumradius rho and the depth d
//   r^2 = rho^2 + d^2,  d = f r   =>   r = rho / sqrt(1 - f^2)
// which is where the paper's iteration ends.
#include "fitting/fit.h"
#include "geometry/surface/mesh.h"
#include "geometry/surface/triangle.h"

// With a = Q - P, b = R - P, n = a x b:  C = P + (|a|^2 b x n + |b|^2 n x a) / (2 |n|^2).
static set_sphere sphere_through(const triangle3 *t, double f)
{
    scr_vec3 a = vec3_sub(t->corner[1], t->corner[0]), b = vec3_sub(t->corner[2], t->corner[0]);
    scr_vec3 n = triangle_area_vector(t);
    double square = vec3_dot(n, n);
    scr_vec3 to_centre = vec3_add(vec3_scale(vec3_dot(a, a) / (2.0 * square), vec3_cross(b, n)),
                                  vec3_scale(vec3_dot(b, b) / (2.0 * square), vec3_cross(n, a)));
    double radius = vec3_norm(to_centre) / sqrt(1.0 - f * f);
    scr_vec3 centre = vec3_add(t->corner[0], to_centre);
    return (set_sphere){vec3_add_scaled(centre, -f * radius / sqrt(square), n), radius};
}

static scr_status fit_refined(const triangle3 *t, sphere_set *out, scr_error *error)
{
    scr_vec3 middle[3];
    for (int k = 0; k < 3; ++k) middle[k] = vec3_scale(0.5, vec3_add(t->corner[k], t->corner[next_corner(k)]));
    scr_status status = SCR_OK;
    for (int k = 0; k < 3 && status == SCR_OK; ++k) {
        triangle3 at_corner = {{t->corner[k], middle[k], middle[k == 0 ? 2 : k - 1]}};
        status = sphere_set_add(out, sphere_through(&at_corner, 0.0), error);
    }
    triangle3 inner = {{middle[0], middle[1], middle[2]}};
    return status == SCR_OK ? sphere_set_add(out, sphere_through(&inner, 0.0), error) : status;
}

// Where a triangle of the part stands at a sharp edge: along its edges, and at its corners only.
typedef struct sharp_outline {
    bool edge[3], corner[3];
} sharp_outline;

static bool looks_away(const scr_triangles *t, int64_t k, scr_vec3 normal, double cosine)
{
    triangle3 other = triangle_corners(t, k);
    return !triangle_is_flat(&other) && vec3_dot(triangle_normal(&other), normal) < cosine;
}

static sharp_outline find_sharp(const scr_triangles *t, const mesh *m, int64_t k, double cosine)
{
    triangle3 own = triangle_corners(t, k);
    scr_vec3 normal = triangle_normal(&own);
    sharp_outline found = {0};
    for (int c = 0; c < 3; ++c) {
        int32_t vertex = t->triangle[3 * k + c];
        for (int32_t i = m->fan_start[vertex]; i < m->fan_start[vertex + 1]; ++i)
            found.corner[c] |= looks_away(t, m->fan[i] / 3, normal, cosine);
        found.edge[c] = looks_away(t, m->ring[3 * k + c] / 3, normal, cosine);
    }
    return found;
}

// A triangle in rows: point (i, j) is at i / rows along edge 0 and j / rows along edge 2, backwards.
typedef struct row_triangle {
    const triangle3 *whole;
    int rows;
    sharp_outline sharp;
} row_triangle;
typedef struct row_point {
    int i, j;
} row_point;

// The mesh that the paper starts from is as fine as one likes: a size asked for cuts the triangles of the part.
static int rows_of(const triangle3 *t, double size)
{
    double longest = 0.0;
    for (int k = 0; k < 3; ++k) longest = fmax(longest, vec3_norm(vec3_sub(t->corner[next_corner(k)], t->corner[k])));
    return (int)fmin(fmax(ceil(longest / size), 1.0), 1e4);
}

static scr_vec3 position_of(const row_triangle *t, row_point p)
{
    const scr_vec3 *c = t->whole->corner;
    scr_vec3 at = vec3_add_scaled(c[0], (double)p.i / t->rows, vec3_sub(c[1], c[0]));
    return vec3_add_scaled(at, (double)p.j / t->rows, vec3_sub(c[2], c[0]));
}

static bool is_sharp_at(const row_triangle *t, row_point p)
{
    const sharp_outline *s = &t->sharp;
    int rows = t->rows, third = rows - p.i - p.j;
    return (p.j == 0 && s->edge[0]) || (third == 0 && s->edge[1]) || (p.i == 0 && s->edge[2]) ||
           (third == rows && s->corner[0]) || (p.i == rows && s->corner[1]) || (p.j == rows && s->corner[2]);
}

static scr_status fit_piece(const row_triangle *t, const row_point at[3], double f, sphere_set *out, scr_error *error)
{
    triangle3 piece = {{position_of(t, at[0]), position_of(t, at[1]), position_of(t, at[2])}};
    if (is_sharp_at(t, at[0]) || is_sharp_at(t, at[1]) || is_sharp_at(t, at[2])) return fit_refined(&piece, out, error);
    return sphere_set_add(out, sphere_through(&piece, f), error);
}

static scr_status fit_rows(const row_triangle *t, double f, sphere_set *out, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int j = 0; j < t->rows && status == SCR_OK; ++j) {
        for (int i = 0; i + j < t->rows && status == SCR_OK; ++i) {
            const row_point upright[3] = {{i, j}, {i + 1, j}, {i, j + 1}};
            const row_point inverted[3] = {{i + 1, j}, {i + 1, j + 1}, {i, j + 1}};
            status = fit_piece(t, upright, f, out, error);
            if (status == SCR_OK && i + j < t->rows - 1) status = fit_piece(t, inverted, f, out, error);
        }
    }
    return status;
}

scr_status fit_paper(const part *p, const paper_fit *how, sphere_set *out, scr_error *error)
{
    const scr_triangles *t = &p->surface->triangles;
    double cosine = cos(how->sharp_angle);
    scr_status status = SCR_OK;
    *out = (sphere_set){.solid = part_solid(p)};
    for (int64_t k = 0; k < t->triangle_count && status == SCR_OK; ++k) {
        triangle3 own = triangle_corners(t, k);
        if (triangle_is_flat(&own)) continue;
        row_triangle rows = {&own, rows_of(&own, how->size), find_sharp(t, p->surface->mesh, k, cosine)};
        status = fit_rows(&rows, how->f, out, error);
    }
    if (status != SCR_OK) sphere_set_free(out);
    return status;
}
