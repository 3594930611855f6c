// SPDX-License-Identifier: BSD-3-Clause
// What rigs are put together from. Jansson's failures for want of memory are seen by whoever watches it.
#include "io/rig/rig_parts.h"

#include <math.h>
#include <stdio.h>

#include "core/maths/trig.h"
#include "core/maths/vec3.h"

static const double TOUCHED = 0.02;        // of the load: the part has touched the ground
static const double LOADED = 0.99;         // of the load: it rests on the grains
static const double GUIDE_SPEED = 0.5;     // m/s: of a part that nothing but the guide's damper resists
static const double APPROACH_TIME = 0.06;  // s at approach speed: so near, and a tool slows down
static const char TOOL_COLOUR[] = "#6b7684";
static const scr_vec3 UP = {0.0, 0.0, 1.0};

part_name rig_part(const char *part)
{
    part_name name;
    snprintf(name.text, sizeof name.text, "%s %s", RIG_NAME, part);
    return name;
}

// ---- Bodies ----

static void name_material(const rig_site *site, json_t *shapes)
{
    json_t *shape;
    size_t k;
    json_array_foreach(shapes, k, shape)
    {
        if (site->material != NULL && json_object_get(shape, "material") == NULL)
            json_object_set_new(shape, "material", json_string(site->material));
    }
}

void add_rig_body(rig_site *site, rig_body body)
{
    name_material(site, body.shapes);
    json_t *o = json_pack("{s:s, s:s, s:o, s:o}", "name", rig_part(body.part).text, "kind", body.kind, "position",
                          vector_json(body.position), "shapes", body.shapes);
    // The bin is ground to all; tools touch what is not theirs.
    bool is_ground = body.kind[0] == 'f';
    if (!is_ground) json_object_set_new(o, "group", json_string(RIG_NAME));
    if (body.is_ghost) json_object_set_new(o, "collides_with", json_array());
    else if (!is_ground) json_object_set(o, "collides_with", site->partners);
    if (body.mass > 0.0) json_object_set_new(o, "mass", json_real(body.mass));
    if (body.velocity != NULL) json_object_set_new(o, "motion", json_pack("{s:o}", "velocity", body.velocity));
    if (body.is_ghost) json_object_set_new(o, "appearance", json_pack("{s:b}", "visible", 0));
    else if (body.is_tool)
        json_object_set_new(o, "appearance", json_pack("{s:s, s:i}", "colour", TOOL_COLOUR, "opacity", 1));
    json_array_append_new(site->bodies, o);
}

json_t *four_walls(double length, double width, double low, double high, double thickness)
{
    double t = thickness, z = 0.5 * (low + high), tall = high - low;
    double x = 0.5 * (length + t), y = 0.5 * (width + t);
    json_t *shapes = json_array();
    json_array_append_new(shapes, box_shape(vec3(t, width + 2.0 * t, tall), vec3(-x, 0.0, z)));
    json_array_append_new(shapes, box_shape(vec3(t, width + 2.0 * t, tall), vec3(x, 0.0, z)));
    json_array_append_new(shapes, box_shape(vec3(length, t, tall), vec3(0.0, -y, z)));
    json_array_append_new(shapes, box_shape(vec3(length, t, tall), vec3(0.0, y, z)));
    return shapes;
}

void add_bin(rig_site *site, double length, double width, double thickness)
{
    double t = thickness;
    json_t *shapes = four_walls(length, width, 0.0, site->top, t);
    json_array_append_new(shapes, box_shape(vec3(length + 2.0 * t, width + 2.0 * t, t), vec3(0.0, 0.0, -0.5 * t)));
    add_rig_body(site, (rig_body){.part = "bin", .kind = "fixed", .shapes = shapes});
}

json_t *radial_box(scr_vec3 size, double radius, double z, double angle)
{
    double sine, cosine, half_sine, half_cosine;
    scr_sincos(angle, &sine, &cosine);
    scr_sincos(0.5 * angle, &half_sine, &half_cosine);
    json_t *box = box_shape(size, vec3(radius * cosine, radius * sine, z));
    json_object_set_new(box, "rotation", json_pack("[f,f,f,f]", half_cosine, 0.0, 0.0, half_sine));
    return box;
}

// ---- Joints and loads ----

void add_rig_joint(rig_site *site, const char *kind, const char *part, const char *a, const char *b, scr_vec3 at,
                   scr_vec3 axis, json_t *motor)
{
    part_name first = rig_part(a), second = rig_part(b);
    json_t *joint =
        json_pack("{s:s, s:s, s:[s,s], s:o, s:o}", "name", rig_part(part).text, "kind", kind, "bodies",
                  a[0] != '\0' ? first.text : "ground", second.text, "at", vector_json(at), "axis", vector_json(axis));
    if (motor != NULL) json_object_set_new(joint, "motor", motor);
    json_array_append_new(site->joints, joint);
}

