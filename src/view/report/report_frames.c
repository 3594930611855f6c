// SPDX-License-Identifier: BSD-3-Clause
// The player's data.
#include "view/report/report_frames.h"

#include <math.h>
#include <string.h>

#include "core/base/threads.h"

enum { GRID = UINT16_MAX, SPEED_DECADES = 4 };

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "pages hold little-endian numbers");

void pack_rotation(const float rotation[4], uint16_t word[3])
{
    static const double range = 0.70710678118654752;  // of a component that is not the largest
    double q[4], norm = 0.0;
    int largest = 0;
    for (int k = 0; k < 4; ++k) norm += (double)rotation[k] * rotation[k];
    bool good = isfinite(norm) && norm > 0.0;
    for (int k = 0; k < 4; ++k) {
        q[k] = good ? rotation[k] / sqrt(norm) : k == 0;
        if (fabs(q[k]) > fabs(q[largest])) largest = k;
    }
    double sign = q[largest] < 0.0 ? -1.0 : 1.0;  // q and -q are the same rotation
    for (int k = 0, w = 0; k < 4; ++k) {
        if (k == largest) continue;
        word[w++] = (uint16_t)lround((0.5 + 0.5 * fmax(-1.0, fmin(1.0, sign * q[k] / range))) * INT16_MAX);
    }
    word[0] |= (uint16_t)((largest & 1) << 15);
    word[1] |= (uint16_t)((largest >> 1) << 15);
}

uint8_t pack_speed(float speed, float speed_max)
{
    if (!isfinite(speed) || !(speed > 0.0f) || !(speed_max > 0.0f)) return 0;
    double code = 255.0 + 254.0 / SPEED_DECADES * log10((double)speed / speed_max);
    return code < 1.0 ? 0 : (uint8_t)lround(fmin(code, 255.0));
}

// The grid on which positions of grains are rounded.
typedef struct grid {
    float low[3], step[3];  // m
} grid;

static grid grid_between(vec3f low, vec3f high)
{
    grid g = {{0}, {0}};
    for (int k = 0; k < 3 && low[0] <= high[0]; ++k) {
        g.low[k] = low[k];
        g.step[k] = (high[k] - low[k]) / GRID;
    }
    return g;
}

static void pack_point(const grid *g, const float p[3], uint16_t word[3])
{
    for (int k = 0; k < 3; ++k) {
        float steps = g->step[k] > 0.0f ? (p[k] - g->low[k]) / g->step[k] : 0.0f;
        word[k] = (uint16_t)lroundf(lesser(greater(steps, 0.0f), GRID));
    }
}

// ---- what never changes --------------------------------------------------------------------------------------------

static scr_status write_instances(report_page *page, int run, const report_instances *instances, scr_error *error)
{
    int64_t n = 0, at = 0;
    for (int set = 0; set < ITEM_SETS; ++set) n += instances->set_listed[set];
    unsigned char *data = NULL;
    scr_status status = scr_make_zeros(&data, n, REPORT_INSTANCE_BYTES, "data of a report", error);
    if (status != SCR_OK) return status;
    unsigned char *half = data + 4 * n, *surface = half + 12 * n, *material = surface + 4 * n, *kind = material + n;
    for (int64_t i = 0; i < instances->count; ++i) {
        const report_instance *instance = &instances->instance[i];
        if (!report_is_listed(instance)) continue;
        uint32_t id = (uint32_t)instance->key;
        memcpy(data + 4 * at, &id, 4);
        memcpy(half + 12 * at, instance->half, 12);
        memcpy(surface + 4 * at, &instance->surface, 4);
        material[at] = instance->material;
        kind[at++] = instance->kind;
    }
    page_binary(page, "instances", run, data, (size_t)n * REPORT_INSTANCE_BYTES);
    scr_free(data);
    return SCR_OK;
}

static scr_status write_surface(report_page *page, const char *id, const frame_surfaces *s, int64_t i, scr_error *error)
{
    const frame_surface *item = &s->item[i];
    int64_t vertices = item->vertex_count, triangles = item->triangle_count;
    unsigned char *at = NULL;
    scr_status status = scr_make_zeros(&at, vertices + triangles, 12, "data of a report", error);
    if (status != SCR_OK) return status;
    if (vertices > 0) memcpy(at, &s->vertex[3 * item->first_vertex], 12 * (size_t)vertices);
    if (triangles > 0) memcpy(at + 12 * vertices, &s->triangle[3 * item->first_triangle], 12 * (size_t)triangles);
    page_binary(page, id, i, at, 12 * (size_t)(vertices + triangles));
    scr_free(at);
    return SCR_OK;
}

static scr_status write_surfaces(report_page *page, int run, const frame_surfaces *s, const bool *fits,
                                 report_shown *shown, scr_error *error)
{
    char id[32];
    snprintf(id, sizeof id, "surface-%d", run);
    scr_status status = SCR_OK;
    for (int64_t i = 0; i < s->count && status == SCR_OK; ++i) {
        if (fits[i]) status = write_surface(page, id, s, i, error);
        else ++shown->surfaces_left;
    }
    return status;
}

