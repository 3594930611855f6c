// SPDX-License-Identifier: BSD-3-Clause
// A laboratory for solvers: one saved problem, one reference answer, and solvers tried on it with their whole history.
//
// The measure is the velocity error |v - v*|_M / |v* - v_free|_M (impulse_motion.h). Time is taken in runs of their own
// that nobody watches, the least of a few, and dealt out to the points of a watched one by their passes. Solvers that
// sweep over bundles are charged with making them.
#ifndef LABORATORY_LABORATORY_H
#define LABORATORY_LABORATORY_H

#include "dynamics/cone/solve/solve.h"
#include "laboratory/saved_joints.h"

typedef struct trial_point {
    int iterations;
    int64_t passes;
    double seconds;
    double residual, published_residual;  // m/s
    double force_error;                   // as in solve_accuracy
    double velocity_error;
} trial_point;

// A solver's history; the last point is its answer.
typedef struct trial {
    trial_point *point;
    int64_t count, capacity;
} trial;

typedef struct laboratory {
    const saved_system *system;
    saved_joints joints;
    int threads;
    problem problem;
    scr_arena scratch;
    float *impulse;          // (3 a contact) where solvers work
    float *angular_impulse;  // (3 a contact)
    double *precise;         // (6 a contact) impulses, then angular impulses
    double *load;            // (6 a contact) as in saved_system: of the last answer, or of a point in a history
    double *inertia;         // (9 a body)
    double *reference;       // (6 a body) W D g*, W being M^-1 without joints
    double *motion;          // (6 a body) W D g of a point in a history
    double reference_norm;
    scr_instruction_set instruction_set;
} laboratory;

// The system must outlive the laboratory.
scr_status laboratory_open(laboratory *lab, const saved_system *system, int threads, scr_error *error);
void laboratory_close(laboratory *lab);

// Measure against this answer (loads, 6 a contact).
void laboratory_set_reference(laboratory *lab, const double *answer);
// Solve as well as can be, into answer (loads, 6 a contact). *result says how well that is.
scr_status laboratory_find_reference(laboratory *lab, scr_friction_law friction, int iterations, double *answer,
                                     solve_result *result, scr_error *error);

// How a solve is done: from zero impulses if cold, else from the problem's own guess.
typedef struct trial_setting {
    scr_solver_def solver;
    scr_friction_law friction;
    bool cold;
} trial_setting;

// The history of a solve, without times.
scr_status laboratory_watch(laboratory *lab, const trial_setting *setting, trial *t, scr_error *error);
// How long it takes when nobody watches.
scr_status laboratory_time(laboratory *lab, const trial_setting *setting, double *seconds, solve_result *result,
                           scr_error *error);
// Both.
scr_status laboratory_try(laboratory *lab, const trial_setting *setting, trial *t, scr_error *error);
void trial_free(trial *t);
// The first point from which on the velocity error stays at or below share; NULL if there is none.
const trial_point *trial_reaches(const trial *t, double share);

#endif
