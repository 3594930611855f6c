// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/sweeps/problem.h"

#include <string.h>

#include "core/base/threads.h"
#include "dynamics/cone/sweeps/joined_records.h"
#include "dynamics/cone/sweeps/rolling_problem.h"
#include "dynamics/cone/system/force_error.h"

_Static_assert((int)ROW_LANES == (int)LANES, "rows come by the bundle");

void problem_free(problem *p)
{
    scr_free(p->sums);
    scr_free(p->block_sum);
    scr_arena_free(&p->bundle_memory);
    scr_arena_free(&p->record_memory);
    order_free(&p->grains);
    order_free(&p->general);
    touched_free(&p->touched);
    scr_arena_free(&p->joined_memory);
}

static int32_t copied_body(const contact_order *order, int64_t copy)
{
    return copy >= 0 && copy < order->copy_count ? order->copy[copy].body : NO_BODY;
}

int32_t problem_own_record(const problem *p, int32_t record)
{
    if (record < p->body_count) return record;
    int32_t body = copied_body(&p->grains, record - p->grain_copies);
    return body != NO_BODY ? body : copied_body(&p->general, record - p->general_copies);
}

// A copy is so much lighter that all copies of its body together weigh as much as the body.
static void make_copies(problem *p, const contact_order *order, int32_t first)
{
    for (int64_t k = 0; k < order->copy_count; ++k) {
        const wide_record *body = &p->record[order->copy[k].body];
        float shares = (float)order->copy[k].shares;
        p->record[first + k] = (wide_record){.v_factor = shares * body->v_factor, .s_factor = shares * body->s_factor};
    }
}

static inline body_factors factors_of(const contact_system *system, int32_t number)
{
    if (system->factors != NULL) return system->factors(system->owner, number);
    system_body body = system->body(system->owner, number);
    return system_body_factors(&body);
}

// Bodies at rest in the frame of their free motion, for every group one that never moves, and copies of heavy bodies.
static scr_status make_records(problem *p, const contact_system *system, scr_error *error)
{
    int64_t n = p->touched.count, total = n + p->grains.group_count + p->general.group_count;
    int64_t copies = p->grains.copy_count + p->general.copy_count;
    size_t bytes = scr_arena_bytes(sizeof *p->record, total + copies) + scr_arena_bytes(sizeof *p->old, n);
    scr_status status = scr_arena_reserve(&p->record_memory, bytes, "solver bodies", error);
    if (status != SCR_OK) return status;
    scr_arena arena = p->record_memory;
    p->record = scr_arena_array(&arena, sizeof *p->record, total + copies);
    p->old = scr_arena_array(&arena, sizeof *p->old, n);
    p->body_count = n;
    p->grain_copies = (int32_t)total;
    p->general_copies = (int32_t)(total + p->grains.copy_count);
    double lightest = INFINITY, heaviest = 0.0;
#pragma omp parallel for num_threads(system->threads) schedule(static) reduction(min                                   \
                                                                                 : lightest) reduction(max             \
                                                                                                       : heaviest)
    for (int64_t i = 0; i < total; ++i) {
        p->record[i] = (wide_record){0};
        if (i >= n) continue;
        body_factors body = factors_of(system, p->touched.body_of[i]);
        if (body.v > 0.0) lightest = fmin(lightest, 1.0 / body.v), heaviest = fmax(heaviest, 1.0 / body.v);
        p->record[i].v_factor = (float)body.v;
        p->record[i].s_factor = (float)body.s;
    }
    p->mass_ratio = heaviest > 0.0 ? lightest / heaviest : 1.0;
    p->least_compliance = least_compliance(p->mass_ratio);
    make_copies(p, &p->grains, p->grain_copies);
    make_copies(p, &p->general, p->general_copies);
    return SCR_OK;
}

static void set_lanes3(float lanes[3][LANES], int lane, scr_vec3 v)
{
    lanes[0][lane] = (float)v.x, lanes[1][lane] = (float)v.y, lanes[2][lane] = (float)v.z;
}

static void set_impulse(float lanes[3][LANES], int lane, const float impulse[3])
{
    for (int axis = 0; axis < 3; ++axis) lanes[axis][lane] = impulse[axis];
}

