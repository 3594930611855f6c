// SPDX-License-Identifier: BSD-3-Clause
// The public calls about bodies: they check what the user says, then change or read the tables.
#include <stdlib.h>
#include <string.h>

#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/step/stages.h"
#include "dynamics/world/world.h"
#include "dynamics/world/world_state.h"

// A solid cannot have any inertia: no principal moment is larger than the two others together.
static scr_status check_inertia(const scr_body_def *def, scr_error *error)
{
    if (!body_gives_inertia(def)) return SCR_OK;
    if (def->kind == SCR_DYNAMIC && !(def->mass > 0.0))
        return scr_fail(error, SCR_BAD_INPUT, "where the inertia is given, the mass must be too");
    if (!vec3_is_finite(def->inertia) || !vec3_is_finite(def->products) || !vec3_is_finite(def->centre))
        return scr_fail(error, SCR_BAD_INPUT, "inertia, products and centre must be numbers");
    mat3 given = given_inertia(def);
    scr_vec3 p;
    scr_quat axes;
    mat3_eigen_symmetric(&given, &p, &axes);
    const double slack = 1.0 + 1e-9;
    if (!(p.x > 0.0 && p.y > 0.0 && p.z > 0.0) || p.x > slack * (p.y + p.z) || p.y > slack * (p.x + p.z) ||
        p.z > slack * (p.x + p.y))
        return scr_fail(error, SCR_BAD_INPUT,
                        "no body has this inertia: its principal moments are %g, %g and %g kg m^2", p.x, p.y, p.z);
    return SCR_OK;
}

static scr_status check_shapes(const scr_world *world, const scr_body_def *def, scr_error *error)
{
    if (def->shape_count < 0 || (def->shape_count > 0 && def->shapes == NULL))
        return scr_fail(error, SCR_BAD_INPUT, "shapes are missing");
    if (def->shape_count == 0 && def->kind == SCR_DYNAMIC && !body_gives_inertia(def))
        return scr_fail(error, SCR_BAD_INPUT, "a body needs at least one shape, or mass and inertia");
    for (int k = 0; k < def->shape_count; ++k) {
        const scr_shape *shape = &def->shapes[k];
        scr_status status = shape_check(shape, error);
        if (status != SCR_OK) return status;
        if (shape->material.index1 == 0 || shape->material.index1 > world->materials.table.count)
            return scr_fail(error, SCR_BAD_INPUT, "shape %d has no material of this world", k);
        if ((shape->kind == SCR_PLANE || shape->kind == SCR_HEIGHTFIELD) && def->kind == SCR_DYNAMIC)
            return scr_fail(error, SCR_BAD_INPUT, "a %s has no mass: its body must be fixed or kinematic",
                            shape->kind == SCR_PLANE ? "plane" : "heightfield");
        const shape_surface *s = surface_of(&world->surfaces, shape->surface);
        if (kind_has_surface(shape->kind) && (s == NULL || s->kind != shape->kind))
            return scr_fail(error, SCR_BAD_INPUT, "shape %d has no surface of its kind in this world", k);
        if (!kind_has_surface(shape->kind) && shape->surface.index1 != 0)
            return scr_fail(error, SCR_BAD_INPUT, "shape %d is of a kind that has no surface", k);
    }
    return SCR_OK;
}

// A body sees one image of any other: it must be smaller than half a length by so much that the others fit in, too.
static const double LARGEST_SHARE = 0.25;

static scr_status check_size(const scr_world *world, double reach, scr_error *error)
{
    const periodic_cell *p = &world->colliders.period;
    for (int axis = 0; axis < 3; ++axis)
        if (p->length[axis] > 0.0 && !(reach < LARGEST_SHARE * p->length[axis]))
            return scr_fail(
                error, SCR_BAD_INPUT,
                "a body that reaches %g m from its centre is too large where space repeats every %g m along %c: "
                "at most a quarter of that",
                reach, p->length[axis], "xyz"[axis]);
    return SCR_OK;
}

