// SPDX-License-Identifier: BSD-3-Clause
// A scene: everything a run needs, as plain definitions. The reader (io/scene/scene_reader.h) fills it from JSON, the
// simulation (scene/run/simulation.h) builds a world from it. Every member's default is set by the reader and
// documented in docs/scene.md. A scene owns all it points to.
#ifndef SCENE_MODEL_SCENE_H
#define SCENE_MODEL_SCENE_H

#include "geometry/shape/packing.h"
#include "rig/rig_kinds.h"
#include "scene/bed/bed.h"
#include "scene/formula/time_function.h"
#include "scene/terrain/ground.h"
#include "scree/scree.h"
#include "vehicle/driver/driver.h"

enum { NAME_MAX_LENGTH = 47 };
typedef char scene_name[NAME_MAX_LENGTH + 1];

// Where in the scene text something was said, for messages of later stages ("scene.json:12:7").
typedef struct scene_location {
    int line, column;
} scene_location;

typedef struct scene_material {
    scene_name name;
    scr_material_def def;
} scene_material;
// indices of materials
typedef struct scene_material_pair {
    int a, b;
    scr_material_pair_def def;
} scene_material_pair;

// How a kinematic body moves. Exactly one of the two translations may be given, and one of the two rotations.
typedef struct scene_motion {
    bool has_position, has_velocity, has_angle, has_spin;
    time_vector position;  // m: where the body's frame is at time t
    time_vector velocity;  // m/s
    scr_vec3 axis;         // unit vector; the body turns about it through its frame's origin
    time_function angle;   // rad from the initial rotation
    time_function spin;    // rad/s
} scene_motion;

// What a hull, a mesh or a heightfield is made of. Shapes that are described in the same words share one. A file is
// read when the world is made, so that a resumed run, which has its surfaces in the checkpoint, needs none.
typedef struct scene_surface {
    scr_shape_kind kind;  // SCR_HULL, SCR_MESH or SCR_HEIGHTFIELD
    scene_location location;
    char *path;    // NULL: what follows is in the scene itself
    double scale;  // of points; of a heightfield's heights
    int64_t point_count;
    scr_vec3 *points;  // m, before scaling; hulls, meshes
    int64_t triangle_count;
    int32_t *triangles;  // 3 a triangle; meshes
    int32_t size[2];     // heightfields: points along x and y, x fastest in `heights`
    double spacing[2];   // m
    double *heights;     // m, before scaling
    int ground1;         // heightfields: index + 1 of the ground whose heights these are; 0: none
} scene_surface;

// A sphere set of a body, whose file is read when the world is made, as that of a surface.
typedef struct scene_sphere_set {
    scene_location location;
    char *path;
    double scale;
    int material;       // index
    scr_vec3 position;  // m, in the body's frame: of the solid's centre of mass
    scr_quat rotation;  // in the body's frame
} scene_sphere_set;

typedef struct scene_ground {
    scene_name name;
    scene_location location;
    ground_def def;
} scene_ground;

// How a body looks in pictures. All zero: as pictures choose.
typedef struct scene_appearance {
    bool has_colour, has_opacity;
    float colour[3];  // red, green, blue from 0 to 1, sRGB
    double opacity;   // share of the light that each of its surfaces stops, 0 to 1
    bool is_hidden;
} scene_appearance;

typedef struct scene_body {
    scene_name name;  // "" if it has none
    scene_location location;
    scr_body_def def;  // def.shapes points into this scene; materials and surfaces are indices + 1 as in the world
                       // to be; a shape with a surface is placed by the frame its points were given in
    scr_shape *shapes;
    scene_sphere_set *sphere_sets;  // their spheres stand behind the shapes
    int sphere_set_count;
    bool has_motion;
    scene_motion motion;
    // Where its frame is as the run begins, and how the body moves then; joints and springs are made where def has it.
    bool has_start;
    scr_body_state start;
    double remove_at;  // s; the body is taken away at this time; infinity: never
    scene_appearance appearance;
} scene_body;

enum { GROUND = -1 };  // in the place of a body's index

// One end of a joint or a spring, or where a load acts. `own`: in the body's own frame; else in world axes at t = 0.
typedef struct scene_anchor {
    int body;  // index, or GROUND
    bool own_point, own_axis, own_x_axis;
    scr_vec3 point;         // m
    scr_vec3 axis, x_axis;  // directions of z and x; z counts, x is made to be at a right angle to it
    bool has_point, has_x_axis;
} scene_anchor;

