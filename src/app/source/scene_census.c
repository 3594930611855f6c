// SPDX-License-Identifier: BSD-3-Clause
// What a scene builds, counted.
#include "app/source/scene_census.h"

#include "core/text/human.h"

static void print_count(FILE *out, const char **separator, int64_t count, const char *one, const char *many)
{
    if (count == 0) return;
    fprintf(out, "%s%s", *separator, human_things(count, one, many).text);
    *separator = ", ";
}

static void print_period(FILE *out, const scr_period *p)
{
    const double length[3] = {p->high.x - p->low.x, p->high.y - p->low.y, p->high.z - p->low.z};
    const char *before = "; periodic in ";
    for (int axis = 0; axis < 3; ++axis) {
        if (!(length[axis] > 0.0)) continue;
        fprintf(out, "%s%c (%s)", before, "xyz"[axis], human_length(length[axis]).text);
        before = " and ";
    }
    const scr_shear *shear = &p->shear;
    if (shear->flow != shear->gradient)
        fprintf(out, ", sheared along %c across %c at %g 1/s", "xyz"[shear->flow], "xyz"[shear->gradient],
                shear -> rate);
}

void print_scene_census(FILE *out, const scene *s)
{
    const char *separator = "";
    print_count(out, &separator, s->material_count, "material", "materials");
    print_count(out, &separator, s->body_count, "body", "bodies");
    int actuators = 0;
    for (int i = 0; i < s->joint_count; ++i) actuators += s->joints[i].is_actuator;
    print_count(out, &separator, s->joint_count - actuators, "joint", "joints");
    print_count(out, &separator, actuators, "actuator", "actuators");
    print_count(out, &separator, s->spring_count, "spring", "springs");
    print_count(out, &separator, s->coupling_count, "coupling", "couplings");
    print_count(out, &separator, s->chain_drive_count, "chain drive", "chain drives");
    print_count(out, &separator, s->load_count, "load", "loads");
    print_count(out, &separator, s->fill_count, "fill", "fills");
    print_count(out, &separator, s->table_count, "table of grains", "tables of grains");
    print_count(out, &separator, s->bed_count, "bed", "beds");
    print_count(out, &separator, s->emitter_count, "emitter", "emitters");
    print_count(out, &separator, s->sink_count, "sink", "sinks");
    print_count(out, &separator, s->probe_count, "probe", "probes");
    print_count(out, &separator, s->domain.present, "domain", "domains");
    if (separator[0] == '\0') fputs("nothing", out);
    print_period(out, &s->world.period);
}

census count_world(const scr_world *world)
{
    scr_body_view view = scr_world_bodies(world);
    census c = {.bodies = view.count};
    for (int64_t i = 0; i < view.count; ++i) {
        c.dynamic += view.kind[i] == SCR_DYNAMIC;
        c.fixed += view.kind[i] == SCR_FIXED;
        c.kinematic += view.kind[i] == SCR_KINEMATIC;
    }
    for (int64_t i = 0; i < scr_world_shape_count(world); ++i) {
        scr_placed_shape shape = scr_world_shape(world, i);
        ++c.shapes[shape.kind];
        if (shape.kind == SCR_SPHERE_SET) c.spheres_of_sets += scr_surface_triangles(world, shape.surface).vertex_count;
    }
    return c;
}

void print_shapes(FILE *out, const census *c)
{
    static const char *const name[KIND_COUNT][2] = {
        [SCR_SPHERE] = {"sphere", "spheres"},
        [SCR_ELLIPSOID] = {"ellipsoid", "ellipsoids"},
        [SCR_BOX] = {"box", "boxes"},
        [SCR_CAPSULE] = {"capsule", "capsules"},
        [SCR_CYLINDER] = {"cylinder", "cylinders"},
        [SCR_CONE] = {"cone", "cones"},
        [SCR_HULL] = {"hull", "hulls"},
        [SCR_MESH] = {"mesh", "meshes"},
        [SCR_HEIGHTFIELD] = {"heightfield", "heightfields"},
        [SCR_PLANE] = {"plane", "planes"},
        [SCR_SPHERE_SET] = {"sphere set", "sphere sets"},
    };
    const char *separator = "";
    for (int k = 0; k < KIND_COUNT; ++k) print_count(out, &separator, c->shapes[k], name[k][0], name[k][1]);
    if (c->spheres_of_sets > 0) fprintf(out, " of %s spheres", human_count(c->spheres_of_sets).text);
    if (separator[0] == '\0') fputs("none", out);
}
