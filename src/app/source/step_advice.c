// SPDX-License-Identifier: BSD-3-Clause
// Whether the steps of a run are short enough for the penalty law.
#include "app/source/step_advice.h"

#include <stdio.h>

#include "core/text/human.h"

static void say_why(char *text, size_t size, const scr_step_advice *advice)
{
    if (advice->limit == SCR_LIMIT_RAYLEIGH) {
        snprintf(text, size, "a surface wave crosses it in %s", human_duration(advice->rayleigh_time).text);
    } else {
        snprintf(text, size, "an impact at %s m/s lasts %s", human_figure(advice->impact_speed).text,
                 human_duration(advice->contact_time).text);
    }
}

step_words words_on_step(const scr_step_advice *advice, double time_step, const char *material)
{
    char why[200];
    say_why(why, sizeof why, advice);
    step_words words = {.is_too_long = time_step > advice->time_step};
    snprintf(words.text, sizeof words.text, "at most %s for %s of %s radius (%s); steps of %s are %s times that",
             human_duration(advice->time_step).text, material, human_length(advice->radius).text, why,
             human_duration(time_step).text, human_figure(time_step / advice->time_step).text);
    return words;
}
