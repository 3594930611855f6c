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

static void read_stress(scene_reading *reading, json_cursor *at, scene_probe *probe)
{
    static const char *const parts[] = {
        [STRESS_ALL] = "all", [STRESS_CONTACT] = "contact", [STRESS_KINETIC] = "kinetic"};
    const scr_period *p = &reading->scene->world.period;
    probe->part = (stress_part)cursor_choice(at, "part", parts, 3, STRESS_ALL);
    bool repeats = p->high.x > p->low.x && p->high.y > p->low.y && p->high.z > p->low.z;
    if (cursor_is_ok(at) && !repeats)
        cursor_fail(at, "a stress probe measures a cell: space must repeat along x, y and z (\"periodic\")");
}

static int *read_names(json_cursor *at, const char *key, const name_index *names, int *count)
{
    json_cursor list = cursor_list(at, key);
    int *found = cursor_new_array(&list, list.count, sizeof *found, key);
    for (size_t k = 0; found != NULL && cursor_is_ok(at) && k < list.count; ++k) {
        json_cursor entry = cursor_entry(&list, k);
        found[k] = find_name(&entry, names, cursor_value_text(&entry));
        *count = (int)k + 1;
    }
    return found;
}

static void read_track(scene_reading *reading, json_cursor *at, scene_track *track)
{
    static const char *const sides[] = {"left", "right"};
    track->is_right = cursor_choice(at, "side", sides, 2, -1) == 1;
    track->y = cursor_needed_number(at, "y", RANGE_COORDINATE);
    track->sprocket = read_name_of(at, "sprocket", &reading->joints);
    track->tensioner = read_name_of(at, "tensioner", &reading->springs);
    track->rolling_radius = cursor_needed_number(at, "rolling_radius", RANGE_LENGTH);
    track->shoe_depth = cursor_needed_number(at, "shoe_depth", RANGE_NOT_NEGATIVE);
    track->rear = cursor_needed_number(at, "rear", RANGE_COORDINATE);
    track->front = cursor_needed_number(at, "front", RANGE_COORDINATE);
    track->guide = cursor_number_or_null(at, "guide", INFINITY, RANGE_LENGTH);
    track->shoe = read_names(at, "shoes", &reading->bodies, &track->shoe_count);
    track->pin = read_names(at, "pins", &reading->joints, &track->pin_count);
    track->road_wheel = read_names(at, "road_wheels", &reading->joints, &track->road_wheel_count);
    cursor_close(at);
}

static scene_vehicle *read_vehicle_probe(scene_reading *reading, json_cursor *at)
{
    scene_vehicle *vehicle = cursor_new_array(at, 1, sizeof *vehicle, "a vehicle");
    json_cursor tracks = cursor_list(at, "tracks");
    if (vehicle == NULL) return NULL;
    vehicle->chassis = read_name_of(at, "chassis", &reading->bodies);
    vehicle->mass = cursor_needed_number(at, "mass", RANGE_POSITIVE);
    vehicle->ground = cursor_needed_number(at, "ground", RANGE_COORDINATE);
    vehicle->from = cursor_number(at, "from", 0.0, RANGE_NOT_NEGATIVE);
    if (cursor_is_ok(at) && (tracks.count < 1 || tracks.count > TRACKS_MAX))
        cursor_fail(&tracks, "\"tracks\" must have one or two entries");
    for (size_t k = 0; cursor_is_ok(at) && k < tracks.count; ++k) {
        json_cursor entry = cursor_object_entry(&tracks, k);
        vehicle->track_count = (int)k + 1;
        read_track(reading, &entry, &vehicle->track[k]);
    }
    return vehicle;
}

