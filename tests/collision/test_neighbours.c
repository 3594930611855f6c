// SPDX-License-Identifier: BSD-3-Clause
// Neighbour lists: every pair that may touch, once, in its owner's row; complete as long as they say they are; and
// never to be noticed in what is found with them.
#include "collision/broad/neighbours.h"

#include <string.h>

#include "arrangements.h"

enum { SEEDS = 3 };

static void update(neighbours *list, crowd *w, int threads)
{
    scr_error error;
    neighbour_motion given = {.reach = w->reach, .travel = w->travel, .is_moved = w->is_moved};
    must(neighbours_update(list, &w->c, &given, threads, &error), &error);
}

static bool row_holds(const neighbours *list, int64_t i, int64_t j)
{
    for (int64_t k = list->start[i]; k < list->start[i + 1]; ++k)
        if (list->other[k] == j) return true;
    return false;
}

static void check_that_rows_are_ordered(const neighbours *list, const crowd *w)
{
    int64_t n = w->c.table.count;
    assert_true(list->valid);
    if (n == 0) return;
    assert_int_equal(list->start[0], 0);
    for (int64_t i = 0; i < n; ++i) {
        assert_true(list->start[i] <= list->start[i + 1]);
        for (int64_t k = list->start[i]; k < list->start[i + 1]; ++k) {
            int32_t j = list->other[k];
            assert_true(j >= 0 && j < n);
            if (k > list->start[i]) assert_true(list->other[k - 1] < j);  // ascending, so none twice
            assert_true(pair_counts(w, i, j));
            assert_true(owner_of(w, i, j) == i);
            bool two_grains = collider_is_grain(&w->c, i) && collider_is_grain(&w->c, j);
            assert_int_equal(list->is_other[k / 64] >> k % 64 & 1, !two_grains);
        }
    }
    for (int64_t k = list->start[n]; k < (list->start[n] + 63) / 64 * 64 + 64; ++k)
        assert_int_equal(list->is_other[k / 64] >> k % 64 & 1, 0);
}

// Every pair nearer than distance(i) + distance(j) stands in the row of its owner.
static void check_that_none_is_missed(const neighbours *list, const crowd *w, const float *distance, const char *name)
{
    for (int64_t i = 0; i < w->c.table.count; ++i) {
        for (int64_t j = 0; j < i; ++j) {
            bool close_call;
            if (!pair_counts(w, i, j) || !are_near(w, i, j, (double)distance[i] + (double)distance[j], &close_call))
                continue;
            int64_t owner = owner_of(w, i, j);
            if (!row_holds(list, owner, owner == i ? j : i))
                fail_msg("%s: %lld and %lld are near, but not listed", name, (long long)i, (long long)j);
        }
    }
}

static void every_pair_within_the_margins_is_listed_once(void **state)
{
    (void)state;
    for (int a = 0; a < ARRANGEMENT_COUNT; ++a) {
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            crowd *w = arranged(&ARRANGEMENTS[a], seed);
            neighbours list = {0};
            update(&list, w, 1 + (int)seed % 2);
            for (int64_t k = 0; k < w->c.table.count; ++k) assert_true(list.margin[k] >= w->reach[k]);
            check_that_rows_are_ordered(&list, w);
            check_that_none_is_missed(&list, w, list.margin, ARRANGEMENTS[a].name);
            neighbours_free(&list);
            crowd_destroy(w);
        }
    }
}

// How many listed pairs of grains are not within their margins, and how many are listed at all.
static void count_pairs(const neighbours *list, const crowd *w, int64_t *needless, int64_t *listed)
{
    *needless = *listed = 0;
    for (int64_t i = 0; i < w->c.table.count; ++i) {
        for (int64_t k = list->start[i]; k < list->start[i + 1]; ++k) {
            bool close_call;
            int32_t j = list->other[k];
            *needless +=
                !are_near(w, i, j, (double)list->margin[i] + (double)list->margin[j], &close_call) && !close_call;
            ++*listed;
        }
    }
}

