// SPDX-License-Identifier: BSD-3-Clause
// Reduction: few contacts of those found, spread over them, with the deepest, the same from step to step; everything
// else stays as it was.
#include "collision/contacts/reduction.h"

#include "crowd.h"

static const double TIME_STEP = 1e-3, ENVELOPE = 0.02, FRICTION = 0.5;
static const double RADIUS = 0.01;  // m, of the spheres that bodies are made of

// ---- crowds whose bodies meet in many points ----

// A body whose underside is a grid of spheres; heights vary by roughness.
static void add_foot(crowd *w, bool dynamic, scr_vec3 at, scr_quat rotation, int nx, int ny, double pitch,
                     double roughness, draws *d)
{
    int32_t body = add_body(w, dynamic, at, rotation);
    for (int k = 0; k < nx * ny; ++k) {
        scr_shape sphere = scr_sphere(RADIUS, (scr_material){1});
        sphere.position = vec3(pitch * (k % nx - 0.5 * (nx - 1)), pitch * (k / nx - 0.5 * (ny - 1)), 0.0);
        sphere.position.z = draw(d, 0.0, roughness);
        add_shape(w, body, &sphere);
    }
}

// Feet of several forms on a plane and on a bed of spheres, boxes and grains among them.
static crowd *make_feet(uint64_t seed)
{
    crowd *w = crowd_create();
    draws d = {seed, 0};
    add_plane(w, vec3(0.0, 0.0, 0.0), QUAT_IDENTITY);
    add_foot(w, false, vec3(0.0, 1.0, 0.0), QUAT_IDENTITY, 25, 12, 1.9 * RADIUS, 1e-4, &d);
    for (int k = 0; k < 6; ++k) {
        scr_quat rotation = quat_unit((scr_quat){1.0, 0.0, 0.0, draw(&d, -1.0, 1.0)});
        add_foot(w, true, vec3(0.5 * k, -0.5, RADIUS - 5e-5), rotation, 3 + 3 * k, 12 - 2 * k, 2.5 * RADIUS, 1e-4, &d);
    }
    add_foot(w, true, vec3(0.013, 1.004, 1.7 * RADIUS), QUAT_IDENTITY, 10, 7, 2.2 * RADIUS, 1e-4, &d);
    for (int k = 0; k < 40; ++k) add_grain(w, true, vec3(0.02 * k - 0.4, 1.0, 1.9 * RADIUS), RADIUS);
    for (int k = 0; k < 10; ++k)
        add_box(w, true, vec3(0.1 * k, 2.0, 0.02), QUAT_IDENTITY, vec3(0.049, 0.03, 0.02 + draw(&d, 0.0, 1e-5)));
    shuffle_ids(w, &d);
    return w;
}

typedef struct detection {
    neighbours list;
    contacts set;
    contact_cache cache;
    scr_arena scratch;
} detection;

static void detection_init(detection *d)
{
    *d = (detection){0};
    contact_cache_init(&d->cache);
}

static double gap_of(const detection *d, const crowd *w, int64_t i)
{
    return contact_geometry_of(&d->set, &w->c, i).gap;
}

static void detection_free(detection *d)
{
    neighbours_free(&d->list);
    contacts_free(&d->set);
    contact_cache_free(&d->cache);
    scr_arena_free(&d->scratch);
}

static void find(detection *d, crowd *w, int threads)
{
    scr_error error;
    place(w, threads);
    set_motion(w, TIME_STEP, ENVELOPE, FRICTION);
    neighbour_motion given = {.reach = w->reach, .travel = w->travel, .is_moved = w->is_moved};
    approach speeds = crowd_approach(w, TIME_STEP, ENVELOPE, FRICTION);
    must(neighbours_update(&d->list, &w->c, &given, threads, &error), &error);
    must(contacts_find(&d->set, &w->c, &d->list, &speeds, threads, &error), &error);
}

static void reduce(detection *d, crowd *w, reduction_rule rule, int threads)
{
    scr_error error;
    approach speeds = crowd_approach(w, TIME_STEP, ENVELOPE, FRICTION);
    must(contacts_reduce(&d->set, &w->c, &d->cache, &speeds, &rule, &d->scratch, threads, &error), &error);
}

