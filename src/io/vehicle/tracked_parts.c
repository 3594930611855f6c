// SPDX-License-Identifier: BSD-3-Clause
// A tracked vehicle as bodies, joints and springs of a scene: chassis, wheels, tensioners, arms.
#include "io/vehicle/tracked_parts.h"

#include "core/maths/quat.h"
#include "core/maths/vec3.h"

static const double ARM_THICKNESS = 0.3, CARRIAGE_LENGTH = 0.9;  // of the wheel's radius
static const scr_vec3 ACROSS = {0.0, 1.0, 0.0};

typedef struct vehicle_side {
    vehicle_site *site;
    const track_wrap *wrap;
    const char *name;  // "left"
    double y;          // m
    part_name chassis;
    json_t *drive;
} vehicle_side;

static scr_vec3 at_side(const vehicle_side *side, track_point p) { return vec3(p.x, side->y, p.z); }

// Arms and carriages are beside their wheel, on the chassis' side.
static double beside(const vehicle_side *side, const tracked_wheel *wheel)
{
    double in = 0.5 * wheel->width + 0.5 * ARM_THICKNESS * wheel->radius;
    return side->y < 0.0 ? side->y + in : side->y - in;
}

static void add_wheel(const vehicle_side *side, const tracked_wheel *wheel, const part_look *look, part_name name,
                      part_name on)
{
    json_t *shapes = json_array();
    json_array_append_new(shapes, axle_shape(wheel->radius, wheel->width, vec3(0, 0, 0)));
    add_part(side->site, (part_body){.name = name,
                                     .position = at_side(side, wheel->position),
                                     .rotation = QUAT_IDENTITY,
                                     .mass = wheel->mass,
                                     .look = look,
                                     .shapes = shapes});
    add_part_joint(side->site, "revolute", name, on, name, at_side(side, wheel->position), ACROSS, NULL);
}

static void add_sprocket(const vehicle_side *side)
{
    const tracked_vehicle *v = &side->site->file->tracked;
    part_name name = name_part(side->site, side->name, "sprocket", -1);
    add_part(side->site, (part_body){.name = name,
                                     .position = at_side(side, v->sprocket.position),
                                     .rotation = QUAT_IDENTITY,
                                     .mass = v->sprocket.mass,
                                     .look = &side->site->file->sprocket,
                                     .shapes = sprocket_shapes(v, side->wrap)});
    json_t *motor = side->drive != NULL ? json_pack("{s:O}", "motor", side->drive) : NULL;
    add_part_joint(side->site, "revolute", name, side->chassis, name, at_side(side, v->sprocket.position), ACROSS,
                   motor);
}

// The idler turns in a carriage that slides on the chassis, pushed by a spring.
static void add_idler(const vehicle_side *side)
{
    const vehicle_file *file = side->site->file;
    const tracked_vehicle *v = &file->tracked;
    const tracked_tensioner *t = &v->tensioner;
    tracked_wheel idler = v->idler;
    idler.position.x += side->wrap->travel * t->slide.x;
    idler.position.z += side->wrap->travel * t->slide.z;
    part_name carriage = name_part(side->site, side->name, "tensioner", -1);
    scr_vec3 slide = vec3(t->slide.x, 0.0, t->slide.z), at = at_side(side, idler.position);
    double length = CARRIAGE_LENGTH * idler.radius, thickness = ARM_THICKNESS * idler.radius;
    part_look look = file->idler;
    look.shapes = NULL;
    json_t *shapes = json_array();
    json_array_append_new(shapes, box_shape(vec3(length, thickness, thickness), vec3(-0.5 * length, 0, 0)));
    add_part(side->site, (part_body){.name = carriage,
                                     .position = vec3(at.x, beside(side, &idler), at.z),
                                     .rotation = rotation_to(t->slide.x, t->slide.z),
                                     .mass = t->mass,
                                     .look = &look,
                                     .shapes = shapes,
                                     .is_ghost = true});
    add_part_joint(side->site, "prismatic", carriage, side->chassis, carriage, at, slide, NULL);
    add_part_spring(side->site, carriage, t->stiffness, t->damping, -t->force);
    add_wheel(side, &idler, &file->idler, name_part(side->site, side->name, "idler", -1), carriage);
}

