// SPDX-License-Identifier: BSD-3-Clause
// The surfaces of a scene on their way into the world.
#include "scene/populate/populate_surfaces.h"

#include <limits.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/maths/quat.h"
#include "geometry/mesh_file/mesh_file.h"
#include "scene/formula/number_table.h"
#include "scene/model/messages.h"

static scr_status scaled_points(int64_t count, const scr_vec3 *points, double scale, scr_vec3 **scaled,
                                scr_error *error)
{
    size_t bytes = scr_array_bytes(count + 1, sizeof **scaled);
    *scaled = scr_alloc(bytes);
    if (*scaled == NULL) return scr_fail_memory(error, bytes, "points");
    for (int64_t i = 0; i < count; ++i) (*scaled)[i] = vec3_scale(scale, points[i]);
    return SCR_OK;
}

_Static_assert(sizeof(scr_vec3) == 3 * sizeof(double), "rows of three numbers are points");

static scr_status hull_of_rows(const scene_surface *from, scr_world *world, scr_surface *added, scr_error *error)
{
    number_table rows = {0};
    scr_vec3 *points = NULL;
    scr_status status = number_table_read_file(from->path, &rows, error);
    if (status == SCR_OK && rows.columns != 3)
        status = scr_fail(error, SCR_BAD_INPUT, "%s: points have 3 numbers a row, not %lld", from->path,
                          (long long)rows.columns);
    if (status == SCR_OK) status = scaled_points(rows.rows, (const scr_vec3 *)rows.value, from->scale, &points, error);
    if (status == SCR_OK) status = scr_world_add_hull(world, rows.rows, points, added, error);
    number_table_free(&rows);
    scr_free(points);
    return status;
}

static scr_status hull_of_mesh(const scene_surface *from, scr_world *world, scr_surface *added, scr_error *error)
{
    triangle_soup soup = {0};
    scr_status status = mesh_read(from->path, from->scale, &soup, error);
    if (status == SCR_OK) status = scr_world_add_hull(world, soup.vertex_count, soup.vertex, added, error);
    triangle_soup_free(&soup);
    return status;
}

static scr_status add_hull(const scene_surface *from, scr_world *world, scr_surface *added, scr_error *error)
{
    if (from->path != NULL && mesh_file_has_ending(from->path)) return hull_of_mesh(from, world, added, error);
    if (from->path != NULL) return hull_of_rows(from, world, added, error);
    scr_vec3 *points;
    scr_status status = scaled_points(from->point_count, from->points, from->scale, &points, error);
    if (status == SCR_OK) status = scr_world_add_hull(world, from->point_count, points, added, error);
    scr_free(points);
    return status;
}

static scr_status mesh_of_file(const scene_surface *from, scr_world *world, scr_surface *added, scr_error *error)
{
    triangle_soup soup = {0};
    scr_status status = mesh_read(from->path, from->scale, &soup, error);
    scr_triangles given = triangle_soup_view(&soup);
    if (status == SCR_OK) status = scr_world_add_mesh(world, &given, added, error);
    triangle_soup_free(&soup);
    return status;
}

static scr_status add_mesh(const scene_surface *from, scr_world *world, scr_surface *added, scr_error *error)
{
    if (from->path != NULL) return mesh_of_file(from, world, added, error);
    scr_vec3 *points;
    scr_status status = scaled_points(from->point_count, from->points, from->scale, &points, error);
    if (status == SCR_OK) {
        scr_triangles given = {from->point_count, from->triangle_count, points, from->triangles};
        status = scr_world_add_mesh(world, &given, added, error);
    }
    scr_free(points);
    return status;
}

// The first row of a file is the one with the smallest y, as in the scene.
static scr_status add_heightfield(const scene_surface *from, const height_grid *ground, scr_world *world,
                                  scr_surface *added, scr_error *error)
{
    number_table rows = {0};
    scr_status status = SCR_OK;
    scr_heights field = {.size = {from->size[0], from->size[1]}, .spacing = {from->spacing[0], from->spacing[1]}};
    const double *given = from->heights;
    if (ground != NULL) {
        for (int axis = 0; axis < 2; ++axis)
            field.size[axis] = ground->size[axis], field.spacing[axis] = ground->spacing[axis];
        given = ground->height;
    } else if (from->path != NULL) {
        status = number_table_read_file(from->path, &rows, error);
        if (status == SCR_OK && (rows.rows > INT32_MAX || rows.columns > INT32_MAX))
            status =
                scr_fail(error, SCR_BAD_INPUT, "%s: a heightfield has at most %d points a side", from->path, INT32_MAX);
        field.size[0] = (int32_t)rows.columns;
        field.size[1] = (int32_t)rows.rows;
        given = rows.value;
    }
    double *height = NULL;
    int64_t count = (int64_t)field.size[0] * field.size[1];
    if (status == SCR_OK && (height = scr_alloc(scr_array_bytes(count + 1, sizeof *height))) == NULL)
        status = scr_fail_memory(error, scr_array_bytes(count, sizeof *height), "heights");
    if (status == SCR_OK) {
        for (int64_t i = 0; i < count; ++i) height[i] = from->scale * given[i];
        field.height = height;
        status = scr_world_add_heightfield(world, &field, added, error);
    }
    number_table_free(&rows);
    scr_free(height);
    return status;
}

scr_status populate_surfaces(const scene *s, const height_grid *grounds, scr_world *world, scr_error *error)
{
    for (int64_t i = 0; i < s->surface_count; ++i) {
        const scene_surface *from = &s->surfaces[i];
        const height_grid *ground = from->ground1 > 0 ? &grounds[from->ground1 - 1] : NULL;
        scr_surface added;
        scr_error reason = {0};
        scr_status status = from->kind == SCR_HULL   ? add_hull(from, world, &added, &reason)
                            : from->kind == SCR_MESH ? add_mesh(from, world, &added, &reason)
                                                     : add_heightfield(from, ground, world, &added, &reason);
        if (status != SCR_OK) return scene_fail(error, status, s, from->location, "%s", reason.message);
    }
    return SCR_OK;
}

scr_status place_surface_shapes(const scene_body *body, const scr_world *world, scr_shape **shapes, scr_error *error)
{
    int count = body->def.shape_count;
    size_t bytes = scr_array_bytes(count + 1, sizeof **shapes);
    *shapes = scr_alloc(bytes);
    if (*shapes == NULL) return scr_fail_memory(error, bytes, "shapes");
    for (int k = 0; k < count; ++k) {
        scr_shape shape = body->def.shapes[k];
        if (shape.surface.index1 != 0) {
            scr_vec3 centre = scr_surface_shape(world, shape.surface, shape.material).position;
            shape.position = pose_apply((pose){shape.position, shape.rotation}, centre);
        }
        (*shapes)[k] = shape;
    }
    return SCR_OK;
}