static void remember(detection *d, const crowd *w)
{
    scr_error error;
    for (int64_t k = 0; k < 3 * d->set.count; ++k) d->set.impulse[k] = d->set.previous[k] = 0.0f;
    for (int64_t k = 0; k < d->set.count; ++k) d->set.allowance[k] = 0.0f;
    must(contact_cache_remember(&d->cache, &d->set, w->c.table.count, 1, &error), &error);
}

// ---- the laws ----

static bool same_bodies(const crowd *w, const contacts *x, int64_t i, const contacts *y, int64_t j)
{
    int32_t a = w->c.body[x->a[i]], b = w->c.body[x->b[i]], c = w->c.body[y->a[j]], d = w->c.body[y->b[j]];
    return (a == c && b == d) || (a == d && b == c);
}

static int64_t pair_count(const crowd *w, const contacts *set, const contacts *of, int64_t i)
{
    int64_t count = 0;
    for (int64_t k = 0; k < set->count; ++k) count += same_bodies(w, of, i, set, k);
    return count;
}

static void check_same_contact(const crowd *w, const contacts *x, int64_t i, const contacts *y, int64_t j)
{
    assert_true(x->a[i] == y->a[j] && x->b[i] == y->b[j]);
    assert_same_geometry(contact_geometry_of(x, &w->c, i), contact_geometry_of(y, &w->c, j));
}

static int compare_contacts(const contacts *x, int64_t i, const contacts *y, int64_t j)
{
    if (x->a[i] != y->a[j]) return x->a[i] < y->a[j] ? -1 : 1;
    if (x->b[i] != y->b[j]) return x->b[i] < y->b[j] ? -1 : 1;
    uint32_t left = contact_feature(x, i), right = contact_feature(y, j);
    return left < right ? -1 : left > right;
}

// The reduced set holds contacts of the full one, in its order, and all that belongs to them.
static void check_subset(const crowd *w, const contacts *full, const contacts *few)
{
    int64_t at = 0, kept = 0, general = 0;
    for (int64_t i = 0; i < few->count; ++i, ++at) {
        while (at < full->count && compare_contacts(full, at, few, i) < 0) ++at;
        assert_true(at < full->count);
        check_same_contact(w, full, at, few, i);
        assert_true(few->start[few->a[i]] <= i && i < few->start[few->a[i] + 1]);
        kept += few->kept[i] != BETWEEN_GRAINS;
        general += !contact_is_central(few, i);
    }
    assert_int_equal(kept, few->kept_count);
    assert_int_equal(general, few->general_count);
    assert_int_equal(few->start[w->c.table.count], few->count);
    assert_true(few->max_penetration == full->max_penetration);
}

static void check_counts(const crowd *w, const contacts *full, const contacts *few, reduction_rule rule)
{
    for (int64_t i = 0; i < full->count; ++i) {
        int64_t all = pair_count(w, full, full, i), kept = pair_count(w, few, full, i);
        assert_int_equal(kept, rule.max_per_pair == 0 || all <= rule.max_per_pair ? all : rule.max_per_pair);
        if (rule.kind == SCR_REDUCE_RANDOM) continue;
        double deepest = INFINITY, deepest_kept = INFINITY;
        for (int64_t k = 0; k < full->count; ++k)
            if (same_bodies(w, full, i, full, k)) deepest = fmin(deepest, contact_geometry_of(full, &w->c, k).gap);
        for (int64_t k = 0; k < few->count; ++k)
            if (same_bodies(w, full, i, few, k))
                deepest_kept = fmin(deepest_kept, contact_geometry_of(few, &w->c, k).gap);
        assert_true(deepest_kept == deepest);
    }
}

