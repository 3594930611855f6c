// SPDX-License-Identifier: BSD-3-Clause
// The kernels of Newton's method: slopes of contacts against the formula for one contact, what they add to the
// equations against products of whole matrices, and the same bits from all instruction sets.
#include <string.h>

#include "check.h"
#include "core/arrays/colouring.h"
#include "core/maths/rng.h"
#include "dynamics/cone/newton/newton_equations.h"

enum { CONTACTS = 400, FOURS = CONTACTS / NEWTON_LANES, BODIES = 7, PAIRS = BODIES * BODIES, ISAS_MAX = 3 };

static double number(int stream, int64_t i) { return 2.0 * scr_uniform(7, (uint64_t)stream, (uint64_t)i) - 1.0; }

// Contacts of all sorts: a third without friction, a third that pull, loads from open to deep, sticking to sliding.
typedef struct sample {
    newton_lanes lanes[FOURS];
    friction_cone cone[CONTACTS];
    load_compliance compliance[CONTACTS];
} sample;

static void make_sample(sample *s, const newton_kernels *kernels)
{
    memset(s, 0, sizeof *s);
    for (int64_t i = 0; i < CONTACTS; ++i) {
        newton_lanes *four = &s->lanes[i / NEWTON_LANES];
        int k = (int)(i % NEWTON_LANES);
        scr_vec3 n = vec3_unit(vec3(number(0, i), number(1, i), number(2, i)));
        s->cone[i] =
            (friction_cone){.n = n, .mu = i % 3 == 0 ? 0.0 : 0.5 + 0.4 * number(3, i), .apex = i % 3 == 1 ? 0.3 : 0.0};
        s->compliance[i] = (load_compliance){.n = 1.5 + number(4, i), .t = 1.5 + number(5, i)};
        four->n[0][k] = n.x, four->n[1][k] = n.y, four->n[2][k] = n.z;
        four->mu[k] = s->cone[i].mu, four->apex[k] = s->cone[i].apex;
        four->inverse_n[k] = 1.0 / s->compliance[i].n, four->inverse_t[k] = 1.0 / s->compliance[i].t;
        four->kappa_t[k] = s->compliance[i].t / s->compliance[i].n;
        scr_vec3 any = vec3(number(6, i), number(7, i), number(8, i));
        contact_load u = {.g = vec3_add_scaled(vec3_scale(i % 2 == 0 ? 0.2 : 1.0, any), -0.4, n)};
        load_lanes_put(&four->u, k, u);
    }
    kernels->respond(s->lanes, FOURS, false);
    kernels->slopes(s->lanes, FOURS);
}

static void slopes_are_those_of_single_contacts(void **state)
{
    (void)state;
    static sample s;
    int open = 0, cut = 0;
    make_sample(&s, &newton_kernels_plain);
    for (int64_t i = 0; i < CONTACTS; ++i) {
        const newton_lanes *four = &s.lanes[i / NEWTON_LANES];
        int k = (int)(i % NEWTON_LANES);
        contact_load load = load_lanes_at(&four->load, k);
        contact_slope one =
            contact_response_slope(&s.cone[i], &s.compliance[i], false, load_lanes_at(&four->u, k), load);
        static const int row[SLOPE_NUMBERS] = {0, 0, 0, 1, 1, 2}, column[SLOPE_NUMBERS] = {0, 1, 2, 1, 2, 2};
        for (int m = 0; m < SLOPE_NUMBERS; ++m)
            assert_within(four->slope[m][k], one.gg.m[row[m]][column[m]], 1e-13 / s.compliance[i].n + 1e-13);
        if (one.is_zero) assert_true(four->slope[0][k] + four->slope[3][k] + four->slope[5][k] == 0.0);
        open += one.is_zero;
        double gn = vec3_dot(load.g, s.cone[i].n);
        double gt = vec3_norm(vec3_add_scaled(load.g, -gn, s.cone[i].n));
        cut += !one.is_zero && gt > 0.999 * s.cone[i].mu * (gn + s.cone[i].apex);
    }
    assert_true(open > CONTACTS / 20 && cut > CONTACTS / 20 && open + cut < CONTACTS * 9 / 10);  // some of each
}

typedef struct blocks {
    double own[BODIES][BODY_BLOCK], between[PAIRS][BODY_BLOCK];
} blocks;

static contact_row row_of(int64_t i)
{
    int32_t a = (int32_t)(i % BODIES), b = (int32_t)((i / BODIES) % BODIES);
    return (contact_row){.a = i % 11 == 0 || a == b ? NO_BODY : a,
                         .b = i % 13 == 0 && i % 11 != 0 ? NO_BODY : b,
                         .lever_a = vec3(number(9, i), number(10, i), number(11, i)),
                         .lever_b = vec3(number(12, i), number(13, i), number(14, i))};
}

// A pair stands in the row of its larger body and the column of its smaller one.
static int32_t pair_of(const contact_row *row)
{
    if (row->a == NO_BODY || row->b == NO_BODY) return -1;
    return row->a < row->b ? BODIES * row->b + row->a : BODIES * row->a + row->b;
}

