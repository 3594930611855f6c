// SPDX-License-Identifier: BSD-3-Clause
// Shapes of bodies and of grains. A compound is taken apart here: the world knows only bodies with several shapes. A
// shape at p, q inside a compound at P, Q stands in the body at P + Q p with the rotation Q q.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/maths/pose.h"
#include "io/scene/scene_sections.h"

enum { COMPOUND = SCR_SPHERE_SET + 1, SHAPE_KEY_COUNT };
enum { NESTING_MAX = 16 };  // compounds inside one another

static const char *const SHAPE_KEYS[SHAPE_KEY_COUNT] = {
    [SCR_SPHERE] = "sphere",   [SCR_ELLIPSOID] = "ellipsoid", [SCR_BOX] = "box",
    [SCR_CAPSULE] = "capsule", [SCR_CYLINDER] = "cylinder",   [SCR_CONE] = "cone",
    [SCR_HULL] = "hull",       [SCR_MESH] = "mesh",           [SCR_HEIGHTFIELD] = "heightfield",
    [SCR_PLANE] = "plane",     [COMPOUND] = "compound",       [SCR_SPHERE_SET] = "spheres",
};

static const scr_vec3 ZERO = {0.0, 0.0, 0.0};
static const number_range RANGE_SCALE = {1e-9, 1e9, false, false};
static const number_range RANGE_RATIO = {1e-3, 1e3, false, false};  // lengths of a grain over its radius

// The shapes of one body in the making.
typedef struct shape_list {
    scene_reading *reading;
    scene_body *body;
    int64_t capacity, set_capacity;
} shape_list;

// The frame in which a shape is placed, in the body.
typedef struct shape_frame {
    pose pose;
    int nesting;
} shape_frame;

// A shape that is described by a few lengths.
static scr_shape read_lengths(json_cursor *at, scr_shape_kind kind, number_range range, scr_material material)
{
    scr_shape shape = {.kind = kind, .material = material, .rotation = QUAT_IDENTITY};
    if (kind == SCR_ELLIPSOID) {
        shape = scr_ellipsoid(cursor_vector(at, "semi_axes", NULL, range), material);
    } else if (kind == SCR_BOX) {
        shape = scr_box(vec3_scale(0.5, cursor_vector(at, "size", NULL, range)), material);
    } else {
        double radius = cursor_needed_number(at, "radius", range);
        double half = kind == SCR_SPHERE ? 0.0 : 0.5 * cursor_needed_number(at, "length", range);
        if (kind == SCR_SPHERE) shape = scr_sphere(radius, material);
        if (kind == SCR_CAPSULE) shape = scr_capsule(radius, half, material);
        if (kind == SCR_CYLINDER) shape = scr_cylinder(radius, half, material);
        if (kind == SCR_CONE) shape = scr_cone(radius, half, material);
    }
    cursor_close(at);
    return shape;
}

static void append_shape(shape_list *list, json_cursor *at, const scr_shape *shape)
{
    scene_body *body = list->body;
    int64_t count = body->def.shape_count;
    if (!cursor_is_ok(at)) return;
    if (scr_grow(&body->shapes, &list->capacity, count + 1, sizeof *body->shapes, "shapes", NULL) != SCR_OK) {
        cursor_fail_memory(at, scr_array_bytes(count + 1, sizeof *shape), "shapes");
        return;
    }
    body->shapes[count] = *shape;
    body->def.shapes = body->shapes;
    ++body->def.shape_count;
}

// The file is read when the world is made: here a set is only put on the body's list.
static void read_sphere_set(shape_list *list, json_cursor *at, int material, const shape_frame *frame)
{
    scene_body *body = list->body;
    if (!cursor_has(at, "file")) cursor_fail_missing(at, "file", "the name of a sphere set (.spheres)");
    scene_sphere_set set = {.location = cursor_location(at), .material = material};
    set.position = frame->pose.position;
    set.rotation = quat_unit(frame->pose.rotation);
    if (cursor_is_ok(at)) set.path = read_file_path(at, "file", "sphere set");
    set.scale = cursor_number(at, "scale", 1.0, RANGE_SCALE);
    cursor_close(at);
    if (cursor_is_ok(at) && scr_grow(&body->sphere_sets, &list->set_capacity, body->sphere_set_count + 1, sizeof set,
                                     "sphere sets", NULL) != SCR_OK)
        cursor_fail_memory(at, sizeof set, "sphere sets");
    if (cursor_is_ok(at)) body->sphere_sets[body->sphere_set_count++] = set;
    else free(set.path);
}

static void refuse_if_dynamic(const shape_list *list, json_cursor *at, const char *what)
{
    if (list->body->def.kind != SCR_DYNAMIC) return;
    cursor_fail_at_key(at, "a %s has no mass: its body must be \"kind\": \"fixed\" or \"kinematic\"", what);
}

static void read_shape_list(shape_list *list, json_cursor *at, const shape_frame *frame);

// A ground lies where it lies, its heightfield about the origin of the shape.
static scr_vec3 ground_offset(const scene_reading *reading, const scr_shape *shape)
{
    const scene *s = reading->scene;
    if (shape->kind != SCR_HEIGHTFIELD || (int64_t)shape->surface.index1 > s->surface_count) return ZERO;
    int ground1 = s->surfaces[shape->surface.index1 - 1].ground1;
    if (ground1 == 0) return ZERO;
    const double *middle = s->grounds[ground1 - 1].def.position;
    return vec3(middle[0], middle[1], 0.0);
}

