// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/solve/sweep_passes.h"

#include <math.h>
#include <string.h>

#include "dynamics/cone/sweeps/general_sweep.h"
#include "dynamics/cone/sweeps/joined_records.h"

enum { CACHED_BUNDLES = 1 << 14 };  // 9 MB: so many may stay in a cache from sweep to sweep

// Whether contacts are cut into blocks (blocks.h).
static bool has_blocks(const problem *p) { return p->grains.span_count > 0 && p->grains.span[0].kind == SPAN_BLOCKS; }

typedef void (*unit_work)(sweeper *s, const work_unit *unit);

typedef struct ordered_work {
    const contact_order *order;
    int32_t copies;  // where the copies of its heavy bodies begin among the records
    group_work work;
    unit_work begin;  // before the groups of a unit; NULL: nothing
} ordered_work;

static void set_motion(wide_record *to, const wide_record *from)
{
    memcpy(to->v, from->v, sizeof to->v);
    memcpy(to->s, from->s, sizeof to->s);
}

static void begin_copies(sweeper *s, const ordered_work *w, int64_t group)
{
    const bundle_group *g = &w->order->group[group];
    wide_record *record = s->p->record;
    for (int64_t k = g->first_copy; k < g->last_copy; ++k)
        set_motion(&record[w->copies + k], &record[w->order->copy[k].body]);
}

static index_range copies_of(const contact_order *order, const contact_span *span)
{
    if (span->kind != SPAN_SHARED) return (index_range){0, 0};
    return (index_range){order->group[order->unit[span->first_unit].first_group].first_copy,
                         order->group[order->unit[span->last_unit - 1].last_group - 1].last_copy};
}

// A heavy body moves on with the mean of its copies.
static void join_copies(sweeper *s, const ordered_work *w, const contact_span *span)
{
    const heavy_copy *copy = w->order->copy;
    index_range all = copies_of(w->order, span);
    for (int64_t k = all.first; k < all.last; k += copy[k].shares) {
        wide_record *body = &s->p->record[copy[k].body], *copies = &s->p->record[w->copies + k];
        for (int axis = 0; axis < 3; ++axis) {
            double v = 0.0, spin = 0.0;
            for (int32_t share = 0; share < copy[k].shares; ++share) {
                v += (double)copies[share].v[axis];
                spin += (double)copies[share].s[axis];
            }
            body->v[axis] = (float)(v / copy[k].shares);
            body->s[axis] = (float)(spin / copy[k].shares);
        }
    }
}

static void do_unit(sweeper *s, const ordered_work *w, const contact_span *span, const work_unit *unit)
{
    if (w->begin != NULL) w->begin(s, unit);
    for (int64_t g = unit->first_group; g < unit->last_group; ++g) {
        if (span->kind == SPAN_SHARED) begin_copies(s, w, g);
        w->work(s, g);
    }
}

// Do the units of one span after the other; serial ones, whose contacts may share bodies, on one thread.
static void for_each_span(sweeper *s, const ordered_work *w)
{
    for (int c = 0; c < w->order->span_count; ++c) {
        const contact_span *span = &w->order->span[c];
        index_range mine = {span->first_unit, span->last_unit};
        if (span->kind != SPAN_SERIAL) mine = order_share(w->order, span, omp_get_thread_num(), omp_get_num_threads());
        else if (omp_get_thread_num() != 0) mine.last = mine.first;
        for (int64_t u = mine.first; u < mine.last; ++u) do_unit(s, w, span, &w->order->unit[u]);
        meet(s);
        if (span->kind != SPAN_SHARED) continue;
        if (omp_get_thread_num() == 0) join_copies(s, w, span);
        meet(s);
    }
}

static void for_all_contacts(sweeper *s, group_work grains, group_work general, unit_work begin)
{
    for_each_span(s, &(ordered_work){&s->p->grains, s->p->grain_copies, grains, begin});
    for_each_span(s, &(ordered_work){&s->p->general, s->p->general_copies, general, NULL});
}

static void push_grain_group(sweeper *s, int64_t g)
{
    const bundle_group *group = &s->p->grains.group[g];
    int64_t first = group->first_bundle, count = group->last_bundle - first;
    if (s->p->rolls)
        s->kernels->rolling->push_grains(s->p->grain + first, s->p->rolling_grain + first, count, s->p->record);
    else s->kernels->push_grains(s->p->grain + first, count, s->p->record);
}

// The same where accelerated sweeps begin: from rest.
static void begin_grain_group(sweeper *s, int64_t g)
{
    const bundle_group *group = &s->p->grains.group[g];
    for (int64_t k = group->first_bundle; k < group->last_bundle; ++k)
        memcpy(s->p->grain_old[k].g, s->p->grain[k].g, sizeof s->p->grain_old[k].g);
    push_grain_group(s, g);
}

