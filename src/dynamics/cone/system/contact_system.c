// SPDX-License-Identifier: BSD-3-Clause
// Ends of contacts, and diagonal blocks of N.
#include "dynamics/cone/system/contact_system.h"

#include "core/arrays/colouring.h"
#include "core/base/threads.h"

enum { ENDS_CHUNK = 1024 };  // contacts that a thread asks for at a time

void contact_system_ends(const contact_system *system, int64_t first, int64_t count, contact_ends *ends)
{
    if (system->list_ends != NULL) {
        system->list_ends(system->owner, first, count, ends);
        return;
    }
    for (int64_t k = 0; k < count; ++k) ends[k] = system->ends(system->owner, first + k);
}

void contact_system_all_ends(const contact_system *system, contact_ends *ends)
{
    int64_t n = system->contact_count;
#pragma omp parallel for num_threads(system->threads) schedule(static)
    for (int64_t first = 0; first < n; first += ENDS_CHUNK)
        contact_system_ends(system, first, min_i64(ENDS_CHUNK, n - first), ends + first);
}

mat3 system_body_block(const system_body *body, scr_vec3 lever)
{
    const scr_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    mat3 block = {0};
    for (int k = 0; k < 3; ++k) {
        scr_vec3 spin = mat3_times(&body->inv_inertia, vec3_cross(lever, axis[k])), v = vec3_cross(spin, lever);
        block.m[0][k] = v.x;
        block.m[1][k] = v.y;
        block.m[2][k] = v.z;
        block.m[k][k] += body->inv_mass;
    }
    return block;
}

mat3 contact_side_block(const contact_system *system, int32_t number, scr_vec3 lever)
{
    if (number == NO_BODY) return (mat3){0};
    system_body body = system->body(system->owner, number);
    return system_body_block(&body, lever);
}

mat3 contact_row_block(const contact_system *system, const contact_row *row)
{
    mat3 block = contact_side_block(system, row->a, row->lever_a),
         other = contact_side_block(system, row->b, row->lever_b);
    for (int i = 0; i < 9; ++i) block.m[i / 3][i % 3] += other.m[i / 3][i % 3];
    return block;
}

contact_row contact_row_of_lane(const row_lanes *rows, int lane, bool rolls)
{
    scr_vec3 n = vec3(rows->n[0][lane], rows->n[1][lane], rows->n[2][lane]);
    contact_row row = {
        .a = rows->a[lane],
        .b = rows->b[lane],
        .centre_line = true,
        .n = n,
        .lever_a = vec3_scale(rows->lever_a[lane], n),
        .lever_b = vec3_scale(rows->lever_b[lane], n),
        .r = vec3(rows->r[0][lane], rows->r[1][lane], rows->r[2][lane]),
        .mu = rows->mu[lane],
        .eps_n = rows->eps[lane],
        .eps_t = rows->eps[lane],
        .a_n = rows->a_n[lane],
        .a_t = rows->a_t[lane],
        .length_a = rows->length_a[lane],
        .length_b = rows->length_b[lane],
    };
    if (!rolls) return row;
    row.arm = rows->arm[lane], row.roll = rows->roll[lane], row.spin = rows->spin[lane];
    row.r_q = vec3(rows->r_q[0][lane], rows->r_q[1][lane], rows->r_q[2][lane]);
    row.a_q = rows->a_q[lane], row.eps_q = rows->eps_q[lane];
    return row;
}
