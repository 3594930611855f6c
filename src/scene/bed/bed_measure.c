// SPDX-License-Identifier: BSD-3-Clause
// What can be said of a bed in figures.
#include "scene/bed/bed_measure.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "scene/bed/packing_box.h"

static double volume_of(const bed *b, int64_t i) { return b->mass[i] / b->density[b->material[i]]; }

// ---- sizes ---------------------------------------------------------------------------------------------------------

typedef struct sized {
    double radius, mass;
} sized;

static int by_radius(const void *a, const void *b)
{
    double x = ((const sized *)a)->radius, y = ((const sized *)b)->radius;
    return (x > y) - (x < y);
}

static void measure_sizes(sized *grain, int64_t count, bed_figures *f)
{
    static const double part[3] = {0.1, 0.5, 0.9};
    double so_far = 0.0;
    int next = 0;
    qsort(grain, (size_t)count, sizeof *grain, by_radius);
    f->least = grain[0].radius;
    f->most = grain[count - 1].radius;
    for (int64_t i = 0; i < count; ++i) {
        double width = (f->most - f->least) / SIZE_BINS;
        int bin = width > 0.0 ? (int)((grain[i].radius - f->least) / width) : 0;
        f->share[bin < SIZE_BINS ? bin : SIZE_BINS - 1] += grain[i].mass / f->mass;
        so_far += grain[i].mass;
        while (next < 3 && so_far >= part[next] * f->mass * (1.0 - 1e-12)) f->passing[next++] = 2.0 * grain[i].radius;
    }
}

// ---- packing -------------------------------------------------------------------------------------------------------

static packing_box core_of(const bed *b, const bed_figures *f)
{
    packing_box core;
    const double low[3] = {f->low.x, f->low.y, f->low.z}, high[3] = {f->high.x, f->high.y, f->high.z};
    const double margin = f->passing[1];
    for (int axis = 0; axis < 3; ++axis) {
        core.is_open[axis] = b->cell_length[axis] > 0.0;
        core.low[axis] = core.is_open[axis] ? b->cell_low[axis] : low[axis];
        core.high[axis] = core.is_open[axis] ? core.low[axis] + b->cell_length[axis] : high[axis];
        if (core.is_open[axis] || high[axis] - low[axis] < 3.0 * margin) continue;
        core.low[axis] += margin, core.high[axis] -= margin;
    }
    return core;
}

static double packing_within(const bed *b, const packing_box *box)
{
    double solid = 0.0;
    for (int64_t i = 0; i < b->grains.count; ++i) solid += packing_box_solid(box, b->position[i], volume_of(b, i));
    return solid / packing_box_space(box);
}

// Where the bed repeats along z, what of a grain is beyond the seam is in the layer at the other side.
static double packing_of_layer(const bed *b, const packing_box *layer)
{
    packing_box image = *layer;
    double sum = 0.0, length = b->cell_length[2];
    for (int k = length > 0.0 ? -1 : 0; k <= (length > 0.0 ? 1 : 0); ++k) {
        image.low[2] = layer->low[2] + k * length, image.high[2] = layer->high[2] + k * length;
        sum += packing_within(b, &image);
    }
    return sum;
}

static void measure_packing(const bed *b, bed_figures *f)
{
    packing_box box = core_of(b, f);
    f->packing = packing_within(b, &box);
    f->bottom = box.is_open[2] ? box.low[2] : f->low.z;
    f->top = box.is_open[2] ? box.high[2] : f->high.z;
    box.is_open[2] = false;
    for (int k = 0; k < LAYERS; ++k) {
        box.low[2] = f->bottom + (f->top - f->bottom) * k / LAYERS;
        box.high[2] = f->bottom + (f->top - f->bottom) * (k + 1) / LAYERS;
        f->layer[k] = packing_of_layer(b, &box);
    }
}

// ---- contacts ------------------------------------------------------------------------------------------------------

static bool presses(const bed *b, int64_t k)
{
    const float *g = b->impulse + 3 * k;
    return g[0] != 0.0f || g[1] != 0.0f || g[2] != 0.0f;
}

// Several points of one pair follow one another and count once.
static void measure_contacts(const bed *b, uint8_t *neighbours, bed_figures *f)
{
    int64_t pairs = 0;
    int32_t last_a = -1, last_b = -1;
    for (int64_t k = 0; k < b->contacts.count; ++k) {
        int32_t i = b->grain[b->a[k]], j = b->grain[b->b[k]];
        if (!presses(b, k) || (i == last_a && j == last_b)) continue;
        ++pairs;
        neighbours[i] += neighbours[i] < NEIGHBOUR_BINS - 1;
        neighbours[j] += neighbours[j] < NEIGHBOUR_BINS - 1;
        last_a = i, last_b = j;
    }
    f->coordination = 2.0 * (double)pairs / (double)b->grains.count;
    for (int64_t i = 0; i < b->grains.count; ++i) f->neighbours[neighbours[i]] += 1.0 / (double)b->grains.count;
}

static void measure_grains(const bed *b, sized *grain, bed_figures *f)
{
    f->low = vec3(INFINITY, INFINITY, INFINITY);
    f->high = vec3_neg(f->low);
    for (int64_t i = 0; i < b->grains.count; ++i) {
        scr_vec3 x = b->position[i], w = b->spin[i];
        double r = ball_radius_of(volume_of(b, i));
        f->low = vec3(fmin(f->low.x, x.x - r), fmin(f->low.y, x.y - r), fmin(f->low.z, x.z - r));
        f->high = vec3(fmax(f->high.x, x.x + r), fmax(f->high.y, x.y + r), fmax(f->high.z, x.z + r));
        f->mass += b->mass[i];
        f->kinetic += 0.5 * b->mass[i] * vec3_dot(b->velocity[i], b->velocity[i]) +
                      0.5 * (b->inertia[i].x * w.x * w.x + b->inertia[i].y * w.y * w.y + b->inertia[i].z * w.z * w.z);
        grain[i] = (sized){r, b->mass[i]};
    }
}

scr_status bed_measure(const bed *b, bed_figures *figures, scr_error *error)
{
    sized *grain = NULL;
    uint8_t *neighbours = NULL;
    *figures = (bed_figures){0};
    if (b->grains.count == 0) return SCR_OK;
    scr_status status = scr_make_zeros(&grain, b->grains.count, sizeof *grain, "sizes of grains", error);
    if (status == SCR_OK) status = scr_make_zeros(&neighbours, b->grains.count, 1, "contacts of grains", error);
    if (status == SCR_OK) {
        measure_grains(b, grain, figures);
        measure_sizes(grain, b->grains.count, figures);
        measure_contacts(b, neighbours, figures);
        measure_packing(b, figures);
    }
    scr_free(grain);
    scr_free(neighbours);
    return status;
}
