// SPDX-License-Identifier: BSD-3-Clause
// Shapes of every kind in a simulation: grains that are no spheres, and bodies made of points, triangles and heights.
#include <stdlib.h>
#include <unistd.h>

#include "core/maths/quat.h"
#include "dynamics/world/world_state.h"
#include "make_scene.h"

static const scr_material ANY = {1};

static const scr_vec3 corner[8] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 2, 0},
                                   {0, 0, 2}, {2, 0, 2}, {0, 2, 2}, {2, 2, 2}};

static scene_surface cube_hull(double scale)
{
    return (scene_surface){.kind = SCR_HULL, .point_count = 8, .points = (scr_vec3 *)corner, .scale = scale};
}

static bool is_inside(const scr_aabb *box, const region *r, double slack)
{
    return box->low.x >= r->low.x - slack && box->low.y >= r->low.y - slack && box->low.z >= r->low.z - slack &&
           box->high.x <= r->high.x + slack && box->high.y <= r->high.y + slack && box->high.z <= r->high.z + slack;
}

// For each kind the volume for a radius of 1 is known in closed form.
static void grains_of_every_kind_have_their_mass_and_stay_inside(void **state)
{
    (void)state;
    const struct {
        scr_shape unit;
        double volume;
    } kinds[] = {
        {scr_ellipsoid(vec3(1.0, 1.0, 0.6), ANY), 4.0 / 3.0 * M_PI * 0.6},
        {scr_box(vec3(0.5, 0.6, 0.7), ANY), 8.0 * 0.5 * 0.6 * 0.7},
        {scr_capsule(0.5, 0.5, ANY), M_PI * 0.25 * 1.0 + 4.0 / 3.0 * M_PI * 0.125},
        {scr_cylinder(0.6, 0.8, ANY), M_PI * 0.36 * 1.6},
        {scr_cone(0.8, 0.7, ANY), M_PI * 0.64 * 1.4 / 3.0},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        test_scene t;
        scene_begin(&t);
        region crate = box_region(vec3(0, 0, 0), vec3(0.5, 0.5, 0.5));
        scene_fill *fill = add_fill(&t, "bed", FILL_JITTERED, crate, constant_size(0.02));
        fill->mix.grain[0].shape = kinds[k].unit;
        fill->count = 300;
        fill->velocity = vec3(0.1, 0.2, 0.3);
        simulation *sim = created(&t.s, 2);
        assert_near(world_mass(sim), 300.0 * 2500.0 * kinds[k].volume * 8e-6, 1e-12);
        scr_world *world = simulation_world(sim);
        for (int64_t i = 0; i < scr_world_shape_count(world); ++i) {
            int64_t body;
            placed_shape shape = world_placed_shape(world, i, &body);
            scr_aabb box = placed_aabb(&shape);
            assert_int_equal(shape.kind, kinds[k].unit.kind);
            assert_true(is_inside(&box, &crate, 1e-9));
            assert_near(scr_world_bodies(world).vz[body], 0.3, 0.0);
        }
        simulation_destroy(sim);
        scene_end(&t);
    }
}