// An arm from its pivot to the wheel. A positive preload of the joint's spring pulls the angle back; which way presses
// the wheel down depends on whether it trails or leads.
static part_name add_arm(const vehicle_side *side, int k)
{
    const vehicle_file *file = side->site->file;
    const tracked_arm *arm = &file->tracked.road_arm[k];
    track_point end = file->tracked.road_wheel[k].position;
    double dx = end.x - arm->pivot.x, dz = end.z - arm->pivot.z, length = sqrt(dx * dx + dz * dz);
    double thickness = ARM_THICKNESS * file->tracked.road_wheel[k].radius;
    part_name name = name_part(side->site, side->name, "arm", k);
    json_t *shapes = json_array();
    json_array_append_new(shapes, box_shape(vec3(length, thickness, thickness), vec3(0, 0, 0)));
    part_look look = file->road_wheel[k];
    look.shapes = NULL;
    add_part(side->site,
             (part_body){.name = name,
                         .position = vec3(0.5 * (arm->pivot.x + end.x), beside(side, &file->tracked.road_wheel[k]),
                                          0.5 * (arm->pivot.z + end.z)),
                         .rotation = rotation_to(dx, dz),
                         .mass = arm->mass,
                         .look = &look,
                         .shapes = shapes,
                         .is_ghost = true});
    add_part_joint(side->site, "revolute", name, side->chassis, name, at_side(side, arm->pivot), ACROSS, NULL);
    add_part_spring(side->site, name, arm->stiffness, arm->damping, dx < 0.0 ? arm->preload : -arm->preload);
    return name;
}

static void add_side(const vehicle_side *side)
{
    const vehicle_file *file = side->site->file;
    const tracked_vehicle *v = &file->tracked;
    add_sprocket(side);
    add_idler(side);
    for (int k = 0; k < v->road_wheel_count; ++k) {
        part_name on = v->road_arm[k].is_there ? add_arm(side, k) : side->chassis;
        add_wheel(side, &v->road_wheel[k], &file->road_wheel[k], name_part(side->site, side->name, "road wheel", k),
                  on);
    }
    for (int k = 0; k < v->top_roller_count; ++k)
        add_wheel(side, &v->top_roller[k], &file->top_roller[k], name_part(side->site, side->name, "top roller", k),
                  side->chassis);
    add_shoes(side->site, side->wrap, side->name, side->y);
    if (v->sprocket.engagement == ENGAGE_BY_CONSTRAINT) add_chain_drive(side->site, side->wrap, side->name);
}

const char *side_name(const tracked_vehicle *v, int side)
{
    if (v->side_count == 1) return v->side_y[0] < 0.0 ? "right" : "left";
    return side == 0 ? "left" : "right";
}

void add_tracked_vehicle(vehicle_site *site, const track_wrap *wrap, json_t *const drive[SIDES_MAX])
{
    const tracked_vehicle *v = &site->file->tracked;
    const double *p = v->chassis_position;
    part_name chassis = name_part(site, NULL, "chassis", -1);
    add_part(site, (part_body){.name = chassis,
                               .position = vec3(p[0], p[1], p[2]),
                               .rotation = QUAT_IDENTITY,
                               .mass = v->chassis_mass,
                               .look = &site->file->chassis,
                               .shapes = json_array()});
    for (int k = 0; k < v->side_count; ++k) {
        vehicle_side side = {site, wrap, side_name(v, k), v->side_y[k], chassis, drive[k]};
        add_side(&side);
    }
    part_name ground = {"ground"};
    if (v->side_count == 1)  // half a vehicle stays in its plane
        add_part_joint(site, "planar", name_part(site, NULL, "guide", -1), ground, chassis, vec3(p[0], p[1], p[2]),
                       ACROSS, NULL);
}
