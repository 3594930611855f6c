// SPDX-License-Identifier: BSD-3-Clause
// Helical anchors: boxes lie on the helix, a screw motion takes it along itself, and the mass of the union is that of
// closed forms.
#include "check.h"
#include "vehicle/anchor/helical_anchor.h"

static const double PI = 3.141592653589793;

static helical_anchor anchor_of(int boxes)
{
    return (helical_anchor){
        .shaft_radius = 0.06,
        .shaft_length = 2.0,
        .tip_radius = 0.08,
        .helix = {.radius = 0.5, .pitch = 0.25, .turns = 1.5, .thickness = 0.01, .height = 0.2, .boxes = boxes}};
}

static scr_vec3 corner_of(const anchor_box *box, double x, double y, double z)
{
    return pose_apply(box->at, vec3(0.5 * x * box->size.x, 0.5 * y * box->size.y, 0.5 * z * box->size.z));
}

// The rim is a helix: the middle of a box' outer edge is at the angle and height of the helix, its corners on the rim.
static void boxes_lie_on_the_helix_and_end_at_its_rim(void **state)
{
    (void)state;
    for (int left = 0; left < 2; ++left) {
        helical_anchor anchor = anchor_of(67);
        anchor.helix.is_left_handed = left == 1;
        double hand = left == 1 ? -1.0 : 1.0;
        for (int k = 0; k < 67; ++k) {
            anchor_box box = anchor_helix_box(&anchor, k);
            double angle = 3.0 * PI * ((k + 0.5) / 67.0 - 1.0);
            scr_vec3 p = box.at.position, out = quat_rotate(box.at.rotation, vec3(1, 0, 0));
            assert_within(out.x, cos(hand * angle), 1e-14);
            assert_within(out.y, sin(hand * angle), 1e-14);
            scr_vec3 along = quat_rotate(box.at.rotation, vec3(0, 1, 0));
            double slope = atan2(0.25, 2.0 * PI * 0.28);  // midway between shaft and rim, up the way it winds
            assert_within(along.z, hand * sin(slope), 1e-14);
            assert_within(along.x, -sin(hand * angle) * cos(slope), 1e-14);
            assert_within(p.z, -0.2 + 0.25 * angle / (2.0 * PI), 1e-14);
            for (int side = -1; side <= 1; side += 2) {
                scr_vec3 rim = corner_of(&box, 1, side, 0), root = corner_of(&box, -1, side, 0);
                assert_within(hypot(rim.x, rim.y), 0.5, 1e-14);
                assert_within(hypot(root.x, root.y), 0.06, 1e-14);
            }
        }
    }
}

// In a rigid nut a screw advances by its pitch a turn: rotated by the angle of a box and moved on by its share of the
// pitch, box k is box k + 1 to rounding.
static void a_screw_motion_takes_the_helix_along_itself(void **state)
{
    (void)state;
    for (int left = 0; left < 2; ++left) {
        helical_anchor anchor = anchor_of(67);
        anchor.helix.is_left_handed = left == 1;
        double step = (left == 1 ? -3.0 : 3.0) * PI / 67.0;
        pose screw = {vec3(0, 0, 0.25 * 1.5 / 67.0), {cos(0.5 * step), 0, 0, sin(0.5 * step)}};
        for (int k = 0; k + 1 < 67; ++k) {
            anchor_box here = anchor_helix_box(&anchor, k), next = anchor_helix_box(&anchor, k + 1);
            here.at = pose_compose(screw, here.at);
            for (int corner = 0; corner < 8; ++corner) {
                double x = corner & 1 ? 1 : -1, y = corner & 2 ? 1 : -1, z = corner & 4 ? 1 : -1;
                assert_within(vec3_norm(vec3_sub(corner_of(&here, x, y, z), corner_of(&next, x, y, z))), 0.0, 1e-14);
            }
        }
    }
}

