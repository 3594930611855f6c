// SPDX-License-Identifier: BSD-3-Clause
// The two sides of a contact, looked up once for all that is asked of it.
#ifndef DYNAMICS_CONE_STAGES_CONTACT_SIDES_H
#define DYNAMICS_CONE_STAGES_CONTACT_SIDES_H

#include "dynamics/bodies/contact_radius.h"
#include "dynamics/world/world.h"

typedef struct contact_sides {
    int64_t contact;
    int32_t collider_a, collider_b, body_a, body_b;
    double inv_mass_a, inv_mass_b;  // 1/kg
    const material_pair *pair;
    scr_vec3 n, lever_a, lever_b;  // levers: m, from the centres of mass
    scr_vec3 seam_velocity;        // m/s: what a seam of a sheared or stretched space adds to u_b - u_a; else 0
    double gap;                    // m
    bool centre_line;
} contact_sides;

static inline contact_sides contact_sides_of(const scr_world *world, int64_t i)
{
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    const bodies *b = &world->bodies;
    int32_t ca = set->a[i], cb = set->b[i], body_a = c->body[ca], body_b = c->body[cb];
    contact_geometry at = contact_geometry_of(set, c, i);
    scr_vec3 point = at.point;
    contact_sides s = {
        .contact = i,
        .collider_a = ca,
        .collider_b = cb,
        .body_a = body_a,
        .body_b = body_b,
        .inv_mass_a = b->inv_mass[body_a],
        .inv_mass_b = b->inv_mass[body_b],
        .pair = materials_pair(&world->materials, c->material[ca], c->material[cb]),
        .n = at.normal,
        .lever_a = contact_lever(c, point, body_position(b, body_a)),
        .lever_b = contact_lever(c, point, body_position(b, body_b)),
        .gap = at.gap,
        .centre_line = at.on_centre_line,
    };
    if (period_moves(&c->period))
        s.seam_velocity = vec3_sub(period_image_velocity(&c->period, vec3_sub(point, body_position(b, body_b))),
                                   period_image_velocity(&c->period, vec3_sub(point, body_position(b, body_a))));
    return s;
}

// m/s: of two twists u_b - u_a, as the bodies, or the images of them that touch, move
static inline scr_vec3 sides_velocity_between(const scr_world *world, const contact_sides *s, twist a, twist b)
{
    scr_vec3 u = vec3_sub(point_velocity(b, s->lever_b), point_velocity(a, s->lever_a));
    return period_moves(&world->colliders.period) ? vec3_add(u, s->seam_velocity) : u;
}

// m: of the smaller side
static inline double sides_smaller_radius(const scr_world *world, const contact_sides *s)
{
    return contact_smaller_size(&world->contacts, &world->colliders, s->contact);
}
static inline double sides_effective_radius(const scr_world *world, const contact_sides *s)
{
    return effective_radius(&world->contacts, &world->colliders, s->contact);
}

// m/s: u_b - u_a of the velocities in the making, as the bodies move
static inline scr_vec3 sides_body_velocity(const scr_world *world, const contact_sides *s)
{
    const new_motion *m = &world->motion;
    return sides_velocity_between(world, s, new_twist(m, s->body_a), new_twist(m, s->body_b));
}

// m/s: the same with what conveying surfaces add
static inline scr_vec3 sides_velocity(const scr_world *world, const contact_sides *s)
{
    scr_vec3 u = sides_body_velocity(world, s);
    return world_conveys(world) ? vec3_add(u, contact_surface_velocity(world, s->contact)) : u;
}

#endif