// A pair too many costs time. Among grains of similar size there are next to none.
static void grains_that_cannot_touch_are_not_listed(void **state)
{
    (void)state;
    const arrangement of_grains[] = {ARRANGEMENT(random_grains),    ARRANGEMENT(clusters),
                                     ARRANGEMENT(on_a_lattice),     ARRANGEMENT(along_a_slanting_line),
                                     ARRANGEMENT(huge_coordinates), ARRANGEMENT(one_far_outlier)};
    for (size_t a = 0; a < sizeof of_grains / sizeof *of_grains; ++a) {
        crowd *w = arranged(&of_grains[a], 4);
        neighbours list = {0};
        update(&list, w, 1);
        int64_t needless, listed;
        count_pairs(&list, w, &needless, &listed);
        print_message("%s: %lld of %lld pairs needless\n", of_grains[a].name, (long long)needless, (long long)listed);
        assert_true(listed > 0 && 100 * needless <= listed);
        neighbours_free(&list);
        crowd_destroy(w);
    }
}

// A shape that fills little of its bounding ball is not listed by all grains in that ball: a tilted sheet of ten metres
// among grains of ten centimetres meets a layer of them.
static void a_sheet_is_listed_by_the_grains_beside_it(void **state)
{
    (void)state;
    crowd *w = crowd_create();
    draws d = {12, 0};
    for (int k = 0; k < 1500; ++k) add_grain(w, true, draw_vector(&d, 3.0), 0.05);
    int64_t sheet = add_box(w, false, vec3(0.1, 0.2, 0.3), draw_rotation(&d), vec3(5.0, 5.0, 0.01));
    place(w, 1);
    set_motion(w, 1e-3, 0.02, 0.5);
    neighbours list = {0};
    update(&list, w, 2);
    int64_t listed = 0, near = 0;
    for (int64_t i = 0; i < sheet; ++i) {
        bool close_call;
        listed += row_holds(&list, i, sheet);
        near += are_near(w, i, sheet, (double)list.margin[i] + (double)list.margin[sheet], &close_call);
    }
    print_message("%lld grains list the sheet, %lld are near\n", (long long)listed, (long long)near);
    assert_true(near > 10 && listed >= near && listed <= near + near / 10 + 1);
    check_that_none_is_missed(&list, w, list.margin, "sheet");
    neighbours_free(&list);
    crowd_destroy(w);
}

static void the_thread_count_changes_nothing(void **state)
{
    (void)state;
    for (int a = 0; a < ARRANGEMENT_COUNT; ++a) {
        crowd *w = arranged(&ARRANGEMENTS[a], 6);
        neighbours one = {0};
        update(&one, w, 1);
        int64_t n = w->c.table.count;
        for (int threads = 2; threads <= 4 && n > 0; ++threads) {
            neighbours many = {0};
            update(&many, w, threads);
            assert_memory_equal(many.start, one.start, (size_t)(n + 1) * sizeof *one.start);
            if (one.start[n] > 0) assert_memory_equal(many.other, one.other, (size_t)one.start[n] * sizeof *one.other);
            neighbours_free(&many);
        }
        neighbours_free(&one);
        crowd_destroy(w);
    }
}

