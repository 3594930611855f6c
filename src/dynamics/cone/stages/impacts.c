// Impacts, before the contact problem of a step: contacts with restitution that would close in it.
//
// Blows follow one upon another. A pass takes the contacts that close with the velocities of now, and gives them
// impulses g that obey, all at once,
//   u_n+ >= -e u_n-,   g_n >= 0,   one of the two an equality         Newton's law
//   |g_t| <= mu g_n,   u_t+ = 0 or g_t against it at the limit        Coulomb's
// Whoever is struck may now close a contact in turn: those make the next pass, until none closes (Smith et al. 2012,
// "Reflections on simultaneous impact"). So a cradle hands its speed on from ball to ball, and the corners of a box strike
// the floor together. What is left after PASSES_MAX meets the contact problem, which knows no restitution.
//
// u_n- is without what gravity gives in this step: a ball then bounces with the energy that steps of free flight keep.
// Of a pass the kinetic energy changes by
//   1/2 sum g . (u+ + u-)  =  1/2 sum ((1 - e) g_n u_n- + g_t . (u_t+ + u_t-))
// which friction at several contacts of one body can make positive. Such a pass is taken without restitution: then it
// is g . u+ - 1/2 g^T N g <= 0.
//
// Bodies of mechanisms are left to the contact problem, which knows their joints: there restitution is a bias.
#include <string.h>

#include "core/base/threads.h"
#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/cone/system/contact_row.h"
#include "dynamics/world/world.h"

enum { PASSES_MAX = 32, FEW = 256 };
enum { SWEEPS_MAX = 400, SWEEPS_LEAST = 10, WORK_MAX = 20000 };  // of a pass: few blows are solved to the end, many roughly
enum { BLOWS_PER_CONTACT = 2 };  // in all passes of a step, besides FEW: in a dense crowd blows would go to and fro for ever
static const double SETTLED = 1e-13;  // of all impulses: sweeps that change less end a pass
static const double ROUNDING = 1e-12; // of the energy that blows turn over: a gain that is none

typedef struct velocity { scr_vec3 v, w; } velocity;

typedef struct blow {
    int64_t contact;
    contact_row row;      // where it acts; its law does not count
    int32_t body[2];      // a, b, moved or not
    scr_vec3 surface;     // m/s; what conveying surfaces add to the relative velocity
    velocity start[2];    // of both when the pass began
    scr_vec3 before;      // m/s; the relative velocity then, along the normal u_n-
    scr_vec3 impulse;     // N s, acting on b
    double restitution;
} blow;

static velocity velocity_now(const new_motion *m, int32_t i)
{
    return (velocity){vec3(m->vx[i], m->vy[i], m->vz[i]), vec3(m->wx[i], m->wy[i], m->wz[i])};
}

static void set_velocity(new_motion *m, int32_t i, velocity to)
{
    m->vx[i] = to.v.x, m->vy[i] = to.v.y, m->vz[i] = to.v.z;
    m->wx[i] = to.w.x, m->wy[i] = to.w.y, m->wz[i] = to.w.z;
}

static void push(scr_world *world, int32_t i, scr_vec3 lever, scr_vec3 impulse)
{
    double inverse = world->bodies.inv_mass[i];
    if (inverse == 0.0) return;
    velocity now = velocity_now(&world->motion, i);
    now.v = vec3_add_scaled(now.v, inverse, impulse);
    now.w = vec3_add(now.w, body_turn(world, i, vec3_cross(lever, impulse)));
    set_velocity(&world->motion, i, now);
}

static void strike(scr_world *world, blow *b, scr_vec3 impulse)
{
    push(world, b->body[0], b->row.lever_a, vec3_neg(impulse));
    push(world, b->body[1], b->row.lever_b, impulse);
}

