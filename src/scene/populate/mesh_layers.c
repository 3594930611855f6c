// SPDX-License-Identifier: BSD-3-Clause
#include "scene/populate/mesh_layers.h"

#include <math.h>

#include "collision/query/nearest.h"
#include "core/base/memory.h"
#include "core/maths/rng.h"
#include "core/maths/trig.h"
#include "dynamics/world/world_state.h"
#include "geometry/shape/place_bins.h"
#include "scene/populate/grain_mix.h"
#include "scene/populate/streams.h"

enum { TRIES = 3000 };  // in a row without success end a layer
// Of the tries on a solid: from edges, from corners
static const double EDGE_SHARE = 0.25, CORNER_SHARE = 0.05;
static const double NEARLY = 1.0 - 1e-9;  // of a distance: for rounding
static const double TWO_PI = 6.28318530717958647692;

// A triangle in the world.
typedef struct faced {
    scr_vec3 corner[3], normal;  // m
    double area_before;          // m^2, of all triangles up to this one
    bool is_solid;               // part of a closed surface
} faced;

typedef struct layering {
    const scene_fill *fill;
    placed_shape *mesh;
    int64_t mesh_count, mesh_capacity;
    faced *face;
    int64_t face_count, face_capacity;
    double area;  // m^2
    uint64_t seed, stream, draws;
    double largest;  // m: how far the largest grain reaches from its place
    place_bins places;
} layering;

// ---- the surface ----

static scr_status add_faces(layering *l, const placed_shape *shape, scr_error *error)
{
    const scr_triangles *t = &shape->surface->triangles;
    scr_status status = scr_grow(&l->face, &l->face_capacity, l->face_count + t->triangle_count, sizeof *l->face,
                                 "triangles of a fill", error);
    for (int64_t k = 0; k < t->triangle_count && status == SCR_OK; ++k) {
        faced f = {.is_solid = shape->surface->volume > 0.0};
        for (int c = 0; c < 3; ++c) f.corner[c] = pose_apply(shape->pose, t->vertex[t->triangle[3 * k + c]]);
        scr_vec3 across = vec3_cross(vec3_sub(f.corner[1], f.corner[0]), vec3_sub(f.corner[2], f.corner[0]));
        double twice = vec3_norm(across);
        if (!(twice > 0.0)) continue;
        f.normal = vec3_scale(1.0 / twice, across);
        f.area_before = l->area;
        l->area += 0.5 * twice;
        l->face[l->face_count++] = f;
    }
    return status;
}

// The meshes of a body of the scene's list, as they stand.
static scr_status find_meshes(layering *l, const scr_world *world, scr_error *error)
{
    scr_body_view view = scr_world_bodies(world);
    scr_status status = SCR_OK;
    for (int64_t k = 0; k < scr_world_shape_count(world) && status == SCR_OK; ++k) {
        int64_t body;
        placed_shape shape = world_placed_shape(world, k, &body);
        if (shape.kind != SCR_MESH || view.id[body] != (uint64_t)l->fill->layers_on + 1) continue;
        status = scr_grow(&l->mesh, &l->mesh_capacity, l->mesh_count + 1, sizeof *l->mesh, "meshes of a fill", error);
        if (status != SCR_OK) return status;
        l->mesh[l->mesh_count++] = shape;
        status = add_faces(l, &shape, error);
    }
    return status;
}

// m: how far from the surface a layer's centres are, if a grain reaches so far
static double height_of(const layering *l, int layer, double reach)
{
    return layer == 0 ? reach : l->largest * (1.0 + 2.0 * l->fill->spacing * layer);
}

static scr_aabb bounds_of(const layering *l)
{
    double more = height_of(l, l->fill->layers, l->largest);
    scr_aabb all = {vec3(INFINITY, INFINITY, INFINITY), vec3(-INFINITY, -INFINITY, -INFINITY)};
    for (int64_t k = 0; k < l->mesh_count; ++k) {
        scr_aabb box = placed_aabb(&l->mesh[k]);
        all.low = vec3(fmin(all.low.x, box.low.x), fmin(all.low.y, box.low.y), fmin(all.low.z, box.low.z));
        all.high = vec3(fmax(all.high.x, box.high.x), fmax(all.high.y, box.high.y), fmax(all.high.z, box.high.z));
    }
    return (scr_aabb){vec3_sub(all.low, vec3(more, more, more)), vec3_add(all.high, vec3(more, more, more))};
}

// ---- places ----

static void draw2(layering *l, double u[2])
{
    scr_uniform2(l->seed, (l->stream << STREAM_BITS) + SCATTER_STREAM, l->draws++, u);
}

static const faced *face_at(const layering *l, double area)
{
    int64_t low = 0, high = l->face_count - 1;
    while (low < high) {
        int64_t middle = (low + high + 1) / 2;
        if (l->face[middle].area_before <= area) low = middle;
        else high = middle - 1;
    }
    return &l->face[low];
}

