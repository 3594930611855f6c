// SPDX-License-Identifier: BSD-3-Clause
#include "fitting/measure.h"

#include "core/base/threads.h"
#include "core/maths/rng.h"
#include "fitting/ball_crowd.h"
#include "fitting/surface_depth.h"
#include "geometry/surface/mesh.h"
#include "geometry/surface/triangle.h"

enum { SAMPLES_MIN = 60000, SAMPLES_MAX = 500000, SAMPLES_A_SPHERE = 10 };  // on the surface
enum { DIRECTIONS = 32, ASCENTS = 8 };                                      // of a sphere
enum { CELLS_A_SIDE = 64 };                                                 // of the box of the part
static const uint64_t SEED = 1;
enum { STREAM_SURFACE = 1, STREAM_VOLUME = 2 };
static const double GOLDEN_ANGLE = 2.39996322972865332;  // rad

// What a measurement works with.
typedef struct measuring {
    const part *part;
    const sphere_set *set;
    ball_crowd crowd;
    int threads;
} measuring;

// How far a point is outside the part, m; negative inside.
static double outside(const measuring *m, scr_vec3 point, scr_vec3 *nearest)
{
    surface_depth found = {0};
    surface_depth_at(m->part->surface, point, INFINITY, &found);
    *nearest = found.nearest;
    return -found.depth;
}

// Points of a spiral over the sphere; which turns by the golden angle from one to the next.
static scr_vec3 spiral_direction(int k)
{
    double z = 1.0 - (2.0 * k + 1.0) / DIRECTIONS, r = sqrt(1.0 - z * z);
    return vec3(r * cos(k * GOLDEN_ANGLE), r * sin(k * GOLDEN_ANGLE), z);
}

// The farthest point of a sphere outside the part is where the way out goes along the radius: from a point outside, the
// point in the direction of its own way out is farther.
static double sphere_protrusion(const measuring *m, const set_sphere *s, double known)
{
    scr_vec3 nearest, at;
    double out = outside(m, s->centre, &nearest);
    // No point can be farther out, even by rounding: so who looked before whom does not matter.
    if (out + s->radius < (1.0 - 1e-9) * known) return known;
    scr_vec3 way = vec3_sub(nearest, s->centre), direction = vec3_unit(out > 0.0 ? vec3_neg(way) : way);
    double best = -INFINITY;
    scr_vec3 from = s->centre, found = nearest;
    for (int k = -1; k < DIRECTIONS; ++k) {
        at = vec3_add_scaled(s->centre, s->radius, k < 0 ? direction : spiral_direction(k));
        double value = outside(m, at, &nearest);
        if (value > best) best = value, from = at, found = nearest;
    }
    for (int k = 0; k < ASCENTS && best > 0.0; ++k) {
        at = vec3_add_scaled(s->centre, s->radius, vec3_unit(vec3_sub(from, found)));
        double value = outside(m, at, &nearest);
        if (!(value > best)) break;
        best = value, from = at, found = nearest;
    }
    return fmax(known, best);
}

static double largest_protrusion(const measuring *m)
{
    double largest = 0.0;
#pragma omp parallel for schedule(dynamic, 64) num_threads(m->threads) reduction(max : largest)
    for (int64_t k = 0; k < m->set->count; ++k) largest = sphere_protrusion(m, &m->set->sphere[k], largest);
    return largest;
}

// Points on the surface, evenly by area.
typedef struct surface_samples {
    int64_t count;
    double *area_before;  // m^2, (triangle_count + 1) of all triangles before
    double *gap;          // m, of each sample
    double *protrusion;   // m
    double *block_sum;
} surface_samples;

static scr_status samples_make(const measuring *m, surface_samples *s, scr_error *error)
{
    const scr_triangles *t = &m->part->surface->triangles;
    int64_t areas = 0, gaps = 0, protrusions = 0, blocks = 0;
    s->count = max_i64(SAMPLES_MIN, min_i64(SAMPLES_MAX, SAMPLES_A_SPHERE * m->set->count));
    scr_status status = scr_grow(&s->area_before, &areas, t->triangle_count + 1, sizeof(double), "samples", error);
    if (status == SCR_OK) status = scr_grow(&s->gap, &gaps, s->count, sizeof(double), "samples", error);
    if (status == SCR_OK) status = scr_grow(&s->protrusion, &protrusions, s->count, sizeof(double), "samples", error);
    if (status == SCR_OK)
        status =
            scr_grow(&s->block_sum, &blocks, block_count_of(s->count, SUM_BLOCK), sizeof(double), "samples", error);
    if (status != SCR_OK) return status;
    s->area_before[0] = 0.0;
    for (int64_t k = 0; k < t->triangle_count; ++k) {
        triangle3 own = triangle_corners(t, k);
        s->area_before[k + 1] = s->area_before[k] + 0.5 * vec3_norm(triangle_area_vector(&own));
    }
    return SCR_OK;
}

