// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/sweeps/joined_records.h"

scr_status join_records(problem *p, const contact_system *system, scr_error *error)
{
    p->joined = (joined_bodies){0};
    if (system->joints == NULL) return SCR_OK;
    size_t bytes = joined_bytes(system->joints) +
                   scr_arena_bytes(sizeof *p->joined_momentum_of_spin, joined_body_count(system->joints));
    scr_status status = scr_arena_reserve(&p->joined_memory, bytes, "joints of the contact problem", error);
    if (status != SCR_OK) return status;
    scr_arena arena = p->joined_memory;
    p->joined = joined_of(system->joints, &arena);
    p->joined_momentum_of_spin = scr_arena_array(&arena, sizeof *p->joined_momentum_of_spin, p->joined.body_count);
    for (int64_t k = 0; k < p->joined.mechanism_count; ++k) {
        const joined_mechanism *one = &p->joined.mechanism[k];
        for (int32_t i = 0; i < one->joints->equations.body_count; ++i) {
            system_body body = system->body(system->owner, one->joints->body[i]);
            mat3 root = system_body_root(&body), back = mat3_transpose(&root);
            p->joined_momentum_of_spin[one->first_body + i] = mat3_mul(&one->joints->equations.body[i].inertia, &back);
        }
    }
    return SCR_OK;
}

static void take_momentum(const wide_record *record, double mass, const mat3 *momentum_of_spin, double *to)
{
    scr_vec3 moment =
        mat3_times(momentum_of_spin, vec3((double)record->s[0], (double)record->s[1], (double)record->s[2]));
    for (int axis = 0; axis < 3; ++axis) to[axis] = mass * (double)record->v[axis];
    to[3] = moment.x, to[4] = moment.y, to[5] = moment.z;
}

static void give_velocity(wide_record *record, const mat3 *momentum_of_spin, const double *from)
{
    mat3 back = mat3_transpose(momentum_of_spin);
    scr_vec3 s = vec3_scale((double)record->s_factor, mat3_times(&back, vec3(from[3], from[4], from[5])));
    for (int axis = 0; axis < 3; ++axis) record->v[axis] = (float)from[axis];
    record->s[0] = (float)s.x, record->s[1] = (float)s.y, record->s[2] = (float)s.z;
}

void step_joined_records(problem *p, int64_t number, bool begins)
{
    joined_mechanism *one = &p->joined.mechanism[number];
    const joint_mechanism *joints = one->joints;
    const mat3 *momentum_of_spin = p->joined_momentum_of_spin + one->first_body;
    for (int32_t i = 0; i < joints->equations.body_count; ++i)
        take_momentum(&p->record[p->touched.record_of[joints->body[i]]], joints->equations.body[i].mass,
                      &momentum_of_spin[i], one->body + 6 * (int64_t)i);
    if (begins) joined_begin(one);
    else joined_step(one);
    for (int32_t i = 0; i < joints->equations.body_count; ++i)
        give_velocity(&p->record[p->touched.record_of[joints->body[i]]], &momentum_of_spin[i],
                      one->body + 6 * (int64_t)i);
}
