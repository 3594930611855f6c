// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/surface/surfaces.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "geometry/surface/heightfield.h"
#include "geometry/surface/hull.h"
#include "geometry/surface/mesh.h"
#include "geometry/surface/sphere_tree.h"

static const field_info surface_fields[] = {
    FIELD(surfaces, kind, FIELD_U8, ""),
    FIELD_WIDE(surfaces, centre, FIELD_F64, 3, "m"),
    FIELD(surfaces, first_vertex, FIELD_I64, ""),
    FIELD(surfaces, vertex_count, FIELD_I64, ""),
    FIELD(surfaces, first_triangle, FIELD_I64, ""),
    FIELD(surfaces, triangle_count, FIELD_I64, ""),
    FIELD_WIDE(surfaces, size, FIELD_I32, 2, ""),
    FIELD_WIDE(surfaces, spacing, FIELD_F64, 2, "m"),
};
static const field_info vertex_fields[] = {FIELD_WIDE(surface_vertices, position, FIELD_F64, 3, "m")};
static const field_info triangle_fields[] = {FIELD_WIDE(surface_triangles, corner, FIELD_I32, 3, "")};
static const field_info sphere_fields[] = {FIELD(surface_spheres, radius, FIELD_F64, "m")};

_Static_assert(sizeof(scr_vec3) == 3 * sizeof(double), "a vertex is saved as three numbers");

static const double COORDINATE_MAX = 1e9;  // m

void surfaces_init(surfaces *s)
{
    *s = (surfaces){0};
    s->table = (table){"surfaces", surface_fields, sizeof surface_fields / sizeof *surface_fields, s, 0, 0, false};
    s->vertices.table = (table){"surface_vertices", vertex_fields, 1, &s->vertices, 0, 0, false};
    s->triangles.table = (table){"surface_triangles", triangle_fields, 1, &s->triangles, 0, 0, false};
    s->spheres.table = (table){"surface_spheres", sphere_fields, 1, &s->spheres, 0, 0, true};
}

static void free_derived_of(shape_surface *item)
{
    hull_free((hull *)item->hull);
    mesh_free((mesh *)item->mesh);
    heightfield_free((heightfield *)item->heightfield);
    sphere_tree_free((sphere_tree *)item->spheres);
}

static void free_derived(surfaces *s)
{
    for (int64_t i = 0; i < s->item_count; ++i) free_derived_of(&s->item[i]);
    s->item_count = 0;
}

void surfaces_free(surfaces *s)
{
    free_derived(s);
    table_free(&s->table);
    table_free(&s->vertices.table);
    table_free(&s->triangles.table);
    table_free(&s->spheres.table);
    scr_free(s->item);
}

// The tables may have moved: where the points and triangles of every surface are now.
static void point_items(surfaces *s)
{
    int64_t first_sphere = 0;
    for (int64_t i = 0; i < s->item_count; ++i) {
        s->item[i].triangles = (scr_triangles){
            .vertex_count = s->vertex_count[i],
            .triangle_count = s->triangle_count[i],
            .vertex = (const scr_vec3 *)s->vertices.position + s->first_vertex[i],
            .triangle = s->triangles.corner + 3 * s->first_triangle[i],
        };
        if (s->kind[i] != SCR_SPHERE_SET) continue;
        s->item[i].radius_at = s->spheres.radius + first_sphere;
        first_sphere += s->vertex_count[i];
    }
}

static void measure_extent(shape_surface *item)
{
    const scr_triangles *t = &item->triangles;
    item->box = (scr_aabb){t->vertex[0], t->vertex[0]};
    item->radius = 0.0;
    for (int64_t k = 0; k < t->vertex_count; ++k) {
        scr_vec3 v = t->vertex[k], *low = &item->box.low, *high = &item->box.high;
        double r = item->radius_at != NULL ? item->radius_at[k] : 0.0;
        item->radius = fmax(item->radius, vec3_norm(v) + r);
        *low = vec3(fmin(low->x, v.x - r), fmin(low->y, v.y - r), fmin(low->z, v.z - r));
        *high = vec3(fmax(high->x, v.x + r), fmax(high->y, v.y + r), fmax(high->z, v.z + r));
    }
}

