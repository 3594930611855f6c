// SPDX-License-Identifier: BSD-3-Clause
// Walls that a grain might pass in one step.
#include "scene/parts/thin_walls.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/maths/quat.h"
#include "dynamics/world/world_state.h"
#include "geometry/surface/mesh.h"
#include "scene/overlap/overlaps.h"
#include "scene/parts/scripted.h"
#include "scene/populate/grain_shape.h"

enum { TIME_SAMPLES = 512 };  // at which formulae of time are looked at

// The fastest and the smallest thing that moves freely, and the highest place it comes from.
typedef struct grains_at_start {
    double speed;   // m/s
    double radius;  // m; infinite if nothing moves freely
    double height;  // m, against gravity
} grains_at_start;

static double sampled_time(const scene *s, int k) { return s->end_time * k / (TIME_SAMPLES - 1.0); }

// Any phase may come at any time.
static int sampled_phases(const scene *s) { return s->phase_count > 0 ? s->phase_count : 1; }

static double strongest_gravity(const scene *s)
{
    double strongest = 0.0;
    for (int k = 0; k < TIME_SAMPLES; ++k) {
        for (int p = 0; p < sampled_phases(s); ++p) {
            double g = vec3_norm(time_vector_in(&s->gravity, sampled_time(s, k), (phase_now){p, 0.0}));
            if (isfinite(g)) strongest = fmax(strongest, g);
        }
    }
    return strongest;
}

// The unit vector against gravity; zero if there is none.
static scr_vec3 upwards(const scene *s)
{
    double g = vec3_norm(s->world.gravity);
    return g > 0.0 ? vec3_scale(-1.0 / g, s->world.gravity) : vec3(0.0, 0.0, 0.0);
}

static double reach_along(const scr_aabb *box, scr_vec3 up)
{
    return fmax(up.x * box->low.x, up.x * box->high.x) + fmax(up.y * box->low.y, up.y * box->high.y) +
           fmax(up.z * box->low.z, up.z * box->high.z);
}

static void note_bodies(const scr_world *world, scr_vec3 up, grains_at_start *g)
{
    scr_body_view view = scr_world_bodies(world);
    for (int64_t k = 0; k < scr_world_shape_count(world); ++k) {
        int64_t b;
        placed_shape shape = world_placed_shape(world, k, &b);
        if (view.kind[b] != SCR_DYNAMIC) continue;
        scr_aabb box = placed_aabb(&shape);
        g->speed = fmax(g->speed, vec3_norm(vec3(view.vx[b], view.vy[b], view.vz[b])));
        g->radius = fmin(g->radius, shape_inner_radius(&shape));
        g->height = fmax(g->height, reach_along(&box, up));
    }
}

static void note_emitters(const scene *s, scr_vec3 up, grains_at_start *g)
{
    for (int k = 0; k < s->emitter_count; ++k) {
        const scene_emitter *e = &s->emitters[k];
        scr_aabb box = region_bounds(&e->region);
        g->speed = fmax(g->speed, vec3_norm(e->velocity));
        for (int i = 0; i < e->mix.count; ++i) {
            placed_shape unit = shape_place(&e->mix.grain[i].shape, NULL, POSE_IDENTITY);
            g->radius = fmin(g->radius, e->size.min * shape_inner_radius(&unit));
        }
        g->height = fmax(g->height, reach_along(&box, up));
    }
}

// How fast a body that moves as prescribed is at a time; arm: m, of its farthest point from the frame's origin.
static double prescribed_speed_at(const scene_body *body, double arm, double t, double h, phase_now phase)
{
    const scene_motion *m = &body->motion;
    scr_vec3 velocity = body->def.velocity;
    double spin = vec3_norm(body->def.spin);
    if (m->has_velocity) velocity = time_vector_in(&m->velocity, t, phase);
    if (m->has_position)
        velocity = vec3_scale(
            1.0 / h, vec3_sub(time_vector_in(&m->position, t + h, phase), time_vector_in(&m->position, t, phase)));
    if (m->has_spin) spin = fabs(time_function_in(&m->spin, t, phase));
    if (m->has_angle)
        spin = fabs(time_function_in(&m->angle, t + h, phase) - time_function_in(&m->angle, t, phase)) / h;
    return vec3_norm(velocity) + spin * arm;
}

