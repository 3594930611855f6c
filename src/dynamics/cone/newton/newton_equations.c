// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/newton/newton_equations.h"

#include <stdlib.h>
#include <string.h>

#include "core/arrays/colouring.h"
#include "dynamics/kkt/vec6.h"

struct newton_memory {
    kkt *kkt;
    // What the order was found for
    int32_t *known;
    int64_t known_count, known_capacity;
    // Work, for the memory
    int32_t *graph;
    int64_t graph_capacity;
    double *work;
    int64_t work_capacity;
};

scr_status newton_memory_create(newton_memory **memory, scr_error *error)
{
    scr_status status = scr_make_zeros(memory, 1, sizeof **memory, "Newton's method", error);
    if (status == SCR_OK) status = kkt_create(&(*memory)->kkt, error);
    if (status != SCR_OK) newton_memory_destroy(*memory), *memory = NULL;
    return status;
}

void newton_memory_destroy(newton_memory *memory)
{
    if (memory == NULL) return;
    kkt_destroy(memory->kkt);
    scr_free(memory->known);
    scr_free(memory->graph);
    scr_free(memory->work);
    scr_free(memory);
}

// ---- joints ----

typedef struct joint_counts {
    int64_t blocks, rows, jacobians;
} joint_counts;

static joint_counts joints_of(const contact_system *system)
{
    joint_counts n = {0};
    if (system->joints == NULL) return n;
    for (int64_t k = 0; k < system->joints->mechanism_count; ++k) {
        const kkt_equations *e = &system->joints->mechanism[k].equations;
        n.blocks += e->block_count;
        n.rows += e->row_count;
        n.jacobians += e->jacobian_count;
    }
    return n;
}

typedef struct contact_pair {
    int32_t a, b, contact;
} contact_pair;

size_t newton_equations_bytes(const contact_system *system)
{
    joint_counts n = joints_of(system);
    return scr_arena_bytes(sizeof(body_inertia), system->body_count) + scr_arena_bytes(sizeof(row_block), n.blocks) +
           scr_arena_bytes(sizeof(joint_jacobian), n.jacobians) +
           scr_arena_bytes(BODY_BLOCK * sizeof(double), system->body_count) +
           scr_arena_bytes(BODY_BLOCK * sizeof(double), system->contact_count) +
           scr_arena_bytes(sizeof(body_coupling), system->contact_count) +
           scr_arena_bytes(sizeof(uint8_t), system->body_count) +
           scr_arena_bytes(sizeof(int32_t), system->contact_count) +
           scr_arena_bytes(sizeof(contact_pair), system->contact_count);
}

static void list_bodies(rows *s, body_inertia *body)
{
    for (int64_t k = 0; k < s->system->body_count; ++k) {
        const system_body *mass = &s->mass[k];
        body[k] = (body_inertia){.mass = 1.0 / mass->inv_mass,
                                 .inertia = mat3_inverse_symmetric(&mass->inv_inertia),
                                 .inv_inertia = mass->inv_inertia};
    }
    if (s->system->joints == NULL) return;
    for (int64_t k = 0; k < s->system->joints->mechanism_count; ++k) {
        const joint_mechanism *one = &s->system->joints->mechanism[k];
        for (int32_t i = 0; i < one->equations.body_count; ++i) body[one->body[i]] = one->equations.body[i];
    }
}

static void list_joints(const joint_system *joints, kkt_equations *e, row_block *block, joint_jacobian *jacobian)
{
    for (int64_t k = 0; joints != NULL && k < joints->mechanism_count; ++k) {
        const joint_mechanism *one = &joints->mechanism[k];
        const kkt_equations *own = &one->equations;
        for (int64_t b = 0; b < own->block_count; ++b) {
            block[e->block_count + b] = own->block[b];
            block[e->block_count + b].first_jacobian += e->jacobian_count;
            block[e->block_count + b].first_row += e->row_count;
        }
        for (int64_t a = 0; a < own->jacobian_count; ++a) {
            int32_t body = own->jacobian[a].body;
            jacobian[e->jacobian_count + a] = own->jacobian[a];
            jacobian[e->jacobian_count + a].body = body >= 0 && body < own->body_count ? one->body[body] : NO_BODY;
        }
        e->block_count += own->block_count;
        e->row_count += own->row_count;
        e->jacobian_count += own->jacobian_count;
        e->is_redundant = e->is_redundant || own->is_redundant;
    }
    e->block = block;
    e->jacobian = jacobian;
}

// ---- pairs ----

static int by_bodies(const void *left, const void *right)
{
    const contact_pair *x = left, *y = right;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->b != y->b) return x->b < y->b ? -1 : 1;
    return (x->contact > y->contact) - (x->contact < y->contact);
}

