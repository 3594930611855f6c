// SPDX-License-Identifier: BSD-3-Clause
// The equations of bodies that joints hold, against dense elimination in long double and against statics.
#include "check.h"

#include "dynamics/jointed.h"
#include "dynamics/kkt/kkt_factor.h"

typedef struct draws {
    uint64_t stream, index;
} draws;

static double drawn(draws *rng, double low, double high)
{
    return low + (high - low) * scr_uniform(1, rng->stream, rng->index++);
}

static scr_vec3 drawn_vec3(draws *rng, double size)
{
    double x = drawn(rng, -size, size), y = drawn(rng, -size, size), z = drawn(rng, -size, size);
    return (scr_vec3){x, y, z};
}

static int32_t add_drawn_body(jointed *j, draws *rng)
{
    double mass = drawn(rng, 0.5, 20.0), a = drawn(rng, 0.1, 0.3), b = drawn(rng, 0.1, 0.3), c = drawn(rng, 0.1, 0.3);
    scr_vec3 axis = drawn_vec3(rng, 1.0), place = drawn_vec3(rng, 3.0);
    scr_quat turn = quat_unit((scr_quat){1.0, axis.x, axis.y, axis.z});
    return add_body(j, mass, (scr_vec3){mass * (b + c), mass * (a + c), mass * (a + b)}, turn, place);
}

static scr_vec3 between(const jointed *j, int32_t a, int32_t b, draws *rng)
{
    scr_vec3 far = b < 0 || b >= j->body_count ? (scr_vec3){0.0, 0.0, 4.0} : j->place[b];
    return vec3_add(vec3_scale(0.5, vec3_add(j->place[a], far)), drawn_vec3(rng, 0.5));
}

static void add_drawn_joint(jointed *j, int32_t a, int32_t b, draws *rng)
{
    scr_vec3 at = between(j, a, b, rng), axis = drawn_vec3(rng, 1.0);
    int kind = (int)drawn(rng, 0.0, 4.0);
    if (kind == 0) add_ball(j, a, b, at);
    else if (kind == 1) add_row(j, add_block(j, a, b), at, axis, false);
    else add_hinge(j, a, b, at, axis);
}

static double *drawn_numbers(draws *rng, int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    for (int64_t i = 0; i < count; ++i) x[i] = drawn(rng, -1.0, 1.0);
    return x;
}

// Right-hand sides that can be met even where rows are redundant: what rows see of some velocities.
static double *drawn_rates(const jointed *j, draws *rng)
{
    int64_t m = 6 * (int64_t)j->body_count;
    double *v = drawn_numbers(rng, m), *c = drawn_numbers(rng, j->row_count);
    long double *rows = dense_rows(j);
    for (int64_t r = 0; r < j->row_count; ++r) {
        long double sum = 0.0L;
        for (int64_t i = 0; i < m; ++i) sum += rows[r * m + i] * v[i];
        c[r] = (double)sum;
    }
    free(v), free(rows);
    return c;
}

static int64_t open_count(const jointed *j)
{
    int64_t count = 0;
    for (int64_t b = 0; b < j->block_count; ++b) count += __builtin_popcount(j->block[b].open);
    return count;
}

// Compare with the dense answer, relative to the largest of each kind. Returns how many rows are redundant.
static int64_t compare_with_dense(jointed *j, draws *rng, double precision)
{
    jointed_factor(j);
    int64_t n = j->row_count, m = 6 * (int64_t)j->body_count, redundant = kkt_redundant(j->kkt, NULL);
    double *p = drawn_numbers(rng, m), *c = redundant > 0 ? drawn_rates(j, rng) : drawn_numbers(rng, n);
    dense_answer dense = dense_answer_of(j, p, c);
    assert_int_equal(redundant, dense.free_count - open_count(j));
    kkt_solve(j->kkt, p, c, j->work);
    double v_most = 0.0, l_most = 0.0;
    for (int64_t i = 0; i < m; ++i) v_most = fmax(v_most, fabs((double)dense.v[i]));
    for (int64_t r = 0; r < n; ++r) l_most = fmax(l_most, fabs((double)dense.l[r]));
    for (int64_t i = 0; i < m; ++i) assert_within(p[i], (double)dense.v[i], precision * v_most);
    for (int64_t r = 0; r < n; ++r) assert_within(c[r], (double)dense.l[r], precision * l_most);
    dense_destroy(&dense);
    free(p), free(c);
    return redundant;
}

