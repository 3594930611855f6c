// SPDX-License-Identifier: BSD-3-Clause
// Trees over the spheres of a set: they find what brute force does, and their work follows what is near.
#include <stdlib.h>

#include "check.h"
#include "core/maths/rng.h"
#include "geometry/surface/sphere_tree.h"
#include "geometry/surface/surfaces.h"

enum { SOME = 3001 };

static double drawn(double low, double high, uint64_t k) { return low + (high - low) * scr_uniform(3, 0, k); }

static scr_vec3 drawn_point(double size, uint64_t k)
{
    return vec3(drawn(-size, size, 3 * k), drawn(-size, size, 3 * k + 1), drawn(-size, size, 3 * k + 2));
}

static const shape_surface *add_set(surfaces *all, int64_t count, const scr_vec3 *centre, const double *radius)
{
    scr_error error;
    int64_t index;
    if (surfaces_add_sphere_set(all, count, centre, radius, &index, &error) != SCR_OK) fail_msg("%s", error.message);
    return &all->item[index];
}

typedef struct found_spheres {
    const shape_surface *set;
    sphere_probe probe;
    uint8_t is_found[SOME];
} found_spheres;

static bool note_group(void *context, int32_t group)
{
    found_spheres *f = context;
    for (unsigned hits = sphere_group_near(f->set, group, &f->probe); hits != 0; hits &= hits - 1)
        f->is_found[SPHERE_GROUP * group + __builtin_ctz(hits)] = 1;
    return true;
}

static void spheres_near_a_point_are_those_of_brute_force(void **state)
{
    (void)state;
    static scr_vec3 centre[SOME];
    static double radius[SOME];
    surfaces all;
    surfaces_init(&all);
    for (uint64_t k = 0; k < SOME; ++k)
        centre[k] = vec3_add(vec3(5.0, -3.0, 1.0), drawn_point(0.5, k)), radius[k] = drawn(0.001, 0.05, 50000 + k);
    const shape_surface *set = add_set(&all, SOME, centre, radius);
    int64_t near = 0, found = 0;
    for (uint64_t k = 0; k < 500; ++k) {
        scr_vec3 at = vec3_add(vec3(5.0, -3.0, 1.0), drawn_point(0.7, 90000 + k));
        double reach = drawn(0.0, 0.05, 70000 + k);
        found_spheres f = {.set = set, .probe = sphere_probe_of(at, reach)};
        ball_test ball = ball_test_of(at, reach);
        mesh_tree_walk(&set->spheres->groups, tree_overlaps_ball, &ball, note_group, &f);
        bool any = false;
        for (int i = 0; i < SOME; ++i) {
            double distance = vec3_norm(vec3_sub(set->triangles.vertex[i], at)) - set->radius_at[i];
            if (distance <= reach) assert_true(f.is_found[i]);
            if (f.is_found[i]) assert_true(distance <= reach + 1e-4);
            any = any || distance <= reach;
            near += distance <= reach, found += f.is_found[i];
        }
        assert_int_equal(any, sphere_set_may_reach(set, at, reach));
    }
    if (near < 300 || found > near + 10) fail_msg("%lld near, %lld found", (long long)near, (long long)found);
    surfaces_free(&all);
}

// ---- work ----

typedef struct counted_walk {
    ball_test ball;
    int64_t *nodes;
} counted_walk;

static unsigned count_nodes(const void *context, const tree_node *node)
{
    const counted_walk *w = context;
    ++*w->nodes;
    return tree_overlaps_ball(&w->ball, node);
}

static bool go_on(void *context, int32_t group)
{
    (void)group;
    ++*(int64_t *)context;
    return true;
}

// Nodes and groups looked at for balls on a plate of side x side spheres, 1 cm apart.
static int64_t work_on_plate(int side, double ball_radius)
{
    int64_t n = (int64_t)side * side, work = 0;
    scr_vec3 *centre = malloc((size_t)n * sizeof *centre);
    double *radius = malloc((size_t)n * sizeof *radius);
    surfaces all;
    surfaces_init(&all);
    for (int64_t k = 0; k < n; ++k)
        centre[k] = vec3(0.01 * (double)(k % side - side / 2), 0.01 * (double)(k / side - side / 2), 0.0),
        radius[k] = 0.007;
    const shape_surface *set = add_set(&all, n, centre, radius);
    for (uint64_t k = 0; k < 200; ++k) {
        scr_vec3 at = vec3(drawn(-0.08, 0.08, 2 * k), drawn(-0.08, 0.08, 2 * k + 1), ball_radius);
        counted_walk w = {ball_test_of(at, ball_radius), &work};
        mesh_tree_walk(&set->spheres->groups, count_nodes, &w, go_on, &work);
    }
    surfaces_free(&all);
    free(centre);
    free(radius);
    return work;
}

static void work_follows_the_touching_region_and_not_the_number_of_spheres(void **state)
{
    (void)state;
    int64_t few = work_on_plate(40, 0.01), many = work_on_plate(640, 0.01), wide = work_on_plate(640, 0.2);
    if (many > 2 * few) fail_msg("%lld nodes, of 256 times as many spheres %lld", (long long)few, (long long)many);
    if (wide < 2 * many) fail_msg("%lld nodes, of a larger region %lld", (long long)many, (long long)wide);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_near_a_point_are_those_of_brute_force),
        cmocka_unit_test(work_follows_the_touching_region_and_not_the_number_of_spheres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
