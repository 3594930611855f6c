// SPDX-License-Identifier: BSD-3-Clause
// A sphere set touches wherever one of its spheres would by itself, whatever it meets: contacts, and answers to
// questions, are compared one by one with those of a body of single spheres.
#include <string.h>

#include "copied_world.h"
#include "sphere_sets.h"

static made_set ring;

// What the set meets.
enum { GRAINS, PLANE, BOX, CAPSULE, CYLINDER, CONE, ELLIPSOID, HULL, MESH, HEIGHTFIELD, SET, CLUMP, OTHERS };

static scr_surface add_block(scr_world *world, bool as_hull)
{
    static const int32_t triangle[12 * 3] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                             2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    scr_vec3 vertex[8];
    scr_surface surface;
    for (int k = 0; k < 8; ++k) vertex[k] = vec3(k & 1 ? 0.06 : -0.06, k & 2 ? 0.05 : -0.05, k & 4 ? 0.02 : -0.02);
    scr_triangles t = {8, 12, vertex, triangle};
    if (as_hull) assert_ok(scr_world_add_hull(world, 8, vertex, &surface, &error));
    else assert_ok(scr_world_add_mesh(world, &t, &surface, &error));
    return surface;
}

static scr_surface add_hills(scr_world *world)
{
    double height[21 * 21];
    scr_surface surface;
    for (int k = 0; k < 21 * 21; ++k) height[k] = 0.01 * random_in(-1.0, 1.0, 90000 + (uint64_t)k);
    height[0] = -1.0;  // a pit: what is under the hills is still within their box
    scr_heights heights = {{21, 21}, {0.03, 0.03}, height};
    assert_ok(scr_world_add_heightfield(world, &heights, &surface, &error));
    return surface;
}

static scr_shape shape_to_meet(scr_world *world, int other, scr_material m)
{
    switch (other) {
    case PLANE: return scr_plane(m);
    case BOX: return scr_box(vec3(0.06, 0.05, 0.02), m);
    case CAPSULE: return scr_capsule(0.02, 0.07, m);
    case CYLINDER: return scr_cylinder(0.03, 0.06, m);
    case CONE: return scr_cone(0.04, 0.06, m);
    case ELLIPSOID: return scr_ellipsoid(vec3(0.06, 0.03, 0.04), m);
    case HULL: return scr_surface_shape(world, add_block(world, true), m);
    case MESH: return scr_surface_shape(world, add_block(world, false), m);
    case HEIGHTFIELD: return scr_surface_shape(world, add_hills(world), m);
    default: return scr_sphere(0.03, m);
    }
}

static void add_grains(scr_world *world, scr_material m, uint64_t seed)
{
    for (uint64_t k = 0; k < 120; ++k) {
        scr_vec3 at = vec3(random_in(-0.14, 0.14, seed + 7 * k), random_in(-0.14, 0.14, seed + 7 * k + 1),
                           random_in(-0.14, 0.14, seed + 7 * k + 2));
        add_sphere(world, m, random_in(0.003, 0.03, seed + 7 * k + 3), at,
                   vec3(random_in(-1.0, 1.0, seed + 7 * k + 4), random_in(-1.0, 1.0, seed + 7 * k + 5), 0.0));
    }
}

static scr_vec3 random_vector(double size, uint64_t seed)
{
    return vec3(random_in(-size, size, seed), random_in(-size, size, seed + 1), random_in(-size, size, seed + 2));
}

// How deep in a solid of triangles a sphere is still touched depends on how far it looks. All of a set look as far as
// the fastest of them, so here they are all as fast.
static bool has_faces(int other) { return other == MESH || other == HEIGHTFIELD; }

