// SPDX-License-Identifier: BSD-3-Clause
// Rows that hold only up to a point: motors of limited force, friction, limits. Each is held, as a rigid row, or open,
// with an impulse that is known.
//
// Which of them hold is found by trying: a held row that needs more than it has lets go; an open one that has pushed
// its joint beyond what it would hold it to is held again. A limit holds once it is passed and lets go when it would
// have to pull.
#include <math.h>

#include "dynamics/mechanism/mechanism_inside.h"
#include "dynamics/world/world.h"

static const double REST_SPEED = 1e-9;    // m/s, rad/s: slower is at rest, for friction
static const double BOUNCE_SPEED = 0.01;  // m/s, rad/s: slower impacts at a limit do not bounce
static const double LIMIT_SLACK = 1e-9;   // m, rad
static const double STALLED = 1e-9;       // of a motor's greatest force: as near to it is all it has
// of a row in a step: then a limit stays as it is, and motors and friction may let go only
enum { FLIPS_MAX = 3 };

static void begin_motor(const scr_world *world, element *e)
{
    const joints *j = &world->mechanisms.joints;
    double h = world->def.time_step, t = scr_world_time(world);
    scr_drive drive = joint_drive(j, e->source);
    e->bound = j->max_force[e->source];
    e->is_held = drive != SCR_DRIVE_FORCE;
    if (drive == SCR_DRIVE_POSITION) {
        e->target = joint_drive_at(j, e->source, t + h);
        e->target_rate = (joint_drive_at(j, e->source, t + 1.5 * h) - joint_drive_at(j, e->source, t + 0.5 * h)) / h;
    } else {
        e->target = joint_drive_at(j, e->source, t + 0.5 * h);
        e->target_rate = joint_drive_at(j, e->source, t + h);
        if (drive == SCR_DRIVE_FORCE) e->force[0] = fmin(fmax(e->target, -e->bound), e->bound);
    }
}

static double friction_bound(const joints *j, const element *e, double load)
{
    double arm = e->axis == SCR_ABOUT ? j->friction_radius[e->source] : 1.0;
    return j->friction_force[e->source] + j->friction[e->source] * arm * load;
}

static bool has_no_load_yet(const joints *j, const element *e)
{
    return j->friction[e->source] > 0.0 && j->load[e->source] == 0.0;
}

static void begin_friction(const scr_world *world, element *e)
{
    const joints *j = &world->mechanisms.joints;
    bool is_known = !has_no_load_yet(j, e);
    e->bound = is_known ? friction_bound(j, e, j->load[e->source]) : INFINITY;
    e->target = e->target_rate = 0.0;
    e->is_held = fabs(e->rate) <= REST_SPEED;
    e->force[0] = !is_known ? 0.0 : e->rate > 0.0 ? -e->bound : e->bound;
}

static void begin_limit(const scr_world *world, element *e)
{
    const joints *j = &world->mechanisms.joints;
    uint8_t pressed = j->is_pressed[e->source];
    e->side = pressed & 1 ? -1 : pressed & 2 ? 1 : 0;
    e->is_held = e->side != 0;
    e->target = e->side < 0 ? j->lower[e->source] : j->upper[e->source];
    e->force[0] = 0.0;
}

void begin_held(const scr_world *world, element *e)
{
    if (e->kind == ELEMENT_MOTOR) begin_motor(world, e);
    if (e->kind == ELEMENT_FRICTION) begin_friction(world, e);
    if (e->kind == ELEMENT_LIMIT) begin_limit(world, e);
}

// Of a row that may be open too: how it misses what it is held to.
double held_error(const scr_world *world, const element *e, double motion)
{
    double h = world->def.time_step;
    bool by_speed = e->kind == ELEMENT_FRICTION ||
                    (e->kind == ELEMENT_MOTOR && joint_drive(&world->mechanisms.joints, e->source) == SCR_DRIVE_SPEED);
    return by_speed ? (motion - e->motion[0]) / h - e->target : (motion - e->target) / h;
}

double open_impulse(const element *e, double share, double duration) { return share * duration * e->force[0]; }

// The load of a joint's friction is that of the last step. Where there was none, at the start or after a jump, it is
// that of this step, so far without friction.
bool find_first_loads(const scr_world *world, mechanism *m, double *push)
{
    const joints *j = &world->mechanisms.joints;
    bool some = false;
    for (int64_t r = 0; r < m->row_count; ++r) push[r] = 0.0;
    for (int64_t k = 0; k < m->element_count; ++k) {
        element *e = &m->element[k];
        if (e->kind != ELEMENT_FRICTION || !has_no_load_yet(j, e)) continue;
        int64_t rigid = k;
        while (m->element[rigid].kind != ELEMENT_JOINT) --rigid;  // a joint's own rows come before its friction
        e->bound = friction_bound(j, e, pressing_load(m, rigid, m->share * world->def.time_step));
        e->force[0] = e->rate > 0.0 ? -e->bound : e->bound;
        if (e->is_held) continue;
        double *impulse = &m->impulse[m->start.block[k].first_row],
               given = open_impulse(e, m->share, world->def.time_step);
        push[m->start.block[k].first_row] = given - *impulse;
        some = some || given != *impulse;
        *impulse = given;
    }
    return some;
}

