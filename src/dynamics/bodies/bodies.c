// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/bodies/bodies.h"

#include <limits.h>
#include <string.h>

static const field_info body_fields[] = {
    FIELD(bodies, x, FIELD_F64, "m"),
    FIELD(bodies, y, FIELD_F64, "m"),
    FIELD(bodies, z, FIELD_F64, "m"),
    FIELD(bodies, vx, FIELD_F64, "m/s"),
    FIELD(bodies, vy, FIELD_F64, "m/s"),
    FIELD(bodies, vz, FIELD_F64, "m/s"),
    FIELD(bodies, qw, FIELD_F64, ""),
    FIELD(bodies, qx, FIELD_F64, ""),
    FIELD(bodies, qy, FIELD_F64, ""),
    FIELD(bodies, qz, FIELD_F64, ""),
    FIELD(bodies, wx, FIELD_F64, "rad/s"),
    FIELD(bodies, wy, FIELD_F64, "rad/s"),
    FIELD(bodies, wz, FIELD_F64, "rad/s"),
    FIELD(bodies, inv_mass, FIELD_F64, "1/kg"),
    FIELD(bodies, inv_ix, FIELD_F64, "1/(kg m2)"),
    FIELD(bodies, inv_iy, FIELD_F64, "1/(kg m2)"),
    FIELD(bodies, inv_iz, FIELD_F64, "1/(kg m2)"),
    FIELD(bodies, kind, FIELD_U8, ""),
    FIELD(bodies, is_joined, FIELD_U8, ""),
    FIELD(bodies, id, FIELD_U64, ""),
    FIELD_WIDE(bodies, handle, FIELD_U32, 2, ""),
    FIELD(bodies, first_collider, FIELD_I32, ""),
    FIELD(bodies, collider_count, FIELD_I32, ""),
    SCALAR(bodies, next_id, FIELD_U64, ""),
};
static const field_info record_fields[] = {
    FIELD(bodies, generation, FIELD_U32, ""),
    FIELD(bodies, slot, FIELD_I32, ""),
    SCALAR(bodies, free_record, FIELD_I32, ""),
};

_Static_assert(sizeof(scr_body) == 2 * sizeof(uint32_t), "a handle is saved as two 32-bit numbers");

void bodies_init(bodies *b)
{
    *b = (bodies){.next_id = 1, .free_record = -1};
    b->table = (table){"bodies", body_fields, sizeof body_fields / sizeof *body_fields, b, 0, 0, false};
    b->record_table = (table){"records", record_fields, sizeof record_fields / sizeof *record_fields, b, 0, 0, false};
    surface_velocities_init(&b->surface_velocity);
}

void bodies_free(bodies *b)
{
    table_free(&b->table);
    table_free(&b->record_table);
    surface_velocities_free(&b->surface_velocity);
    scr_free(b->user_data);
}

int64_t body_slot(const bodies *b, scr_body body)
{
    if (body.index1 == 0 || body.index1 > b->record_table.count) return -1;
    uint32_t record = body.index1 - 1;
    return b->generation[record] == body.generation && (body.generation & 1u) ? b->slot[record] : -1;
}

scr_status body_slot_checked(const bodies *b, scr_body body, int64_t *slot, scr_error *error)
{
    *slot = body_slot(b, body);
    if (*slot >= 0) return SCR_OK;
    if (body.index1 == 0) return scr_fail(error, SCR_BAD_INPUT, "the body handle is null");
    return scr_fail(error, SCR_BAD_INPUT, "the body handle %u.%u is stale: its body was removed", body.index1,
                    body.generation);
}

// Room for so many more bodies, colliders and places, so that what follows cannot fail.
static scr_status reserve(bodies *b, colliders *c, int64_t more_bodies, int64_t more_colliders, int64_t more_places,
                          scr_error *error)
{
    if (b->table.count + more_bodies > INT32_MAX / 4 || c->table.count + more_colliders > INT32_MAX / 4)
        return scr_fail(error, SCR_BAD_INPUT, "a world holds at most %d bodies", INT32_MAX / 4);
    scr_status status = table_reserve(&b->table, b->table.count + more_bodies, error);
    if (status == SCR_OK) status = table_reserve(&b->record_table, b->record_table.count + more_bodies, error);
    if (status == SCR_OK) status = table_reserve(&c->table, c->table.count + more_colliders, error);
    if (status == SCR_OK) status = table_reserve(&c->places.table, c->places.table.count + more_places, error);
    return status;
}

