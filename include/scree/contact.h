// Contacts of the last step, with the forces they carried, or of the world as it stands.
#ifndef SCREE_CONTACT_H
#define SCREE_CONTACT_H

#include "scree/body.h"

/// One contact. The normal points from a to b; force and torque act on b, and their opposites on a.
typedef struct scr_contact {
    scr_body a, b;
    scr_vec3 point;   ///< m, half way between the two surfaces
    scr_vec3 normal;
    double gap;       ///< m; negative when the bodies overlap
    scr_vec3 force;   ///< N, mean over the step
    scr_vec3 torque;  ///< N m, likewise: of rolling and spinning friction, besides what the force makes at the point
} scr_contact;

/// Find the contacts as the next step would, without moving anything: they carry no force. Bodies may have come, gone or been
/// moved since the last step.
SCR_API scr_status scr_world_find_contacts(scr_world *world, scr_error *error);
SCR_API int64_t scr_world_contact_count(const scr_world *world);
SCR_API scr_contact scr_world_contact(const scr_world *world, int64_t index);

#endif
