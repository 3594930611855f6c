// SPDX-License-Identifier: BSD-3-Clause
// The two ends of a joint or a spring: on which bodies, where, and which way it points. Places and directions are given
// in world axes as things are at t = 0, once for both ends, or in the bodies' own frames, for each end by itself.
#include "io/scene/scene_sections.h"

static const char GROUND_NAME[] = "ground";

void read_body_pair(scene_reading *reading, json_cursor *at, scene_anchor end[2])
{
    static const char what[] = "two names of bodies, of which one may be \"ground\"";
    if (!cursor_has(at, "bodies")) cursor_fail_missing(at, "bodies", what);
    json_cursor names = cursor_member(at, "bodies");
    cursor_expect_list(&names, 2, what);
    for (size_t k = 0; k < 2; ++k) {
        json_cursor name = cursor_entry(&names, k);
        end[k].body = find_name_or(&name, &reading->bodies, cursor_value_text(&name), GROUND_NAME);
    }
    if (cursor_is_ok(at) && end[0].body == end[1].body) cursor_fail(&names, "\"bodies\" must be two different ones");
}

// Keys for both ends together and for each of them.
typedef struct end_keys {
    const char *both, *a, *b;
} end_keys;

// Which of them are given: the one for both, the one for a (and then b's is there too), or NULL.
static const char *given_keys(json_cursor *at, const end_keys *keys)
{
    bool has_both = cursor_has(at, keys->both), has_a = cursor_has(at, keys->a), has_b = cursor_has(at, keys->b);
    json_cursor of_a = cursor_member(at, keys->a), of_b = cursor_member(at, keys->b);
    if (has_both && (has_a || has_b)) {
        cursor_fail_at_key(has_a ? &of_a : &of_b, "give \"%s\", or \"%s\" and \"%s\", but not both", keys->both,
                           keys->a, keys->b);
    } else if (has_a != has_b) {
        cursor_fail_at_key(has_a ? &of_a : &of_b,
                           "\"%s\" and \"%s\" go together: the one without the other says too little", keys->a,
                           keys->b);
    }
    return has_both ? keys->both : has_a ? keys->a : NULL;
}

// Two points in world axes, one for each body.
static void read_points(json_cursor *at, const char *key, scene_anchor end[2])
{
    json_cursor list = cursor_member(at, key);
    cursor_expect_list(&list, 2, "two points, one on each body");
    for (size_t k = 0; k < 2 && cursor_is_ok(at); ++k) {
        json_cursor point = cursor_entry(&list, k);
        double number[3] = {0.0};
        cursor_expect_list(&point, 3, "three numbers");
        for (size_t i = 0; i < 3; ++i) {
            json_cursor entry = cursor_entry(&point, i);
            number[i] = cursor_value_number(&entry, RANGE_COORDINATE);
        }
        end[k].point = vec3(number[0], number[1], number[2]);
    }
}

void read_anchors(json_cursor *at, scene_anchor end[2], bool apart)
{
    const end_keys keys = {apart ? "points" : "at", "at_a", "at_b"};
    const char *given = given_keys(at, &keys);
    end[0].has_point = end[1].has_point = true;
    if (given == NULL) {
        cursor_fail_missing(at, keys.both,
                            apart ? "two points in world axes, or \"at_a\" and \"at_b\" in those of the bodies"
                                  : "a point in world axes, or \"at_a\" and \"at_b\" in those of the bodies");
    } else if (given == keys.a) {
        end[0].point = cursor_vector(at, keys.a, NULL, RANGE_COORDINATE);
        end[1].point = cursor_vector(at, keys.b, NULL, RANGE_COORDINATE);
        end[0].own_point = end[1].own_point = true;
    } else if (apart) {
        read_points(at, keys.both, end);
    } else {
        end[0].point = end[1].point = cursor_vector(at, keys.both, NULL, RANGE_COORDINATE);
    }
}

void read_axes(json_cursor *at, scene_anchor end[2], bool is_needed)
{
    static const end_keys axis = {"axis", "axis_a", "axis_b"}, x_axis = {"x_axis", "x_axis_a", "x_axis_b"};
    static const scr_vec3 up = {0.0, 0.0, 1.0};
    const char *given = given_keys(at, &axis), *given_x = given_keys(at, &x_axis);
    if (given == NULL && is_needed)
        cursor_fail_missing(at, axis.both, "a direction in world axes, or \"axis_a\" and \"axis_b\"");
    if (given == axis.a) {
        end[0].axis = read_direction(at, axis.a, NULL);
        end[1].axis = read_direction(at, axis.b, NULL);
        end[0].own_axis = end[1].own_axis = true;
    } else {
        end[0].axis = end[1].axis = read_direction(at, axis.both, &up);
    }
    end[0].has_x_axis = end[1].has_x_axis = given_x != NULL;
    if (given_x == x_axis.a) {
        end[0].x_axis = read_direction(at, x_axis.a, NULL);
        end[1].x_axis = read_direction(at, x_axis.b, NULL);
        end[0].own_x_axis = end[1].own_x_axis = true;
    } else if (given_x != NULL) {
        end[0].x_axis = end[1].x_axis = read_direction(at, x_axis.both, NULL);
    } else {
        json_cursor absent = cursor_member(at, x_axis.both);
        cursor_store(&absent, json_null());
    }
}
