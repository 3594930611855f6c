// SPDX-License-Identifier: BSD-3-Clause
// How well the last step's contact problem was solved, from its bundles and in double precision.
#include <string.h>

#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/cone/system/contact_row.h"
#include "dynamics/world/world.h"

typedef struct scaled_twist {
    scr_vec3 v, s;
} scaled_twist;  // changes of velocity and scaled spin, as in wide_record

typedef struct lane_row {
    friction_cone cone;
    scr_vec3 n, r, g;
    mat3 angular_a, angular_b;  // as in general_bundle
    double a_n, a_t, compliance_n, compliance_t;
    int32_t a, b;
    scr_vec3 q, w;        // as in rolling.h, 0 where nothing resists rolling
    mat3 spin_a, spin_b;  // as in rolling_general
    double compliance_q;
} lane_row;

static scr_vec3 lane3(const float v[3][LANES], int lane)
{
    return vec3((double)v[0][lane], (double)v[1][lane], (double)v[2][lane]);
}

// arm [n]x
static mat3 grain_angular(scr_vec3 n, double arm)
{
    return (mat3){{{0.0, -arm * n.z, arm * n.y}, {arm * n.z, 0.0, -arm * n.x}, {-arm * n.y, arm * n.x, 0.0}}};
}

static mat3 matrix_of_lane(const float angular[9][LANES], int lane)
{
    mat3 m;
    for (int k = 0; k < 9; ++k) m.m[k / 3][k % 3] = (double)angular[k][lane];
    return m;
}

static lane_row grain_row(const problem *p, int64_t number, int lane)
{
    const grain_bundle *c = &p->grain[number];
    lane_row row = {.n = lane3(c->n, lane),
                    .r = lane3(c->r, lane),
                    .g = lane3(c->g, lane),
                    .a = problem_own_record(p, c->a[lane]),
                    .b = problem_own_record(p, c->b[lane])};
    row.cone = (friction_cone){
        .n = row.n, .mu = (double)c->mu[lane], .apex = p->coheres ? (double)p->grain_apex[number].apex[lane] : 0.0};
    double sigma = (double)c->sigma[lane];
    row.angular_a = grain_angular(row.n, (double)c->arm_a[lane]);
    row.angular_b = grain_angular(row.n, (double)c->arm_b[lane]);
    row.a_n = sigma / (double)c->cn[lane];
    row.a_t = sigma / (double)c->ct[lane];
    row.compliance_n = (1.0 - sigma) / (double)c->cn[lane];
    row.compliance_t = (1.0 - sigma) / (double)c->ct[lane];
    if (!p->rolls) return row;
    const rolling_grain *m = &p->rolling_grain[number];
    row.cone.roll = (double)m->roll[lane], row.cone.spin = (double)m->spin[lane], row.cone.apex = (double)m->apex[lane];
    row.q = lane3(m->q, lane), row.w = lane3(m->w, lane);
    for (int k = 0; k < 3; ++k)
        row.spin_a.m[k][k] = (double)m->reach_a[lane], row.spin_b.m[k][k] = (double)m->reach_b[lane];
    row.compliance_q = rolling_compliance(m, lane);
    return row;
}

