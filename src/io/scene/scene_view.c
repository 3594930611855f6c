// SPDX-License-Identifier: BSD-3-Clause
// The view: how pictures of a run look. Part of a scene, or a file of its own with the same words.
#include <math.h>
#include <string.h>

#include "io/scene/scene_sections.h"

static const number_range DEGREES = {0.0, 180.0, true, true}, ORBIT = {-36000.0, 36000.0, false, false};

static void expect_two_points(json_cursor *at, scr_vec3 eye, scr_vec3 target)
{
    if (!cursor_is_ok(at) || memcmp(&eye, &target, sizeof eye) != 0) return;
    json_cursor member = cursor_member(at, "target");
    cursor_fail(&member, "\"target\" must differ from \"eye\"");
}

static void read_camera(scene_view *view, json_cursor *at)
{
    view->has_eye = view->has_target = cursor_has(at, "eye");
    if (view->has_eye) {
        view->eye = cursor_vector(at, "eye", NULL, RANGE_COORDINATE);
        view->target = cursor_vector(at, "target", NULL, RANGE_COORDINATE);
        expect_two_points(at, view->eye, view->target);
    } else if (cursor_has(at, "target")) {
        cursor_fail_missing(at, "eye", "a camera has both \"eye\" and \"target\"");
    } else {
        json_cursor eye = cursor_member(at, "eye"), target = cursor_member(at, "target");
        cursor_store(&eye, json_null());
        cursor_store(&target, json_null());
    }
    view->field_of_view = cursor_number(at, "field_of_view", view->field_of_view, DEGREES);
    view->orbit = cursor_number(at, "orbit", 0.0, ORBIT);
}

static void read_follow(scene_view *view, json_cursor *at)
{
    json_cursor follow = cursor_member(at, "follow");
    if (!cursor_has(at, "follow")) {
        cursor_store(&follow, json_null());
        return;
    }
    const char *name = cursor_value_text(&follow);
    if (strlen(name) > NAME_MAX_LENGTH) cursor_fail(&follow, "\"follow\" is longer than the name of a body can be");
    else memcpy(view->follow, name, strlen(name) + 1);
}

static camera_key read_key(json_cursor *at)
{
    camera_key key = {.time = cursor_needed_number(at, "time", RANGE_ANY)};
    key.eye = cursor_vector(at, "eye", NULL, RANGE_COORDINATE);
    key.target = cursor_vector(at, "target", NULL, RANGE_COORDINATE);
    expect_two_points(at, key.eye, key.target);
    cursor_close(at);
    return key;
}

static void read_path(scene_view *view, json_cursor *at)
{
    json_cursor list = cursor_list(at, "path");
    view->path = cursor_new_array(at, list.count, sizeof *view->path, "keys of the camera");
    if (view->path == NULL) return;
    for (size_t i = 0; i < list.count && cursor_is_ok(at); ++i) {
        json_cursor entry = cursor_object_entry(&list, i);
        view->path[i] = read_key(&entry);
        view->path_count = (int)i + 1;
        if (cursor_is_ok(at) && i > 0 && !(view->path[i].time > view->path[i - 1].time)) {
            json_cursor time = cursor_member(&entry, "time");
            cursor_fail(&time, "the times of a \"path\" must grow, but %g follows %g", view->path[i].time,
                        view->path[i - 1].time);
        }
    }
    if (!cursor_is_ok(at)) return;
    if (view->has_eye) cursor_fail(&list, "a camera has a \"path\", or an \"eye\" and a \"target\", not both");
    else if (view->follow[0] != '\0' || view->orbit != 0.0)
        cursor_fail(&list, "a camera on a \"path\" cannot \"follow\" or \"orbit\" as well");
}

static void read_range(scene_view *view, json_cursor *at)
{
    json_cursor range = cursor_member(at, "range");
    view->has_range = cursor_has(at, "range");
    if (!view->has_range) {
        cursor_store(&range, json_null());
        return;
    }
    cursor_expect_list(&range, 2, "two numbers, the lower and the upper end");
    json_cursor low = cursor_entry(&range, 0), high = cursor_entry(&range, 1);
    view->range_min = cursor_value_number(&low, RANGE_ANY);
    view->range_max = cursor_value_number(&high, RANGE_ANY);
    if (cursor_is_ok(at) && !(view->range_min < view->range_max)) {
        cursor_fail(&range, "the upper end of \"range\" must be above the lower one");
    }
}

static void read_cut(scene_view *view, json_cursor *at)
{
    static const char *const axes[3] = {"x", "y", "z"};
    json_cursor cut = cursor_object(at, "cut");
    for (int axis = 0; axis < 3; ++axis) {
        view->has_cut[axis] = cursor_has(&cut, axes[axis]);
        view->cut[axis] = cursor_number_or_null(&cut, axes[axis], 0.0, RANGE_COORDINATE);
    }
    cursor_close(&cut);
}

void read_view_words(scene_view *view, json_cursor *at)
{
    *view = scene_default_view();
    read_camera(view, at);
    read_follow(view, at);
    read_path(view, at);
    view->colour = (colour_by)cursor_choice(at, "colour", COLOUR_WORDS, COLOUR_BY_COUNT, COLOUR_BODY);
    view->map = (colour_map)cursor_choice(at, "map", COLOUR_MAP_WORDS, MAP_COUNT, MAP_SCREE);
    read_range(view, at);
    view->chains = cursor_flag(at, "chains", false);
    read_cut(view, at);
    view->ground = cursor_flag(at, "ground", true);
    view->has_ground_height = cursor_has(at, "ground_height");
    view->ground_height = cursor_number_or_null(at, "ground_height", 0.0, RANGE_COORDINATE);
    view->captions = cursor_flag(at, "captions", true);
    cursor_close(at);
}

// In a scene, what needs contacts needs them in the frames.
static void expect_contacts(const scene *s, json_cursor *at)
{
    if (!cursor_is_ok(at) || s->output.contacts) return;
    const char *word = s->view.chains ? "chains" : s->view.colour == COLOUR_FORCE ? "colour" : NULL;
    if (word == NULL) return;
    json_cursor member = cursor_member(at, word);
    cursor_fail(&member,
                "\"%s\" shows the forces of contacts: frames hold them only if \"output\" has \"contacts\": true",
                word);
}

void read_view(scene_reading *reading, json_cursor *root)
{
    scene *s = reading->scene;
    json_cursor at = cursor_object(root, "view");
    read_view_words(&s->view, &at);
    expect_contacts(s, &at);
    if (!cursor_is_ok(&at) || s->view.follow[0] == '\0') return;
    json_cursor follow = cursor_member(&at, "follow");
    find_name(&follow, &reading->bodies, s->view.follow);
}
