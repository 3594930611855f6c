// SPDX-License-Identifier: BSD-3-Clause
// Contacts of bodies that joints hold together: joined pieces act as one body; all solvers find the answer of a dense
// method that forms every matrix; energy never rises; threads and instructions change no bit.
#include "small_joints.h"

static const solver_way WAYS[] = {
    {"ags", SCR_SOLVER_AGS, SCR_PRECISION_USUAL, 0.0, 1000, SCR_BEST},
    {"gs", SCR_SOLVER_GS, SCR_PRECISION_USUAL, 0.0, 2000, SCR_BEST},
    {"fine ags", SCR_SOLVER_AGS, SCR_PRECISION_DOUBLE, 1e-12, 20000, SCR_BEST},
    {"fine gs", SCR_SOLVER_GS, SCR_PRECISION_DOUBLE, 1e-12, 50000, SCR_BEST},
    {"apgd", SCR_SOLVER_APGD, SCR_PRECISION_USUAL, 3e-8, 6000, SCR_BEST},
    {"jacobi", SCR_SOLVER_JACOBI, SCR_PRECISION_USUAL, 1e-7, 6000, SCR_BEST},
    {"bb", SCR_SOLVER_BB, SCR_PRECISION_USUAL, 3e-8, 20000, SCR_BEST},
};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS, FIRST_FINE = 2, DOUBLE_AGS = 2, DOUBLE_GS = 3 };

static const scr_vec3 UP = {0.0, 0.0, 1.0}, ZERO = {0.0, 0.0, 0.0};

// Single precision; jacobi, which ends where f is nothing but rounding; double.
static double accuracy_of(int way)
{
    return way < FIRST_FINE ? 2e-5 : WAYS[way].kind == SCR_SOLVER_JACOBI ? 5e-6 : 1e-6;
}

// ---- one body in pieces ----

// A falling block that hits the floor with one corner, once whole, once as a big and a small piece held together by six
// rows, the contact on the small one: the same impulse.
static void joined_pieces_act_as_one_body(void **state)
{
    (void)state;
    const double big = 3.0, small = 1.0, mass = big + small;
    const scr_vec3 inertia = {0.04, 0.05, 0.06}, little = {0.002, 0.003, 0.004};
    const scr_vec3 way = {0.3, -0.2, 0.1};      // from the big one's centre to the small one's
    const scr_vec3 corner = {0.1, 0.05, -0.2};  // from the small one's centre
    for (int k = 0; k < WAY_COUNT; ++k) {
        small_system pieces = {0}, whole = {0};
        small_joints joints = {0};
        scr_vec3 fall = vec3(0.5, 0.0, -1.0);
        small_block(&pieces, big, inertia, fall, ZERO);
        small_block(&pieces, small, little, fall, ZERO);
        small_contact(&pieces, NO_BODY, 1, UP, ZERO, corner, false, 0.4, 0.0);
        small_mechanism *m = small_mechanism_new(&joints);
        small_joint(m, &pieces, 0, 1, vec3_scale(0.5, way), vec3_scale(-0.5, way), 6, 0.0);
        small_join(&joints, &pieces);
        small_solve(&pieces, &WAYS[k], SCR_FRICTION_CONVEX);

        // Steiner: reduced mass times the squared distance from the axis
        double reduced = big * small / mass;
        mat3 all = {0};
        const double way_of[3] = {way.x, way.y, way.z},
                     own[3] = {inertia.x + little.x, inertia.y + little.y, inertia.z + little.z};
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) all.m[i][j] = -reduced * way_of[i] * way_of[j];
            all.m[i][i] += own[i] + reduced * vec3_dot(way, way);
        }
        small_block(&whole, mass, vec3(1.0, 1.0, 1.0), fall, ZERO);
        whole.body[0].inv_inertia = mat3_inverse_symmetric(&all);
        small_contact(&whole, NO_BODY, 0, UP, ZERO, vec3_add_scaled(corner, big / mass, way), false, 0.4, 0.0);
        small_solve(&whole, &WAYS[DOUBLE_AGS], SCR_FRICTION_CONVEX);
        scr_vec3 expected = small_impulse(&whole, 0);
        assert_within3(small_impulse(&pieces, 0), expected, accuracy_of(k) * vec3_norm(expected));
        small_joints_free(&joints);
    }
}

