// SPDX-License-Identifier: BSD-3-Clause
// What joints, springs and couplings have done in a step: means over it of all impulses at its start and at its end.
#include <math.h>

#include "dynamics/mechanism/mechanism_inside.h"
#include "dynamics/world/world.h"

typedef struct reaction {
    scr_vec3 force, torque;
} reaction;  // on b, torque about the origin of its frame

static inline void store(double *to, scr_vec3 v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }
static inline scr_vec3 load(const double *v) { return vec3(v[0], v[1], v[2]); }

// Rows of an element that push; the others turn.
static int pushing_rows(const mechanism *m, const element *e)
{
    if (e->kind == ELEMENT_JOINT || e->kind == ELEMENT_BUSHING)
        return joint_pushing_rows(m->geometry[e->geometry[0]].kind);
    return e->axis == SCR_ABOUT ? 0 : 1;
}

// What the rows of a block with these impulses do to b, at one end of the step: all forces act at the origin of its
// frame.
static void add_impulses(const mechanism *m, const placed_rows *set, int64_t k, const double *impulse, reaction *sum)
{
    const row_block *block = &set->block[k];
    const joint_jacobian *jacobian = &set->jacobian[block->first_jacobian + 1];
    const double *own = impulse + block->first_row;
    int pushing = pushing_rows(m, &m->element[k]);
    scr_vec3 force = sum->force, torque = sum->torque;  // not in memory: each addition would wait for it
    for (int row = 0; row < pushing; ++row) force = vec3_add_scaled(force, own[row], load(jacobian->row[row]));
    for (int row = pushing; row < block->row_count; ++row)
        torque = vec3_add_scaled(torque, own[row], load(jacobian->row[row] + 3));
    *sum = (reaction){force, torque};
}

static reaction reaction_of(const mechanism *m, const placed_rows *ended, int64_t k, double h)
{
    const double *pushed = m->element[k].pushed;
    reaction sum = {load(pushed), load(pushed + 3)};
    add_impulses(m, ended, k, m->late, &sum);
    return (reaction){vec3_scale(1.0 / h, sum.force), vec3_scale(1.0 / h, sum.torque)};
}

// What presses pin and hole, or slide and guide, together: the force across the axis.
static double pressing(const mechanism *m, int64_t k, scr_vec3 force)
{
    scr_vec3 axis = joint_axis_now(&m->geometry[m->element[k].geometry[0]].a, m->end.at);
    return vec3_norm(vec3_add_scaled(force, -vec3_dot(axis, force), axis));
}

scr_vec3 joint_impulse(const mechanism *m, int64_t k)
{
    reaction sum = {0};
    add_impulses(m, &m->start, k, m->impulse, &sum);
    return sum.force;
}

double pressing_load(const mechanism *m, int64_t k, double duration)
{
    return pressing(m, k, vec3_scale(1.0 / duration, joint_impulse(m, k)));
}

static void begin_joint(joints *j, int64_t i)
{
    store(j->force + 3 * i, vec3(0.0, 0.0, 0.0));
    store(j->torque + 3 * i, vec3(0.0, 0.0, 0.0));
    j->motor_force[i] = j->motor_power[i] = j->load[i] = 0.0;
    j->is_pressed[i] = 0;
}

// Before note_motion. Mean force times this is the work of a step to second order; the speed at its end gives the first
// only.
static double moved_by_step(const joints *j, const mechanism *m, const element *e)
{
    double before = joint_known_motion(j, e->source, e->axis);
    return joint_motion(&m->geometry[e->geometry[0]], e->axis, m->end.at, before) - before;
}

static void note_joint(joints *j, const mechanism *m, const placed_rows *ended, int64_t k, double h)
{
    const element *e = &m->element[k];
    int64_t i = e->source, row = ended->block[k].first_row;
    reaction r = reaction_of(m, ended, k, h);
    store(j->force + 3 * i, vec3_add(load(j->force + 3 * i), r.force));
    store(j->torque + 3 * i, vec3_add(load(j->torque + 3 * i), r.torque));
    if (e->kind == ELEMENT_JOINT) j->load[i] = pressing(m, k, r.force);
    if (e->kind == ELEMENT_MOTOR) {
        j->motor_force[i] = (m->impulse[row] + m->late[row]) / h;
        j->motor_power[i] = j->motor_force[i] * moved_by_step(j, m, e) / h;
    }
    if (e->kind == ELEMENT_LIMIT && e->is_held && !ended->block[k].open) j->is_pressed[i] = e->side < 0 ? 1 : 2;
}

static void note_seen(joints *j, const joint_geometry *geometry, int64_t i, pose seen)
{
    if (joint_has_axis(geometry->kind, SCR_ALONG))
        j->along[i] = joint_motion_seen(geometry, SCR_ALONG, seen, j->along[i]);
    if (joint_has_axis(geometry->kind, SCR_ABOUT))
        j->about[i] = joint_motion_seen(geometry, SCR_ABOUT, seen, j->about[i]);
}

void note_motion(joints *j, const mechanism *m, const element *e)
{
    const joint_geometry *geometry = &m->geometry[e->geometry[0]];
    note_seen(j, geometry, e->source, joint_seen(geometry, m->end.at));
}