static jointed drawn_tree(int32_t count, bool grounded, int64_t more, draws *rng)
{
    jointed j = jointed_create(count, count + more);
    for (int32_t i = 0; i < count; ++i) {
        add_drawn_body(&j, rng);
        int32_t parent = (int32_t)drawn(rng, 0.0, i);
        if (i > 0) add_drawn_joint(&j, i, parent, rng);
        else if (grounded) add_drawn_joint(&j, i, count % 3 == 0 ? GROUND : count + 2, rng);  // a fixed body
    }
    return j;
}

static void trees_agree_with_dense_elimination(void **state)
{
    (void)state;
    draws rng = {1, 0};
    for (int32_t count = 1; count <= 22; count += 3) {
        jointed j = drawn_tree(count, count % 2 == 0, 0, &rng);
        compare_with_dense(&j, &rng, 1e-9);
        jointed_destroy(&j);
    }
}

static void loops_agree_with_dense_elimination(void **state)
{
    (void)state;
    draws rng = {2, 0};
    for (int round = 0; round < 8; ++round) {
        jointed j = drawn_tree(12, round % 2 == 0, 6, &rng);
        for (int k = 0; k < 6; ++k) {
            int32_t a = (int32_t)drawn(&rng, 0.0, 12.0), b = (int32_t)drawn(&rng, -1.0, 11.0);
            b = b < 0 ? GROUND : b >= a ? b + 1 : b;
            add_row(&j, add_block(&j, a, b), between(&j, a, b, &rng), drawn_vec3(&rng, 1.0), false);
        }
        compare_with_dense(&j, &rng, 1e-7);
        jointed_destroy(&j);
    }
}

static void hubs_agree_with_dense_elimination(void **state)
{
    (void)state;
    draws rng = {3, 0};
    jointed j = jointed_create(25, 48);
    add_drawn_body(&j, &rng);
    for (int32_t i = 1; i < 25; ++i) {
        add_drawn_body(&j, &rng);
        add_hinge(&j, i, 0, between(&j, i, 0, &rng), drawn_vec3(&rng, 1.0));
        row_block *spring = add_block(&j, 0, i);
        add_row(&j, spring, between(&j, i, 0, &rng), drawn_vec3(&rng, 1.0), false);
        spring->compliance[0] = 1e-3;
    }
    compare_with_dense(&j, &rng, 1e-9);
    jointed_destroy(&j);
}

static void gears_agree_with_dense_elimination(void **state)
{
    (void)state;
    draws rng = {9, 0};
    for (int round = 0; round < 4; ++round) {
        jointed j = drawn_tree(10, round % 2 == 0, 3, &rng);
        for (int32_t k = 0; k < 3; ++k) {
            scr_vec3 n = drawn_vec3(&rng, 1.0), m = drawn_vec3(&rng, 2.0);
            add_gear(&j, k, 9 - k, k == 1 ? GROUND : 4, n, m);
        }
        compare_with_dense(&j, &rng, 1e-8);
        jointed_destroy(&j);
    }
}

static void compliant_and_open_rows_agree_with_dense_elimination(void **state)
{
    (void)state;
    draws rng = {4, 0};
    for (int round = 0; round < 6; ++round) {
        jointed j = drawn_tree(15, true, 4, &rng);
        for (int k = 0; k < 4; ++k) add_hinge(&j, k, 14 - k, between(&j, k, 14 - k, &rng), drawn_vec3(&rng, 1.0));
        for (int64_t b = 0; b < j.block_count; ++b) {
            for (int r = 0; r < j.block[b].row_count; ++r)
                j.block[b].compliance[r] = b % 3 == 0 ? 0.0 : drawn(&rng, 1e-3, 1.0);
            if (b % 4 == 1) j.block[b].open = (uint8_t)(1u << b % j.block[b].row_count);
            if (b >= 15) j.block[b].open = 1 + 4;
        }
        compare_with_dense(&j, &rng, 1e-9);
        jointed_destroy(&j);
    }
}

// Loops through one body, or two: so many that the bodies are split (kkt_split.h).
enum { LOOPS = 128 };

