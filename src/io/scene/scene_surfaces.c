// SPDX-License-Identifier: BSD-3-Clause
// What hulls, meshes and heightfields of a scene are made of: points, triangles and heights in the scene itself, or the
// name of a file, which is read when the world is made (scene/populate/populate_surfaces.h).
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "io/scene/scene_sections.h"

static const number_range RANGE_SCALE = {1e-9, 1e9, false, false};

// Is there a file, or does the scene itself say under `key` what the shape is made of? One of the two. shape: "mesh".
static bool has_file(json_cursor *at, const char *shape, const char *key, const char *what)
{
    const char *const keys[] = {key, "file"};
    const char *found = read_only_key(at, keys, 2, shape);
    if (found == NULL) cursor_fail_missing(at, key, what);
    return found == keys[1];
}

static scr_vec3 *read_points(json_cursor *at, const char *key, int64_t *count)
{
    json_cursor list = cursor_list(at, key);
    scr_vec3 *points = cursor_new_array(&list, list.count, sizeof *points, "points");
    for (size_t i = 0; i < list.count && cursor_is_ok(at); ++i) {
        json_cursor entry = cursor_entry(&list, i);
        cursor_expect_list(&entry, 3, "three numbers");
        double component[3] = {0.0};
        for (size_t axis = 0; axis < 3 && cursor_is_ok(at); ++axis) {
            json_cursor number = cursor_entry(&entry, axis);
            component[axis] = cursor_value_number(&number, RANGE_COORDINATE);
        }
        points[i] = vec3(component[0], component[1], component[2]);
        *count = (int64_t)i + 1;
    }
    return points;
}

static int32_t read_corner(json_cursor *at, int64_t vertex_count)
{
    const number_range range = {0.0, (double)vertex_count - 1.0, false, false};
    double number = cursor_value_number(at, range);
    if (cursor_is_ok(at) && number != floor(number))
        cursor_fail(at, "a vertex is counted 0, 1, 2, ..., not %g", number);
    return cursor_is_ok(at) ? (int32_t)number : 0;
}

static int32_t *read_triangles(json_cursor *at, int64_t vertex_count, int64_t *count)
{
    json_cursor list = cursor_list(at, "triangles");
    int32_t *triangles = cursor_new_array(&list, list.count, 3 * sizeof *triangles, "triangles");
    for (size_t i = 0; i < list.count && cursor_is_ok(at); ++i) {
        json_cursor entry = cursor_entry(&list, i);
        cursor_expect_list(&entry, 3, "three vertices");
        for (size_t k = 0; k < 3 && cursor_is_ok(at); ++k) {
            json_cursor corner = cursor_entry(&entry, k);
            triangles[3 * i + k] = read_corner(&corner, vertex_count);
        }
        *count = (int64_t)i + 1;
    }
    return triangles;
}

static void read_hull(json_cursor *at, scene_surface *s)
{
    if (has_file(at, "hull", "points", "a list of points, or \"file\"")) {
        s->path = read_file_path(at, "file", "hull");
        return;
    }
    if (cursor_is_ok(at)) s->points = read_points(at, "points", &s->point_count);
}

static void read_mesh(json_cursor *at, scene_surface *s)
{
    if (has_file(at, "mesh", "vertices", "a list of points, or \"file\"")) {
        s->path = read_file_path(at, "file", "mesh");
        return;
    }
    if (cursor_is_ok(at)) s->points = read_points(at, "vertices", &s->point_count);
    if (cursor_is_ok(at) && !cursor_has(at, "triangles")) cursor_fail_missing(at, "triangles", "a list of triangles");
    if (cursor_is_ok(at)) s->triangles = read_triangles(at, s->point_count, &s->triangle_count);
}

