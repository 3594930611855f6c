// SPDX-License-Identifier: BSD-3-Clause
// How the lengths of a periodic cell follow its stress.
#include "scene/run/cell_servo.h"

#include <math.h>

#include "core/maths/period.h"
#include "dynamics/world/world_state.h"
#include "scene/model/messages.h"

static const double LIVELY = 0.22;     // w h at most
static const double DAMPING = 0.7;     // z
static const double TANGENTIAL = 1.5;  // stiffness with tangential springs over that without
static const double MOST_RISE = 0.2;   // of the stress, asked or present: by so much it changes in a step, at most

static const field_info fields[] = {SCALAR_WIDE(cell_servo, before, FIELD_F64, 3, "Pa")};

void cell_servo_init(cell_servo *c)
{
    *c = (cell_servo){0};
    c->table = (table){"servo", fields, sizeof fields / sizeof *fields, c, 0, 0, false};
}

scr_status check_servo(const scene *s, scr_error *error)
{
    if (!s->servo.present) return SCR_OK;
    if (s->emitter_count > 0)
        return scene_fail(error, SCR_BAD_INPUT, s, s->emitters[0].location,
                          "%s: where a servo changes the lengths of the cell there are no emitters",
                          label_of("emitter", s->emitters[0].name, 0).text);
    if (s->world.contact.law == SCR_RIGID)
        return scene_fail(error, SCR_BAD_INPUT, s, s->servo.location,
                          "a cell of rigid grains does not give way: the stress can be held of compliant and penalty "
                          "contacts only");
    return SCR_OK;
}

static const time_function *component(const time_vector *v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

// One axis, and what is known of it.
typedef struct held_axis {
    double length, rate;           // m, m/s
    double face;                   // m^2
    double stress, before, asked;  // Pa
    double stiffness;              // Pa
    double mass;                   // kg, of all bodies
    double fastest;                // m/s
} held_axis;

static double new_rate(const held_axis *a, double h)
{
    double spring = a->stiffness * a->face / a->length,  // N/m
        inertia = fmax(a->mass, spring * h * h / (LIVELY * LIVELY)), pull = h * (a->stress - a->asked),
           fastest = a->fastest;
    if (spring > 0.0) {
        pull += 2.0 * DAMPING * sqrt(inertia / spring) * (a->stress - a->before);
        fastest = fmin(fastest, MOST_RISE * fmax(fabs(a->asked), fabs(a->stress)) * a->length / (a->stiffness * h));
    }
    return fmin(fmax(a->rate + a->face / inertia * pull, -fastest), fastest);
}

scr_status cell_servo_run(cell_servo *c, const scene *s, scr_world *world, phase_now phase, scr_error *error)
{
    scr_stress now;
    if (!s->servo.present) return SCR_OK;
    scr_status status = scr_world_stress(world, &now, error);
    if (status != SCR_OK) return status;
    double h = scr_world_time_step(world), t = scr_world_time(world) + h, mass = mass_of_bodies(world), rate[3];
    scr_vec3 length = scr_world_cell(world), growing = scr_world_cell_rate(world);
    for (int axis = 0; axis < 3; ++axis) {
        const time_function *held = component(&s->servo.stress, axis), *driven = component(&s->servo.rate, axis);
        double stress = now.contact[axis][axis] + now.kinetic[axis][axis];
        held_axis a = {.length = vec3_along(length, axis),
                       .rate = vec3_along(growing, axis),
                       .face = now.volume / vec3_along(length, axis),
                       .stress = stress,
                       .before = c->before[axis],
                       .asked = time_function_in(held, t, phase),
                       .stiffness = TANGENTIAL * now.stiffness[axis],
                       .mass = mass,
                       .fastest = s->servo.speed};
        bool is_driven = time_function_is_nothing(held, t, phase);
        rate[axis] = is_driven ? time_function_in(driven, t, phase) : new_rate(&a, h);
        c->before[axis] = stress;
        if (!isfinite(rate[axis]))
            return scene_fail(error, SCR_DIVERGED, s, s->servo.location, "the servo has no number at t = %g s", t);
    }
    scr_error reason;
    status = scr_world_stretch(world, vec3(rate[0], rate[1], rate[2]), &reason);
    if (status == SCR_OK) return SCR_OK;
    return scene_fail(error, SCR_DIVERGED, s, s->servo.location, "at t = %g s %s", t - h, reason.message);
}
