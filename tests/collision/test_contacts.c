// SPDX-License-Identifier: BSD-3-Clause
// Contacts: exactly the points whose gap may close within the step, in order, with the same bits for any thread count.
#include "collision/contacts/contacts.h"

#include <string.h>

#include "arrangements.h"

static const double TIME_STEP = 1e-3, ENVELOPE = 0.02, FRICTION = 0.5;

// What a crowd's contacts are found with, freed together.
typedef struct detection {
    neighbours list;
    contacts set;
} detection;

static void detect(detection *d, crowd *w, int threads)
{
    scr_error error;
    neighbour_motion given = {.reach = w->reach, .travel = w->travel, .is_moved = w->is_moved};
    approach speeds = crowd_approach(w, TIME_STEP, ENVELOPE, FRICTION);
    must(neighbours_update(&d->list, &w->c, &given, threads, &error), &error);
    must(contacts_find(&d->set, &w->c, &d->list, &speeds, threads, &error), &error);
}

static void detection_free(detection *d)
{
    neighbours_free(&d->list);
    contacts_free(&d->set);
}

static scr_vec3 velocity_at(const crowd *w, int64_t collider, scr_vec3 point)
{
    int32_t b = w->c.body[collider];
    scr_vec3 arm = vec3_sub(point, vector_of(w->x, w->y, w->z, b));
    return vec3_add(vector_of(w->vx, w->vy, w->vz, b), vec3_cross(vector_of(w->wx, w->wy, w->wz, b), arm));
}

// gap below which the law of contacts.h keeps the point
static double kept_below(const crowd *w, int64_t a, int64_t b, const contact_point *p)
{
    scr_vec3 u = vec3_sub(velocity_at(w, b, p->point), velocity_at(w, a, p->point));
    double approach_speed = fmax(0.0, -vec3_dot(u, p->normal));
    double slide = vec3_norm(vec3_sub(u, vec3_scale(vec3_dot(u, p->normal), p->normal)));
    return ENVELOPE * fmin(w->c.radius[a], w->c.radius[b]) + TIME_STEP * (approach_speed + FRICTION * slide);
}

static void check_point(const crowd *w, const contacts *set, int64_t i, const contact_point *expected)
{
    contact_geometry at = contact_geometry_of(set, &w->c, i);
    double size = fabs(expected->point.x) + fabs(expected->point.y) + fabs(expected->point.z) + 1e-3;
    assert_within(at.gap, expected->gap, 1e-14 * size);
    assert_within(vec3_norm(vec3_sub(at.normal, expected->normal)), 0.0, 1e-10);
    assert_within(vec3_norm(vec3_sub(at.point, expected->point)), 0.0, 1e-12 * size);
    assert_int_equal(at.feature, expected->feature);
    bool grains = w->c.place[set->a[i]] == NO_PLACE && w->c.place[set->b[i]] == NO_PLACE;
    bool on_line = grains || (w->c.place[set->a[i]] == NO_PLACE && !w->is_dynamic[w->c.body[set->b[i]]]);
    assert_true(at.on_centre_line == on_line && contact_is_central(set, i) == on_line);
}

// Walk through all pairs and through the list of contacts side by side. Returns how many contacts there were.
static int64_t check_against_brute_force(const crowd *w, const contacts *set, const char *name)
{
    int64_t n = w->c.table.count, at = 0;
    double deepest = 0.0;
    for (int64_t a = 0; a < n; ++a) {
        assert_int_equal(set->start[a], at);
        for (int64_t b = 0; b < n; ++b) {
            if (b == a || !pair_counts(w, a, b) || owner_of(w, a, b) != a) continue;
            placed_shape shape_a = collider_placed(&w->c, a), shape_b = collider_placed(&w->c, b);
            contact_point points[MANIFOLD_MAX];
            int found = narrow_phase(&shape_a, &shape_b, (double)w->reach[a] + (double)w->reach[b], points);
            for (int k = 0; k < found; ++k) {
                double limit = kept_below(w, a, b, &points[k]), rounding = 1e-15 * vec3_norm(points[k].point) + 1e-14;
                if (k > 0) assert_true(points[k - 1].feature < points[k].feature);
                bool listed = at < set->count && set->a[at] == a && set->b[at] == b &&
                              contact_feature(set, at) == points[k].feature;
                if (fabs(points[k].gap - limit) > rounding && listed != (points[k].gap < limit))
                    fail_msg("%s: %lld and %lld, gap %g, limit %g, listed %d", name, (long long)a, (long long)b,
                             points[k].gap, limit, listed);
                if (!listed) continue;
                check_point(w, set, at++, &points[k]);
                deepest = fmax(deepest, -points[k].gap);
            }
        }
    }
    assert_int_equal(at, set->count);
    if (n > 0) assert_int_equal(set->start[n], set->count);
    assert_within(set->max_penetration, deepest, 1e-8);
    return at;
}

