// SPDX-License-Identifier: BSD-3-Clause
// From FCLIB's problem to ours: which of its unknowns are rigid bodies, and where their contacts are.
//
// Expected are six unknowns a body (velocity and spin in world axes), M with blocks (m 1, I) on its diagonal, and in H
// for each contact a frame E = (n, t, t') and levers l:  +E, [l_b] E for b,  -E, -[l_a] E for a. Unknowns at the end
// that only one component of one contact pushes, by 1, are its compliance. What is otherwise is refused.
#include <inttypes.h>
#include <string.h>

#include "core/arrays/colouring.h"
#include "io/problem/fclib.h"

static const double EQUAL = 1e-6;  // relative: what a file may differ from the expected form

typedef struct mapping {
    const fcl_problem *p;
    const char *name;
    saved_system *s;
    int32_t *uses;  // (unknowns) entries in its row of H; the last column of them below
    int32_t *used_by;
    double *soft;  // (3 a contact) 1/kg; compliance of the component
} mapping;

static scr_status refuse(const mapping *m, const char *what, int64_t number, const char *why, scr_error *error)
{
    return scr_fail(error, SCR_BAD_INPUT, "%s: %s %" PRId64 " %s; scree solves contacts between rigid bodies", m->name,
                    what, number, why);
}

static bool is_sparse(const sparse_matrix *m)
{
    if (m->rows < 0 || m->columns < 0 || m->entries < 0 || m->start[0] != 0 || m->start[m->columns] != m->entries)
        return false;
    for (int32_t c = 0; c < m->columns; ++c) {
        if (m->start[c] > m->start[c + 1] || m->start[c + 1] > m->entries) return false;
        for (int32_t k = m->start[c]; k < m->start[c + 1]; ++k) {
            if (m->row[k] < 0 || m->row[k] >= m->rows || !isfinite(m->value[k])) return false;
        }
    }
    return true;
}

static void count_uses(mapping *m)
{
    const sparse_matrix *h = &m->p->H;
    for (int32_t c = 0; c < h->columns; ++c) {
        for (int32_t k = h->start[c]; k < h->start[c + 1]; ++k) {
            if (h->value[k] == 0.0) continue;
            ++m->uses[h->row[k]];
            m->used_by[h->row[k]] = k;
        }
    }
}

static int32_t column_of(const sparse_matrix *h, int32_t entry)
{
    int32_t low = 0, high = h->columns;  // start[low] <= entry < start[high]
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (h->start[middle] <= entry) low = middle;
        else high = middle;
    }
    return low;
}

// Takes the unknowns at the end that are compliance. Returns how many are left.
static int32_t take_compliance(mapping *m)
{
    const sparse_matrix *mass = &m->p->M, *h = &m->p->H;
    int32_t left = mass->rows;
    while (left > 0) {
        int32_t at = left - 1, entry = mass->start[at];
        if (m->uses[at] != 1 || h->value[m->used_by[at]] != 1.0) break;
        if (mass->start[at + 1] != entry + 1 || mass->row[entry] != at || !(mass->value[entry] > 0.0)) break;
        int32_t column = column_of(h, m->used_by[at]);
        if (m->soft[column] != 0.0) break;
        m->soft[column] = 1.0 / mass->value[entry];
        --left;
    }
    return left;
}

// The 6 x 6 block of M on its diagonal; false if the columns hold anything else.
static bool take_block(const sparse_matrix *mass, int32_t first, double block[6][6])
{
    memset(block, 0, 36 * sizeof(double));
    for (int32_t c = 0; c < 6; ++c) {
        for (int32_t k = mass->start[first + c]; k < mass->start[first + c + 1]; ++k) {
            int32_t row = mass->row[k] - first;
            if (row >= 0 && row < 6) block[row][c] += mass->value[k];
            else if (mass->value[k] != 0.0) return false;
        }
    }
    return true;
}

