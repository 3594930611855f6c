// SPDX-License-Identifier: BSD-3-Clause
// Points and triangles of hulls, meshes and heightfields in trajectory.h5, and the spheres of sphere sets, if there are
// any.
#include "io/trajectory/trajectory_file.h"

_Static_assert(sizeof(frame_surface) == 4 * sizeof(int64_t), "a surface is a row of four numbers");
_Static_assert(sizeof(frame_sphere_set) == 2 * sizeof(int64_t), "a sphere set is a row of two numbers");

// The datasets of surfaces.
typedef struct surface_sets {
    hdf5_rows item, vertex, triangle, set, sphere;
} surface_sets;
static const char SET_RANGE[] = "/surfaces/sphere_range", SET_SPHERE[] = "/surfaces/sphere";

static uint64_t surfaces_checksum(const frame_surfaces *s)
{
    checksum sum = checksum_begin();
    if (s->count > 0) checksum_add(&sum, s->item, (size_t)s->count * sizeof *s->item);
    if (s->vertex_count > 0) checksum_add(&sum, s->vertex, 3 * (size_t)s->vertex_count * sizeof *s->vertex);
    if (s->triangle_count > 0) checksum_add(&sum, s->triangle, 3 * (size_t)s->triangle_count * sizeof *s->triangle);
    if (s->sphere_count > 0) {
        checksum_add(&sum, s->set, (size_t)s->count * sizeof *s->set);
        checksum_add(&sum, s->sphere, 4 * (size_t)s->sphere_count * sizeof *s->sphere);
    }
    return checksum_value(&sum);
}

static herr_t write_spheres(trajectory *t, surface_sets *set, const frame_surfaces *s)
{
    if (s->sphere_count == 0) return 0;
    if (row_set_create(&set->set, t->file, SET_RANGE, H5T_NATIVE_INT64, 2, chunk_rows(s->count, FEW_ROWS), "") < 0 ||
        row_set_create(&set->sphere, t->file, SET_SPHERE, H5T_NATIVE_FLOAT, 4, chunk_rows(s->sphere_count, FEW_ROWS),
                       "m") < 0)
        return -1;
    if (row_set_write(&set->set, 0, s->count, s->set) < 0) return -1;
    return row_set_write(&set->sphere, 0, s->sphere_count, s->sphere);
}

herr_t write_surfaces(trajectory *t, const frame_surfaces *s)
{
    const frame_surfaces none = {0};
    surface_sets set;
    if (s == NULL) s = &none;
    if (row_set_create(&set.item, t->file, "/surfaces/range", H5T_NATIVE_INT64, 4, chunk_rows(s->count, FEW_ROWS), "") <
            0 ||
        row_set_create(&set.vertex, t->file, "/surfaces/vertex", H5T_NATIVE_FLOAT, 3,
                       chunk_rows(s->vertex_count, FEW_ROWS), "m") < 0 ||
        row_set_create(&set.triangle, t->file, "/surfaces/triangle", H5T_NATIVE_INT32, 3,
                       chunk_rows(s->triangle_count, FEW_ROWS), "") < 0)
        return -1;
    if (row_set_write(&set.item, 0, s->count, s->item) < 0 ||
        row_set_write(&set.vertex, 0, s->vertex_count, s->vertex) < 0)
        return -1;
    if (row_set_write(&set.triangle, 0, s->triangle_count, s->triangle) < 0 || write_spheres(t, &set, s) < 0) return -1;
    return hdf5_put_u64(t->file, "surfaces_checksum", surfaces_checksum(s));
}

static bool surface_is_valid(const frame_surfaces *s, const frame_surface *item)
{
    if (item->first_vertex < 0 || item->vertex_count < 0 || item->first_vertex > s->vertex_count) return false;
    if (item->first_triangle < 0 || item->triangle_count < 0 || item->first_triangle > s->triangle_count) return false;
    if (item->vertex_count > s->vertex_count - item->first_vertex) return false;
    if (item->triangle_count > s->triangle_count - item->first_triangle) return false;
    for (int64_t k = 3 * item->first_triangle; k < 3 * (item->first_triangle + item->triangle_count); ++k)
        if (s->triangle[k] < 0 || s->triangle[k] >= item->vertex_count) return false;
    return true;
}

