// SPDX-License-Identifier: BSD-3-Clause
// The drivers of a scene.
#include "scene/parts/drivers.h"

#include <math.h>

#include "core/maths/quat.h"
#include "core/maths/trig.h"
#include "core/maths/vec3.h"
#include "dynamics/world/world_state.h"
#include "scene/model/messages.h"
#include "scene/parts/list_table.h"

static const field_info fields[] = {
    FIELD(drivers, speed, FIELD_F64, "m/s"),       FIELD(drivers, yaw_rate, FIELD_F64, "rad/s"),
    FIELD(drivers, speed_added, FIELD_F64, "m/s"), FIELD(drivers, yaw_added, FIELD_F64, "rad/s"),
    FIELD(drivers, along, FIELD_F64, "m"),
};

scr_status drivers_init(drivers *d, const scene *s, scr_error *error)
{
    *d = (drivers){0};
    d->table = (table){"drivers", fields, sizeof fields / sizeof *fields, d, 0, 0, false};
    scr_status status = list_table_init(&d->table, s->driver_count, error);
    if (status == SCR_OK)
        status = scr_grow(&d->next, &d->next_capacity, s->driver_count, sizeof *d->next, "drivers", error);
    return status;
}

void drivers_free(drivers *d)
{
    table_free(&d->table);
    scr_free(d->next);
}

static driver_state remembered(const drivers *d, int64_t i)
{
    return (driver_state){d->speed[i], d->yaw_rate[i], d->speed_added[i], d->yaw_added[i], d->along[i]};
}

// A sprocket's motor turns its track at what the driver wants of it.
static void set_motors(const scene_driver *driver, const driver_state *state, const linkage *l, scr_world *world)
{
    for (int k = 0; k < driver->track_count; ++k) {
        double rolling = driver_track_speed(state, driver->track[k].y);
        world_set_drive(world, l->joint[driver->track[k].sprocket],
                        (scr_function){.constant = rolling / driver->track[k].rolling_radius});
    }
}

static scr_status ask(const scene *s, int64_t i, const step_span *step, driver_input *in, scr_error *error)
{
    const scene_driver *driver = &s->drivers[i];
    in->asked_speed = time_function_in(&driver->speed, step->t1, step->phase);
    in->asked_yaw_rate = time_function_in(&driver->yaw_rate, step->t1, step->phase);
    if (isfinite(in->asked_speed) && isfinite(in->asked_yaw_rate)) return SCR_OK;
    return scene_fail(error, SCR_DIVERGED, s, driver->location, "%s has no number at t = %g s",
                      label_of("driver", driver->name, i).text, step->t1);
}

static void measure(const scr_body_state *chassis, const scr_frame *frame, driver_input *in)
{
    scr_vec3 forward = quat_rotate(frame->rotation, vec3(1.0, 0.0, 0.0));
    in->at = (ground_point){frame->position.x, frame->position.y};
    in->heading = scr_atan2(forward.y, forward.x);
    in->speed = vec3_dot(chassis->velocity, forward);
    in->yaw_rate = vec3_dot(chassis->spin, quat_z(frame->rotation));
}

scr_status drivers_begin_step(drivers *d, const scene *s, const scripted_bodies *bodies, const linkage *l,
                              scr_world *world, const step_span *step, scr_error *error)
{
    for (int64_t i = 0; i < s->driver_count; ++i) {
        const scene_driver *driver = &s->drivers[i];
        driver_input in;
        scr_body_state chassis;
        d->next[i] = remembered(d, i);
        scr_status status = ask(s, i, step, &in, error);
        if (status != SCR_OK) return status;
        if (scr_body_get_state(world, bodies->handle[driver->body], &chassis, NULL) != SCR_OK) continue;  // it is gone
        scr_frame frame = scripted_frame(bodies, world, driver->body);
        measure(&chassis, &frame, &in);
        d->next[i] = driver_decide(&driver->def, d->next[i], &in, step->t1 - step->t0);
    }
    for (int64_t i = 0; i < s->driver_count; ++i) set_motors(&s->drivers[i], &d->next[i], l, world);
    return SCR_OK;
}

void drivers_end_step(drivers *d)
{
    for (int64_t i = 0; i < d->table.count; ++i) {
        const driver_state *next = &d->next[i];
        d->speed[i] = next->speed;
        d->yaw_rate[i] = next->yaw_rate;
        d->speed_added[i] = next->speed_added;
        d->yaw_added[i] = next->yaw_added;
        d->along[i] = next->along;
    }
}

void drivers_undo_step(const drivers *d, const scene *s, const linkage *l, scr_world *world)
{
    for (int64_t i = 0; i < s->driver_count; ++i) {
        driver_state before = remembered(d, i);
        set_motors(&s->drivers[i], &before, l, world);
    }
}

scr_status drivers_after_load(const drivers *d, const scene *s, const linkage *l, scr_world *world, scr_error *error)
{
    scr_status status = list_table_check(&d->table, s->driver_count, error);
    if (status == SCR_OK) drivers_undo_step(d, s, l, world);
    return status;
}
