// SPDX-License-Identifier: BSD-3-Clause
// Lists of things in a scene that may have names, and things found by them.
#include "io/scene/scene_sections.h"

void *read_indexed_list(scene_reading *reading, json_cursor *root, const named_list *list, name_index *names,
                        int *count)
{
    json_cursor entries = cursor_list(root, list->key);
    char *array = cursor_new_array(&entries, entries.count, list->entry_size, list->key);
    for (size_t i = 0; i < entries.count && cursor_is_ok(root); ++i) {
        json_cursor at = cursor_object_entry(&entries, i);
        void *entry = array + i * list->entry_size;
        *count = (int)i + 1;
        read_name(&at, names, (int)i, list->names_are_needed, entry);
        list->read(reading, &at, entry);
    }
    return array;
}

void *read_named_list(scene_reading *reading, json_cursor *root, const named_list *list, int *count)
{
    name_index names = {json_object(), list->what};
    void *array = read_indexed_list(reading, root, list, &names, count);
    json_decref(names.by_name);
    return array;
}

int read_material(scene_reading *reading, json_cursor *at)
{
    const char *fallback = reading->scene->material_count == 1 ? reading->scene->materials[0].name : NULL;
    if (fallback == NULL && !cursor_has(at, "material")) {
        cursor_fail_missing(at, "material", "the name of one of the scene's materials");
    }
    const char *name = cursor_text(at, "material", fallback);
    json_cursor member = cursor_member(at, "material");
    return find_name(&member, &reading->materials, name);
}
