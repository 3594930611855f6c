// SPDX-License-Identifier: BSD-3-Clause
// When a step must look for contacts again, and how much further.
//
// Contacts are looked for along the way that bodies would go without contacts. A contact may send a body elsewhere: a
// grain at rest is struck, one bounces back. If that takes it farther than its own size, it could pass through others
// unseen; so detection and solution are then done again, with everybody looking as much further as contacts have been
// found to send it off: its deflection, the distance of its new way's end from its free way.
#include "dynamics/detection/detection.h"
#include "dynamics/world/world.h"

enum { MORE_PATIENCE = 3 };  // times as many sweeps for the next look, if contacts did not hold

void forget_deflections(scr_world *world)
{
    world->collider_motion.has_deflections = false;
    world->collider_motion.patience = 1;
}

// What another body would have to go through: half the thickness of a shape.
static double half_thickness(const colliders *c, int64_t k)
{
    if (c->place[k] == NO_PLACE || c->kind[k] == SCR_SPHERE) return c->radius[k];
    if (c->kind[k] == SCR_SPHERE_SET) return collider_least_size(c, k);
    const double *half = c->places.half + 3 * c->place[k];
    double least = fmin(half[0], fmin(half[1], half[2]));
    return least > 0.0 ? least : c->radius[k];
}

// Likewise, where contact i touches it.
static double half_thickness_at(const contacts *set, const colliders *c, int64_t i, int side)
{
    double sphere = contact_sphere_radius(set, c->kind, i, side);
    return sphere > 0.0 ? sphere : half_thickness(c, side == 0 ? set->a[i] : set->b[i]);
}

// How far the end of a way is from another way that begins at the same place.
static double distance_from_way(scr_vec3 end, scr_vec3 way)
{
    double length2 = vec3_dot(way, way), along = length2 > 0.0 ? vec3_dot(end, way) / length2 : 0.0;
    return vec3_norm(vec3_add_scaled(end, -fmin(fmax(along, 0.0), 1.0), way));
}

static double deflection_of(const scr_world *world, int64_t k)
{
    const bodies *b = &world->bodies;
    const colliders *c = &world->colliders;
    int32_t i = c->body[k];
    double h = world->def.time_step;
    twist t = new_twist(&world->motion, i);
    scr_vec3 way = vec3_scale(h, t.v);
    // A push by hand is taken for a deflection: no harm but a second pass.
    scr_vec3 free_way = vec3_scale(h, vec3_add_scaled(body_velocity(b, i), h, scr_world_gravity(world)));
    double deflection = distance_from_way(way, free_way);
    if (collider_is_grain(c, k)) return deflection;
    scr_vec3 spin = vec3_sub(t.w, body_spin(b, i));
    scr_vec3 arm = vec3_sub(vec3(c->ball[k].x, c->ball[k].y, c->ball[k].z), body_position(b, i));
    return deflection + h * vec3_norm(spin) * (vec3_norm(arm) + c->radius[k]);
}

// Do the new velocities take two bodies through each other, although their contact is known?
static bool goes_through(const scr_world *world, int64_t i)
{
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    contact_geometry at = contact_geometry_of(set, c, i);
    scr_vec3 v[2];
    const int32_t side[2] = {set->a[i], set->b[i]};
    for (int s = 0; s < 2; ++s) {
        int32_t body = c->body[side[s]];
        v[s] = contact_velocity(c, at.point, body_position(&world->bodies, body), new_twist(&world->motion, body));
    }
    double closing = -vec3_dot(vec3_sub(v[1], v[0]), at.normal);
    double thickness = fmin(half_thickness_at(set, c, i, 0), half_thickness_at(set, c, i, 1));
    return closing > 0.0 && world->def.time_step * closing > fmax(at.gap, 0.0) + 0.5 * thickness;
}

// Contacts that do not hold: they ask for more than can be, so that whoever is in one of them bounces no more in this
// step; or the solver needs more time.
static bool some_go_through(scr_world *world)
{
    const contacts *set = &world->contacts;
    collider_motion *m = &world->collider_motion;
    bool some = false;
    for (int64_t i = 0; i < set->count; ++i) {
        if (!goes_through(world, i)) continue;
        m->is_squeezed[set->a[i]] = m->is_squeezed[set->b[i]] = 1;
        some = true;
    }
    if (some) m->patience *= MORE_PATIENCE;
    return some;
}

static bool goes_undetected(const scr_world *world, int64_t k)
{
    const collider_motion *m = &world->collider_motion;
    const new_motion *v = &world->motion;
    const colliders *c = &world->colliders;
    int32_t i = c->body[k];
    double h = world->def.time_step, r = c->radius[k];
    double speed2 = vec3_dot(new_twist(v, i).v, new_twist(v, i).v);
    if (collider_is_grain(c, k) && h * h * speed2 <= r * r) return false;  // most grains do not even go that far
    return m->is_moved[k] && deflection_of(world, k) > known_deflection(m, k) + half_thickness(c, k);
}

// Most often not even the fastest of all goes as far as the smallest grain is wide: then no grain is looked at.
static bool some_go_undetected(const scr_world *world)
{
    const colliders *c = &world->colliders;
    double h = world->def.time_step, r = world->collider_motion.smallest;
    bool some = false, grains_stay = h * h * world->motion.end.flight.new_speed2 <= r * r;
    if (c->table.count == 0) return false;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(|| : some)
    for (int64_t k = 0; k < c->table.count; ++k)
        some = some || (!(grains_stay && collider_is_grain(c, k)) && goes_undetected(world, k));
    return some;
}

static void set_deflections(scr_world *world)
{
    collider_motion *m = &world->collider_motion;
    for (int64_t k = 0; k < world->colliders.table.count; ++k) {
        m->deflection[k] = (float)(goes_undetected(world, k) ? deflection_of(world, k) : known_deflection(m, k));
        if (!m->has_deflections) m->is_squeezed[k] = 0;
    }
    m->has_deflections = true;
}

bool must_detect_again(scr_world *world)
{
    bool do_not_hold = world->collider_motion.has_deflections && some_go_through(world),
         unseen = some_go_undetected(world);
    if (unseen) set_deflections(world);
    return do_not_hold || unseen;
}
