// SPDX-License-Identifier: BSD-3-Clause
// The block LDL^T of dynamics/kkt against SuiteSparse (suitesparse.h), on the equations of one step each:
//
//   vehicle   150 bodies, 160 joints (mechanism_scene.h)
//   ring      of 5,000 hinged bodies
//   stack     30 boxes on a floor, hit from the side: Newton's equations of their contacts
// Times are of all factorings of the step, each with one solve, one thread. Ours count filling the matrix from the
// equations and the search for redundant rows, where the step makes it; SuiteSparse's do not.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/stopwatch.h"
#include "core/maths/rng.h"
#include "kkt_capture.h"
#include "mechanism_scene.h"
#include "report.h"
#include "suitesparse.h"

enum { BOXES = 30, RING_LINKS = 5000, WARM_STEPS = 20, SEED = 1 };
static const double ROUND_NUMBERS = 2e6;  // of unknowns in all rounds of a measurement

// ---- worlds ----

static scr_world *stack_world(void)
{
    scr_world_def def = scr_default_world_def();
    scr_error error;
    scr_world *world = NULL;
    scr_material_def stone = scr_default_material_def();
    scr_material material;
    scr_body body;
    def.thread_count = 1;
    def.solver.kind = SCR_SOLVER_NEWTON;
    if (!bench_ok(scr_world_create(&def, &world, &error), &error)) return NULL;
    bench_ok(scr_world_add_material(world, &stone, &material, &error), &error);
    scr_shape plane = scr_plane(material), box = scr_box((scr_vec3){0.1, 0.1, 0.1}, material);
    for (int k = -1; k < BOXES; ++k) {
        scr_body_def part = scr_default_body_def();
        part.kind = k < 0 ? SCR_FIXED : SCR_DYNAMIC;
        part.position = (scr_vec3){0.0, 0.0, k < 0 ? 0.0 : 0.1 + 0.2 * k};
        part.shapes = k < 0 ? &plane : &box;
        part.shape_count = 1;
        bench_ok(scr_world_add_body(world, &part, &body, &error), &error);
    }
    return world;
}

// ---- a right-hand side whose answer is known ----

static bool answer_make(known_answer *known, const kkt_equations *e)
{
    scr_error error;
    int64_t n = BODY_NUMBERS * (int64_t)e->body_count;
    if (!bench_ok(scr_make_zeros(&known->velocity, n, sizeof(double), "an answer", &error), &error) ||
        !bench_ok(scr_make_zeros(&known->impulse, e->row_count, sizeof(double), "an answer", &error), &error) ||
        !bench_ok(scr_make_zeros(&known->momentum, n, sizeof(double), "an answer", &error), &error) ||
        !bench_ok(scr_make_zeros(&known->row_velocity, e->row_count, sizeof(double), "an answer", &error), &error))
        return false;
    for (int64_t i = 0; i < n; ++i) known->velocity[i] = scr_uniform(SEED, 0, (uint64_t)i) - 0.5;
    for (int64_t i = 0; i < e->row_count; ++i) known->impulse[i] = scr_uniform(SEED, 1, (uint64_t)i) - 0.5;
    known_right_side(e, known);
    return true;
}

static void answer_free(known_answer *known)
{
    double *arrays[] = {known->velocity, known->impulse, known->momentum, known->row_velocity};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) scr_free(arrays[k]);
}

// ---- measuring ----