// A weight on a spring row: m dv = g - l and dv + 0 = c l make the impulse of a contact that stops it (1 + 1/(c m)) m
// v.
static void a_spring_in_a_joint_takes_its_share(void **state)
{
    (void)state;
    const double mass = 2.0, v = 0.7, compliance = 0.8;
    for (int k = 0; k < WAY_COUNT; ++k) {
        small_system s = {0};
        small_joints joints = {0};
        small_block(&s, mass, vec3(0.1, 0.1, 0.1), vec3_scale(-v, UP), ZERO);
        small_contact(&s, NO_BODY, 0, UP, ZERO, ZERO, false, 0.0, 0.0);
        small_joint(small_mechanism_new(&joints), &s, NO_BODY, 0, ZERO, ZERO, 3, compliance);
        small_join(&joints, &s);
        small_solve(&s, &WAYS[k], SCR_FRICTION_CONVEX);
        assert_near(small_impulse(&s, 0).z, (mass + 1.0 / compliance) * v, accuracy_of(k));
        small_joints_free(&joints);
    }
}

// ---- against a dense method ----

typedef struct heap_kind {
    const char *name;
    bool blocks;
    double heaviest;    // kg, of every seventh body
    double compliance;  // 1/kg, of every second joint
    double eps;         // of contacts
} heap_kind;

static const heap_kind KINDS[] = {
    {"joined grains", false, 1.0, 0.0, 0.02},           {"joined blocks and grains", true, 1.0, 0.0, 0.02},
    {"springs between them", true, 1.0, 0.3, 0.02},     {"heavy ones among them", true, 300.0, 0.0, 0.02},
    {"heavy ones on springs", true, 300.0, 0.01, 0.02},
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS, HEAP_COUNT = 20 };

static scr_vec3 random3(double size, uint64_t draw)
{
    return vec3(random_in(-size, size, draw), random_in(-size, size, draw + 1), random_in(-size, size, draw + 2));
}

// Bodies thrown together, each touching the next few, in three mechanisms: a closed loop of ball joints, a chain of
// hinges that hangs on the ground, and a pair held together. The others are free.
static void joined_heap(small_system *s, small_joints *j, const heap_kind *kind, uint64_t seed)
{
    *s = (small_system){0};
    *j = (small_joints){0};
    for (uint64_t k = 0; k < HEAP_COUNT; ++k) {
        uint64_t draw = 5000 * seed + 50 * k;
        double mass = k % 7 == 3 ? kind->heaviest : random_in(0.5, 1.5, draw + 6);
        scr_vec3 v = vec3_add_scaled(random3(1.0, draw), -0.5, UP), w = random3(5.0, draw + 3);
        if (kind->blocks && k % 3 == 0) small_block(s, mass, vec3_scale(mass, vec3(0.004, 0.006, 0.009)), v, w);
        else small_sphere(s, mass, 0.1, v, w);
    }
    for (int parts = 0; parts <= 1; ++parts) {
        for (int32_t k = 0; k < HEAP_COUNT; ++k) {
            for (int32_t t = 0; t < 3; ++t) {
                uint64_t draw = 5000 * seed + 50 * (uint64_t)k + 10 * (uint64_t)t + 7;
                int32_t a = t == 0 ? NO_BODY : (k + t * t) % HEAP_COUNT;
                bool is_part = !s->body[k].is_grain || (a != NO_BODY && !s->body[a].is_grain);
                if (is_part != (parts == 1)) continue;
                scr_vec3 n = vec3_unit(vec3_add_scaled(random3(1.0, draw), 1.2, UP));
                scr_vec3 off = is_part ? random3(0.1, draw + 3) : ZERO;
                small_contact(s, a, k, n, vec3_add_scaled(off, 0.1, n), vec3_add_scaled(off, -0.1, n), !is_part, 0.5,
                              kind->eps);
            }
        }
    }
    small_mechanism *loop = small_mechanism_new(j), *chain = small_mechanism_new(j), *pair = small_mechanism_new(j);
    for (int32_t k = 0; k < 5; ++k)
        small_joint(loop, s, k, (k + 1) % 5, random3(0.1, 9000 + 6 * (uint64_t)k), random3(0.1, 9003 + 6 * (uint64_t)k),
                    3, k % 2 * kind->compliance);
    for (int32_t k = 0; k < 6; ++k)
        small_joint(chain, s, k == 0 ? NO_BODY : 5 + 2 * k, 7 + 2 * k, random3(0.1, 9100 + 6 * (uint64_t)k),
                    random3(0.1, 9103 + 6 * (uint64_t)k), 5, k % 2 * kind->compliance);
    small_joint(pair, s, 6, 8, random3(0.1, 9200), random3(0.1, 9203), 6, 0.0)->open = 2;
    small_join(j, s);
}

