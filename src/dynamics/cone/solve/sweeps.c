// SPDX-License-Identifier: BSD-3-Clause
// Coloured Gauss-Seidel, plain or accelerated.
//
// The accelerated form wraps sweeps in Nesterov's extrapolation and falls back to a plain sweep whenever the energy
//     f(g) = 1/2 dv^T M dv + r^T g + 1/2 g^T R g  (+ 1/2 l^T C l of joints, joined.h)
// would rise, so that f never does by more than rounding:
//     y = g + beta (g - g_old),  dv(y) = dv + beta (dv - dv_old)       both linear: no product with N is needed
//     sweep from y to z;  f(z) > f_best: restore g_old, beta = 0;  else g = z and beta grows
// beta grows to what the convexity of the problem foretells, and beyond where the rate of the sweeps says that more is
// better (sweep_rate.h).
//
// How far is g from the answer? The duality gap tells (force_error.h), at the price of a pass over all contacts. The
// change d of a sweep, which costs nothing, foretells it: about |d|_A^2 / (2 eps) for a problem of compliance eps. So
// the gap is taken when, by what the last one was in terms of d, it should be small enough, and at the end.
//
// All threads run the whole loop together; between colours they meet at a barrier. Whoever does a group or a block,
// the sums are taken over groups and blocks in order, so the bits do not depend on the number of threads.
#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/base/interruption.h"
#include "core/base/threads.h"
#include "dynamics/cone/solve/sweep_rate.h"
#include "dynamics/cone/solve/sweeps.h"
#include "dynamics/cone/sweeps/general_sweep.h"
#include "dynamics/cone/sweeps/joined_records.h"
#include "dynamics/cone/system/force_error.h"

enum { MEASURE_SWEEPS = 50 };  // at the latest after so many the force error is measured
enum { RATE_SWEEPS = 8 };      // fewer say little of the rate at which errors fall
enum { REFRESH_SWEEPS = 64 };  // dv is summed up anew from g this often, against rounding

// Of sweeps that start from an extrapolated point; all others solve every contact exactly. More saves sweeps up to
// about 1.3; from 1.4 on extrapolation is rejected so often that it costs more than it saves.
static const float RELAXATION = 1.2f;

enum { COULOMB_WATCH = 500 };              // sweeps; as double_sweeps.c has it
static const double COULOMB_GROWTH = 1.1;  // likewise
// What sticks is relaxed as under the convex law, what slides or is open the other way: accept_coulomb.
static const float COULOMB_SLIDING = 0.7f;
enum { COULOMB_WEIGHED = 8 };  // sweeps between two looks at the kinetic energy: it only says when to measure
static const double SWEEP_CONVEXITY = 4.0;  // of sweeps, over that of the problem
// The same of a part of a problem, whose momentum does not grow beyond what this foretells. It begins with large errors
// where contacts slide, and with 4, and more where rates said so, they swung for half of the sweeps under a crawler of
// 42 t. Sweeps of a region and of all to 1e-2, five steps of it as it begins to drive and 13 later on: 91 and 24, 264
// and 36; with learned momentum 101 and 24, 268 and 47; 4 and learned momentum 124 and 24, 248 and 38; 6: 110 and 23,
// 258 and 40; 12 gains nothing more. Begun anew every 40 or 50 sweeps it took 93 to 109 of the region as it begins; a
// sweep never goes against the momentum, so that cannot tell.
static const double PART_CONVEXITY = 8.0;
static const double SINGLE_PRECISION = 1.5e-7;  // relative changes below this are rounding; 3e-7 may be a slow error
static const double FULL_MOMENTUM = 0.999;      // of the largest: it grows no more
// Of the energies that f is the sum of: a rise that is none, where a tolerance says when sweeps end. (A given number of
// them holds f to its last digit.) Without it every third sweep was taken back from a force error of 2e-3 on, of a
// bucket in 5,000 grains, and 1e-3 took 670 sweeps instead of 350. Sweeps that swing within it are seen by what they
// change (sweep_rate.h). 3e-7 let the energy of a bed of rigid grains rise as they settle.
static const double ENERGY_ROUNDING = 1e-7;
// The same of the kinetic energy of heavy bodies with copies, and in every sweep anew. What a contact adds to the
// velocity of a plate that weighs 25 beds is less than that velocity's last digit: f crept up by 5e-8 to 4e-7 of its
// parts a sweep, while sweeps changed less and less (a tenth of that where dv was summed up anew after each). With
// ENERGY_ROUNDING alone they were taken back again and again: 279 to 1e-3 instead of 160 on bed C of
// docs/solver_table.md, and 1e-6 leaves 197.
static const double HEAVY_ROUNDING = 3e-6;