static void place_levers(sample *s)
{
    for (int64_t i = 0; i < CONTACTS; ++i) {
        newton_lanes *four = &s->lanes[i / NEWTON_LANES];
        contact_row row = row_of(i);
        int k = (int)(i % NEWTON_LANES);
        four->lever_a[0][k] = row.lever_a.x, four->lever_a[1][k] = row.lever_a.y, four->lever_a[2][k] = row.lever_a.z;
        four->lever_b[0][k] = row.lever_b.x, four->lever_b[1][k] = row.lever_b.y, four->lever_b[2][k] = row.lever_b.z;
        four->a[k] = 6 * (row.a == NO_BODY ? BODIES : row.a), four->b[k] = 6 * (row.b == NO_BODY ? BODIES : row.b);
    }
}

static void add_by_kernel(blocks *sum, sample *s, const newton_block_kernels *kernels)
{
    place_levers(s);
    contact_row row[CONTACTS];
    int32_t pair[CONTACTS];
    newton_equations q = {.stiffness = sum->own[0], .coupling_stiffness = sum->between[0], .pair_of = pair};
    memset(sum, 0, sizeof *sum);
    for (int64_t i = 0; i < CONTACTS; ++i) row[i] = row_of(i), pair[i] = pair_of(&row[i]);
    kernels->add(&q, row, s->lanes, CONTACTS);
}

// How a body moves a contact, 3 x 6: v + w x lever
static void view_of(scr_vec3 l, double view[3][6])
{
    const double spin[3][3] = {{0.0, l.z, -l.y}, {-l.z, 0.0, l.x}, {l.y, -l.x, 0.0}};
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) view[r][c] = r == c, view[r][3 + c] = spin[r][c];
}

static void add_by_product(double *block, double left[3][6], const double g[3][3], double right[3][6], double sign)
{
    for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c)
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 3; ++k) block[6 * c + r] += sign * left[i][r] * g[i][k] * right[k][c];
}

static void contacts_add_products_of_matrices(void **state)
{
    (void)state;
    static sample s;
    static blocks sum, expected;
    make_sample(&s, &newton_kernels_plain);
    add_by_kernel(&sum, &s, &newton_block_kernels_plain);
    memset(&expected, 0, sizeof expected);
    for (int64_t i = 0; i < CONTACTS; ++i) {
        const newton_lanes *four = &s.lanes[i / NEWTON_LANES];
        contact_row row = row_of(i);
        double m[SLOPE_NUMBERS], a[3][6], b[3][6];
        for (int k = 0; k < SLOPE_NUMBERS; ++k) m[k] = four->slope[k][i % NEWTON_LANES];
        const double g[3][3] = {{m[0], m[1], m[2]}, {m[1], m[3], m[4]}, {m[2], m[4], m[5]}};
        view_of(row.lever_a, a), view_of(row.lever_b, b);
        if (row.a != NO_BODY) add_by_product(expected.own[row.a], a, g, a, 1.0);
        if (row.b != NO_BODY) add_by_product(expected.own[row.b], b, g, b, 1.0);
        if (pair_of(&row) < 0) continue;
        if (row.a < row.b) add_by_product(expected.between[pair_of(&row)], b, g, a, -1.0);
        else add_by_product(expected.between[pair_of(&row)], a, g, b, -1.0);
    }
    for (int body = 0; body < BODIES; ++body)
        for (int k = 0; k < BODY_BLOCK; ++k) assert_within(sum.own[body][k], expected.own[body][k], 1e-11);
    for (int pair = 0; pair < PAIRS; ++pair)
        for (int k = 0; k < BODY_BLOCK; ++k) assert_within(sum.between[pair][k], expected.between[pair][k], 1e-11);
}

typedef struct sight {
    double v[6 * (BODIES + 1)];  // the last is of what cannot be moved
    double momentum[6 * (BODIES + 1)];
    newton_lanes lanes[FOURS];
} sight;

static void make_sight(sight *s, const newton_kernels *kernels, bool rolls)
{
    memset(s, 0, sizeof *s);
    for (int k = 0; k < 6 * BODIES; ++k) s->v[k] = number(20, k);
    for (int64_t i = 0; i < CONTACTS; ++i) {
        newton_lanes *four = &s->lanes[i / NEWTON_LANES];
        int k = (int)(i % NEWTON_LANES);
        for (int axis = 0; axis < 3; ++axis) {
            four->lever_a[axis][k] = number(21 + axis, i), four->lever_b[axis][k] = number(24 + axis, i);
            four->r.g[axis][k] = number(27 + axis, i), four->r.q[axis][k] = number(30 + axis, i);
            four->load.g[axis][k] = number(34 + axis, i), four->load.q[axis][k] = number(37 + axis, i);
        }
        four->arm[k] = number(33, i);
        four->a[k] = 6 * (int32_t)(i % (BODIES + 1)), four->b[k] = 6 * (int32_t)(i / 3 % (BODIES + 1));
    }
    kernels->see(s->lanes, FOURS, rolls, s->v);
    kernels->see_along(s->lanes, FOURS, rolls, s->v);
    kernels->push(s->lanes, FOURS, rolls, s->momentum);
}

