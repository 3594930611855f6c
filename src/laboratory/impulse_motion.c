// SPDX-License-Identifier: BSD-3-Clause
// What impulses do to the bodies of a saved system.
#include "laboratory/impulse_motion.h"

#include <string.h>

#include "core/arrays/colouring.h"

static void push(const saved_system *s, int32_t body, scr_vec3 lever, scr_vec3 impulse, scr_vec3 angular_impulse,
                 double *change)
{
    if (body == NO_BODY) return;
    system_body mass = saved_system_body(s, body);
    scr_vec3 spin_change = mat3_times(&mass.inv_inertia, vec3_add(vec3_cross(lever, impulse), angular_impulse));
    double *c = change + 6 * (int64_t)body;
    c[0] += mass.inv_mass * impulse.x;
    c[1] += mass.inv_mass * impulse.y;
    c[2] += mass.inv_mass * impulse.z;
    c[3] += spin_change.x;
    c[4] += spin_change.y;
    c[5] += spin_change.z;
}

void impulse_motion(const saved_system *s, const double *g, double *change)
{
    if (s->bodies.count > 0) memset(change, 0, (size_t)s->bodies.count * 6 * sizeof *change);
    for (int64_t i = 0; i < s->contacts.count; ++i) {
        contact_row row = saved_system_row(s, i);
        const double *load = g + 6 * i;
        scr_vec3 impulse = vec3(load[0], load[1], load[2]), angular_impulse = vec3(load[3], load[4], load[5]);
        push(s, row.a, row.lever_a, vec3_neg(impulse), vec3_neg(angular_impulse), change);
        push(s, row.b, row.lever_b, impulse, angular_impulse, change);
    }
}

void inertias_of(const saved_system *s, double *inertia)
{
    for (int64_t i = 0; i < s->bodies.count; ++i) {
        mat3 forward = {0};
        system_body body = saved_system_body(s, i);
        if (body.inv_mass > 0.0) forward = mat3_inverse_symmetric(&body.inv_inertia);
        memcpy(inertia + 9 * i, forward.m, sizeof forward.m);
    }
}

double motion_norm(const saved_system *s, const double *inertia, const double *change)
{
    double sum = 0.0;
    for (int64_t i = 0; i < s->bodies.count; ++i) {
        if (s->inv_mass[i] == 0.0) continue;
        const double *c = change + 6 * i, *m = inertia + 9 * i;
        sum += (c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) / s->inv_mass[i];
        for (int k = 0; k < 3; ++k) sum += c[3 + k] * (m[3 * k] * c[3] + m[3 * k + 1] * c[4] + m[3 * k + 2] * c[5]);
    }
    return sqrt(sum);
}