typedef struct sweeper {
    problem *p;
    const sweep_kernels *kernels;
    const scr_solver_def *def;
    sweep_mode mode;
    double theta, best_energy;
    sweep_rate rate;
    double contact_energy;  // of the last accepted sweep: what f has beside 1/2 dv^T M dv and springs in joints
    bool extrapolated;      // this sweep started from an extrapolated point
    bool grains_only;       // what is measured
    float *each;            // and where the gap of each contact goes; NULL: nowhere
    double whole_kinetic;   // J; as in solve_setting
    double compliance;      // as in solve_result
    bool done;
    int iterations;
    double change, force_error;
    double gap, kinetic;                             // J; what the force error was made of
    double cell_energy;                              // J; which the latter contains
    double doubt;                                    // of the force error: coulomb_doubt
    double last_change, least_change, least_before;  // of Coulomb's: of sums; in this watch, and before it
    bool plain_watch;
    double predicted;                // what the last sweep's change makes of the force error
    double error_over_predicted;     // when it was last measured
    int last_measure;                // the sweep of that
    int measure_sweeps, few_sweeps;  // as in solve_setting
    bool must_measure, is_measured;  // now; the impulses are those of the last measure
    rows *watched;
    scr_barrier barrier;
} sweeper;

// The part of [first, last) that this thread does.
static index_range my_share(int64_t first, int64_t last)
{
    index_range chunk = chunk_of(last - first, omp_get_thread_num(), omp_get_num_threads());
    return (index_range){first + chunk.first, first + chunk.last};
}

static void meet(sweeper *s) { scr_barrier_wait(&s->barrier, omp_get_num_threads()); }

// Whether contacts are cut into blocks (blocks.h).
static bool has_blocks(const problem *p) { return p->grains.span_count > 0 && p->grains.span[0].kind == SPAN_BLOCKS; }

typedef void (*group_work)(sweeper *s, int64_t group);
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

static void velocities_from_impulses(sweeper *s) { velocities_by(s, push_grain_group); }

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

static void kinetic_blocks(sweeper *s)
{
    problem *p = s->p;
    index_range mine = my_share(0, body_blocks(p));
    for (int64_t b = mine.first; b < mine.last; ++b) {
        int64_t first = b * SUM_BLOCK, last = min_i64(first + SUM_BLOCK, p->body_count);
        p->block_sum[b] = s->kernels->kinetic(p->record + first, last - first);
    }
    meet(s);
}

static double kinetic_energy(const problem *p)
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

static double heaviest_kinetic(const problem *p)
{
    return fmax(heavy_kinetic(p, &p->grains), heavy_kinetic(p, &p->general));
}

static sweep_sums total_sums(const sweeper *s)
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

static double error_of_gap(const sweeper *s, double gap, double kinetic)
{
    return s->doubt * stated_force_error(gap, s->whole_kinetic > 0.0 ? s->whole_kinetic : kinetic);
}

static double predicted_error(const sweeper *s, const sweep_sums *sums, double kinetic)
{
    if (sums->change == 0.0) return 0.0;
    double compliance = s->p->least_compliance + sums->elastic / sums->size;
    return error_of_gap(s, sums->change / (2.0 * compliance), kinetic);
}

static double relative_change(const sweep_sums *sums)
{
    return sums->size > 0.0 ? sqrt(sums->change / sums->size) : 0.0;
}