static scr_vec3 relative_now(const scr_world *world, const blow *b)
{
    velocity va = velocity_now(&world->motion, b->body[0]), vb = velocity_now(&world->motion, b->body[1]);
    scr_vec3 u =
        vec3_sub(vec3_add(vb.v, vec3_cross(vb.w, b->row.lever_b)), vec3_add(va.v, vec3_cross(va.w, b->row.lever_a)));
    return world_conveys(world) ? vec3_add(u, b->surface) : u;
}

// ---- one pass ----

static blow blow_at(const scr_world *world, int64_t i)
{
    const colliders *c = &world->colliders;
    blow b = {.contact = i, .row = contact_row_frame(world, i), .surface = contact_surface_velocity(world, i)};
    b.body[0] = c->body[world->contacts.a[i]], b.body[1] = c->body[world->contacts.b[i]];
    for (int side = 0; side < 2; ++side) b.start[side] = velocity_now(&world->motion, b.body[side]);
    scr_vec3 u = relative_now(world, &b);
    b.before = vec3_add_scaled(u, -contact_free_change(world, i), b.row.n);
    b.restitution = contact_restitution(world, i, vec3_dot(u, b.row.n));
    return b;
}

typedef struct sweep_change { double change, size; } sweep_change;  // J, or nearly: g^T (diagonal of N) g

// Normal first, then the tangent: an exact step for either, or a safe one where the tangent plane is not isotropic.
static void relax(scr_world *world, blow *b, bool bounces, sweep_change *sum)
{
    scr_vec3 n = b->row.n;
    double wanted = bounces ? -b->restitution * vec3_dot(b->before, n) : 0.0, old = vec3_dot(b->impulse, n);
    double now = fmax(0.0, old - (vec3_dot(relative_now(world, b), n) - wanted) / b->row.a_n);
    strike(world, b, vec3_scale(now - old, n));
    b->impulse = vec3_add_scaled(b->impulse, now - old, n);
    sum->change += b->row.a_n * (now - old) * (now - old);
    sum->size += b->row.a_n * now * now;
    if (b->row.mu <= 0.0) return;
    double a_t = b->row.centre_line ? b->row.a_t : 2.0 * b->row.a_t;
    scr_vec3 old_t = across(b->impulse, n), t = vec3_add_scaled(old_t, -1.0 / a_t, across(relative_now(world, b), n));
    double length = vec3_norm(t), limit = b->row.mu * now;
    if (length > limit) t = vec3_scale(limit / length, t);
    scr_vec3 step = vec3_sub(t, old_t);
    strike(world, b, step);
    b->impulse = vec3_add(b->impulse, step);
    sum->change += a_t * vec3_dot(step, step);
}

static void go_back(scr_world *world, const blow *all, int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        for (int side = 0; side < 2; ++side) set_velocity(&world->motion, all[k].body[side], all[k].start[side]);
}

// J; half of what the pass adds to the kinetic energy, and the size of what it turns over
static double energy_gained(const scr_world *world, const blow *all, int64_t count, double *size)
{
    double gained = 0.0;
    *size = 0.0;
    for (int64_t k = 0; k < count; ++k) {
        scr_vec3 after = relative_now(world, &all[k]);
        gained += 0.5 * vec3_dot(all[k].impulse, vec3_add(after, all[k].before));
        *size += vec3_norm(all[k].impulse) * (vec3_norm(after) + vec3_norm(all[k].before));
    }
    return gained;
}

// Both bodies of a blow receive it once, in the end: momenta are kept to rounding however many sweeps there were.
static void solve_pass(scr_world *world, blow *all, int64_t count, bool bounces)
{
    sweep_change sum = {1.0, 0.0};
    int64_t sweeps = max_i64(SWEEPS_LEAST, min_i64(SWEEPS_MAX, WORK_MAX / count));
    for (int64_t k = 0; k < count; ++k) all[k].impulse = vec3(0.0, 0.0, 0.0);
    for (int64_t sweep = 0; sweep < sweeps && sum.change > SETTLED * SETTLED * sum.size; ++sweep) {
        sum = (sweep_change){0.0, 0.0};
        for (int64_t k = 0; k < count; ++k) relax(world, &all[k], bounces, &sum);
    }
    go_back(world, all, count);
    for (int64_t k = 0; k < count; ++k) strike(world, &all[k], all[k].impulse);
}

