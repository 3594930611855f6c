// SPDX-License-Identifier: BSD-3-Clause
// A contact problem that stands on its own.
#include "laboratory/saved_system.h"

#include <stdio.h>
#include <string.h>

#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/world/world.h"
#include "dynamics/world/world_state.h"
#include "laboratory/saved_joints.h"

static const field_info body_fields[] = {
    FIELD(saved_system, inv_mass, FIELD_F64, "1/kg"),
    FIELD_WIDE(saved_system, inv_inertia, FIELD_F64, 9, "1/(kg m2)"),
    FIELD(saved_system, length, FIELD_F64, "m"),
    FIELD(saved_system, is_grain, FIELD_U8, ""),
    FIELD_WIDE(saved_system, free_velocity, FIELD_F64, 6, "m/s, rad/s"),
};
static const field_info contact_fields[] = {
    FIELD(saved_system, a, FIELD_I32, ""),
    FIELD(saved_system, b, FIELD_I32, ""),
    FIELD(saved_system, centre_line, FIELD_U8, ""),
    FIELD_WIDE(saved_system, n, FIELD_F64, 3, ""),
    FIELD_WIDE(saved_system, lever_a, FIELD_F64, 3, "m"),
    FIELD_WIDE(saved_system, lever_b, FIELD_F64, 3, "m"),
    FIELD_WIDE(saved_system, r, FIELD_F64, 3, "m/s"),
    FIELD(saved_system, mu, FIELD_F64, ""),
    FIELD(saved_system, eps_n, FIELD_F64, ""),
    FIELD(saved_system, eps_t, FIELD_F64, ""),
    FIELD(saved_system, apex, FIELD_F64, "N s"),
    FIELD(saved_system, a_n, FIELD_F64, "1/kg"),
    FIELD(saved_system, a_t, FIELD_F64, "1/kg"),
    FIELD(saved_system, length_a, FIELD_F64, "m"),
    FIELD(saved_system, length_b, FIELD_F64, "m"),
    FIELD(saved_system, arm, FIELD_F64, "m"),
    FIELD(saved_system, roll, FIELD_F64, ""),
    FIELD(saved_system, spin, FIELD_F64, ""),
    FIELD(saved_system, a_q, FIELD_F64, "1/kg"),
    FIELD(saved_system, eps_q, FIELD_F64, ""),
    FIELD_WIDE(saved_system, r_q, FIELD_F64, 3, "m/s"),
    FIELD_WIDE(saved_system, guess, FIELD_F32, 6, "N s, N m s"),
    FIELD_WIDE(saved_system, answer, FIELD_F64, 6, "N s, N m s"),
};
static const field_info joined_fields[] = {
    FIELD(saved_system, joined_mechanism, FIELD_I32, ""),
    FIELD(saved_system, joined_body, FIELD_I32, ""),
};
static const field_info block_fields[] = {
    FIELD(saved_system, block_mechanism, FIELD_I32, ""),
    FIELD(saved_system, block_rows, FIELD_U8, ""),
    FIELD(saved_system, block_jacobians, FIELD_U8, ""),
    FIELD(saved_system, block_open, FIELD_U8, ""),
    FIELD_WIDE(saved_system, block_compliance, FIELD_F64, BLOCK_ROWS, "1/kg, 1/(kg m2)"),
};
static const field_info jacobian_fields[] = {
    FIELD(saved_system, jacobian_joined, FIELD_I32, ""),
    FIELD_WIDE(saved_system, jacobian_rows, FIELD_F64, BLOCK_ROWS * 6, "1, m"),
};
static const field_info about_fields[] = {
    SCALAR(saved_system, time, FIELD_F64, "s"),
    SCALAR(saved_system, time_step, FIELD_F64, "s"),
    SCALAR_WIDE(saved_system, title, FIELD_U8, SAVED_TITLE_SIZE, ""),
    SCALAR(saved_system, has_answer, FIELD_U8, ""),
};

// A row holds two bodies, a flag, five vectors and thirteen numbers: a new member belongs into the list above, and into
// copy_contact, saved_system_row, saved_system_check and io/problem/fclib.c.
_Static_assert(sizeof(contact_row) == 16 + 5 * sizeof(scr_vec3) + 13 * sizeof(double),
               "all members of contact_row are saved");

