// SPDX-License-Identifier: BSD-3-Clause
// A ball bounces on a floor, in C++: the world owns everything, and a smart pointer owns the world.
#include <cstdio>
#include <memory>
#include <stdexcept>

#include <scree/scree.h>

namespace
{

struct destroy_world {
    void operator()(scr_world *world) const { scr_world_destroy(world); }
};
using world_pointer = std::unique_ptr<scr_world, destroy_world>;

// A call that fails becomes an exception with its sentence.
template <typename Call> void checked(Call call)
{
    scr_error error{};
    if (call(&error) != SCR_OK) throw std::runtime_error(error.message);
}

world_pointer make_world(const scr_world_def &def)
{
    scr_world *world = nullptr;
    checked([&](scr_error *e) { return scr_world_create(&def, &world, e); });
    return world_pointer(world);
}

scr_body add_body(scr_world *world, scr_body_kind kind, scr_shape shape, double z)
{
    scr_body_def def = scr_default_body_def();
    scr_body body{};
    def.kind = kind;
    def.position.z = z;
    def.shapes = &shape;
    def.shape_count = 1;
    checked([&](scr_error *e) { return scr_world_add_body(world, &def, &body, e); });
    return body;
}

void run()
{
    const double radius = 0.05;  // m
    world_pointer world = make_world(scr_default_world_def());
    scr_material_def rubber_def = scr_default_material_def();
    scr_material rubber{};
    rubber_def.restitution = 0.8;
    checked([&](scr_error *e) { return scr_world_add_material(world.get(), &rubber_def, &rubber, e); });
    add_body(world.get(), SCR_FIXED, scr_plane(rubber), 0.0);
    scr_body ball = add_body(world.get(), SCR_DYNAMIC, scr_sphere(radius, rubber), 1.0 + radius);

    double last_speed = 0.0;  // m/s
    for (int jumps = 0; jumps < 4;) {
        scr_body_state state{};
        checked([&](scr_error *e) { return scr_world_step(world.get(), e); });
        checked([&](scr_error *e) { return scr_body_get_state(world.get(), ball, &state, e); });
        if (last_speed > 0.0 && state.velocity.z <= 0.0)
            std::printf("jump %d reaches %.3f m\n", ++jumps, state.position.z - radius);
        last_speed = state.velocity.z;
    }
}

}  // namespace

int main()
{
    try {
        run();
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "%s\n", failure.what());
        return 1;
    }
}
