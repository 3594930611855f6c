// SPDX-License-Identifier: BSD-3-Clause
// A world's step: solve its contact problem, then move its impulses into the velocities, in double precision and colour
// by colour.
//
// The two bodies of a contact receive exactly opposite impulses at one common point: linear and angular momentum are
// kept to rounding, whatever the solver's tolerance.
#include "dynamics/cone/solve/solve.h"

#include <omp.h>
#include <string.h>

#include "core/arrays/colouring.h"
#include "core/base/interruption.h"
#include "core/base/threads.h"
#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/cone/stages/plain_contacts.h"
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/world/world.h"

static void push_body(scr_world *world, int64_t body, scr_vec3 lever, scr_vec3 impulse, scr_vec3 angular_impulse)
{
    const bodies *b = &world->bodies;
    new_motion *m = &world->motion;
    if (b->inv_mass[body] == 0.0) return;
    scr_vec3 spin_change = vec3_add(vec3_cross(lever, impulse), angular_impulse);
    const body_inertia *stiffened = stiffened_inertia(&world->mechanisms, body);
    if (body_is_grain(b, &world->colliders, body)) {
        spin_change = vec3_scale(grain_inverse_inertia(world, body), spin_change);
    } else if (stiffened != NULL) {
        spin_change = mat3_times(&stiffened->inv_inertia, spin_change);
    } else {
        scr_quat q = body_rotation(b, body);
        spin_change = quat_unrotate(q, spin_change);
        spin_change = quat_rotate(
            q, vec3(b->inv_ix[body] * spin_change.x, b->inv_iy[body] * spin_change.y, b->inv_iz[body] * spin_change.z));
    }
    motion_add_twist(&m->body[body], vec3_scale(b->inv_mass[body], impulse), spin_change);
}

static scr_vec3 load3(const float *v) { return vec3((double)v[0], (double)v[1], (double)v[2]); }

// Both sides of a plain contact: levers lie along the normal, and inertias are numbers.
static void push_plain(scr_world *world, int64_t i, scr_vec3 impulse, scr_vec3 angular_impulse)
{
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    new_motion *m = &world->motion;
    contact_geometry at = contact_geometry_of(set, c, i);
    scr_vec3 across = vec3_cross(at.normal, impulse);
    const int32_t collider[2] = {set->a[i], set->b[i]};
    for (int s = 0; s < 2; ++s) {
        int32_t k = c->body[collider[s]];
        body_motion *body = &m->body[k];
        if (body->inv_mass == 0.0) continue;
        double push = s == 0 ? -body->inv_mass : body->inv_mass, turn = s == 0 ? -body->inv_inertia : body->inv_inertia;
        double spin = body->inv_inertia * (c->radius[collider[s]] + 0.5 * at.gap);
        motion_add_twist(body, vec3_scale(push, impulse), vec3_scale(-spin, across));
        if (!set->has_angular_impulses) continue;
        body->w[0] += turn * angular_impulse.x;
        body->w[1] += turn * angular_impulse.y;
        body->w[2] += turn * angular_impulse.z;
    }
}

// One side of a plain contact off the centre line.
static void push_loose(scr_world *world, int64_t k, scr_vec3 point, scr_vec3 impulse)
{
    new_motion *m = &world->motion;
    const contact_inertia *body = &world->plain.inertia[k];
    double inv_mass = m->body[k].inv_mass;
    if (inv_mass == 0.0) return;
    const double *r = body->root;
    scr_vec3 lever = vec3_sub(point, vec3(body->at[0], body->at[1], body->at[2])), l = vec3_cross(lever, impulse);
    scr_vec3 s =
        vec3_scale(body->factor, vec3(r[0] * l.x + r[1] * l.y + r[2] * l.z, r[3] * l.y + r[4] * l.z, r[5] * l.z));
    motion_add_twist(&m->body[k], vec3_scale(inv_mass, impulse),
                     vec3(r[0] * s.x, r[1] * s.x + r[3] * s.y, r[2] * s.x + r[4] * s.y + r[5] * s.z));
}

static void push_contact(scr_world *world, const double *precise, int64_t i)
{
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    scr_vec3 impulse = load3(set->impulse + 3 * i), angular_impulse = {0};
    if (set->has_angular_impulses) angular_impulse = load3(set->angular_impulse + 3 * i);
    if (precise != NULL) {
        const double *rotating = precise + 3 * (set->count + i);
        impulse = vec3(precise[3 * i], precise[3 * i + 1], precise[3 * i + 2]);
        if (set->has_angular_impulses) angular_impulse = vec3(rotating[0], rotating[1], rotating[2]);
    }
    if (impulse.x == 0.0 && impulse.y == 0.0 && impulse.z == 0.0 && !set->has_angular_impulses) return;
    if (contact_is_plain(world, i)) {
        push_plain(world, i, impulse, angular_impulse);
        return;
    }
    int32_t a = c->body[set->a[i]], b = c->body[set->b[i]];
    scr_vec3 point = contact_point_of(set, c, i);
    if (contact_is_plain_general(world, i)) {
        push_loose(world, a, point, vec3_neg(impulse));
        push_loose(world, b, point, impulse);
        return;
    }
    push_body(world, a, contact_lever(c, point, body_position(&world->bodies, a)), vec3_neg(impulse),
              vec3_neg(angular_impulse));
    push_body(world, b, contact_lever(c, point, body_position(&world->bodies, b)), impulse, angular_impulse);
}