// The axis of a grain points anywhere with equal likelihood: each coordinate has mean 0 and square 1/3.
static void grains_are_turned_at_random_by_the_seed(void **state)
{
    (void)state;
    uint64_t hash[3];
    for (int variant = 0; variant < 3; ++variant) {
        test_scene t;
        scene_begin(&t);
        t.s.seed = variant == 2 ? 7 : 1;
        scene_fill *fill =
            add_fill(&t, "bed", FILL_GRID, box_region(vec3(0, 0, 0), vec3(1, 1, 1)), constant_size(0.02));
        fill->mix.grain[0].shape = scr_capsule(0.5, 0.5, ANY);
        simulation *sim = created(&t.s, variant == 1 ? 3 : 1);
        scr_world *world = simulation_world(sim);
        int64_t n = scr_world_shape_count(world);
        double mean[3] = {0}, square[3] = {0};
        for (int64_t i = 0; i < n; ++i) {
            scr_vec3 axis = quat_rotate(scr_world_shape(world, i).rotation, vec3(0, 0, 1));
            const double c[3] = {axis.x, axis.y, axis.z};
            for (int d = 0; d < 3; ++d) mean[d] += c[d] / (double)n, square[d] += c[d] * c[d] / (double)n;
        }
        for (int d = 0; d < 3; ++d) {
            assert_within(mean[d], 0.0, 5.0 * sqrt(1.0 / 3.0 / (double)n));
            assert_within(square[d], 1.0 / 3.0, 5.0 * sqrt(4.0 / 45.0 / (double)n));
        }
        hash[variant] = simulation_hash(sim);
        simulation_destroy(sim);
        scene_end(&t);
    }
    assert_true(hash[0] == hash[1]);
    assert_true(hash[0] != hash[2]);
}

static void emitters_make_grains_of_their_shape_that_overlap_nothing(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    add_floor(&t, 0.0);
    scene_emitter *e =
        add_emitter(&t, box_region(vec3(0, 0, 0.1), vec3(0.3, 0.3, 0.4)), uniform_size(0.01, 0.02), 20.0);
    e->mix.grain[0].shape = scr_ellipsoid(vec3(1.2, 1.0, 0.6), ANY);
    simulation *sim = created(&t.s, 2);
    advance_steps(sim, 60);
    scr_scene_counts counts = simulation_count(sim);
    assert_true(counts.emitted > 35);
    assert_near(counts.emitted_mass, world_mass(sim), 1e-12);
    assert_within(counts.emitted_mass, 20.0 * 0.059, 0.1);
    assert_true(scr_world_report(simulation_world(sim)).max_penetration < 1e-4);
    simulation_destroy(sim);
    scene_end(&t);
}

// A share of the number each, its own material, and together the rate; grains of all kinds keep clear of each other.
static void an_emitted_mix_has_its_shares_and_its_rate(void **state)
{
    (void)state;
    scene_grain kinds[2] = {{.shape = scr_sphere(1.0, ANY)},
                            {.shape = scr_ellipsoid(vec3(1.4, 0.8, 0.6), ANY), .material = 1}};
    double weights[2] = {3.0, 1.0}, rate = 1200.0;
    test_scene t;
    scene_begin(&t);
    t.s.material_count = 2;
    t.materials[1] = (scene_material){"steel", scr_default_material_def()};
    t.materials[1].def.density = 7800.0;
    add_floor(&t, 0.0);
    scene_emitter *e = add_emitter(&t, box_region(vec3(0, 0, 0.1), vec3(1, 1, 1.1)), uniform_size(0.01, 0.02), rate);
    e->mix = (scene_mix){2, kinds, weights};
    simulation *sim = created(&t.s, 2);
    int64_t before = scr_world_shape_count(simulation_world(sim)), of[2] = {0, 0};
    advance_steps(sim, 60);
    const scr_world *world = simulation_world(sim);
    for (int64_t i = 0; i < scr_world_shape_count(world); ++i) {
        scr_placed_shape shape = scr_world_shape(world, i);
        if (shape.kind == SCR_PLANE) continue;
        assert_int_equal(shape.material, shape.kind == SCR_SPHERE ? 0 : 1);
        ++of[shape.kind != SCR_SPHERE];
    }
    double all = (double)(of[0] + of[1]);
    scr_scene_counts counts = simulation_count(sim);
    assert_int_equal(of[0] + of[1] + before, scr_world_shape_count(world));
    assert_true(all > 1000.0);
    assert_within((double)of[0] / all, 0.75, 4.0 * sqrt(0.75 * 0.25 / all));  // four deviations of a binomial
    assert_near(counts.emitted_mass, world_mass(sim), 1e-12);
    assert_within(counts.emitted_mass, rate * 0.059, 0.3);  // less than one grain is owed
    assert_true(scr_world_report(world).max_penetration < 1e-4);
    simulation_destroy(sim);
    scene_end(&t);
}