static bool sets_are_valid(const frame_surfaces *s)
{
    for (int64_t i = 0; i < s->count && s->set != NULL; ++i)
        if (s->set[i].first < 0 || s->set[i].count < 0 || s->set[i].first > s->sphere_count ||
            s->set[i].count > s->sphere_count - s->set[i].first)
            return false;
    return true;
}

// Once the surfaces are counted.
static scr_status read_spheres(trajectory *t, surface_sets *set, scr_error *error)
{
    frame_surfaces *s = &t->surfaces;
    if (H5Lexists(t->file, SET_RANGE, H5P_DEFAULT) <= 0) return SCR_OK;
    if (row_set_open(&set->set, t->file, SET_RANGE, H5T_NATIVE_INT64, 2) < 0 || set->set.rows != s->count ||
        row_set_open(&set->sphere, t->file, SET_SPHERE, H5T_NATIVE_FLOAT, 4) < 0)
        return hdf5_fail(error, t->path, "cannot read the sphere sets");
    scr_status status = scr_grow(&s->set, &s->set_capacity, s->count, sizeof *s->set, "surfaces", error);
    if (status == SCR_OK)
        status = scr_grow(&s->sphere, &s->sphere_capacity, set->sphere.rows, 4 * sizeof *s->sphere, "surfaces", error);
    if (status != SCR_OK) return status;
    if (row_set_read(&set->set, 0, s->count, s->set) < 0 ||
        row_set_read(&set->sphere, 0, set->sphere.rows, s->sphere) < 0)
        return hdf5_fail(error, t->path, "cannot read the sphere sets");
    s->sphere_count = set->sphere.rows;
    return SCR_OK;
}

scr_status read_surfaces(trajectory *t, scr_error *error)
{
    surface_sets set;
    frame_surfaces *s = &t->surfaces;
    if (row_set_open(&set.item, t->file, "/surfaces/range", H5T_NATIVE_INT64, 4) < 0 ||
        row_set_open(&set.vertex, t->file, "/surfaces/vertex", H5T_NATIVE_FLOAT, 3) < 0 ||
        row_set_open(&set.triangle, t->file, "/surfaces/triangle", H5T_NATIVE_INT32, 3) < 0)
        return hdf5_fail(error, t->path, "cannot read the surfaces");
    scr_status status = scr_grow(&s->item, &s->capacity, set.item.rows, sizeof *s->item, "surfaces", error);
    if (status == SCR_OK)
        status = scr_grow(&s->vertex, &s->vertex_capacity, set.vertex.rows, 3 * sizeof *s->vertex, "surfaces", error);
    if (status == SCR_OK)
        status = scr_grow(&s->triangle, &s->triangle_capacity, set.triangle.rows, 3 * sizeof *s->triangle, "surfaces",
                          error);
    if (status != SCR_OK) return status;
    if (row_set_read(&set.item, 0, set.item.rows, s->item) < 0 ||
        row_set_read(&set.vertex, 0, set.vertex.rows, s->vertex) < 0 ||
        row_set_read(&set.triangle, 0, set.triangle.rows, s->triangle) < 0)
        return hdf5_fail(error, t->path, "cannot read the surfaces");
    s->count = set.item.rows;
    s->vertex_count = set.vertex.rows;
    s->triangle_count = set.triangle.rows;
    status = read_spheres(t, &set, error);
    if (status != SCR_OK) return status;
    uint64_t written;
    if (!hdf5_get_u64(t->file, "surfaces_checksum", &written) || written != surfaces_checksum(s))
        return scr_fail(error, SCR_IO, "%s: damaged: the surfaces are not what was written", t->path);
    if (!sets_are_valid(s))
        return scr_fail(error, SCR_IO, "%s: damaged: a sphere set has spheres that are not there", t->path);
    for (int64_t i = 0; i < s->count; ++i) {
        if (!surface_is_valid(s, &s->item[i]))
            return scr_fail(error, SCR_IO, "%s: damaged: surface %lld has points that are not there", t->path,
                            (long long)i);
    }
    return SCR_OK;
}
