// SPDX-License-Identifier: BSD-3-Clause
// Materials, and how pairs of them meet.
#include <string.h>

#include "io/scene/scene_sections.h"

enum { MATERIAL_MAX = 256 };  // a frame of the trajectory keeps a material's index in a byte

static const number_range DENSITY = {0.0, 1e9, true, false};          // kg/m^3
static const number_range FRICTION = {0.0, 1e3, false, false};        // beyond it nothing slides anyway
static const number_range YOUNG = {0.0, 1e15, false, false};          // Pa; diamond has 1e12
static const number_range POISSON = {-1.0, 0.5, true, false};         // what an elastic solid can have
static const number_range COHESION = {0.0, 1e12, false, false};       // Pa; no solid holds more
static const number_range SURFACE_ENERGY = {0.0, 1e6, false, false};  // J/m^2; metals have about 2

static void read_one_material(json_cursor *at, scene_material *material)
{
    scr_material_def *def = &material->def;
    *def = scr_default_material_def();
    def->density = cursor_number(at, "density", def->density, DENSITY);
    def->friction = cursor_number(at, "friction", def->friction, FRICTION);
    def->restitution = cursor_number(at, "restitution", def->restitution, RANGE_SHARE);
    def->young = cursor_number(at, "young", def->young, YOUNG);
    def->poisson = cursor_number(at, "poisson", def->poisson, POISSON);
    def->rolling_friction = cursor_number(at, "rolling_friction", def->rolling_friction, FRICTION);
    def->spinning_friction = cursor_number(at, "spinning_friction", def->spinning_friction, FRICTION);
    def->cohesion = cursor_number(at, "cohesion", def->cohesion, COHESION);
    def->surface_energy = cursor_number(at, "surface_energy", def->surface_energy, SURFACE_ENERGY);
    cursor_close(at);
}

static void read_material_list(scene_reading *reading, json_cursor *root)
{
    json_cursor map = cursor_map(root, "materials");
    scene *s = reading->scene;
    if (!cursor_is_ok(root)) return;
    bool has_comment = json_object_get(map.value, "comment") != NULL;
    if (json_object_size(map.value) == (has_comment ? 1 : 0)) {
        json_cursor ordinary = cursor_member(&map, "default");
        cursor_store(&ordinary, json_object());
    }
    s->materials = cursor_new_array(&map, json_object_size(map.value), sizeof *s->materials, "materials");
    const char *name;
    json_t *unused;
    if (!cursor_is_ok(root)) return;
    json_object_foreach(map.value, name, unused)
    {
        if (strcmp(name, "comment") == 0) continue;
        json_cursor at = cursor_member(&map, name);
        cursor_expect_object(&at);
        if (s->material_count == MATERIAL_MAX)
            cursor_fail_at_key(&at, "there can be at most %d materials", MATERIAL_MAX);
        scene_material *material = &s->materials[s->material_count];
        read_new_name(&at, name, &reading->materials, s->material_count, material->name);
        read_one_material(&at, material);
        if (!cursor_is_ok(root)) return;
        ++s->material_count;
    }
}

static void read_pair(scene_reading *reading, json_cursor *at, scene_material_pair *pair)
{
    if (!cursor_has(at, "materials")) cursor_fail_missing(at, "materials", "a list of two names");
    json_cursor names = cursor_member(at, "materials");
    cursor_expect_list(&names, 2, "two names");
    json_cursor a = cursor_entry(&names, 0), b = cursor_entry(&names, 1);
    pair->a = find_name(&a, &reading->materials, cursor_value_text(&a));
    pair->b = find_name(&b, &reading->materials, cursor_value_text(&b));
    scr_material_pair_def *def = &pair->def;
    *def = scr_default_material_pair_def();
    def->friction = cursor_number_or_null(at, "friction", def->friction, FRICTION);
    def->restitution = cursor_number_or_null(at, "restitution", def->restitution, RANGE_SHARE);
    def->rolling_friction = cursor_number_or_null(at, "rolling_friction", def->rolling_friction, FRICTION);
    def->spinning_friction = cursor_number_or_null(at, "spinning_friction", def->spinning_friction, FRICTION);
    def->cohesion = cursor_number_or_null(at, "cohesion", def->cohesion, COHESION);
    def->surface_energy = cursor_number_or_null(at, "surface_energy", def->surface_energy, SURFACE_ENERGY);
    cursor_close(at);
}

