// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/newton/newton.h"

#include <limits.h>
#include <string.h>

#include "core/arrays/colouring.h"
#include "core/base/interruption.h"
#include "dynamics/cone/newton/newton_lanes.h"

enum { STEPS_MAX = 60, SEARCH_MAX = 40, ROUNDS_MAX = 40 };
// R' over a contact's own diagonal of N: in the first round, by how much it falls from one to the next, and at the end.
// The softer, the fewer steps from far away; the stiffer, the fewer rounds.
static const double FIRST_COMPLIANCE = 1e-2, COMPLIANCE_FALLS = 1e-2;
// At the end it is a share of the softest way in which loads pass through the island, about the ratio of its masses.
static const double LAST_SHARE = 1e-3, LAST_MOST = 1e-6, LAST_LEAST = 1e-11;
// where there are joints: redundant rows are solved with less precision
static const double LAST_LEAST_JOINED = 1e-7;
// What a step may still change of the velocity when a round ends: a share of the tolerance, within limits; and what a
// round may when it is the last. Near the answer a step more costs little and brings many digits.
static const double END_OF_TOLERANCE = 1e-3, END_MOST = 1e-7, END_LEAST = 1e-11;
static const double ROUND_END = 1e-9;
// Before a round with everybody's own compliance a soft one only leads near: its steps end early. (Where contacts are
// stiffer than any round, each round's answer is the next one's beginning, and all are solved well.)
static const double SOFT_END = 0.1;
// What momentum may still lack when the last round ends, in the norm of M^-1, as a share of what contacts give: of the
// tolerance, within limits. No step from there would be longer than this, and it need not be found. (1e-4 at most
// instead of 1e-5 saves a light robot no steps, 8.0 a step of time, and its worst force error is 1e-3 then, not 1e-4.)
static const double BALANCE_OF_TOLERANCE = 1e-2, BALANCE_MOST = 1e-5, BALANCE_LEAST = 1e-13;
// What it may lack after a whole step for that step's factors to be good enough for another one, and by how much each
// such step must lower it.
static const double NEAR = 1e-3, POLISHES = 0.1;
static const double LONGEST_LAST = 2.0;  // of a whole step: the last one
// Of the slope of E that is left along a step. A search to the end would stop at the first contacts that close, one
// after the other; one that goes a little beyond them takes a fifth of the steps fewer.
static const double SEARCH_END = 0.3;

typedef struct newton_contact {
    friction_cone cone;
    load_compliance compliance;  // R'
    load_compliance more;        // R' - R
    contact_load r;              // r'
} newton_contact;

typedef struct newton {
    rows *s;
    newton_equations q;
    newton_contact *contact;
    newton_lanes *lanes;  // of the contacts, four at a time
    int64_t lane_count;
    const newton_kernels *kernels;
    bool rolls;
    double *dv, *next;           // 6 a body, and 6 of what cannot be moved: 0
    double *momentum;            // 6 a body
    double *before;              // 6 a body: dv of the round before
    double *joint, *next_joint;  // l
    double *rest;                // -(J dv + C l): rounding, once a whole step has been taken
    int64_t bodies;
    double size2;    // |dv|_M^2, where momentum was found last
    double end;      // of steps, as above
    double balance;  // of momentum, as above; 0: steps decide alone
    int steps;       // with factors of their own
    int steps_most;  // Coulomb friction: max_iterations, as its rounds may lead nowhere
    bool was_whole;  // the last one
} newton;

size_t newton_bytes(const contact_system *system)
{
    int64_t joint_rows = 0;
    for (int64_t k = 0; system->joints != NULL && k < system->joints->mechanism_count; ++k)
        joint_rows += system->joints->mechanism[k].equations.row_count;
    return newton_equations_bytes(system) + scr_arena_bytes(sizeof(newton_contact), system->contact_count) +
           scr_arena_bytes(sizeof(newton_lanes), block_count_of(system->contact_count, NEWTON_LANES)) +
           4 * scr_arena_bytes(6 * sizeof(double), system->body_count + 1) +
           3 * scr_arena_bytes(sizeof(double), joint_rows);
}

static scr_vec3 at(const double *v, int64_t k) { return vec3(v[3 * k], v[3 * k + 1], v[3 * k + 2]); }

// ---- contacts ----

