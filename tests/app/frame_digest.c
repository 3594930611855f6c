// SPDX-License-Identifier: BSD-3-Clause
// Prints a line for each frame of a run directory: its time, how many shapes it has, and a hash of all their numbers.
// Tests compare two runs with it, because two trajectories of the same frames need not be the same bytes.
#include <inttypes.h>
#include <stdio.h>

#include "io/trajectory/trajectory.h"

// FNV-1a.
static uint64_t hash(uint64_t h, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < bytes; ++i) h = (h ^ byte[i]) * 0x100000001b3u;
    return h;
}

static uint64_t frame_hash(const frame *f)
{
    size_t n = (size_t)f->spheres.count;
    uint64_t h = 0xcbf29ce484222325u;
    h = hash(h, f->spheres.position, n * 3 * sizeof(float));
    h = hash(h, f->spheres.velocity, n * 3 * sizeof(float));
    h = hash(h, f->spheres.radius, n * sizeof(float));
    h = hash(h, f->spheres.id, n * sizeof(uint32_t));
    h = hash(h, f->spheres.material, n);
    for (int64_t i = 0; i < f->box_count; ++i) {
        const frame_shape *box = &f->boxes[i];
        h = hash(h, box, offsetof(frame_shape, kind) + sizeof box->kind);
    }
    for (int64_t i = 0; i < f->plane_count; ++i) {
        const frame_shape *plane = &f->planes[i];
        h = hash(h, plane, offsetof(frame_shape, material) + sizeof plane->material);
    }
    for (int64_t i = 0; i < f->part_count; ++i) {
        const frame_shape *part = &f->parts[i];
        h = hash(h, part, offsetof(frame_shape, shape) + sizeof part->shape);
    }
    for (int64_t i = 0; i < f->contact_count; ++i) h = hash(h, &f->contacts[i], sizeof f->contacts[i]);
    for (int64_t i = 0; i < f->rotation_count; ++i) h = hash(h, &f->rotations[i], sizeof f->rotations[i]);
    return h;
}

int main(int argc, char **argv)
{
    scr_error error = {0};
    trajectory *t = NULL;
    frame f = {0};
    scr_status status = argc == 2 ? trajectory_open(argv[1], &t, &error) : SCR_BAD_INPUT;
    for (int64_t i = 0; status == SCR_OK && i < trajectory_frame_count(t); ++i) {
        status = trajectory_read(t, i, &f, &error);
        if (status == SCR_OK)
            printf("%.17g %lld %lld %lld %016" PRIx64 "\n", f.time, (long long)f.spheres.count, (long long)f.box_count,
                   (long long)f.plane_count, frame_hash(&f));
    }
    if (status != SCR_OK) fprintf(stderr, "frame_digest: %s\n", error.message);
    frame_free(&f);
    trajectory_close(t, NULL);
    return status == SCR_OK ? 0 : 1;
}