static void push_general_group(sweeper *s, int64_t g)
{
    const bundle_group *group = &s->p->general.group[g];
    int64_t first = group->first_bundle, count = group->last_bundle - first;
    if (s->p->rolls)
        s->kernels->rolling->push_general(s->p->general_bundle + first, s->p->rolling_general + first, count,
                                          s->p->record);
    else s->kernels->general->push(s->p->general_bundle + first, count, s->p->record);
}

static void sweep_grain_group(sweeper *s, int64_t g)
{
    const bundle_group *group = &s->p->grains.group[g];
    int64_t first = group->first_bundle, count = group->last_bundle - first;
    const apex_lanes *apex = s->p->coheres ? s->p->grain_apex + first : NULL;
    sweep_mode mode = s->mode;
    mode.fetches = has_blocks(s->p) && !group->is_near;
    mode.streams = s->p->grains.bundle_count > CACHED_BUNDLES;
    mode.is_apart = group->first_copy == group->last_copy;
    if (s->p->rolls)
        s->kernels->rolling->grains(s->p->grain + first, s->p->grain_old + first, s->p->rolling_grain + first, count,
                                    s->p->record, &mode, &s->p->sums[g]);
    else
        s->kernels->grains(s->p->grain + first, s->p->grain_old + first, apex, count, s->p->record, &mode,
                           &s->p->sums[g]);
}

static void sweep_general_group(sweeper *s, int64_t g)
{
    const bundle_group *group = &s->p->general.group[g];
    int64_t first = group->first_bundle, count = group->last_bundle - first;
    sweep_sums *sums = &s->p->sums[s->p->grains.group_count + g];
    sweep_mode mode = s->mode;
    mode.is_apart = group->first_copy == group->last_copy;
    mode.never_pulls = !s->p->coheres;
    if (s->p->rolls)
        s->kernels->rolling->general(s->p->general_bundle + first, s->p->rolling_general + first, count, s->p->record,
                                     &mode, sums);
    else s->kernels->general->sweep(s->p->general_bundle + first, count, s->p->record, &mode, sums);
}

// The last block of a sweep. The share is always the same: the impulses of a mechanism are one thread's own.
static void step_joints(sweeper *s, bool begins)
{
    if (s->p->joined.mechanism_count == 0) return;
    index_range mine = my_share(0, s->p->joined.mechanism_count);
    for (int64_t k = mine.first; k < mine.last; ++k) step_joined_records(s->p, k, begins);
    meet(s);
}

// dv = W D g, with joints solved for. push: the impulses of a group of grains
static void velocities_by(sweeper *s, group_work push)
{
    problem *p = s->p;
    index_range mine = my_share(0, p->body_count);
    for (int64_t i = mine.first; i < mine.last; ++i) {
        memset(p->record[i].v, 0, sizeof p->record[i].v);
        memset(p->record[i].s, 0, sizeof p->record[i].s);
    }
    meet(s);
    for_all_contacts(s, push, push_general_group, NULL);
    step_joints(s, true);
}

void sweeps_begin(sweeper *s) { velocities_by(s, s->mode.accelerated ? begin_grain_group : push_grain_group); }

void velocities_from_impulses(sweeper *s) { velocities_by(s, push_grain_group); }

static void extrapolate_bodies(sweeper *s, int64_t first, int64_t last)
{
    s->kernels->extrapolate(s->p->record + first, s->p->old + first, last - first, s->mode.beta, s->mode.from_old);
}

// Bodies of blocks are extrapolated as a block is begun: its own contacts are the first that need them, and find them
// in the cache.
static void extrapolate_unit(sweeper *s, const work_unit *unit)
{
    if (unit->first_body < unit->last_body) extrapolate_bodies(s, unit->first_body, unit->last_body);
}

static void extrapolate(sweeper *s)
{
    index_range mine = my_share(0, has_blocks(s->p) ? 0 : s->p->body_count);
    extrapolate_bodies(s, mine.first, mine.last);
    index_range mechanisms = my_share(0, s->p->joined.mechanism_count);
    for (int64_t k = mechanisms.first; k < mechanisms.last; ++k)
        joined_extrapolate(&s->p->joined.mechanism[k], (double)s->mode.beta, s->mode.from_old);
    meet(s);
}

// 1/2 dv^T M dv in blocks of bodies. One thread adds them up afterwards.
static int64_t body_blocks(const problem *p) { return block_count_of(p->body_count, SUM_BLOCK); }

