// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/system/contact_row.h"

#include "core/arrays/colouring.h"
#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/cone/system/contact_system.h"
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/world/world.h"

static const double PI = 3.14159265358979323846;
static const double RESTITUTION_THRESHOLD = 0.01;  // m/s; slower impacts do not bounce
static const double TOUCHING = 1e-4;               // of the smaller radius: the gap at which cohesion begins to act
// of the smaller radius: the gap at which it ends, however strong it is
static const double FARTHEST_PULL = 0.1;
// of the smaller radius: overlap that an impact would reach in a step
static const double VIOLENT_SHARE = 0.5;

static void set_diagonal(const scr_world *world, contact_row *row)
{
    const bodies *b = &world->bodies;
    if (row->centre_line) {
        double spin = 0.0;
        if (row->a != NO_BODY)
            row->a_n += b->inv_mass[row->a],
                spin += vec3_dot(row->lever_a, row->lever_a) * grain_inverse_inertia(world, row->a);
        if (row->b != NO_BODY)
            row->a_n += b->inv_mass[row->b],
                spin += vec3_dot(row->lever_b, row->lever_b) * grain_inverse_inertia(world, row->b);
        row->a_t = row->a_n + spin;
        return;
    }
    contact_system system = world_contact_system(world);
    mat3 block = contact_row_block(&system, row);
    row->a_n = vec3_dot(row->n, mat3_times(&block, row->n));
    row->a_t = 0.5 * (block.m[0][0] + block.m[1][1] + block.m[2][2] - row->a_n);
}

static const material_pair *pair_of(const scr_world *world, int64_t i)
{
    const colliders *c = &world->colliders;
    return materials_pair(&world->materials, c->material[world->contacts.a[i]], c->material[world->contacts.b[i]]);
}

// m; the gap that a contact's spring knows
static double spring_gap(const contacts *set, int64_t i) { return set->gap[i] + (double)set->allowance[i]; }

// N/m, of the materials' own spring
static double spring_stiffness(const scr_world *world, int64_t i)
{
    const colliders *c = &world->colliders;
    int32_t a = world->contacts.a[i], b = world->contacts.b[i];
    double modulus = pair_of(world, i)->modulus, radius = effective_radius(c, a, b);
    if (colliders_touch_flat(c, a, b)) return flat_contact_stiffness(modulus, radius);
    return loaded_contact_stiffness(modulus, radius, -spring_gap(&world->contacts, i));
}

// m/N, 1/k; 0 of rigid contacts. inverse_mass is what a relative compliance refers to.
static double inverse_stiffness(const scr_world *world, int64_t i, double inverse_mass)
{
    const scr_contact_def *def = &world->def.contact;
    const material_pair *both = pair_of(world, i);
    double h = world->def.time_step;
    if (def->law == SCR_RIGID) return 0.0;
    if (def->compliance > 0.0 && !both->gives_modulus) return h * h * def->compliance * inverse_mass;
    return 1.0 / spring_stiffness(world, i);
}

static double contact_compliance(const scr_world *world, int64_t i, double a_n)
{
    double h = world->def.time_step;
    return inverse_stiffness(world, i, a_n) / (h * h * a_n);
}

// m/s; how fast the gap changed as the step began
static double gap_speed(const scr_world *world, int64_t i)
{
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    const bodies *b = &world->bodies;
    int32_t body_a = c->body[set->a[i]], body_b = c->body[set->b[i]];
    scr_vec3 point = contact_point_of(set, c, i),
             n = vec3(set->normal[3 * i], set->normal[3 * i + 1], set->normal[3 * i + 2]);
    scr_vec3 va = body_point_velocity(b, body_a, point);
    scr_vec3 vb = body_point_velocity(b, body_b, point);
    return vec3_dot(vec3_sub(vb, va), n);
}

// s; tau above
static double damping_time(const scr_world *world, int64_t i)
{
    const int32_t *body = world->colliders.body;
    const double *inv_mass = world->bodies.inv_mass;
    if (world->def.contact.damping >= 0.0) return world->def.contact.damping;
    const material_pair *both = pair_of(world, i);
    double ratio = fmin(1.0, both->damping_ratio);
    double inverse = inv_mass[body[world->contacts.a[i]]] + inv_mass[body[world->contacts.b[i]]];
    double own2 = inverse_stiffness(world, i, inverse) / inverse, own = 2.0 * ratio * sqrt(own2);
    double g = vec3_norm(scr_world_gravity(world)), overlap = -spring_gap(&world->contacts, i);
    if (both->restitution > 0.0 || g <= 0.0 || overlap <= 0.0) return own;
    double loaded = 2.0 * sqrt(own2 + overlap / g), speed = fabs(gap_speed(world, i));
    return loaded * speed <= overlap ? loaded : fmax(own, overlap / speed);
}

double contact_spring_share(const scr_world *world, int64_t i)
{
    double h = world->def.time_step;
    return world->def.contact.law == SCR_RIGID ? 1.0 : h / (h + damping_time(world, i));
}

