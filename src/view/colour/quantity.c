// SPDX-License-Identifier: BSD-3-Clause
// What colours show, as a number for each shape of a frame.
#include "view/colour/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/threads.h"

// Shares of the shapes, and of forces, that lie inside an automatic range: a few forces are many times the others.
static const float USUAL_SHARE = 0.995f, USUAL_FORCES = 0.97f;
enum { SAMPLE = 1 << 16 };  // of them are sampled

bool colour_is_quantity(colour_by colour)
{
    return colour == COLOUR_RADIUS || colour == COLOUR_SPEED || colour == COLOUR_FORCE || colour == COLOUR_DISPLACEMENT;
}

quantity_name quantity_name_of(colour_by colour)
{
    switch (colour) {
    case COLOUR_RADIUS: return (quantity_name){"Radius", "m"};
    case COLOUR_SPEED: return (quantity_name){"Speed", "m/s"};
    case COLOUR_FORCE: return (quantity_name){"Force", "N"};
    case COLOUR_DISPLACEMENT: return (quantity_name){"Displacement", "m"};
    default: return (quantity_name){"", ""};
    }
}

static float length_of(const float v[3]) { return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static float distance_of(const float a[3], const float b[3])
{
    return length_of((const float[3]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

static void fill_radii(quantity *q, const frame *f)
{
    for (int64_t i = 0; i < f->spheres.count; ++i) q->sphere[i] = f->spheres.radius[i];
    for (int64_t i = 0; i < f->box_count; ++i) q->box[i] = NAN;
    for (int64_t i = 0; i < f->part_count; ++i) {
        const frame_shape *p = &f->parts[i];
        q->part[i] = p->shape == SCR_ELLIPSOID ? cbrtf(p->half[0] * p->half[1] * p->half[2]) : NAN;
    }
}

static void fill_speeds(quantity *q, const frame *f)
{
    for (int64_t i = 0; i < f->spheres.count; ++i) q->sphere[i] = length_of(&f->spheres.velocity[3 * i]);
    for (int64_t i = 0; i < f->box_count; ++i) q->box[i] = length_of(f->boxes[i].velocity);
    for (int64_t i = 0; i < f->part_count; ++i) q->part[i] = length_of(f->parts[i].velocity);
}

static int64_t id_count(const frame *f)  // one more than the highest
{
    uint32_t most = 0;
    for (int64_t i = 0; i < f->spheres.count; ++i) most = f->spheres.id[i] > most ? f->spheres.id[i] : most;
    for (int64_t i = 0; i < f->box_count; ++i) most = f->boxes[i].id > most ? f->boxes[i].id : most;
    for (int64_t i = 0; i < f->part_count; ++i) most = f->parts[i].id > most ? f->parts[i].id : most;
    return (int64_t)most + 1;
}

static scr_status fill_forces(quantity *q, const frame *f, scr_error *error)
{
    int64_t ids = id_count(f);
    size_t bytes = scr_array_bytes(ids, sizeof(float));
    float *sum = scr_alloc(bytes);
    if (sum == NULL) return scr_fail_memory(error, bytes, "the forces of a picture");
    memset(sum, 0, bytes);
    for (int64_t i = 0; i < f->contact_count; ++i) {
        const frame_contact *c = &f->contacts[i];
        for (int end = 0; end < 2; ++end)
            if (c->bodies[end] < ids) sum[c->bodies[end]] += length_of(c->force);
    }
    for (int64_t i = 0; i < f->spheres.count; ++i) q->sphere[i] = sum[f->spheres.id[i]];
    for (int64_t i = 0; i < f->box_count; ++i) q->box[i] = sum[f->boxes[i].id];
    for (int64_t i = 0; i < f->part_count; ++i) q->part[i] = sum[f->parts[i].id];
    scr_free(sum);
    return SCR_OK;
}

// Shapes of one sort by body: the first shape of each body, and after each shape the next of the same body. Shapes of a
// body keep their order from frame to frame, bodies do not.
typedef struct shape_index {
    int64_t *first, *next;
    int64_t id_count;
} shape_index;

// The ids of `count` shapes, `stride` bytes apart.
typedef struct id_list {
    const char *id;
    size_t stride;
    int64_t count;
} id_list;

static uint32_t id_at(const id_list *ids, int64_t i)
{
    uint32_t id;
    memcpy(&id, ids->id + (size_t)i * ids->stride, sizeof id);
    return id;
}

static scr_status index_shapes(shape_index *index, const id_list *ids, scr_error *error)
{
    uint32_t most = 0;
    for (int64_t i = 0; i < ids->count; ++i) most = id_at(ids, i) > most ? id_at(ids, i) : most;
    index->id_count = (int64_t)most + 1;
    size_t first_bytes = scr_array_bytes(index->id_count, sizeof *index->first);
    size_t next_bytes = scr_array_bytes(ids->count + 1, sizeof *index->next);
    index->first = scr_alloc(first_bytes);
    index->next = scr_alloc(next_bytes);
    if (index->first == NULL || index->next == NULL)
        return scr_fail_memory(error, first_bytes + next_bytes, "the displacements of a picture");
    for (int64_t i = 0; i < index->id_count; ++i) index->first[i] = -1;
    for (int64_t i = ids->count - 1; i >= 0; --i) {
        index->next[i] = index->first[id_at(ids, i)];
        index->first[id_at(ids, i)] = i;
    }
    return SCR_OK;
}

// Centres of shapes, likewise `stride` bytes apart, and by how many cells they were moved to be seen.
typedef struct centre_list {
    const char *centre;
    size_t stride;
    const char *image;  // NULL: none was
    size_t image_stride;
    const periodic_cell *period;
} centre_list;

static void load_centre(const centre_list *list, int64_t i, float centre[3])
{
    int32_t image[3];
    memcpy(centre, list->centre + (size_t)i * list->stride, 3 * sizeof *centre);
    if (list->image == NULL || !list->period->any) return;
    memcpy(image, list->image + (size_t)i * list->image_stride, sizeof image);
    for (int axis = 0; axis < 3; ++axis)
        centre[axis] = (float)(centre[axis] + image[axis] * list->period->length[axis]);
}

static scr_status fill_distances(float *value, const id_list *ids, const centre_list *centres, const id_list *first_ids,
                                 const centre_list *first_centres, scr_error *error)
{
    shape_index index = {0};
    scr_status status = index_shapes(&index, first_ids, error);
    for (int64_t i = 0; i < ids->count && status == SCR_OK; ++i) {
        uint32_t id = id_at(ids, i);
        int64_t was = id < index.id_count ? index.first[id] : -1;
        value[i] = NAN;
        if (was < 0) continue;
        float here[3], there[3];
        load_centre(centres, i, here);
        load_centre(first_centres, was, there);
        value[i] = distance_of(here, there);
        index.first[id] = index.next[was];  // the body's next shape is compared with its next one
    }
    scr_free(index.first);
    scr_free(index.next);
    return status;
}

// A member of the first of some records; there may be none.
static const char *member_of(const void *records, size_t offset)
{
    return records != NULL ? (const char *)records + offset : NULL;
}

static centre_list centres_of(const frame_shape *shapes, const periodic_cell *period)
{
    return (centre_list){member_of(shapes, offsetof(frame_shape, position)), sizeof *shapes,
                         member_of(shapes, offsetof(frame_shape, image)), sizeof *shapes, period};
}

static scr_status fill_displacements(quantity *q, const frame *f, const frame *first, scr_error *error)
{
    const frame *both[2] = {f, first};
    id_list ids[3][2];
    centre_list centres[3][2];
    for (int k = 0; k < 2; ++k) {
        const frame *g = both[k];
        ids[0][k] = (id_list){member_of(g->spheres.id, 0), sizeof *g->spheres.id, g->spheres.count};
        ids[1][k] = (id_list){member_of(g->boxes, offsetof(frame_shape, id)), sizeof *g->boxes, g->box_count};
        ids[2][k] = (id_list){member_of(g->parts, offsetof(frame_shape, id)), sizeof *g->parts, g->part_count};
        centres[0][k] =
            (centre_list){member_of(g->spheres.position, 0), 3 * sizeof *g->spheres.position,
                          g->image_count > 0 ? member_of(g->images, 0) : NULL, sizeof *g->images, &g->period};
        centres[1][k] = centres_of(g->boxes, &g->period);
        centres[2][k] = centres_of(g->parts, &g->period);
    }
    float *value[3] = {q->sphere, q->box, q->part};
    scr_status status = SCR_OK;
    for (int sort = 0; sort < 3 && status == SCR_OK; ++sort)
        status = fill_distances(value[sort], &ids[sort][0], &centres[sort][0], &ids[sort][1], &centres[sort][1], error);
    return status;
}

scr_status quantity_init(quantity *q, const frame *f, colour_by colour, const frame *first, scr_error *error)
{
    size_t bytes[3] = {scr_array_bytes(f->spheres.count + 1, sizeof(float)),
                       scr_array_bytes(f->box_count + 1, sizeof(float)),
                       scr_array_bytes(f->part_count + 1, sizeof(float))};
    *q = (quantity){scr_alloc(bytes[0]), scr_alloc(bytes[1]), scr_alloc(bytes[2])};
    scr_status status = SCR_OK;
    if (q->sphere == NULL || q->box == NULL || q->part == NULL)
        status = scr_fail_memory(error, bytes[0] + bytes[1] + bytes[2], "the colours of a picture");
    else if (colour == COLOUR_RADIUS) fill_radii(q, f);
    else if (colour == COLOUR_SPEED) fill_speeds(q, f);
    else if (colour == COLOUR_FORCE) status = fill_forces(q, f, error);
    else status = fill_displacements(q, f, first != NULL ? first : f, error);
    if (status != SCR_OK) quantity_free(q);
    return status;
}

void quantity_free(quantity *q)
{
    scr_free(q->sphere);
    scr_free(q->box);
    scr_free(q->part);
    *q = (quantity){0};
}

// ---- ranges --------------------------------------------------------------------------------------------------------

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// The smallest of 1, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten that is not below x > 0.
static double rounded_up(double x)
{
    static const double steps[] = {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0};
    double power = pow(10.0, floor(log10(x)));
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i)
        if (steps[i] * power >= x * (1.0 - 1e-6)) return steps[i] * power;
    return 10.0 * power;
}

// least: what is below it is nothing.
static quantity_range range_of_sample(float *sample, int64_t count, float share, float least)
{
    qsort(sample, (size_t)count, sizeof *sample, by_value);
    float usual = count > 0 ? sample[(int64_t)(share * (float)(count - 1))] : 0.0f;
    return (quantity_range){0.0, usual > least ? rounded_up(usual) : 1e-3};
}

static void widen(quantity_range *r, float value)
{
    if (!isfinite(value)) return;
    r->min = fmin(r->min, value);
    r->max = fmax(r->max, value);
}

static quantity_range range_of_all(const quantity *q, const frame *f)
{
    quantity_range r = {INFINITY, -INFINITY};
    for (int64_t i = 0; i < f->spheres.count; ++i) widen(&r, q->sphere[i]);
    for (int64_t i = 0; i < f->part_count; ++i) widen(&r, q->part[i]);
    if (!(r.max > 0.0)) return (quantity_range){0.0, 1.0};
    // one size only: the bar's middle
    if (r.max - r.min < 1e-3 * r.max) return (quantity_range){0.8 * r.max, 1.2 * r.max};
    return r;
}

scr_status quantity_range_of(const quantity *q, const frame *f, colour_by colour, quantity_range *range,
                             scr_error *error)
{
    if (colour == COLOUR_RADIUS) {
        *range = range_of_all(q, f);
        return SCR_OK;
    }
    size_t bytes = scr_array_bytes(SAMPLE, sizeof(float));
    float *sample = scr_alloc(bytes);
    if (sample == NULL) return scr_fail_memory(error, bytes, "the range of a picture's colours");
    int64_t spheres = f->spheres.count, flat = spheres + f->box_count, all = flat + f->part_count, count = 0;
    int64_t stride = max_i64(block_count_of(all, SAMPLE), 1);
    for (int64_t i = 0; i < all; i += stride) {
        if (i >= spheres && i < flat && f->boxes[i - spheres].kind != SCR_DYNAMIC) continue;
        if (i >= flat && f->parts[i - flat].kind != SCR_DYNAMIC) continue;
        float value = i < spheres ? q->sphere[i] : i < flat ? q->box[i - spheres] : q->part[i - flat];
        if (isfinite(value)) sample[count++] = value;
    }
    *range = colour == COLOUR_FORCE ? range_of_sample(sample, count, USUAL_FORCES, 0.0f)
                                    : range_of_sample(sample, count, USUAL_SHARE, 1e-6f);
    scr_free(sample);
    return SCR_OK;
}

quantity_range quantity_range_of_forces(const frame *f)
{
    enum { FEW = 4096 };
    float sample[FEW];
    int64_t count = 0, stride = max_i64(block_count_of(f->contact_count, FEW), 1);
    for (int64_t i = 0; i < f->contact_count; i += stride) {
        float force = length_of(f->contacts[i].force);
        if (isfinite(force)) sample[count++] = force;
    }
    return range_of_sample(sample, count, USUAL_FORCES, 0.0f);
}
