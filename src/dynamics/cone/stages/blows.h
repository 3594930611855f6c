// SPDX-License-Identifier: BSD-3-Clause
// Blows that happen at once: contacts that close with the velocities of now receive impulses g that obey
//   u_n+ >= -e u_n-,   g_n >= 0,   one of the two an equality         Newton's law
//   |g_t| <= mu g_n,   u_t+ = 0 or g_t against it at the limit        Coulomb's
// Blows that share no body that can be moved, directly or through others, are nothing to each other: each such cluster
// is solved by itself, by sweeps, as many as it needs. All bodies of a mechanism are in one cluster, and an impulse on
// one of them moves them all as its joints allow (joint_system.h).
//
// u_n- is without what gravity gives in this step: a ball then bounces with the energy that steps of free flight keep.
// Of a cluster the kinetic energy changes by
//   1/2 sum g . (u+ + u-)  =  1/2 sum ((1 - e) g_n u_n- + g_t . (u_t+ + u_t-))
// which friction at several contacts of one body can make positive. Such a cluster is taken without restitution: then
// it is g . u+ - 1/2 g^T N g <= 0.
#ifndef DYNAMICS_CONE_STAGES_BLOWS_H
#define DYNAMICS_CONE_STAGES_BLOWS_H

#include "dynamics/world/world.h"

// What take_blows takes of the arena for so many of them.
size_t blows_bytes(const scr_world *world, int64_t count);
// Contacts in ascending order. number (bodies): NO_BODY throughout, before and after. Changes the world's velocities
// and adds to contacts' blows. Of bodies of mechanisms what strikes them alone: joints answer to it next
// (take_blows_into_joints). is_first: as for contact_free_change.
void take_blows(scr_world *world, const int64_t *contact, int64_t count, int32_t *number, bool is_first,
                scr_arena arena);

#endif