static void list_pairs(newton_equations *q, const rows *s, contact_pair *pair)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->n; ++i) {
        int32_t a = s->row[i].a, b = s->row[i].b;
        q->pair_of[i] = -1;
        if (a == NO_BODY || b == NO_BODY) continue;
        pair[count++] = (contact_pair){a < b ? a : b, a < b ? b : a, (int32_t)i};
    }
    qsort(pair, (size_t)count, sizeof *pair, by_bodies);
    for (int64_t k = 0; k < count; ++k) {
        if (k == 0 || pair[k].a != pair[k - 1].a || pair[k].b != pair[k - 1].b)
            q->coupling[q->e.coupling_count++] = (body_coupling){pair[k].a, pair[k].b};
        q->pair_of[pair[k].contact] = (int32_t)(q->e.coupling_count - 1);
    }
}

static void mark_touched(const rows *s, uint8_t *is_touched)
{
    for (int64_t k = 0; k < s->system->body_count; ++k) is_touched[k] = s->first[k + 1] > s->first[k];
}

// Who is connected to whom, and who is touched, as numbers to compare.
static scr_status order_if_new(newton_memory *m, const kkt_equations *e, scr_error *error)
{
    int64_t count = 3 + e->body_count + 2 * e->coupling_count + 2 * e->block_count + e->jacobian_count, at = 0;
    scr_status status = scr_grow_anew(&m->graph, &m->graph_capacity, count, sizeof *m->graph, "Newton's method", error);
    if (status != SCR_OK) return status;
    m->graph[at++] = e->body_count, m->graph[at++] = (int32_t)e->coupling_count,
    m->graph[at++] = (int32_t)e->block_count;
    for (int32_t k = 0; k < e->body_count; ++k) m->graph[at++] = e->is_touched[k];
    for (int64_t k = 0; k < e->coupling_count; ++k)
        m->graph[at++] = e->coupling[k].a, m->graph[at++] = e->coupling[k].b;
    for (int64_t k = 0; k < e->block_count; ++k)
        m->graph[at++] = e->block[k].row_count, m->graph[at++] = e->block[k].jacobian_count;
    for (int64_t k = 0; k < e->jacobian_count; ++k) m->graph[at++] = e->jacobian[k].body;
    if (count == m->known_count && memcmp(m->graph, m->known, (size_t)count * sizeof *m->known) == 0) return SCR_OK;
    m->known_count = 0;
    status = kkt_order(m->kkt, e, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&m->known, &m->known_capacity, count, sizeof *m->known, "Newton's method", error);
    if (status == SCR_OK)
        status = scr_grow_anew(&m->work, &m->work_capacity, kkt_work_count(m->kkt), sizeof *m->work, "Newton's method",
                               error);
    if (status != SCR_OK) return status;
    memcpy(m->known, m->graph, (size_t)count * sizeof *m->known);
    m->known_count = count;
    return SCR_OK;
}

scr_status newton_equations_open(newton_equations *q, newton_memory *memory, rows *s, scr_error *error)
{
    joint_counts joints = joints_of(s->system);
    int64_t bodies = s->system->body_count;
    kkt_use(memory->kkt, s->setting->instruction_set);
    *q = (newton_equations){.kkt = memory->kkt,
                            .e = {.body_count = (int32_t)bodies, .is_step = true},
                            .kernels =
                                KERNEL_TO_AVX512_FOR(s->setting->instruction_set == SCR_BEST, newton_block_kernels)};
    body_inertia *body = scr_arena_array(&s->arena, sizeof *body, bodies);
    row_block *block = scr_arena_array(&s->arena, sizeof *block, joints.blocks);
    joint_jacobian *jacobian = scr_arena_array(&s->arena, sizeof *jacobian, joints.jacobians);
    q->stiffness = scr_arena_array(&s->arena, BODY_BLOCK * sizeof(double), bodies);
    q->coupling_stiffness = scr_arena_array(&s->arena, BODY_BLOCK * sizeof(double), s->n);
    q->coupling = scr_arena_array(&s->arena, sizeof *q->coupling, s->n);
    q->pair_of = scr_arena_array(&s->arena, sizeof *q->pair_of, s->n);
    uint8_t *is_touched = scr_arena_array(&s->arena, sizeof *is_touched, bodies);
    contact_pair *pair = scr_arena_array(&s->arena, sizeof *pair, s->n);
    list_bodies(s, body);
    list_joints(s->system->joints, &q->e, block, jacobian);
    list_pairs(q, s, pair);
    mark_touched(s, is_touched);
    q->e.body = body;
    q->e.coupling = q->coupling;
    q->e.stiffness = q->stiffness;
    q->e.coupling_stiffness = q->coupling_stiffness;
    q->e.is_touched = is_touched;
    scr_status status = order_if_new(memory, &q->e, error);
    q->work = memory->work;
    return status;
}

