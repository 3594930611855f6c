// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/system/contact_row.h"

#include "core/arrays/colouring.h"
#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/cone/stages/contact_law.h"
#include "dynamics/cone/stages/contact_sides.h"
#include "dynamics/cone/system/contact_system.h"
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/world/world.h"

static const double PI = 3.14159265358979323846;
static const double RESTITUTION_THRESHOLD = 0.01;  // m/s; slower impacts do not bounce
static const double TOUCHING = 1e-4;               // of the smaller radius: the gap at which cohesion begins to act
// of the smaller radius: the gap at which it ends, however strong it is
static const double FARTHEST_PULL = 0.1;

// Of a first guess. What one contact carries jumps from step to step, and a guess that leads by more is further off in
// all of them together: of a crawler on 150,000 grains errors are stated as 3.5 times the forces with 0, 5.2 with 0.5,
// 6.4 with 1. But the first sweeps see to that. What takes hundreds is how the load of all spreads through the bed, and
// under a machine that goes on smoothly. Sweeps of a crawler on 90,000 grains, in terms of those of all contacts, over
// six steps as it begins to drive: 0.5 130, 0.8 93, 0.9 74, 1 72; over five steps 0.3 s before: 0.5 174, 0.8 104, 1 75,
// 1.25 76, 1.5 143, 2 216. A robot, a wheel or a shear box on some thousand grains gains or loses no more than 7 %.
// From 1 on, errors within the tolerance would grow from step to step where nothing moves.
// Newton's method takes from the guess which contacts bear and which slide, and those that carry little jump most:
// steps of a light robot driving straight on, in a turn and up a slope 7.1, 8.7, 10.1 with 0, 7.6, 9.4, 10.4 with 0.2,
// 8.2, 10.1, 11.3 with 0.5, 7.5, 9.2, 10.5 with -0.1. A crawler takes 8.5 whatever it is.
static const double USUAL_LEAD = 0.5, MACHINE_LEAD = 0.9, NEWTON_LEAD = 0.0;
enum { LARGE_BED = 12800 };  // bodies

static double lead_of(const scr_world *world)
{
    if (!has_mechanisms(&world->mechanisms)) return USUAL_LEAD;
    if (machine_is_for_newton(world->def.solver.kind, world->contacts.count)) return NEWTON_LEAD;
    bool is_large = world->bodies.table.count >= LARGE_BED;
    return is_large && world->def.solver.tolerance > 0.0 ? MACHINE_LEAD : USUAL_LEAD;
}

step_law world_step_law(const scr_world *world)
{
    const scr_contact_def *def = &world->def.contact;
    return (step_law){
        .is_rigid = def->law == SCR_RIGID,
        .has_dampers = def->law == SCR_COMPLIANT && def->damping != 0.0,
        .is_warm = world->def.solver.warm_start,
        .lead = lead_of(world),
        .h = world->def.time_step,
        .gravity = vec3_norm(scr_world_gravity(world)),
        .recovery = world_recovery_speed(world),
        .compliance = def->compliance,
        .damping = def->damping,
    };
}

static void set_diagonal(const scr_world *world, const contact_sides *s, contact_row *row)
{
    if (row->centre_line) {
        double spin = 0.0;
        if (row->a != NO_BODY)
            row->a_n += s->inv_mass_a,
                spin += vec3_dot(row->lever_a, row->lever_a) * grain_inverse_inertia(world, row->a);
        if (row->b != NO_BODY)
            row->a_n += s->inv_mass_b,
                spin += vec3_dot(row->lever_b, row->lever_b) * grain_inverse_inertia(world, row->b);
        row->a_t = row->a_n + spin;
        return;
    }
    contact_system system = world_contact_system(world);
    mat3 block = contact_row_block(&system, row);
    row->a_n = vec3_dot(row->n, mat3_times(&block, row->n));
    row->a_t = 0.5 * (block.m[0][0] + block.m[1][1] + block.m[2][2] - row->a_n);
}

static scr_vec3 old_velocity(const scr_world *world, int64_t body, scr_vec3 lever)
{
    const bodies *b = &world->bodies;
    scr_vec3 v = body_velocity(b, body);
    // What turns about its own centre, as grains do, has no velocity along a normal through it.
    return body_is_grain(b, &world->colliders, body) ? v : point_velocity(body_twist(b, body), lever);
}

// m/s; how fast the gap changed as the step began
static double gap_speed(const scr_world *world, const contact_sides *s)
{
    scr_vec3 va = old_velocity(world, s->body_a, s->lever_a), vb = old_velocity(world, s->body_b, s->lever_b);
    scr_vec3 u = vec3_sub(vb, va);
    if (period_moves(&world->colliders.period)) u = vec3_add(u, s->seam_velocity);
    return vec3_dot(u, s->n);
}

// m; the gap that a contact's spring knows
static double spring_gap(const scr_world *world, const contact_sides *s)
{
    return s->gap + (double)world->contacts.allowance[s->contact];
}