// The ring somewhere, and something in its way; all is random but the two worlds of a seed are alike.
static scr_world *make_meeting(const scr_world_def *def, int other, bool as_one, uint64_t seed)
{
    scr_world *world = make_world(def);
    scr_material m = add_elastic(world, 1e7);
    scr_body_def moving = moving_def(vec3(0.0, 0.0, 0.0), random_rotation(seed), random_vector(0.5, 1000 + 9 * seed),
                                     random_vector(5.0, 2000 + 9 * seed));
    if (has_faces(other)) moving.spin = vec3(0.0, 0.0, 0.0);
    add_set_body(world, &ring, as_one, m, &moving);
    if (other == GRAINS) {
        add_grains(world, m, 3000 + 1000 * seed);
        return world;
    }
    scr_body_def met = moving_def(vec3_scale(0.1, vec3_unit(random_vector(1.0, 4000 + 9 * seed))),
                                  random_rotation(50 + seed), random_vector(0.5, 5000 + 9 * seed), (scr_vec3){0});
    if (other == SET) {
        add_set_body(world, &ring, as_one, m, &met);
        return world;
    }
    scr_shape shape = shape_to_meet(world, other, m);
    scr_shape clump[3] = {shape, shape, shape};
    clump[1].position = vec3(0.02, 0.0, 0.0), clump[2].position = vec3(0.0, 0.02, 0.0);
    if (other == PLANE || other == HEIGHTFIELD) met.kind = SCR_FIXED;
    met.shapes = clump;
    met.shape_count = other == CLUMP ? 3 : 1;
    add_body(world, &met);
    return world;
}

static bool is_same_contact(const scr_contact_view *a, int64_t i, const scr_contact_view *b, int64_t k)
{
    return fabs(a->gap[i] - b->gap[k]) < 1e-12 && vec3_norm(vec3_sub(a->point[i], b->point[k])) < 1e-11 &&
           vec3_norm(vec3_sub(a->normal[i], b->normal[k])) < 1e-9 && a->a[i].index1 == b->a[k].index1 &&
           a->b[i].index1 == b->b[k].index1;
}

// Each of the one is one of the other, and none is two.
static int64_t compare_contacts(scr_world *one, scr_world *other)
{
    scr_contact_view a, b;
    assert_ok(scr_world_find_contacts(one, &error));
    assert_ok(scr_world_find_contacts(other, &error));
    assert_ok(scr_world_contacts(one, &a, &error));
    assert_ok(scr_world_contacts(other, &b, &error));
    if (a.count != b.count)
        fail_msg("%lld contacts, and %lld of single spheres", (long long)a.count, (long long)b.count);
    uint8_t *is_taken = calloc((size_t)b.count + 1, 1);
    for (int64_t i = 0; i < a.count; ++i) {
        int64_t k = 0;
        while (k < b.count && (is_taken[k] || !is_same_contact(&a, i, &b, k))) ++k;
        if (k == b.count) fail_msg("contact %lld of %lld has no partner", (long long)i, (long long)a.count);
        is_taken[k] = 1;
    }
    free(is_taken);
    return a.count;
}

static scr_world_def def_of_law(scr_contact_law law)
{
    scr_world_def def = scr_default_world_def();
    def.contact.law = law;
    def.contact.max_per_pair = 0;
    def.time_step = law == SCR_PENALTY ? 1e-5 : 1e-3;
    return def;
}

static void contacts_are_those_of_single_spheres(void **state)
{
    (void)state;
    for (int other = 0; other < OTHERS; ++other) {
        int64_t met[2] = {0, 0};
        for (int law = 0; law < 2; ++law) {
            scr_world_def def = def_of_law(law ? SCR_PENALTY : SCR_COMPLIANT);
            if (has_faces(other)) def.contact.envelope = 0.0;
            for (uint64_t seed = 0; seed < 8; ++seed) {
                scr_world *one = make_meeting(&def, other, true, seed), *many = make_meeting(&def, other, false, seed);
                met[law] += compare_contacts(one, many);
                scr_world_destroy(one);
                scr_world_destroy(many);
            }
        }
        if (met[0] < 20 || met[1] < 20) fail_msg("%d: %lld contacts", other, (long long)met[0]);
    }
}