enum { DENSE = 3 * HEAP_COUNT * 3, UNKNOWNS = 6 * HEAP_COUNT };
typedef struct dense_problem {
    double n[DENSE][DENSE];  // N + R with joints eliminated
    double r[DENSE], g[DENSE];
    int count;
} dense_problem;

// a x = b for count right sides in the columns of b, by elimination with pivots; b becomes x.
static void dense_solve(double *a, int n, double *b, int count)
{
    for (int k = 0; k < n; ++k) {
        int p = k;
        for (int i = k; i < n; ++i)
            if (fabs(a[i * n + k]) > fabs(a[p * n + k])) p = i;
        for (int c = 0; c < n && p != k; ++c) {
            double t = a[k * n + c];
            a[k * n + c] = a[p * n + c];
            a[p * n + c] = t;
        }
        for (int c = 0; c < count && p != k; ++c) {
            double t = b[k * count + c];
            b[k * count + c] = b[p * count + c];
            b[p * count + c] = t;
        }
        for (int i = 0; i < n; ++i) {
            double f = i == k ? 0.0 : a[i * n + k] / a[k * n + k];
            for (int c = k; c < n && f != 0.0; ++c) a[i * n + c] -= f * a[k * n + c];
            for (int c = 0; c < count && f != 0.0; ++c) b[i * count + c] -= f * b[k * count + c];
        }
    }
    for (int i = 0; i < n; ++i)
        for (int c = 0; c < count; ++c) b[i * count + c] /= a[i * n + i];
}

// W D, column by column, from the matrix [M -J^T; J C] as a whole.
static void dense_motions(const small_system *s, double *motion)
{
    int bodies = 6 * (int)s->body_count, columns = 3 * (int)s->contact_count, size = bodies;
    for (int64_t p = 0; p < s->joints->mechanism_count; ++p) size += (int)s->joints->mechanism[p].equations.row_count;
    double *a = calloc((size_t)(size * size), sizeof *a), *b = calloc((size_t)(size * columns), sizeof *b);
    for (int i = 0; i < s->body_count; ++i) {
        mat3 inertia = mat3_inverse_symmetric(&s->body[i].inv_inertia);
        for (int r = 0; r < 3; ++r) {
            a[(6 * i + r) * size + 6 * i + r] = 1.0 / s->body[i].inv_mass;
            for (int c = 0; c < 3; ++c) a[(6 * i + 3 + r) * size + 6 * i + 3 + c] = inertia.m[r][c];
        }
    }
    int row = bodies;
    for (int64_t p = 0; p < s->joints->mechanism_count; ++p) {
        const joint_mechanism *part = &s->joints->mechanism[p];
        for (int64_t k = 0; k < part->equations.block_count; ++k) {
            const row_block *block = &part->equations.block[k];
            for (int r = 0; r < block->row_count; ++r, ++row) {
                bool is_open = block->open >> r & 1;
                a[row * size + row] = is_open ? 1.0 : block->compliance[r];
                for (int t = 0; t < block->jacobian_count && !is_open; ++t) {
                    const joint_jacobian *jacobian = &part->equations.jacobian[block->first_jacobian + t];
                    for (int c = 0; c < 6 && jacobian->body != NO_BODY; ++c) {
                        int at = 6 * part->body[jacobian->body] + c;
                        a[row * size + at] += jacobian->row[r][c];
                        a[at * size + row] -= jacobian->row[r][c];
                    }
                }
            }
        }
    }
    for (int k = 0; k < columns; ++k) {
        const contact_row *contact = &s->row[k / 3];
        scr_vec3 axis = vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
        for (int t = 0; t < 2; ++t) {
            int32_t body = t == 0 ? contact->a : contact->b;
            double push[6];
            small_row_of(push, t == 0 ? -1.0 : 1.0, axis, t == 0 ? contact->lever_a : contact->lever_b);
            for (int c = 0; c < 6 && body != NO_BODY; ++c) b[(6 * body + c) * columns + k] += push[c];
        }
    }
    double *d = calloc((size_t)(bodies * columns), sizeof *d);
    memcpy(d, b, (size_t)(bodies * columns) * sizeof *d);
    dense_solve(a, size, b, columns);
    memset(motion, 0, (size_t)(columns * columns) * sizeof *motion);
    for (int i = 0; i < columns; ++i)
        for (int k = 0; k < bodies; ++k)
            for (int c = 0; c < columns && d[k * columns + i] != 0.0; ++c)
                motion[i * columns + c] += d[k * columns + i] * b[k * columns + c];
    free(a), free(b), free(d);
}

