// SPDX-License-Identifier: BSD-3-Clause
// Solid shapes of a frame as cells of points.
#include "io/export/part_mesh.h"

#include <math.h>
#include <string.h>

#include "core/maths/pose.h"

// pieces of a quarter circle; points of a profile
enum { ARC_MAX = SEGMENTS_MAX / 4, PROFILE_MAX = 2 * (ARC_MAX + 1) };
static const double PI = 3.14159265358979323846;

// What all cells of a shape share.
typedef struct cell_owner {
    pose pose;
    const float *velocity;
    uint32_t id;
    uint8_t material, kind, shape;
} cell_owner;

static cell_owner owner_of(const frame_shape *s)
{
    return (cell_owner){frame_shape_pose(s), s->velocity, s->id, s->material, s->kind, s->shape};
}

static scr_status add_vertex(part_mesh *m, const cell_owner *o, scr_vec3 local, scr_error *error)
{
    scr_status status =
        scr_grow(&m->vertex, &m->vertex_capacity, m->vertex_count + 1, 3 * sizeof *m->vertex, "points", error);
    if (status != SCR_OK) return status;
    scr_vec3 p = pose_apply(o->pose, local);
    float *to = &m->vertex[3 * m->vertex_count++];
    to[0] = (float)p.x, to[1] = (float)p.y, to[2] = (float)p.z;
    return SCR_OK;
}

static scr_status add_cell(part_mesh *m, const cell_owner *o, uint8_t type, const int64_t *corner, int count,
                           scr_error *error)
{
    const scr_column columns[] = {{&m->end, sizeof *m->end},
                                  {&m->type, 1},
                                  {&m->velocity, 3 * sizeof *m->velocity},
                                  {&m->id, sizeof *m->id},
                                  {&m->material, 1},
                                  {&m->kind, 1},
                                  {&m->shape, 1}};
    scr_status status = scr_grow_together(columns, sizeof columns / sizeof *columns, &m->cell_capacity,
                                          m->cell_count + 1, "cells", error);
    if (status == SCR_OK)
        status = scr_grow(&m->corner, &m->corner_capacity, m->corner_count + count, sizeof *m->corner, "cells", error);
    if (status != SCR_OK) return status;
    memcpy(&m->corner[m->corner_count], corner, (size_t)count * sizeof *corner);
    m->corner_count += count;
    int64_t k = m->cell_count++;
    m->end[k] = m->corner_count;
    m->type[k] = type;
    memcpy(&m->velocity[3 * k], o->velocity, 3 * sizeof *m->velocity);
    m->id[k] = o->id;
    m->material[k] = o->material;
    m->kind[k] = o->kind;
    m->shape[k] = o->shape;
    return SCR_OK;
}

static scr_status add_triangle(part_mesh *m, const cell_owner *o, int64_t a, int64_t b, int64_t c, scr_error *error)
{
    return add_cell(m, o, CELL_TRIANGLE, (const int64_t[3]){a, b, c}, 3, error);
}

