#include "dynamics/cone/contact_row.h"

#include "core/colouring.h"
#include "dynamics/cone/contact_system.h"
#include "dynamics/world.h"

static const double RESTITUTION_THRESHOLD = 0.01;  // m/s; slower impacts do not bounce
static const double VIOLENT_SHARE = 0.5;           // of the smaller radius: overlap that an impact would reach in a step

scr_vec3 cone_project(scr_vec3 g, scr_vec3 n, double mu, double kappa)
{
    double gn = vec3_dot(g, n);
    scr_vec3 gt = vec3_add_scaled(g, -gn, n);
    double length = vec3_norm(gt);
    if (length <= mu * gn) return g;
    double edge = (gn + mu * kappa * length) / (1.0 + mu * mu * kappa);
    if (edge <= 0.0) return vec3(0.0, 0.0, 0.0);
    return vec3_add_scaled(vec3_scale(edge, n), length > 0.0 ? mu * edge / length : 0.0, gt);
}

static void set_diagonal(const scr_world *world, contact_row *row)
{
    const bodies *b = &world->bodies;
    if (row->centre_line) {
        double spin = 0.0;
        if (row->a != NO_BODY) row->a_n += b->inv_mass[row->a], spin += vec3_dot(row->lever_a, row->lever_a) * b->inv_ix[row->a];
        if (row->b != NO_BODY) row->a_n += b->inv_mass[row->b], spin += vec3_dot(row->lever_b, row->lever_b) * b->inv_ix[row->b];
        row->a_t = row->a_n + spin;
        return;
    }
    contact_system system = world_contact_system(world);
    mat3 block = contact_row_block(&system, row);
    row->a_n = vec3_dot(row->n, mat3_times(&block, row->n));
    row->a_t = 0.5 * (block.m[0][0] + block.m[1][1] + block.m[2][2] - row->a_n);
}

static scr_vec3 velocity_at(scr_vec3 v, scr_vec3 w, scr_vec3 lever) { return vec3_add(v, vec3_cross(w, lever)); }

static scr_vec3 free_velocity(const scr_world *world, int64_t body, scr_vec3 lever)
{
    const new_motion *m = &world->motion;
    return velocity_at(vec3(m->vx[body], m->vy[body], m->vz[body]), vec3(m->wx[body], m->wy[body], m->wz[body]), lever);
}

static scr_vec3 old_velocity(const scr_world *world, int64_t body, scr_vec3 lever)
{
    return velocity_at(body_velocity(&world->bodies, body), body_spin(&world->bodies, body), lever);
}

double contact_spring_share(const scr_world *world)
{
    double h = world->def.time_step;
    return h / (h + world->def.contact.damping);
}

static double contact_compliance(const scr_world *world, const material_meeting *meeting, double radius_a, double radius_b, double a_n)
{
    double h = world->def.time_step;
    if (world->def.contact.law == SCR_RIGID) return 0.0;
    if (meeting->modulus <= 0.0) return world->def.contact.compliance;
    return 1.0 / (h * h * contact_stiffness(meeting->modulus, radius_a, radius_b) * a_n);
}

contact_row contact_row_of(const scr_world *world, int64_t i)
{
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    const bodies *all = &world->bodies;
    int32_t ca = set->a[i], cb = set->b[i], body_a = c->body[ca], body_b = c->body[cb];
    double h = world->def.time_step, gap = set->gap[i];
    const material_meeting *meeting = materials_meet(&world->materials, c->material[ca], c->material[cb]);
    contact_row row = {
        .a = all->inv_mass[body_a] > 0.0 ? body_a : NO_BODY,
        .b = all->inv_mass[body_b] > 0.0 ? body_b : NO_BODY,
        .centre_line = set->point[i] == ON_CENTRE_LINE,
        .n = vec3(set->normal[3 * i], set->normal[3 * i + 1], set->normal[3 * i + 2]),
        .mu = meeting->friction,
    };
    scr_vec3 point = contact_point_of(set, c, i);
    row.lever_a = vec3_sub(point, body_position(all, body_a));
    row.lever_b = vec3_sub(point, body_position(all, body_b));
    row.length_a = body_spin_length(all, c, body_a);
    row.length_b = body_spin_length(all, c, body_b);
    set_diagonal(world, &row);
    double eps = contact_compliance(world, meeting, c->radius[ca], c->radius[cb], row.a_n);
    scr_vec3 u = vec3_sub(free_velocity(world, body_b, row.lever_b), free_velocity(world, body_a, row.lever_a));

    // An impact that would go through a good part of the smaller body is too violent for springs and, where bodies have
    // no room to bounce, for bouncing.
    bool violent = gap + h * vec3_dot(u, row.n) < -VIOLENT_SHARE * fmin(c->radius[ca], c->radius[cb]);
    const collider_motion *moves = &world->collider_motion;
    bool kicked = moves->has_kicks && (moves->kick[ca] > 0.0f || moves->kick[cb] > 0.0f);
    bool no_room = moves->has_kicks && (moves->no_room[ca] || moves->no_room[cb]);
    if (violent || kicked) eps = 0.0;
    if (meeting->restitution > 0.0 && !no_room) {
        scr_vec3 before = vec3_sub(old_velocity(world, body_b, row.lever_b), old_velocity(world, body_a, row.lever_a));
        double un = vec3_dot(before, row.n), g = vec3_norm(scr_world_gravity(world));
        if (un < -fmax(RESTITUTION_THRESHOLD, 2.0 * g * h) && gap + h * vec3_dot(u, row.n) < 0.0) {
            row.r = vec3_add_scaled(u, meeting->restitution * un, row.n);
            return row;
        }
    }
    if (eps > 0.0) {
        double share = contact_spring_share(world), open = gap + (double)set->allowance[i];
        scr_vec3 last = vec3(set->previous[3 * i], set->previous[3 * i + 1], set->previous[3 * i + 2]);
        scr_vec3 last_t = vec3_add_scaled(last, -vec3_dot(last, row.n), row.n);
        row.eps_n = row.eps_t = share * eps;
        row.r = vec3_add_scaled(vec3_add_scaled(u, (open > 0.0 ? open : share * open) / h, row.n), -row.eps_t * row.a_t, last_t);
    } else {
        row.r = vec3_add_scaled(u, fmax(gap / h, -world_recovery_speed(world)), row.n);
    }
    return row;
}