// Where a contact is and what it moves.
contact_row contact_row_frame(const scr_world *world, int64_t i)
{
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    const bodies *all = &world->bodies;
    int32_t ca = set->a[i], cb = set->b[i], body_a = c->body[ca], body_b = c->body[cb];
    contact_row row = {
        .a = all->inv_mass[body_a] > 0.0 ? body_a : NO_BODY,
        .b = all->inv_mass[body_b] > 0.0 ? body_b : NO_BODY,
        .centre_line = set->point[i] == ON_CENTRE_LINE,
        .n = vec3(set->normal[3 * i], set->normal[3 * i + 1], set->normal[3 * i + 2]),
        .mu = materials_pair(&world->materials, c->material[ca], c->material[cb])->friction,
    };
    scr_vec3 point = contact_point_of(set, c, i);
    row.lever_a = vec3_sub(point, body_position(all, body_a));
    row.lever_b = vec3_sub(point, body_position(all, body_b));
    row.length_a = body_spin_length(all, c, body_a);
    row.length_b = body_spin_length(all, c, body_b);
    set_diagonal(world, &row);
    return row;
}

static scr_vec3 relative_velocity(const scr_world *world, int64_t i, const contact_row *row)
{
    const new_motion *m = &world->motion;
    int32_t a = world->colliders.body[world->contacts.a[i]], b = world->colliders.body[world->contacts.b[i]];
    scr_vec3 u = vec3_sub(point_velocity(new_twist(m, b), row->lever_b), point_velocity(new_twist(m, a), row->lever_a));
    return world_conveys(world) ? vec3_add(u, contact_surface_velocity(world, i)) : u;
}

static double pull_off_force(const scr_world *world, const material_pair *both, int32_t ca, int32_t cb)
{
    const colliders *c = &world->colliders;
    double smaller = fmin(c->radius[ca], c->radius[cb]), share = world->def.contact.adhesion == SCR_JKR ? 1.5 : 2.0;
    return PI * (both->cohesion * smaller * smaller + share * both->surface_energy * effective_radius(c, ca, cb));
}

double contact_pull(const scr_world *world, int64_t i, bool carried)
{
    if (!materials_cohere(&world->materials)) return 0.0;
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    int32_t ca = set->a[i], cb = set->b[i];
    const material_pair *both = materials_pair(&world->materials, c->material[ca], c->material[cb]);
    double h = world->def.time_step, smaller = fmin(c->radius[ca], c->radius[cb]);
    double force = pull_off_force(world, both, ca, cb);
    if (force <= 0.0) return 0.0;
    double reach = TOUCHING * smaller;
    if (carried && set->gap[i] > reach) {
        // A contact that holds may stretch its spring as far as the pull reaches, and hovers where it slides: its
        // damper takes part in that.
        contact_row row = contact_row_frame(world, i);
        scr_vec3 u = relative_velocity(world, i, &row);
        double sliding = vec3_norm(vec3_add_scaled(u, -vec3_dot(u, row.n), row.n));
        double hover = h * row.mu * sliding / (double)set->spring_share[i];
        reach = fmin(reach + force * inverse_stiffness(world, i, row.a_n) + hover, FARTHEST_PULL * smaller);
    }
    return set->gap[i] <= reach ? h * force : 0.0;
}

static bool is_carried(const scr_world *world, int64_t i)
{
    const float *last = world->contacts.previous + 3 * i;
    return last[0] != 0.0f || last[1] != 0.0f || last[2] != 0.0f;
}

// An impact that would go through a good part of the smaller body is too violent for springs.
static bool is_stiff(const scr_world *world, int64_t i, double u_n)
{
    const colliders *c = &world->colliders;
    const collider_motion *moves = &world->collider_motion;
    int32_t ca = world->contacts.a[i], cb = world->contacts.b[i];
    bool is_deflected = moves->has_deflections && (moves->deflection[ca] > 0.0f || moves->deflection[cb] > 0.0f);
    double end = world->contacts.gap[i] + world->def.time_step * u_n;
    return world->def.contact.law == SCR_RIGID || is_deflected ||
           end < -VIOLENT_SHARE * fmin(c->radius[ca], c->radius[cb]);
}

double contact_restitution(const scr_world *world, int64_t i, double u_n)
{
    const collider_motion *moves = &world->collider_motion;
    int32_t ca = world->contacts.a[i], cb = world->contacts.b[i];
    bool is_squeezed = moves->has_deflections && (moves->is_squeezed[ca] || moves->is_squeezed[cb]);
    // A spring that is pressed already gives back what it took: a bounce on top of it would be a gift.
    bool is_pressed = is_carried(world, i) && !is_stiff(world, i, u_n);
    return is_squeezed || is_pressed ? 0.0 : pair_of(world, i)->restitution;
}

static bool is_of_mechanism(const scr_world *world, int64_t i)
{
    const int32_t *body = world->colliders.body;
    const mechanisms *m = &world->mechanisms;
    return body_is_joined(m, body[world->contacts.a[i]]) || body_is_joined(m, body[world->contacts.b[i]]);
}