// ---- what rests -----------------------------------------------------------------------------------------------------

static grid grid_of_rests(const report_instances *instances)
{
    vec3f low = vec3f_all(INFINITY), high = vec3f_all(-INFINITY);
    const report_rest *rest = instances->rests.rest;
    for (int64_t i = 0; i < instances->count; ++i) {
        for (int64_t r = instances->instance[i].watch.rest; r >= 0; r = rest[r].before) {
            low = vec3f_min(low, vec3f_load(rest[r].position));
            high = vec3f_max(high, vec3f_load(rest[r].position));
        }
    }
    return grid_between(low, high);
}

static void pack_rest(unsigned char *data, int64_t n, int64_t at, const grid *g, const report_instance *instance,
                      const report_rest *rest)
{
    uint32_t id = (uint32_t)instance->key;
    uint16_t place[3], first = (uint16_t)rest->first, last = (uint16_t)rest->last;
    pack_point(g, rest->position, place);
    memcpy(data + 4 * at, &id, 4);
    memcpy(data + 4 * n + 4 * at, &instance->half[0], 4);
    memcpy(data + 8 * n + 6 * at, place, 6);
    memcpy(data + 14 * n + 2 * at, &first, 2);
    memcpy(data + 16 * n + 2 * at, &last, 2);
    data[18 * n + at] = instance->material;
}

static scr_status write_rests(report_page *page, int run, const report_instances *instances, scr_error *error)
{
    int64_t n = instances->rest_count, at = 0;
    if (n == 0) return SCR_OK;
    unsigned char *data = NULL;
    scr_status status = scr_make_zeros(&data, 24 + n * REPORT_REST_BYTES, 1, "data of a report", error);
    if (status != SCR_OK) return status;
    grid g = grid_of_rests(instances);
    memcpy(data, g.low, sizeof g.low);
    memcpy(data + 12, g.step, sizeof g.step);
    const report_rest *rest = instances->rests.rest;
    for (int64_t i = 0; i < instances->count; ++i)
        for (int64_t r = instances->instance[i].watch.rest; r >= 0; r = rest[r].before)
            pack_rest(data + 24, n, at++, &g, &instances->instance[i], &rest[r]);
    page_binary(page, "rests", run, data, (size_t)(24 + n * REPORT_REST_BYTES));
    scr_free(data);
    return SCR_OK;
}

// ---- frames --------------------------------------------------------------------------------------------------------

typedef struct frame_writer {
    report_instances *instances;
    const frame *frame;
    extent reach;  // grains outside are not shown
    grid grid;
    report_shape *shape;  // those present of a set
    unsigned char *data;  // of the frame; its capacity is that of all instances
    int64_t size;
    int64_t shown, outliers;
} frame_writer;

static int64_t padded(int64_t size) { return (size + 3) / 4 * 4; }

static int64_t frame_bytes_most(const report_instances *instances)
{
    int64_t bytes = REPORT_FRAME_BYTES;
    for (int set = 0; set < ITEM_SETS; ++set) {
        int64_t listed = instances->set_listed[set];
        bytes += padded((listed + 7) / 8) + padded(listed * report_record_bytes(set));
    }
    return bytes;
}

static grid grid_of(const frame_writer *w)
{
    vec3f low = vec3f_all(INFINITY), high = vec3f_all(-INFINITY);
    const report_items *items = &w->instances->items;
    for (int64_t i = 0; i < items->count; ++i) {
        if (item_is_kept(items->item[i].set)) continue;
        report_shape shape = report_shape_at(w->frame, items->item[i].index);
        if (!report_reaches(&w->reach, shape.position)) continue;
        low = vec3f_min(low, vec3f_load(shape.position));
        high = vec3f_max(high, vec3f_load(shape.position));
    }
    return grid_between(low, high);
}

static void append(frame_writer *w, const void *data, size_t size)
{
    memcpy(w->data + w->size, data, size);
    w->size += (int64_t)size;
}

static void pad(frame_writer *w)
{
    while (w->size % 4 != 0) w->data[w->size++] = 0;
}

static bool is_shown(const frame_writer *w, int set, const report_shape *shape)
{
    if (!item_is_kept(set)) return report_reaches(&w->reach, shape->position);
    return isfinite(shape->position[0] + shape->position[1] + shape->position[2]);
}

