// SPDX-License-Identifier: BSD-3-Clause
// The second stage of a mechanism's step: bodies are where they end, and velocities must fit the joints there.
//
//     M v' - J(x')^T m = M v1 + (1 - a) h F + the springs' second halves
//     J(x') v' = 0, or as fast as motors drive, or as limits bounce
//
// Where contacts touch a mechanism its rows at the start of the step stay, because whoever asks how well they were
// solved needs them. Elsewhere rows at the end take their place, so that half as much goes through the cache.
#include <math.h>
#include <string.h>

#include "dynamics/bodies/drift.h"
#include "dynamics/mechanism/mechanism_inside.h"
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/world/world.h"

enum { RELEASES_MAX = 4 };  // times that rows may let go in one step

// Which rows hold velocities, and what the others give: that is in `late`.
static void choose_rows(const scr_world *world, mechanism *m, placed_rows *set)
{
    memset(m->late, 0, (size_t)m->row_count * sizeof *m->late);
    for (int64_t o = 0; o < m->other_count; ++o) {
        int64_t k = m->other[o];
        const element *e = &m->element[k];
        if (e->kind == ELEMENT_JOINT) continue;
        row_block *block = &set->block[k];
        double *late = m->late + block->first_row, *impulse = m->impulse + block->first_row;
        bool compliant = is_compliant(e);
        block->open = compliant ? (uint8_t)((1u << block->row_count) - 1u) : e->is_held ? 0 : 1;
        for (int row = 0; row < block->row_count; ++row) {
            block->compliance[row] = 0.0;
            if (compliant && m->share < 1.0) late[row] = impulse[row];
        }
        if (!compliant && block->open) late[0] = open_impulse(e, 1.0 - m->share, world->def.time_step);
    }
}

// Momentum of v1 where bodies are now, of forces, and of the rows that are open.
static void gather_momentum(const scr_world *world, const mechanism *m, const placed_rows *set, double *momentum)
{
    const bodies *b = &world->bodies;
    double late_share = 1.0 - m->share;
    for (int32_t k = 0; k < m->body_count; ++k) {
        const double *v = m->velocity + 6 * k, *force_impulse = m->force_impulse + 6 * k;
        const body_inertia *body = &set->inertia[k];
        int32_t i = m->slot[k];
        scr_vec3 spin = spin_advanced_freely(m->start.at[k].rotation, vec3(v[3], v[4], v[5]),
                                             vec3(b->inv_ix[i], b->inv_iy[i], b->inv_iz[i]), m->end.at[k].rotation);
        scr_vec3 angular = mat3_times(&body->inertia, spin);
        const double p[6] = {body->mass * v[0], body->mass * v[1], body->mass * v[2], angular.x, angular.y, angular.z};
        for (int axis = 0; axis < 6; ++axis) momentum[6 * k + axis] = p[axis] + late_share * force_impulse[axis];
    }
    if (!m->is_plain) add_row_push(m, set, m->late, momentum);
}

// How fast a row moves because of bodies that move as prescribed.
static double prescribed_rate(const mechanism *m, const placed_rows *set, const row_block *block, int row)
{
    double rate = 0.0;
    for (int a = 0; a < block->jacobian_count; ++a) {
        const joint_jacobian *jacobian = &set->jacobian[block->first_jacobian + a];
        if (jacobian->body < m->body_count) continue;
        for (int axis = 0; axis < 6; ++axis) rate += jacobian->row[row][axis] * m->velocity[6 * jacobian->body + axis];
    }
    return rate;
}

static void wanted_rates(const scr_world *world, const mechanism *m, const placed_rows *set, double *rate)
{
    memset(rate, 0, (size_t)m->row_count * sizeof *rate);
    for (int64_t k = 0; m->total_body_count > m->body_count && k < m->element_count; ++k) {
        const row_block *block = &set->block[k];
        for (int row = 0; row < block->row_count && !block->open; ++row)
            rate[block->first_row + row] = -prescribed_rate(m, set, block, row);
    }
    for (int64_t o = 0; o < m->other_count; ++o) {
        const element *e = &m->element[m->other[o]];
        const row_block *block = &set->block[m->other[o]];
        if (block->open) continue;
        if (e->kind == ELEMENT_MOTOR) rate[block->first_row] += e->target_rate;
        if (e->kind == ELEMENT_LIMIT) rate[block->first_row] += limit_bounce(world, e);
    }
}

// Limits that would have to pull let go, and motors and friction that would need more in the whole step than they have;
// what these have left is in `late`. Whether there were any.
static bool release_rows(const scr_world *world, mechanism *m, placed_rows *set, const double *row)
{
    bool some = false;
    for (int64_t k = 0; k < m->element_count; ++k) {
        const element *e = &m->element[k];
        row_block *block = &set->block[k];
        int64_t r = block->first_row;
        if (block->open) continue;
        if (e->kind == ELEMENT_LIMIT && (e->side < 0 ? row[r] < 0.0 : row[r] > 0.0)) {
            block->open = 1;
        } else if (is_bounded(world, e)) {
            double needed = m->impulse[r] + row[r], most = world->def.time_step * e->bound;
            if (fabs(needed) <= most) continue;
            m->late[r] = copysign(most, needed) - m->impulse[r];
            block->open = 1;
        }
        some = some || block->open;
    }
    return some;
}

static void solve_velocities(const scr_world *world, mechanism *m, placed_rows *set)
{
    choose_rows(world, m, set);
    for (int round = 0; round < RELEASES_MAX; ++round) {
        factor_rows(m, set);
        gather_momentum(world, m, set, m->body_work);
        wanted_rates(world, m, set, m->row_work);
        kkt_solve(set->kkt, m->body_work, m->row_work, m->kkt_work);
        if (m->is_plain || !release_rows(world, m, set, m->row_work)) break;
    }
    for (int64_t o = 0; o < m->other_count; ++o) {  // of rows that are open it is known
        const row_block *block = &set->block[m->other[o]];
        size_t bytes = (size_t)block->row_count * sizeof *m->late;
        if (block->open) memcpy(m->row_work + block->first_row, m->late + block->first_row, bytes);
    }
    memcpy(m->late, m->row_work, (size_t)m->row_count * sizeof *m->late);
}

static void write_bodies(scr_world *world, const mechanism *m)
{
    bodies *b = &world->bodies;
    for (int32_t k = 0; k < m->body_count; ++k) {
        int32_t i = m->slot[k];
        const double *v = m->body_work + 6 * k;
        pose at = m->end.at[k];
        body_put(b, i, at, vec3(v[0], v[1], v[2]), quat_unrotate(at.rotation, vec3(v[3], v[4], v[5])));
    }
}

static void finish(scr_world *world, mechanism *m)
{
    placed_rows *set = m->is_touched ? &m->end : &m->start;
    note_first_reactions(world, m);
    place_rows(world, m, set, m->end.at);
    solve_velocities(world, m, set);
    write_bodies(world, m);
    note_reactions(world, m, set);
    m->ended = set;
}

void finish_joints(scr_world *world)
{
    mechanisms *all = &world->mechanisms;
    for_each_mechanism(world, finish);
    bool has_broken = false;
    for (int64_t p = 0; p < all->count; ++p) has_broken = has_broken || all->mechanism[p].has_broken;
    if (has_broken) joints_changed(world);
}