static scr_body take_record(bodies *b, int64_t slot)
{
    int32_t record = b->free_record;
    if (record >= 0) {
        b->free_record = b->slot[record];
    } else {
        record = (int32_t)b->record_table.count++;
        b->generation[record] = 0;
    }
    ++b->generation[record];
    b->slot[record] = (int32_t)slot;
    if (record < b->user_data_capacity) b->user_data[record] = NULL;
    return (scr_body){(uint32_t)record + 1, b->generation[record]};
}

static void free_record(bodies *b, scr_body body)
{
    uint32_t record = body.index1 - 1;
    ++b->generation[record];
    b->slot[record] = b->free_record;
    b->free_record = (int32_t)record;
    surface_velocity_set(&b->surface_velocity, record, vec3(0.0, 0.0, 0.0));
}

scr_status body_set_user_data(bodies *b, scr_body body, void *data, scr_error *error)
{
    int64_t old = b->user_data_capacity;
    scr_status status =
        scr_grow(&b->user_data, &b->user_data_capacity, body.index1, sizeof *b->user_data, "user data", error);
    if (status != SCR_OK) return status;
    for (int64_t k = old; k < b->user_data_capacity; ++k) b->user_data[k] = NULL;
    b->user_data[body.index1 - 1] = data;
    return SCR_OK;
}

void *body_user_data(const bodies *b, scr_body body)
{
    return body.index1 <= b->user_data_capacity ? b->user_data[body.index1 - 1] : NULL;
}

void bodies_forget_user_data(bodies *b)
{
    for (int64_t k = 0; k < b->user_data_capacity; ++k) b->user_data[k] = NULL;
}

typedef struct body_init {
    pose pose;
    scr_vec3 velocity, spin;  // spin in body axes
    double inv_mass;
    scr_vec3 inv_inertia;
    scr_body_kind kind;
} body_init;

static int64_t append_body(bodies *b, const body_init *init, int64_t first_collider, int64_t collider_count)
{
    int64_t i = b->table.count++;
    body_put(b, i, init->pose, init->velocity, init->spin);
    b->inv_mass[i] = init->inv_mass;
    b->inv_ix[i] = init->inv_inertia.x, b->inv_iy[i] = init->inv_inertia.y, b->inv_iz[i] = init->inv_inertia.z;
    b->kind[i] = (uint8_t)init->kind;
    b->is_joined[i] = 0;
    b->id[i] = b->next_id++;
    b->first_collider[i] = (int32_t)first_collider;
    b->collider_count[i] = (int32_t)collider_count;
    b->handle[i] = take_record(b, i);
    return i;
}

static int64_t append_collider(colliders *c, int64_t body, scr_shape_kind kind, uint16_t material, double radius,
                               uint32_t group, uint32_t collides_with)
{
    int64_t k = c->table.count++;
    c->body[k] = (int32_t)body;
    c->kind[k] = (uint8_t)kind;
    c->material[k] = material;
    c->group[k] = group;
    c->collides_with[k] = collides_with;
    c->radius[k] = radius;
    c->place[k] = NO_PLACE;
    c->id[k] = c->next_id++;
    return k;
}

// The pose of a shape in the principal frame of its body.
static int32_t append_place(colliders *c, const scr_shape *shape, pose principal)
{
    int64_t p = c->places.table.count++;
    pose seen = pose_relative(principal, (pose){shape->position, shape->rotation});
    scr_vec3 at = seen.position;
    scr_quat relative = quat_unit(seen.rotation);
    double *position = c->places.position + 3 * p, *rotation = c->places.rotation + 4 * p,
           *half = c->places.half + 3 * p;
    position[0] = at.x, position[1] = at.y, position[2] = at.z;
    rotation[0] = relative.w, rotation[1] = relative.x, rotation[2] = relative.y, rotation[3] = relative.z;
    bool is_round = shape->kind == SCR_CAPSULE || shape->kind == SCR_CYLINDER || shape->kind == SCR_CONE;
    half[0] = is_round ? shape->radius : shape->half.x, half[1] = is_round ? shape->radius : shape->half.y,
    half[2] = shape->half.z;
    c->places.surface[p] = (int32_t)shape->surface.index1 - 1;
    return (int32_t)p;
}

