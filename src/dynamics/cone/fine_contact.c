#include "dynamics/cone/fine_contact.h"

#include <math.h>

#include "core/colouring.h"

enum { LOCAL_STEPS = 200 };
static const double LARGEST_MU = 1e8;   // beyond it friction holds whatever there is, and squares would overflow
static const double LOCAL_END = 1e-13;  // steps shorter than this share of the impulse end the local solution

// ---- grains ----

fine_grain fine_grain_of(const contact_row *row, const system_body *mass, int32_t still, int64_t contact, scr_vec3 g)
{
    fine_grain c = {
        .a = row->a == NO_BODY ? still : row->a, .b = row->b == NO_BODY ? still : row->b, .n = row->n, .r = row->r, .g = g,
        .old = g, .mu = fmin(row->mu, LARGEST_MU), .apex = row->apex, .soft_n = row->eps_n * row->a_n, .soft_t = row->eps_t * row->a_t, .contact = contact,
    };
    c.b_n = row->a_n + c.soft_n;
    c.b_t = row->a_t + c.soft_t;
    c.step_n = 1.0 / c.b_n;
    c.step_t = 1.0 / c.b_t;
    c.slope = c.mu * c.b_t / c.b_n;
    c.edge = 1.0 / (1.0 + c.mu * c.slope);
    if (row->a != NO_BODY) {
        c.mass_a = mass[row->a].inv_mass;
        c.arm_a = vec3_dot(row->lever_a, row->n);
        c.spin_a = c.arm_a * mass[row->a].inv_inertia.m[0][0];
    }
    if (row->b != NO_BODY) {
        c.mass_b = mass[row->b].inv_mass;
        c.arm_b = vec3_dot(row->lever_b, row->n);
        c.spin_b = c.arm_b * mass[row->b].inv_inertia.m[0][0];
    }
    return c;
}

void fine_grain_push(const fine_grain *c, scr_vec3 impulse, body_impulse *body)
{
    body_impulse *a = &body[c->a], *b = &body[c->b];
    scr_vec3 turn = vec3_cross(c->n, impulse);
    a->push = vec3_sub(a->push, impulse);
    a->turn = vec3_add_scaled(a->turn, -c->arm_a, turn);
    b->push = vec3_add(b->push, impulse);
    b->turn = vec3_add_scaled(b->turn, c->arm_b, turn);
}

static inline void sweep_grain(fine_grain *c, body_impulse *body, double beta, double omega, bool coulomb, fine_sums *sums)
{
    const body_impulse *a = &body[c->a], *b = &body[c->b];
    scr_vec3 n = c->n, y = vec3_add_scaled(c->g, beta, vec3_sub(c->g, c->old));
    scr_vec3 v = vec3_add_scaled(vec3_add_scaled(c->r, c->mass_b, b->push), -c->mass_a, a->push);
    scr_vec3 spin = vec3_add_scaled(vec3_scale(c->spin_b, b->turn), -c->spin_a, a->turn);
    scr_vec3 u = vec3_add(v, vec3_cross(spin, n));
    double un = vec3_dot(u, n), yn = vec3_dot(y, n);
    scr_vec3 ut = vec3_add_scaled(u, -un, n), yt = vec3_add_scaled(y, -yn, n);

    double zn = yn - omega * c->step_n * (un + c->soft_n * yn);
    scr_vec3 zt = vec3_add_scaled(yt, -omega * c->step_t, vec3_add_scaled(ut, c->soft_t, yt));
    double length = vec3_norm(zt), x = zn + c->apex;
    if (coulomb) {
        if (x < 0.0) x = 0.0, zn = -c->apex;
        if (length > c->mu * x) zt = vec3_scale(c->mu * x / length, zt);
    } else if (length > c->mu * x) {
        double edge = c->edge * (x + c->slope * length);
        x = edge > 0.0 ? edge : 0.0;
        zn = x - c->apex;
        zt = vec3_scale(length > 0.0 ? c->mu * x / length : 0.0, zt);
    }
    scr_vec3 z = vec3_add_scaled(zt, zn, n), dt = vec3_sub(zt, yt);
    double dn = zn - yn, zt2 = vec3_dot(zt, zt);
    fine_grain_push(c, vec3_sub(z, y), body);
    c->old = c->g;
    c->g = z;
    sums->energy += vec3_dot(c->r, z) + 0.5 * (c->soft_n * zn * zn + c->soft_t * zt2);
    sums->change += c->b_n * dn * dn + c->b_t * vec3_dot(dt, dt);
    sums->size += c->b_n * zn * zn + c->b_t * zt2;
}

void fine_grains_sweep(fine_grain *c, int64_t count, body_impulse *body, const fine_mode *mode, fine_sums *sums)
{
    double beta = mode->beta, omega = mode->omega;
    if (mode->coulomb)
        for (int64_t k = 0; k < count; ++k) sweep_grain(&c[k], body, beta, omega, true, sums);
    else
        for (int64_t k = 0; k < count; ++k) sweep_grain(&c[k], body, beta, omega, false, sums);
}

// ---- parts ----

static double block_entry(const mat3 *block, scr_vec3 a, scr_vec3 b) { return vec3_dot(a, mat3_times(block, b)); }

// The largest row sum of B, each axis scaled by the diagonal, bounds its largest eigenvalue there.
static void set_steps(fine_part *c)
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

