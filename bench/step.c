// SPDX-License-Identifier: BSD-3-Clause
// Whole steps of 50 sweeps on settled beds of 16,000 to 1,000,000 spheres: seconds a step, cost a body, the share of
// everything that is not the solver, memory, allocations.
#include <stdio.h>

#include "bed.h"
#include "core/base/memory.h"
#include "core/base/threads.h"
#include "report.h"

enum { SWEEPS = 50, WARM_STEPS = 8, TIMED_STEPS = 12 };

typedef struct measured {
    double step, solve, pairs, found, prepare;  // s; found: contacts, with what they begin the step with
    int64_t bodies, contacts, allocations;
} measured;

static scr_status measure(const bed_tile *tile, int nx, int ny, scr_solver_kind kind, measured *result,
                          scr_error *error)
{
    scr_world_def def = scr_default_world_def();
    def.thread_count = 2;
    def.solver.kind = kind;
    def.solver.tolerance = 0.0;
    def.solver.max_iterations = SWEEPS;
    scr_world *world = NULL;
    scr_status status = bed_lay(tile, nx, ny, &def, &world, error);
    for (int k = 0; k < WARM_STEPS && status == SCR_OK; ++k) status = scr_world_step(world, error);
    if (status == SCR_OK) {
        scr_stage_seconds before = scr_world_stage_seconds(world);
        int64_t allocations = scr_allocation_count();
        for (int k = 0; k < TIMED_STEPS && status == SCR_OK; ++k) status = scr_world_step(world, error);
        scr_stage_seconds after = scr_world_stage_seconds(world);
        *result =
            (measured){(after.total - before.total) / TIMED_STEPS,     (after.solve - before.solve) / TIMED_STEPS,
                       (after.pairs - before.pairs) / TIMED_STEPS,     (after.contacts - before.contacts) / TIMED_STEPS,
                       (after.prepare - before.prepare) / TIMED_STEPS, scr_world_report(world).body_count,
                       scr_world_report(world).contact_count,          scr_allocation_count() - allocations};
    }
    scr_world_destroy(world);
    return status;
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv);
    scr_error error = {0};
    static bed_tile tile;
    bench_say(json,
              "Whole steps of %d sweeps on settled beds, mean of %d steps (settling a tile of %d spheres first)\n",
              SWEEPS, TIMED_STEPS, BED_TILE);
    scr_status status = bed_settle_tile(&tile, scr_core_count(), &error);
    const struct {
        const char *name;
        int nx, ny;
        scr_solver_kind kind;
        double target;
    } beds[] = {
        {"step.16000", 2, 2, SCR_SOLVER_AGS, 0.25 / 8},  {"step.64000", 4, 4, SCR_SOLVER_AGS, 0.125},
        {"step.128000", 8, 4, SCR_SOLVER_AGS, 0.25},     {"step.1000000", 25, 10, SCR_SOLVER_AGS, 1.8},
        {"step.gs.1000000", 25, 10, SCR_SOLVER_GS, 1.8},
    };
    double first_cost = 0.0;
    for (size_t k = 0; k < sizeof beds / sizeof *beds && status == SCR_OK; ++k) {
        measured m;
        if (!bench_wants(argc, argv, beds[k].name)) continue;
        status = measure(&tile, beds[k].nx, beds[k].ny, beds[k].kind, &m, &error);
        if (status != SCR_OK) break;
        double cost = m.step / (double)m.bodies, rest = (m.step - m.solve) / m.step;
        if (first_cost == 0.0) first_cost = cost;
        bench_print(&(bench_figure){beds[k].name, m.step, "s a step", 2, "the limit", m.step / beds[k].target}, json);
        bench_print(
            &(bench_figure){beds[k].name, 1e6 * cost, "us a body and step", 2, "the smallest bed's", cost / first_cost},
            json);
        bench_print(
            &(bench_figure){beds[k].name, 100.0 * rest, "% not the solver", 2, "the limit of 35 %", rest / 0.35}, json);
        double ns = 1e9 / (double)m.contacts;
        bench_say(json, "    ns a contact: pairs %.1f, contacts %.1f, prepare %.1f, the rest without the solver %.1f\n",
                  ns * m.pairs, ns * m.found, ns * m.prepare, ns * (m.step - m.solve - m.pairs - m.found - m.prepare));
        bench_say(json, "    %lld contacts, %lld allocations in the timed steps, peak memory %.0f MB\n",
                  (long long)m.contacts, (long long)m.allocations, 1e-6 * bench_peak_memory());
    }
    if (status != SCR_OK) fprintf(stderr, "bench: %s\n", error.message);
    return status == SCR_OK ? 0 : 1;
}
