// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/sweeps/pack.h"

#include <stddef.h>
#include <string.h>

#include "core/base/threads.h"
#include "dynamics/cone/sweeps/rolling_problem.h"

_Static_assert((int)ROW_LANES == (int)LANES, "rows come by the bundle");

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

static contact_row begin_row(const contact_system *system, int64_t contact)
{
    if (system->begin != NULL) system->begin(system->owner, contact);
    return system->row(system->owner, contact);
}

static void pack_grain(problem *p, int64_t number, int lane, const contact_system *system, int64_t contact,
                       const lane_bodies *bodies)
{
    contact_row row = begin_row(system, contact);
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
    if (p->rolls)
        rolling_pack_grain(p, number, lane, &row, (side_weights){a.weight, b.weight},
                           system->angular_impulse + 3 * contact);
}

typedef float lane_row[LANES];

// The rows of lanes that follow each other in two bundles.
static void copy_lanes(void *to, int lane, const void *from, int from_lane, size_t bytes)
{
    lane_row *rows = to;
    const lane_row *other = from;
    for (size_t k = 0; k < bytes / sizeof *rows; ++k) rows[k][lane] = other[k][from_lane];
}

// What other contacts make of the velocities at a contact joins its bias.
static void add_outside(grain_bundle *bundle, rolling_grain *rolling, int lane, const wide_record *a,
                        const wide_record *b)
{
    float arm_a = bundle->arm_a[lane], arm_b = bundle->arm_b[lane], s[3], n[3];
    for (int axis = 0; axis < 3; ++axis) {
        n[axis] = bundle->n[axis][lane];
        s[axis] = arm_b * b->s[axis] - arm_a * a->s[axis];
    }
    for (int axis = 0; axis < 3; ++axis) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        bundle->r[axis][lane] += (b->v[axis] - a->v[axis]) + (s[next] * n[last] - s[last] * n[next]);
        if (rolling != NULL)
            rolling->w[axis][lane] += rolling->reach_b[lane] * b->s[axis] - rolling->reach_a[lane] * a->s[axis];
    }
}

static int32_t number_in_part(const packed_part *part, int32_t record)
{
    return record < part->whole->body_count ? part->number_of[part->whole->touched.body_of[record]] : NO_BODY;
}