// The fastest that it gets.
static double prescribed_speed(const scene *s, const scene_body *body, double arm)
{
    double fastest = 0.0;
    if (body->def.kind != SCR_KINEMATIC) return 0.0;
    for (int k = 0; k < TIME_SAMPLES; ++k) {
        for (int p = 0; p < sampled_phases(s); ++p) {
            double speed = prescribed_speed_at(body, arm, sampled_time(s, k), s->world.time_step, (phase_now){p, 0.0});
            if (isfinite(speed)) fastest = fmax(fastest, speed);
        }
    }
    return fastest;
}

// m; of hulls and closed meshes the thinnest edge of their box, which is all that is known without looking closer.
// Infinite for what has no other side.
static double thickness_of(const placed_shape *shape)
{
    if (shape->kind == SCR_PLANE || shape->kind == SCR_HEIGHTFIELD) return INFINITY;
    if (!kind_has_surface(shape->kind) || shape->kind == SCR_SPHERE_SET) return 2.0 * shape_inner_radius(shape);
    if (shape->kind == SCR_MESH && !shape->surface->mesh->closed) return 0.0;
    scr_vec3 edge = vec3_sub(shape->surface->box.high, shape->surface->box.low);
    return fmin(edge.x, fmin(edge.y, edge.z));
}

static int by_body(const void *a, const void *b)
{
    const thin_wall *x = a, *y = b;
    if (x->body != y->body) return x->body < y->body ? -1 : 1;
    return (x->thickness > y->thickness) - (x->thickness < y->thickness);
}

static thin_wall wall_of(const scene *s, const placed_shape *shape, uint64_t id, const grains_at_start *grains,
                         double g)
{
    const scene_body *body = &s->bodies[id - 1];
    scr_aabb box = placed_aabb(shape);
    double low = -reach_along(&box, vec3_neg(upwards(s))), drop = fmax(0.0, grains->height - low);
    if (!isfinite(drop)) drop = 0.0;
    double arm = fmin(vec3_norm(vec3_sub(box.high, body->def.position)), 1e9) +
                 fmin(vec3_norm(vec3_sub(box.high, box.low)), 1e9);
    thin_wall wall = {.body = id, .thickness = thickness_of(shape), .radius = grains->radius, .drop = drop};
    wall.speed = sqrt(grains->speed * grains->speed + 2.0 * g * drop) + prescribed_speed(s, body, arm);
    wall.travel = s->world.time_step * wall.speed;
    return wall;
}

scr_status find_thin_walls(const scene *s, const scr_world *world, thin_walls *found, scr_error *error)
{
    grains_at_start grains = {0.0, INFINITY, -INFINITY};
    scr_vec3 up = upwards(s);
    scr_body_view view = scr_world_bodies(world);
    double g = strongest_gravity(s);
    note_bodies(world, up, &grains);
    note_emitters(s, up, &grains);
    found->count = 0;
    for (int64_t k = 0; k < scr_world_shape_count(world) && isfinite(grains.radius); ++k) {
        int64_t b;
        placed_shape shape = world_placed_shape(world, k, &b);
        if (view.kind[b] == SCR_DYNAMIC || view.id[b] > (uint64_t)s->body_count) continue;
        thin_wall wall = wall_of(s, &shape, view.id[b], &grains, g);
        if (!(wall.travel > wall.radius + 0.5 * wall.thickness)) continue;
        scr_status status =
            scr_grow(&found->item, &found->capacity, found->count + 1, sizeof wall, "thin walls", error);
        if (status != SCR_OK) return status;
        found->item[found->count++] = wall;
    }
    // Of each body the thinnest.
    if (found->count > 0) qsort(found->item, (size_t)found->count, sizeof *found->item, by_body);
    int64_t kept = 0;
    for (int64_t k = 0; k < found->count; ++k) {
        if (kept == 0 || found->item[kept - 1].body != found->item[k].body) found->item[kept++] = found->item[k];
    }
    found->count = kept;
    return SCR_OK;
}
