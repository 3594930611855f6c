// SPDX-License-Identifier: BSD-3-Clause
// The rows of a mechanism's elements: where they point, and what they ask for. Which of them hold: held_rows.c.
//
// In the first stage of a step (mechanism.h) Newton's method brings to zero, for every row, in units of velocity,
//     rigid          phi(x') / h
//     driven to q    (q(x') - q) / h
//     driven by u    (q(x') - q(x)) / h - u        friction that sticks: u = 0
//     at a limit     (q(x') - limit) / h
//     spring         C (l - L(s'))                 L(s') = -(A f(s') + B f(s) + G (s' - s))
// with A = h, B = 0, G = c where a = 1 and A = B = h/4, G = c/2 where a = 1/2, and C = 1 / (h (A k + G)) its
// compliance.
#include <math.h>
#include <string.h>

#include "core/arrays/colouring.h"
#include "dynamics/mechanism/mechanism_inside.h"
#include "dynamics/world/world.h"

static const double LEAST_COMPLIANCE = 1e-30;  // kg: of springs that neither push nor damp

// Of a body whose moments of inertia are all the same its axes do not matter.
static body_inertia inertia_now(double inverse_mass, scr_vec3 inverse, scr_quat rotation)
{
    scr_vec3 moments = vec3(1.0 / inverse.x, 1.0 / inverse.y, 1.0 / inverse.z);
    if (inverse.x == inverse.y && inverse.y == inverse.z)
        return (body_inertia){1.0 / inverse_mass, mat3_diagonal(moments), mat3_diagonal(inverse)};
    mat3 axes = mat3_from_quat(rotation);
    return (body_inertia){1.0 / inverse_mass, mat3_conjugated_diagonal(&axes, moments),
                          mat3_conjugated_diagonal(&axes, inverse)};
}

static void set_inertia(const scr_world *world, const mechanism *m, placed_rows *set, const pose *at)
{
    const bodies *b = &world->bodies;
    for (int32_t k = 0; k < m->body_count; ++k) {
        int32_t i = m->slot[k];
        set->inertia[k] = inertia_now(b->inv_mass[i], vec3(b->inv_ix[i], b->inv_iy[i], b->inv_iz[i]), at[k].rotation);
        if (m->is_tense) add_tension(world, m, k, &set->inertia[k]);
    }
    set->is_tense = m->is_tense;
}

// ratio_1 q_1 + ratio_2 q_2 + ...: a body that several joints share has one Jacobian.
static void place_coupling(const scr_world *world, const mechanism *m, const element *e, const pose *at,
                           const row_block *block, joint_jacobian *jacobian)
{
    const couplings *c = &world->mechanisms.couplings;
    for (int k = 0; k < block->jacobian_count; ++k) memset(jacobian[k].row, 0, sizeof jacobian[k].row);
    for (int g = 0; g < c->count[e->source]; ++g) {
        joint_jacobian own[2];
        int64_t entry = COUPLED_MAX * e->source + g;
        joint_motion_row(&m->geometry[e->geometry[g]], (scr_axis)c->axis[entry], at, own);
        for (int side = 0; side < 2; ++side) {
            int k = 0;
            while (jacobian[k].body != own[side].body) ++k;
            for (int axis = 0; axis < 6; ++axis) jacobian[k].row[0][axis] += c->ratio[entry] * own[side].row[0][axis];
        }
    }
}

static held_axes joints_of(const mechanism *m, const held_four *four, const joint_geometry *joint[HELD_LANES])
{
    for (int l = 0; l < HELD_LANES; ++l) joint[l] = &m->geometry[m->element[four->element[l]].geometry[0]];
    return joint_held_axes(joint[0]->kind);
}

static void place_four(const mechanism *m, const held_four *four, placed_rows *set, const pose *at)
{
    const joint_geometry *joint[HELD_LANES];
    joint_jacobian *jacobian[HELD_LANES];
    pose *seen[HELD_LANES];
    held_axes held = joints_of(m, four, joint);
    for (int l = 0; l < HELD_LANES; ++l) {
        jacobian[l] = &set->jacobian[set->block[four->element[l]].first_jacobian];
        seen[l] = &m->seen[joint[l] - m->geometry];
    }
    m->held->rows(held, joint, at, jacobian, seen);
}

