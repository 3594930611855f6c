// SPDX-License-Identifier: BSD-3-Clause
// The first stage of a mechanism's step: impulses that close every joint at the end of it.
//
// Newton's method on (v, l) with the factors of J(x): M v - J(x)^T l stays what forces and contacts have made it, and
//     M dv - J^T dl = 0,   J dv + C dl = -rest(x moved by h v, l)
// is solved until bodies move no more. Then rows that may be open are reconsidered, and it goes on if any of them
// changed.
//
// Where contacts touch a mechanism its rows and their impulses are one problem: a motor that its load runs onto the
// floor may need more than it has, and what the floor then bears is found with the motor open. So contacts are solved
// for rows as they were chosen without them; after contacts the rows are reconsidered, and if any of them changed
// contacts are solved again with rows as they are now (must_hold_otherwise). A motor that stalled in the last step is
// open to begin with: it mostly still does.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/arrays/colouring.h"
#include "core/base/threads.h"
#include "core/text/human.h"
#include "dynamics/bodies/drift.h"
#include "dynamics/mechanism/mechanism_inside.h"
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/world/world.h"

enum { NEWTON_MAX = 24, ROUNDS_MAX = 12 };
enum { CONTACT_ROUNDS_MAX = 12 };  // times that contacts are solved again in one step for rows that changed
// of the mechanism's size: bodies that would move by no more have found their place
static const double STILL = 1e-12;
// The same before contacts, which move them again: what is left is closed then, and as a velocity, over the step, it is
// far below what contacts are solved to.
static const double STILL_BEFORE_CONTACTS = 1e-8;
static const double ROUNDING = 1e-14;  // of the farthest coordinate
static const double LOST = 1e-3;       // of the size: joints that are farther open after all have failed

void read_mechanism_bodies(const scr_world *world, mechanism *m, pose *at)
{
    const bodies *b = &world->bodies;
    double farthest = m->size;
    for (int32_t k = 0; k < m->total_body_count; ++k) {
        int32_t i = m->slot[k];
        bool moves = b->kind[i] != SCR_FIXED;
        scr_vec3 v = moves ? body_velocity(b, i) : vec3(0.0, 0.0, 0.0),
                 w = moves ? body_spin(b, i) : vec3(0.0, 0.0, 0.0);
        at[k] = body_pose(b, i);
        scr_vec3 p = vec3_abs(at[k].position);
        farthest = larger(larger(farthest, p.x), larger(p.y, p.z));
        memcpy(m->velocity + 6 * k, (double[6]){v.x, v.y, v.z, w.x, w.y, w.z}, 6 * sizeof(double));
        if (k < m->body_count)
            memcpy(m->inverse_inertia + 3 * k, (double[3]){b->inv_ix[i], b->inv_iy[i], b->inv_iz[i]},
                   3 * sizeof(double));
    }
    m->rounding = ROUNDING * farthest;
}

// I(q) dw. Of a body whose moments of inertia are all the same its axes do not matter.
static scr_vec3 angular_impulse(scr_quat q, const double inverse[3], scr_vec3 dw)
{
    if (inverse[0] == inverse[1] && inverse[1] == inverse[2]) return vec3_scale(1.0 / inverse[0], dw);
    scr_vec3 own = quat_unrotate(q, dw);
    return quat_rotate(q, vec3(own.x / inverse[0], own.y / inverse[1], own.z / inverse[2]));
}

// What forces and, under the penalty law, contacts do in the step. There they act at the midpoint, with the inertia
// bodies have there.
static void read_force_impulses(const scr_world *world, mechanism *m)
{
    const bodies *b = &world->bodies;
    const new_motion *to = &world->motion;
    bool is_penalty = world_is_penalty(world);
    body_poses poses = world_poses(world);
    for (int32_t k = 0; k < m->body_count; ++k) {
        int32_t i = m->slot[k];
        const double *v = m->velocity + 6 * k;
        twist now = new_twist(to, i);
        scr_vec3 dv = vec3_sub(now.v, vec3(v[0], v[1], v[2]));
        scr_vec3 w = is_penalty ? world_spin(world, i) : vec3(v[3], v[4], v[5]);
        scr_vec3 angular =
            angular_impulse(body_poses_at(&poses, i).rotation, m->inverse_inertia + 3 * k, vec3_sub(now.w, w));
        scr_vec3 linear = vec3_scale(1.0 / b->inv_mass[i], dv);
        memcpy(m->force_impulse + 6 * k, (double[6]){linear.x, linear.y, linear.z, angular.x, angular.y, angular.z},
               6 * sizeof(double));
    }
}

