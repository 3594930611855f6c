// SPDX-License-Identifier: BSD-3-Clause
// APGD (apgd.c) with joints as rows among its unknowns x = (g, l):
//     u = D^T dv + R g + r,  c = J dv + C l      dv = M^-1 (D g + J^T l)
// Contacts are projected, rows are not. Each row is scaled so that its diagonal is the mean one of contacts.
#include <math.h>
#include <string.h>

#include "core/arrays/colouring.h"
#include "core/maths/pose.h"
#include "dynamics/cone/gradient/rows.h"
#include "joint_rows.h"
#include "laboratory/impulse_motion.h"

typedef struct unknowns {
    double *g, *l;
} unknowns;  // 3 a contact; scaled rows

typedef struct gradient_run {
    laboratory *lab;
    rows rows;
    int64_t row_count;
    double *scale;        // (rows) true impulse of a row is scale x l
    twist *joined;        // (bodies) what rows do to them; only entries of joined bodies are used
    const double *start;  // loads, 6 a contact
    bool cold;
} gradient_run;

typedef void (*row_visitor)(gradient_run *r, int64_t row, const row_block *block, int k, const joint_jacobian *arm,
                            int32_t body, void *context);

// Every row with every arm of it that can be moved.
static void visit_rows(gradient_run *r, row_visitor visit, void *context)
{
    int64_t first = 0;
    for (int64_t p = 0; p < r->lab->joints.system.mechanism_count; ++p) {
        const joint_mechanism *part = &r->lab->joints.mechanism[p];
        for (int64_t b = 0; b < part->equations.block_count; ++b) {
            const row_block *block = &part->equations.block[b];
            for (int a = 0; a < block->jacobian_count; ++a) {
                const joint_jacobian *arm = &part->equations.jacobian[block->first_jacobian + a];
                if (arm->body == NO_BODY) continue;
                for (int k = 0; k < block->row_count; ++k)
                    if (!(block->open >> k & 1))
                        visit(r, first + block->first_row + k, block, k, arm, part->body[arm->body], context);
            }
        }
        first += part->equations.row_count;
    }
}

static scr_vec3 push_of(const joint_jacobian *arm, int k)
{
    return vec3(arm->row[k][0], arm->row[k][1], arm->row[k][2]);
}
static scr_vec3 turn_of(const joint_jacobian *arm, int k)
{
    return vec3(arm->row[k][3], arm->row[k][4], arm->row[k][5]);
}

static void add_diagonal(gradient_run *r, int64_t row, const row_block *block, int k, const joint_jacobian *arm,
                         int32_t body, void *context)
{
    (void)block, (void)context;
    const system_body *mass = &r->rows.mass[body];
    scr_vec3 push = push_of(arm, k), turn = turn_of(arm, k);
    r->scale[row] += mass->inv_mass * vec3_dot(push, push) + vec3_dot(turn, mat3_times(&mass->inv_inertia, turn));
}

static void push_body(gradient_run *r, int64_t row, const row_block *block, int k, const joint_jacobian *arm,
                      int32_t body, void *context)
{
    (void)block;
    const double *l = context;
    const system_body *mass = &r->rows.mass[body];
    double impulse = r->scale[row] * l[row];
    r->joined[body].v = vec3_add_scaled(r->joined[body].v, mass->inv_mass * impulse, push_of(arm, k));
    r->joined[body].w = vec3_add_scaled(r->joined[body].w, impulse, mat3_times(&mass->inv_inertia, turn_of(arm, k)));
}

typedef struct row_product {
    const double *l;
    double *result;
} row_product;

static void see_body(gradient_run *r, int64_t row, const row_block *block, int k, const joint_jacobian *arm,
                     int32_t body, void *context)
{
    (void)block;
    row_product *to = context;
    const twist *change = &r->rows.body[body];
    to->result[row] += r->scale[row] * (vec3_dot(push_of(arm, k), change->v) + vec3_dot(turn_of(arm, k), change->w));
}

static void add_at(double *v, int64_t i, scr_vec3 x) { v[3 * i] += x.x, v[3 * i + 1] += x.y, v[3 * i + 2] += x.z; }

static void add_compliance(const gradient_run *r, const double *l, double *result)
{
    int64_t row = 0;
    for (int64_t p = 0; p < r->lab->joints.system.mechanism_count; ++p) {
        const kkt_equations *e = &r->lab->joints.mechanism[p].equations;
        for (int64_t b = 0; b < e->block_count; ++b)
            for (int k = 0; k < e->block[b].row_count; ++k, ++row)
                result[row] += r->scale[row] * r->scale[row] * e->block[b].compliance[k] * l[row];
    }
}