static scr_vec3 on_circle(int k)
{
    return vec3(cos(0.1 + 2.0 * M_PI * k / LOOPS), sin(0.1 + 2.0 * M_PI * k / LOOPS), 0.02 * (k % 7));
}

static void hub_on_the_ground_agrees_with_dense_elimination(void **state)
{
    (void)state;
    draws rng = {11, 0};
    jointed j = jointed_create(1, LOOPS);
    add_drawn_body(&j, &rng);
    for (int k = 0; k < LOOPS; ++k) add_ball(&j, k % 2 == 0 ? 0 : GROUND, k % 2 == 0 ? GROUND : 0, on_circle(k));
    assert_int_equal(compare_with_dense(&j, &rng, 1e-6), 3 * LOOPS - 6);
    uint8_t is_redundant[3 * LOOPS];
    int64_t said = 0;
    kkt_redundant(j.kkt, is_redundant);
    for (int r = 0; r < 3 * LOOPS; ++r) said += is_redundant[r];
    assert_int_equal(said, 3 * LOOPS - 6);  // of joints: copies and what holds them together are nobody's business
    jointed_destroy(&j);
}

static void two_hubs_agree_with_dense_elimination(void **state)
{
    (void)state;
    draws rng = {12, 0};
    jointed j = jointed_create(2 + LOOPS, 2 * LOOPS);
    add_drawn_body(&j, &rng), add_drawn_body(&j, &rng);
    for (int k = 0; k < LOOPS; ++k) {
        int32_t roller =
            add_body(&j, drawn(&rng, 0.1, 1.0), vec3(0.01, 0.02, 0.015), (scr_quat){1, 0, 0, 0}, on_circle(k));
        add_ball(&j, 0, roller, on_circle(k));
        add_ball(&j, roller, 1, vec3_add(on_circle(k), drawn_vec3(&rng, 0.1)));
    }
    assert_int_equal(compare_with_dense(&j, &rng, 1e-6), LOOPS - 6);
    jointed_destroy(&j);
}

// Two cranks and a coupler in the plane y = 0, all hinges along y: mirror symmetric about x = 0.
static jointed four_bar(void)
{
    jointed j = jointed_create(3, 4);
    scr_quat none = {1.0, 0.0, 0.0, 0.0};
    scr_vec3 inertia = {0.2, 0.3, 0.1}, y = {0.0, 1.0, 0.0};
    add_body(&j, 2.0, inertia, none, (scr_vec3){-1.0, 0.0, 0.5});
    add_body(&j, 4.0, inertia, none, (scr_vec3){0.0, 0.0, 1.0});
    add_body(&j, 2.0, inertia, none, (scr_vec3){1.0, 0.0, 0.5});
    add_hinge(&j, GROUND, 0, (scr_vec3){-1.0, 0.0, 0.0}, y);
    add_hinge(&j, 0, 1, (scr_vec3){-1.0, 0.0, 1.0}, y);
    add_hinge(&j, 1, 2, (scr_vec3){1.0, 0.0, 1.0}, y);
    add_hinge(&j, 2, GROUND, (scr_vec3){1.0, 0.0, 0.0}, y);
    return j;
}

static void four_bar_has_three_redundant_rows_and_least_impulses(void **state)
{
    (void)state;
    draws rng = {5, 0};
    jointed j = four_bar();
    assert_int_equal(compare_with_dense(&j, &rng, 1e-6), 3);
    // Weight and a push along y on the coupler: both sides carry the same.
    double p[18] = {0}, c[20] = {0};
    for (int i = 0; i < 3; ++i) p[6 * i + 2] = -9.81 * j.body[i].mass;
    p[7] = 3.0;
    kkt_solve(j.kkt, p, c, j.work);
    for (int i = 0; i < 18; ++i) assert_within(p[i], 0.0, 1e-7);
    assert_near(c[2], 0.5 * 9.81 * 8.0, 1e-7);        // ground pushes the left crank up, seen as row +z on body b
    assert_near(-c[15 + 2], 0.5 * 9.81 * 8.0, 1e-7);  // and the right one, body a
    assert_near(c[1], -1.5, 1e-6);
    assert_near(-c[15 + 1], -1.5, 1e-6);
    jointed_destroy(&j);
}