static void a_pair_keeps_no_more_contacts_than_asked(void **state)
{
    (void)state;
    scr_world_def def = def_of_law(SCR_COMPLIANT);
    def.contact.max_per_pair = 4;
    scr_world *world = make_meeting(&def, SET, true, 1);
    assert_ok(scr_world_find_contacts(world, &error));
    scr_world_def all = def_of_law(SCR_COMPLIANT);
    scr_world *other = make_meeting(&all, SET, true, 1);
    scr_contact_view few, every;
    assert_ok(scr_world_find_contacts(other, &error));
    assert_ok(scr_world_contacts(other, &every, &error));
    assert_true(every.count > 4);
    step(world, 1);
    assert_ok(scr_world_contacts(world, &few, &error));
    assert_int_equal(few.count, 4);
    scr_world_destroy(world);
    scr_world_destroy(other);
}

static void contacts_across_a_seam_are_those_of_single_spheres(void **state)
{
    (void)state;
    scr_world_def def = def_of_law(SCR_COMPLIANT);
    def.period = (scr_period){.low = {-0.6, -0.6, -0.6}, .high = {0.6, 0.6, 0.6}};
    int64_t met = 0;
    for (uint64_t seed = 0; seed < 4; ++seed) {
        scr_world *world[2];
        for (int as_one = 0; as_one < 2; ++as_one) {
            world[as_one] = make_world(&def);
            scr_material m = add_elastic(world[as_one], 1e7);
            scr_body_def moving = moving_def(vec3(0.58, -0.55, 0.6), random_rotation(seed), (scr_vec3){0},
                                             random_vector(5.0, 2000 + 9 * seed));
            add_set_body(world[as_one], &ring, as_one, m, &moving);
            for (uint64_t k = 0; k < 200; ++k)
                add_sphere(world[as_one], m, 0.02,
                           vec3_add(vec3(0.58, -0.55, 0.6), random_vector(0.15, 3 * k + 700 * seed)), (scr_vec3){0});
        }
        met += compare_contacts(world[1], world[0]);
        scr_world_destroy(world[0]);
        scr_world_destroy(world[1]);
    }
    assert_true(met > 100);
}

// ---- questions ----

static void questions_have_the_answers_of_single_spheres(void **state)
{
    (void)state;
    enum { ASKED = 300 };
    scr_world_def def = def_of_law(SCR_COMPLIANT);
    scr_world *one = make_meeting(&def, BOX, true, 3), *many = make_meeting(&def, BOX, false, 3);
    scr_ray ray[ASKED];
    scr_vec3 point[ASKED];
    scr_hit a[ASKED], b[ASKED];
    int hits = 0, overlaps = 0;
    for (uint64_t k = 0; k < ASKED; ++k) {
        point[k] = random_vector(0.14, 6000 + 3 * k);
        ray[k] = (scr_ray){vec3_scale(4.0, random_vector(0.1, 8000 + 3 * k)), {0.0, 0.0, 0.0}, 1.0};
        ray[k].direction = vec3_sub(point[k], ray[k].origin);
    }
    assert_ok(scr_world_cast_rays(one, ASKED, ray, SCR_ALL_GROUPS, a, &error));
    assert_ok(scr_world_cast_rays(many, ASKED, ray, SCR_ALL_GROUPS, b, &error));
    for (int k = 0; k < ASKED; ++k) {
        assert_int_equal(a[k].shape < 0, b[k].shape < 0);
        if (a[k].shape < 0) continue;
        assert_within(a[k].distance, b[k].distance, 1e-12);
        assert_within3(a[k].normal, b[k].normal, 1e-9);
        ++hits;
    }
    assert_ok(scr_world_nearest(one, ASKED, point, 0.05, SCR_ALL_GROUPS, a, &error));
    assert_ok(scr_world_nearest(many, ASKED, point, 0.05, SCR_ALL_GROUPS, b, &error));
    for (int k = 0; k < ASKED; ++k) {
        assert_int_equal(a[k].shape < 0, b[k].shape < 0);
        if (a[k].shape >= 0) assert_within(a[k].distance, b[k].distance, 1e-12);
    }
    for (int k = 0; k < 60; ++k) {
        scr_shape asked =
            k % 2 ? scr_sphere(0.01, (scr_material){1}) : scr_box(vec3(0.01, 0.02, 0.01), (scr_material){1});
        scr_body found[2][4];
        int64_t count[2];
        asked.position = point[k];
        assert_ok(scr_world_overlapping(one, &asked, SCR_ALL_GROUPS, 4, found[0], &count[0], &error));
        assert_ok(scr_world_overlapping(many, &asked, SCR_ALL_GROUPS, 4, found[1], &count[1], &error));
        assert_int_equal(count[0], count[1]);
        overlaps += count[0] > 0;
    }
    assert_true(hits > 50 && overlaps > 10);
    scr_world_destroy(one);
    scr_world_destroy(many);
}