// A joint, or an actuator, which is a distance joint with a motor.
typedef struct scene_joint {
    scene_name name;
    scene_location location;
    bool is_actuator;
    scene_anchor end[2];
    scr_joint_def def;  // all but the bodies and their frames
    bool has_motor;
    scr_motor_def motor;  // all but its value, which is
    time_function drive;
} scene_joint;

typedef struct scene_spring {
    scene_name name;
    scene_location location;
    int joint;  // index; -1: between two points
    scene_anchor end[2];
    scr_spring_def def;  // all but the joint, the bodies and their points; def.table points to `table`
    number_pairs table;  // stretch and force
} scene_spring;

typedef struct scene_coupling {
    scene_name name;
    scene_location location;
    int joint[3];          // indices
    scr_coupling_def def;  // all but the joints' handles; a rack's first joint slides, all others turn
} scene_coupling;

// A force and a torque on a body, in world axes or in those of its frame.
typedef struct scene_load {
    scene_name name;
    scene_location location;
    scene_anchor end;  // the body, and where the force acts: without a point at its centre of mass
    bool in_body_axes;
    bool is_stress;             // its force is that for each square metre of a face between bodies
    int across[2][2];           // of a stress: the face is as long as these two are apart, and as wide as those
    time_vector force, torque;  // N or Pa, N m
} scene_load;

enum { TRACKS_MAX = 2 };
// A track as its driver sees it.
typedef struct scene_driven_track {
    int sprocket;           // joint, whose motor holds a spin
    double y;               // m, of its middle plane in the chassis' frame
    double rolling_radius;  // m: the track goes so far for each radian of the sprocket
} scene_driven_track;
typedef struct scene_driver {
    scene_name name;
    scene_location location;
    driver_def def;  // def.path points to `waypoint`
    int body;        // the chassis
    scene_driven_track track[TRACKS_MAX];
    int track_count;
    time_function speed, yaw_rate;  // m/s, rad/s
    ground_point *waypoint;
} scene_driver;

// A ring of links that a sprocket drives: chain_drives.h.
typedef struct scene_chain_drive {
    scene_name name;
    scene_location location;
    int sprocket;  // joint: revolute, its second body is the sprocket
    int teeth;
    int *pin;  // joints, whose second bodies are links, as they come to the sprocket; the first is on it
    int pin_count;
} scene_chain_drive;

typedef region scene_region;
typedef size_distribution scene_size;

// Which grains a fill or an emitter makes: of each a share of the number.
enum { CLUMP_MAX = 16 };  // spheres of a clump
enum { PEBBLE_CORNERS_MAX = 128 };
// Hulls of random points, see scene/populate/grain_shape.h.
typedef struct scene_pebble {
    scr_vec3 semi_axes;  // of the ellipsoid around a pebble of radius 1
    double roughness;    // 0 to 1: by how much corners lie below it at most
    int corners, forms;  // points of a hull; hulls that differ
} scene_pebble;
typedef struct scene_grain {
    scr_shape shape;  // of a grain of radius 1, see scene/populate/grain_shape.h
    int material;
    int clump_count;  // 0: it is no clump. Else these spheres are the grain, instead of the shape:
    struct {
        scr_vec3 centre;
        double radius;
    } clump[CLUMP_MAX];   // both of a grain of radius 1
    scene_pebble pebble;  // of no corners: it is none. Else one of these hulls is the grain, instead of the shape
} scene_grain;
typedef struct scene_mix {
    int count;  // at least 1
    scene_grain *grain;
    double *weight;  // grain k is taken with probability weight[k] / sum of weight
} scene_mix;

typedef struct scene_fill {
    scene_name name;
    scene_location location;
    fill_pattern pattern;
    scene_region region;
    scene_size size;
    scene_mix mix;
    int64_t count;      // exactly so many, from the bottom up; 0: as many as fit
    double spacing;     // distance of neighbours over the largest diameter; >= 1 keeps them apart
    double jitter;      // share of the free room by which a grain is moved off its place; jittered pattern
    scr_vec3 velocity;  // m/s
    int top,
        bottom;  // grounds that a region under or on one lies between; GROUND_NONE: it is none, or has a level floor
    int layers, layers_on;  // so many on the meshes of this body, instead of a region; 0: none
    bool avoid;             // leave out what would overlap the bodies, and the grains of fills before
    bool fixed;             // grains that never move
} scene_fill;