mat3 given_inertia(const scr_body_def *def)
{
    scr_vec3 i = def->inertia, p = def->products;
    return (mat3){{{i.x, p.x, p.y}, {p.x, i.y, p.z}, {p.y, p.z, i.z}}};
}

mass_properties shapes_mass_properties(const scr_shape *shapes, int count, const surfaces *all,
                                       const double *material_density)
{
    mass_properties sum = {0};
    for (int k = 0; k < count; ++k) {
        mass_properties part = shape_mass_properties(&shapes[k], surface_of(all, shapes[k].surface),
                                                     material_density[shapes[k].material.index1 - 1]);
        mass_properties both[2] = {sum, part};
        sum = k == 0 ? part : mass_properties_sum(both, 2);
    }
    return sum;
}

// Mass, centre and principal axes as the definition says, or of a dynamic body's shapes together, scaled to def->mass
// if that is given.
static scr_status principal_frame(const scr_body_def *def, const surfaces *all, const double *material_density,
                                  double *mass, pose *frame, scr_vec3 *inertia, scr_error *error)
{
    if (body_gives_inertia(def)) {
        mat3 given = given_inertia(def);
        *mass = def->mass;
        frame->position = def->centre;
        if (vec3_norm(def->products) == 0.0) *inertia = def->inertia, frame->rotation = QUAT_IDENTITY;
        else mat3_eigen_symmetric(&given, inertia, &frame->rotation);
        return SCR_OK;
    }
    mass_properties sum = shapes_mass_properties(def->shapes, def->shape_count, all, material_density);
    if (!(sum.mass > 0.0) || !isfinite(sum.mass))
        return scr_fail(error, SCR_BAD_INPUT, "a dynamic body needs a shape with a volume");
    double scale = def->mass > 0.0 ? def->mass / sum.mass : 1.0;
    *mass = scale * sum.mass;
    frame->position = sum.centre;
    if (def->shape_count == 1 && !kind_has_surface(def->shapes[0].kind)) {
        // Such shapes are made along their own principal axes.
        frame->rotation = quat_unit(def->shapes[0].rotation);
        mat3 rotation = mat3_from_quat(frame->rotation), back = mat3_transpose(&rotation),
             half = mat3_mul(&sum.inertia, &rotation);
        mat3 own = mat3_mul(&back, &half);
        *inertia = vec3(own.m[0][0], own.m[1][1], own.m[2][2]);
    } else {
        mat3_eigen_symmetric(&sum.inertia, inertia, &frame->rotation);
    }
    *inertia = vec3_scale(scale, *inertia);
    return SCR_OK;
}

scr_status bodies_add(bodies *b, colliders *c, const scr_body_def *def, const double *material_density, scr_body *body,
                      scr_error *error)
{
    double mass = 0.0;
    scr_vec3 inertia = {0};
    pose principal = POSE_IDENTITY;
    scr_status status = SCR_OK;
    if (def->kind == SCR_DYNAMIC)
        status = principal_frame(def, c->surfaces, material_density, &mass, &principal, &inertia, error);
    if (status == SCR_OK) status = reserve(b, c, 1, def->shape_count, def->shape_count, error);
    if (status == SCR_OK) status = surface_velocity_reserve(&b->surface_velocity, error);
    if (status != SCR_OK) return status;

    body_init init = {.kind = def->kind, .velocity = def->velocity};
    init.pose = pose_compose((pose){def->position, quat_unit(def->rotation)}, principal);
    init.pose.rotation = quat_unit(init.pose.rotation);
    init.spin = quat_unrotate(init.pose.rotation, def->spin);
    if (def->kind == SCR_DYNAMIC) {
        init.inv_mass = 1.0 / mass;
        init.inv_inertia = vec3(1.0 / inertia.x, 1.0 / inertia.y, 1.0 / inertia.z);
    }
    int64_t slot = append_body(b, &init, c->table.count, def->shape_count);
    for (int k = 0; k < def->shape_count; ++k) {
        const scr_shape *shape = &def->shapes[k];
        int64_t at = append_collider(c, slot, shape->kind, (uint16_t)(shape->material.index1 - 1),
                                     shape_bounding_radius(shape, surface_of(c->surfaces, shape->surface)), def->group,
                                     def->collides_with);
        scr_vec3 offset = vec3_sub(shape->position, principal.position);
        bool grain =
            shape->kind == SCR_SPHERE && def->shape_count == 1 && vec3_norm(offset) == 0.0 && !body_gives_inertia(def);
        if (!grain) c->place[at] = append_place(c, shape, principal);
    }
    *body = b->handle[slot];
    surface_velocity_set(&b->surface_velocity, body->index1 - 1,
                         quat_unrotate(principal.rotation, def->surface_velocity));
    return SCR_OK;
}

