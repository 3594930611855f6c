// SPDX-License-Identifier: BSD-3-Clause
// Beds: grains go on in another world as they would have in their own, mirrored, repeated and scaled ones likewise.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/maths/rng.h"
#include "scene/bed/bed_change.h"
#include "scene/bed/bed_measure.h"
#include "taken_bed.h"

enum { SIDE = 6, COUNT = SIDE * SIDE * SIDE, STEPS = 20 };
static const double RADIUS = 0.01, CELL = 0.118;  // m; lattice neighbours begin a little pressed into each other

static scr_world *new_world(scr_contact_law law, double cell_x, double cell_y, double cell_z)
{
    scr_world_def def = scr_default_world_def();
    scr_material_def stone = scr_default_material_def();
    scr_world *world;
    scr_material material;
    def.contact.law = law;
    def.time_step = law == SCR_PENALTY ? 5e-5 : 2e-4;
    def.gravity = vec3(0.0, 0.0, 0.0);
    def.solver.tolerance = 1e-6;
    def.solver.max_iterations = 2000;
    def.thread_count = 1;
    def.period.high = vec3(cell_x, cell_y, cell_z);
    stone.young = 1e7;
    stone.friction = 0.6;
    assert_int_equal(scr_world_create(&def, &world, NULL), SCR_OK);
    assert_int_equal(scr_world_add_material(world, &stone, &material, NULL), SCR_OK);
    return world;
}

// Grains all over a cell that repeats along all axes, after they have rubbed against each other for a while.
static scr_world *rubbed_world(scr_contact_law law)
{
    scr_world *world = new_world(law, CELL, CELL, CELL);
    scr_vec3 position[COUNT], velocity[COUNT];
    double radius[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        double d = CELL / SIDE, u[6];
        for (int k = 0; k < 6; ++k) u[k] = scr_uniform(1, (uint64_t)k, (uint64_t)i) - 0.5;
        position[i] = vec3(d * (i % SIDE + 0.5 + 0.02 * u[0]), d * (i / SIDE % SIDE + 0.5 + 0.02 * u[1]),
                           d * (i / (SIDE * SIDE) + 0.5 + 0.02 * u[2]));
        velocity[i] = vec3(0.1 * u[3], 0.1 * u[4], 0.1 * u[5]);
        radius[i] = RADIUS;
    }
    scr_material stone = {1};
    assert_int_equal(scr_world_add_spheres(world, COUNT, position, radius, velocity, stone, NULL, NULL), SCR_OK);
    step(world, 100);
    return world;
}

static void grains_go_on_as_in_their_own_world(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        bed b;
        scr_world *own = rubbed_world(LAWS[k]), *other = new_world(LAWS[k], CELL, CELL, CELL);
        take(own, &b);
        assert_int_equal(b.grains.count, COUNT);
        assert_true(b.contacts.count > COUNT);
        place(&b, other);
        step(own, STEPS);
        step(other, STEPS);
        assert_within(largest_difference(own, other, COUNT, AS_IT_IS), 0.0, tolerance(LAWS[k]));
        scr_world_destroy(own);
        scr_world_destroy(other);
        bed_free(&b);
    }
}

// Without their history they do not: what the test above compares would notice its loss.
static void history_decides_what_grains_do(void **state)
{
    (void)state;
    bed b;
    scr_world *own = rubbed_world(SCR_PENALTY), *other = new_world(SCR_PENALTY, CELL, CELL, CELL);
    take(own, &b);
    b.contacts.count = b.penalty_history.count = 0;
    place(&b, other);
    step(own, STEPS);
    step(other, STEPS);
    assert_true(largest_difference(own, other, COUNT, AS_IT_IS) > 1e3 * tolerance(SCR_PENALTY));
    scr_world_destroy(own);
    scr_world_destroy(other);
    bed_free(&b);
}

static void a_mirrored_bed_moves_as_the_image(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        scr_world *own = rubbed_world(LAWS[k]), *image[3];
        for (int axis = 0; axis < 3; ++axis) {
            bed b;
            image[axis] = new_world(LAWS[k], CELL, CELL, CELL);
            take(own, &b);
            assert_int_equal(bed_mirror(&b, axis, NULL), SCR_OK);
            place(&b, image[axis]);
            step(image[axis], STEPS);
            bed_free(&b);
        }
        step(own, STEPS);
        for (int axis = 0; axis < 3; ++axis) {
            scr_vec3 mirror = vec3(axis == 0 ? -1.0 : 1.0, axis == 1 ? -1.0 : 1.0, axis == 2 ? -1.0 : 1.0);
            assert_within(largest_difference(own, image[axis], COUNT, mirror), 0.0, tolerance(LAWS[k]));
            scr_world_destroy(image[axis]);
        }
        scr_world_destroy(own);
    }
}

