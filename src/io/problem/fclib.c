// SPDX-License-Identifier: BSD-3-Clause
// From our contact problem to FCLIB's.
#include "io/problem/fclib.h"

#include <limits.h>
#include <string.h>

#include "core/arrays/colouring.h"
#include "laboratory/impulse_motion.h"

void sparse_free(sparse_matrix *m)
{
    scr_free(m->start);
    scr_free(m->row);
    scr_free(m->value);
    *m = (sparse_matrix){0};
}

void fcl_free(fcl_problem *p)
{
    sparse_free(&p->M);
    sparse_free(&p->H);
    scr_free(p->f);
    scr_free(p->w);
    scr_free(p->mu);
    *p = (fcl_problem){0};
}

void fcl_solution_free(fcl_solution *s)
{
    scr_free(s->v);
    scr_free(s->u);
    scr_free(s->r);
    *s = (fcl_solution){0};
}

static scr_status make_matrix(sparse_matrix *m, int64_t rows, int64_t columns, int64_t most, scr_error *error)
{
    if (rows > INT32_MAX || columns >= INT32_MAX || most > INT32_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "the problem is too large for FCLIB, whose numbers have 32 bits");
    m->rows = (int32_t)rows;
    m->columns = (int32_t)columns;
    scr_status status = scr_make_zeros(&m->start, columns + 1, sizeof *m->start, "sparse matrices", error);
    if (status == SCR_OK) status = scr_make_zeros(&m->row, most, sizeof *m->row, "sparse matrices", error);
    return status == SCR_OK ? scr_make_zeros(&m->value, most, sizeof *m->value, "sparse matrices", error) : status;
}

// Columns are filled one after the other, each from its lowest row.
static void add_entry(sparse_matrix *m, int32_t row, double value)
{
    m->row[m->entries] = row;
    m->value[m->entries++] = value;
}

static void end_column(sparse_matrix *m, int32_t column) { m->start[column + 1] = m->entries; }

static void fill_body(fcl_problem *p, const saved_system *s, int64_t body, const double *inertia, int32_t at)
{
    const double *v = s->free_velocity + 6 * body;
    for (int32_t k = 0; k < 3; ++k) {
        add_entry(&p->M, at + k, 1.0 / s->inv_mass[body]);
        end_column(&p->M, at + k);
        p->f[at + k] = v[k] / s->inv_mass[body];
    }
    for (int32_t k = 0; k < 3; ++k) {
        for (int32_t j = 0; j < 3; ++j) {
            double value = inertia[3 * j + k];
            if (value != 0.0) add_entry(&p->M, at + 3 + j, value);
            p->f[at + 3 + j] += value * v[3 + k];
        }
        end_column(&p->M, at + 3 + k);
    }
}

typedef struct contact_sides {
    int32_t first[2];  // where their unknowns begin, lower one first; -1 for none
    double sign[2];
    scr_vec3 lever[2];
} contact_sides;

static contact_sides sides_of(const contact_row *row, const int32_t *first)
{
    int32_t a = row->a == NO_BODY ? -1 : first[row->a], b = row->b == NO_BODY ? -1 : first[row->b];
    contact_sides sides = {{a, b}, {-1.0, 1.0}, {row->lever_a, row->lever_b}};
    if (a > b) sides = (contact_sides){{b, a}, {1.0, -1.0}, {row->lever_b, row->lever_a}};
    return sides;
}

// Cohesion shifts the cone: its apex at -c n becomes the origin with r + c as the unknown, and what c does is a force.
static void shift_apex(fcl_problem *p, int32_t column, double apex)
{
    for (int32_t k = p->H.start[column]; k < p->H.start[column + 1]; ++k) p->f[p->H.row[k]] -= apex * p->H.value[k];
}

// One component of a contact: its column of H, and what of w is not due to free velocities.
static void fill_component(fcl_problem *p, const saved_system *s, const contact_sides *sides, scr_vec3 e,
                           int32_t column, const int32_t *body_at)
{
    for (int side = 0; side < 2; ++side) {
        int32_t at = sides->first[side];
        if (at < 0) continue;
        scr_vec3 moment = vec3_cross(sides->lever[side], e);
        const double wrench[6] = {e.x, e.y, e.z, moment.x, moment.y, moment.z};
        const double *v = s->free_velocity + 6 * (int64_t)body_at[at / 6];
        for (int32_t k = 0; k < 6; ++k) {
            double value = sides->sign[side] * wrench[k];
            if (value != 0.0) add_entry(&p->H, at + k, value);
            p->w[column] -= value * v[k];
        }
    }
}

static void fill_contact(fcl_problem *p, const saved_system *s, int64_t contact, const int32_t *first,
                         const int32_t *body_at, int32_t *next)
{
    contact_row row = saved_system_row(s, contact);
    contact_sides sides = sides_of(&row, first);
    scr_vec3 frame[3];
    contact_frame(row.n, frame);
    p->mu[contact] = row.mu;
    for (int k = 0; k < 3; ++k) {
        int32_t column = (int32_t)(3 * contact + k);
        double soft = k == 0 ? row.eps_n * row.a_n : row.eps_t * row.a_t;
        p->w[column] = vec3_dot(frame[k], row.r);
        fill_component(p, s, &sides, frame[k], column, body_at);
        if (soft > 0.0) {
            add_entry(&p->H, *next, 1.0);
            add_entry(&p->M, *next, 1.0 / soft);
            end_column(&p->M, (*next)++);
        }
        end_column(&p->H, column);
    }
    if (row.apex > 0.0) shift_apex(p, (int32_t)(3 * contact), row.apex);
}

