// SPDX-License-Identifier: BSD-3-Clause
// Gauss-Seidel in double precision, plain (gs) or accelerated (ags), for tight tolerances and for Coulomb friction.
//
// Contacts are visited about in the order of their numbers, grains before other shapes, by one thread. Acceleration is
// that of sweeps.c: y = g + beta (g - g_old), bodies alike, with Nesterov's beta. What ends a run of growing beta:
//     convex friction    f(z) > f_best: the sweep is taken back, so that f never rises
//     Coulomb friction   has no f. What a sweep changes, |z - y|^2 in the norm of B, may not grow by more than GROWTH
//                        in a sweep. Restarting at any growth wastes the momentum of harmless waves, allowing much
//                        lets sliding contacts swing up: on beds at rest and in motion 1.05 and 1.1 were within 20 %
//                        of each other, 1 was up to three times slower, 2 did not end. When a whole WATCH of sweeps
//                        brings no progress, the next one is plain. (Longer plain stretches each time lose more in
//                        slow tails than they gain where nothing converges.)
// The fixed point on b_n += mu |u_t| around convex sweeps was tried: it needs 3 times as many at least.
// Stop: the sweep's relative change has fallen below the tolerance, and so has the force error of g itself.
#include <math.h>
#include <string.h>

#include "core/base/interruption.h"
#include "dynamics/cone/double/double_load.h"
#include "dynamics/cone/gradient/rows.h"

enum { REFRESH = 1024 };  // bodies are summed up anew from g every so many sweeps, against rounding
enum { WATCH = 500 };
enum { LOOK = 50 };  // at the latest after so many sweeps the force error is looked at, once the change is small
static const double GROWTH = 1.1;

typedef struct double_sweeper {
    rows *s;
    double_bundle *bundle;
    double_rolling *rolling;  // of the bundles; NULL where nothing resists it
    double_contact *general;
    double_load *load;  // in place of those, where rolling is resisted
    int32_t *lane_of;   // as double_bundling gives it
    double_sweep sweep_grains;
    int64_t bundle_count, general_count, load_count, body_count;
    body_impulse *body, *body_old;
    joined_bodies joined;
    double *g;
    double_mode mode;
    bool accelerated;
    double theta, best_energy, last_change;
    double least_change, least_before;  // in this watch, and before it
    bool plain_watch;
    double error_over_change;  // when the force error was last looked at
    int last_look;             // the sweep of that
} double_sweeper;

size_t double_sweeps_bytes(const contact_system *system)
{
    size_t bodies = 2 * scr_arena_bytes(sizeof(body_impulse), system->body_count + 1) + joined_bytes(system->joints);
    int64_t bundles = double_bundling(system, NULL);
    size_t grains =
        scr_arena_bytes(sizeof(double_bundle), bundles) + scr_arena_bytes(sizeof(int32_t), system->contact_count);
    if (system->angular_impulse == NULL)
        return bodies + grains + scr_arena_bytes(sizeof(double_contact), system->general_count);
    return bodies + grains + scr_arena_bytes(sizeof(double_rolling), bundles) +
           scr_arena_bytes(sizeof(double_load), system->general_count);
}

static void take_memory(double_sweeper *f)
{
    rows *s = f->s;
    f->body_count = s->system->body_count + 1;  // the last one is what cannot be moved
    f->lane_of = scr_arena_array(&s->arena, sizeof *f->lane_of, s->n);
    f->bundle_count = double_bundling(s->system, f->lane_of);
    f->bundle = scr_arena_array(&s->arena, sizeof *f->bundle, f->bundle_count);
    if (s->entries > s->n) {
        f->rolling = scr_arena_array(&s->arena, sizeof *f->rolling, f->bundle_count);
        f->load = scr_arena_array(&s->arena, sizeof *f->load, s->system->general_count);
    } else {
        f->general = scr_arena_array(&s->arena, sizeof *f->general, s->system->general_count);
    }
    f->body = scr_arena_array(&s->arena, sizeof *f->body, f->body_count);
    f->body_old = scr_arena_array(&s->arena, sizeof *f->body_old, f->body_count);
    f->joined = joined_of(s->system->joints, &s->arena);
    f->g = rows_vector(s);
}

