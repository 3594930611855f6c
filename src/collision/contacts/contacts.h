// SPDX-License-Identifier: BSD-3-Clause
// The contacts of one step, found from the neighbour lists, and the cache that carries their impulses to the next.
//
// A pair is kept as a contact when its gap may close within the step:
//     gap < envelope min(r_a, r_b) + h (closing speed + mu sliding speed)
// The sliding term is the gap at which the cone complementarity law lets a sliding contact hover. Bodies that contacts
// are known to send off within the step look that much further, in all directions. Contacts stand in the
// order of their owner a, then b, then feature: the same for any thread count and any age of the list.
#ifndef COLLISION_CONTACTS_CONTACTS_H
#define COLLISION_CONTACTS_CONTACTS_H

#include "collision/broad/neighbours.h"
#include "collision/contacts/sphere_pairs.h"
#include "collision/narrow/contact_point.h"

// Where two shapes touch. Of two grains that follows from their balls, and it costs less to compute it anew than to
// keep it; of all others, and where space repeats itself, it is kept.
typedef struct contact_geometry {
    scr_vec3 normal;  // from a to b
    double gap;       // m
    scr_vec3 point;   // m; unless it is on the centre line
    // the point is on the normal through a's centre: both bodies are grains, or a is one and b cannot be moved
    bool on_centre_line;
    uint32_t feature;  // 0 of two grains
} contact_geometry;

enum { BETWEEN_GRAINS = -1 };  // in place of a number: two grains, whose balls say it

// What one thread has found of the pairs that are not two grains, before all contacts are laid out.
typedef struct staged_contact {
    contact_point found;
    int64_t pair;  // entry in the neighbour lists
} staged_contact;

typedef struct contact_stage {
    staged_contact *item;
    int64_t count, capacity;
    contact_list surface_points;  // scratch
    bool out_of_memory;
} contact_stage;

// A chunk of rows, the unit of work for a thread.
typedef struct contact_chunk {
    int32_t stage;  // where its staged contacts are, and from which one on
    int64_t first_staged;
    sifted_pairs found;      // pairs that touch; ~b of those whose contacts are staged
    int64_t contacts, kept;  // first how many it has and of how many the geometry is kept, then where the first ones go
    int64_t staged, staged_pairs;  // contacts on the stage, and of how many pairs
    int64_t general;               // how many of them are off the centre line
} contact_chunk;

typedef struct contact_staging {
    contact_stage *stage;  // (threads)
    contact_chunk *chunk;  // (chunk count)
    int64_t stage_count, chunk_capacity;
    // Where what chunks have found is: set by an owner who lends it for the length of a call, else memory of its own
    scr_arena *memory;
    scr_arena own_memory;
} contact_staging;

// What the penalty law keeps of a contact from step to step. A table of its own: only that law has it.
typedef struct contact_history {
    double *spring;     // m, 3 each: how far the tangential spring is stretched, b against a
    double *roll;       // rad, 3 each: how far the contact has rolled and spun since it last gave way
    uint8_t *in_touch;  // 1 if the contact carried a force, or could have
    int64_t capacity;
} contact_history;

typedef struct contacts {
    int64_t count;
    int64_t *start;       // (collider count + 1) first contact of an owner
    int32_t *a, *b;       // colliders
    int32_t *kept;        // entry in geometry, or BETWEEN_GRAINS
    float *impulse;       // N s, 3 each, world axes, acting on b: before the solve a first guess, after it the answer
    float *previous;      // N s, 3 each: the last step's impulse, 0 for a new contact
    float *allowance;     // m; overlap that did not come from motion and is not pushed apart at once
    float *spring_share;  // complementarity: what a contact's damper leaves of its spring's compliance (contact_row.h)
    bool has_blows;       // some material bounces; else there are no
    float *blow;          // N s, 3 each, acting on b: what impacts gave it in this step, besides impulse
    bool has_angular_impulses;    // contacts resist rolling; else there are no
    float *angular_impulse;       // N m s, 3 each, world axes, acting on b: what a contact turns with, as impulse
    float *last_angular_impulse;  // N m s, 3 each: the last step's, 0 for a new contact
    bool has_sets;                // some colliders are sphere sets; else there are no
    double *sphere_radius;        // m, 2 each: of the sphere of a set on a's and on b's side; undefined for others
    contact_geometry *geometry;   // (kept count) in the order of contacts
    int64_t kept_count;
    int64_t general_count;  // contacts off the centre line
    int64_t capacity, start_capacity, kept_capacity, angular_impulse_capacity, blow_capacity, sphere_radius_capacity;
    contact_staging staging;
    double max_penetration;   // m
    int64_t is_empty_for;     // entries of start that say that no two colliders may touch; 0 if that is not known
    contact_history history;  // (count) where contacts_grow_history was called
} contacts;

// m/s, at the end of a lever: of a body, or of the image of it that has this point
static inline scr_vec3 period_point_velocity(const periodic_cell *p, twist t, scr_vec3 lever)
{
    scr_vec3 v = point_velocity(t, period_offset(p, lever));
    return period_moves(p) ? vec3_add(v, period_image_velocity(p, lever)) : v;
}

// What of the bodies' motion decides whether a gap may close: velocities as they would be without contacts.
typedef struct approach {
    const body_motion *motion;  // (body count)
    const double *x, *y, *z;    // m, centres of mass (body count)
    const periodic_cell *period;
    const uint8_t *is_dynamic;  // (body count)
    const float *closing;       // m (collider count): at most so much of a gap it closes in the step
    double time_step, envelope, max_friction;
    // m (collider count), or NULL: what contacts add to its way in the step
    const float *deflection;
} approach;

