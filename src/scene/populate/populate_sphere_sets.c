// SPDX-License-Identifier: BSD-3-Clause
#include "scene/populate/populate_sphere_sets.h"

#include <limits.h>

#include "core/base/memory.h"
#include "dynamics/world/shape_masses.h"
#include "dynamics/world/world_state.h"
#include "geometry/sphere_set/sphere_file.h"

// A set of so many spheres at most is as many shapes of its body, a larger one is one shape (geometry/surface).
enum { SINGLE_SPHERES_MAX = 64 };
static const double LARGEST_SHARE = 0.25;  // of a length along which space repeats itself

static void add_mass(mass_properties *sum, mass_properties part)
{
    mass_properties both[2] = {*sum, part};
    *sum = sum->mass > 0.0 ? mass_properties_sum(both, 2) : part;
}

static mass_properties mass_of_set(const scene_sphere_set *from, const sphere_set *set, double density)
{
    double mass = density * set->solid.volume;
    mat3 rotation = mat3_from_quat(from->rotation), back = mat3_transpose(&rotation);
    mat3 half = mat3_mul(&set->solid.inertia, &back), inertia = mat3_mul(&rotation, &half);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) inertia.m[i][j] *= mass;
    }
    return (mass_properties){mass, from->position, inertia};
}

static void give_mass(scr_body_def *def, const mass_properties *sum)
{
    double scale = def->mass > 0.0 ? def->mass / sum->mass : 1.0;
    const mat3 *i = &sum->inertia;
    def->mass = scale * sum->mass;
    def->centre = sum->centre;
    def->inertia = vec3(scale * i->m[0][0], scale * i->m[1][1], scale * i->m[2][2]);
    def->products = vec3(scale * i->m[0][1], scale * i->m[0][2], scale * i->m[1][2]);
}

// Where space repeats itself, a body that does not move may be as long as space, and each of its shapes sees one image
// of any other: a set that is one shape must leave room for that.
static bool fits_into_space(const scr_world *world, const sphere_set *set)
{
    const periodic_cell *p = world_period(world);
    double reach = 0.0;
    for (int64_t k = 0; p->any && k < set->count; ++k)
        reach = fmax(reach, vec3_norm(set->sphere[k].centre) + set->sphere[k].radius);
    for (int axis = 0; axis < 3; ++axis)
        if (p->length[axis] > 0.0 && !(reach < LARGEST_SHARE * p->length[axis])) return false;
    return true;
}

// All spheres as one shape.
static scr_status place_whole(const scene_sphere_set *from, const sphere_set *set, scr_world *world, scr_shape **shapes,
                              int *count, scr_error *error)
{
    int64_t capacity = *count;
    scr_vec3 *centre = NULL;
    double *radius = NULL;
    scr_surface surface;
    scr_status status = scr_make_zeros(&centre, set->count, sizeof *centre, "spheres", error);
    if (status == SCR_OK) status = scr_make_zeros(&radius, set->count, sizeof *radius, "spheres", error);
    for (int64_t k = 0; k < set->count && status == SCR_OK; ++k)
        centre[k] = set->sphere[k].centre, radius[k] = set->sphere[k].radius;
    if (status == SCR_OK) status = scr_world_add_sphere_set(world, set->count, centre, radius, &surface, error);
    if (status == SCR_OK) status = scr_grow(shapes, &capacity, *count + 1, sizeof **shapes, "spheres", error);
    if (status == SCR_OK) {
        scr_shape shape = scr_surface_shape(world, surface, (scr_material){(uint32_t)from->material + 1});
        shape.position = from->position;
        shape.rotation = from->rotation;
        (*shapes)[(*count)++] = shape;
    }
    scr_free(centre);
    scr_free(radius);
    return status;
}

static scr_status place_singly(const scene_sphere_set *from, const sphere_set *set, scr_shape **shapes, int *count,
                               scr_error *error)
{
    int64_t capacity = *count + 1, need = *count + set->count;
    pose frame = {from->position, from->rotation};
    scr_material material = {(uint32_t)from->material + 1};
    if (need >= INT_MAX) return scr_fail(error, SCR_BAD_INPUT, "a body has at most %d shapes", INT_MAX - 1);
    scr_status status = scr_grow(shapes, &capacity, need + 1, sizeof **shapes, "spheres", error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < set->count; ++k) {
        scr_shape sphere = scr_sphere(set->sphere[k].radius, material);
        sphere.position = pose_apply(frame, set->sphere[k].centre);
        (*shapes)[(*count)++] = sphere;
    }
    return SCR_OK;
}

static scr_status place_set(const scene_sphere_set *from, const sphere_set *set, scr_world *world, scr_shape **shapes,
                            int *count, scr_error *error)
{
    if (set->count > SINGLE_SPHERES_MAX && fits_into_space(world, set))
        return place_whole(from, set, world, shapes, count, error);
    return place_singly(from, set, shapes, count, error);
}

scr_status place_sphere_sets(const scene *s, const scene_body *body, scr_world *world, scr_shape **shapes,
                             scr_body_def *def, scr_error *error)
{
    if (body->sphere_set_count == 0) return SCR_OK;
    bool weighs = def->kind == SCR_DYNAMIC && vec3_norm(def->inertia) == 0.0;
    mass_properties sum = {0};
    if (weighs) sum = world_mass_of_shapes(world, *shapes, def->shape_count);
    scr_status status = SCR_OK;
    for (int k = 0; k < body->sphere_set_count && status == SCR_OK; ++k) {
        const scene_sphere_set *from = &body->sphere_sets[k];
        sphere_set set;
        status = sphere_file_read(from->path, from->scale, &set, error);
        if (status == SCR_OK) status = place_set(from, &set, world, shapes, &def->shape_count, error);
        if (status == SCR_OK) add_mass(&sum, mass_of_set(from, &set, s->materials[from->material].def.density));
        sphere_set_free(&set);
    }
    if (status == SCR_OK && weighs) give_mass(def, &sum);
    return status;
}