static jointed ring(int32_t count, double mass)
{
    jointed j = jointed_create(count, count);
    scr_vec3 y = {0.0, 1.0, 0.0};
    double step = 2.0 * M_PI / count, radius = 0.5 / sin(0.5 * step), mid = radius * cos(0.5 * step);
    for (int32_t i = 0; i < count; ++i) {
        double angle = step * (i + 0.5);
        scr_quat turn = {cos(0.5 * angle), 0.0, -sin(0.5 * angle), 0.0};
        add_body(&j, mass, (scr_vec3){0.3 * mass, 0.4 * mass, 0.15 * mass}, turn,
                 (scr_vec3){mid * cos(angle), 0.0, mid * sin(angle)});
    }
    for (int32_t i = 0; i < count; ++i)
        add_hinge(&j, i, (i + 1) % count, vec3(radius * cos(step * (i + 1)), 0.0, radius * sin(step * (i + 1))), y);
    return j;
}

static void ring_of_parallel_hinges_has_three_redundant_rows(void **state)
{
    (void)state;
    draws rng = {6, 0};
    jointed j = ring(46, 5.0);
    assert_int_equal(compare_with_dense(&j, &rng, 1e-6), 3);
    jointed_destroy(&j);
}

// Rows that contradict each other: what nothing can answer has no effect at all.
static void contradictions_have_no_effect(void **state)
{
    (void)state;
    jointed j = four_bar();
    jointed_factor(&j);
    double zero_p[18] = {0}, zero_c[20] = {0};
    dense_answer dense = dense_answer_of(&j, zero_p, zero_c);
    assert_int_equal(dense.free_count, 3);
    double c[20] = {0}, p[18] = {0};
    for (int r = 0; r < 20; ++r)
        for (int k = 0; k < 3; ++k) c[r] += (k + 1.0) * (double)(dense.diagonal[r] * dense.null[3 * r + k]);
    kkt_solve(j.kkt, p, c, j.work);
    for (int i = 0; i < 18; ++i) assert_within(p[i], 0.0, 1e-4);
    for (int r = 0; r < 20; ++r) assert_within(c[r], 0.0, 1.0);
    dense_destroy(&dense);
    jointed_destroy(&j);
}

// A chain that hangs from the ground and carries a heavy tip: every joint bears all that is below it.
static void hanging_chain_bears_a_heavy_tip(void **state)
{
    (void)state;
    for (int round = 0; round < 2; ++round) {
        double tip = round == 0 ? 1e6 : 1e9;
        draws rng = {8, 0};
        jointed j = jointed_create(51, 51);
        for (int32_t i = 0; i < 51; ++i) {
            double mass = i == 50 ? tip : 1.0;
            scr_vec3 way = drawn_vec3(&rng, 1.0), axis = drawn_vec3(&rng, 1.0);
            scr_quat turn = quat_unit((scr_quat){1.0, way.x, way.y, way.z});
            axis.z = 0.0;
            add_body(&j, mass, vec3(0.01 * mass, 0.02 * mass, 0.015 * mass), turn, vec3(0.0, 0.0, -0.1 * i));
            add_hinge(&j, i == 0 ? GROUND : i - 1, i, (scr_vec3){0.0, 0.0, -0.1 * i + 0.05}, axis);
        }
        jointed_factor(&j);
        assert_int_equal(kkt_redundant(j.kkt, NULL), 0);
        double p[6 * 51] = {0}, c[5 * 51] = {0}, below = 0.0;
        for (int i = 0; i < 51; ++i) p[6 * i + 2] = -9.81 * j.body[i].mass;
        kkt_solve(j.kkt, p, c, j.work);
        for (int i = 50; i >= 0; --i) {
            below += 9.81 * j.body[i].mass;
            assert_near(c[5 * i + 2], below, 1e-12);
            for (int k = 0; k < 6; ++k) assert_within(p[6 * i + k], 0.0, 1e-6);
        }
        jointed_destroy(&j);
    }
}

typedef void (*layout)(jointed *j, int32_t count);

