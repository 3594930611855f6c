// SPDX-License-Identifier: BSD-3-Clause
// Glass, sunlight, sky and one bounce, for every pixel.
#include "view/render/tracer.h"

#include <omp.h>
#include <string.h>

#include "view/render/sampling.h"

enum { TILE = 16 };        // pixels along the edge of the square a thread works on
enum { PANES = 48 };       // glass surfaces a camera ray passes at most
enum { GLASS_DEPTH = 8 };  // glass boxes it is inside of at the same time

static const float GLASS_SHINE = 2.0f;    // how much brighter than the sky its reflections are
static const float GLASS_TINT = 0.035f;   // share of light a pane's surface replaces by its own colour
static const float GLASS_RIM = 0.20f;     // the same for the narrow faces of a plate
static const float GLASS_EDGE = 0.60f;    // and for the lines along edges
static const float EDGE_WIDTH = 1.8e-3f;  // of those lines, in heights of the picture
static const float LATER_BOUNCES = 0.5f;  // sky that a surface hit by a bounce is assumed to see
static const float GLOSS = 0.2f;          // strength of highlights

static vec3f albedo_of(const tracer *t, const surface *hit)
{
    switch (hit->kind) {
    case SURFACE_SPHERE: return vec3f_load(&t->paint->sphere[3 * hit->index]);
    case SURFACE_BOX: return vec3f_load(&t->paint->box[3 * hit->index]);
    case SURFACE_PART: return vec3f_load(&t->paint->part[3 * hit->index]);
    case SURFACE_PATCH: break;
    }
    const plane_patch *patch = &t->stage->patches[hit->index];
    return appearance_colour(&t->paint->appearance, patch->id, patch->ground ? t->paint->ground : t->paint->wall);
}

static uint32_t body_of(const tracer *t, const surface *hit)
{
    const frame *f = t->stage->frame;
    switch (hit->kind) {
    case SURFACE_SPHERE: return f->spheres.id[hit->index];
    case SURFACE_BOX: return f->boxes[hit->index].id;
    case SURFACE_PART: return f->parts[hit->index].id;
    case SURFACE_PATCH: break;
    }
    return t->stage->patches[hit->index].id;
}

// Share of the ground's own look that is left at a point, 1 near the subject and 0 far out.
static float ground_presence(const tracer *t, vec3f point)
{
    vec3f away = point - extent_centre(&t->stage->subject);
    away[2] = 0.0f;
    return 1.0f - smooth_step(stage_fade_start(t->stage), stage_fade_end(t->stage), vec3f_norm(away));
}

// Sunlight, over pi, that falls on a surface.
static vec3f sun_on(const tracer *t, const surface *hit, vec3f towards_sun)
{
    float cosine = vec3f_dot(hit->normal, towards_sun);
    if (cosine <= 0.0f || ray_scene_is_occluded(t->rays, hit->point, towards_sun)) return vec3f_all(0.0f);
    return t->light.sun * cosine;
}

// What comes in along a ray that left a surface: sky, or another surface.
static vec3f bounced(const tracer *t, vec3f origin, vec3f direction, uint32_t sample)
{
    surface hit;
    if (!ray_scene_intersect(t->rays, origin, direction, &hit)) return light_sky(&t->light, direction);
    vec3f towards_sun =
        sample_cone(t->light.sun_direction, t->light.sun_cosine, sample_square(sample, SAMPLE_BOUNCE_SUN));
    vec3f lit = sun_on(t, &hit, towards_sun) + LATER_BOUNCES * light_sky(&t->light, hit.normal);
    return albedo_of(t, &hit) * lit;
}

static vec3f shaded(const tracer *t, const surface *hit, vec3f direction, uint32_t sample)
{
    vec3f towards_sun = sample_cone(t->light.sun_direction, t->light.sun_cosine, sample_square(sample, SAMPLE_SUN));
    vec3f sun = sun_on(t, hit, towards_sun);
    vec3f out = sample_hemisphere(hit->normal, sample_square(sample, SAMPLE_SKY));
    vec3f sky = bounced(t, hit->point, out, sample);
    vec3f radiance = albedo_of(t, hit) * (sun + sky);
    if (hit->kind != SURFACE_PATCH) {  // a soft highlight where the surface mirrors the sun
        float mirror = greater(vec3f_dot(hit->normal, vec3f_unit(towards_sun - direction)), 0.0f);
        mirror *= mirror, mirror *= mirror, mirror *= mirror, mirror *= mirror, mirror *= mirror;
        radiance += sun * (GLOSS * mirror);
    }
    return radiance;
}

