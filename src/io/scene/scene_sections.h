// SPDX-License-Identifier: BSD-3-Clause
// The sections of a scene, each read by a function of its own from a cursor at the scene's root. Internal to the
// reader.
#ifndef IO_SCENE_SCENE_SECTIONS_H
#define IO_SCENE_SCENE_SECTIONS_H

#include "io/json/json_cursor.h"

// Names of one kind of thing, to find duplicates and to look names up.
typedef struct name_index {
    json_t *by_name;   // name -> index; owned
    const char *what;  // "material"
} name_index;

typedef struct scene_reading {
    scene *scene;
    name_index materials, grounds, bodies, joints, springs, couplings;
    json_t *surface_of_text;  // what a hull, mesh or heightfield says -> index in scene->surfaces; owned
    int64_t surface_capacity;
} scene_reading;

// Fill the scene from the document. What was made before a failure is in the scene and destroyed with it.
void scene_read_sections(json_document *document, scene *s);

// In the order in which they must be read: later ones use names and values of earlier ones.
void read_parameters(json_cursor *root);
void read_vehicles(json_cursor *root);  // which become bodies, joints, springs, materials and probes of the tree
void read_phases(scene_reading *reading, json_cursor *root);     // their names: functions of time may know them
void read_settings(scene_reading *reading, json_cursor *root);   // time, gravity, solver, contact, limits, domain
void read_materials(scene_reading *reading, json_cursor *root);  // materials, pairs
void read_grounds(scene_reading *reading, json_cursor *root);
void read_bodies(scene_reading *reading, json_cursor *root);
void read_phase_ends(scene_reading *reading, json_cursor *root);  // once bodies have names
void read_appearance(json_cursor *body, scene_appearance *appearance);
void read_joints(scene_reading *reading, json_cursor *root);  // joints, actuators
void read_springs(scene_reading *reading, json_cursor *root);
void read_couplings(scene_reading *reading, json_cursor *root);
void read_loads(scene_reading *reading, json_cursor *root);
void read_grains(scene_reading *reading, json_cursor *root);  // fills, tables, beds, emitters, sinks
// Springs need a stiffness: under the penalty law refuse a material without Young's modulus in anything that contacts
// can move. What they cannot may be rigid.
void check_moduli(scene_reading *reading, json_cursor *root);
void read_active_box(scene_reading *reading, json_cursor *root);
void read_sleeping(scene_reading *reading, json_cursor *root);
void read_probes(scene_reading *reading, json_cursor *root);
void read_output(scene_reading *reading, json_cursor *root);
void read_view(scene_reading *reading, json_cursor *root);
// The words of a view at the cursor, which it closes; names are not looked up.
void read_view_words(scene_view *view, json_cursor *at);

// Values that several sections have.

// The optional name of a list's entry: "" if it has none. Two things of one kind cannot have the same.
void read_name(json_cursor *at, name_index *names, int index, bool is_needed, scene_name name);
void read_new_name(json_cursor *at, const char *text, name_index *names, int index, scene_name name);
// Lists of things that may have names. The scene's list holds as many entries as were begun, so that those
// are destroyed with it after a failure.
typedef void read_entry(scene_reading *reading, json_cursor *at, void *entry);  // all but the name; closes the cursor
typedef struct named_list {
    const char *key, *what;  // "probes", "probe"
    bool names_are_needed;
    size_t entry_size;  // an entry begins with its name
    read_entry *read;
} named_list;
// the array of entries
void *read_named_list(scene_reading *reading, json_cursor *root, const named_list *list, int *count);
// The same with names that are needed later.
void *read_indexed_list(scene_reading *reading, json_cursor *root, const named_list *list, name_index *names,
                        int *count);
int find_name(json_cursor *at, const name_index *names, const char *name);  // fails at the cursor, naming the nearest
int find_name_or(json_cursor *at, const name_index *names, const char *name, const char *other);  // -1 for `other`
// the one named under a key, which is needed
int read_name_of(json_cursor *at, const char *key, const name_index *names);
int read_material(scene_reading *reading, json_cursor *at);  // index; needed if the scene has several
scr_quat read_rotation(json_cursor *at, const char *key);
scr_vec3 read_direction(json_cursor *at, const char *key, const scr_vec3 *fallback);  // a unit vector
void read_box(json_cursor *at, scr_vec3 *low, scr_vec3 *high);
// Which of some keys is given; more than one is refused. One of `keys` itself, or NULL.
const char *read_only_key(json_cursor *at, const char *const *keys, int count, const char *what);
scene_region read_region(json_cursor *at, const char *key);
scene_region read_box_region(json_cursor *at, const char *key);  // one that is a box
// The same of a fill, which may also lie under or on a ground; its pattern and count have been read.
void read_fill_region(scene_reading *reading, json_cursor *at, scene_fill *fill);
scene_size read_size(json_cursor *at, const char *key);
void read_start_and_stop(json_cursor *at, double *start, double *stop);
// The absolute path of the file named under a key, which must be there, seen from the directory of the scene; free()
// it. In the scene as run the path is absolute: that scene is kept elsewhere. what: "table".
char *read_file_path(json_cursor *at, const char *key, const char *what);
// All shapes of a body, compounds taken apart.
void read_shapes(scene_reading *reading, json_cursor *body_at, scene_body *body);
// The shape of grains of radius 1; null, which is also the default, stands for a sphere.
scr_shape read_grain_shape(json_cursor *at, const char *key);
// A hull, mesh or heightfield (`kind`) at the cursor: its index in the scene's surfaces.
int64_t read_surface(scene_reading *reading, json_cursor *at, scr_shape_kind kind);
void read_motion(json_cursor *body, scene_motion *motion);
// Both ends of a joint or a spring: "bodies", then where it is (at one place, or `apart`), then which way it points.
void read_body_pair(scene_reading *reading, json_cursor *at, scene_anchor end[2]);
void read_anchors(json_cursor *at, scene_anchor end[2], bool apart);
void read_axes(json_cursor *at, scene_anchor end[2], bool is_needed);
// A number under a key as a function of time: what the world is driven by.
time_function read_time_function(json_cursor *at, const char *key);
time_vector read_time_vector(json_cursor *at, const char *key, const scr_vec3 *fallback);  // NULL: the key is needed
int read_phase_name(json_cursor *at, const char *key);  // index of the phase named under a key, which is needed
// "table" or "file" of an object: pairs whose first numbers rise. what: "a time and a value".
number_pairs read_number_pairs(json_cursor *at, const char *what);
// Of joints: what they leave to their bodies, and so to motors, springs and couplings.
bool joint_slides(scr_joint_kind kind);
bool joint_rotates(scr_joint_kind kind);
// the joint named at the cursor, which moves so
int read_moving_joint(scene_reading *reading, json_cursor *at, scr_axis axis);

#endif
