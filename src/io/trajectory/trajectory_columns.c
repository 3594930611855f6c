// SPDX-License-Identifier: BSD-3-Clause
// Columns of a frame: each sphere's number is in an array of its kind, all others in records.
#include "io/trajectory/trajectory_columns.h"

#include <stddef.h>
#include <string.h>

#include "core/base/threads.h"
#include "core/maths/pose.h"

const column frame_columns[COLUMN_COUNT] = {
    {"/spheres/position", SPHERE_ROWS, FIELD_F32, 3, "m", IN_ARRAY, offsetof(frame, spheres.position)},
    {"/spheres/velocity", SPHERE_ROWS, FIELD_F32, 3, "m/s", IN_ARRAY, offsetof(frame, spheres.velocity)},
    {"/spheres/radius", SPHERE_ROWS, FIELD_F32, 1, "m", IN_ARRAY, offsetof(frame, spheres.radius)},
    {"/spheres/id", SPHERE_ROWS, FIELD_U32, 1, "", IN_ARRAY, offsetof(frame, spheres.id)},
    {"/spheres/material", SPHERE_ROWS, FIELD_U8, 1, "", IN_ARRAY, offsetof(frame, spheres.material)},
    {"/spheres/rotation", ROTATION_ROWS, FIELD_F32, 4, "", IN_RECORD, offsetof(frame_rotation, rotation)},
    {"/spheres/angular_velocity", ROTATION_ROWS, FIELD_F32, 3, "rad/s", IN_RECORD,
     offsetof(frame_rotation, angular_velocity)},
    {"/boxes/position", BOX_ROWS, FIELD_F32, 3, "m", IN_RECORD, offsetof(frame_shape, position)},
    {"/boxes/rotation", BOX_ROWS, FIELD_F32, 4, "", IN_RECORD, offsetof(frame_shape, rotation)},
    {"/boxes/half", BOX_ROWS, FIELD_F32, 3, "m", IN_RECORD, offsetof(frame_shape, half)},
    {"/boxes/velocity", BOX_ROWS, FIELD_F32, 3, "m/s", IN_RECORD, offsetof(frame_shape, velocity)},
    {"/boxes/angular_velocity", BOX_ROWS, FIELD_F32, 3, "rad/s", IN_RECORD, offsetof(frame_shape, angular_velocity)},
    {"/boxes/id", BOX_ROWS, FIELD_U32, 1, "", IN_RECORD, offsetof(frame_shape, id)},
    {"/boxes/material", BOX_ROWS, FIELD_U8, 1, "", IN_RECORD, offsetof(frame_shape, material)},
    {"/boxes/kind", BOX_ROWS, FIELD_U8, 1, "", IN_RECORD, offsetof(frame_shape, kind)},
    {"/boxes/corner", BOX_ROWS, FIELD_F32, 3 * BOX_CORNERS, "m", CORNERS_OF_BOX, 0},
    {"/planes/position", PLANE_ROWS, FIELD_F32, 3, "m", IN_RECORD, offsetof(frame_shape, position)},
    {"/planes/rotation", PLANE_ROWS, FIELD_F32, 4, "", IN_RECORD, offsetof(frame_shape, rotation)},
    {"/planes/id", PLANE_ROWS, FIELD_U32, 1, "", IN_RECORD, offsetof(frame_shape, id)},
    {"/planes/material", PLANE_ROWS, FIELD_U8, 1, "", IN_RECORD, offsetof(frame_shape, material)},
    {"/parts/position", PART_ROWS, FIELD_F32, 3, "m", IN_RECORD, offsetof(frame_shape, position)},
    {"/parts/rotation", PART_ROWS, FIELD_F32, 4, "", IN_RECORD, offsetof(frame_shape, rotation)},
    {"/parts/half", PART_ROWS, FIELD_F32, 3, "m", IN_RECORD, offsetof(frame_shape, half)},
    {"/parts/velocity", PART_ROWS, FIELD_F32, 3, "m/s", IN_RECORD, offsetof(frame_shape, velocity)},
    {"/parts/angular_velocity", PART_ROWS, FIELD_F32, 3, "rad/s", IN_RECORD, offsetof(frame_shape, angular_velocity)},
    {"/parts/surface", PART_ROWS, FIELD_I32, 1, "", IN_RECORD, offsetof(frame_shape, surface)},
    {"/parts/id", PART_ROWS, FIELD_U32, 1, "", IN_RECORD, offsetof(frame_shape, id)},
    {"/parts/material", PART_ROWS, FIELD_U8, 1, "", IN_RECORD, offsetof(frame_shape, material)},
    {"/parts/kind", PART_ROWS, FIELD_U8, 1, "", IN_RECORD, offsetof(frame_shape, kind)},
    {"/parts/shape", PART_ROWS, FIELD_U8, 1, "", IN_RECORD, offsetof(frame_shape, shape)},
    {"/contacts/ends", CONTACT_ROWS, FIELD_F32, 6, "m", IN_RECORD, offsetof(frame_contact, ends)},
    {"/contacts/force", CONTACT_ROWS, FIELD_F32, 3, "N", IN_RECORD, offsetof(frame_contact, force)},
    {"/contacts/bodies", CONTACT_ROWS, FIELD_U32, 2, "", IN_RECORD, offsetof(frame_contact, bodies)},
};

