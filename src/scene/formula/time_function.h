// SPDX-License-Identifier: BSD-3-Clause
// Functions of time: what drives a motor, moves a kinematic body, loads a body or changes gravity. A constant, a
// formula, a table or a sine; pieces of these, or another one of these in each phase of a run.
//
// A table of times and values is followed by straight lines, and held at its ends. Of pieces the last one that has
// begun counts; it may be nothing, as it is before the first, and so may that of a phase: then a motor is off, and all
// others have 0. All give the same bits on every machine, and the same number for the same time, in the same phase,
// whenever they are asked.
#ifndef SCENE_FORMULA_TIME_FUNCTION_H
#define SCENE_FORMULA_TIME_FUNCTION_H

#include "scene/formula/expression.h"
#include "scree/base.h"
#include "scree/joint.h"

// Pairs of numbers, the first of each pair rising.
typedef struct number_pairs {
    int64_t count;
    double *value;  // 2 each
} number_pairs;
void number_pairs_free(number_pairs *pairs);
// Straight lines between the pairs, held at both ends; at least one pair.
double number_pairs_at(const number_pairs *pairs, double x);

typedef enum time_function_kind {
    TIME_CONSTANT,
    TIME_FORMULA,
    TIME_TABLE,
    TIME_SINE,
    TIME_PIECES,
    TIME_BY_PHASE,
    TIME_NOTHING  // of a phase
} time_function_kind;

// Which phase of a run it is, and since when. All zero in scenes without phases.
typedef struct phase_now {
    int index;
    double began;  // s
} phase_now;

// A step, which lies within one phase.
typedef struct step_span {
    double t0, t1;  // s
    phase_now phase;
} step_span;
static inline double step_middle(const step_span *step) { return 0.5 * (step->t0 + step->t1); }

typedef struct time_function {
    time_function_kind kind;
    double constant;
    expression *formula;
    number_pairs table;                          // s and value, at least one pair
    double amplitude, frequency, phase, offset;  // offset + amplitude sin(2 pi frequency t + phase); Hz, rad
    struct time_piece *piece;                    // their times rise
    int64_t piece_count;
    struct time_function *of_phase;  // of the time since its phase began; any kind but pieces, by phase
    int phase_count;
} time_function;
typedef struct time_piece {
    double from;  // s
    bool is_nothing;
    time_function value;  // of any kind but pieces and by phase
} time_piece;

double time_function_in(const time_function *f, double t, phase_now phase);  // t in s
double time_function_at(const time_function *f, double t);                   // in the first phase
bool time_function_is_nothing(const time_function *f, double t, phase_now phase);
// Is it a formula, or has one in it? All others have a number at any time.
bool time_function_has_formula(const time_function *f);
// The same for the world, which knows nothing of nothing and no phases: of pieces it gets the value of the last one
// that has one, of a function by phase the value as the first one begins. Lasts as long as f.
scr_function time_function_call(const time_function *f);
void time_function_free(time_function *f);

// A vector whose components are such.
typedef struct time_vector {
    time_function x, y, z;
} time_vector;

scr_vec3 time_vector_in(const time_vector *v, double t, phase_now phase);
scr_vec3 time_vector_at(const time_vector *v, double t);  // in the first phase
void time_vector_free(time_vector *v);

#endif