#define TABLE(name, fields, owner)                                                                                     \
    (table) { name, fields, sizeof(fields) / sizeof *(fields), owner, 0, 0, false }

void saved_system_init(saved_system *s)
{
    *s = (saved_system){0};
    s->bodies = TABLE("bodies", body_fields, s);
    s->contacts = TABLE("contacts", contact_fields, s);
    s->joined = TABLE("joined", joined_fields, s);
    s->blocks = TABLE("joint_blocks", block_fields, s);
    s->jacobians = TABLE("joint_jacobians", jacobian_fields, s);
    s->about = TABLE("about", about_fields, s);
}

void saved_system_free(saved_system *s)
{
    table_free(&s->bodies);
    table_free(&s->contacts);
    table_free(&s->joined);
    table_free(&s->blocks);
    table_free(&s->jacobians);
}

// Zeros to the end: they are saved as well.
void saved_system_set_title(saved_system *s, const char *title)
{
    memset(s->title, 0, sizeof s->title);
    snprintf(s->title, sizeof s->title, "%s", title);
}

scr_status saved_system_resize(saved_system *s, int64_t body_count, int64_t contact_count, scr_error *error)
{
    scr_status status = table_reserve(&s->bodies, body_count, error);
    if (status == SCR_OK) status = table_reserve(&s->contacts, contact_count, error);
    if (status != SCR_OK) return status;
    s->bodies.count = body_count;
    s->contacts.count = contact_count;
    s->joined.count = s->blocks.count = s->jacobians.count = 0;
    s->has_answer = 0;
    if (contact_count > 0) memset(s->answer, 0, (size_t)contact_count * 6 * sizeof *s->answer);
    return SCR_OK;
}

scr_status saved_system_resize_joints(saved_system *s, int64_t joined_count, int64_t block_count,
                                      int64_t jacobian_count, scr_error *error)
{
    scr_status status = table_reserve(&s->joined, joined_count, error);
    if (status == SCR_OK) status = table_reserve(&s->blocks, block_count, error);
    if (status == SCR_OK) status = table_reserve(&s->jacobians, jacobian_count, error);
    if (status != SCR_OK) return status;
    s->joined.count = joined_count;
    s->blocks.count = block_count;
    s->jacobians.count = jacobian_count;
    return SCR_OK;
}

static scr_vec3 get3(const double *v, int64_t i) { return vec3(v[3 * i], v[3 * i + 1], v[3 * i + 2]); }
static void set3(double *v, int64_t i, scr_vec3 x) { v[3 * i] = x.x, v[3 * i + 1] = x.y, v[3 * i + 2] = x.z; }

static void copy_body(saved_system *s, const contact_system *system, int64_t i)
{
    system_body body = system->body(system->owner, i);
    s->inv_mass[i] = body.inv_mass;
    memcpy(s->inv_inertia + 9 * i, body.inv_inertia.m, sizeof body.inv_inertia.m);
    s->length[i] = body.length;
    s->is_grain[i] = body.is_grain;
    memset(s->free_velocity + 6 * i, 0, 6 * sizeof *s->free_velocity);
}

static void copy_contact(saved_system *s, const contact_system *system, int64_t i)
{
    contact_row row = system->row(system->owner, i);
    s->a[i] = row.a;
    s->b[i] = row.b;
    s->centre_line[i] = row.centre_line;
    set3(s->n, i, row.n);
    set3(s->lever_a, i, row.lever_a);
    set3(s->lever_b, i, row.lever_b);
    set3(s->r, i, row.r);
    s->mu[i] = row.mu;
    s->eps_n[i] = row.eps_n;
    s->eps_t[i] = row.eps_t;
    s->apex[i] = row.apex;
    s->a_n[i] = row.a_n;
    s->a_t[i] = row.a_t;
    s->length_a[i] = row.length_a;
    s->length_b[i] = row.length_b;
    s->arm[i] = row.arm;
    s->roll[i] = row.roll;
    s->spin[i] = row.spin;
    s->a_q[i] = row.a_q;
    s->eps_q[i] = row.eps_q;
    set3(s->r_q, i, row.r_q);
    for (int k = 0; k < 3; ++k) {
        s->guess[6 * i + k] = system->impulse[3 * i + k];
        s->guess[6 * i + 3 + k] = system->angular_impulse != NULL ? system->angular_impulse[3 * i + k] : 0.0f;
    }
}

