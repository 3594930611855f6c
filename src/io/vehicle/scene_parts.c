// SPDX-License-Identifier: BSD-3-Clause
// Bodies, joints and springs written into the tree of a scene. Jansson's failures for want of memory are seen by
// whoever watches it (json_memory.h).
#include "io/vehicle/scene_parts.h"

#include <stdio.h>

#include "core/maths/quat.h"
#include "core/maths/trig.h"

const char *const SHOES_GROUP = "track shoes", *const PARTS_GROUP = "vehicle parts";

part_name name_part_of(const char *owner, const char *part)
{
    part_name name;
    snprintf(name.text, sizeof name.text, "%s%s%s", owner, part != NULL ? " " : "", part != NULL ? part : "");
    return name;
}

part_name name_part(const vehicle_site *site, const char *side, const char *part, int number)
{
    part_name name;
    char count[16] = "";
    if (number >= 0) snprintf(count, sizeof count, " %d", number);
    snprintf(name.text, sizeof name.text, "%s %s%s%s%s", site->name, side != NULL ? side : "", side != NULL ? " " : "",
             part, count);
    return name;
}

json_t *vector_json(scr_vec3 v) { return json_pack("[f,f,f]", v.x + 0.0, v.y + 0.0, v.z + 0.0); }

json_t *quaternion_json(scr_quat q) { return json_pack("[f,f,f,f]", q.w, q.x, q.y, q.z); }

json_t *scene_list(json_t *root, const char *key)
{
    json_t *list = json_object_get(root, key);
    if (json_is_array(list)) return list;
    list = json_array();
    json_object_set_new(root, key, list);
    return list;
}

scr_quat rotation_to(double x, double z)
{
    double sine, cosine;
    scr_sincos(-0.5 * scr_atan2(z, x), &sine, &cosine);
    return (scr_quat){cosine, 0.0, sine, 0.0};
}

json_t *box_shape(scr_vec3 size, scr_vec3 at)
{
    return json_pack("{s:{s:o}, s:o}", "box", "size", vector_json(size), "position", vector_json(at));
}

json_t *axle_shape(double radius, double length, scr_vec3 at)
{
    return json_pack("{s:{s:f,s:f}, s:o, s:{s:[i,i,i],s:i}}", "cylinder", "radius", radius, "length", length,
                     "position", vector_json(at), "rotation", "axis", 1, 0, 0, "angle_degrees", 90);
}

static void add_once(json_t *list, const json_t *name)
{
    const json_t *known;
    size_t k;
    json_array_foreach(list, k, known) if (json_equal(known, name)) return;
    json_array_append(list, (json_t *)name);
}

json_t *groups_of_bodies(json_t *root)
{
    json_t *groups = json_pack("[s]", "default"), *body, *entry;
    size_t k, n;
    json_array_foreach(json_object_get(root, "bodies"), k, body)
    {
        json_t *own = json_object_get(body, "group");
        if (json_is_string(own)) add_once(groups, own);
        json_array_foreach(own, n, entry) add_once(groups, entry);
    }
    return groups;
}

// Names of materials are the file's own; in the scene they have the vehicle's name in front.
static void name_materials(json_t *shapes, const vehicle_site *site, const part_look *look)
{
    json_t *shape;
    size_t k;
    json_array_foreach(shapes, k, shape)
    {
        const char *own = json_string_value(json_object_get(shape, "material"));
        json_object_set_new(shape, "material", json_sprintf("%s %s", site->name, own != NULL ? own : look->material));
    }
}

static json_t *groups_touched(const vehicle_site *site, const part_body *part)
{
    if (part->is_ghost) return json_array();
    if (part->is_shoe) return json_string("all");
    json_t *groups = json_copy(site->partners);
    json_array_append_new(groups, json_string(SHOES_GROUP));
    return groups;
}

void add_part(vehicle_site *site, part_body part)
{
    json_t *shapes;
    if (part.look->shapes != NULL) {
        json_decref(part.shapes);
        shapes = json_deep_copy(part.look->shapes);
    } else {
        shapes = shapes_in_geometry(part.shapes, site->geometry);
    }
    name_materials(shapes, site, part.look);
    pose at = pose_compose(site->frame, (pose){part.position, part.rotation});
    json_t *body = json_pack("{s:s, s:s, s:o, s:f, s:o, s:[f,f,f,f], s:o}", "name", part.name.text, "group",
                             part.is_shoe ? SHOES_GROUP : PARTS_GROUP, "collides_with", groups_touched(site, &part),
                             "mass", part.mass, "position", vector_json(at.position), "rotation", at.rotation.w,
                             at.rotation.x, at.rotation.y, at.rotation.z, "shapes", shapes);
    if (part.look->appearance != NULL) json_object_set(body, "appearance", part.look->appearance);
    json_array_append_new(site->bodies, body);
}

void add_part_joint(vehicle_site *site, const char *kind, part_name name, part_name a, part_name b, scr_vec3 point,
                    scr_vec3 axis, json_t *more)
{
    scr_vec3 at = pose_apply(site->frame, point), along = quat_rotate(site->frame.rotation, axis);
    json_t *joint = json_pack("{s:s, s:s, s:[s,s], s:o, s:o}", "name", name.text, "kind", kind, "bodies", a.text,
                              b.text, "at", vector_json(at), "axis", vector_json(along));
    if (more != NULL) json_object_update(joint, more);
    json_decref(more);
    json_array_append_new(site->joints, joint);
}

void add_part_spring(vehicle_site *site, part_name joint, double stiffness, double damping, double preload)
{
    json_array_append_new(site->springs, json_pack("{s:s, s:s, s:f, s:f, s:f}", "name", joint.text, "joint", joint.text,
                                                   "stiffness", stiffness, "damping", damping, "preload", preload));
}
