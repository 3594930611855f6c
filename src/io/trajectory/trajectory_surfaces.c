// SPDX-License-Identifier: BSD-3-Clause
// Points and triangles of hulls, meshes and heightfields in trajectory.h5.
#include "io/trajectory/trajectory_file.h"

_Static_assert(sizeof(frame_surface) == 4 * sizeof(int64_t), "a surface is a row of four numbers");

// The three datasets of surfaces.
typedef struct surface_sets {
    hdf5_rows item, vertex, triangle;
} surface_sets;

static uint64_t surfaces_checksum(const frame_surfaces *s)
{
    checksum sum = checksum_begin();
    if (s->count > 0) checksum_add(&sum, s->item, (size_t)s->count * sizeof *s->item);
    if (s->vertex_count > 0) checksum_add(&sum, s->vertex, 3 * (size_t)s->vertex_count * sizeof *s->vertex);
    if (s->triangle_count > 0) checksum_add(&sum, s->triangle, 3 * (size_t)s->triangle_count * sizeof *s->triangle);
    return checksum_value(&sum);
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
    if (row_set_write(&set.triangle, 0, s->triangle_count, s->triangle) < 0) return -1;
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
    uint64_t written;
    if (!hdf5_get_u64(t->file, "surfaces_checksum", &written) || written != surfaces_checksum(s))
        return scr_fail(error, SCR_IO, "%s: damaged: the surfaces are not what was written", t->path);
    for (int64_t i = 0; i < s->count; ++i) {
        if (!surface_is_valid(s, &s->item[i]))
            return scr_fail(error, SCR_IO, "%s: damaged: surface %lld has points that are not there", t->path,
                            (long long)i);
    }
    return SCR_OK;
}