static void every_pair_keeps_so_many_and_its_deepest(void **state)
{
    (void)state;
    const int max[] = {0, 1, 2, 3, 7, 8, 20, 1000};
    crowd *w = make_feet(5);
    detection full, few;
    detection_init(&full);
    find(&full, w, 1);
    assert_true(full.set.count > 500);
    for (int k = 0; k < 8; ++k) {
        for (int kind = SCR_REDUCE_SPREAD; kind <= SCR_REDUCE_RANDOM; ++kind) {
            reduction_rule rule = {max[k], (scr_reduction)kind, 77};
            detection_init(&few);
            find(&few, w, 2);
            reduce(&few, w, rule, 2);
            check_subset(w, &full.set, &few.set);
            check_counts(w, &full.set, &few.set, rule);
            detection_free(&few);
        }
    }
    detection_free(&full);
    crowd_destroy(w);
}

static void the_number_of_threads_changes_nothing(void **state)
{
    (void)state;
    for (int kind = SCR_REDUCE_SPREAD; kind <= SCR_REDUCE_RANDOM; ++kind) {
        crowd *w = make_feet(6);
        detection one;
        detection_init(&one);
        for (uint64_t step = 0; step < 2; ++step) {  // the second time with a memory
            reduction_rule rule = {4, (scr_reduction)kind, step};
            for (int threads = 2; threads <= 4; ++threads) {
                detection many;
                detection_init(&many);
                if (step > 0) {
                    scr_error error;
                    must(contact_cache_remember(&many.cache, &one.set, w->c.table.count, 1, &error), &error);
                }
                find(&many, w, threads);
                reduce(&many, w, rule, threads);
                find(&one, w, 1);
                reduce(&one, w, rule, 1);
                assert_int_equal(many.set.count, one.set.count);
                check_subset(w, &one.set, &many.set);
                detection_free(&many);
            }
            remember(&one, w);
        }
        detection_free(&one);
        crowd_destroy(w);
    }
}

// How far the contacts of pair i reach in a direction.
static double support(const crowd *w, const contacts *set, scr_vec3 direction)
{
    double reach = -INFINITY;
    for (int64_t i = 0; i < set->count; ++i) reach = fmax(reach, vec3_dot(contact_point_of(set, &w->c, i), direction));
    return reach;
}

// The least ratio, over directions in the floor, of the width of the kept to the width of all.
static double least_width(const crowd *w, const contacts *full, const contacts *few)
{
    double least = INFINITY;
    for (int k = 0; k < 64; ++k) {
        double angle = 3.14159265358979 * k / 64.0;
        scr_vec3 u = vec3(cos(angle), sin(angle), 0.0), v = vec3_neg(u);
        least = fmin(least, (support(w, few, u) + support(w, few, v)) / (support(w, full, u) + support(w, full, v)));
    }
    return least;
}

static crowd *make_one_foot(int nx, int ny, double pitch, double turned, double roughness, uint64_t seed)
{
    crowd *w = crowd_create();
    draws d = {seed, 0};
    add_plane(w, vec3(0.0, 0.0, 0.0), QUAT_IDENTITY);
    scr_quat rotation = {cos(0.5 * turned), 0.0, 0.0, sin(0.5 * turned)};
    add_foot(w, true, vec3(0.3, 0.2, RADIUS - 1e-4), rotation, nx, ny, pitch, roughness, &d);
    return w;
}

// Any foot, wide or narrow, stands as broad on its kept contacts as on all of them.
static void the_kept_stand_as_wide_as_all(void **state)
{
    (void)state;
    const int form[][2] = {{20, 20}, {40, 10}, {60, 4}, {80, 2}, {7, 5}};
    for (int k = 0; k < 5; ++k) {
        for (uint64_t seed = 0; seed < 8; ++seed) {
            crowd *w = make_one_foot(form[k][0], form[k][1], 2.0 * RADIUS, 0.7 * (double)seed, 1e-5, seed);
            detection full, few;
            detection_init(&full), detection_init(&few);
            find(&full, w, 1);
            find(&few, w, 1);
            assert_int_equal(full.set.count, form[k][0] * form[k][1]);
            reduce(&few, w, (reduction_rule){8, SCR_REDUCE_SPREAD, 0}, 1);
            double width = least_width(w, &full.set, &few.set);
            if (width < 0.9)
                fail_msg("%d x %d, turned by %g: %g of the width", form[k][0], form[k][1], 0.7 * (double)seed, width);
            detection_free(&full), detection_free(&few);
            crowd_destroy(w);
        }
    }
}