sphere_inertia sphere_inertia_of(double radius, double density)
{
    scr_shape shape = scr_sphere(radius, (scr_material){0});
    double mass = density * shape_volume(&shape, NULL);
    return (sphere_inertia){mass, 0.4 * mass * radius * radius};
}

scr_status bodies_add_spheres(bodies *b, colliders *c, int64_t count, const scr_vec3 *position, const double *radius,
                              const scr_vec3 *velocity, uint16_t material, double density, scr_body *handles,
                              scr_error *error)
{
    scr_status status = reserve(b, c, count, count, 0, error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < count; ++k) {
        sphere_inertia of = sphere_inertia_of(radius[k], density);
        body_init init = {.kind = SCR_DYNAMIC, .pose = {position[k], QUAT_IDENTITY}, .inv_mass = 1.0 / of.mass};
        if (velocity != NULL) init.velocity = velocity[k];
        init.inv_inertia = vec3(1.0 / of.inertia, 1.0 / of.inertia, 1.0 / of.inertia);
        scr_body_def defaults = scr_default_body_def();
        int64_t slot = append_body(b, &init, c->table.count, 1);
        append_collider(c, slot, SCR_SPHERE, material, radius[k], defaults.group, defaults.collides_with);
        if (handles != NULL) handles[k] = b->handle[slot];
    }
    return SCR_OK;
}

static pose stored_pose(const stored_grain *g)
{
    const float *q = g->rotation;
    return (pose){g->position, {(double)q[0], (double)q[1], (double)q[2], (double)q[3]}};
}

void body_fix_grain(bodies *b, int64_t i, const stored_grain *g)
{
    const scr_vec3 none = {0};
    body_put(b, i, stored_pose(g), none, none);
    b->kind[i] = SCR_FIXED;
    b->inv_mass[i] = b->inv_ix[i] = b->inv_iy[i] = b->inv_iz[i] = 0.0;
}

void body_release_grain(bodies *b, const colliders *c, int64_t i, double density)
{
    sphere_inertia of = sphere_inertia_of(c->radius[b->first_collider[i]], density);
    b->kind[i] = SCR_DYNAMIC;
    b->inv_mass[i] = 1.0 / of.mass;
    b->inv_ix[i] = b->inv_iy[i] = b->inv_iz[i] = 1.0 / of.inertia;
}

scr_status bodies_add_fixed_grains(bodies *b, colliders *c, int64_t count, const stored_grain *g, scr_error *error)
{
    scr_status status = reserve(b, c, count, count, 0, error);
    if (status != SCR_OK) return status;
    const scr_body_def usual = scr_default_body_def();
    const uint64_t next_id = b->next_id, next_collider_id = c->next_id;
    for (int64_t k = 0; k < count; ++k) {
        body_init init = {.kind = SCR_FIXED, .pose = stored_pose(&g[k])};
        int64_t slot = append_body(b, &init, c->table.count, 1);
        int64_t at = append_collider(c, slot, SCR_SPHERE, g[k].material, g[k].radius, usual.group, usual.collides_with);
        b->id[slot] = g[k].id;
        c->id[at] = g[k].collider_id;
    }
    b->next_id = next_id;
    c->next_id = next_collider_id;
    return SCR_OK;
}

// The colliders and places of the kept bodies, in their order.
static void list_colliders(const bodies *b, const colliders *c, const int32_t *from, int64_t kept,
                           int32_t *collider_from, int32_t *place_from, int64_t *collider_count, int64_t *place_count)
{
    *collider_count = *place_count = 0;
    for (int64_t i = 0; i < kept; ++i) {
        for (int32_t k = 0; k < b->collider_count[from[i]]; ++k) {
            int32_t old = b->first_collider[from[i]] + k;
            if (c->place[old] != NO_PLACE) place_from[(*place_count)++] = c->place[old];
            collider_from[(*collider_count)++] = old;
        }
    }
}