// What cannot stand where space repeats itself: a plane across that axis, and a moving body as large as the cell.
static scr_status check_repeats(const scr_world *world, const scr_body_def *def, scr_error *error)
{
    const periodic_cell *p = &world->colliders.period;
    double reach = 0.0;
    if (!p->any) return SCR_OK;
    if (period_moves(p) && def->kind != SCR_DYNAMIC)
        return scr_fail(error, SCR_BAD_INPUT, "where space is %s nothing is fixed or kinematic: all bodies move",
                        p->is_sheared ? "sheared" : "stretched");
    for (int k = 0; k < def->shape_count; ++k) {
        const scr_shape *shape = &def->shapes[k];
        const shape_surface *s = surface_of(&world->surfaces, shape->surface);
        scr_vec3 up = quat_z(quat_mul(def->rotation, shape->rotation));
        const double along[3] = {up.x, up.y, up.z};
        for (int axis = 0; shape->kind == SCR_PLANE && axis < 3; ++axis)
            if (p->length[axis] > 0.0 && fabs(along[axis]) > 1e-9 * quat_norm2(def->rotation))
                return scr_fail(error, SCR_BAD_INPUT,
                                "a plane cannot stand across %c, along which space repeats itself", "xyz"[axis]);
        reach = fmax(reach, vec3_norm(shape->position) + shape_bounding_radius(shape, s));
    }
    return def->kind == SCR_DYNAMIC ? check_size(world, reach, error) : SCR_OK;
}

// Beyond this a double resolves less than a tenth of a micrometre.
static const double POSITION_MAX = 1e9;  // m

static bool position_is_sane(scr_vec3 p)
{
    return fabs(p.x) <= POSITION_MAX && fabs(p.y) <= POSITION_MAX && fabs(p.z) <= POSITION_MAX;  // false for a NaN
}

static scr_status check_motion_values(scr_vec3 position, scr_quat rotation, scr_vec3 velocity, scr_vec3 spin,
                                      scr_error *error)
{
    if (!position_is_sane(position))
        return scr_fail(error, SCR_BAD_INPUT, "position must lie within %g m of the origin, but is (%g, %g, %g)",
                        POSITION_MAX, position.x, position.y, position.z);
    double norm2 = quat_norm2(rotation);
    if (!(norm2 > 0.0) || !isfinite(norm2))
        return scr_fail(error, SCR_BAD_INPUT, "rotation is not a rotation: its length is %g", sqrt(norm2));
    if (!vec3_is_finite(velocity)) return scr_fail(error, SCR_BAD_INPUT, "velocity is not a number");
    if (!vec3_is_finite(spin)) return scr_fail(error, SCR_BAD_INPUT, "spin is not a number");
    return SCR_OK;
}

static scr_status check_surface_velocity(scr_vec3 velocity, scr_error *error)
{
    return vec3_is_finite(velocity) ? SCR_OK : scr_fail(error, SCR_BAD_INPUT, "surface_velocity is not a number");
}

// Of a body that was just added, and is not if there is no memory for it.
static scr_status keep_user_data(scr_world *world, scr_body *body, void *data, scr_error *error)
{
    scr_status status = body_set_user_data(&world->bodies, *body, data, error);
    if (status == SCR_OK) return SCR_OK;
    scr_world_remove_bodies(world, 1, body, NULL);
    *body = (scr_body){0};
    return status;
}

