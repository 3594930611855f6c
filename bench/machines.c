// SPDX-License-Identifier: BSD-3-Clause
// Machines in a few thousand grains, with and without rolling friction: contact-iterations a second of the sweeps
// alone, as in sweeps.c, sweeps to a force error of 1 %, and whole steps at default settings. Then the machines work
// under Coulomb's law, and some of their steps are solved by either law to the same force error: the same contacts, the
// same first guess.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/world/world.h"
#include "laboratory/laboratory.h"
#include "machine_scenes.h"
#include "report.h"

enum { FEW = 20, MANY = 70, WARM_STEPS = 4, TIMED_STEPS = 24, COUNTED_STEPS = 20, THREADS = 2 };
enum { COMPARED = 16, STEPS_BETWEEN = 3 };  // a single hard step would decide a mean of few
static const double FORCE_ERROR = 0.01;
static const double TARGET = 80e6;  // contact-iterations/s

typedef struct measured {
    double rate;                         // contact-iterations/s
    double sweeps;                       // to 1 %, mean
    double step;                         // s
    double law_sweeps[2], law_solve[2];  // to 1 % by each scr_friction_law, means: their number, and s
    double law_ratio[COMPARED];          // of the times, step by step
    int64_t contacts;
    int unsolved;  // of the steps at default settings
} measured;

static scr_status time_sweeps(scr_world *world, measured *m, scr_error *error)
{
    scr_solver_def kept = world->def.solver;
    double best[2] = {1e30, 1e30}, mean = 0.0;  // s, with few and with many sweeps; contacts
    scr_status status = SCR_OK;
    world->def.solver.kind = SCR_SOLVER_AGS;
    world->def.solver.tolerance = 0.0;
    for (int k = 0; k < WARM_STEPS + TIMED_STEPS && status == SCR_OK; ++k) {
        int many = k % 2;
        world->def.solver.max_iterations = many ? MANY : FEW;
        double before = scr_world_stage_seconds(world).solve;
        status = scr_world_step(world, error);
        double seconds = scr_world_stage_seconds(world).solve - before;
        mean += (double)scr_world_report(world).contact_count / (WARM_STEPS + TIMED_STEPS);
        if (k >= WARM_STEPS && seconds < best[many]) best[many] = seconds;
    }
    m->contacts = (int64_t)mean;
    m->rate = mean * (MANY - FEW) / (best[1] - best[0]);
    world->def.solver = kept;
    return status;
}

static scr_solver_def sweeps_to(double tolerance)
{
    scr_solver_def solver = scr_default_world_def().solver;
    solver.kind = SCR_SOLVER_AGS;
    solver.tolerance = tolerance;
    return solver;
}

static scr_status count_sweeps(scr_world *world, measured *m, scr_error *error)
{
    scr_solver_def kept = world->def.solver;
    scr_status status = SCR_OK;
    world->def.solver = sweeps_to(FORCE_ERROR);
    m->sweeps = 0.0;
    for (int k = 0; k < COUNTED_STEPS && status == SCR_OK; ++k) {
        status = scr_world_step(world, error);
        m->sweeps += (double)scr_world_report(world).iterations / COUNTED_STEPS;
    }
    world->def.solver = kept;
    return status;
}

// What sweeps alone take of a saved step: all of them less the first.
static scr_status time_law(laboratory *lab, scr_friction_law friction, measured *m, double *seconds, scr_error *error)
{
    trial_setting how = {.solver = sweeps_to(FORCE_ERROR), .friction = friction};
    solve_result result, first;
    double all, one;
    scr_status status = laboratory_time(lab, &how, &all, &result, error);
    how.solver.max_iterations = 1;
    if (status == SCR_OK) status = laboratory_time(lab, &how, &one, &first, error);
    m->law_sweeps[friction] += (double)result.iterations / COMPARED;
    m->law_solve[friction] += (all - one) / COMPARED;
    *seconds = all - one;
    return status;
}

static scr_status compare_step(scr_world *world, measured *m, double *ratio, scr_error *error)
{
    saved_system kept;
    double convex = 0.0, coulomb = 0.0;
    laboratory lab;
    saved_system_init(&kept);
    scr_status status = world_keep_problem(world, &kept, error);
    if (status == SCR_OK) status = scr_world_step(world, error);
    world_keep_problem(world, NULL, NULL);
    if (status == SCR_OK && (status = laboratory_open(&lab, &kept, THREADS, error)) == SCR_OK) {
        status = time_law(&lab, SCR_FRICTION_CONVEX, m, &convex, error);
        if (status == SCR_OK) status = time_law(&lab, SCR_FRICTION_COULOMB, m, &coulomb, error);
        *ratio = coulomb / convex;
        laboratory_close(&lab);
    }
    saved_system_free(&kept);
    return status;
}