// On a flat square all that counts is distance: of the kept (but for the deepest, which may lie anywhere) and the
// centre, no two are nearer to each other than the worst served contact is to them.
static void the_kept_are_farthest_points(void **state)
{
    (void)state;
    const scr_vec3 centre = {0.3, 0.2, -5e-5};
    for (int max = 2; max < 30; ++max) {
        crowd *w = make_one_foot(20, 20, 2.0 * RADIUS, 0.3, 1e-7, (uint64_t)max);
        detection full, few;
        detection_init(&full), detection_init(&few);
        find(&full, w, 1);
        find(&few, w, 1);
        reduce(&few, w, (reduction_rule){max, SCR_REDUCE_SPREAD, 0}, 1);
        scr_vec3 mark[30] = {centre};
        int marks = 1;
        int64_t deepest = 0;
        for (int64_t i = 1; i < few.set.count; ++i)
            if (gap_of(&few, w, i) < gap_of(&few, w, deepest)) deepest = i;
        for (int64_t i = 0; i < few.set.count; ++i)
            if (i != deepest) mark[marks++] = contact_point_of(&few.set, &w->c, i);
        double apart = INFINITY, uncovered = 0.0;
        for (int64_t i = 0; i < full.set.count; ++i) {
            double nearest =
                vec3_norm(vec3_sub(contact_point_of(&full.set, &w->c, i), contact_point_of(&few.set, &w->c, deepest)));
            for (int k = 0; k < marks; ++k)
                nearest = fmin(nearest, vec3_norm(vec3_sub(contact_point_of(&full.set, &w->c, i), mark[k])));
            uncovered = fmax(uncovered, nearest);
        }
        for (int i = 0; i < marks; ++i)
            for (int k = 0; k < i; ++k) apart = fmin(apart, vec3_norm(vec3_sub(mark[i], mark[k])));
        if (!(apart >= uncovered * (1.0 - 1e-3))) fail_msg("%d kept: %g apart, %g uncovered", max, apart, uncovered);
        detection_free(&full), detection_free(&few);
        crowd_destroy(w);
    }
}

// A block of many spheres stands on a floor, with a peg in its middle: the four that touch the peg from its four sides
// are as needed as the hundreds on the floor, though they are where nothing else would be kept.
static void every_direction_is_represented(void **state)
{
    (void)state;
    enum { SIDE = 17, MIDDLE = SIDE * SIDE / 2 };
    crowd *w = crowd_create();
    draws d = {3, 0};
    scr_shape floor = scr_plane((scr_material){1}), peg = scr_box(vec3(RADIUS, RADIUS, RADIUS), (scr_material){1});
    peg.position.z = RADIUS;
    int32_t ground = add_body(w, false, vec3(0.0, 0.0, 0.0), QUAT_IDENTITY);
    add_shape(w, ground, &floor);
    add_shape(w, ground, &peg);
    int32_t block = add_body(w, true, vec3(0.0, 0.0, RADIUS), QUAT_IDENTITY);
    for (int k = 0; k < SIDE * SIDE; ++k) {
        scr_shape sphere = scr_sphere(RADIUS, (scr_material){1});
        sphere.position =
            vec3(2.0 * RADIUS * (k % SIDE - SIDE / 2), 2.0 * RADIUS * (k / SIDE - SIDE / 2), draw(&d, 0.0, 1e-6));
        if (k != MIDDLE) add_shape(w, block, &sphere);
    }
    detection found;
    detection_init(&found);
    find(&found, w, 1);
    assert_int_equal(found.set.count, SIDE * SIDE - 1 + 4);
    reduce(&found, w, (reduction_rule){8, SCR_REDUCE_SPREAD, 0}, 1);
    int towards[6] = {0};
    for (int64_t i = 0; i < found.set.count; ++i) {
        scr_vec3 normal = contact_geometry_of(&found.set, &w->c, i).normal;
        const double n[3] = {normal.x, normal.y, normal.z};
        for (int axis = 0; axis < 3; ++axis) {
            towards[2 * axis] += n[axis] > 0.9;
            towards[2 * axis + 1] += n[axis] < -0.9;
        }
    }
    for (int side = 0; side < 4; ++side) assert_int_equal(towards[side], 1);
    assert_int_equal(towards[4] + towards[5], 4);
    detection_free(&found);
    crowd_destroy(w);
}

