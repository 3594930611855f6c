// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/sweeps/problem.h"

#include <string.h>

#include "core/base/threads.h"
#include "dynamics/cone/sweeps/joined_records.h"
#include "dynamics/cone/sweeps/pack.h"
#include "dynamics/cone/sweeps/rolling_problem.h"
#include "dynamics/cone/system/force_error.h"

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

enum { FACTORS_CHUNK = 256 };  // bodies asked for together

static void list_factors(const contact_system *system, const int32_t *body, int64_t count, body_factors *factors)
{
    if (system->factors != NULL) {
        system->factors(system->owner, body, count, factors);
        return;
    }
    for (int64_t k = 0; k < count; ++k) {
        system_body one = system->body(system->owner, body[k]);
        factors[k] = system_body_factors(&one);
    }
}

// The inverse masses of the heaviest and of the lightest body, 1/kg; least > most: none has any.
typedef struct mass_range {
    double least, most;
} mass_range;

static void make_body_records(problem *p, const contact_system *system, int64_t first, int64_t count, mass_range *range)
{
    body_factors some[FACTORS_CHUNK];
    list_factors(system, p->touched.body_of + first, count, some);
    for (int64_t k = 0; k < count; ++k) {
        p->record[first + k] = (wide_record){.v_factor = (float)some[k].v, .s_factor = (float)some[k].s};
        range->least = some[k].v > 0.0 ? fmin(range->least, some[k].v) : range->least;
        range->most = fmax(range->most, some[k].v);
    }
}

enum { LEAST_LENT = 1 << 16 };  // bytes: less is not worth the time that making it anew takes

static void *borrow(const contact_system *system, size_t bytes)
{
    return system->lend != NULL && bytes >= LEAST_LENT ? system->lend(system->owner, bytes) : NULL;
}

// Bodies at rest in the frame of their free motion, for every group one that never moves, and copies of heavy bodies.
static scr_status make_records(problem *p, const contact_system *system, scr_error *error)
{
    int64_t n = p->touched.count, total = n + p->grains.group_count + p->general.group_count;
    int64_t copies = p->grains.copy_count + p->general.copy_count;
    size_t old = scr_arena_bytes(sizeof *p->old, n);
    wide_record *lent = borrow(system, old);
    p->old_is_lent = lent != NULL;
    size_t bytes = scr_arena_bytes(sizeof *p->record, total + copies) + (p->old_is_lent ? 0 : old);
    scr_status status = scr_arena_reserve(&p->record_memory, bytes, "solver bodies", error);
    if (status != SCR_OK) return status;
    scr_arena arena = p->record_memory;
    p->record = scr_arena_array(&arena, sizeof *p->record, total + copies);
    p->old = p->old_is_lent ? lent : scr_arena_array(&arena, sizeof *p->old, n);
    p->body_count = n;
    p->grain_copies = (int32_t)total;
    p->general_copies = (int32_t)(total + p->grains.copy_count);
    double least = INFINITY, most = 0.0;
#pragma omp parallel for num_threads(system->threads) schedule(static) reduction(min : least) reduction(max : most)
    for (int64_t first = 0; first < n; first += FACTORS_CHUNK) {
        mass_range range = {least, most};
        make_body_records(p, system, first, min_i64(FACTORS_CHUNK, n - first), &range);
        least = range.least, most = range.most;
    }
    memset(p->record + n, 0, (size_t)(total - n) * sizeof *p->record);
    p->mass_ratio = most > 0.0 ? (1.0 / most) / (1.0 / least) : 1.0;  // of masses
    p->least_compliance = least_compliance(p->mass_ratio);
    make_copies(p, &p->grains, p->grain_copies);
    make_copies(p, &p->general, p->general_copies);
    return SCR_OK;
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

// Old impulses lie where the system's own are, if there is room: those are read as contacts are packed, and not again
// before sweeps have written them.
static bool old_fit(const contact_system *system, int64_t bundles)
{
    return 3 * system->impulse_room * (int64_t)sizeof *system->impulse >= bundles * (int64_t)sizeof(old_impulses);
}

static scr_status lay_out_bundles(problem *p, const contact_system *system, scr_error *error)
{
    p->coheres = system->coheres;
    p->rolls = system->angular_impulse != NULL;
    int64_t grains = p->grains.bundle_count, general = p->general.bundle_count;
    int64_t apexes = p->coheres ? grains : 0, rolling = p->rolls ? grains : 0, turning = p->rolls ? general : 0;
    int64_t old = old_fit(system, grains) ? 0 : grains;
    size_t bytes = scr_arena_bytes(sizeof *p->grain, grains) + scr_arena_bytes(sizeof *p->general_bundle, general) +
                   scr_arena_bytes(sizeof *p->grain_old, old) + scr_arena_bytes(sizeof *p->grain_apex, apexes) +
                   scr_arena_bytes(sizeof *p->rolling_grain, rolling) +
                   scr_arena_bytes(sizeof *p->rolling_general, turning);
    scr_status status = scr_arena_reserve(&p->bundle_memory, bytes, "contact bundles", error);
    if (status != SCR_OK) return status;
    scr_arena arena = p->bundle_memory;
    p->grain = scr_arena_array(&arena, sizeof *p->grain, grains);
    p->general_bundle = scr_arena_array(&arena, sizeof *p->general_bundle, general);
    old_impulses *own_old = scr_arena_array(&arena, sizeof *p->grain_old, old);
    p->grain_old = old > 0 ? own_old : (old_impulses *)(void *)system->impulse;
    p->grain_apex = scr_arena_array(&arena, sizeof *p->grain_apex, apexes);
    p->rolling_grain = scr_arena_array(&arena, sizeof *p->rolling_grain, rolling);
    p->rolling_general = scr_arena_array(&arena, sizeof *p->rolling_general, turning);
    return SCR_OK;
}

static scr_status build(problem *p, const contact_system *system, const packed_part *part, scr_error *error)
{
    problem_clear(p);  // it lies where contacts are being ordered
    scr_status status = scr_arena_reserve(&p->bundle_memory, order_bytes(system), "contact colouring", error);
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
    if (status == SCR_OK) pack_bundles(p, system, part);
    else problem_clear(p);
    return status;
}

scr_status problem_build(problem *p, const contact_system *system, scr_error *error)
{
    return build(p, system, NULL, error);
}

scr_status problem_build_part(problem *p, const contact_system *system, const packed_part *part, scr_error *error)
{
    return build(p, system, part, error);
}

void problem_lanes(const problem *p, int64_t contact_count, int threads, int32_t *lane_of)
{
    const contact_order *order = &p->grains;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < contact_count; ++i) lane_of[i] = -1;
#pragma omp for schedule(static)
        for (int64_t i = 0; i < order->group_count; ++i) {
            const bundle_group *g = &order->group[i];
            if (g->first_copy < g->last_copy) continue;
            for (int64_t k = g->first_contact, at = g->first_bundle * LANES; k < g->last_contact; ++k, ++at)
                lane_of[order->contact[k]] = (int32_t)at;
        }
    }
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
