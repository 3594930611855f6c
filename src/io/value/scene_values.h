// SPDX-License-Identifier: BSD-3-Clause
// Values that several sections of a scene have: names, rotations, regions, sizes of grains, paths of files, functions
// of time. Internal to the reader.
#ifndef IO_VALUE_SCENE_VALUES_H
#define IO_VALUE_SCENE_VALUES_H

#include "io/json/json_cursor.h"

// Names of one kind of thing, to find duplicates and to look names up.
typedef struct name_index {
    json_t *by_name;   // name -> index; owned
    const char *what;  // "material"
} name_index;

// The optional name of a list's entry: "" if it has none. Two things of one kind cannot have the same.
void read_name(json_cursor *at, name_index *names, int index, bool is_needed, scene_name name);
void read_new_name(json_cursor *at, const char *text, name_index *names, int index, scene_name name);
int find_name(json_cursor *at, const name_index *names, const char *name);  // fails at the cursor, naming the nearest
int find_name_or(json_cursor *at, const name_index *names, const char *name, const char *other);  // -1 for `other`
// the one named under a key, which is needed
int read_name_of(json_cursor *at, const char *key, const name_index *names);
void read_name_list(json_cursor *list, const name_index *names, const char *what, int *found, size_t count);  // so many

scr_quat read_rotation(json_cursor *at, const char *key);
scr_vec3 read_direction(json_cursor *at, const char *key, const scr_vec3 *fallback);  // a unit vector
void read_box(json_cursor *at, scr_vec3 *low, scr_vec3 *high);
// Which of some keys is given; more than one is refused. One of `keys` itself, or NULL.
const char *read_only_key(json_cursor *at, const char *const *keys, int count, const char *what);
scene_region read_region(json_cursor *at, const char *key);
scene_region read_box_region(json_cursor *at, const char *key);  // one that is a box
scene_size read_size(json_cursor *at, const char *key);
void read_start_and_stop(json_cursor *at, double *start, double *stop);
// The absolute path of the file named under a key, which must be there, seen from the directory of the scene; free()
// it. In the scene as run the path is absolute: that scene is kept elsewhere. what: "table".
char *read_file_path(json_cursor *at, const char *key, const char *what);

// A number under a key as a function of time: what the world is driven by.
time_function read_time_function(json_cursor *at, const char *key);
time_vector read_time_vector(json_cursor *at, const char *key, const scr_vec3 *fallback);  // NULL: the key is needed
int read_phase_name(json_cursor *at, const char *key);  // index of the phase named under a key, which is needed
// "table" or "file" of an object: pairs whose first numbers rise. what: "a time and a value".
number_pairs read_number_pairs(json_cursor *at, const char *what);

#endif