static void read_anchor_probe(scene_reading *reading, json_cursor *at, scene_probe *probe)
{
    static const struct {
        const char *key;
        scr_axis axis;
    } guides[] = {{"feed", SCR_ALONG}, {"rotary", SCR_ABOUT}};
    int *joint[] = {&probe->element, &probe->rotary};
    probe->body = read_name_of(at, "body", &reading->bodies);
    for (int k = 0; k < 2; ++k) {
        json_cursor member = cursor_member(at, guides[k].key);
        if (member.value == NULL) cursor_fail_missing(at, guides[k].key, "the name of a joint");
        *joint[k] = read_moving_joint(reading, &member, guides[k].axis);
    }
    probe->depth = cursor_number(at, "depth", 0.0, RANGE_COORDINATE);
}

// The probe that a rig writes.
static void read_rig_probe(scene_reading *reading, json_cursor *at)
{
    scene *s = reading->scene;
    scene_rig *rig = &s->rig;
    if (rig->present) cursor_fail(at, "a scene has one rig");
    rig->def.kind = (rig_kind)cursor_choice(at, "test", RIG_NAMES, RIG_KIND_COUNT, -1);
    json_cursor walls = cursor_member(at, "walls");
    rig->is_periodic = rig->def.kind == RIG_TRIAXIAL && walls.value == NULL;
    if (rig->is_periodic && !s->servo.present) cursor_fail_missing(at, "walls", "six bodies, where space has no servo");
    rig->tool = rig->is_periodic ? -1 : read_name_of(at, "tool", &reading->bodies);
    rig->driven = rig->is_periodic ? -1 : read_name_of(at, "driven", &reading->bodies);
    if (cursor_is_ok(at) && rig->def.kind == RIG_TRIAXIAL && !rig->is_periodic)
        read_name_list(&walls, &reading->bodies, "the names of six bodies: back, front, left, right, bottom, top",
                       &rig->wall[0][0], 6);
    rig->zero_phase[0] = read_phase_name(at, "zero_x");
    rig->zero_phase[1] = read_phase_name(at, "zero_z");
    rig->measure = read_phase_name(at, "measure");
    rig->def.duration = cursor_needed_number(at, "duration", RANGE_POSITIVE);
    rig->def.load = cursor_number(at, "load", 0.0, RANGE_NOT_NEGATIVE);
    rig->def.area = cursor_number(at, "area", 0.0, RANGE_NOT_NEGATIVE);
    rig->def.radius = cursor_number(at, "radius", 0.0, RANGE_NOT_NEGATIVE);
    rig->present = cursor_is_ok(at);
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
        [PROBE_STRESS] = "stress",
        [PROBE_PACKING] = "packing",
        [PROBE_RIG] = "rig",
        [PROBE_TRACKED_VEHICLE] = "tracked_vehicle",
        [PROBE_ANCHOR] = "anchor",
    };
    probe->location = cursor_location(at);
    probe->kind = (probe_kind)cursor_choice(at, "kind", kinds, sizeof kinds / sizeof *kinds, -1);
    switch (probe->kind) {
    case PROBE_REGION_MASS: probe->region = read_region(at, "region"); break;
    case PROBE_PACKING: probe->region = read_box_region(at, "region"); break;
    case PROBE_MASS_FLOW: read_mass_flow(at, probe); break;
    case PROBE_BODY_FORCE:
    case PROBE_BODY_STATE: probe->body = read_name_of(at, "body", &reading->bodies); break;
    case PROBE_JOINT_FORCE: read_joint_force(reading, at, probe); break;
    case PROBE_JOINT_MOTION: probe->element = read_name_of(at, "joint", &reading->joints); break;
    case PROBE_MOTOR: read_motor_joint(reading, at, probe); break;
    case PROBE_SPRING: probe->element = read_name_of(at, "spring", &reading->springs); break;
    case PROBE_COUPLING: probe->element = read_name_of(at, "coupling", &reading->couplings); break;
    case PROBE_STRESS: read_stress(reading, at, probe); break;
    case PROBE_TRACKED_VEHICLE: probe->vehicle = read_vehicle_probe(reading, at); break;
    case PROBE_ANCHOR: read_anchor_probe(reading, at, probe); break;
    case PROBE_RIG: read_rig_probe(reading, at); break;
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