// Grains from a CSV file with columns x,y,z,r (optionally vx,vy,vz).
typedef struct scene_table {
    scene_name name;
    scene_location location;
    char *path;
    int material;
} scene_table;

// Grains from a bed. The file is read when the world is made, as those of surfaces.
typedef struct scene_bed {
    scene_name name;
    scene_location location;
    char *path;
    scr_status (*read)(const char *path, bed *b, scr_error *error);  // set by whoever knows the format
    scr_vec3 position;                                               // m: where the bed's origin comes to be
    int repeat[3];                                                   // copies along each axis
    int material;  // of all grains; ANY_MATERIAL: those of the scene that have the names in the bed
} scene_bed;
enum { ANY_MATERIAL = -1 };

typedef struct scene_emitter {
    scene_name name;
    scene_location location;
    scene_region region;
    scene_size size;
    scene_mix mix;
    scr_vec3 velocity;   // m/s of new grains
    double rate;         // kg/s
    double start, stop;  // s
    int64_t limit;       // at most so many in all; 0: no limit
} scene_emitter;

// removes what enters it
typedef struct scene_sink {
    scene_name name;
    scene_region region;
    double start, stop;
} scene_sink;

typedef enum leave_action { LEAVE_REMOVE, LEAVE_KEEP, LEAVE_STOP } leave_action;
typedef struct scene_domain {
    bool present;
    scr_vec3 low, high;
    leave_action leave;
} scene_domain;

// The moving active box: grains near some bodies move, those around them are fixed, all others are parked outside the
// world. Its plan is drawn about each of the bodies, along its heading: scene/active/active_plan.h.
typedef enum box_face { FACE_FLAT, FACE_SLOPED, FACE_ROUNDED } box_face;
typedef struct scene_active_box {
    bool present;
    scene_location location;
    int *around;  // indices of bodies
    int around_count;
    double ahead, behind, side;  // m, from the body's centre
    box_face face;
    double shell;         // m: how thick the fixed shell is at least
    double cell;          // m: edge of a cell
    double freeze_speed;  // m/s: what is faster is not fixed, and is counted where it must be parked
    double store_bytes;   // beyond these the store is a file
} scene_active_box;

// Grains at rest sleep: scene/sleep/sleeping.h.
typedef struct scene_sleeping {
    bool present;
    double speed;  // m/s: of what disturbs
    double after;  // s
    double force;  // share of what a grain carries
    double cell;   // m: edge of a cell; 0: from the grains
} scene_sleeping;

typedef enum probe_kind {
    PROBE_ENERGY,       // columns kinetic, potential, elastic
    PROBE_REGION_MASS,  // kg in a region
    // columns mass (kg so far) and rate (kg/s since the last row) through a plane, along its normal
    PROBE_MASS_FLOW,
    PROBE_CONTACT_COUNT,
    // columns fx, fy, fz, tx, ty, tz: contact force on a body, mean over the steps since the last row
    PROBE_BODY_FORCE,
    PROBE_BODY_STATE,  // columns x, y, z, vx, vy, vz, qw, qx, qy, qz, wx, wy, wz
    PROBE_BODY_COUNT,  // columns bodies, emitted, removed
    PROBE_ACTIVE_BOX,  // columns live, fixed, parked
    PROBE_SLEEPING,    // columns asleep, fallen, woken_cells
    // columns fx, fy, fz, tx, ty, tz: what a joint does to its second body, mean since the last row
    PROBE_JOINT_FORCE,
    PROBE_JOINT_MOTION,     // columns along, about, along_rate, about_rate, gap, tilt
    PROBE_MOTOR,            // columns force, speed, power; torque and spin if it turns
    PROBE_SPRING,           // columns length, rate, force; or angle, rate, torque
    PROBE_COUPLING,         // columns error and force or torque
    PROBE_TRACKED_VEHICLE,  // scene/probe/vehicle_probes.h
    PROBE_ANCHOR,           // scene/probe/anchor_probes.h
    // columns xx, yy, zz, xy, yz, zx, pressure: mean stress of the cell since the last row, compression positive
    PROBE_STRESS,
    PROBE_PACKING,  // share of a box that grains fill
    PROBE_RIG,      // scene/probe/rig_probe.h
} probe_kind;
typedef enum stress_part { STRESS_ALL, STRESS_CONTACT, STRESS_KINETIC } stress_part;
// A track as the probe of its vehicle sees it. Bodies, joints and springs are indices.
typedef struct scene_track {
    bool is_right;
    double y;                      // m, of its middle plane in the chassis' frame
    int sprocket;                  // joint, with or without a motor
    int tensioner;                 // spring
    double rolling_radius;         // m: the track goes so far for each radian of the sprocket
    double shoe_depth;             // m: of a shoe's outer face below its frame
    double rear, front;            // m: x in the chassis' frame between which shoes lie on the ground
    double guide;                  // m: a shoe's middle this far from the plane of its track has left its guides
    int *shoe, *pin, *road_wheel;  // bodies, joints, joints
    int shoe_count, pin_count, road_wheel_count;
} scene_track;
typedef struct scene_vehicle {
    int chassis;    // body
    double mass;    // kg, of all
    double ground;  // m: z of the ground before it came
    double from;    // s: when the means of the summary begin
    scene_track track[TRACKS_MAX];
    int track_count;
} scene_vehicle;