static twist body_at(const double *v, int32_t at)
{
    return (twist){vec3(v[at], v[at + 1], v[at + 2]), vec3(v[at + 3], v[at + 4], v[at + 5])};
}

static void assert_near_vector(scr_vec3 a, scr_vec3 b) { assert_within(vec3_norm(vec3_sub(a, b)), 0.0, 1e-14); }

static scr_vec3 of_lane(double of[3][NEWTON_LANES], int k) { return vec3(of[0][k], of[1][k], of[2][k]); }

static void contacts_see_the_velocities_of_their_bodies(void **state)
{
    (void)state;
    static sight s;
    make_sight(&s, &newton_kernels_plain, true);
    for (int64_t i = 0; i < CONTACTS; ++i) {
        newton_lanes *four = &s.lanes[i / NEWTON_LANES];
        int k = (int)(i % NEWTON_LANES);
        twist a = body_at(s.v, four->a[k]), b = body_at(s.v, four->b[k]);
        scr_vec3 slip =
            vec3_sub(point_velocity(b, of_lane(four->lever_b, k)), point_velocity(a, of_lane(four->lever_a, k)));
        scr_vec3 spin = vec3_scale(four->arm[k], vec3_sub(b.w, a.w));
        assert_near_vector(of_lane(four->along.g, k), slip);
        assert_near_vector(of_lane(four->along.q, k), spin);
        assert_near_vector(of_lane(four->u.g, k), vec3_add(slip, of_lane(four->r.g, k)));
        assert_near_vector(of_lane(four->u.q, k), vec3_add(spin, of_lane(four->r.q, k)));
    }
}

static void add_push(double *momentum, scr_vec3 lever, double arm, scr_vec3 force, scr_vec3 moment)
{
    scr_vec3 torque = vec3_add_scaled(vec3_cross(lever, force), arm, moment);
    const double push[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    for (int k = 0; k < 6; ++k) momentum[k] += push[k];
}

static void contacts_push_their_bodies(void **state)
{
    (void)state;
    static sight s;
    double expected[6 * (BODIES + 1)] = {0};
    make_sight(&s, &newton_kernels_plain, true);
    for (int64_t i = 0; i < CONTACTS; ++i) {
        newton_lanes *four = &s.lanes[i / NEWTON_LANES];
        int k = (int)(i % NEWTON_LANES);
        scr_vec3 force = of_lane(four->load.g, k), moment = of_lane(four->load.q, k);
        add_push(expected + four->b[k], of_lane(four->lever_b, k), four->arm[k], force, moment);
        add_push(expected + four->a[k], of_lane(four->lever_a, k), four->arm[k], vec3_neg(force), vec3_neg(moment));
    }
    for (int k = 0; k < 6 * BODIES; ++k) assert_within(s.momentum[k], expected[k], 1e-12);
}

static void the_pull_of_known_loads_is_that_at_no_length(void **state)
{
    (void)state;
    static sample s;
    make_sample(&s, &newton_kernels_plain);
    for (int64_t i = 0; i < CONTACTS; ++i)
        for (int axis = 0; axis < 3; ++axis)
            s.lanes[i / NEWTON_LANES].along.g[axis][i % NEWTON_LANES] = number(40 + axis, i);
    double now = newton_kernels_plain.pull_now(s.lanes, FOURS, false);
    assert_true(now != 0.0 && now == newton_kernels_plain.pull(s.lanes, FOURS, false, 0.0));
}

static void all_instruction_sets_give_the_same_bits(void **state)
{
    (void)state;
    static sample s[ISAS_MAX];
    static blocks sum[ISAS_MAX];
    static sight seen[ISAS_MAX];
    const newton_kernels *lanes[ISAS_MAX] = {&newton_kernels_plain};
    const newton_block_kernels *block[ISAS_MAX] = {&newton_block_kernels_plain};
    int count = 1;
#if defined(SCREE_HAVE_AVX2)
    if (__builtin_cpu_supports("avx2"))
        lanes[count] = &newton_kernels_avx2, block[count++] = &newton_block_kernels_avx2;
    if (cpu_has_avx512()) lanes[count] = &newton_kernels_avx512, block[count++] = &newton_block_kernels_avx512;
#endif
    for (int k = 0; k < count; ++k) {
        make_sample(&s[k], lanes[k]);
        add_by_kernel(&sum[k], &s[k], block[k]);
        assert_memory_equal(&s[k], &s[0], sizeof s[0]);
        assert_memory_equal(&sum[k], &sum[0], sizeof sum[0]);
        make_sight(&seen[k], lanes[k], true);
        assert_memory_equal(&seen[k], &seen[0], sizeof seen[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_are_those_of_single_contacts),
        cmocka_unit_test(contacts_add_products_of_matrices),
        cmocka_unit_test(contacts_see_the_velocities_of_their_bodies),
        cmocka_unit_test(contacts_push_their_bodies),
        cmocka_unit_test(the_pull_of_known_loads_is_that_at_no_length),
        cmocka_unit_test(all_instruction_sets_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