static solve_times measure_ours(const kkt_equations *e, const known_answer *known, int rounds)
{
    solve_times t = {true, INFINITY, INFINITY, NAN};
    scr_error error;
    kkt *k = NULL;
    double *body = NULL, *row = NULL, *work = NULL;
    int64_t n = BODY_NUMBERS * (int64_t)e->body_count;
    if (!bench_ok(kkt_create(&k, &error), &error) || !bench_ok(kkt_order(k, e, &error), &error) ||
        !bench_ok(scr_make_zeros(&body, n, sizeof *body, "a motion", &error), &error) ||
        !bench_ok(scr_make_zeros(&row, e->row_count, sizeof *row, "impulses", &error), &error) ||
        !bench_ok(scr_make_zeros(&work, kkt_work_count(k), sizeof *work, "a solve", &error), &error))
        rounds = 0;
    for (int round = 0; round < rounds; ++round) {
        memcpy(body, known->momentum, (size_t)n * sizeof *body);
        memcpy(row, known->row_velocity, (size_t)e->row_count * sizeof *row);
        double start = scr_now();
        kkt_factor(k, e);
        double middle = scr_now();
        kkt_solve(k, body, row, work);
        t.factor = fmin(t.factor, middle - start);
        t.solve = fmin(t.solve, scr_now() - middle);
    }
    if (rounds > 0) t.error = velocity_error(e, known, body);
    kkt_destroy(k);
    scr_free(body), scr_free(row), scr_free(work);
    return t;
}

static void add_times(solve_times *sum, solve_times t, bool is_first)
{
    sum->is_apt = t.is_apt && (is_first || sum->is_apt);
    sum->factor += t.factor;
    sum->solve += t.solve;
    sum->error = fmax(sum->error, t.error);
}

static void show(bool json, const char *scene, const char *method, solve_times t, const solve_times *ours)
{
    char name[96];
    if (!t.is_apt) return;
    const struct {
        const char *what;
        double seconds, ours;
    } line[] = {{"factor", t.factor, ours->factor}, {"solve", t.solve, ours->solve}};
    for (int k = 0; k < 2; ++k) {
        snprintf(name, sizeof name, "%s, %s: %s", scene, method, line[k].what);
        bench_print(&(bench_figure){.name = name,
                                    .value = 1e6 * line[k].seconds,
                                    .unit = "us",
                                    .threads = 1,
                                    .against = "dynamics/kkt",
                                    .ratio = line[k].seconds / line[k].ours},
                    json);
    }
    bench_say(json, "    velocities are wrong by %.1e\n", t.error);
}

static void compare(bool json, const char *scene, scr_world *world)
{
    kkt_capture kept = {0};
    solve_times ours = {0}, sparse[SPARSE_METHODS] = {0};
    scr_error error;
    if (world == NULL || !bench_ok(scr_world_assemble(world, NULL, &error), &error)) return;
    for (int k = 0; k < WARM_STEPS; ++k)
        if (!bench_ok(scr_world_step(world, &error), &error)) return;
    bench_ok(kkt_capture_step(&kept, world, &error), &error);
    for (int k = 0; k < kept.count; ++k) {
        const kkt_equations *e = &kept.equations[k];
        int rounds = (int)(ROUND_NUMBERS / (double)(BODY_NUMBERS * e->body_count + e->row_count)) + 5;
        known_answer known = {0};
        if (answer_make(&known, e)) {
            add_times(&ours, measure_ours(e, &known, rounds), k == 0);
            for (int m = 0; m < SPARSE_METHODS; ++m)
                add_times(&sparse[m], sparse_measure(e, &known, (sparse_method)m, rounds), k == 0);
        }
        answer_free(&known);
    }
    bench_say(json, "%s: %d factorings a step\n", scene, kept.count);
    show(json, scene, "dynamics/kkt", ours, &ours);
    for (int m = 0; m < SPARSE_METHODS; ++m) show(json, scene, SPARSE_NAMES[m], sparse[m], &ours);
    kkt_capture_free(&kept);
    scr_world_destroy(world);
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv);
    if (bench_wants(argc, argv, "vehicle")) compare(json, "vehicle", vehicle_world());
    if (bench_wants(argc, argv, "ring")) compare(json, "ring", ring_world(RING_LINKS));
    if (bench_wants(argc, argv, "stack")) compare(json, "stack", stack_world());
    return 0;
}
