// SPDX-License-Identifier: BSD-3-Clause
// A frame: all shapes of a world at one moment, in single precision.
#include "io/trajectory/frame.h"

#include "core/maths/pose.h"
#include "dynamics/world/world_state.h"

static void store(float *to, scr_vec3 v)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static void store_rotation(float *to, scr_quat q)
{
    to[0] = (float)q.w;
    to[1] = (float)q.x;
    to[2] = (float)q.y;
    to[3] = (float)q.z;
}

// Every column grows from the same old capacity to the same new one.
static scr_status reserve_spheres(frame_spheres *s, int64_t count, scr_error *error)
{
    const scr_column columns[] = {
        {&s->position, 3 * sizeof *s->position}, {&s->velocity, 3 * sizeof *s->velocity},
        {&s->radius, sizeof *s->radius},         {&s->id, sizeof *s->id},
        {&s->material, sizeof *s->material},
    };
    return scr_grow_together(columns, sizeof columns / sizeof *columns, &s->capacity, count, "spheres of a frame",
                             error);
}

scr_status frame_reserve(frame *f, frame_size size, scr_error *error)
{
    scr_status status = reserve_spheres(&f->spheres, size.spheres, error);
    if (status == SCR_OK)
        status = scr_grow(&f->boxes, &f->box_capacity, size.boxes, sizeof *f->boxes, "boxes of a frame", error);
    if (status == SCR_OK)
        status = scr_grow(&f->planes, &f->plane_capacity, size.planes, sizeof *f->planes, "planes of a frame", error);
    if (status == SCR_OK)
        status = scr_grow(&f->parts, &f->part_capacity, size.parts, sizeof *f->parts, "shapes of a frame", error);
    if (status == SCR_OK)
        status = scr_grow(&f->contacts, &f->contact_capacity, size.contacts, sizeof *f->contacts, "contacts of a frame",
                          error);
    if (status == SCR_OK)
        status = scr_grow(&f->rotations, &f->rotation_capacity, size.rotations, sizeof *f->rotations,
                          "rotations of a frame", error);
    return status;
}

static scr_vec3 angular_velocity(const scr_body_view *view, int64_t b)
{
    scr_quat q = {view->qw[b], view->qx[b], view->qy[b], view->qz[b]};
    return quat_rotate(q, vec3(view->wx[b], view->wy[b], view->wz[b]));
}

static scr_vec3 centre_of(const scr_body_view *view, int64_t b) { return vec3(view->x[b], view->y[b], view->z[b]); }

// Velocity of a point of a body: v + w x r. Most shapes sit at the centre of their body, where that is v.
static scr_vec3 velocity_of_point(const scr_body_view *view, int64_t b, scr_vec3 point)
{
    scr_vec3 v = vec3(view->vx[b], view->vy[b], view->vz[b]);
    scr_vec3 arm = vec3_sub(point, centre_of(view, b));
    if (arm.x == 0.0 && arm.y == 0.0 && arm.z == 0.0) return v;
    return point_velocity((twist){v, angular_velocity(view, b)}, arm);
}

// Where space is sheared or stretched, a frame has its bodies in the cell, and as fast as they are there: how far a
// file's cells had slid or grown in each frame is not kept. Elsewhere they are where they have come to.
static scr_vec3 framed_position(const periodic_cell *p, const scr_body_view *view, int64_t b, scr_vec3 point)
{
    if (!period_moves(p)) return point;
    scr_vec3 centre = centre_of(view, b);
    return vec3_add(point, vec3_sub(period_wrapped(p, centre), centre));
}

static scr_vec3 framed_velocity(const periodic_cell *p, const scr_body_view *view, int64_t b, scr_vec3 point)
{
    return period_wrapped_velocity(p, centre_of(view, b), velocity_of_point(view, b, point));
}

