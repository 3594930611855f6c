// SPDX-License-Identifier: BSD-3-Clause
// Shoes on a sprocket that drives them by constraint: they lie where its teeth have their gaps, whoever holds them, and
// the track is driven as by teeth. Half a robot rolls on flat ground and pulls a load.
#include <math.h>

#include "core/maths/quat.h"
#include "core/maths/vec3.h"
#include "vehicle/half_robot.h"

static const double PI = 3.14159265358979323846, H = 1e-3, BEGIN = 0.3, END = 1.0;
static const double PITCH = 0.06, TOW = 600.0;  // m, N
enum { TEETH = 16, SHOES = 61 };

// A pin as the sprocket sees it, about its axis.
typedef struct seen_pin {
    double radius, angle;  // m, rad
} seen_pin;

static seen_pin see_pin(const half_robot *r, int pin)
{
    scr_joint_state sprocket = simulation_joint(r->sim, r->sprocket), state = simulation_joint(r->sim, pin);
    scr_vec3 at = quat_unrotate(sprocket.frame_b.rotation, vec3_sub(state.frame_b.position, sprocket.frame_b.position));
    return (seen_pin){hypot(at.x, at.y), atan2(at.y, at.x)};
}

static double between_half_turns(double angle) { return angle - 2.0 * PI * round(angle / (2.0 * PI)); }

typedef struct drive_figures {
    double speed, torque;  // m/s, N m: means
    double teeth;          // by which the sprocket turned
    double off_gap;        // m: how far any pin on the sprocket was from its gap between teeth, along the circle
    double off_circle;     // m: and from the circle
    int on_least;          // fewest pins on the sprocket at a time
} drive_figures;

// Pins that lie on the sprocket's rear half, farther than two teeth from where they come and go. gap: rad, where a gap
// between teeth is on the sprocket.
static void look_at_pins(const half_robot *r, const int *pin, double gap, drive_figures *f)
{
    const double circle = 0.5 * PITCH / sin(PI / TEETH), tooth = 2.0 * PI / TEETH;
    scr_joint_state sprocket = simulation_joint(r->sim, r->sprocket);
    int on = 0;
    for (int k = 0; k < SHOES; ++k) {
        scr_vec3 at = vec3_sub(simulation_joint(r->sim, pin[k]).frame_b.position, sprocket.frame_b.position);
        if (atan2(fabs(at.z), -at.x) > 0.5 * PI - 2.0 * tooth || vec3_norm(at) > 2.0 * circle) continue;
        seen_pin seen = see_pin(r, pin[k]);
        double off = between_half_turns(TEETH * (seen.angle - gap)) / TEETH;
        f->off_gap = fmax(f->off_gap, fabs(off) * circle);
        f->off_circle = fmax(f->off_circle, fabs(seen.radius - circle));
        ++on;
    }
    f->on_least = on < f->on_least ? on : f->on_least;
}

static drive_figures drive(const char *engagement, double tow)
{
    half_robot r = half_robot_begin(H, engagement, tow);
    drive_figures f = {.on_least = SHOES};
    int pin[SHOES], steps = 0;
    double gap = 0.0, nearest = INFINITY;
    for (int k = 0; k < SHOES; ++k) {
        char name[64];
        snprintf(name, sizeof name, "robot left pin %d", k);
        pin[k] = find_joint(r.scene, name);
        seen_pin seen = see_pin(&r, pin[k]);
        if (seen.radius >= nearest) continue;
        nearest = seen.radius;
        gap = seen.angle;
    }
    while (half_robot_time(&r) < BEGIN) half_robot_step(&r);
    double from = simulation_joint(r.sim, r.sprocket).about;
    for (; half_robot_time(&r) < END; ++steps) {
        scr_body_state chassis;
        half_robot_step(&r);
        look_at_pins(&r, pin, gap, &f);
        scr_body_get_state(simulation_world(r.sim), simulation_body_handle(r.sim, r.chassis), &chassis, NULL);
        f.speed += chassis.velocity.x;
        f.torque += simulation_joint(r.sim, r.sprocket).motor_force;
    }
    f.speed /= steps;
    f.torque /= steps;
    f.teeth = (simulation_joint(r.sim, r.sprocket).about - from) * TEETH / (2.0 * PI);
    assert_within(simulation_joints(r.sim).gap, 0.0, 1e-9);
    half_robot_end(&r);
    return f;
}

// Five shoes come on and go off; none is farther from its gap between the teeth than contacts give. Teeth have play.
static void shoes_lie_between_the_teeth_that_hold_them(void **state)
{
    (void)state;
    drive_figures held = drive("constraint", TOW), toothed = drive("contact", TOW);
    assert_true(held.teeth > 5.0 && held.on_least >= 3);
    assert_within(held.off_gap, 0.0, 1e-4);
    assert_within(held.off_circle, 0.0, 1e-4);
    assert_true(toothed.off_gap > 1e-4);
    assert_near(held.torque, toothed.torque, 0.03);
    assert_near(held.speed, toothed.speed, 0.02);
}

static void without_a_tow_the_track_rolls_as_fast_as_the_sprocket(void **state)
{
    (void)state;
    assert_near(drive("constraint", 0.0).speed, SPIN * TEETH * PITCH / (2.0 * PI), 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shoes_lie_between_the_teeth_that_hold_them),
        cmocka_unit_test(without_a_tow_the_track_rolls_as_fast_as_the_sprocket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