// ---- runs ----

static scr_world *ring_on_grains(scr_contact_law law, int threads, bool as_one)
{
    scr_world_def def = def_of_law(law);
    def.thread_count = threads;
    def.contact.max_per_pair = 8;
    scr_world *world = make_world(&def);
    scr_material m = add_elastic(world, 1e6);
    add_floor(world, m);
    scr_body_def moving = moving_def(vec3(0.0, 0.0, 0.09), random_rotation(11), (scr_vec3){0}, vec3(3.0, 0.0, 2.0));
    moving.position.z = 0.17;
    add_set_body(world, &ring, as_one, m, &moving);
    for (int k = 0; k < 144; ++k)
        add_sphere(world, m, 0.012, vec3(0.026 * (k % 12) - 0.143, 0.026 * (k / 12) - 0.143, 0.0121), (scr_vec3){0});
    return world;
}

static void runs_have_the_same_bits_on_any_threads_and_after_a_resume(void **state)
{
    (void)state;
    for (int law = 0; law < 2; ++law) {
        scr_contact_law which = law ? SCR_PENALTY : SCR_COMPLIANT;
        int steps = law ? 3000 : 120;
        scr_world *one = ring_on_grains(which, 1, true), *three = ring_on_grains(which, 3, true);
        step(one, steps), step(three, steps);
        assert_true(scr_world_hash(one) == scr_world_hash(three));
        assert_true(scr_world_report(one).contact_count > 0);
        scr_world_def def = def_of_law(which);
        def.contact.max_per_pair = 8;
        scr_world *other = resumed(one, &def);
        step(one, 40), step(other, 40);
        assert_true(scr_world_hash(one) == scr_world_hash(other));
        scr_world_destroy(one);
        scr_world_destroy(three);
        scr_world_destroy(other);
    }
}

static void a_saved_world_has_its_sets(void **state)
{
    (void)state;
    scr_world *world = ring_on_grains(SCR_COMPLIANT, 1, true), *loaded;
    void *data;
    size_t size;
    step(world, 30);
    assert_ok(scr_world_save_to_memory(world, &data, &size, &error));
    assert_ok(scr_world_load_from_memory(data, size, &loaded, &error));
    step(world, 30), step(loaded, 30);
    assert_true(scr_world_hash(world) == scr_world_hash(loaded));
    scr_memory_free(data);
    scr_world_destroy(world);
    scr_world_destroy(loaded);
}

// A stool of three small feet and a large head stands as deep in the floor as it does as single spheres: the law knows
// the radius of the feet.
static void contacts_know_the_radius_of_the_sphere_that_touches(void **state)
{
    (void)state;
    const scr_vec3 centre[4] = {{0.1, 0.0, 0.01}, {-0.05, 0.08, 0.01}, {-0.05, -0.08, 0.01}, {0.0, 0.0, 0.2}};
    const double radius[4] = {0.01, 0.01, 0.01, 0.08};
    for (int law = 0; law < 2; ++law) {
        double depth[2];
        for (int as_one = 0; as_one < 2; ++as_one) {
            scr_world_def def = def_of_law(law ? SCR_PENALTY : SCR_COMPLIANT);
            scr_world *world = make_world(&def);
            scr_material m = add_elastic(world, 1e7);
            scr_shape shape[4];
            scr_surface surface;
            scr_body_def stool = scr_default_body_def();
            add_floor(world, m);
            for (int k = 0; k < 4; ++k) shape[k] = scr_sphere(radius[k], m), shape[k].position = centre[k];
            assert_ok(scr_world_add_sphere_set(world, 4, centre, radius, &surface, &error));
            if (as_one) shape[0] = scr_surface_shape(world, surface, m);
            stool.shapes = shape, stool.shape_count = as_one ? 1 : 4;
            stool.mass = 2.0, stool.inertia = vec3(0.02, 0.02, 0.02), stool.centre = vec3(0.0, 0.0, 0.05);
            add_body(world, &stool);
            step(world, law ? 40000 : 400);
            depth[as_one] = scr_world_report(world).max_penetration;
            scr_world_destroy(world);
        }
        assert_true(depth[0] > 1e-7);
        assert_within(depth[1], depth[0], 0.01 * depth[0]);
    }
}