scr_status scr_world_add_body(scr_world *world, const scr_body_def *def, scr_body *body, scr_error *error)
{
    *body = (scr_body){0};
    if (def->kind > SCR_KINEMATIC) return scr_fail(error, SCR_BAD_INPUT, "there is no kind of body %d", (int)def->kind);
    if (!(def->mass >= 0.0) || !isfinite(def->mass))
        return scr_fail(error, SCR_BAD_INPUT, "mass must not be negative, but is %g", def->mass);
    scr_status status = check_shapes(world, def, error);
    if (status == SCR_OK) status = check_repeats(world, def, error);
    if (status == SCR_OK) status = check_inertia(def, error);
    for (int k = 0; status == SCR_OK && def->kind == SCR_DYNAMIC && k < def->shape_count; ++k)
        status = check_stiffness(world, def->shapes[k].material.index1 - 1, error);
    if (status == SCR_OK) status = check_motion_values(def->position, def->rotation, def->velocity, def->spin, error);
    if (status == SCR_OK) status = check_surface_velocity(def->surface_velocity, error);
    if (status == SCR_OK) give_grains_back(world);
    if (status == SCR_OK)
        status = bodies_add(&world->bodies, &world->colliders, def, world->materials.density, body, error);
    if (status == SCR_OK && def->user_data != NULL) status = keep_user_data(world, body, def->user_data, error);
    world->has_contacts = false;
    world->shape_tree_is_behind = true;
    return status;
}

scr_status scr_world_add_spheres(scr_world *world, int64_t count, const scr_vec3 *position, const double *radius,
                                 const scr_vec3 *velocity, scr_material material, scr_body *handles, scr_error *error)
{
    if (count < 0) return scr_fail(error, SCR_BAD_INPUT, "count must not be negative");
    if (material.index1 == 0 || material.index1 > world->materials.table.count)
        return scr_fail(error, SCR_BAD_INPUT, "the material is not one of this world");
    if (check_stiffness(world, material.index1 - 1, error) != SCR_OK) return SCR_BAD_INPUT;
    for (int64_t k = 0; k < count; ++k) {
        scr_error why;
        scr_shape shape = scr_sphere(radius[k], material);
        scr_status status = shape_check(&shape, &why);
        if (status == SCR_OK) status = check_size(world, radius[k], &why);
        if (status == SCR_OK)
            status =
                check_motion_values(position[k], QUAT_IDENTITY, velocity != NULL ? velocity[k] : vec3(0.0, 0.0, 0.0),
                                    vec3(0.0, 0.0, 0.0), &why);
        if (status != SCR_OK) return scr_fail(error, status, "sphere %lld: %s", (long long)k, why.message);
    }
    uint16_t m = (uint16_t)(material.index1 - 1);
    bool bed_is_ready;
    scr_status status = ready_bed_for_spheres(world, count, radius, m, &bed_is_ready, error);
    if (status != SCR_OK) return status;
    world->has_contacts = false;
    world->shape_tree_is_behind = true;
    status = bodies_add_spheres(&world->bodies, &world->colliders, count, position, radius, velocity, m,
                                world->materials.density[m], handles, error);
    if (status == SCR_OK && bed_is_ready) take_spheres_into_bed(world);
    return status;
}

// Under the penalty law who is left keeps his place in the table where he can: of grains that a bed would take the last
// ones go to where others leave. Not if somebody else is among the last, or leaves.
static bool places_are_filled(const scr_world *world, const uint8_t *is_gone, int64_t count)
{
    const bodies *b = &world->bodies;
    int64_t n = b->table.count;
    if (!world_is_penalty(world)) return false;
    for (int64_t i = n - count; i < n; ++i)
        if (!body_is_bedded(b, &world->colliders, i)) return false;
    for (const uint8_t *at = is_gone; (at = memchr(at, 1, (size_t)(is_gone + n - at))) != NULL; ++at)
        if (!body_is_bedded(b, &world->colliders, at - is_gone)) return false;
    return true;
}

// Into arrays of as many as leave.
static body_moves moves_of(const uint8_t *is_gone, int64_t n, int64_t count, int32_t *gone, int32_t *filler)
{
    body_moves moves = {.gone = gone, .hole = gone, .filler = filler, .gone_count = count};
    int64_t left = n - count, filled = 0, found = 0;
    for (const uint8_t *at = is_gone; (at = memchr(at, 1, (size_t)(is_gone + n - at))) != NULL; ++at)
        gone[found++] = (int32_t)(at - is_gone);
    while (moves.hole_count < count && gone[moves.hole_count] < left) ++moves.hole_count;
    for (int64_t i = left; i < n; ++i)
        if (!is_gone[i]) filler[filled++] = (int32_t)i;
    return moves;
}

