// SPDX-License-Identifier: BSD-3-Clause
// Gauss-Seidel with joints as rows of the sweep.
#include <math.h>
#include <string.h>

#include "dynamics/cone/sweeps/general_sweep.h"
#include "dynamics/cone/sweeps/joined_records.h"
#include "joint_rows.h"
#include "laboratory/impulse_motion.h"

// Every block of rows as a mechanism of its own, with the bodies it holds.
typedef struct split_joints {
    joint_system system;
    joint_mechanism *mechanism;
    body_inertia *body;
    joint_jacobian *arm;
    row_block *block;
    int32_t *number;
} split_joints;

static scr_status split(split_joints *to, const saved_joints *from, scr_error *error)
{
    int64_t blocks = 0, arms = 0, at = 0, arm_at = 0;
    *to = (split_joints){0};
    for (int64_t p = 0; p < from->system.mechanism_count; ++p) {
        blocks += from->mechanism[p].equations.block_count;
        arms += from->mechanism[p].equations.jacobian_count;
    }
    scr_status status = scr_make_zeros(&to->mechanism, blocks, sizeof *to->mechanism, "joints", error);
    if (status == SCR_OK) status = scr_make_zeros(&to->body, arms, sizeof *to->body, "joints", error);
    if (status == SCR_OK) status = scr_make_zeros(&to->arm, arms, sizeof *to->arm, "joints", error);
    if (status == SCR_OK) status = scr_make_zeros(&to->block, blocks, sizeof *to->block, "joints", error);
    if (status == SCR_OK) status = scr_make_zeros(&to->number, arms, sizeof *to->number, "joints", error);
    if (status == SCR_OK) to->system = (joint_system){blocks, to->mechanism};
    for (int64_t p = 0; p < from->system.mechanism_count && status == SCR_OK; ++p) {
        const kkt_equations *e = &from->mechanism[p].equations;
        for (int64_t b = 0; b < e->block_count && status == SCR_OK; ++b, ++at) {
            const row_block *block = &e->block[b];
            kkt_equations *one = &to->mechanism[at].equations;
            *one = (kkt_equations){.block_count = 1,
                                   .row_count = block->row_count,
                                   .body = to->body + arm_at,
                                   .block = &to->block[at],
                                   .jacobian = to->arm + arm_at};
            to->block[at] = *block;
            to->block[at].first_jacobian = to->block[at].first_row = 0;
            to->mechanism[at].body = to->number + arm_at;
            for (int k = 0; k < block->jacobian_count; ++k) {
                const joint_jacobian *arm = &e->jacobian[block->first_jacobian + k];
                if (arm->body < 0) continue;
                to->body[arm_at] = e->body[arm->body];
                to->number[arm_at] = from->mechanism[p].body[arm->body];
                to->arm[arm_at] = *arm;
                to->arm[arm_at++].body = one->body_count++;
            }
            one->jacobian_count = to->block[at].jacobian_count = one->body_count;
            kkt *factors;
            status = kkt_create(&factors, error);
            if (status != SCR_OK) continue;
            to->mechanism[at].kkt = factors;
            status = kkt_order(factors, one, error);
            if (status == SCR_OK) kkt_factor(factors, one);
        }
    }
    return status;
}

static void split_free(split_joints *s)
{
    for (int64_t k = 0; k < s->system.mechanism_count; ++k) kkt_destroy((kkt *)s->mechanism[k].kkt);
    void *arrays[] = {s->mechanism, s->body, s->arm, s->block, s->number};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) scr_free(arrays[k]);
}

static void set_motion(wide_record *to, const wide_record *from)
{
    memcpy(to->v, from->v, sizeof to->v);
    memcpy(to->s, from->s, sizeof to->s);
}

// Copies of heavy bodies as in sweeps.c: each group works with its own, and the body takes their mean.
static void begin_copies(problem *p, const contact_order *order, int32_t copies, const bundle_group *g)
{
    for (int64_t k = g->first_copy; k < g->last_copy; ++k)
        set_motion(&p->record[copies + k], &p->record[order->copy[k].body]);
}

static void join_copies(problem *p, const contact_order *order, int32_t copies, const contact_span *span)
{
    const work_unit *unit = order->unit;
    int64_t first = order->group[unit[span->first_unit].first_group].first_copy,
            last = order->group[unit[span->last_unit - 1].last_group - 1].last_copy;
    for (int64_t k = first; k < last; k += order->copy[k].shares) {
        wide_record *body = &p->record[order->copy[k].body], mean = {0};
        for (int32_t part = 0; part < order->copy[k].shares; ++part) {
            for (int axis = 0; axis < 3; ++axis) {
                mean.v[axis] += p->record[copies + k + part].v[axis] / (float)order->copy[k].shares;
                mean.s[axis] += p->record[copies + k + part].s[axis] / (float)order->copy[k].shares;
            }
        }
        set_motion(body, &mean);
    }
}

