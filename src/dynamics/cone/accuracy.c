// How well the last step's contact problem was solved, from its bundles and in double precision.
#include <string.h>

#include "dynamics/cone/contact_row.h"
#include "dynamics/world.h"

// gd over the inverse of the mean diagonal of N. Impulses are single precision and lie off the surface of their cone by
// their rounding, which the residual shows divided by gd: a step as small as apgd's would show nothing else.
static const double RESIDUAL_STEP = 1.0;

typedef struct spatial { scr_vec3 v, s; } spatial;  // changes of velocity and scaled spin, as in wide_record

typedef struct lane_row {
    scr_vec3 n, r, g;
    mat3 turn_a, turn_b;  // as in part_bundle
    double mu, a_n, a_t, soft_n, soft_t;
    int32_t a, b;
} lane_row;

static scr_vec3 lane3(const float v[3][LANES], int lane) { return vec3((double)v[0][lane], (double)v[1][lane], (double)v[2][lane]); }

// arm [n]x
static mat3 grain_turn(scr_vec3 n, double arm)
{
    return (mat3){{{0.0, -arm * n.z, arm * n.y}, {arm * n.z, 0.0, -arm * n.x}, {-arm * n.y, arm * n.x, 0.0}}};
}

static mat3 part_turn(const float turn[9][LANES], int lane)
{
    mat3 m;
    for (int k = 0; k < 9; ++k) m.m[k / 3][k % 3] = (double)turn[k][lane];
    return m;
}

static lane_row grain_row(const problem *p, const grain_bundle *c, int lane)
{
    lane_row row = {.n = lane3(c->n, lane), .r = lane3(c->r, lane), .g = lane3(c->g, lane), .mu = (double)c->mu[lane],
                    .a = problem_body(p, c->a[lane]), .b = problem_body(p, c->b[lane])};
    double sigma = (double)c->sigma[lane];
    row.turn_a = grain_turn(row.n, (double)c->arm_a[lane]);
    row.turn_b = grain_turn(row.n, (double)c->arm_b[lane]);
    row.a_n = sigma / (double)c->cn[lane];
    row.a_t = sigma / (double)c->ct[lane];
    row.soft_n = (1.0 - sigma) / (double)c->cn[lane];
    row.soft_t = (1.0 - sigma) / (double)c->ct[lane];
    return row;
}

static lane_row part_row(const problem *p, const part_bundle *c, int lane)
{
    lane_row row = {.n = lane3(c->n, lane), .r = lane3(c->r, lane), .g = lane3(c->g, lane), .mu = (double)c->mu[lane],
                    .a = problem_body(p, c->a[lane]), .b = problem_body(p, c->b[lane]), .turn_a = part_turn(c->turn_a, lane), .turn_b = part_turn(c->turn_b, lane),
                    .soft_n = (double)c->soft_n[lane], .soft_t = (double)c->soft_t[lane]};
    mat3 block = {{{(double)c->block[0][lane], (double)c->block[3][lane], (double)c->block[4][lane]},
                   {(double)c->block[3][lane], (double)c->block[1][lane], (double)c->block[5][lane]},
                   {(double)c->block[4][lane], (double)c->block[5][lane], (double)c->block[2][lane]}}};
    row.a_n = vec3_dot(row.n, mat3_times(&block, row.n));
    row.a_t = 0.5 * (block.m[0][0] + block.m[1][1] + block.m[2][2] - row.a_n);
    return row;
}

typedef struct measuring {
    const problem *p;
    spatial *body;
    double gd;
    // Sums
    double trace, largest_normal, residual2, violation, change, size;
    int64_t count;
} measuring;

static void push(measuring *m, int32_t body, const mat3 *turn, scr_vec3 impulse)
{
    if (body == NO_BODY) return;
    const wide_record *record = &m->p->record[body];
    m->body[body].v = vec3_add_scaled(m->body[body].v, (double)record->v_factor, impulse);
    m->body[body].s = vec3_add_scaled(m->body[body].s, (double)record->s_factor, mat3_times(turn, impulse));
}