// A point of a surface, and the way from there.
typedef struct outlook {
    scr_vec3 from, along;  // m, unit vector
} outlook;

// From a point of a triangle, all equally likely, along its normal.
static outlook from_face(const faced *f, const double u[2])
{
    double a = u[0], b = u[1];
    if (a + b > 1.0) a = 1.0 - a, b = 1.0 - b;
    scr_vec3 along = vec3_scale(a, vec3_sub(f->corner[1], f->corner[0]));
    return (outlook){vec3_add(f->corner[0], vec3_add_scaled(along, b, vec3_sub(f->corner[2], f->corner[0]))),
                     f->normal};
}

// From a point of an edge across it, between the normal and its opposite on the outer side.
static outlook from_edge(const faced *f, const double u[2], double angle_share)
{
    int k = (int)(3.0 * u[0]);
    scr_vec3 edge = vec3_sub(f->corner[(k + 1) % 3], f->corner[k]),
             outer = vec3_scale(1.0 / vec3_norm(edge), vec3_cross(edge, f->normal));
    double sine, cosine;
    scr_sincos(0.5 * TWO_PI * angle_share, &sine, &cosine);
    return (outlook){vec3_add_scaled(f->corner[k], u[1], edge),
                     vec3_add(vec3_scale(cosine, f->normal), vec3_scale(sine, outer))};
}

// From a corner in any direction above the triangle.
static outlook from_corner(const faced *f, const double u[2], double which)
{
    double sine, cosine, z = 2.0 * u[0] - 1.0, across = sqrt(fmax(0.0, 1.0 - z * z));
    scr_sincos(TWO_PI * u[1], &sine, &cosine);
    scr_vec3 any = vec3(across * cosine, across * sine, z);
    return (outlook){f->corner[(int)(3.0 * which)], vec3_dot(any, f->normal) < 0.0 ? vec3_neg(any) : any};
}

static outlook draw_outlook(layering *l)
{
    double u[6];
    for (int k = 0; k < 3; ++k) draw2(l, u + 2 * k);
    const faced *f = face_at(l, u[0] * l->area);
    if (!f->is_solid || u[1] >= EDGE_SHARE + CORNER_SHARE) return from_face(f, u + 2);
    return u[1] < EDGE_SHARE ? from_edge(f, u + 2, u[4]) : from_corner(f, u + 2, u[4]);
}

static bool try_place(layering *l, double height, scr_vec3 *place)
{
    outlook o = draw_outlook(l);
    *place = vec3_add_scaled(o.from, height, o.along);
    nearest_point nearer;
    for (int64_t k = 0; k < l->mesh_count; ++k)
        if (nearest_on_shape(*place, NEARLY * height, &l->mesh[k], &nearer)) return false;
    return true;
}

static scr_status fill_layer(layering *l, int layer, scr_error *error)
{
    packed_grains *g = l->places.grains;
    scr_status status = SCR_OK;
    for (int misses = 0; misses < TRIES && status == SCR_OK;) {
        if (l->fill->count > 0 && g->count == l->fill->count) return SCR_OK;
        double reach = mix_reach(&l->fill->mix) * size_draw(&l->fill->size, l->seed, l->stream, (uint64_t)g->count);
        scr_vec3 place;
        ++misses;
        if (!try_place(l, height_of(l, layer, reach), &place)) continue;
        if (!place_is_free(&l->places, place, l->fill->spacing * reach)) continue;
        status = place_add(&l->places, place, l->fill->spacing * reach, error);
        misses = 0;
    }
    return status;
}

scr_status mesh_layers_fill(const scene *s, int fill, const scr_world *world, packed_grains *g, scr_error *error)
{
    const scene_fill *f = &s->fills[fill];
    layering l = {.fill = f,
                  .seed = s->seed,
                  .stream = STREAM_FILLS + (uint64_t)fill,
                  .largest = mix_reach(&f->mix) * size_largest(&f->size)};
    scr_status status = find_meshes(&l, world, error);
    l.places = (place_bins){.bounds = bounds_of(&l), .width = 2.0 * f->spacing * l.largest, .grains = g};
    if (status == SCR_OK) status = place_bins_begin(&l.places, error);
    if (status == SCR_OK && g->count != PACKING_TOO_LARGE && l.face_count > 0) {
        for (int k = 0; k < f->layers && status == SCR_OK; ++k) status = fill_layer(&l, k, error);
        for (int64_t i = 0; i < g->count; ++i) g->radius[i] = size_draw(&f->size, l.seed, l.stream, (uint64_t)i);
    }
    place_bins_free(&l.places);
    scr_free(l.face);
    scr_free(l.mesh);
    return status;
}
