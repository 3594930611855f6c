// SPDX-License-Identifier: BSD-3-Clause
// What the shapes of frames are made of: surfaces, and the spheres of sphere sets, which are written once and spread in
// every frame that is read.
#include <string.h>

#include "core/maths/pose.h"
#include "dynamics/world/world_state.h"
#include "io/trajectory/frame.h"

static void store(float *to, scr_vec3 v)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static scr_status append_surface(frame_surfaces *s, const scr_triangles *t, scr_error *error)
{
    frame_surface fresh = {s->vertex_count, t->vertex_count, s->triangle_count, t->triangle_count};
    int64_t vertices = s->vertex_count + t->vertex_count, triangles = s->triangle_count + t->triangle_count;
    scr_status status = scr_grow(&s->item, &s->capacity, s->count + 1, sizeof *s->item, "surfaces of a frame", error);
    if (status == SCR_OK)
        status =
            scr_grow(&s->vertex, &s->vertex_capacity, vertices, 3 * sizeof *s->vertex, "surfaces of a frame", error);
    if (status == SCR_OK)
        status = scr_grow(&s->triangle, &s->triangle_capacity, triangles, 3 * sizeof *s->triangle,
                          "surfaces of a frame", error);
    if (status != SCR_OK) return status;
    for (int64_t i = 0; i < t->vertex_count; ++i) store(&s->vertex[3 * (s->vertex_count + i)], t->vertex[i]);
    for (int64_t i = 0; i < 3 * t->triangle_count; ++i) s->triangle[3 * s->triangle_count + i] = t->triangle[i];
    s->item[s->count++] = fresh;
    s->vertex_count = vertices;
    s->triangle_count = triangles;
    return SCR_OK;
}

// Before the surface itself; NULL: it is no set.
static scr_status append_set(frame_surfaces *s, const shape_surface *set, scr_error *error)
{
    int64_t first = s->sphere_count, count = set != NULL ? set->triangles.vertex_count : 0;
    scr_status status = scr_grow(&s->set, &s->set_capacity, s->count + 1, sizeof *s->set, "surfaces of a frame", error);
    if (status == SCR_OK)
        status = scr_grow(&s->sphere, &s->sphere_capacity, first + count, 4 * sizeof *s->sphere, "surfaces of a frame",
                          error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < count; ++k) {
        float *to = &s->sphere[4 * (first + k)];
        store(to, set->triangles.vertex[k]);
        to[3] = (float)set->radius_at[k];
    }
    s->set[s->count] = (frame_sphere_set){first, count};
    s->sphere_count += count;
    return SCR_OK;
}

static scr_status capture_surfaces(const scr_world *world, bool sets_alone, frame_surfaces *s, scr_error *error)
{
    s->count = s->vertex_count = s->triangle_count = s->sphere_count = 0;
    for (uint32_t index1 = 1;; ++index1) {
        scr_triangles t = scr_surface_triangles(world, (scr_surface){index1});
        if (t.vertex_count == 0) return SCR_OK;  // one beyond the last
        bool is_set = t.triangle_count == 0;
        scr_status status = append_set(s, is_set ? world_surface(world, (scr_surface){index1}) : NULL, error);
        if (is_set || sets_alone) t.vertex_count = t.triangle_count = 0;
        if (status == SCR_OK) status = append_surface(s, &t, error);
        if (status != SCR_OK) return status;
    }
}

scr_status frame_surfaces_capture(const scr_world *world, frame_surfaces *s, scr_error *error)
{
    return capture_surfaces(world, false, s, error);
}

void frame_surfaces_free(frame_surfaces *s)
{
    scr_free(s->item);
    scr_free(s->vertex);
    scr_free(s->triangle);
    scr_free(s->set);
    scr_free(s->sphere);
    *s = (frame_surfaces){0};
}

// ---- sphere sets ---------------------------------------------------------------------------------------------------

static const frame_sphere_set *set_of(const frame *f, const frame_shape *part)
{
    return part->shape == SCR_SPHERE_SET ? &f->surfaces->set[part->surface] : NULL;
}

static void spread_set(frame *f, const frame_shape *part)
{
    const frame_sphere_set *set = set_of(f, part);
    frame_spheres *s = &f->spheres;
    pose at = frame_shape_pose(part);
    scr_vec3 v = vec3(part->velocity[0], part->velocity[1], part->velocity[2]);
    scr_vec3 w = vec3(part->angular_velocity[0], part->angular_velocity[1], part->angular_velocity[2]);
    for (int64_t k = 0; k < set->count; ++k) {
        const float *own = &f->surfaces->sphere[4 * (set->first + k)];
        scr_vec3 arm = quat_rotate(at.rotation, vec3(own[0], own[1], own[2]));
        int64_t i = s->count++;
        store(s->position + 3 * i, vec3_add(at.position, arm));
        store(s->velocity + 3 * i, point_velocity((twist){v, w}, arm));
        s->radius[i] = own[3];
        s->id[i] = part->id;
        s->material[i] = part->material;
        if (!f->has_rotations) continue;
        frame_rotation *to = &f->rotations[f->rotation_count++];
        memcpy(to->rotation, part->rotation, sizeof to->rotation);
        memcpy(to->angular_velocity, part->angular_velocity, sizeof to->angular_velocity);
    }
}

scr_status frame_spread_sets(frame *f, scr_error *error)
{
    int64_t spheres = f->spheres.count, others = 0;
    for (int64_t i = 0; i < f->part_count; ++i)
        if (set_of(f, &f->parts[i]) != NULL) spheres += set_of(f, &f->parts[i])->count;
    scr_status status =
        frame_reserve(f, (frame_size){.spheres = spheres, .rotations = f->has_rotations ? spheres : 0}, error);
    if (status != SCR_OK) return status;
    for (int64_t i = 0; i < f->part_count; ++i) {
        if (set_of(f, &f->parts[i]) != NULL) spread_set(f, &f->parts[i]);
        else f->parts[others++] = f->parts[i];
    }
    f->part_count = others;
    return SCR_OK;
}

scr_status frame_capture_set_spheres(const scr_world *world, frame *f, scr_error *error)
{
    const frame_surfaces *before = f->surfaces;
    frame_surfaces sets = {0};
    scr_status status = capture_surfaces(world, true, &sets, error);
    f->surfaces = &sets;
    if (status == SCR_OK) status = frame_spread_sets(f, error);
    f->surfaces = before;
    frame_surfaces_free(&sets);
    return status;
}
