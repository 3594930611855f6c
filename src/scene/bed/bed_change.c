// SPDX-License-Identifier: BSD-3-Clause
// Beds cut, moved, mirrored and scaled.
#include "scene/bed/bed_change.h"

#include <math.h>

#include "core/base/memory.h"

static double *along(scr_vec3 *v, int axis) { return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z; }

// ---- cut -----------------------------------------------------------------------------------------------------------

static bool is_inside(scr_vec3 x, scr_vec3 low, scr_vec3 high)
{
    return x.x >= low.x && x.x < high.x && x.y >= low.y && x.y < high.y && x.z >= low.z && x.z < high.z;
}

// from: scratch for as many as there are grains, shapes or contacts; number: of shapes.
static void keep_inside(bed *b, scr_vec3 low, scr_vec3 high, int32_t *from, int32_t *grain_number, int32_t *number)
{
    int64_t kept = 0, shapes = 0, contacts = 0;
    for (int64_t i = 0; i < b->grains.count; ++i) {
        bool is_kept = is_inside(b->position[i], low, high);
        grain_number[i] = is_kept ? (int32_t)kept : -1;
        if (is_kept) from[kept++] = (int32_t)i;
    }
    table_keep(&b->grains, from, kept);
    for (int64_t k = 0; k < b->shapes.count; ++k) {
        int32_t grain = grain_number[b->grain[k]];
        number[k] = grain >= 0 ? (int32_t)shapes : -1;
        b->grain[k] = grain;
        if (grain >= 0) from[shapes++] = (int32_t)k;
    }
    table_keep(&b->shapes, from, shapes);
    if (bed_has_frames(b)) table_keep(&b->frames, from, shapes);
    if (b->shape_materials.count > 0) table_keep(&b->shape_materials, from, shapes);
    if (b->shape_hulls.count > 0) table_keep(&b->shape_hulls, from, shapes);
    for (int64_t k = 0; k < b->contacts.count; ++k) {
        b->a[k] = number[b->a[k]], b->b[k] = number[b->b[k]];
        if (b->a[k] >= 0 && b->b[k] >= 0) from[contacts++] = (int32_t)k;
    }
    bed_keep_contacts(b, from, contacts);
}

scr_status bed_cut(bed *b, scr_vec3 low, scr_vec3 high, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int axis = 0; axis < 3 && status == SCR_OK; ++axis) {
        double *from = along(&low, axis), *to = along(&high, axis), length = b->cell_length[axis];
        if (!(*from < *to))
            return scr_fail(error, SCR_BAD_INPUT, "nothing lies between %c = %g and %g", "xyz"[axis], *from, *to);
        if (!(length > 0.0)) continue;
        bool is_whole = *from <= b->cell_low[axis] && *to >= b->cell_low[axis] + length;
        if (is_whole) *from = -INFINITY, *to = INFINITY;
        else status = bed_open_seam(b, axis, error);
    }
    int64_t most = b->contacts.count > b->shapes.count ? b->contacts.count : b->shapes.count;
    int32_t *from = NULL, *grain_number = NULL, *number = NULL;
    if (status == SCR_OK) status = scr_make_zeros(&from, most, sizeof *from, "cutting a bed", error);
    if (status == SCR_OK)
        status = scr_make_zeros(&grain_number, b->grains.count, sizeof *grain_number, "cutting a bed", error);
    if (status == SCR_OK) status = scr_make_zeros(&number, b->shapes.count, sizeof *number, "cutting a bed", error);
    if (status == SCR_OK) keep_inside(b, low, high, from, grain_number, number);
    scr_free(from);
    scr_free(grain_number);
    scr_free(number);
    return status;
}

// ---- shift, scale --------------------------------------------------------------------------------------------------

void bed_shift(bed *b, scr_vec3 by)
{
    for (int64_t i = 0; i < b->grains.count; ++i) b->position[i] = vec3_add(b->position[i], by);
    for (int axis = 0; axis < 3; ++axis)
        if (b->cell_length[axis] > 0.0) b->cell_low[axis] += *along(&by, axis);
}