static void make_dense(dense_problem *p, const small_system *s)
{
    p->count = 3 * (int)s->contact_count;
    double *all = calloc((size_t)(p->count * p->count), sizeof *all);
    dense_motions(s, all);
    for (int i = 0; i < p->count; ++i) {
        const contact_row *row = &s->row[i / 3];
        const double n[3] = {row->n.x, row->n.y, row->n.z}, r[3] = {row->r.x, row->r.y, row->r.z};
        for (int j = 0; j < p->count; ++j) p->n[i][j] = all[i * p->count + j];
        for (int j = 0; j < 3; ++j)
            p->n[i][i / 3 * 3 + j] += (row->eps_n * row->a_n - row->eps_t * row->a_t) * n[i % 3] * n[j];
        p->n[i][i] += row->eps_t * row->a_t;
        p->r[i] = r[i % 3];
    }
    free(all);
}

// The nearest point of the cone |t| <= mu n.
static void into_cone(double *g, const contact_row *row)
{
    scr_vec3 all = vec3(g[0], g[1], g[2]);
    double n = vec3_dot(all, row->n);
    scr_vec3 t = vec3_add_scaled(all, -n, row->n);
    double slip = vec3_norm(t);
    if (slip <= row->mu * n) return;
    double into = fmax(0.0, (n + row->mu * slip) / (1.0 + row->mu * row->mu));
    scr_vec3 x = vec3_add_scaled(vec3_scale(into, row->n), slip > 0.0 ? row->mu * into / slip : 0.0, t);
    g[0] = x.x, g[1] = x.y, g[2] = x.z;
}

static void dense_velocity(const dense_problem *p, const double *g, double *u)
{
    for (int i = 0; i < p->count; ++i) {
        u[i] = p->r[i];
        for (int j = 0; j < p->count; ++j) u[i] += p->n[i][j] * g[j];
    }
}

// Gradient projection with Nesterov's momentum, which starts again where it climbs. The step is one over the largest
// row sum.
static void solve_dense(dense_problem *p, const small_system *s)
{
    static double old[DENSE], y[DENSE], u[DENSE];
    double largest = 0.0, theta = 1.0, change = 1.0, size = 1.0;
    memset(p->g, 0, sizeof p->g);
    memset(y, 0, sizeof y);
    for (int i = 0; i < p->count; ++i) {
        double sum = 0.0;
        for (int j = 0; j < p->count; ++j) sum += fabs(p->n[i][j]);
        largest = fmax(largest, sum);
    }
    for (int k = 0; k < 200000 && change > 1e-24 * size; ++k) {
        dense_velocity(p, y, u);
        memcpy(old, p->g, sizeof old);
        for (int i = 0; i < p->count; ++i) p->g[i] = y[i] - u[i] / largest;
        for (int i = 0; i < p->count; i += 3) into_cone(p->g + i, &s->row[i / 3]);
        double climb = 0.0, next = 0.5 * (sqrt(theta * theta * (theta * theta + 4.0)) - theta * theta);
        change = size = 0.0;
        for (int i = 0; i < p->count; ++i) {
            climb += u[i] * (p->g[i] - old[i]);
            change += (p->g[i] - y[i]) * (p->g[i] - y[i]);
            size += p->g[i] * p->g[i];
        }
        double beta = climb > 0.0 ? 0.0 : theta * (1.0 - theta) / (theta * theta + next);
        theta = climb > 0.0 ? 1.0 : next;
        for (int i = 0; i < p->count; ++i) y[i] = p->g[i] + beta * (p->g[i] - old[i]);
    }
}

static void all_solvers_find_the_dense_answer(void **state)
{
    (void)state;
    static dense_problem dense;
    static small_system s;
    static small_joints joints;
    for (int kind = 0; kind < KIND_COUNT; ++kind) {
        joined_heap(&s, &joints, &KINDS[kind], 1 + (uint64_t)kind);
        make_dense(&dense, &s);
        solve_dense(&dense, &s);
        for (int way = 0; way < WAY_COUNT; ++way) {
            solve_result result = small_solve(&s, &WAYS[way], SCR_FRICTION_CONVEX);
            double distance = distance_to(&s, dense.g);
            print_message("%s, %s: %d iterations, %.1e\n", KINDS[kind].name, WAYS[way].name, result.iterations,
                          distance);
            assert_at_most(distance, accuracy_of(way));
        }
        small_joints_free(&joints);
    }
}

