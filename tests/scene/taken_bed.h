// SPDX-License-Identifier: BSD-3-Clause
// Beds taken out of worlds of one material and placed in others, and how far these go apart.
#ifndef TESTS_SCENE_TAKEN_BED_H
#define TESTS_SCENE_TAKEN_BED_H

#include "check.h"
#include "scene/bed/bed_world.h"

static inline void step(scr_world *world, int count)
{
    scr_error error = {0};
    for (int k = 0; k < count; ++k)
        if (scr_world_step(world, &error) != SCR_OK) fail_msg("%s", error.message);
}

static inline void take(scr_world *world, bed *b)
{
    const char *name = "stone";
    const bed_choice choice = {.material = &name};
    scr_error error = {0};
    bed_init(b);
    if (bed_take(world, &choice, b, &error) != SCR_OK) fail_msg("%s", error.message);
    if (bed_check(b, "bed", &error) != SCR_OK) fail_msg("%s", error.message);
}

static inline void place(const bed *b, scr_world *world)
{
    scr_material stone = {1};
    scr_error error = {0};
    if (bed_check(b, "bed", &error) != SCR_OK) fail_msg("%s", error.message);
    if (bed_place(b, vec3(0.0, 0.0, 0.0), &stone, world, &error) != SCR_OK) fail_msg("%s", error.message);
}

// The entry of a body in the view, by its id.
static inline int64_t entry_of(const scr_body_view *v, uint64_t id)
{
    for (int64_t i = 0; i < v->count; ++i)
        if (v->id[i] == id) return i;
    fail_msg("body %llu is gone", (unsigned long long)id);
    return -1;
}

static inline scr_vec3 velocity_of(const scr_world *world, int64_t grain)
{
    scr_body_view v = scr_world_bodies(world);
    int64_t i = entry_of(&v, (uint64_t)grain + 1);
    return vec3(v.vx[i], v.vy[i], v.vz[i]);
}

// m/s: the largest difference of velocities; grain i of `copy` is grain i % count of `own`, seen in a mirror.
static inline double largest_difference(const scr_world *own, const scr_world *copy, int64_t count, scr_vec3 mirror)
{
    double largest = 0.0;
    for (int64_t i = 0; i < scr_world_bodies(copy).count; ++i) {
        scr_vec3 v = velocity_of(own, i % count), w = velocity_of(copy, i);
        scr_vec3 image = vec3(mirror.x * v.x, mirror.y * v.y, mirror.z * v.z);
        largest = fmax(largest, vec3_norm(vec3_sub(image, w)));
    }
    return largest;
}

static inline double tolerance(scr_contact_law law) { return law == SCR_PENALTY ? 1e-9 : 2e-5; }  // m/s

static const scr_vec3 AS_IT_IS = {1.0, 1.0, 1.0};
static const scr_contact_law LAWS[2] = {SCR_COMPLIANT, SCR_PENALTY};

#endif
