// SPDX-License-Identifier: BSD-3-Clause
#include "collision/broad/colliders.h"

#include "geometry/surface/surface_query.h"

static const double ROUNDING = 1.0 + 1e-9;

static const field_info collider_fields[] = {
    FIELD(colliders, body, FIELD_I32, ""),          FIELD(colliders, kind, FIELD_U8, ""),
    FIELD(colliders, material, FIELD_U16, ""),      FIELD(colliders, group, FIELD_U32, ""),
    FIELD(colliders, collides_with, FIELD_U32, ""), FIELD(colliders, radius, FIELD_F64, "m"),
    FIELD(colliders, place, FIELD_I32, ""),         FIELD(colliders, id, FIELD_U64, ""),
    SCALAR(colliders, next_id, FIELD_U64, ""),
};
static const field_info frame_fields[] = {
    FIELD_WIDE(collider_frames, position, FIELD_F64, 3, "m"),
    FIELD_WIDE(collider_frames, rotation, FIELD_F64, 4, ""),
    FIELD_WIDE(collider_frames, half, FIELD_F64, 3, "m"),
    FIELD(collider_frames, surface, FIELD_I32, ""),
};

void colliders_init(colliders *c)
{
    *c = (colliders){0};
    c->table = (table){"shapes", collider_fields, sizeof collider_fields / sizeof *collider_fields, c, 0, 0, false};
    c->next_id = 1;
    c->places.table =
        (table){"places", frame_fields, sizeof frame_fields / sizeof *frame_fields, &c->places, 0, 0, false};
}

void colliders_free(colliders *c)
{
    table_free(&c->table);
    table_free(&c->places.table);
    scr_free(c->ball);
    scr_free(c->rotation);
}

scr_status colliders_place(colliders *c, const body_poses *bodies, int threads, scr_error *error)
{
    return colliders_place_first(c, bodies, c->table.count, threads, error);
}

scr_status colliders_place_first(colliders *c, const body_poses *bodies, int64_t count, int threads, scr_error *error)
{
    scr_status status =
        scr_grow(&c->ball, &c->ball_capacity, c->table.capacity, sizeof *c->ball, "collider positions", error);
    if (status == SCR_OK)
        status = scr_grow(&c->rotation, &c->rotation_capacity, c->places.table.count, sizeof *c->rotation,
                          "collider rotations", error);
    if (status != SCR_OK || count == 0) return status;

#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 0; i < count; ++i) {
        int32_t b = c->body[i], p = c->place[i];
        scr_vec3 at = vec3(bodies->x[b], bodies->y[b], bodies->z[b]);
        if (p != NO_PLACE) {
            pose now = pose_compose(body_poses_at(bodies, b), collider_frame_pose(c, p));
            at = now.position;
            c->rotation[p] = now.rotation;
        }
        c->ball[i] = (ball){at.x, at.y, at.z, c->radius[i]};
    }
    return SCR_OK;
}

placed_shape collider_placed(const colliders *c, int64_t i)
{
    int32_t p = c->place[i];
    placed_shape shape = {
        .kind = (scr_shape_kind)c->kind[i],
        .pose = {{c->ball[i].x, c->ball[i].y, c->ball[i].z}, p == NO_PLACE ? QUAT_IDENTITY : c->rotation[p]},
        .radius = c->radius[i],
    };
    if (p == NO_PLACE) return shape;
    shape.half = vec3(c->places.half[3 * p], c->places.half[3 * p + 1], c->places.half[3 * p + 2]);
    if (shape.kind != SCR_SPHERE) shape.radius = shape.half.x;
    if (c->places.surface[p] >= 0) shape.surface = &c->surfaces->item[c->places.surface[p]];
    return shape;
}

placed_shape collider_placed_near(const colliders *c, int64_t i, int64_t j)
{
    placed_shape shape = collider_placed(c, j);
    ball near = collider_nearest(c, i, j);
    shape.pose.position = vec3(near.x, near.y, near.z);
    return shape;
}

// Distance from a point to a box about the origin of its frame, 0 inside.
static double distance_to_box(scr_vec3 local, scr_vec3 half)
{
    scr_vec3 d = vec3_abs(local);
    return vec3_norm(vec3(fmax(0.0, d.x - half.x), fmax(0.0, d.y - half.y), fmax(0.0, d.z - half.z)));
}

static scr_vec3 middle_of(scr_aabb box) { return vec3_scale(0.5, vec3_add(box.low, box.high)); }
static scr_vec3 half_of(scr_aabb box) { return vec3_scale(0.5, vec3_sub(box.high, box.low)); }

// |d| times how far one reaches beyond its centre along d.
static double oval_reach(const colliders *c, int64_t i, scr_vec3 d)
{
    int32_t p = c->place[i];
    const double *half = c->places.half + 3 * (int64_t)p;
    scr_vec3 local = quat_unrotate(c->rotation[p], d);
    if (c->kind[i] == SCR_CAPSULE) return half[2] * fabs(local.z) + half[0] * vec3_norm(d);
    return vec3_norm(vec3(half[0] * local.x, half[1] * local.y, half[2] * local.z));
}

bool ovals_may_touch(const colliders *c, int64_t i, int64_t j, double reach)
{
    const ball *a = &c->ball[i], b = collider_nearest(c, i, j);
    scr_vec3 d = vec3(b.x - a->x, b.y - a->y, b.z - a->z);
    double d2 = vec3_dot(d, d), both = oval_reach(c, i, d) + oval_reach(c, j, d);
    return d2 <= ROUNDING * (both + reach * sqrt(d2));
}

// The same of a hull, mesh, heightfield or sphere set: many grains ask.
static bool surface_may_touch(const colliders *c, int64_t i, const ball *b, double reach)
{
    int32_t p = c->place[i];
    const shape_surface *s = &c->surfaces->item[c->places.surface[p]];
    scr_vec3 local = quat_unrotate(c->rotation[p], vec3(b->x - c->ball[i].x, b->y - c->ball[i].y, b->z - c->ball[i].z));
    double near = ROUNDING * (b->r + reach + 1e-6 * c->radius[i]);
    if (!(distance_to_box(vec3_sub(local, middle_of(s->box)), half_of(s->box)) <= near)) return false;
    // Who of a sphere set is near is listed later (part_lists.h), and need not be asked twice.
    return !kind_has_triangles(s->kind) || surface_may_reach(s, local, near);
}

bool collider_may_reach(const colliders *c, int64_t i, const ball *b, double reach)
{
    if (c->kind[i] == SCR_SPHERE) return true;
    if (kind_has_surface((scr_shape_kind)c->kind[i])) return surface_may_touch(c, i, b, reach);
    placed_shape shape = collider_placed(c, i);
    scr_vec3 centre = vec3(b->x, b->y, b->z), local = pose_unapply(shape.pose, centre);
    double distance;
    if (shape.kind == SCR_BOX) {
        distance = distance_to_box(local, shape.half);
    } else if (shape.kind == SCR_CAPSULE) {
        distance = distance_to_box(local, vec3(0.0, 0.0, shape.half.z)) - shape.radius;
    } else {
        scr_aabb box = placed_aabb(&shape);
        distance = distance_to_box(vec3_sub(centre, middle_of(box)), half_of(box));
    }
    return distance <= ROUNDING * (b->r + reach + 1e-6 * c->radius[i]);
}
