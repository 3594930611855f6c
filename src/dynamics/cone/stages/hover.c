// SPDX-License-Identifier: BSD-3-Clause
// Keeps what slides fast from hovering, and from being thrown up, under the convex law of friction.
//
// That law asks a loaded contact for u_n >= -gap/h + mu |u_t|, so that what slides rises to a gap of h mu |u_t|, and in
// one step: a wheel set down while it spins at 150 m/s would fly off at 35 m/s. Where this gap is more than HOVER_SHARE
// of the smaller radius, or would throw a body that is no grain to such a height, c, a guess of mu |u_t| at the end of
// the step, joins the bias:
//     u_n >= -gap/h + mu |u_t| - c        Coulomb's own law where the guess is right
// less a rest that lets the contact rise slowly, up to that share: so a guess that is a little high does no harm.
// Before the solution the guess is the slip of before less what the contact's own impulse takes from it; afterwards the
// slip is known. Where the guess was so high that bodies would sink in by a tenth of that, as under a load that the
// contact knows nothing of, it is lowered and the step solved again, a few times at most. Slower contacts keep the
// convex law, bit by bit. What rolls and spins counts as what slides does (cone_slip).
#include "core/base/threads.h"
#include "dynamics/bodies/contact_radius.h"
#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/world/world.h"

static const double HOVER_SHARE = 0.1;
static const double SINK_SHARE = 0.1;  // of that
// with more than this nothing goes on sliding, and a guess would be far too high
static const double SLIDING_FRICTION = 10.0;

// What slips at a contact: velocities of g and of q.
static contact_load slip_of(const scr_world *world, int64_t i, bool before)
{
    const colliders *c = &world->colliders;
    const bodies *b = &world->bodies;
    scr_vec3 point = contact_point_of(&world->contacts, c, i), v[2], w[2];
    const int32_t side[2] = {world->contacts.a[i], world->contacts.b[i]};
    for (int s = 0; s < 2; ++s) {
        int32_t k = c->body[side[s]];
        twist t = before ? body_twist(b, k) : new_twist(&world->motion, k);
        w[s] = t.w;
        v[s] = point_velocity(t, vec3_sub(point, body_position(b, k)));
    }
    contact_load slip = {.g = vec3_sub(v[1], v[0])};
    if (world_conveys(world)) slip.g = vec3_add(slip.g, contact_surface_velocity(world, i));
    if (world->contacts.has_angular_impulses)
        slip.q = vec3_scale(effective_radius(c, side[0], side[1]), vec3_sub(w[1], w[0]));
    return slip;
}

static friction_cone limits_of(const scr_world *world, int64_t i)
{
    const colliders *c = &world->colliders;
    const contacts *set = &world->contacts;
    const material_pair *both = materials_pair(&world->materials, c->material[set->a[i]], c->material[set->b[i]]);
    const double *n = set->normal + 3 * i;
    return (friction_cone){.n = vec3(n[0], n[1], n[2]),
                           .mu = both->friction,
                           .roll = both->rolling_friction,
                           .spin = both->spinning_friction};
}

// m/s: the hover that may be, and the part of it that this step may bring.
static double allowed_hover(const scr_world *world, int64_t i)
{
    const colliders *c = &world->colliders;
    return HOVER_SHARE * fmin(c->radius[world->contacts.a[i]], c->radius[world->contacts.b[i]]) / world->def.time_step;
}

static double left_to_rise(const scr_world *world, int64_t i)
{
    double now = fmax(0.0, world->contacts.gap[i]) / world->def.time_step;
    return fmin(now + world_recovery_speed(world), allowed_hover(world, i));
}

// Whether the convex law would send a body up to a height of HOVER_SHARE of its size. Grains are left to it: among them
// it is a matter of a few steps.
static bool throws(const scr_world *world, int64_t i, double guess)
{
    const colliders *c = &world->colliders;
    const int32_t side[2] = {world->contacts.a[i], world->contacts.b[i]};
    double size = INFINITY, rise = guess - fmax(0.0, world->contacts.gap[i]) / world->def.time_step;
    for (int s = 0; s < 2; ++s)
        if (world->bodies.inv_mass[c->body[side[s]]] > 0.0 && !collider_is_grain(c, side[s]))
            size = fmin(size, c->radius[side[s]]);
    return rise > 0.0 && rise * rise > 2.0 * vec3_norm(scr_world_gravity(world)) * HOVER_SHARE * size;
}

// m/s: what the impulse that stops an approach takes from the slip. (That of the last step says little: after a blow
// the guess would be low, and the contact thrown up to the next blow.)
static double slip_lost(const scr_world *world, int64_t i, const friction_cone *limits, double un)
{
    contact_row row = contact_row_frame(world, i);
    double closing = fmax(0.0, -un - world->contacts.gap[i] / world->def.time_step);
    return limits->mu * limits->mu * closing * row.a_t / row.a_n;
}

static double foreseen(const scr_world *world, int64_t i)
{
    friction_cone limits = limits_of(world, i);
    if (fmax(limits.mu, fmax(limits.roll, limits.spin)) > SLIDING_FRICTION) return 0.0;
    contact_load slip = slip_of(world, i, false);
    double guess = cone_slip(&limits, slip);
    if (guess <= allowed_hover(world, i) && !throws(world, i, guess)) return 0.0;
    contact_load old = slip_of(world, i, true);
    guess = fmin(guess, cone_slip(&limits, old)) - slip_lost(world, i, &limits, vec3_dot(slip.g, limits.n));
    return fmax(0.0, guess - left_to_rise(world, i));
}

scr_status foresee_hover(scr_world *world, scr_error *error)
{
    int64_t n = world->contacts.count;
    world->hover_passes = 0;
    scr_status status =
        scr_grow_anew(&world->hover, &world->hover_capacity, n, sizeof *world->hover, "contacts", error);
    if (status != SCR_OK) return status;
    bool is_convex = world->def.contact.friction == SCR_FRICTION_CONVEX, some = false;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(|| : some)
    for (int64_t i = 0; i < n; ++i) {
        world->hover[i] = is_convex ? foreseen(world, i) : 0.0;
        some = some || world->hover[i] > 0.0;
    }
    world->has_hover = some;
    return SCR_OK;
}

// By more than it was too high, since with less taken from its hover a contact bears more and slips less; and by more
// each time, in the end by all of it.
static bool lower(scr_world *world, int64_t i, double more)
{
    if (world->hover[i] == 0.0) return false;
    friction_cone limits = limits_of(world, i);
    double slip = cone_slip(&limits, slip_of(world, i, false)), beyond = world->hover[i] - slip;
    if (beyond <= SINK_SHARE * allowed_hover(world, i)) return false;
    world->hover[i] = fmax(0.0, slip - more * beyond - left_to_rise(world, i));
    return true;
}

enum { PASSES_MAX = 3 };

bool must_hover_more(scr_world *world)
{
    static const double MORE[PASSES_MAX] = {1.0, 4.0, INFINITY};
    bool some = false;
    if (!world->has_hover || world->hover_passes == PASSES_MAX) return false;
    double more = MORE[world->hover_passes++];
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(|| : some)
    for (int64_t i = 0; i < world->contacts.count; ++i) some = lower(world, i, more) || some;
    if (!some || world->hover_passes < PASSES_MAX) return some;
    // Nobody looks any more: all contacts go back to the convex law.
    for (int64_t i = 0; i < world->contacts.count; ++i) world->hover[i] = 0.0;
    return true;
}