void place_rows(const scr_world *world, mechanism *m, placed_rows *set, const pose *at)
{
    m->ended = NULL;
    set_inertia(world, m, set, at);
    for (int64_t f = 0; f < m->four_count; ++f) place_four(m, &m->four[f], set, at);
    for (int64_t o = 0; o < m->other_count; ++o) {
        int64_t k = m->other[o];
        const element *e = &m->element[k];
        const joint_geometry *geometry = &m->geometry[e->geometry[0]];
        joint_jacobian *jacobian = &set->jacobian[set->block[k].first_jacobian];
        double unused[BLOCK_ROWS];
        switch (e->kind) {
        case ELEMENT_JOINT: joint_rows(geometry, at, unused, jacobian); break;
        case ELEMENT_BUSHING: bushing_rows(geometry, at, unused, jacobian); break;
        case ELEMENT_COUPLING: place_coupling(world, m, e, at, &set->block[k], jacobian); break;
        default: joint_motion_row(geometry, e->axis, at, jacobian); break;
        }
    }
}

static double coupled_at(const scr_world *world, const mechanism *m, const element *e, const pose *at)
{
    const couplings *c = &world->mechanisms.couplings;
    const joints *j = &world->mechanisms.joints;
    double sum = 0.0;
    for (int g = 0; g < c->count[e->source]; ++g) {
        int64_t entry = COUPLED_MAX * e->source + g;
        scr_axis axis = (scr_axis)c->axis[entry];
        double near = joint_known_motion(j, joint_slot(j, c->joint[entry]), axis);
        sum += c->ratio[entry] * joint_motion(&m->geometry[e->geometry[g]], axis, at, near);
    }
    return sum;
}

// The joint that an element's row belongs to, or -1 for springs between two points.
static int64_t joint_of(const mechanisms *all, const element *e)
{
    return e->kind == ELEMENT_SPRING ? joint_slot(&all->joints, all->springs.joint[e->source]) : e->source;
}

double element_motion(const scr_world *world, const mechanism *m, const element *e, const pose *at)
{
    if (e->kind == ELEMENT_COUPLING) return coupled_at(world, m, e, at);
    int64_t joint = joint_of(&world->mechanisms, e);
    double near = joint < 0 ? 0.0 : joint_known_motion(&world->mechanisms.joints, joint, e->axis);
    return joint_motion(&m->geometry[e->geometry[0]], e->axis, at, near);
}

double row_rate(const placed_rows *set, int64_t block, int row, const double *velocity)
{
    const row_block *rows = &set->block[block];
    double rate = 0.0;
    for (int k = 0; k < rows->jacobian_count; ++k) {
        const joint_jacobian *jacobian = &set->jacobian[rows->first_jacobian + k];
        if (jacobian->body == NO_BODY) continue;
        for (int axis = 0; axis < 6; ++axis) rate += jacobian->row[row][axis] * velocity[6 * jacobian->body + axis];
    }
    return rate;
}

static void begin_spring(const scr_world *world, element *e)
{
    const springs *s = &world->mechanisms.springs;
    double slope;
    e->force[0] = spring_force(s, e->source, e->motion[0], &slope);
    e->stiffness[0] = fmax(slope, 0.0);
    e->damping[0] = spring_damping(s, e->source, e->motion[0]);
}

static void begin_bushing(const scr_world *world, const mechanism *m, element *e)
{
    const joints *j = &world->mechanisms.joints;
    joint_jacobian unused[2];
    bushing_rows(&m->geometry[e->geometry[0]], m->start.at, e->motion, unused);
    for (int k = 0; k < BLOCK_ROWS; ++k) {
        e->stiffness[k] = j->stiffness[BLOCK_ROWS * e->source + k];
        e->damping[k] = j->damping[BLOCK_ROWS * e->source + k];
        e->force[k] = e->stiffness[k] * e->motion[k];
    }
}

void begin_elements(const scr_world *world, mechanism *m)
{
    for (int64_t o = 0; o < m->other_count; ++o) {
        int64_t k = m->other[o];
        element *e = &m->element[k];
        if (e->kind == ELEMENT_JOINT) continue;
        e->flips = 0;
        e->bound = INFINITY;
        e->is_held = true;
        if (e->kind == ELEMENT_BUSHING) {
            begin_bushing(world, m, e);
            continue;
        }
        e->motion[0] = element_motion(world, m, e, m->start.at);
        e->rate = row_rate(&m->start, k, 0, m->velocity);
        switch (e->kind) {
        case ELEMENT_SPRING: begin_spring(world, e); break;
        case ELEMENT_COUPLING: e->target = world->mechanisms.couplings.target[e->source]; break;
        default: begin_held(world, e); break;
        }
    }
}

// How a spring's impulse of the first stage follows from its stretch at the end.
typedef struct spring_rule {
    double end, start, damper;
} spring_rule;  // A, B, G / c
static spring_rule rule_of(double share, double h)
{
    return share == 1.0 ? (spring_rule){h, 0.0, 1.0} : (spring_rule){0.25 * h, 0.25 * h, 0.5};
}