// Where the lanes of a group find their bodies.
typedef struct lane_bodies {
    const touched_bodies *touched;
    int32_t still;           // record of what cannot be moved
    const heavy_copy *copy;  // the group's copies of heavy bodies
    int64_t copy_count;
    int32_t first_copy;  // the first one's record
} lane_bodies;

static lane_bodies bodies_of_group(const problem *p, const contact_order *order, int64_t group, int64_t first_still,
                                   int32_t first_copy)
{
    const bundle_group *g = &order->group[group];
    int64_t copy_count = g->last_copy - g->first_copy;
    return (lane_bodies){&p->touched, (int32_t)(first_still + group),
                         copy_count > 0 ? &order->copy[g->first_copy] : NULL, copy_count,
                         (int32_t)(first_copy + g->first_copy)};
}

typedef struct lane_side {
    int32_t record;
    double weight;  // how many times its inverse mass counts in the contact's block
} lane_side;

static lane_side side_of(const lane_bodies *bodies, int32_t body)
{
    if (body == NO_BODY) return (lane_side){bodies->still, 1.0};
    int32_t record = bodies->touched->record_of[body];
    for (int64_t k = 0; k < bodies->copy_count; ++k) {
        const heavy_copy *copy = &bodies->copy[k];
        if (copy->body == record)
            return (lane_side){(int32_t)(bodies->first_copy + k),
                               (double)copy->shares * (double)min_i64(copy->contacts, LANES)};
    }
    return (lane_side){record, 1.0};
}

static system_body body_or_none(const contact_system *system, int32_t number)
{
    return number != NO_BODY ? system->body(system->owner, number) : (system_body){0};
}

// The contact's block, with heavy sides counted as often as they are shared.
static mat3 shared_block(const contact_row *row, const system_body *body_a, const system_body *body_b, lane_side a,
                         lane_side b)
{
    mat3 block = system_body_block(body_a, row->lever_a), other = system_body_block(body_b, row->lever_b);
    for (int i = 0; i < 9; ++i)
        block.m[i / 3][i % 3] = a.weight * block.m[i / 3][i % 3] + b.weight * other.m[i / 3][i % 3];
    return block;
}

// A factor by which the diagonal block of a contact between grains majorises the shared one.
static double shared_growth(const contact_system *system, const contact_row *row, lane_side a, lane_side b)
{
    if (a.weight == 1.0 && b.weight == 1.0) return 1.0;
    system_body body_a = body_or_none(system, row->a), body_b = body_or_none(system, row->b);
    mat3 block = shared_block(row, &body_a, &body_b, a, b);
    double a_n = vec3_dot(row->n, mat3_times(&block, row->n));
    double a_t = 0.5 * (block.m[0][0] + block.m[1][1] + block.m[2][2] - a_n);
    return fmax(a_n / row->a_n, a_t / row->a_t);
}

static float arm_of(int32_t body, scr_vec3 lever, scr_vec3 n, double length)
{
    return body == NO_BODY ? 0.0f : (float)(vec3_dot(lever, n) / length);
}

static void pack_grain(problem *p, int64_t number, int lane, const contact_system *system, int64_t contact,
                       const lane_bodies *bodies)
{
    contact_row row = system->row(system->owner, contact);
    grain_bundle *bundle = &p->grain[number];
    const float *impulse = system->impulse + 3 * contact;
    lane_side a = side_of(bodies, row.a), b = side_of(bodies, row.b);
    double growth = shared_growth(system, &row, a, b);
    bundle->a[lane] = a.record;
    bundle->b[lane] = b.record;
    set_lanes3(bundle->n, lane, row.n);
    set_lanes3(bundle->r, lane, row.r);
    bundle->arm_a[lane] = arm_of(row.a, row.lever_a, row.n, row.length_a);
    bundle->arm_b[lane] = arm_of(row.b, row.lever_b, row.n, row.length_b);
    bundle->cn[lane] = (float)(1.0 / ((growth + row.eps_n) * row.a_n));
    bundle->ct[lane] = (float)(1.0 / ((growth + row.eps_t) * row.a_t));
    bundle->sigma[lane] = (float)(growth / (growth + row.eps_n));
    bundle->mu[lane] = (float)row.mu;
    if (p->coheres) p->grain_apex[number].apex[lane] = (float)row.apex;
    set_impulse(bundle->g, lane, impulse);
    set_impulse(bundle->old, lane, impulse);
    if (p->rolls)
        rolling_pack_grain(p, number, lane, &row, (side_weights){a.weight, b.weight},
                           system->angular_impulse + 3 * contact);
}

