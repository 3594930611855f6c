// SPDX-License-Identifier: BSD-3-Clause
// Materials and how they meet.
//
// For every two materials the world keeps what a contact between them needs, as a dense square of pairs: the pair
// (a, b) is entry a * count + b, the same as (b, a).
//   friction, restitution, ...  given for the pair, or the geometric mean of the two
//   modulus E*              1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b; a material that gives no E has the default,
//                           under the penalty law none: it then counts as rigid, and E* of two such is 0
// Normal stiffness of a contact: Hertz' law F = 4/3 E* sqrt(R*) d^(3/2), taken as the secant at d = REFERENCE_OVERLAP
// R*:
//   k_n = 4/3 E* R* sqrt(REFERENCE_OVERLAP)
#ifndef DYNAMICS_BODIES_MATERIALS_H
#define DYNAMICS_BODIES_MATERIALS_H

#include "core/arrays/table.h"
#include "scree/material.h"

typedef struct material_pair {
    double friction, restitution, rolling_friction, spinning_friction;
    double cohesion;        // Pa
    double surface_energy;  // J/m^2
    double modulus;         // Pa, E*
    bool gives_modulus;     // one of the two gives its own E
    double shear_modulus;   // Pa, G*: 1/G* = (2 - nu_a)/G_a + (2 - nu_b)/G_b
    // 4 G*/E*, tangential over normal stiffness (Mindlin); without any E: as if both had the same
    double shear_ratio;
    double damping_ratio;  // of a spring with a damper that gives the restitution
} material_pair;

// What can be said of a pair of materials.
enum {
    PAIR_FRICTION,
    PAIR_RESTITUTION,
    PAIR_ROLLING_FRICTION,
    PAIR_SPINNING_FRICTION,
    PAIR_COHESION,
    PAIR_SURFACE_ENERGY,
    PAIR_PROPERTIES
};

typedef struct materials {
    table table;
    double default_young;               // Pa; E of materials that give none; 0: they are rigid
    double *density, *young, *poisson;  // as in scr_material_def
    double *property[PAIR_PROPERTIES];  // those of scr_material_def that are mixed for a pair
    table pair_table;
    double *pair[PAIR_PROPERTIES];  // (count * count) as given, negative: mixed
    material_pair *derived;         // derived: (count * count)
    int64_t derived_capacity;
    double max_friction, max_restitution;     // derived
    double max_rolling_friction;              // derived: rolling or spinning
    double max_spinning_friction;             // derived
    double max_cohesion, max_surface_energy;  // derived, Pa, J/m^2
} materials;

void materials_init(materials *m, double default_young);
void materials_free(materials *m);
scr_status materials_add(materials *m, const scr_material_def *def, scr_error *error);
scr_material_def materials_def(const materials *m, int64_t index);
scr_status materials_set(materials *m, int64_t index, const scr_material_def *def,
                         scr_error *error);  // instead of what it was
scr_status materials_set_pair(materials *m, int64_t a, int64_t b, const scr_material_pair_def *def, scr_error *error);
bool materials_are_valid(const materials *m);                 // what was loaded could have been added
scr_status materials_derive(materials *m, scr_error *error);  // after loading or changing

static inline const material_pair *materials_pair(const materials *m, int64_t a, int64_t b)
{
    return &m->derived[a * m->table.count + b];
}
static inline bool materials_cohere(const materials *m) { return m->max_cohesion > 0.0 || m->max_surface_energy > 0.0; }
double contact_stiffness(double modulus, double radius_a, double radius_b);  // N/m; an infinite radius is flat
// N/m; of an effective radius: Hertz' secant at the overlap, or at the reference overlap if that is larger
double loaded_contact_stiffness(double modulus, double radius, double overlap);
// N/m; of each of the points on which a face stands: a flat punch's 2 E* a, shared by four. size: of the smaller shape
double flat_contact_stiffness(double modulus, double size);

#endif