static void a_set_moves_as_its_single_spheres_do(void **state)
{
    (void)state;
    for (int law = 0; law < 2; ++law) {
        scr_contact_law which = law ? SCR_PENALTY : SCR_COMPLIANT;
        scr_world *one = ring_on_grains(which, 1, true), *many = ring_on_grains(which, 1, false);
        int steps = law ? 6000 : 60;
        double h = law ? 1e-5 : 1e-3;  // s
        step(one, steps), step(many, steps);
        scr_body_view a = scr_world_bodies(one), b = scr_world_bodies(many);
        for (int64_t i = 0; i < a.count; ++i) {
            int64_t k = 0;
            while (b.id[k] != a.id[i]) ++k;
            double tolerance = 1e-4 * steps * h;
            assert_within3(vec3(a.x[i], a.y[i], a.z[i]), vec3(b.x[k], b.y[k], b.z[k]), tolerance);
        }
        scr_world_destroy(one);
        scr_world_destroy(many);
    }
}

static void equal_sets_are_one_surface_and_bad_ones_are_named(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_surface a, b, c;
    scr_error why;
    assert_ok(scr_world_add_sphere_set(world, SET_SPHERES, ring.centre, ring.radius, &a, &error));
    assert_ok(scr_world_add_sphere_set(world, SET_SPHERES - 1, ring.centre, ring.radius, &b, &error));
    assert_ok(scr_world_add_sphere_set(world, SET_SPHERES, ring.centre, ring.radius, &c, &error));
    assert_int_equal(a.index1, c.index1);
    assert_int_not_equal(a.index1, b.index1);
    double radius[2] = {0.1, -1.0};
    assert_int_equal(scr_world_add_sphere_set(world, 2, ring.centre, radius, &c, &why), SCR_BAD_INPUT);
    assert_non_null(strstr(why.message, "sphere 1"));
    assert_int_equal(scr_world_add_sphere_set(world, 0, ring.centre, radius, &c, &why), SCR_BAD_INPUT);
    scr_vec3 nowhere[1] = {{NAN, 0.0, 0.0}};
    assert_int_equal(scr_world_add_sphere_set(world, 1, nowhere, radius, &c, &why), SCR_BAD_INPUT);
    scr_material m = add_material(world, 0.5, 0.0);
    scr_shape shape = scr_surface_shape(world, a, m);
    scr_body_def body = scr_default_body_def();
    scr_body added;
    body.shapes = &shape, body.shape_count = 1;
    assert_int_equal(scr_world_add_body(world, &body, &added, &why), SCR_BAD_INPUT);  // it would weigh nothing
    scr_world_destroy(world);
}

int main(void)
{
    make_set(&ring);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_are_those_of_single_spheres),
        cmocka_unit_test(contacts_across_a_seam_are_those_of_single_spheres),
        cmocka_unit_test(a_pair_keeps_no_more_contacts_than_asked),
        cmocka_unit_test(questions_have_the_answers_of_single_spheres),
        cmocka_unit_test(runs_have_the_same_bits_on_any_threads_and_after_a_resume),
        cmocka_unit_test(a_saved_world_has_its_sets),
        cmocka_unit_test(contacts_know_the_radius_of_the_sphere_that_touches),
        cmocka_unit_test(a_set_moves_as_its_single_spheres_do),
        cmocka_unit_test(equal_sets_are_one_surface_and_bad_ones_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