static void link(jointed *j, int32_t a, int32_t b) { add_hinge(j, a, b, vec3(0.1 * a, 0.2 * b, 1.0), vec3(0, 1, 0)); }
static void lay_chain(jointed *j, int32_t count)
{
    for (int32_t i = 1; i < count; ++i) link(j, i - 1, i);
}
static void lay_grounded_chain(jointed *j, int32_t count)
{
    link(j, GROUND, 0);
    lay_chain(j, count);
    link(j, count - 1, GROUND);
}
static void lay_ring(jointed *j, int32_t count)
{
    lay_chain(j, count);
    link(j, count - 1, 0);
}
static void lay_star(jointed *j, int32_t count)
{
    for (int32_t i = 1; i < count; ++i) link(j, 0, i);
}
static void lay_wheel(jointed *j, int32_t count)  // a hub, a ring around it and spokes
{
    lay_star(j, count);
    for (int32_t i = 1; i < count; ++i) link(j, i, i + 1 < count ? i + 1 : 1);
}
static void lay_ladder(jointed *j, int32_t count)
{
    for (int32_t i = 0; i + 1 < count; i += 2) {
        link(j, i, i + 1);
        if (i + 3 < count) link(j, i, i + 2), link(j, i + 1, i + 3);
    }
}

static void lay_loops_through_one(jointed *j, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) link(j, 0, GROUND);
}
static void lay_loops_through_two(jointed *j, int32_t count)
{
    for (int32_t i = 2; i < count; ++i) link(j, 0, i), link(j, i, 1);
}

static int64_t entries_of(layout lay, int32_t count)
{
    jointed j = jointed_create(count, 2 * count + 2);
    for (int32_t i = 0; i < count; ++i) add_body(&j, 1.0, vec3(1, 1, 1), (scr_quat){1, 0, 0, 0}, vec3(0, 0, 0));
    lay(&j, count);
    kkt_equations e = jointed_equations(&j);
    assert_int_equal(kkt_order(j.kkt, &e, NULL), SCR_OK);
    int64_t entries = kkt_entry_count(j.kkt);
    jointed_destroy(&j);
    return entries;
}

static void cost_grows_with_the_number_of_links(void **state)
{
    (void)state;
    static const layout layouts[] = {lay_chain, lay_grounded_chain, lay_ring, lay_star, lay_wheel, lay_ladder};
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; ++k) {
        int64_t few = entries_of(layouts[k], 50), many = entries_of(layouts[k], 5000);
        assert_true((double)many < 100.0 * 1.1 * (double)few);
    }
    static const layout through_hubs[] = {lay_loops_through_one, lay_loops_through_two};
    for (size_t k = 0; k < sizeof through_hubs / sizeof *through_hubs; ++k) {
        int64_t few = entries_of(through_hubs[k], 500), many = entries_of(through_hubs[k], 5000);
        assert_true((double)many < 10.0 * 1.1 * (double)few);
    }
}

// One answer for right-hand sides that depend on nothing but their place.
static double *answer(jointed *j, scr_instruction_set set)
{
    int64_t m = 6 * (int64_t)j->body_count, n = m + j->row_count;
    double *x = calloc((size_t)n, sizeof *x);
    for (int64_t i = 0; i < n; ++i) x[i] = i < m ? sin((double)(7 * i)) : 0.0;
    kkt_use(j->kkt, set);
    jointed_factor(j);
    kkt_solve(j->kkt, x, x + m, j->work);
    return x;
}

static void bits_are_the_same_again_and_on_every_processor(void **state)
{
    (void)state;
    draws rng = {10, 0};
    jointed hub = jointed_create(1, 2 * LOOPS);
    add_drawn_body(&hub, &rng);
    for (int i = 0; i < 2 * LOOPS; ++i) add_ball(&hub, 0, GROUND, on_circle(i));
    jointed kinds[] = {ring(46, 5.0), drawn_tree(40, true, 0, &rng), four_bar(), hub};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        jointed *j = &kinds[k];
        double *best = answer(j, SCR_BEST), *again = answer(j, SCR_BEST);
        double *plain = answer(j, SCR_PLAIN);
        size_t bytes = (size_t)(6 * j->body_count + j->row_count) * sizeof *best;
        assert_memory_equal(best, again, bytes);
        assert_memory_equal(best, plain, bytes);
        free(best), free(again), free(plain);
        jointed_destroy(j);
    }
}

// S = k a a^T with a drawn at random for every body of a few, and k (a, -b)(a, -b)^T between two of them.
enum { STIFF_BODIES = 9, STIFF_PAIRS = 2 };
typedef struct contact_stiffness {
    uint8_t is_touched[46];
    double own[46 * BODY_BLOCK], between[STIFF_PAIRS * BODY_BLOCK];
    body_coupling pair[STIFF_PAIRS];
} contact_stiffness;