typedef enum probe_frame { FRAME_WORLD, FRAME_JOINT, FRAME_BODY } probe_frame;
typedef struct scene_probe {
    scene_name name;
    scene_location location;
    probe_kind kind;
    scene_region region;     // region_mass, packing
    scr_vec3 point, normal;  // mass_flow
    double extent;           // m; mass_flow counts crossings within this distance of point; infinity by default
    int body;                // body_force, body_state, anchor: index into bodies
    int element;             // index of the joint, spring or coupling that a probe of these looks at
    int rotary;              // anchor: the joint that turns; `element` is the one that slides
    double depth;            // anchor: m, at the start
    probe_frame frame;       // joint_force: of the axes of its columns
    stress_part part;        // stress
    scene_vehicle *vehicle;  // tracked_vehicle; owned
} scene_probe;

typedef struct scene_output {
    double frame_interval;      // s between frames of the trajectory; 0: none
    double probe_interval;      // s between rows of probes.csv; 0: every step
    double checkpoint_minutes;  // wall-clock minutes between checkpoints
    bool contacts;              // frames hold contacts with their forces
    bool rotations;             // frames hold rotations and angular velocities of spheres
    bool set_spheres;           // frames hold every sphere of sphere sets, not the sets
} scene_output;

// What the colour of a body shows, and the colour map of quantities.
typedef enum colour_by {
    COLOUR_BODY,
    COLOUR_RADIUS,
    COLOUR_SPEED,
    COLOUR_MATERIAL,
    COLOUR_FORCE,
    COLOUR_DISPLACEMENT,
    COLOUR_GROUP,
    COLOUR_BY_COUNT
} colour_by;
typedef enum colour_map {
    MAP_SCREE,
    MAP_VIRIDIS,
    MAP_CIVIDIS,
    MAP_INFERNO,
    MAP_MAGMA,
    MAP_EARTH,
    MAP_COUNT
} colour_map;

// A key of a camera path: where the camera is at a time, and what it is aimed at.
typedef struct camera_key {
    double time;
    scr_vec3 eye, target;
} camera_key;  // s, m

// How pictures of the run look unless the command line says otherwise. What is not given is chosen so that everything
// is seen.
typedef struct scene_view {
    bool has_eye, has_target;
    scr_vec3 eye, target;  // m
    double field_of_view;  // degrees, vertical
    scene_name follow;     // a body that the camera moves along with; "": none
    double orbit;          // degrees by which the camera goes about its target in the course of the run
    camera_key *path;      // keys one after the other, instead of eye and target; NULL: none
    int path_count;
    colour_by colour;
    colour_map map;
    bool has_range;
    double range_min, range_max;  // of the colour bar
    bool chains;                  // show contact forces as rods between bodies
    bool has_cut[3];              // planes x, y, z = cut, before which all is taken away
    double cut[3];                // m
    bool ground;                  // show a floor at the lowest z
    double ground_height;         // m
    bool has_ground_height;
    bool captions;  // title, time, scale and legend
} scene_view;

// Of a space that is sheared (world.period.shear; its rate is that at t = 0).
typedef struct scene_shear {
    bool present;
    time_function rate;   // 1/s
    bool starts_in_flow;  // bodies begin as fast as the flow is where they are, besides their own velocity
} scene_shear;

// Of a space whose lengths change (world.period.is_stretched): along each axis a stress is held, or, where there is
// none at the time, the length grows at a rate.
typedef struct scene_servo {
    bool present;
    time_vector stress;  // Pa, compression positive
    time_vector rate;    // m/s
    double speed;        // m/s: no length that is held changes faster
    scene_location location;
} scene_servo;

