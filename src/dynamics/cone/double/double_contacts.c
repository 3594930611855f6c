// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/double/double_contacts.h"

#include <math.h>

#include "core/arrays/colouring.h"

enum { LOCAL_STEPS = 200 };
static const double LOCAL_END = 1e-13;  // steps shorter than this share of the impulse end the local solution

static double block_entry(const mat3 *block, scr_vec3 a, scr_vec3 b) { return vec3_dot(a, mat3_times(block, b)); }

// The largest row sum of B, each axis scaled by the diagonal, bounds its largest eigenvalue there.
static void set_steps(double_contact *c)
{
    double scale[3], largest = 0.0, b_t = 0.5 * (c->block.m[1][1] + c->block.m[2][2]);
    for (int i = 0; i < 3; ++i) scale[i] = 1.0 / sqrt(i == 0 ? c->block.m[0][0] : b_t);
    for (int i = 0; i < 3; ++i) {
        double sum = 0.0;
        for (int j = 0; j < 3; ++j) sum += fabs(c->block.m[i][j]) * scale[i] * scale[j];
        largest = fmax(largest, sum);
    }
    c->step_n = 1.0 / (largest * c->block.m[0][0]);
    c->step_t = 1.0 / (largest * b_t);
    c->step_disc = 1.0 / (fmax(c->block.m[1][1], c->block.m[2][2]) + fabs(c->block.m[1][2]));
}

double_contact double_contact_of(const contact_row *row, const system_body *mass, const mat3 *block, int32_t still,
                                 int64_t contact, scr_vec3 g)
{
    double compliance_n = row->eps_n * row->a_n, compliance_t = row->eps_t * row->a_t;
    double_contact c = {
        .a = row->a == NO_BODY ? still : row->a,
        .b = row->b == NO_BODY ? still : row->b,
        .lever_a = row->lever_a,
        .lever_b = row->lever_b,
        .r = row->r,
        .g = g,
        .old = g,
        .mu = fmin(row->mu, LARGEST_FRICTION),
        .apex = row->apex,
        .compliance = {compliance_n, compliance_t, compliance_t},
        .contact = contact,
    };
    if (row->a != NO_BODY) c.mass_a = mass[row->a].inv_mass, c.inertia_a = mass[row->a].inv_inertia;
    if (row->b != NO_BODY) c.mass_b = mass[row->b].inv_mass, c.inertia_b = mass[row->b].inv_inertia;
    contact_frame(row->n, c.axis);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            c.block.m[i][j] = block_entry(block, c.axis[i], c.axis[j]) + (i == j ? c.compliance[i] : 0.0);
    set_steps(&c);
    return c;
}

void double_contact_push(const double_contact *c, scr_vec3 impulse, body_impulse *body)
{
    body_receive(&body[c->a], vec3_neg(impulse), vec3_neg(vec3_cross(c->lever_a, impulse)));
    body_receive(&body[c->b], impulse, vec3_cross(c->lever_b, impulse));
}

static scr_vec3 lever_velocity(const body_impulse *body, double inv_mass, const mat3 *inv_inertia, scr_vec3 lever)
{
    return point_velocity(impulse_twist(body, inv_mass, inv_inertia), lever);
}

static scr_vec3 in_axes(const double_contact *c, scr_vec3 v)
{
    return vec3(vec3_dot(c->axis[0], v), vec3_dot(c->axis[1], v), vec3_dot(c->axis[2], v));
}
static scr_vec3 in_world(const double_contact *c, scr_vec3 v)
{
    return vec3_add_scaled(vec3_add_scaled(vec3_scale(v.x, c->axis[0]), v.y, c->axis[1]), v.z, c->axis[2]);
}

static friction_cone cone_in_axes(const double_contact *c)
{
    return (friction_cone){.n = {1.0, 0.0, 0.0}, .mu = c->mu, .apex = c->apex};
}

// In the axes of the contact; w is the velocity at z.
static scr_vec3 convex_step(const double_contact *c, scr_vec3 z, scr_vec3 w)
{
    friction_cone cone = cone_in_axes(c);
    return cone_project(&cone, vec3(z.x - c->step_n * w.x, z.y - c->step_t * w.y, z.z - c->step_t * w.z),
                        c->step_n / c->step_t);
}

// The normal first; then the tangents, which have felt its change.
static scr_vec3 coulomb_step(const double_contact *c, scr_vec3 z, scr_vec3 w)
{
    friction_cone cone = cone_in_axes(c);
    double normal = z.x - w.x / c->block.m[0][0], dn = fmax(normal, -c->apex) - z.x;
    double y = z.y - c->step_disc * (w.y + c->block.m[1][0] * dn),
           x = z.z - c->step_disc * (w.z + c->block.m[2][0] * dn);
    return cone_coulomb_load(&cone, (contact_load){.g = {normal, y, x}}).g;
}

static void sweep_contact(double_contact *c, body_impulse *body, const double_mode *mode, double_sums *sums)
{
    scr_vec3 y = in_axes(c, vec3_add_scaled(c->g, mode->beta, vec3_sub(c->g, c->old))), z = y;
    scr_vec3 u = vec3_sub(lever_velocity(&body[c->b], c->mass_b, &c->inertia_b, c->lever_b),
                          lever_velocity(&body[c->a], c->mass_a, &c->inertia_a, c->lever_a));
    u = in_axes(c, vec3_add(u, c->r));
    u = vec3(u.x + c->compliance[0] * y.x, u.y + c->compliance[1] * y.y, u.z + c->compliance[2] * y.z);
    for (int k = 0; k < LOCAL_STEPS; ++k) {
        scr_vec3 w = vec3_add(u, mat3_times(&c->block, vec3_sub(z, y)));
        scr_vec3 next = mode->coulomb ? coulomb_step(c, z, w) : convex_step(c, z, w), d = vec3_sub(next, z);
        z = next;
        if (vec3_dot(d, d) <= LOCAL_END * LOCAL_END * vec3_dot(z, z)) break;
    }
    if (mode->omega != 1.0) {
        friction_cone cone = cone_in_axes(c);
        z = cone_project(&cone, vec3_add_scaled(y, mode->omega, vec3_sub(z, y)), 1.0);
    }
    scr_vec3 d = vec3_sub(z, y), world = in_world(c, z),
             diagonal = vec3(c->block.m[0][0], c->block.m[1][1], c->block.m[2][2]);
    double_contact_push(c, in_world(c, d), body);
    c->old = c->g;
    c->g = world;
    scr_vec3 compliance = vec3(c->compliance[0], c->compliance[1], c->compliance[2]);
    sums->energy += vec3_dot(c->r, world) + 0.5 * vec3_dot(compliance, vec3_mul(z, z));
    sums->change += vec3_dot(diagonal, vec3_mul(d, d));
    sums->size += vec3_dot(diagonal, vec3_mul(z, z));
}

void double_contacts_sweep(double_contact *c, int64_t count, body_impulse *body, const double_mode *mode,
                           double_sums *sums)
{
    for (int64_t k = 0; k < count; ++k) sweep_contact(&c[k], body, mode, sums);
}