// Coulomb's law, checked with the dense matrix: u_n >= 0, complementary to the impulse, which opposes the slip with all
// it has.
static void coulombs_law_holds_with_joints(void **state)
{
    (void)state;
    static dense_problem dense;
    static small_system s;
    static small_joints joints;
    static double u[DENSE];
    for (int kind = 0; kind < KIND_COUNT; ++kind) {
        for (int way = DOUBLE_AGS; way <= DOUBLE_GS; ++way) {
            joined_heap(&s, &joints, &KINDS[kind], 20 + (uint64_t)kind);
            make_dense(&dense, &s);
            small_solve(&s, &WAYS[way], SCR_FRICTION_COULOMB);
            dense_velocity(&dense, s.precise, u);
            for (int64_t i = 0; i < s.contact_count; ++i) {
                const contact_row *row = &s.row[i];
                scr_vec3 g = small_impulse(&s, i), v = vec3(u[3 * i], u[3 * i + 1], u[3 * i + 2]);
                double gn = vec3_dot(g, row->n), vn = vec3_dot(v, row->n);
                scr_vec3 gt = vec3_add_scaled(g, -gn, row->n), vt = vec3_add_scaled(v, -vn, row->n);
                assert_at_most(-1e-8, vn);
                assert_within(vn * gn, 0.0, 1e-7);
                assert_at_most(vec3_norm(gt), row->mu * gn + 1e-9);
                assert_within(vec3_dot(gt, vt), -row->mu * gn * vec3_norm(vt), 1e-7);
            }
            small_joints_free(&joints);
        }
    }
}

// ---- on the way ----

typedef struct history {
    double objective[4000];
    int count;
} history;

static void note(void *context, const solve_progress *progress)
{
    history *h = context;
    h->objective[h->count++] = progress->accuracy.objective;
}

// Past refreshes too, which come every 64 sweeps; f of impulses in single precision is known to their rounding.
static void energy_never_rises(void **state)
{
    (void)state;
    static small_system s;
    static small_joints joints;
    const int ways[] = {0, 1, DOUBLE_AGS, DOUBLE_GS, 5};
    for (int kind = 0; kind < KIND_COUNT; ++kind) {
        for (size_t k = 0; k < sizeof ways / sizeof *ways; ++k) {
            joined_heap(&s, &joints, &KINDS[kind], 40 + (uint64_t)kind);
            solver_way way = WAYS[ways[k]];
            history h = {0};
            way.iterations = 300;
            small_solve_from(&s, &way, SCR_FRICTION_CONVEX, 1, &(solve_watch){note, &h});
            for (int i = 1; i < h.count; ++i)
                assert_at_most(h.objective[i],
                               h.objective[i - 1] + (ways[k] < FIRST_FINE ? 1e-6 : 1e-12) * fabs(h.objective[i]));
            small_joints_free(&joints);
        }
    }
}

static void threads_and_instructions_do_not_change_the_bits(void **state)
{
    (void)state;
    static small_system s;
    static small_joints joints;
    for (int kind = 0; kind < KIND_COUNT; kind += 2) {
        for (int way = 0; way < WAY_COUNT; ++way) {
            double first[3 * SMALL_CONTACTS];
            for (int run = 0; run < 5; ++run) {  // 1 to 4 threads with the best instructions, then 1 with plain ones
                joined_heap(&s, &joints, &KINDS[kind], 60 + (uint64_t)kind);
                solver_way few = WAYS[way];
                few.iterations = 80;
                few.set = run == 4 ? SCR_PLAIN : SCR_BEST;
                small_solve_from(&s, &few, SCR_FRICTION_CONVEX, run == 4 ? 1 : run + 1, NULL);
                if (run == 0) memcpy(first, s.precise, sizeof first);
                assert_memory_equal(first, s.precise, 3 * (size_t)s.contact_count * sizeof *first);
                small_joints_free(&joints);
            }
        }
    }
}

// ---- heavy bodies with many contacts ----

