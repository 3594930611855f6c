// Whether the steps of a run are short enough for the penalty law, in words.
#ifndef APP_SOURCE_STEP_ADVICE_H
#define APP_SOURCE_STEP_ADVICE_H

#include "scene/run/simulation.h"

typedef struct step_advice {
    bool is_given;     // only under the penalty law, and where something limits the step
    bool is_too_long;  // the scene's step exceeds the advised one
    char text[640];    // "at most 21.3 us for sand of 4.25 mm radius (...); steps of 20 us are 0.94 times that"
} step_advice;
// For the bodies that are there now.
step_advice advise_step(simulation *sim);

#endif