static void add_sphere(frame *f, const scr_placed_shape *shape, const scr_body_view *view)
{
    frame_spheres *s = &f->spheres;
    int64_t i = s->count++;
    store(s->position + 3 * i, framed_position(&f->period, view, shape->body, shape->position));
    store(s->velocity + 3 * i, framed_velocity(&f->period, view, shape->body, shape->position));
    s->radius[i] = (float)shape->radius;
    s->id[i] = (uint32_t)view->id[shape->body];
    s->material[i] = (uint8_t)shape->material;
}

static frame_shape shape_of(const frame *f, const scr_placed_shape *shape, const scr_body_view *view)
{
    frame_shape s = {.surface = (int32_t)shape->surface.index1 - 1,
                     .id = (uint32_t)view->id[shape->body],
                     .material = (uint8_t)shape->material,
                     .kind = SCR_FIXED,
                     .shape = (uint8_t)shape->kind};
    store(s.position, framed_position(&f->period, view, shape->body, shape->position));
    store_rotation(s.rotation, shape->rotation);
    if (shape->kind == SCR_PLANE) return s;
    s.kind = view->kind[shape->body];
    if (s.surface < 0) store(s.half, shape->half);
    store(s.velocity, framed_velocity(&f->period, view, shape->body, shape->position));
    store(s.angular_velocity, angular_velocity(view, shape->body));
    return s;
}

static frame_size count_shapes(const scr_world *world)
{
    frame_size size = {0};
    for (int64_t i = 0; i < scr_world_shape_count(world); ++i) {
        switch (scr_world_shape(world, i).kind) {
        case SCR_SPHERE: ++size.spheres; break;
        case SCR_BOX: ++size.boxes; break;
        case SCR_PLANE: ++size.planes; break;
        default: ++size.parts; break;
        }
    }
    return size;
}

scr_status frame_capture(const scr_world *world, frame *f, scr_error *error)
{
    scr_status status = frame_reserve(f, count_shapes(world), error);
    if (status != SCR_OK) return status;
    scr_body_view view = scr_world_bodies(world);
    f->time = scr_world_time(world);
    f->period = *world_period(world);
    f->has_rotations = false;
    f->spheres.count = f->box_count = f->plane_count = f->part_count = f->contact_count = f->rotation_count =
        f->image_count = 0;
    for (int64_t i = 0; i < scr_world_shape_count(world); ++i) {
        scr_placed_shape shape = scr_world_shape(world, i);
        switch (shape.kind) {
        case SCR_SPHERE: add_sphere(f, &shape, &view); break;
        case SCR_BOX: f->boxes[f->box_count++] = shape_of(f, &shape, &view); break;
        case SCR_PLANE: f->planes[f->plane_count++] = shape_of(f, &shape, &view); break;
        default: f->parts[f->part_count++] = shape_of(f, &shape, &view); break;
        }
    }
    return SCR_OK;
}

scr_status frame_capture_rotations(const scr_world *world, frame *f, scr_error *error)
{
    scr_status status = frame_reserve(f, (frame_size){.rotations = f->spheres.count}, error);
    if (status != SCR_OK) return status;
    scr_body_view view = scr_world_bodies(world);
    f->rotation_count = 0;
    f->has_rotations = true;
    for (int64_t i = 0; i < scr_world_shape_count(world); ++i) {
        scr_placed_shape shape = scr_world_shape(world, i);
        if (shape.kind != SCR_SPHERE) continue;
        frame_rotation *to = &f->rotations[f->rotation_count++];
        store_rotation(to->rotation, shape.rotation);
        store(to->angular_velocity, angular_velocity(&view, shape.body));
    }
    return SCR_OK;
}

static scr_status find_entries(const scr_body_view *view, frame *f, scr_error *error)
{
    uint32_t most = 0;
    for (int64_t i = 0; i < view->count; ++i) most = view->handle[i].index1 > most ? view->handle[i].index1 : most;
    scr_status status = scr_grow(&f->entry_of_handle, &f->entry_capacity, (int64_t)most + 1, sizeof *f->entry_of_handle,
                                 "bodies of a frame", error);
    if (status != SCR_OK) return status;
    for (int64_t i = 0; i < view->count; ++i) f->entry_of_handle[view->handle[i].index1] = i;
    return SCR_OK;
}

