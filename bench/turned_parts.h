// SPDX-License-Identifier: BSD-3-Clause
// Parts of a running gear: profiles turned about an axis, and their meshes.
#ifndef BENCH_TURNED_PARTS_H
#define BENCH_TURNED_PARTS_H

#include "scree/scree.h"

enum { CORNERS_MAX = 16, TURNED_PARTS = 4 };

// A profile of (r, z) turned about z, counter-clockwise; points at the rim go in and out as teeth do.
typedef struct turned_part {
    const char *name;
    int64_t paper_count;  // spheres of the paper
    int corner_count;
    double corner[CORNERS_MAX][2];  // m
    int teeth;
    double tooth_height;  // m
} turned_part;

extern const turned_part turned_parts[TURNED_PARTS];

typedef struct made_part {
    scr_vec3 *vertex;
    int32_t *triangle;
    scr_triangles view;
} made_part;

// Of triangles with edges of about that size, m. Ends with free_part.
void make_part(const turned_part *p, double size, made_part *out);
void free_part(made_part *p);

#endif
