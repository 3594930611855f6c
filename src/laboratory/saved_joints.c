// SPDX-License-Identifier: BSD-3-Clause
#include "laboratory/saved_joints.h"

#include <string.h>

#include "core/arrays/colouring.h"

// ---- out of tables ----

static body_inertia inertia_of(const saved_system *s, int32_t body)
{
    system_body mass = saved_system_body(s, body);
    return (body_inertia){1.0 / mass.inv_mass, mat3_inverse_symmetric(&mass.inv_inertia), mass.inv_inertia};
}

static void fill_block(saved_joints *j, const saved_system *s, int64_t number, int64_t first_jacobian)
{
    joint_mechanism *one = &j->mechanism[s->block_mechanism[number]];
    kkt_equations *e = &one->equations;
    row_block *block = &j->block[number];
    *block = (row_block){.row_count = s->block_rows[number],
                         .jacobian_count = s->block_jacobians[number],
                         .first_jacobian = e->jacobian_count,
                         .first_row = e->row_count,
                         .open = s->block_open[number]};
    memcpy(block->compliance, s->block_compliance + BLOCK_ROWS * number, sizeof block->compliance);
    if (e->block_count == 0) e->block = block, e->jacobian = &j->jacobian[first_jacobian];
    for (int64_t k = first_jacobian; k < first_jacobian + block->jacobian_count; ++k) {
        j->jacobian[k].body =
            s->jacobian_joined[k] == NO_BODY ? NO_BODY : s->jacobian_joined[k] - (int32_t)(e->body - j->body);
        memcpy(j->jacobian[k].row, s->jacobian_rows + BLOCK_ROWS * 6 * k, sizeof j->jacobian[k].row);
    }
    ++e->block_count;
    e->row_count += block->row_count;
    e->jacobian_count += block->jacobian_count;
}

static void fill_mechanisms(saved_joints *j, const saved_system *s)
{
    for (int64_t k = 0; k < s->joined.count; ++k) {
        joint_mechanism *one = &j->mechanism[s->joined_mechanism[k]];
        j->body[k] = inertia_of(s, s->joined_body[k]);
        if (one->equations.body_count++ > 0) continue;
        one->equations.body = &j->body[k];
        one->body = &s->joined_body[k];
    }
    for (int64_t k = 0, jacobian = 0; k < s->blocks.count; jacobian += s->block_jacobians[k], ++k)
        fill_block(j, s, k, jacobian);
}

static scr_status factor(joint_mechanism *one, scr_error *error)
{
    kkt *k;
    scr_status status = kkt_create(&k, error);
    if (status != SCR_OK) return status;
    one->kkt = k;
    status = kkt_order(k, &one->equations, error);
    if (status == SCR_OK) kkt_factor(k, &one->equations);
    return status;
}

scr_status saved_joints_make(saved_joints *j, const saved_system *s, scr_error *error)
{
    *j = (saved_joints){0};
    if (s->joined.count == 0) return SCR_OK;
    int64_t mechanism_count = s->joined_mechanism[s->joined.count - 1] + 1;
    scr_status status = scr_make_zeros(&j->mechanism, mechanism_count, sizeof *j->mechanism, "joints", error);
    if (status == SCR_OK) status = scr_make_zeros(&j->body, s->joined.count, sizeof *j->body, "joints", error);
    if (status == SCR_OK) status = scr_make_zeros(&j->block, s->blocks.count, sizeof *j->block, "joints", error);
    if (status == SCR_OK)
        status = scr_make_zeros(&j->jacobian, s->jacobians.count, sizeof *j->jacobian, "joints", error);
    if (status == SCR_OK) {
        j->system = (joint_system){mechanism_count, j->mechanism};
        fill_mechanisms(j, s);
    }
    for (int64_t k = 0; status == SCR_OK && k < mechanism_count; ++k) status = factor(&j->mechanism[k], error);
    if (status == SCR_OK) status = scr_arena_reserve(&j->memory, joined_bytes(&j->system), "joints", error);
    if (status != SCR_OK) {
        saved_joints_free(j);
        return status;
    }
    scr_arena arena = j->memory;
    j->joined = joined_of(&j->system, &arena);
    return SCR_OK;
}