// Move every body by its velocity and change the velocities a little; now and then one gets a kick.
static void wander(crowd *w, draws *d, double time_step)
{
    for (int64_t b = 0; b < w->body_count; ++b) {
        if (!w->is_dynamic[b]) continue;
        w->x[b] += time_step * w->vx[b], w->y[b] += time_step * w->vy[b], w->z[b] += time_step * w->vz[b];
        scr_vec3 spin = vector_of(w->wx, w->wy, w->wz, b);
        scr_quat q = {w->qw[b], w->qx[b], w->qy[b], w->qz[b]};
        double angle = time_step * vec3_norm(spin);
        scr_vec3 axis = vec3_scale(sin(0.5 * angle), vec3_unit(spin));
        q = quat_unit(quat_mul((scr_quat){cos(0.5 * angle), axis.x, axis.y, axis.z}, q));
        w->qw[b] = q.w, w->qx[b] = q.x, w->qy[b] = q.y, w->qz[b] = q.z;
        double deflection = draw(d, 0.0, 1.0) < 0.001 ? 5.0 : 0.05;
        w->vx[b] += draw(d, -deflection, deflection), w->vy[b] += draw(d, -deflection, deflection),
            w->vz[b] += draw(d, -deflection, deflection);
        w->wx[b] += draw(d, -deflection, deflection), w->wy[b] += draw(d, -deflection, deflection),
            w->wz[b] += draw(d, -deflection, deflection);
    }
}

// The contacts that come out of a list.
static void find(contacts *set, crowd *w, const neighbours *list, double time_step, int threads)
{
    scr_error error;
    approach given = crowd_approach(w, time_step, 0.02, 0.5);
    must(contacts_find(set, &w->c, list, &given, threads, &error), &error);
}

// While bodies wander, an old list holds all that are in reach, and finds the same contacts, bit by bit, as a new one.
static void walk(const arrangement *a, int steps, int64_t *builds)
{
    const double time_step = 1e-3;
    draws d = {77, 0};
    crowd *w = arranged(a, 7);
    neighbours kept = {0};
    contacts from_kept = {0}, from_fresh = {0};
    for (int step = 0; step < steps; ++step) {
        place(w, 1);
        set_motion(w, time_step, 0.02, 0.5);
        neighbours fresh = {0};
        update(&kept, w, 1 + step % 3);
        update(&fresh, w, 1);
        check_that_none_is_missed(&kept, w, w->reach, a->name);
        check_that_rows_are_ordered(&kept, w);
        find(&from_kept, w, &kept, time_step, 1 + step % 4);
        find(&from_fresh, w, &fresh, time_step, 1);
        assert_same_contacts(&from_kept, &from_fresh, &w->c);
        neighbours_free(&fresh);
        wander(w, &d, time_step);
    }
    *builds = kept.build_count;
    contacts_free(&from_kept);
    contacts_free(&from_fresh);
    neighbours_free(&kept);
    crowd_destroy(w);
}

static void the_age_of_a_list_cannot_be_noticed(void **state)
{
    (void)state;
    const int steps = 40;
    const arrangement walks[] = {
        ARRANGEMENT(random_grains),    ARRANGEMENT(clusters),      ARRANGEMENT(on_a_lattice),
        ARRANGEMENT(one_far_outlier),  ARRANGEMENT(mixed_radii),   ARRANGEMENT(boxes_and_planes),
        ARRANGEMENT(wide_boxes),       ARRANGEMENT(only_boxes),    ARRANGEMENT(compound_bodies),
        ARRANGEMENT(huge_coordinates), ARRANGEMENT(masked_groups), ARRANGEMENT(fast_ones),
        ARRANGEMENT(all_at_one_point), ARRANGEMENT(walls_far_out)};
    int64_t all_builds = 0, builds;
    for (size_t k = 0; k < sizeof walks / sizeof *walks; ++k) {
        walk(&walks[k], steps, &builds);
        all_builds += builds;
    }
    int64_t all_steps = steps * (int64_t)(sizeof walks / sizeof *walks);
    print_message("%lld lists for %lld steps\n", (long long)all_builds, (long long)all_steps);
    assert_true(2 * all_builds < all_steps);  // else nothing old was looked at
}

