// SPDX-License-Identifier: BSD-3-Clause
// A sprocket that turns in a bed of some 50,000 grains: as a set of some 70,000 spheres by either method, as a mesh of
// the cover's error, and the bed alone. What is compared is detection, pairs and contacts, after each step, with that
// of the same grains in the same motion without the sprocket. The grains stand without gravity about the points of a
// lattice around the sprocket, which pushes them. --one-thread, as the last word: on one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/maths/pose.h"
#include "core/maths/rng.h"
#include "fitting/fit.h"
#include "report.h"
#include "turned_parts.h"

enum { STEPS = 40, SWEEPS = 10, SPROCKET = 3, LONG = 60, WIDE = 46, DEEP = 19 };
static const double RADIUS = 5e-3;            // m, of grains
static const double SCALE = 0.5;              // of the part
static const double COVER_ERROR = 0.16e-3;    // m, of the part: some 70,000 spheres
static const double CURVATURE = 50.0;         // 1/m, of the teeth: an edge e is off by CURVATURE e^2 / 8
static const double PAPER_SIZE = 7.06e-3;     // m: edges for which the paper's method makes some 70,000 spheres
static const double SPEED = 0.1, SPIN = 0.5;  // m/s, rad/s

typedef struct sprocket {
    const char *name;
    made_part mesh;
    sphere_set set;  // none: the mesh itself
} sprocket;

static scr_status make_shape(scr_world *world, const sprocket *s, scr_material material, scr_shape *shape,
                             scr_error *error)
{
    int64_t n = s->set.count > 0 ? s->set.count : s->mesh.view.vertex_count;
    scr_vec3 *at = malloc((size_t)n * sizeof *at);
    double *radius = malloc((size_t)n * sizeof *radius);
    scr_surface surface;
    scr_status status;
    for (int64_t k = 0; k < n; ++k) {
        at[k] = vec3_scale(SCALE, s->set.count > 0 ? s->set.sphere[k].centre : s->mesh.view.vertex[k]);
        radius[k] = s->set.count > 0 ? SCALE * s->set.sphere[k].radius : 0.0;
    }
    scr_triangles t = {n, s->mesh.view.triangle_count, at, s->mesh.view.triangle};
    if (s->set.count > 0) status = scr_world_add_sphere_set(world, n, at, radius, &surface, error);
    else status = scr_world_add_mesh(world, &t, &surface, error);
    if (status == SCR_OK) *shape = scr_surface_shape(world, surface, material);
    free(at);
    free(radius);
    return status;
}

// With its axis along y, as deep in the bed as its axis.
static scr_status add_sprocket(scr_world *world, const sprocket *s, scr_material material, scr_body *body,
                               scr_error *error)
{
    scr_shape shape;
    scr_status status = make_shape(world, s, material, &shape, error);
    if (status != SCR_OK) return status;
    scr_body_def def = scr_default_body_def();
    def.kind = SCR_KINEMATIC;
    def.shapes = &shape;
    def.shape_count = 1;
    def.rotation = (scr_quat){sqrt(0.5), sqrt(0.5), 0.0, 0.0};
    def.velocity = vec3(SPEED, 0.0, 0.0);
    def.spin = vec3(0.0, SPIN, 0.0);
    return scr_world_add_body(world, &def, body, error);
}

// ---- the bed ----

static scr_vec3 lattice_point(int64_t k)
{
    int64_t x = k % LONG, y = k / LONG % WIDE, z = k / (LONG * WIDE);
    scr_vec3 jitter = vec3(scr_uniform(1, 0, 3 * (uint64_t)k), scr_uniform(1, 0, 3 * (uint64_t)k + 1),
                           scr_uniform(1, 0, 3 * (uint64_t)k + 2));
    scr_vec3 at = vec3((double)x - 0.5 * LONG, (double)y - 0.5 * WIDE, -(double)z);
    return vec3_scale(2.0 * RADIUS, vec3_add_scaled(at, 0.05, jitter));
}