static void samples_free(surface_samples *s)
{
    scr_free(s->area_before);
    scr_free(s->gap);
    scr_free(s->protrusion);
    scr_free(s->block_sum);
}

// The last triangle that begins at or before an area.
static int64_t triangle_at(const double *area_before, int64_t count, double area)
{
    int64_t low = 0, high = count;
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        if (area_before[middle] <= area) low = middle;
        else high = middle;
    }
    return low;
}

static scr_vec3 sample_point(const triangle3 *t, uint64_t k)
{
    double u[2];
    scr_uniform2(SEED, STREAM_SURFACE, k, u);
    double root = sqrt(u[0]), b = root * (1.0 - u[1]), c = root * u[1];
    scr_vec3 at = vec3_scale(1.0 - root, t->corner[0]);
    return vec3_add_scaled(vec3_add_scaled(at, b, t->corner[1]), c, t->corner[2]);
}

static void look_along_surface(const measuring *m, surface_samples *s)
{
    const scr_triangles *t = &m->part->surface->triangles;
    double whole = s->area_before[t->triangle_count];
#pragma omp parallel for schedule(dynamic, 256) num_threads(m->threads)
    for (int64_t k = 0; k < s->count; ++k) {
        int64_t at = triangle_at(s->area_before, t->triangle_count, whole * ((double)k + 0.5) / (double)s->count);
        triangle3 own = triangle_corners(t, at);
        scr_vec3 point = sample_point(&own, (uint64_t)k);
        s->gap[k] = crowd_gap(&m->crowd, point);
        s->protrusion[k] = s->gap[k] > 0.0 ? 0.0 : crowd_exit(&m->crowd, point, triangle_normal(&own));
    }
}

// Corners stand out of a set most of all.
static double largest_gap(const measuring *m, const surface_samples *s)
{
    const scr_triangles *t = &m->part->surface->triangles;
    double largest = 0.0;
#pragma omp parallel for schedule(dynamic, 256) num_threads(m->threads) reduction(max : largest)
    for (int64_t k = 0; k < t->vertex_count; ++k) largest = fmax(largest, crowd_gap(&m->crowd, t->vertex[k]));
    for (int64_t k = 0; k < s->count; ++k) largest = fmax(largest, s->gap[k]);
    return largest;
}

static scr_status measure_surface(const measuring *m, fit_errors *out, scr_error *error)
{
    surface_samples s = {0};
    scr_status status = samples_make(m, &s, error);
    if (status == SCR_OK) {
        look_along_surface(m, &s);
        out->gap = largest_gap(m, &s);
        out->mean_gap = scr_sum(s.gap, s.count, s.block_sum, m->threads) / (double)s.count;
        out->mean_protrusion = scr_sum(s.protrusion, s.count, s.block_sum, m->threads) / (double)s.count;
    }
    samples_free(&s);
    return status;
}

// One point in each cell of a grid about the part; of those near the surface, which are on the wrong side of it.
static void measure_volume(const measuring *m, fit_errors *out)
{
    const shape_surface *s = m->part->surface;
    double reach = fit_largest_error(out) * (1.0 + 1e-9);
    scr_vec3 rim = {out->protrusion, out->protrusion, out->protrusion};
    scr_vec3 low = vec3_sub(s->box.low, rim), size = vec3_sub(vec3_add(s->box.high, rim), low);
    const int64_t n = CELLS_A_SIDE, cells = n * n * n;
    int64_t beyond = 0, missing = 0;
#pragma omp parallel for schedule(dynamic, 1024) num_threads(m->threads) reduction(+ : beyond, missing)
    for (int64_t k = 0; k < cells; ++k) {
        double u[2];
        scr_uniform2(SEED, STREAM_VOLUME, (uint64_t)k, u);
        scr_vec3 share = {((double)(k % n) + u[0]) / (double)n, ((double)(k / n % n) + u[1]) / (double)n,
                          ((double)(k / (n * n)) + scr_uniform(SEED, STREAM_VOLUME, (uint64_t)(k + cells))) /
                              (double)n};
        scr_vec3 point = vec3_add(low, vec3_mul(share, size));
        surface_depth found;
        if (!surface_depth_at(s, point, reach, &found)) continue;
        if (found.depth < 0.0) beyond += crowd_gap(&m->crowd, point) == 0.0;
        else missing += !crowd_meets_segment(&m->crowd, point, found.nearest);
    }
    double cell = size.x * size.y * size.z / (double)cells;
    out->volume_outside = cell * (double)beyond;
    out->volume_missing = cell * (double)missing;
}

scr_status fit_measure(const part *p, const sphere_set *set, int threads, fit_errors *out, scr_error *error)
{
    measuring m = {.part = p, .set = set, .threads = threads};
    *out = (fit_errors){0};
    scr_status status = ball_crowd_make(set, &m.crowd, error);
    if (status == SCR_OK) {
        out->protrusion = largest_protrusion(&m);
        status = measure_surface(&m, out, error);
    }
    if (status == SCR_OK) measure_volume(&m, out);
    ball_crowd_free(&m.crowd);
    return status;
}