void factor_rows(mechanism *m, placed_rows *set)
{
    kkt_equations e = equations_of(m, set);
    kkt_factor(set->kkt, &e);
    set->is_factored = true;
}

void factor_and_count_rows(mechanism *m, placed_rows *set)
{
    kkt_equations e = equations_of(m, set);
    e.is_counted = true;
    kkt_factor(set->kkt, &e);
    set->is_factored = true;
}

// Rows where bodies are now. A plain mechanism has them from the end of the last step, unless somebody moved a body.
static void begin_mechanism(const scr_world *world, mechanism *m)
{
    read_mechanism_bodies(world, m, m->start.at);
    find_tensions(world, m);
    bool is_where_it_ended = memcmp(m->start.at, m->end.at, (size_t)m->total_body_count * sizeof *m->end.at) == 0;
    if (m->is_plain && m->ended != NULL && !m->is_tense && !m->ended->is_tense && is_where_it_ended) {
        placed_rows last = m->start;
        if (m->ended == &m->end) m->start = m->end, m->end = last;
        m->ended = NULL;
    } else {
        place_rows(world, m, &m->start, m->start.at);
        m->start.is_factored = false;
    }
    read_force_impulses(world, m);
}

// v += M^-1 p
static void add_momentum(const mechanism *m, const placed_rows *set, double share, const double *momentum)
{
    for (int32_t k = 0; k < m->body_count; ++k) {
        const double *p = momentum + 6 * k;
        double *v = m->velocity + 6 * k, factor = share / set->inertia[k].mass;
        scr_vec3 spin_change = mat3_times(&set->inertia[k].inv_inertia, vec3(p[3], p[4], p[5]));
        v[0] += factor * p[0], v[1] += factor * p[1], v[2] += factor * p[2];
        v[3] += share * spin_change.x, v[4] += share * spin_change.y, v[5] += share * spin_change.z;
    }
}

static void push_rows(mechanism *m, const double *row)
{
    memset(m->body_work, 0, (size_t)m->body_count * 6 * sizeof *m->body_work);
    add_row_push(m, &m->start, row, m->body_work);
    add_momentum(m, &m->start, 1.0, m->body_work);
}

// From velocities as they were before the step.
static void begin_stage(const scr_world *world, mechanism *m, double share)
{
    if (!m->rows_are_chosen) begin_elements(world, m);
    m->share = share;
    add_momentum(m, &m->start, share, m->force_impulse);
    set_compliances(world, m);
    memset(m->impulse, 0, (size_t)m->row_count * sizeof *m->impulse);
    if (m->is_plain) {
        if (!m->start.is_factored) factor_rows(m, &m->start);
        return;
    }
    factor_rows(m, &m->start);
    for (int64_t k = 0; k < m->element_count; ++k)
        if (m->start.block[k].open)
            m->impulse[m->start.block[k].first_row] = open_impulse(&m->element[k], share, world->def.time_step);
    push_rows(m, m->impulse);
}

static void drift_body(mechanism *m, int32_t k, double h)
{
    const double *u = m->velocity + 6 * k, *inverse = m->inverse_inertia + 3 * k;
    const pose *from = &m->start.at[k];
    scr_vec3 v = vec3(u[0], u[1], u[2]), w = vec3(u[3], u[4], u[5]);
    m->end.at[k].position = vec3_add_scaled(from->position, h, v);
    m->end.at[k].rotation = k < m->body_count
                                ? quat_advanced_freely(from->rotation, w, vec3(inverse[0], inverse[1], inverse[2]), h)
                                : quat_advanced(from->rotation, w, h);
}

