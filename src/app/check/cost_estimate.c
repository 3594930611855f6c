// SPDX-License-Identifier: BSD-3-Clause
// What a run would take. The constants are those of beds at rest, as bench/ and runs show them, and those of
// mechanisms and meshes as measured in runs: linkages alone (scenes/mechanisms), a track that lies on its ground,
// rings of 1,152 triangles in a heap, beds of 1,500 grains that a ring stirs (80 to 90 iterations, more where grains
// are squeezed).
#include "app/check/cost_estimate.h"

#include <math.h>

// Grains of one sort in a settled bed: what a grain costs in a step on one thread.
typedef struct grain_sort {
    double contacts;           // a grain, each counted once
    double iterations;         // a step, with the default tolerance
    double iteration_seconds;  // s a contact and iteration
    double other_seconds;      // s a grain: all but the iterations
    double penalty_seconds;    // s a grain, all of a step under the penalty law
} grain_sort;

static const grain_sort SPHERE = {3.0, 60.0, 10e-9, 0.8e-6, 60e-9};
static const double SPHERE_ALONE = 0.4e-6;  // s: of a sphere under a penalty law that beds do not know
static const grain_sort ROUND = {3.5, 90.0, 30e-9, 4e-6, 4e-6};     // ellipsoids, capsules
static const grain_sort ANGULAR = {6.0, 160.0, 30e-9, 6e-6, 6e-6};  // what meets in faces, with several contacts a pair

static const double JOINT_SECONDS = 4e-6;      // s a joint, each time its mechanism is solved: once, and each iteration
static const double JOINED_ITERATIONS = 25.0;  // a step of a mechanism that touches something
static const double TRIANGLE_SECONDS = 0.9e-6;  // s: of a mesh that moves, among its likes
static const double STIRRED = 2.5;              // times as many iterations where kinematic bodies rotate among grains
static const double STEP_SECONDS = 10e-6;       // s: of a step in which next to nothing happens
// By Newton's method, which takes small problems that are not all spheres (docs/solvers.md).
static const double NEWTON_CONTACTS = 400.0, NEWTON_SECONDS = 4e-6;  // at most so many; s a contact

static const double SECOND_THREAD = 0.8;            // each thread more adds so much of the first one's speed
static const double BASE_BYTES = 20e6;              // of memory, without any body
static const double CHECKPOINT_BODY_BYTES = 330.0;  // of disk
static const double SPHERE_FRAME_BYTES = 33.0, ROTATION_FRAME_BYTES = 28.0, BOX_FRAME_BYTES = 166.0,
                    PLANE_FRAME_BYTES = 33.0, PART_FRAME_BYTES = 75.0;
static const double PROBE_VALUE_BYTES = 16.0;

static const grain_sort *sort_of(int kind)
{
    if (kind == SCR_SPHERE) return &SPHERE;
    return kind == SCR_ELLIPSOID || kind == SCR_CAPSULE ? &ROUND : &ANGULAR;
}

static double iterations_of(const grain_sort *sort, const scr_solver_def *solver)
{
    return solver->tolerance > 0.0 ? fmin(sort->iterations, solver->max_iterations) : solver->max_iterations;
}

// All are swept together; what there is most of decides how often.
static double mean_iterations(const scene *s, const double count[KIND_COUNT])
{
    double sum = 0.0, all = 0.0;
    for (int k = 0; k < KIND_COUNT; ++k) {
        sum += count[k] * iterations_of(sort_of(k), &s->world.solver);
        all += count[k];
    }
    return all > 0.0 ? sum / all : 0.0;
}

// Beds of grains (docs/contact.md, section 3) resist no rolling and know no JKR.
static bool has_beds(const scene *s)
{
    bool jkr = s->world.contact.adhesion == SCR_JKR;
    for (int k = 0; k < s->material_count; ++k) {
        const scr_material_def *def = &s->materials[k].def;
        if (def->rolling_friction > 0.0 || def->spinning_friction > 0.0 || (jkr && def->surface_energy > 0.0))
            return false;
    }
    return true;
}

static double penalty_seconds(const scene *s, int kind)
{
    return kind == SCR_SPHERE && !has_beds(s) ? SPHERE_ALONE : sort_of(kind)->penalty_seconds;
}

static bool is_stirred(const scene *s)
{
    for (int k = 0; k < s->body_count; ++k) {
        if (s->bodies[k].motion.has_angle || s->bodies[k].motion.has_spin) return true;
    }
    return false;
}

// Contacts of all free bodies, once they have come to rest.
static double contacts_of(const double count[KIND_COUNT])
{
    double sum = 0.0;
    for (int k = 0; k < KIND_COUNT; ++k) sum += count[k] * sort_of(k)->contacts;
    return sum;
}