// A lane without a contact: nothing pushes, nothing moves.
static void pad_grain(problem *p, int64_t number, int lane, int32_t still)
{
    grain_bundle *bundle = &p->grain[number];
    const float none[3] = {0};
    bundle->a[lane] = bundle->b[lane] = still;
    set_lanes3(bundle->n, lane, vec3(0.0, 0.0, 1.0));
    set_lanes3(bundle->r, lane, vec3(0.0, 0.0, 0.0));
    bundle->arm_a[lane] = bundle->arm_b[lane] = bundle->mu[lane] = 0.0f;
    bundle->cn[lane] = bundle->ct[lane] = bundle->sigma[lane] = 1.0f;
    if (p->coheres) p->grain_apex[number].apex[lane] = 0.0f;
    if (p->rolls) rolling_pad_grain(&p->rolling_grain[number], lane);
    set_impulse(bundle->g, lane, none);
    set_impulse(bundle->old, lane, none);
}

// The largest row sum of the block in the frame of the contact, each axis scaled by its own diagonal: it bounds the
// largest eigenvalue, so a step with its inverse never overshoots.
static double block_majorant(const contact_row *row, const mat3 *block)
{
    scr_vec3 axis[3];
    contact_frame(row->n, axis);
    double scale[3] = {1.0 / sqrt(row->a_n), 1.0 / sqrt(row->a_t), 1.0 / sqrt(row->a_t)}, largest = 0.0;
    for (int i = 0; i < 3; ++i) {
        scr_vec3 column = mat3_times(block, axis[i]);
        double sum = 0.0;
        for (int j = 0; j < 3; ++j) sum += fabs(vec3_dot(axis[j], column)) * scale[i] * scale[j];
        largest = fmax(largest, sum);
    }
    return largest;
}

// L with a = L L^T, a symmetric and not negative.
static mat3 lower_root(const mat3 *a)
{
    mat3 l = {0};
    for (int k = 0; k < 3; ++k) {
        double rest = a->m[k][k];
        for (int j = 0; j < k; ++j) rest -= l.m[k][j] * l.m[k][j];
        l.m[k][k] = sqrt(fmax(rest, 0.0));
        for (int i = k + 1; i < 3 && l.m[k][k] > 0.0; ++i) {
            double sum = a->m[i][k];
            for (int j = 0; j < k; ++j) sum -= l.m[i][j] * l.m[k][j];
            l.m[i][k] = sum / l.m[k][k];
        }
    }
    return l;
}

mat3 system_body_root(const system_body *body)
{
    if (!body->is_grain) {
        mat3 lower = lower_root(&body->inv_inertia);
        return mat3_transpose(&lower);
    }
    mat3 root = {0};
    for (int k = 0; k < 3; ++k) root.m[k][k] = 1.0 / body->length;
    return root;
}

body_factors system_body_factors(const system_body *body)
{
    if (body->is_grain) return (body_factors){body->inv_mass, body->length * body->length * body->inv_inertia.m[0][0]};
    return (body_factors){body->inv_mass, body->inv_mass > 0.0 ? 1.0 : 0.0};
}

// L^T [lever]x of a body, or [lever]x over its radius for a grain: see sweep.h.
static void set_angular(float lanes[9][LANES], int lane, const system_body *body, scr_vec3 lever)
{
    mat3 angular = {0};
    if (body->inv_mass > 0.0) {
        mat3 cross = {{{0.0, -lever.z, lever.y}, {lever.z, 0.0, -lever.x}, {-lever.y, lever.x, 0.0}}};
        mat3 root = system_body_root(body);
        angular = mat3_mul(&root, &cross);
    }
    for (int k = 0; k < 9; ++k) lanes[k][lane] = (float)angular.m[k / 3][k % 3];
}