static void drift_bodies(const scr_world *world, mechanism *m)
{
    double h = world->def.time_step;
    int32_t k = 0;
    for (; k + DRIFT_FOUR <= m->body_count; k += DRIFT_FOUR)
        if (!m->drift(&m->start.at[k], m->velocity + 6 * k, m->inverse_inertia + 3 * k, h, &m->end.at[k]))
            for (int32_t l = k; l < k + DRIFT_FOUR; ++l) drift_body(m, l, h);
    for (; k < m->total_body_count; ++k) drift_body(m, k, h);
}

// The farthest that these velocities move a body in a step, m: by the fastest of all, and the one that turns fastest.
static double farthest_move(const mechanism *m, const double *velocity, double h)
{
    double linear = 0.0, angular = 0.0;
    for (int32_t k = 0; k < m->body_count; ++k) {
        const double *v = velocity + 6 * k;
        linear = larger(linear, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        angular = larger(angular, v[3] * v[3] + v[4] * v[4] + v[5] * v[5]);
    }
    return h * (sqrt(linear) + m->size * sqrt(angular));
}

// One step of Newton's method; how far it moved a body, m.
static double correct(const scr_world *world, mechanism *m)
{
    double h = world->def.time_step;
    m->miss = h * row_errors(world, m, m->row_work);
    for (int64_t r = 0; r < m->row_count; ++r) m->row_work[r] = -m->row_work[r];
    kkt_solve_rows(m->start.kkt, m->body_work, m->row_work, m->kkt_work);
    for (int64_t r = 0; r < m->row_count; ++r) m->impulse[r] += m->row_work[r];
    for (int64_t k = 0; k < 6 * (int64_t)m->body_count; ++k) m->velocity[k] += m->body_work[k];
    drift_bodies(world, m);
    return farthest_move(m, m->body_work, h);
}

// A row that cannot bear its load lets go before anything is built on it: at a dead centre the load would be infinite.
// What was solved with it is forgotten. How far the bodies moved in the end.
static double correct_and_release(const scr_world *world, mechanism *m)
{
    size_t velocities = 6 * (size_t)m->total_body_count * sizeof *m->velocity,
           impulses = (size_t)m->row_count * sizeof *m->impulse;
    for (;;) {
        memcpy(m->old_velocity, m->velocity, velocities);
        memcpy(m->old_impulse, m->impulse, impulses);
        double moved = correct(world, m);
        if (!release_overloaded(world, m, m->old_impulse, m->row_work)) return moved;
        memcpy(m->velocity, m->old_velocity, velocities);
        memcpy(m->impulse, m->old_impulse, impulses);
        push_rows(m, m->row_work);
        factor_rows(m, &m->start);
        drift_bodies(world, m);
    }
}

static void close_rows_to(const scr_world *world, mechanism *m, double still)
{
    double last = INFINITY;
    drift_bodies(world, m);
    for (int k = 0; k < NEWTON_MAX; ++k) {
        bool may_release = k == 0 && !m->is_plain && !m->rows_are_chosen;
        double moved = may_release ? correct_and_release(world, m) : correct(world, m);
        double next = k == 0 ? moved : moved * fmin(1.0, moved / last);  // corrections shrink by about the same factor
        if (!(next > still * m->size)) return;
        if (k > 2 && !(moved < 0.9 * last)) return;  // what does not shrink is rounding, or cannot be closed
        last = moved;
    }
}

static void close_rows(const scr_world *world, mechanism *m) { close_rows_to(world, m, STILL); }

// Whether any of them changed.
static bool settle_rows(const scr_world *world, mechanism *m)
{
    bool some = false;
    for (int round = 0; round < ROUNDS_MAX && reconsider_held(world, m, m->row_work); ++round) {
        push_rows(m, m->row_work);
        factor_rows(m, &m->start);
        close_rows(world, m);
        some = true;
    }
    return some;
}

// Nothing but forces has moved the bodies yet.
static void close_joints(const scr_world *world, mechanism *m, double still)
{
    close_rows_to(world, m, still);
    if (!m->is_tense && find_first_tensions(world, m)) {
        read_mechanism_bodies(world, m, m->start.at);
        place_rows(world, m, &m->start, m->start.at);
        m->start.is_factored = false;
        begin_stage(world, m, m->share);
        close_rows_to(world, m, still);
    }
    if (m->is_plain || m->rows_are_chosen) return;
    if (find_first_loads(world, m, m->row_work)) {
        push_rows(m, m->row_work);
        close_rows_to(world, m, still);
    }
    settle_rows(world, m);
}

// After contacts. Whether rows must hold otherwise, and contacts be solved again.
static bool close_joints_in_contact(const scr_world *world, mechanism *m)
{
    close_rows(world, m);
    if (m->is_plain) return false;
    bool has_new_loads = m->contact_rounds == 0 && find_first_loads(world, m, m->row_work);
    if (m->contact_rounds < CONTACT_ROUNDS_MAX) {
        m->contact_rounds += 1;
        return reconsider_held(world, m, m->row_work) || has_new_loads;
    }
    m->is_unsettled = settle_rows(world, m);  // within their bounds at least
    return false;
}

static void write_motion(scr_world *world, const mechanism *m)
{
    new_motion *to = &world->motion;
    for (int32_t k = 0; k < m->body_count; ++k) {
        const double *v = m->velocity + 6 * k;
        motion_set_twist(&to->body[m->slot[k]], (twist){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}});
    }
}