// Sets the bits of the instances that are in this frame and collects their shapes. *at is the first item of the set,
// and then that of the next. Items and instances are in the same order.
static int64_t append_presence(frame_writer *w, int set, int64_t *at)
{
    const report_instances *instances = w->instances;
    const report_instance *instance = &instances->instance[instances->set_start[set]];
    const report_instance *end = &instances->instance[instances->set_start[set + 1]];
    int64_t bit = 0, count = 0, bytes = padded((instances->set_listed[set] + 7) / 8);
    unsigned char *presence = w->data + w->size;
    memset(presence, 0, (size_t)bytes);
    w->size += bytes;
    for (; *at < instances->items.count && instances->items.item[*at].set == set; ++*at) {
        const report_item *item = &instances->items.item[*at];
        while (instance < end && !report_instance_is(instance, item)) bit += report_is_listed(instance++);
        report_shape shape = report_shape_at(w->frame, item->index);
        if (instance == end || !is_shown(w, set, &shape)) {
            ++w->outliers;
            continue;
        }
        presence[bit / 8] |= (unsigned char)(1u << (bit % 8));
        w->shape[count++] = shape;
    }
    return count;
}

static void append_set(frame_writer *w, int set, int64_t *at)
{
    int64_t count = append_presence(w, set, at);
    uint16_t word[3];
    for (int64_t i = 0; i < count; ++i) {
        if (item_is_kept(set)) {
            append(w, w->shape[i].position, sizeof w->shape[i].position);
        } else {
            pack_point(&w->grid, w->shape[i].position, word);
            append(w, word, sizeof word);
        }
    }
    for (int64_t i = 0; i < count && item_shape(set) != SCR_SPHERE; ++i) {
        pack_rotation(w->shape[i].rotation, word);
        append(w, word, sizeof word);
    }
    for (int64_t i = 0; i < count; ++i)
        append(w, &(uint8_t){pack_speed(w->shape[i].speed, w->instances->speed_max)}, sizeof(uint8_t));
    pad(w);
    if (!item_is_kept(set)) w->shown += count;
}

// Takes out of the frame's list what rests; how many. Items and instances are in the same order.
static int64_t leave_out_rests(report_instances *instances, int64_t number)
{
    report_items *items = &instances->items;
    int64_t s = 0, count = 0;
    for (int64_t i = 0; i < items->count; ++i) {
        while (s < instances->count && report_instance_is_before(&instances->instance[s], &items->item[i])) ++s;
        bool rests = s < instances->count && report_instance_is(&instances->instance[s], &items->item[i]) &&
                     rest_watch_rests(&instances->instance[s].watch, &instances->rests, number);
        if (!rests) items->item[count++] = items->item[i];
    }
    int64_t left_out = items->count - count;
    items->count = count;
    return left_out;
}

static scr_status pack_frame(frame_writer *w, int64_t number, scr_error *error)
{
    report_instances *instances = w->instances;
    extent grains, subject;
    scr_status status = report_items_list(&instances->items, w->frame, instances->choice, error);
    if (status == SCR_OK) status = report_instances_extents(instances, w->frame, &grains, &subject, error);
    if (status != SCR_OK) return status;
    w->reach = report_reach(&grains);
    w->size = w->outliers = 0;
    w->shown = leave_out_rests(instances, number);
    w->grid = grid_of(w);
    append(w, &w->frame->time, sizeof w->frame->time);
    append(w, w->grid.low, sizeof w->grid.low);
    append(w, w->grid.step, sizeof w->grid.step);
    int64_t at = 0;
    for (int set = 0; set < ITEM_SETS; ++set) append_set(w, set, &at);
    return SCR_OK;
}

static scr_status write_frames(report_page *page, int run, report_instances *instances, trajectory *t,
                               report_shown *shown, scr_error *error)
{
    char id[32];
    snprintf(id, sizeof id, "frame-%d", run);
    frame_writer w = {.instances = instances, .frame = &instances->scratch};
    scr_status status = scr_make_zeros(&w.data, frame_bytes_most(instances), 1, "data of a report", error);
    if (status == SCR_OK)
        status = scr_make_zeros(&w.shape, instances->count, sizeof *w.shape, "data of a report", error);
    for (int64_t i = 0; i < instances->frame_count && status == SCR_OK && page->failure == 0; ++i) {
        status = trajectory_read(t, instances->frame[i], &instances->scratch, error);
        if (status == SCR_OK) status = pack_frame(&w, i, error);
        if (status != SCR_OK) break;
        page_binary(page, id, i, w.data, (size_t)w.size);
        shown->grains_most = max_i64(shown->grains_most, w.shown);
        shown->outliers_most = max_i64(shown->outliers_most, w.outliers);
    }
    scr_free(w.data);
    scr_free(w.shape);
    return status;
}

scr_status report_frames_write(report_page *page, int run, report_instances *instances, trajectory *t,
                               const bool *surface_fits, report_shown *shown, scr_error *error)
{
    *shown = (report_shown){0};
    scr_status status = write_instances(page, run, instances, error);
    if (status == SCR_OK) status = write_rests(page, run, instances, error);
    if (status == SCR_OK) status = write_surfaces(page, run, instances->scratch.surfaces, surface_fits, shown, error);
    if (status == SCR_OK) status = write_frames(page, run, instances, t, shown, error);
    return status;
}