static void free_dropped_records(bodies *b, const int32_t *from, int64_t kept, uint8_t *is_kept)
{
    memset(is_kept, 0, (size_t)b->table.count);
    for (int64_t i = 0; i < kept; ++i) is_kept[from[i]] = 1;
    for (int64_t i = 0; i < b->table.count; ++i)
        if (!is_kept[i]) free_record(b, b->handle[i]);
}

// What points from one table into another, after all were gathered in the new order.
static void relink(bodies *b, colliders *c)
{
    int32_t collider = 0, place = 0;
    for (int64_t i = 0; i < b->table.count; ++i) {
        b->slot[b->handle[i].index1 - 1] = (int32_t)i;
        b->first_collider[i] = collider;
        for (int32_t k = 0; k < b->collider_count[i]; ++k, ++collider) {
            c->body[collider] = (int32_t)i;
            if (c->place[collider] != NO_PLACE) c->place[collider] = place++;
        }
    }
}

scr_status bodies_reorder(bodies *b, colliders *c, const int32_t *from, int64_t kept, int32_t *new_number,
                          scr_arena *scratch, int threads, scr_error *error)
{
    int64_t old_colliders = c->table.count, collider_count, place_count;
    size_t gather = table_gather_bytes(&b->table, kept) + table_gather_bytes(&c->table, old_colliders) +
                    table_gather_bytes(&c->places.table, c->places.table.count);
    scr_status status = scr_arena_reserve(scratch,
                                          scr_arena_bytes(sizeof(int32_t), old_colliders) +
                                              scr_arena_bytes(sizeof(int32_t), c->places.table.count) +
                                              scr_arena_bytes(1, b->table.count) + gather,
                                          "re-sorting bodies", error);
    if (status != SCR_OK) return status;
    scr_arena arena = *scratch;
    int32_t *collider_from = scr_arena_array(&arena, sizeof *collider_from, old_colliders);
    int32_t *place_from = scr_arena_array(&arena, sizeof *place_from, c->places.table.count);
    uint8_t *is_kept = scr_arena_array(&arena, 1, b->table.count);
    list_colliders(b, c, from, kept, collider_from, place_from, &collider_count, &place_count);
    if (kept < b->table.count) free_dropped_records(b, from, kept, is_kept);
    for (int64_t k = 0; k < old_colliders; ++k) new_number[k] = -1;
    for (int64_t k = 0; k < collider_count; ++k) new_number[collider_from[k]] = (int32_t)k;
    table_gather(&b->table, from, kept, arena, threads);
    table_gather(&c->table, collider_from, collider_count, arena, threads);
    table_gather(&c->places.table, place_from, place_count, arena, threads);
    relink(b, c);
    return SCR_OK;
}

void bodies_fill_holes(bodies *b, colliders *c, const body_moves *moves)
{
    for (int64_t k = 0; k < moves->gone_count; ++k) free_record(b, b->handle[moves->gone[k]]);
    for (int64_t k = 0; k < moves->hole_count; ++k) {
        int32_t to = moves->hole[k], from = moves->filler[k], collider = b->first_collider[to];
        table_copy_entry(&c->table, b->first_collider[from], collider);
        c->body[collider] = to;
        table_copy_entry(&b->table, from, to);
        b->first_collider[to] = collider;
        b->slot[b->handle[to].index1 - 1] = to;
    }
    b->table.count -= moves->gone_count;
    c->table.count -= moves->gone_count;
}

// No number of a state that was lived through comes near this; products of a few such numbers are still finite.
static const double STATE_MAX = 1e15;  // m, m/s, rad/s

static bool is_sane(double x, double y, double z)
{
    return fabs(x) <= STATE_MAX && fabs(y) <= STATE_MAX && fabs(z) <= STATE_MAX;
}

static bool is_unit(double w, double x, double y, double z) { return fabs(w * w + x * x + y * y + z * z - 1.0) < 1e-6; }

