// SPDX-License-Identifier: BSD-3-Clause
// The hull of points, by Qhull (its reentrant library).
//
// Qhull gets the points moved to the middle of their box and scaled by a power of two, so that a bolt in metres and a
// mountain in millimetres are the same to it, and says which points are corners and which three make a triangle. The
// corners' coordinates are the given ones, to the last bit. Corners keep the order of the points.
//
// A hull must have some thickness: with volume V and area A, the largest ball inside a convex solid has a radius
// between V/A and 3 V/A. Points nearer to a plane than a share THIN of their extent are refused as lying in it.
#include <libqhull_r/qhull_ra.h>

#include <stdio.h>
#include <stdlib.h>

#include "core/text/memory_stream.h"
#include "geometry/surface/hull.h"

static const double COORDINATE_MAX = 1e9;  // m
static const double EXTENT_MIN = 1e-9;     // m
static const double THIN = 1e-8;
static const int64_t POINT_MAX = 100000000;

// One run of Qhull and what goes with it.
typedef struct qhull_run {
    qhT qh;
    double *coordinate;  // 3 a point
    char *messages;      // what Qhull would print
    size_t message_bytes;
    FILE *message_file;
} qhull_run;

static scr_status check_points(int64_t count, const scr_vec3 *points, scr_error *error)
{
    if (count < 4)
        return scr_fail(error, SCR_BAD_INPUT, "a hull needs at least 4 points, but there are %lld", (long long)count);
    if (count > POINT_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "a hull can be made from at most %lld points, not %lld",
                        (long long)POINT_MAX, (long long)count);
    for (int64_t k = 0; k < count; ++k) {
        scr_vec3 p = points[k];
        if (!(fabs(p.x) <= COORDINATE_MAX && fabs(p.y) <= COORDINATE_MAX && fabs(p.z) <= COORDINATE_MAX))
            return scr_fail(error, SCR_BAD_INPUT,
                            "point %lld is at (%g, %g, %g): coordinates must be numbers, at most %g m", (long long)k,
                            p.x, p.y, p.z, COORDINATE_MAX);
    }
    return SCR_OK;
}

// The points' coordinates as Qhull sees them.
static scr_status scale_points(int64_t count, const scr_vec3 *points, double *scaled, scr_error *error)
{
    scr_vec3 low = points[0], high = points[0];
    for (int64_t k = 1; k < count; ++k) {
        low = vec3(fmin(low.x, points[k].x), fmin(low.y, points[k].y), fmin(low.z, points[k].z));
        high = vec3(fmax(high.x, points[k].x), fmax(high.y, points[k].y), fmax(high.z, points[k].z));
    }
    scr_vec3 middle = vec3_scale(0.5, vec3_add(low, high)), size = vec3_sub(high, low);
    double extent = fmax(size.x, fmax(size.y, size.z));
    if (!(extent >= EXTENT_MIN))
        return scr_fail(error, SCR_BAD_INPUT, "all points of the hull are within %g m of each other", EXTENT_MIN);
    int exponent;
    frexp(extent, &exponent);
    double scale = ldexp(1.0, 1 - exponent);
    for (int64_t k = 0; k < count; ++k) {
        scr_vec3 p = vec3_scale(scale, vec3_sub(points[k], middle));
        scaled[3 * k] = p.x, scaled[3 * k + 1] = p.y, scaled[3 * k + 2] = p.z;
    }
    return SCR_OK;
}

static scr_status qhull_failure(int code, scr_error *error)
{
    switch (code) {
    case qh_ERRsingular:
        return scr_fail(error, SCR_BAD_INPUT, "the points of the hull lie in one plane: it needs some thickness");
    case qh_ERRmem: return scr_fail(error, SCR_NO_MEMORY, "not enough memory for a hull");
    default:
        return scr_fail(error, SCR_BAD_INPUT,
                        "no hull of these points can be told from rounding (Qhull gave up with code %d)", code);
    }
}

// Which three points make each triangle, counter-clockwise seen from outside. *given is the caller's to free.
static scr_status read_triangles(qhull_run *run, int64_t point_count, int32_t **given, int64_t *count, scr_error *error)
{
    qhT *qh = &run->qh;
    facetT *facet;
    *count = 0;
    FORALLfacets { *count += 1; }
    size_t bytes = scr_array_bytes(3 * *count, sizeof **given);
    *given = scr_alloc(bytes);
    if (*given == NULL) return scr_fail_memory(error, bytes, "the triangles of a hull");
    int32_t *at = *given;
    FORALLfacets
    {
        int corners = 0;
        bool forward = !facet->toporient;  // Qhull looks from below
        vertexT *vertex, **vertexp;
        FOREACHvertex_(facet->vertices)
        {
            int64_t point = (vertex->point - run->coordinate) / 3;
            if (corners == 3 || point < 0 || point >= point_count) return qhull_failure(qh_ERRqhull, error);
            at[forward ? corners : 2 - corners] = (int32_t)point;
            ++corners;
        }
        if (corners != 3) return qhull_failure(qh_ERRqhull, error);
        at += 3;
    }
    return SCR_OK;
}

