// SPDX-License-Identifier: BSD-3-Clause
#include "packing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arrays/colouring.h"
#include "core/maths/rng.h"
#include "dynamics/cone/system/cone.h"
#include "scree/scree.h"

static const double NEAR = 1e-3;      // radii
static const double SPIN = 2.5;       // inverse of 0.4, a sphere's moment of inertia
static const double MEASURE = 0.005;  // m; radius of the spheres that scree settles

void packing_free(packing *p)
{
    void *arrays[] = {p->position, p->free_motion, p->contact, p->r, p->impulse, p->precise};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) free(arrays[k]);
    *p = (packing){0};
}

bool packing_read(packing *p, const char *path)
{
    FILE *file = fopen(path, "rb");
    double box[2], sphere[4], radius = 1.0;
    *p = (packing){0};
    bool ok =
        file != NULL && fread(&p->sphere_count, 8, 1, file) == 1 && p->sphere_count > 0 && p->sphere_count < 1000000;
    if (ok) p->position = malloc((size_t)p->sphere_count * sizeof *p->position);
    for (int64_t k = 0; ok && k < p->sphere_count; ++k) {
        ok = fread(sphere, sizeof sphere, 1, file) == 1;
        radius = sphere[3];
        p->position[k] = vec3(sphere[0] / radius, sphere[1] / radius, sphere[2] / radius);
    }
    ok = ok && fread(box, sizeof box, 1, file) == 1;
    if (ok) p->width = box[0] / radius, p->depth = box[1] / radius;
    if (file != NULL) fclose(file);
    return ok;
}

static scr_status fill_box(scr_world *world, int64_t count, double width, scr_error *error)
{
    scr_material_def stone = scr_default_material_def();
    scr_material material;
    scr_body body;
    stone.friction = PACKING_FRICTION;
    scr_status status = scr_world_add_material(world, &stone, &material, error);
    const double c = sqrt(0.5);
    const scr_quat turn[5] = {{1, 0, 0, 0}, {c, 0, c, 0}, {c, 0, -c, 0}, {c, -c, 0, 0}, {c, c, 0, 0}};
    const scr_vec3 at[5] = {{0, 0, 0}, {0, 0, 0}, {width, 0, 0}, {0, 0, 0}, {0, width, 0}};
    for (int k = 0; k < 5 && status == SCR_OK; ++k) {
        scr_shape plane = scr_plane(material);
        scr_body_def def = scr_default_body_def();
        def.kind = SCR_FIXED, def.position = at[k], def.rotation = turn[k], def.shapes = &plane, def.shape_count = 1;
        status = scr_world_add_body(world, &def, &body, error);
    }
    int row = (int)(width / (2.1 * MEASURE));
    for (int64_t k = 0; k < count && status == SCR_OK; ++k) {
        scr_shape sphere = scr_sphere(MEASURE, material);
        scr_body_def def = scr_default_body_def();
        double stray = 0.04 * MEASURE * scr_uniform(3, 0, (uint64_t)k);
        def.position = vec3((double)(k % row) + 0.5, (double)(k / row % row) + 0.5, (double)(k / row / row) + 0.5);
        def.position = vec3_add(vec3_scale(2.1 * MEASURE, def.position), vec3(stray, 0.7 * stray, 0.0));
        def.shapes = &sphere, def.shape_count = 1;
        status = scr_world_add_body(world, &def, &body, error);
    }
    return status;
}

bool packing_settle(packing *p, int64_t count)
{
    double width = 2.1 * MEASURE * ceil(cbrt((double)count));
    scr_world_def def = scr_default_world_def();
    scr_world *world = NULL;
    scr_error error = {0};
    def.contact.law = SCR_RIGID;
    scr_status status = scr_world_create(&def, &world, &error);
    if (status == SCR_OK) status = fill_box(world, count, width, &error);
    for (int k = 0; k < 1500 && status == SCR_OK; ++k) status = scr_world_step(world, &error);
    *p = (packing){0};
    if (status == SCR_OK) {
        scr_body_view view = scr_world_bodies(world);
        p->width = p->depth = width / MEASURE;
        p->position = malloc((size_t)count * sizeof *p->position);
        for (int64_t k = 0; k < view.count; ++k)
            if (view.inv_mass[k] > 0.0)
                p->position[p->sphere_count++] = vec3(view.x[k] / MEASURE, view.y[k] / MEASURE, view.z[k] / MEASURE);
    } else {
        fprintf(stderr, "bench: %s\n", error.message);
    }
    scr_world_destroy(world);
    return status == SCR_OK;
}

static scr_vec3 motion3(const packing *p, int64_t at)
{
    return vec3(p->free_motion[at], p->free_motion[at + 1], p->free_motion[at + 2]);
}

static void add_contact(packing *p, int a, int b, scr_vec3 n)
{
    int64_t k = p->contact_count++;
    p->contact = realloc(p->contact, (size_t)p->contact_count * sizeof *p->contact);
    p->r = realloc(p->r, (size_t)p->contact_count * sizeof *p->r);
    scr_vec3 helper = fabs(n.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0), t = vec3_unit(vec3_cross(n, helper));
    p->contact[k] = (packing_contact){a, b, {n, t, vec3_cross(n, t)}};
    // Levers are n for a, -n for b.
    p->r[k] = vec3_sub(motion3(p, 6 * (int64_t)b), vec3_cross(motion3(p, 6 * (int64_t)b + 3), n));
    if (a >= 0)
        p->r[k] =
            vec3_sub(p->r[k], vec3_add(motion3(p, 6 * (int64_t)a), vec3_cross(motion3(p, 6 * (int64_t)a + 3), n)));
}