static uint64_t chosen_key(const contacts *set)
{
    uint64_t key = 0;
    for (int64_t i = 0; i < set->count; ++i)
        key = key * 0x9E3779B97F4A7C15u + (uint64_t)(set->a[i] * 4096 + set->b[i]) + contact_feature(set, i);
    return key;
}

// A body at rest trembles by rounding and a little more; its contacts are the same ones all the time.
static void a_trembling_foot_keeps_its_contacts(void **state)
{
    (void)state;
    crowd *w = make_one_foot(20, 20, 2.0 * RADIUS, 0.3, 0.0, 1);
    detection d;
    detection_init(&d);
    find(&d, w, 1);
    reduce(&d, w, (reduction_rule){8, SCR_REDUCE_SPREAD, 0}, 1);
    remember(&d, w);
    uint64_t first = chosen_key(&d.set);
    draws shake = {9, 0};
    for (int k = 0; k < 100; ++k) {
        w->x[1] = 0.3 + draw(&shake, -1e-6, 1e-6), w->z[1] = RADIUS - 1e-4 + draw(&shake, -1e-6, 1e-6);
        w->qx[1] = draw(&shake, -1e-5, 1e-5), w->qy[1] = draw(&shake, -1e-5, 1e-5);
        find(&d, w, 1);
        reduce(&d, w, (reduction_rule){8, SCR_REDUCE_SPREAD, (uint64_t)k}, 1);
        remember(&d, w);
        assert_true(chosen_key(&d.set) == first);
    }
    detection_free(&d);
    crowd_destroy(w);
}

// Half of the foot is in the air at first: its contacts are on one side. When it comes down they spread at once.
static void a_set_that_has_become_poor_is_left(void **state)
{
    (void)state;
    crowd *w = make_one_foot(20, 20, 2.0 * RADIUS, 0.0, 0.0, 1);
    detection full, few;
    detection_init(&full), detection_init(&few);
    w->qy[1] = 0.004;
    for (int down = 0; down <= 1; ++down) {
        if (down) w->qy[1] = 0.0;
        w->z[1] = RADIUS - 1e-4 + 2.0 * 0.19 * w->qy[1];
        find(&full, w, 1);
        find(&few, w, 1);
        reduce(&few, w, (reduction_rule){8, SCR_REDUCE_SPREAD, 0}, 1);
        remember(&few, w);
        double ratio = (double)full.set.count / 400.0;
        if (down) assert_true(ratio == 1.0);
        else assert_true(ratio < 0.6);
    }
    assert_true(least_width(w, &full.set, &few.set) > 0.9);
    detection_free(&full), detection_free(&few);
    crowd_destroy(w);
}

// What is about to touch counts, not what touches and leaves: a foot that tips over keeps the side it falls on.
static void the_coming_side_is_kept(void **state)
{
    (void)state;
    crowd *w = make_one_foot(20, 20, 2.0 * RADIUS, 0.0, 0.0, 1);
    detection d;
    detection_init(&d);
    w->wy[1] = 20.0;  // the far side, +x, comes down; the other lifts off by more than the envelope in a step
    find(&d, w, 1);
    reduce(&d, w, (reduction_rule){1, SCR_REDUCE_SPREAD, 0}, 1);
    assert_int_equal(d.set.count, 1);
    assert_true(contact_point_of(&d.set, &w->c, 0).x > 0.3 + 0.18);
    detection_free(&d);
    crowd_destroy(w);
}