// Is the point in the solid? In the frame of the part, unscaled.
static bool is_inside(const turned_part *p, scr_vec3 at)
{
    double rim = 0.0, r = hypot(at.x, at.y), tooth = sin(p->teeth * atan2(at.y, at.x));
    for (int k = 0; k < p->corner_count; ++k) rim = fmax(rim, p->corner[k][0]);
    if (r > 0.8 * rim) r = (r + 4.0 * p->tooth_height * tooth) / (1.0 + p->tooth_height * tooth / (0.2 * rim));
    bool inside = false;
    for (int k = 0; k < p->corner_count; ++k) {
        const double *a = p->corner[k], *b = p->corner[(k + 1) % p->corner_count];
        if ((a[1] > at.z) != (b[1] > at.z) && r < a[0] + (b[0] - a[0]) * (at.z - a[1]) / (b[1] - a[1]))
            inside = !inside;
    }
    return inside;
}

// Grains around a sprocket, which is a mesh: none whose centre is in it or deep in its surface.
static scr_status choose_grains(const sprocket *whole, scr_vec3 *grain, int64_t *count, scr_error *error)
{
    enum { ALL = LONG * WIDE * DEEP };
    scr_world_def def = scr_default_world_def();
    scr_material_def stone = scr_default_material_def();
    scr_world *world;
    scr_material material;
    scr_body body;
    scr_vec3 *point = malloc(ALL * sizeof *point);
    scr_hit *hit = malloc(ALL * sizeof *hit);
    for (int64_t k = 0; k < ALL; ++k) point[k] = lattice_point(k);
    scr_status status = scr_world_create(&def, &world, error);
    if (status == SCR_OK) status = scr_world_add_material(world, &stone, &material, error);
    if (status == SCR_OK) status = add_sprocket(world, whole, material, &body, error);
    if (status == SCR_OK) status = scr_world_nearest(world, ALL, point, 0.95 * RADIUS, SCR_ALL_GROUPS, hit, error);
    *count = 0;
    for (int64_t k = 0; k < ALL && status == SCR_OK; ++k) {
        scr_vec3 local = quat_unrotate((scr_quat){sqrt(0.5), sqrt(0.5), 0.0, 0.0}, point[k]);
        if (hit[k].shape < 0 && !is_inside(&turned_parts[SPROCKET], vec3_scale(1.0 / SCALE, local)))
            grain[(*count)++] = point[k];
    }
    scr_world_destroy(world);
    free(point);
    free(hit);
    return status;
}

// ---- the trial ----

typedef struct bed {
    scr_vec3 *grain;
    int64_t count;
    int threads;
} bed;

typedef struct measured {
    double detect, alone;  // s a step: with the sprocket; of the same grains in the same motion without it
    int64_t contacts;
} measured;

// A world of the bed's grains.
typedef struct trial_world {
    scr_world *world;
    scr_material material;
    scr_body *grain;
} trial_world;

static scr_status lay_bed(const bed *b, trial_world *t, scr_error *error)
{
    scr_world_def def = scr_default_world_def();
    scr_material_def stone = scr_default_material_def();
    double *radius = malloc((size_t)b->count * sizeof *radius);
    for (int64_t k = 0; k < b->count; ++k) radius[k] = RADIUS;
    t->grain = malloc((size_t)b->count * sizeof *t->grain);
    def.thread_count = b->threads;
    def.gravity = vec3(0.0, 0.0, 0.0);
    def.solver.tolerance = 0.0;
    def.solver.max_iterations = SWEEPS;
    scr_status status = scr_world_create(&def, &t->world, error);
    if (status == SCR_OK) status = scr_world_add_material(t->world, &stone, &t->material, error);
    if (status == SCR_OK)
        status = scr_world_add_spheres(t->world, b->count, b->grain, radius, NULL, t->material, t->grain, error);
    free(radius);
    return status;
}

static void remove_bed(trial_world *t)
{
    scr_world_destroy(t->world);
    free(t->grain);
}

static scr_status copy_motion(const trial_world *from, trial_world *to, int64_t count, scr_error *error)
{
    scr_body_state state;
    scr_status status = SCR_OK;
    for (int64_t k = 0; k < count && status == SCR_OK; ++k) {
        status = scr_body_get_state(from->world, from->grain[k], &state, error);
        if (status == SCR_OK) status = scr_body_set_state(to->world, to->grain[k], &state, error);
    }
    return status;
}

static scr_status detect(scr_world *world, double *seconds, scr_error *error)
{
    double begin = scr_now();
    scr_status status = scr_world_find_contacts(world, error);
    *seconds += (scr_now() - begin) / STEPS;
    return status;
}