static void pack_general(problem *p, int64_t number, int lane, const contact_system *system, int64_t contact,
                         const lane_bodies *bodies)
{
    general_bundle *bundle = &p->general_bundle[number];
    contact_row row = system->row(system->owner, contact);
    const float *impulse = system->impulse + 3 * contact;
    lane_side a = side_of(bodies, row.a), b = side_of(bodies, row.b);
    system_body body_a = body_or_none(system, row.a), body_b = body_or_none(system, row.b);
    mat3 n = shared_block(&row, &body_a, &body_b, a, b);
    double majorant = block_majorant(&row, &n) + fmax(row.eps_n, row.eps_t);
    bundle->a[lane] = a.record;
    bundle->b[lane] = b.record;
    set_lanes3(bundle->n, lane, row.n);
    set_lanes3(bundle->r, lane, row.r);
    set_angular(bundle->angular_a, lane, &body_a, row.lever_a);
    set_angular(bundle->angular_b, lane, &body_b, row.lever_b);
    const double block[6] = {n.m[0][0], n.m[1][1], n.m[2][2], n.m[0][1], n.m[0][2], n.m[1][2]};
    for (int k = 0; k < 6; ++k) bundle->block[k][lane] = (float)block[k];
    bundle->cn[lane] = (float)(1.0 / (majorant * row.a_n));
    bundle->ct[lane] = (float)(1.0 / (majorant * row.a_t));
    bundle->compliance_n[lane] = (float)(row.eps_n * row.a_n);
    bundle->compliance_t[lane] = (float)(row.eps_t * row.a_t);
    bundle->kappa[lane] = (float)(row.a_t / row.a_n);
    bundle->mu[lane] = (float)row.mu;
    bundle->apex[lane] = (float)row.apex;
    set_impulse(bundle->g, lane, impulse);
    set_impulse(bundle->old, lane, impulse);
    if (p->rolls)
        rolling_pack_general(p, number, lane, system, &row, (side_weights){a.weight, b.weight},
                             system->angular_impulse + 3 * contact);
}

static void pad_general(problem *p, int64_t number, int lane, int32_t still)
{
    general_bundle *bundle = &p->general_bundle[number];
    const float none[3] = {0};
    bundle->a[lane] = bundle->b[lane] = still;
    set_lanes3(bundle->n, lane, vec3(0.0, 0.0, 1.0));
    set_lanes3(bundle->r, lane, vec3(0.0, 0.0, 0.0));
    for (int k = 0; k < 9; ++k) bundle->angular_a[k][lane] = bundle->angular_b[k][lane] = 0.0f;
    for (int k = 0; k < 6; ++k) bundle->block[k][lane] = 0.0f;
    bundle->cn[lane] = bundle->ct[lane] = bundle->kappa[lane] = 1.0f;
    bundle->compliance_n[lane] = bundle->compliance_t[lane] = bundle->mu[lane] = bundle->apex[lane] = 0.0f;
    if (p->rolls) rolling_pad_general(&p->rolling_general[number], lane);
    set_impulse(bundle->g, lane, none);
    set_impulse(bundle->old, lane, none);
}

static void pack_rolling_lane(problem *p, int64_t number, int lane, const row_lanes *rows, const float *angular_impulse)
{
    contact_row row = contact_row_of_lane(rows, lane, true);
    rolling_pack_grain(p, number, lane, &row, (side_weights){1.0, 1.0}, angular_impulse);
}

