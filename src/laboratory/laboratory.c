// SPDX-License-Identifier: BSD-3-Clause
// A laboratory for solvers.
#include "laboratory/laboratory.h"

#include <math.h>
#include <string.h>

#include "core/base/stopwatch.h"
#include "laboratory/impulse_motion.h"

static const double REFERENCE_TOLERANCE = 1e-11;  // relative change of the impulses in a sweep, in double precision
static const double REPEAT_SECONDS = 0.3;
enum { REPEATS_MAX = 5 };
// Sweeps; what a step of Newton's method costs at least. Under Coulomb's law its rounds may lead nowhere.
enum { NEWTON_STEP = 25 };

scr_status laboratory_open(laboratory *lab, const saved_system *system, int threads, scr_error *error)
{
    int64_t contacts = system->contacts.count, bodies = system->bodies.count;
    *lab = (laboratory){.system = system, .threads = threads, .instruction_set = SCR_BEST};
    scr_status status = scr_make_zeros(&lab->impulse, 3 * contacts, sizeof *lab->impulse, "the laboratory", error);
    if (status == SCR_OK)
        status =
            scr_make_zeros(&lab->angular_impulse, 3 * contacts, sizeof *lab->angular_impulse, "the laboratory", error);
    if (status == SCR_OK)
        status = scr_make_zeros(&lab->precise, 6 * contacts, sizeof *lab->precise, "the laboratory", error);
    if (status == SCR_OK) status = scr_make_zeros(&lab->load, 6 * contacts, sizeof *lab->load, "the laboratory", error);
    if (status == SCR_OK)
        status = scr_make_zeros(&lab->inertia, 9 * bodies, sizeof *lab->inertia, "the laboratory", error);
    if (status == SCR_OK)
        status = scr_make_zeros(&lab->reference, 6 * bodies, sizeof *lab->reference, "the laboratory", error);
    if (status == SCR_OK)
        status = scr_make_zeros(&lab->motion, 6 * bodies, sizeof *lab->motion, "the laboratory", error);
    if (status == SCR_OK) status = saved_joints_make(&lab->joints, system, error);
    if (status == SCR_OK) inertias_of(system, lab->inertia);
    else laboratory_close(lab);
    return status;
}

void laboratory_close(laboratory *lab)
{
    problem_free(&lab->problem);
    saved_joints_free(&lab->joints);
    scr_arena_free(&lab->scratch);
    void *arrays[] = {lab->impulse, lab->angular_impulse, lab->precise, lab->load,
                      lab->inertia, lab->reference,       lab->motion};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) scr_free(arrays[k]);
    *lab = (laboratory){0};
}

void laboratory_set_reference(laboratory *lab, const double *answer)
{
    impulse_motion(lab->system, answer, lab->reference);
    saved_joints_hold(&lab->joints, lab->reference);
    lab->reference_norm = motion_norm(lab->system, lab->inertia, lab->reference);
}

static double velocity_error(laboratory *lab, const double *g)
{
    impulse_motion(lab->system, g, lab->motion);
    saved_joints_hold(&lab->joints, lab->motion);
    for (int64_t k = 0; k < 6 * lab->system->bodies.count; ++k) lab->motion[k] -= lab->reference[k];
    double distance = motion_norm(lab->system, lab->inertia, lab->motion);
    return lab->reference_norm > 0.0 ? distance / lab->reference_norm : distance;
}

// The answer of a solver as loads.
static void collect_answer(laboratory *lab, bool is_precise)
{
    int64_t n = lab->system->contacts.count;
    bool rolls = saved_system_rolls(lab->system);
    for (int64_t i = 0; i < n; ++i) {
        for (int k = 0; k < 3; ++k) {
            lab->load[6 * i + k] = is_precise ? lab->precise[3 * i + k] : (double)lab->impulse[3 * i + k];
            if (rolls)
                lab->load[6 * i + 3 + k] =
                    is_precise ? lab->precise[3 * (n + i) + k] : (double)lab->angular_impulse[3 * i + k];
        }
    }
}

static void begin_from_guess(laboratory *lab, bool cold)
{
    for (int64_t i = 0; i < lab->system->contacts.count; ++i) {
        for (int k = 0; k < 3; ++k) {
            lab->impulse[3 * i + k] = cold ? 0.0f : lab->system->guess[6 * i + k];
            lab->angular_impulse[3 * i + k] = cold ? 0.0f : lab->system->guess[6 * i + 3 + k];
        }
    }
}

// A solve from the beginning. The answer is left in lab->load.
static scr_status solve_once(laboratory *lab, const trial_setting *how, const solve_watch *watch, double *seconds,
                             solve_result *result, scr_error *error)
{
    const saved_system *s = lab->system;
    contact_system system = saved_system_view(s, lab->impulse, lab->angular_impulse, lab->threads);
    system.precise = lab->precise;
    system.joints = saved_joints_view(&lab->joints);
    begin_from_guess(lab, how->cold);
    const solve_setting setting = {.def = &how->solver,
                                   .friction = how->friction,
                                   .kernels = sweep_kernels_for(lab->instruction_set),
                                   .instruction_set = lab->instruction_set,
                                   .watch = watch};
    double mark = scr_now(), building = 0.0;
    *seconds = 0.0;
    scr_status status = problem_build(&lab->problem, &system, error);
    scr_lap(&mark, &building);
    if (status == SCR_OK) status = solve_system(&lab->problem, &system, &setting, &lab->scratch, result, error);
    scr_lap(&mark, seconds);
    if (result->precise == NULL) *seconds += building;
    collect_answer(lab, result->precise != NULL);
    return status;
}

