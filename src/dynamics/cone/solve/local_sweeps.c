// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/solve/local_sweeps.h"

#include <math.h>
#include <string.h>

#include "core/base/interruption.h"
#include "dynamics/cone/solve/region_problem.h"
#include "dynamics/cone/solve/sweeps.h"
#include "dynamics/cone/system/force_error.h"

enum {
    FEW_SWEEPS = 3,  // of all contacts, before it is known where the gap is
    // Of a region, at most. With 150 those of a crawler as it digs in ended at up to four times the error that they
    // were asked for, and sweeps of all went on, each as long as seven of a region: 36 of them now, and 49 then; 400
    // save no more.
    LOCAL_SWEEPS = 250,
    MANY_SWEEPS = 50,     // of all contacts, where regions bring little
    MEASURE_SWEEPS = 12,  // what a sweep changes foretells the error badly after a region: it may be half of that
    ROUNDS_MAX = 8,
    LARGEST_PART = 3,  // a region has less than a third of all bodies,
    SEED_PART = 100,   // and begins with a hundredth of all contacts or less
    LAYERS_MAX = 5,
    EXPONENT_BITS = 8,  // of a float
    MANTISSA_BITS = 23,
};
// Of the gap that is allowed: what may be left outside.
static const double LEFT_OUTSIDE = 0.3;
static const double ASK_MORE = 0.8;  // of a region, than of the whole: bodies at its border do not know yet
static const double GAIN = 0.5;      // of the error, what is left after a region: with more, sweeps of all do better

struct local_memory {
    region_problem part;
    float *gap;  // (LANES a bundle of the whole) J
    int64_t gap_capacity;
};

void local_memory_destroy(local_memory *memory)
{
    if (memory == NULL) return;
    region_problem_free(&memory->part);
    scr_free(memory->gap);
    scr_free(memory);
}

scr_status local_memory_open(local_memory **memory, const problem *p, float **gaps, scr_error *error)
{
    int64_t count = LANES * (p->grains.bundle_count + p->general.bundle_count);
    scr_status status = *memory != NULL ? SCR_OK : scr_make_zeros(memory, 1, sizeof **memory, "sweeps", error);
    if (status == SCR_OK)
        status = scr_grow_anew(&(*memory)->gap, &(*memory)->gap_capacity, count, sizeof *(*memory)->gap,
                               "the gaps of contacts", error);
    if (status != SCR_OK) return status;
    (*memory)->part.knows_lanes = false;
    *gaps = (*memory)->gap;
    return SCR_OK;
}

// ---- where the gap is ----

// Which power of two a gap is: of what is not negative the bits that say it ascend with it.
static uint32_t size_of_gap(float gap)
{
    uint32_t bits;
    memcpy(&bits, &gap, sizeof bits);
    return bits >> MANTISSA_BITS & ((1u << EXPONENT_BITS) - 1);
}

typedef void (*gap_visitor)(void *context, int32_t contact, float gap);

static void visit_gaps(const contact_order *order, const float *gap, gap_visitor visit, void *context)
{
    for (int64_t i = 0; i < order->group_count; ++i) {
        const bundle_group *g = &order->group[i];
        for (int64_t k = g->first_contact, at = g->first_bundle * LANES; k < g->last_contact; ++k, ++at)
            visit(context, order->contact[k], gap[at]);
    }
}

static void visit_all_gaps(const problem *p, const float *gap, gap_visitor visit, void *context)
{
    visit_gaps(&p->grains, gap, visit, context);
    visit_gaps(&p->general, gap + LANES * p->grains.bundle_count, visit, context);
}

typedef struct sizes_of_gaps {
    double sum[1 << EXPONENT_BITS];
    int64_t count[1 << EXPONENT_BITS];
} sizes_of_gaps;

static void add_to_size(void *context, int32_t contact, float gap)
{
    (void)contact;
    sizes_of_gaps *sizes = context;
    uint32_t size = size_of_gap(gap);
    sizes->sum[size] += (double)gap;
    ++sizes->count[size];
}

