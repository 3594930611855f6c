// SPDX-License-Identifier: BSD-3-Clause
// A bed: grains out of some world, with all that lets them go on as they were: poses, twists, masses, shapes, what they
// are made of, and the contacts among them with their history. What else stood in that world is no part of it.
//
// Like all state it stands in tables (core/arrays/table.h). Grains are in the order in which they were made, so that of
// two of them the same one owns their contact in the next world. Where the world repeated itself, the bed has its
// periodic cell; positions are within it, and a contact across a seam is one whose grains are nearest as images.
#ifndef SCENE_BED_BED_H
#define SCENE_BED_BED_H

#include "core/arrays/table.h"
#include "core/maths/period.h"
#include "core/maths/pose.h"
#include "geometry/surface/surfaces.h"
#include "scree/scree.h"

enum { BED_NAME_LENGTH = 48, BED_TABLE_COUNT = 14 };
typedef char bed_name[BED_NAME_LENGTH];

typedef struct bed {
    table about;       // scalars
    uint32_t law;      // scr_contact_law
    double time_step;  // s: impulses are forces times this
    int64_t step_count;
    double cell_low[3], cell_length[3];  // m; length 0 along axes that do not repeat
    table materials;
    bed_name *name;
    double *density, *young, *poisson, *friction, *restitution, *rolling_friction, *spinning_friction, *cohesion;
    double *surface_energy;  // each as in scr_material_def
    table grains;
    scr_vec3 *position;  // m, centre of mass
    scr_quat *rotation;  // principal axes
    scr_vec3 *velocity;  // m/s
    scr_vec3 *spin;      // rad/s, body axes
    double *mass;        // kg
    scr_vec3 *inertia;   // kg m^2, principal
    uint16_t *material;  // index; of its first shape, where shapes have their own
    table shapes;        // in the order of their grains, each of which has one at least
    int32_t *grain;
    uint8_t *kind;             // scr_shape_kind
    double *radius;            // m; as in scr_shape
    table frames;              // as many as shapes, or none where each grain is one sphere about its centre
    scr_vec3 *shape_position;  // m, in the grain
    scr_quat *shape_rotation;
    scr_vec3 *half;  // m; as in scr_shape
    table contacts;  // in any order
    int32_t *a, *b;  // shapes
    uint32_t *feature;
    float *impulse;         // N s, 3 each, acting on b
    table cone_history;     // as many as contacts, or none: complementarity
    float *previous;        // N s, 3 each
    float *allowance;       // m
    table penalty_history;  // as many as contacts, or none: penalty
    double *spring, *roll;  // m, rad, 3 each
    uint8_t *in_touch;
    table angular_history;   // as many as contacts, or none: complementarity with rolling friction
    float *angular_impulse;  // N m s, 3 each
    table shape_materials;   // as many as shapes, or none where each grain is of one material
    uint16_t *shape_material;
    table shape_hulls;    // as many as shapes, or none where no grain is a hull
    int32_t *shape_hull;  // entry in hulls, or NO_HULL
    surfaces hulls;       // their state; what is derived of it is not kept up
} bed;
enum { NO_HULL = -1 };

void bed_init(bed *b);
void bed_free(bed *b);
void bed_tables(bed *b, table *tables[BED_TABLE_COUNT]);
uint64_t bed_hash(const bed *b);
// Everything that the others take for granted, whatever the numbers are; or a sentence that begins with the path.
scr_status bed_check(const bed *b, const char *path, scr_error *error);

periodic_cell bed_cell(const bed *b);
scr_material_def bed_material(const bed *b, int64_t m);
static inline uint16_t bed_shape_material(const bed *b, int64_t shape)
{
    return b->shape_materials.count > 0 ? b->shape_material[shape] : b->material[b->grain[shape]];
}
static inline bool bed_has_frames(const bed *b) { return b->frames.count > 0; }
// The axes along which two grains are nearest as images: how many cells lie between them.
typedef struct cell_steps {
    int32_t along[3];
} cell_steps;
cell_steps bed_contact_crossing(const bed *b, const periodic_cell *cell, int64_t contact);

// Of all tables that have an entry a contact: keep from[0], from[1], ... in ascending order.
void bed_keep_contacts(bed *b, const int32_t *from, int64_t count);
// The bed no longer repeats along an axis: contacts across that seam are gone.
scr_status bed_open_seam(bed *b, int axis, scr_error *error);
// Impulses as for steps, masses or sizes that differ.
void bed_scale_impulses(bed *b, double impulses, double angular_impulses);

// Entries from[0], from[1], ... in ascending order.
void table_keep(table *t, const int32_t *from, int64_t count);
scr_status table_append(table *to, const table *from, scr_error *error);  // both have the same fields
scr_status table_repeat(table *t, int64_t copies, scr_error *error);      // all entries, then all again

#endif