// A list that lasts: bodies at rest need no second one; a slow crowd needs one every few steps.
static void bodies_at_rest_need_one_list(void **state)
{
    (void)state;
    const arrangement a = ARRANGEMENT(boxes_and_planes);
    crowd *w = arranged(&a, 8);
    memset(w->vx, 0, sizeof w->vx), memset(w->vy, 0, sizeof w->vy), memset(w->vz, 0, sizeof w->vz);
    memset(w->wx, 0, sizeof w->wx), memset(w->wz, 0, sizeof w->wz);
    set_motion(w, 1e-3, 0.02, 0.5);
    neighbours list = {0};
    for (int step = 0; step < 100; ++step) update(&list, w, 1);
    assert_int_equal(list.build_count, 1);
    neighbours_free(&list);
    crowd_destroy(w);
}

// What makes a list useless without any body moving far: more colliders, a fixed wall put elsewhere, a wish.
static void a_list_that_does_not_fit_is_made_anew(void **state)
{
    (void)state;
    const arrangement a = ARRANGEMENT(random_grains);
    crowd *w = arranged(&a, 10);
    int64_t wall = add_box(w, false, vec3(0.0, 0.0, -2.0), QUAT_IDENTITY, vec3(1.0, 1.0, 0.1));
    neighbours list = {0};
    for (int change = 0; change < 4; ++change) {
        if (change == 1) add_grain(w, true, vec3(0.01, 0.02, 0.03), 0.05);
        if (change == 2) w->z[w->c.body[wall]] = -0.4;
        if (change == 3) w->qw[w->c.body[wall]] = w->qx[w->c.body[wall]] = sqrt(0.5);
        place(w, 1);
        set_motion(w, 1e-3, 0.02, 0.5);
        update(&list, w, 1);
        assert_int_equal(list.build_count, change + 1);
        check_that_rows_are_ordered(&list, w);
        check_that_none_is_missed(&list, w, list.margin, "changed");
    }
    neighbours_invalidate(&list);
    update(&list, w, 1);
    assert_int_equal(list.build_count, 5);
    neighbours_free(&list);
    crowd_destroy(w);
}

// Some grains jump into the midst of others, then planes move: the list gets what it lacks, and is not made anew.
static void a_list_that_few_have_outgrown_is_repaired(void **state)
{
    (void)state;
    enum { JUMPS = 5 };
    for (int threads = 1; threads <= 3; ++threads) {
        const arrangement a = ARRANGEMENT(random_grains);
        crowd *w = arranged(&a, 11);
        int64_t floor = add_plane(w, vec3(0.0, 0.0, -3.0), QUAT_IDENTITY);
        neighbours list = {.plain = threads == 2};
        for (int change = 0; change < 4; ++change) {
            for (int64_t k = 0; k < JUMPS && change > 0; ++k) {
                int32_t from = w->c.body[7 * k + change], to = w->c.body[11 * k + 3];
                w->x[from] = w->x[to] + 1e-3, w->y[from] = w->y[to], w->z[from] = w->z[to];
            }
            if (change == 3) w->z[w->c.body[floor]] = 0.0;
            place(w, 1);
            set_motion(w, 1e-3, 0.02, 0.5);
            int64_t before = change > 0 ? list.start[w->c.table.count] : 0;
            update(&list, w, threads);
            assert_int_equal(list.build_count, 1);
            assert_int_equal(list.repair_count, change);
            if (change > 0) assert_true(list.start[w->c.table.count] > before);
            check_that_rows_are_ordered(&list, w);
            check_that_none_is_missed(&list, w, w->reach, "repaired");
        }
        neighbours_free(&list);
        crowd_destroy(w);
    }
}

// Grains of several sizes, crowded, in a box whose walls reach far.
static void crowd_between_walls(crowd *w, draws *d)
{
    for (int k = 0; k < 1800; ++k) {
        scr_vec3 at = draw_vector(d, 0.25);
        add_grain(w, k % 50 != 0, at, k % 200 == 0 ? 0.12 : draw(d, 0.01, 0.03));
    }
    for (int k = 0; k < 4; ++k)
        add_box(w, false, vec3(0.22 * (k < 2) * (2 * k - 1), 0.22 * (k >= 2) * (2 * k - 5), 0.0), QUAT_IDENTITY,
                vec3(k < 2 ? 0.02 : 0.3, k < 2 ? 0.3 : 0.02, 0.3));
}

