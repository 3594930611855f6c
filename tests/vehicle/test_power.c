// SPDX-License-Identifier: BSD-3-Clause
// Energy of a driven vehicle: what the sprocket's motor does goes to the tow, to the motion of the parts, to springs,
// and to contacts. Half a robot rolls on flat ground and pulls a load.
//
// Steps are of first order where contacts touch a mechanism: the balance is off by 5 % with steps of 1 ms, 2 % with 0.5
// ms, 0.7 % with 0.25 ms.
#include <string.h>

#include "check.h"
#include "core/maths/vec3.h"
#include "io/scene/scene_reader.h"
#include "scene/run/simulation.h"

static const double H = 5e-4, BEGIN = 0.25, END = 0.75;
enum { BODIES_MAX = 100 };

static const char SCENE[] =
    "{\"time\": {\"step\": 0.0005, \"end\": 1}, \"materials\": {\"concrete\": {\"density\": 2400, \"friction\": 0.8}},"
    "\"bodies\": [{\"name\": \"floor\", \"kind\": \"fixed\", \"shapes\": [{\"plane\": {}, \"material\": "
    "\"concrete\"}]}],"
    "\"vehicles\": [{\"name\": \"robot\", \"file\": \"vehicles/robot.json\", \"half\": \"left\", \"measure_from\": 0.3,"
    "\"drive\": {\"both\": {\"spin\": \"3*ramp(t, 0, 0.2)\"}}}],"
    "\"loads\": [{\"body\": \"robot chassis\", \"force\": [\"-600*ramp(t, 0, 0.2)\", 0, 0]}]}";

typedef struct drive {
    scene *scene;
    simulation *sim;
    int sprocket, chassis;
    double motor, tow, contacts;  // J
} drive;

static int find_joint(const scene *s, const char *name)
{
    for (int i = 0; i < s->joint_count; ++i)
        if (strcmp(s->joints[i].name, name) == 0) return i;
    fail_msg("no joint %s", name);
    return 0;
}

static int find_body(const scene *s, const char *name)
{
    for (int i = 0; i < s->body_count; ++i)
        if (strcmp(s->bodies[i].name, name) == 0) return i;
    fail_msg("no body %s", name);
    return 0;
}

static drive begin_drive(void)
{
    drive d = {0};
    scr_error error;
    if (scene_read_text(SCENE, strlen(SCENE), SCREE_SOURCE_DIR "/scene.json", NULL, 0, &d.scene, NULL, &error) !=
        SCR_OK)
        fail_msg("%s", error.message);
    assert_int_equal(simulation_create(d.scene, true, 1, &d.sim, &error), SCR_OK);
    d.sprocket = find_joint(d.scene, "robot left sprocket");
    d.chassis = find_body(d.scene, "robot chassis");
    assert_true(d.scene->body_count <= BODIES_MAX);
    return d;
}

static void end_drive(drive *d)
{
    simulation_destroy(d->sim);
    scene_destroy(d->scene);
}

static void look(const drive *d, scr_body_state *state)
{
    for (int i = 0; i < d->scene->body_count; ++i)
        assert_int_equal(
            scr_body_get_state(simulation_world(d->sim), simulation_body_handle(d->sim, i), &state[i], NULL), SCR_OK);
}

// A step, and the work that motor, tow and contacts do in it: forces by the mean of the velocities before and after.
static void step(drive *d)
{
    scr_body_state before[BODIES_MAX], after[BODIES_MAX];
    scr_world *world = simulation_world(d->sim);
    scr_error error;
    look(d, before);
    if (simulation_step(d->sim, &error) != SCR_OK) fail_msg("%s", error.message);
    look(d, after);
    for (int i = 0; i < d->scene->body_count; ++i) {
        scr_vec3 force, torque;
        scr_body_contact_force(world, simulation_body_handle(d->sim, i), &force, &torque, NULL);
        d->contacts += 0.5 * H *
                       (vec3_dot(force, vec3_add(before[i].velocity, after[i].velocity)) +
                        vec3_dot(torque, vec3_add(before[i].spin, after[i].spin)));
    }
    d->motor += H * simulation_joint(d->sim, d->sprocket).motor_power;
    d->tow += 0.5 * H * 600.0 * (before[d->chassis].velocity.x + after[d->chassis].velocity.x);
}

static double stored(const drive *d)
{
    scr_energy e = scr_world_energy(simulation_world(d->sim));
    return e.kinetic + e.potential + e.elastic;
}

static void the_sprockets_work_is_that_of_tow_and_losses(void **state)
{
    (void)state;
    drive d = begin_drive();
    while (scr_world_time(simulation_world(d.sim)) < BEGIN) step(&d);
    d.motor = d.tow = d.contacts = 0.0;
    double before = stored(&d);
    while (scr_world_time(simulation_world(d.sim)) < END) step(&d);
    double losses = -d.contacts, change = stored(&d) - before;
    assert_near(d.tow + losses + change, d.motor, 0.03);
    end_drive(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_sprockets_work_is_that_of_tow_and_losses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