// A cylinder with half a ball under it: of radius r and length L
//   V = pi r^2 L + 2/3 pi r^3,  z V = -pi r^2 L (r + L/2) - 2/3 pi r^3 (5/8 r),  I_zz = pi r^4 L / 2 + 4/15 pi r^5
static void a_shaft_and_its_tip_have_the_mass_of_the_textbook(void **state)
{
    (void)state;
    const double r = 0.06, L = 2.0;
    helical_anchor anchor = {.shaft_radius = r, .shaft_length = L, .tip_radius = r};
    anchor_mass m = anchor_union_mass(&anchor);
    double shaft = PI * r * r * L, ball = 2.0 / 3.0 * PI * r * r * r, volume = shaft + ball;
    double z = -(shaft * (r + 0.5 * L) + ball * 0.625 * r) / volume;
    double across = shaft * (L * L / 12.0 + 0.25 * r * r + pow(r + 0.5 * L + z, 2)) +
                    ball * (83.0 / 320.0 * r * r + pow(0.625 * r + z, 2));
    assert_near(m.volume, volume, 1e-4);
    assert_near(m.centre.z, z, 1e-4);
    assert_near(m.inertia.z, 0.5 * shaft * r * r + 0.4 * ball * r * r, 1e-3);
    assert_near(m.inertia.x, across, 1e-4);
    assert_near(m.inertia.y, across, 1e-4);
    assert_within(m.centre.x, 0.0, 1e-12);
    assert_within(vec3_norm(m.products), 0.0, 1e-12);
}

// Many thin boxes of a small pitch, whose flatness does not show, are a helicoid of the thickness t / cos(slope) along
// the axis, over n turns of a ring:
//   V = n pi (R^2 - r^2) t',  I_zz = n pi/2 (R^4 - r^4) t'
// but for half a percent that is left of flatness and of corners at both ends. The same boxes counted one
// by one would overlap near the shaft and be heavier by more than half.
static void many_boxes_have_the_mass_of_a_helicoid(void **state)
{
    (void)state;
    helical_anchor anchor = anchor_of(400), bare = anchor;
    anchor.helix.turns = bare.helix.turns = 1.0;
    anchor.helix.thickness = 0.004;
    anchor.helix.pitch = 0.01;
    bare.helix.boxes = 0;
    anchor_mass all = anchor_union_mass(&anchor), core = anchor_union_mass(&bare);
    double r = 0.06, R = 0.5, slope = atan2(0.01, PI * (R + r)), t = 0.004 / cos(slope);
    double volume = PI * (R * R - r * r) * t, boxes = 0.0;
    for (int k = 0; k < 400; ++k) {
        anchor_box box = anchor_helix_box(&anchor, k);
        boxes += box.size.x * box.size.y * box.size.z;
    }
    assert_near(all.volume - core.volume, volume, 5e-3);
    assert_near(all.inertia.z - core.inertia.z, 0.5 * PI * (pow(R, 4) - pow(r, 4)) * t, 5e-3);
    assert_true(boxes > 1.5 * volume);
    // a whole turn is balanced but for what its rise takes the upper half away: nothing beside the axis
    assert_within(all.centre.x, 0.0, 1e-4);
}

// Half a turn hangs over to one side: the centre of a half ring, 4/3 (R^3 - r^3) / (pi (R^2 - r^2)) off the axis.
static void half_a_turn_has_its_centre_beside_the_axis(void **state)
{
    (void)state;
    helical_anchor anchor = anchor_of(200), bare = anchor;
    anchor.helix.turns = 0.5;
    anchor.helix.pitch = 0.02;
    bare.helix.boxes = 0;
    anchor_mass all = anchor_union_mass(&anchor), core = anchor_union_mass(&bare);
    double r = 0.06, R = 0.5, blade = all.volume - core.volume;
    double off = 4.0 / 3.0 * (pow(R, 3) - pow(r, 3)) / (PI * (R * R - r * r));
    assert_near(-all.centre.y * all.volume / blade, off, 5e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_lie_on_the_helix_and_end_at_its_rim),
        cmocka_unit_test(a_screw_motion_takes_the_helix_along_itself),
        cmocka_unit_test(a_shaft_and_its_tip_have_the_mass_of_the_textbook),
        cmocka_unit_test(many_boxes_have_the_mass_of_a_helicoid),
        cmocka_unit_test(half_a_turn_has_its_centre_beside_the_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
