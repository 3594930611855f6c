// SPDX-License-Identifier: BSD-3-Clause
// Pairs of grains by the kernels: the law of sphere_pairs.h, and the same bits from every instruction set.
#include "check.h"

#include <string.h>

#include "collision/contacts/contacts.h"
#include "collision/contacts/sphere_pairs.h"
#include "core/maths/rng.h"

enum { BALLS = 64 };

static ball balls[BALLS];
static float closing[BALLS];

static double draw(uint64_t k, double low, double high) { return low + (high - low) * scr_uniform(11, 1, k); }

// Some that touch, some apart, some with one centre; far from the origin, where digits are few.
static grain_pairs some_pairs(uint64_t round, int count)
{
    double far = round % 3 == 0 ? 1e6 : 0.0;
    for (uint64_t i = 0; i < BALLS; ++i) {
        uint64_t k = 1000 * round + 8 * i;
        balls[i] = (ball){far + draw(k, 0, 4), draw(k + 1, 0, 4), draw(k + 2, 0, 4), draw(k + 3, 0.2, 1.0)};
        closing[i] = i % 5 == 0 ? INFINITY : (float)draw(k + 4, 0.0, 0.3);
    }
    balls[7] = balls[9];
    grain_pairs p = {.ball = balls, .closing = closing, .envelope = 0.02, .count = count};
    for (int k = 0; k < count; ++k) {
        p.a[k] = k % 11 == 0 ? 7 : (int32_t)draw(90000 + 2 * (uint64_t)k, 0, BALLS);
        p.b[k] = k % 11 == 0 ? 9 : (int32_t)draw(90001 + 2 * (uint64_t)k, 0, BALLS);
    }
    for (int k = count; k % PAIR_LANES != 0; ++k) p.a[k] = p.a[0], p.b[k] = p.b[0];
    return p;
}

enum { APART, TOUCH, UNDECIDED };

static int expected_of(const grain_pairs *p, int k)
{
    const ball *a = &balls[p->a[k]], *b = &balls[p->b[k]];
    double d = vec3_norm(vec3(b->x - a->x, b->y - a->y, b->z - a->z)), near = a->r + b->r + 0.02 * fmin(a->r, b->r);
    double far = near + (double)closing[p->a[k]] + (double)closing[p->b[k]];
    if (p->is_other[k / 64] >> k % 64 & 1) return UNDECIDED;
    return d < near ? TOUCH : d < far ? UNDECIDED : APART;
}

// Some pairs are not of two grains.
static void mark_some(grain_pairs *p)
{
    for (int k = 0; k < p->count; k += 7) p->is_other[k / 64] |= (uint64_t)1 << k % 64;
}

static sifted_pairs room_for_pairs(int32_t a[PAIR_BLOCK + PAIR_LANES], int32_t b[PAIR_BLOCK + PAIR_LANES])
{
    return (sifted_pairs){.a = a, .b = b};
}

static void pairs_are_sifted_in_their_order(void **state)
{
    (void)state;
    int seen[3] = {0};
    for (uint64_t round = 0; round < 20; ++round) {
        grain_pairs p = some_pairs(round, round % 2 == 0 ? PAIR_BLOCK : 37);
        int32_t a[PAIR_BLOCK + PAIR_LANES], b[PAIR_BLOCK + PAIR_LANES];
        sifted_pairs out = room_for_pairs(a, b);
        double deepest = 0.0;
        int64_t at = 0, undecided = 0;
        if (round % 3 == 0) mark_some(&p);
        KERNEL_FOR(true, pair_kernels)->sift(&p, NULL, &out);
        for (int k = 0; k < p.count; ++k) {
            int expected = expected_of(&p, k);
            ++seen[expected];
            if (expected == APART) continue;
            assert_int_equal(a[at], p.a[k]);
            assert_int_equal(b[at], expected == TOUCH ? p.b[k] : ~p.b[k]);
            ++at;
            undecided += expected == UNDECIDED;
            if (expected == TOUCH) deepest = fmax(deepest, -geometry_between(&balls[p.a[k]], &balls[p.b[k]]).gap);
        }
        assert_int_equal(out.count, at);
        assert_int_equal(out.undecided, undecided);
        assert_true(out.deepest == deepest);
    }
    assert_true(seen[APART] > 50 && seen[TOUCH] > 50 && seen[UNDECIDED] > 50);
}

static void kernels_follow_the_law(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 20; ++round) {
        grain_pairs p = some_pairs(round, round % 2 == 0 ? PAIR_BLOCK : 37);
        pair_frames places;
        KERNEL_FOR(true, pair_kernels)->place(&p, &places);
        for (int k = 0; k < p.count; ++k) {
            const ball *a = &balls[p.a[k]], *b = &balls[p.b[k]];
            scr_vec3 between = vec3(b->x - a->x, b->y - a->y, b->z - a->z);
            double d = vec3_norm(between);
            assert_within(places.gap[k], d - a->r - b->r, 1e-15);
            scr_vec3 n = vec3(places.normal[3 * k], places.normal[3 * k + 1], places.normal[3 * k + 2]);
            scr_vec3 exact = d > 0.0 ? vec3_scale(1.0 / d, between) : vec3(0.0, 0.0, 1.0);
            assert_within(vec3_norm(vec3_sub(n, exact)), 0.0, 1e-15);
            contact_geometry single = geometry_between(a, b);
            assert_true(single.gap == places.gap[k] && single.normal.x == n.x && single.normal.y == n.y);
            assert_true(single.normal.z == n.z);
        }
    }
}