scr_status saved_system_take(saved_system *s, const contact_system *system, scr_error *error)
{
    scr_status status = saved_system_resize(s, system->body_count, system->contact_count, error);
    if (status != SCR_OK) return status;
    for (int64_t i = 0; i < system->body_count; ++i) copy_body(s, system, i);
    for (int64_t i = 0; i < system->contact_count; ++i) copy_contact(s, system, i);
    return saved_joints_copy(s, system->joints, error);
}

scr_status saved_system_copy(saved_system *s, const scr_world *world, scr_error *error)
{
    contact_system system = world_contact_system(world);
    const new_motion *m = &world->motion;
    scr_status status = saved_system_take(s, &system, error);
    if (status != SCR_OK) return status;
    s->time = scr_world_time(world);
    s->time_step = scr_world_time_step(world);
    for (int64_t i = 0; i < system.body_count; ++i) {
        twist t = new_twist(m, i);
        const double velocity[6] = {t.v.x, t.v.y, t.v.z, t.w.x, t.w.y, t.w.z};
        memcpy(s->free_velocity + 6 * i, velocity, sizeof velocity);
    }
    return SCR_OK;
}

static scr_status keep_problem(void *kept, const scr_world *world, scr_error *error)
{
    return saved_system_copy(kept, world, error);
}

scr_status world_keep_problem(scr_world *world, saved_system *kept, scr_error *error)
{
    if (world->def.contact.law == SCR_PENALTY)
        return scr_fail(error, SCR_BAD_INPUT,
                        "contacts follow the penalty law: its steps have no contact problem to keep");
    world->watch = kept != NULL ? (problem_watch){keep_problem, kept} : (problem_watch){0};
    return SCR_OK;
}

contact_row saved_system_row(const saved_system *s, int64_t i)
{
    return (contact_row){
        .a = s->a[i],
        .b = s->b[i],
        .centre_line = s->centre_line[i],
        .n = get3(s->n, i),
        .lever_a = get3(s->lever_a, i),
        .lever_b = get3(s->lever_b, i),
        .r = get3(s->r, i),
        .mu = s->mu[i],
        .eps_n = s->eps_n[i],
        .eps_t = s->eps_t[i],
        .apex = s->apex[i],
        .a_n = s->a_n[i],
        .a_t = s->a_t[i],
        .length_a = s->length_a[i],
        .length_b = s->length_b[i],
        .arm = s->arm[i],
        .roll = s->roll[i],
        .spin = s->spin[i],
        .a_q = s->a_q[i],
        .eps_q = s->eps_q[i],
        .r_q = get3(s->r_q, i),
    };
}

system_body saved_system_body(const saved_system *s, int64_t i)
{
    system_body body = {.inv_mass = s->inv_mass[i], .length = s->length[i], .is_grain = s->is_grain[i]};
    memcpy(body.inv_inertia.m, s->inv_inertia + 9 * i, sizeof body.inv_inertia.m);
    return body;
}

static contact_ends view_ends(const void *owner, int64_t i)
{
    const saved_system *s = owner;
    return (contact_ends){s->a[i], s->b[i], s->centre_line[i]};
}

static contact_row view_row(const void *owner, int64_t i) { return saved_system_row(owner, i); }
static system_body view_body(const void *owner, int64_t i) { return saved_system_body(owner, i); }

bool saved_system_rolls(const saved_system *s) { return s->contacts.count > 0 && s->arm[0] > 0.0; }

contact_system saved_system_view(const saved_system *s, float *impulse, float *angular_impulse, int threads)
{
    contact_system system = {
        .owner = s,
        .body_count = s->bodies.count,
        .contact_count = s->contacts.count,
        .threads = threads,
        .ends = view_ends,
        .row = view_row,
        .body = view_body,
        .impulse = impulse,
        .angular_impulse = saved_system_rolls(s) ? angular_impulse : NULL,
    };
    for (int64_t i = 0; i < s->contacts.count; ++i) {
        system.general_count += s->centre_line[i] == 0;
        system.coheres = system.coheres || s->apex[i] > 0.0;
    }
    return system;
}