// Contacts as rows.c does it; what joints add concerns contacts of joined bodies only.
static void multiply(gradient_run *r, unknowns x, unknowns result)
{
    rows *s = &r->rows;
    const saved_system *system = r->lab->system;
    rows_multiply(s, x.g, result.g);
    for (int64_t k = 0; k < system->joined.count; ++k) r->joined[system->joined_body[k]] = (twist){0};
    visit_rows(r, push_body, x.l);
    for (int64_t k = 0; k < system->joined.count; ++k) {
        int32_t body = system->joined_body[k];
        twist change = r->joined[body];
        s->body[body].v = vec3_add(s->body[body].v, change.v);
        s->body[body].w = vec3_add(s->body[body].w, change.w);
        for (int64_t t = s->first[body]; t < s->first[body + 1]; ++t) {
            bool is_a = s->touching[t] < 0;
            int64_t i = is_a ? ~s->touching[t] : s->touching[t];
            scr_vec3 v = vec3_add(change.v, vec3_cross(change.w, is_a ? s->row[i].lever_a : s->row[i].lever_b));
            add_at(result.g, i, is_a ? vec3_neg(v) : v);
        }
    }
    memset(result.l, 0, (size_t)r->row_count * sizeof *result.l);
    visit_rows(r, see_body, &(row_product){x.l, result.l});
    add_compliance(r, x.l, result.l);
}

static double row_dot(const gradient_run *r, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t k = 0; k < r->row_count; ++k) sum += a[k] * b[k];
    return sum;
}

static double dot(gradient_run *r, unknowns a, unknowns b)
{
    return rows_dot(&r->rows, a.g, b.g) + row_dot(r, a.l, b.l);
}

// result = a + t (a - b)
static void extrapolate(gradient_run *r, unknowns a, double t, unknowns b, unknowns result)
{
    rows_extrapolate(&r->rows, a.g, t, b.g, result.g);
    for (int64_t k = 0; k < r->row_count; ++k) result.l[k] = a.l[k] + t * (a.l[k] - b.l[k]);
}

static void subtract(gradient_run *r, unknowns a, unknowns b, unknowns result)
{
    rows_combine(&r->rows, a.g, -1.0, b.g, result.g);
    for (int64_t k = 0; k < r->row_count; ++k) result.l[k] = a.l[k] - b.l[k];
}

// The error of the velocities that g and l make; leaves rows.body as those of the product.
static double error_of(gradient_run *r, unknowns x, unknowns product)
{
    laboratory *lab = r->lab;
    multiply(r, x, product);
    for (int64_t i = 0; i < lab->system->bodies.count; ++i) {
        const twist *c = &r->rows.body[i];
        const double now[6] = {c->v.x, c->v.y, c->v.z, c->w.x, c->w.y, c->w.z};
        for (int k = 0; k < 6; ++k) lab->motion[6 * i + k] = now[k] - lab->reference[6 * i + k];
    }
    return motion_norm(lab->system, lab->inertia, lab->motion) / lab->reference_norm;
}