static newton_lanes *four_of(const newton *w, int64_t i) { return &w->lanes[i / NEWTON_LANES]; }
static int lane_of(int64_t i) { return (int)(i % NEWTON_LANES); }
static contact_load velocity_of(const newton *w, int64_t i) { return load_lanes_at(&four_of(w, i)->u, lane_of(i)); }
static contact_load response_of(const newton *w, int64_t i) { return load_lanes_at(&four_of(w, i)->load, lane_of(i)); }

static void set_lane(newton *w, int64_t i)
{
    const newton_contact *c = &w->contact[i];
    newton_lanes *four = four_of(w, i);
    int k = lane_of(i);
    four->n[0][k] = c->cone.n.x, four->n[1][k] = c->cone.n.y, four->n[2][k] = c->cone.n.z;
    four->mu[k] = c->cone.mu, four->apex[k] = c->cone.apex, four->roll[k] = c->cone.roll, four->spin[k] = c->cone.spin;
    four->inverse_n[k] = 1.0 / c->compliance.n, four->inverse_t[k] = 1.0 / c->compliance.t;
    four->kappa_t[k] = c->compliance.t / c->compliance.n;
    if (!w->rolls) return;
    four->inverse_q[k] = 1.0 / c->compliance.q;
    four->kappa_q[k] = c->compliance.q / c->compliance.n;
}

static load_compliance compliance_of(const contact_row *row)
{
    return (load_compliance){row->eps_n * row->a_n, row->eps_t * row->a_t, row->eps_q * row->a_q};
}

static int32_t velocity_at(const newton *w, int32_t body) { return 6 * (body == NO_BODY ? (int32_t)w->bodies : body); }

// Where contacts are. Lanes without one see nothing of nobody.
static void place_lanes(newton *w)
{
    for (int64_t i = 0; i < NEWTON_LANES * w->lane_count; ++i) {
        newton_lanes *four = four_of(w, i);
        int k = lane_of(i);
        four->a[k] = four->b[k] = velocity_at(w, NO_BODY);
        if (i >= w->s->n) continue;
        const contact_row *row = &w->s->row[i];
        four->a[k] = velocity_at(w, row->a), four->b[k] = velocity_at(w, row->b);
        four->lever_a[0][k] = row->lever_a.x, four->lever_a[1][k] = row->lever_a.y,
        four->lever_a[2][k] = row->lever_a.z;
        four->lever_b[0][k] = row->lever_b.x, four->lever_b[1][k] = row->lever_b.y,
        four->lever_b[2][k] = row->lever_b.z;
        four->arm[k] = row->arm;
    }
}

// Whether a round of this level would raise some contact's compliance.
static bool some_are_stiffer(const newton *w, double level)
{
    for (int64_t i = 0; i < w->s->n; ++i) {
        const contact_row *row = &w->s->row[i];
        load_compliance own = compliance_of(row);
        if (own.n < level * row->a_n || own.t < level * row->a_t || (w->rolls && own.q < level * row->a_q)) return true;
    }
    return false;
}

// The compliance of a round. False: it is everybody's own.
static bool raise_compliance(newton *w, double level)
{
    bool some = false;
    for (int64_t i = 0; i < w->s->n; ++i) {
        const contact_row *row = &w->s->row[i];
        load_compliance own = compliance_of(row);
        load_compliance compliance = {fmax(own.n, level * row->a_n), fmax(own.t, level * row->a_t),
                                      fmax(own.q, level * row->a_q)};
        newton_contact *c = &w->contact[i];
        c->cone = contact_row_cone(row);
        c->compliance = compliance;
        c->more = (load_compliance){compliance.n - own.n, compliance.t - own.t, compliance.q - own.q};
        set_lane(w, i);
        some = some || c->more.n > 0.0 || c->more.t > 0.0 || (w->rolls && c->more.q > 0.0);
    }
    return some;
}

static contact_load times(const load_compliance *compliance, scr_vec3 n, contact_load g)
{
    double gn = vec3_dot(g.g, n);
    return (contact_load){vec3_add_scaled(vec3_scale(compliance->t, g.g), (compliance->n - compliance->t) * gn, n),
                          vec3_scale(compliance->q, g.q)};
}

static contact_load load_of(const newton *w, const double *g, int64_t i)
{
    contact_load load = {.g = at(g, i)};
    if (w->rolls) load.q = at(g, w->s->n + i);
    return load;
}

