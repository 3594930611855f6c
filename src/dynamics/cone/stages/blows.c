// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/stages/blows.h"

#include <string.h>

#include "core/arrays/colouring.h"
#include "core/arrays/disjoint.h"
#include "core/base/threads.h"
#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/cone/system/joined.h"
#include "dynamics/mechanism/mechanism_stages.h"

// Of a cluster: few blows are solved to the end, many roughly
enum { SWEEPS_MAX = 400, SWEEPS_LEAST = 10, WORK_MAX = 20000 };
enum { WORTH_THREADS = 64 };  // blows
enum { NO_CLUSTER = -1 };
static const double SETTLED = 1e-13;   // of all impulses: sweeps that change less end a cluster
static const double ROUNDING = 1e-12;  // of the energy that blows turn over: a gain that is none

typedef struct struck_body {
    twist now, start;  // start: as the pass began
    double inv_mass;   // 0: cannot be moved
    mat3 inv_inertia;
    int32_t body;
    int32_t mechanism;  // among those that contacts touch, or NO_MECHANISM
} struck_body;

// A mechanism that is struck: its bodies stand one after another.
typedef struct struck_mechanism {
    const joint_mechanism *joints;
    int32_t first;              // body, NO_BODY: not struck
    double *body, *row, *work;  // of kkt_solve
} struck_mechanism;

typedef struct blow {
    int64_t contact;
    int32_t body[2];  // a, b, among those that are struck
    scr_vec3 n, lever[2];
    scr_vec3 added;   // m/s; what conveying surfaces and a sheared space add to the relative velocity
    scr_vec3 drift;   // 1/kg; what an impulse of 1 along the normal adds to the relative velocity
    double a_n, a_t;  // 1/kg; a_t: at least what any tangential direction has
    double mu, restitution;
    scr_vec3 before;   // m/s; the relative velocity as the pass began, along the normal u_n-
    scr_vec3 impulse;  // N s, acting on b
} blow;

typedef struct blow_pass {
    scr_world *world;
    const int64_t *contact;
    int64_t count, cluster_count;
    bool is_first;
    struck_body *body;
    int32_t body_count;
    struck_mechanism *mechanism;  // (mechanisms that contacts touch)
    int32_t *touched;             // (mechanisms) its number among those
    int32_t *root;                // (bodies) union-find
    int64_t *order;               // contacts, cluster by cluster
    int64_t *start;               // (clusters + 1) in order
    blow *blow;                   // as in order
} blow_pass;

static int64_t most_bodies(const scr_world *world, int64_t count)
{
    const joint_system *system = world_joint_system(world);
    return 2 * count + (system != NULL ? joined_body_count(system) : 0);
}

size_t blows_bytes(const scr_world *world, int64_t count)
{
    int64_t most = most_bodies(world, count), parts = world->mechanisms.count;
    return scr_arena_bytes(sizeof(struck_body), most) + 2 * scr_arena_bytes(sizeof(int32_t), most) +
           scr_arena_bytes(sizeof(int64_t), count) + scr_arena_bytes(sizeof(int64_t), count + 2) +
           scr_arena_bytes(sizeof(blow), count) + scr_arena_bytes(sizeof(struck_mechanism), parts) +
           scr_arena_bytes(sizeof(int32_t), parts) + joined_bytes(world_joint_system(world));
}

// ---- who is struck ----

static int32_t body_of(const blow_pass *p, int64_t contact, int side)
{
    const contacts *set = &p->world->contacts;
    return p->world->colliders.body[side == 0 ? set->a[contact] : set->b[contact]];
}

static void add_body(blow_pass *p, int32_t *number, int32_t body, int32_t part, int32_t root)
{
    p->body[p->body_count] = (struck_body){.body = body, .mechanism = part};
    p->root[p->body_count] = root;
    number[body] = p->body_count++;
}

static int32_t number_body(blow_pass *p, int32_t *number, int32_t body)
{
    const mechanisms *all = &p->world->mechanisms;
    if (number[body] != NO_BODY) return number[body];
    if (!body_is_joined(all, body)) {
        add_body(p, number, body, NO_MECHANISM, p->body_count);
        return number[body];
    }
    int32_t part = p->touched[all->mechanism_of[body]], first = p->body_count;
    const joint_mechanism *one = p->mechanism[part].joints;
    p->mechanism[part].first = first;
    for (int64_t k = 0; k < one->equations.body_count; ++k) add_body(p, number, one->body[k], part, first);
    return number[body];
}