// A bundle of contacts whose rows come lane by lane; those that did not are packed one by one.
static void pack_grain_rows(problem *p, int64_t number, const contact_system *system, const int32_t *contact,
                            const lane_bodies *bodies)
{
    grain_lanes rows;
    row_lanes exact;
    grain_bundle *bundle = &p->grain[number];
    uint32_t done = system->rows(system->owner, contact, &rows, p->rolls ? &exact : NULL);
    for (int lane = 0; lane < LANES; ++lane) {
        bundle->a[lane] = rows.a[lane] == NO_BODY ? bodies->still : bodies->touched->record_of[rows.a[lane]];
        bundle->b[lane] = rows.b[lane] == NO_BODY ? bodies->still : bodies->touched->record_of[rows.b[lane]];
        set_impulse(bundle->g, lane, system->impulse + 3 * (int64_t)contact[lane]);
    }
    memcpy(bundle->old, bundle->g, sizeof bundle->old);
    memcpy(bundle->n, rows.n, sizeof bundle->n);
    memcpy(bundle->r, rows.r, sizeof bundle->r);
    memcpy(bundle->arm_a, rows.arm_a, sizeof bundle->arm_a);
    memcpy(bundle->arm_b, rows.arm_b, sizeof bundle->arm_b);
    memcpy(bundle->cn, rows.cn, sizeof bundle->cn);
    memcpy(bundle->ct, rows.ct, sizeof bundle->ct);
    memcpy(bundle->sigma, rows.sigma, sizeof bundle->sigma);
    memcpy(bundle->mu, rows.mu, sizeof bundle->mu);
    for (int lane = 0; lane < LANES; ++lane) {
        if (!(done >> lane & 1)) pack_grain(p, number, lane, system, contact[lane], bodies);
        else if (p->rolls)
            pack_rolling_lane(p, number, lane, &exact, system->angular_impulse + 3 * (int64_t)contact[lane]);
    }
}

static void pack_general_rows(problem *p, int64_t number, const contact_system *system, const int32_t *contact,
                              const lane_bodies *bodies)
{
    general_lanes rows;
    general_bundle *bundle = &p->general_bundle[number];
    uint32_t done = system->general_rows(system->owner, contact, &rows);
    for (int lane = 0; lane < LANES && done != 0; ++lane) {
        bundle->a[lane] = rows.a[lane] == NO_BODY ? bodies->still : bodies->touched->record_of[rows.a[lane]];
        bundle->b[lane] = rows.b[lane] == NO_BODY ? bodies->still : bodies->touched->record_of[rows.b[lane]];
        set_impulse(bundle->g, lane, system->impulse + 3 * (int64_t)contact[lane]);
    }
    if (done != 0) {
        memcpy(bundle->old, bundle->g, sizeof bundle->old);
        memcpy(bundle->n, rows.n, sizeof bundle->n);
        memcpy(bundle->r, rows.r, sizeof bundle->r);
        memcpy(bundle->angular_a, rows.angular_a, sizeof bundle->angular_a);
        memcpy(bundle->angular_b, rows.angular_b, sizeof bundle->angular_b);
        memcpy(bundle->block, rows.block, sizeof bundle->block);
        memcpy(bundle->cn, rows.cn, sizeof bundle->cn);
        memcpy(bundle->ct, rows.ct, sizeof bundle->ct);
        memcpy(bundle->compliance_n, rows.compliance_n, sizeof bundle->compliance_n);
        memcpy(bundle->compliance_t, rows.compliance_t, sizeof bundle->compliance_t);
        memcpy(bundle->kappa, rows.kappa, sizeof bundle->kappa);
        memcpy(bundle->mu, rows.mu, sizeof bundle->mu);
        memset(bundle->apex, 0, sizeof bundle->apex);
    }
    for (int lane = 0; lane < LANES; ++lane)
        if (!(done >> lane & 1)) pack_general(p, number, lane, system, contact[lane], bodies);
}

static void pack_grain_group(problem *p, const contact_system *system, int64_t group)
{
    const bundle_group *g = &p->grains.group[group];
    lane_bodies bodies = bodies_of_group(p, &p->grains, group, p->body_count, p->grain_copies);
    int64_t first = g->first_contact, bundle = g->first_bundle;
    bool has_rows = system->rows != NULL && bodies.copy_count == 0;
    for (; has_rows && first + LANES <= g->last_contact; first += LANES)
        pack_grain_rows(p, bundle++, system, p->grains.contact + first, &bodies);
    for (int64_t k = first, lanes = g->last_bundle * LANES, at = bundle * LANES; at < lanes; ++at, ++k) {
        if (k < g->last_contact) pack_grain(p, at / LANES, (int)(at % LANES), system, p->grains.contact[k], &bodies);
        else pad_grain(p, at / LANES, (int)(at % LANES), bodies.still);
    }
}