static bool is_mass_block(double block[6][6])
{
    double mass = block[0][0], spin = block[3][3];
    if (!(mass > 0.0 && spin > 0.0)) return false;
    for (int r = 0; r < 6; ++r) {
        for (int c = 0; c < 6; ++c) {
            if (r < 3 && c < 3 && fabs(block[r][c] - (r == c ? mass : 0.0)) > EQUAL * mass) return false;
            if ((r < 3) != (c < 3) && fabs(block[r][c]) > EQUAL * sqrt(mass * spin)) return false;
            if (r >= 3 && c >= 3 && fabs(block[r][c] - block[c][r]) > EQUAL * spin) return false;
        }
    }
    return true;
}

static bool is_ball(const mat3 *inertia)
{
    double size = inertia->m[0][0];
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            if (fabs(inertia->m[r][c] - (r == c ? size : 0.0)) > 1e-12 * size) return false;
        }
    }
    return true;
}

static scr_status take_body(mapping *m, int32_t body, scr_error *error)
{
    saved_system *s = m->s;
    double block[6][6];
    if (!take_block(&m->p->M, 6 * body, block) || !is_mass_block(block))
        return refuse(m, "body", body, "has no mass and inertia as six unknowns of a rigid body would", error);
    mat3 inertia;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) inertia.m[r][c] = 0.5 * (block[3 + r][3 + c] + block[3 + c][3 + r]);
    }
    mat3 inverse = mat3_inverse_symmetric(&inertia);
    s->is_grain[body] = is_ball(&inertia);
    if (s->is_grain[body]) {
        inverse = (mat3){0};
        for (int k = 0; k < 3; ++k) inverse.m[k][k] = 1.0 / inertia.m[0][0];
    }
    s->inv_mass[body] = 1.0 / block[0][0];
    s->length[body] = 1.0;
    memcpy(s->inv_inertia + 9 * (int64_t)body, inverse.m, sizeof inverse.m);
    const double *f = m->p->f + 6 * (int64_t)body;
    double *v = s->free_velocity + 6 * (int64_t)body;
    scr_vec3 spin = mat3_times(&inverse, vec3(f[3], f[4], f[5]));
    for (int k = 0; k < 3; ++k) v[k] = f[k] * s->inv_mass[body];
    v[3] = spin.x, v[4] = spin.y, v[5] = spin.z;
    return SCR_OK;
}

// What the three columns of a contact say about one body.
typedef struct contact_side {
    int32_t body;
    mat3 frame, moment;  // columns: the components
} contact_side;

// Returns the number of bodies, at most 2, or 3 if there are more.
static int take_sides(const mapping *m, int32_t contact, contact_side side[2])
{
    const sparse_matrix *h = &m->p->H;
    int count = 0;
    for (int32_t c = 0; c < 3; ++c) {
        for (int32_t k = h->start[3 * contact + c]; k < h->start[3 * contact + c + 1]; ++k) {
            int32_t body = h->row[k] / 6, axis = h->row[k] % 6;
            if (h->value[k] == 0.0 || body >= m->s->bodies.count) continue;
            int which = 0;
            while (which < count && side[which].body != body) ++which;
            if (which == 2) return 3;
            if (which == count) side[count++] = (contact_side){.body = body};
            if (axis < 3) side[which].frame.m[axis][c] += h->value[k];
            else side[which].moment.m[axis - 3][c] += h->value[k];
        }
    }
    return count;
}

// l with turn = [l] frame; false if there is none.
static bool lever_of(const contact_side *side, scr_vec3 *lever)
{
    mat3 back = mat3_transpose(&side->frame), cross = mat3_mul(&side->moment, &back);
    *lever = vec3(cross.m[2][1], cross.m[0][2], cross.m[1][0]);
    double size = vec3_norm(*lever), off = 0.0;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) off = fmax(off, fabs(cross.m[r][c] + cross.m[c][r]));
    }
    return off <= EQUAL * size || off == 0.0;
}