// r' of a round, from the answer g of the round before and the velocities (N + R) g + r that belong to it.
static void begin_round(newton *w, const double *g, const double *product)
{
    rows *s = w->s;
    bool coulomb = s->setting->friction == SCR_FRICTION_COULOMB;
    for (int64_t i = 0; i < s->n; ++i) {
        newton_contact *c = &w->contact[i];
        contact_load r = load_of(w, s->r, i);
        c->r = load_plus(r, -1.0, times(&c->more, c->cone.n, load_of(w, g, i)));
        if (coulomb) {
            double slip = cone_slip(&c->cone, load_plus(load_of(w, product, i), 1.0, r));
            c->r.g = vec3_add_scaled(c->r.g, slip, c->cone.n);
        }
        load_lanes_put(&four_of(w, i)->r, lane_of(i), c->r);
    }
}

// ---- bodies ----

static contact_load body_view(const double *v, int32_t body, scr_vec3 lever, double arm)
{
    if (body == NO_BODY) return (contact_load){0};
    twist t = {at(v, 2 * (int64_t)body), at(v, 2 * (int64_t)body + 1)};
    return (contact_load){point_velocity(t, lever), vec3_scale(arm, t.w)};
}

// D_i^T v
static contact_load contact_velocity(const newton *w, const contact_row *row, const double *v)
{
    contact_load u =
        load_plus(body_view(v, row->b, row->lever_b, row->arm), -1.0, body_view(v, row->a, row->lever_a, row->arm));
    if (!w->rolls) u.q = vec3(0.0, 0.0, 0.0);
    return u;
}

static void add_to(double *to, int32_t body, scr_vec3 lever, double arm, double sign, contact_load load)
{
    if (body == NO_BODY) return;
    scr_vec3 linear = vec3_scale(sign, load.g), angular = vec3_cross(lever, linear);
    if (arm > 0.0) angular = vec3_add_scaled(angular, sign * arm, load.q);
    double *p = to + 6 * (int64_t)body;
    p[0] += linear.x, p[1] += linear.y, p[2] += linear.z, p[3] += angular.x, p[4] += angular.y, p[5] += angular.z;
}

// momentum += D load
static void push_contact(newton *w, int64_t i, contact_load load)
{
    const contact_row *row = &w->s->row[i];
    if (load.g.x == 0.0 && load.g.y == 0.0 && load.g.z == 0.0 && !w->rolls) return;  // open
    add_to(w->momentum, row->a, row->lever_a, row->arm, -1.0, load);
    add_to(w->momentum, row->b, row->lever_b, row->arm, 1.0, load);
}

// x . M y
static double mass_dot(const newton *w, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t k = 0; k < w->bodies; ++k) {
        const body_inertia *m = &w->q.e.body[k];
        sum += m->mass * vec3_dot(at(x, 2 * k), at(y, 2 * k)) +
               vec3_dot(at(x, 2 * k + 1), mat3_times(&m->inertia, at(y, 2 * k + 1)));
    }
    return sum;
}

// l . (C next - rest), which is -l . J d. Without what the step closes of the joints l would weigh their rounding, and
// near the answer nothing else would be left of the slope.
static double joint_dot(const newton *w, const double *l)
{
    double sum = 0.0;
    for (int64_t b = 0; b < w->q.e.block_count; ++b) {
        const row_block *block = &w->q.e.block[b];
        for (int k = 0; k < block->row_count; ++k) {
            int64_t row = block->first_row + k;
            sum += l[row] * (block->compliance[k] * w->next_joint[row] - w->rest[row]);
        }
    }
    return sum;
}

// ---- a step ----

// u at dv
static contact_load velocity_now(const newton *w, int64_t i)
{
    return load_plus(contact_velocity(w, &w->s->row[i], w->dv), 1.0, w->contact[i].r);
}

static void respond(newton *w)
{
    w->kernels->see(w->lanes, w->lane_count, w->rolls, w->dv);
    w->kernels->respond(w->lanes, w->lane_count, w->rolls);
}

static contact_load slope_times(const contact_slope *slope, bool rolls, contact_load u)
{
    contact_load load = {.g = mat3_times(&slope->gg, u.g)};
    if (!rolls) return load;
    load.g = vec3_add(load.g, mat3_times(&slope->gq, u.q));
    mat3 qg = mat3_transpose(&slope->gq);
    load.q = vec3_add(mat3_times(&qg, u.g), mat3_times(&slope->qq, u.q));
    return load;
}

