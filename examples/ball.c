// SPDX-License-Identifier: BSD-3-Clause
// A ball bounces on a floor: each jump reaches e^2 of the height of the one before, e being the restitution.
#include <stdio.h>
#include <stdlib.h>

#include <scree/scree.h>

static scr_error error;

static void check(scr_status status)
{
    if (status == SCR_OK) return;
    fprintf(stderr, "%s\n", error.message);
    exit(1);
}

static scr_body add_body(scr_world *world, scr_body_kind kind, scr_shape shape, double z)
{
    scr_body_def def = scr_default_body_def();
    scr_body body;
    def.kind = kind;
    def.position.z = z;
    def.shapes = &shape;  // copied
    def.shape_count = 1;
    check(scr_world_add_body(world, &def, &body, &error));
    return body;
}

int main(void)
{
    const double radius = 0.05, e = 0.8;  // m
    scr_world_def def = scr_default_world_def();
    scr_material_def rubber_def = scr_default_material_def();
    scr_world *world;
    scr_material rubber;
    rubber_def.restitution = e;
    check(scr_world_create(&def, &world, &error));
    check(scr_world_add_material(world, &rubber_def, &rubber, &error));
    add_body(world, SCR_FIXED, scr_plane(rubber), 0.0);
    scr_body ball = add_body(world, SCR_DYNAMIC, scr_sphere(radius, rubber), 1.0 + radius);

    double top = 1.0, last_speed = 0.0;  // m, m/s
    int jumps = 0;
    while (jumps < 4) {
        scr_body_state state;
        check(scr_world_step(world, &error));
        check(scr_body_get_state(world, ball, &state, &error));
        if (last_speed > 0.0 && state.velocity.z <= 0.0) {
            double height = state.position.z - radius;
            printf("jump %d reaches %.3f m, %.2f of the one before\n", ++jumps, height, height / top);
            top = height;
        }
        last_speed = state.velocity.z;
    }
    scr_world_destroy(world);
    return 0;
}