// N + R is at least eps times its own diagonal, so errors need not be remembered for longer than about 1/sqrt(eps)
// sweeps: more momentum than that of a problem with this strong convexity only makes them swing. Sweeps count fourfold:
// measured.
static double largest_momentum(const sweeper *s, const sweep_sums *sums)
{
    bool is_part = s->whole_kinetic > 0.0;
    double convexity = is_part ? PART_CONVEXITY : SWEEP_CONVEXITY;
    double root = sums->size > 0.0 ? sqrt(fmin(1.0, convexity * sums->elastic / sums->size)) : 0.0;
    return fmax((1.0 - root) / (1.0 + root), is_part ? 0.0 : s->rate.momentum);
}

static void grow_beta(sweeper *s, const sweep_sums *sums)
{
    double t = s->theta, next = 0.5 * (-t * t + t * sqrt(t * t + 4.0));
    s->mode.beta = (float)fmin(t * (1.0 - t) / (t * t + next), largest_momentum(s, sums));
    s->theta = next;
}

// After a sweep with s->mode.beta.
static void watch_rate(sweeper *s, const sweep_sums *sums)
{
    double beta = (double)s->mode.beta;
    if (beta < FULL_MOMENTUM * largest_momentum(s, sums)) {
        sweep_rate_leave(&s->rate);
    } else if (sweep_rate_watch(&s->rate, beta, sums->change) == RATE_RISES) {
        sweep_rate_forget(&s->rate);
        s->theta = 1.0;
    }
}

// Coulomb friction has no f: double_sweeps.c says how its momentum is kept safe. Plain sweeps need no more than under
// the convex law, but with momentum clusters of few contacts that slide, open and close again swing up, even at a beta
// of 0.6; relaxed by 0.7 they do so less, and what sticks can be relaxed by 1.2 for that. On 13 steps of a bucket and a
// cart to a force error of 1 % that takes 2.3 times the convex law's sweeps (geometric mean) where 1 for all took 3.0;
// sliding ones at 1 gain a third of that, sticking ones at 1.4 leave steps unsolved, all at 0.7 take 4.2. Tried on 8 or
// 13 of those steps with 1 for all, and lost:
// - convex sweeps with the slip in the bias (cone_slip), a problem with an f, the slip renewed when the gap of that
//   problem is a third of the whole one: 17 to 19 times the convex law's sweeps, most steps not solved in 5000; a tenth
//   of the way after each sweep: 6 times. The outer iteration is no contraction.
// - friction limits that stay for 2 sweeps or more, also a problem with an f: not solved in 5000
// - restart where the sweep goes against the momentum: that never happens, and nothing is solved. Where the change has
//   grown by 1.1 to 1.5 over the least since the last restart, or over 2 to 5 sweeps, 2 to 3 sweeps in a row or
//   smoothed: 2.7 to 3.7, each worse on some steps. Plain sweeps after a restart, or a faster return of momentum: alike
// - momentum that single contacts, or parts of 10 to 500 bodies, lose for themselves: 2.9 at best, mostly more than 3.3
// - momentum at every second sweep: 4.2; forwards and back: 7.0; a lower limit of beta: 3.8 (0.8) to 6.1 (0.6)
// - sweeping half to nine tenths of the gap, with what touches it, alone for a while: 2.6 to 4.0, at times unsolved,
//   because the error comes back at its rim
// What swings up is a few clusters of some ten bodies with sliding contacts in them, slowly, over 25 to 100 sweeps: the
// map is not symmetric, and momentum feeds errors that turn as they fall. On 16 or 32 steps, with the relaxations as
// they are, these lost, or gained on one machine what they lost on another:
// - a limit of beta whose distance to 1 grows by 1.3 to 2 where the change falls by less than 0.5 to 2 % a sweep, over
//   16 or 32 sweeps or between restarts, and else shrinks: within 10 %
// - what slides relaxed from where it was, not from the extrapolated point, always: 1.1 to 5 times the sweeps; only
//   where its sweep goes against its momentum: 1.0 to 1.7
// - the mean of the sweeps since the last restart in place of the last one: 1.3 to 1.8 times the sweeps
// - friction limits that lead or lag behind the normal impulse by half or all of its change: 1.05 to 5 times
static void accept_coulomb(sweeper *s, const sweep_sums *sums)
{
    s->least_change = fmin(s->least_change, sums->change);
    if (s->iterations % COULOMB_WATCH == 0) {
        s->plain_watch = !s->plain_watch && s->least_change >= s->least_before;
        s->least_before = fmin(s->least_before, s->least_change);
        s->least_change = INFINITY;
    }
    bool grows = sums->change > COULOMB_GROWTH * s->last_change;
    s->last_change = sums->change;
    if (!grows && !s->plain_watch) {
        grow_beta(s, sums);
        return;
    }
    s->mode.beta = 0.0f;
    s->theta = 1.0;
    s->last_change = INFINITY;
}