// A cube of edge 2 from the origin, scaled by 0.1, turned by 90 degrees about z and moved: it reaches from -y to +x.
static void a_hull_lies_where_its_points_were_given(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scr_shape shape = add_surface(&t, cube_hull(0.1));
    double half = sqrt(0.5);
    shape.position = vec3(1, 2, 3);
    shape.rotation = (scr_quat){half, 0, 0, half};
    add_body(&t, "stone", SCR_DYNAMIC, shape, vec3(10, 0, 0));
    simulation *sim = created(&t.s, 1);
    scr_body_view bodies = scr_world_bodies(simulation_world(sim));
    assert_near(1.0 / bodies.inv_mass[0], 2500.0 * 0.008, 1e-12);
    assert_near(bodies.x[0], 10.0 + 1.0 - 0.1, 1e-12);
    assert_near(bodies.y[0], 2.0 + 0.1, 1e-12);
    assert_near(bodies.z[0], 3.0 + 0.1, 1e-12);
    int64_t body;
    placed_shape placed = world_placed_shape(simulation_world(sim), 0, &body);
    scr_aabb box = placed_aabb(&placed);
    assert_near(box.low.x, 10.8, 1e-12);
    assert_near(box.high.y, 2.2, 1e-12);
    simulation_destroy(sim);
    scene_end(&t);
}

static char *scratch_file(const char *ending, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/scree-test-XXXXXX%s", ending);
    int file = mkstemps(path, (int)strlen(ending));
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    return strdup(path);
}

static uint64_t hash_of_one(scene_surface surface)
{
    test_scene t;
    scene_begin(&t);
    scr_shape shape = add_surface(&t, surface);
    add_body(&t, "thing", SCR_FIXED, shape, vec3(0, 0, 0));
    simulation *sim = created(&t.s, 1);
    uint64_t hash = simulation_hash(sim);
    simulation_destroy(sim);
    scene_end(&t);
    return hash;
}

static void a_file_says_the_same_as_the_scene_itself(void **state)
{
    (void)state;
    double heights[6] = {0.0, 0.5, 1.0, 1.5, 2.0, 2.5};
    scene_surface field = {
        .kind = SCR_HEIGHTFIELD, .size = {3, 2}, .spacing = {0.5, 1.0}, .heights = heights, .scale = 0.1};
    uint64_t hash = hash_of_one(field);
    field = (scene_surface){.kind = SCR_HEIGHTFIELD, .spacing = {0.5, 1.0}, .scale = 0.1};
    field.path = scratch_file(".csv", "0 0.5 1\n1.5 2 2.5\n");
    assert_true(hash_of_one(field) == hash);
    unlink(field.path), free(field.path);

    hash = hash_of_one(cube_hull(0.5));
    scene_surface hull_file = {.kind = SCR_HULL, .scale = 0.5};
    hull_file.path = scratch_file(".csv", "0,0,0\n2,0,0\n0,2,0\n2,2,0\n0,0,2\n2,0,2\n0,2,2\n2,2,2\n");
    assert_true(hash_of_one(hull_file) == hash);
    unlink(hull_file.path), free(hull_file.path);

    scr_vec3 points[] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}};  // as the file's triangles use them
    int32_t as_used[] = {0, 1, 2, 0, 2, 3, 2, 1, 3, 1, 0, 3};
    scene_surface solid = {
        .kind = SCR_MESH, .point_count = 4, .points = points, .triangle_count = 4, .triangles = as_used, .scale = 2.0};
    hash = hash_of_one(solid);
    scene_surface mesh_file = {.kind = SCR_MESH, .scale = 2.0};
    mesh_file.path = scratch_file(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    assert_true(hash_of_one(mesh_file) == hash);
    unlink(mesh_file.path), free(mesh_file.path);
}