// Everything about surface i that follows from its state.
static scr_status derive(surfaces *s, int64_t i, scr_error *error)
{
    shape_surface *item = &s->item[i];
    scr_status status = SCR_OK;
    bool solid = item->kind == SCR_HULL;
    if (item->kind == SCR_HULL) {
        hull *h = NULL;
        status = hull_build(&item->triangles, &h, error);
        item->hull = h;
    }
    if (item->kind == SCR_MESH) {
        mesh *m = NULL;
        status = mesh_build(&item->triangles, &m, error);
        item->mesh = m;
        solid = status == SCR_OK && m->closed;
    }
    if (item->kind == SCR_HEIGHTFIELD) {
        heightfield *h = NULL;
        status = heightfield_build(&item->triangles, s->size + 2 * i, s->spacing + 2 * i, &h, error);
        item->heightfield = h;
    }
    if (item->kind == SCR_SPHERE_SET) {
        sphere_tree *t = NULL;
        status = sphere_tree_build(item->triangles.vertex_count, item->triangles.vertex, item->radius_at, &t, error);
        item->spheres = t;
    }
    if (status != SCR_OK) return status;
    measure_extent(item);
    if (solid) {
        solid_properties p = triangles_solid(&item->triangles);
        item->volume = p.volume;
        item->inertia = p.inertia;
    }
    return SCR_OK;
}

// Append a surface whose state is complete in the tables; on failure it is taken out again.
static scr_status append_item(surfaces *s, scr_error *error)
{
    int64_t i = s->table.count - 1;
    scr_status status = scr_grow(&s->item, &s->item_capacity, i + 1, sizeof *s->item, "surfaces", error);
    if (status != SCR_OK) return status;
    s->item[i] = (shape_surface){.kind = (scr_shape_kind)s->kind[i],
                                 .centre = vec3(s->centre[3 * i], s->centre[3 * i + 1], s->centre[3 * i + 2])};
    s->item_count = i + 1;
    point_items(s);
    return derive(s, i, error);
}

static void drop_last(surfaces *s)
{
    int64_t i = s->table.count - 1;
    if (s->item_count > i) {
        free_derived_of(&s->item[i]);
        s->item_count = i;
    }
    if (s->kind[i] == SCR_SPHERE_SET) s->spheres.table.count -= s->vertex_count[i];
    s->vertices.table.count = s->first_vertex[i];
    s->triangles.table.count = s->first_triangle[i];
    s->table.count = i;
    point_items(s);
}

// Room in the tables for one more surface, which is then the last entry; its points and triangles are the caller's to
// fill.
static scr_status reserve_surface(surfaces *s, scr_shape_kind kind, int64_t vertex_count, int64_t triangle_count,
                                  scr_error *error)
{
    if (vertex_count > INT32_MAX / 4 || triangle_count > INT32_MAX / 4)
        return scr_fail(error, SCR_BAD_INPUT, "a surface has at most %d points and triangles", INT32_MAX / 4);
    int64_t i = s->table.count, v = s->vertices.table.count, t = s->triangles.table.count;
    scr_status status = table_reserve(&s->table, i + 1, error);
    if (status == SCR_OK) status = table_reserve(&s->vertices.table, v + vertex_count, error);
    if (status == SCR_OK) status = table_reserve(&s->triangles.table, t + triangle_count, error);
    point_items(s);
    if (status != SCR_OK) return status;
    s->kind[i] = (uint8_t)kind;
    s->first_vertex[i] = v, s->vertex_count[i] = vertex_count;
    s->first_triangle[i] = t, s->triangle_count[i] = triangle_count;
    s->size[2 * i] = s->size[2 * i + 1] = 0;
    s->spacing[2 * i] = s->spacing[2 * i + 1] = 0.0;
    s->centre[3 * i] = s->centre[3 * i + 1] = s->centre[3 * i + 2] = 0.0;
    s->table.count = i + 1;
    s->vertices.table.count = v + vertex_count;
    s->triangles.table.count = t + triangle_count;
    return SCR_OK;
}

// Copy the triangles in, with the origin moved to centre, and make the rest.
static scr_status add_triangles(surfaces *s, scr_shape_kind kind, const scr_triangles *t, scr_vec3 centre,
                                scr_error *error)
{
    scr_status status = reserve_surface(s, kind, t->vertex_count, t->triangle_count, error);
    if (status != SCR_OK) return status;
    int64_t i = s->table.count - 1;
    s->centre[3 * i] = centre.x, s->centre[3 * i + 1] = centre.y, s->centre[3 * i + 2] = centre.z;
    scr_vec3 *vertex = (scr_vec3 *)s->vertices.position + s->first_vertex[i];
    for (int64_t k = 0; k < t->vertex_count; ++k) vertex[k] = vec3_sub(t->vertex[k], centre);
    if (t->triangle_count > 0)
        memcpy(s->triangles.corner + 3 * s->first_triangle[i], t->triangle,
               3 * (size_t)t->triangle_count * sizeof *t->triangle);
    status = append_item(s, error);
    if (status != SCR_OK) drop_last(s);
    return status;
}