// A beam on a bed of forty grains, hinged to a second one that touches nothing: sweeps give the first one copies, and
// the joint must hold for what their mean is.
static void a_heavy_body_with_copies_keeps_its_joints(void **state)
{
    (void)state;
    static small_system s;
    static small_joints joints;
    static dense_problem dense;
    enum { GRAINS = 40 };
    for (int way = 0; way < 2; ++way) {
        s = (small_system){0};
        joints = (small_joints){0};
        for (int k = 0; k < GRAINS; ++k) {
            small_sphere(&s, 0.1, 0.05, ZERO, ZERO);
            small_contact(&s, NO_BODY, k, UP, ZERO, vec3_scale(-0.05, UP), true, 0.5, 0.02);
        }
        int32_t beam = small_block(&s, 80.0, vec3(3.0, 8.0, 9.0), vec3(0.05, 0.0, -0.1), ZERO);
        int32_t top = small_block(&s, 200.0, vec3(5.0, 5.0, 5.0), vec3(0.0, 0.0, -0.1), ZERO);
        for (int k = 0; k < GRAINS / 2; ++k)
            small_contact(&s, 2 * k, beam, UP, vec3_scale(0.05, UP), vec3(0.1 * (k % 5 - 2), 0.1 * (k / 5) - 0.2, -0.1),
                          false, 0.5, 0.02);
        small_joint(small_mechanism_new(&joints), &s, beam, top, vec3(0.1, 0.0, 0.3), vec3(0.0, 0.2, -0.5), 5, 0.0);
        small_join(&joints, &s);
        make_dense(&dense, &s);
        solve_dense(&dense, &s);
        small_solve(&s, &WAYS[way], SCR_FRICTION_CONVEX);
        assert_at_most(distance_to(&s, dense.g), accuracy_of(way));
        small_joints_free(&joints);
    }
}

// ---- rolling ----

// Moments take part in the same products and sweeps: two solvers that share no code but the joints agree.
static void rolling_contacts_keep_joints(void **state)
{
    (void)state;
    static small_system s;
    static small_joints joints;
    static float angular_impulse[2][3 * SMALL_CONTACTS], impulse[3 * SMALL_CONTACTS];
    const int ways[2] = {6, 0};
    for (int kind = 0; kind < KIND_COUNT; ++kind) {
        joined_heap(&s, &joints, &KINDS[kind], 80 + (uint64_t)kind);
        for (int64_t i = 0; i < s.contact_count; ++i) {
            contact_row *row = &s.row[i];
            row->arm = 0.1, row->roll = 0.1, row->spin = 0.05, row->eps_q = KINDS[kind].eps;
            for (int t = 0; t < 2; ++t)
                for (int c = 0; c < 3 && (t == 0 ? row->a : row->b) != NO_BODY; ++c)
                    row->a_q += row->arm * row->arm * s.body[t == 0 ? row->a : row->b].inv_inertia.m[c][c] / 3.0;
        }
        for (int k = 0; k < 2; ++k) {
            problem built = {0};
            scr_arena scratch = {0};
            solve_result result;
            memset(s.impulse, 0, sizeof s.impulse);
            memset(angular_impulse[k], 0, sizeof angular_impulse[k]);
            contact_system system = system_of(&s, 1);
            system.angular_impulse = angular_impulse[k], system.precise = NULL;
            scr_solver_def def = {.kind = WAYS[ways[k]].kind,
                                  .tolerance = WAYS[ways[k]].tolerance,
                                  .max_iterations = WAYS[ways[k]].iterations};
            solve_setting setting = {.def = &def, .kernels = sweep_kernels_for(SCR_BEST)};
            assert_ok(problem_build(&built, &system, &error));
            assert_ok(solve_system(&built, &system, &setting, &scratch, &result, &error));
            problem_free(&built);
            scr_arena_free(&scratch);
            if (k == 0) memcpy(impulse, s.impulse, sizeof impulse);
        }
        double largest = 0.0;
        for (int64_t k = 0; k < 3 * s.contact_count; ++k) largest = fmax(largest, fabs((double)impulse[k]));
        for (int64_t k = 0; k < 3 * s.contact_count; ++k) {
            assert_within((double)s.impulse[k], (double)impulse[k], 3e-5 * largest);
            assert_within((double)angular_impulse[1][k], (double)angular_impulse[0][k], 3e-6 * largest);
        }
        small_joints_free(&joints);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined_pieces_act_as_one_body),
        cmocka_unit_test(a_spring_in_a_joint_takes_its_share),
        cmocka_unit_test(all_solvers_find_the_dense_answer),
        cmocka_unit_test(coulombs_law_holds_with_joints),
        cmocka_unit_test(energy_never_rises),
        cmocka_unit_test(threads_and_instructions_do_not_change_the_bits),
        cmocka_unit_test(a_heavy_body_with_copies_keeps_its_joints),
        cmocka_unit_test(rolling_contacts_keep_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