static scr_vec3 end_of_contact(const frame *f, const scr_body_view *view, int64_t body, scr_vec3 point)
{
    if (view->kind[body] != SCR_DYNAMIC) return point;
    return framed_position(&f->period, view, body, centre_of(view, body));
}

// Across a seam the second body stands for the image of it that the first one touches.
static void store_ends(frame_contact *contact, const frame *f, const scr_body_view *view, int64_t a, int64_t b,
                       scr_vec3 point)
{
    scr_vec3 first = end_of_contact(f, view, a, point), second = end_of_contact(f, view, b, point);
    store(&contact->ends[0], first);
    store(&contact->ends[3], period_nearest(&f->period, first, second));
    contact->bodies[0] = (uint32_t)view->id[a];
    contact->bodies[1] = (uint32_t)view->id[b];
}

scr_status frame_capture_contacts(const scr_world *world, frame *f, scr_error *error)
{
    scr_contact_view all;
    scr_body_view view = scr_world_bodies(world);
    f->contact_count = 0;
    scr_status status = scr_world_contacts(world, &all, error);
    if (status == SCR_OK) status = frame_reserve(f, (frame_size){.contacts = all.count}, error);
    if (status == SCR_OK) status = find_entries(&view, f, error);
    for (int64_t i = 0; i < all.count && status == SCR_OK; ++i) {
        scr_vec3 force = all.force[i];
        bool carries = force.x != 0.0 || force.y != 0.0 || force.z != 0.0;
        if (!carries || !scr_body_is_alive(world, all.a[i]) || !scr_body_is_alive(world, all.b[i])) continue;
        frame_contact *contact = &f->contacts[f->contact_count++];
        store_ends(contact, f, &view, f->entry_of_handle[all.a[i].index1], f->entry_of_handle[all.b[i].index1],
                   all.point[i]);
        store(contact->force, force);
    }
    return status;
}

void frame_free(frame *f)
{
    scr_free(f->spheres.position);
    scr_free(f->spheres.velocity);
    scr_free(f->spheres.radius);
    scr_free(f->spheres.id);
    scr_free(f->spheres.material);
    scr_free(f->boxes);
    scr_free(f->planes);
    scr_free(f->parts);
    scr_free(f->contacts);
    scr_free(f->rotations);
    scr_free(f->images);
    scr_free(f->entry_of_handle);
    *f = (frame){0};
}

// ---- hiding --------------------------------------------------------------------------------------------------------

static bool is_hidden(const bool *hidden, int64_t count, uint32_t id)
{
    return id >= 1 && id <= count && hidden[id - 1];
}

static void move_sphere(frame_spheres *s, int64_t from, int64_t to)
{
    for (int axis = 0; axis < 3; ++axis) {
        s->position[3 * to + axis] = s->position[3 * from + axis];
        s->velocity[3 * to + axis] = s->velocity[3 * from + axis];
    }
    s->radius[to] = s->radius[from];
    s->id[to] = s->id[from];
    s->material[to] = s->material[from];
}

static int64_t kept_shapes(frame_shape *shape, int64_t shape_count, const bool *hidden, int64_t count)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < shape_count; ++i)
        if (!is_hidden(hidden, count, shape[i].id)) shape[kept++] = shape[i];
    return kept;
}

void frame_hide_bodies(frame *f, const bool *hidden, int64_t count)
{
    int64_t spheres = 0;
    for (int64_t i = 0; i < f->spheres.count; ++i) {
        if (is_hidden(hidden, count, f->spheres.id[i])) continue;
        if (f->rotation_count > 0) f->rotations[spheres] = f->rotations[i];
        move_sphere(&f->spheres, i, spheres++);
    }
    f->spheres.count = spheres;
    if (f->rotation_count > 0) f->rotation_count = spheres;
    f->box_count = kept_shapes(f->boxes, f->box_count, hidden, count);
    f->plane_count = kept_shapes(f->planes, f->plane_count, hidden, count);
    f->part_count = kept_shapes(f->parts, f->part_count, hidden, count);
}
