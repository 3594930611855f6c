// Contacts of the last step, with the forces they carried.
#ifndef SCREE_CONTACT_H
#define SCREE_CONTACT_H

#include "scree/body.h"

/// One contact. The normal points from a to b; the force acts on b, and its opposite on a.
typedef struct scr_contact {
    scr_body a, b;
    scr_vec3 point;   ///< m, half way between the two surfaces
    scr_vec3 normal;
    double gap;       ///< m; negative when the bodies overlap
    scr_vec3 force;   ///< N, mean over the step
} scr_contact;

SCR_API int64_t scr_world_contact_count(const scr_world *world);
SCR_API scr_contact scr_world_contact(const scr_world *world, int64_t index);

#endif