// Each corner of a box is its centre plus or minus the half edges, in the order of a hexahedron's nodes.
static void box_corners(const frame_shape *box, float *corner)
{
    static const signed char sign[BOX_CORNERS][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                                     {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    pose at = frame_shape_pose(box);
    for (int c = 0; c < BOX_CORNERS; ++c) {
        scr_vec3 local = vec3(sign[c][0] * box->half[0], sign[c][1] * box->half[1], sign[c][2] * box->half[2]);
        scr_vec3 point = pose_apply(at, local);
        corner[3 * c] = (float)point.x;
        corner[3 * c + 1] = (float)point.y;
        corner[3 * c + 2] = (float)point.z;
    }
}

size_t column_size(const column *c)
{
    field_info field = {.type = c->type, .width = c->width};
    return field_size(&field);
}

int64_t frame_rows(const frame *f, row_kind rows)
{
    const int64_t count[ROW_KIND_COUNT] = {f->spheres.count, f->box_count,     f->plane_count,
                                           f->part_count,    f->contact_count, f->rotation_count};
    return count[rows];
}

// The records that hold a column, and the bytes from one to the next.
static char *records(const frame *f, row_kind rows, size_t *stride)
{
    const size_t size[ROW_KIND_COUNT] = {
        0, sizeof *f->boxes, sizeof *f->planes, sizeof *f->parts, sizeof *f->contacts, sizeof *f->rotations};
    char *const first[ROW_KIND_COUNT] = {
        NULL, (char *)f->boxes, (char *)f->planes, (char *)f->parts, (char *)f->contacts, (char *)f->rotations};
    *stride = size[rows];
    return first[rows];
}

int64_t column_scratch_bytes(const frame *f)
{
    int64_t bytes = 0;
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        const column *col = &frame_columns[c];
        if (col->source != IN_ARRAY) bytes = max_i64(bytes, frame_rows(f, col->rows) * (int64_t)column_size(col));
    }
    return bytes;
}

char *column_numbers(char *scratch, const frame *f, const column *c)
{
    if (c->source != IN_ARRAY) return scratch;
    char *array;
    memcpy(&array, (const char *)f + c->offset, sizeof array);  // a pointer of some type: moved as bytes
    return array;
}

void gather_column(char *scratch, const frame *f, const column *c)
{
    if (c->source == IN_ARRAY) return;
    if (c->source == CORNERS_OF_BOX) {
        for (int64_t i = 0; i < f->box_count; ++i)
            box_corners(&f->boxes[i], (float *)(void *)scratch + 3 * BOX_CORNERS * i);
        return;
    }
    size_t stride, size = column_size(c);
    const char *record = records(f, c->rows, &stride);
    int64_t rows = frame_rows(f, c->rows);
    for (int64_t i = 0; i < rows; ++i)
        memcpy(scratch + (size_t)i * size, record + (size_t)i * stride + c->offset, size);
}

void scatter_column(const char *scratch, const frame *f, const column *c)
{
    if (c->source == IN_ARRAY) return;
    size_t stride, size = column_size(c);
    char *record = records(f, c->rows, &stride);
    int64_t rows = frame_rows(f, c->rows);
    for (int64_t i = 0; i < rows; ++i)
        memcpy(record + (size_t)i * stride + c->offset, scratch + (size_t)i * size, size);
}