// Again and again while that is quick, because the first solve of a process, and any that is disturbed, takes longer.
scr_status laboratory_time(laboratory *lab, const trial_setting *setting, double *seconds, solve_result *result,
                           scr_error *error)
{
    double once, total = 0.0;
    scr_status status = SCR_OK;
    *seconds = INFINITY;
    for (int k = 0; status == SCR_OK && k < REPEATS_MAX && total < REPEAT_SECONDS; ++k) {
        status = solve_once(lab, setting, NULL, &once, result, error);
        total += once;
        *seconds = fmin(*seconds, once);
    }
    return status;
}

static void see_nothing(void *context, const solve_progress *progress) { (void)context, (void)progress; }

static scr_status solve_well(laboratory *lab, scr_solver_kind kind, scr_friction_law friction, int iterations,
                             solve_result *result, scr_error *error)
{
    const trial_setting setting = {
        .solver = {.kind = kind,
                   .max_iterations = kind == SCR_SOLVER_NEWTON ? iterations / NEWTON_STEP : iterations,
                   .tolerance = REFERENCE_TOLERANCE,
                   .precision = SCR_PRECISION_DOUBLE},
        .friction = friction,
    };
    const solve_watch watch = {see_nothing, NULL};  // or what it reached is not measured
    double seconds;
    return solve_once(lab, &setting, &watch, &seconds, result, error);
}

// Newton's method has no proof for Coulomb friction: it solves stacks that sweeps do not, and sweeps piles that it does
// not.
scr_status laboratory_find_reference(laboratory *lab, scr_friction_law friction, int iterations, double *answer,
                                     solve_result *result, scr_error *error)
{
    size_t bytes = 6 * (size_t)lab->system->contacts.count * sizeof *answer;
    scr_status status = solve_well(lab, SCR_SOLVER_NEWTON, friction, iterations, result, error);
    if (status != SCR_OK || bytes == 0) return status;
    memcpy(answer, lab->load, bytes);
    if (friction == SCR_FRICTION_CONVEX || result->force_error <= REFERENCE_TOLERANCE) return SCR_OK;
    solve_result swept;
    status = solve_well(lab, SCR_SOLVER_AGS, friction, iterations, &swept, error);
    if (status != SCR_OK || swept.force_error >= result->force_error) return status;
    memcpy(answer, lab->load, bytes);
    *result = swept;
    return SCR_OK;
}

// ---- histories -----------------------------------------------------------------------------------------------------

typedef struct recorder {
    laboratory *lab;
    trial *t;
    scr_status status;  // of the last attempt to add a point
    scr_error *error;
} recorder;

static void add_point(recorder *r, trial_point point)
{
    if (r->status == SCR_OK)
        r->status = scr_grow(&r->t->point, &r->t->capacity, r->t->count + 1, sizeof *r->t->point, "a solver's history",
                             r->error);
    if (r->status == SCR_OK) r->t->point[r->t->count++] = point;
}

// What is watched are impulses, and after them moments over their arms.
static void take_progress(laboratory *lab, const double *g)
{
    const saved_system *s = lab->system;
    int64_t n = s->contacts.count;
    bool rolls = saved_system_rolls(s);
    for (int64_t i = 0; i < n; ++i) {
        for (int k = 0; k < 3; ++k) {
            lab->load[6 * i + k] = g[3 * i + k];
            if (rolls) lab->load[6 * i + 3 + k] = s->arm[i] * g[3 * (n + i) + k];
        }
    }
}

static void see(void *context, const solve_progress *progress)
{
    recorder *r = context;
    take_progress(r->lab, progress->impulse);
    add_point(r, (trial_point){
                     .iterations = progress->iterations,
                     .passes = progress->passes,
                     .residual = progress->accuracy.residual,
                     .published_residual = progress->accuracy.published_residual,
                     .force_error = progress->accuracy.force_error,
                     .velocity_error = velocity_error(r->lab, r->lab->load),
                 });
}

static trial_point last_point(laboratory *lab, const solve_result *result)
{
    return (trial_point){result->iterations,
                         result->passes,
                         0.0,
                         result->accuracy.residual,
                         result->accuracy.published_residual,
                         result->accuracy.force_error,
                         velocity_error(lab, lab->load)};
}

scr_status laboratory_watch(laboratory *lab, const trial_setting *setting, trial *t, scr_error *error)
{
    recorder r = {.lab = lab, .t = t, .status = SCR_OK, .error = error};
    const solve_watch watch = {see, &r};
    double seconds;
    solve_result result;
    t->count = 0;
    scr_status status = solve_once(lab, setting, &watch, &seconds, &result, error);
    if (status != SCR_OK) return status;
    if (t->count > 0 && t->point[t->count - 1].iterations == result.iterations) --t->count;
    add_point(&r, last_point(lab, &result));
    return r.status;
}

scr_status laboratory_try(laboratory *lab, const trial_setting *setting, trial *t, scr_error *error)
{
    double seconds;
    solve_result result;
    scr_status status = laboratory_time(lab, setting, &seconds, &result, error);
    if (status == SCR_OK) status = laboratory_watch(lab, setting, t, error);
    for (int64_t k = 0; status == SCR_OK && k < t->count; ++k)
        t->point[k].seconds =
            result.passes > 0 ? seconds * (double)t->point[k].passes / (double)result.passes : seconds;
    return status;
}

void trial_free(trial *t)
{
    scr_free(t->point);
    *t = (trial){0};
}

const trial_point *trial_reaches(const trial *t, double share)
{
    int64_t k = t->count;
    while (k > 0 && t->point[k - 1].velocity_error <= share) --k;
    return k < t->count ? &t->point[k] : NULL;
}