// What contacts have changed since hold_joints, with the joints' answer to it by their rows where bodies are now, as
// solvers of contacts have it. A light body with a heavy load would turn by far without that answer, too far for
// Newton's method.
static void take_contacts(const scr_world *world, mechanism *m)
{
    const new_motion *from = &world->motion;
    for (int32_t k = 0; k < m->body_count; ++k) {
        const double *held = m->velocity + 6 * k;
        twist now = new_twist(from, m->slot[k]);
        scr_vec3 linear = vec3_scale(m->start.inertia[k].mass, vec3_sub(now.v, vec3(held[0], held[1], held[2])));
        scr_vec3 angular = mat3_times(&m->start.inertia[k].inertia, vec3_sub(now.w, vec3(held[3], held[4], held[5])));
        memcpy(m->body_work + 6 * k, (double[6]){linear.x, linear.y, linear.z, angular.x, angular.y, angular.z},
               6 * sizeof(double));
    }
    memset(m->row_work, 0, (size_t)m->row_count * sizeof *m->row_work);
    kkt_solve(m->start.kkt, m->body_work, m->row_work, m->kkt_work);
    for (int64_t r = 0; r < m->row_count; ++r) m->impulse[r] += m->row_work[r];
    for (int32_t k = 0; k < 6 * m->body_count; ++k) m->velocity[k] += m->body_work[k];
}

static void touch_body(mechanisms *all, int32_t body)
{
    if (!body_is_joined(all, body)) return;
#pragma omp atomic write
    all->mechanism[all->mechanism_of[body]].is_touched = true;
}

static void mark_touched(scr_world *world)
{
    mechanisms *all = &world->mechanisms;
    const contacts *set = &world->contacts;
    const int32_t *body = world->colliders.body;
    for (int64_t p = 0; p < all->count; ++p) all->mechanism[p].is_touched = false;
    if (set->count == 0) return;
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (int64_t k = 0; k < set->count; ++k) {
        touch_body(all, body[set->a[k]]);
        touch_body(all, body[set->b[k]]);
    }
}

static void hold_rows(const scr_world *world, mechanism *m)
{
    begin_mechanism(world, m);
    begin_stage(world, m, 1.0);
    close_joints(world, m, STILL_BEFORE_CONTACTS);
}

// As it would move without contacts. rows_are_chosen: contacts have had their say which rows hold
static void hold_touched(const scr_world *world, mechanism *m, bool rows_are_chosen)
{
    m->rows_are_chosen = rows_are_chosen;
    hold_rows(world, m);
    if (rows_are_chosen) return;
    m->rows_are_chosen = true;
    m->contact_rounds = 0;
    for (int64_t k = 0; k < m->element_count; ++k) m->element[k].flips = 0;
    if (release_stalled(world, m)) hold_rows(world, m);
}

static void hold_if_touched(scr_world *world, mechanism *m)
{
    if (!m->is_touched) return;
    hold_touched(world, m, false);
    write_motion(world, m);
}

static void hold_if_touched_again(scr_world *world, mechanism *m)
{
    if (!m->is_touched) return;
    hold_touched(world, m, true);
    write_motion(world, m);
}

