// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/sweeps/rolling_problem.h"

#include <math.h>
#include <string.h>

static void set_lanes3(float lanes[3][LANES], int lane, scr_vec3 v)
{
    lanes[0][lane] = (float)v.x, lanes[1][lane] = (float)v.y, lanes[2][lane] = (float)v.z;
}

static void set_matrix(float lanes[9][LANES], int lane, const mat3 *m)
{
    for (int k = 0; k < 9; ++k) lanes[k][lane] = (float)m->m[k / 3][k % 3];
}

static mat3 matrix_of(const float lanes[9][LANES], int lane)
{
    mat3 m;
    for (int k = 0; k < 9; ++k) m.m[k / 3][k % 3] = (double)lanes[k][lane];
    return m;
}

static mat3 symmetric_of(const float lanes[6][LANES], int lane)
{
    static const int entry[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    mat3 m;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m.m[i][j] = (double)lanes[entry[i][j]][lane];
    return m;
}

static void set_moment(float q[3][LANES], float old[3][LANES], int lane, const float angular_impulse[3], double arm)
{
    for (int axis = 0; axis < 3; ++axis) q[axis][lane] = old[axis][lane] = (float)((double)angular_impulse[axis] / arm);
}

// Of a body, not of its copies.
static double spin_factor(const problem *p, int32_t body)
{
    return body == NO_BODY ? 0.0 : (double)p->record[p->touched.record_of[body]].s_factor;
}

void rolling_pack_grain(problem *p, int64_t bundle, int lane, const contact_row *row, side_weights weights,
                        const float angular_impulse[3])
{
    const grain_bundle *c = &p->grain[bundle];
    rolling_grain *m = &p->rolling_grain[bundle];
    double factor_a = weights.a * spin_factor(p, row->a), factor_b = weights.b * spin_factor(p, row->b);
    double reach_a = row->arm / row->length_a, reach_b = row->arm / row->length_b, cn = (double)c->cn[lane];
    double block_t = (double)c->sigma[lane] / (double)c->ct[lane];
    double block_q = reach_a * reach_a * factor_a + reach_b * reach_b * factor_b;
    double cross = (double)c->arm_a[lane] * reach_a * factor_a + (double)c->arm_b[lane] * reach_b * factor_b;
    double growth = 1.0 + fabs(cross) / sqrt(block_t * block_q);
    double whole_t = growth * block_t + row->eps_t * row->a_t, whole_q = growth * block_q + row->eps_q * row->a_q;
    set_moment(m->q, m->old, lane, angular_impulse, row->arm);
    set_lanes3(m->w, lane, row->r_q);
    m->reach_a[lane] = (float)reach_a;
    m->reach_b[lane] = (float)reach_b;
    m->arm[lane] = (float)row->arm;
    m->roll[lane] = (float)row->roll;
    m->spin[lane] = (float)row->spin;
    m->apex[lane] = (float)row->apex;
    m->ct[lane] = (float)(1.0 / whole_t);
    m->cq[lane] = (float)(1.0 / whole_q);
    m->keep_t[lane] = (float)(growth * block_t / whole_t);
    m->keep_q[lane] = (float)(growth * block_q / whole_q);
    m->kappa_t[lane] = (float)(cn * whole_t);
    m->kappa_q[lane] = (float)(cn * whole_q);
}

// As pad_grain: nothing turns.
void rolling_pad_grain(rolling_grain *m, int lane)
{
    float(*lanes)[LANES] = (float(*)[LANES])m;
    for (size_t k = 0; k < sizeof *m / sizeof *lanes; ++k) lanes[k][lane] = 0.0f;
    m->ct[lane] = m->cq[lane] = m->keep_t[lane] = m->keep_q[lane] = m->kappa_t[lane] = m->kappa_q[lane] = 1.0f;
}

void rolling_pad_general(rolling_general *m, int lane)
{
    float(*lanes)[LANES] = (float(*)[LANES])m;
    for (size_t k = 0; k < sizeof *m / sizeof *lanes; ++k) lanes[k][lane] = 0.0f;
    m->cn[lane] = m->ct[lane] = m->cq[lane] = 1.0f;
}

// arm L^T of a body, or arm over its radius for a grain; nothing for what cannot be moved.
static mat3 spin_of(const contact_system *system, int32_t number, double arm)
{
    mat3 spin = {0};
    if (number == NO_BODY) return spin;
    system_body body = system->body(system->owner, number);
    spin = system_body_root(&body);
    for (int k = 0; k < 9; ++k) spin.m[k / 3][k % 3] *= arm;
    return spin;
}

// sum += factor a^T b
static void add_product(mat3 *sum, double factor, const mat3 *a, const mat3 *b)
{
    mat3 back = mat3_transpose(a), product = mat3_mul(&back, b);
    for (int k = 0; k < 9; ++k) sum->m[k / 3][k % 3] += factor * product.m[k / 3][k % 3];
}

// The largest row sum of the whole block in the frame of the contact, each axis scaled by its own diagonal, as in
// pack.c.
static double load_majorant(scr_vec3 n, const mat3 *block, const mat3 *mix, const mat3 *block_q,
                            const double diagonal[3])
{
    scr_vec3 axis[3];
    contact_frame(n, axis);
    const double scale_g[3] = {1.0 / sqrt(diagonal[0]), 1.0 / sqrt(diagonal[1]), 1.0 / sqrt(diagonal[1])},
                 scale_q = 1.0 / sqrt(diagonal[2]);
    double sum_g[3] = {0}, sum_q[3] = {0}, largest = 0.0;
    for (int i = 0; i < 3; ++i) {
        scr_vec3 of_g = mat3_times(block, axis[i]), of_q = mat3_times(block_q, axis[i]),
                 mixed = mat3_times(mix, axis[i]);
        for (int j = 0; j < 3; ++j) {
            double cross = fabs(vec3_dot(axis[j], mixed)) * scale_g[j] * scale_q;
            sum_g[i] += fabs(vec3_dot(axis[j], of_g)) * scale_g[i] * scale_g[j];
            sum_q[i] += fabs(vec3_dot(axis[j], of_q)) * scale_q * scale_q + cross;
            sum_g[j] += cross;
        }
    }
    for (int i = 0; i < 3; ++i) largest = fmax(largest, fmax(sum_g[i], sum_q[i]));
    return largest;
}

void rolling_pack_general(problem *p, int64_t bundle, int lane, const contact_system *system, const contact_row *row,
                          side_weights weights, const float angular_impulse[3])
{
    const general_bundle *c = &p->general_bundle[bundle];
    rolling_general *m = &p->rolling_general[bundle];
    double factor_a = weights.a * spin_factor(p, row->a), factor_b = weights.b * spin_factor(p, row->b);
    mat3 spin_a = spin_of(system, row->a, row->arm), spin_b = spin_of(system, row->b, row->arm), mix = {0},
         block_q = {0};
    mat3 angular_a = matrix_of(c->angular_a, lane), angular_b = matrix_of(c->angular_b, lane),
         block = symmetric_of(c->block, lane);
    add_product(&mix, factor_a, &angular_a, &spin_a);
    add_product(&mix, factor_b, &angular_b, &spin_b);
    add_product(&block_q, factor_a, &spin_a, &spin_a);
    add_product(&block_q, factor_b, &spin_b, &spin_b);
    double a_n = vec3_dot(row->n, mat3_times(&block, row->n)),
           a_t = 0.5 * (block.m[0][0] + block.m[1][1] + block.m[2][2] - a_n);
    double a_q = (block_q.m[0][0] + block_q.m[1][1] + block_q.m[2][2]) / 3.0;
    const double diagonal[3] = {a_n, a_t, a_q};
    double majorant =
        load_majorant(row->n, &block, &mix, &block_q, diagonal) + fmax(row->eps_q, fmax(row->eps_n, row->eps_t));
    set_moment(m->q, m->old, lane, angular_impulse, row->arm);
    set_lanes3(m->w, lane, row->r_q);
    set_matrix(m->spin_a, lane, &spin_a);
    set_matrix(m->spin_b, lane, &spin_b);
    set_matrix(m->mix, lane, &mix);
    m->arm[lane] = (float)row->arm;
    m->roll[lane] = (float)row->roll;
    m->spin[lane] = (float)row->spin;
    const double entry[6] = {block_q.m[0][0], block_q.m[1][1], block_q.m[2][2],
                             block_q.m[0][1], block_q.m[0][2], block_q.m[1][2]};
    for (int k = 0; k < 6; ++k) m->block_q[k][lane] = (float)entry[k];
    m->cn[lane] = (float)(1.0 / (majorant * a_n));
    m->ct[lane] = (float)(1.0 / (majorant * a_t));
    m->cq[lane] = (float)(1.0 / (majorant * a_q));
    m->compliance_q[lane] = (float)(row->eps_q * row->a_q);
}

typedef void (*lane_visitor)(float angular_impulse[3], float q[3][LANES], float arm, int lane);

static void collect_lane(float angular_impulse[3], float q[3][LANES], float arm, int lane)
{
    for (int axis = 0; axis < 3; ++axis) angular_impulse[axis] = q[axis][lane] * arm;
}

static void distribute_lane(float angular_impulse[3], float q[3][LANES], float arm, int lane)
{
    for (int axis = 0; axis < 3; ++axis) q[axis][lane] = angular_impulse[axis] / arm;
}

static void visit_group(const problem *p, bool general, int64_t group, float *angular_impulse, lane_visitor visit)
{
    const contact_order *order = general ? &p->general : &p->grains;
    const bundle_group *g = &order->group[group];
    for (int64_t k = g->first_contact, at = g->first_bundle * LANES; k < g->last_contact; ++k, ++at) {
        int64_t bundle = at / LANES;
        int lane = (int)(at % LANES);
        float *to = angular_impulse + 3 * (int64_t)order->contact[k];
        if (general) visit(to, p->rolling_general[bundle].q, p->rolling_general[bundle].arm[lane], lane);
        else visit(to, p->rolling_grain[bundle].q, p->rolling_grain[bundle].arm[lane], lane);
    }
}

static void visit_lanes(const problem *p, const contact_system *system, lane_visitor visit)
{
#pragma omp parallel num_threads(system->threads)
    {
#pragma omp for schedule(static) nowait
        for (int64_t group = 0; group < p->grains.group_count; ++group)
            visit_group(p, false, group, system->angular_impulse, visit);
#pragma omp for schedule(static)
        for (int64_t group = 0; group < p->general.group_count; ++group)
            visit_group(p, true, group, system->angular_impulse, visit);
    }
}

void rolling_collect(const problem *p, const contact_system *system) { visit_lanes(p, system, collect_lane); }
void rolling_distribute(problem *p, const contact_system *system) { visit_lanes(p, system, distribute_lane); }

static double lane_energy(const float q[3][LANES], int lane)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) sum += 0.5 * (double)q[axis][lane] * (double)q[axis][lane];
    return sum;
}

double rolling_elastic_energy(const problem *p)
{
    double sum = 0.0;
    if (!p->rolls) return 0.0;
    for (int64_t k = 0; k < LANES * p->grains.bundle_count; ++k) {
        const rolling_grain *m = &p->rolling_grain[k / LANES];
        int lane = (int)(k % LANES);
        sum += rolling_compliance(m, lane) * lane_energy(m->q, lane);
    }
    for (int64_t k = 0; k < LANES * p->general.bundle_count; ++k) {
        const rolling_general *m = &p->rolling_general[k / LANES];
        int lane = (int)(k % LANES);
        sum += (double)m->compliance_q[lane] * lane_energy(m->q, lane);
    }
    return sum;
}
