// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/double/double_load.h"

#include <math.h>

#include "core/arrays/colouring.h"

enum { LOCAL_STEPS = 20 };
// steps shorter than this share of the way from the last sweep end the local solution
static const double LOCAL_END = 0.1;

// What a body adds to X and B.
static void add_side(double_load *c, const mat3 *inertia, scr_vec3 lever)
{
    const scr_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 3; ++k) {
        scr_vec3 spin = vec3_scale(c->arm, mat3_times(inertia, axis[k])), v = vec3_cross(spin, lever);
        c->mix.m[0][k] += v.x, c->mix.m[1][k] += v.y, c->mix.m[2][k] += v.z;
        c->block_q.m[0][k] += c->arm * spin.x, c->block_q.m[1][k] += c->arm * spin.y,
            c->block_q.m[2][k] += c->arm * spin.z;
    }
}

// The norm of a matrix in which each entry counts with its size bounds its largest eigenvalue.
static double largest(const mat3 *m)
{
    double sum = 0.0;
    for (int k = 0; k < 9; ++k) sum += m->m[k / 3][k % 3] * m->m[k / 3][k % 3];
    return sqrt(sum);
}

static double largest_row(const mat3 *m)
{
    double most = 0.0;
    for (int i = 0; i < 3; ++i) most = fmax(most, fabs(m->m[i][0]) + fabs(m->m[i][1]) + fabs(m->m[i][2]));
    return most;
}

// |g^T A g + 2 g^T X q + q^T B q| <= (A + x) g^2 + (B + y) q^2 for any x y >= |X|^2: both are raised by the same share.
static void set_steps(double_load *c)
{
    double a = largest_row(&c->block), b = largest_row(&c->block_q), share = largest(&c->mix) / sqrt(a * b);
    c->step_n = c->step_t = 1.0 / ((1.0 + share) * a);
    c->step_q = 1.0 / ((1.0 + share) * b);
}

double_load double_load_of(const contact_row *row, const system_body *mass, const mat3 *block, int32_t still,
                           int64_t contact, contact_load load)
{
    double_load c = {
        .a = row->a == NO_BODY ? still : row->a,
        .b = row->b == NO_BODY ? still : row->b,
        .cone = contact_row_cone(row),
        .r = {row->r, row->r_q},
        .load = load,
        .old = load,
        .lever_a = row->lever_a,
        .lever_b = row->lever_b,
        .arm = row->arm,
        .block = *block,
        .compliance_n = row->eps_n * row->a_n,
        .compliance_t = row->eps_t * row->a_t,
        .compliance_q = row->eps_q * row->a_q,
        .contact = contact,
    };
    if (row->a != NO_BODY) c.mass_a = mass[row->a].inv_mass, c.inertia_a = mass[row->a].inv_inertia;
    if (row->b != NO_BODY) c.mass_b = mass[row->b].inv_mass, c.inertia_b = mass[row->b].inv_inertia;
    add_side(&c, &c.inertia_a, c.lever_a);
    add_side(&c, &c.inertia_b, c.lever_b);
    const double n[3] = {row->n.x, row->n.y, row->n.z};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.block.m[i][j] += (c.compliance_n - c.compliance_t) * n[i] * n[j];
        c.block.m[i][i] += c.compliance_t;
        c.block_q.m[i][i] += c.compliance_q;
    }
    set_steps(&c);
    return c;
}

void double_load_push(const double_load *c, contact_load load, body_impulse *body)
{
    scr_vec3 angular_impulse = vec3_scale(c->arm, load.q);
    body_receive(&body[c->a], vec3_neg(load.g), vec3_neg(vec3_add(vec3_cross(c->lever_a, load.g), angular_impulse)));
    body_receive(&body[c->b], load.g, vec3_add(vec3_cross(c->lever_b, load.g), angular_impulse));
}

// (N + R) y + r of the contact
static contact_load velocity(const double_load *c, const body_impulse *body, contact_load y)
{
    twist t_a = impulse_twist(&body[c->a], c->mass_a, &c->inertia_a),
          t_b = impulse_twist(&body[c->b], c->mass_b, &c->inertia_b);
    scr_vec3 between = vec3_sub(point_velocity(t_b, c->lever_b), point_velocity(t_a, c->lever_a));
    double yn = vec3_dot(y.g, c->cone.n);
    contact_load u = {vec3_add(between, c->r.g), vec3_add_scaled(c->r.q, c->arm, vec3_sub(t_b.w, t_a.w))};
    u.g = vec3_add_scaled(vec3_add_scaled(u.g, c->compliance_t, y.g), (c->compliance_n - c->compliance_t) * yn,
                          c->cone.n);
    u.q = vec3_add_scaled(u.q, c->compliance_q, y.q);
    return u;
}

static contact_load block_times(const double_load *c, contact_load d)
{
    mat3 back = mat3_transpose(&c->mix);
    return (contact_load){vec3_add(mat3_times(&c->block, d.g), mat3_times(&c->mix, d.q)),
                          vec3_add(mat3_times(&c->block_q, d.q), mat3_times(&back, d.g))};
}

static contact_load back_to_cone(const double_load *c, contact_load p, bool coulomb)
{
    return coulomb ? cone_coulomb_load(&c->cone, p)
                   : cone_project_load(&c->cone, p, c->step_n / c->step_t, c->step_n / c->step_q);
}

static void sweep_load(double_load *c, body_impulse *body, const double_mode *mode, double_sums *sums)
{
    contact_load y = load_plus(c->load, mode->beta, load_plus(c->load, -1.0, c->old)), z = y, u = velocity(c, body, y),
                 way = {0};
    for (int k = 0; k < LOCAL_STEPS; ++k) {
        contact_load w = load_plus(u, 1.0, block_times(c, way));
        contact_load p = {vec3_add_scaled(z.g, -c->step_t, w.g), vec3_add_scaled(z.q, -c->step_q, w.q)};
        contact_load next = back_to_cone(c, p, mode->coulomb), d = load_plus(next, -1.0, z);
        z = next;
        way = load_plus(z, -1.0, y);
        if (load_dot(d, d) <= LOCAL_END * LOCAL_END * load_dot(way, way)) break;
    }
    if (mode->omega != 1.0) z = back_to_cone(c, load_plus(y, mode->omega, load_plus(z, -1.0, y)), mode->coulomb);
    contact_load d = load_plus(z, -1.0, y);
    double_load_push(c, d, body);
    c->old = c->load;
    c->load = z;
    double zn = vec3_dot(z.g, c->cone.n),
           compliance = (c->compliance_n - c->compliance_t) * zn * zn + c->compliance_t * vec3_dot(z.g, z.g);
    sums->energy += load_dot(c->r, z) + 0.5 * (compliance + c->compliance_q * vec3_dot(z.q, z.q));
    sums->change += load_dot(d, block_times(c, d));
    sums->size += load_dot(z, block_times(c, z));
}

void double_loads_sweep(double_load *c, int64_t count, body_impulse *body, const double_mode *mode, double_sums *sums)
{
    for (int64_t k = 0; k < count; ++k) sweep_load(&c[k], body, mode, sums);
}
