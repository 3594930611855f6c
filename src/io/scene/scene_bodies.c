// SPDX-License-Identifier: BSD-3-Clause
// Bodies one by one: shapes, collision groups, scripted motion.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "io/scene/scene_sections.h"

enum { GROUP_MAX = 32 };  // bits of scr_body_def.group

static const scr_vec3 ZERO = {0.0, 0.0, 0.0};
static const number_range MASS = {0.0, 1e15, false, false};  // kg

static bool is_zero(scr_vec3 v) { return v.x == 0.0 && v.y == 0.0 && v.z == 0.0; }

// A name or a list of names under a key, handed one by one to `take`, which returns the bits to set.
typedef uint32_t take_group(json_cursor *at, name_index *groups, const char *name);

static uint32_t read_groups(json_cursor *at, name_index *groups, take_group *take)
{
    if (json_is_string(at->value)) return take(at, groups, cursor_value_text(at));
    if (at->value != NULL && !json_is_array(at->value)) {
        cursor_fail(at, "\"%s\" must be a name or a list of names, not %s", cursor_shown_name(at).text,
                    json_type_name(at->value));
    }
    uint32_t bits = 0;
    for (size_t i = 0; cursor_is_ok(at) && i < json_array_size(at->value); ++i) {
        json_cursor entry = cursor_entry(at, i);
        bits |= take(&entry, groups, cursor_value_text(&entry));
    }
    return bits;
}

// The bit of a group; a name seen for the first time gets the next one.
static uint32_t join_group(json_cursor *at, name_index *groups, const char *name)
{
    if (!cursor_is_ok(at)) return 0;
    json_t *known = json_object_get(groups->by_name, name);
    if (known != NULL) return (uint32_t)1 << json_integer_value(known);
    int bit = (int)json_object_size(groups->by_name);
    if (strcmp(name, "all") == 0) cursor_fail(at, "\"all\" stands for all groups and cannot be one");
    if (bit == GROUP_MAX) cursor_fail(at, "\"%s\" is one group too many: there can be %d", shown(name).text, GROUP_MAX);
    scene_name checked;
    read_new_name(at, name, groups, bit, checked);
    return cursor_is_ok(at) ? (uint32_t)1 << bit : 0;
}

static uint32_t accept_group(json_cursor *at, name_index *groups, const char *name)
{
    if (strcmp(name, "all") == 0) return UINT32_MAX;
    int bit = find_name(at, groups, name);
    return cursor_is_ok(at) ? (uint32_t)1 << bit : 0;
}

static void read_membership(json_cursor *at, name_index *groups, scene_body *body)
{
    json_cursor group = cursor_member(at, "group");
    if (group.value == NULL) cursor_store(&group, json_string("default"));
    body->def.group = read_groups(&group, groups, join_group);
    if (cursor_is_ok(at) && body->def.group == 0) cursor_fail(&group, "\"group\" must name at least one group");
}

// After all bodies have said which groups they are in: a name that is none of these is misspelt.
static void read_partners(json_cursor *at, name_index *groups, scene_body *body)
{
    json_cursor partners = cursor_member(at, "collides_with");
    if (partners.value == NULL) cursor_store(&partners, json_string("all"));
    body->def.collides_with = read_groups(&partners, groups, accept_group);
}

// A motion says where the body is and how fast: the body must not say it too.
static void refuse_with_motion(json_cursor *at, const char *key)
{
    json_cursor member = cursor_member(at, key);
    if (member.value != NULL) cursor_fail_at_key(&member, "\"%s\" follows from \"motion\": leave it out", key);
}

static void expect_near(json_cursor *at, scr_vec3 start)
{
    double furthest = fmax(fmax(fabs(start.x), fabs(start.y)), fabs(start.z));
    if (furthest <= RANGE_COORDINATE.max) return;
    json_cursor motion = cursor_member(at, "motion");
    cursor_fail(&motion, "\"motion\" must begin within %g m of the origin, not at [%g, %g, %g]", RANGE_COORDINATE.max,
                start.x, start.y, start.z);
}

static void read_translation(json_cursor *at, scene_body *body)
{
    const scene_motion *motion = &body->motion;
    if (motion->has_position) {
        refuse_with_motion(at, "position");
        if (cursor_is_ok(at)) body->def.position = time_vector_at(&motion->position, 0.0);
        expect_near(at, body->def.position);
    } else {
        body->def.position = cursor_vector(at, "position", &ZERO, RANGE_COORDINATE);
    }
    if (motion->has_position || motion->has_velocity) {
        refuse_with_motion(at, "velocity");
        if (cursor_is_ok(at) && motion->has_velocity) body->def.velocity = time_vector_at(&motion->velocity, 0.0);
    } else {
        body->def.velocity = cursor_vector(at, "velocity", &ZERO, RANGE_SPEED);
    }
}

static void read_rotation_and_spin(json_cursor *at, scene_body *body)
{
    const scene_motion *motion = &body->motion;
    body->def.rotation = read_rotation(at, "rotation");
    if (motion->has_angle || motion->has_spin) {
        refuse_with_motion(at, "spin");
        if (!cursor_is_ok(at) || !motion->has_spin) return;
        double spin = time_function_at(&motion->spin, 0.0);
        body->def.spin = (scr_vec3){spin * motion->axis.x, spin * motion->axis.y, spin * motion->axis.z};
    } else {
        body->def.spin = cursor_vector(at, "spin", &ZERO, RANGE_SPEED);
    }
}

