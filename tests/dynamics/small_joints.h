// SPDX-License-Identifier: BSD-3-Clause
// Joints between the bodies of a small system: linear rows at a pose, as a mechanism hands them to solvers of contacts.
#ifndef TESTS_DYNAMICS_SMALL_JOINTS_H
#define TESTS_DYNAMICS_SMALL_JOINTS_H

#include "small_system.h"

enum { SMALL_MECHANISMS = 3, SMALL_JOINTS = 16, SMALL_ROWS = 6 * SMALL_JOINTS };

typedef struct small_mechanism {
    int32_t body[SMALL_BODIES];
    body_inertia inertia[SMALL_BODIES];
    row_block block[SMALL_JOINTS];
    joint_jacobian jacobian[2 * SMALL_JOINTS];
    kkt_equations equations;
    kkt *kkt;
} small_mechanism;

typedef struct small_joints {
    small_mechanism mechanism[SMALL_MECHANISMS];
    joint_mechanism seen[SMALL_MECHANISMS];
    joint_system system;
} small_joints;

static inline small_mechanism *small_mechanism_new(small_joints *j)
{
    return &j->mechanism[j->system.mechanism_count++];
}

// The number of a body of the system in the mechanism; it joins if it is new.
static inline int32_t small_member(small_mechanism *m, const small_system *s, int32_t body)
{
    if (body == NO_BODY) return NO_BODY;
    for (int32_t i = 0; i < m->equations.body_count; ++i)
        if (m->body[i] == body) return i;
    int32_t i = m->equations.body_count++;
    m->body[i] = body;
    m->inertia[i] = (body_inertia){.mass = 1.0 / s->body[body].inv_mass,
                                   .inertia = mat3_inverse_symmetric(&s->body[body].inv_inertia),
                                   .inv_inertia = s->body[body].inv_inertia};
    return i;
}

static inline void small_row_of(double row[6], double sign, scr_vec3 axis, scr_vec3 lever)
{
    scr_vec3 turn = vec3_cross(lever, axis);
    const double all[6] = {axis.x, axis.y, axis.z, turn.x, turn.y, turn.z};
    for (int k = 0; k < 6; ++k) row[k] = sign * all[k];
}

// Six conditions on b's motion against a's, at one place: three displacements, three rotations. The first row_count
// hold, each with this compliance (1/kg).
static inline row_block *small_joint(small_mechanism *m, const small_system *s, int32_t a, int32_t b, scr_vec3 lever_a,
                                     scr_vec3 lever_b, int row_count, double compliance)
{
    const scr_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    row_block *block = &m->block[m->equations.block_count++];
    *block = (row_block){.row_count = row_count,
                         .jacobian_count = 2,
                         .first_jacobian = m->equations.jacobian_count,
                         .first_row = m->equations.row_count};
    joint_jacobian *jacobian = &m->jacobian[m->equations.jacobian_count];
    for (int t = 0; t < 2; ++t) {
        jacobian[t] = (joint_jacobian){.body = small_member(m, s, t == 0 ? a : b)};
        double sign = t == 0 ? -1.0 : 1.0;
        for (int k = 0; k < 3; ++k) {
            small_row_of(jacobian[t].row[k], sign, axis[k], t == 0 ? lever_a : lever_b);
            jacobian[t].row[3 + k][3 + k] = sign;
        }
    }
    for (int k = 0; k < row_count; ++k) block->compliance[k] = compliance;
    m->equations.jacobian_count += 2;
    m->equations.row_count += row_count;
    return block;
}

// Factored, and known to the system. Neither may move in memory after this.
static inline void small_join(small_joints *j, small_system *s)
{
    for (int64_t k = 0; k < j->system.mechanism_count; ++k) {
        small_mechanism *m = &j->mechanism[k];
        m->equations.body = m->inertia, m->equations.block = m->block, m->equations.jacobian = m->jacobian;
        assert_ok(kkt_create(&m->kkt, &error));
        assert_ok(kkt_order(m->kkt, &m->equations, &error));
        kkt_factor(m->kkt, &m->equations);
        j->seen[k] = (joint_mechanism){m->equations, m->kkt, m->body};
    }
    j->system.mechanism = j->seen;
    s->joints = &j->system;
}

static inline void small_joints_free(small_joints *j)
{
    for (int64_t k = 0; k < j->system.mechanism_count; ++k) kkt_destroy(j->mechanism[k].kkt);
}

#endif