// At the velocities that lanes hold
static contact_slope slope_of(const newton *w, int64_t i)
{
    const newton_contact *c = &w->contact[i];
    if (w->rolls) return contact_response_slope(&c->cone, &c->compliance, true, velocity_of(w, i), response_of(w, i));
    double g[SLOPE_NUMBERS];
    for (int k = 0; k < SLOPE_NUMBERS; ++k) g[k] = four_of(w, i)->slope[k][lane_of(i)];
    return (contact_slope){.is_zero = g[0] + g[3] + g[5] == 0.0,
                           .gg = {{{g[0], g[1], g[2]}, {g[1], g[3], g[4]}, {g[2], g[4], g[5]}}}};
}

// momentum = -M dv
static void begin_momentum(newton *w)
{
    w->size2 = 0.0;
    for (int64_t k = 0; k < w->bodies; ++k) {
        const body_inertia *m = &w->q.e.body[k];
        scr_vec3 v = at(w->dv, 2 * k), spin = at(w->dv, 2 * k + 1);
        scr_vec3 linear = vec3_scale(-m->mass, v), angular = mat3_times(&m->inertia, spin);
        const double p[6] = {linear.x, linear.y, linear.z, -angular.x, -angular.y, -angular.z};
        memcpy(w->momentum + 6 * k, p, sizeof p);
        w->size2 += m->mass * vec3_dot(v, v) + vec3_dot(spin, angular);
    }
}

// Loads are known at other velocities than those at dv, and are taken from there along their slopes.
static void push_foreseen(newton *w)
{
    for (int64_t i = 0; i < w->s->n; ++i) {
        contact_load load = response_of(w, i);
        contact_slope slope = slope_of(w, i);
        contact_load change = load_plus(velocity_now(w, i), -1.0, velocity_of(w, i));
        if (!slope.is_zero) load = load_plus(load, -1.0, slope_times(&slope, w->rolls, change));
        push_contact(w, i, load);
    }
}

// momentum = D g - M dv, and slopes
static void linearise(newton *w, bool is_foreseen)
{
    begin_momentum(w);
    if (!w->rolls) w->kernels->slopes(w->lanes, w->lane_count);
    if (is_foreseen) push_foreseen(w);
    else w->kernels->push(w->lanes, w->lane_count, w->rolls, w->momentum);
}

// S into the equations
static void stiffen(newton *w)
{
    newton_equations_clear(&w->q);
    if (!w->rolls) {
        newton_equations_add_all(&w->q, w->s, w->lanes);
        return;
    }
    for (int64_t i = 0; i < w->s->n; ++i) {
        contact_slope slope = slope_of(w, i);
        if (!slope.is_zero) newton_equations_add_rolling(&w->q, &w->s->row[i], i, &slope);
    }
}

// What the equations of bodies and joints still lack is solved for, not their answer: then rounding is a share of the
// step, and stiff contacts, which make impulses of the last digits of velocities, have their digits in the end.
static void find_lack(newton *w, bool is_foreseen)
{
    linearise(w, is_foreseen);
    newton_equations_rest(&w->q, w->dv, w->joint, w->momentum, w->rest);
}

// What momentum lacks, in the norm of M^-1, squared. The length of a step, in the norm of M + S, is at most that.
static double lack2_of(const newton *w)
{
    double lack = 0.0;
    for (int64_t k = 0; k < w->bodies; ++k) {
        const body_inertia *m = &w->q.e.body[k];
        scr_vec3 linear = at(w->momentum, 2 * k), angular = at(w->momentum, 2 * k + 1);
        lack += vec3_dot(linear, linear) / m->mass + vec3_dot(angular, mat3_times(&m->inv_inertia, angular));
    }
    return lack;
}

static void take_lack(newton *w)
{
    memcpy(w->next, w->momentum, 6 * (size_t)w->bodies * sizeof *w->next);
    if (w->q.e.row_count > 0) memcpy(w->next_joint, w->rest, (size_t)w->q.e.row_count * sizeof *w->next_joint);
}

static void find_step(newton *w)
{
    stiffen(w);
    take_lack(w);
    newton_equations_solve(&w->q, w->end == SOFT_END, w->next, w->next_joint);
    ++w->steps;
    ++w->s->passes;
}