static lane_row general_row(const problem *p, int64_t number, int lane)
{
    const general_bundle *c = &p->general_bundle[number];
    lane_row row = {.n = lane3(c->n, lane),
                    .r = lane3(c->r, lane),
                    .g = lane3(c->g, lane),
                    .a = problem_own_record(p, c->a[lane]),
                    .b = problem_own_record(p, c->b[lane]),
                    .angular_a = matrix_of_lane(c->angular_a, lane),
                    .angular_b = matrix_of_lane(c->angular_b, lane),
                    .compliance_n = (double)c->compliance_n[lane],
                    .compliance_t = (double)c->compliance_t[lane]};
    row.cone = (friction_cone){.n = row.n, .mu = (double)c->mu[lane], .apex = (double)c->apex[lane]};
    mat3 block = {{{(double)c->block[0][lane], (double)c->block[3][lane], (double)c->block[4][lane]},
                   {(double)c->block[3][lane], (double)c->block[1][lane], (double)c->block[5][lane]},
                   {(double)c->block[4][lane], (double)c->block[5][lane], (double)c->block[2][lane]}}};
    row.a_n = vec3_dot(row.n, mat3_times(&block, row.n));
    row.a_t = 0.5 * (block.m[0][0] + block.m[1][1] + block.m[2][2] - row.a_n);
    if (!p->rolls) return row;
    const rolling_general *m = &p->rolling_general[number];
    row.cone.roll = (double)m->roll[lane], row.cone.spin = (double)m->spin[lane];
    row.q = lane3(m->q, lane), row.w = lane3(m->w, lane);
    row.spin_a = matrix_of_lane(m->spin_a, lane), row.spin_b = matrix_of_lane(m->spin_b, lane);
    row.compliance_q = (double)m->compliance_q[lane];
    return row;
}

typedef struct measuring {
    const problem *p;
    scaled_twist *body;
    double d;  // of cone_residual2
    bool coulomb;
    // Sums
    double trace, largest_normal, residual2, violation;
    int64_t count;
} measuring;

static void push(measuring *m, int32_t body, const mat3 *angular, const mat3 *spin, contact_load load)
{
    if (body == NO_BODY) return;
    const wide_record *record = &m->p->record[body];
    scr_vec3 moment = vec3_add(mat3_times(angular, load.g), mat3_times(spin, load.q));
    m->body[body].v = vec3_add_scaled(m->body[body].v, (double)record->v_factor, load.g);
    m->body[body].s = vec3_add_scaled(m->body[body].s, (double)record->s_factor, moment);
}

// g: velocity of the body at the contact, q: its spin times the arm
static contact_load velocity(const measuring *m, int32_t body, const mat3 *angular, const mat3 *spin)
{
    if (body == NO_BODY) return (contact_load){0};
    mat3 angular_back = mat3_transpose(angular), spin_back = mat3_transpose(spin);
    return (contact_load){vec3_add(m->body[body].v, mat3_times(&angular_back, m->body[body].s)),
                          mat3_times(&spin_back, m->body[body].s)};
}

static void first_pass(measuring *m, const lane_row *row)
{
    contact_load load = {row->g, row->q};
    push(m, row->a, &row->angular_a, &row->spin_a, load_plus((contact_load){0}, -1.0, load));
    push(m, row->b, &row->angular_b, &row->spin_b, load);
    if (row->a == NO_BODY && row->b == NO_BODY) return;  // a padded lane
    m->trace += row->a_n + 2.0 * row->a_t;
    m->largest_normal = fmax(m->largest_normal, vec3_dot(row->g, row->n) + row->cone.apex);
    ++m->count;
}

static double outside(const friction_cone *cone, contact_load load)
{
    double gn = vec3_dot(load.g, cone->n), qn = vec3_dot(load.q, cone->n), x = gn + cone->apex;
    double slides = vec3_norm(vec3_add_scaled(load.g, -gn, cone->n)),
           rolls = vec3_norm(vec3_add_scaled(load.q, -qn, cone->n));
    return fmax(fmax(slides - cone->mu * x, -x), fmax(rolls - cone->roll * x, fabs(qn) - cone->spin * x));
}