// The least size of gaps that are taken: all that are smaller make no more than `allowed` together, or those that are
// not are enough to begin with.
static uint32_t least_size(const problem *p, const contact_system *system, const float *gap, double allowed)
{
    sizes_of_gaps sizes = {0};
    double left = 0.0;
    uint32_t size = 0;
    int64_t taken = system->contact_count;
    visit_all_gaps(p, gap, add_to_size, &sizes);
    while (size < (1 << EXPONENT_BITS) - 1 &&
           (left + sizes.sum[size] <= allowed || SEED_PART * (taken - sizes.count[size]) > system->contact_count)) {
        left += sizes.sum[size];
        taken -= sizes.count[size++];
    }
    return size;
}

typedef struct chosen_gaps {
    system_region *region;
    uint32_t least;
} chosen_gaps;

static void put_bodies(void *context, int32_t contact, float gap)
{
    const chosen_gaps *chosen = context;
    if (size_of_gap(gap) < chosen->least) return;
    region_put(chosen->region, chosen->region->ends[contact].a, 0);
    region_put(chosen->region, chosen->region->ends[contact].b, 0);
}

static bool is_in(const system_region *region, int32_t body) { return region_layer(region, body) != LAYER_NONE; }

// Whether some body of a mechanism, or of a contact off the centre line, is inside.
static bool touches_machine(const system_region *region, const contact_system *system)
{
    const joint_system *joints = system->joints;
    for (int64_t k = 0; joints != NULL && k < joints->mechanism_count; ++k)
        for (int32_t i = 0; i < joints->mechanism[k].equations.body_count; ++i)
            if (is_in(region, joints->mechanism[k].body[i])) return true;
    for (int64_t i = 0; i < system->contact_count; ++i)
        if (!region->ends[i].centre_line && (is_in(region, region->ends[i].a) || is_in(region, region->ends[i].b)))
            return true;
    return false;
}

// All machines, and all that they touch.
static void put_machines(system_region *region, const contact_system *system)
{
    const joint_system *joints = system->joints;
    for (int64_t k = 0; joints != NULL && k < joints->mechanism_count; ++k)
        for (int32_t i = 0; i < joints->mechanism[k].equations.body_count; ++i)
            region_put(region, joints->mechanism[k].body[i], 0);
    for (int64_t i = 0; i < system->contact_count; ++i) {
        if (region->ends[i].centre_line) continue;
        region_put(region, region->ends[i].a, 0);
        region_put(region, region->ends[i].b, 0);
    }
}

// What a contact's impulse changes elsewhere fades over as many contacts as its compliance goes into its diagonal,
// squared: a softer bed has smaller regions.
static int32_t layers_of(double compliance)
{
    return (int32_t)fmin(1.0 + 1.0 / sqrt(fmax(compliance, 1e-12)), LAYERS_MAX);
}

static scr_status find_region(local_memory *memory, const problem *p, const contact_system *system, double allowed,
                              int32_t layers, bool *is_small, scr_error *error)
{
    system_region *region = &memory->part.region;
    scr_status status = region_begin(region, system, error);
    if (status != SCR_OK) return status;
    chosen_gaps chosen = {region, least_size(p, system, memory->gap, allowed)};
    const region_reach reach = {layers, (int32_t)(system->body_count / LARGEST_PART)};
    visit_all_gaps(p, memory->gap, put_bodies, &chosen);
    region_grow(region, system, reach);
    // A heavy body that some of its loads hold as they are would go where the others push it.
    if (region->bodies < reach.bodies && touches_machine(region, system)) {
        put_machines(region, system);
        region_grow(region, system, reach);
    }
    *is_small = region->bodies < reach.bodies;
    if (!*is_small) return SCR_OK;
    return region_close(region, system, error);
}

// ---- sweeps ----