scr_status surfaces_add_hull(surfaces *s, int64_t count, const scr_vec3 *points, scr_error *error)
{
    scr_triangles t = {0};
    scr_status status = hull_of_points(count, points, &t, error);
    if (status == SCR_OK) status = add_triangles(s, SCR_HULL, &t, triangles_solid(&t).centre, error);
    scr_free((void *)t.vertex);
    scr_free((void *)t.triangle);
    return status;
}

// A sheet has no solid inside: its origin is the mean of its area.
static scr_vec3 sheet_centre(const scr_triangles *t)
{
    scr_vec3 origin = t->vertex[t->triangle[0]], moment = {0};
    double area = 0.0;
    for (int64_t k = 0; k < t->triangle_count; ++k) {
        const int32_t *c = t->triangle + 3 * k;
        scr_vec3 a = vec3_sub(t->vertex[c[0]], origin), b = vec3_sub(t->vertex[c[1]], origin),
                 d = vec3_sub(t->vertex[c[2]], origin);
        double twice = vec3_norm(vec3_cross(vec3_sub(b, a), vec3_sub(d, a)));
        moment = vec3_add_scaled(moment, twice / 3.0, vec3_add(a, vec3_add(b, d)));
        area += twice;
    }
    return vec3_add_scaled(origin, area > 0.0 ? 1.0 / area : 0.0, moment);
}

scr_status surfaces_add_mesh(surfaces *s, const scr_triangles *given, scr_error *error)
{
    bool closed = false;
    int32_t *own = NULL;
    scr_triangles clean;
    scr_status status = mesh_check(given, error);
    if (status == SCR_OK) status = mesh_clean(given, &clean, &own, &closed, error);
    if (status == SCR_OK)
        status =
            add_triangles(s, SCR_MESH, &clean, closed ? triangles_solid(&clean).centre : sheet_centre(&clean), error);
    scr_free(own);
    return status;
}

scr_status surfaces_add_heightfield(surfaces *s, const scr_heights *given, scr_error *error)
{
    scr_status status = heightfield_check(given, error);
    if (status != SCR_OK) return status;
    int64_t points = (int64_t)given->size[0] * given->size[1];
    int64_t cells = (int64_t)(given->size[0] - 1) * (given->size[1] - 1);
    status = reserve_surface(s, SCR_HEIGHTFIELD, points, 2 * cells, error);
    if (status != SCR_OK) return status;
    int64_t i = s->table.count - 1;
    memcpy(s->size + 2 * i, given->size, sizeof given->size);
    memcpy(s->spacing + 2 * i, given->spacing, sizeof given->spacing);
    heightfield_points(given, (scr_vec3 *)s->vertices.position + s->first_vertex[i],
                       s->triangles.corner + 3 * s->first_triangle[i]);
    status = append_item(s, error);
    if (status != SCR_OK) drop_last(s);
    return status;
}

// The state of one more set behind the others.
static scr_status append_spheres(surfaces *s, int64_t count, const scr_vec3 *centre, const double *radius,
                                 const int32_t *order, scr_error *error)
{
    int64_t first = s->spheres.table.count;
    scr_status status = table_reserve(&s->spheres.table, first + count, error);
    if (status == SCR_OK) status = reserve_surface(s, SCR_SPHERE_SET, count, 0, error);
    if (status != SCR_OK) return status;
    scr_vec3 *vertex = (scr_vec3 *)s->vertices.position + s->first_vertex[s->table.count - 1];
    for (int64_t k = 0; k < count; ++k) vertex[k] = centre[order[k]], s->spheres.radius[first + k] = radius[order[k]];
    s->spheres.table.count = first + count;
    return SCR_OK;
}

// The earlier set with the same spheres as the last entry, or -1.
static int64_t earlier_twin(const surfaces *s)
{
    int64_t last = s->table.count - 1, count = s->vertex_count[last], first = 0;
    const double *centre = s->vertices.position + 3 * s->first_vertex[last],
                 *radius = s->spheres.radius + s->spheres.table.count - count;
    for (int64_t i = 0; i < last; ++i) {
        if (s->kind[i] != SCR_SPHERE_SET) continue;
        size_t bytes = (size_t)count * sizeof *radius;
        if (s->vertex_count[i] == count && memcmp(s->spheres.radius + first, radius, bytes) == 0 &&
            memcmp(s->vertices.position + 3 * s->first_vertex[i], centre, 3 * bytes) == 0)
            return i;
        first += s->vertex_count[i];
    }
    return -1;
}