static void open_mechanisms(blow_pass *p, scr_arena *arena)
{
    const mechanisms *all = &p->world->mechanisms;
    const joint_system *system = world_joint_system(p->world);
    if (system == NULL) return;
    p->mechanism = scr_arena_array(arena, sizeof *p->mechanism, system->mechanism_count);
    p->touched = scr_arena_array(arena, sizeof *p->touched, all->count);
    for (int64_t k = 0; k < system->mechanism_count; ++k) {
        const joint_mechanism *one = &system->mechanism[k];
        p->touched[all->mechanism_of[one->body[0]]] = (int32_t)k;
        p->mechanism[k] = (struck_mechanism){
            .joints = one,
            .first = NO_BODY,
            .body = scr_arena_array(arena, 6 * sizeof(double), one->equations.body_count),
            .row = scr_arena_array(arena, sizeof(double), one->equations.row_count),
            .work = scr_arena_array(arena, sizeof(double), kkt_work_count(one->kkt)),
        };
    }
}

static void gather_bodies(blow_pass *p, int32_t *number)
{
    const double *inv_mass = p->world->bodies.inv_mass;
    for (int64_t k = 0; k < p->count; ++k) {
        int32_t a = body_of(p, p->contact[k], 0), b = body_of(p, p->contact[k], 1);
        int32_t at_a = number_body(p, number, a), at_b = number_body(p, number, b);
        if (inv_mass[a] > 0.0 && inv_mass[b] > 0.0) disjoint_join(p->root, at_a, at_b);
    }
}

static void fill_body(const scr_world *world, struck_body *s)
{
    const int32_t i = s->body;
    contact_system system = world_contact_system(world);
    system_body own = system.body(system.owner, i);
    s->now = s->start = new_twist(&world->motion, i);
    s->inv_mass = own.inv_mass;
    s->inv_inertia = own.inv_inertia;
}

// ---- clusters ----

// The root of either body that can be moved: both have the same.
static int32_t root_of_contact(const blow_pass *p, const int32_t *number, int64_t contact)
{
    int32_t a = body_of(p, contact, 0), moved = p->world->bodies.inv_mass[a] > 0.0 ? a : body_of(p, contact, 1);
    return disjoint_root(p->root, number[moved]);
}

// A counting sort of contacts by cluster, in the order of the clusters' first contacts. cluster (bodies): of roots.
static void sort_contacts(blow_pass *p, const int32_t *number, int32_t *cluster)
{
    int64_t *count = p->start + 2, *next = p->start + 1;  // both by cluster: where one begins ends the one before
    for (int32_t k = 0; k < p->body_count; ++k) cluster[k] = NO_CLUSTER;
    for (int64_t k = 0; k < p->count; ++k) {
        int32_t *of = &cluster[root_of_contact(p, number, p->contact[k])];
        if (*of == NO_CLUSTER) count[ *of = (int32_t)p->cluster_count++] = 0;
        ++count[*of];
    }
    p->start[0] = next[0] = 0;
    for (int64_t c = 1; c < p->cluster_count; ++c) next[c] += next[c - 1];
    for (int64_t k = 0; k < p->count; ++k)
        p->order[next[cluster[root_of_contact(p, number, p->contact[k])]]++] = p->contact[k];
}

// ---- one blow ----

static scr_vec3 relative_now(const blow_pass *p, const blow *b)
{
    twist a = p->body[b->body[0]].now, other = p->body[b->body[1]].now;
    scr_vec3 u = vec3_sub(point_velocity(other, b->lever[1]), point_velocity(a, b->lever[0]));
    return world_conveys(p->world) || period_moves(&p->world->colliders.period) ? vec3_add(u, b->added) : u;
}

static twist answer_to(const struck_body *s, scr_vec3 lever, scr_vec3 impulse)
{
    return (twist){vec3_scale(s->inv_mass, impulse), mat3_times(&s->inv_inertia, vec3_cross(lever, impulse))};
}

static void add_motion(struck_body *s, twist change)
{
    s->now.v = vec3_add(s->now.v, change.v);
    s->now.w = vec3_add(s->now.w, change.w);
}

static void push(struck_body *s, scr_vec3 lever, scr_vec3 impulse)
{
    if (s->inv_mass > 0.0) add_motion(s, answer_to(s, lever, impulse));  // else others may read it meanwhile
}

// What an impulse on one of its bodies does to a mechanism, into `body` of it.
static void push_mechanism(const struck_mechanism *m, int32_t at, scr_vec3 lever, scr_vec3 impulse)
{
    const kkt_equations *e = &m->joints->equations;
    scr_vec3 turn = vec3_cross(lever, impulse);
    memset(m->body, 0, 6 * (size_t)e->body_count * sizeof *m->body);
    if (e->row_count > 0) memset(m->row, 0, (size_t)e->row_count * sizeof *m->row);
    memcpy(m->body + 6 * (at - m->first), (double[6]){impulse.x, impulse.y, impulse.z, turn.x, turn.y, turn.z},
           6 * sizeof *m->body);
    kkt_solve(m->joints->kkt, m->body, m->row, m->work);
}