// A limit that is passed holds; one that would have to pull lets go.
static bool reconsider_limit(const scr_world *world, element *e, double motion, double impulse)
{
    const joints *j = &world->mechanisms.joints;
    if (e->is_held) {
        if (!(e->side < 0 ? impulse < 0.0 : impulse > 0.0)) return false;
        e->side = 0;
        e->is_held = false;
        return true;
    }
    double lower = j->lower[e->source], upper = j->upper[e->source];
    if (motion < lower - LIMIT_SLACK) e->side = -1, e->target = lower;
    else if (motion > upper + LIMIT_SLACK) e->side = 1, e->target = upper;
    else return false;
    e->is_held = true;
    return true;
}

bool is_bounded(const scr_world *world, const element *e)
{
    if (e->kind == ELEMENT_FRICTION) return true;
    return e->kind == ELEMENT_MOTOR && isfinite(e->bound) &&
           joint_drive(&world->mechanisms.joints, e->source) != SCR_DRIVE_FORCE;
}

// A motor or friction that would need more than it has lets go, and gives all it has. Whether it does; likewise below.
static bool lets_go_overloaded(const scr_world *world, const mechanism *m, element *e, double impulse)
{
    if (!e->is_held || fabs(impulse) <= m->share * world->def.time_step * e->bound) return false;
    e->force[0] = impulse > 0.0 ? e->bound : -e->bound;
    e->is_held = false;
    return true;
}

// One that has pushed too far holds again.
static bool holds_again(const scr_world *world, const mechanism *m, element *e)
{
    if (e->is_held || !(held_error(world, e, element_motion(world, m, e, m->end.at)) * e->force[0] > 0.0)) return false;
    e->is_held = true;
    return true;
}

// Element k has changed: in *impulse stands what it gives when it is open, and the change of it in push.
static void change_held(const scr_world *world, mechanism *m, int64_t k, double *impulse, double *push)
{
    element *e = &m->element[k];
    row_block *block = &m->start.block[k];
    ++e->flips;
    block->open = e->is_held ? 0 : 1;
    if (e->is_held) return;
    double given = open_impulse(e, m->share, world->def.time_step);
    push[block->first_row] = given - impulse[block->first_row];
    impulse[block->first_row] = given;
}

bool release_overloaded(const scr_world *world, mechanism *m, double *before, double *push)
{
    bool some = false;
    for (int64_t r = 0; r < m->row_count; ++r) push[r] = 0.0;
    for (int64_t k = 0; k < m->element_count; ++k) {
        element *e = &m->element[k];
        if (!is_bounded(world, e) || !lets_go_overloaded(world, m, e, m->impulse[m->start.block[k].first_row]))
            continue;
        change_held(world, m, k, before, push);
        some = true;
    }
    return some;
}

bool release_stalled(const scr_world *world, mechanism *m)
{
    bool some = false;
    for (int64_t k = 0; k < m->element_count; ++k) {
        element *e = &m->element[k];
        if (e->kind != ELEMENT_MOTOR || !is_bounded(world, e) || !e->is_held) continue;
        double last = world->mechanisms.joints.motor_force[e->source];
        if (fabs(last) < (1.0 - STALLED) * e->bound) continue;
        e->force[0] = copysign(e->bound, last);
        e->is_held = false;
        some = true;
    }
    return some;
}

bool reconsider_held(const scr_world *world, mechanism *m, double *push)
{
    bool some = false;
    for (int64_t r = 0; r < m->row_count; ++r) push[r] = 0.0;
    for (int64_t k = 0; k < m->element_count; ++k) {
        element *e = &m->element[k];
        double impulse = m->impulse[m->start.block[k].first_row];
        bool changes = false, may_hold = e->flips < FLIPS_MAX;
        if (e->kind == ELEMENT_LIMIT && may_hold)
            changes = reconsider_limit(world, e, element_motion(world, m, e, m->end.at), impulse);
        if (is_bounded(world, e))
            changes = lets_go_overloaded(world, m, e, impulse) || (may_hold && holds_again(world, m, e));
        if (!changes) continue;
        change_held(world, m, k, m->impulse, push);
        some = true;
    }
    return some;
}

double limit_bounce(const scr_world *world, const element *e)
{
    double closing = e->side < 0 ? -e->rate : e->rate;
    if (closing <= BOUNCE_SPEED) return 0.0;
    double away = world->mechanisms.joints.restitution[e->source] * closing;
    return e->side < 0 ? away : -away;
}
