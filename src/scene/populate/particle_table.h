// SPDX-License-Identifier: BSD-3-Clause
// Particle tables: grains listed in a CSV file.
//
//   # a comment                         lines that are empty or begin with # do not count; # also ends a row
//   x, y, z, r, vx, vy, vz              a header names the columns, in any order; x, y, z, r must be there
//   0.1, 0.2, 0.3, 0.005, 0, 0, -1      m and m/s; without a header the columns are x, y, z, r
#ifndef SCENE_POPULATE_PARTICLE_TABLE_H
#define SCENE_POPULATE_PARTICLE_TABLE_H

#include "core/base/memory.h"

typedef struct particle_table {
    int64_t count;
    int64_t position_capacity, radius_capacity, velocity_capacity;
    scr_vec3 *position;  // m
    double *radius;      // m, positive
    scr_vec3 *velocity;  // m/s; NULL if the file has no velocities
} particle_table;

// Start from a table that is all zero; free it in any case. Failures are sentences like
// "bed.csv:17:9: expected a number for r, found 'abc'".
scr_status particle_table_read_file(const char *path, particle_table *t, scr_error *error);
// The same from memory: text[length] is 0, and path is used for messages.
scr_status particle_table_read_text(const char *text, size_t length, const char *path, particle_table *t,
                                    scr_error *error);
void particle_table_free(particle_table *t);

#endif
