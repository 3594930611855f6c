// SPDX-License-Identifier: BSD-3-Clause
// The dense bed of penalty_bed.h among other things than five planes: what such neighbours cost its step.
#ifndef BENCH_PENALTY_SETTINGS_H
#define BENCH_PENALTY_SETTINGS_H

#include "penalty_bed.h"

typedef struct penalty_setting {
    const char *name;
    bool boxes;      // five fixed boxes instead of planes
    bool repeats;    // only the floor is a plane: space repeats itself along x and y
    bool sheared;    // no plane, no weight: space repeats itself, and flows along x, the faster the higher, by 1/s
    bool stretched;  // likewise, but the height shrinks and the sides grow,
    bool served;     // as by a servo, which reads the stress after every step and changes the rates
    bool blade;      // an upright mesh of 512 triangles, drawn through the bed along x at 0.2 m/s
    bool paddle;     // a box on a hinge, driven round at 5 rad/s with its lower half in the bed
    int emitted;     // grains a step that fall in from above, while as many that fell in long ago are taken out,
    int round;       // so many steps' at once
} penalty_setting;

enum {
    PENALTY_EMITTED_STAY = 200,  // steps that a grain of the emitter stays: some whole rounds
    PENALTY_EMITTED_MAX = 400    // in a round
};

// nx x ny tiles in a setting. Grains where the blade or the paddle is are left out.
scr_status penalty_setting_lay(const penalty_setting *setting, const scr_vec3 *position, int nx, int ny,
                               scr_world_def def, scr_world **world, scr_error *error);
// After a step: what a servo would do.
scr_status penalty_setting_serve(scr_world *world, scr_error *error);
// Before a step: the emitter's next grains, if a round begins. handles: (PENALTY_EMITTED_STAY, emitted), of those that
// it has out.
scr_status penalty_setting_emit(const penalty_setting *setting, scr_world *world, int64_t step, scr_body *handles,
                                scr_error *error);

#endif