// What a camera ray sees behind all glass.
static vec3f seen(const tracer *t, bool found, const surface *hit, vec3f direction, uint32_t sample)
{
    const camera *c = t->camera;
    vec3f backdrop = light_backdrop(vec3f_dot(direction, c->up) / (-vec3f_dot(direction, c->back) * c->half_height));
    if (!found) return backdrop;
    bool ground = hit->kind == SURFACE_PATCH && t->stage->patches[hit->index].ground;
    float presence = ground ? ground_presence(t, hit->point) : 1.0f;
    if (presence <= 0.0f) return backdrop;
    return vec3f_mix(backdrop, shaded(t, hit, direction, sample), presence);
}

// Where a ray hit a pane of glass.
typedef struct pane {
    float edge_distance;  // m
    bool rim;             // on one of the narrow faces of a plate
} pane;

static pane box_pane(const frame_shape *box, const surface *hit)
{
    vec3f local = vec3f_unrotate(box->rotation, hit->point - vec3f_load(box->position));
    int square = hit->face / 2, thin = 0;  // axes: square to this face, and of the shortest edge
    for (int axis = 1; axis < 3; ++axis)
        if (box->half[axis] < box->half[thin]) thin = axis;
    pane p = {.edge_distance = INFINITY, .rim = square != thin};
    for (int axis = 0; axis < 3; ++axis)
        if (axis != square) p.edge_distance = lesser(p.edge_distance, box->half[axis] - fabsf(local[axis]));
    return p;
}

static pane patch_pane(const plane_patch *patch, const surface *hit)
{
    pane p = {.edge_distance = INFINITY};
    for (int i = 0; i < patch->vertex_count; ++i) {
        vec3f a = patch->vertex[i], b = patch->vertex[(i + 1) % patch->vertex_count];
        vec3f inwards = vec3f_unit(vec3f_cross(patch->normal, b - a));
        p.edge_distance = lesser(p.edge_distance, vec3f_dot(hit->point - a, inwards));
    }
    return p;
}

// Add what one surface of a pane reflects and its tint, and dim what lies behind. Returns whether an edge was hit.
static bool pass_pane(const tracer *t, const surface *hit, vec3f direction, vec3f *colour, float *clear)
{
    const plane_patch *patch = hit->kind == SURFACE_PATCH ? &t->stage->patches[hit->index] : NULL;
    if (patch != NULL && patch->ground) return false;  // seen from below: not there
    pane p = patch != NULL ? patch_pane(patch, hit) : box_pane(&t->stage->frame->boxes[hit->index], hit);

    float cosine = fabsf(vec3f_dot(hit->normal, direction)), missing = 1.0f - cosine;
    float mirror = 0.02f + 0.5f * missing * missing * missing * missing * missing;  // like Fresnel's law, but milder
    vec3f mirrored = direction - 2.0f * vec3f_dot(direction, hit->normal) * hit->normal;
    *colour += *clear * mirror * GLASS_SHINE * light_sky(&t->light, mirrored);
    *clear *= 1.0f - mirror;

    float line = EDGE_WIDTH * hit->distance * 2.0f * t->camera->half_height;  // m
    bool edge = p.edge_distance < line;
    float opacity = edge ? GLASS_EDGE : p.rim ? GLASS_RIM : GLASS_TINT;
    vec3f tint = edge ? vec3f_of(0.36f, 0.44f, 0.50f) : vec3f_of(0.72f, 0.82f, 0.86f);
    *colour += *clear * opacity * tint;
    *clear *= 1.0f - opacity;
    return edge;
}

// Glass boxes a ray is inside of. Where walls overlap, at the corners of a silo, say, only the outside of their union
// shows: the faces of one inside another would be a clutter of lines.
typedef struct glass_stack {
    int count;
    int64_t box[GLASS_DEPTH];
} glass_stack;

static bool is_inside(const frame_shape *box, vec3f point)
{
    vec3f local = vec3f_unrotate(box->rotation, point - vec3f_load(box->position));
    const float within = 0.9999f;  // faces that lie in one another's plane are outside
    return fabsf(local[0]) < within * box->half[0] && fabsf(local[1]) < within * box->half[1] &&
           fabsf(local[2]) < within * box->half[2];
}

// Note that the ray enters or leaves a box; true if this happens outside of all others.
static bool crosses_union(glass_stack *stack, const frame_shape *boxes, const surface *hit)
{
    bool outside = true;
    int kept = 0;
    for (int i = 0; i < stack->count; ++i) {
        if (stack->box[i] == hit->index) continue;
        outside = outside && !is_inside(&boxes[stack->box[i]], hit->point);
        stack->box[kept++] = stack->box[i];
    }
    if (hit->entering && kept < GLASS_DEPTH) stack->box[kept++] = hit->index;
    stack->count = kept;
    return outside;
}

