// SPDX-License-Identifier: BSD-3-Clause
// How many rows of closed rings others keep, whatever their length. A joint leaves f freedoms; r is the rank of all
// motions that an open chain of the links leaves to its last one against its first. The closed ring then has 6 freedoms
// as a whole and n f - r of its links against each other, so that of its (6 - f) n rows
//     (6 - f) n - (6 n - 6 - (n f - r)) = 6 - r
// are redundant: parallel hinges r = 3, parallel cylindrical joints r = 4, skew hinges and balls r = 6, welds r = 0.
#include "check.h"

#include "dynamics/jointed.h"

typedef void ring_joint(jointed *j, int32_t a, int32_t b, scr_vec3 at, int32_t number);

static const scr_vec3 Y = {0.0, 1.0, 0.0};

static void parallel_hinge(jointed *j, int32_t a, int32_t b, scr_vec3 at, int32_t number)
{
    (void)number;
    add_hinge(j, a, b, at, Y);
}
// In turn along y and along the ring
static void skew_hinge(jointed *j, int32_t a, int32_t b, scr_vec3 at, int32_t number)
{
    add_hinge(j, a, b, at, number % 2 == 0 ? Y : vec3_cross(Y, at));
}
static void parallel_cylinder(jointed *j, int32_t a, int32_t b, scr_vec3 at, int32_t number)
{
    (void)number;
    row_block *block = add_block(j, a, b);
    const scr_vec3 across[2] = {{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 4; ++k) add_row(j, block, at, across[k % 2], k >= 2);
}
static void ball(jointed *j, int32_t a, int32_t b, scr_vec3 at, int32_t number)
{
    (void)number;
    add_ball(j, a, b, at);
}
static void weld(jointed *j, int32_t a, int32_t b, scr_vec3 at, int32_t number)
{
    (void)number;
    row_block *block = add_hinge(j, a, b, at, Y);
    add_row(j, block, at, Y, true);
}

// Where joint k of a ring of links of length 1 is: on a circle, or on a long oval.
static scr_vec3 place_on(bool is_oval, int32_t k, int32_t count)
{
    double angle = 2.0 * M_PI * k / count, radius = count / (2.0 * M_PI);
    return vec3(radius * cos(angle), 0.0, (is_oval ? 0.1 : 1.0) * radius * sin(angle));
}

// heavy: the mass of every third link, where others have 1; grounded: the first link is the ground
static jointed ring_of(ring_joint *join, int32_t count, bool is_oval, double heavy, bool grounded)
{
    jointed j = jointed_create(count, count);
    for (int32_t i = grounded; i < count; ++i) {
        scr_vec3 a = place_on(is_oval, i, count), b = place_on(is_oval, i + 1, count);
        double mass = i % 3 == 0 ? heavy : 1.0, angle = atan2(b.z - a.z, b.x - a.x);
        scr_quat turn = {cos(0.5 * angle), 0.0, -sin(0.5 * angle), 0.0};
        add_body(&j, mass, vec3(0.02 * mass, 0.1 * mass, 0.1 * mass), turn, vec3_scale(0.5, vec3_add(a, b)));
    }
    for (int32_t i = 0; i < count; ++i) {
        int32_t a = i - grounded, b = (i + 1) % count - grounded;
        join(&j, a, b, place_on(is_oval, i + 1, count), i);
    }
    return j;
}
static void check_rings(ring_joint *join, int64_t redundant)
{
    static const int32_t length[] = {50, 200, 1000, 5000};
    for (size_t k = 0; k < sizeof length / sizeof *length; ++k)
        for (int way = 0; way < 8; ++way) {
            jointed j = ring_of(join, length[k], way & 1, way & 2 ? 100.0 : 1.0, way & 4);
            jointed_factor(&j);
            if (kkt_redundant(j.kkt, NULL) != redundant)
                print_message("in a ring of %d links%s%s%s:\n", length[k], way & 1 ? ", oval" : "",
                              way & 2 ? ", every third heavy" : "", way & 4 ? ", one of them the ground" : "");
            assert_int_equal(kkt_redundant(j.kkt, NULL), redundant);
            jointed_destroy(&j);
        }
}

static void parallel_hinges_have_three(void **state)
{
    (void)state;
    check_rings(parallel_hinge, 3);
}
static void parallel_cylinders_have_two(void **state)
{
    (void)state;
    check_rings(parallel_cylinder, 2);
}
static void skew_hinges_have_none(void **state)
{
    (void)state;
    check_rings(skew_hinge, 0);
}
static void balls_have_none(void **state)
{
    (void)state;
    check_rings(ball, 0);
}
static void welds_have_six(void **state)
{
    (void)state;
    check_rings(weld, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallel_hinges_have_three),
        cmocka_unit_test(parallel_cylinders_have_two),
        cmocka_unit_test(skew_hinges_have_none),
        cmocka_unit_test(balls_have_none),
        cmocka_unit_test(welds_have_six),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