static void files_that_cannot_be_are_refused_with_both_places(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scene_surface from = {.kind = SCR_HEIGHTFIELD, .spacing = {1.0, 1.0}};
    from.path = scratch_file(".csv", "1 2\n3 x\n");
    scr_shape shape = add_surface(&t, from);
    add_body(&t, "ground", SCR_FIXED, shape, vec3(0, 0, 0));
    char expected[256];
    snprintf(expected, sizeof expected, "scene.json:70:5: %s:2:3: expected a number, found 'x'", from.path);
    assert_refused(&t.s, SCR_BAD_INPUT, expected);
    unlink(from.path);
    snprintf(expected, sizeof expected, "scene.json:70:5: %s: No such file or directory", from.path);
    assert_refused(&t.s, SCR_BAD_INPUT, expected);
    free(from.path);

    t.surfaces[0] = (scene_surface){
        .kind = SCR_HULL, .location = {70, 5}, .point_count = 3, .points = (scr_vec3 *)corner, .scale = 1.0};
    t.shapes[0].kind = SCR_HULL;
    simulation *sim = NULL;
    scr_error error = {.message = ""};
    assert_int_equal(simulation_create(&t.s, true, 1, &sim, &error), SCR_BAD_INPUT);
    assert_memory_equal(error.message, "scene.json:70:5: ", 17);
    scene_end(&t);
}

// Two shapes of any two kinds, one in the other: refused, and the later one named.
static void deep_overlaps_of_every_kind_are_seen(void **state)
{
    (void)state;
    for (int k = 0; k < 7; ++k) {
        test_scene t;
        scene_begin(&t);
        scr_shape kinds[7] = {scr_sphere(1.0, ANY),           scr_ellipsoid(vec3(1, 0.8, 0.9), ANY),
                              scr_box(vec3(1, 1, 1), ANY),    scr_capsule(0.8, 0.5, ANY),
                              scr_cylinder(0.8, 0.9, ANY),    scr_cone(1.0, 1.0, ANY),
                              add_surface(&t, cube_hull(1.0))};
        add_body(&t, "one", SCR_DYNAMIC, kinds[k], vec3(0, 0, 0));
        scene_body *other = add_ball(&t, "two", 0.5, k == 6 ? vec3(1.1, 1.1, 1.9) : vec3(0.1, 0.0, -0.4));
        simulation *sim = NULL;
        scr_error error = {.message = ""};
        assert_int_equal(simulation_create(&t.s, true, 1, &sim, &error), SCR_BAD_INPUT);
        assert_non_null(strstr(error.message, "scene.json:11:5: body 'two' overlaps body 'one' by"));
        other->def.position = vec3(5, 0, 0);
        simulation_destroy(created(&t.s, 1));
        scene_end(&t);
    }
}

static void a_grain_in_the_ground_is_seen(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    double heights[9] = {0};
    scr_shape field = add_surface(
        &t, (scene_surface){.kind = SCR_HEIGHTFIELD, .size = {3, 3}, .spacing = {1, 1}, .heights = heights});
    add_body(&t, "ground", SCR_FIXED, field, vec3(0, 0, 0));
    scene_body *laid = add_ball(&t, "ball", 0.1, vec3(0.3, 0.2, 0.02));
    simulation *sim = NULL;
    scr_error error = {.message = ""};
    assert_int_equal(simulation_create(&t.s, true, 1, &sim, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "scene.json:11:5: body 'ball' overlaps body 'ground' by 80 mm, 80 %"));
    laid->def.position.z = 0.0999;
    simulation_destroy(created(&t.s, 1));
    scene_end(&t);
}

