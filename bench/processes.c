// SPDX-License-Identifier: BSD-3-Clause
// How sweeps converge when several processes share them: which rule for contacts across the border is worth having.
//
//   bench_processes FILE...     problems with an answer, as bench_solver_table and `scree solve --save` leave them
//
// Bodies, which are in the order of space, are dealt out in ranges of equal length, one a process. A contact of two
// ranges is that of its first body.
//   phases   each process sweeps its own contacts, then pairs of processes those between them, no process in two pairs
//            at once: Gauss-Seidel in some order, and an exchange a phase
//   split    all sweep at the same time; a body of c processes has a copy of 1/c of its mass in each, and takes their
//            mean at the end: one exchange a sweep. The split problem majorises the whole, so the energy still falls
// Accelerated sweeps in double precision, from zero impulses, as ags has them but for its limit of momentum. Counted
// are sweeps until the velocity error (laboratory/impulse_motion.h) stays below 1 % and 0.1 %.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "io/problem/problem_file.h"
#include "laboratory/impulse_motion.h"

enum { PARTS_MAX = 64, SWEEPS_MAX = 4000 };
static const double SHARES[] = {0.01, 0.001};
enum { SHARE_COUNT = sizeof SHARES / sizeof *SHARES };

typedef struct motion {
    scr_vec3 v, w;
} motion;

typedef struct side {
    int32_t copy;  // NO_BODY: cannot be moved
    scr_vec3 lever;
    double inv_mass;  // of the copy
    mat3 inv_inertia;
} side;

typedef struct visit {
    side a, b;
    friction_cone cone;
    scr_vec3 r, g, old;
    double compliance_n, compliance_t, step_n, step_t;
} visit;

// A problem shared out in one of both ways.
typedef struct sharing {
    const saved_system *system;
    int parts;
    bool is_split;
    int phases;
    int64_t shared;                // bodies of several processes
    visit *visit;                  // (contacts) in the order of the sweep
    int64_t *contact;              // (contacts) its number in the system
    int32_t *body;                 // (copies) of which body
    uint8_t *touches;              // (bodies * parts)
    int32_t *first_copy, *copies;  // (bodies)
    int64_t copy_count;
    motion *change, *before;  // (copies) of velocities, by the impulses; that of the last sweep
    double *load, *moved, *answer, *inertia;
} sharing;

typedef struct convergence {
    int sweeps[SHARE_COUNT];  // 0: not within the limit
} convergence;

// ---- sharing out ---------------------------------------------------------------------------------------------------

static bool can_be_moved(const saved_system *s, int32_t body) { return body >= 0 && s->inv_mass[body] > 0.0; }
static int part_of(const sharing *p, int32_t body) { return (int)(p->parts * (int64_t)body / p->system->bodies.count); }

// The process that sweeps a contact, and the other one it concerns.
static void parts_of_contact(const sharing *p, int64_t i, int *owner, int *other)
{
    int32_t a = p->system->a[i], b = p->system->b[i];
    bool has_a = can_be_moved(p->system, a), has_b = can_be_moved(p->system, b);
    *owner = part_of(p, has_a ? a : b);
    *other = has_a && has_b ? part_of(p, b) : *owner;
}

// Deals pairs of processes out to phases, 1 and up; 0 is what needs no other.
static int choose_phases(const sharing *p, int phase[PARTS_MAX][PARTS_MAX])
{
    bool busy[2 * PARTS_MAX][PARTS_MAX] = {{false}};
    int count = 0;
    memset(phase, 0, sizeof(int) * PARTS_MAX * PARTS_MAX);
    for (int64_t i = 0; i < p->system->contacts.count; ++i) {
        int a, b, k = 1;
        parts_of_contact(p, i, &a, &b);
        if (a == b || phase[a][b] > 0) continue;
        while (busy[k][a] || busy[k][b]) ++k;
        busy[k][a] = busy[k][b] = true;
        phase[a][b] = phase[b][a] = k;
        if (k > count) count = k;
    }
    return count;
}

// Contacts in the order in which one process after the other, or one phase after the other, sweeps them.
static void order_contacts_of(sharing *p)
{
    int phase[PARTS_MAX][PARTS_MAX];
    int64_t at = 0;
    p->phases = choose_phases(p, phase);
    for (int k = 0; k <= (p->is_split ? 0 : p->phases); ++k) {
        for (int part = 0; part < p->parts; ++part) {
            for (int64_t i = 0; i < p->system->contacts.count; ++i) {
                int owner, other;
                parts_of_contact(p, i, &owner, &other);
                if (owner == part && (p->is_split || phase[owner][other] == k)) p->contact[at++] = i;
            }
        }
    }
}