static twist motion_of(const struck_mechanism *m, int32_t at)
{
    const double *v = m->body + 6 * (at - m->first);
    return (twist){vec3(v[0], v[1], v[2]), vec3(v[3], v[4], v[5])};
}

static void strike_body(blow_pass *p, int32_t at, scr_vec3 lever, scr_vec3 impulse)
{
    int32_t part = p->body[at].mechanism;
    if (part == NO_MECHANISM) {
        push(&p->body[at], lever, impulse);
        return;
    }
    const struck_mechanism *m = &p->mechanism[part];
    push_mechanism(m, at, lever, impulse);
    for (int32_t k = 0; k < m->joints->equations.body_count; ++k)
        add_motion(&p->body[m->first + k], motion_of(m, m->first + k));
}

static void strike(blow_pass *p, const blow *b, scr_vec3 impulse)
{
    strike_body(p, b->body[0], b->lever[0], vec3_neg(impulse));
    strike_body(p, b->body[1], b->lever[1], impulse);
}

// b.drift and, where joints take part, a_n. In sequence within a cluster, because mechanisms have one memory each.
static void find_drift(const blow_pass *p, blow *b)
{
    bool is_joined = false;
    for (int side = 0; side < 2; ++side) {
        int32_t at = b->body[side], part = p->body[at].mechanism;
        twist change = answer_to(&p->body[at], b->lever[side], b->n);
        if (part != NO_MECHANISM) {
            push_mechanism(&p->mechanism[part], at, b->lever[side], b->n);
            change = motion_of(&p->mechanism[part], at);
            is_joined = true;
        }
        b->drift = vec3_add(b->drift, point_velocity(change, b->lever[side]));
    }
    if (is_joined) b->a_n = vec3_dot(b->n, b->drift);
}

static blow blow_at(const blow_pass *p, const int32_t *number, int64_t contact)
{
    contact_row row = contact_row_frame(p->world, contact);
    contact_sides sides = contact_sides_of(p->world, contact);
    blow b = {.contact = contact,
              .n = row.n,
              .lever = {row.lever_a, row.lever_b},
              .mu = row.mu,
              .a_n = row.a_n,
              .a_t = row.centre_line ? row.a_t : 2.0 * row.a_t,
              .added = vec3_add(contact_surface_velocity(p->world, contact), sides.seam_velocity)};
    for (int side = 0; side < 2; ++side) b.body[side] = number[body_of(p, contact, side)];
    scr_vec3 u = relative_now(p, &b);
    double u_n = vec3_dot(u, b.n);
    b.before = vec3_add_scaled(u, -contact_free_change(p->world, &sides, u_n, p->is_first), b.n);
    b.restitution = contact_restitution(p->world, &sides, u_n);
    return b;
}

// ---- one cluster ----

typedef struct sweep_change {
    double change, size;
} sweep_change;  // J, or nearly: g^T (diagonal of N) g

// Normal first, then the tangent: an exact step for either, or a safe one where the tangent plane is not isotropic.
static void relax(blow_pass *p, blow *b, bool bounces, sweep_change *sum)
{
    scr_vec3 n = b->n, u = relative_now(p, b);
    double wanted = bounces ? -b->restitution * vec3_dot(b->before, n) : 0.0, old = vec3_dot(b->impulse, n);
    double now = fmax(0.0, old - (vec3_dot(u, n) - wanted) / b->a_n);
    scr_vec3 step = vec3_scale(now - old, n);
    sum->change += b->a_n * (now - old) * (now - old);
    sum->size += b->a_n * now * now;
    if (b->mu > 0.0) {
        scr_vec3 old_t = across(b->impulse, n), slip = across(vec3_add_scaled(u, now - old, b->drift), n);
        scr_vec3 t = vec3_add_scaled(old_t, -1.0 / b->a_t, slip);
        double length = vec3_norm(t), limit = b->mu * now;
        if (length > limit) t = vec3_scale(limit / length, t);
        scr_vec3 step_t = vec3_sub(t, old_t);
        sum->change += b->a_t * vec3_dot(step_t, step_t);
        step = vec3_add(step, step_t);
    }
    strike(p, b, step);
    b->impulse = vec3_add(b->impulse, step);
}

static void go_back_all(blow_pass *p, int32_t at)
{
    const struck_body *s = &p->body[at];
    int32_t first = at, last = at + 1;
    if (s->mechanism != NO_MECHANISM) {
        const struck_mechanism *m = &p->mechanism[s->mechanism];
        first = m->first, last = m->first + (int32_t)m->joints->equations.body_count;
    }
    for (int32_t k = first; k < last; ++k)
        if (p->body[k].inv_mass > 0.0) p->body[k].now = p->body[k].start;
}