scr_status scr_world_remove_bodies(scr_world *world, int64_t count, const scr_body *handles, scr_error *error)
{
    int64_t n = world->bodies.table.count, kept = 0, slot;
    bool was_joined = false;
    scr_status status = scr_arena_reserve(&world->sort_scratch,
                                          scr_arena_bytes(sizeof(int32_t), n) + scr_arena_bytes(1, n) +
                                              2 * scr_arena_bytes(sizeof(int32_t), count),
                                          "removing bodies", error);
    if (status != SCR_OK || count == 0) return status;
    scr_arena arena = world->sort_scratch;
    int32_t *from = scr_arena_array(&arena, sizeof *from, n);
    uint8_t *is_gone = scr_arena_array(&arena, 1, n);
    int32_t *gone = scr_arena_array(&arena, sizeof *gone, count),
            *filler = scr_arena_array(&arena, sizeof *filler, count);
    for (int64_t i = 0; i < n; ++i) is_gone[i] = 0;
    for (int64_t k = 0; k < count; ++k) {
        status = body_slot_checked(&world->bodies, handles[k], &slot, error);
        if (status != SCR_OK) return status;
        if (is_gone[slot])
            return scr_fail(error, SCR_BAD_INPUT, "body %u.%u is to be removed twice", handles[k].index1,
                            handles[k].generation);
        is_gone[slot] = 1;
        was_joined = was_joined || world->bodies.is_joined[slot];
    }
    if (places_are_filled(world, is_gone, count)) {
        body_moves moves = moves_of(is_gone, n, count, gone, filler);
        if (bed_may_let_go(world, count)) return let_grains_go(world, &moves, error);
        for (; kept < n - count; ++kept) from[kept] = (int32_t)kept;
        for (int64_t k = 0; k < moves.hole_count; ++k) from[moves.hole[k]] = moves.filler[k];
    }
    for (int64_t i = 0; i < n && kept < n - count; ++i)
        if (!is_gone[i]) from[kept++] = (int32_t)i;
    status = world_reorder(world, from, kept, error);
    if (status == SCR_OK && was_joined) remove_loose_joints(world);
    return status;
}

bool scr_body_is_alive(const scr_world *world, scr_body body) { return body_slot(&world->bodies, body) >= 0; }

scr_status scr_body_get_state(const scr_world *world, scr_body body, scr_body_state *state, scr_error *error)
{
    int64_t i;
    scr_status status = body_slot_checked(&world->bodies, body, &i, error);
    if (status != SCR_OK) return status;
    const bodies *b = &world->bodies;
    if (i >= general_bodies(world)) world_show_bodies(world);
    *state = (scr_body_state){body_position(b, i), body_rotation(b, i), body_velocity(b, i), body_spin(b, i)};
    return SCR_OK;
}

scr_status scr_body_set_state(scr_world *world, scr_body body, const scr_body_state *state, scr_error *error)
{
    int64_t i;
    scr_status status = body_slot_checked(&world->bodies, body, &i, error);
    if (status == SCR_OK)
        status = check_motion_values(state->position, state->rotation, state->velocity, state->spin, error);
    if (status != SCR_OK) return status;
    bodies *b = &world->bodies;
    // its planes are walls of the bed
    if (i >= general_bodies(world) || b->kind[i] == SCR_FIXED) give_grains_back(world);
    if (b->is_joined[i] && b->kind[i] != SCR_KINEMATIC) joints_changed(world);  // a kinematic one is set in every step
    world->shape_tree_is_behind = true;
    world->states_set += b->kind[i] != SCR_KINEMATIC;
    scr_quat q = quat_unit(state->rotation);
    body_put(b, i, (pose){state->position, q}, state->velocity, quat_unrotate(q, state->spin));
    return SCR_OK;
}

scr_status scr_body_set_user_data(scr_world *world, scr_body body, void *data, scr_error *error)
{
    int64_t i;
    scr_status status = body_slot_checked(&world->bodies, body, &i, error);
    return status == SCR_OK ? body_set_user_data(&world->bodies, body, data, error) : status;
}