static void find_contacts(packing *p)
{
    const double plane[5][4] = {{0, 0, 1, 0}, {1, 0, 0, 0}, {-1, 0, 0, -p->width}, {0, 1, 0, 0}, {0, -1, 0, -p->depth}};
    p->contact_count = 0;
    for (int i = 0; i < p->sphere_count; ++i) {
        for (int j = i + 1; j < p->sphere_count; ++j) {
            scr_vec3 d = vec3_sub(p->position[j], p->position[i]);
            if (vec3_norm(d) - 2.0 < NEAR) add_contact(p, i, j, vec3_unit(d));
        }
    }
    for (int i = 0; i < p->sphere_count; ++i) {
        for (int k = 0; k < 5; ++k) {
            scr_vec3 n = vec3(plane[k][0], plane[k][1], plane[k][2]);
            if (vec3_dot(n, p->position[i]) - plane[k][3] - 1.0 < NEAR) add_contact(p, -1, i, n);
        }
    }
    p->impulse = realloc(p->impulse, 3 * (size_t)p->contact_count * sizeof *p->impulse);
    p->precise = realloc(p->precise, 3 * (size_t)p->contact_count * sizeof *p->precise);
}

void packing_shake(packing *p, double speed)
{
    p->free_motion = realloc(p->free_motion, 6 * (size_t)p->sphere_count * sizeof *p->free_motion);
    for (int64_t k = 0; k < 6 * p->sphere_count; ++k)
        p->free_motion[k] = speed * (2.0 * scr_uniform(7, 0, (uint64_t)k) - 1.0) - (k % 6 == 2 ? 1.0 : 0.0);
    find_contacts(p);
}

static contact_ends packing_ends(const void *owner, int64_t i)
{
    const packing *p = owner;
    return (contact_ends){p->contact[i].a >= 0 ? p->contact[i].a : NO_BODY, p->contact[i].b, true};
}

static contact_row packing_row(const void *owner, int64_t i)
{
    const packing *p = owner;
    const packing_contact *c = &p->contact[i];
    double bodies = c->a >= 0 ? 2.0 : 1.0;
    return (contact_row){
        .a = c->a >= 0 ? c->a : NO_BODY,
        .b = c->b,
        .centre_line = true,
        .n = c->axis[0],
        .lever_a = c->axis[0],
        .lever_b = vec3_neg(c->axis[0]),
        .r = p->r[i],
        .mu = PACKING_FRICTION,
        .a_n = bodies,
        .a_t = bodies * (1.0 + SPIN),
        .length_a = 1.0,
        .length_b = 1.0,
    };
}

static system_body packing_body(const void *owner, int64_t i)
{
    (void)owner, (void)i;
    return (system_body){
        .inv_mass = 1.0, .inv_inertia = {{{SPIN, 0, 0}, {0, SPIN, 0}, {0, 0, SPIN}}}, .is_grain = true, .length = 1.0};
}

contact_system packing_system(packing *p)
{
    memset(p->impulse, 0, 3 * (size_t)p->contact_count * sizeof *p->impulse);
    return (contact_system){.owner = p,
                            .body_count = p->sphere_count,
                            .contact_count = p->contact_count,
                            .threads = 1,
                            .ends = packing_ends,
                            .row = packing_row,
                            .body = packing_body,
                            .impulse = p->impulse,
                            .precise = p->precise};
}

double packing_residual(const packing *p, const double *impulse)
{
    scr_vec3 *motion = calloc(2 * (size_t)p->sphere_count, sizeof *motion);
    double error2 = 0.0, r2 = 0.0, g2 = 0.0, u2 = 0.0;
    for (int64_t k = 0; k < p->contact_count; ++k) {
        const packing_contact *c = &p->contact[k];
        scr_vec3 g = vec3(impulse[3 * k], impulse[3 * k + 1], impulse[3 * k + 2]),
                 turn = vec3_scale(SPIN, vec3_cross(c->axis[0], g));
        motion[2 * c->b] = vec3_add(motion[2 * c->b], g);
        motion[2 * c->b + 1] = vec3_sub(motion[2 * c->b + 1], turn);
        if (c->a < 0) continue;
        motion[2 * c->a] = vec3_sub(motion[2 * c->a], g);
        motion[2 * c->a + 1] = vec3_sub(motion[2 * c->a + 1], turn);
    }
    for (int64_t k = 0; k < p->contact_count; ++k) {
        const packing_contact *c = &p->contact[k];
        scr_vec3 n = c->axis[0], g = vec3(impulse[3 * k], impulse[3 * k + 1], impulse[3 * k + 2]);
        scr_vec3 u = vec3_add(p->r[k], vec3_sub(motion[2 * c->b], vec3_cross(motion[2 * c->b + 1], n)));
        if (c->a >= 0) u = vec3_sub(u, vec3_add(motion[2 * c->a], vec3_cross(motion[2 * c->a + 1], n)));
        scr_vec3 ut = vec3_add_scaled(u, -vec3_dot(u, n), n),
                 dual = vec3_add_scaled(u, PACKING_FRICTION * vec3_norm(ut), n);
        const friction_cone cone = {.n = n, .mu = PACKING_FRICTION};
        scr_vec3 d = vec3_sub(g, cone_project(&cone, vec3_sub(g, dual), 1.0));
        error2 += vec3_dot(d, d), r2 += vec3_dot(p->r[k], p->r[k]), g2 += vec3_dot(g, g), u2 += vec3_dot(u, u);
    }
    free(motion);
    return sqrt(error2 / fmax(r2, fmax(g2, u2)));
}