// When a run ends before its time: the mean kinetic energy of a body stays below `energy` for `duration`.
typedef struct scene_rest {
    double energy;    // J; 0: it does not
    double duration;  // s
    double after;     // s; before this nothing counts as rest
} scene_rest;

// The same when grains fill so much of a box.
typedef struct scene_packing {
    double fraction;     // 0: it does not
    scr_vec3 low, high;  // m
    double after;        // s; before this it does not count
} scene_packing;

// A phase of the run: scene/parts/phases.h. It ends when all that is asked for has held for some time. Bodies are
// indices; -1: that is not asked for.
typedef struct phase_force {
    int body;
    double at_least;  // N, of all that touches it
} phase_force;
typedef struct phase_travel {
    int body;
    double distance;  // m from where it was as the phase began
} phase_travel;
typedef struct phase_clearance {
    int body;
    double distance;  // m at most between its underside and what is below it
    double depth;     // m: of the underside below its frame's origin
    double half[2];   // m: half the size of its footprint along x and y
} phase_clearance;
typedef struct scene_phase {
    scene_name name;
    scene_location location;
    bool has_end;     // something is asked for
    double speed;     // m/s: of all that moves, the root of the mean square at most; INFINITY: not asked for
    double duration;  // s at least
    phase_force force;
    phase_travel travel;
    phase_clearance clearance;
    double stress;   // Pa: mean normal stress of a periodic cell, at least; 0: not asked for
    double hold;     // s for which all of it holds
    double at_most;  // s; then it ends all the same
} scene_phase;

// A test rig: what its probe looks at. Its parts are bodies, joints, loads and phases like any others.
typedef struct scene_rig {
    bool present;
    rig_def def;
    int tool;           // body: the lid, the plate, the cone, the wheel, the ring, the cell's top
    int driven;         // body whose x counts: the upper box, the wheel
    int wall[3][2];     // of a cell: the bodies whose frames are its low and its high faces along x, y, z
    bool is_periodic;   // of a cell: it has no walls, and no tool
    int zero_phase[2];  // indices of phases: where x and z are counted from as they begin
    int measure;        // index of the phase in which the curve is measured
} scene_rig;

typedef struct scene {
    char *title;  // never NULL
    uint64_t seed;
    double end_time;  // s
    scene_rest rest;
    scene_packing packing;
    scene_phase *phases;
    int phase_count;
    scr_world_def world;  // solver, contact, time step; gravity is that at t = 0
    time_vector gravity;  // m/s^2
    scene_shear shear;
    scene_servo servo;
    double overlap_limit;  // initial overlap over the smaller radius beyond which a scene is refused
    scene_material *materials;
    int material_count;
    scene_material_pair *pairs;
    int pair_count;
    scene_ground *grounds;
    int ground_count;
    scene_surface *surfaces;
    int64_t surface_count;
    scene_body *bodies;
    int body_count;
    scene_joint *joints;
    int joint_count;  // actuators come last
    scene_spring *springs;
    int spring_count;
    scene_coupling *couplings;
    int coupling_count;
    scene_load *loads;
    int load_count;
    scene_driver *drivers;
    int driver_count;
    scene_chain_drive *chain_drives;
    int chain_drive_count;
    scene_name *groups;
    int group_count;  // of collision, by bit
    scene_fill *fills;
    int fill_count;
    scene_table *tables;
    int table_count;
    scene_bed *beds;
    int bed_count;
    scene_emitter *emitters;
    int emitter_count;
    scene_sink *sinks;
    int sink_count;
    scene_domain domain;
    scene_active_box active_box;
    scene_sleeping sleeping;
    scene_probe *probes;
    int probe_count;
    scene_rig rig;
    scene_output output;
    scene_view view;
    char *path;    // as the user gave it, for messages
    char **files;  // that it was read from besides: meshes, tables
    int64_t file_count, file_capacity;
} scene;

extern const char *const COLOUR_WORDS[COLOUR_BY_COUNT], *const COLOUR_MAP_WORDS[MAP_COUNT];  // as scenes call them

scene_view scene_default_view(void);
void scene_view_free(scene_view *view);           // what it owns, not itself
void scene_surface_free(scene_surface *surface);  // what it owns, not itself
void scene_destroy(scene *s);                     // frees everything it owns, and s; NULL is fine

#endif