enum { SOME_BODIES = 7 };

// Bodies of two balls each and more, in motion.
static pair_motion some_motion(uint64_t round, body_motion motion[SOME_BODIES], int32_t body[BALLS])
{
    for (int i = 0; i < SOME_BODIES; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            double u[2];
            scr_uniform2(29, round, (uint64_t)(3 * i + axis), u);
            motion[i].v[axis] = 4.0 * u[0] - 2.0, motion[i].w[axis] = 4.0 * u[1] - 2.0;
        }
    for (int i = 0; i < BALLS; ++i) body[i] = i % SOME_BODIES;
    return (pair_motion){motion, body, 0.3, 0.6};
}

// The gap closes by what comes nearer and by what friction makes of sliding: velocities at the point midway.
static double left_of_gap(const grain_pairs *p, const pair_motion *m, int k)
{
    const ball *a = &balls[p->a[k]], *b = &balls[p->b[k]];
    contact_geometry at = geometry_between(a, b);
    twist t_a = motion_twist(&m->motion[m->body[p->a[k]]]), t_b = motion_twist(&m->motion[m->body[p->b[k]]]);
    scr_vec3 v_a = point_velocity(t_a, vec3_scale(a->r + 0.5 * at.gap, at.normal));
    scr_vec3 v_b = point_velocity(t_b, vec3_scale(-(b->r + 0.5 * at.gap), at.normal)), u = vec3_sub(v_b, v_a);
    double un = vec3_dot(u, at.normal), slide = vec3_norm(vec3_add_scaled(u, -un, at.normal));
    double near = p->envelope * fmin(a->r, b->r);
    return at.gap - near - m->time_step * (fmax(0.0, -un) + m->max_friction * slide);
}

// With velocities none of two grains is left undecided.
static void gaps_close_by_approach_and_sliding(void **state)
{
    (void)state;
    int seen[2] = {0};
    for (uint64_t round = 0; round < 20; ++round) {
        grain_pairs p = some_pairs(round, round % 2 == 0 ? PAIR_BLOCK : 37);
        body_motion motion[SOME_BODIES];
        int32_t body[BALLS], a[PAIR_BLOCK + PAIR_LANES], b[PAIR_BLOCK + PAIR_LANES];
        pair_motion m = some_motion(round, motion, body);
        sifted_pairs out = room_for_pairs(a, b);
        int64_t at = 0;
        if (round % 4 == 0) mark_some(&p);
        KERNEL_FOR(true, pair_kernels)->sift(&p, &m, &out);
        for (int k = 0; k < p.count; ++k) {
            bool is_other = p.is_other[k / 64] >> k % 64 & 1, is_open = !is_other && expected_of(&p, k) == UNDECIDED;
            double left = is_open ? left_of_gap(&p, &m, k) : 0.0;
            if (is_open && fabs(left) < 1e-12) {  // a close call
                at += at < out.count && a[at] == p.a[k] && b[at] == p.b[k];
                continue;
            }
            if (is_open) ++seen[left < 0.0];
            if (is_open ? left > 0.0 : expected_of(&p, k) == APART) continue;
            assert_int_equal(a[at], p.a[k]);
            assert_int_equal(b[at++], is_other ? ~p.b[k] : p.b[k]);
        }
        assert_int_equal(out.count, at);
    }
    assert_true(seen[0] > 50 && seen[1] > 50);
}

static void every_instruction_set_gives_the_same_bits(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 20; ++round) {
        grain_pairs p = some_pairs(round, PAIR_BLOCK);
        int32_t a[2][PAIR_BLOCK + PAIR_LANES], b[2][PAIR_BLOCK + PAIR_LANES];
        sifted_pairs out[2] = {room_for_pairs(a[0], b[0]), room_for_pairs(a[1], b[1])};
        static pair_frames places[2];
        body_motion motion[SOME_BODIES];
        int32_t body[BALLS];
        pair_motion m = some_motion(round, motion, body);
        mark_some(&p);
        pair_kernels_plain.sift(&p, round % 2 == 0 ? &m : NULL, &out[0]);
        KERNEL_FOR(true, pair_kernels)->sift(&p, round % 2 == 0 ? &m : NULL, &out[1]);
        pair_kernels_plain.place(&p, &places[0]);
        KERNEL_FOR(true, pair_kernels)->place(&p, &places[1]);
        assert_int_equal(out[0].count, out[1].count);
        assert_memory_equal(a[0], a[1], (size_t)out[0].count * sizeof *a[0]);
        assert_memory_equal(b[0], b[1], (size_t)out[0].count * sizeof *b[0]);
        assert_true(out[0].undecided == out[1].undecided && out[0].deepest == out[1].deepest);
        assert_memory_equal(&places[0], &places[1], sizeof *places);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_sifted_in_their_order),
        cmocka_unit_test(kernels_follow_the_law),
        cmocka_unit_test(gaps_close_by_approach_and_sliding),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