// From its lane in the whole. False: it has none there.
static bool copy_grain(problem *p, int64_t number, int lane, const packed_part *part, int64_t contact,
                       const lane_bodies *bodies)
{
    static const wide_record still = {0};
    int32_t at = part->lane_of[part->contact[contact]], from_lane = at % LANES;
    if (at < 0) return false;
    const grain_bundle *from = &part->whole->grain[at / LANES];
    grain_bundle *bundle = &p->grain[number];
    rolling_grain *rolling = p->rolls ? &p->rolling_grain[number] : NULL;
    int32_t a = number_in_part(part, from->a[from_lane]), b = number_in_part(part, from->b[from_lane]);
    bundle->a[lane] = a == NO_BODY ? bodies->still : bodies->touched->record_of[a];
    bundle->b[lane] = b == NO_BODY ? bodies->still : bodies->touched->record_of[b];
    copy_lanes(bundle->n, lane, from->n, from_lane, sizeof *bundle - offsetof(grain_bundle, n));
    if (p->coheres) p->grain_apex[number].apex[lane] = part->whole->grain_apex[at / LANES].apex[from_lane];
    if (rolling != NULL) {
        const rolling_grain *turning = &part->whole->rolling_grain[at / LANES];
        copy_lanes(rolling, lane, turning, from_lane, sizeof *rolling);
        copy_lanes(rolling->old, lane, turning->q, from_lane, sizeof rolling->old);
    }
    add_outside(bundle, rolling, lane, a == NO_BODY ? &still : &part->outside[a],
                b == NO_BODY ? &still : &part->outside[b]);
    return true;
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
    contact_row row = begin_row(system, contact);
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

// Contacts of a bundle; those after the last one are the last one again.
static void bundle_contacts(const int32_t *contact, int count, int32_t all[LANES])
{
    for (int lane = 0; lane < LANES; ++lane) all[lane] = contact[lane < count ? lane : count - 1];
}

static inline int32_t record_or_still(const lane_bodies *bodies, int32_t body)
{
    return body == NO_BODY ? bodies->still : bodies->touched->record_of[body];
}

// Of bodies, NO_BODY or any number in lanes without a contact. No branch depends on which.
static inline void bodies_to_records(const lane_bodies *bodies, int count, int32_t number[LANES])
{
    const int32_t *record_of = bodies->touched->record_of;
    for (int lane = 0; lane < LANES; ++lane) {
        int32_t body = number[lane];
        bool is_still = body == NO_BODY || lane >= count;
        int32_t record = record_of[is_still ? 0 : body];
        number[lane] = is_still ? bodies->still : record;
    }
}

// What is left to do for the bundle of contacts whose rows have come; those that did not are packed one by one.
static void finish_grain_rows(problem *p, int64_t number, const contact_system *system, const int32_t *contact,
                              int count, uint32_t done, const row_lanes *exact, const lane_bodies *bodies)
{
    const uint32_t all = (1u << LANES) - 1;
    grain_bundle *bundle = &p->grain[number];
    bodies_to_records(bodies, count, bundle->a);
    bodies_to_records(bodies, count, bundle->b);
    if (count == LANES && (done & all) == all && !p->rolls) return;
    for (int lane = 0; lane < count; ++lane) {
        if (!(done >> lane & 1)) pack_grain(p, number, lane, system, contact[lane], bodies);
        else if (p->rolls)
            pack_rolling_lane(p, number, lane, exact, system->angular_impulse + 3 * (int64_t)contact[lane]);
    }
    for (int lane = count; lane < LANES; ++lane) pad_grain(p, number, lane, bodies->still);
}

// While a block is packed, what the next one is made from comes from memory: little by little, as a processor has few
// requests under way at a time. A block's contacts, and its bodies, stand next to each other; waiting for them where
// they are met cost a tenth of the packing of 128,000 grains.
typedef struct look_ahead {
    index_range contacts, bodies;  // of the next block
    int64_t packed, all;           // contacts of this one
} look_ahead;

static index_range share_of(index_range r, int64_t from, int64_t to, int64_t all)
{
    int64_t length = r.last - r.first;
    return (index_range){r.first + length * from / all, r.first + length * to / all};
}

static void fetch_more(const contact_system *system, look_ahead *ahead, int64_t count)
{
    int64_t from = ahead->packed, to = min_i64(from + count, ahead->all);
    if (from == to) return;
    ahead->packed = to;
    system->fetch(system->owner, share_of(ahead->contacts, from, to, ahead->all),
                  share_of(ahead->bodies, from, to, ahead->all));
}

// Bundles of contacts whose rows come many at a time, lane by lane.
static void pack_grain_rows(problem *p, int64_t number, const contact_system *system, const int32_t *contact, int count,
                            const lane_bodies *bodies)
{
    row_lanes exact[ROWS_AT_ONCE / LANES];
    int32_t padded[ROWS_AT_ONCE];
    int whole = count - count % LANES;
    const int32_t *all = contact;
    if (whole < count) {
        memcpy(padded, contact, (size_t)whole * sizeof *padded);
        bundle_contacts(contact + whole, count - whole, padded + whole);
        all = padded;
    }
    uint32_t done = system->rows(system->owner, all, count, &p->grain[number], p->rolls ? exact : NULL);
    for (int k = 0; k < count; k += LANES)
        finish_grain_rows(p, number + k / LANES, system, contact + k, (int)min_i64(LANES, count - k), done >> k,
                          &exact[k / LANES], bodies);
}

static void pack_general_rows(problem *p, int64_t number, const contact_system *system, const int32_t *contact,
                              int count, const lane_bodies *bodies)
{
    general_lanes rows;
    int32_t all[LANES];
    general_bundle *bundle = &p->general_bundle[number];
    bundle_contacts(contact, count, all);
    if (count < LANES) rows = (general_lanes){0};
    uint32_t done = system->general_rows(system->owner, all, count, &rows);
    for (int lane = 0; lane < count && done != 0; ++lane) {
        bundle->a[lane] = record_or_still(bodies, rows.a[lane]);
        bundle->b[lane] = record_or_still(bodies, rows.b[lane]);
    }
    if (done != 0) {
        memcpy(bundle->g, rows.g, sizeof bundle->g);
        memcpy(bundle->old, rows.g, sizeof bundle->old);
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
    for (int lane = 0; lane < count; ++lane)
        if (!(done >> lane & 1)) pack_general(p, number, lane, system, contact[lane], bodies);
    for (int lane = count; lane < LANES; ++lane) pad_general(p, number, lane, bodies->still);
}

// The contacts first .. last - 1 of a group, counted in the order's list; whole bundles of it.
static void pack_grain_part(problem *p, const contact_system *system, const packed_part *part, look_ahead *ahead,
                            int64_t group, int64_t first, int64_t last)
{
    const bundle_group *g = &p->grains.group[group];
    lane_bodies bodies = bodies_of_group(p, &p->grains, group, p->body_count, p->grain_copies);
    bool is_shared = bodies.copy_count > 0, has_rows = system->rows != NULL && !is_shared;
    int64_t number = g->first_bundle + (first - g->first_contact) / LANES;
    for (; has_rows && first < last; number += ROWS_AT_ONCE / LANES, first += ROWS_AT_ONCE) {
        int count = (int)min_i64(ROWS_AT_ONCE, last - first);
        fetch_more(system, ahead, count);
        pack_grain_rows(p, number, system, p->grains.contact + first, count, &bodies);
    }
    for (; first < last; ++number, first += LANES) {
        int count = (int)min_i64(LANES, last - first);
        const int32_t *contact = p->grains.contact + first;
        for (int lane = 0; lane < LANES; ++lane) {
            bool is_packed =
                part != NULL && lane < count && !is_shared && copy_grain(p, number, lane, part, contact[lane], &bodies);
            if (is_packed) continue;
            if (lane < count) pack_grain(p, number, lane, system, contact[lane], &bodies);
            else pad_grain(p, number, lane, bodies.still);
        }
    }
}

static void pack_grain_group(problem *p, const contact_system *system, const packed_part *part, look_ahead *ahead,
                             int64_t group)
{
    const bundle_group *g = &p->grains.group[group];
    pack_grain_part(p, system, part, ahead, group, g->first_contact, g->last_contact);
}

static void pack_general_group(problem *p, const contact_system *system, int64_t group)
{
    const bundle_group *g = &p->general.group[group];
    lane_bodies bodies =
        bodies_of_group(p, &p->general, group, p->body_count + p->grains.group_count, p->general_copies);
    bool has_rows = system->general_rows != NULL && bodies.copy_count == 0;
    for (int64_t number = g->first_bundle, first = g->first_contact; number < g->last_bundle; ++number) {
        int count = (int)min_i64(LANES, g->last_contact - first);
        const int32_t *contact = p->general.contact + first;
        first += count;
        if (has_rows) {
            pack_general_rows(p, number, system, contact, count, &bodies);
            continue;
        }
        for (int lane = 0; lane < LANES; ++lane) {
            if (lane < count) pack_general(p, number, lane, system, contact[lane], &bodies);
            else pad_general(p, number, lane, bodies.still);
        }
    }
}

// Groups of the units of a span.
static index_range groups_of(const contact_order *order, index_range units)
{
    if (units.first == units.last) return (index_range){0, 0};
    return (index_range){order->unit[units.first].first_group, order->unit[units.last - 1].last_group};
}

// What thread `part` of `parts` packs of an order: of every span the units that it will sweep. Colours of a block have
// cache lines of contacts and bodies in common, which two cores would take from each other.
static void pack_general_share(problem *p, const contact_system *system, int part, int parts)
{
    const contact_order *order = &p->general;
    for (int s = 0; s < order->span_count; ++s) {
        index_range groups = groups_of(order, order_share(order, &order->span[s], part, parts));
        for (int64_t g = groups.first; g < groups.last; ++g) pack_general_group(p, system, g);
    }
}

// Groups one after the other, contacts ascending, packed bit by bit.
typedef struct packing_run {
    int64_t group, last_group;
    int64_t next;  // contact of the group, counted in the order's list
} packing_run;

static packing_run run_of(const contact_order *order, int64_t first_group, int64_t last_group)
{
    return (packing_run){first_group, last_group,
                         first_group < last_group ? order->group[first_group].first_contact : 0};
}

// All contacts of a run below `end`, and those that share a bundle with them.
static void pack_run(problem *p, const contact_system *system, const packed_part *part, packing_run *run, int64_t end)
{
    const contact_order *order = &p->grains;
    look_ahead none = {0};
    while (run->group < run->last_group) {
        int64_t first = run->next, last = first, group_end = order->group[run->group].last_contact;
        while (last < group_end && order->contact[last] < end) last = min_i64(last + LANES, group_end);
        if (first < last) pack_grain_part(p, system, part, &none, run->group, first, last);
        run->next = last;
        if (last < group_end) return;
        *run = run_of(order, run->group + 1, run->last_group);
    }
}

static int64_t end_of_contacts(const contact_order *order, const work_unit *unit)
{
    int64_t end = 0;
    for (int64_t g = unit->first_group; g < unit->last_group; ++g)
        end = max_i64(end, order->contact[order->group[g].last_contact - 1] + (int64_t)1);
    return end;
}

static index_range contacts_of(const contact_order *order, const work_unit *unit)
{
    const bundle_group *group = &order->group[unit->first_group];
    return (index_range){group->first_contact, order->group[unit->last_group - 1].last_contact};
}

// While unit `at` of some is packed: what the next block of the first level needs.
static look_ahead ahead_of(const problem *p, const contact_system *system, index_range units, int64_t at)
{
    const contact_order *order = &p->grains;
    const work_unit *this = &order->unit[at], *next = this;
    look_ahead ahead = {0};
    while (++at < units.last && next == this)
        if (order->unit[at].first_body < order->unit[at].last_body) next = &order->unit[at];
    if (system->fetch == NULL || this->first_body == this->last_body || next == this ||
        next->first_group == next->last_group || this->first_group == this->last_group)
        return ahead;
    index_range now = contacts_of(order, this), then = contacts_of(order, next);
    const int32_t *body_of = p->touched.body_of;
    ahead.contacts = (index_range){order->contact[then.first], order->contact[then.last - 1] + (int64_t)1};
    ahead.bodies = (index_range){body_of[next->first_body], body_of[next->last_body - 1] + (int64_t)1};
    ahead.all = ahead.contacts.first < ahead.contacts.last ? now.last - now.first : 0;
    return ahead;
}

// The same of contacts on the centre line, in the order of space, though sweeps visit them in another: what lies across
// blocks waits until the block that it begins in has been packed, whose bodies and contacts are in the cache then. Of
// 128,000 settled grains one contact in seven lies across blocks, and cost four times as much as the others when it was
// packed by itself.
static void pack_grain_share(problem *p, const contact_system *system, const packed_part *packed, int part, int parts)
{
    const contact_order *order = &p->grains;
    bool has_blocks = order->span_count > 0 && order->span[0].kind == SPAN_BLOCKS;
    index_range blocks = has_blocks ? order_share(order, &order->span[0], part, parts) : (index_range){0, 0};
    packing_run run[SPAN_MAX];
    int run_count = 0;
    for (int s = has_blocks ? 1 : 0; s < order->span_count; ++s) {
        index_range groups = groups_of(order, order_share(order, &order->span[s], part, parts));
        run[run_count++] = run_of(order, groups.first, groups.last);
    }
    for (int64_t u = blocks.first; u < blocks.last; ++u) {
        const work_unit *unit = &order->unit[u];
        look_ahead ahead = ahead_of(p, system, blocks, u);
        for (int64_t g = unit->first_group; g < unit->last_group; ++g) pack_grain_group(p, system, packed, &ahead, g);
        int64_t end = end_of_contacts(order, unit);
        for (int k = 0; k < run_count; ++k) pack_run(p, system, packed, &run[k], end);
    }
    for (int k = 0; k < run_count; ++k) pack_run(p, system, packed, &run[k], INT64_MAX);
}

void pack_bundles(problem *p, const contact_system *system, const packed_part *packed)
{
    int parts = system->threads;
#pragma omp parallel for num_threads(parts) schedule(static)
    for (int part = 0; part < parts; ++part) {
        pack_grain_share(p, system, packed, part, parts);
        pack_general_share(p, system, part, parts);
    }
}
