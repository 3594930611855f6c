// SPDX-License-Identifier: BSD-3-Clause
// The blocks of a step of Newton's method: what contacts add to S where nothing resists rolling, and what joints lack.
//
// Compiled once for every instruction set: SCREE_ISA names it. Lane by lane IEEE operations: the same bits from all.
#include "dynamics/cone/newton/newton_equations.h"
#include "dynamics/kkt/vec6.h"

// The columns of B^T: what unit forces at the lever do to a body.
ALWAYS_INLINE void unit_wrenches(vec6 unit[3], scr_vec3 l)
{
    const double x[VEC6] = {1.0, 0.0, 0.0, 0.0, l.z, -l.y}, y[VEC6] = {0.0, 1.0, 0.0, -l.z, 0.0, l.x},
                 z[VEC6] = {0.0, 0.0, 1.0, l.y, -l.x, 0.0};
    unit[0] = vec6_load(x), unit[1] = vec6_load(y), unit[2] = vec6_load(z);
}

ALWAYS_INLINE vec6 wrench_of(const vec6 unit[3], double x, double y, double z)
{
    return vec6_plus(vec6_plus(vec6_scale(unit[0], x), unit[1], y), unit[2], z);
}

// The columns of B^T G: what the contact's velocity along each axis does to the body.
ALWAYS_INLINE void wrenches(vec6 of[3], scr_vec3 lever, const double g[SLOPE_NUMBERS])
{
    vec6 unit[3];
    unit_wrenches(unit, lever);
    of[0] = wrench_of(unit, g[0], g[1], g[2]);
    of[1] = wrench_of(unit, g[1], g[3], g[4]);
    of[2] = wrench_of(unit, g[2], g[4], g[5]);
}

// B^T G B of the lever that a body moves the contact with: a spin about axis k by e_k x lever
ALWAYS_INLINE void seen_columns(vec6 column[VEC6], const vec6 of[3], scr_vec3 l)
{
    for (int k = 0; k < 3; ++k) column[k] = of[k];
    column[3] = vec6_minus(vec6_scale(of[2], l.y), of[1], l.z);
    column[4] = vec6_minus(vec6_scale(of[0], l.z), of[2], l.x);
    column[5] = vec6_minus(vec6_scale(of[1], l.x), of[0], l.y);
}

// Of one body by itself
ALWAYS_INLINE void add_own(double *stiffness, int32_t body, scr_vec3 lever, const double g[SLOPE_NUMBERS], vec6 of[3])
{
    vec6 column[VEC6];
    wrenches(of, lever, g);
    if (body == NO_BODY) return;
    seen_columns(column, of, lever);
    double *block = stiffness + BODY_BLOCK * (int64_t)body;
    UNROLL for (int c = 0; c < VEC6; ++c)
        vec6_store(block + VEC6 * c, vec6_add(vec6_load(block + VEC6 * c), column[c]));
}

// -B^T G B of two bodies: how the one that `of` belongs to is pushed where the other moves
ALWAYS_INLINE void subtract_between(double *block, const vec6 of[3], scr_vec3 other_lever)
{
    vec6 column[VEC6];
    seen_columns(column, of, other_lever);
    UNROLL for (int c = 0; c < VEC6; ++c)
        vec6_store(block + VEC6 * c, vec6_subtract(vec6_load(block + VEC6 * c), column[c]));
}

static void add(const newton_equations *q, const contact_row *contact, const newton_lanes *lanes, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        const newton_lanes *together = &lanes[i / NEWTON_LANES];
        const contact_row *row = &contact[i];
        double g[SLOPE_NUMBERS];
        for (int k = 0; k < SLOPE_NUMBERS; ++k) g[k] = together->slope[k][i % NEWTON_LANES];
        if (g[0] + g[3] + g[5] == 0.0) continue;  // open
        vec6 of_a[3], of_b[3];
        add_own(q->stiffness, row->a, row->lever_a, g, of_a);
        add_own(q->stiffness, row->b, row->lever_b, g, of_b);
        if (q->pair_of[i] < 0) continue;
        double *between = q->coupling_stiffness + BODY_BLOCK * (int64_t)q->pair_of[i];
        if (row->a < row->b) subtract_between(between, of_b, row->lever_a);
        else subtract_between(between, of_a, row->lever_b);
    }
}

// momentum += J^T l, rest = -(J v + C l) of one block
ALWAYS_INLINE void add_block_rest(const kkt_equations *e, const row_block *block, int row_count, const double *velocity,
                                  const double *joint, double *momentum, double *rest)
{
    vec6 sum[VEC6];
    UNROLL for (int k = 0; k < row_count; ++k) sum[k] = vec6_zero();
    for (int64_t a = block->first_jacobian; a < block->first_jacobian + block->jacobian_count; ++a) {
        const joint_jacobian *jacobian = &e->jacobian[a];
        if (jacobian->body == NO_BODY) continue;
        double *to = momentum + BODY_NUMBERS * (int64_t)jacobian->body;
        vec6 v = vec6_load(velocity + BODY_NUMBERS * (int64_t)jacobian->body), p = vec6_load(to);
        UNROLL for (int k = 0; k < row_count; ++k)
        {
            vec6 row = vec6_load(jacobian->row[k]);
            p = vec6_plus(p, row, joint[k]);
            sum[k] = vec6_add(sum[k], vec6_multiply(row, v));
        }
        vec6_store(to, p);
    }
    for (int k = 0; k < row_count; ++k) {
        double speed = 0.0;
        for (int d = 0; d < VEC6; ++d) speed += vec6_lane(sum[k], d);
        rest[k] = -block->compliance[k] * joint[k] - speed;
    }
}

static void rest_of_all(const newton_equations *q, const double *velocity, const double *joint, double *momentum,
                        double *rest)
{
    for (int64_t b = 0; b < q->e.block_count; ++b) {
        const row_block *block = &q->e.block[b];
        const double *l = joint + block->first_row;
        double *to = rest + block->first_row;
        if (block->row_count == 5) add_block_rest(&q->e, block, 5, velocity, l, momentum, to);  // most joints
        else add_block_rest(&q->e, block, block->row_count, velocity, l, momentum, to);
    }
}

const newton_block_kernels KERNEL(newton_block_kernels) = {add, rest_of_all};