// N/m, of the materials' own spring
static double spring_stiffness(const scr_world *world, const contact_sides *s)
{
    double modulus = s->pair->modulus, radius = sides_effective_radius(world, s);
    if (contact_is_flat(&world->contacts, &world->colliders, s->contact))
        return flat_contact_stiffness(modulus, radius);
    return loaded_contact_stiffness(modulus, radius, -spring_gap(world, s));
}

// m/N, 1/k; 0 of rigid contacts. inverse_mass is what a relative compliance refers to.
static double inverse_stiffness(const scr_world *world, const contact_sides *s, const step_law *law,
                                double inverse_mass)
{
    if (law->is_rigid) return 0.0;
    return contact_law_inverse_stiffness(law, spring_stiffness(world, s), s->pair->gives_modulus, inverse_mass);
}

double contact_spring_share(const scr_world *world, const contact_sides *s)
{
    step_law law = world_step_law(world);
    if (law.is_rigid) return 1.0;
    if (law.damping >= 0.0) return contact_law_spring_share(&law, law.damping);
    double inverse = s->inv_mass_a + s->inv_mass_b, own2 = inverse_stiffness(world, s, &law, inverse) / inverse;
    return contact_law_spring_share(&law,
                                    contact_law_damping_time(&law, own2, s->pair->damping_ratio, s->pair->restitution,
                                                             -spring_gap(world, s), fabs(gap_speed(world, s))));
}

// Where a contact is and what it moves.
static contact_row row_frame(const scr_world *world, const contact_sides *s)
{
    const colliders *c = &world->colliders;
    const bodies *all = &world->bodies;
    contact_row row = {
        .a = s->inv_mass_a > 0.0 ? s->body_a : NO_BODY,
        .b = s->inv_mass_b > 0.0 ? s->body_b : NO_BODY,
        .centre_line = s->centre_line,
        .n = s->n,
        .lever_a = s->lever_a,
        .lever_b = s->lever_b,
        .mu = s->pair->friction,
        .length_a = body_spin_length(all, c, s->body_a),
        .length_b = body_spin_length(all, c, s->body_b),
    };
    set_diagonal(world, s, &row);
    return row;
}

contact_row contact_row_frame(const scr_world *world, int64_t i)
{
    contact_sides s = contact_sides_of(world, i);
    return row_frame(world, &s);
}

static double pull_off_force(const scr_world *world, const contact_sides *s)
{
    double least = sides_smaller_radius(world, s), share = world->def.contact.adhesion == SCR_JKR ? 1.5 : 2.0;
    double radius = sides_effective_radius(world, s);
    return PI * (s->pair->cohesion * least * least + share * s->pair->surface_energy * radius);
}

double contact_pull(const scr_world *world, const contact_sides *s, bool carried)
{
    if (!materials_cohere(&world->materials)) return 0.0;
    double h = world->def.time_step, least = sides_smaller_radius(world, s), force = pull_off_force(world, s);
    if (force <= 0.0) return 0.0;
    double reach = TOUCHING * least;
    if (carried && s->gap > reach) {
        // A contact that holds may stretch its spring as far as the pull reaches, and hovers where it slides: its
        // damper takes part in that.
        contact_row row = row_frame(world, s);
        double sliding = vec3_norm(across(sides_velocity(world, s), row.n));
        double hover = h * row.mu * sliding / (double)world->contacts.spring_share[s->contact];
        step_law law = world_step_law(world);
        reach = fmin(reach + force * inverse_stiffness(world, s, &law, row.a_n) + hover, FARTHEST_PULL * least);
    }
    return s->gap <= reach ? h * force : 0.0;
}

static bool is_carried(const scr_world *world, const contact_sides *s)
{
    const float *last = world->contacts.previous + 3 * s->contact;
    return last[0] != 0.0f || last[1] != 0.0f || last[2] != 0.0f;
}

// An impact that would go through a good part of the smaller body is too violent for springs.
static bool is_stiff(const scr_world *world, const contact_sides *s, double u_n)
{
    const collider_motion *moves = &world->collider_motion;
    int32_t ca = s->collider_a, cb = s->collider_b;
    bool is_deflected = moves->has_deflections && (moves->deflection[ca] > 0.0f || moves->deflection[cb] > 0.0f);
    double end = s->gap + world->def.time_step * u_n;
    return world->def.contact.law == SCR_RIGID || is_deflected || end < -VIOLENT_SHARE * sides_smaller_radius(world, s);
}

double contact_restitution(const scr_world *world, const contact_sides *s, double u_n)
{
    const collider_motion *moves = &world->collider_motion;
    bool is_squeezed =
        moves->has_deflections && (moves->is_squeezed[s->collider_a] || moves->is_squeezed[s->collider_b]);
    // A spring that is pressed already gives back what it took: a bounce on top of it would be a gift.
    bool is_pressed = is_carried(world, s) && !is_stiff(world, s, u_n);
    return is_squeezed || is_pressed ? 0.0 : s->pair->restitution;
}

