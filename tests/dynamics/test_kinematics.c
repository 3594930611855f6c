// SPDX-License-Identifier: BSD-3-Clause
// Joints against what is known of them: the motions each kind leaves, small differences of their conditions, and forces
// that are equal and opposite.
#include "dynamics/joints/kinematics.h"

#include <stdlib.h>

#include "check.h"
#include "core/arrays/colouring.h"
#include "core/maths/rng.h"

enum { KINDS = JOINT_KINDS, SAMPLES = 200 };

static const double PI = 3.14159265358979323846;

// The motions of frame b in the axes of frame a that each kind leaves: along x, y, z, about x, y, z. A universal joint
// leaves turns about x of a and then y of b; a distance joint is left out, it has a test of its own.
static const bool LEFT[KINDS][6] = {
    [SCR_JOINT_FIXED] = {0, 0, 0, 0, 0, 0},       [SCR_JOINT_SPHERICAL] = {0, 0, 0, 1, 1, 1},
    [SCR_JOINT_REVOLUTE] = {0, 0, 0, 0, 0, 1},    [SCR_JOINT_PRISMATIC] = {0, 0, 1, 0, 0, 0},
    [SCR_JOINT_CYLINDRICAL] = {0, 0, 1, 0, 0, 1}, [SCR_JOINT_UNIVERSAL] = {0, 0, 0, 1, 1, 0},
    [SCR_JOINT_PLANAR] = {1, 1, 0, 0, 0, 1},      [SCR_JOINT_POINT_ON_LINE] = {0, 0, 1, 1, 1, 1},
    [SCR_JOINT_BUSHING] = {1, 1, 1, 1, 1, 1},     [SCR_JOINT_POINT_ON_PLANE] = {1, 1, 0, 1, 1, 1},
};

static double draw(double low, double high, uint64_t *count)
{
    return low + (high - low) * scr_uniform(11, 0, (*count)++);
}

static scr_vec3 draw_vector(double size, uint64_t *count)
{
    double x = draw(-size, size, count), y = draw(-size, size, count), z = draw(-size, size, count);
    return vec3(x, y, z);
}

static scr_quat draw_turn(uint64_t *count)
{
    double w = draw(-1.0, 1.0, count);
    scr_vec3 v = draw_vector(1.0, count);
    return quat_unit((scr_quat){w, v.x, v.y, v.z});
}

static pose draw_pose(uint64_t *count)
{
    scr_vec3 at = draw_vector(2.0, count);
    return (pose){at, draw_turn(count)};
}

static scr_quat turn_by(scr_vec3 rotation)
{
    double angle = vec3_norm(rotation);
    scr_vec3 v = vec3_scale(sin(0.5 * angle), vec3_unit(rotation));
    return (scr_quat){cos(0.5 * angle), v.x, v.y, v.z};
}

static scr_vec3 unit(int k) { return vec3(k == 0, k == 1, k == 2); }

// A joint between bodies 0 and 1, or the ground in place of one of them, whose frame b has moved by `moved` in frame a.
typedef struct sample {
    joint_geometry joint;
    pose poses[2];
} sample;

static sample sample_of(scr_joint_kind kind, pose moved, uint64_t *count)
{
    sample s = {.joint = {.kind = kind, .length = draw(0.2, 2.0, count)}};
    int with_ground = (int)draw(0.0, 4.0, count);
    s.joint.a = (joint_end){with_ground == 1 ? NO_BODY : 0, draw_pose(count)};
    s.joint.b = (joint_end){with_ground == 2 ? NO_BODY : 1, draw_pose(count)};
    s.poses[0] = draw_pose(count);
    if (s.joint.b.body == NO_BODY) {  // then body a goes where it must
        pose a = pose_compose(s.joint.b.frame, pose_inverse(moved));
        s.poses[0] = pose_compose(a, pose_inverse(s.joint.a.frame));
        s.poses[1] = draw_pose(count);
    } else {
        pose b = pose_compose(joint_frame_now(&s.joint.a, s.poses), moved);
        s.poses[1] = pose_compose(b, pose_inverse(s.joint.b.frame));
    }
    scr_quat *turn = &s.poses[0].rotation;  // both signs of a quaternion are the same rotation
    if (draw(0.0, 1.0, count) < 0.5) *turn = (scr_quat){-turn->w, -turn->x, -turn->y, -turn->z};
    return s;
}

