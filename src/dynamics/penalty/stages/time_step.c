// SPDX-License-Identifier: BSD-3-Clause
// How long a step may be.
//
//   Rayleigh   t_R = pi r sqrt(rho/G) / (0.1631 nu + 0.8766)        a surface wave's way across a grain
//   Hertz      t_c = 2.868 (m*^2 / (R* E*^2 v))^(1/5)               the length of an impact at speed v
//   Hooke      t_c = pi sqrt(m*/k)
// of the stiffest, lightest pair: a body and its twin (m* = m/2, R* = r/2), with the modulus of whatever it may meet
// that is stiffest. Damping makes impacts longer. A fifth of t_R and a twentieth of t_c are the shares in common use.
#include "core/maths/trig.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"

static const double PI = 3.14159265358979323846;
static const double HERTZ_TIME = 2.8682655;  // of an impact over (m*^2 / (R* E*^2 v))^(1/5)
static const double RAYLEIGH_SHARE = 0.2, CONTACT_SHARE = 0.05;

static double fastest(const bodies *b)
{
    double speed2 = 0.0;
    for (int64_t i = 0; i < b->table.count; ++i)
        speed2 = fmax(speed2, vec3_dot(body_velocity(b, i), body_velocity(b, i)));
    return sqrt(speed2);
}

static double rayleigh_time(const materials *m, int64_t material, double radius)
{
    double young = m->young[material], poisson = m->poisson[material], shear = young / (2.0 * (1.0 + poisson));
    return young > 0.0 ? PI * radius * sqrt(m->density[material] / shear) / (0.1631 * poisson + 0.8766) : INFINITY;
}

static double stiffest_modulus(const materials *m, int64_t material)
{
    double most = 0.0;
    for (int64_t other = 0; other < m->table.count; ++other)
        most = fmax(most, materials_pair(m, material, other)->modulus);
    return most;
}

static double contact_time(const scr_world *world, double modulus, double mass, double radius, double speed)
{
    const scr_contact_def *contact = &world->def.contact;
    double twin_mass = 0.5 * mass, twin_radius = 0.5 * radius;
    if (contact->normal == SCR_HOOKE) {
        double k = contact->stiffness > 0.0 ? contact->stiffness : contact_stiffness(modulus, radius, radius);
        return k > 0.0 ? PI * sqrt(twin_mass / k) : INFINITY;
    }
    double inverse = twin_radius * modulus * modulus * speed;
    return inverse > 0.0 ? HERTZ_TIME * scr_pow(twin_mass * twin_mass / inverse, 0.2) : INFINITY;
}

static void consider(const scr_world *world, int64_t k, double present_speed, scr_step_advice *advice)
{
    const colliders *c = &world->colliders;
    int64_t material = c->material[k];
    double radius = fmin(contact_radius(c, k), collider_least_size(c, k)),
           mass = 1.0 / world->bodies.inv_mass[c->body[k]];
    double speed = fmax(present_speed, sqrt(4.0 * radius * vec3_norm(scr_world_gravity(world))));  // a fall of 2 r
    double t_r = rayleigh_time(&world->materials, material, radius);
    double t_c = contact_time(world, stiffest_modulus(&world->materials, material), mass, radius, speed);
    advice->rayleigh_time = fmin(advice->rayleigh_time, t_r);
    if (t_c < advice->contact_time) advice->contact_time = t_c, advice->impact_speed = speed;
    double step = fmin(RAYLEIGH_SHARE * t_r, CONTACT_SHARE * t_c);
    if (step >= advice->time_step) return;
    advice->time_step = step;
    advice->limit = RAYLEIGH_SHARE * t_r <= CONTACT_SHARE * t_c ? SCR_LIMIT_RAYLEIGH : SCR_LIMIT_CONTACT;
    advice->material = (uint32_t)material;
    advice->radius = radius;
}

scr_step_advice scr_world_advised_step(const scr_world *world)
{
    scr_step_advice advice = {.time_step = INFINITY, .rayleigh_time = INFINITY, .contact_time = INFINITY};
    world_show_bodies(world);
    double speed = fastest(&world->bodies);
    for (int64_t k = 0; k < world->colliders.table.count; ++k)
        if (world->bodies.inv_mass[world->colliders.body[k]] > 0.0) consider(world, k, speed, &advice);
    if (advice.limit == SCR_LIMIT_NONE) advice = (scr_step_advice){0};
    return advice;
}
