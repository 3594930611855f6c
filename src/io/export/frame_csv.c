// SPDX-License-Identifier: BSD-3-Clause
// Frames as a table of comma-separated values. Numbers have nine digits, which is all that single precision has.
#include "io/export/frame_csv.h"

#include <inttypes.h>

static const char *const shape_names[] = {
    [SCR_SPHERE] = "sphere",           [SCR_ELLIPSOID] = "ellipsoid", [SCR_BOX] = "box",   [SCR_CAPSULE] = "capsule",
    [SCR_CYLINDER] = "cylinder",       [SCR_CONE] = "cone",           [SCR_HULL] = "hull", [SCR_MESH] = "mesh",
    [SCR_HEIGHTFIELD] = "heightfield", [SCR_PLANE] = "plane"};
// Frames do not say of spheres and planes whether their body moves.
enum { KIND_UNKNOWN = SCR_KINEMATIC + 1 };
static const char *const kind_names[] = {
    [SCR_DYNAMIC] = "dynamic", [SCR_FIXED] = "fixed", [SCR_KINEMATIC] = "kinematic", [KIND_UNKNOWN] = ""};

// What a line says.
typedef struct csv_shape {
    uint32_t id;
    uint8_t shape, kind, material;
    const float *position, *rotation, *velocity, *half;  // NULL: zero; no rotation
} csv_shape;

typedef struct csv_names {
    const char *const *material_name;
    int material_count;
} csv_names;

static void put_numbers(FILE *out, const float *v, int count, const float *fallback)
{
    for (int k = 0; k < count; ++k) fprintf(out, ",%.9g", v != NULL ? v[k] : fallback[k]);
}

static void put_shape(FILE *out, int64_t number, double time, const csv_shape *s, const csv_names *names)
{
    static const float zero[3] = {0}, identity[4] = {1.0f, 0.0f, 0.0f, 0.0f};
    fprintf(out, "%" PRId64 ",%.17g,%" PRIu32 ",%s,%s,", number, time, s->id, shape_names[s->shape],
            kind_names[s->kind]);
    if (names->material_name != NULL && s->material < names->material_count)
        fputs(names->material_name[s->material], out);
    else fprintf(out, "%d", s->material);
    put_numbers(out, s->position, 3, zero);
    put_numbers(out, s->rotation, 4, identity);
    put_numbers(out, s->velocity, 3, zero);
    put_numbers(out, s->half, 3, zero);
    fputc('\n', out);
}

void frame_csv_begin(FILE *out)
{
    fprintf(out, "frame,time [s],id,shape,kind,material,x [m],y [m],z [m],qw,qx,qy,qz,vx [m/s],vy [m/s],vz [m/s],"
                 "half_x [m],half_y [m],half_z [m]\n");
}

static void put_shapes(FILE *out, int64_t number, double time, const frame_shape *shape, int64_t count,
                       const csv_names *names)
{
    for (const frame_shape *s = shape; s < shape + count; ++s) {
        csv_shape row = {s->id, s->shape, s->kind, s->material, s->position, s->rotation, s->velocity, s->half};
        if (s->shape == SCR_PLANE) row.kind = KIND_UNKNOWN, row.velocity = row.half = NULL;
        put_shape(out, number, time, &row, names);
    }
}

void frame_csv_add(FILE *out, int64_t number, const frame *f, const char *const *material_name, int material_count)
{
    const frame_spheres *s = &f->spheres;
    csv_names names = {material_name, material_count};
    for (int64_t i = 0; i < s->count; ++i) {
        const float half[3] = {s->radius[i], s->radius[i], s->radius[i]};
        const float *turned = f->rotation_count > 0 ? f->rotations[i].rotation : NULL;
        put_shape(out, number, f->time,
                  &(csv_shape){s->id[i], SCR_SPHERE, KIND_UNKNOWN, s->material[i], &s->position[3 * i], turned,
                               &s->velocity[3 * i], half},
                  &names);
    }
    put_shapes(out, number, f->time, f->boxes, f->box_count, &names);
    put_shapes(out, number, f->time, f->parts, f->part_count, &names);
    put_shapes(out, number, f->time, f->planes, f->plane_count, &names);
}