// ---- stiffness ----

void newton_equations_clear(newton_equations *q)
{
    memset(q->stiffness, 0, (size_t)q->e.body_count * BODY_BLOCK * sizeof *q->stiffness);
    memset(q->coupling_stiffness, 0, (size_t)q->e.coupling_count * BODY_BLOCK * sizeof *q->coupling_stiffness);
}

// B above, where rolling is resisted
ALWAYS_INLINE void contact_view(scr_vec3 l, double arm, double b[VEC6][VEC6])
{
    memset(b, 0, VEC6 * sizeof b[0]);
    for (int k = 0; k < 3; ++k) b[k][k] = 1.0;
    b[0][4] = l.z, b[0][5] = -l.y;  // w x l
    b[1][3] = -l.z, b[1][5] = l.x;
    b[2][3] = l.y, b[2][4] = -l.x;
    for (int k = 0; k < 3; ++k) b[3 + k][3 + k] = arm;
}

ALWAYS_INLINE void slope_matrix(const contact_slope *slope, double g[VEC6][VEC6])
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            g[i][j] = slope->gg.m[i][j];
            g[i][3 + j] = slope->gq.m[i][j];
            g[3 + j][i] = slope->gq.m[i][j];
            g[3 + i][3 + j] = slope->qq.m[i][j];
        }
    }
}

// block (column by column) += left^T product, or minus it
ALWAYS_INLINE void add_product(double *block, double left[VEC6][VEC6], double product[VEC6][VEC6], double sign)
{
    vec6 row[VEC6];
    for (int k = 0; k < VEC6; ++k) row[k] = vec6_scale(vec6_load(left[k]), sign);
    UNROLL for (int c = 0; c < VEC6; ++c)
    {
        vec6 sum = vec6_load(block + VEC6 * c);
        UNROLL for (int k = 0; k < VEC6; ++k) sum = vec6_plus(sum, row[k], product[k][c]);
        vec6_store(block + VEC6 * c, sum);
    }
}

ALWAYS_INLINE void multiply(double g[VEC6][VEC6], double b[VEC6][VEC6], double product[VEC6][VEC6])
{
    UNROLL for (int i = 0; i < VEC6; ++i)
    {
        vec6 sum = vec6_scale(vec6_load(b[0]), g[i][0]);
        UNROLL for (int k = 1; k < VEC6; ++k) sum = vec6_plus(sum, vec6_load(b[k]), g[i][k]);
        vec6_store(product[i], sum);
    }
}

void newton_equations_add_rolling(newton_equations *q, const contact_row *row, int64_t contact,
                                  const contact_slope *slope)
{
    double g[VEC6][VEC6], view_a[VEC6][VEC6], view_b[VEC6][VEC6], seen_a[VEC6][VEC6], seen_b[VEC6][VEC6];
    slope_matrix(slope, g);
    if (row->a != NO_BODY) {
        contact_view(row->lever_a, row->arm, view_a);
        multiply(g, view_a, seen_a);
        add_product(q->stiffness + BODY_BLOCK * (int64_t)row->a, view_a, seen_a, 1.0);
    }
    if (row->b != NO_BODY) {
        contact_view(row->lever_b, row->arm, view_b);
        multiply(g, view_b, seen_b);
        add_product(q->stiffness + BODY_BLOCK * (int64_t)row->b, view_b, seen_b, 1.0);
    }
    if (q->pair_of[contact] < 0) return;
    double *between = q->coupling_stiffness + BODY_BLOCK * (int64_t)q->pair_of[contact];
    if (row->a < row->b) add_product(between, view_b, seen_a, -1.0);
    else add_product(between, view_a, seen_b, -1.0);
}

void newton_equations_add_all(newton_equations *q, const rows *s, const newton_lanes *lanes)
{
    q->kernels->add(q, s->row, lanes, s->n);
}

void newton_equations_rest(const newton_equations *q, const double *velocity, const double *joint, double *momentum,
                           double *rest)
{
    q->kernels->rest(q, velocity, joint, momentum, rest);
}

void newton_equations_solve(newton_equations *q, bool is_rough, double *momentum, double *joint_rows)
{
    kkt_factor(q->kkt, &q->e);
    q->e.is_stiffness_alone = true;  // from now on
    // With what redundant rows yield by taken out again, but for a millionth: a step that left all of it to the next
    // one, which sees it, cost half as much, and four steps in a hundred more were needed.
    if (is_rough) kkt_solve_roughly(q->kkt, momentum, joint_rows, q->work);
    else kkt_solve(q->kkt, momentum, joint_rows, q->work);
}

void newton_equations_solve_again(newton_equations *q, double *momentum, double *joint_rows)
{
    kkt_solve(q->kkt, momentum, joint_rows, q->work);
}