static bool is_of_mechanism(const scr_world *world, const contact_sides *s)
{
    return body_is_joined(&world->mechanisms, s->body_a) || body_is_joined(&world->mechanisms, s->body_b);
}

double contact_free_change(const scr_world *world, const contact_sides *s, double u_n, bool is_first)
{
    if (is_of_mechanism(world, s)) return is_first ? u_n - gap_speed(world, s) : 0.0;
    double fall = world->def.time_step * vec3_dot(scr_world_gravity(world), s->n);
    return fall * ((s->inv_mass_b > 0.0) - (s->inv_mass_a > 0.0));
}

// Does the gap close in this step, faster than what does not bounce?
static bool closes_fast(const scr_world *world, const contact_sides *s, double u_n, double u_n_before)
{
    double h = world->def.time_step, g = vec3_norm(scr_world_gravity(world));
    return u_n_before < -fmax(RESTITUTION_THRESHOLD, 2.0 * g * h) && s->gap + h * u_n < 0.0;
}

bool contact_strikes(const scr_world *world, int64_t i, bool is_first)
{
    contact_sides s = contact_sides_of(world, i);
    if (s.pair->restitution <= 0.0) return false;
    double u_n = vec3_dot(sides_body_velocity(world, &s), s.n),
           before = u_n - contact_free_change(world, &s, u_n, is_first);
    return closes_fast(world, &s, u_n, before) && contact_restitution(world, &s, u_n) > 0.0;
}

// Bias, compliance and cohesion.
static void set_law(const scr_world *world, const contact_sides *s, contact_row *row)
{
    const contacts *set = &world->contacts;
    step_law law = world_step_law(world);
    double h = law.h, eps = 0.0;
    scr_vec3 u = sides_velocity(world, s);
    double u_n = vec3_dot(u, row->n);
    if (!is_stiff(world, s, u_n)) eps = inverse_stiffness(world, s, &law, row->a_n) / (h * h * row->a_n);
    const float *last = set->previous + 3 * s->contact;
    row->apex = contact_pull(world, s, is_carried(world, s));
    // What flies by, or bounces in a later step, has no friction yet: in the convex law sliding alone would hold it
    // off.
    bool flies = s->gap > 0.0 && s->gap + h * u_n >= 0.0 && !is_carried(world, s) && s->pair->restitution > 0.0;
    if (flies) row->mu = 0.0;
    double share = (double)set->spring_share[s->contact];
    double bias = contact_law_bias(&law, eps, s->gap, spring_gap(world, s), share, row->apex > 0.0);
    scr_vec3 spring_t = across(vec3((double)last[0], (double)last[1], (double)last[2]), row->n);
    row->eps_n = row->eps_t = share * eps;
    row->r = vec3_add_scaled(vec3_add_scaled(u, bias, row->n), -row->eps_t * row->a_t, spring_t);
}

static double mean_inverse_inertia(const scr_world *world, int32_t body)
{
    if (body == NO_BODY) return 0.0;
    const bodies *b = &world->bodies;
    const body_inertia *stiffened = stiffened_inertia(&world->mechanisms, body);
    if (stiffened == NULL) return (b->inv_ix[body] + b->inv_iy[body] + b->inv_iz[body]) / 3.0;
    return (stiffened->inv_inertia.m[0][0] + stiffened->inv_inertia.m[1][1] + stiffened->inv_inertia.m[2][2]) / 3.0;
}

// Rolling and spinning friction. The compliance of the contact is that of its rolling too; where it is rigid, so is
// this.
static void set_rolling(const scr_world *world, const contact_sides *s, contact_row *row)
{
    const contacts *set = &world->contacts;
    const new_motion *m = &world->motion;
    row->arm = sides_effective_radius(world, s);
    row->roll = s->pair->rolling_friction;
    row->spin = s->pair->spinning_friction;
    row->a_q = row->arm * row->arm * (mean_inverse_inertia(world, row->a) + mean_inverse_inertia(world, row->b));
    row->r_q = vec3_scale(row->arm, vec3_sub(new_twist(m, s->body_b).w, new_twist(m, s->body_a).w));
    if (row->eps_n <= 0.0) return;
    const float *last = set->last_angular_impulse + 3 * s->contact;
    row->eps_q = row->eps_n / (double)set->spring_share[s->contact];
    row->r_q = vec3_add_scaled(row->r_q, -row->eps_q * row->a_q / row->arm,
                               vec3((double)last[0], (double)last[1], (double)last[2]));
}

contact_row contact_row_of(const scr_world *world, int64_t i)
{
    contact_sides s = contact_sides_of(world, i);
    contact_row row = row_frame(world, &s);
    set_law(world, &s, &row);
    if (world->contacts.has_angular_impulses) set_rolling(world, &s, &row);
    if (world->has_hover) row.r = vec3_add_scaled(row.r, world->hover[i], row.n);
    return row;
}