// m/s, of a point of a body
static inline scr_vec3 approach_velocity(const approach *m, int32_t body, scr_vec3 point)
{
    scr_vec3 lever = vec3(point.x - m->x[body], point.y - m->y[body], point.z - m->z[body]);
    return period_point_velocity(m->period, motion_twist(&m->motion[body]), lever);
}

scr_status contacts_find(contacts *set, const colliders *c, const neighbours *list, const approach *motion, int threads,
                         scr_error *error);
void contacts_free(contacts *set);
scr_status contacts_grow(contacts *set, int64_t count, scr_error *error);  // room for so many in all arrays, undefined
scr_status contacts_grow_history(contacts *set, scr_error *error);         // room for that of all contacts, undefined
// room for those of all contacts, undefined
scr_status contacts_grow_angular_impulses(contacts *set, scr_error *error);
scr_status contacts_grow_blows(contacts *set, scr_error *error);  // likewise

// What is kept of contact i, or NULL: it is between two grains.
static inline const contact_geometry *contact_kept_geometry(const contacts *set, int64_t i)
{
    return set->kept[i] == BETWEEN_GRAINS ? NULL : &set->geometry[set->kept[i]];
}
static inline uint32_t contact_feature(const contacts *set, int64_t i)
{
    const contact_geometry *kept = contact_kept_geometry(set, i);
    return kept != NULL ? kept->feature : 0;
}
static inline bool contact_is_central(const contacts *set, int64_t i)
{
    const contact_geometry *kept = contact_kept_geometry(set, i);
    return kept == NULL || kept->on_centre_line;
}

// Two balls, as pair_kernels.place has it to the last bit. Centres that coincide have no normal; up will do, and is the
// same for everyone.
static inline contact_geometry geometry_between(const ball *a, const ball *b)
{
    scr_vec3 d = vec3(b->x - a->x, b->y - a->y, b->z - a->z);
    double distance = sqrt(d.x * d.x + d.y * d.y + d.z * d.z), gap = distance - (a->r + b->r), inverse = 1.0 / distance;
    if (!(distance > 0.0)) return (contact_geometry){{0.0, 0.0, 1.0}, gap, {0.0, 0.0, 0.0}, true, 0};
    return (contact_geometry){{d.x * inverse, d.y * inverse, d.z * inverse}, gap, {0.0, 0.0, 0.0}, true, 0};
}

// Normal, gap and point of contact i, the point being midway between the surfaces. Colliders are where they were when
// contacts were found: until the next step.
static inline contact_geometry contact_geometry_of(const contacts *set, const colliders *c, int64_t i)
{
    const contact_geometry *kept = contact_kept_geometry(set, i);
    const ball *a = &c->ball[set->a[i]];
    contact_geometry f = kept != NULL ? *kept : geometry_between(a, &c->ball[set->b[i]]);
    if (f.on_centre_line) f.point = vec3_add_scaled(vec3(a->x, a->y, a->z), a->r + 0.5 * f.gap, f.normal);
    return f;
}
static inline scr_vec3 contact_point_of(const contacts *set, const colliders *c, int64_t i)
{
    return contact_geometry_of(set, c, i).point;
}
// m: of the sphere of a set that touches on this side of contact i, 0 is a, 1 is b; 0 if that is no set. kind: that of
// the colliders.
static inline double contact_sphere_radius(const contacts *set, const uint8_t *kind, int64_t i, int side)
{
    if (!set->has_sets || kind[side == 0 ? set->a[i] : set->b[i]] != SCR_SPHERE_SET) return 0.0;
    return set->sphere_radius[2 * i + side];
}
// m: how large what touches is: the sphere of a set, or all of another collider.
static inline double contact_side_size(const contacts *set, const colliders *c, int64_t i, int side)
{
    double sphere = contact_sphere_radius(set, c->kind, i, side);
    return sphere > 0.0 ? sphere : c->radius[side == 0 ? set->a[i] : set->b[i]];
}
static inline double contact_smaller_size(const contacts *set, const colliders *c, int64_t i)
{
    double a = contact_side_size(set, c, i, 0), b = contact_side_size(set, c, i, 1);
    return a < b ? a : b;
}
// N s: all that contact i did to b in the step.
static inline scr_vec3 contact_impulse(const contacts *set, int64_t i)
{
    const float *g = set->impulse + 3 * i;
    scr_vec3 impulse = vec3((double)g[0], (double)g[1], (double)g[2]);
    if (!set->has_blows) return impulse;
    const float *blow = set->blow + 3 * i;
    return vec3_add(impulse, vec3((double)blow[0], (double)blow[1], (double)blow[2]));
}
// From a body's centre of mass, or the nearest image of it, to a point of contact.
static inline scr_vec3 contact_lever(const colliders *c, scr_vec3 point, scr_vec3 centre)
{
    return period_offset(&c->period, vec3_sub(point, centre));
}
static inline scr_vec3 contact_velocity(const colliders *c, scr_vec3 point, scr_vec3 centre, twist t)  // m/s likewise
{
    return period_point_velocity(&c->period, t, vec3_sub(point, centre));
}
// Does contact i reach over a seam beyond which images have other velocities?
static inline bool contact_crosses_moving_seam(const contacts *set, const colliders *c, int64_t i)
{
    const periodic_cell *p = &c->period;
    if (!period_moves(p)) return false;
    const ball *a = &c->ball[set->a[i]], *b = &c->ball[set->b[i]];
    scr_vec3 d = vec3(b->x - a->x, b->y - a->y, b->z - a->z);
    if (p->is_sheared) return period_cells_between(p, d) != 0.0;
    return rint(p->inverse[0] * d.x) != 0.0 || rint(p->inverse[1] * d.y) != 0.0 || rint(p->inverse[2] * d.z) != 0.0;
}

#endif
