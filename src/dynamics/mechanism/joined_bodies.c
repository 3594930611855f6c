// SPDX-License-Identifier: BSD-3-Clause
// Which bodies joints and springs hold, and what goes when a body or a joint goes.
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"
#include "dynamics/world/world_state.h"

void joints_changed(scr_world *world)
{
    give_grains_back(world);  // one of them may be held now, or free
    neighbours_invalidate(&world->neighbours);
    world->mechanisms.is_changed = true;
}

void mark_joined(scr_world *world, scr_body body)
{
    int64_t i = body_slot(&world->bodies, body);
    if (i >= 0) world->bodies.is_joined[i] = 1;
}

void find_joined_bodies(scr_world *world)
{
    const joints *j = &world->mechanisms.joints;
    const springs *s = &world->mechanisms.springs;
    for (int64_t i = 0; i < world->bodies.table.count; ++i) world->bodies.is_joined[i] = 0;
    for (int64_t i = 0; i < j->table.count; ++i) mark_joined(world, j->a[i]), mark_joined(world, j->b[i]);
    for (int64_t i = 0; i < s->table.count; ++i) mark_joined(world, s->a[i]), mark_joined(world, s->b[i]);
}

// ---- removal ----

static bool is_gone(const bodies *b, scr_body body) { return body.index1 != 0 && body_slot(b, body) < 0; }

void remove_joint(scr_world *world, int64_t i)
{
    mechanisms *m = &world->mechanisms;
    for (int64_t k = 0; k < m->springs.table.count; ++k)
        if (joint_slot(&m->joints, m->springs.joint[k]) == i) springs_drop(&m->springs, k);
    for (int64_t k = 0; k < m->couplings.table.count; ++k) {
        bool is_coupled = false;
        for (int c = 0; c < m->couplings.count[k]; ++c)
            is_coupled = is_coupled || joint_slot(&m->joints, m->couplings.joint[3 * k + c]) == i;
        if (is_coupled) couplings_drop(&m->couplings, k);
    }
    joints_drop(&m->joints, i);
}

void remove_loose_joints(scr_world *world)
{
    mechanisms *m = &world->mechanisms;
    const bodies *b = &world->bodies;
    for (int64_t i = 0; i < m->joints.table.count; ++i)
        if (is_gone(b, m->joints.a[i]) || is_gone(b, m->joints.b[i])) remove_joint(world, i);
    for (int64_t i = 0; i < m->springs.table.count; ++i)
        if (is_gone(b, m->springs.a[i]) || is_gone(b, m->springs.b[i])) springs_drop(&m->springs, i);
    find_joined_bodies(world);
    joints_changed(world);
}