static void lay_out_grain(double_sweeper *f, int64_t i, int32_t still, contact_load load)
{
    const rows *s = f->s;
    int64_t bundle = f->lane_of[i] / DOUBLE_LANES;
    int lane = f->lane_of[i] % DOUBLE_LANES;
    double_bundle_set(&f->bundle[bundle], lane, &s->row[i], still, (int32_t)i, load.g);
    if (f->rolling != NULL)
        double_rolling_set(&f->rolling[bundle], &f->bundle[bundle], lane, &s->row[i], s->mass, load.q);
}

static void lay_out_general(double_sweeper *f, int64_t i, int32_t still, contact_load load)
{
    const rows *s = f->s;
    mat3 block = contact_row_block(s->system, &s->row[i]);
    if (f->rolling != NULL) f->load[f->load_count++] = double_load_of(&s->row[i], s->mass, &block, still, i, load);
    else f->general[f->general_count++] = double_contact_of(&s->row[i], s->mass, &block, still, i, load.g);
}

static void lay_out(double_sweeper *f)
{
    rows *s = f->s;
    int32_t still = (int32_t)s->system->body_count;
    rows_first_guess(s, f->g);
    for (int64_t k = 0; k < f->bundle_count; ++k) double_bundle_clear(&f->bundle[k], still);
    for (int64_t k = 0; k < f->bundle_count && f->rolling != NULL; ++k) double_rolling_clear(&f->rolling[k]);
    for (int64_t i = 0; i < s->n; ++i) {
        const double *g = f->g + 3 * i, *q = f->g + 3 * (s->n + i);
        contact_load load = {.g = vec3(g[0], g[1], g[2])};
        if (f->rolling != NULL) load.q = vec3(q[0], q[1], q[2]);
        if (s->row[i].centre_line) lay_out_grain(f, i, still, load);
        else lay_out_general(f, i, still, load);
    }
}

static void gather(const double_sweeper *f)
{
    for (int64_t k = 0; k < f->bundle_count; ++k) {
        for (int lane = 0; lane < DOUBLE_LANES; ++lane) {
            int64_t i = f->bundle[k].contact[lane];
            for (int axis = 0; axis < 3 && i >= 0; ++axis) f->g[3 * i + axis] = f->bundle[k].g[axis][lane];
            for (int axis = 0; axis < 3 && i >= 0 && f->rolling != NULL; ++axis)
                f->g[3 * (f->s->n + i) + axis] = f->rolling[k].q[axis][lane];
        }
    }
    for (int64_t k = 0; k < f->general_count; ++k)
        memcpy(f->g + 3 * f->general[k].contact, &f->general[k].g, sizeof f->general[k].g);
    for (int64_t k = 0; k < f->load_count; ++k) {
        const double_load *c = &f->load[k];
        memcpy(f->g + 3 * c->contact, &c->load.g, sizeof c->load.g);
        memcpy(f->g + 3 * (f->s->n + c->contact), &c->load.q, sizeof c->load.q);
    }
}

static void clear_bodies(double_sweeper *f, body_impulse *body)
{
    memset(body, 0, (size_t)f->body_count * sizeof *body);
    for (int64_t k = 0; k < f->body_count - 1; ++k) {
        body[k].inv_mass = f->s->mass[k].inv_mass;
        body[k].inv_inertia = f->s->mass[k].is_grain ? f->s->mass[k].inv_inertia.m[0][0] : 0.0;
    }
}

// The bodies of a mechanism receive from its joints what makes them move as those allow.
static void step_mechanism(joined_mechanism *mechanism, body_impulse *body, bool begins)
{
    const joint_mechanism *joints = mechanism->joints;
    for (int32_t i = 0; i < joints->equations.body_count; ++i) {
        memcpy(mechanism->body + 6 * i, body[joints->body[i]].linear, sizeof body->linear);
        memcpy(mechanism->body + 6 * i + 3, body[joints->body[i]].angular, sizeof body->angular);
    }
    if (begins) joined_begin(mechanism);
    else joined_step(mechanism);
    for (int32_t i = 0; i < joints->equations.body_count; ++i) {
        const body_inertia *mass = &joints->equations.body[i];
        const double *v = mechanism->body + 6 * i;
        scr_vec3 angular = mat3_times(&mass->inertia, vec3(v[3], v[4], v[5]));
        body_impulse *to = &body[joints->body[i]];
        for (int axis = 0; axis < 3; ++axis) to->linear[axis] = mass->mass * v[axis];
        to->angular[0] = angular.x, to->angular[1] = angular.y, to->angular[2] = angular.z;
    }
}

