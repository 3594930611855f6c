// SPDX-License-Identifier: BSD-3-Clause
// Pebbles.
#include <math.h>

#include "core/base/memory.h"
#include "core/maths/quat.h"
#include "core/maths/rng.h"
#include "geometry/shape/sampler.h"
#include "scene/populate/grain_shape.h"

enum { SIZE_STEPS = 64 };                             // of a radius between 0 and the next power of two
enum { DRAW_DIRECTIONS, DRAW_DEPTHS, DRAW_FORMS };    // of the generator's streams of a kind
static const double LARGER = 1.0 + 1.0 / SIZE_STEPS;  // by which rounding makes a grain larger at most

double pebble_reach(const scene_pebble *pebble)
{
    scr_vec3 axes = pebble->semi_axes;
    return LARGER * fmax(axes.x, fmax(axes.y, axes.z));
}

double pebble_radius(double radius)
{
    int exponent;
    double share = frexp(radius, &exponent);
    return ldexp(round(share * SIZE_STEPS) / SIZE_STEPS, exponent);
}

void pebble_points(const scene_pebble *pebble, uint64_t seed, uint64_t stream, int form, scr_vec3 *points)
{
    scr_vec3 axes = pebble->semi_axes;
    for (int k = 0; k < pebble->corners; ++k) {
        uint64_t number = (uint64_t)form * (uint64_t)pebble->corners + (uint64_t)k;
        scr_vec3 out = quat_rotate(rotation_draw(seed, stream, number), vec3(1.0, 0.0, 0.0));
        double depth = pebble->roughness * scr_uniform(seed, (stream << STREAM_BITS) + DRAW_DEPTHS, number);
        points[k] = vec3_scale(1.0 - depth, vec3(axes.x * out.x, axes.y * out.y, axes.z * out.z));
    }
}

static scr_status add_hull(pebble_hulls *hulls, scr_world *world, int form, double radius, scr_error *error)
{
    scr_vec3 points[PEBBLE_CORNERS_MAX];
    scr_status status =
        scr_grow(&hulls->hull, &hulls->capacity, hulls->count + 1, sizeof *hulls->hull, "pebbles", error);
    if (status != SCR_OK) return status;
    pebble_points(hulls->pebble, hulls->seed, hulls->stream, form, points);
    for (int k = 0; k < hulls->pebble->corners; ++k) points[k] = vec3_scale(radius, points[k]);
    pebble_hull made = {form, radius, {0}};
    status = scr_world_add_hull(world, hulls->pebble->corners, points, &made.surface, error);
    if (status == SCR_OK) hulls->hull[hulls->count++] = made;
    return status;
}

scr_status pebble_shape(pebble_hulls *hulls, scr_world *world, uint64_t number, double radius, scr_material material,
                        scr_shape *shape, scr_error *error)
{
    double u = scr_uniform(hulls->seed, (hulls->stream << STREAM_BITS) + DRAW_FORMS, number);
    int form = (int)(u * hulls->pebble->forms);
    int64_t at = 0;
    radius = pebble_radius(radius);
    while (at < hulls->count && (hulls->hull[at].form != form || hulls->hull[at].radius != radius)) ++at;
    if (at == hulls->count) {
        scr_status status = add_hull(hulls, world, form, radius, error);
        if (status != SCR_OK) return status;
    }
    *shape = scr_surface_shape(world, hulls->hull[at].surface, material);
    return SCR_OK;
}

void pebble_hulls_free(pebble_hulls *hulls) { scr_free(hulls->hull); }
