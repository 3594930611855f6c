// SPDX-License-Identifier: BSD-3-Clause
// Stages of a step, called one by one.
#ifndef TESTS_DYNAMICS_STAGES_H
#define TESTS_DYNAMICS_STAGES_H

#include "dynamics/detection/detection.h"
#include "dynamics/step/stages.h"
#include "dynamics/world/world.h"
#include "physics.h"

// The stages up to the contacts. Nothing of the state has changed then but the order of the bodies.
static inline void detect(scr_world *world)
{
    body_poses poses = world_poses(world);
    assert_ok(sort_in_space(world, &error));
    assert_ok(apply_forces(world, &error));
    assert_ok(colliders_place(&world->colliders, &poses, world->threads, &error));
    assert_ok(find_pairs(world, &error));
    assert_ok(find_contacts(world, &error));
}

#endif