// As published, with the test of apgd.c for the Lipschitz constant. What it would return after any number of iterations
// is the latest iterate here: the one of least residual, which it keeps, is not better in velocities.
static void iterate(gradient_run *r, unknowns v[7], int limit, rows_watch *watch)
{
    unknowns x = v[0], next = v[1], y = v[2], product = v[3], product_next = v[4], gradient = v[5], difference = v[6];
    int64_t n = 3 * r->rows.entries;
    for (int64_t k = 0; k < n; ++k) y.g[k] = x.g[k] - 1.0;
    for (int64_t k = 0; k < r->row_count; ++k) y.l[k] = x.l[k] - 1.0;
    multiply(r, y, product);
    double lipschitz = sqrt(dot(r, product, product) / dot(r, y, y)), theta = 1.0;
    memcpy(y.g, x.g, (size_t)n * sizeof *y.g);
    memcpy(y.l, x.l, (size_t)r->row_count * sizeof *y.l);
    multiply(r, y, product);
    for (int k = 1; k <= limit; ++k) {
        rows_combine(&r->rows, product.g, 1.0, r->rows.r, gradient.g);
        memcpy(gradient.l, product.l, (size_t)r->row_count * sizeof *gradient.l);
        for (;;) {
            rows_step(&r->rows, y.g, 1.0 / lipschitz, gradient.g, next.g);
            for (int64_t i = 0; i < r->row_count; ++i) next.l[i] = y.l[i] - gradient.l[i] / lipschitz;
            multiply(r, next, product_next);
            subtract(r, next, y, difference);
            double distance2 = dot(r, difference, difference),
                   curvature = dot(r, product_next, difference) - dot(r, product, difference);
            if (!(curvature >= lipschitz * distance2) || distance2 <= 1e-32 * dot(r, next, next)) break;
            lipschitz *= 2.0;
        }
        double theta_next = 0.5 * (-theta * theta + theta * sqrt(theta * theta + 4.0));
        double beta = theta * (1.0 - theta) / (theta * theta + theta_next);
        subtract(r, next, x, difference);
        if (dot(r, gradient, difference) > 0.0) beta = 0.0, theta_next = 1.0;
        extrapolate(r, next, beta, x, y);
        unknowns swap = x;
        x = next, next = swap;
        if (rows_watch_is_due(watch, k) && rows_watch_note(watch, k, error_of(r, x, product))) return;
        multiply(r, y, product);
        theta = theta_next;
        lipschitz *= 0.9;
    }
}

static void guess(gradient_run *r, unknowns x)
{
    rows_first_guess(&r->rows, x.g);
    memset(x.l, 0, (size_t)r->row_count * sizeof *x.l);
    if (r->cold) return;
    // Joints solved for the guess, mechanism by mechanism.
    laboratory *lab = r->lab;
    impulse_motion(lab->system, r->start, lab->motion);
    saved_joints_hold(&lab->joints, lab->motion);
    int64_t row = 0;
    for (int64_t p = 0; p < lab->joints.joined.mechanism_count; ++p) {
        const joined_mechanism *part = &lab->joints.joined.mechanism[p];
        for (int64_t k = 0; k < part->joints->equations.row_count; ++k, ++row) x.l[row] = part->row[k] / r->scale[row];
    }
}

scr_status apgd_with_joint_rows(laboratory *lab, bool cold, double share, int limit, rows_trial *t, scr_error *error)
{
    enum { VECTORS = 7 };
    gradient_run r = {.lab = lab, .start = lab->load, .cold = cold};
    for (int64_t p = 0; p < lab->joints.system.mechanism_count; ++p)
        r.row_count += lab->joints.mechanism[p].equations.row_count;
    for (int64_t i = 0; i < lab->system->contacts.count; ++i) {
        for (int k = 0; k < 6; ++k) lab->load[6 * i + k] = cold ? 0.0 : (double)lab->system->guess[6 * i + k];
        for (int k = 0; k < 3; ++k) lab->impulse[3 * i + k] = (float)lab->load[6 * i + k];
    }
    contact_system system = saved_system_view(lab->system, lab->impulse, lab->angular_impulse, 1);
    const scr_solver_def def = {.kind = SCR_SOLVER_APGD};
    const solve_setting setting = {.def = &def, .instruction_set = SCR_BEST};
    size_t more = (VECTORS + 1) * scr_arena_bytes(sizeof(double), r.row_count) +
                  scr_arena_bytes(sizeof(twist), lab->system->bodies.count);
    rows_watch watch = rows_watch_begin(t, share);
    scr_status status = rows_open(&r.rows, &system, &setting, VECTORS, more, &lab->scratch, error);
    if (status != SCR_OK) return status;
    unknowns v[VECTORS];
    for (int k = 0; k < VECTORS; ++k)
        v[k] = (unknowns){rows_vector(&r.rows), scr_arena_array(&r.rows.arena, sizeof(double), r.row_count)};
    r.scale = scr_arena_array(&r.rows.arena, sizeof(double), r.row_count);
    r.joined = scr_arena_array(&r.rows.arena, sizeof(twist), lab->system->bodies.count);
    memset(r.scale, 0, (size_t)r.row_count * sizeof *r.scale);
    visit_rows(&r, add_diagonal, NULL);
    for (int64_t k = 0; k < r.row_count; ++k)
        r.scale[k] = r.scale[k] > 0.0 ? sqrt(r.rows.mean_diagonal / r.scale[k]) : 1.0;
    guess(&r, v[0]);
    iterate(&r, v, limit, &watch);
    rows_watch_end(&watch);
    return SCR_OK;
}
