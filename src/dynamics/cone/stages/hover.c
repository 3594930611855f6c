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
#include "dynamics/cone/stages/plain_contacts.h"
#include "dynamics/world/world.h"

static const double SINK_SHARE = 0.1;  // of that
// with more than this nothing goes on sliding, and a guess would be far too high
static const double SLIDING_FRICTION = 10.0;

// What slips at a contact: velocities of g and of q.
static contact_load slip_of(const scr_world *world, const contact_sides *s)
{
    const new_motion *m = &world->motion;
    contact_load slip = {.g = sides_velocity(world, s)};
    if (!world->contacts.has_angular_impulses) return slip;
    scr_vec3 spin = vec3_sub(new_twist(m, s->body_b).w, new_twist(m, s->body_a).w);
    slip.q = vec3_scale(sides_effective_radius(world, s), spin);
    return slip;
}

// The same as the step began.
static contact_load old_slip_of(const scr_world *world, const contact_sides *s)
{
    const bodies *b = &world->bodies;
    twist a = body_twist(b, s->body_a), other = body_twist(b, s->body_b);
    contact_load slip = {.g = sides_velocity_between(world, s, a, other)};
    if (world_conveys(world)) slip.g = vec3_add(slip.g, contact_surface_velocity(world, s->contact));
    if (world->contacts.has_angular_impulses)
        slip.q = vec3_scale(sides_effective_radius(world, s), vec3_sub(other.w, a.w));
    return slip;
}

static friction_cone limits_of(const contact_sides *s)
{
    return (friction_cone){
        .n = s->n, .mu = s->pair->friction, .roll = s->pair->rolling_friction, .spin = s->pair->spinning_friction};
}

// m/s: the hover that may be, and the part of it that this step may bring.
static double allowed_hover(const scr_world *world, const contact_sides *s)
{
    return HOVER_SHARE * sides_smaller_radius(world, s) / world->def.time_step;
}

static double left_to_rise(const scr_world *world, const contact_sides *s)
{
    double now = fmax(0.0, s->gap) / world->def.time_step;
    return fmin(now + world_recovery_speed(world), allowed_hover(world, s));
}

double thrown_size(const scr_world *world, int64_t collider)
{
    const colliders *c = &world->colliders;
    bool counts = world->bodies.inv_mass[c->body[collider]] > 0.0 && !collider_is_grain(c, collider);
    return counts ? c->radius[collider] : INFINITY;
}

static double thrown_side(const scr_world *world, const contact_sides *s, int side)
{
    double size = thrown_size(world, side == 0 ? s->collider_a : s->collider_b);
    return isfinite(size) ? contact_side_size(&world->contacts, &world->colliders, s->contact, side) : size;
}

// Whether the convex law would send a body up to a height of HOVER_SHARE of its size. Grains are left to it: among them
// it is a matter of a few steps.
static bool throws(const scr_world *world, const contact_sides *s, double guess)
{
    double size_a = thrown_side(world, s, 0), size_b = thrown_side(world, s, 1);
    double rise = guess - fmax(0.0, s->gap) / world->def.time_step;
    return rise > 0.0 && rise * rise > 2.0 * vec3_norm(scr_world_gravity(world)) * HOVER_SHARE * fmin(size_a, size_b);
}

// m/s: what the impulse that stops an approach takes from the slip. (That of the last step says little: after a blow
// the guess would be low, and the contact thrown up to the next blow.)
static double slip_lost(const scr_world *world, const contact_sides *s, const friction_cone *limits, double un)
{
    contact_row row = contact_row_frame(world, s->contact);
    double closing = fmax(0.0, -un - s->gap / world->def.time_step);
    return limits->mu * limits->mu * closing * row.a_t / row.a_n;
}

static double foreseen(const scr_world *world, int64_t i)
{
    contact_sides s = contact_sides_of(world, i);
    friction_cone limits = limits_of(&s);
    if (limits.mu > SLIDING_FRICTION || limits.roll > SLIDING_FRICTION || limits.spin > SLIDING_FRICTION) return 0.0;
    contact_load slip = slip_of(world, &s);
    double guess = cone_slip(&limits, slip);
    if (guess <= allowed_hover(world, &s) && !throws(world, &s, guess)) return 0.0;
    guess = fmin(guess, cone_slip(&limits, old_slip_of(world, &s))) -
            slip_lost(world, &s, &limits, vec3_dot(slip.g, limits.n));
    return fmax(0.0, guess - left_to_rise(world, &s));
}

