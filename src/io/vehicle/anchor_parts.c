// SPDX-License-Identifier: BSD-3-Clause
// An anchor written into the tree of a scene.
//
// The guide is a cylindrical joint, whose one motor drives the feed or the rotation. Where both are driven at given
// speeds, the anchor turns in a carriage that slides, as the rotary head of a drill does: two joints with a motor each.
#include "io/vehicle/anchor_parts.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "io/vehicle/scene_parts.h"

static const double CARRIAGE_SHARE = 0.01;  // of the anchor's mass: it is held by motors and a weight of no account

static void add_shape(json_t *shapes, const anchor_site *site, json_t *shape)
{
    if (site->material != NULL) json_object_set_new(shape, "material", json_string(site->material));
    json_array_append_new(shapes, shape);
}

static json_t *anchor_shapes(const anchor_site *site)
{
    const helical_anchor *a = &site->anchor;
    json_t *shapes = json_array();
    add_shape(
        shapes, site,
        json_pack("{s:{s:f}, s:[f,f,f]}", "sphere", "radius", a->tip_radius, "position", 0.0, 0.0, -a->tip_radius));
    add_shape(shapes, site,
              json_pack("{s:{s:f,s:f}, s:[f,f,f]}", "cylinder", "radius", a->shaft_radius, "length", a->shaft_length,
                        "position", 0.0, 0.0, -a->tip_radius - 0.5 * a->shaft_length));
    for (int k = 0; k < a->helix.boxes; ++k) {
        anchor_box box = anchor_helix_box(a, k);
        json_t *shape = box_shape(box.size, box.at.position);
        json_object_set_new(shape, "rotation", quaternion_json(box.at.rotation));
        add_shape(shapes, site, shape);
    }
    return shapes;
}

static double add_anchor_body(json_t *root, const anchor_site *site, pose at)
{
    anchor_mass m = anchor_union_mass(&site->anchor);
    double density = site->density > 0.0 ? site->density : site->mass / m.volume, mass = density * m.volume;
    json_t *body =
        json_pack("{s:s, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "name", site->name, "mass", mass, "inertia",
                  vector_json(vec3_scale(density, m.inertia)), "products", vector_json(vec3_scale(density, m.products)),
                  "centre", vector_json(m.centre), "position", vector_json(at.position), "rotation",
                  quaternion_json(at.rotation), "shapes", anchor_shapes(site));
    if (site->appearance != NULL) json_object_set(body, "appearance", site->appearance);
    json_array_append_new(scene_list(root, "bodies"), body);
    return mass;
}

// A function of the schedule: of each phase the value at `offset`, or `absent`. NULL if no phase has one.
static json_t *pieces_of(const anchor_site *site, size_t offset, json_t *absent)
{
    json_t *pieces = json_array();
    bool is_driven = false;
    for (int k = 0; k < site->phase_count; ++k) {
        json_t *value = *(json_t *const *)((const char *)&site->phase[k] + offset);
        is_driven |= value != NULL;
        json_array_append_new(
            pieces, json_pack("{s:f, s:O}", "from", site->phase[k].from, "value", value != NULL ? value : absent));
    }
    json_decref(absent);
    if (is_driven) return json_pack("{s:o}", "pieces", pieces);
    json_decref(pieces);
    return NULL;
}

static json_t *motor_of(const anchor_site *site, size_t offset, const char *key, const char *limit_key, double limit)
{
    json_t *speed = pieces_of(site, offset, json_null());
    if (speed == NULL) return NULL;
    return json_pack("{s:o, s:o}", key, speed, limit_key, isinf(limit) ? json_null() : json_real(limit));
}

static void add_joint(json_t *root, const char *kind, part_name name, part_name a, part_name b, pose at, json_t *motor)
{
    json_t *joint = json_pack("{s:s, s:s, s:[s,s], s:o, s:o}", "name", name.text, "kind", kind, "bodies", a.text,
                              b.text, "at", vector_json(at.position), "axis", vector_json(quat_z(at.rotation)));
    if (motor != NULL) json_object_set_new(joint, "motor", motor);
    json_array_append_new(scene_list(root, "joints"), joint);
}

// It has no shape, so it touches nothing.
static void add_carriage(json_t *root, part_name name, double mass, pose at)
{
    double inertia = mass;  // of a size of about 1 m
    json_array_append_new(scene_list(root, "bodies"),
                          json_pack("{s:s, s:[], s:f, s:[f,f,f], s:o, s:o}", "name", name.text, "collides_with", "mass",
                                    mass, "inertia", inertia, inertia, inertia, "position", vector_json(at.position),
                                    "rotation", quaternion_json(at.rotation)));
}

typedef struct guide_names {
    part_name feed, rotary;
} guide_names;

static guide_names add_guide(json_t *root, const anchor_site *site, double mass, pose at)
{
    part_name ground = {"ground"}, anchor = name_part_of(site->name, NULL), guide = name_part_of(site->name, "guide");
    json_t *feed = motor_of(site, offsetof(anchor_phase, speed), "speed", "max_force", site->max_force);
    json_t *rotary = motor_of(site, offsetof(anchor_phase, spin), "spin", "max_torque", site->max_torque);
    if (feed == NULL || rotary == NULL) {
        add_joint(root, "cylindrical", guide, ground, anchor, at, feed != NULL ? feed : rotary);
        return (guide_names){guide, guide};
    }
    part_name carriage = name_part_of(site->name, "carriage"), slide = name_part_of(site->name, "feed");
    add_carriage(root, carriage, CARRIAGE_SHARE * mass, at);
    add_joint(root, "prismatic", slide, ground, carriage, at, feed);
    add_joint(root, "revolute", guide, carriage, anchor, at, rotary);
    return (guide_names){slide, guide};
}

static void add_drive(json_t *root, const anchor_site *site)
{
    json_t *force = pieces_of(site, offsetof(anchor_phase, force), json_real(0.0));
    json_t *torque = pieces_of(site, offsetof(anchor_phase, torque), json_real(0.0));
    if (force == NULL && torque == NULL) return;
    json_t *load = json_pack("{s:s, s:s, s:s}", "name", name_part_of(site->name, "drive").text, "body", site->name,
                             "frame", "body");
    if (force != NULL) json_object_set_new(load, "force", json_pack("[i,i,o]", 0, 0, force));
    if (torque != NULL) json_object_set_new(load, "torque", json_pack("[i,i,o]", 0, 0, torque));
    json_array_append_new(scene_list(root, "loads"), load);
}

void add_anchor(json_t *root, const anchor_site *site)
{
    scr_vec3 axis = quat_z(site->surface.rotation);
    pose at = {vec3_add_scaled(site->surface.position, site->depth, axis), site->surface.rotation};
    double mass = add_anchor_body(root, site, at);
    guide_names guide = add_guide(root, site, mass, at);
    add_drive(root, site);
    json_array_append_new(scene_list(root, "probes"),
                          json_pack("{s:s, s:s, s:s, s:s, s:s, s:f}", "name", site->name, "kind", "anchor", "body",
                                    site->name, "feed", guide.feed.text, "rotary", guide.rotary.text, "depth",
                                    site->depth));
}