// One thread, after a sweep: stop, go on, or take the sweep back.
static void decide(sweeper *s)
{
    ++s->iterations;
    s->is_measured = s->must_measure = false;
    bool last = s->iterations >= s->def->max_iterations || interruption_is_overdue();
    if (s->mode.sums) {
        sweep_sums sums = total_sums(s);
        double kinetic = kinetic_energy(s->p);
        if (s->mode.coulomb) {
            if (s->mode.accelerated) accept_coulomb(s, &sums);
        } else if (s->mode.accelerated) {
            double energy = sums.energy + kinetic + joined_elastic_energy(&s->p->joined);
            double rounding = s->def->tolerance > 0.0 ? ENERGY_ROUNDING * (fabs(sums.energy) + kinetic) : 0.0;
            double creep = s->def->tolerance > 0.0 ? HEAVY_ROUNDING * heaviest_kinetic(s->p) : 0.0;
            if (energy > s->best_energy + rounding + creep && s->extrapolated) {
                sweep_rate_forget(&s->rate);
                s->mode.from_old = true;
                s->mode.beta = 0.0f;
                s->mode.relaxation = 1.0f;
                s->theta = 1.0;
                s->extrapolated = false;
                s->done = last;
                return;
            }
            s->best_energy = s->extrapolated ? fmin(s->best_energy + creep, energy) : energy;
            s->contact_energy = sums.energy;
            watch_rate(s, &sums);
            grow_beta(s, &sums);
            s->extrapolated = s->mode.beta > 0.0f;
            s->mode.relaxation = s->extrapolated ? RELAXATION : 1.0f;
        }
        s->change = relative_change(&sums);
        s->compliance = sums.size > 0.0 ? sums.elastic / sums.size : 0.0;
        s->predicted = predicted_error(s, &sums, kinetic + s->cell_energy);
        bool is_due = s->error_over_predicted * s->predicted <= s->def->tolerance ||
                      s->iterations >= s->last_measure + s->measure_sweeps;
        s->done = s->def->tolerance > 0.0 && s->change <= SINGLE_PRECISION;
        s->must_measure = s->def->tolerance > 0.0 && is_due && !s->done && !last;
    }
    if (s->watched != NULL) rows_report_single(s->watched, s->iterations, s->p);
    s->mode.from_old = false;
    s->done = s->done || last;
    s->mode.sums = s->mode.accelerated || s->def->tolerance > 0.0 || s->iterations + 1 >= s->def->max_iterations;
}

static gap_mode gap_mode_of(const sweeper *s, int64_t first_bundle)
{
    return (gap_mode){(float)s->p->least_compliance, s->mode.coulomb,
                      s->each != NULL ? s->each + LANES * first_bundle : NULL};
}

static void measure_grain_group(sweeper *s, int64_t g)
{
    const problem *p = s->p;
    const bundle_group *group = &p->grains.group[g];
    int64_t first = group->first_bundle, count = group->last_bundle - first;
    const gap_mode mode = gap_mode_of(s, first);
    p->sums[g].change =
        p->rolls ? s->kernels->rolling->grain_gap(p->grain + first, p->rolling_grain + first, count, p->record, &mode)
                 : s->kernels->grain_gap(p->grain + first, p->coheres ? p->grain_apex + first : NULL, count, p->record,
                                         &mode);
}