static void expect_at_rest(json_cursor *at, const char *key, scr_vec3 v)
{
    if (is_zero(v)) return;
    json_cursor member = cursor_member(at, key);
    cursor_fail(&member, "a fixed body has no %s: leave it out, or say \"kind\": \"kinematic\"", key);
}

static void read_inertia(json_cursor *at, scene_body *body)
{
    bool is_given = cursor_has(at, "inertia");
    const char *const companions[] = {"products", "centre"};
    for (int k = 0; k < 2; ++k) {
        json_cursor member = cursor_member(at, companions[k]);
        if (member.value != NULL && !is_given)
            cursor_fail_at_key(&member, "\"%s\" goes with \"inertia\", which is not given", companions[k]);
    }
    if (!is_given) return;
    body->def.inertia = cursor_vector(at, "inertia", NULL, RANGE_POSITIVE);
    body->def.products = cursor_vector(at, "products", &ZERO, RANGE_ANY);
    body->def.centre = cursor_vector(at, "centre", &ZERO, RANGE_COORDINATE);
    json_cursor inertia = cursor_member(at, "inertia");
    if (body->def.mass == 0.0) cursor_fail_at_key(&inertia, "\"inertia\" goes with \"mass\", which is not given");
}

// Joints are made where bodies are drawn; as the run begins the body is put where an earlier run left it.
static void read_start(json_cursor *at, scene_body *body)
{
    body->has_start = cursor_has(at, "start");
    if (!body->has_start) return;
    json_cursor start = cursor_object(at, "start");
    if (body->def.kind != SCR_DYNAMIC)
        cursor_fail_at_key(&start, "only a dynamic body has a start: put this one where it is to be");
    body->start.position = cursor_vector(&start, "position", NULL, RANGE_COORDINATE);
    if (cursor_is_ok(&start) && !cursor_has(&start, "rotation"))
        cursor_fail_missing(&start, "rotation", "a rotation, as bodies have");
    body->start.rotation = read_rotation(&start, "rotation");
    body->start.velocity = cursor_vector(&start, "velocity", &ZERO, RANGE_SPEED);
    body->start.spin = cursor_vector(&start, "spin", &ZERO, RANGE_SPEED);
    cursor_close(&start);
}

static void read_body(scene_reading *reading, json_cursor *at, int index, scene_body *body)
{
    static const char *const kinds[] = {
        [SCR_DYNAMIC] = "dynamic", [SCR_FIXED] = "fixed", [SCR_KINEMATIC] = "kinematic"};
    body->location = cursor_location(at);
    read_name(at, &reading->bodies, index, false, body->name);
    body->def.kind = (scr_body_kind)cursor_choice(at, "kind", kinds, 3, SCR_DYNAMIC);
    body->has_motion = cursor_has(at, "motion");
    if (body->has_motion) {
        json_cursor motion = cursor_object(at, "motion");
        if (body->def.kind != SCR_KINEMATIC) {
            cursor_fail_at_key(&motion, "only a body of \"kind\": \"kinematic\" has a motion");
        }
        read_motion(&motion, &body->motion);
    }
    read_translation(at, body);
    read_rotation_and_spin(at, body);
    read_start(at, body);
    if (body->def.kind == SCR_FIXED) {
        expect_at_rest(at, "velocity", body->def.velocity);
        expect_at_rest(at, "spin", body->def.spin);
    }
    if (cursor_has(at, "surface_velocity"))
        body->def.surface_velocity = cursor_vector(at, "surface_velocity", &ZERO, RANGE_SPEED);
    read_shapes(reading, at, body);
    body->def.mass = cursor_number(at, "mass", 0.0, MASS);
    read_inertia(at, body);
    body->remove_at = cursor_number_or_null(at, "remove_at", INFINITY, RANGE_NOT_NEGATIVE);
    read_appearance(at, &body->appearance);
}

static void keep_group_names(scene *s, json_cursor *root, const name_index *groups)
{
    const char *name;
    json_t *bit;
    s->groups = cursor_new_array(root, json_object_size(groups->by_name), sizeof *s->groups, "groups");
    if (s->groups == NULL) return;
    s->group_count = (int)json_object_size(groups->by_name);
    json_object_foreach(groups->by_name, name, bit) memcpy(s->groups[json_integer_value(bit)], name, strlen(name) + 1);
}

void read_bodies(scene_reading *reading, json_cursor *root)
{
    scene *s = reading->scene;
    name_index groups = {json_object(), "group"};
    json_cursor list = cursor_list(root, "bodies");
    s->bodies = cursor_new_array(&list, list.count, sizeof *s->bodies, "bodies");
    // Grains from fills, tables and emitters are in this group, so it has the first bit.
    read_new_name(&list, "default", &groups, 0, (scene_name){0});
    for (size_t i = 0; i < list.count && cursor_is_ok(root); ++i) {
        json_cursor at = cursor_object_entry(&list, i);
        read_membership(&at, &groups, &s->bodies[i]);
    }
    for (size_t i = 0; i < list.count && cursor_is_ok(root); ++i) {
        json_cursor at = cursor_object_entry(&list, i);
        scene_body *body = &s->bodies[i];
        s->body_count = (int)i + 1;
        uint32_t group = body->def.group;
        body->def = scr_default_body_def();
        body->def.group = group;
        read_body(reading, &at, (int)i, body);
        cursor_member(&at, "group");
        read_partners(&at, &groups, body);
        cursor_close(&at);
    }
    if (cursor_is_ok(root)) keep_group_names(s, root, &groups);
    json_decref(groups.by_name);
}