// So do many at once, of all sizes, near each other and far from everybody.
static void a_list_that_many_have_outgrown_is_repaired(void **state)
{
    (void)state;
    enum { JUMPS = 60, CHANGES = 2 };
    for (int threads = 1; threads <= 3; ++threads) {
        const arrangement a = ARRANGEMENT(crowd_between_walls);
        crowd *w = arranged(&a, 12);
        add_plane(w, vec3(0.0, 0.0, -0.2), QUAT_IDENTITY);
        neighbours list = {.plain = threads == 2};
        for (int change = 0; change <= CHANGES; ++change) {
            for (int64_t k = 0; k < JUMPS && change > 0; ++k) {
                int32_t from = w->c.body[17 * k + change], to = w->c.body[13 * k + 5];
                double far = k % 10 == 0 ? 3.0 : 0.0;
                w->x[from] = w->x[to] + 1e-3 + far, w->y[from] = w->y[to], w->z[from] = w->z[to] - far;
            }
            place(w, 1);
            set_motion(w, 1e-3, 0.02, 0.5);
            update(&list, w, threads);
            assert_int_equal(list.build_count, 1);
            assert_int_equal(list.repair_count, change);
            check_that_rows_are_ordered(&list, w);
            check_that_none_is_missed(&list, w, w->reach, "repaired for many");
        }
        assert_true(list.added_count > JUMPS);
        neighbours_free(&list);
        crowd_destroy(w);
    }
}

enum { ROW = 300 };
static const double ROW_RADIUS = 0.01;

static void grains_in_a_row(crowd *w, draws *d)
{
    (void)d;
    for (int k = 0; k < ROW; ++k)
        add_grain(w, true, vec3(2.5 * ROW_RADIUS * k, 0.0, 0.0), k % 7 == 0 ? 1.2 * ROW_RADIUS : ROW_RADIUS);
}

// What follows each other in memory is near each other in space. One grain goes from one to the next, now on this side
// of it, now on that, as far off as they just may touch.
static void who_begins_anew_is_found_by_those_around(void **state)
{
    (void)state;
    const arrangement a = ARRANGEMENT(grains_in_a_row);
    crowd *w = arranged(&a, 13);
    int64_t goer = add_grain(w, true, vec3(-1.0, 0.0, 0.0), 0.5 * ROW_RADIUS);
    int32_t body = w->c.body[goer];
    neighbours list = {0};
    for (int k = 0; k < ROW; ++k) {
        const double side = k % 2 == 0 ? 1.0 : -1.0;
        set_motion(w, 1e-3, 0.02, 0.5);
        double far = w->c.radius[k] + w->c.radius[goer] + 0.999 * ((double)w->reach[k] + (double)w->reach[goer]);
        w->x[body] = w->x[w->c.body[k]];
        w->y[body] = k % 4 < 2 ? side * far : 0.0, w->z[body] = k % 4 < 2 ? 0.0 : side * far;
        place(w, 1);
        update(&list, w, 1 + k % 3);
        check_that_rows_are_ordered(&list, w);
        check_that_none_is_missed(&list, w, w->reach, "gone on");
    }
    assert_true(2 * list.repair_count > ROW);
    neighbours_free(&list);
    crowd_destroy(w);
}