static void second_pass(measuring *m, const lane_row *row)
{
    if (row->a == NO_BODY && row->b == NO_BODY) return;
    // The impulses are single precision: their rounding out of the cone is not an error of the solution.
    contact_load raw = {row->g, row->q}, load = cone_project_load(&row->cone, raw, 1.0, 1.0);
    double gn = vec3_dot(row->g, row->n);
    m->violation = fmax(m->violation, outside(&row->cone, raw));
    contact_load u = load_plus(velocity(m, row->b, &row->angular_b, &row->spin_b), -1.0,
                               velocity(m, row->a, &row->angular_a, &row->spin_a));
    u = load_plus(u, 1.0, (contact_load){row->r, row->w});
    u.g = vec3_add_scaled(vec3_add_scaled(u.g, row->compliance_n * gn, row->n), row->compliance_t,
                          vec3_add_scaled(row->g, -gn, row->n));
    u.q = vec3_add_scaled(u.q, row->compliance_q, row->q);
    if (m->coulomb) u.g = vec3_add_scaled(u.g, cone_slip(&row->cone, u), row->n);
    m->residual2 += cone_residual2(&row->cone, load, u, true, m->d);
}

static void visit(measuring *m, void (*pass)(measuring *m, const lane_row *row))
{
    const problem *p = m->p;
    for (int64_t k = 0; k < LANES * p->grains.bundle_count; ++k) {
        lane_row row = grain_row(p, k / LANES, (int)(k % LANES));
        pass(m, &row);
    }
    for (int64_t k = 0; k < LANES * p->general.bundle_count; ++k) {
        lane_row row = general_row(p, k / LANES, (int)(k % LANES));
        pass(m, &row);
    }
}

// The bodies of a mechanism move on as its joints allow; spins are scaled as in joined_records.h.
static void step_joints(measuring *m, joined_mechanism *one)
{
    const joint_mechanism *held = one->joints;
    const mat3 *momentum_of_spin = m->p->joined_momentum_of_spin + one->first_body;
    for (int32_t i = 0; i < held->equations.body_count; ++i) {
        const scaled_twist *change = &m->body[m->p->touched.record_of[held->body[i]]];
        scr_vec3 push = vec3_scale(held->equations.body[i].mass, change->v),
                 moment = mat3_times(&momentum_of_spin[i], change->s);
        const double momentum[6] = {push.x, push.y, push.z, moment.x, moment.y, moment.z};
        memcpy(one->body + 6 * (int64_t)i, momentum, sizeof momentum);
    }
    joined_begin(one);
    for (int32_t i = 0; i < held->equations.body_count; ++i) {
        const double *v = one->body + 6 * (int64_t)i;
        mat3 back = mat3_transpose(&momentum_of_spin[i]);
        int32_t record = m->p->touched.record_of[held->body[i]];
        double s_factor = (double)m->p->record[record].s_factor;
        m->body[record] =
            (scaled_twist){vec3(v[0], v[1], v[2]), vec3_scale(s_factor, mat3_times(&back, vec3(v[3], v[4], v[5])))};
    }
}

scr_status scr_world_accuracy(scr_world *world, scr_accuracy *accuracy, scr_error *error)
{
    *accuracy = (scr_accuracy){0};
    if (!world->has_contacts || world->problem.grains.bundle_count + world->problem.general.bundle_count == 0)
        return SCR_OK;
    int64_t n = world->problem.body_count;
    scr_status status = scr_arena_reserve(&world->scratch, scr_arena_bytes(sizeof(scaled_twist), n), "accuracy", error);
    if (status != SCR_OK) return status;
    scr_arena arena = world->scratch;
    measuring m = {.p = &world->problem,
                   .body = scr_arena_array(&arena, sizeof(scaled_twist), n),
                   .coulomb = world->def.contact.friction == SCR_FRICTION_COULOMB};
    memset(m.body, 0, (size_t)n * sizeof *m.body);
    visit(&m, first_pass);
    bool is_joined = world_contact_system(world).joints != NULL;
    for (int64_t k = 0; is_joined && k < world->problem.joined.mechanism_count; ++k)
        step_joints(&m, &world->problem.joined.mechanism[k]);
    m.d = 3.0 * (double)m.count / m.trace;
    visit(&m, second_pass);
    accuracy->residual = sqrt(m.residual2);
    accuracy->cone_violation = m.largest_normal > 0.0 ? fmax(0.0, m.violation) / m.largest_normal : 0.0;
    return SCR_OK;
}