static bool is_for_newton(const scene *s, const double count[KIND_COUNT])
{
    double others = -count[SCR_SPHERE];
    for (int k = 0; k < KIND_COUNT; ++k) others += count[k];
    return s->world.solver.kind == SCR_SOLVER_AUTO && others > 0.0 && contacts_of(count) <= NEWTON_CONTACTS;
}

// Bodies that joints do not hold.
static double free_seconds(const scene *s, const double count[KIND_COUNT], double iterations)
{
    bool penalty = s->world.contact.law == SCR_PENALTY, newton = !penalty && is_for_newton(s, count);
    double seconds = newton ? contacts_of(count) * NEWTON_SECONDS : 0.0;
    for (int k = 0; k < KIND_COUNT; ++k) {
        const grain_sort *sort = sort_of(k);
        double iterated = newton ? 0.0 : sort->contacts * iterations * sort->iteration_seconds;
        seconds += count[k] * (penalty ? penalty_seconds(s, k) : sort->other_seconds + iterated);
    }
    return seconds;
}

static double mechanism_seconds(const scene *s, const moving_shapes *moving)
{
    bool is_iterated = moving->joined_near_others && s->world.contact.law != SCR_PENALTY;
    return JOINT_SECONDS * s->joint_count * (is_iterated ? 1.0 + JOINED_ITERATIONS : 1.0);
}

static void estimate_time(run_cost *cost, const scene *s, const double count[KIND_COUNT], const moving_shapes *moving,
                          int threads)
{
    bool penalty = s->world.contact.law == SCR_PENALTY;
    double swept = mean_iterations(s, count) * (is_stirred(s) ? STIRRED : 1.0);
    cost->iterations = penalty ? 0.0 : swept;
    if (!penalty && moving->joined_near_others) cost->iterations = fmax(cost->iterations, JOINED_ITERATIONS);
    double seconds = free_seconds(s, count, cost->iterations) + TRIANGLE_SECONDS * (double)moving->triangles;
    cost->step_seconds = STEP_SECONDS + mechanism_seconds(s, moving) + seconds / (1.0 + SECOND_THREAD * (threads - 1));
}

static double bytes_in_frame(const scene *s, const census *c, emission_estimate emitted)
{
    double sphere = SPHERE_FRAME_BYTES + (s->output.rotations ? ROTATION_FRAME_BYTES : 0.0);
    double bytes = PART_FRAME_BYTES * (double)emitted.others + sphere * (double)emitted.spheres;
    bytes += s->output.set_spheres ? sphere * (double)c->spheres_of_sets
                                   : PART_FRAME_BYTES * (double)c->shapes[SCR_SPHERE_SET];
    for (int k = 0; k < SCR_SPHERE_SET; ++k) {
        double each = k == SCR_SPHERE  ? sphere
                      : k == SCR_BOX   ? BOX_FRAME_BYTES
                      : k == SCR_PLANE ? PLANE_FRAME_BYTES
                                       : PART_FRAME_BYTES;
        bytes += each * (double)c->shapes[k];
    }
    return bytes;
}

static void estimate_disk(run_cost *cost, const scene *s)
{
    double h = s->world.time_step, every = s->output.frame_interval;
    cost->frames = every > 0.0 ? floor(s->end_time / fmax(every, h)) + 1.0 : 0.0;
    cost->rows = cost->columns > 0 ? floor(s->end_time / fmax(s->output.probe_interval, h)) + 1.0 : 0.0;
    cost->disk = cost->frames * cost->frame_bytes + cost->rows * PROBE_VALUE_BYTES * (cost->columns + 1) +
                 2.0 * CHECKPOINT_BODY_BYTES * cost->bodies;
}

run_cost estimate_cost(const scene *s, const census *c, const moving_shapes *moving, emission_estimate emitted,
                       int probe_columns, int threads)
{
    double bodies = (double)(c->bodies + emitted.spheres + emitted.others);
    run_cost cost = {.bodies = bodies,
                     .steps = ceil(s->end_time / s->world.time_step - 0.5),
                     .memory = BASE_BYTES + BODY_BYTES * bodies,
                     .frame_bytes = bytes_in_frame(s, c, emitted),
                     .columns = probe_columns};
    double count[KIND_COUNT];
    for (int k = 0; k < KIND_COUNT; ++k) count[k] = (double)moving->free[k];
    count[SCR_SPHERE] += (double)emitted.spheres;
    count[SCR_ELLIPSOID] += (double)emitted.others;  // most that are emitted are round
    estimate_time(&cost, s, count, moving, threads);
    estimate_disk(&cost, s);
    return cost;
}