static scene_body *add_cube_of_spheres(test_scene *t, scr_body_kind kind)
{
    static scene_sphere_set set;
    set = (scene_sphere_set){.path = (char *)SCREE_SOURCE_DIR "/tests/io/scenes/part.spheres",
                             .scale = 2.0,
                             .position = {0.5, 0.0, 0.0},
                             .rotation = QUAT_IDENTITY};
    scene_body *body = add_body(t, "cube", kind, scr_sphere(0.1, ANY), vec3(1.0, 2.0, 3.0));
    body->def.shape_count = 0;
    body->sphere_sets = &set;
    body->sphere_set_count = 1;
    return body;
}

// The file's cube of 0.2 m, twice as large: its spheres overlap, yet it weighs what a cube does.
static void a_sphere_set_weighs_what_its_solid_does(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scene_body *body = add_cube_of_spheres(&t, SCR_DYNAMIC);
    body->def.spin = vec3(2.0, 0.0, 0.0);
    simulation *sim = created(&t.s, 1);
    scr_world *world = simulation_world(sim);
    scr_body_view view = scr_world_bodies(world);
    double mass = 2500.0 * 0.064;
    assert_int_equal(scr_world_shape_count(world), 8);
    assert_near(1.0 / view.inv_mass[0], mass, 1e-12);
    assert_near(view.x[0], 1.5, 1e-12);
    assert_near(scr_world_energy(world).kinetic, 0.5 * 4.0 * mass * 0.16 / 6.0, 1e-9);
    assert_near(scr_world_shape(world, 0).radius, 0.12, 1e-12);
    simulation_destroy(sim);
    // A mass that is given is kept, and the inertia goes with it.
    body->def.mass = 3.0;
    sim = created(&t.s, 1);
    world = simulation_world(sim);
    assert_near(1.0 / scr_world_bodies(world).inv_mass[0], 3.0, 1e-12);
    assert_near(scr_world_energy(world).kinetic, 0.5 * 4.0 * 3.0 * 0.16 / 6.0, 1e-9);
    simulation_destroy(sim);
    // Other shapes weigh besides.
    body->def.mass = 0.0;
    body->def.shape_count = 1;
    sim = created(&t.s, 1);
    assert_int_equal(scr_world_shape_count(simulation_world(sim)), 9);
    assert_near(world_mass(sim), mass + 2500.0 * 4.0 / 3.0 * M_PI * 1e-3, 1e-12);
    simulation_destroy(sim);
    body->sphere_sets = NULL;
    body->sphere_set_count = 0;
    scene_end(&t);
}

static void a_sphere_set_that_cannot_be_read_is_named(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scene_body *body = add_cube_of_spheres(&t, SCR_FIXED);
    body->sphere_sets[0].path = (char *)SCREE_SOURCE_DIR "/tests/io/scenes/tetrahedron.obj";
    assert_refused(&t.s, SCR_BAD_INPUT,
                   "scene.json:10:5: body 'cube': " SCREE_SOURCE_DIR
                   "/tests/io/scenes/tetrahedron.obj:1: \"scree-spheres\" must stand here, not 'v'");
    body->sphere_sets = NULL;
    body->sphere_set_count = 0;
    scene_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grains_of_every_kind_have_their_mass_and_stay_inside),
        cmocka_unit_test(grains_are_turned_at_random_by_the_seed),
        cmocka_unit_test(emitters_make_grains_of_their_shape_that_overlap_nothing),
        cmocka_unit_test(an_emitted_mix_has_its_shares_and_its_rate),
        cmocka_unit_test(a_hull_lies_where_its_points_were_given),
        cmocka_unit_test(a_file_says_the_same_as_the_scene_itself),
        cmocka_unit_test(files_that_cannot_be_are_refused_with_both_places),
        cmocka_unit_test(deep_overlaps_of_every_kind_are_seen),
        cmocka_unit_test(a_grain_in_the_ground_is_seen),
        cmocka_unit_test(a_sphere_set_weighs_what_its_solid_does),
        cmocka_unit_test(a_sphere_set_that_cannot_be_read_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