static void move_on(newton *w, double a)
{
    for (int64_t k = 0; k < 6 * w->bodies; ++k) w->dv[k] += a * w->next[k];
    for (int64_t k = 0; k < w->q.e.row_count; ++k) w->joint[k] += a * w->next_joint[k];
}

// E along the step: its slope at a is constant + a curvature - sum g(u + a along) . along.
typedef struct search_line {
    double constant, curvature;
} search_line;

// dv . M d and d . M d
static void add_mass_dots(const newton *w, search_line *line)
{
    double constant = 0.0, curvature = 0.0;
    for (int64_t k = 0; k < w->bodies; ++k) {
        const body_inertia *m = &w->q.e.body[k];
        scr_vec3 v = at(w->next, 2 * k), spin = at(w->next, 2 * k + 1), turned = mat3_times(&m->inertia, spin);
        constant += m->mass * vec3_dot(at(w->dv, 2 * k), v) + vec3_dot(at(w->dv, 2 * k + 1), turned);
        curvature += m->mass * vec3_dot(v, v) + vec3_dot(spin, turned);
    }
    line->constant += constant;
    line->curvature += curvature;
}

static double slope_at(const newton *w, const search_line *line, double a)
{
    return line->constant + a * line->curvature - w->kernels->pull(w->lanes, w->lane_count, w->rolls, a);
}

// Where the slope, which rises with a, is zero. Almost always a = 1 is near enough.
static double best_length(const newton *w, const search_line *line, double first_slope)
{
    double low = 0.0, high = 1.0, at_low = first_slope, at_high = slope_at(w, line, 1.0),
           goal = SEARCH_END * fabs(first_slope);
    int tries = 0;
    if (fabs(at_high) <= goal) return 1.0;
    for (; at_high < 0.0 && tries < SEARCH_MAX; ++tries) {
        low = high, at_low = at_high;
        high *= 2.0, at_high = slope_at(w, line, high);
    }
    // The false position, its weight halved where one end stays (Illinois), so that the interval shrinks from both
    // sides.
    for (int side = 0; tries < SEARCH_MAX; ++tries) {
        double a = (low * at_high - high * at_low) / (at_high - at_low), slope = slope_at(w, line, a);
        if (fabs(slope) <= goal || !(a > low && a < high)) return a;
        if (slope < 0.0) {
            low = a, at_low = slope;
            if (side < 0) at_high *= 0.5;
            side = -1;
        } else {
            high = a, at_high = slope;
            if (side > 0) at_low *= 0.5;
            side = 1;
        }
    }
    return low > 0.0 ? low : high;
}

// False: E cannot be lowered any more.
static bool step_on(newton *w)
{
    search_line line = {joint_dot(w, w->joint), joint_dot(w, w->next_joint)};
    add_mass_dots(w, &line);
    w->kernels->see_along(w->lanes, w->lane_count, w->rolls, w->next);
    double slope = line.constant - w->kernels->pull_now(w->lanes, w->lane_count, w->rolls);
    if (!(slope < 0.0)) return false;
    // -slope is |d|^2 in the norm of M + S: what is left to do. Of a last step little more than rounding is left, along
    // which the search may go any length.
    bool is_last = -slope <= w->end * w->end * w->size2;
    double a = best_length(w, &line, slope);
    if (is_last) a = fmin(a, LONGEST_LAST);
    move_on(w, a);
    respond(w);
    w->was_whole = a == 1.0;
    return !is_last;
}

// A step with the factors of the one before, at two fifths of the price: contacts resist as they did there.
static void polish(newton *w)
{
    take_lack(w);
    newton_equations_solve_again(&w->q, w->next, w->next_joint);
    ++w->s->passes;
    move_on(w, 1.0);
    respond(w);
}