scr_status surfaces_add_sphere_set(surfaces *s, int64_t count, const scr_vec3 *centre, const double *radius,
                                   int64_t *index, scr_error *error)
{
    int32_t *order = NULL;
    scr_status status = sphere_set_check(count, centre, radius, error);
    if (status == SCR_OK) status = scr_make_zeros(&order, count, sizeof *order, "a sphere set", error);
    if (status == SCR_OK) status = sphere_set_order(count, centre, radius, order, error);
    if (status == SCR_OK) status = append_spheres(s, count, centre, radius, order, error);
    scr_free(order);
    if (status != SCR_OK) return status;
    *index = earlier_twin(s);
    if (*index < 0) {
        *index = s->table.count - 1;
        status = append_item(s, error);
        if (status == SCR_OK) return SCR_OK;
    }
    drop_last(s);
    return status;
}

scr_status surfaces_add_copy(surfaces *s, const surfaces *from, int64_t index, scr_error *error)
{
    assert(from->kind[index] == SCR_HULL || from->kind[index] == SCR_MESH);
    const scr_triangles t = {.vertex_count = from->vertex_count[index],
                             .triangle_count = from->triangle_count[index],
                             .vertex = (const scr_vec3 *)from->vertices.position + from->first_vertex[index],
                             .triangle = from->triangles.corner + 3 * from->first_triangle[index]};
    scr_status status = add_triangles(s, (scr_shape_kind)from->kind[index], &t, vec3(0.0, 0.0, 0.0), error);
    if (status != SCR_OK) return status;
    int64_t i = s->table.count - 1;
    memcpy(s->centre + 3 * i, from->centre + 3 * index, 3 * sizeof *s->centre);
    s->item[i].centre = vec3(s->centre[3 * i], s->centre[3 * i + 1], s->centre[3 * i + 2]);
    return SCR_OK;
}

static bool set_is_valid(const surfaces *s, int64_t i, int64_t first_sphere)
{
    if (s->vertex_count[i] < 1 || s->triangle_count[i] != 0) return false;
    if (s->vertex_count[i] > s->spheres.table.count - first_sphere) return false;
    return sphere_set_check(s->vertex_count[i], (const scr_vec3 *)s->vertices.position + s->first_vertex[i],
                            s->spheres.radius + first_sphere, NULL) == SCR_OK;
}

static bool surface_is_valid(const surfaces *s, int64_t i)
{
    int64_t points = s->vertex_count[i], faces = s->triangle_count[i];
    if (s->kind[i] < SCR_HULL || s->kind[i] > SCR_HEIGHTFIELD || points < 3 || faces < 1) return false;
    for (int axis = 0; axis < 3; ++axis)
        if (!(fabs(s->centre[3 * i + axis]) <= COORDINATE_MAX)) return false;
    if (s->kind[i] == SCR_HEIGHTFIELD) {
        const int32_t *size = s->size + 2 * i;
        const double *spacing = s->spacing + 2 * i;
        if (size[0] < 2 || size[1] < 2 || !(spacing[0] > 0.0) || !(spacing[1] > 0.0)) return false;
        if ((int64_t)size[0] * size[1] != points || 2 * (int64_t)(size[0] - 1) * (size[1] - 1) != faces) return false;
    }
    for (int64_t k = 0; k < 3 * points; ++k)
        if (!(fabs(s->vertices.position[3 * s->first_vertex[i] + k]) <= 2.0 * COORDINATE_MAX)) return false;
    for (int64_t k = 0; k < 3 * faces; ++k) {
        int32_t corner = s->triangles.corner[3 * s->first_triangle[i] + k];
        if (corner < 0 || corner >= points) return false;
    }
    return true;
}

// Surfaces share out the two tables in order.
bool surfaces_are_valid(const surfaces *s)
{
    int64_t vertex = 0, triangle = 0, sphere = 0;
    for (int64_t i = 0; i < s->table.count; ++i) {
        bool is_set = s->kind[i] == SCR_SPHERE_SET;
        if (s->first_vertex[i] != vertex || s->first_triangle[i] != triangle) return false;
        if (s->vertex_count[i] < 0 || s->vertex_count[i] > s->vertices.table.count - vertex) return false;
        if (s->triangle_count[i] < 0 || s->triangle_count[i] > s->triangles.table.count - triangle) return false;
        if (is_set ? !set_is_valid(s, i, sphere) : !surface_is_valid(s, i)) return false;
        sphere += is_set ? s->vertex_count[i] : 0;
        vertex += s->vertex_count[i];
        triangle += s->triangle_count[i];
    }
    return vertex == s->vertices.table.count && triangle == s->triangles.table.count &&
           sphere == s->spheres.table.count;
}

scr_status surfaces_index(surfaces *s, scr_error *error)
{
    free_derived(s);
    int64_t count = s->table.count;
    scr_status status = SCR_OK;
    for (s->table.count = 1; s->table.count <= count && status == SCR_OK; ++s->table.count)
        status = append_item(s, error);
    s->table.count = count;
    return status;
}