static scr_vec3 velocity(const measuring *m, int32_t body, const mat3 *turn)
{
    if (body == NO_BODY) return vec3(0.0, 0.0, 0.0);
    mat3 back = mat3_transpose(turn);
    return vec3_add(m->body[body].v, mat3_times(&back, m->body[body].s));
}

static void first_pass(measuring *m, const lane_row *row)
{
    push(m, row->a, &row->turn_a, vec3_neg(row->g));
    push(m, row->b, &row->turn_b, row->g);
    if (row->a == NO_BODY && row->b == NO_BODY) return;  // a padded lane
    m->trace += row->a_n + 2.0 * row->a_t;
    m->largest_normal = fmax(m->largest_normal, vec3_dot(row->g, row->n));
    ++m->count;
}

static void second_pass(measuring *m, const lane_row *row)
{
    if (row->a == NO_BODY && row->b == NO_BODY) return;
    double gn = vec3_dot(row->g, row->n);
    scr_vec3 gt = vec3_add_scaled(row->g, -gn, row->n);
    m->violation = fmax(m->violation, vec3_norm(gt) - row->mu * gn);
    // The impulses are single precision: their rounding out of the cone is not an error of the solution.
    scr_vec3 g = cone_project(row->g, row->n, row->mu, 1.0);
    scr_vec3 u = vec3_sub(velocity(m, row->b, &row->turn_b), velocity(m, row->a, &row->turn_a));
    u = vec3_add(u, row->r);
    u = vec3_add_scaled(vec3_add_scaled(u, row->soft_n * gn, row->n), row->soft_t, gt);
    scr_vec3 f = vec3_sub(g, cone_project(vec3_add_scaled(g, -m->gd, u), row->n, row->mu, 1.0));
    m->residual2 += vec3_dot(f, f) / (m->gd * m->gd);

    double un = vec3_dot(u, row->n), sn = row->a_n + row->soft_n, st = row->a_t + row->soft_t;
    scr_vec3 step = vec3_add_scaled(vec3_scale(un / sn, row->n), 1.0 / st, vec3_add_scaled(u, -un, row->n));
    scr_vec3 d = vec3_sub(cone_project(vec3_sub(g, step), row->n, row->mu, st / sn), g);
    double dn = vec3_dot(d, row->n);
    m->change += sn * dn * dn + st * fmax(0.0, vec3_dot(d, d) - dn * dn);
    m->size += sn * gn * gn + st * vec3_dot(gt, gt);
}

static void visit(measuring *m, void (*pass)(measuring *m, const lane_row *row))
{
    const problem *p = m->p;
    for (int64_t k = 0; k < LANES * p->grains.bundle_count; ++k) {
        lane_row row = grain_row(p, &p->grain[k / LANES], (int)(k % LANES));
        pass(m, &row);
    }
    for (int64_t k = 0; k < LANES * p->parts.bundle_count; ++k) {
        lane_row row = part_row(p, &p->part[k / LANES], (int)(k % LANES));
        pass(m, &row);
    }
}

scr_status scr_world_accuracy(scr_world *world, scr_accuracy *accuracy, scr_error *error)
{
    *accuracy = (scr_accuracy){0};
    if (!world->has_contacts || world->problem.grains.bundle_count + world->problem.parts.bundle_count == 0) return SCR_OK;
    int64_t n = world->problem.body_count;
    scr_status status = scr_arena_reserve(&world->scratch, scr_arena_bytes(sizeof(spatial), n), "accuracy", error);
    if (status != SCR_OK) return status;
    scr_arena arena = world->scratch;
    measuring m = {.p = &world->problem, .body = scr_arena_array(&arena, sizeof(spatial), n)};
    memset(m.body, 0, (size_t)n * sizeof *m.body);
    visit(&m, first_pass);
    m.gd = RESIDUAL_STEP * 3.0 * (double)m.count / m.trace;
    visit(&m, second_pass);
    accuracy->residual = sqrt(m.residual2);
    accuracy->cone_violation = m.largest_normal > 0.0 ? fmax(0.0, m.violation) / m.largest_normal : 0.0;
    accuracy->force_error = m.size > 0.0 ? sqrt(m.change / m.size) : 0.0;
    return SCR_OK;
}