static void measure_general_group(sweeper *s, int64_t g)
{
    const problem *p = s->p;
    const bundle_group *group = &p->general.group[g];
    int64_t first = group->first_bundle, count = group->last_bundle - first;
    const gap_mode mode = gap_mode_of(s, p->grains.bundle_count + first);
    p->sums[p->grains.group_count + g].change =
        p->rolls ? s->kernels->rolling->general_gap(p->general_bundle + first, p->rolling_general + first, count,
                                                    p->record, &mode)
                 : s->kernels->general->gap(p->general_bundle + first, count, p->record, &mode);
}

// At the rate since the measure before, so many sweeps ago.
static bool leads_there(const sweeper *s, double error_before, int sweeps)
{
    double error = s->force_error, ratio = error / error_before;
    if (s->few_sweeps == 0 || s->iterations <= s->few_sweeps || sweeps < RATE_SWEEPS) return true;
    for (int k = s->iterations + sweeps; k <= s->def->max_iterations && error > s->def->tolerance; k += sweeps)
        error *= ratio;
    return error <= s->def->tolerance;
}

// The force error of the impulses as they are; the records must hold what they make.
static void measure(sweeper *s)
{
    for_each_span(s, &(ordered_work){&s->p->grains, s->p->grain_copies, measure_grain_group, NULL});
    if (!s->grains_only)
        for_each_span(s, &(ordered_work){&s->p->general, s->p->general_copies, measure_general_group, NULL});
    kinetic_blocks(s);
    if (omp_get_thread_num() == 0) {
        double error_before = s->force_error;
        int sweeps = s->iterations - s->last_measure;
        s->gap = total_sums(s).change;
        s->kinetic = kinetic_energy(s->p) + s->cell_energy;
        s->force_error = error_of_gap(s, s->gap, s->kinetic);
        s->is_measured = true;
        s->must_measure = false;
        s->last_measure = s->iterations;
        if (s->predicted > 0.0) s->error_over_predicted = s->force_error / s->predicted;
        s->done = s->done || s->force_error <= s->def->tolerance || !leads_there(s, error_before, sweeps);
    }
    meet(s);
}

// The last sweep was rejected: the answer is the one before it.
static void take_back(sweeper *s)
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

// Against rounding, dv is summed up from g. dv_old moves with it: what extrapolation needs is their difference, and
// that must stay what g - g_old makes.
static void refresh(sweeper *s)
{
    problem *p = s->p;
    if (s->mode.accelerated) subtract_old(p);
    velocities_from_impulses(s);
    if (!s->mode.accelerated) return;
    subtract_old(p);
    kinetic_blocks(s);
    if (omp_get_thread_num() == 0)
        s->best_energy = s->contact_energy + kinetic_energy(p) + joined_elastic_energy(&p->joined);
    meet(s);
}

static void sweep_until_done(sweeper *s)
{
    velocities_by(s, s->mode.accelerated ? begin_grain_group : push_grain_group);
    while (!s->done) {
        // read before the sweep: the first thread may decide anew as soon as it is over
        bool is_weighed =
            s->mode.sums && (!s->mode.coulomb || !s->mode.accelerated || s->iterations % COULOMB_WEIGHED == 0);
        if (s->mode.accelerated) extrapolate(s);
        unit_work begin = s->mode.accelerated && has_blocks(s->p) ? extrapolate_unit : NULL;
        for_all_contacts(s, sweep_grain_group, sweep_general_group, begin);
        step_joints(s, false);
        if (is_weighed) kinetic_blocks(s);
        if (omp_get_thread_num() == 0) decide(s);
        meet(s);
        if (s->must_measure) measure(s);
        if (s->iterations % REFRESH_SWEEPS == 0 && !s->done && !s->mode.from_old) refresh(s);
    }
    if (s->mode.from_old) {
        take_back(s);
        meet(s);
        velocities_from_impulses(s);
    }
    if (!s->is_measured) measure(s);
}