// Who will have left his margin in a step or two begins anew with those who have: it is not repaired for him again.
static void who_outgrows_a_list_soon_begins_anew_with_others(void **state)
{
    (void)state;
    const arrangement a = ARRANGEMENT(grains_in_a_row);
    crowd *w = arranged(&a, 14);
    neighbours list = {0};
    const double step = 1e-4;  // m
    const int64_t goer[2] = {100, 200};
    memset(w->vx, 0, sizeof w->vx), memset(w->vy, 0, sizeof w->vy), memset(w->vz, 0, sizeof w->vz);
    memset(w->wx, 0, sizeof w->wx), memset(w->wy, 0, sizeof w->wy), memset(w->wz, 0, sizeof w->wz);
    for (int k = 0; k < 2; ++k) w->vy[w->c.body[goer[k]]] = 1e3 * step;
    set_motion(w, 1e-3, 0.02, 0.5);
    update(&list, w, 1);
    const int way[2][2] = {{9, 7}, {11, 9}};  // steps: the margin is wide enough for eight
    for (int change = 0; change < 2; ++change) {
        for (int k = 0; k < 2; ++k) w->y[w->c.body[goer[k]]] = step * way[change][k];
        place(w, 1);
        update(&list, w, 1);
        assert_int_equal(list.repair_count, 1);
        check_that_none_is_missed(&list, w, w->reach, "gone a little");
    }
    assert_int_equal(list.build_count, 1);
    neighbours_free(&list);
    crowd_destroy(w);
}

// Whoever looks after pairs of moving grains himself gets a list of all the others.
static void pairs_of_grains_can_be_left_out(void **state)
{
    (void)state;
    for (int a = 0; a < ARRANGEMENT_COUNT; ++a) {
        crowd *w = arranged(&ARRANGEMENTS[a], 5);
        neighbours all = {0}, others = {.without_grain_pairs = true};
        update(&all, w, 1);
        update(&others, w, 2);
        for (int64_t i = 0; i < w->c.table.count; ++i) {
            int64_t at = others.start[i];
            for (int64_t k = all.start[i]; k < all.start[i + 1]; ++k) {
                int32_t j = all.other[k];
                bool grains = collider_is_grain(&w->c, i) && collider_is_grain(&w->c, j);
                if (grains && w->is_moved[i] && w->is_moved[j]) continue;
                assert_true(at < others.start[i + 1]);
                assert_int_equal(others.other[at++], j);
            }
            assert_int_equal(at, others.start[i + 1]);
        }
        neighbours_free(&all);
        neighbours_free(&others);
        crowd_destroy(w);
    }
}

static void a_failed_allocation_leaks_nothing(void **state)
{
    (void)state;
    const arrangement a = ARRANGEMENT(wide_boxes);
    crowd *w = arranged(&a, 2);
    scr_error error;
    neighbour_motion given = {.reach = w->reach, .travel = w->travel, .is_moved = w->is_moved};
    for (int64_t n = 0;; ++n) {
        neighbours list = {0};
        scr_fail_allocation_in(n);
        scr_status status = neighbours_update(&list, &w->c, &given, 2, &error);
        scr_fail_allocation_in(-1);
        if (status == SCR_OK) {
            assert_true(n > 10);
            neighbours_free(&list);
            break;
        }
        assert_int_equal(status, SCR_NO_MEMORY);
        update(&list, w, 2);
        check_that_rows_are_ordered(&list, w);
        if (n % 4 == 0) check_that_none_is_missed(&list, w, list.margin, a.name);
        neighbours_free(&list);
    }
    crowd_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_within_the_margins_is_listed_once),
        cmocka_unit_test(grains_that_cannot_touch_are_not_listed),
        cmocka_unit_test(a_sheet_is_listed_by_the_grains_beside_it),
        cmocka_unit_test(the_thread_count_changes_nothing),
        cmocka_unit_test(the_age_of_a_list_cannot_be_noticed),
        cmocka_unit_test(bodies_at_rest_need_one_list),
        cmocka_unit_test(a_list_that_does_not_fit_is_made_anew),
        cmocka_unit_test(a_list_that_few_have_outgrown_is_repaired),
        cmocka_unit_test(a_list_that_many_have_outgrown_is_repaired),
        cmocka_unit_test(who_begins_anew_is_found_by_those_around),
        cmocka_unit_test(who_outgrows_a_list_soon_begins_anew_with_others),
        cmocka_unit_test(pairs_of_grains_can_be_left_out),
        cmocka_unit_test(a_failed_allocation_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