static void sweep_order(problem *p, const sweep_kernels *kernels, bool grains, const sweep_mode *mode)
{
    const contact_order *order = grains ? &p->grains : &p->general;
    int32_t copies = grains ? p->grain_copies : p->general_copies;
    sweep_sums none;
    for (int c = 0; c < order->span_count; ++c) {
        const contact_span *span = &order->span[c];
        int64_t first_group = order->unit[span->first_unit].first_group,
                last_group = order->unit[span->last_unit - 1].last_group;
        for (int64_t k = first_group; k < last_group; ++k) {
            const bundle_group *g = &order->group[k];
            int64_t first = g->first_bundle, count = g->last_bundle - first;
            begin_copies(p, order, copies, g);
            if (grains) kernels->grains(p->grain + first, NULL, NULL, count, p->record, mode, &none);
            else kernels->general->sweep(p->general_bundle + first, count, p->record, mode, &none);
        }
        if (span->kind == SPAN_SHARED) join_copies(p, order, copies, span);
    }
}

static scr_vec3 root_times(const contact_system *system, int32_t body, scr_vec3 v, bool transposed)
{
    system_body own = system->body(system->owner, body);
    mat3 root = system_body_root(&own);
    if (transposed) root = mat3_transpose(&root);
    return mat3_times(&root, v);
}

// Records as after the joints of the guess are solved for; at rest if cold.
static void begin(laboratory *lab, const contact_system *system, bool cold)
{
    impulse_motion(lab->system, lab->load, lab->motion);
    saved_joints_hold(&lab->joints, lab->motion);
    for (int32_t i = 0; i < system->body_count && !cold; ++i) {
        const double *c = lab->motion + 6 * (int64_t)i, *m = lab->inertia + 9 * (int64_t)i;
        wide_record *record = &lab->problem.record[i];
        scr_vec3 moment = vec3(m[0] * c[3] + m[1] * c[4] + m[2] * c[5], m[3] * c[3] + m[4] * c[4] + m[5] * c[5],
                               m[6] * c[3] + m[7] * c[4] + m[8] * c[5]);
        scr_vec3 s = vec3_scale((double)record->s_factor, root_times(system, i, moment, false));
        for (int axis = 0; axis < 3; ++axis) record->v[axis] = (float)c[axis];
        record->s[0] = (float)s.x, record->s[1] = (float)s.y, record->s[2] = (float)s.z;
    }
}

static double error_now(laboratory *lab, const contact_system *system)
{
    for (int32_t i = 0; i < system->body_count; ++i) {
        const wide_record *record = &lab->problem.record[i];
        double *c = lab->motion + 6 * (int64_t)i;
        const double *reference = lab->reference + 6 * (int64_t)i;
        scr_vec3 w =
            root_times(system, i, vec3((double)record->s[0], (double)record->s[1], (double)record->s[2]), true);
        const double now[6] = {(double)record->v[0], (double)record->v[1], (double)record->v[2], w.x, w.y, w.z};
        for (int k = 0; k < 6; ++k) c[k] = now[k] - reference[k];
    }
    return motion_norm(lab->system, lab->inertia, lab->motion) / lab->reference_norm;
}

static scr_status run(laboratory *lab, const split_joints *joints, bool cold, int limit, double share, rows_trial *t,
                      scr_error *error)
{
    const sweep_kernels *kernels = sweep_kernels_for(SCR_BEST);
    const sweep_mode mode = {.relaxation = 1.0f};
    for (int64_t i = 0; i < lab->system->contacts.count; ++i) {
        for (int k = 0; k < 6; ++k) lab->load[6 * i + k] = cold ? 0.0 : (double)lab->system->guess[6 * i + k];
        for (int k = 0; k < 3; ++k) lab->impulse[3 * i + k] = (float)lab->load[6 * i + k];
    }
    contact_system system = saved_system_view(lab->system, lab->impulse, lab->angular_impulse, 1);
    system.joints = &joints->system;
    rows_watch watch = rows_watch_begin(t, share);
    scr_status status = problem_build(&lab->problem, &system, error);
    if (status != SCR_OK) return status;
    begin(lab, &system, cold);
    for (int k = 1; k <= limit; ++k) {
        sweep_order(&lab->problem, kernels, true, &mode);
        sweep_order(&lab->problem, kernels, false, &mode);
        for (int64_t j = 0; j < joints->system.mechanism_count; ++j) step_joined_records(&lab->problem, j, false);
        if (rows_watch_is_due(&watch, k) && rows_watch_note(&watch, k, error_now(lab, &system))) break;
    }
    rows_watch_end(&watch);
    return SCR_OK;
}

scr_status gs_with_joint_rows(laboratory *lab, bool cold, double share, int limit, rows_trial *t, scr_error *error)
{
    split_joints joints;
    scr_status status = split(&joints, &lab->joints, error);
    if (status == SCR_OK) status = run(lab, &joints, cold, limit, share, t, error);
    split_free(&joints);
    return status;
}
