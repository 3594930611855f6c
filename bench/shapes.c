// SPDX-License-Identifier: BSD-3-Clause
// What it costs that bodies are not spheres: bins of ellipsoids, capsules and boxes beside the same bin of spheres, as
// many and as heavy, dropped in and coming to rest. 80 sweeps in every step: how many are needed differs from moment to
// moment more than between shapes. Milliseconds a step by stage, and the ratio.
#include <math.h>
#include <stdio.h>

#include "bed.h"
#include "core/maths/rng.h"
#include "core/maths/vec3.h"
#include "report.h"

enum { BODIES = 5377, FALL_STEPS = 200, TIMED_STEPS = 300, SWEEPS = 80, THREADS = 2 };
static const double RADIUS = 5e-3, BIN = 0.2;  // m
static const double STRETCH = 1.3;             // of an ellipsoid's or a box's first axis; the third is as much shorter

static scr_shape sphere(scr_material material) { return scr_sphere(RADIUS, material); }

static scr_shape ellipsoid(scr_material material)
{
    return scr_ellipsoid((scr_vec3){STRETCH * RADIUS, RADIUS, RADIUS / STRETCH}, material);
}

// Twice as long as wide: 10/3 pi r^3.
static scr_shape capsule(scr_material material)
{
    double radius = RADIUS * cbrt(0.4);
    return scr_capsule(radius, radius, material);
}

static scr_shape box(scr_material material)
{
    double half = RADIUS * cbrt(4.0 * atan(1.0) / 6.0);
    return scr_box((scr_vec3){STRETCH * half, half, half / STRETCH}, material);
}

typedef struct measured {
    scr_stage_seconds mean;  // s a step
    double contacts, sweeps;
} measured;

// On a loose lattice in the bin, a little off, rotated at random.
static scr_status fill(scr_world *world, scr_material material, scr_shape (*make)(scr_material), scr_error *error)
{
    double pitch = 2.75 * RADIUS;
    int side = (int)(BIN / pitch);
    scr_status status = SCR_OK;
    for (int k = 0; k < BODIES && status == SCR_OK; ++k) {
        double u[2], w[2], e[2];
        scr_uniform2(11, 0, 3 * (uint64_t)k, u);
        scr_uniform2(11, 0, 3 * (uint64_t)k + 1, w);
        scr_uniform2(11, 0, 3 * (uint64_t)k + 2, e);
        int x = k % side, y = k / side % side, z = k / (side * side);
        scr_shape shape = make(material);
        scr_body_def def = scr_default_body_def();
        def.position = (scr_vec3){(x + 0.5 + 0.02 * u[0]) * pitch, (y + 0.5 + 0.02 * u[1]) * pitch,
                                  (z + 0.5 + 0.02 * w[0]) * pitch};
        double q[4] = {2.0 * w[1] - 1.0, 2.0 * e[0] - 1.0, 2.0 * e[1] - 1.0, 0.5};
        double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        def.rotation = (scr_quat){q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
        def.shapes = &shape;
        def.shape_count = 1;
        scr_body body;
        status = scr_world_add_body(world, &def, &body, error);
    }
    return status;
}

static scr_stage_seconds mean_of(scr_stage_seconds after, scr_stage_seconds before)
{
    const double share = 1.0 / TIMED_STEPS;
    return (scr_stage_seconds){.forces = share * (after.forces + after.sort - before.forces - before.sort),
                               .pairs = share * (after.pairs - before.pairs),
                               .contacts = share * (after.contacts - before.contacts),
                               .prepare = share * (after.prepare - before.prepare),
                               .solve = share * (after.solve - before.solve),
                               .integrate = share * (after.integrate - before.integrate),
                               .total = share * (after.total - before.total)};
}

static scr_status measure(scr_shape (*make)(scr_material), measured *result, scr_error *error)
{
    scr_world_def def = scr_default_world_def();
    def.thread_count = THREADS;
    def.solver.tolerance = 0.0;
    def.solver.max_iterations = SWEEPS;
    scr_world *world = NULL;
    scr_material material;
    scr_status status = bed_open_box(&def, BIN, BIN, &world, &material, error);
    if (status == SCR_OK) status = fill(world, material, make, error);
    for (int k = 0; k < FALL_STEPS && status == SCR_OK; ++k) status = scr_world_step(world, error);
    *result = (measured){0};
    if (status == SCR_OK) {
        scr_stage_seconds before = scr_world_stage_seconds(world);
        for (int k = 0; k < TIMED_STEPS && status == SCR_OK; ++k) {
            status = scr_world_step(world, error);
            scr_step_report report = scr_world_report(world);
            result->contacts += (double)report.contact_count / TIMED_STEPS;
            result->sweeps += (double)report.iterations / TIMED_STEPS;
        }
        result->mean = mean_of(scr_world_stage_seconds(world), before);
    }
    scr_world_destroy(world);
    return status;
}

static void print(const char *name, const measured *m, bool json)
{
    const scr_stage_seconds *t = &m->mean;
    bench_say(json,
              "%-10s %6.0f contacts, %3.0f ns to find one, %4.0f sweeps, %4.1f ns a contact and sweep; forces %.2f, "
              "pairs %.2f, contacts %.2f, prepare %.2f, solve %.2f, integrate %.2f ms\n",
              name, m->contacts, 1e9 * t->contacts / m->contacts, m->sweeps, 1e9 * t->solve / (m->contacts * m->sweeps),
              1e3 * t->forces, 1e3 * t->pairs, 1e3 * t->contacts, 1e3 * t->prepare, 1e3 * t->solve, 1e3 * t->integrate);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name, *figure;
        scr_shape (*make)(scr_material);
    } bins[] = {{"spheres", "shapes.spheres", sphere},
                {"ellipsoids", "shapes.ellipsoids", ellipsoid},
                {"capsules", "shapes.capsules", capsule},
                {"boxes", "shapes.boxes", box}};
    enum { BINS = sizeof bins / sizeof *bins };
    bool json = bench_wants_json(argc, argv);
    scr_error error = {0};
    measured m[BINS];
    bench_say(json, "Bins of %d bodies, mean of %d steps\n", BODIES, TIMED_STEPS);
    for (int k = 0; k < BINS; ++k) {
        if (k > 0 && !bench_wants(argc, argv, bins[k].figure)) continue;
        if (measure(bins[k].make, &m[k], &error) != SCR_OK) {
            fprintf(stderr, "bench: %s\n", error.message);
            return 1;
        }
        print(bins[k].name, &m[k], json);
        bench_print(&(bench_figure){bins[k].figure, 1e3 * m[k].mean.total, "ms a step", THREADS,
                                    k == 0 ? "itself" : "the spheres'", m[k].mean.total / m[0].mean.total},
                    json);
    }
    return 0;
}
