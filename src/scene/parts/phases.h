// SPDX-License-Identifier: BSD-3-Clause
// The phases of a run: a bed settles, a tool comes down, and only then does the measurement begin. How long each takes
// is not known before: a phase ends when all that its scene asks for has held for some time, and the next one begins
// with the next step. Functions of time may differ from phase to phase (time_function.h).
//
// Which phase it is decides the future, so all of it is state.
#ifndef SCENE_PARTS_PHASES_H
#define SCENE_PARTS_PHASES_H

#include "scene/parts/scripted.h"
#include "scene/sleep/sleeping.h"

typedef enum phase_result {
    PHASE_OPEN,      // it is not over
    PHASE_REACHED,   // what it waited for has come
    PHASE_TIMED_OUT  // it has not, in the time that the scene allows
} phase_result;

typedef struct phases {
    table table;        // "phases": an entry for each of the scene's phases; state of scenes that have some
    double *began_at;   // s; INFINITY: not yet
    int64_t *result;    // phase_result
    int64_t index;      // scalar: of the phase that it is; the last one if all are over
    double held_since;  // scalar, s: since when all that the phase waits for is so; INFINITY: it is not now
    double from[3];     // scalar, m: where the body whose travel counts was as the phase began
    double ended_at;    // scalar, s: when the last one was over; INFINITY: it is not
} phases;

scr_status phases_init(phases *p, const scene *s, scr_error *error);  // after a failure too: phases_free
void phases_free(phases *p);
phase_now phases_now(const phases *p);
// Right after a step: is the phase over?
void phases_look(phases *p, const scene *s, const scripted_bodies *bodies, const sleeping *asleep,
                 const scr_world *world);

#endif
