// SPDX-License-Identifier: BSD-3-Clause
// Contacts of many spheres from nothing: grid, candidates in single precision, exact decision.
//
// Spheres overlap when |xj - xi|^2 < (ri + rj)^2. In double precision both sides are good to a few 1e-16; where they
// differ by less than 1e-12, or come near the ends of the range of doubles, they are formed again with 113 bits, in
// which the differences and squares of doubles of similar size are exact.
#include "collision/detector/ball_detector.h"

#include <float.h>
#include <math.h>

#include "core/arrays/scan.h"
#include "core/base/threads.h"

#if defined(__SIZEOF_FLOAT128__)
typedef __float128 quad;
#else
typedef long double quad;  // where there is no other type of 128 bits, this is one
#endif

static const double TIE = 1e-12, SMALL_SQUARE = 1e-280, LARGE_SQUARE = 1e280;
// Lanes carry radii enlarged by up to 4 epsilon (|x| + |y| + |z| + r) each, and as much may be lost in the test itself.
static const float LANE_BLUR = 32.0f * FLT_EPSILON;
static const float LANE_SURE = 0x1p-20f, LANE_FAR = 0x1p40f;  // where squares are ordinary numbers

static bool decide_closely(const grid_record *a, const grid_record *b)
{
    quad dx = (quad)b->x - (quad)a->x, dy = (quad)b->y - (quad)a->y, dz = (quad)b->z - (quad)a->z;
    quad sum = (quad)a->r + (quad)b->r;
    return dx * dx + dy * dy + dz * dz < sum * sum;
}

static inline bool spheres_overlap(const grid_record *a, const grid_record *b)
{
    double dx = b->x - a->x, dy = b->y - a->y, dz = b->z - a->z, sum = a->r + b->r;
    double d2 = dx * dx + dy * dy + dz * dz, sum2 = sum * sum;
    if (fabs(d2 - sum2) > TIE * sum2 && sum2 > SMALL_SQUARE) return d2 < sum2;  // else, or if it is no number
    return decide_closely(a, b);
}

// Do the balls overlap for sure? The lanes are in the cache, the balls as they came are not, and few are a close call.
static inline bool surely_overlap(const ball_lanes *lanes, uint32_t a, uint32_t b)
{
    float dx = lanes->x[b] - lanes->x[a], dy = lanes->y[b] - lanes->y[a], dz = lanes->z[b] - lanes->z[a];
    float radii = lanes->r[a] + lanes->r[b];
    float size = fabsf(lanes->x[a]) + fabsf(lanes->y[a]) + fabsf(lanes->z[a]) + lanes->r[a] + radii;
    radii -= LANE_BLUR * size;
    return radii > LANE_SURE && radii < LANE_FAR && dx * dx + dy * dy + dz * dz < radii * radii;
}

static inline bool both_are_old(const scr_detector *d, ball_pair pair)
{
    return d->grid.id_of[pair.a] < d->old_count && d->grid.id_of[pair.b] < d->old_count;
}

static int64_t keep_contacts(void *context, ball_pair *pairs, int64_t count)
{
    const scr_detector *d = context;
    const ball_grid *grid = &d->grid;
    const ball_lanes lanes = grid->lanes;
    int64_t kept = 0;
    for (int64_t k = 0; k < count; ++k) {
        ball_pair pair = pairs[k];
        if (d->old_count > 0 && both_are_old(d, pair)) continue;
        if (surely_overlap(&lanes, pair.a, pair.b) ||
            spheres_overlap(grid_entry(grid, pair.a), grid_entry(grid, pair.b)))
            pairs[kept++] = pair;
    }
    return kept;
}

static scr_status report_odd_sphere(const scr_ball *s, int64_t i, scr_error *error)
{
    const struct {
        const char *name;
        double value;
    } field[] = {{"x", s->x}, {"y", s->y}, {"z", s->z}, {"r", s->r}};
    for (size_t k = 0; k < sizeof field / sizeof *field; ++k)
        if (!isfinite(field[k].value))
            return scr_fail(error, SCR_BAD_INPUT, "sphere %lld: %s must be a finite number, not %g", (long long)i,
                            field[k].name, field[k].value);
    return scr_fail(error, SCR_BAD_INPUT, "sphere %lld: r must not be negative, but is %g", (long long)i, s->r);
}