// A random subset is another one in every step, and every contact has the same chance.
static void random_subsets_are_fair(void **state)
{
    (void)state;
    enum { ROUNDS = 2000, ALL = 40, KEPT = 8 };
    crowd *w = make_one_foot(8, 5, 2.0 * RADIUS, 0.3, 0.0, 1);
    detection d;
    detection_init(&d);
    int drawn[CROWD_MAX] = {0}, repeated = 0;
    uint64_t last = 0;
    for (uint64_t step = 0; step < ROUNDS; ++step) {
        find(&d, w, 1);
        reduce(&d, w, (reduction_rule){KEPT, SCR_REDUCE_RANDOM, step}, 1);
        assert_int_equal(d.set.count, KEPT);
        for (int64_t i = 0; i < KEPT; ++i) ++drawn[d.set.a[i]];
        repeated += chosen_key(&d.set) == last;
        last = chosen_key(&d.set);
    }
    assert_int_equal(repeated, 0);
    // Binomial: mean 400, standard deviation 18; of 40 numbers none is five deviations off.
    for (int64_t k = 1; k <= ALL; ++k) assert_within(drawn[k], ROUNDS * KEPT / ALL, 90.0);
    detection_free(&d);
    crowd_destroy(w);
}

// A bed of grains and single convex shapes is not even looked at.
static void a_plain_bed_costs_nothing(void **state)
{
    (void)state;
    crowd *w = crowd_create();
    detection d;
    detection_init(&d);
    add_plane(w, vec3(0.0, 0.0, 0.0), QUAT_IDENTITY);
    for (int k = 0; k < 100; ++k) add_grain(w, true, vec3(0.02 * (k % 10), 0.02 * (k / 10), RADIUS), RADIUS);
    for (int k = 0; k < 10; ++k) add_box(w, true, vec3(0.1 * k, 2.0, 0.02), QUAT_IDENTITY, vec3(0.05, 0.03, 0.02));
    find(&d, w, 1);
    contacts before = d.set;
    scr_arena none = {0};
    scr_error error;
    approach speeds = crowd_approach(w, TIME_STEP, ENVELOPE, FRICTION);
    reduction_rule rule = {8, SCR_REDUCE_SPREAD, 0};
    int64_t allocations = scr_allocation_count();
    must(contacts_reduce(&d.set, &w->c, &d.cache, &speeds, &rule, &none, 1, &error), &error);
    assert_int_equal(scr_allocation_count(), allocations);
    assert_memory_equal(&d.set, &before, sizeof before);
    detection_free(&d);
    crowd_destroy(w);
}

static void running_out_of_memory_is_reported(void **state)
{
    (void)state;
    crowd *w = make_one_foot(20, 20, 2.0 * RADIUS, 0.3, 0.0, 1);
    detection d;
    detection_init(&d);
    find(&d, w, 1);
    int64_t count = d.set.count;
    scr_arena none = {0};
    scr_error error;
    approach speeds = crowd_approach(w, TIME_STEP, ENVELOPE, FRICTION);
    reduction_rule rule = {8, SCR_REDUCE_SPREAD, 0};
    scr_fail_allocation_in(0);
    scr_status status = contacts_reduce(&d.set, &w->c, &d.cache, &speeds, &rule, &none, 1, &error);
    scr_fail_allocation_in(-1);
    assert_int_equal(status, SCR_NO_MEMORY);
    assert_int_equal(d.set.count, count);
    detection_free(&d);
    crowd_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_keeps_so_many_and_its_deepest),
        cmocka_unit_test(the_number_of_threads_changes_nothing),
        cmocka_unit_test(the_kept_stand_as_wide_as_all),
        cmocka_unit_test(the_kept_are_farthest_points),
        cmocka_unit_test(every_direction_is_represented),
        cmocka_unit_test(a_trembling_foot_keeps_its_contacts),
        cmocka_unit_test(a_set_that_has_become_poor_is_left),
        cmocka_unit_test(the_coming_side_is_kept),
        cmocka_unit_test(random_subsets_are_fair),
        cmocka_unit_test(a_plain_bed_costs_nothing),
        cmocka_unit_test(running_out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
