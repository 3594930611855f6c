// SPDX-License-Identifier: BSD-3-Clause
// A ring of hinged shoes under a vehicle on grains (ring_scene.h): seconds to 1 % force error of scree's own solver,
// which eliminates joints, and of two that keep them as rows (joint_rows.h), on one thread.
//
//   bench_ring [--json] [--make]     problems are kept in out/problems; --make makes them anew
#include <stdio.h>
#include <string.h>

#include "core/base/threads.h"
#include "core/file/safe_file.h"
#include "io/problem/problem_file.h"
#include "joint_rows.h"
#include "report.h"
#include "ring_scene.h"

enum { REFERENCE_SWEEPS = 20000, OWN_SWEEPS = 2000, ROWS_LIMIT = 10000 };
static const double SHARE = 0.01;
static const char DIRECTORY[] = "out/problems";

// With the best answer that can be found, for comparison.
static scr_status write_solved(saved_system *s, const char *path, bool json, scr_error *error)
{
    laboratory lab = {0};
    solve_result result;
    scr_status status = laboratory_open(&lab, s, 1, error);
    if (status == SCR_OK)
        status = laboratory_find_reference(&lab, SCR_FRICTION_CONVEX, REFERENCE_SWEEPS, s->answer, &result, error);
    laboratory_close(&lab);
    if (status != SCR_OK) return status;
    bench_say(json, "  reference: %d sweeps, force error %.1e\n", result.iterations, result.force_error);
    s->has_answer = 1;
    saved_system_set_title(s, "46 shoes under a vehicle on grains");
    return problem_file_write(path, s, error);
}

static void path_of(int event, char path[PATH_LENGTH_MAX])
{
    snprintf(path, PATH_LENGTH_MAX, "%s/ring-%s.h5", DIRECTORY, RING_EVENT_NAMES[event]);
}

static scr_status make_problems(bool json, scr_error *error)
{
    saved_system kept[RING_EVENTS];
    for (int k = 0; k < RING_EVENTS; ++k) saved_system_init(&kept[k]);
    bench_say(json, "Settling the bed and the vehicle\n");
    scr_status status = ring_problems_make(scr_core_count(), kept, error);
    if (status == SCR_OK) status = directory_create(DIRECTORY, error);
    for (int k = 0; k < RING_EVENTS; ++k) {
        char path[PATH_LENGTH_MAX];
        path_of(k, path);
        if (status == SCR_OK) status = write_solved(&kept[k], path, json, error);
        saved_system_free(&kept[k]);
    }
    return status;
}

static scr_status time_own(laboratory *lab, bool cold, rows_trial *t, scr_error *error)
{
    trial history = {0};
    trial_setting setting = {.solver = {.kind = SCR_SOLVER_AGS, .max_iterations = OWN_SWEEPS}, .cold = cold};
    solve_result result;
    *t = (rows_trial){0};
    scr_status status = laboratory_watch(lab, &setting, &history, error);
    const trial_point *there = status == SCR_OK ? trial_reaches(&history, SHARE) : NULL;
    if (status == SCR_OK) t->error = history.point[history.count - 1].velocity_error;
    if (there != NULL) setting.solver.max_iterations = t->iterations = there->iterations;
    trial_free(&history);
    return status == SCR_OK ? laboratory_time(lab, &setting, &t->seconds, &result, error) : status;
}

static void print_trial(const char *event, const char *name, bool cold, const rows_trial *t, const rows_trial *own,
                        bool json)
{
    char full[64];
    snprintf(full, sizeof full, "ring.%s.%s.%s", event, name, cold ? "cold" : "warm");
    bench_print(&(bench_figure){full, t->seconds, "s to 1 %", 1, "scree's own", t->seconds / own->seconds}, json);
    if (t->iterations > 0) bench_say(json, "    %d passes\n", t->iterations);
    else bench_say(json, "    not there: force error %.3g after as long as it was let\n", t->error);
}

// What the stop test believes at its usual tolerance, against the truth.
static scr_status print_estimate(laboratory *lab, bool cold, bool json, scr_error *error)
{
    trial history = {0};
    const trial_setting setting = {.solver = {.kind = SCR_SOLVER_AGS,
                                              .max_iterations = OWN_SWEEPS,
                                              .tolerance = scr_default_world_def().solver.tolerance},
                                   .cold = cold};
    double seconds;
    solve_result result;
    scr_status status = laboratory_time(lab, &setting, &seconds, &result, error);
    if (status == SCR_OK) status = laboratory_watch(lab, &setting, &history, error);
    if (status == SCR_OK)
        bench_say(json, "    stops after %d sweeps, %.3g s: estimated force error %.2g, true one %.2g\n",
                  result.iterations, seconds, result.force_error, history.point[history.count - 1].velocity_error);
    trial_free(&history);
    return status;
}

static scr_status compare(const saved_system *s, const char *event, bool json, scr_error *error)
{
    laboratory lab = {0};
    scr_status status = laboratory_open(&lab, s, 1, error);
    if (status != SCR_OK) return status;
    laboratory_set_reference(&lab, s->answer);
    for (int cold = 1; cold >= 0 && status == SCR_OK; --cold) {
        rows_trial own, gs, apgd;
        status = time_own(&lab, cold, &own, error);
        if (status == SCR_OK) print_trial(event, "ags", cold, &own, &own, json);
        if (status == SCR_OK) status = print_estimate(&lab, cold, json, error);
        if (status == SCR_OK) status = gs_with_joint_rows(&lab, cold, SHARE, ROWS_LIMIT, &gs, error);
        if (status == SCR_OK) print_trial(event, "gs_rows", cold, &gs, &own, json);
        if (status == SCR_OK) status = apgd_with_joint_rows(&lab, cold, SHARE, ROWS_LIMIT, &apgd, error);
        if (status == SCR_OK) print_trial(event, "apgd_rows", cold, &apgd, &own, json);
    }
    laboratory_close(&lab);
    return status;
}

static scr_status read_and_compare(int event, bool json, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    saved_system s;
    path_of(event, path);
    saved_system_init(&s);
    scr_status status = problem_file_read(path, &s, error);
    if (status == SCR_OK) {
        bench_say(json, "%s: %lld bodies, %lld contacts, %lld joints\n", RING_EVENT_NAMES[event],
                  (long long)s.bodies.count, (long long)s.contacts.count, (long long)s.blocks.count);
        status = compare(&s, RING_EVENT_NAMES[event], json, error);
    }
    saved_system_free(&s);
    return status;
}

static bool are_there(void)
{
    char path[PATH_LENGTH_MAX];
    bool all = true;
    for (int k = 0; k < RING_EVENTS; ++k) path_of(k, path), all = all && problem_file_holds_one(path);
    return all;
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv), anew = !are_there();
    scr_error error = {0};
    for (int k = 1; k < argc; ++k) anew = anew || strcmp(argv[k], "--make") == 0;
    scr_status status = anew ? make_problems(json, &error) : SCR_OK;
    for (int event = 0; event < RING_EVENTS && status == SCR_OK; ++event)
        status = read_and_compare(event, json, &error);
    if (status != SCR_OK) fprintf(stderr, "bench: %s\n", error.message);
    return status == SCR_OK ? 0 : 1;
}
