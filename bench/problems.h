// SPDX-License-Identifier: BSD-3-Clause
// Contact problems on which solvers are compared: beds of spheres, settled by scree itself, bare or under a plate.
//
//   A       4000 spheres of 10 mm +- 10 % in a box 16 x 16 diameters wide, about 16 layers
//   B       A under a plate of 1e3 sphere masses (a quarter of the bed)
//   C       A under a plate of 1e5 sphere masses (25 beds)
//   deepL   a box 8 x 8 diameters wide, L = 8, 16, 32, 64 diameters deep
//   plateL  the same under 25 bed masses
// All are calmed first: of a bed at rest the last step's impulses are the answer already. Then, as the step begins,
// gravity turns by 5 degrees (A, B, deepL), or the plate is kicked down at 2 cm/s (C, plateL) and has to be arrested.
// Friction 0.5 everywhere, steps of 1 ms. Each is made with compliant contacts (eps = 1e-3, no dampers) and with rigid
// ones. Boxes have frictional walls.
#ifndef BENCH_PROBLEMS_H
#define BENCH_PROBLEMS_H

#include "laboratory/saved_system.h"
#include "scree/scree.h"

typedef struct problem_recipe {
    const char *name;
    double width;  // diameters
    int64_t spheres;
    double plate_masses;  // of a mean sphere; 0: no plate
    double plate_speed;   // m/s, down, given as the step begins
    double tilt;          // degrees by which gravity turns as the step begins
} problem_recipe;

extern const problem_recipe PROBLEM_RECIPES[];
extern const int PROBLEM_RECIPE_COUNT;

// A bed that has fallen and come to rest.
typedef struct settled_bed {
    int64_t count;
    scr_vec3 *position;
    double *radius;
    scr_body *handle;
    double width;  // m
} settled_bed;

// The bits do not depend on the thread count.
scr_status bed_settle(settled_bed *bed, const problem_recipe *recipe, int threads, scr_error *error);
bool bed_suits(const settled_bed *bed, const problem_recipe *recipe);
void bed_free(settled_bed *bed);
// Keep the problem of the step that the recipe is about.
scr_status problem_make(const settled_bed *bed, const problem_recipe *recipe, bool rigid, int threads,
                        saved_system *kept, scr_error *error);

#endif