static pose closed(void) { return (pose){{0.0, 0.0, 0.0}, QUAT_IDENTITY}; }

static pose moved_along_or_about(int motion, double by)
{
    pose p = closed();
    if (motion < 3) p.position = vec3_scale(by, unit(motion));
    else p.rotation = turn_by(vec3_scale(by, unit(motion - 3)));
    return p;
}

// Any mixture of all motions that a kind leaves.
static pose moved_as_left(scr_joint_kind kind, uint64_t *count)
{
    pose p = closed();
    for (int k = 0; k < 3; ++k) {
        double along = draw(-3.0, 3.0, count), about = draw(-3.0, 3.0, count);
        if (LEFT[kind][k]) p.position = vec3_add_scaled(p.position, along, unit(k));
        if (LEFT[kind][3 + k]) p.rotation = quat_mul(p.rotation, turn_by(vec3_scale(about, unit(k))));
    }
    return p;
}

static double largest(const double *v, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) most = fmax(most, fabs(v[i]));
    return most;
}

static void every_kind_takes_away_what_it_does_not_leave(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        int left = 0;
        for (int k = 0; k < 6; ++k) left += LEFT[kind][k];
        assert_int_equal(joint_row_count((scr_joint_kind)kind), kind == SCR_JOINT_DISTANCE ? 1 : 6 - left);
    }
}

static void motions_that_are_left_keep_a_joint_closed(void **state)
{
    (void)state;
    uint64_t count = 0;
    for (int i = 0; i < SAMPLES * KINDS; ++i) {
        scr_joint_kind kind = (scr_joint_kind)(i % KINDS);
        if (kind == SCR_JOINT_DISTANCE) continue;
        sample s = sample_of(kind, moved_as_left(kind, &count), &count);
        double phi[BLOCK_ROWS], gap, tilt;
        int rows = joint_rows(&s.joint, s.poses, phi, NULL);
        assert_int_equal(rows, joint_row_count(kind));
        assert_within(largest(phi, rows), 0.0, 1e-14);
        joint_gap(&s.joint, s.poses, &gap, &tilt);
        assert_within(gap, 0.0, 1e-14);
        assert_within(tilt, 0.0, 1e-14);
    }
}

// One row shows it, by the shift or by the sine of the turn; the gap or the tilt is the motion itself.
static void motions_that_are_taken_away_open_a_joint(void **state)
{
    (void)state;
    uint64_t count = 0;
    for (int i = 0; i < 6 * KINDS; ++i) {
        scr_joint_kind kind = (scr_joint_kind)(i % KINDS);
        int motion = i / KINDS;
        if (LEFT[kind][motion] || kind == SCR_JOINT_DISTANCE) continue;
        double phi[BLOCK_ROWS], gap, tilt, by = motion < 3 ? 0.3 : 0.7;
        sample s = sample_of(kind, moved_along_or_about(motion, by), &count);
        int rows = joint_rows(&s.joint, s.poses, phi, NULL);
        int row = 0;  // the rows of motions that are taken away stand in the order of the motions
        for (int k = 0; k < motion; ++k) row += !LEFT[kind][k];
        assert_near(phi[row], motion < 3 ? 0.3 : sin(0.7), 1e-13);
        phi[row] = 0.0;
        assert_within(largest(phi, rows), 0.0, 1e-14);
        joint_gap(&s.joint, s.poses, &gap, &tilt);
        assert_within(gap, motion < 3 ? by : 0.0, 1e-14);
        assert_within(tilt, motion < 3 ? 0.0 : by, 1e-14);
    }
}