void kinetic_blocks(sweeper *s)
{
    problem *p = s->p;
    index_range mine = my_share(0, body_blocks(p));
    for (int64_t b = mine.first; b < mine.last; ++b) {
        int64_t first = b * SUM_BLOCK, last = min_i64(first + SUM_BLOCK, p->body_count);
        p->block_sum[b] = s->kernels->kinetic(p->record + first, last - first);
    }
    meet(s);
}

double kinetic_energy(const problem *p)
{
    double energy = 0.0;
    for (int64_t b = 0; b < body_blocks(p); ++b) energy += p->block_sum[b];
    return energy;
}

static double record_kinetic(const wide_record *body)
{
    double v2 = 0.0, s2 = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        v2 += (double)body->v[axis] * (double)body->v[axis];
        s2 += (double)body->s[axis] * (double)body->s[axis];
    }
    double linear = body->v_factor > 0.0f ? 0.5 * v2 / (double)body->v_factor : 0.0;
    return linear + (body->s_factor > 0.0f ? 0.5 * s2 / (double)body->s_factor : 0.0);
}

// J; of the bodies with copies in that span of the order which has most of it: they are about the same in all.
static double heavy_kinetic(const problem *p, const contact_order *order)
{
    double most = 0.0;
    for (int c = 0; c < order->span_count; ++c) {
        double energy = 0.0;
        index_range copies = copies_of(order, &order->span[c]);
        for (int64_t k = copies.first; k < copies.last; k += order->copy[k].shares)
            energy += record_kinetic(&p->record[order->copy[k].body]);
        most = fmax(most, energy);
    }
    return most;
}

double heaviest_kinetic(const problem *p) { return fmax(heavy_kinetic(p, &p->grains), heavy_kinetic(p, &p->general)); }

sweep_sums total_sums(const sweeper *s)
{
    const problem *p = s->p;
    sweep_sums total = {0};
    int64_t count = p->grains.group_count + (s->grains_only ? 0 : p->general.group_count);
    for (int64_t g = 0; g < count; ++g) {
        total.energy += p->sums[g].energy;
        total.change += p->sums[g].change;
        total.size += p->sums[g].size;
        total.elastic += p->sums[g].elastic;
    }
    return total;
}

void sweep_all_contacts(sweeper *s)
{
    if (s->mode.accelerated) extrapolate(s);
    unit_work begin = s->mode.accelerated && has_blocks(s->p) ? extrapolate_unit : NULL;
    for_all_contacts(s, sweep_grain_group, sweep_general_group, begin);
    step_joints(s, false);
}

void visit_groups(sweeper *s, group_work grains, group_work general)
{
    if (grains != NULL) for_each_span(s, &(ordered_work){&s->p->grains, s->p->grain_copies, grains, NULL});
    if (general != NULL) for_each_span(s, &(ordered_work){&s->p->general, s->p->general_copies, general, NULL});
}

// The last sweep was rejected: the answer is the one before it.
void take_back(sweeper *s)
{
    problem *p = s->p;
    index_range grains = my_share(0, p->grains.bundle_count), general = my_share(0, p->general.bundle_count);
    for (int64_t k = grains.first; k < grains.last; ++k) memcpy(p->grain[k].g, p->grain_old[k].g, sizeof p->grain[k].g);
    for (int64_t k = general.first; k < general.last; ++k)
        memcpy(p->general_bundle[k].g, p->general_bundle[k].old, sizeof p->general_bundle[k].g);
    if (!p->rolls) return;
    for (int64_t k = grains.first; k < grains.last; ++k)
        memcpy(p->rolling_grain[k].q, p->rolling_grain[k].old, sizeof p->rolling_grain[k].q);
    for (int64_t k = general.first; k < general.last; ++k)
        memcpy(p->rolling_general[k].q, p->rolling_general[k].old, sizeof p->rolling_general[k].q);
}

// a <- b - a
static void subtract_from(wide_record *a, const wide_record *b, index_range range)
{
    for (int64_t i = range.first; i < range.last; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            a[i].v[axis] = b[i].v[axis] - a[i].v[axis];
            a[i].s[axis] = b[i].s[axis] - a[i].s[axis];
        }
    }
}

// old <- now - old, of bodies and of joints
static void subtract_old(problem *p)
{
    subtract_from(p->old, p->record, my_share(0, p->body_count));
    index_range mechanisms = my_share(0, p->joined.mechanism_count);
    for (int64_t k = mechanisms.first; k < mechanisms.last; ++k) joined_subtract(&p->joined.mechanism[k]);
}

// dv_old moves with dv: what extrapolation needs is their difference, and that must stay what g - g_old makes.
void sum_up_anew(sweeper *s)
{
    if (s->mode.accelerated) subtract_old(s->p);
    velocities_from_impulses(s);
    if (!s->mode.accelerated) return;
    subtract_old(s->p);
    kinetic_blocks(s);
}