// Moved by contacts if and only if it is dynamic; every number finite.
static bool motion_is_valid(const bodies *b, int64_t i)
{
    const double inverse[4] = {b->inv_mass[i], b->inv_ix[i], b->inv_iy[i], b->inv_iz[i]};
    for (int k = 0; k < 4; ++k)
        if (!isfinite(inverse[k]) || (b->kind[i] == SCR_DYNAMIC ? !(inverse[k] > 0.0) : inverse[k] != 0.0))
            return false;
    return is_sane(b->x[i], b->y[i], b->z[i]) && is_sane(b->vx[i], b->vy[i], b->vz[i]) &&
           is_sane(b->wx[i], b->wy[i], b->wz[i]) && is_unit(b->qw[i], b->qx[i], b->qy[i], b->qz[i]);
}

// The sizes of a shape make its bounding radius.
static bool place_is_valid(const colliders *c, int64_t k, int64_t p)
{
    const double *at = c->places.position + 3 * p, *q = c->places.rotation + 4 * p, *half = c->places.half + 3 * p;
    if (!is_sane(at[0], at[1], at[2]) || !is_unit(q[0], q[1], q[2], q[3])) return false;
    scr_shape shape = {.kind = (scr_shape_kind)c->kind[k], .half = vec3(half[0], half[1], half[2]), .radius = half[0]};
    if (kind_has_surface(shape.kind)) {
        int32_t s = c->places.surface[p];
        return s >= 0 && s < c->surfaces->table.count && c->surfaces->kind[s] == shape.kind;
    }
    if (shape.kind == SCR_SPHERE || shape.kind == SCR_PLANE) return c->places.surface[p] == -1;
    double radius = shape_bounding_radius(&shape, NULL);
    return half[0] > 0.0 && half[1] > 0.0 && half[2] > 0.0 && c->places.surface[p] == -1 &&
           fabs(radius - c->radius[k]) <= 1e-9 * c->radius[k];
}

// Places are numbered in the order of the colliders; place is the next one's number.
static bool collider_is_valid(const bodies *b, const colliders *c, int64_t i, int64_t k, int64_t place)
{
    if (c->body[k] != i || c->kind[k] > SCR_SPHERE_SET || c->id[k] == 0 || c->id[k] >= c->next_id) return false;
    if (!(c->radius[k] > 0.0) || (c->kind[k] == SCR_PLANE ? isfinite(c->radius[k]) : c->radius[k] > STATE_MAX))
        return false;
    if (c->place[k] == NO_PLACE) return c->kind[k] == SCR_SPHERE && b->collider_count[i] == 1;
    if (c->kind[k] == SCR_PLANE && b->kind[i] == SCR_DYNAMIC) return false;
    return c->place[k] == place && place < c->places.table.count && place_is_valid(c, k, place);
}

// Records are alive as often as there are bodies, and all others hang on the list of free ones.
static bool records_are_valid(const bodies *b)
{
    int64_t alive = 0, count = b->record_table.count, free_count = 0;
    for (int64_t r = 0; r < count; ++r) alive += b->generation[r] & 1u;
    if (alive != b->table.count) return false;
    for (int32_t r = b->free_record; r != -1; r = b->slot[r])
        if (r < 0 || r >= count || (b->generation[r] & 1u) || ++free_count > count - alive) return false;
    return free_count == count - alive;
}

bool bodies_are_valid(const bodies *b, const colliders *c)
{
    int64_t collider = 0, place = 0;
    if (!records_are_valid(b)) return false;
    if (!surface_velocities_are_valid(&b->surface_velocity, b->generation, b->record_table.count)) return false;
    for (int64_t i = 0; i < b->table.count; ++i) {
        if (b->kind[i] > SCR_KINEMATIC || b->id[i] == 0 || b->id[i] >= b->next_id || body_slot(b, b->handle[i]) != i)
            return false;
        if (b->first_collider[i] != collider || b->collider_count[i] < 0) return false;
        if (collider + b->collider_count[i] > c->table.count || !motion_is_valid(b, i)) return false;
        for (int64_t last = collider + b->collider_count[i]; collider < last; ++collider) {
            if (!collider_is_valid(b, c, i, collider, place)) return false;
            place += c->place[collider] != NO_PLACE;
        }
    }
    return collider == c->table.count && place == c->places.table.count;
}

scr_body_def scr_default_body_def(void)
{
    return (scr_body_def){.kind = SCR_DYNAMIC, .rotation = {1.0, 0.0, 0.0, 0.0}, .group = 1u, .collides_with = ~0u};
}
