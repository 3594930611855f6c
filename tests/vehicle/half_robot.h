// SPDX-License-Identifier: BSD-3-Clause
// Half of the robot on flat ground, driven by its sprocket and towing a load.
#ifndef TESTS_VEHICLE_HALF_ROBOT_H
#define TESTS_VEHICLE_HALF_ROBOT_H

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "io/scene/scene_reader.h"
#include "scene/run/simulation.h"

static const double SPIN = 3.0;  // rad/s
enum { BODIES_MAX = 100 };

typedef struct half_robot {
    scene *scene;
    simulation *sim;
    double h;  // s
    int sprocket, chassis;
} half_robot;

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

// The tow (N) and the sprocket's spin rise over 0.2 s.
static half_robot half_robot_begin(double h, const char *engagement, double tow)
{
    static const char format[] =
        "{\"time\": {\"step\": %g, \"end\": 10}, \"materials\": {\"concrete\": {\"density\": 2400, \"friction\": 0.8}},"
        "\"bodies\": [{\"name\": \"floor\", \"kind\": \"fixed\", \"shapes\": [{\"plane\": {}, \"material\": "
        "\"concrete\"}]}],"
        "\"vehicles\": [{\"name\": \"robot\", \"file\": \"vehicles/robot.json\", \"half\": \"left\", \"engagement\": "
        "\"%s\", \"drive\": {\"both\": {\"spin\": \"%g*ramp(t, 0, 0.2)\"}}}],"
        "\"loads\": [{\"body\": \"robot chassis\", \"force\": [\"-%g*ramp(t, 0, 0.2)\", 0, 0]}]}";
    char text[1024];
    half_robot r = {.h = h};
    scr_error error;
    snprintf(text, sizeof text, format, h, engagement, SPIN, tow);
    if (scene_read_text(text, strlen(text), SCREE_SOURCE_DIR "/scene.json", NULL, 0, &r.scene, NULL, &error) != SCR_OK)
        fail_msg("%s", error.message);
    if (simulation_create(r.scene, true, 1, &r.sim, &error) != SCR_OK) fail_msg("%s", error.message);
    r.sprocket = find_joint(r.scene, "robot left sprocket");
    r.chassis = find_body(r.scene, "robot chassis");
    assert_true(r.scene->body_count <= BODIES_MAX);
    return r;
}

static void half_robot_step(half_robot *r)
{
    scr_error error;
    if (simulation_step(r->sim, &error) != SCR_OK) fail_msg("%s", error.message);
}

static double half_robot_time(const half_robot *r) { return scr_world_time(simulation_world(r->sim)); }

static void half_robot_end(half_robot *r)
{
    simulation_destroy(r->sim);
    scene_destroy(r->scene);
}

#endif