static void step_joints(double_sweeper *f)
{
    for (int64_t k = 0; k < f->joined.mechanism_count; ++k) step_mechanism(&f->joined.mechanism[k], f->body, false);
}

static void begin_joints(double_sweeper *f)
{
    for (int64_t k = 0; k < f->joined.mechanism_count; ++k) {
        joined_mechanism *mechanism = &f->joined.mechanism[k];
        step_mechanism(mechanism, f->body_old, true);
        memcpy(mechanism->old, mechanism->impulse,
               (size_t)mechanism->joints->equations.row_count * sizeof *mechanism->old);
        step_mechanism(mechanism, f->body, true);
    }
}

// What bodies receive from g, and from old.
static void refresh(double_sweeper *f)
{
    clear_bodies(f, f->body);
    clear_bodies(f, f->body_old);
    for (int64_t k = 0; k < f->bundle_count; ++k) {
        for (int lane = 0; lane < DOUBLE_LANES; ++lane) {
            double_lane_push(&f->bundle[k], lane, f->bundle[k].g, f->body);
            double_lane_push(&f->bundle[k], lane, f->bundle[k].old, f->body_old);
            if (f->rolling == NULL) continue;
            double_lane_twist(&f->bundle[k], &f->rolling[k], lane, f->rolling[k].q, f->body);
            double_lane_twist(&f->bundle[k], &f->rolling[k], lane, f->rolling[k].old, f->body_old);
        }
    }
    for (int64_t k = 0; k < f->general_count; ++k) {
        double_contact_push(&f->general[k], f->general[k].g, f->body);
        double_contact_push(&f->general[k], f->general[k].old, f->body_old);
    }
    for (int64_t k = 0; k < f->load_count; ++k) {
        double_load_push(&f->load[k], f->load[k].load, f->body);
        double_load_push(&f->load[k], f->load[k].old, f->body_old);
    }
    begin_joints(f);
}

static void extrapolate(double_sweeper *f)
{
    double beta = f->mode.beta;
    for (int64_t k = 0; k < f->body_count; ++k) {
        body_impulse now = f->body[k], *old = &f->body_old[k], *body = &f->body[k];
        for (int axis = 0; axis < 3; ++axis) {
            body->linear[axis] = now.linear[axis] + beta * (now.linear[axis] - old->linear[axis]);
            body->angular[axis] = now.angular[axis] + beta * (now.angular[axis] - old->angular[axis]);
        }
        *old = now;
    }
    for (int64_t k = 0; k < f->joined.mechanism_count; ++k) joined_extrapolate(&f->joined.mechanism[k], beta, false);
}

static double kinetic(const double_sweeper *f)
{
    double sum = 0.0;
    for (int64_t k = 0; k < f->body_count - 1; ++k) {
        const system_body *mass = &f->s->mass[k];
        scr_vec3 p = body_linear_impulse(&f->body[k]), t = body_angular_impulse(&f->body[k]);
        sum += mass->inv_mass * vec3_dot(p, p) + vec3_dot(t, mat3_times(&mass->inv_inertia, t));
    }
    return 0.5 * sum;
}

static void take_back(double_sweeper *f)
{
    for (int64_t k = 0; k < f->bundle_count; ++k) memcpy(f->bundle[k].g, f->bundle[k].old, sizeof f->bundle[k].g);
    for (int64_t k = 0; k < f->bundle_count && f->rolling != NULL; ++k)
        memcpy(f->rolling[k].q, f->rolling[k].old, sizeof f->rolling[k].q);
    for (int64_t k = 0; k < f->general_count; ++k) f->general[k].g = f->general[k].old;
    for (int64_t k = 0; k < f->load_count; ++k) f->load[k].load = f->load[k].old;
    memcpy(f->body, f->body_old, (size_t)f->body_count * sizeof *f->body);
    for (int64_t k = 0; k < f->joined.mechanism_count; ++k) joined_extrapolate(&f->joined.mechanism[k], 0.0, true);
}