// Add what a body of given opacity shows of itself with one of its surfaces, and dim what lies behind.
static void pass_translucent(const tracer *t, const surface *hit, float opacity, vec3f direction, uint32_t sample,
                             vec3f *colour, float *clear)
{
    *colour += *clear * opacity * shaded(t, hit, direction, sample);
    *clear *= 1.0f - opacity;
}

// A number for all that a ray hit: the same for two rays only if they passed the same panes and ended on the same flat
// surface. NOT_FLAT if they ended elsewhere.
static uint32_t path_after(uint32_t path, const surface *hit, bool edge)
{
    uint32_t step = (uint32_t)hit->index * 64u + (uint32_t)hit->face * 8u + (uint32_t)hit->kind * 2u + edge + 1u;
    path = (path ^ step) * 0x9e3779b1u;
    path ^= path >> 15;
    return path != NOT_FLAT ? path : 1u;
}

static bool is_flat(const surface *hit) { return hit->kind == SURFACE_BOX || hit->kind == SURFACE_PATCH; }

typedef struct camera_ray {
    vec3f radiance;
    uint32_t path;
} camera_ray;

static camera_ray camera_sample(const tracer *t, int x, int y, int sample_of_pixel)
{
    uint32_t sample = sample_index(x, y, sample_of_pixel, t->samples), path = 1;
    square_point p = sample_square(sample, SAMPLE_PIXEL);
    vec3f origin = t->camera->eye, direction = camera_direction(t->camera, (float)x + p.u, (float)y + p.v);
    surface hit, glass;
    bool found = ray_scene_intersect(t->rays, origin, direction, &hit);
    vec3f colour = vec3f_all(0.0f);
    float clear = 1.0f, near = 0.0f, far = found ? hit.distance : INFINITY;
    glass_stack stack = {0};
    bool flat = true;
    for (int i = 0; i < PANES && ray_scene_intersect_glass(t->rays, origin, direction, near, far, &glass); ++i) {
        scene_appearance own = appearance_of(&t->stage->appearance, body_of(t, &glass));
        if (own.has_opacity && own.opacity > 0.0) {
            pass_translucent(t, &glass, (float)own.opacity, direction, sample, &colour, &clear);
            flat = flat && is_flat(&glass);
            path = path_after(path, &glass, false);
        } else if (!own.has_opacity &&
                   (glass.kind == SURFACE_PATCH || crosses_union(&stack, t->stage->frame->boxes, &glass))) {
            path = path_after(path, &glass, pass_pane(t, &glass, direction, &colour, &clear));
        }
        near = glass.distance * (1.0f + 2e-6f);
    }
    path = found && flat && is_flat(&hit) ? path_after(path, &hit, false) : NOT_FLAT;
    return (camera_ray){colour + clear * seen(t, found, &hit, direction, sample), path};
}

static void render_pixel(const tracer *t, int x, int y, film *f)
{
    int64_t pixel = (int64_t)y * f->width + x;
    vec3f sum = vec3f_all(0.0f), squares = vec3f_all(0.0f);
    uint32_t path = NOT_FLAT;
    for (int s = 0; s < t->samples; ++s) {
        camera_ray ray = camera_sample(t, x, y, s);
        sum += ray.radiance;
        squares += ray.radiance * ray.radiance;
        if (s == 0) path = ray.path;
        else if (path != ray.path) path = NOT_FLAT;
    }
    float share = 1.0f / (float)t->samples;
    vec3f mean = share * sum, spread = share * squares - mean * mean;
    memcpy(&f->radiance[3 * pixel], &mean, 3 * sizeof *f->radiance);
    f->variance[pixel] = greater(spread[0] + spread[1] + spread[2], 0.0f) * share / 3.0f;
    f->path[pixel] = path;
}

static void render_tile(const tracer *t, int tile_x, int tile_y, film *f)
{
    int right = tile_x + TILE < f->width ? tile_x + TILE : f->width;
    int bottom = tile_y + TILE < f->height ? tile_y + TILE : f->height;
    for (int y = tile_y; y < bottom; ++y)
        for (int x = tile_x; x < right; ++x) render_pixel(t, x, y, f);
}

void tracer_render(const tracer *t, int threads, tracer_progress progress, film *f)
{
    int columns = (f->width + TILE - 1) / TILE, rows = (f->height + TILE - 1) / TILE;
    int done = 0;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int tile = 0; tile < columns * rows; ++tile) {
        render_tile(t, tile % columns * TILE, tile / columns * TILE, f);
        int now;
#pragma omp atomic capture
        now = ++done;
        if (progress.report != NULL && omp_get_thread_num() == 0)
            progress.report(progress.context, (double)now / (columns * rows));
    }
}