static int64_t soft_components(const saved_system *s)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->contacts.count; ++i) count += (s->eps_n[i] > 0.0) + 2 * (s->eps_t[i] > 0.0);
    return count;
}

scr_status fcl_from_system(const saved_system *s, fcl_problem *p, scr_error *error)
{
    int64_t bodies = s->bodies.count, contacts = s->contacts.count, soft = soft_components(s);
    double *inertia = NULL;
    int32_t *first = NULL, *body_at = NULL;  // a body's first unknown, and the other way for every sixth unknown
    *p = (fcl_problem){0};
    scr_status status = scr_make_zeros(&inertia, 9 * bodies, sizeof *inertia, "sparse matrices", error);
    if (status == SCR_OK) status = scr_make_zeros(&first, bodies, sizeof *first, "sparse matrices", error);
    if (status == SCR_OK) status = scr_make_zeros(&body_at, bodies, sizeof *body_at, "sparse matrices", error);
    if (status != SCR_OK) goto done;
    int32_t moved = 0;
    for (int64_t i = 0; i < bodies; ++i) {
        if (s->inv_mass[i] == 0.0) continue;
        body_at[moved] = (int32_t)i;
        first[i] = 6 * moved++;
    }
    status =
        make_matrix(&p->M, 6 * (int64_t)moved + soft, 6 * (int64_t)moved + soft, 12 * (int64_t)moved + soft, error);
    if (status == SCR_OK) status = make_matrix(&p->H, p->M.rows, 3 * contacts, 36 * contacts + soft, error);
    if (status == SCR_OK) status = scr_make_zeros(&p->f, p->M.rows, sizeof *p->f, "sparse matrices", error);
    if (status == SCR_OK) status = scr_make_zeros(&p->w, p->H.columns, sizeof *p->w, "sparse matrices", error);
    if (status == SCR_OK) status = scr_make_zeros(&p->mu, contacts, sizeof *p->mu, "sparse matrices", error);
    if (status != SCR_OK) goto done;
    inertias_of(s, inertia);
    for (int32_t k = 0; k < moved; ++k) fill_body(p, s, body_at[k], inertia + 9 * (int64_t)body_at[k], 6 * k);
    int32_t next = 6 * moved;
    for (int64_t i = 0; i < contacts; ++i) fill_contact(p, s, i, first, body_at, &next);
done:
    if (status != SCR_OK) fcl_free(p);
    scr_free(inertia);
    scr_free(first);
    scr_free(body_at);
    return status;
}

// H^T v + w
static void local_velocities(const fcl_problem *p, const double *v, double *u)
{
    for (int32_t c = 0; c < p->H.columns; ++c) {
        u[c] = p->w[c];
        for (int32_t k = p->H.start[c]; k < p->H.start[c + 1]; ++k) u[c] += p->H.value[k] * v[p->H.row[k]];
    }
}

scr_status fcl_solution_of(const saved_system *s, const fcl_problem *p, const double *g, fcl_solution *solution,
                           scr_error *error)
{
    double *change = NULL;
    *solution = (fcl_solution){0};
    scr_status status = scr_make_zeros(&change, 6 * s->bodies.count, sizeof *change, "sparse matrices", error);
    if (status == SCR_OK)
        status = scr_make_zeros(&solution->v, p->M.rows, sizeof *solution->v, "sparse matrices", error);
    if (status == SCR_OK)
        status = scr_make_zeros(&solution->u, p->H.columns, sizeof *solution->u, "sparse matrices", error);
    if (status == SCR_OK)
        status = scr_make_zeros(&solution->r, p->H.columns, sizeof *solution->r, "sparse matrices", error);
    if (status != SCR_OK) goto done;
    impulse_motion(s, g, change);
    int64_t next = 0;
    for (int64_t i = 0; i < s->bodies.count; ++i) {
        if (s->inv_mass[i] == 0.0) continue;
        for (int k = 0; k < 6; ++k) solution->v[next++] = s->free_velocity[6 * i + k] + change[6 * i + k];
    }
    for (int64_t i = 0; i < s->contacts.count; ++i) {
        contact_row row = saved_system_row(s, i);
        scr_vec3 frame[3];
        contact_frame(row.n, frame);
        for (int k = 0; k < 3; ++k) {
            double soft = k == 0 ? row.eps_n * row.a_n : row.eps_t * row.a_t;
            double component = vec3_dot(frame[k], vec3(g[6 * i], g[6 * i + 1], g[6 * i + 2]));
            solution->r[3 * i + k] = k == 0 ? component + row.apex : component;
            if (soft > 0.0) solution->v[next++] = soft * component;
        }
    }
    local_velocities(p, solution->v, solution->u);
done:
    if (status != SCR_OK) fcl_solution_free(solution);
    scr_free(change);
    return status;
}
