// SPDX-License-Identifier: BSD-3-Clause
// Contacts of the last step, with the forces they carried, or of the world as it stands.
#ifndef SCREE_CONTACT_H
#define SCREE_CONTACT_H

#include "scree/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/// All contacts: entry i is the same contact in every array. Normals point from a to b; force and torque act on b, and
/// their opposites on a. Valid until the next call that changes the world.
typedef struct scr_contact_view {
    int64_t count;
    const scr_body *a, *b;
    const scr_vec3 *point;   ///< m, the midpoint of the two surfaces
    const scr_vec3 *normal;  ///< of unit length
    const double *gap;       ///< m; negative where the bodies overlap
    const scr_vec3 *force;   ///< N, mean over the step; 0 where they are near but do not press
    const scr_vec3 *torque;  ///< N m, likewise: of rolling and spinning friction, besides the moment of the force
} scr_contact_view;

/// The contacts of the last step, or of scr_world_find_contacts. Empty where there was no step yet, or bodies were
/// added or removed since. Made when it is first asked for after a step, which costs a pass over the contacts and can
/// fail with SCR_NO_MEMORY alone; asked for again it costs nothing. The order depends on the state alone.
SCR_API scr_status scr_world_contacts(const scr_world *world, scr_contact_view *view, scr_error *error);

/// Find the contacts as the next step would, without moving anything: they carry no force. Bodies may have come, gone
/// or been moved since the last step. Fails as a step does.
SCR_API scr_status scr_world_find_contacts(scr_world *world, scr_error *error);

#ifdef __cplusplus
}
#endif

#endif
