// SPDX-License-Identifier: BSD-3-Clause
#include "scene/populate/shear_start.h"

#include "dynamics/world/world_state.h"
#include "scene/model/messages.h"

double shear_rate_at(const scene *s, double t, phase_now phase)
{
    return s->shear.present ? time_function_in(&s->shear.rate, t, phase) : 0.0;
}

scr_status check_shear(const scene *s, scr_error *error)
{
    if (!s->shear.present || s->emitter_count == 0) return SCR_OK;
    return scene_fail(error, SCR_BAD_INPUT, s, s->emitters[0].location,
                      "%s: where space is sheared there are no emitters",
                      label_of("emitter", s->emitters[0].name, 0).text);
}

scr_status start_in_flow(const scene *s, scr_world *world, scr_error *error)
{
    const periodic_cell *p = world_period(world);
    scr_body_view b = scr_world_bodies(world);
    double rate = shear_rate_at(s, 0.0, (phase_now){0, 0.0});
    scr_status status = SCR_OK;
    if (!s->shear.starts_in_flow) return SCR_OK;
    for (int64_t i = 0; i < b.count && status == SCR_OK; ++i) {
        double height = vec3_along(vec3(b.x[i], b.y[i], b.z[i]), p->gradient) - p->low[p->gradient],
               middle = 0.5 * p->length[p->gradient];
        scr_body_state state;
        status = scr_body_get_state(world, b.handle[i], &state, error);
        state.velocity = vec3_add(state.velocity, period_flow(p, rate * (height - middle)));
        if (status == SCR_OK) status = scr_body_set_state(world, b.handle[i], &state, error);
    }
    return status;
}