static void pack_general_group(problem *p, const contact_system *system, int64_t group)
{
    const bundle_group *g = &p->general.group[group];
    lane_bodies bodies =
        bodies_of_group(p, &p->general, group, p->body_count + p->grains.group_count, p->general_copies);
    int64_t first = g->first_contact, bundle = g->first_bundle;
    bool has_rows = system->general_rows != NULL && bodies.copy_count == 0;
    for (; has_rows && first + LANES <= g->last_contact; first += LANES)
        pack_general_rows(p, bundle++, system, p->general.contact + first, &bodies);
    for (int64_t k = first, lanes = g->last_bundle * LANES, at = bundle * LANES; at < lanes; ++at, ++k) {
        if (k < g->last_contact) pack_general(p, at / LANES, (int)(at % LANES), system, p->general.contact[k], &bodies);
        else pad_general(p, at / LANES, (int)(at % LANES), bodies.still);
    }
}

static scr_status lay_out_bundles(problem *p, const contact_system *system, scr_error *error)
{
    p->coheres = system->coheres;
    p->rolls = system->angular_impulse != NULL;
    int64_t grains = p->grains.bundle_count, general = p->general.bundle_count;
    int64_t apexes = p->coheres ? grains : 0, rolling = p->rolls ? grains : 0, turning = p->rolls ? general : 0;
    size_t bytes = scr_arena_bytes(sizeof *p->grain, grains) + scr_arena_bytes(sizeof *p->general_bundle, general) +
                   scr_arena_bytes(sizeof *p->grain_apex, apexes) + scr_arena_bytes(sizeof *p->rolling_grain, rolling) +
                   scr_arena_bytes(sizeof *p->rolling_general, turning);
    scr_status status = scr_arena_reserve(&p->bundle_memory, bytes, "contact bundles", error);
    if (status != SCR_OK) return status;
    scr_arena arena = p->bundle_memory;
    p->grain = scr_arena_array(&arena, sizeof *p->grain, grains);
    p->general_bundle = scr_arena_array(&arena, sizeof *p->general_bundle, general);
    p->grain_apex = scr_arena_array(&arena, sizeof *p->grain_apex, apexes);
    p->rolling_grain = scr_arena_array(&arena, sizeof *p->rolling_grain, rolling);
    p->rolling_general = scr_arena_array(&arena, sizeof *p->rolling_general, turning);
    return SCR_OK;
}

static void pack(problem *p, const contact_system *system)
{
#pragma omp parallel num_threads(system->threads)
    {
#pragma omp for schedule(dynamic, 4) nowait
        for (int64_t g = 0; g < p->grains.group_count; ++g) pack_grain_group(p, system, g);
#pragma omp for schedule(dynamic, 4)
        for (int64_t g = 0; g < p->general.group_count; ++g) pack_general_group(p, system, g);
    }
}

scr_status problem_build(problem *p, const contact_system *system, scr_error *error)
{
    problem_clear(p);  // it lies where contacts are being ordered
    scr_status status = scr_arena_reserve(&p->bundle_memory, order_bytes(system->contact_count, system->body_count),
                                          "contact colouring", error);
    scr_arena arena = p->bundle_memory;
    listed_ends ends;
    if (status == SCR_OK) status = find_touched(&p->touched, system, &ends, &arena, error);
    if (status == SCR_OK) status = order_contacts(&p->grains, system, &p->touched, &ends, true, arena, error);
    if (status == SCR_OK) status = order_contacts(&p->general, system, &p->touched, &ends, false, arena, error);
    if (status == SCR_OK) status = make_records(p, system, error);
    if (status == SCR_OK) status = join_records(p, system, error);
    int64_t groups = p->grains.group_count + p->general.group_count;
    if (status == SCR_OK)
        status = scr_grow_anew(&p->sums, &p->sums_capacity, groups, sizeof *p->sums, "solver sums", error);
    int64_t blocks = block_count_of(p->touched.count, SUM_BLOCK);
    if (status == SCR_OK)
        status = scr_grow(&p->block_sum, &p->block_sum_capacity, blocks, sizeof *p->block_sum, "solver sums", error);
    if (status == SCR_OK) status = lay_out_bundles(p, system, error);
    if (status == SCR_OK) pack(p, system);
    else problem_clear(p);
    return status;
}