void add_counterweight(rig_site *site, const char *part, double mass)
{
    json_array_append_new(site->loads, json_pack("{s:s, s:o}", "body", rig_part(part).text, "force",
                                                 vector_json(vec3_scale(-mass, site->gravity))));
}

void add_load_guide(rig_site *site, const char *a, const char *part, scr_vec3 at, double load)
{
    const rig_keys *k = &site->keys;
    part_name guide = rig_part("guide");
    double approach = load * k->approach_speed / GUIDE_SPEED, touch = load * k->touch_speed / GUIDE_SPEED;
    add_rig_joint(site, "prismatic", "guide", a, part, at, UP, NULL);
    json_array_append_new(site->springs, json_pack("{s:s, s:s, s:f, s:f}", "name", guide.text, "joint", guide.text,
                                                   "stiffness", 0.0, "damping", load / GUIDE_SPEED));
    json_t *growing = json_sprintf("%.17g + %.17g*min(1, t/%.17g)", -touch, touch - load, k->ramp);
    json_t *force = json_pack("{s:{s:f, s:f, s:o, s:f, s:f}}", "phases", "approach", -approach, "touchdown", -touch,
                              "load", growing, "start", -load, "measure", -load);
    json_array_append_new(site->loads, json_pack("{s:s, s:s, s:o}", "name", guide.text, "body", rig_part(part).text,
                                                 "force", vector_of(NULL, NULL, force)));
}

// ---- Functions of time ----

json_t *ramped(const rig_site *site, double value)
{
    json_t *rising = json_sprintf("%.17g*min(1, t/%.17g)", value, site->keys.ramp);
    return json_pack("{s:{s:o, s:f}}", "phases", "start", rising, "measure", value);
}

json_t *vector_of(json_t *x, json_t *y, json_t *z)
{
    json_t *component[3] = {x, y, z}, *list = json_array();
    for (int k = 0; k < 3; ++k) json_array_append_new(list, component[k] != NULL ? component[k] : json_integer(0));
    return list;
}

json_t *descent(const rig_site *site, double measured_speed)
{
    json_t *z = json_pack("{s:{s:f, s:f, s:f}}", "phases", "approach", -site->keys.approach_speed, "touchdown",
                          -measured_speed, "measure", -measured_speed);
    return vector_of(NULL, NULL, z);
}

// ---- Phases ----

void add_phase(rig_site *site, const char *name, json_t *until, double at_most)
{
    json_t *phase = json_pack("{s:s, s:o}", "name", name, "until", until);
    if (isfinite(at_most)) json_object_set_new(phase, "at_most", json_real(at_most));
    json_array_append_new(site->phases, phase);
}

json_t *until_time(double time) { return json_pack("{s:f}", "time", time); }

json_t *until_force(const char *part, double force)
{
    return json_pack("{s:{s:s, s:f}}", "force", "body", rig_part(part).text, "at_least", force);
}

void add_rest(rig_site *site, const char *name)
{
    const rig_keys *k = &site->keys;
    add_phase(site, name, json_pack("{s:f, s:f}", "speed", k->rest_speed, "for", k->rest_time), k->rest_at_most);
}

void add_settling(rig_site *site) { add_rest(site, "settle"); }

void add_approach(rig_site *site, const char *tool, double depth, double length, double width)
{
    json_t *near = json_pack("{s:s, s:f, s:f, s:[f,f]}", "body", rig_part(tool).text, "distance",
                             APPROACH_TIME * site->keys.approach_speed, "depth", depth, "footprint", length, width);
    add_phase(site, "approach", json_pack("{s:o}", "clearance", near), INFINITY);
}

void add_loading(rig_site *site, const char *part, double load)
{
    const rig_keys *k = &site->keys;
    add_phase(site, "touchdown", until_force(part, TOUCHED * load), INFINITY);
    json_t *until = until_force(part, LOADED * load);
    json_object_set_new(until, "speed", json_real(k->rest_speed));
    json_object_set_new(until, "for", json_real(k->rest_time));
    add_phase(site, "load", until, k->rest_at_most);
}

// ---- The probe ----

void add_rig_probe(rig_site *site, const rig_def *def, const char *tool, const char *driven, const char *zero_x,
                   const char *zero_z)
{
    json_t *probe = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:f}", "name", RIG_NAME, "kind", "rig",
                              "test", RIG_NAMES[def->kind], "zero_x", zero_x, "zero_z", zero_z, "measure", "measure",
                              "duration", def->duration, "load", def->load, "area", def->area, "radius", def->radius);
    if (tool != NULL) json_object_set_new(probe, "tool", json_string(rig_part(tool).text));
    if (driven != NULL) json_object_set_new(probe, "driven", json_string(rig_part(driven).text));
    json_array_append_new(site->probes, probe);
}
