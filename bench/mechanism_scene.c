// SPDX-License-Identifier: BSD-3-Clause
#include "mechanism_scene.h"

#include <math.h>
#include <stdio.h>

static const double PI = 3.14159265358979323846;
static const scr_vec3 Y = {0.0, 1.0, 0.0};

bool bench_ok(scr_status status, const scr_error *error)
{
    if (status != SCR_OK) fprintf(stderr, "bench: %s\n", error->message);
    return status == SCR_OK;
}

static scr_world *empty_world(double gravity, double time_step)
{
    scr_world_def def = scr_default_world_def();
    scr_error error;
    scr_world *world = NULL;
    def.gravity = (scr_vec3){0.0, 0.0, -gravity};
    def.time_step = time_step;
    def.thread_count = 1;
    bench_ok(scr_world_create(&def, &world, &error), &error);
    return world;
}

static scr_vec3 sum(scr_vec3 a, scr_vec3 b) { return (scr_vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }

// A part without a shape; inertia as of a bar or a disc of this size.
static scr_body add_link(scr_world *world, double mass, double size, scr_vec3 position, scr_vec3 velocity, double spin)
{
    scr_body_def def = scr_default_body_def();
    scr_body body;
    scr_error error;
    def.mass = mass;
    def.inertia = (scr_vec3){0.1 * mass * size * size, 0.1 * mass * size * size, 0.1 * mass * size * size};
    def.position = position;
    def.velocity = velocity;
    def.spin = (scr_vec3){0.0, spin, 0.0};
    bench_ok(scr_world_add_body(world, &def, &body, &error), &error);
    return body;
}

static void join(scr_world *world, scr_joint_kind kind, scr_body a, scr_body b, scr_vec3 at)
{
    scr_joint_def def = scr_joint_at(kind, a, b, at, Y);
    scr_joint joint;
    scr_error error;
    bench_ok(scr_world_add_joint(world, &def, &joint, &error), &error);
}

// A ring of hinged links in the plane y = centre.y, turning. Returns its first link.
static scr_body add_ring(scr_world *world, int links, scr_vec3 centre, double link, double spin)
{
    double radius = 0.5 * link / tan(PI / links), pin = 0.5 * link / sin(PI / links);
    scr_body first = {0}, last = {0};
    for (int k = 0; k <= links; ++k) {
        double middle = 2.0 * PI * k / links, before = 2.0 * PI * (k - 0.5) / links;
        scr_vec3 arm = {radius * sin(middle), 0.0, radius * cos(middle)};
        scr_vec3 velocity = {spin * arm.z, 0.0, -spin * arm.x};
        scr_body body = k < links ? add_link(world, 0.3, link, sum(centre, arm), velocity, spin) : first;
        if (k > 0)
            join(world, SCR_JOINT_REVOLUTE, last, body,
                 sum(centre, (scr_vec3){pin * sin(before), 0.0, pin * cos(before)}));
        if (k == 0) first = body;
        last = body;
    }
    return first;
}

scr_world *vehicle_world(void)
{
    scr_world *world = empty_world(0.0, 1e-3);
    scr_body hull = add_link(world, 200.0, 1.0, (scr_vec3){0}, (scr_vec3){0}, 0.0);
    for (int side = -1; side <= 1; side += 2) add_ring(world, 60, (scr_vec3){0.0, side, 0.0}, 0.1, 2.0);
    for (int k = 0; k < 10; ++k) {
        scr_vec3 pivot = {-1.0 + 0.2 * k, k % 2 ? 0.8 : -0.8, -0.3}, hub = sum(pivot, (scr_vec3){-0.2, 0.0, -0.2});
        scr_body arm = add_link(world, 5.0, 0.3, sum(pivot, (scr_vec3){-0.1, 0.0, -0.1}), (scr_vec3){0}, 0.0);
        scr_body wheel = add_link(world, 15.0, 0.3, hub, (scr_vec3){0}, 10.0 + k);
        join(world, SCR_JOINT_REVOLUTE, hull, arm, pivot);
        join(world, SCR_JOINT_REVOLUTE, arm, wheel, hub);
        scr_joint_def link = scr_joint_at(SCR_JOINT_DISTANCE, hull, arm, sum(pivot, (scr_vec3){-0.1, 0.0, 0.3}), Y);
        link.frame_b.position = hub;
        scr_joint joint;
        scr_error error;
        bench_ok(scr_world_add_joint(world, &link, &joint, &error), &error);
    }
    // Nine more: a chain of parts that swing on the hull; its last one is held by a link too.
    scr_body last = hull;
    for (int k = 0; k < 9; ++k) {
        scr_body part = add_link(world, 1.0, 0.2, (scr_vec3){1.1 + 0.2 * k, 0.0, 0.0},
                                 (scr_vec3){0.0, 0.0, 0.02 * (k + 0.5)}, -0.1);
        join(world, SCR_JOINT_REVOLUTE, last, part, (scr_vec3){1.0 + 0.2 * k, 0.0, 0.0});
        last = part;
    }
    scr_joint_def link = scr_joint_at(SCR_JOINT_DISTANCE, hull, last, (scr_vec3){1.0, 0.0, 1.0}, Y);
    link.frame_b.position = (scr_vec3){2.7, 0.0, 0.0};
    scr_joint joint;
    scr_error error;
    bench_ok(scr_world_add_joint(world, &link, &joint, &error), &error);
    return world;
}

scr_world *chain_world(int links)
{
    scr_world *world = empty_world(9.81, 1e-3);
    scr_body last = {0};
    for (int k = 0; k < links; ++k) {
        scr_vec3 at = {0.1 * (k + 0.5), 0.0, 0.0};
        scr_body part = add_link(world, 0.3, 0.1, at, (scr_vec3){0}, 0.0);
        join(world, SCR_JOINT_REVOLUTE, last, part, (scr_vec3){0.1 * k, 0.0, 0.0});
        last = part;
    }
    return world;
}

scr_world *ring_world(int links)
{
    scr_world *world = empty_world(0.0, 1e-3);
    add_ring(world, links, (scr_vec3){0}, 0.1, 100.0 / links);
    return world;
}