// Copies of bodies, those of one body side by side.
static void make_copies(sharing *p)
{
    const saved_system *s = p->system;
    for (int64_t i = 0; i < s->contacts.count; ++i) {
        int owner, other;
        parts_of_contact(p, i, &owner, &other);
        const int32_t of[] = {s->a[i], s->b[i]};
        for (int k = 0; k < 2; ++k)
            if (can_be_moved(s, of[k])) p->touches[of[k] * p->parts + (p->is_split ? owner : 0)] = 1;
    }
    for (int64_t body = 0; body < s->bodies.count; ++body) {
        p->first_copy[body] = (int32_t)p->copy_count;
        for (int part = 0; part < p->parts; ++part)
            if (p->touches[body * p->parts + part]) p->body[p->copy_count++] = (int32_t)body;
        p->copies[body] = (int32_t)p->copy_count - p->first_copy[body];
        p->shared += p->copies[body] > 1;
    }
}

static side side_of(const sharing *p, int32_t body, scr_vec3 lever, int owner)
{
    const saved_system *s = p->system;
    side to = {.copy = -1, .lever = lever};
    if (!can_be_moved(s, body)) return to;
    const double *inertia = &s->inv_inertia[9 * body], copies = p->copies[body];
    to.copy = p->first_copy[body];
    for (int part = 0; p->is_split && part < owner; ++part) to.copy += p->touches[body * p->parts + part];
    to.inv_mass = copies * s->inv_mass[body];
    for (int k = 0; k < 9; ++k) (&to.inv_inertia.m[0][0])[k] = copies * inertia[k];
    return to;
}

// How far an impulse along e moves the point of contact along e.
static double mobility(const side *s, scr_vec3 e)
{
    if (s->copy < 0) return 0.0;
    scr_vec3 spin = mat3_times(&s->inv_inertia, vec3_cross(s->lever, e));
    return s->inv_mass + vec3_dot(e, vec3_cross(spin, s->lever));
}

static visit visit_of(const sharing *p, int64_t i)
{
    contact_row row = saved_system_row(p->system, i);
    int owner, other;
    scr_vec3 axis[3];
    parts_of_contact(p, i, &owner, &other);
    contact_frame(row.n, axis);
    visit c = {.a = side_of(p, row.a, row.lever_a, owner),
               .b = side_of(p, row.b, row.lever_b, owner),
               .cone = contact_row_cone(&row),
               .r = row.r,
               .compliance_n = row.eps_n * row.a_n,
               .compliance_t = row.eps_t * row.a_t};
    double across =
        fmax(mobility(&c.a, axis[1]) + mobility(&c.b, axis[1]), mobility(&c.a, axis[2]) + mobility(&c.b, axis[2]));
    c.step_n = 1.0 / (mobility(&c.a, row.n) + mobility(&c.b, row.n) + c.compliance_n);
    c.step_t = 1.0 / (across + c.compliance_t);
    return c;
}

static void sharing_free(sharing *p)
{
    void *arrays[] = {p->visit,  p->contact, p->body, p->touches, p->first_copy, p->copies,
                      p->change, p->before,  p->load, p->moved,   p->answer,     p->inertia};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) scr_free(arrays[k]);
}

