// SPDX-License-Identifier: BSD-3-Clause
// Time to a given residual of Coulomb's law, beside the best of Siconos' solvers, on settled packings: at rest, and
// with bodies thrown about so that many contacts slide.
//
//     bench_siconos [--limit SECONDS] [packing.bin ...]
//
// Packings are read from files as bench/packing.h says, or else settled here. Both sides solve the same problem from
// nothing on one thread; the residual of both is computed by packing_residual. Time is processor time of the solve: of
// Siconos with its matrix W given, of scree from contacts and bodies to impulses. Siconos stops on this residual
// itself, scree on its own force error: its tolerance is lowered until the residual is reached.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dynamics/cone/solve/solve.h"
#include "packing.h"
#include "report.h"
#if defined(SCREE_SICONOS)
#include "siconos_peer.h"
#endif

enum { REPEATS = 3, SWEEPS_MAX = 1000000 };
static const double LOOSE = 1e3;  // force errors over residuals: looser than any packing needs

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct own_result {
    double seconds, residual;
    int sweeps;
} own_result;

static own_result solve_once(packing *p, double tolerance, int sweeps)
{
    static problem built;
    static scr_arena scratch;
    contact_system system = packing_system(p);
    scr_solver_def def = {
        .kind = SCR_SOLVER_AGS, .max_iterations = sweeps, .tolerance = tolerance, .precision = SCR_PRECISION_DOUBLE};
    solve_setting setting = {.def = &def, .friction = SCR_FRICTION_COULOMB, .kernels = sweep_kernels_for(SCR_BEST)};
    solve_result result;
    scr_error error = {0};
    scr_status status = problem_build(&built, &system, &error);
    double began = processor_seconds();
    if (status == SCR_OK) status = solve_system(&built, &system, &setting, &scratch, &result, &error);
    double seconds = processor_seconds() - began;
    if (status != SCR_OK) {
        fprintf(stderr, "bench: %s\n", error.message);
        exit(1);
    }
    return (own_result){seconds, packing_residual(p, p->precise), result.iterations};
}

// The loosest tolerance that leads there: from one that is too loose on, as much tighter as the last residual asks for.
static own_result solve_to(packing *p, double residual, int sweeps)
{
    double tolerance = LOOSE * residual;
    own_result found = solve_once(p, tolerance, sweeps);
    while (found.residual > residual && found.sweeps < sweeps) {
        tolerance *= fmin(0.7, fmax(0.1, residual / found.residual));
        found = solve_once(p, tolerance, sweeps);
    }
    for (int k = 1; k < REPEATS && found.seconds < 1.0; ++k) {
        own_result again = solve_once(p, tolerance, sweeps);
        if (again.seconds < found.seconds) found = again;
    }
    return found;
}

static void compare(packing *p, double speed, double residual, int limit, bool json)
{
    // about as long as the limit
    int sweeps = (int)fmin(SWEEPS_MAX, (double)limit / (30e-9 * (double)p->contact_count));
    own_result own = solve_to(p, residual, sweeps);
    char name[96];
    snprintf(name, sizeof name, "coulomb.%lld.shaken%g.%.0e", (long long)p->contact_count, speed, residual);
    bool reached = own.residual <= residual;
    bench_say(json, "%s: scree %s %.4f s, %d sweeps, residual %.1e\n", name, reached ? "ags" : "ags (NOT reached)",
              own.seconds, own.sweeps, own.residual);
    double best = 0.0;
    bool ended = false;
#if defined(SCREE_SICONOS)
    for (int peer = 0; peer < PEER_COUNT; ++peer) {
        peer_result other = peer_solve(p, peer, residual, limit, REPEATS);
        if (!other.ended) bench_say(json, "    Siconos %s: not within %d s\n", PEER_NAMES[peer], limit);
        else
            bench_say(json, "    Siconos %s: %.4f s, %d iterations, residual %.1e\n", PEER_NAMES[peer], other.seconds,
                      other.iterations, other.residual);
        if (other.ended && other.residual <= 1.01 * residual && (!ended || other.seconds < best))
            best = other.seconds, ended = true;
    }
    if (!ended) best = limit;
#endif
    if (!reached) return;
    const char *against = ended ? "the best of Siconos, times faster" : "Siconos' limit, times faster at least";
    bench_print(&(bench_figure){name, own.seconds, "s", 1, against, best / own.seconds}, json);
}

static void race(packing *p, int limit, bool json)
{
    const double speeds[] = {0.0, 5.0, 1.0}, residuals[] = {1e-4, 1e-6, 1e-8};
    for (int s = 0; s < 3; ++s) {
        packing_shake(p, speeds[s]);
        bench_say(json, "%lld spheres, %lld contacts, %s\n", (long long)p->sphere_count, (long long)p->contact_count,
                  speeds[s] == 0.0 ? "at rest" : "in motion");
        for (int k = 0; k < 3; ++k) compare(p, speeds[s], residuals[k], limit, json);
    }
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv), any = false, ok = true;
    int limit = 20;
    packing p;
    for (int k = 1; k < argc; ++k) {
        if (strcmp(argv[k], "--json") == 0) continue;
        if (strcmp(argv[k], "--limit") == 0 && k + 1 < argc) {
            limit = atoi(argv[++k]);
            continue;
        }
        any = true;
        ok = packing_read(&p, argv[k]);
        if (!ok) {
            fprintf(stderr, "bench: %s is not a packing\n", argv[k]);
            return 2;
        }
        race(&p, limit, json);
        packing_free(&p);
    }
    const int64_t sizes[] = {300, 1000};
    for (int k = 0; k < 2 && !any && ok; ++k) {
        ok = packing_settle(&p, sizes[k]);
        if (ok) race(&p, limit, json);
        packing_free(&p);
    }
    return ok ? 0 : 1;
}