static void copies_of_a_tile_move_as_the_tile(void **state)
{
    (void)state;
    const int count[3] = {2, 1, 3};
    for (int k = 0; k < 2; ++k) {
        bed b;
        scr_world *own = rubbed_world(LAWS[k]), *field = new_world(LAWS[k], 2.0 * CELL, CELL, 3.0 * CELL);
        take(own, &b);
        int64_t contacts = b.contacts.count;
        assert_int_equal(bed_repeat(&b, count, NULL), SCR_OK);
        assert_int_equal(b.grains.count, 6 * COUNT);
        assert_int_equal(b.contacts.count, 6 * contacts);
        place(&b, field);
        step(own, STEPS);
        step(field, STEPS);
        assert_within(largest_difference(own, field, COUNT, AS_IT_IS), 0.0, tolerance(LAWS[k]));
        scr_world_destroy(own);
        scr_world_destroy(field);
        bed_free(&b);
    }
}

static void what_does_not_repeat_is_not_repeated(void **state)
{
    (void)state;
    bed b;
    scr_error error = {0};
    const int count[3] = {1, 2, 1};
    scr_world *world = rubbed_world(SCR_COMPLIANT);
    take(world, &b);
    assert_int_equal(bed_open_seam(&b, 1, NULL), SCR_OK);
    assert_int_equal(bed_repeat(&b, count, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "cannot be repeated along y"));
    scr_world_destroy(world);
    bed_free(&b);
}

static void a_cut_keeps_what_is_inside_and_opens_its_seam(void **state)
{
    (void)state;
    bed b, whole;
    scr_world *world = rubbed_world(SCR_COMPLIANT);
    take(world, &b);
    take(world, &whole);
    assert_int_equal(bed_cut(&b, vec3(0.0, -1.0, 0.0), vec3(0.5 * CELL, 1.0, CELL), NULL), SCR_OK);
    assert_true(b.grains.count > COUNT / 3 && b.grains.count < 2 * COUNT / 3);
    for (int64_t i = 0; i < b.grains.count; ++i) assert_true(b.position[i].x < 0.5 * CELL);
    assert_true(b.cell_length[0] == 0.0 && b.cell_length[1] == CELL && b.cell_length[2] == CELL);
    int64_t within = 0, kept = 0;
    for (int64_t k = 0; k < whole.contacts.count; ++k)
        within += whole.position[whole.a[k]].x < 0.5 * CELL && whole.position[whole.b[k]].x < 0.5 * CELL;
    periodic_cell open = {0};
    open.any = true;
    for (int axis = 1; axis < 3; ++axis) open.length[axis] = CELL, open.inverse[axis] = 1.0 / CELL;
    for (int64_t k = 0; k < b.contacts.count; ++k) {
        scr_vec3 d = vec3_sub(b.position[b.a[k]], b.position[b.b[k]]);
        kept += vec3_norm(period_offset(&open, d)) < 2.1 * RADIUS;
    }
    assert_int_equal(b.contacts.count, within);
    assert_int_equal(kept, within);
    assert_int_equal(bed_cut(&b, vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 1.0), NULL), SCR_BAD_INPUT);
    scr_world_destroy(world);
    bed_free(&b);
    bed_free(&whole);
}

static double mean_of_layers(const bed_figures *f)
{
    double sum = 0.0;
    for (int k = 0; k < LAYERS; ++k) sum += f->layer[k] / LAYERS;
    return sum;
}

static void a_scaled_bed_keeps_density_and_packing(void **state)
{
    (void)state;
    bed b;
    bed_figures before, after;
    scr_world *world = rubbed_world(SCR_COMPLIANT);
    take(world, &b);
    assert_int_equal(bed_measure(&b, &before, NULL), SCR_OK);
    bed_scale(&b, 3.0);
    assert_int_equal(bed_measure(&b, &after, NULL), SCR_OK);
    assert_near(after.packing, before.packing, 1e-12);
    assert_near(mean_of_layers(&after), after.packing, 1e-9);  // across the seam, too
    assert_near(after.most, 3.0 * RADIUS, 1e-12);
    assert_near(after.mass, 27.0 * before.mass, 1e-12);
    assert_near(b.inertia[0].x, 0.4 * b.mass[0] * 9.0 * RADIUS * RADIUS, 1e-12);
    assert_near(before.packing, COUNT * 4.0 / 3.0 * 3.14159265358979 * pow(RADIUS / CELL, 3.0), 1e-9);
    scr_world_destroy(world);
    bed_free(&b);
}