static double compliance(const element *e, int row, double share, double h)
{
    spring_rule rule = rule_of(share, h);
    return 1.0 / (h * (rule.end * e->stiffness[row] + rule.damper * e->damping[row]) + LEAST_COMPLIANCE);
}

void set_compliances(const scr_world *world, mechanism *m)
{
    for (int64_t o = 0; o < m->other_count; ++o) {
        int64_t k = m->other[o];
        const element *e = &m->element[k];
        if (e->kind == ELEMENT_JOINT) continue;
        row_block *block = &m->start.block[k];
        block->open = e->is_held ? 0 : 1;
        for (int row = 0; row < block->row_count; ++row)
            block->compliance[row] = is_compliant(e) ? compliance(e, row, m->share, world->def.time_step) : 0.0;
    }
}

static double spring_impulse(const element *e, int row, double share, double h, double motion, double force)
{
    spring_rule rule = rule_of(share, h);
    return -(rule.end * force + rule.start * e->force[row] + rule.damper * e->damping[row] * (motion - e->motion[row]));
}

static void bushing_errors(const mechanism *m, const element *e, const row_block *block, double h, double *rest)
{
    double motion[BLOCK_ROWS];
    joint_jacobian unused[2];
    bushing_rows(&m->geometry[e->geometry[0]], m->end.at, motion, unused);
    for (int row = 0; row < BLOCK_ROWS; ++row) {
        double law = spring_impulse(e, row, m->share, h, motion[row], e->stiffness[row] * motion[row]);
        rest[row] = block->compliance[row] * (m->impulse[block->first_row + row] - law);
    }
}

// Gaps that are no more than rounding are none.
static double gap_rate(const mechanism *m, double gap, double h) { return fabs(gap) > m->rounding ? gap / h : 0.0; }

// The largest of them, too; likewise below.
static double four_errors(const mechanism *m, const held_four *four, double h, double *rest)
{
    const joint_geometry *joint[HELD_LANES];
    double gap[BLOCK_ROWS][HELD_LANES], largest = 0.0;
    m->held->gaps(joints_of(m, four, joint), joint, m->end.at, gap);
    for (int l = 0; l < HELD_LANES; ++l) {
        const row_block *block = &m->start.block[four->element[l]];
        double *own = rest + block->first_row;
        for (int row = 0; row < block->row_count; ++row) {
            own[row] = gap_rate(m, gap[row][l], h);
            largest = larger(largest, fabs(own[row]));
        }
    }
    return largest;
}

// Of a row along or about an axis
static double axis_error(const scr_world *world, const mechanism *m, const element *e, const row_block *block)
{
    if (block->open) return 0.0;
    double motion = element_motion(world, m, e, m->end.at), slope;
    if (e->kind != ELEMENT_SPRING) return held_error(world, e, motion);
    double force = spring_force(&world->mechanisms.springs, e->source, motion, &slope);
    double law = spring_impulse(e, 0, m->share, world->def.time_step, motion, force);
    return block->compliance[0] * (m->impulse[block->first_row] - law);
}

double row_errors(const scr_world *world, const mechanism *m, double *rest)
{
    double h = world->def.time_step, largest = 0.0;
    for (int64_t f = 0; f < m->four_count; ++f) largest = larger(largest, four_errors(m, &m->four[f], h, rest));
    for (int64_t o = 0; o < m->other_count; ++o) {
        const element *e = &m->element[m->other[o]];
        const row_block *block = &m->start.block[m->other[o]];
        double *own = rest + block->first_row;
        if (e->kind == ELEMENT_JOINT) {
            int count = joint_rows(&m->geometry[e->geometry[0]], m->end.at, own, NULL);
            for (int row = 0; row < count; ++row) {
                own[row] = gap_rate(m, own[row], h);
                largest = larger(largest, fabs(own[row]));
            }
        } else if (e->kind == ELEMENT_BUSHING) {
            bushing_errors(m, e, block, h, own);
        } else {
            own[0] = axis_error(world, m, e, block);
        }
    }
    return largest;
}

void add_row_push(const mechanism *m, const placed_rows *set, const double *row, double *momentum)
{
    for (int64_t k = 0; k < m->element_count; ++k) {
        const row_block *block = &set->block[k];
        const double *own = row + block->first_row;
        for (int a = 0; a < block->jacobian_count; ++a) {
            const joint_jacobian *jacobian = &set->jacobian[block->first_jacobian + a];
            if (!can_be_moved(m, jacobian->body)) continue;
            double sum[6] = {0};  // not in memory: each addition would wait for it
            for (int r = 0; r < block->row_count; ++r)
                for (int axis = 0; axis < 6; ++axis) sum[axis] += jacobian->row[r][axis] * own[r];
            for (int axis = 0; axis < 6; ++axis) momentum[6 * jacobian->body + axis] += sum[axis];
        }
    }
}