void saved_joints_free(saved_joints *j)
{
    for (int64_t k = 0; k < j->system.mechanism_count; ++k) kkt_destroy((kkt *)j->mechanism[k].kkt);
    scr_free(j->mechanism);
    scr_free(j->body);
    scr_free(j->block);
    scr_free(j->jacobian);
    scr_arena_free(&j->memory);
    *j = (saved_joints){0};
}

static void hold(joined_mechanism *one, double *change)
{
    const joint_mechanism *joints = one->joints;
    for (int32_t i = 0; i < joints->equations.body_count; ++i) {
        const double *c = change + 6 * (int64_t)joints->body[i];
        const body_inertia *mass = &joints->equations.body[i];
        scr_vec3 angular = mat3_times(&mass->inertia, vec3(c[3], c[4], c[5]));
        const double momentum[6] = {mass->mass * c[0], mass->mass * c[1], mass->mass * c[2],
                                    angular.x,         angular.y,         angular.z};
        memcpy(one->body + 6 * (int64_t)i, momentum, sizeof momentum);
    }
    joined_begin(one);
    for (int32_t i = 0; i < joints->equations.body_count; ++i)
        memcpy(change + 6 * (int64_t)joints->body[i], one->body + 6 * (int64_t)i, 6 * sizeof *change);
}

void saved_joints_hold(saved_joints *j, double *change)
{
    for (int64_t k = 0; k < j->joined.mechanism_count; ++k) hold(&j->joined.mechanism[k], change);
}

// ---- into tables ----

typedef struct joint_cursor {
    int64_t joined, block, jacobian;
} joint_cursor;

static void copy_mechanism(saved_system *s, const joint_mechanism *one, int32_t mechanism, joint_cursor *at)
{
    const kkt_equations *e = &one->equations;
    int32_t first = (int32_t)at->joined;
    for (int32_t i = 0; i < e->body_count; ++i, ++at->joined) {
        s->joined_mechanism[at->joined] = mechanism;
        s->joined_body[at->joined] = one->body[i];
    }
    for (int64_t b = 0; b < e->block_count; ++b, ++at->block) {
        const row_block *block = &e->block[b];
        s->block_mechanism[at->block] = mechanism;
        s->block_rows[at->block] = (uint8_t)block->row_count;
        s->block_jacobians[at->block] = (uint8_t)block->jacobian_count;
        s->block_open[at->block] = block->open;
        for (int k = 0; k < BLOCK_ROWS; ++k)
            s->block_compliance[BLOCK_ROWS * at->block + k] = k < block->row_count ? block->compliance[k] : 0.0;
        for (int64_t k = block->first_jacobian; k < block->first_jacobian + block->jacobian_count;
             ++k, ++at->jacobian) {
            int32_t body = e->jacobian[k].body;
            s->jacobian_joined[at->jacobian] = body >= 0 && body < e->body_count ? first + body : NO_BODY;
            double *rows = s->jacobian_rows + BLOCK_ROWS * 6 * at->jacobian;
            memset(rows, 0, BLOCK_ROWS * 6 * sizeof *rows);
            memcpy(rows, e->jacobian[k].row, (size_t)block->row_count * 6 * sizeof *rows);
        }
    }
}

scr_status saved_joints_copy(saved_system *s, const joint_system *joints, scr_error *error)
{
    joint_cursor total = {0}, at = {0};
    for (int64_t k = 0; joints != NULL && k < joints->mechanism_count; ++k) {
        const kkt_equations *e = &joints->mechanism[k].equations;
        total.joined += e->body_count;
        total.block += e->block_count;
        for (int64_t b = 0; b < e->block_count; ++b) total.jacobian += e->block[b].jacobian_count;
    }
    scr_status status = saved_system_resize_joints(s, total.joined, total.block, total.jacobian, error);
    for (int64_t k = 0; status == SCR_OK && total.joined > 0 && k < joints->mechanism_count; ++k)
        copy_mechanism(s, &joints->mechanism[k], (int32_t)k, &at);
    return status;
}