void bed_scale(bed *b, double factor)
{
    const double volume = factor * factor * factor, speed = sqrt(factor);
    for (int64_t i = 0; i < b->grains.count; ++i) {
        b->position[i] = vec3_scale(factor, b->position[i]);
        b->velocity[i] = vec3_scale(speed, b->velocity[i]);
        b->spin[i] = vec3_scale(1.0 / speed, b->spin[i]);
        b->mass[i] *= volume;
        b->inertia[i] = vec3_scale(volume * factor * factor, b->inertia[i]);
    }
    for (int64_t k = 0; k < b->shapes.count; ++k) b->radius[k] *= factor;
    for (int64_t k = 0; k < b->frames.count; ++k) {
        b->shape_position[k] = vec3_scale(factor, b->shape_position[k]);
        b->half[k] = vec3_scale(factor, b->half[k]);
    }
    for (int64_t k = 0; k < 3 * b->hulls.vertices.table.count; ++k) b->hulls.vertices.position[k] *= factor;
    for (int64_t k = 0; k < 3 * b->hulls.table.count; ++k) b->hulls.centre[k] *= factor;
    bed_scale_impulses(b, volume, volume * factor);
    for (int64_t k = 0; k < b->cone_history.count; ++k) b->allowance[k] = (float)(factor * (double)b->allowance[k]);
    for (int64_t k = 0; k < 3 * b->penalty_history.count; ++k) b->spring[k] *= factor;
    for (int axis = 0; axis < 3; ++axis) b->cell_low[axis] *= factor, b->cell_length[axis] *= factor;
}

// ---- mirror --------------------------------------------------------------------------------------------------------
//
// The mirror M changes the sign of one axis. A grain's own frame is mirrored with the world: R becomes M R M, a point p
// of the frame M p, and as spins are axial, w becomes -M w, in the world as in the frame. A shape in it is its own
// image in its plane x = 0, P, whatever its kind: its rotation r becomes M r P = (M r M) (M P). A hull becomes its
// image.

static scr_vec3 mirrored(scr_vec3 v, int axis)
{
    *along(&v, axis) = -*along(&v, axis);
    return v;
}
static scr_vec3 mirrored_axial(scr_vec3 v, int axis) { return vec3_neg(mirrored(v, axis)); }
static scr_quat mirrored_rotation(scr_quat q, int axis)
{
    scr_vec3 v = mirrored_axial(vec3(q.x, q.y, q.z), axis);
    return (scr_quat){q.w, v.x, v.y, v.z};
}

static void mirror3f(float *v, int64_t k, int axis, bool is_axial)
{
    for (int i = 0; i < 3; ++i)
        if ((i == axis) != is_axial) v[3 * k + i] = -v[3 * k + i];
}
static void mirror3(double *v, int64_t k, int axis, bool is_axial)
{
    for (int i = 0; i < 3; ++i)
        if ((i == axis) != is_axial) v[3 * k + i] = -v[3 * k + i];
}

static void mirror_contact(bed *b, int64_t k, int axis)
{
    mirror3f(b->impulse, k, axis, false);
    if (b->cone_history.count > 0) mirror3f(b->previous, k, axis, false);
    if (b->angular_history.count > 0) mirror3f(b->angular_impulse, k, axis, true);
    if (b->penalty_history.count == 0) return;
    mirror3(b->spring, k, axis, false);
    mirror3(b->roll, k, axis, true);
}

static void mirror_hulls(surfaces *hulls)
{
    for (int64_t k = 0; k < hulls->vertices.table.count; ++k) hulls->vertices.position[3 * k] *= -1.0;
    for (int64_t i = 0; i < hulls->table.count; ++i) hulls->centre[3 * i] *= -1.0;
    for (int64_t k = 0; k < hulls->triangles.table.count; ++k) {  // counter-clockwise from outside again
        int32_t *corner = hulls->triangles.corner + 3 * k, second = corner[1];
        corner[1] = corner[2], corner[2] = second;
    }
}

scr_status bed_mirror(bed *b, int axis, scr_error *error)
{
    static const scr_quat mirror_and_own[3] = {{1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}, {0.0, 0.0, 1.0, 0.0}};
    int32_t *from;
    int64_t kept = 0;
    scr_status status = scr_make_zeros(&from, b->contacts.count, sizeof *from, "mirroring a bed", error);
    if (status != SCR_OK) return status;
    for (int64_t i = 0; i < b->grains.count; ++i) {
        b->position[i] = mirrored(b->position[i], axis);
        b->velocity[i] = mirrored(b->velocity[i], axis);
        b->rotation[i] = mirrored_rotation(b->rotation[i], axis);
        b->spin[i] = mirrored_axial(b->spin[i], axis);
    }
    for (int64_t k = 0; k < b->frames.count; ++k) {
        b->shape_position[k] = mirrored(b->shape_position[k], axis);
        b->shape_rotation[k] = quat_mul(mirrored_rotation(b->shape_rotation[k], axis), mirror_and_own[axis]);
    }
    mirror_hulls(&b->hulls);
    for (int64_t k = 0; k < b->contacts.count; ++k) {
        mirror_contact(b, k, axis);
        if (b->kind[b->a[k]] == SCR_SPHERE && b->kind[b->b[k]] == SCR_SPHERE) from[kept++] = (int32_t)k;
    }
    bed_keep_contacts(b, from, kept);
    scr_free(from);
    if (b->cell_length[axis] > 0.0) b->cell_low[axis] = -(b->cell_low[axis] + b->cell_length[axis]);
    return SCR_OK;
}