static bool is_frame(const mat3 *frame)
{
    mat3 back = mat3_transpose(frame), product = mat3_mul(&back, frame);
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            if (!(fabs(product.m[r][c] - (r == c ? 1.0 : 0.0)) <= EQUAL)) return false;
        }
    }
    return true;
}

static bool is_opposite(const mat3 *a, const mat3 *b)
{
    double most = 0.0;
    for (int k = 0; k < 9; ++k) most = fmax(most, fabs(a->m[k / 3][k % 3] + b->m[k / 3][k % 3]));
    return most <= EQUAL;
}

static bool is_along(const saved_system *s, int32_t body, scr_vec3 lever, scr_vec3 n)
{
    return body == NO_BODY || (s->is_grain[body] && vec3_norm(vec3_cross(lever, n)) <= 0.5 * EQUAL * vec3_norm(lever));
}

// w + H^T v_free in world axes
static scr_vec3 free_approach(const mapping *m, int32_t contact, const mat3 *frame)
{
    const sparse_matrix *h = &m->p->H;
    scr_vec3 r = {0};
    for (int32_t c = 0; c < 3; ++c) {
        double u = m->p->w[3 * contact + c];
        for (int32_t k = h->start[3 * contact + c]; k < h->start[3 * contact + c + 1]; ++k) {
            int32_t row = h->row[k];
            bool is_body = row / 6 < m->s->bodies.count;
            u += h->value[k] * (is_body ? m->s->free_velocity[row] : m->soft[3 * contact + c] * m->p->f[row]);
        }
        r = vec3_add_scaled(r, u, vec3(frame->m[0][c], frame->m[1][c], frame->m[2][c]));
    }
    return r;
}

static void set3(double *v, int64_t i, scr_vec3 x) { v[3 * i] = x.x, v[3 * i + 1] = x.y, v[3 * i + 2] = x.z; }

static scr_status take_contact(mapping *m, int32_t i, scr_error *error)
{
    saved_system *s = m->s;
    contact_side side[2];
    int count = take_sides(m, i, side);
    if (count < 1 || count > 2) return refuse(m, "contact", i, "is not between one or two bodies", error);
    const contact_side *b = &side[count - 1], *a = count == 2 ? &side[0] : NULL;
    scr_vec3 lever_a = {0}, lever_b, n = vec3(b->frame.m[0][0], b->frame.m[1][0], b->frame.m[2][0]);
    if (!is_frame(&b->frame) || (a != NULL && !is_opposite(&a->frame, &b->frame)))
        return refuse(m, "contact", i, "has no frame of three directions at right angles", error);
    if (!lever_of(b, &lever_b) || (a != NULL && !lever_of(a, &lever_a)))
        return refuse(m, "contact", i, "turns bodies as no lever in world axes does", error);
    double soft[3] = {m->soft[3 * i], m->soft[3 * i + 1], m->soft[3 * i + 2]};
    if (fabs(soft[1] - soft[2]) > EQUAL * soft[1])
        return refuse(m, "contact", i, "is not equally soft in both tangents", error);

    s->a[i] = a != NULL ? a->body : NO_BODY;
    s->b[i] = b->body;
    set3(s->n, i, vec3_unit(n));
    set3(s->lever_a, i, lever_a);
    set3(s->lever_b, i, lever_b);
    set3(s->r, i, free_approach(m, i, &b->frame));
    s->mu[i] = m->p->mu[i];
    s->apex[i] = 0.0;
    s->arm[i] = s->roll[i] = s->spin[i] = s->a_q[i] = s->eps_q[i] = 0.0;
    set3(s->r_q, i, vec3(0.0, 0.0, 0.0));
    s->length_a[i] = s->length_b[i] = 1.0;
    s->centre_line[i] = is_along(s, s->a[i], lever_a, n) && is_along(s, s->b[i], lever_b, n);
    for (int k = 0; k < 6; ++k) s->guess[6 * i + k] = 0.0f;
    s->eps_n[i] = s->eps_t[i] = 0.0;
    contact_row row = saved_system_row(s, i);
    contact_system system = saved_system_view(s, NULL, NULL, 1);
    mat3 block = contact_row_block(&system, &row);
    s->a_n[i] = vec3_dot(row.n, mat3_times(&block, row.n));
    s->a_t[i] = 0.5 * (block.m[0][0] + block.m[1][1] + block.m[2][2] - s->a_n[i]);
    s->eps_n[i] = soft[0] / s->a_n[i];
    s->eps_t[i] = soft[1] / s->a_t[i];
    return SCR_OK;
}

