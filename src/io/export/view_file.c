// SPDX-License-Identifier: BSD-3-Clause
// A view written as a file.
#include "io/export/view_file.h"

#include "core/text/plain_locale.h"
#include "io/json/json_write.h"

static json_t *vector_of(scr_vec3 v) { return json_pack("[f, f, f]", v.x, v.y, v.z); }

static json_t *path_of(const scene_view *view)
{
    json_t *list = json_array();
    for (int i = 0; i < view->path_count; ++i) {
        const camera_key *p = &view->path[i];
        json_array_append_new(list, json_pack("{s:f, s:o, s:o}", "time", p->time, "eye", vector_of(p->eye), "target",
                                              vector_of(p->target)));
    }
    return list;
}

static void set(json_t *object, const char *key, bool given, json_t *value)
{
    json_object_set_new(object, key, given ? json_incref(value) : json_null());
    json_decref(value);
}

static json_t *tree_of(const scene_view *view, const char *comment)
{
    static const char *const axes[3] = {"x", "y", "z"};
    json_t *root = json_object(), *cut = json_object();
    set(root, "comment", true, json_string(comment));
    set(root, "eye", view->has_eye, vector_of(view->eye));
    set(root, "target", view->has_target, vector_of(view->target));
    set(root, "field_of_view", true, json_real(view->field_of_view));
    set(root, "follow", view->follow[0] != '\0', json_string(view->follow));
    set(root, "orbit", true, json_real(view->orbit));
    set(root, "path", true, path_of(view));
    set(root, "colour", true, json_string(COLOUR_WORDS[view->colour]));
    set(root, "map", true, json_string(COLOUR_MAP_WORDS[view->map]));
    set(root, "range", view->has_range, json_pack("[f, f]", view->range_min, view->range_max));
    set(root, "chains", true, json_boolean(view->chains));
    for (int axis = 0; axis < 3; ++axis) set(cut, axes[axis], view->has_cut[axis], json_real(view->cut[axis]));
    set(root, "cut", true, cut);
    set(root, "ground", true, json_boolean(view->ground));
    set(root, "ground_height", view->has_ground_height, json_real(view->ground_height));
    set(root, "captions", true, json_boolean(view->captions));
    return root;
}

scr_status view_text(const scene_view *view, const char *comment, char **text, scr_error *error)
{
    plain_locale locale;
    scr_status status = plain_locale_enter(&locale, error);
    if (status != SCR_OK) return status;
    json_t *root = tree_of(view, comment);
    status = json_write_text(root, text, error);
    json_decref(root);
    plain_locale_leave(&locale);
    return status;
}
