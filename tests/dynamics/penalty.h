// SPDX-License-Identifier: BSD-3-Clause
// What the tests of the penalty law share: worlds without gravity, materials with a modulus, impacts from start to end.
#ifndef TESTS_DYNAMICS_PENALTY_H
#define TESTS_DYNAMICS_PENALTY_H

#include "physics.h"

static const double PI = 3.14159265358979323846;

typedef struct solid {
    double young, poisson, density, friction, restitution;
} solid;

static inline scr_world *make_penalty_world(double time_step, scr_normal_law normal)
{
    scr_world_def def = scr_default_world_def();
    def.gravity = vec3(0.0, 0.0, 0.0);
    def.time_step = time_step;
    def.contact.law = SCR_PENALTY;
    def.contact.normal = normal;
    def.max_speed = 1e4;
    return make_world(&def);
}

static inline scr_material_def solid_def(solid s)
{
    scr_material_def def = scr_default_material_def();
    def.young = s.young, def.poisson = s.poisson, def.density = s.density;
    def.friction = s.friction, def.restitution = s.restitution;
    return def;
}

static inline scr_material add_solid(scr_world *world, solid s)
{
    scr_material_def def = solid_def(s);
    scr_material material;
    assert_ok(scr_world_add_material(world, &def, &material, &error));
    return material;
}

// The same surface on something that does not give: no modulus is rigid.
static inline scr_material add_rigid(scr_world *world, solid s)
{
    s.young = 0.0;
    return add_solid(world, s);
}

static inline double sphere_mass(double radius, double density)
{
    return 4.0 / 3.0 * PI * radius * radius * radius * density;
}
static inline double plain_strain_modulus(solid s) { return s.young / (1.0 - s.poisson * s.poisson); }

// Hertz' impact: how long it lasts, how deep it goes, with what force.
typedef struct hertz_impact {
    double time, overlap, force;
} hertz_impact;
static inline hertz_impact hertz(double mass, double radius, double modulus, double speed)
{
    hertz_impact impact = {.time = 2.8682655 * pow(mass * mass / (radius * modulus * modulus * speed), 0.2),
                           .overlap = pow(15.0 * mass * speed * speed / (16.0 * modulus * sqrt(radius)), 0.4)};
    impact.force = 4.0 / 3.0 * modulus * sqrt(radius) * pow(impact.overlap, 1.5);
    return impact;
}

// Step until the bodies have touched and come apart: how long they touched, and the largest force on `body`.
typedef struct impact_record {
    double time, force;
} impact_record;
static inline impact_record step_through_impact(scr_world *world, scr_body body)
{
    impact_record record = {0};
    bool touched = false;
    for (int k = 0; k < 1000000; ++k) {
        step(world, 1);
        bool touches = scr_world_report(world).touching_count > 0;
        if (touched && !touches) return record;
        if (!touches) continue;
        touched = true;
        record.time += scr_world_time_step(world);
        record.force = fmax(record.force, vec3_norm(contact_force_on(world, body)));
    }
    fail_msg("the bodies do not come apart");
    return record;
}

#endif