// Spins are scaled by a grain's radius: the largest of its levers.
static void set_lengths(saved_system *s)
{
    for (int64_t i = 0; i < s->bodies.count; ++i) s->length[i] = s->is_grain[i] ? 0.0 : 1.0;
    for (int64_t i = 0; i < s->contacts.count; ++i) {
        contact_row row = saved_system_row(s, i);
        if (row.a != NO_BODY && s->is_grain[row.a]) s->length[row.a] = fmax(s->length[row.a], vec3_norm(row.lever_a));
        if (s->is_grain[row.b]) s->length[row.b] = fmax(s->length[row.b], vec3_norm(row.lever_b));
    }
    for (int64_t i = 0; i < s->bodies.count; ++i) s->length[i] = s->length[i] > 0.0 ? s->length[i] : 1.0;
    for (int64_t i = 0; i < s->contacts.count; ++i) {
        s->length_a[i] = s->a[i] == NO_BODY ? 1.0 : s->length[s->a[i]];
        s->length_b[i] = s->length[s->b[i]];
    }
}

static scr_status map_all(mapping *m, scr_error *error)
{
    count_uses(m);
    int32_t left = take_compliance(m), bodies = left / 6 + (left % 6 != 0), contacts = m->p->H.columns / 3;
    if (6 * (int64_t)bodies > m->p->M.rows)
        return scr_fail(error, SCR_BAD_INPUT,
                        "%s: its %d unknowns are not six a body; scree solves contacts between rigid bodies", m->name,
                        left);
    scr_status status = saved_system_resize(m->s, bodies, contacts, error);
    for (int32_t k = 0; status == SCR_OK && k < bodies; ++k) status = take_body(m, k, error);
    for (int32_t k = 0; status == SCR_OK && k < contacts; ++k) status = take_contact(m, k, error);
    if (status == SCR_OK) set_lengths(m->s);
    return status;
}

scr_status fcl_to_system(const fcl_problem *p, const char *name, saved_system *s, scr_error *error)
{
    if (!is_sparse(&p->M) || !is_sparse(&p->H) || p->M.rows != p->M.columns || p->H.rows != p->M.rows ||
        p->H.columns % 3 != 0)
        return scr_fail(error, SCR_BAD_INPUT, "%s: the matrices M and H are damaged or do not fit together", name);
    size_t bytes = scr_arena_bytes(sizeof(int32_t), p->M.rows) * 2 + scr_arena_bytes(sizeof(double), p->H.columns);
    scr_arena arena = {0};
    scr_status status = scr_arena_reserve(&arena, bytes, "FCLIB's unknowns", error);
    if (status != SCR_OK) return status;
    scr_arena scope = arena;
    mapping m = {.p = p, .name = name, .s = s};
    m.uses = scr_arena_array(&scope, sizeof *m.uses, p->M.rows);
    m.used_by = scr_arena_array(&scope, sizeof *m.used_by, p->M.rows);
    m.soft = scr_arena_array(&scope, sizeof *m.soft, p->H.columns);
    if (bytes > 0) memset(arena.base, 0, bytes);
    s->time = s->time_step = 0.0;
    saved_system_set_title(s, "");
    status = map_all(&m, error);
    scr_arena_free(&arena);
    return status;
}
