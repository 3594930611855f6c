// SPDX-License-Identifier: BSD-3-Clause
// Rays from the eye to the grains, and the walls across them.
#include "view/stage/occlusion.h"

#include "core/base/threads.h"

static const float PLATE = 0.35f;         // a box is a plate if its thickness is below this share of its width
static const float PLATE_HIDES = 0.004f;  // share of the grains a plate may hide
static const float BULK_HIDES = 0.25f;    // the same for other boxes
static const float AMID = 0.3f;           // grains before a wall, for one behind it, that make it a thing among them
enum { OCCLUSION_RAYS = 1500 };           // grains that rays go to

typedef struct box_shape {
    int thin;      // axis of the shortest edge
    float middle;  // m; half of the middle edge
} box_shape;

static box_shape shape_of(const frame_shape *box)
{
    const float *h = box->half;
    int thin = h[0] <= h[1] && h[0] <= h[2] ? 0 : h[1] <= h[2] ? 1 : 2;
    return (box_shape){thin, lesser(h[(thin + 1) % 3], h[(thin + 2) % 3])};
}

// Does the line from the eye to a point, both in the box's own frame, pass through the box? By its three slabs.
static bool is_hidden(const frame_shape *box, vec3f eye, vec3f point)
{
    vec3f way = point - eye;
    float enter = 0.0f, leave = 1.0f;
    for (int axis = 0; axis < 3; ++axis) {
        if (way[axis] == 0.0f) {
            if (fabsf(eye[axis]) > box->half[axis]) return false;
            continue;
        }
        float t0 = (-box->half[axis] - eye[axis]) / way[axis], t1 = (box->half[axis] - eye[axis]) / way[axis];
        enter = greater(enter, lesser(t0, t1));
        leave = lesser(leave, greater(t0, t1));
    }
    return enter <= leave;
}

// What sampled grains say about a wall: how many it hides, and how many lie next to its broad faces, on the side of
// the eye and on the other one.
typedef struct occlusion {
    int64_t rays, hidden, near_side, far_side;
} occlusion;

static void test_ray(occlusion *count, const frame_shape *box, box_shape shape, vec3f eye, const float grain[3])
{
    vec3f centre = vec3f_load(box->position);
    vec3f local_eye = vec3f_unrotate(box->rotation, eye - centre);
    vec3f local = vec3f_unrotate(box->rotation, vec3f_load(grain) - centre);
    ++count->rays;
    count->hidden += is_hidden(box, local_eye, local);
    int b = (shape.thin + 1) % 3, c = (shape.thin + 2) % 3;
    if (fabsf(local[b]) > box->half[b] || fabsf(local[c]) > box->half[c]) return;
    if (fabsf(local[shape.thin]) > box->half[shape.thin] + 0.5f * shape.middle) return;
    bool near = (local[shape.thin] > 0.0f) == (local_eye[shape.thin] > 0.0f);
    count->near_side += near;
    count->far_side += !near;
}

bool occludes_grains(const frame *f, const frame_shape *box, vec3f eye)
{
    const frame_spheres *spheres = &f->spheres;
    int64_t stride = block_count_of(spheres->count, OCCLUSION_RAYS);
    box_shape shape = shape_of(box);
    occlusion count = {0};
    for (int64_t i = 0; i < spheres->count; i += stride) test_ray(&count, box, shape, eye, &spheres->position[3 * i]);
    for (int64_t i = 0; i < f->box_count && count.rays < OCCLUSION_RAYS; ++i)
        if (f->boxes[i].kind == SCR_DYNAMIC) test_ray(&count, box, shape, eye, f->boxes[i].position);
    int64_t part_stride = max_i64(block_count_of(f->part_count, OCCLUSION_RAYS), 1);
    for (int64_t i = 0; i < f->part_count; i += part_stride)
        if (f->parts[i].kind == SCR_DYNAMIC) test_ray(&count, box, shape, eye, f->parts[i].position);
    if ((float)count.near_side > AMID * (float)count.far_side) return false;
    bool plate = box->half[shape.thin] < PLATE * shape.middle;
    return (float)count.hidden > (plate ? PLATE_HIDES : BULK_HIDES) * (float)count.rays;
}