static scr_status share_out(sharing *p, const saved_system *s, int parts, bool is_split, scr_error *error)
{
    int64_t bodies = s->bodies.count, contacts = s->contacts.count, copies_max = 2 * contacts;
    *p = (sharing){.system = s, .parts = parts, .is_split = is_split};
    scr_status status = scr_make_zeros(&p->visit, contacts, sizeof *p->visit, "sweeps", error);
    if (status == SCR_OK) status = scr_make_zeros(&p->contact, contacts, sizeof *p->contact, "sweeps", error);
    if (status == SCR_OK) status = scr_make_zeros(&p->body, copies_max, sizeof *p->body, "sweeps", error);
    if (status == SCR_OK) status = scr_make_zeros(&p->touches, bodies * parts, 1, "sweeps", error);
    if (status == SCR_OK) status = scr_make_zeros(&p->first_copy, bodies, sizeof *p->first_copy, "sweeps", error);
    if (status == SCR_OK) status = scr_make_zeros(&p->copies, bodies, sizeof *p->copies, "sweeps", error);
    if (status == SCR_OK) status = scr_make_zeros(&p->change, copies_max, sizeof *p->change, "sweeps", error);
    if (status == SCR_OK) status = scr_make_zeros(&p->before, copies_max, sizeof *p->before, "sweeps", error);
    if (status == SCR_OK) status = scr_make_zeros(&p->load, 6 * contacts, sizeof *p->load, "sweeps", error);
    if (status == SCR_OK) status = scr_make_zeros(&p->moved, 6 * bodies, sizeof *p->moved, "sweeps", error);
    if (status == SCR_OK) status = scr_make_zeros(&p->answer, 6 * bodies, sizeof *p->answer, "sweeps", error);
    if (status == SCR_OK) status = scr_make_zeros(&p->inertia, 9 * bodies, sizeof *p->inertia, "sweeps", error);
    if (status != SCR_OK) return status;
    make_copies(p);
    order_contacts_of(p);
    for (int64_t k = 0; k < contacts; ++k) p->visit[k] = visit_of(p, p->contact[k]);
    impulse_motion(s, s->answer, p->answer);
    inertias_of(s, p->inertia);
    return SCR_OK;
}

// ---- sweeping ------------------------------------------------------------------------------------------------------

static scr_vec3 velocity_of_side(const side *s, const motion *change)
{
    if (s->copy < 0) return vec3(0.0, 0.0, 0.0);
    return vec3_add(change[s->copy].v, vec3_cross(change[s->copy].w, s->lever));
}

static scr_vec3 relative_velocity(const visit *c, const motion *change)
{
    return vec3_add(c->r, vec3_sub(velocity_of_side(&c->b, change), velocity_of_side(&c->a, change)));
}

static void push(const side *s, double sign, scr_vec3 impulse, motion *change)
{
    if (s->copy < 0) return;
    motion *m = &change[s->copy];
    m->v = vec3_add_scaled(m->v, sign * s->inv_mass, impulse);
    m->w = vec3_add_scaled(m->w, sign, mat3_times(&s->inv_inertia, vec3_cross(s->lever, impulse)));
}

static scr_vec3 strained(const visit *c, scr_vec3 g)  // R g
{
    double normal = vec3_dot(g, c->cone.n);
    return vec3_add_scaled(vec3_scale(c->compliance_t, across(g, c->cone.n)), c->compliance_n * normal, c->cone.n);
}

static void sweep_contact(visit *c, double beta, motion *change)
{
    scr_vec3 y = vec3_add_scaled(c->g, beta, vec3_sub(c->g, c->old));
    scr_vec3 u = vec3_add(relative_velocity(c, change), strained(c, y));
    double u_n = vec3_dot(u, c->cone.n);
    scr_vec3 down = vec3_add_scaled(y, -c->step_t, across(u, c->cone.n));
    down = vec3_add_scaled(down, -c->step_n * u_n, c->cone.n);
    scr_vec3 z = cone_project(&c->cone, down, c->step_n / c->step_t), d = vec3_sub(z, y);
    push(&c->a, -1.0, d, change);
    push(&c->b, 1.0, d, change);
    c->old = c->g;
    c->g = z;
}

// Copies take their mean, which is what all impulses together make of the body.
static void exchange(sharing *p)
{
    for (int64_t first = 0, last; first < p->copy_count; first = last) {
        motion sum = {0};
        for (last = first; last < p->copy_count && p->body[last] == p->body[first]; ++last) {
            sum.v = vec3_add(sum.v, p->change[last].v);
            sum.w = vec3_add(sum.w, p->change[last].w);
        }
        double share = 1.0 / (double)(last - first);
        for (int64_t k = first; k < last; ++k)
            p->change[k] = (motion){vec3_scale(share, sum.v), vec3_scale(share, sum.w)};
    }
}

static void extrapolate(sharing *p, double beta)
{
    for (int64_t k = 0; k < p->copy_count; ++k) {
        motion now = p->change[k];
        p->change[k].v = vec3_add_scaled(now.v, beta, vec3_sub(now.v, p->before[k].v));
        p->change[k].w = vec3_add_scaled(now.w, beta, vec3_sub(now.w, p->before[k].w));
        p->before[k] = now;
    }
}