static scr_status run_qhull(int64_t count, const scr_vec3 *points, int32_t **given, int64_t *triangle_count,
                            scr_error *error)
{
    size_t bytes = scr_array_bytes(3 * count, sizeof(double));
    qhull_run *run = scr_alloc(sizeof *run);
    if (run == NULL) return scr_fail_memory(error, sizeof *run, "a hull");
    run->coordinate = scr_alloc(bytes);
    run->message_file = memory_stream_open(&run->messages, &run->message_bytes);
    scr_status status = SCR_OK;
    if (run->coordinate == NULL || run->message_file == NULL) {
        status = scr_fail_memory(error, bytes, "the points of a hull");
        goto done;
    }
    status = scale_points(count, points, run->coordinate, error);
    if (status != SCR_OK) goto done;

    // Qt: triangles only. Q12: no giving up over wide facets; the triangles are checked afterwards. Pp: no warnings.
    char command[] = "qhull Qt Q12 Pp";
    qh_zero(&run->qh, run->message_file);
    int code = qh_new_qhull(&run->qh, 3, (int)count, run->coordinate, False, command, NULL, run->message_file);
    status = code == qh_ERRnone ? read_triangles(run, count, given, triangle_count, error) : qhull_failure(code, error);
    int long_blocks, long_bytes;
    qh_freeqhull(&run->qh, !qh_ALL);
    qh_memfreeshort(&run->qh, &long_blocks, &long_bytes);
done:
    if (run->message_file != NULL) {
        fclose(run->message_file);
        free(run->messages);
    }
    scr_free(run->coordinate);
    scr_free(run);
    return status;
}

// Number the points that are corners, in the order of the points, and renumber the triangles. corner_of is scratch.
static int64_t number_corners(int64_t point_count, int64_t triangle_count, int32_t *triangle, int32_t *corner_of)
{
    int64_t corner_count = 0;
    for (int64_t k = 0; k < point_count; ++k) corner_of[k] = 0;
    for (int64_t k = 0; k < 3 * triangle_count; ++k) corner_of[triangle[k]] = 1;
    for (int64_t k = 0; k < point_count; ++k) corner_of[k] = corner_of[k] == 1 ? (int32_t)corner_count++ : -1;
    for (int64_t k = 0; k < 3 * triangle_count; ++k) triangle[k] = corner_of[triangle[k]];
    return corner_count;
}

static scr_status check_thickness(const scr_triangles *t, scr_error *error)
{
    double area = 0.0;
    scr_vec3 low = t->vertex[0], high = low;
    for (int64_t k = 0; k < t->triangle_count; ++k) {
        const int32_t *c = t->triangle + 3 * k;
        scr_vec3 a = t->vertex[c[0]], b = t->vertex[c[1]], d = t->vertex[c[2]];
        area += 0.5 * vec3_norm(vec3_cross(vec3_sub(b, a), vec3_sub(d, a)));
        low = vec3(fmin(low.x, a.x), fmin(low.y, a.y), fmin(low.z, a.z));
        high = vec3(fmax(high.x, a.x), fmax(high.y, a.y), fmax(high.z, a.z));
    }
    double extent = vec3_norm(vec3_sub(high, low));
    if (3.0 * triangles_solid(t).volume > THIN * extent * area) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT,
                    "the points of the hull lie in one plane, or nearly: it must be thicker than %g of its extent",
                    THIN);
}

scr_status hull_of_points(int64_t count, const scr_vec3 *points, scr_triangles *out, scr_error *error)
{
    int32_t *triangle = NULL, *corner_of = NULL;
    scr_vec3 *vertex = NULL;
    int64_t triangle_count = 0;
    scr_status status = check_points(count, points, error);
    if (status == SCR_OK) status = run_qhull(count, points, &triangle, &triangle_count, error);
    if (status != SCR_OK) goto fail;

    size_t bytes = scr_array_bytes(count, sizeof *corner_of);
    corner_of = scr_alloc(bytes);
    if (corner_of == NULL) {
        status = scr_fail_memory(error, bytes, "the corners of a hull");
        goto fail;
    }
    int64_t corner_count = number_corners(count, triangle_count, triangle, corner_of);
    if (corner_count > HULL_CORNER_MAX) {
        status = scr_fail(error, SCR_BAD_INPUT, "a hull has at most %d corners, not %lld: leave out some points",
                          HULL_CORNER_MAX, (long long)corner_count);
        goto fail;
    }
    bytes = scr_array_bytes(corner_count, sizeof *vertex);
    vertex = scr_alloc(bytes);
    if (vertex == NULL) {
        status = scr_fail_memory(error, bytes, "the corners of a hull");
        goto fail;
    }
    for (int64_t k = 0; k < count; ++k)
        if (corner_of[k] >= 0) vertex[corner_of[k]] = points[k];
    *out = (scr_triangles){corner_count, triangle_count, vertex, triangle};
    status = check_thickness(out, error);
    if (status != SCR_OK) goto fail;
    scr_free(corner_of);
    return SCR_OK;
fail:
    *out = (scr_triangles){0};
    scr_free(vertex);
    scr_free(corner_of);
    scr_free(triangle);
    return status;
}