static void add_outer(double *block, const double *rows, const double *columns, double k)
{
    for (int c = 0; c < 6; ++c)
        for (int r = 0; r < 6; ++r) block[6 * c + r] += k * rows[r] * columns[c];
}

static void draw_stiffness(contact_stiffness *s, draws *rng)
{
    memset(s, 0, sizeof *s);
    double *a = drawn_numbers(rng, 6 * STIFF_BODIES);
    for (int i = 0; i < STIFF_BODIES; ++i) {
        s->is_touched[4 * i] = 1;
        add_outer(s->own + BODY_BLOCK * 4 * i, a + 6 * i, a + 6 * i, drawn(rng, 0.0, 1e4));
    }
    for (int k = 0; k < STIFF_PAIRS; ++k) {  // two that are neighbours in this list, not in the ring
        double stiffness = drawn(rng, 0.0, 1e4), *first = a + 12 * k, *second = first + 6;
        s->pair[k] = (body_coupling){8 * k, 8 * k + 4};
        add_outer(s->own + BODY_BLOCK * 8 * k, first, first, stiffness);
        add_outer(s->own + BODY_BLOCK * (8 * k + 4), second, second, stiffness);
        add_outer(s->between + BODY_BLOCK * k, second, first, -stiffness);
    }
    free(a);
}

static void subtract_product(double *from, const double *block, bool transposed, const double *x)
{
    for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c) from[r] -= block[transposed ? 6 * r + c : 6 * c + r] * x[c];
}

// p - (M + S) v + J^T l of all bodies
static double *momentum_left(const kkt_equations *e, const double *p, const double *v, const double *l)
{
    double *left = calloc(6 * (size_t)e->body_count, sizeof *left);
    for (int32_t i = 0; i < e->body_count; ++i) {
        const double *own = v + 6 * i;
        scr_vec3 spin = mat3_times(&e->body[i].inertia, vec3(own[3], own[4], own[5]));
        const double momentum[6] = {
            e->body[i].mass * own[0], e->body[i].mass * own[1], e->body[i].mass * own[2], spin.x, spin.y, spin.z};
        for (int k = 0; k < 6; ++k) left[6 * i + k] = p[6 * i + k] - momentum[k];
        subtract_product(left + 6 * i, e->stiffness + BODY_BLOCK * i, false, own);
    }
    for (int64_t k = 0; k < e->coupling_count; ++k) {
        int32_t a = e->coupling[k].a, b = e->coupling[k].b;
        subtract_product(left + 6 * b, e->coupling_stiffness + BODY_BLOCK * k, false, v + 6 * a);
        subtract_product(left + 6 * a, e->coupling_stiffness + BODY_BLOCK * k, true, v + 6 * b);
    }
    for (int64_t b = 0; b < e->block_count; ++b)
        for (int64_t a = e->block[b].first_jacobian; a < e->block[b].first_jacobian + e->block[b].jacobian_count; ++a)
            for (int r = 0; r < e->block[b].row_count; ++r)
                for (int k = 0; k < 6; ++k)
                    left[6 * e->jacobian[a].body + k] += e->jacobian[a].row[r][k] * l[e->block[b].first_row + r];
    return left;
}

// Bodies of a ring, some touched by contacts: where nothing but their stiffness is new, the rest of the factors stays,
// and the equations hold as well as if all had been factored anew.
static void new_stiffness_alone_is_enough(void **state)
{
    (void)state;
    draws rng = {12, 0};
    jointed j = ring(46, 5.0);
    contact_stiffness s;
    draw_stiffness(&s, &rng);
    kkt_equations e = jointed_equations(&j);
    e.stiffness = s.own, e.coupling_stiffness = s.between, e.coupling = s.pair, e.coupling_count = STIFF_PAIRS;
    e.is_touched = s.is_touched, e.is_redundant = true;
    assert_int_equal(kkt_order(j.kkt, &e, NULL), SCR_OK);
    double *work = calloc((size_t)kkt_work_count(j.kkt), sizeof *work);
    for (int round = 0; round < 5; ++round) {
        e.is_stiffness_alone = round > 0;
        kkt_factor(j.kkt, &e);
        double *p = drawn_numbers(&rng, 6 * 46), *v = calloc(6 * 46, sizeof *v), *l = calloc(5 * 46, sizeof *l);
        memcpy(v, p, 6 * 46 * sizeof *v);
        kkt_solve(j.kkt, v, l, work);
        double *left = momentum_left(&e, p, v, l);
        for (int i = 0; i < 6 * 46; ++i) assert_within(left[i], 0.0, 1e-7);
        free(p), free(v), free(l), free(left);
        draw_stiffness(&s, &rng);
    }
    free(work);
    jointed_destroy(&j);
}

