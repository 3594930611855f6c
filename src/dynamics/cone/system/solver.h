// SPDX-License-Identifier: BSD-3-Clause
// What every solver of the contact problem is given, and what it says when it is done.
#ifndef DYNAMICS_CONE_SYSTEM_SOLVER_H
#define DYNAMICS_CONE_SYSTEM_SOLVER_H

#include "dynamics/cone/system/core.h"
#include "dynamics/cone/system/islands.h"
#include "dynamics/cone/system/subsystem.h"
#include "scree/world.h"

typedef struct sweep_kernels sweep_kernels;  // sweep.h

// How well impulses solve a problem, in double precision. u = (N + R) g + r; with Coulomb friction mu |u_t| n is added.
typedef struct solve_accuracy {
    double residual;            // m/s; cone_residual2
    double published_residual;  // m/s; the same with a d a million times smaller (rows.h)
    double force_error;         // force_error.h
    double objective;           // J; 1/2 g^T (N + R) g + r^T g
} solve_accuracy;

typedef struct solve_result {
    int iterations;
    int64_t passes;      // over all contacts: sweeps, or products with N
    double change;       // the relative change of the impulses in the last sweep, or the published residual (m/s)
    double force_error;  // force_error.h; what solvers stop on
    double kinetic;      // J; what the force error is relative to, where sweeps in single precision have measured it
    double compliance;   // sweeps in single precision: z R z over z (A + R) z of all impulses z
    bool is_measured;    // all of the accuracy: only when somebody watches; else the force error alone, if that
    solve_accuracy accuracy;
    const double *precise;  // the answer in double precision, as in contact_system; NULL: single is all there is
} solve_result;

// A solve so far.
typedef struct solve_progress {
    int iterations;
    int64_t passes;
    double seconds;  // since the solve began, without what watching took
    solve_accuracy accuracy;
    const double *impulse;  // N s; 3 a contact, as in contact_system
} solve_progress;

// Called after iteration 1 and then in steps of a twentieth of the iterations done, at least 1.
typedef struct solve_watch {
    void (*see)(void *context, const solve_progress *progress);
    void *context;
} solve_watch;

typedef struct newton_memory newton_memory;  // newton_equations.h

// Sweeps under Coulomb's law that mix their cycles (sweep_mixing.h).
enum { MIXED_CYCLES = 3 };  // 2 to 5 are alike
typedef struct mixing_memory {
    float *vector;
    int64_t vector_capacity;
    double *sums;  // of blocks of bundles
    int64_t sums_capacity;
    double gram[MIXED_CYCLES][MIXED_CYCLES], share[MIXED_CYCLES];
    double last_change;  // of a cycle
    int pairs, next;     // of differences that are known; which one is made anew
    bool is_second;      // or a later cycle: there is one to compare with
} mixing_memory;

// What solves of islands, and sweeps, keep for the next ones.
typedef struct solver_memory {
    newton_memory *newton;
    subsystem island;
    system_region core;
    struct local_memory *local;  // local_sweeps.h
    scr_arena scratch;
    island_list islands;
    double *precise;  // impulses in double precision, for systems that have no room of their own
    int64_t precise_capacity;
    mixing_memory mixing;
    double *kept;  // an answer, while another one is tried
    int64_t kept_capacity;
} solver_memory;

typedef struct solve_setting {
    const scr_solver_def *def;
    scr_friction_law friction;
    const sweep_kernels *kernels;         // of single precision sweeps
    scr_instruction_set instruction_set;  // of sweeps in double precision
    double
        newton_end;  // what a step of Newton's method may change of the velocity if it is the last; 0: its own choice
    double whole_kinetic;  // J; where this is a part: what the force error of the whole is relative to; 0: it is not
    float *gaps;           // sweeps: where the gap of each contact goes when they end (sweeps.h); NULL: nowhere
    int measure_sweeps;    // after at most so many sweeps their error is measured; 0: their own choice
    int few_sweeps;        // after so many, sweeps go on only while max_iterations seem to be enough; 0: to the end
    double cell_energy;    // J: as in force_error.h; 0 but in a stretched space
    const solve_watch *watch;  // NULL: nobody watches
    solver_memory *memory;     // kept from solve to solve; NULL: made for this one
} solve_setting;

// Whether there is anything to report after this iteration; where the next report is due is kept in *next.
bool solve_watch_is_due(int iterations, int *next);

enum { SOLVER_KINDS = SCR_SOLVER_AUTO + 1 };
extern const char *const SOLVER_NAMES[SOLVER_KINDS];  // by scr_solver_kind, as scenes and options call them

#endif