double contact_free_change(const scr_world *world, int64_t i, double u_n, bool is_first)
{
    if (is_of_mechanism(world, i)) return is_first ? u_n - gap_speed(world, i) : 0.0;
    const double *n = world->contacts.normal + 3 * i, *inv_mass = world->bodies.inv_mass;
    const int32_t *body = world->colliders.body;
    double fall = world->def.time_step * vec3_dot(scr_world_gravity(world), vec3(n[0], n[1], n[2]));
    return fall * ((inv_mass[body[world->contacts.b[i]]] > 0.0) - (inv_mass[body[world->contacts.a[i]]] > 0.0));
}

// Does the gap close in this step, faster than what does not bounce?
static bool closes_fast(const scr_world *world, int64_t i, double u_n, double u_n_before)
{
    double h = world->def.time_step, g = vec3_norm(scr_world_gravity(world));
    return u_n_before < -fmax(RESTITUTION_THRESHOLD, 2.0 * g * h) && world->contacts.gap[i] + h * u_n < 0.0;
}

bool contact_strikes(const scr_world *world, int64_t i, bool is_first)
{
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    if (pair_of(world, i)->restitution <= 0.0) return false;
    int32_t body_a = c->body[set->a[i]], body_b = c->body[set->b[i]];
    scr_vec3 point = contact_point_of(set, c, i),
             n = vec3(set->normal[3 * i], set->normal[3 * i + 1], set->normal[3 * i + 2]);
    scr_vec3 va =
        point_velocity(new_twist(&world->motion, body_a), vec3_sub(point, body_position(&world->bodies, body_a)));
    scr_vec3 vb =
        point_velocity(new_twist(&world->motion, body_b), vec3_sub(point, body_position(&world->bodies, body_b)));
    double u_n = vec3_dot(vec3_sub(vb, va), n);
    double before = u_n - contact_free_change(world, i, u_n, is_first);
    return closes_fast(world, i, u_n, before) && contact_restitution(world, i, u_n) > 0.0;
}

// Bias, compliance and cohesion.
static void set_law(const scr_world *world, int64_t i, contact_row *row)
{
    const contacts *set = &world->contacts;
    double h = world->def.time_step, gap = set->gap[i];
    scr_vec3 u = relative_velocity(world, i, row);
    double u_n = vec3_dot(u, row->n), eps = is_stiff(world, i, u_n) ? 0.0 : contact_compliance(world, i, row->a_n);
    const float *last = set->previous + 3 * i;
    row->apex = contact_pull(world, i, is_carried(world, i));
    // What flies by, or bounces in a later step, has no friction yet: in the convex law sliding alone would hold it
    // off.
    bool flies = gap > 0.0 && gap + h * u_n >= 0.0 && !is_carried(world, i) && pair_of(world, i)->restitution > 0.0;
    if (flies) row->mu = 0.0;
    if (eps > 0.0) {
        double share = (double)set->spring_share[i], open = spring_gap(set, i);
        scr_vec3 spring = vec3((double)last[0], (double)last[1], (double)last[2]);
        scr_vec3 spring_t = vec3_add_scaled(spring, -vec3_dot(spring, row->n), row->n);
        row->eps_n = row->eps_t = share * eps;
        bool holds = open <= 0.0 || row->apex > 0.0;
        row->r = vec3_add_scaled(vec3_add_scaled(u, (holds ? share * open : open) / h, row->n), -row->eps_t * row->a_t,
                                 spring_t);
    } else {
        row->r = vec3_add_scaled(u, fmax(gap / h, -world_recovery_speed(world)), row->n);
    }
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
static void set_rolling(const scr_world *world, int64_t i, contact_row *row)
{
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    const new_motion *m = &world->motion;
    int32_t ca = set->a[i], cb = set->b[i], body_a = c->body[ca], body_b = c->body[cb];
    const material_pair *both = materials_pair(&world->materials, c->material[ca], c->material[cb]);
    row->arm = effective_radius(c, ca, cb);
    row->roll = both->rolling_friction;
    row->spin = both->spinning_friction;
    row->a_q = row->arm * row->arm * (mean_inverse_inertia(world, row->a) + mean_inverse_inertia(world, row->b));
    row->r_q = vec3_scale(row->arm, vec3_sub(vec3(m->wx[body_b], m->wy[body_b], m->wz[body_b]),
                                             vec3(m->wx[body_a], m->wy[body_a], m->wz[body_a])));
    if (row->eps_n <= 0.0) return;
    const float *last = set->last_angular_impulse + 3 * i;
    row->eps_q = row->eps_n / (double)set->spring_share[i];
    row->r_q = vec3_add_scaled(row->r_q, -row->eps_q * row->a_q / row->arm,
                               vec3((double)last[0], (double)last[1], (double)last[2]));
}

contact_row contact_row_of(const scr_world *world, int64_t i)
{
    contact_row row = contact_row_frame(world, i);
    set_law(world, i, &row);
    if (world->contacts.has_angular_impulses) set_rolling(world, i, &row);
    row.r = vec3_add_scaled(row.r, world->hover[i], row.n);
    return row;
}
