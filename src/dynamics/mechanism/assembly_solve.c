// SPDX-License-Identifier: BSD-3-Clause
// Poses and velocities that fit the joints of one mechanism.
//
// Poses: phi(x) = 0 by the method of Levenberg and Marquardt. A step dx minimises
//     |phi + J dx|^2 + mu |dx|^2        bodies weigh M, rows 1/D, with D the diagonal of J M^-1 J^T
// and is the solution of M dx - J^T l = 0, J dx + mu D l = -phi: the equations of kkt.h with compliance. mu falls while
// steps succeed, so that in the end bodies move the least that closes the joints, and rises where they do not: rows
// that are redundant once closed, but contradict each other before, would ask for steps without bound.
// Velocities: v minimises |v - v0|^2, weighed by M, among all with J v = what drives ask for.
#include <string.h>

#include "core/arrays/colouring.h"
#include "dynamics/mechanism/assembly.h"
#include "dynamics/world/world.h"

enum { STEPS_MAX = 2000 };
static const double CLOSED = 1e-12;                     // of the mechanism's size, and rad
static const double MU_FIRST = 1e-6, MU_LEAST = 1e-13;  // below the least it is 0
static const double MU_FALL = 1e-3, MU_RISE = 30.0, MU_MAX = 1e3;
static const double LEAST_GAIN = 1e-6;  // of what phi^2 was: less is as good as it gets
static const double STRIDE = 0.3;       // rad, and of the size in m: what a motor or a body moves in a step at most
static const double ROUNDING = 1e-8;    // of the fastest speed: smaller mismatches are none

static bool is_rigid_motor(const joints *j, const element *e)
{
    // that one is no more than a force
    if (e->kind != ELEMENT_MOTOR || isfinite(j->max_force[e->source])) return false;
    return joint_drive(j, e->source) != SCR_DRIVE_FORCE;
}

bool holds_bodies(const joints *j, const element *e)
{
    (void)j;
    return e->kind == ELEMENT_JOINT || e->kind == ELEMENT_COUPLING;
}

bool holds_position(const joints *j, const element *e)
{
    return holds_bodies(j, e) || (is_rigid_motor(j, e) && joint_drive(j, e->source) == SCR_DRIVE_POSITION);
}

bool holds_speed(const joints *j, const element *e) { return holds_bodies(j, e) || is_rigid_motor(j, e); }

// What a motor or a coupling asks for less what is there.
static double missing_motion(const scr_world *world, const mechanism *m, const element *e, const pose *at)
{
    const mechanisms *all = &world->mechanisms;
    double asked = e->kind == ELEMENT_COUPLING ? all->couplings.target[e->source]
                                               : joint_drive_at(&all->joints, e->source, scr_world_time(world));
    return asked - element_motion(world, m, e, at);
}

element_error element_error_at(const scr_world *world, const mechanism *m, const element *e, const pose *at)
{
    element_error error = {0.0, 0.0};
    if (e->kind == ELEMENT_JOINT) {
        joint_gap(&m->geometry[e->geometry[0]], at, &error.gap, &error.tilt);
    } else {
        double missing = fabs(missing_motion(world, m, e, at));
        if (e->kind == ELEMENT_MOTOR && e->axis == SCR_ABOUT) error.tilt = missing;
        else error.gap = missing;
    }
    return error;
}

// Rows that hold nothing at this stage are open, whatever their number in the block.
static void choose_rows(const scr_world *world, mechanism *m, element_choice *holds)
{
    for (int64_t k = 0; k < m->element_count; ++k) {
        row_block *block = &m->start.block[k];
        block->open = holds(&world->mechanisms.joints, &m->element[k]) ? 0 : (1u << BLOCK_ROWS) - 1;
        for (int row = 0; row < block->row_count; ++row) block->compliance[row] = 0.0;
    }
}

// As steps have them: rows of joints are rigid there, always, and those of all others are chosen in every step.
static void hold_all_rows(mechanism *m)
{
    for (int64_t k = 0; k < m->element_count; ++k) {
        row_block *block = &m->start.block[k];
        block->open = 0;
        memset(block->compliance, 0, sizeof block->compliance);
    }
}