static double largest_friction(const problem *p)
{
    float mu = 0.0f;
    for (int64_t k = 0; k < LANES * p->grains.bundle_count; ++k) mu = fmaxf(mu, p->grain[k / LANES].mu[k % LANES]);
    for (int64_t k = 0; k < LANES * p->general.bundle_count; ++k)
        mu = fmaxf(mu, p->general_bundle[k / LANES].mu[k % LANES]);
    return (double)mu;
}

solve_result solve_by_sweeps(problem *p, const contact_system *system, const solve_setting *setting, rows *watched)
{
    const scr_solver_def *def = setting->def;
    bool accelerated = def->kind == SCR_SOLVER_AGS, coulomb = setting->friction == SCR_FRICTION_COULOMB;
    sweeper s = {
        .p = p,
        .kernels = setting->kernels,
        .def = def,
        .mode = {.relaxation = coulomb && accelerated ? RELAXATION : 1.0f,
                 .sliding = accelerated ? COULOMB_SLIDING : 1.0f,
                 .accelerated = accelerated,
                 .sums = accelerated || def->tolerance > 0.0 || def->max_iterations == 1,
                 .coulomb = coulomb},
        .doubt = coulomb ? coulomb_doubt(largest_friction(p)) : 1.0,
        .cell_energy = setting->cell_energy,
        .last_change = INFINITY,
        .least_change = INFINITY,
        .least_before = INFINITY,
        .theta = 1.0,
        .best_energy = INFINITY,
        .error_over_predicted = 1.0,
        .watched = watched,
        .whole_kinetic = setting->whole_kinetic,
        .each = setting->gaps,
        .measure_sweeps = setting->measure_sweeps > 0 ? setting->measure_sweeps : MEASURE_SWEEPS,
        .few_sweeps = setting->few_sweeps,
        .done = system->contact_count == 0,
    };
    if (accelerated && p->body_count > 0) memset(p->old, 0, (size_t)p->body_count * sizeof *p->old);
#pragma omp parallel num_threads(system->threads)
    sweep_until_done(&s);
    if (accelerated && p->old_is_lent) system->reclaim(system->owner);
    problem_collect(p, system);
    return (solve_result){.iterations = s.iterations,
                          .passes = s.iterations,
                          .change = s.change,
                          .force_error = s.force_error,
                          .kinetic = s.kinetic,
                          .compliance = s.compliance};
}

// The impulses in the bundles, as they are.
static sweeper measured(problem *p, const contact_system *system, const solve_setting *setting, bool grains_only)
{
    bool coulomb = setting->friction == SCR_FRICTION_COULOMB;
    sweeper s = {.p = p,
                 .kernels = setting->kernels,
                 .def = setting->def,
                 .mode = {.coulomb = coulomb},
                 .doubt = coulomb ? coulomb_doubt(largest_friction(p)) : 1.0,
                 .cell_energy = setting->cell_energy,
                 .grains_only = grains_only,
                 .each = setting->gaps};
#pragma omp parallel num_threads(system->threads)
    {
        velocities_from_impulses(&s);
        measure(&s);
    }
    return s;
}

double sweeps_force_error(problem *p, const contact_system *system, const solve_setting *setting)
{
    return measured(p, system, setting, false).force_error;
}

energy_of_error sweeps_energy_of_error(problem *p, const contact_system *system, const solve_setting *setting,
                                       bool grains_only)
{
    sweeper s = measured(p, system, setting, grains_only);
    int64_t general = LANES * p->general.bundle_count;
    double grains = 0.0;
    if (grains_only && setting->gaps != NULL && general > 0)
        memset(setting->gaps + LANES * p->grains.bundle_count, 0, (size_t)general * sizeof *setting->gaps);
    for (int64_t g = 0; g < p->grains.group_count; ++g) grains += p->sums[g].change;
    return (energy_of_error){grains, grains_only ? 0.0 : s.gap - grains, s.kinetic};
}