// m: so far two grains may move in a step, with their surfaces, and not hover whatever they do. What slips is at most
// the way of both, t each, times 1 + gap/2r for arms that end midway between the surfaces; and the gap is what contacts
// are looked for at, at most:
//     2 mu t (1 + (envelope + 2 (1 + mu) t/r)/2) <= HOVER_SHARE r
static float slow_travel(const scr_world *world)
{
    double mu = world->materials.max_friction, r = world->collider_motion.smallest;
    double b = 2.0 * mu * (1.0 + 0.5 * world->def.contact.envelope);
    double root = sqrt(b * b + 8.0 * mu * (1.0 + mu) * HOVER_SHARE);
    return (float)(0.999 * r * 2.0 * HOVER_SHARE / (b + root));  // the root without a difference
}

// Bits of contacts of two grains, or of one and what cannot be moved, of whom one is faster.
static uint32_t fast_ones(const scr_world *world, const int32_t *contact, float slow)
{
    const contacts *set = &world->contacts;
    const float *travel = world->collider_motion.travel;
    uint32_t fast = 0;
    for (int k = 0; k < PLAIN_LANES; ++k) {
        float a = travel[set->a[contact[k]]], b = travel[set->b[contact[k]]];
        fast |= (uint32_t) !((a > b ? a : b) <= slow) << k;
    }
    return fast;
}

// c of every contact, written to `hover` unless that is NULL; whether one of them is not 0. slow: see slow_travel
static bool foresee_all(const scr_world *world, float slow, double *hover)
{
    const plain_kernels *central = plain_kernels_of(world);
    const general_kernels *general = general_kernels_of(world);
    const plain_view *view = &world->plain.view;
    int64_t n = world->contacts.count;
    bool some = false;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(|| : some)
    for (int64_t first = 0; first < n; first += PLAIN_LANES) {
        // Of plain contacts few hover, and the rest is told apart several at a time.
        int32_t contact[PLAIN_LANES];
        int count = next_contacts(first, n, contact);
        plain_masks plain = plain_contacts_among(world, contact, count);
        if ((plain.central & fast_ones(world, contact, slow)) != 0)
            plain.central &= ~central->hover(view, &world->contacts, contact);
        if (plain.general != 0) plain.general &= ~general->hover(view, &world->contacts, contact);
        for (int k = 0; k < count; ++k) {
            double c = (plain.central | plain.general) >> k & 1 ? 0.0 : foreseen(world, first + k);
            if (hover != NULL) hover[first + k] = c;
            some = some || c > 0.0;
        }
    }
    return some;
}

scr_status foresee_hover(scr_world *world, scr_error *error)
{
    int64_t n = world->contacts.count;
    world->hover_passes = 0;
    world->has_hover = false;
    if (n == 0) return SCR_OK;
    world->plain.view.hover = NULL;
    if (world->def.contact.friction != SCR_FRICTION_CONVEX) return SCR_OK;
    // Travel was measured before impacts, and before joints held.
    bool has_moved = world->contacts.has_blows || has_mechanisms(&world->mechanisms);
    float slow = has_moved || world->contacts.has_angular_impulses ? -1.0f : slow_travel(world);
    if (world->collider_motion.fastest <= slow && world->plain.is_open && world->plain.all_are_plain) return SCR_OK;
    // A bed of a million may never need the memory: it is taken when one contact does.
    if (world->hover_capacity < n && !foresee_all(world, slow, NULL)) return SCR_OK;
    scr_status status =
        scr_grow_anew(&world->hover, &world->hover_capacity, n, sizeof *world->hover, "contacts", error);
    if (status != SCR_OK) return status;
    world->has_hover = foresee_all(world, slow, world->hover);
    if (world->has_hover) world->plain.view.hover = world->hover;
    return SCR_OK;
}

// By more than it was too high, since with less taken from its hover a contact bears more and slips less; and by more
// each time, in the end by all of it.
static bool lower(scr_world *world, int64_t i, double more)
{
    if (world->hover[i] == 0.0) return false;
    contact_sides s = contact_sides_of(world, i);
    friction_cone limits = limits_of(&s);
    double slip = cone_slip(&limits, slip_of(world, &s)), beyond = world->hover[i] - slip;
    if (beyond <= SINK_SHARE * allowed_hover(world, &s)) return false;
    world->hover[i] = fmax(0.0, slip - more * beyond - left_to_rise(world, &s));
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