static void axes_that_point_the_wrong_way_are_a_tilt_of_half_a_turn(void **state)
{
    (void)state;
    const scr_joint_kind kinds[] = {SCR_JOINT_FIXED, SCR_JOINT_REVOLUTE, SCR_JOINT_PRISMATIC, SCR_JOINT_CYLINDRICAL,
                                    SCR_JOINT_PLANAR};
    uint64_t count = 0;
    for (int i = 0; i < 5; ++i) {
        for (int about = 0; about < 3; ++about) {
            if (LEFT[kinds[i]][3 + about]) continue;
            double phi[BLOCK_ROWS], gap, tilt;
            sample s = sample_of(kinds[i], moved_along_or_about(3 + about, PI), &count);
            int rows = joint_rows(&s.joint, s.poses, phi, NULL);
            assert_within(largest(phi, rows), 0.0, 1e-14);  // the rows do not see it
            joint_gap(&s.joint, s.poses, &gap, &tilt);
            assert_within(gap, 0.0, 1e-14);
            assert_within(tilt, PI, 1e-13);
        }
    }
}

static void a_distance_joint_knows_its_length(void **state)
{
    (void)state;
    uint64_t count = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        pose moved = draw_pose(&count);
        sample s = sample_of(SCR_JOINT_DISTANCE, moved, &count);
        double phi[BLOCK_ROWS], gap, tilt, distance = vec3_norm(moved.position);
        assert_int_equal(joint_rows(&s.joint, s.poses, phi, NULL), 1);
        assert_within(phi[0], distance - s.joint.length, 1e-14);
        assert_near(joint_motion(&s.joint, SCR_ALONG, s.poses, 0.0), distance, 1e-13);
        joint_gap(&s.joint, s.poses, &gap, &tilt);
        assert_within(gap, fabs(distance - s.joint.length), 1e-14);
        assert_true(tilt == 0.0);
    }
}

static void a_distance_of_zero_gives_finite_arms(void **state)
{
    (void)state;
    joint_geometry joint = {SCR_JOINT_DISTANCE, {0, closed()}, {1, closed()}, 0.5};
    pose poses[2] = {closed(), closed()};
    double phi[BLOCK_ROWS];
    joint_jacobian jacobian[2];
    joint_rows(&joint, poses, phi, jacobian);
    assert_near(phi[0], -0.5, 0.0);
    assert_near(vec3_norm(vec3(jacobian[1].row[0][0], jacobian[1].row[0][1], jacobian[1].row[0][2])), 1.0, 1e-15);
}

static void motions_are_counted_from_a_to_b(void **state)
{
    (void)state;
    uint64_t count = 0;
    for (int i = 0; i < SAMPLES * KINDS; ++i) {
        scr_joint_kind kind = (scr_joint_kind)(i % KINDS);
        double along = draw(-3.0, 3.0, &count), about = draw(-3.0, 3.0, &count);
        pose moved = {vec3_scale(along, unit(2)), turn_by(vec3_scale(about, unit(2)))};
        sample s = sample_of(kind, moved, &count);
        if (joint_has_axis(kind, SCR_ABOUT))
            assert_within(joint_motion(&s.joint, SCR_ABOUT, s.poses, 0.0), about, 1e-13);
        if (!joint_has_axis(kind, SCR_ALONG)) continue;
        double expected = kind == SCR_JOINT_DISTANCE ? fabs(along) : along;
        assert_within(joint_motion(&s.joint, SCR_ALONG, s.poses, 0.0), expected, 1e-13);
    }
}

static void usual_axes_are_those_a_kind_has(void **state)
{
    (void)state;
    assert_int_equal(joint_usual_axis(SCR_JOINT_REVOLUTE, SCR_AXIS_USUAL), SCR_ABOUT);
    assert_int_equal(joint_usual_axis(SCR_JOINT_PLANAR, SCR_AXIS_USUAL), SCR_ABOUT);
    assert_int_equal(joint_usual_axis(SCR_JOINT_PRISMATIC, SCR_AXIS_USUAL), SCR_ALONG);
    assert_int_equal(joint_usual_axis(SCR_JOINT_CYLINDRICAL, SCR_AXIS_USUAL), SCR_ALONG);
    assert_int_equal(joint_usual_axis(SCR_JOINT_CYLINDRICAL, SCR_ABOUT), SCR_ABOUT);
    assert_int_equal(joint_usual_axis(SCR_JOINT_DISTANCE, SCR_AXIS_USUAL), SCR_ALONG);
    for (int i = 0; i < KINDS; ++i) {
        scr_joint_kind kind = (scr_joint_kind)i;
        bool has_any = joint_has_axis(kind, SCR_ALONG) || joint_has_axis(kind, SCR_ABOUT);
        assert_int_equal(joint_has_axis(kind, joint_usual_axis(kind, SCR_AXIS_USUAL)), has_any);
    }
}