static scr_status measure(const bed *b, const sprocket *s, measured *result, scr_error *error)
{
    trial_world with = {0}, alone = {0};
    scr_body body;
    scr_contact_view view = {0};
    scr_status status = lay_bed(b, &with, error);
    if (status == SCR_OK) status = lay_bed(b, &alone, error);
    if (status == SCR_OK) status = add_sprocket(with.world, s, with.material, &body, error);
    *result = (measured){0};
    for (int k = 0; k < STEPS && status == SCR_OK; ++k) {
        status = scr_world_step(with.world, error);
        if (status == SCR_OK) status = scr_world_step(alone.world, error);  // sorts its grains as often
        if (status == SCR_OK) status = copy_motion(&with, &alone, b->count, error);
        if (status == SCR_OK) status = detect(with.world, &result->detect, error);
        if (status == SCR_OK) status = detect(alone.world, &result->alone, error);
    }
    if (status == SCR_OK) status = scr_world_contacts(with.world, &view, error);
    result->contacts = view.count;
    remove_bed(&with);
    remove_bed(&alone);
    return status;
}

static scr_status make_sprocket(sprocket *s, bool paper, bool cover, scr_error *error)
{
    const turned_part *p = &turned_parts[SPROCKET];
    part made;
    make_part(p, paper ? PAPER_SIZE : sqrt(8.0 * COVER_ERROR / CURVATURE), &s->mesh);
    if (!paper && !cover) return SCR_OK;
    scr_status status = part_make(&s->mesh.view, &made, error);
    if (status != SCR_OK) return status;
    const paper_fit by_triangle = {0.7, 0.5236, INFINITY};
    const cover_fit by_error = {COVER_ERROR, scr_core_count()};
    status = paper ? fit_paper(&made, &by_triangle, &s->set, error) : fit_cover(&made, &by_error, &s->set, error);
    part_free(&made);
    return status;
}

static void say(const sprocket *s, const measured *m, double against, const char *whom, int threads, bool json)
{
    char name[64];
    snprintf(name, sizeof name, "sprocket.%s", s->name);
    bench_print(&(bench_figure){name, 1e3 * m->detect, "ms of detection a step", threads, whom, m->detect / against},
                json);
}

static void say_all(const sprocket *s, const measured *m, double mesh_seconds, int threads, bool json)
{
    if (s->set.count > 0) bench_say(json, "%lld spheres, ", (long long)s->set.count);
    else bench_say(json, "%lld triangles, ", (long long)s->mesh.view.triangle_count);
    bench_say(json, "%lld contacts; the bed alone %.2f ms\n", (long long)m->contacts, 1e3 * m->alone);
    say(s, m, m->alone, "the bed alone", threads, json);
    if (s->set.count > 0 && mesh_seconds > 0.0) say(s, m, mesh_seconds, "the mesh", threads, json);
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv), on_one = argc > 1 && strcmp(argv[argc - 1], "--one-thread") == 0;
    scr_error error = {0};
    sprocket trial[] = {{.name = "mesh"}, {.name = "paper_set"}, {.name = "cover_set"}};
    enum { TRIALS = sizeof trial / sizeof *trial };
    measured m[TRIALS] = {0};
    bed b = {malloc(LONG * WIDE * DEEP * sizeof *b.grain), 0, on_one ? 1 : 2};
    scr_status status = make_sprocket(&trial[0], false, false, &error);
    if (status == SCR_OK) status = choose_grains(&trial[0], b.grain, &b.count, &error);
    bench_say(json, "A sprocket in %lld grains, mean of %d steps\n", (long long)b.count, STEPS);
    for (int k = 0; k < TRIALS && status == SCR_OK; ++k) {
        if (!bench_wants(argc - on_one, argv, trial[k].name)) continue;
        if (k > 0) status = make_sprocket(&trial[k], k == 1, k == 2, &error);
        if (status == SCR_OK) status = measure(&b, &trial[k], &m[k], &error);
        if (status == SCR_OK) say_all(&trial[k], &m[k], m[0].detect, b.threads, json);
    }
    for (int k = 0; k < TRIALS; ++k) free_part(&trial[k].mesh), sphere_set_free(&trial[k].set);
    free(b.grain);
    if (status != SCR_OK) fprintf(stderr, "bench_sprocket: %s\n", error.message);
    return status == SCR_OK ? 0 : 1;
}
