// SPDX-License-Identifier: BSD-3-Clause
// Contact-iterations a second of the coloured Gauss-Seidel sweep on settled beds, and how near that is to the limits.
//
// One contact-iteration is one contact visited in one sweep: read, solved exactly, both bodies updated. The rate is
// that of the sweeps alone, as other engines' are quoted: what MANY sweeps take longer than FEW, best of several steps
// each. Bytes are what a sweep moves if nothing stays in a cache: the bundle once (read, and its impulse written), both
// body records (read and written).
#include <stdio.h>

#include "bed.h"
#include "core/base/threads.h"
#include "dynamics/world/world.h"
#include "report.h"

enum { FEW = 20, MANY = 70, WARM_STEPS = 6, TIMED_STEPS = 16 };

static double bytes_per_contact(scr_solver_kind kind)
{
    double bundle = (double)sizeof(grain_bundle) / LANES, impulse = 3.0 * sizeof(float);
    double record = sizeof(wide_record);
    // Impulses are written back; accelerated sweeps read and write the old ones besides.
    double impulses = kind == SCR_SOLVER_GS ? impulse : 3.0 * impulse;
    return bundle + impulses + 2.0 * 2.0 * record;
}

typedef struct measured {
    double rate;
    int64_t contacts;
} measured;

static scr_status measure(const bed_tile *tile, int nx, int ny, scr_solver_kind kind, bool rigid, int threads,
                          measured *result, scr_error *error)
{
    scr_world_def def = scr_default_world_def();
    def.thread_count = threads;
    def.solver.kind = kind;
    def.solver.tolerance = 0.0;
    def.solver.max_iterations = MANY;
    def.contact.law = rigid ? SCR_RIGID : SCR_COMPLIANT;
    scr_world *world = NULL;
    scr_status status = bed_lay(tile, nx, ny, &def, &world, error);
    double best[2] = {1e30, 1e30};  // s, of the solve stage with few and with many sweeps
    for (int k = 0; k < WARM_STEPS + TIMED_STEPS && status == SCR_OK; ++k) {
        int many = k % 2;
        world->def.solver.max_iterations = many ? MANY : FEW;
        double before = scr_world_stage_seconds(world).solve;
        status = scr_world_step(world, error);
        double seconds = scr_world_stage_seconds(world).solve - before;
        if (k >= WARM_STEPS && seconds < best[many]) best[many] = seconds;
    }
    if (status == SCR_OK) {
        result->contacts = scr_world_report(world).contact_count;
        result->rate = (double)result->contacts * (MANY - FEW) / (best[1] - best[0]);
    }
    scr_world_destroy(world);
    return status;
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv);
    scr_error error = {0};
    static bed_tile tile;
    bench_say(json, "Coloured Gauss-Seidel on settled beds (settling a tile of %d spheres first)\n", BED_TILE);
    scr_status status = bed_settle_tile(&tile, scr_core_count(), &error);
    double bandwidth[3] = {0, bench_bandwidth(1), bench_bandwidth(2)};
    bench_say(json, "  memory bandwidth (triad): %.1f GB/s on 1 thread, %.1f on 2\n", 1e-9 * bandwidth[1],
              1e-9 * bandwidth[2]);
    const struct {
        const char *name;
        int nx, ny, threads;
        scr_solver_kind kind;
        bool rigid;
        double target;
    } cases[] = {
        {"gs.64000", 4, 4, 1, SCR_SOLVER_GS, false, 100e6},
        {"gs.64000", 4, 4, 2, SCR_SOLVER_GS, false, 180e6},
        {"gs.rigid.64000", 4, 4, 2, SCR_SOLVER_GS, true, 180e6},
        {"ags.64000", 4, 4, 1, SCR_SOLVER_AGS, false, 100e6},
        {"ags.64000", 4, 4, 2, SCR_SOLVER_AGS, false, 180e6},
        {"gs.1000000", 25, 10, 2, SCR_SOLVER_GS, false, 120e6},
        {"ags.1000000", 25, 10, 2, SCR_SOLVER_AGS, false, 120e6},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases && status == SCR_OK; ++k) {
        measured m;
        if (!bench_wants(argc, argv, cases[k].name)) continue;
        status = measure(&tile, cases[k].nx, cases[k].ny, cases[k].kind, cases[k].rigid, cases[k].threads, &m, &error);
        if (status != SCR_OK) break;
        double bytes = bytes_per_contact(cases[k].kind);
        char name[64];
        snprintf(name, sizeof name, "sweep.%s", cases[k].name);
        bench_print(&(bench_figure){name, m.rate, "contact-iterations/s", cases[k].threads, "the target",
                                    m.rate / cases[k].target},
                    json);
        bench_print(&(bench_figure){name, bytes * m.rate, "B/s at most", cases[k].threads, "memory bandwidth",
                                    bytes * m.rate / bandwidth[cases[k].threads]},
                    json);
        bench_say(json, "    %lld contacts, %.0f bytes a contact-iteration, %.2f ns\n", (long long)m.contacts, bytes,
                  1e9 / m.rate);
    }
    if (status != SCR_OK) fprintf(stderr, "bench: %s\n", error.message);
    return status == SCR_OK ? 0 : 1;
}
