// SPDX-License-Identifier: BSD-3-Clause
// The blocks of a step of Newton's method: what contacts add to S where nothing resists rolling, and what joints lack.
//
// Compiled once for every instruction set: SCREE_ISA names it. Lane by lane IEEE operations: the same bits from all.
#include "dynamics/cone/newton/newton_equations.h"
#include "dynamics/kkt/lanes4.h"

_Static_assert((int)REAL_LANES == (int)NEWTON_LANES, "a lane for each contact");

// The columns of B^T G of four contacts: what their velocity along each axis does to a body, as force and torque.
ALWAYS_INLINE void wrenches(real of[3][VEC6], real3 lever, const real g[SLOPE_NUMBERS])
{
    const real3 force[3] = {{g[0], g[1], g[2]}, {g[1], g[3], g[4]}, {g[2], g[4], g[5]}};
    UNROLL for (int k = 0; k < 3; ++k)
    {
        real3 torque = real3_cross(lever, force[k]);
        of[k][0] = force[k].x, of[k][1] = force[k].y, of[k][2] = force[k].z;
        of[k][3] = torque.x, of[k][4] = torque.y, of[k][5] = torque.z;
    }
}

// Column c of B^T G B of the lever that a body moves the contact with: a spin about axis k by e_k x lever
ALWAYS_INLINE void seen_column(real column[VEC6], real of[3][VEC6], real3 l, int c)
{
    UNROLL for (int r = 0; r < VEC6; ++r)
    {
        if (c < 3) column[r] = of[c][r];
        else if (c == 3) column[r] = of[2][r] * l.y - of[1][r] * l.z;
        else if (c == 4) column[r] = of[0][r] * l.z - of[2][r] * l.x;
        else column[r] = of[1][r] * l.x - of[0][r] * l.y;
    }
}

// B^T G B into blocks, or taken from them where `of` belongs to one body and the lever to another. at: where in the
// array they begin; less than 0: nowhere
ALWAYS_INLINE void add_blocks(double *array, const int64_t at[NEWTON_LANES], real of[3][VEC6], real3 lever, bool taken)
{
    UNROLL for (int c = 0; c < VEC6; ++c)
    {
        real column[VEC6];
        two last[NEWTON_LANES];
        seen_column(column, of, lever, c);
        real_transpose(column);
        lanes_last(last, column[4], column[5], 0);
        lanes_last(last + 2, column[4], column[5], 1);
        UNROLL for (int l = 0; l < NEWTON_LANES; ++l)
        {
            if (at[l] < 0) continue;
            double *to = array + at[l] + VEC6 * c;
            real first = real_load(to);
            two rest = two_load(to + 4);
            real_store(to, taken ? first - column[l] : first + column[l]);
            rest = taken ? rest - last[l] : rest + last[l];
            memcpy(to + 4, &rest, sizeof rest);
        }
    }
}

static void add_four(const newton_equations *q, const contact_row *contact, const newton_lanes *together, int64_t first,
                     int64_t count)
{
    int64_t at_a[NEWTON_LANES], at_b[NEWTON_LANES], between[NEWTON_LANES];
    real_truth a_is_first[NEWTON_LANES];
    bool some_a = false, some_b = false, some_between = false;
    for (int l = 0; l < NEWTON_LANES; ++l) {
        at_a[l] = at_b[l] = between[l] = -1;
        a_is_first[l] = 0;
        bool is_open = together->slope[0][l] + together->slope[3][l] + together->slope[5][l] == 0.0;
        if (first + l >= count || is_open) continue;
        const contact_row *row = &contact[first + l];
        if (row->a != NO_BODY) at_a[l] = BODY_BLOCK * (int64_t)row->a, some_a = true;
        if (row->b != NO_BODY) at_b[l] = BODY_BLOCK * (int64_t)row->b, some_b = true;
        if (q->pair_of[first + l] < 0) continue;
        between[l] = BODY_BLOCK * (int64_t)q->pair_of[first + l], some_between = true;
        a_is_first[l] = -(real_truth)(row->a < row->b);
    }
    real of[3][VEC6], g[SLOPE_NUMBERS];
    for (int k = 0; k < SLOPE_NUMBERS; ++k) g[k] = real_load(together->slope[k]);
    real3 lever_a = real3_load(together->lever_a), lever_b = real3_load(together->lever_b);
    if (some_a) {
        wrenches(of, lever_a, g);
        add_blocks(q->stiffness, at_a, of, lever_a, false);
    }
    if (some_b) {
        wrenches(of, lever_b, g);
        add_blocks(q->stiffness, at_b, of, lever_b, false);
    }
    if (!some_between) return;
    real_mask swapped = real_not(mask_load(a_is_first));
    wrenches(of, real3_select(swapped, lever_a, lever_b), g);
    add_blocks(q->coupling_stiffness, between, of, real3_select(swapped, lever_b, lever_a), true);
}

static void add(const newton_equations *q, const contact_row *contact, const newton_lanes *lanes, int64_t count)
{
    for (int64_t i = 0; i < count; i += NEWTON_LANES) add_four(q, contact, &lanes[i / NEWTON_LANES], i, count);
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