static void contacts_are_those_of_the_law(void **state)
{
    (void)state;
    int64_t total = 0;
    for (int a = 0; a < ARRANGEMENT_COUNT; ++a) {
        for (uint64_t seed = 1; seed <= 3; ++seed) {
            crowd *w = arranged(&ARRANGEMENTS[a], seed);
            detection d = {0};
            detect(&d, w, 1);
            total += check_against_brute_force(w, &d.set, ARRANGEMENTS[a].name);
            detection_free(&d);
            crowd_destroy(w);
        }
    }
    print_message("%lld contacts\n", (long long)total);
    assert_true(total > 10000);
}

// The reach that bodies are given must cover the law: no point that it keeps lies beyond.
static void the_reach_covers_the_law(void **state)
{
    (void)state;
    for (int a = 0; a < ARRANGEMENT_COUNT; ++a) {
        crowd *w = arranged(&ARRANGEMENTS[a], 4);
        for (int64_t i = 0; i < w->c.table.count; ++i) {
            for (int64_t j = 0; j < w->c.table.count; ++j) {
                contact_point points[MANIFOLD_MAX];
                if (i == j || !pair_counts(w, i, j) || owner_of(w, i, j) != i) continue;
                if (w->c.kind[i] != SCR_SPHERE || w->c.kind[j] == SCR_BOX) continue;  // one point, whatever the reach
                double reach = (double)w->reach[i] + (double)w->reach[j];
                placed_shape shape_a = collider_placed(&w->c, i), shape_b = collider_placed(&w->c, j);
                if (narrow_phase(&shape_a, &shape_b, 4.0 * reach, points) == 0 || points[0].gap < reach) continue;
                assert_true(points[0].gap >= kept_below(w, i, j, &points[0]));
            }
        }
        crowd_destroy(w);
    }
}

static void the_thread_count_changes_no_bit(void **state)
{
    (void)state;
    for (int a = 0; a < ARRANGEMENT_COUNT; ++a) {
        crowd *w = arranged(&ARRANGEMENTS[a], 5);
        detection one = {0};
        detect(&one, w, 1);
        for (int threads = 2; threads <= 4; ++threads) {
            detection many = {0};
            detect(&many, w, threads);
            assert_same_contacts(&one.set, &many.set, &w->c);
            detection_free(&many);
        }
        detection_free(&one);
        crowd_destroy(w);
    }
}

// Two grains that pass each other: kept from the gap at which closing, or sliding, can bring them together.
static void a_pair_is_kept_when_its_gap_may_close(void **state)
{
    (void)state;
    const struct {
        scr_vec3 velocity;  // m/s, of the one at the origin; the other one is at +x
        double near;        // m, beyond the envelope
    } cases[] = {
        {{0.0, 0.0, 0.0}, 0.0},  {{2.0, 0.0, 0.0}, 2e-3}, {{-2.0, 0.0, 0.0}, 0.0},
        {{0.0, 2.0, 0.0}, 1e-3}, {{2.0, 0.0, 2.0}, 3e-3},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        for (int beyond = 0; beyond < 2; ++beyond) {
            crowd *w = crowd_create();
            double gap = ENVELOPE * 0.1 + cases[k].near + (beyond ? 1e-9 : -1e-9);
            add_grain(w, true, vec3(0.0, 0.0, 0.0), 0.1);
            add_grain(w, true, vec3(0.3 + gap, 0.0, 0.0), 0.2);
            w->vx[0] = cases[k].velocity.x, w->vy[0] = cases[k].velocity.y, w->vz[0] = cases[k].velocity.z;
            place(w, 1);
            set_motion(w, TIME_STEP, ENVELOPE, FRICTION);
            detection d = {0};
            detect(&d, w, 1);
            assert_int_equal(d.set.count, beyond ? 0 : 1);
            detection_free(&d);
            crowd_destroy(w);
        }
    }
}

static void a_failed_allocation_leaks_nothing(void **state)
{
    (void)state;
    const arrangement a = ARRANGEMENT(boxes_and_planes);
    crowd *w = arranged(&a, 2);
    detection d = {0};
    detect(&d, w, 2);
    approach speeds = crowd_approach(w, TIME_STEP, ENVELOPE, FRICTION);
    scr_error error;
    for (int64_t n = 0;; ++n) {
        contacts set = {0};
        scr_fail_allocation_in(n);
        scr_status status = contacts_find(&set, &w->c, &d.list, &speeds, 2, &error);
        scr_fail_allocation_in(-1);
        if (status == SCR_OK) {
            assert_true(n > 8);
            contacts_free(&set);
            break;
        }
        assert_int_equal(status, SCR_NO_MEMORY);
        must(contacts_find(&set, &w->c, &d.list, &speeds, 2, &error), &error);
        check_against_brute_force(w, &set, a.name);
        contacts_free(&set);
    }
    detection_free(&d);
    crowd_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_are_those_of_the_law),     cmocka_unit_test(the_reach_covers_the_law),
        cmocka_unit_test(the_thread_count_changes_no_bit),   cmocka_unit_test(a_pair_is_kept_when_its_gap_may_close),
        cmocka_unit_test(a_failed_allocation_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