typedef void (*lane_visitor)(float impulse[3], float g[3][LANES], int lane);

static void collect_lane(float impulse[3], float g[3][LANES], int lane)
{
    for (int axis = 0; axis < 3; ++axis) impulse[axis] = g[axis][lane];
}

static void distribute_lane(float impulse[3], float g[3][LANES], int lane)
{
    for (int axis = 0; axis < 3; ++axis) g[axis][lane] = impulse[axis];
}

// Every contact with its lane; by all threads of a parallel region. Inlined, so that a loop is made for each visitor.
static inline __attribute__((always_inline)) void visit_lanes(const problem *p, float *impulse, lane_visitor visit)
{
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < p->grains.group_count; ++i) {
        const bundle_group *g = &p->grains.group[i];
        for (int64_t k = g->first_contact, at = g->first_bundle * LANES; k < g->last_contact; ++k, ++at)
            visit(impulse + 3 * (int64_t)p->grains.contact[k], p->grain[at / LANES].g, (int)(at % LANES));
    }
#pragma omp for schedule(static)
    for (int64_t i = 0; i < p->general.group_count; ++i) {
        const bundle_group *g = &p->general.group[i];
        for (int64_t k = g->first_contact, at = g->first_bundle * LANES; k < g->last_contact; ++k, ++at)
            visit(impulse + 3 * (int64_t)p->general.contact[k], p->general_bundle[at / LANES].g, (int)(at % LANES));
    }
}

void problem_collect(const problem *p, const contact_system *system)
{
#pragma omp parallel num_threads(system->threads)
    visit_lanes(p, system->impulse, collect_lane);
    if (p->rolls) rolling_collect(p, system);
}

void problem_distribute(problem *p, const contact_system *system)
{
#pragma omp parallel num_threads(system->threads)
    visit_lanes(p, system->impulse, distribute_lane);
    if (p->rolls) rolling_distribute(p, system);
}

static double lane_elastic(const float n[3][LANES], const float g[3][LANES], int lane, double compliance_n,
                           double compliance_t)
{
    double gn = 0.0, g2 = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        gn += (double)g[axis][lane] * (double)n[axis][lane];
        g2 += (double)g[axis][lane] * (double)g[axis][lane];
    }
    return 0.5 * (compliance_n * gn * gn + compliance_t * fmax(0.0, g2 - gn * gn));
}

static double grain_elastic(const grain_bundle *c, int lane)
{
    double rest = 1.0 - (double)c->sigma[lane];  // eps a = (1 - sigma) / c
    return lane_elastic(c->n, c->g, lane, rest / (double)c->cn[lane], rest / (double)c->ct[lane]);
}

static double general_elastic(const general_bundle *c, int lane)
{
    return lane_elastic(c->n, c->g, lane, (double)c->compliance_n[lane], (double)c->compliance_t[lane]);
}

double problem_elastic_energy(const problem *p, const void *owner, double (*share)(const void *owner, int64_t contact))
{
    double sum = 0.0;
    for (int64_t i = 0; i < p->grains.group_count; ++i) {
        const bundle_group *g = &p->grains.group[i];
        for (int64_t k = g->first_contact, at = g->first_bundle * LANES; k < g->last_contact; ++k, ++at)
            sum += grain_elastic(&p->grain[at / LANES], (int)(at % LANES)) / share(owner, p->grains.contact[k]);
    }
    for (int64_t i = 0; i < p->general.group_count; ++i) {
        const bundle_group *g = &p->general.group[i];
        for (int64_t k = g->first_contact, at = g->first_bundle * LANES; k < g->last_contact; ++k, ++at)
            sum += general_elastic(&p->general_bundle[at / LANES], (int)(at % LANES)) /
                   share(owner, p->general.contact[k]);
    }
    return sum;
}