// Where all contacts are plain.
static void push_plain_unit(scr_world *world, const plain_kernels *kernels, const contact_order *order,
                            const work_unit *unit)
{
    if (unit->first_group == unit->last_group) return;
    int64_t first = order->group[unit->first_group].first_contact,
            last = order->group[unit->last_group - 1].last_contact;
    kernels->push(world->motion.body, &world->plain.view, &world->contacts, order->contact + first, last - first);
}

static void push_unit(scr_world *world, const double *precise, const contact_order *order, const work_unit *unit)
{
    for (int64_t g = unit->first_group; g < unit->last_group; ++g)
        for (int64_t k = order->group[g].first_contact; k < order->group[g].last_contact; ++k)
            push_contact(world, precise, order->contact[k]);
}

static void push_ordered(scr_world *world, const double *precise, const contact_order *order,
                         const plain_kernels *kernels)
{
    for (int c = 0; c < order->span_count; ++c) {
        const contact_span *span = &order->span[c];
        bool is_shared_out = span->kind == SPAN_BLOCKS || span->kind == SPAN_COLOUR;
        index_range mine = {span->first_unit, span->last_unit};
        if (is_shared_out) mine = order_share(order, span, omp_get_thread_num(), omp_get_num_threads());
        else if (omp_get_thread_num() != 0) mine.last = mine.first;  // contacts that may have a body in common
        for (int64_t u = mine.first; u < mine.last; ++u) {
            if (kernels != NULL) push_plain_unit(world, kernels, order, &order->unit[u]);
            else push_unit(world, precise, order, &order->unit[u]);
        }
#pragma omp barrier
    }
}

// precise: the impulses in double precision, or NULL where there are none
static void push_all(scr_world *world, const double *precise)
{
    bool all_are_plain =
        world->plain.is_open && world->plain.all_are_plain && precise == NULL && !world->contacts.has_angular_impulses;
    const plain_kernels *kernels = all_are_plain ? plain_kernels_of(world) : NULL;
#pragma omp parallel num_threads(world->threads)
    {
        push_ordered(world, precise, &world->problem.grains, kernels);
        push_ordered(world, precise, &world->problem.general, kernels);
    }
}

static bool is_zero(const float v[3]) { return v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f; }

static int64_t count_touching(const contacts *set, int threads)
{
    int64_t touching = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : touching)
    for (int64_t i = 0; i < set->count; ++i)
        touching += !is_zero(set->impulse + 3 * i) || (set->has_blows && !is_zero(set->blow + 3 * i));
    return touching;
}

// All rows of few contacts, which have begun.
static scr_status keep_rows(scr_world *world, scr_error *error)
{
    const contacts *set = &world->contacts;
    kept_rows *kept = &world->kept_rows;
    if (set->count > KEPT_ROWS_MAX) return SCR_OK;
    scr_status status = scr_grow(&kept->row, &kept->capacity, set->count, sizeof *kept->row, "contacts", error);
    if (status != SCR_OK) return status;
#pragma omp parallel for num_threads(loop_threads(set->count, world->threads)) schedule(static)
    for (int64_t first = 0; first < set->count; first += PLAIN_LANES) {
        int32_t contact[PLAIN_LANES];
        int count = next_contacts(first, set->count, contact);
        uint32_t plain = plain_contacts_among(world, contact, count).central;
        grain_bundle unused;
        row_lanes rows;
        if (plain != 0) plain_kernels_of(world)->rows(&world->plain.view, set, contact, plain, 1, &unused, &rows);
        for (int k = 0; k < count; ++k)
            kept->row[first + k] = plain >> k & 1 ? contact_row_of_lane(&rows, k, set->has_angular_impulses)
                                                  : contact_row_of(world, first + k);
    }
    kept->is_open = true;
    return SCR_OK;
}

scr_status prepare(scr_world *world, scr_error *error)
{
    if (world->contacts.count == 0) {
        problem_clear(&world->problem);
        return SCR_OK;
    }
    plain_contacts_open_rows(world);
    contact_system system = world_contact_system(world);
    scr_status status = keep_rows(world, error);
    if (status == SCR_OK) status = problem_build(&world->problem, &system, error);
    world->plain.view.unbegun = NULL;
    return status;
}

scr_status solve(scr_world *world, scr_error *error)
{
    contact_system system = world_contact_system(world);
    scr_solver_def def = world->def.solver;
    def.max_iterations =
        (int)min_i64((int64_t)def.max_iterations * max_i64(1, world->collider_motion.patience), INT32_MAX);
    solve_setting setting = {.def = &def,
                             .memory = &world->solver_memory,
                             .friction = world->def.contact.friction,
                             .kernels = world->kernels,
                             .cell_energy = world->cell_energy,
                             .instruction_set = world->def.instruction_set};
    solve_result result;
    scr_status status = solve_system(&world->problem, &system, &setting, &world->scratch, &result, error);
    world->kept_rows.is_open = false;
    if (status == SCR_OK && interruption_is_overdue()) status = interruption_fail(error);  // solved in part
    if (status != SCR_OK) return status;
    if (world->contacts.count > 0) push_all(world, result.precise);
    world->report.iterations = result.iterations;
    world->report.change = result.change;
    world->report.force_error = result.force_error;
    world->report.is_solved = def.tolerance == 0.0 || result.force_error <= def.tolerance;
    world->report.touching_count = world->contacts.count > 0 ? count_touching(&world->contacts, world->threads) : 0;
    return SCR_OK;
}
