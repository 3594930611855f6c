// SPDX-License-Identifier: BSD-3-Clause
// Detection in layers: a sweep along one axis.
//
// Layers come in order. No sphere of layer k or later reaches below floor_k, so of the earlier ones only those that
// reach up to it can touch any of them: these are kept, the others forgotten. A layer is detected together with what
// was kept, and pairs of kept ones, which have been found before, are left out. So a pair is found once, with the
// later layer of its two spheres, whatever their sizes.
#include "collision/detector/ball_detector.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/threads.h"

enum { BLOCK_CONTACTS = 1 << 18 };  // handed on at a time

static double coordinate(const scr_ball *b, int axis) { return axis == 0 ? b->x : axis == 1 ? b->y : b->z; }

// Keep, in order, those of the first `count` spheres that reach up to the floor.
static int64_t forget_below(scr_detector *d, int64_t count, int axis, double floor)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < count; ++k) {
        const scr_ball *b = &d->layer_ball[k];
        double x = coordinate(b, axis), rounding = 4.0 * DBL_EPSILON * (fabs(x) + b->r);
        if (x + b->r + rounding < floor) continue;
        d->layer_ball[kept] = *b;
        d->layer_id[kept++] = d->layer_id[k];
    }
    return kept;
}

int64_t detector_bytes(const scr_detector *d, int64_t count)
{
    double cells = 2.0 * sizeof(uint32_t), lanes = 4.0 * sizeof(float),
           share = d->pairs.share > 0.0 ? d->pairs.share : 1.0;
    double each = sizeof(scr_ball) + sizeof(int64_t) + sizeof(grid_record) + sizeof(uint64_t) + sizeof(uint32_t) +
                  cells + lanes + share * sizeof(ball_pair);
    double headroom = 1.125;  // of scr_grow_anew
    return (int64_t)(headroom * each * (double)count) + BLOCK_CONTACTS * (int64_t)sizeof(scr_ball_contact);
}

static scr_status grow_layer(scr_detector *d, int64_t kept, int64_t fresh, int64_t budget, int64_t layer,
                             scr_error *error)
{
    if (fresh < 0 || fresh > GRID_BALLS_MAX - kept || detector_bytes(d, kept + fresh) > budget)
        return scr_fail(
            error, SCR_BAD_INPUT,
            "layer %lld has %lld spheres, and %lld reach into it from below: they take about %.3g GB, more than the "
            "budget of %.3g GB",
            (long long)layer, (long long)fresh, (long long)kept, 1e-9 * (double)detector_bytes(d, kept + fresh),
            1e-9 * (double)budget);
    scr_status status = scr_grow(&d->layer_ball, &d->layer_ball_capacity, kept + fresh, sizeof *d->layer_ball,
                                 "a layer of spheres", error);
    if (status == SCR_OK)
        status = scr_grow(&d->layer_id, &d->layer_id_capacity, kept + fresh, sizeof *d->layer_id, "a layer of spheres",
                          error);
    return status;
}

static scr_status hand_on(scr_detector *d, int64_t total, const scr_contact_sink *sink, scr_error *error)
{
    scr_status status = scr_grow_anew(&d->contact, &d->contact_capacity, min_i64(total, BLOCK_CONTACTS),
                                      sizeof *d->contact, "contacts", error);
    int64_t bucket = 0;
    for (int64_t first = 0; first < total && status == SCR_OK; first += BLOCK_CONTACTS) {
        int64_t last = min_i64(first + BLOCK_CONTACTS, total), end = bucket;
        while (d->first_contact[bucket + 1] <= first) ++bucket;
        while (end < d->grid.bucket_count && d->first_contact[end] < last) ++end;
#pragma omp parallel for num_threads(d->threads) schedule(dynamic, 1)
        for (int64_t b = bucket; b < end; ++b) {
            int64_t offset = d->first_contact[b], from = max_i64(first, offset),
                    to = min_i64(last, d->first_contact[b + 1]);
            detector_write(d, b, from - offset, to - offset, d->layer_id, d->contact + (from - first));
        }
        status = sink->take(sink->context, d->contact, last - first, error);
    }
    return status;
}

scr_status scr_detect_layers(scr_detector *d, const scr_ball_layers *layers, int64_t budget,
                             const scr_contact_sink *sink, scr_error *error)
{
    if (layers->axis < 0 || layers->axis > 2)
        return scr_fail(error, SCR_BAD_INPUT, "axis must be 0, 1 or 2, not %d", layers->axis);
    scr_status status = SCR_OK;
    int64_t held = 0;
    for (int64_t k = 0; k < layers->count && status == SCR_OK; ++k) {
        int64_t fresh, total = 0;
        double floor;
        status = layers->measure(layers->context, k, &fresh, &floor, error);
        if (status != SCR_OK) break;
        int64_t kept = forget_below(d, held, layers->axis, floor);
        status = grow_layer(d, kept, fresh, budget, k, error);
        if (status == SCR_OK)
            status = layers->read(layers->context, k, d->layer_ball + kept, d->layer_id + kept, error);
        held = kept + fresh;
        d->old_count = (uint32_t)kept;
        if (status == SCR_OK) status = detector_find_pairs(d, d->layer_ball, held, &total, error);
        if (status == SCR_OK) status = hand_on(d, total, sink, error);
    }
    return status;
}