static scr_status add_box(part_mesh *m, const frame_shape *box, scr_error *error)
{
    static const signed char sign[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                           {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    cell_owner o = owner_of(box);
    int64_t corner[8];
    scr_status status = SCR_OK;
    for (int c = 0; c < 8 && status == SCR_OK; ++c) {
        corner[c] = m->vertex_count;
        status = add_vertex(
            m, &o, vec3(sign[c][0] * box->half[0], sign[c][1] * box->half[1], sign[c][2] * box->half[2]), error);
    }
    return status == SCR_OK ? add_cell(m, &o, CELL_HEXAHEDRON, corner, 8, error) : status;
}

// ---- bodies of revolution ------------------------------------------------------------------------------------------

// Half of a section: distances from the axis and heights, from the top down. The ends lie on the axis.
typedef struct profile {
    int count;
    double r[PROFILE_MAX], z[PROFILE_MAX];
} profile;

static void add_point(profile *p, double r, double z)
{
    p->r[p->count] = r;
    p->z[p->count++] = z;
}

static profile profile_of(const frame_shape *part, int segments)
{
    profile p = {0};
    int arc = segments / 4;
    double r = part->half[0], l = part->half[2];
    bool ball = part->shape == SCR_ELLIPSOID, round = ball || part->shape == SCR_CAPSULE;
    for (int side = 0; side < 2 && round; ++side) {  // the upper half, then the lower one
        for (int k = 0; k <= arc; ++k) {
            double angle = 0.5 * PI * (side + (double)k / arc), radius = ball ? 1.0 : r;
            if (ball && side == 1 && k == 0) continue;  // the equator is one
            add_point(&p, radius * sin(angle), radius * cos(angle) + (ball ? 0.0 : side == 0 ? l : -l));
        }
    }
    if (round) return p;
    add_point(&p, 0.0, l);
    if (part->shape == SCR_CYLINDER) add_point(&p, r, l);
    add_point(&p, r, -l);
    add_point(&p, 0.0, -l);
    return p;
}

// A ring of points; on the axis a single one. Returns the first.
static int64_t add_ring(part_mesh *m, const cell_owner *o, double r, double z, const double scale[3], int segments,
                        scr_status *status, scr_error *error)
{
    int64_t first = m->vertex_count;
    int count = r > 1e-12 ? segments : 1;
    for (int k = 0; k < count && *status == SCR_OK; ++k) {
        double angle = 2.0 * PI * k / segments;
        *status = add_vertex(m, o, vec3(scale[0] * r * cos(angle), scale[1] * r * sin(angle), scale[2] * z), error);
    }
    return first;
}

static scr_status add_round(part_mesh *m, const frame_shape *part, const cell_owner *o, int segments, scr_error *error)
{
    profile p = profile_of(part, segments);
    const double own[3] = {part->half[0], part->half[1], part->half[2]}, one[3] = {1.0, 1.0, 1.0};
    const double *scale = part->shape == SCR_ELLIPSOID ? own : one;
    scr_status status = SCR_OK;
    int64_t upper = add_ring(m, o, 0.0, p.z[0], scale, segments, &status, error);
    bool upper_is_point = true;
    for (int i = 1; i < p.count && status == SCR_OK; ++i) {
        bool lower_is_point = i == p.count - 1;
        int64_t lower = add_ring(m, o, lower_is_point ? 0.0 : p.r[i], p.z[i], scale, segments, &status, error);
        for (int k = 0; k < segments && status == SCR_OK; ++k) {
            int next = (k + 1) % segments;
            int64_t a = upper + (upper_is_point ? 0 : k), b = upper + (upper_is_point ? 0 : next);
            int64_t c = lower + (lower_is_point ? 0 : k), d = lower + (lower_is_point ? 0 : next);
            if (!lower_is_point) status = add_triangle(m, o, a, c, d, error);
            if (!upper_is_point && status == SCR_OK) status = add_triangle(m, o, a, lower_is_point ? c : d, b, error);
        }
        upper = lower;
        upper_is_point = lower_is_point;
    }
    return status;
}

static scr_status add_surface(part_mesh *m, const frame_surfaces *all, const frame_shape *part, const cell_owner *o,
                              scr_error *error)
{
    const frame_surface *s = &all->item[part->surface];
    int64_t first = m->vertex_count;
    scr_status status = SCR_OK;
    for (int64_t i = 0; i < s->vertex_count && status == SCR_OK; ++i) {
        const float *v = &all->vertex[3 * (s->first_vertex + i)];
        status = add_vertex(m, o, vec3(v[0], v[1], v[2]), error);
    }
    for (int64_t i = 0; i < s->triangle_count && status == SCR_OK; ++i) {
        const int32_t *t = &all->triangle[3 * (s->first_triangle + i)];
        status = add_triangle(m, o, first + t[0], first + t[1], first + t[2], error);
    }
    return status;
}

static scr_status add_part(part_mesh *m, const frame *f, const frame_shape *part, int segments, scr_error *error)
{
    if (part->surface < 0 && segments == 0) return SCR_OK;
    cell_owner o = owner_of(part);
    return part->surface >= 0 ? add_surface(m, f->surfaces, part, &o, error) : add_round(m, part, &o, segments, error);
}

scr_status part_mesh_of(const frame *f, int segments, part_mesh *mesh, scr_error *error)
{
    mesh->vertex_count = mesh->corner_count = mesh->cell_count = 0;
    scr_status status = SCR_OK;
    for (int64_t i = 0; i < f->box_count && status == SCR_OK; ++i) status = add_box(mesh, &f->boxes[i], error);
    for (int64_t i = 0; i < f->part_count && status == SCR_OK; ++i)
        status = add_part(mesh, f, &f->parts[i], segments, error);
    return status;
}

void part_mesh_free(part_mesh *mesh)
{
    scr_free(mesh->vertex);
    scr_free(mesh->corner);
    scr_free(mesh->end);
    scr_free(mesh->type);
    scr_free(mesh->velocity);
    scr_free(mesh->id);
    scr_free(mesh->material);
    scr_free(mesh->kind);
    scr_free(mesh->shape);
    *mesh = (part_mesh){0};
}
