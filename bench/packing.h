// SPDX-License-Identifier: BSD-3-Clause
// One step of a settled packing of equal spheres in a box as a contact problem, in units of a sphere's mass and radius
// and of g h for velocities: entries of N and r are of order 1, so residuals are not distorted by units. No gap enters:
// a problem of velocities alone, with contacts where surfaces are nearer than 1e-3 radii.
#ifndef BENCH_PACKING_H
#define BENCH_PACKING_H

#include "dynamics/cone/system/contact_system.h"

typedef struct packing_contact {
    int a, b;          // spheres; a is -1 at a wall
    scr_vec3 axis[3];  // normal from a to b, two tangents
} packing_contact;

typedef struct packing {
    int64_t sphere_count, contact_count;
    scr_vec3 *position;   // in radii
    double width, depth;  // of the box, in radii
    double *free_motion;  // 6 a sphere: velocity, and spin times radius, without contacts
    packing_contact *contact;
    scr_vec3 *r;     // relative velocity at the contacts without impulses
    float *impulse;  // 3 a contact
    double *precise;
} packing;

static const double PACKING_FRICTION = 0.5;

// int64 count, then x y z r a sphere, then the width and depth of the box: as peers' drivers write it. False: it cannot
// be read.
bool packing_read(packing *p, const char *path);
// As many spheres dropped into a box by scree itself.
bool packing_settle(packing *p, int64_t count);
void packing_free(packing *p);

// Set the bodies moving, at random up to the given speed in units of g h besides falling for a step, and find the
// contacts.
void packing_shake(packing *p, double speed);
contact_system packing_system(packing *p);
// | g - P(g - (u + mu |u_t| n)) | / max(|r|, |g|, |u|): the natural map of Coulomb's law, for impulses of 3 numbers a
// contact.
double packing_residual(const packing *p, const double *impulse);

#endif