static void go_back(blow_pass *p, index_range cluster)
{
    for (int64_t k = cluster.first; k < cluster.last; ++k)
        for (int side = 0; side < 2; ++side) go_back_all(p, p->blow[k].body[side]);
}

// J; half of what the cluster adds to the kinetic energy, and the size of what it turns over
static double energy_gained(const blow_pass *p, index_range cluster, double *size)
{
    double gained = 0.0;
    *size = 0.0;
    for (int64_t k = cluster.first; k < cluster.last; ++k) {
        const blow *b = &p->blow[k];
        scr_vec3 after = relative_now(p, b);
        gained += 0.5 * vec3_dot(b->impulse, vec3_add(after, b->before));
        *size += vec3_norm(b->impulse) * (vec3_norm(after) + vec3_norm(b->before));
    }
    return gained;
}

// Both bodies of a blow receive it once, in the end: momenta are kept to rounding however many sweeps there were.
static void solve_cluster(blow_pass *p, index_range cluster, bool bounces)
{
    sweep_change sum = {1.0, 0.0};
    int64_t sweeps = max_i64(SWEEPS_LEAST, min_i64(SWEEPS_MAX, WORK_MAX / (cluster.last - cluster.first)));
    for (int64_t k = cluster.first; k < cluster.last; ++k) p->blow[k].impulse = vec3(0.0, 0.0, 0.0);
    for (int64_t sweep = 0; sweep < sweeps && sum.change > SETTLED * SETTLED * sum.size; ++sweep) {
        sum = (sweep_change){0.0, 0.0};
        for (int64_t k = cluster.first; k < cluster.last; ++k) relax(p, &p->blow[k], bounces, &sum);
    }
    go_back(p, cluster);
    for (int64_t k = cluster.first; k < cluster.last; ++k) strike(p, &p->blow[k], p->blow[k].impulse);
}

static void take_cluster(blow_pass *p, index_range cluster)
{
    double size;
    for (int64_t k = cluster.first; k < cluster.last; ++k) find_drift(p, &p->blow[k]);
    solve_cluster(p, cluster, true);
    if (energy_gained(p, cluster, &size) > ROUNDING * size) {
        go_back(p, cluster);
        solve_cluster(p, cluster, false);
    }
    go_back(p, cluster);  // joints answer later: what strikes the bodies alone
    for (int64_t k = cluster.first; k < cluster.last; ++k) {
        const blow *b = &p->blow[k];
        push(&p->body[b->body[0]], b->lever[0], vec3_neg(b->impulse));
        push(&p->body[b->body[1]], b->lever[1], b->impulse);
        float *to = p->world->contacts.blow + 3 * b->contact;
        to[0] += (float)b->impulse.x, to[1] += (float)b->impulse.y, to[2] += (float)b->impulse.z;
    }
}

// ---- all ----

static void set_velocity(new_motion *m, const struck_body *s) { motion_set_twist(&m->body[s->body], s->now); }

void take_blows(scr_world *world, const int64_t *contact, int64_t count, int32_t *number, bool is_first,
                scr_arena arena)
{
    blow_pass p = {.world = world, .contact = contact, .count = count, .is_first = is_first};
    int64_t most = most_bodies(world, count);
    p.body = scr_arena_array(&arena, sizeof *p.body, most);
    p.root = scr_arena_array(&arena, sizeof *p.root, most);
    open_mechanisms(&p, &arena);
    p.order = scr_arena_array(&arena, sizeof *p.order, count);
    p.start = scr_arena_array(&arena, sizeof *p.start, count + 2);
    p.blow = scr_arena_array(&arena, sizeof *p.blow, count);
    gather_bodies(&p, number);
    sort_contacts(&p, number, scr_arena_array(&arena, sizeof(int32_t), most));
#pragma omp parallel num_threads(count >= WORTH_THREADS ? world->threads : 1)
    {
#pragma omp for schedule(static)
        for (int32_t k = 0; k < p.body_count; ++k) fill_body(world, &p.body[k]);
#pragma omp for schedule(static)
        for (int64_t k = 0; k < count; ++k) p.blow[k] = blow_at(&p, number, p.order[k]);
#pragma omp for schedule(dynamic)
        for (int64_t c = 0; c < p.cluster_count; ++c) take_cluster(&p, (index_range){p.start[c], p.start[c + 1]});
#pragma omp for schedule(static)
        for (int32_t k = 0; k < p.body_count; ++k) set_velocity(&world->motion, &p.body[k]);
    }
    for (int32_t k = 0; k < p.body_count; ++k) number[p.body[k].body] = NO_BODY;
}