// Balls that touch on a cubic lattice, as many high as there are layers: each layer is one of balls, and who stands
// inside, in a face, on an edge and at a corner is known.
static void a_lattice_has_its_layers_and_neighbours(void **state)
{
    (void)state;
    enum { HIGH = LAYERS, ALL = HIGH * HIGH * HIGH };
    static scr_vec3 position[ALL];
    static double radius[ALL];
    scr_world *world = new_world(SCR_COMPLIANT, 0.0, 0.0, 0.0);
    for (int i = 0; i < ALL; ++i) {
        position[i] = vec3_scale(2.0 * RADIUS, vec3(i % HIGH, i / HIGH % HIGH, i / (HIGH * HIGH)));
        radius[i] = RADIUS;
    }
    assert_int_equal(scr_world_add_spheres(world, ALL, position, radius, NULL, (scr_material){1}, NULL, NULL), SCR_OK);
    step(world, 1);
    bed b;
    bed_figures f;
    take(world, &b);
    for (int64_t k = 0; k < 3 * b.contacts.count; ++k) b.impulse[k] = 1.0f;
    assert_int_equal(bed_measure(&b, &f, NULL), SCR_OK);
    for (int k = 0; k < LAYERS; ++k) assert_near(f.layer[k], 3.14159265358979 / 6.0, 1e-9);
    const int inner = HIGH - 2, grains[NEIGHBOUR_BINS] = {
                                    [3] = 8, [4] = 12 * inner, [5] = 6 * inner * inner, [6] = inner * inner * inner};
    for (int k = 0; k < NEIGHBOUR_BINS; ++k) assert_near(f.neighbours[k] * ALL, grains[k], 1e-9);
    assert_near(f.coordination, 6.0 * HIGH * HIGH * (HIGH - 1) / ALL, 1e-12);
    scr_world_destroy(world);
    bed_free(&b);
}

static void beds_of_one_material_merge(void **state)
{
    (void)state;
    bed b, other;
    scr_error error = {0};
    scr_world *world = rubbed_world(SCR_COMPLIANT);
    take(world, &b);
    take(world, &other);
    int64_t contacts = b.contacts.count;
    bed_shift(&other, vec3(0.0, 0.0, 1.0));
    assert_int_equal(bed_merge(&b, &other, NULL), SCR_OK);
    assert_int_equal(b.materials.count, 1);
    assert_int_equal(b.grains.count, 2 * COUNT);
    assert_true(b.cell_length[2] == 0.0);  // two cells are none
    assert_true(b.contacts.count < 2 * contacts && b.contacts.count > contacts);
    assert_int_equal(bed_check(&b, "bed", NULL), SCR_OK);
    other.density[0] *= 2.0;
    assert_int_equal(bed_merge(&b, &other, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "'stone'"));
    scr_world_destroy(world);
    bed_free(&b);
    bed_free(&other);
}

static void mass_follows_the_density_of_the_scene(void **state)
{
    (void)state;
    bed b;
    scr_material_def lead = scr_default_material_def();
    scr_world *world = rubbed_world(SCR_COMPLIANT), *other = new_world(SCR_COMPLIANT, CELL, CELL, CELL);
    lead.density = 4.0 * lead.density;
    assert_int_equal(scr_world_set_material(other, (scr_material){1}, &lead, NULL), SCR_OK);
    take(world, &b);
    place(&b, other);
    assert_near(scr_world_bodies(other).inv_mass[0], 0.25 / b.mass[0], 1e-12);
    scr_world_destroy(world);
    scr_world_destroy(other);
    bed_free(&b);
}

// ---- other shapes --------------------------------------------------------------------------------------------------