typedef struct uneven_sweeps {
    problem *p;
    const contact_system *system;
    const solve_setting *setting;  // that leaves the gaps of contacts in local_memory
    solve_result *result;          // so far
    scr_error *error;
} uneven_sweeps;

static void sweep_all(uneven_sweeps *u, int sweeps, double tolerance)
{
    solve_result swept = sweep_at_most(u->p, u->system, u->setting, sweeps, tolerance);
    swept.iterations += u->result->iterations, swept.passes += u->result->passes;
    *u->result = swept;
}

// The system's impulses, after those of a region have changed.
static void measure_all(uneven_sweeps *u)
{
    problem_distribute(u->p, u->system);
    energy_of_error e = sweeps_energy_of_error(u->p, u->system, u->setting, false);
    u->result->kinetic = e.kinetic;
    u->result->force_error = stated_force_error(e.grains + e.general, e.kinetic);
}

// False in *is_done: a region would be too large a part of the system. A sweep of it counts as that part of one.
static scr_status sweep_region(uneven_sweeps *u, double tolerance, bool *is_done)
{
    local_memory *memory = u->setting->memory->local;
    contact_system whole = *u->system;
    // gap = 8 e^2 kinetic: stated_force_error the other way round
    double allowed = LEFT_OUTSIDE * 8.0 * tolerance * tolerance * u->result->kinetic;
    bool is_small = false;
    *is_done = false;
    scr_status status =
        find_region(memory, u->p, u->system, allowed, layers_of(u->result->compliance), &is_small, u->error);
    int64_t count = memory->part.region.count;
    if (status != SCR_OK || !is_small || count == 0) return status;
    whole.precise = NULL;  // there is none
    status = region_problem_open(&memory->part, u->p, &whole, u->error);
    const contact_system *own = &memory->part.sub.system;
    if (status != SCR_OK) return status;
    solve_setting part = *u->setting;
    part.whole_kinetic = u->result->kinetic;
    part.gaps = NULL;
    solve_result swept = sweep_at_most(&memory->part.problem, own, &part, LOCAL_SWEEPS, ASK_MORE * tolerance);
    subsystem_answer(&memory->part.sub);
    int passes = (int)(((int64_t)swept.iterations * count + whole.contact_count - 1) / whole.contact_count);
    u->result->iterations += passes, u->result->passes += passes;
    *is_done = true;
    return SCR_OK;
}

solve_result sweep_at_most(problem *p, const contact_system *system, const solve_setting *setting, int sweeps,
                           double tolerance)
{
    scr_solver_def def = *setting->def;
    solve_setting few = *setting;
    few.def = &def;
    few.watch = NULL;
    few.measure_sweeps = MEASURE_SWEEPS;
    def.tolerance = tolerance;
    if (def.max_iterations > sweeps) def.max_iterations = sweeps;
    return solve_by_sweeps(p, system, &few, NULL);
}

scr_status sweep_unevenly(problem *p, const contact_system *system, const solve_setting *setting, double tolerance,
                          bool is_measured, solve_result *result, scr_error *error)
{
    local_memory *memory = setting->memory->local;
    solve_setting with_gaps = *setting;
    uneven_sweeps u = {p, system, &with_gaps, result, error};
    with_gaps.gaps = memory->gap;
    if (!is_measured) sweep_all(&u, FEW_SWEEPS, tolerance);
    scr_status status = SCR_OK;
    for (int round = 0; round < ROUNDS_MAX && result->force_error > tolerance && !interruption_is_overdue(); ++round) {
        double before = result->force_error;
        bool is_done = false;
        status = sweep_region(&u, tolerance, &is_done);
        if (status != SCR_OK) break;
        if (is_done) measure_all(&u);
        if (result->force_error <= tolerance || (is_done && result->force_error <= GAIN * before)) continue;
        before = result->force_error;
        sweep_all(&u, MANY_SWEEPS, tolerance);
        if (result->force_error > GAIN * before) break;
    }
    return status;
}
