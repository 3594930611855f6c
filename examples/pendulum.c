// SPDX-License-Identifier: BSD-3-Clause
// A pendulum with a motor in its hinge: a controller swings it up and holds it there, upside down.
//
// The controller is called between steps. It pumps energy in until there is enough to reach the top, and holds it there
// with a spring and a damper of its own: torque = -K angle - D rate. The motor is too weak to lift the pendulum at
// once.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <scree/scree.h>

static const double MASS = 1.0, LENGTH = 0.5, G = 9.81;  // kg, m, m/s^2
static const double WEAK = 2.0;                          // N m; m g l is 4.9
static scr_error error;

static void check(scr_status status)
{
    if (status == SCR_OK) return;
    fprintf(stderr, "%s\n", error.message);
    exit(1);
}

static double clamp(double x, double limit) { return fmax(-limit, fmin(limit, x)); }

// N m, from the angle to the vertical (rad, 0 upside down) and its rate (rad/s)
static double controller(double angle, double rate)
{
    double inertia = MASS * LENGTH * LENGTH;
    double missing = MASS * G * LENGTH * (1.0 - cos(angle)) - 0.5 * inertia * rate * rate;  // J to the top
    if (fabs(angle) < 0.3) return clamp(-30.0 * angle - 4.0 * rate, 5.0 * WEAK);
    return missing > 0.0 ? copysign(WEAK, rate) : 0.0;
}

int main(void)
{
    scr_world_def def = scr_default_world_def();
    scr_world *world;
    check(scr_world_create(&def, &world, &error));

    // A small weight that hangs below the hinge; it needs no shape.
    scr_body_def bob_def = scr_default_body_def();
    scr_body bob;
    bob_def.mass = MASS;
    bob_def.inertia = (scr_vec3){1e-4, 1e-4, 1e-4};
    bob_def.position.z = -LENGTH;
    check(scr_world_add_body(world, &bob_def, &bob, &error));
    const scr_body ground = {0, 0};
    scr_joint_def hinge_def =
        scr_joint_at(SCR_JOINT_REVOLUTE, ground, bob, (scr_vec3){0.0, 0.0, 0.0}, (scr_vec3){0.0, 1.0, 0.0});
    scr_joint hinge;
    check(scr_world_add_joint(world, &hinge_def, &hinge, &error));

    scr_motor_def motor = scr_default_motor_def();
    motor.drive = SCR_DRIVE_FORCE;
    double angle = 0.0;
    while (scr_world_time(world) < 8.0) {
        scr_joint_state state;
        check(scr_joint_get_state(world, hinge, &state, &error));
        angle = remainder(state.about - M_PI, 2.0 * M_PI);
        motor.value.constant = controller(angle, state.about_rate);
        check(scr_joint_set_motor(world, hinge, &motor, &error));
        check(scr_world_step(world, &error));
        if (scr_world_step_count(world) % 500 == 0)
            printf("t = %.1f s: %+6.1f degrees from the top, motor %+.2f N m\n", scr_world_time(world),
                   angle * 180.0 / M_PI, motor.value.constant);
    }
    scr_world_destroy(world);
    printf(fabs(angle) < 0.05 ? "It stands.\n" : "It fell.\n");
    return fabs(angle) < 0.05 ? 0 : 1;
}