static scr_world *world_of_shapes(void)
{
    scr_world *world = new_world(SCR_COMPLIANT, 0.0, 0.0, 0.0);
    scr_material stone = {1};
    scr_body body;
    scr_body_def def = scr_default_body_def();
    scr_shape shapes[2] = {scr_cone(0.1, 0.2, stone), scr_box(vec3(0.05, 0.1, 0.15), stone)};
    shapes[1].position = vec3(0.1, 0.2, 0.3);
    shapes[1].rotation = quat_unit((scr_quat){1.0, 0.3, -0.2, 0.5});
    def.shapes = shapes;
    def.shape_count = 2;
    def.position = vec3(1.0, 2.0, 3.0);
    def.rotation = quat_unit((scr_quat){0.2, 0.5, 0.7, -0.3});
    def.spin = vec3(1.0, 2.0, -0.5);
    def.velocity = vec3(0.3, -0.4, 0.1);
    assert_int_equal(scr_world_add_body(world, &def, &body, NULL), SCR_OK);
    return world;
}

// ---- grains of two materials ----

static const double LEAD = 11000.0;  // kg/m^3

static scr_material add_lead(scr_world *world, double density)
{
    scr_material_def lead = scr_default_material_def();
    scr_material material;
    lead.density = density, lead.friction = 0.2;
    assert_int_equal(scr_world_add_material(world, &lead, &material, NULL), SCR_OK);
    return material;
}

// A ball of stone, and a dumb-bell of stone and lead.
static scr_world *world_of_two_materials(double lead_density)
{
    scr_world *world = new_world(SCR_COMPLIANT, 0.0, 0.0, 0.0);
    scr_material stone = {1}, lead = add_lead(world, lead_density);
    scr_body body;
    scr_body_def def = scr_default_body_def();
    scr_shape shapes[2] = {scr_sphere(0.1, stone), scr_sphere(0.05, lead)};
    def.shapes = shapes;
    def.shape_count = 1;
    assert_int_equal(scr_world_add_body(world, &def, &body, NULL), SCR_OK);
    shapes[0].position = vec3(0.12, 0.0, 0.0), shapes[1].position = vec3(-0.08, 0.0, 0.0);
    def.position = vec3(1.0, 0.0, 0.0);
    def.spin = vec3(0.0, 1.0, 2.0);
    def.shape_count = 2;
    assert_int_equal(scr_world_add_body(world, &def, &body, NULL), SCR_OK);
    return world;
}

static void take_both(scr_world *world, bed *b)
{
    const char *name[] = {"stone", "lead"};
    const bed_choice choice = {.material = name};
    scr_error error = {0};
    bed_init(b);
    if (bed_take(world, &choice, b, &error) != SCR_OK) fail_msg("%s", error.message);
    if (bed_check(b, "bed", &error) != SCR_OK) fail_msg("%s", error.message);
}

static void place_both(const bed *b, scr_world *world)
{
    const scr_material stone = {1}, lead = {2},
                       by_name[2] = {strcmp(b->name[0], "stone") == 0 ? stone : lead,
                                     strcmp(b->name[0], "stone") == 0 ? lead : stone};
    scr_error error = {0};
    if (bed_place(b, vec3(0.0, 0.0, 0.0), by_name, world, &error) != SCR_OK) fail_msg("%s", error.message);
}

// Which shape is of what, and where, is as it was; so is the mass, and where lead is heavier that of what it is there.
static void a_grain_of_two_materials_stays_one(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        double density = k == 0 ? LEAD : 2.0 * LEAD;
        bed b;
        scr_world *own = world_of_two_materials(LEAD), *other = new_world(SCR_COMPLIANT, 0.0, 0.0, 0.0),
                  *reference = world_of_two_materials(density);
        add_lead(other, density);
        step(own, 10);
        take_both(own, &b);
        place_both(&b, other);
        scr_body_view there = scr_world_bodies(other), made = scr_world_bodies(reference);
        assert_int_equal(there.count, 2);
        for (int64_t i = 0; i < 2; ++i) assert_near(there.inv_mass[i], made.inv_mass[i], 1e-12);
        for (int64_t i = 0; i < 3; ++i) {
            scr_placed_shape was = scr_world_shape(own, i), is = scr_world_shape(other, i);
            assert_int_equal(is.material, was.material);
            assert_near(is.radius, was.radius, 1e-15);
            assert_near(vec3_norm(vec3_sub(is.position, was.position)) + 1.0, 1.0, 1e-12);
        }
        scr_world_destroy(own);
        scr_world_destroy(other);
        scr_world_destroy(reference);
        bed_free(&b);
    }
}