void *scr_body_user_data(const scr_world *world, scr_body body)
{
    return body_slot(&world->bodies, body) >= 0 ? body_user_data(&world->bodies, body) : NULL;
}

scr_status scr_body_set_surface_velocity(scr_world *world, scr_body body, scr_vec3 velocity, scr_error *error)
{
    int64_t i;
    scr_status status = body_slot_checked(&world->bodies, body, &i, error);
    if (status == SCR_OK) status = check_surface_velocity(velocity, error);
    if (status == SCR_OK) status = surface_velocity_reserve(&world->bodies.surface_velocity, error);
    if (status != SCR_OK) return status;
    give_grains_back(world);  // a bed takes neither grains nor planes that convey
    surface_velocity_set(&world->bodies.surface_velocity, body.index1 - 1, velocity);
    return SCR_OK;
}

scr_vec3 scr_body_surface_velocity(const scr_world *world, scr_body body)
{
    int64_t i = body_slot(&world->bodies, body);
    return i >= 0 ? body_surface_velocity(&world->bodies, i) : vec3(0.0, 0.0, 0.0);
}

double scr_body_mass(const scr_world *world, scr_body body)
{
    int64_t i = body_slot(&world->bodies, body);
    return i >= 0 && world->bodies.inv_mass[i] > 0.0 ? 1.0 / world->bodies.inv_mass[i] : 0.0;
}

scr_status scr_body_apply_force(scr_world *world, scr_body body, scr_vec3 force, scr_vec3 torque, scr_error *error)
{
    int64_t i;
    scr_status status = body_slot_checked(&world->bodies, body, &i, error);
    if (status != SCR_OK) return status;
    if (!vec3_is_finite(force) || !vec3_is_finite(torque))
        return scr_fail(error, SCR_BAD_INPUT, "force or torque is not a number");
    status = scr_grow(&world->applied, &world->applied_capacity, world->applied_count + 1, sizeof *world->applied,
                      "applied forces", error);
    if (status == SCR_OK) world->applied[world->applied_count++] = (applied_force){body, force, torque};
    return status;
}

void world_forget_forces(scr_world *world) { world->applied_count = 0; }

int64_t scr_world_shape_count(const scr_world *world) { return world->colliders.table.count; }

scr_placed_shape scr_world_shape(const scr_world *world, int64_t k)
{
    const colliders *c = &world->colliders;
    const bodies *b = &world->bodies;
    if (k < 0 || k >= c->table.count) return (scr_placed_shape){0};
    int32_t body = c->body[k], p = c->place[k];
    if (body >= general_bodies(world)) world_show_bodies(world);
    scr_placed_shape shape = {.kind = (scr_shape_kind)c->kind[k],
                              .position = body_position(b, body),
                              .rotation = body_rotation(b, body),
                              .radius = c->radius[k],
                              .body = body,
                              .material = c->material[k]};
    if (p == NO_PLACE) return shape;
    const double *half = c->places.half + 3 * p;
    pose now = pose_compose(body_pose(b, body), collider_frame_pose(c, p));
    shape.position = now.position;
    shape.rotation = now.rotation;
    shape.half = vec3(half[0], half[1], half[2]);
    if (shape.kind != SCR_SPHERE) shape.radius = half[0];
    shape.surface = (scr_surface){(uint32_t)(c->places.surface[p] + 1)};
    return shape;
}

placed_shape world_placed_shape(const scr_world *world, int64_t i, int64_t *body)
{
    scr_placed_shape shape = scr_world_shape(world, i);
    *body = shape.body;
    return (placed_shape){shape.kind,
                          {shape.position, shape.rotation},
                          shape.radius,
                          shape.half,
                          surface_of(&world->surfaces, shape.surface)};
}

placed_shape world_shown_shape(const scr_world *world, int64_t i, int64_t *body)
{
    placed_shape shape = world_placed_shape(world, i, body);
    if (shape.kind != SCR_PLANE) shape.pose.position = scr_world_wrapped(world, shape.pose.position);
    return shape;
}
