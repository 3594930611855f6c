// SPDX-License-Identifier: BSD-3-Clause
// The sections of a scene, each read by a function of its own from a cursor at the scene's root. Internal to the
// reader.
#ifndef IO_SCENE_SCENE_SECTIONS_H
#define IO_SCENE_SCENE_SECTIONS_H

#include "io/value/scene_values.h"

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
void read_chain_drives(scene_reading *reading, json_cursor *root);
void read_loads(scene_reading *reading, json_cursor *root);
void read_drivers(scene_reading *reading, json_cursor *root);
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
int read_material(scene_reading *reading, json_cursor *at);  // index; needed if the scene has several
// The region of a fill, which may also lie under or on a ground; its pattern and count have been read.
void read_fill_region(scene_reading *reading, json_cursor *at, scene_fill *fill);
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
// Of joints: what they leave to their bodies, and so to motors, springs and couplings.
bool joint_slides(scr_joint_kind kind);
bool joint_rotates(scr_joint_kind kind);
// the joint named at the cursor, which moves so
int read_moving_joint(scene_reading *reading, json_cursor *at, scr_axis axis);

#endif