// Tried on a light robot, where contacts that close cut one step in six to a tenth, and lost: regions from loads
// and velocities in every step and no search (cycles at the contacts' own compliance; from two such steps on 1.3 times
// as many steps in all); after a short step those contacts that the rest of it would close, too (a tenth more steps);
// no soft round (1.2 times as many); answers with the rows' yielding left in for the next step (force errors of 9e-4
// where 7e-5 was). First compliances three times as small and large take 8.2 and 9.6 steps where these take 7.5, other
// ends of searches and of soft rounds 7.3 to 8.3: scatter. Whole steps at first, without a search, in the first two,
// four or ten of a round: 11.7, 13.6, 17.6 steps where these take 8.2. Factoring anew only what depends on slopes that
// have changed since the step before, to the bit: that is three quarters of the work, as what slides never keeps its
// slope.
static void take_steps(newton *w)
{
    double before = INFINITY;
    for (int k = 0; k < STEPS_MAX && w->steps < w->steps_most && !interruption_is_overdue(); ++k) {
        find_lack(w, false);
        double lack2 = w->balance > 0.0 ? lack2_of(w) : INFINITY;
        if (lack2 <= w->balance * w->balance * w->size2) return;
        if (w->was_whole && lack2 <= NEAR * NEAR * w->size2 && lack2 <= POLISHES * POLISHES * before) {
            polish(w);
            before = lack2;
            continue;
        }
        before = INFINITY;
        find_step(w);
        if (!step_on(w)) return;
    }
}

// The first step from a guess of the loads. Which contacts bear, and which slide, is taken from the guess g, as a step
// of a projected gradient method would leave it, not from the velocities that it makes: over the compliance of stiff
// contacts the least error of those is a load. A contact that keeps its state is then solved at once.
//     p = g - (u + R' g) / diag N,   load P(p), known at the velocity -R' p
static void foresee(newton *w, const double *g)
{
    for (int64_t i = 0; i < w->s->n; ++i) {
        const newton_contact *c = &w->contact[i];
        const contact_row *row = &w->s->row[i];
        contact_load load = load_of(w, g, i);
        contact_load miss = load_plus(velocity_now(w, i), 1.0, times(&c->compliance, c->cone.n, load));
        load_compliance step = {-1.0 / row->a_n, -1.0 / row->a_t, w->rolls ? -1.0 / row->a_q : 0.0};
        contact_load p = load_plus(load, 1.0, times(&step, c->cone.n, miss));
        load_lanes_put(&four_of(w, i)->u, lane_of(i),
                       load_plus((contact_load){0}, -1.0, times(&c->compliance, c->cone.n, p)));
    }
    w->kernels->respond(w->lanes, w->lane_count, w->rolls);
    find_lack(w, true);
    find_step(w);
    respond(w);
    step_on(w);
}

// ---- rounds ----

// Velocities and impulses of joints that the first guess makes.
static void begin(newton *w, double *g)
{
    rows *s = w->s;
    int64_t first_row = 0;
    rows_first_guess(s, g);
    rows_multiply(s, g, s->measured);
    for (int64_t k = 0; k < w->bodies; ++k) {
        const double v[6] = {s->body[k].v.x, s->body[k].v.y, s->body[k].v.z,
                             s->body[k].w.x, s->body[k].w.y, s->body[k].w.z};
        memcpy(w->dv + 6 * k, v, sizeof v);
    }
    for (int64_t k = 0; k < s->joined.mechanism_count; ++k) {
        int64_t count = s->joined.mechanism[k].joints->equations.row_count;
        if (count > 0) memcpy(w->joint + first_row, s->joined.mechanism[k].row, (size_t)count * sizeof *w->joint);
        first_row += count;
    }
}

static void answer(const newton *w, double *g)
{
    int64_t n = w->s->n;
    for (int64_t i = 0; i < n; ++i) {
        contact_load load = response_of(w, i);
        g[3 * i] = load.g.x, g[3 * i + 1] = load.g.y, g[3 * i + 2] = load.g.z;
        if (!w->rolls) continue;
        double *q = g + 3 * (n + i);
        q[0] = load.q.x, q[1] = load.q.y, q[2] = load.q.z;
    }
}

// |dv - before|_M / |dv|_M
static double round_change(newton *w)
{
    double size = mass_dot(w, w->dv, w->dv);
    for (int64_t k = 0; k < 6 * w->bodies; ++k) w->next[k] = w->dv[k] - w->before[k];
    memcpy(w->before, w->dv, 6 * (size_t)w->bodies * sizeof *w->before);
    return size > 0.0 ? sqrt(mass_dot(w, w->next, w->next) / size) : 0.0;
}

static double last_compliance(const newton *w)
{
    double lightest = INFINITY, heaviest = 0.0;
    for (int64_t k = 0; k < w->bodies; ++k) {
        lightest = fmin(lightest, w->q.e.body[k].mass);
        heaviest = fmax(heaviest, w->q.e.body[k].mass);
    }
    double least = w->s->system->joints != NULL ? LAST_LEAST_JOINED : LAST_LEAST;
    return fmin(fmax(LAST_SHARE * lightest / heaviest, least), LAST_MOST);
}