// Cut out of it, or put behind a bed that knows lead alone, it is of the same materials.
static void grains_of_two_materials_are_cut_and_merged(void **state)
{
    (void)state;
    bed b, first;
    scr_error error = {0};
    scr_world *world = world_of_two_materials(LEAD), *lead_world = new_world(SCR_COMPLIANT, 0.0, 0.0, 0.0);
    scr_vec3 at = vec3(0.0, 0.0, 5.0), v = vec3(0.0, 0.0, 0.0);
    double radius = 0.1;
    assert_int_equal(scr_world_add_spheres(lead_world, 1, &at, &radius, &v, add_lead(lead_world, LEAD), NULL, NULL),
                     SCR_OK);
    take_both(world, &b);
    take_both(lead_world, &first);
    assert_int_equal(bed_cut(&b, vec3(0.5, -1.0, -1.0), vec3(2.0, 1.0, 1.0), &error), SCR_OK);
    assert_int_equal(b.shape_materials.count, 2);
    if (bed_merge(&first, &b, &error) != SCR_OK) fail_msg("%s", error.message);
    if (bed_check(&first, "bed", &error) != SCR_OK) fail_msg("%s", error.message);
    assert_int_equal(first.shapes.count, 3);
    static const char *const names[] = {"lead", "stone", "lead"};
    for (int64_t k = 0; k < 3; ++k) assert_string_equal(first.name[bed_shape_material(&first, k)], names[k]);
    scr_world_destroy(world);
    scr_world_destroy(lead_world);
    bed_free(&b);
    bed_free(&first);
}

static scr_vec3 image_of(scr_vec3 v, int axis)
{
    return vec3(axis == 0 ? -v.x : v.x, axis == 1 ? -v.y : v.y, axis == 2 ? -v.z : v.z);
}

// The tip of the cone and the corner of the box, which is again one of its corners.
static void shapes_are_mirrored_with_their_grain(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; ++axis) {
        bed b;
        scr_world *own = world_of_shapes(), *other = new_world(SCR_COMPLIANT, 0.0, 0.0, 0.0);
        take(own, &b);
        assert_int_equal(bed_mirror(&b, axis, NULL), SCR_OK);
        place(&b, other);
        step(own, 50);  // spinning about no principal axis
        step(other, 50);
        scr_placed_shape cone = scr_world_shape(own, 0), image = scr_world_shape(other, 0);
        scr_vec3 tip = pose_apply((pose){cone.position, cone.rotation}, vec3(0.0, 0.0, 0.2));
        scr_vec3 tip_image = pose_apply((pose){image.position, image.rotation}, vec3(0.0, 0.0, 0.2));
        assert_within(vec3_norm(vec3_sub(image_of(tip, axis), tip_image)), 0.0, 1e-9);
        scr_placed_shape box = scr_world_shape(own, 1), box_image = scr_world_shape(other, 1);
        scr_vec3 corner = pose_apply((pose){box.position, box.rotation}, vec3(0.05, 0.1, 0.15));
        scr_vec3 seen = pose_unapply((pose){box_image.position, box_image.rotation}, image_of(corner, axis));
        assert_within(fabs(seen.x), 0.05, 1e-9);
        assert_within(fabs(seen.y), 0.1, 1e-9);
        assert_within(fabs(seen.z), 0.15, 1e-9);
        scr_world_destroy(own);
        scr_world_destroy(other);
        bed_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grains_go_on_as_in_their_own_world),
        cmocka_unit_test(history_decides_what_grains_do),
        cmocka_unit_test(a_mirrored_bed_moves_as_the_image),
        cmocka_unit_test(copies_of_a_tile_move_as_the_tile),
        cmocka_unit_test(what_does_not_repeat_is_not_repeated),
        cmocka_unit_test(a_cut_keeps_what_is_inside_and_opens_its_seam),
        cmocka_unit_test(a_scaled_bed_keeps_density_and_packing),
        cmocka_unit_test(a_lattice_has_its_layers_and_neighbours),
        cmocka_unit_test(beds_of_one_material_merge),
        cmocka_unit_test(mass_follows_the_density_of_the_scene),
        cmocka_unit_test(a_grain_of_two_materials_stays_one),
        cmocka_unit_test(grains_of_two_materials_are_cut_and_merged),
        cmocka_unit_test(shapes_are_mirrored_with_their_grain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
