// SPDX-License-Identifier: BSD-3-Clause
// What colours show: forces are those of the contacts, displacements follow bodies through any re-sorting, rods of
// force chains join what touches.
#include "check.h"
#include "view/colour/quantity.h"
#include "view/colour/vec3f.h"
#include "view/render/chains.h"
#include "view/synthetic.h"

static void add_contact(frame *f, const float from[3], const float to[3], float force, uint32_t a, uint32_t b)
{
    scr_grow(&f->contacts, &f->contact_capacity, f->contact_count + 1, sizeof *f->contacts, "test", NULL);
    f->contacts[f->contact_count++] =
        (frame_contact){{from[0], from[1], from[2], to[0], to[1], to[2]}, {0.0f, 0.6f * force, 0.8f * force}, {a, b}};
}

static void a_force_is_the_sum_over_a_bodys_contacts(void **state)
{
    (void)state;
    frame f = {0};
    quantity q;
    for (int i = 0; i < 3; ++i) add_sphere(&f, (float)i, 0.0f, 0.0f, 0.5f, 0.0f);  // ids 1, 2, 3
    add_contact(&f, (float[3]){0, 0, 0}, (float[3]){1, 0, 0}, 2.0f, 1, 2);
    add_contact(&f, (float[3]){1, 0, 0}, (float[3]){2, 0, 0}, 5.0f, 2, 3);
    add_contact(&f, (float[3]){1, 0, 0}, (float[3]){1, 0, -0.5f}, 1.0f, 2, 77);  // a wall that is not in the frame
    assert_int_equal(quantity_init(&q, &f, COLOUR_FORCE, NULL, NULL), SCR_OK);
    assert_near(q.sphere[0], 2.0, 1e-6);
    assert_near(q.sphere[1], 8.0, 1e-6);
    assert_near(q.sphere[2], 5.0, 1e-6);
    quantity_free(&q);
    frame_free(&f);
}

static void a_displacement_is_that_of_the_same_body(void **state)
{
    (void)state;
    frame first = {0}, later = {0};
    quantity q;
    for (int i = 0; i < 4; ++i) add_sphere(&first, (float)i, 0.0f, 0.0f, 0.4f, 0.0f);
    first.spheres.id[3] = 1;               // body 1 has two shapes
    const int order[5] = {2, 0, 3, 1, 4};  // sphere 4 came later
    for (int k = 0; k < 5; ++k) {
        add_sphere(&later, (float)order[k], 0.0f, (float)(order[k] + 1), 0.4f, 0.0f);
        later.spheres.id[k] = order[k] == 3 ? 1 : (uint32_t)order[k] + 1;
    }
    later.spheres.id[4] = 9;
    assert_int_equal(quantity_init(&q, &later, COLOUR_DISPLACEMENT, &first, NULL), SCR_OK);
    for (int k = 0; k < 4; ++k) assert_near(q.sphere[k], order[k] + 1, 1e-6);
    assert_true(isnan(q.sphere[4]));
    quantity_free(&q);
    frame_free(&first);
    frame_free(&later);
}

// A sphere and a box go on through a seam: how far they have come is seen, not where they are shown.
static void a_displacement_goes_on_through_a_seam(void **state)
{
    (void)state;
    frame f[2] = {0};
    quantity q;
    const float came[2] = {0.5f, 7.25f}, half[3] = {0.1f, 0.1f, 0.1f};
    for (int k = 0; k < 2; ++k) {
        f[k].period = (periodic_cell){.any = true, .length = {2, 0, 0}, .inverse = {0.5, 0, 0}};
        add_sphere(&f[k], came[k], 0.0f, 0.0f, 0.1f, 0.0f);
        add_box(&f[k], SCR_DYNAMIC, (float[3]){-came[k], 0.0f, 1.0f}, half, 0.0f, 0.0f);
        assert_int_equal(frame_wrap(&f[k], NULL), SCR_OK);
        assert_true(f[k].spheres.position[0] >= 0.0f && f[k].spheres.position[0] <= 2.0f);
    }
    assert_int_equal(quantity_init(&q, &f[1], COLOUR_DISPLACEMENT, &f[0], NULL), SCR_OK);
    assert_near(q.sphere[0], 6.75, 1e-6);
    assert_near(q.box[0], 6.75, 1e-6);
    quantity_free(&q);
    frame_free(&f[0]);
    frame_free(&f[1]);
}

static void automatic_ranges_are_round_and_hold_nearly_all(void **state)
{
    (void)state;
    frame f = {0};
    quantity q;
    quantity_range r;
    for (int i = 0; i < 1000; ++i) add_sphere(&f, 0.0f, 0.0f, 0.0f, 0.1f, i == 500 ? 80.0f : 0.0037f * (float)i);
    assert_int_equal(quantity_init(&q, &f, COLOUR_SPEED, NULL, NULL), SCR_OK);
    assert_int_equal(quantity_range_of(&q, &f, COLOUR_SPEED, &r, NULL), SCR_OK);
    assert_near(r.min, 0.0, 0.0);
    assert_near(r.max, 4.0, 1e-9);  // the fastest but one has 3.7 m/s
    quantity_free(&q);
    frame_free(&f);
}

static void a_rod_joins_the_centres_and_grows_with_the_force(void **state)
{
    (void)state;
    frame f = {0};
    chains c;
    add_sphere(&f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f);
    add_sphere(&f, 2.0f, 0.0f, 0.0f, 1.0f, 0.0f);
    add_contact(&f, (float[3]){0.0f, 0.0f, 0.0f}, (float[3]){1.2f, -0.7f, 1.1f}, 4.0f, 1, 2);
    add_contact(&f, (float[3]){0.5f, 0.5f, 3.0f}, (float[3]){0.5f, 0.5f, 1.0f}, 1.0f, 1, 2);  // straight down
    assert_int_equal(chains_init(&c, &f, 4.0, NULL), SCR_OK);
    assert_int_equal(c.frame.part_count - c.first_rod, 2);
    for (int k = 0; k < 2; ++k) {
        const frame_shape *rod = &c.frame.parts[c.first_rod + k];
        vec3f reach = vec3f_rotate(rod->rotation, vec3f_of(0.0f, 0.0f, rod->half[2]));
        for (int axis = 0; axis < 3; ++axis) {
            assert_within(rod->position[axis] - reach[axis], f.contacts[k].ends[axis], 1e-6);
            assert_within(rod->position[axis] + reach[axis], f.contacts[k].ends[3 + axis], 1e-6);
        }
    }
    assert_near(c.frame.parts[c.first_rod].half[0], 4.0 * c.frame.parts[c.first_rod + 1].half[0], 1e-6);
    assert_true(c.frame.spheres.radius[0] < 0.5f && f.spheres.radius[0] == 1.0f);
    chains_free(&c);
    frame_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_is_the_sum_over_a_bodys_contacts),
        cmocka_unit_test(a_displacement_is_that_of_the_same_body),
        cmocka_unit_test(a_displacement_goes_on_through_a_seam),
        cmocka_unit_test(automatic_ranges_are_round_and_hold_nearly_all),
        cmocka_unit_test(a_rod_joins_the_centres_and_grows_with_the_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