static void find_rest(const scr_world *world, const mechanism *m, const pose *at, double *rest)
{
    for (int64_t k = 0; k < m->element_count; ++k) {
        const element *e = &m->element[k];
        const row_block *block = &m->start.block[k];
        double *own = rest + block->first_row;
        if (block->open) {
            for (int row = 0; row < block->row_count; ++row) own[row] = 0.0;
        } else if (e->kind == ELEMENT_JOINT) {
            joint_rows(&m->geometry[e->geometry[0]], at, own, NULL);
            for (int row = 0; row < block->row_count; ++row) own[row] = -own[row];
        } else {
            own[0] = missing_motion(world, m, e, at);
        }
    }
}

static double row_mobility(const mechanism *m, const row_block *block, int row)
{
    double sum = 0.0;
    for (int k = 0; k < block->jacobian_count; ++k) {
        const joint_jacobian *jacobian = &m->start.jacobian[block->first_jacobian + k];
        if (jacobian->body == NO_BODY || jacobian->body >= m->body_count) continue;
        const double *r = jacobian->row[row];
        scr_vec3 force = vec3(r[0], r[1], r[2]), torque = vec3(r[3], r[4], r[5]);
        const body_inertia *body = &m->start.inertia[jacobian->body];
        sum += vec3_dot(force, force) / body->mass + vec3_dot(torque, mat3_times(&body->inv_inertia, torque));
    }
    return sum;
}

static void find_mobility(const mechanism *m, double *mobility)
{
    for (int64_t k = 0; k < m->element_count; ++k) {
        const row_block *block = &m->start.block[k];
        for (int row = 0; row < block->row_count; ++row) mobility[block->first_row + row] = row_mobility(m, block, row);
    }
}

// phi^2, weighed by 1/D.
static double sum_of_squares(const mechanism *m, assembly_work work)
{
    double sum = 0.0;
    for (int64_t r = 0; r < m->row_count; ++r)
        if (work.mobility[r] > 0.0) sum += work.rest[r] * work.rest[r] / work.mobility[r];
    return sum;
}

static bool is_closed(const scr_world *world, const mechanism *m, const pose *at)
{
    for (int64_t k = 0; k < m->element_count; ++k) {
        const element *e = &m->element[k];
        if (m->start.block[k].open) continue;
        if (error_size(element_error_at(world, m, e, at), m->size) > CLOSED * m->size) return false;
    }
    return true;
}

// The motions of the joints in their table count full turns: they follow while bodies move by less than half a turn.
static void follow_motions(scr_world *world, const mechanism *m)
{
    for (int64_t k = 0; k < m->element_count; ++k) {
        const element *e = &m->element[k];
        if (e->kind == ELEMENT_JOINT || e->kind == ELEMENT_MOTOR) note_motion(&world->mechanisms.joints, m, e);
    }
}

// What is asked of this step: no motor goes farther than its stride.
static void ask_for_rest(const mechanism *m, assembly_work work, double mu)
{
    for (int64_t k = 0; k < m->element_count; ++k) {
        const element *e = &m->element[k];
        row_block *block = &m->start.block[k];
        double most = e->kind == ELEMENT_MOTOR ? STRIDE * (e->axis == SCR_ABOUT ? 1.0 : m->size) : INFINITY;
        for (int row = 0; row < block->row_count; ++row) {
            int64_t r = block->first_row + row;
            m->row_work[r] = fmin(fmax(work.rest[r], -most), most);
            block->compliance[row] = mu * work.mobility[r];
        }
    }
}

// From end.at, the best so far, to start.at.
static void try_step(mechanism *m, assembly_work work, double mu)
{
    ask_for_rest(m, work, mu);
    factor_rows(m, &m->start);
    kkt_solve_rows(m->start.kkt, m->body_work, m->row_work, m->kkt_work);
    double farthest = 0.0;
    for (int32_t k = 0; k < m->body_count; ++k) {
        const double *d = m->body_work + 6 * k;
        farthest = fmax(farthest, vec3_norm(vec3(d[0], d[1], d[2])) / m->size);
        farthest = fmax(farthest, vec3_norm(vec3(d[3], d[4], d[5])));
    }
    double fraction = farthest > STRIDE ? STRIDE / farthest : 1.0;
    for (int32_t k = 0; k < m->body_count; ++k) {
        const double *d = m->body_work + 6 * k;
        scr_vec3 shift = vec3(d[0], d[1], d[2]), rotation = vec3(d[3], d[4], d[5]);
        m->start.at[k] = pose_moved(m->end.at[k], vec3_scale(fraction, shift), vec3_scale(fraction, rotation));
    }
}