// The shape at `at`, which has the key of its kind.
static void read_kind(shape_list *list, json_cursor *at, int kind, const shape_frame *frame)
{
    json_cursor inner = cursor_object(at, SHAPE_KEYS[kind]);
    if (kind == COMPOUND) {
        if (frame->nesting > NESTING_MAX) cursor_fail_at_key(&inner, "compounds go %d deep, not deeper", NESTING_MAX);
        read_shape_list(list, &inner, frame);
        cursor_close(&inner);
        return;
    }
    scr_material material = {(uint32_t)read_material(list->reading, at) + 1};
    if (kind == SCR_SPHERE_SET) {
        read_sphere_set(list, &inner, (int)material.index1 - 1, frame);
        return;
    }
    scr_shape shape = {.kind = (scr_shape_kind)kind, .material = material};
    if (kind == SCR_PLANE) {
        cursor_close(&inner);
        refuse_if_dynamic(list, &inner, "plane");
    } else if (kind_has_surface((scr_shape_kind)kind)) {
        if (kind == SCR_HEIGHTFIELD) refuse_if_dynamic(list, &inner, "heightfield");
        shape.surface.index1 = (uint32_t)read_surface(list->reading, &inner, (scr_shape_kind)kind) + 1;
    } else {
        shape = read_lengths(&inner, (scr_shape_kind)kind, RANGE_LENGTH, material);
    }
    shape.position = pose_apply(frame->pose, ground_offset(list->reading, &shape));
    shape.rotation = quat_unit(frame->pose.rotation);
    append_shape(list, at, &shape);
}

// Which key of a shape is given: an index into SHAPE_KEYS, or -1.
static int find_kind(json_cursor *at)
{
    const char *found = read_only_key(at, SHAPE_KEYS, SHAPE_KEY_COUNT, "shape");
    for (int k = 0; k < SHAPE_KEY_COUNT; ++k)
        if (found == SHAPE_KEYS[k]) return k;
    return -1;
}

static void read_shape(shape_list *list, json_cursor *at, const shape_frame *frame)
{
    int kind = find_kind(at);
    scr_vec3 position = cursor_vector(at, "position", &ZERO, RANGE_COORDINATE);
    pose own = {position, read_rotation(at, "rotation")};
    shape_frame inside = {pose_compose(frame->pose, own), frame->nesting + 1};
    if (kind >= 0) read_kind(list, at, kind, &inside);
    if (kind < 0) cursor_member(at, "material");  // known, but of no interest: what is missing is the shape
    if (kind == COMPOUND && cursor_has(at, "material")) {
        json_cursor material = cursor_member(at, "material");
        cursor_fail_at_key(&material, "a compound has no material of its own: its shapes have");
    }
    cursor_close(at);
    if (kind < 0) {
        cursor_fail(at,
                    "\"%s\" must have \"sphere\", \"ellipsoid\", \"box\", \"capsule\", \"cylinder\", \"cone\", "
                    "\"hull\", \"mesh\", \"heightfield\", \"plane\", \"compound\" or \"spheres\"",
                    cursor_shown_name(at).text);
    }
}

static void read_shape_list(shape_list *list, json_cursor *at, const shape_frame *frame)
{
    if (!cursor_has(at, "shapes")) cursor_fail_missing(at, "shapes", "a list of shapes");
    json_cursor entries = cursor_list(at, "shapes");
    if (cursor_is_ok(at) && entries.count == 0) cursor_fail(&entries, "\"shapes\" must have at least one shape");
    for (size_t i = 0; i < entries.count && cursor_is_ok(at); ++i) {
        json_cursor entry = cursor_object_entry(&entries, i);
        read_shape(list, &entry, frame);
    }
}

void read_shapes(scene_reading *reading, json_cursor *body_at, scene_body *body)
{
    shape_list list = {reading, body, 0, 0};
    shape_frame frame = {POSE_IDENTITY, 0};
    // a part of a mechanism that touches nothing
    if (!cursor_has(body_at, "shapes") && cursor_has(body_at, "inertia")) return;
    read_shape_list(&list, body_at, &frame);
}

scr_shape read_grain_shape(json_cursor *at, const char *key)
{
    static const char *const kinds[] = {"ellipsoid", "box", "capsule", "cylinder", "cone"};
    enum { KIND_COUNT = sizeof kinds / sizeof *kinds };
    scr_material none = {0};
    json_cursor member = cursor_member(at, key);
    if (member.value == NULL) cursor_store(&member, json_null());
    if (!cursor_is_ok(at) || json_is_null(member.value)) return scr_sphere(1.0, none);
    json_cursor shape = cursor_object(at, key);
    const char *kind = read_only_key(&shape, kinds, KIND_COUNT, "grain");
    scr_shape read = scr_sphere(1.0, none);
    for (int k = 0; k < KIND_COUNT; ++k) {
        if (kind != kinds[k]) continue;
        json_cursor inner = cursor_object(&shape, kind);
        read = read_lengths(&inner, (scr_shape_kind)(SCR_ELLIPSOID + k), RANGE_RATIO, none);
    }
    cursor_close(&shape);
    if (kind == NULL)
        cursor_fail(
            &shape,
            "\"%s\" must have \"ellipsoid\", \"box\", \"capsule\", \"cylinder\", \"cone\", \"clump\" or \"pebble\"",
            key);
    return read;
}
