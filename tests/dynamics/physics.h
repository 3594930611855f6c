// SPDX-License-Identifier: BSD-3-Clause
// What the tests of the physics share: short ways to make a world, to fill it and to look at it. Every call checks its
// status and shows the library's own sentence when something is refused.
#ifndef TESTS_DYNAMICS_PHYSICS_H
#define TESTS_DYNAMICS_PHYSICS_H

#include <stdlib.h>

#include "check.h"
#include "core/maths/quat.h"
#include "core/maths/rng.h"
#include "core/maths/vec3.h"
#include "scree/scree.h"

static const double GRAVITY = 9.81;  // m/s^2

static inline void check_ok(scr_status status, const scr_error *error, const char *file, int line)
{
    if (status == SCR_OK) return;
    print_error("status %d: %s\n", (int)status, error->message);
    _fail(file, line);
}
// call is an expression that passes &error
#define assert_ok(call)                                                                                                \
    do {                                                                                                               \
        scr_error error = {0};                                                                                         \
        scr_status status_of_call = (call);                                                                            \
        check_ok(status_of_call, &error, __FILE__, __LINE__);                                                          \
    } while (0)

// Each component of a within distance of b's.
#define assert_within3(a, b, distance) check_within3((a), (b), (distance), #a, __FILE__, __LINE__)
static inline void check_within3(scr_vec3 a, scr_vec3 b, double distance, const char *what, const char *file, int line)
{
    if (fabs(a.x - b.x) <= distance && fabs(a.y - b.y) <= distance && fabs(a.z - b.z) <= distance) return;
    print_error("%s is (%.17g, %.17g, %.17g), not within %.3g of (%.17g, %.17g, %.17g)\n", what, a.x, a.y, a.z,
                distance, b.x, b.y, b.z);
    _fail(file, line);
}

// a <= b, and not a NaN.
#define assert_at_most(a, b) check_at_most((a), (b), #a, __FILE__, __LINE__)
static inline void check_at_most(double a, double b, const char *what, const char *file, int line)
{
    if (a <= b) return;
    print_error("%s is %.17g, which is more than %.17g\n", what, a, b);
    _fail(file, line);
}

// On one thread unless told otherwise: these worlds are small, and the machine may be busy with other tests.
static inline scr_world *make_world(const scr_world_def *def)
{
    scr_world_def own = *def;
    scr_world *world;
    if (own.thread_count == 0) own.thread_count = 1;
    assert_ok(scr_world_create(&own, &world, &error));
    return world;
}

static inline scr_material add_material(scr_world *world, double friction, double restitution)
{
    scr_material_def def = scr_default_material_def();
    scr_material material;
    def.friction = friction;
    def.restitution = restitution;
    assert_ok(scr_world_add_material(world, &def, &material, &error));
    return material;
}

// With a modulus, as the penalty law needs it, in Pa.
static inline scr_material add_elastic(scr_world *world, double young)
{
    scr_material_def def = scr_default_material_def();
    scr_material material;
    def.young = young;
    assert_ok(scr_world_add_material(world, &def, &material, &error));
    return material;
}

static inline scr_body add_body(scr_world *world, const scr_body_def *def)
{
    scr_body body;
    assert_ok(scr_world_add_body(world, def, &body, &error));
    return body;
}

static inline scr_body add_shape(scr_world *world, scr_body_kind kind, scr_shape shape, scr_vec3 position,
                                 scr_vec3 velocity)
{
    scr_body_def def = scr_default_body_def();
    def.kind = kind;
    def.position = position;
    def.velocity = velocity;
    def.shapes = &shape;
    def.shape_count = 1;
    return add_body(world, &def);
}

static inline scr_body add_sphere(scr_world *world, scr_material material, double radius, scr_vec3 position,
                                  scr_vec3 velocity)
{
    return add_shape(world, SCR_DYNAMIC, scr_sphere(radius, material), position, velocity);
}

static inline scr_body add_box(scr_world *world, scr_material material, scr_vec3 half, scr_vec3 position,
                               scr_vec3 velocity)
{
    return add_shape(world, SCR_DYNAMIC, scr_box(half, material), position, velocity);
}

