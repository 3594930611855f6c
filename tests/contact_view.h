// SPDX-License-Identifier: BSD-3-Clause
// One contact of a world's view at a time.
#ifndef TESTS_CONTACT_VIEW_H
#define TESTS_CONTACT_VIEW_H

#include "check.h"
#include "scree/contact.h"

typedef struct one_contact {
    scr_body a, b;
    scr_vec3 point, normal;  // m
    double gap;              // m
    scr_vec3 force, torque;  // N, N m
} one_contact;

static inline scr_contact_view contacts_of(const scr_world *world)
{
    scr_contact_view view;
    assert_int_equal(scr_world_contacts(world, &view, NULL), SCR_OK);
    return view;
}

static inline int64_t contact_count(const scr_world *world) { return contacts_of(world).count; }

static inline one_contact contact_at(const scr_world *world, int64_t i)
{
    scr_contact_view v = contacts_of(world);
    assert_true(i >= 0 && i < v.count);
    return (one_contact){v.a[i], v.b[i], v.point[i], v.normal[i], v.gap[i], v.force[i], v.torque[i]};
}

#endif