static bool is_same_pair(const scene_material_pair *p, const scene_material_pair *q)
{
    return (p->a == q->a && p->b == q->b) || (p->a == q->b && p->b == q->a);
}

static void read_pairs(scene_reading *reading, json_cursor *root)
{
    scene *s = reading->scene;
    json_cursor list = cursor_list(root, "pairs");
    s->pairs = cursor_new_array(&list, list.count, sizeof *s->pairs, "material pairs");
    for (size_t i = 0; i < list.count && cursor_is_ok(root); ++i) {
        json_cursor at = cursor_object_entry(&list, i);
        scene_material_pair *pair = &s->pairs[i];
        read_pair(reading, &at, pair);
        for (int k = 0; k < s->pair_count; ++k) {
            if (!is_same_pair(pair, &s->pairs[k])) continue;
            cursor_fail(&at, "the pair of \"%s\" and \"%s\" has been given before, in pairs[%d]",
                        s->materials[pair->a].name, s->materials[pair->b].name, k);
        }
        ++s->pair_count;
    }
}

void read_materials(scene_reading *reading, json_cursor *root)
{
    read_material_list(reading, root);
    read_pairs(reading, root);
}

static bool is_in_a_dynamic_body(const scene *s, int material)
{
    for (int i = 0; i < s->body_count; ++i) {
        const scr_body_def *def = &s->bodies[i].def;
        if (def->kind != SCR_DYNAMIC) continue;
        for (int k = 0; k < def->shape_count; ++k) {
            if ((int)def->shapes[k].material.index1 == material + 1) return true;
        }
        for (int k = 0; k < s->bodies[i].sphere_set_count; ++k) {
            if (s->bodies[i].sphere_sets[k].material == material) return true;
        }
    }
    return false;
}

static bool is_in_mix(const scene_mix *mix, int material)
{
    for (int k = 0; k < mix->count; ++k) {
        if (mix->grain[k].material == material) return true;
    }
    return false;
}

static bool moves(const scene *s, int material)
{
    for (int i = 0; i < s->fill_count; ++i) {
        if (is_in_mix(&s->fills[i].mix, material)) return true;
    }
    for (int i = 0; i < s->table_count; ++i) {
        if (s->tables[i].material == material) return true;
    }
    for (int i = 0; i < s->bed_count; ++i) {
        if (s->beds[i].material == material) return true;
    }
    for (int i = 0; i < s->emitter_count; ++i) {
        if (is_in_mix(&s->emitters[i].mix, material)) return true;
    }
    return is_in_a_dynamic_body(s, material);
}

void check_moduli(scene_reading *reading, json_cursor *root)
{
    scene *s = reading->scene;
    const scr_contact_def *contact = &s->world.contact;
    bool is_given = contact->normal == SCR_HOOKE && contact->stiffness > 0.0;
    if (!cursor_is_ok(root) || contact->law != SCR_PENALTY || is_given) return;
    json_cursor map = cursor_map(root, "materials");
    for (int k = 0; k < s->material_count; ++k) {
        if (s->materials[k].def.young > 0.0 || !moves(s, k)) continue;
        json_cursor at = cursor_member(&map, s->materials[k].name);
        cursor_fail(&at, "under the penalty law the material \"%s\" needs \"young\": Young's modulus in Pa",
                    shown(s->materials[k].name).text);
        return;
    }
}
