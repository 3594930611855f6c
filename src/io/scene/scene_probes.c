// SPDX-License-Identifier: BSD-3-Clause
// Probes: what a run measures.
#include <math.h>
#include <stddef.h>

#include "io/scene/scene_sections.h"

_Static_assert(offsetof(scene_probe, name) == 0, "read_named_list needs the name in front");

static void read_mass_flow(json_cursor *at, scene_probe *probe)
{
    probe->point = cursor_vector(at, "point", NULL, RANGE_COORDINATE);
    probe->normal = read_direction(at, "normal", NULL);
    probe->extent = cursor_number_or_null(at, "extent", INFINITY, RANGE_LENGTH);
}

static void read_joint_force(scene_reading *reading, json_cursor *at, scene_probe *probe)
{
    static const char *const frames[] = {[FRAME_WORLD] = "world", [FRAME_JOINT] = "joint", [FRAME_BODY] = "body"};
    probe->element = read_name_of(at, "joint", &reading->joints);
    probe->frame = (probe_frame)cursor_choice(at, "frame", frames, 3, FRAME_WORLD);
}

static void read_motor_joint(scene_reading *reading, json_cursor *at, scene_probe *probe)
{
    probe->element = read_name_of(at, "joint", &reading->joints);
    if (!cursor_is_ok(at) || reading->scene->joints[probe->element].has_motor) return;
    json_cursor joint = cursor_member(at, "joint");
    cursor_fail(&joint, "the joint \"%s\" has no motor", reading->scene->joints[probe->element].name);
}

static void read_probe(scene_reading *reading, json_cursor *at, void *entry)
{
    scene_probe *probe = entry;
    static const char *const kinds[] = {
        [PROBE_ENERGY] = "energy",
        [PROBE_REGION_MASS] = "region_mass",
        [PROBE_MASS_FLOW] = "mass_flow",
        [PROBE_CONTACT_COUNT] = "contact_count",
        [PROBE_BODY_FORCE] = "body_force",
        [PROBE_BODY_STATE] = "body_state",
        [PROBE_BODY_COUNT] = "body_count",
        [PROBE_ACTIVE_BOX] = "active_box",
        [PROBE_SLEEPING] = "sleeping",
        [PROBE_JOINT_FORCE] = "joint_force",
        [PROBE_JOINT_MOTION] = "joint_motion",
        [PROBE_MOTOR] = "motor",
        [PROBE_SPRING] = "spring",
        [PROBE_COUPLING] = "coupling",
    };
    probe->location = cursor_location(at);
    probe->kind = (probe_kind)cursor_choice(at, "kind", kinds, sizeof kinds / sizeof *kinds, -1);
    switch (probe->kind) {
    case PROBE_REGION_MASS: probe->region = read_region(at, "region"); break;
    case PROBE_MASS_FLOW: read_mass_flow(at, probe); break;
    case PROBE_BODY_FORCE:
    case PROBE_BODY_STATE: probe->body = read_name_of(at, "body", &reading->bodies); break;
    case PROBE_JOINT_FORCE: read_joint_force(reading, at, probe); break;
    case PROBE_JOINT_MOTION: probe->element = read_name_of(at, "joint", &reading->joints); break;
    case PROBE_MOTOR: read_motor_joint(reading, at, probe); break;
    case PROBE_SPRING: probe->element = read_name_of(at, "spring", &reading->springs); break;
    case PROBE_COUPLING: probe->element = read_name_of(at, "coupling", &reading->couplings); break;
    case PROBE_ENERGY:
    case PROBE_CONTACT_COUNT:
    case PROBE_BODY_COUNT:
    case PROBE_ACTIVE_BOX:
    case PROBE_SLEEPING: break;
    }
    cursor_close(at);
}

void read_probes(scene_reading *reading, json_cursor *root)
{
    static const named_list probes = {"probes", "probe", true, sizeof(scene_probe), read_probe};
    reading->scene->probes = read_named_list(reading, root, &probes, &reading->scene->probe_count);
}
