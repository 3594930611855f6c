// SPDX-License-Identifier: BSD-3-Clause
// Machines in a few thousand grains, with and without rolling friction: contact-iterations a second of the sweeps
// alone, as in sweeps.c, sweeps to a force error of 1 % under either law of friction, and whole steps at default
// settings.
#include <stdio.h>

#include "dynamics/world/world.h"
#include "machine_scenes.h"
#include "report.h"

enum { FEW = 20, MANY = 70, WARM_STEPS = 4, TIMED_STEPS = 24, COUNTED_STEPS = 20, THREADS = 2 };
static const double TARGET = 80e6;  // contact-iterations/s

typedef struct measured {
    double rate;                           // contact-iterations/s
    double sweeps, solve;                  // to 1 %, means: their number, and s
    double coulomb_sweeps, coulomb_solve;  // likewise with Coulomb's own law
    double step;                           // s
    int64_t contacts;
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

static scr_status count_sweeps(scr_world *world, scr_friction_law friction, double *sweeps, double *solve,
                               scr_error *error)
{
    scr_solver_def kept = world->def.solver;
    scr_status status = SCR_OK;
    world->def.solver.kind = SCR_SOLVER_AGS;
    world->def.solver.tolerance = 0.01;
    world->def.solver.max_iterations = 5000;
    world->def.contact.friction = friction;
    *sweeps = 0.0;
    double before = scr_world_stage_seconds(world).solve;
    for (int k = 0; k < COUNTED_STEPS && status == SCR_OK; ++k) {
        status = scr_world_step(world, error);
        *sweeps += (double)scr_world_report(world).iterations / COUNTED_STEPS;
    }
    *solve = (scr_world_stage_seconds(world).solve - before) / COUNTED_STEPS;
    world->def.solver = kept;
    world->def.contact.friction = SCR_FRICTION_CONVEX;
    return status;
}

static scr_status time_steps(scr_world *world, measured *m, scr_error *error)
{
    scr_solver_def kept = world->def.solver;
    scr_status status = SCR_OK;
    world->def.solver = scr_default_world_def().solver;
    double before = scr_world_stage_seconds(world).total;
    for (int k = 0; k < COUNTED_STEPS && status == SCR_OK; ++k) status = scr_world_step(world, error);
    m->step = (scr_world_stage_seconds(world).total - before) / COUNTED_STEPS;
    world->def.solver = kept;
    return status;
}

static scr_status measure(machine which, bool rolls, measured *m, scr_error *error)
{
    scr_world_def def = scr_default_world_def();
    scr_world *world = NULL;
    def.thread_count = THREADS;
    scr_status status = machine_scene(which, rolls, &def, &world, error);
    if (status == SCR_OK) status = time_sweeps(world, m, error);
    if (status == SCR_OK) status = count_sweeps(world, SCR_FRICTION_CONVEX, &m->sweeps, &m->solve, error);
    if (status == SCR_OK)
        status = count_sweeps(world, SCR_FRICTION_COULOMB, &m->coulomb_sweeps, &m->coulomb_solve, error);
    if (status == SCR_OK) status = time_steps(world, m, error);
    scr_world_destroy(world);
    return status;
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv);
    scr_error error = {0};
    scr_status status = SCR_OK;
    bench_say(json, "Machines in a few thousand grains, with and without rolling friction\n");
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
        snprintf(name, sizeof name, "machine.%s.coulomb", MACHINE_NAMES[which]);
        for (int k = 0; k < 2; ++k) {
            const measured *m = k == 0 ? &plain : &rolling;
            bench_print(&(bench_figure){name, m->coulomb_sweeps, k == 0 ? "sweeps to 1 %" : "sweeps to 1 %, rolling",
                                        THREADS, "the convex law", m->coulomb_sweeps / m->sweeps},
                        json);
            bench_print(&(bench_figure){name, 1e3 * m->coulomb_solve, k == 0 ? "ms to 1 %" : "ms to 1 %, rolling",
                                        THREADS, "the convex law", m->coulomb_solve / m->solve},
                        json);
        }
        snprintf(name, sizeof name, "machine.%s", MACHINE_NAMES[which]);
        bench_print(&(bench_figure){name, 1e3 * rolling.step, "ms a step", THREADS, "without rolling friction",
                                    rolling.step / plain.step},
                    json);
        bench_say(json, "    %lld contacts; without rolling friction %lld, %.1f ns, %.1f sweeps, %.2f ms\n",
                  (long long)rolling.contacts, (long long)plain.contacts, 1e9 / plain.rate, plain.sweeps,
                  1e3 * plain.step);
    }
    if (status != SCR_OK) fprintf(stderr, "bench: %s\n", error.message);
    return status == SCR_OK ? 0 : 1;
}