fine_part fine_part_of(const contact_row *row, const system_body *mass, const mat3 *block, int32_t still, int64_t contact, scr_vec3 g)
{
    double soft_n = row->eps_n * row->a_n, soft_t = row->eps_t * row->a_t;
    fine_part c = {
        .a = row->a == NO_BODY ? still : row->a, .b = row->b == NO_BODY ? still : row->b, .lever_a = row->lever_a,
        .lever_b = row->lever_b, .r = row->r, .g = g, .old = g, .mu = fmin(row->mu, LARGEST_MU), .apex = row->apex, .soft = {soft_n, soft_t, soft_t}, .contact = contact,
    };
    if (row->a != NO_BODY) c.mass_a = mass[row->a].inv_mass, c.inertia_a = mass[row->a].inv_inertia;
    if (row->b != NO_BODY) c.mass_b = mass[row->b].inv_mass, c.inertia_b = mass[row->b].inv_inertia;
    scr_vec3 helper = fabs(row->n.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
    c.axis[0] = row->n;
    c.axis[1] = vec3_unit(vec3_cross(row->n, helper));
    c.axis[2] = vec3_cross(row->n, c.axis[1]);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) c.block.m[i][j] = block_entry(block, c.axis[i], c.axis[j]) + (i == j ? c.soft[i] : 0.0);
    set_steps(&c);
    return c;
}

void fine_part_push(const fine_part *c, scr_vec3 impulse, body_impulse *body)
{
    body_impulse *a = &body[c->a], *b = &body[c->b];
    a->push = vec3_sub(a->push, impulse);
    a->turn = vec3_sub(a->turn, vec3_cross(c->lever_a, impulse));
    b->push = vec3_add(b->push, impulse);
    b->turn = vec3_add(b->turn, vec3_cross(c->lever_b, impulse));
}

static scr_vec3 part_velocity(const body_impulse *body, double inv_mass, const mat3 *inv_inertia, scr_vec3 lever)
{
    return vec3_add(vec3_scale(inv_mass, body->push), vec3_cross(mat3_times(inv_inertia, body->turn), lever));
}

static scr_vec3 in_axes(const fine_part *c, scr_vec3 v) { return vec3(vec3_dot(c->axis[0], v), vec3_dot(c->axis[1], v), vec3_dot(c->axis[2], v)); }
static scr_vec3 in_world(const fine_part *c, scr_vec3 v)
{
    return vec3_add_scaled(vec3_add_scaled(vec3_scale(v.x, c->axis[0]), v.y, c->axis[1]), v.z, c->axis[2]);
}

// In the axes of the contact; w is the velocity at z.
static scr_vec3 convex_step(const fine_part *c, scr_vec3 z, scr_vec3 w)
{
    scr_vec3 p = vec3(z.x - c->step_n * w.x, z.y - c->step_t * w.y, z.z - c->step_t * w.z);
    double length = hypot(p.y, p.z), slope = c->mu * c->step_n / c->step_t, x = p.x + c->apex;
    if (length <= c->mu * x) return p;
    x = fmax((x + slope * length) / (1.0 + c->mu * slope), 0.0);
    double shrink = length > 0.0 ? c->mu * x / length : 0.0;
    return vec3(x - c->apex, shrink * p.y, shrink * p.z);
}

static scr_vec3 coulomb_step(const fine_part *c, scr_vec3 z, scr_vec3 w)
{
    double zn = fmax(z.x - w.x / c->block.m[0][0], -c->apex), dn = zn - z.x, limit = c->mu * (zn + c->apex);
    double y = z.y - c->step_disc * (w.y + c->block.m[1][0] * dn), x = z.z - c->step_disc * (w.z + c->block.m[2][0] * dn);
    double length = hypot(y, x), shrink = length > limit ? limit / length : 1.0;
    return vec3(zn, shrink * y, shrink * x);
}

static void sweep_part(fine_part *c, body_impulse *body, const fine_mode *mode, fine_sums *sums)
{
    scr_vec3 y = in_axes(c, vec3_add_scaled(c->g, mode->beta, vec3_sub(c->g, c->old))), z = y;
    scr_vec3 u = vec3_sub(part_velocity(&body[c->b], c->mass_b, &c->inertia_b, c->lever_b),
                          part_velocity(&body[c->a], c->mass_a, &c->inertia_a, c->lever_a));
    u = in_axes(c, vec3_add(u, c->r));
    u = vec3(u.x + c->soft[0] * y.x, u.y + c->soft[1] * y.y, u.z + c->soft[2] * y.z);
    for (int k = 0; k < LOCAL_STEPS; ++k) {
        scr_vec3 w = vec3_add(u, mat3_times(&c->block, vec3_sub(z, y)));
        scr_vec3 next = mode->coulomb ? coulomb_step(c, z, w) : convex_step(c, z, w), d = vec3_sub(next, z);
        z = next;
        if (vec3_dot(d, d) <= LOCAL_END * LOCAL_END * vec3_dot(z, z)) break;
    }
    if (mode->omega != 1.0) {
        const friction_cone cone = {.n = {1.0, 0.0, 0.0}, .mu = c->mu, .apex = c->apex};
        z = cone_nearest(&cone, vec3_add_scaled(y, mode->omega, vec3_sub(z, y)), 1.0);
    }
    scr_vec3 d = vec3_sub(z, y), world = in_world(c, z), diagonal = vec3(c->block.m[0][0], c->block.m[1][1], c->block.m[2][2]);
    fine_part_push(c, in_world(c, d), body);
    c->old = c->g;
    c->g = world;
    scr_vec3 soft = vec3(c->soft[0], c->soft[1], c->soft[2]);
    sums->energy += vec3_dot(c->r, world) + 0.5 * vec3_dot(soft, vec3_mul(z, z));
    sums->change += vec3_dot(diagonal, vec3_mul(d, d));
    sums->size += vec3_dot(diagonal, vec3_mul(z, z));
}

void fine_parts_sweep(fine_part *c, int64_t count, body_impulse *body, const fine_mode *mode, fine_sums *sums)
{
    for (int64_t k = 0; k < count; ++k) sweep_part(&c[k], body, mode, sums);
}