static void turns_are_counted_on(void **state)
{
    (void)state;
    const joint_geometry joint = {SCR_JOINT_REVOLUTE, {NO_BODY, closed()}, {0, closed()}, 0.0};
    const int steps[] = {1000, -2000};  // a hundred turns and more forth, and twice as many back
    double angle = 0.0, seen = 0.0;
    for (int way = 0; way < 2; ++way) {
        for (int i = 0; i < abs(steps[way]); ++i) {
            angle += steps[way] > 0 ? 0.9 : -0.9;
            pose body = {{0.0, 0.0, 0.0}, turn_by(vec3(0.0, 0.0, angle))};
            seen = joint_motion(&joint, SCR_ABOUT, &body, seen);
            assert_within(seen, angle, 1e-12);
        }
    }
}

static void a_bushing_sees_shift_and_rotation_vector(void **state)
{
    (void)state;
    uint64_t count = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        scr_vec3 shift = draw_vector(1.0, &count), way = vec3_unit(draw_vector(1.0, &count));
        scr_vec3 turn = vec3_scale(draw(0.0, 3.1, &count), way);
        if (i % 4 == 0) turn = vec3_scale(1e-9, turn);
        sample s = sample_of(SCR_JOINT_BUSHING, (pose){shift, turn_by(turn)}, &count);
        double motion[6];
        bushing_rows(&s.joint, s.poses, motion, NULL);
        const double expected[6] = {shift.x, shift.y, shift.z, turn.x, turn.y, turn.z};
        for (int k = 0; k < 6; ++k) assert_within(motion[k], expected[k], 1e-13);
    }
}

// What rows a test looks at: of the kind, of its motions, or a bushing's.
typedef enum row_source { OF_KIND, OF_ALONG, OF_ABOUT, OF_BUSHING } row_source;

static int rows_of(const sample *s, row_source source, double near, double phi[BLOCK_ROWS], joint_jacobian jacobian[2])
{
    if (source == OF_KIND) return joint_rows(&s->joint, s->poses, phi, jacobian);
    if (source == OF_BUSHING) {
        bushing_rows(&s->joint, s->poses, phi, jacobian);
        return 6;
    }
    scr_axis axis = source == OF_ALONG ? SCR_ALONG : SCR_ABOUT;
    if (!joint_has_axis(s->joint.kind, axis)) return 0;
    phi[0] = joint_motion(&s->joint, axis, s->poses, near);
    if (jacobian != NULL) joint_motion_row(&s->joint, axis, s->poses, jacobian);
    return 1;
}

// Central differences for a motion of one of the bodies against its arm.
static void check_arm(const sample *s, row_source source, const joint_jacobian *jacobian, int rows, double near)
{
    const double h = 1e-5;
    if (jacobian->body == NO_BODY) return;
    for (int k = 0; k < 6; ++k) {
        scr_vec3 shift = k < 3 ? unit(k) : vec3(0.0, 0.0, 0.0), turn = k < 3 ? vec3(0.0, 0.0, 0.0) : unit(k - 3);
        double before[BLOCK_ROWS], after[BLOCK_ROWS];
        sample moved = *s;
        moved.poses[jacobian->body] = pose_moved(s->poses[jacobian->body], vec3_scale(-h, shift), vec3_scale(-h, turn));
        rows_of(&moved, source, near, before, NULL);
        moved.poses[jacobian->body] = pose_moved(s->poses[jacobian->body], vec3_scale(h, shift), vec3_scale(h, turn));
        rows_of(&moved, source, near, after, NULL);
        for (int row = 0; row < rows; ++row)
            assert_within(jacobian->row[row][k], (after[row] - before[row]) / (2.0 * h), 1e-8);
    }
}

// Any pose at all, but a bushing less than half a turn, where its rotation vector jumps, and angles about z only where
// b_x is not along z.
static pose draw_motion(row_source source, uint64_t *count)
{
    pose moved = draw_pose(count);
    scr_vec3 way = vec3_unit(draw_vector(1.0, count));
    if (source == OF_BUSHING) moved.rotation = turn_by(vec3_scale(draw(0.0, 3.0, count), way));
    if (source == OF_ABOUT) {
        moved.rotation = turn_by(vec3(0.0, 0.0, draw(-20.0, 20.0, count)));
        moved.rotation = quat_mul(moved.rotation, turn_by(vec3_scale(draw(0.0, 0.5, count), way)));
    }
    return moved;
}