static void restart(double_sweeper *f)
{
    f->mode.beta = 0.0;
    f->theta = 1.0;
    f->last_change = INFINITY;
}

static void grow_beta(double_sweeper *f)
{
    double t = f->theta, next = 0.5 * (-t * t + t * sqrt(t * t + 4.0));
    f->mode.beta = t * (1.0 - t) / (t * t + next);
    f->theta = next;
}

// False: the sweep was taken back.
static bool accept_convex(double_sweeper *f, const double_sums *sums)
{
    double energy = sums->energy + kinetic(f) + joined_elastic_energy(&f->joined);
    if (energy > f->best_energy && f->mode.beta > 0.0) {
        take_back(f);
        restart(f);
        return false;
    }
    f->best_energy = energy;
    grow_beta(f);
    return true;
}

static void accept_coulomb(double_sweeper *f, const double_sums *sums, int sweeps)
{
    f->least_change = fmin(f->least_change, sums->change);
    if (sweeps % WATCH == 0) {
        f->plain_watch = !f->plain_watch && f->least_change >= f->least_before;
        f->least_before = fmin(f->least_before, f->least_change);
        f->least_change = INFINITY;
    }
    bool grows = sums->change > GROWTH * f->last_change;
    f->last_change = sums->change;
    if (grows || f->plain_watch) restart(f);
    else grow_beta(f);
}

// The force error costs a pass: it is looked at when, by the last look, it should be small enough.
static bool is_solved(double_sweeper *f, const double_sums *sums, int sweeps, double *change)
{
    double tolerance = f->s->setting->def->tolerance;
    *change = sums->size > 0.0 ? sqrt(sums->change / sums->size) : sums->change > 0.0 ? INFINITY : 0.0;
    if (*change == 0.0) return true;
    if (*change > tolerance) return false;
    if (f->error_over_change * *change > tolerance && sweeps < f->last_look + LOOK) return false;
    gather(f);
    ++f->s->passes;
    double error = rows_measure(f->s, f->g).force_error;
    f->error_over_change = error / *change;
    f->last_look = sweeps;
    return error <= tolerance;
}

static void watch(double_sweeper *f, int sweeps)
{
    if (f->s->setting->watch == NULL || sweeps < f->s->next_report) return;
    gather(f);
    rows_report(f->s, sweeps, f->g);
}

rows_solution solve_by_double_sweeps(rows *s)
{
    const scr_solver_def *def = s->setting->def;
    double_sweeper f = {
        .s = s,
        .sweep_grains = *KERNEL_FOR(s->setting->instruction_set == SCR_BEST, double_sweep_of),
        .accelerated = def->kind == SCR_SOLVER_AGS,
        .mode = {.omega = 1.0, .coulomb = s->setting->friction == SCR_FRICTION_COULOMB},
        .theta = 1.0,
        .best_energy = INFINITY,
        .last_change = INFINITY,
        .least_change = INFINITY,
        .least_before = INFINITY,
        .error_over_change = 1.0,
    };
    if (!f.accelerated && def->omega > 0.0) f.mode.omega = def->omega;
    take_memory(&f);
    lay_out(&f);
    refresh(&f);
    int sweeps = 0;
    double change = 0.0;
    while (sweeps < def->max_iterations && !interruption_is_overdue()) {
        double_sums sums = {0};
        if (f.accelerated) extrapolate(&f);
        f.sweep_grains(f.bundle, f.rolling, f.bundle_count, f.body, &f.mode, &sums);
        double_contacts_sweep(f.general, f.general_count, f.body, &f.mode, &sums);
        double_loads_sweep(f.load, f.load_count, f.body, &f.mode, &sums);
        step_joints(&f);
        ++sweeps;
        ++s->passes;
        if (f.accelerated && f.mode.coulomb) accept_coulomb(&f, &sums, sweeps);
        else if (f.accelerated && !accept_convex(&f, &sums)) continue;
        watch(&f, sweeps);
        if (is_solved(&f, &sums, sweeps, &change)) break;
        if (sweeps % REFRESH == 0) refresh(&f);
    }
    gather(&f);
    return (rows_solution){.g = f.g, .iterations = sweeps, .change = change};
}