static scr_status compare_laws(scr_world *world, measured *m, scr_error *error)
{
    scr_status status = SCR_OK;
    world->def.solver = sweeps_to(FORCE_ERROR);
    world->def.contact.friction = SCR_FRICTION_COULOMB;
    for (int n = 0; n < COMPARED && status == SCR_OK; ++n) {
        for (int k = 0; k < STEPS_BETWEEN && status == SCR_OK; ++k) status = scr_world_step(world, error);
        if (status == SCR_OK) status = compare_step(world, m, &m->law_ratio[n], error);
    }
    return status;
}

static scr_status time_steps(scr_world *world, measured *m, scr_error *error)
{
    scr_solver_def kept = world->def.solver;
    scr_status status = SCR_OK;
    world->def.solver = scr_default_world_def().solver;
    double before = scr_world_stage_seconds(world).total;
    for (int k = 0; k < COUNTED_STEPS && status == SCR_OK; ++k) {
        status = scr_world_step(world, error);
        m->unsolved += !scr_world_report(world).is_solved;
    }
    m->step = (scr_world_stage_seconds(world).total - before) / COUNTED_STEPS;
    world->def.solver = kept;
    return status;
}

static scr_status measure(machine which, bool rolls, measured *m, scr_error *error)
{
    scr_world_def def = scr_default_world_def();
    scr_world *world = NULL;
    *m = (measured){0};
    def.thread_count = THREADS;
    scr_status status = machine_scene(which, rolls, &def, &world, error);
    if (status == SCR_OK) status = time_sweeps(world, m, error);
    if (status == SCR_OK) status = count_sweeps(world, m, error);
    if (status == SCR_OK) status = time_steps(world, m, error);
    if (status == SCR_OK) status = compare_laws(world, m, error);
    scr_world_destroy(world);
    return status;
}

static int compare_ratios(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static void say_spread(const measured *m, bool json)
{
    double ratio[COMPARED];
    memcpy(ratio, m->law_ratio, sizeof ratio);
    qsort(ratio, COMPARED, sizeof *ratio, compare_ratios);
    bench_say(json, "    of %d steps one by one: %.2f to %.2f times, median %.2f\n", COMPARED, ratio[0],
              ratio[COMPARED - 1], 0.5 * (ratio[COMPARED / 2 - 1] + ratio[COMPARED / 2]));
}

static void print_laws(const char *name, const char *which, const measured *m, bool json)
{
    const int convex = SCR_FRICTION_CONVEX, coulomb = SCR_FRICTION_COULOMB;
    char unit[2][48];
    snprintf(unit[0], sizeof unit[0], "sweeps to 1 %%%s", which);
    snprintf(unit[1], sizeof unit[1], "ms to 1 %%%s", which);
    bench_print(&(bench_figure){name, m->law_sweeps[coulomb], unit[0], THREADS, "the convex law",
                                m->law_sweeps[coulomb] / m->law_sweeps[convex]},
                json);
    bench_print(&(bench_figure){name, 1e3 * m->law_solve[coulomb], unit[1], THREADS, "the convex law",
                                m->law_solve[coulomb] / m->law_solve[convex]},
                json);
    say_spread(m, json);
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv);
    scr_error error = {0};
    scr_status status = SCR_OK;
    bench_say(json, "Machines in a few thousand grains, with and without rolling friction; triad %.1f GB/s\n",
              1e-9 * bench_bandwidth(THREADS));
    for (int which = 0; which < MACHINES && status == SCR_OK; ++which) {
        measured plain, rolling;
        char name[64];
        if (!bench_wants(argc, argv, MACHINE_NAMES[which])) continue;
        status = measure((machine)which, false, &plain, &error);
        if (status == SCR_OK) status = measure((machine)which, true, &rolling, &error);
        if (status != SCR_OK) break;
        snprintf(name, sizeof name, "machine.%s", MACHINE_NAMES[which]);
        bench_print(
            &(bench_figure){name, rolling.rate, "contact-iterations/s", THREADS, "the target", rolling.rate / TARGET},
            json);
        bench_print(&(bench_figure){name, 1e9 / rolling.rate, "ns a contact", THREADS, "without rolling friction",
                                    plain.rate / rolling.rate},
                    json);
        bench_print(&(bench_figure){name, rolling.sweeps, "sweeps to 1 %", THREADS, "without rolling friction",
                                    rolling.sweeps / plain.sweeps},
                    json);
        bench_print(&(bench_figure){name, 1e3 * rolling.step, "ms a step", THREADS, "without rolling friction",
                                    rolling.step / plain.step},
                    json);
        bench_say(json,
                  "    %lld contacts, %d of %d steps not solved; without rolling friction %lld, %.1f ns, %.1f sweeps, "
                  "%.2f ms, %d\n",
                  (long long)rolling.contacts, rolling.unsolved, COUNTED_STEPS, (long long)plain.contacts,
                  1e9 / plain.rate, plain.sweeps, 1e3 * plain.step, plain.unsolved);
        snprintf(name, sizeof name, "machine.%s.coulomb", MACHINE_NAMES[which]);
        print_laws(name, "", &plain, json);
        print_laws(name, ", rolling", &rolling, json);
    }
    if (status != SCR_OK) fprintf(stderr, "bench: %s\n", error.message);
    return status == SCR_OK ? 0 : 1;
}