static void arms_are_the_derivatives_of_rows(void **state)
{
    (void)state;
    uint64_t count = 0;
    for (int i = 0; i < SAMPLES * KINDS; ++i) {
        for (int source = OF_KIND; source <= OF_BUSHING; ++source) {
            sample s = sample_of((scr_joint_kind)(i % KINDS), draw_motion((row_source)source, &count), &count);
            double phi[BLOCK_ROWS] = {0.0};
            joint_jacobian jacobian[2];
            int rows = rows_of(&s, (row_source)source, 0.0, phi, jacobian);
            for (int side = 0; side < 2 && rows > 0; ++side)
                check_arm(&s, (row_source)source, &jacobian[side], rows, phi[0]);
        }
    }
}

static void small_rotation_vectors_have_exact_arms_too(void **state)
{
    (void)state;
    uint64_t count = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        scr_vec3 turn = vec3_scale(pow(10.0, -(i % 12)), vec3_unit(draw_vector(1.0, &count)));
        sample s = sample_of(SCR_JOINT_BUSHING, (pose){draw_vector(1.0, &count), turn_by(turn)}, &count);
        double motion[6];
        joint_jacobian jacobian[2];
        bushing_rows(&s.joint, s.poses, motion, jacobian);
        for (int side = 0; side < 2; ++side) check_arm(&s, OF_BUSHING, &jacobian[side], 6, 0.0);
    }
}

static scr_vec3 first3(const double *v) { return vec3(v[0], v[1], v[2]); }

// The ground's arm is about the origin of the world.
static scr_vec3 torque_about_origin(const sample *s, const joint_jacobian *jacobian, int row)
{
    scr_vec3 torque = first3(jacobian->row[row] + 3);
    if (jacobian->body == NO_BODY) return torque;
    return vec3_add(torque, vec3_cross(s->poses[jacobian->body].position, first3(jacobian->row[row])));
}

static void no_joint_makes_momentum_even_when_open(void **state)
{
    (void)state;
    uint64_t count = 0;
    for (int i = 0; i < SAMPLES * KINDS; ++i) {
        for (int source = OF_KIND; source <= OF_BUSHING; ++source) {
            sample s = sample_of((scr_joint_kind)(i % KINDS), draw_motion((row_source)source, &count), &count);
            double phi[BLOCK_ROWS];
            joint_jacobian jacobian[2];
            int rows = rows_of(&s, (row_source)source, 0.0, phi, jacobian);
            for (int row = 0; row < rows; ++row) {
                scr_vec3 force = vec3_add(first3(jacobian[0].row[row]), first3(jacobian[1].row[row]));
                scr_vec3 on_a = torque_about_origin(&s, &jacobian[0], row),
                         on_b = torque_about_origin(&s, &jacobian[1], row);
                assert_within(vec3_norm(force), 0.0, 1e-15);
                assert_within(vec3_norm(vec3_add(on_a, on_b)), 0.0, 1e-13);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_takes_away_what_it_does_not_leave),
        cmocka_unit_test(motions_that_are_left_keep_a_joint_closed),
        cmocka_unit_test(motions_that_are_taken_away_open_a_joint),
        cmocka_unit_test(axes_that_point_the_wrong_way_are_a_tilt_of_half_a_turn),
        cmocka_unit_test(a_distance_joint_knows_its_length),
        cmocka_unit_test(a_distance_of_zero_gives_finite_arms),
        cmocka_unit_test(motions_are_counted_from_a_to_b),
        cmocka_unit_test(usual_axes_are_those_a_kind_has),
        cmocka_unit_test(turns_are_counted_on),
        cmocka_unit_test(a_bushing_sees_shift_and_rotation_vector),
        cmocka_unit_test(arms_are_the_derivatives_of_rows),
        cmocka_unit_test(small_rotation_vectors_have_exact_arms_too),
        cmocka_unit_test(no_joint_makes_momentum_even_when_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
