// SPDX-License-Identifier: BSD-3-Clause
// Diagonal blocks of N.
#include "dynamics/cone/system/contact_system.h"

#include "core/arrays/colouring.h"

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