static void keep_best(scr_world *world, mechanism *m)
{
    memcpy(m->end.at, m->start.at, (size_t)m->total_body_count * sizeof *m->end.at);
    follow_motions(world, m);
    place_rows(world, m, &m->start, m->start.at);
}

void find_closed_poses(scr_world *world, mechanism *m, element_choice *holds, assembly_work work)
{
    double mu = MU_FIRST;
    choose_rows(world, m, holds);
    keep_best(world, m);
    for (int step = 0; step < STEPS_MAX && mu < MU_MAX && !is_closed(world, m, m->end.at); ++step) {
        find_mobility(m, work.mobility);
        find_rest(world, m, m->end.at, work.rest);
        double before = sum_of_squares(m, work);
        try_step(m, work, mu);
        find_rest(world, m, m->start.at, work.rest);
        double after = sum_of_squares(m, work);
        if (after < before) {
            keep_best(world, m);
            mu = mu * MU_FALL > MU_LEAST ? mu * MU_FALL : 0.0;
            if (after > (1.0 - LEAST_GAIN) * before) break;
        } else {
            mu = fmax(mu * MU_RISE, MU_LEAST);
        }
    }
    hold_all_rows(m);
}

// How fast a motor goes at this moment. A function of place is only asked for what is to come.
static double asked_speed(const scr_world *world, const element *e)
{
    const joints *j = &world->mechanisms.joints;
    double h = world->def.time_step, t = scr_world_time(world);
    if (e->kind != ELEMENT_MOTOR) return 0.0;
    if (joint_drive(j, e->source) == SCR_DRIVE_SPEED) return joint_drive_at(j, e->source, t);
    double now = joint_drive_at(j, e->source, t), soon = joint_drive_at(j, e->source, t + 0.5 * h);
    return (4.0 * soon - 3.0 * now - joint_drive_at(j, e->source, t + h)) / h;
}

// Into rest; the largest, and whose row it is.
static double find_speed_rest(const scr_world *world, const mechanism *m, double *rest, int64_t *worst)
{
    double most = 0.0;
    for (int64_t k = 0; k < m->element_count; ++k) {
        const row_block *block = &m->start.block[k];
        double asked = asked_speed(world, &m->element[k]);
        for (int row = 0; row < block->row_count; ++row) {
            double own = block->open ? 0.0 : asked - row_rate(&m->start, k, row, m->velocity);
            rest[block->first_row + row] = own;
            if (fabs(own) <= most) continue;
            most = fabs(own);
            *worst = k;
        }
    }
    return most;
}

static double fastest_of(const mechanism *m)
{
    double fastest = 0.0;
    for (int64_t k = 0; k < 6 * (int64_t)m->total_body_count; ++k) fastest = fmax(fastest, fabs(m->velocity[k]));
    return fastest;
}

// How much of what velocities miss is left once they are made to fit.
static double fit_velocities(const scr_world *world, mechanism *m, int64_t *worst)
{
    double before = find_speed_rest(world, m, m->row_work, worst);
    if (before == 0.0) return 0.0;
    kkt_solve_rows(m->start.kkt, m->body_work, m->row_work, m->kkt_work);
    for (int64_t k = 0; k < 6 * (int64_t)m->body_count; ++k) m->velocity[k] += m->body_work[k];
    return find_speed_rest(world, m, m->row_work, worst) / fmax(before, ROUNDING * fastest_of(m));
}

double find_fitting_velocities(const scr_world *world, mechanism *m, assembly_work work, int64_t *worst)
{
    memcpy(m->start.at, m->end.at, (size_t)m->total_body_count * sizeof *m->start.at);
    place_rows(world, m, &m->start, m->start.at);
    choose_rows(world, m, holds_speed);
    factor_and_count_rows(m, &m->start);
    kkt_redundant(m->start.kkt, work.is_redundant);
    double left = fit_velocities(world, m, worst);
    hold_all_rows(m);
    return left;
}