// That the last rows of hinges only turn, and that bodies have no momentum, may be said or not: work is saved, and the
// answer stays what it is.
static void what_is_nothing_may_be_left_out(void **state)
{
    (void)state;
    enum { LINKS = 46, BODY_COUNT = 6 * LINKS, ROW_COUNT = 5 * LINKS };
    draws rng = {13, 0};
    jointed known = ring(LINKS, 5.0), unknown = ring(LINKS, 5.0);
    for (int64_t b = 0; b < unknown.block_count; ++b) unknown.block[b].turning_count = 0;
    jointed_factor(&known);
    jointed_factor(&unknown);
    double v[3][BODY_COUNT] = {0}, l[3][ROW_COUNT], *c = drawn_rates(&known, &rng);
    for (int k = 0; k < 3; ++k) memcpy(l[k], c, sizeof l[k]);
    for (int i = 0; i < BODY_COUNT; ++i) v[2][i] = 1.0 + i;  // not looked at
    kkt_solve(known.kkt, v[0], l[0], known.work);
    kkt_solve(unknown.kkt, v[1], l[1], unknown.work);
    for (int64_t i = 0; i < kkt_work_count(known.kkt); ++i) known.work[i] = 1.0;
    kkt_solve_rows(known.kkt, v[2], l[2], known.work);
    for (int k = 1; k < 3; ++k) {
        for (int i = 0; i < BODY_COUNT; ++i) assert_true(v[k][i] == v[0][i]);
        for (int i = 0; i < ROW_COUNT; ++i) assert_true(l[k][i] == l[0][i]);
    }
    free(c);
    jointed_destroy(&known);
    jointed_destroy(&unknown);
}

static void only_ordering_allocates_and_may_fail(void **state)
{
    (void)state;
    jointed j = ring(10, 1.0);
    kkt_equations e = jointed_equations(&j);
    scr_status status = SCR_OK;
    int64_t failures = -1;
    do {
        scr_fail_allocation_in(++failures);
        status = kkt_order(j.kkt, &e, NULL);
        scr_fail_allocation_in(-1);
    } while (status != SCR_OK);
    assert_true(failures > 10);
    jointed_factor(&j);
    int64_t before = scr_allocation_count();
    double p[60] = {1.0}, c[50] = {0};
    kkt_factor(j.kkt, &e);
    kkt_solve(j.kkt, p, c, j.work);
    assert_int_equal(scr_allocation_count(), before);
    jointed_destroy(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_agree_with_dense_elimination),
        cmocka_unit_test(loops_agree_with_dense_elimination),
        cmocka_unit_test(hubs_agree_with_dense_elimination),
        cmocka_unit_test(gears_agree_with_dense_elimination),
        cmocka_unit_test(compliant_and_open_rows_agree_with_dense_elimination),
        cmocka_unit_test(hub_on_the_ground_agrees_with_dense_elimination),
        cmocka_unit_test(two_hubs_agree_with_dense_elimination),
        cmocka_unit_test(four_bar_has_three_redundant_rows_and_least_impulses),
        cmocka_unit_test(ring_of_parallel_hinges_has_three_redundant_rows),
        cmocka_unit_test(contradictions_have_no_effect),
        cmocka_unit_test(hanging_chain_bears_a_heavy_tip),
        cmocka_unit_test(cost_grows_with_the_number_of_links),
        cmocka_unit_test(bits_are_the_same_again_and_on_every_processor),
        cmocka_unit_test(new_stiffness_alone_is_enough),
        cmocka_unit_test(what_is_nothing_may_be_left_out),
        cmocka_unit_test(only_ordering_allocates_and_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
