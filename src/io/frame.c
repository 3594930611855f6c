// A frame: all shapes of a world at one moment, in single precision.
#include "io/frame.h"

#include "core/quat.h"

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
    struct {
        void *array;
        size_t size;
    } column[] = {
        {&s->position, 3 * sizeof *s->position}, {&s->velocity, 3 * sizeof *s->velocity},
        {&s->radius, sizeof *s->radius},         {&s->id, sizeof *s->id},
        {&s->material, sizeof *s->material},
    };
    int64_t capacity = s->capacity;
    for (size_t c = 0; c < sizeof column / sizeof column[0]; ++c) {
        capacity = s->capacity;
        scr_status status = scr_grow(column[c].array, &capacity, count, column[c].size, "spheres of a frame", error);
        if (status != SCR_OK) return status;
    }
    s->capacity = capacity;
    return SCR_OK;
}

scr_status frame_reserve(frame *f, int64_t spheres, int64_t boxes, int64_t planes, scr_error *error)
{
    scr_status status = reserve_spheres(&f->spheres, spheres, error);
    if (status == SCR_OK)
        status = scr_grow(&f->boxes, &f->box_capacity, boxes, sizeof *f->boxes, "boxes of a frame", error);
    if (status == SCR_OK)
        status = scr_grow(&f->planes, &f->plane_capacity, planes, sizeof *f->planes, "planes of a frame", error);
    return status;
}

// Velocity of a point of a body: v + w x r. Most shapes sit at the centre of their body, where that is v.
static scr_vec3 point_velocity(const scr_body_view *view, int64_t b, scr_vec3 point)
{
    scr_vec3 v = vec3(view->vx[b], view->vy[b], view->vz[b]);
    scr_vec3 arm = vec3_sub(point, vec3(view->x[b], view->y[b], view->z[b]));
    if (arm.x == 0.0 && arm.y == 0.0 && arm.z == 0.0) return v;
    scr_quat q = {view->qw[b], view->qx[b], view->qy[b], view->qz[b]};
    return vec3_add(v, vec3_cross(quat_rotate(q, vec3(view->wx[b], view->wy[b], view->wz[b])), arm));
}

static void add_sphere(frame_spheres *s, const scr_placed_shape *shape, const scr_body_view *view)
{
    int64_t i = s->count++;
    store(s->position + 3 * i, shape->position);
    store(s->velocity + 3 * i, point_velocity(view, shape->body, shape->position));
    s->radius[i] = (float)shape->radius;
    s->id[i] = (uint32_t)view->id[shape->body];
    s->material[i] = (uint8_t)shape->material;
}

static frame_box box_of(const scr_placed_shape *shape, const scr_body_view *view)
{
    frame_box box = {
        .id = (uint32_t)view->id[shape->body], .material = (uint8_t)shape->material, .kind = view->kind[shape->body]};
    store(box.position, shape->position);
    store_rotation(box.rotation, shape->rotation);
    store(box.half, shape->half);
    store(box.velocity, point_velocity(view, shape->body, shape->position));
    return box;
}

static frame_plane plane_of(const scr_placed_shape *shape, const scr_body_view *view)
{
    frame_plane plane = {.id = (uint32_t)view->id[shape->body], .material = (uint8_t)shape->material};
    store(plane.position, shape->position);
    store_rotation(plane.rotation, shape->rotation);
    return plane;
}

scr_status frame_capture(const scr_world *world, frame *f, scr_error *error)
{
    // Room for as many spheres as there are shapes; boxes and planes are few and grow as they are met.
    int64_t shape_count = scr_world_shape_count(world);
    scr_status status = reserve_spheres(&f->spheres, shape_count, error);
    if (status != SCR_OK) return status;

    scr_body_view view = scr_world_bodies(world);
    f->time = scr_world_time(world);
    f->spheres.count = f->box_count = f->plane_count = 0;
    for (int64_t i = 0; i < shape_count; ++i) {
        scr_placed_shape shape = scr_world_shape(world, i);
        switch (shape.kind) {
        case SCR_SPHERE: add_sphere(&f->spheres, &shape, &view); break;
        case SCR_BOX:
            status = frame_reserve(f, 0, f->box_count + 1, 0, error);
            if (status != SCR_OK) return status;
            f->boxes[f->box_count++] = box_of(&shape, &view);
            break;
        default: break;
        case SCR_PLANE:
            status = frame_reserve(f, 0, 0, f->plane_count + 1, error);
            if (status != SCR_OK) return status;
            f->planes[f->plane_count++] = plane_of(&shape, &view);
            break;
        }
    }
    return SCR_OK;
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
    *f = (frame){0};
}
