// SPDX-License-Identifier: BSD-3-Clause
// A box of grains that may sleep, for tests of sleeping.
#ifndef TESTS_SCENE_SLEEPING_BED_H
#define TESTS_SCENE_SLEEPING_BED_H

#include "make_scene.h"
#include "scene/sleep/sleeping.h"

static const double GRAIN = 0.01;  // m, radius of the largest

// Floor and walls about a rectangle of half lengths x and y, open above. The floor is body 0.
static inline void add_box(test_scene *t, double x, double y, double height)
{
    const scr_material none = {1};
    const double thick = 0.02;
    add_body(t, "floor", SCR_FIXED, scr_box(vec3(x + 0.1, y + 0.1, thick), none), vec3(0, 0, -thick));
    add_body(t, "left", SCR_FIXED, scr_box(vec3(thick, y, height), none), vec3(-x - thick, 0, height));
    add_body(t, "right", SCR_FIXED, scr_box(vec3(thick, y, height), none), vec3(x + thick, 0, height));
    add_body(t, "front", SCR_FIXED, scr_box(vec3(x + 0.1, thick, height), none), vec3(0, -y - thick, height));
    add_body(t, "back", SCR_FIXED, scr_box(vec3(x + 0.1, thick, height), none), vec3(0, y + thick, height));
}

static inline void let_sleep(test_scene *t)
{
    t->s.sleeping = (scene_sleeping){.present = true, .speed = 1e-3, .after = 0.05, .force = 0.05, .cell = 4 * GRAIN};
}

// About a thousand grains a litre, just above the floor, of a material that comes to rest soon.
static inline void make_bed(test_scene *t, double x, double y, double height)
{
    scene_begin(t);
    t->materials[0].def.rolling_friction = 0.1;
    t->materials[0].def.young = 1e8;
    add_box(t, x, y, 0.5);
    add_fill(t, "bed", FILL_JITTERED, box_region(vec3(-x, -y, 0), vec3(x, y, height)), uniform_size(0.9 * GRAIN, GRAIN))
        ->spacing = 1.01;
}

static inline int64_t asleep(simulation *sim) { return simulation_count(sim).sleep.asleep; }

// Until all are asleep; fails if that takes more than so many steps.
static inline int fall_asleep(simulation *sim, int most)
{
    int steps = 0;
    for (; steps < most && simulation_count(sim).sleep.awake > 0; ++steps) advance_steps(sim, 1);
    if (simulation_count(sim).sleep.awake > 0)
        fail_msg("%lld grains are still awake", (long long)simulation_count(sim).sleep.awake);
    return steps;
}

#endif
