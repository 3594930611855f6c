// SPDX-License-Identifier: BSD-3-Clause
// Whether the steps of a run are short enough for the penalty law, in words.
#ifndef APP_SOURCE_STEP_ADVICE_H
#define APP_SOURCE_STEP_ADVICE_H

#include "scree/world.h"

typedef struct step_words {
    bool is_too_long;  // the scene's step exceeds the advised one
    char text[640];    // "at most 21.3 us for sand of 4.25 mm radius (...); steps of 20 us are 0.94 times that"
} step_words;
// Of advice that has a limit. time_step: s; material: the name of advice->material.
step_words words_on_step(const scr_step_advice *advice, double time_step, const char *material);

#endif
