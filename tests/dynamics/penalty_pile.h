// SPDX-License-Identifier: BSD-3-Clause
// A pile of grains under the penalty law, so many that a bed takes them.
#ifndef TESTS_DYNAMICS_PENALTY_PILE_H
#define TESTS_DYNAMICS_PENALTY_PILE_H

#include "dynamics/world/world.h"
#include "dynamics/world/world_state.h"
#include "penalty.h"

static const solid SOFT = {.young = 5e6, .poisson = 0.3, .density = 2500.0, .friction = 0.5, .restitution = 0.5};
static const double RADIUS = 5e-3, STEP = 2e-5;  // m, s

typedef struct pile_def {
    int side, layers;      // grains
    double spread, speed;  // of the radii; m/s
    bool with_parts;       // a box and a ball on top, a ball that cannot be moved in the middle
    bool repeats;          // along x and y, instead of walls: grains stand in nine cells, and go down a slope
    bool without_bed;
    double rolling, spinning;  // friction
    double surface_energy;     // J/m^2
    scr_world_def world;
} pile_def;

static inline pile_def usual_pile(void)
{
    pile_def def = {.side = 12, .layers = 8, .speed = 0.2, .with_parts = true, .world = scr_default_world_def()};
    def.world.time_step = STEP;
    def.world.contact.law = SCR_PENALTY;
    def.world.thread_count = 1;
    return def;
}

typedef struct pile {
    scr_world *world;
    scr_body floor, box, first_grain;
} pile;

static inline pile make_pile(const pile_def *def)
{
    double pitch = 2.02 * RADIUS * (1.0 + def->spread), width = def->side * pitch;
    scr_world_def world = def->world;
    if (def->repeats) world.period.high = vec3(width, width, 0.0), world.gravity = vec3(4.0, 2.0, -9.0);
    pile p = {.world = make_world(&world)};
    scr_material_def soft = solid_def(SOFT);
    scr_material compliance;
    soft.rolling_friction = def->rolling, soft.spinning_friction = def->spinning;
    soft.surface_energy = def->surface_energy;
    assert_ok(scr_world_add_material(p.world, &soft, &compliance, &error));
    if (def->without_bed) p.world->grains.least_grains = INT64_MAX;
    p.floor = add_floor(p.world, compliance);
    if (!def->repeats) add_walls(p.world, compliance, width, width, (scr_body[4]){0});
    double top = def->layers * pitch;
    if (def->with_parts)  // older than the grains: it owns its contacts with them
        add_shape(p.world, SCR_FIXED, scr_sphere(0.008, compliance), vec3(0.5 * width, 0.5 * width, 0.5 * top),
                  vec3(0.0, 0.0, 0.0));
    for (int k = 0; k < def->side * def->side * def->layers; ++k) {
        uint64_t draw = 10 * (uint64_t)k;
        int x = k % def->side, y = k / def->side % def->side, z = k / (def->side * def->side);
        scr_vec3 at = vec3((x + 0.5) * pitch, (y + 0.5) * pitch, (z + 0.5) * pitch);
        scr_vec3 v = vec3(random_in(-1.0, 1.0, draw), random_in(-1.0, 1.0, draw + 1), random_in(-1.0, 0.0, draw + 2));
        if (def->repeats) at = vec3_add(at, vec3((k % 3 - 1) * width, (k / 3 % 3 - 1) * width, 0.0));
        double r = RADIUS * (1.0 + def->spread * random_in(-1.0, 1.0, draw + 3));
        scr_body body = add_sphere(p.world, compliance, r, at, vec3_scale(def->speed, v));
        if (k == 0) p.first_grain = body;
    }
    if (def->with_parts) {
        p.box = add_box(p.world, compliance, vec3(0.02, 0.02, 0.01), vec3(0.5 * width, 0.4 * width, top + 0.012),
                        vec3(0.0, 0.0, -1.0));
    }
    return p;
}

static inline bool has_bed(const scr_world *world) { return world->grains.is_loaded; }

static inline void assert_same_state(scr_world *a, scr_world *b)
{
    table *in_a[WORLD_TABLE_MAX], *in_b[WORLD_TABLE_MAX];
    int count = world_tables(a, in_a);
    char text[200];
    world_tables(b, in_b);
    for (int k = 0; k < count; ++k)
        if (table_first_difference(in_a[k], in_b[k], text, sizeof text)) fail_msg("%s", text);
}

// No more than friction; torques against rolling that are elastic, or constant, with and without one about the normal;
// adhesion of both kinds, the last one with rolling resistance.
enum { LAWS = 8 };
static inline pile_def pile_of(int kind)
{
    pile_def def = usual_pile();
    def.rolling = (kind > 0 && kind < 5) || kind == 7 ? 0.1 : 0.0;
    def.spinning = kind == 3 || kind == 4 ? 0.05 : 0.0;
    def.surface_energy = kind >= 5 ? 0.2 : 0.0;
    def.world.contact.adhesion = kind >= 6 ? SCR_JKR : SCR_DMT;
    def.world.contact.rolling = kind % 2 == 1 ? SCR_ROLLING_ELASTIC : SCR_ROLLING_CONSTANT;
    return def;
}

// m/s: of each body in two worlds
static inline void assert_same_motion(scr_world *a, scr_world *b, double velocity_error)
{
    scr_body_view in_a = scr_world_bodies(a), in_b = scr_world_bodies(b);
    double most = 0.0;
    for (int64_t i = 0; i < in_a.count; ++i) {
        scr_vec3 va = state_of(a, in_a.handle[i]).velocity, vb = state_of(b, in_a.handle[i]).velocity;
        most = fmax(most, vec3_norm(vec3_sub(va, vb)));
    }
    assert_int_equal(in_a.count, in_b.count);
    assert_true(most < velocity_error);
}

#endif