scr_status detector_find_pairs(scr_detector *d, const scr_ball *spheres, int64_t count, int64_t *contact_count,
                               scr_error *error)
{
    if (count < 0 || count > GRID_BALLS_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "a call detects 0 to %lld spheres, not %lld", (long long)GRID_BALLS_MAX,
                        (long long)count);
    scr_status status = ball_grid_build(&d->grid, spheres, NULL, count, d->threads, error);
    if (status != SCR_OK) return status;
    if (d->grid.odd_ball >= 0) return report_odd_sphere(&spheres[d->grid.odd_ball], d->grid.odd_ball, error);
    status = pair_list_find(&d->pairs, &d->grid, d->search, keep_contacts, d, d->threads, error);
    if (status != SCR_OK) return status;

    int64_t buckets = d->grid.bucket_count;
    status = scr_grow_anew(&d->first_contact, &d->first_contact_capacity, buckets + 1, sizeof *d->first_contact,
                           "contacts", error);
    if (status != SCR_OK) return status;
    for (int64_t b = 0; b < buckets; ++b) d->first_contact[b] = d->pairs.count[b];
    *contact_count = scr_scan_i64(d->first_contact, buckets, d->threads);
    return SCR_OK;
}

// The length of a vector whose squares leave the range of doubles.
static double extreme_length(double dx, double dy, double dz)
{
    double largest = fmax(fmax(fabs(dx), fabs(dy)), fabs(dz));
    if (largest == 0.0) return 0.0;
    dx /= largest, dy /= largest, dz /= largest;
    return largest * sqrt(dx * dx + dy * dy + dz * dz);
}

static inline scr_ball_contact contact_of(const ball_grid *grid, ball_pair pair, const int64_t *ids)
{
    const grid_record *a = grid_entry(grid, pair.a), *b = grid_entry(grid, pair.b);
    int64_t i = ids == NULL ? a->id : ids[a->id], j = ids == NULL ? b->id : ids[b->id];
    const grid_record *from = i < j ? a : b, *to = i < j ? b : a;
    double dx = to->x - from->x, dy = to->y - from->y, dz = to->z - from->z;
    double d2 = dx * dx + dy * dy + dz * dz, distance = sqrt(d2), inverse = 1.0 / distance;
    scr_ball_contact c = {
        i < j ? i : j, i < j ? j : i, distance - (from->r + to->r), {dx * inverse, dy * inverse, dz * inverse}};
    if (d2 > SMALL_SQUARE && d2 < LARGE_SQUARE) return c;
    distance = extreme_length(dx, dy, dz);
    c.gap = distance - (from->r + to->r);
    c.normal = distance > 0.0 ? (scr_vec3){dx / distance, dy / distance, dz / distance} : (scr_vec3){1.0, 0.0, 0.0};
    return c;
}

void detector_write(const scr_detector *d, int64_t bucket, int64_t first, int64_t last, const int64_t *ids,
                    scr_ball_contact *out)
{
    const ball_pair *pair = pair_list_bucket(&d->pairs, bucket);
    for (int64_t k = first; k < last; ++k) out[k - first] = contact_of(&d->grid, pair[k], ids);
}

scr_status scr_detector_create(int thread_count, scr_detector **detector, scr_error *error)
{
    if (thread_count < 0)
        return scr_fail(error, SCR_BAD_INPUT, "thread_count must not be negative, but is %d", thread_count);
    scr_detector *d = scr_alloc(sizeof *d);
    if (d == NULL) return scr_fail_memory(error, sizeof *d, "a detector");
    *d = (scr_detector){.threads = thread_count > 0 ? thread_count : scr_core_count(),
                        .search = KERNEL_FOR(true, ball_pairs)};
    *detector = d;
    return SCR_OK;
}

void scr_detector_destroy(scr_detector *d)
{
    if (d == NULL) return;
    ball_grid_free(&d->grid);
    pair_list_free(&d->pairs);
    scr_free(d->first_contact);
    scr_free(d->contact);
    scr_free(d->layer_ball);
    scr_free(d->layer_id);
    scr_free(d);
}

scr_status scr_detect_balls(scr_detector *d, const scr_ball *spheres, int64_t count, const scr_ball_contact **contacts,
                            int64_t *contact_count, scr_error *error)
{
    int64_t total = 0;
    d->old_count = 0;
    scr_status status = detector_find_pairs(d, spheres, count, &total, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&d->contact, &d->contact_capacity, total, sizeof *d->contact, "contacts", error);
    if (status != SCR_OK) return status;
#pragma omp parallel for num_threads(d->threads) schedule(dynamic, 1)
    for (int64_t b = 0; b < d->grid.bucket_count; ++b)
        detector_write(d, b, 0, d->pairs.count[b], NULL, d->contact + d->first_contact[b]);
    *contacts = d->contact;
    *contact_count = total;
    return SCR_OK;
}
