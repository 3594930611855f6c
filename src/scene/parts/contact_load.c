// SPDX-License-Identifier: BSD-3-Clause
// What touches a body does to it.
#include "scene/parts/contact_load.h"

void add_contact_load(double load[LOAD_SIZE], const scripted_bodies *bodies, const sleeping *asleep,
                      const scr_world *world, int body)
{
    scr_vec3 force, torque;
    if (scr_body_contact_force(world, bodies->handle[body], &force, &torque, NULL) != SCR_OK) return;
    const double now[LOAD_SIZE] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    for (int c = 0; c < LOAD_SIZE; ++c) load[c] += now[c];
    sleeping_add_load(asleep, body, load);
}
