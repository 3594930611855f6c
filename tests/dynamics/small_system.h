// SPDX-License-Identifier: BSD-3-Clause
// A contact problem in a few arrays, as solvers see it, for tests without a world.
#ifndef TESTS_DYNAMICS_SMALL_SYSTEM_H
#define TESTS_DYNAMICS_SMALL_SYSTEM_H

#include <string.h>

#include "core/arrays/colouring.h"
#include "dynamics/cone/solve/solve.h"
#include "dynamics/physics.h"

enum { SMALL_BODIES = 64, SMALL_CONTACTS = 256 };

typedef struct small_system {
    system_body body[SMALL_BODIES];
    scr_vec3 velocity[SMALL_BODIES], spin[SMALL_BODIES];  // without contacts
    contact_row row[SMALL_CONTACTS];
    int64_t body_count, contact_count, general_count;
    float impulse[3 * SMALL_CONTACTS];
    double precise[3 * SMALL_CONTACTS];
    const joint_system *joints;
} small_system;

static inline contact_ends small_ends(const void *owner, int64_t i)
{
    const contact_row *row = &((const small_system *)owner)->row[i];
    return (contact_ends){row->a, row->b, row->centre_line};
}
static inline contact_row small_row(const void *owner, int64_t i) { return ((const small_system *)owner)->row[i]; }
static inline system_body small_body(const void *owner, int64_t i) { return ((const small_system *)owner)->body[i]; }

static inline contact_system system_of(small_system *s, int threads)
{
    return (contact_system){.owner = s,
                            .body_count = s->body_count,
                            .contact_count = s->contact_count,
                            .general_count = s->general_count,
                            .threads = threads,
                            .ends = small_ends,
                            .row = small_row,
                            .body = small_body,
                            .impulse = s->impulse,
                            .precise = s->precise,
                            .joints = s->joints};
}

// A solid sphere of that radius.
static inline int32_t small_sphere(small_system *s, double mass, double radius, scr_vec3 velocity, scr_vec3 spin)
{
    int32_t i = (int32_t)s->body_count++;
    s->body[i] = (system_body){.inv_mass = 1.0 / mass, .is_grain = true, .length = radius};
    for (int k = 0; k < 3; ++k) s->body[i].inv_inertia.m[k][k] = 2.5 / (mass * radius * radius);
    s->velocity[i] = velocity;
    s->spin[i] = spin;
    return i;
}

// A body with these principal moments along the axes of the world.
static inline int32_t small_block(small_system *s, double mass, scr_vec3 inertia, scr_vec3 velocity, scr_vec3 spin)
{
    int32_t i = (int32_t)s->body_count++;
    s->body[i] = (system_body){.inv_mass = 1.0 / mass, .length = 1.0};
    s->body[i].inv_inertia.m[0][0] = 1.0 / inertia.x;
    s->body[i].inv_inertia.m[1][1] = 1.0 / inertia.y;
    s->body[i].inv_inertia.m[2][2] = 1.0 / inertia.z;
    s->velocity[i] = velocity;
    s->spin[i] = spin;
    return i;
}

static inline scr_vec3 small_velocity(const small_system *s, int32_t body, scr_vec3 lever)
{
    if (body == NO_BODY) return vec3(0.0, 0.0, 0.0);
    return vec3_add(s->velocity[body], vec3_cross(s->spin[body], lever));
}