// What contacts touch moves first as it would without them. The others wait for settle_joints.
static scr_status hold_all(scr_world *world, bool rows_are_chosen, scr_error *error)
{
    mechanisms *all = &world->mechanisms;
    all->system = (joint_system){0};
    if (all->count == 0) return SCR_OK;
    scr_status status =
        scr_grow_anew(&all->touched, &all->touched_capacity, all->count, sizeof *all->touched, "mechanisms", error);
    if (status != SCR_OK) return status;
    mark_touched(world);
    if (world->contacts.count == 0) return SCR_OK;
    for_each_mechanism(world, rows_are_chosen ? hold_if_touched_again : hold_if_touched);
    all->system.mechanism = all->touched;
    for (int64_t p = 0; p < all->count; ++p) {
        const mechanism *m = &all->mechanism[p];
        if (m->is_touched)
            all->touched[all->system.mechanism_count++] =
                (joint_mechanism){equations_of(m, &m->start), m->start.kkt, m->slot};
    }
    return SCR_OK;
}

scr_status hold_joints(scr_world *world, scr_error *error) { return hold_all(world, false, error); }
scr_status hold_joints_again(scr_world *world, scr_error *error) { return hold_all(world, true, error); }

static void take_blows(scr_world *world, mechanism *m)
{
    if (!m->is_touched) return;
    take_contacts(world, m);
    write_motion(world, m);
}

void take_blows_into_joints(scr_world *world) { for_each_mechanism(world, take_blows); }

const joint_system *world_joint_system(const scr_world *world)
{
    return world->mechanisms.system.mechanism_count > 0 ? &world->mechanisms.system : NULL;
}

// The largest error of a joint's place at the end of the step, and which joint's it is.
static double worst_gap(const mechanism *m, int64_t *joint)
{
    double worst = 0.0;
    for (int64_t k = 0; k < m->element_count; ++k) {
        double gap, tilt;
        if (m->element[k].kind != ELEMENT_JOINT) continue;
        joint_gap(&m->geometry[m->element[k].geometry[0]], m->end.at, &gap, &tilt);
        double error = gap + m->size * tilt;
        if (error <= worst) continue;
        worst = error;
        *joint = m->element[k].source;
    }
    return worst;
}

static scr_status check_gaps(const scr_world *world, scr_error *error)
{
    const mechanisms *all = &world->mechanisms;
    for (int64_t p = 0; p < all->count; ++p) {
        int64_t joint = -1;
        if (all->mechanism[p].must_hold_otherwise) continue;  // this is not its answer yet
        // phi is in m, or the sine of an angle
        if (all->mechanism[p].miss <= LOST * fmin(1.0, all->mechanism[p].size)) continue;
        double worst = worst_gap(&all->mechanism[p], &joint);
        if (worst <= LOST * all->mechanism[p].size) continue;
        return scr_fail(error, SCR_DIVERGED,
                        "step %" PRId64 ", t = %g s: joint %" PRId64
                        " cannot be kept closed: it opens by %s; the time step may be too long",
                        world->step_count + 1, (double)(world->step_count + 1) * world->def.time_step, joint + 1,
                        human_length(worst).text);
    }
    return SCR_OK;
}

static void settle(scr_world *world, mechanism *m)
{
    m->must_hold_otherwise = m->is_unsettled = false;
    if (!world_is_penalty(world) && m->is_touched) {
        take_contacts(world, m);
        m->must_hold_otherwise = close_joints_in_contact(world, m);
    } else {
        m->rows_are_chosen = false;
        begin_mechanism(world, m);
        begin_stage(world, m, 0.5);
        close_joints(world, m, STILL);
    }
    write_motion(world, m);
}

scr_status settle_joints(scr_world *world, scr_error *error)
{
    mechanisms *all = &world->mechanisms;
    for_each_mechanism(world, settle);
    for (int64_t p = 0; p < all->count; ++p)
        if (all->mechanism[p].is_unsettled) world->report.is_solved = false;
    return check_gaps(world, error);
}

bool must_hold_otherwise(const scr_world *world)
{
    const mechanisms *all = &world->mechanisms;
    bool some = false;
    for (int64_t p = 0; p < all->count; ++p) some = some || all->mechanism[p].must_hold_otherwise;
    return some;
}
