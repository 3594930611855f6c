#include "dynamics/cone/problem.h"

#include <string.h>

#include "core/threads.h"
#include "dynamics/cone/rolling_problem.h"

void problem_free(problem *p)
{
    void *arrays[] = {p->grains.contact, p->grains.group, p->parts.contact, p->parts.group, p->grain, p->part, p->grain_apex, p->rolling_grain, p->rolling_part, p->record,
                       p->old, p->sums, p->block_sum};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) scr_free(arrays[i]);
}

// Cut each colour into groups of whole bundles; every overflow contact is a group of its own.
static scr_status make_groups(contact_order *order, scr_error *error)
{
    const int64_t group_contacts = GROUP_BUNDLES * LANES;
    int64_t overflow = order->count - order->start[COLOUR_COUNT], groups = overflow;
    for (int c = 0; c < COLOUR_COUNT; ++c) groups += block_count_of(order->start[c + 1] - order->start[c], group_contacts);
    scr_status status = scr_grow_anew(&order->group, &order->group_capacity, groups, sizeof *order->group, "contact groups", error);
    if (status != SCR_OK) return status;

    int64_t group = 0, bundle = 0;
    for (int c = 0; c <= COLOUR_COUNT; ++c) {
        int64_t per_group = c == COLOUR_COUNT ? 1 : group_contacts;
        order->colour[c].first_group = group;
        for (int64_t left = order->start[c + 1] - order->start[c]; left > 0; left -= per_group) {
            int64_t bundles = block_count_of(min_i64(left, per_group), LANES);
            order->group[group++] = (bundle_group){bundle, bundle + bundles};
            bundle += bundles;
        }
        order->colour[c].last_group = group;
    }
    order->group_count = group;
    order->bundle_count = bundle;
    return SCR_OK;
}

static size_t order_bytes(int64_t contact_count, int64_t body_count)
{
    return scr_arena_bytes(sizeof(body_pair), contact_count) + scr_arena_bytes(sizeof(int32_t), contact_count) +
           scr_arena_bytes(1, contact_count) + scr_arena_bytes(sizeof(uint64_t), body_count);
}

// Contacts that are, or are not, on the centre line: coloured, ordered by colour, grouped.
static scr_status order_contacts(contact_order *order, const contact_system *system, bool centre_line, scr_arena arena,
                                 scr_error *error)
{
    int64_t body_count = system->body_count, total = centre_line ? system->contact_count - system->part_count : system->part_count;
    scr_status status = scr_grow_anew(&order->contact, &order->capacity, total, sizeof *order->contact, "contact order", error);
    if (status != SCR_OK) return status;
    order->count = total;
    body_pair *pair = scr_arena_array(&arena, sizeof *pair, total);
    int32_t *number = scr_arena_array(&arena, sizeof *number, total);
    uint8_t *colour = scr_arena_array(&arena, 1, total);
    uint64_t *taken = scr_arena_array(&arena, sizeof *taken, body_count);

    int64_t at = 0;
    for (int64_t i = 0; total > 0 && i < system->contact_count; ++i) {
        contact_ends ends = system->ends(system->owner, i);
        if (ends.centre_line != centre_line) continue;
        pair[at] = (body_pair){ends.a, ends.b};
        number[at++] = (int32_t)i;
    }
    if (total > 0) memset(taken, 0, (size_t)body_count * sizeof *taken);
    scr_colour(pair, total, taken, colour, order->start);
    int64_t next[COLOUR_COUNT + 2];
    memcpy(next, order->start, sizeof next);
    for (int64_t k = 0; k < total; ++k) order->contact[next[colour[k]]++] = number[k];
    return make_groups(order, error);
}