// Contacts on the centre line must come before all others. Compliance eps is relative, as in contact_row.
static inline contact_row *small_contact(small_system *s, int32_t a, int32_t b, scr_vec3 n, scr_vec3 lever_a,
                                         scr_vec3 lever_b, bool centre_line, double mu, double eps)
{
    contact_row *row = &s->row[s->contact_count++];
    *row = (contact_row){.a = a,
                         .b = b,
                         .centre_line = centre_line,
                         .n = n,
                         .lever_a = lever_a,
                         .lever_b = lever_b,
                         .mu = mu,
                         .eps_n = eps,
                         .eps_t = eps,
                         .length_a = a == NO_BODY ? 1.0 : s->body[a].length,
                         .length_b = b == NO_BODY ? 1.0 : s->body[b].length};
    s->general_count += !centre_line;
    contact_system system = system_of(s, 1);
    mat3 block = contact_row_block(&system, row);
    row->a_n = vec3_dot(n, mat3_times(&block, n));
    row->a_t = 0.5 * (block.m[0][0] + block.m[1][1] + block.m[2][2] - row->a_n);
    row->r = vec3_sub(small_velocity(s, b, lever_b), small_velocity(s, a, lever_a));
    return row;
}

// A solver of a test, by name.
typedef struct solver_way {
    const char *name;
    scr_solver_kind kind;
    scr_precision precision;
    double tolerance;
    int iterations;
    scr_instruction_set set;
} solver_way;

static inline solve_result small_solve_from(small_system *s, const solver_way *way, scr_friction_law friction,
                                            int threads, const solve_watch *watch)
{
    problem built = {0};
    scr_arena scratch = {0};
    contact_system system = system_of(s, threads);
    scr_solver_def def = {
        .kind = way->kind, .precision = way->precision, .tolerance = way->tolerance, .max_iterations = way->iterations};
    solve_setting setting = {.def = &def,
                             .friction = friction,
                             .kernels = sweep_kernels_for(way->set),
                             .instruction_set = way->set,
                             .watch = watch};
    solve_result result;
    assert_ok(problem_build(&built, &system, &error));
    assert_ok(solve_system(&built, &system, &setting, &scratch, &result, &error));
    if (result.precise == NULL)
        for (int64_t k = 0; k < 3 * s->contact_count; ++k) s->precise[k] = (double)s->impulse[k];
    problem_free(&built);
    scr_arena_free(&scratch);
    return result;
}

// From nothing, on one thread.
static inline solve_result small_solve(small_system *s, const solver_way *way, scr_friction_law friction)
{
    memset(s->impulse, 0, sizeof s->impulse);
    return small_solve_from(s, way, friction, 1, NULL);
}

static inline scr_vec3 small_impulse(const small_system *s, int64_t i)
{
    return vec3(s->precise[3 * i], s->precise[3 * i + 1], s->precise[3 * i + 2]);
}

// The relative velocity at a contact with the impulses of the answer.
static inline scr_vec3 small_result_velocity(const small_system *s, int64_t contact)
{
    scr_vec3 v = s->row[contact].r;
    const int32_t side[2] = {s->row[contact].a, s->row[contact].b};
    const scr_vec3 at[2] = {s->row[contact].lever_a, s->row[contact].lever_b};
    for (int64_t i = 0; i < s->contact_count; ++i) {
        for (int t = 0; t < 2; ++t) {
            scr_vec3 push = t == 0 ? vec3_neg(small_impulse(s, i)) : small_impulse(s, i);
            scr_vec3 lever = t == 0 ? s->row[i].lever_a : s->row[i].lever_b;
            int32_t body = t == 0 ? s->row[i].a : s->row[i].b;
            for (int k = 0; k < 2; ++k) {
                if (body == NO_BODY || side[k] != body) continue;
                scr_vec3 w = mat3_times(&s->body[body].inv_inertia, vec3_cross(lever, push));
                scr_vec3 change = vec3_add(vec3_scale(s->body[body].inv_mass, push), vec3_cross(w, at[k]));
                v = k == 0 ? vec3_sub(v, change) : vec3_add(v, change);
            }
        }
    }
    return v;
}

// Of the answer, relative to it.
static inline double distance_to(const small_system *s, const double *reference)
{
    double d2 = 0.0, size2 = 0.0;
    for (int64_t k = 0; k < 3 * s->contact_count; ++k) {
        d2 += (s->precise[k] - reference[k]) * (s->precise[k] - reference[k]);
        size2 += reference[k] * reference[k];
    }
    return sqrt(d2 / size2);
}

#endif
