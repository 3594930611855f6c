// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/system/joined.h"

#include <string.h>

static bool has_compliance(const kkt_equations *e)
{
    for (int64_t b = 0; b < e->block_count; ++b) {
        for (int k = 0; k < e->block[b].row_count; ++k)
            if (e->block[b].compliance[k] > 0.0) return true;
    }
    return false;
}

static size_t mechanism_bytes(const joint_mechanism *one)
{
    return scr_arena_bytes(6 * sizeof(double), one->equations.body_count) +
           3 * scr_arena_bytes(sizeof(double), one->equations.row_count) +
           scr_arena_bytes(sizeof(double), kkt_work_count(one->kkt));
}

size_t joined_bytes(const joint_system *joints)
{
    if (joints == NULL) return 0;
    size_t bytes = scr_arena_bytes(sizeof(joined_mechanism), joints->mechanism_count);
    for (int64_t k = 0; k < joints->mechanism_count; ++k) bytes += mechanism_bytes(&joints->mechanism[k]);
    return bytes;
}

int64_t joined_body_count(const joint_system *joints)
{
    int64_t count = 0;
    for (int64_t k = 0; k < joints->mechanism_count; ++k) count += joints->mechanism[k].equations.body_count;
    return count;
}

static double *zeros(scr_arena *arena, int64_t count)
{
    double *array = scr_arena_array(arena, sizeof *array, count);
    if (count > 0) memset(array, 0, (size_t)count * sizeof *array);
    return array;
}

joined_bodies joined_of(const joint_system *joints, scr_arena *arena)
{
    joined_bodies j = {0};
    if (joints == NULL) return j;
    j.mechanism_count = joints->mechanism_count;
    j.mechanism = scr_arena_array(arena, sizeof *j.mechanism, j.mechanism_count);
    for (int64_t k = 0; k < j.mechanism_count; ++k) {
        const joint_mechanism *one = &joints->mechanism[k];
        const kkt_equations *e = &one->equations;
        j.mechanism[k] =
            (joined_mechanism){.joints = one, .first_body = j.body_count, .is_compliant = has_compliance(e)};
        j.mechanism[k].body = scr_arena_array(arena, 6 * sizeof(double), e->body_count);
        j.mechanism[k].impulse = zeros(arena, e->row_count);
        j.mechanism[k].old = zeros(arena, e->row_count);
        j.mechanism[k].row = scr_arena_array(arena, sizeof(double), e->row_count);
        j.mechanism[k].work = scr_arena_array(arena, sizeof(double), kkt_work_count(one->kkt));
        j.body_count += e->body_count;
    }
    return j;
}

void joined_step(joined_mechanism *p)
{
    const kkt_equations *e = &p->joints->equations;
    for (int64_t b = 0; b < e->block_count; ++b) {
        const row_block *block = &e->block[b];
        for (int k = 0; k < block->row_count; ++k)
            p->row[block->first_row + k] = -block->compliance[k] * p->impulse[block->first_row + k];
    }
    kkt_solve(p->joints->kkt, p->body, p->row, p->work);
    if (!p->is_compliant) return;
    for (int64_t b = 0; b < e->block_count; ++b) {
        const row_block *block = &e->block[b];
        for (int k = 0; k < block->row_count; ++k)
            if (block->compliance[k] > 0.0) p->impulse[block->first_row + k] += p->row[block->first_row + k];
    }
}

void joined_begin(joined_mechanism *p)
{
    int64_t rows = p->joints->equations.row_count;
    if (rows > 0) memset(p->impulse, 0, (size_t)rows * sizeof *p->impulse);
    joined_step(p);
}

void joined_extrapolate(joined_mechanism *p, double beta, bool from_old)
{
    if (!p->is_compliant) return;
    for (int64_t k = 0; k < p->joints->equations.row_count; ++k) {
        double base = from_old ? p->old[k] : p->impulse[k];
        p->impulse[k] = base + beta * (base - p->old[k]);
        p->old[k] = base;
    }
}

void joined_subtract(joined_mechanism *p)
{
    for (int64_t k = 0; k < p->joints->equations.row_count; ++k) p->old[k] = p->impulse[k] - p->old[k];
}

double joined_elastic_energy(const joined_bodies *j)
{
    double sum = 0.0;
    for (int64_t one = 0; one < j->mechanism_count; ++one) {
        const joined_mechanism *p = &j->mechanism[one];
        const kkt_equations *e = &p->joints->equations;
        for (int64_t b = 0; b < e->block_count && p->is_compliant; ++b) {
            const double *l = p->impulse + e->block[b].first_row;
            for (int k = 0; k < e->block[b].row_count; ++k) sum += e->block[b].compliance[k] * l[k] * l[k];
        }
    }
    return 0.5 * sum;
}