static double *body_vector(rows *s)
{
    int64_t bodies = s->system->body_count;
    double *v = scr_arena_array(&s->arena, 6 * sizeof *v, bodies + 1);
    memset(v + 6 * bodies, 0, 6 * sizeof *v);
    return v;
}

// From the answer g of the round before to the next one. is_new: its compliance is another than in the round before, so
// that what dv makes of loads is far from g.
static void solve_round(newton *w, double *g, bool is_new)
{
    rows *s = w->s;
    if (s->setting->friction == SCR_FRICTION_COULOMB) rows_multiply(s, g, s->measured);
    begin_round(w, g, s->measured);
    if (is_new) foresee(w, g);
    else respond(w);
    take_steps(w);
    answer(w, g);
    rows_report(s, w->steps, g);
}

// Loads of stiff contacts are known to the rounding of velocities over their compliance. Where the answer is known, a
// round of any compliance ends at it: a soft one is rid of that rounding, if the answer is known well enough.
static void smooth_loads(newton *w, double *g)
{
    double *kept = rows_vector(w->s), error = rows_measure(w->s, g).force_error;
    rows_copy(w->s, g, kept);
    raise_compliance(w, FIRST_COMPLIANCE);
    solve_round(w, g, false);
    if (rows_measure(w->s, g).force_error > error) rows_copy(w->s, kept, g);
}

rows_solution solve_by_newton(rows *s)
{
    newton w = {.s = s, .rolls = s->entries > s->n, .bodies = s->system->body_count};
    double *g = rows_vector(s), change = 0.0,
           end = fmin(fmax(END_OF_TOLERANCE * s->setting->def->tolerance, END_LEAST), END_MOST);
    double balance = fmin(fmax(BALANCE_OF_TOLERANCE * s->setting->def->tolerance, BALANCE_LEAST), BALANCE_MOST);
    if (s->setting->newton_end > 0.0) end = s->setting->newton_end, balance = 0.0;
    w.contact = scr_arena_array(&s->arena, sizeof *w.contact, s->n);
    w.dv = body_vector(s), w.next = body_vector(s), w.momentum = body_vector(s), w.before = body_vector(s);
    scr_status status = newton_equations_open(&w.q, s->setting->memory->newton, s, s->error);
    if (status != SCR_OK) return (rows_solution){.status = status};
    w.joint = scr_arena_array(&s->arena, sizeof(double), w.q.e.row_count);
    w.next_joint = scr_arena_array(&s->arena, sizeof(double), w.q.e.row_count);
    w.rest = scr_arena_array(&s->arena, sizeof(double), w.q.e.row_count);
    w.kernels = KERNEL_TO_AVX512_FOR(s->setting->instruction_set == SCR_BEST, newton_kernels);
    w.lane_count = block_count_of(s->n, NEWTON_LANES);
    w.lanes = scr_arena_array(&s->arena, sizeof *w.lanes, w.lane_count);
    if (s->n > 0) memset(w.lanes, 0, (size_t)w.lane_count * sizeof *w.lanes);
    place_lanes(&w);
    begin(&w, g);
    memcpy(w.before, w.dv, 6 * (size_t)w.bodies * sizeof *w.before);
    bool coulomb = s->setting->friction == SCR_FRICTION_COULOMB;
    w.steps_most = coulomb ? s->setting->def->max_iterations : INT_MAX;
    double level = FIRST_COMPLIANCE, least = last_compliance(&w), last_level = INFINITY;
    bool is_raised = true;
    for (int round = 0; round < ROUNDS_MAX; ++round) {
        is_raised = raise_compliance(&w, level);
        double next_level = fmax(COMPLIANCE_FALLS * level, least);
        w.end = is_raised && !some_are_stiffer(&w, next_level) ? SOFT_END : end;
        w.balance = is_raised || coulomb ? 0.0 : balance;
        solve_round(&w, g, level < last_level);
        change = round_change(&w);
        if ((!is_raised && !coulomb) || (level <= least && change <= ROUND_END) || w.steps >= w.steps_most) break;
        last_level = level;
        level = next_level;
    }
    w.balance = 0.0;
    if (is_raised) smooth_loads(&w, g);
    return (rows_solution){.g = g, .iterations = w.steps, .change = change};
}
