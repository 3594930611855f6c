// SPDX-License-Identifier: BSD-3-Clause
// Materials: what a surface is made of, and how two of them meet.
#ifndef SCREE_MATERIAL_H
#define SCREE_MATERIAL_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A world (world.h): the owner of everything.
typedef struct scr_world scr_world;

/// A material of one world. All zero is null.
typedef struct scr_material {
    uint32_t index1;
} scr_material;

/// Everything about one material. Start from scr_default_material_def().
typedef struct scr_material_def {
    double density;      ///< kg/m^3; default 2500
    double friction;     ///< Coulomb coefficient; default 0.5
    double restitution;  ///< 0 (default, dead) to 1 (elastic)
    double young;        ///< Young's modulus in Pa; 0 (default): 2e10 where contacts are compliant
    double poisson;      ///< Poisson's ratio; default 0.3
    /// rolling is resisted by a torque of up to this x effective radius x normal force; default 0
    double rolling_friction;
    double spinning_friction;  ///< the same about the normal of the contact; default 0
    /// Pa; two grains in touch pull at each other with this x pi r^2, r the smaller radius; default 0
    double cohesion;
    double surface_energy;  ///< J/m^2, the work of adhesion; default 0. How it acts: scr_contact_def.adhesion
} scr_material_def;

/// How two materials meet, each as in scr_material_def. A negative value, the default, means "mixed from the two": the
/// geometric mean.
typedef struct scr_material_pair_def {
    double friction, restitution, rolling_friction, spinning_friction, cohesion, surface_energy;
} scr_material_pair_def;

/// Stone of 2500 kg/m^3 with a coefficient of friction of 0.5, without restitution, cohesion and rolling friction.
SCR_API scr_material_def scr_default_material_def(void);
/// Everything mixed from the two materials.
SCR_API scr_material_pair_def scr_default_material_pair_def(void);

/// Add a material. SCR_BAD_INPUT names the field that cannot be; *material is null then.
SCR_API scr_status scr_world_add_material(scr_world *world, const scr_material_def *def, scr_material *material,
                                          scr_error *error);
/// Change a material between any two steps. Contacts follow it from the next step on; bodies keep the mass they have.
/// SCR_BAD_INPUT names the field that cannot be, and the material stays as it was.
SCR_API scr_status scr_world_set_material(scr_world *world, scr_material material, const scr_material_def *def,
                                          scr_error *error);
/// A material as it is now; all zero if the world has none of that handle.
SCR_API scr_material_def scr_world_material(const scr_world *world, scr_material material);
/// Say how a and b meet, instead of what was said before; a may be b. May be called between any two steps.
SCR_API scr_status scr_world_pair_materials(scr_world *world, scr_material a, scr_material b,
                                            const scr_material_pair_def *def, scr_error *error);

#ifdef __cplusplus
}
#endif

#endif