// Once rows have been placed there.
static void note_motion_at_end(joints *j, const mechanism *m, const element *e)
{
    const joint_geometry *geometry = &m->geometry[e->geometry[0]];
    if (e->kind == ELEMENT_JOINT && holds_axes(joint_held_axes(geometry->kind)))
        note_seen(j, geometry, e->source, m->seen[e->geometry[0]]);
    else note_motion(j, m, e);
}

static bool breaks(const joints *j, int64_t i)
{
    double force = j->break_force[i], torque = j->break_torque[i];
    return (force > 0.0 && vec3_norm(load(j->force + 3 * i)) > force) ||
           (torque > 0.0 && vec3_norm(load(j->torque + 3 * i)) > torque);
}

static bool is_of_joint(const element *e) { return e->kind != ELEMENT_SPRING && e->kind != ELEMENT_COUPLING; }

static held_impulses impulses_of(const held_four *four, const placed_rows *set, const double *impulse)
{
    held_impulses of;
    for (int l = 0; l < HELD_LANES; ++l) {
        const row_block *block = &set->block[four->element[l]];
        of.on_b[l] = &set->jacobian[block->first_jacobian + 1];
        of.impulse[l] = impulse + block->first_row;
    }
    return of;
}

static held_axes axes_of(const mechanism *m, const held_four *four)
{
    return joint_held_axes(m->geometry[m->element[four->element[0]].geometry[0]].kind);
}

// The rigid rows of four joints: at first, in the joints' own forces and torques, what they did by rows at the start
static void note_four_first(joints *j, const mechanism *m, const held_four *four)
{
    held_impulses start = impulses_of(four, &m->start, m->impulse);
    held_reactions r = {0};
    m->held->reactions(axes_of(m, four), &start, false, &r);
    for (int l = 0; l < HELD_LANES; ++l) {
        int64_t i = m->element[four->element[l]].source;
        store(j->force + 3 * i, vec3(r.force[0][l], r.force[1][l], r.force[2][l]));
        store(j->torque + 3 * i, vec3(r.torque[0][l], r.torque[1][l], r.torque[2][l]));
    }
}

static void note_four(joints *j, const mechanism *m, const placed_rows *ended, const held_four *four, double h)
{
    held_impulses end = impulses_of(four, ended, m->late);
    held_reactions r;
    double rate = 1.0 / h;
    for (int l = 0; l < HELD_LANES; ++l) {
        int64_t i = m->element[four->element[l]].source;
        for (int axis = 0; axis < 3; ++axis) {
            r.force[axis][l] = j->force[3 * i + axis];
            r.torque[axis][l] = j->torque[3 * i + axis];
        }
    }
    m->held->reactions(axes_of(m, four), &end, true, &r);
    for (int l = 0; l < HELD_LANES; ++l) {
        int64_t i = m->element[four->element[l]].source;
        store(j->force + 3 * i, vec3_scale(rate, vec3(r.force[0][l], r.force[1][l], r.force[2][l])));
        store(j->torque + 3 * i, vec3_scale(rate, vec3(r.torque[0][l], r.torque[1][l], r.torque[2][l])));
        j->load[i] = rate * r.across[l];
    }
}

void note_first_reactions(scr_world *world, const mechanism *m)
{
    joints *j = &world->mechanisms.joints;
    for (int64_t k = 0; k < m->element_count; ++k)
        if (is_of_joint(&m->element[k])) begin_joint(j, m->element[k].source);
    for (int64_t f = 0; f < m->four_count; ++f) note_four_first(j, m, &m->four[f]);
    for (int64_t o = 0; o < m->other_count; ++o) {
        int64_t k = m->other[o];
        reaction sum = {0};
        if (is_of_joint(&m->element[k])) add_impulses(m, &m->start, k, m->impulse, &sum);
        store(m->element[k].pushed, sum.force);
        store(m->element[k].pushed + 3, sum.torque);
    }
}

void note_reactions(scr_world *world, mechanism *m, const placed_rows *ended)
{
    mechanisms *all = &world->mechanisms;
    joints *j = &all->joints;
    double h = world->def.time_step;
    for (int64_t f = 0; f < m->four_count; ++f) note_four(j, m, ended, &m->four[f], h);
    for (int64_t o = 0; o < m->other_count; ++o) {
        int64_t k = m->other[o], row = ended->block[k].first_row;
        const element *e = &m->element[k];
        double mean = (m->impulse[row] + m->late[row]) / h;
        if (is_of_joint(e)) note_joint(j, m, ended, k, h);
        if (e->kind == ELEMENT_SPRING) all->springs.force[e->source] = -mean;
        if (e->kind == ELEMENT_COUPLING) all->couplings.force[e->source] = mean;
    }
    m->has_broken = false;
    for (int64_t k = 0; k < m->element_count; ++k) {
        const element *e = &m->element[k];
        // each joint once
        if (!is_of_joint(e) || (k > 0 && is_of_joint(e - 1) && (e - 1)->source == e->source)) continue;
        note_motion_at_end(j, m, e);
        if (!breaks(j, e->source)) continue;
        j->is_broken[e->source] = 1;
        m->has_broken = true;
    }
}