// Bodies at rest in the frame of their free motion, and for every group one that never moves.
static scr_status make_records(problem *p, const contact_system *system, scr_error *error)
{
    int64_t n = system->body_count, total = n + p->grains.group_count + p->parts.group_count;
    scr_status status = scr_grow_anew(&p->record, &p->record_capacity, total, sizeof *p->record, "solver bodies", error);
    if (status == SCR_OK) status = scr_grow_anew(&p->old, &p->old_capacity, n, sizeof *p->old, "solver bodies", error);
    if (status != SCR_OK) return status;
    p->body_count = n;
#pragma omp parallel for num_threads(system->threads) schedule(static)
    for (int64_t i = 0; i < total; ++i) {
        p->record[i] = (wide_record){0};
        if (i >= n) continue;
        system_body body = system->body(system->owner, i);
        p->record[i].v_factor = (float)body.inv_mass;
        p->record[i].s_factor = body.inv_mass > 0.0 ? 1.0f : 0.0f;
        if (body.is_grain) p->record[i].s_factor = (float)(body.length * body.length * body.inv_inertia.m[0][0]);
    }
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

static void pack_grain(problem *p, int64_t number, int lane, const contact_system *system, int64_t contact, int32_t still)
{
    contact_row row = system->row(system->owner, contact);
    grain_bundle *bundle = &p->grain[number];
    const float *impulse = system->impulse + 3 * contact;
    bundle->a[lane] = row.a == NO_BODY ? still : row.a;
    bundle->b[lane] = row.b == NO_BODY ? still : row.b;
    set_lanes3(bundle->n, lane, row.n);
    set_lanes3(bundle->r, lane, row.r);
    bundle->arm_a[lane] = row.a == NO_BODY ? 0.0f : (float)(vec3_dot(row.lever_a, row.n) / row.length_a);
    bundle->arm_b[lane] = row.b == NO_BODY ? 0.0f : (float)(vec3_dot(row.lever_b, row.n) / row.length_b);
    bundle->cn[lane] = (float)(1.0 / ((1.0 + row.eps_n) * row.a_n));
    bundle->ct[lane] = (float)(1.0 / ((1.0 + row.eps_t) * row.a_t));
    bundle->sigma[lane] = (float)(1.0 / (1.0 + row.eps_n));
    bundle->mu[lane] = (float)row.mu;
    if (p->coheres) p->grain_apex[number].apex[lane] = (float)row.apex;
    set_impulse(bundle->g, lane, impulse);
    set_impulse(bundle->old, lane, impulse);
    if (p->rolls) rolling_pack_grain(p, number, lane, &row, system->twist + 3 * contact);
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
    scr_vec3 helper = fabs(row->n.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
    scr_vec3 u = vec3_unit(vec3_cross(row->n, helper)), axis[3] = {row->n, u, vec3_cross(row->n, u)};
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

mat3 system_body_root(const contact_system *system, int32_t number)
{
    system_body body = system->body(system->owner, number);
    if (!body.is_grain) {
        mat3 lower = lower_root(&body.inv_inertia);
        return mat3_transpose(&lower);
    }
    mat3 root = {0};
    for (int k = 0; k < 3; ++k) root.m[k][k] = 1.0 / body.length;
    return root;
}

// L^T [lever]x of a body, or [lever]x over its radius for a grain: see sweep.h.
static void set_turn(float lanes[9][LANES], int lane, const contact_system *system, int32_t number, scr_vec3 lever)
{
    mat3 turn = {0};
    if (number != NO_BODY) {
        mat3 cross = {{{0.0, -lever.z, lever.y}, {lever.z, 0.0, -lever.x}, {-lever.y, lever.x, 0.0}}};
        mat3 root = system_body_root(system, number);
        turn = mat3_mul(&root, &cross);
    }
    for (int k = 0; k < 9; ++k) lanes[k][lane] = (float)turn.m[k / 3][k % 3];
}

static void pack_part(problem *p, int64_t number, int lane, const contact_system *system, int64_t contact, int32_t still)
{
    part_bundle *bundle = &p->part[number];
    contact_row row = system->row(system->owner, contact);
    const float *impulse = system->impulse + 3 * contact;
    mat3 n = contact_row_block(system, &row);
    double majorant = block_majorant(&row, &n) + fmax(row.eps_n, row.eps_t);
    bundle->a[lane] = row.a == NO_BODY ? still : row.a;
    bundle->b[lane] = row.b == NO_BODY ? still : row.b;
    set_lanes3(bundle->n, lane, row.n);
    set_lanes3(bundle->r, lane, row.r);
    set_turn(bundle->turn_a, lane, system, row.a, row.lever_a);
    set_turn(bundle->turn_b, lane, system, row.b, row.lever_b);
    const double block[6] = {n.m[0][0], n.m[1][1], n.m[2][2], n.m[0][1], n.m[0][2], n.m[1][2]};
    for (int k = 0; k < 6; ++k) bundle->block[k][lane] = (float)block[k];
    bundle->cn[lane] = (float)(1.0 / (majorant * row.a_n));
    bundle->ct[lane] = (float)(1.0 / (majorant * row.a_t));
    bundle->soft_n[lane] = (float)(row.eps_n * row.a_n);
    bundle->soft_t[lane] = (float)(row.eps_t * row.a_t);
    bundle->kappa[lane] = (float)(row.a_t / row.a_n);
    bundle->mu[lane] = (float)row.mu;
    bundle->apex[lane] = (float)row.apex;
    set_impulse(bundle->g, lane, impulse);
    set_impulse(bundle->old, lane, impulse);
    if (p->rolls) rolling_pack_part(p, number, lane, system, &row, system->twist + 3 * contact);
}

static void pad_part(problem *p, int64_t number, int lane, int32_t still)
{
    part_bundle *bundle = &p->part[number];
    const float none[3] = {0};
    bundle->a[lane] = bundle->b[lane] = still;
    set_lanes3(bundle->n, lane, vec3(0.0, 0.0, 1.0));
    set_lanes3(bundle->r, lane, vec3(0.0, 0.0, 0.0));
    for (int k = 0; k < 9; ++k) bundle->turn_a[k][lane] = bundle->turn_b[k][lane] = 0.0f;
    for (int k = 0; k < 6; ++k) bundle->block[k][lane] = 0.0f;
    bundle->cn[lane] = bundle->ct[lane] = bundle->kappa[lane] = 1.0f;
    bundle->soft_n[lane] = bundle->soft_t[lane] = bundle->mu[lane] = bundle->apex[lane] = 0.0f;
    if (p->rolls) rolling_pad_part(&p->rolling_part[number], lane);
    set_impulse(bundle->g, lane, none);
    set_impulse(bundle->old, lane, none);
}

// Which colour a group belongs to decides it.
void group_contacts(const contact_order *order, int64_t group, int64_t *first, int64_t *last)
{
    int c = 0;
    while (group >= order->colour[c].last_group) ++c;
    int64_t per_group = c == COLOUR_COUNT ? 1 : GROUP_BUNDLES * LANES;
    *first = order->start[c] + (group - order->colour[c].first_group) * per_group;
    *last = min_i64(*first + per_group, order->start[c + 1]);
}

static void pack_grain_group(problem *p, const contact_system *system, int64_t group)
{
    const contact_order *order = &p->grains;
    int32_t still = (int32_t)(p->body_count + group);
    int64_t first, last;
    group_contacts(order, group, &first, &last);
    for (int64_t k = first, b = order->group[group].first_bundle; b < order->group[group].last_bundle; ++b) {
        for (int lane = 0; lane < LANES; ++lane, ++k) {
            if (k < last)
                pack_grain(p, b, lane, system, order->contact[k], still);
            else
                pad_grain(p, b, lane, still);
        }
    }
}

static void pack_part_group(problem *p, const contact_system *system, int64_t group)
{
    const contact_order *order = &p->parts;
    int32_t still = (int32_t)(p->body_count + p->grains.group_count + group);
    int64_t first, last;
    group_contacts(order, group, &first, &last);
    for (int64_t k = first, b = order->group[group].first_bundle; b < order->group[group].last_bundle; ++b) {
        for (int lane = 0; lane < LANES; ++lane, ++k) {
            if (k < last)
                pack_part(p, b, lane, system, order->contact[k], still);
            else
                pad_part(p, b, lane, still);
        }
    }
}

static scr_status pack(problem *p, const contact_system *system, scr_error *error)
{
    scr_status status = scr_grow_anew(&p->grain, &p->grain_capacity, p->grains.bundle_count, sizeof *p->grain, "contact bundles", error);
    if (status == SCR_OK)
        status = scr_grow_anew(&p->part, &p->part_capacity, p->parts.bundle_count, sizeof *p->part, "contact bundles", error);
    p->coheres = system->coheres;
    if (status == SCR_OK && p->coheres)
        status = scr_grow_anew(&p->grain_apex, &p->grain_apex_capacity, p->grains.bundle_count, sizeof *p->grain_apex, "contact bundles", error);
    p->rolls = system->twist != NULL;
    if (status == SCR_OK && p->rolls)
        status = scr_grow_anew(&p->rolling_grain, &p->rolling_grain_capacity, p->grains.bundle_count, sizeof *p->rolling_grain, "contact bundles", error);
    if (status == SCR_OK && p->rolls)
        status = scr_grow_anew(&p->rolling_part, &p->rolling_part_capacity, p->parts.bundle_count, sizeof *p->rolling_part, "contact bundles", error);
    if (status != SCR_OK) return status;
#pragma omp parallel num_threads(system->threads)
    {
#pragma omp for schedule(dynamic, 4) nowait
        for (int64_t g = 0; g < p->grains.group_count; ++g) pack_grain_group(p, system, g);
#pragma omp for schedule(dynamic, 4)
        for (int64_t g = 0; g < p->parts.group_count; ++g) pack_part_group(p, system, g);
    }
    return SCR_OK;
}

scr_status problem_build(problem *p, const contact_system *system, scr_arena *scratch, scr_error *error)
{
    int64_t body_count = system->body_count;
    scr_status status = scr_arena_reserve(scratch, order_bytes(system->contact_count, body_count), "contact colouring", error);
    if (status == SCR_OK) status = order_contacts(&p->grains, system, true, *scratch, error);
    if (status == SCR_OK) status = order_contacts(&p->parts, system, false, *scratch, error);
    if (status == SCR_OK) status = make_records(p, system, error);
    int64_t groups = p->grains.group_count + p->parts.group_count;
    if (status == SCR_OK) status = scr_grow_anew(&p->sums, &p->sums_capacity, groups, sizeof *p->sums, "solver sums", error);
    if (status == SCR_OK) status = pack(p, system, error);
    int64_t blocks = block_count_of(body_count, SUM_BLOCK);
    if (status == SCR_OK)
        status = scr_grow(&p->block_sum, &p->block_sum_capacity, blocks, sizeof *p->block_sum, "solver sums", error);
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

// Every contact with its lane.
static void visit_lanes(const problem *p, const contact_system *system, lane_visitor visit)
{
    float *impulse = system->impulse;
#pragma omp parallel num_threads(system->threads)
    {
#pragma omp for schedule(static) nowait
        for (int64_t group = 0; group < p->grains.group_count; ++group) {
            int64_t first, last, bundle = p->grains.group[group].first_bundle;
            group_contacts(&p->grains, group, &first, &last);
            for (int64_t k = first; k < last; ++k)
                visit(impulse + 3 * (int64_t)p->grains.contact[k], p->grain[bundle + (k - first) / LANES].g, (int)((k - first) % LANES));
        }
#pragma omp for schedule(static)
        for (int64_t group = 0; group < p->parts.group_count; ++group) {
            int64_t first, last, bundle = p->parts.group[group].first_bundle;
            group_contacts(&p->parts, group, &first, &last);
            for (int64_t k = first; k < last; ++k)
                visit(impulse + 3 * (int64_t)p->parts.contact[k], p->part[bundle + (k - first) / LANES].g, (int)((k - first) % LANES));
        }
    }
}

void problem_collect(const problem *p, const contact_system *system)
{
    visit_lanes(p, system, collect_lane);
    if (p->rolls) rolling_collect(p, system);
}

void problem_distribute(problem *p, const contact_system *system)
{
    visit_lanes(p, system, distribute_lane);
    if (p->rolls) rolling_distribute(p, system);
}

static double lane_elastic(const float n[3][LANES], const float g[3][LANES], int lane, double soft_n, double soft_t)
{
    double gn = 0.0, g2 = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        gn += (double)g[axis][lane] * (double)n[axis][lane];
        g2 += (double)g[axis][lane] * (double)g[axis][lane];
    }
    return 0.5 * (soft_n * gn * gn + soft_t * fmax(0.0, g2 - gn * gn));
}

double problem_elastic_energy(const problem *p)
{
    double sum = 0.0;
    for (int64_t k = 0; k < p->grains.bundle_count; ++k) {
        const grain_bundle *c = &p->grain[k];
        for (int lane = 0; lane < LANES; ++lane) {
            double rest = 1.0 - (double)c->sigma[lane];  // eps a = (1 - sigma) / c
            sum += lane_elastic(c->n, c->g, lane, rest / (double)c->cn[lane], rest / (double)c->ct[lane]);
        }
    }
    for (int64_t k = 0; k < p->parts.bundle_count; ++k) {
        const part_bundle *c = &p->part[k];
        for (int lane = 0; lane < LANES; ++lane)
            sum += lane_elastic(c->n, c->g, lane, (double)c->soft_n[lane], (double)c->soft_t[lane]);
    }
    return sum;
}
