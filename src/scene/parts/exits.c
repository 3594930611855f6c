// SPDX-License-Identifier: BSD-3-Clause
// Sinks and the domain: threads look, one removes.
#include "scene/parts/exits.h"

#include "core/base/status.h"
#include "core/maths/vec3.h"
#include "dynamics/world/world_state.h"
#include "scene/model/messages.h"

static const field_info exit_fields[] = {
    SCALAR(exits, sunk, FIELD_I64, ""),
    SCALAR(exits, left, FIELD_I64, ""),
    SCALAR(exits, sunk_mass, FIELD_F64, "kg"),
    SCALAR(exits, left_mass, FIELD_F64, "kg"),
};

typedef enum fate { FATE_STAYS, FATE_SINKS, FATE_LEAVES } fate;

typedef struct exit_search {
    const scene *scene;
    const periodic_cell *period;
    scr_body_view bodies;
    double time, half_step;  // s
} exit_search;

void exits_init(exits *e)
{
    *e = (exits){0};
    e->table = (table){"exits", exit_fields, sizeof exit_fields / sizeof *exit_fields, e, 0, 0, false};
}

void exits_free(exits *e) { scr_free(e->leaving); }

static bool sink_is_open(const exit_search *x, const scene_sink *sink)
{
    return x->time > sink->start - x->half_step && x->time < sink->stop + x->half_step;
}

// Not "outside": a position that is no number is not inside either.
static bool is_between(double low, double x, double high) { return x >= low && x <= high; }

// Along an axis where space repeats itself nothing leaves it.
static bool domain_contains(const exit_search *x, scr_vec3 p)
{
    const scene_domain *domain = &x->scene->domain;
    const double *repeats = x->period->length;
    return (repeats[0] > 0.0 || is_between(domain->low.x, p.x, domain->high.x)) &&
           (repeats[1] > 0.0 || is_between(domain->low.y, p.y, domain->high.y)) &&
           (repeats[2] > 0.0 || is_between(domain->low.z, p.z, domain->high.z));
}

static scr_vec3 position_of(const scr_body_view *bodies, int64_t i)
{
    return vec3(bodies->x[i], bodies->y[i], bodies->z[i]);
}

static fate fate_of(const exit_search *x, scr_vec3 p)
{
    for (int k = 0; k < x->scene->sink_count; ++k) {
        const scene_sink *sink = &x->scene->sinks[k];
        if (sink_is_open(x, sink) && region_contains_image(&sink->region, x->period, p)) return FATE_SINKS;
    }
    const scene_domain *domain = &x->scene->domain;
    bool closed = domain->present && domain->leave != LEAVE_KEEP;
    return closed && !domain_contains(x, p) ? FATE_LEAVES : FATE_STAYS;
}

static int64_t find_leaving(const void *context, int64_t first, int64_t last, int32_t *hits)
{
    const exit_search *x = context;
    int64_t count = 0;
    for (int64_t i = first; i < last; ++i) {
        if (x->bodies.kind[i] != SCR_DYNAMIC) continue;
        if (fate_of(x, position_of(&x->bodies, i)) != FATE_STAYS) hits[count++] = (int32_t)i;
    }
    return count;
}

static scr_status fail_because_left(const exit_search *x, int64_t i, int64_t step, scr_error *error)
{
    scr_vec3 p = position_of(&x->bodies, i);
    return scr_fail(error, SCR_DIVERGED, "%s left the domain in step %lld (t = %g s): its centre is at (%g, %g, %g) m",
                    label_of_body(x->scene, x->bodies.id[i]).text, (long long)step, x->time, p.x, p.y, p.z);
}

// Take away the chosen bodies, in the order of the view, and count them.
static scr_status remove_chosen(exits *e, const exit_search *x, const selection *chosen, scr_world *world,
                                scr_error *error)
{
    scr_status status =
        scr_grow(&e->leaving, &e->leaving_capacity, chosen->count, sizeof *e->leaving, "bodies to be removed", error);
    if (status != SCR_OK) return status;
    exits after = *e;
    for (int64_t k = 0; k < chosen->count; ++k) {
        int64_t i = chosen->index[k];
        fate f = fate_of(x, position_of(&x->bodies, i));
        if (f == FATE_LEAVES && x->scene->domain.leave == LEAVE_STOP)
            return fail_because_left(x, i, scr_world_step_count(world), error);
        int64_t *count = f == FATE_SINKS ? &after.sunk : &after.left;
        double *mass = f == FATE_SINKS ? &after.sunk_mass : &after.left_mass;
        *count += 1;
        *mass += 1.0 / x->bodies.inv_mass[i];
        e->leaving[k] = x->bodies.handle[i];
    }
    status = scr_world_remove_bodies(world, chosen->count, e->leaving, error);
    if (status == SCR_OK) *e = after;
    return status;
}

scr_status exits_run(exits *e, const scene *s, scr_world *world, selection *chosen, int threads, scr_error *error)
{
    bool closed = s->domain.present && s->domain.leave != LEAVE_KEEP;
    if (s->sink_count == 0 && !closed) return SCR_OK;
    exit_search x = {s, world_period(world), scr_world_bodies(world), scr_world_time(world),
                     0.5 * scr_world_time_step(world)};
    selection_make(chosen, x.bodies.count, find_leaving, &x, threads);
    return chosen->count > 0 ? remove_chosen(e, &x, chosen, world, error) : SCR_OK;
}