// A list of rows along x, from the smallest y to the largest, all of the same length.
static void read_rows(json_cursor *at, scene_surface *s)
{
    json_cursor rows = cursor_list(at, "heights");
    size_t width = rows.count > 0 ? json_array_size(json_array_get(rows.value, 0)) : 0;
    if (cursor_is_ok(at) && (rows.count < 2 || width < 2 || rows.count > INT32_MAX || width > INT32_MAX))
        cursor_fail(&rows, "\"heights\" must be a list of at least two rows of at least two numbers");
    size_t count = cursor_is_ok(at) && rows.count < SIZE_MAX / width ? rows.count * width : 0;
    s->heights = cursor_new_array(&rows, count, sizeof *s->heights, "heights");
    for (size_t y = 0; y < rows.count && cursor_is_ok(at); ++y) {
        json_cursor row = cursor_entry(&rows, y);
        char what[64];
        snprintf(what, sizeof what, "%zu numbers, as the first one", width);
        cursor_expect_list(&row, width, what);
        for (size_t x = 0; x < width && cursor_is_ok(at); ++x) {
            json_cursor height = cursor_entry(&row, x);
            s->heights[y * width + x] = cursor_value_number(&height, RANGE_COORDINATE);
        }
    }
    s->size[0] = (int32_t)width;
    s->size[1] = (int32_t)rows.count;
}

static void read_heightfield(scene_reading *reading, json_cursor *at, scene_surface *s)
{
    if (cursor_has(at, "ground")) {
        s->ground1 = read_name_of(at, "ground", &reading->grounds) + 1;
        return;
    }
    cursor_member(at, "ground");
    if (has_file(at, "heightfield", "heights", "a list of rows of numbers, or \"file\" or \"ground\""))
        s->path = read_file_path(at, "file", "heightfield");
    else if (cursor_is_ok(at)) read_rows(at, s);
    if (!cursor_has(at, "spacing"))
        cursor_fail_missing(at, "spacing", "two numbers, from point to point along x and y");
    json_cursor spacing = cursor_member(at, "spacing");
    cursor_expect_list(&spacing, 2, "two numbers, from point to point along x and y");
    for (size_t axis = 0; axis < 2 && cursor_is_ok(at); ++axis) {
        json_cursor entry = cursor_entry(&spacing, axis);
        s->spacing[axis] = cursor_value_number(&entry, RANGE_LENGTH);
    }
}

// The surface of a shape that was described in the same words before, or -1; else the text to remember it by.
static int64_t find_surface(scene_reading *reading, json_cursor *at, scr_shape_kind kind, char **text)
{
    char *words = json_dumps(at->value, JSON_COMPACT | JSON_SORT_KEYS);
    size_t size = words != NULL ? strlen(words) + 2 : 0;
    *text = words != NULL ? malloc(size) : NULL;
    if (*text != NULL) snprintf(*text, size, "%c%s", 'a' + (int)kind, words);
    free(words);
    if (*text == NULL) {
        cursor_fail_memory(at, size, "a surface");
        return -1;
    }
    json_t *known = json_object_get(reading->surface_of_text, *text);
    return known != NULL ? (int64_t)json_integer_value(known) : -1;
}

int64_t read_surface(scene_reading *reading, json_cursor *at, scr_shape_kind kind)
{
    scene *s = reading->scene;
    scene_surface fresh = {.kind = kind, .location = cursor_location(at), .scale = 1.0};
    if (kind == SCR_HULL) read_hull(at, &fresh);
    if (kind == SCR_MESH) read_mesh(at, &fresh);
    if (kind == SCR_HEIGHTFIELD) read_heightfield(reading, at, &fresh);
    fresh.scale = cursor_number(at, "scale", 1.0, RANGE_SCALE);
    cursor_close(at);

    char *text = NULL;
    int64_t known = cursor_is_ok(at) ? find_surface(reading, at, kind, &text) : -1, count = s->surface_count;
    if (cursor_is_ok(at) && known < 0) {
        if (scr_grow(&s->surfaces, &reading->surface_capacity, count + 1, sizeof fresh, "surfaces", NULL) != SCR_OK ||
            json_object_set_new(reading->surface_of_text, text, json_integer(count)) != 0)
            cursor_fail_memory(at, scr_array_bytes(count + 1, sizeof fresh), "surfaces");
    }
    free(text);
    if (!cursor_is_ok(at) || known >= 0) {
        scene_surface_free(&fresh);
        return known >= 0 ? known : 0;
    }
    s->surfaces[s->surface_count++] = fresh;
    return count;
}