static void take_pass(scr_world *world, blow *all, int64_t count)
{
    double size;
    solve_pass(world, all, count, true);
    if (energy_gained(world, all, count, &size) > ROUNDING * size) {
        go_back(world, all, count);
        solve_pass(world, all, count, false);
    }
    for (int64_t k = 0; k < count; ++k) {
        float *to = world->contacts.blow + 3 * all[k].contact;
        to[0] += (float)all[k].impulse.x, to[1] += (float)all[k].impulse.y, to[2] += (float)all[k].impulse.z;
    }
}

// ---- passes ----

// 1 for contacts that close now. struck (bodies), unless NULL: only contacts of these can be others than before.
static int64_t mark_closing(const scr_world *world, const uint8_t *struck, uint8_t *closes)
{
    const contacts *set = &world->contacts;
    const int32_t *body = world->colliders.body;
    int64_t count = 0;
#pragma omp parallel for num_threads(world->threads) schedule(static) reduction(+ : count)
    for (int64_t i = 0; i < set->count; ++i) {
        bool may = struck == NULL || struck[body[set->a[i]]] || struck[body[set->b[i]]];
        closes[i] = may && contact_strikes(world, i);
        count += closes[i];
    }
    return count;
}

static scr_status reserve(scr_world *world, int64_t blows, scr_error *error)
{
    size_t bytes = scr_arena_bytes(1, world->contacts.count) + scr_arena_bytes(1, world->bodies.table.count) +
                   scr_arena_bytes(sizeof(blow), blows);
    return scr_arena_reserve(&world->scratch, bytes, "impacts", error);
}

static int64_t gather(const scr_world *world, const uint8_t *closes, blow *all)
{
    int64_t count = 0;
    for (int64_t i = 0; i < world->contacts.count; ++i)
        if (closes[i]) all[count++] = blow_at(world, i);
    return count;
}

static void mark_struck(const blow *all, int64_t count, uint8_t *struck, int64_t body_count)
{
    memset(struck, 0, (size_t)body_count);
    for (int64_t k = 0; k < count; ++k) struck[all[k].body[0]] = struck[all[k].body[1]] = 1;
}

scr_status take_impacts(scr_world *world, scr_error *error)
{
    contacts *set = &world->contacts;
    int64_t body_count = world->bodies.table.count, room = FEW;
    set->has_blows = world->materials.max_restitution > 0.0 && set->count > 0;
    if (!set->has_blows) return SCR_OK;
    scr_status status = contacts_grow_blows(set, error);
    if (status == SCR_OK) status = reserve(world, room, error);
    if (status != SCR_OK) return status;
    memset(set->blow, 0, (size_t)set->count * 3 * sizeof *set->blow);
    bool is_first = true;
    int64_t blows = 0, most = BLOWS_PER_CONTACT * set->count + FEW;
    for (int pass = 0; pass < PASSES_MAX && blows < most; ++pass) {
        scr_arena arena = world->scratch;
        uint8_t *closes = scr_arena_array(&arena, 1, set->count), *struck = scr_arena_array(&arena, 1, body_count);
        int64_t count = mark_closing(world, is_first ? NULL : struck, closes);
        if (count == 0) return SCR_OK;
        if (count > room) {
            // The arena may move: what was marked is marked again.
            room = 2 * count;
            status = reserve(world, room, error);
            if (status != SCR_OK) return status;
            is_first = true;
            continue;
        }
        blow *all = scr_arena_array(&arena, sizeof *all, room);
        gather(world, closes, all);
        take_pass(world, all, count);
        blows += count;
        mark_struck(all, count, struck, body_count);
        is_first = false;
    }
    return SCR_OK;
}