// 1/2 g^T (N + R) g + r^T g
static double energy(const sharing *p)
{
    double sum = 0.0;
    for (int64_t k = 0; k < p->system->contacts.count; ++k) {
        const visit *c = &p->visit[k];
        scr_vec3 u = vec3_add(relative_velocity(c, p->change), strained(c, c->g));
        sum += 0.5 * vec3_dot(vec3_add(u, c->r), c->g);
    }
    return sum;
}

static void take_back(sharing *p)
{
    memcpy(p->change, p->before, sizeof(motion) * (size_t)p->copy_count);
    for (int64_t k = 0; k < p->system->contacts.count; ++k) p->visit[k].g = p->visit[k].old;
}

static double velocity_error(sharing *p)
{
    for (int64_t k = 0; k < p->system->contacts.count; ++k) {
        double *load = &p->load[6 * p->contact[k]];
        load[0] = p->visit[k].g.x, load[1] = p->visit[k].g.y, load[2] = p->visit[k].g.z;
    }
    impulse_motion(p->system, p->load, p->moved);
    for (int64_t k = 0; k < 6 * p->system->bodies.count; ++k) p->moved[k] -= p->answer[k];
    return motion_norm(p->system, p->inertia, p->moved) / motion_norm(p->system, p->inertia, p->answer);
}

static convergence sweep_until(sharing *p)
{
    convergence found = {{0}};
    double t = 1.0, beta = 0.0, best = 0.0;
    for (int sweep = 1; sweep <= SWEEPS_MAX; ++sweep) {
        extrapolate(p, beta);
        for (int64_t k = 0; k < p->system->contacts.count; ++k) sweep_contact(&p->visit[k], beta, p->change);
        exchange(p);
        double now = energy(p);
        if (now > best) {
            take_back(p);
            t = 1.0, beta = 0.0;
            continue;
        }
        best = now;
        double next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * t * t));
        beta = (t - 1.0) / next, t = next;
        double error = velocity_error(p);
        for (int k = 0; k < SHARE_COUNT; ++k) {
            if (error > SHARES[k]) found.sweeps[k] = 0;
            else if (found.sweeps[k] == 0) found.sweeps[k] = sweep;
        }
        if (error < 0.5 * SHARES[SHARE_COUNT - 1]) break;
    }
    return found;
}

// ---- the table -----------------------------------------------------------------------------------------------------

static scr_status compare(const saved_system *s, scr_error *error)
{
    static const int PARTS[] = {1, 2, 4, 8, 16, 64};
    scr_status status = SCR_OK;
    for (size_t k = 0; status == SCR_OK && k < sizeof PARTS / sizeof *PARTS; ++k) {
        for (int is_split = 0; status == SCR_OK && is_split <= (PARTS[k] > 1); ++is_split) {
            sharing p;
            status = share_out(&p, s, PARTS[k], is_split, error);
            if (status == SCR_OK) {
                convergence c = sweep_until(&p);
                printf("| %s | %" PRId64 " | %d | %s | %.0f | %d | %d | %d |\n", s->title, s->contacts.count, PARTS[k],
                       PARTS[k] == 1 ? "-"
                       : is_split    ? "split"
                                     : "phases",
                       100.0 * (double)p.shared / (double)s->bodies.count, is_split ? 1 : p.phases, c.sweeps[0],
                       c.sweeps[1]);
            }
            sharing_free(&p);
        }
    }
    return status;
}

int main(int argc, char **argv)
{
    scr_error error = {0};
    scr_status status = SCR_OK;
    printf(
        "| problem | contacts | processes | border | bodies shared [%%] | exchanges a sweep | sweeps to 1 %% | to 0.1 "
        "%% |\n|---|---|---|---|---|---|---|---|\n");
    for (int k = 1; status == SCR_OK && k < argc; ++k) {
        saved_system system;
        saved_system_init(&system);
        status = problem_file_read(argv[k], &system, &error);
        if (status == SCR_OK && (!system.has_answer || system.joined.count > 0 || saved_system_rolls(&system)))
            status = scr_fail(&error, SCR_BAD_INPUT, "%s: needs an answer, and no joints or rolling friction", argv[k]);
        if (status == SCR_OK) status = compare(&system, &error);
        saved_system_free(&system);
    }
    if (status != SCR_OK) fprintf(stderr, "bench: %s\n", error.message);
    return status == SCR_OK ? 0 : 1;
}