// The plane z = 0, solid below.
static inline scr_body add_floor(scr_world *world, scr_material material)
{
    return add_shape(world, SCR_FIXED, scr_plane(material), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
}

// Four walls around 0 < x < width, 0 < y < depth.
static inline void add_walls(scr_world *world, scr_material material, double width, double depth, scr_body wall[4])
{
    const double c = sqrt(0.5);
    const scr_quat turn[4] = {{c, 0.0, c, 0.0}, {c, 0.0, -c, 0.0}, {c, -c, 0.0, 0.0}, {c, c, 0.0, 0.0}};
    const scr_vec3 at[4] = {{0.0, 0.0, 0.0}, {width, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, depth, 0.0}};
    scr_shape shape = scr_plane(material);
    for (int k = 0; k < 4; ++k) {
        scr_body_def def = scr_default_body_def();
        def.kind = SCR_FIXED;
        def.position = at[k];
        def.rotation = turn[k];
        def.shapes = &shape;
        def.shape_count = 1;
        wall[k] = add_body(world, &def);
    }
}

static inline void step(scr_world *world, int count)
{
    for (int k = 0; k < count; ++k) assert_ok(scr_world_step(world, &error));
}

static inline scr_body_state state_of(const scr_world *world, scr_body body)
{
    scr_body_state state;
    assert_ok(scr_body_get_state(world, body, &state, &error));
    return state;
}

static inline void set_state(scr_world *world, scr_body body, scr_body_state state)
{
    assert_ok(scr_body_set_state(world, body, &state, &error));
}

static inline void apply_force(scr_world *world, scr_body body, scr_vec3 force)
{
    assert_ok(scr_body_apply_force(world, body, force, vec3(0.0, 0.0, 0.0), &error));
}

static inline scr_vec3 contact_force_on(const scr_world *world, scr_body body)
{
    scr_vec3 force, torque;
    assert_ok(scr_body_contact_force(world, body, &force, &torque, &error));
    return force;
}

static inline double total_energy(const scr_world *world)
{
    scr_energy energy = scr_world_energy(world);
    return energy.kinetic + energy.potential + energy.elastic;
}

static inline double total_mass(const scr_world *world)
{
    scr_body_view view = scr_world_bodies(world);
    double mass = 0.0;
    for (int64_t i = 0; i < view.count; ++i)
        if (view.inv_mass[i] > 0.0) mass += 1.0 / view.inv_mass[i];
    return mass;
}

// A number in [low, high) that depends on its index alone.
static inline double random_in(double low, double high, uint64_t index)
{
    return low + (high - low) * scr_uniform(7, 0, index);
}

static inline scr_quat random_rotation(uint64_t index)
{
    return quat_unit((scr_quat){random_in(-1.0, 1.0, 4 * index), random_in(-1.0, 1.0, 4 * index + 1),
                                random_in(-1.0, 1.0, 4 * index + 2), random_in(-1.0, 1.0, 4 * index + 3)});
}

// A heap in the making: spheres and boxes of about HEAP_SIZE, above the floor of a narrow bin.
enum { HEAP = 40 };
static const double HEAP_SIZE = 0.03;  // m

static inline scr_world *make_heap(const scr_world_def *def)
{
    const double s = HEAP_SIZE;
    scr_world *world = make_world(def);
    scr_material stone = add_material(world, 0.4, 0.0);
    scr_body wall[4];
    add_floor(world, stone);
    add_walls(world, stone, 6.3 * s, 6.3 * s, wall);
    for (int k = 0; k < HEAP; ++k) {
        bool is_box = k % 4 == 0;
        double radius = s * random_in(0.7, 1.0, (uint64_t)k);
        scr_shape shape = is_box ? scr_box(vec3(s, 0.7 * s, 0.6 * s), stone) : scr_sphere(radius, stone);
        scr_vec3 at = vec3_scale(2.1 * s, vec3(k % 3 + 0.5, k / 3 % 3 + 0.5, k / 9 + 0.5));
        add_shape(world, SCR_DYNAMIC, shape, at, vec3(0.1 * random_in(-1.0, 1.0, 100 + (uint64_t)k), 0.0, -0.5));
    }
    return world;
}

#endif
