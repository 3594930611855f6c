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

step_advice advise_step(simulation *sim)
{
    const scene *s = simulation_scene(sim);
    step_advice result = {0};
    if (s->world.contact.law != SCR_PENALTY) return result;
    scr_step_advice advice = scr_world_advised_step(simulation_world(sim));
    if (advice.limit == SCR_LIMIT_NONE) return result;
    char why[200];
    say_why(why, sizeof why, &advice);
    double h = s->world.time_step;
    result.is_given = true;
    result.is_too_long = h > advice.time_step;
    snprintf(result.text, sizeof result.text, "at most %s for %s of %s radius (%s); steps of %s are %s times that",
             human_duration(advice.time_step).text, s->materials[advice.material].name,
             human_length(advice.radius).text, why, human_duration(h).text, human_figure(h / advice.time_step).text);
    return result;
}
