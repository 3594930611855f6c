// SPDX-License-Identifier: BSD-3-Clause
// What the laws of all contacts of a step have in common.
#ifndef DYNAMICS_CONE_SYSTEM_STEP_LAW_H
#define DYNAMICS_CONE_SYSTEM_STEP_LAW_H

#include <stdbool.h>

typedef struct step_law {
    bool is_rigid;
    bool has_dampers;   // springs keep an impulse of their own
    bool is_warm;       // impulses of the last step are a first guess
    double lead;        // and go on as they did from the step before it, by so much
    double h;           // s
    double gravity;     // m/s^2, its size
    double recovery;    // m/s: how fast overlaps of rigid contacts are undone
    double compliance;  // relative to masses, of materials without a modulus; 0: none
    double damping;     // s; negative: it follows from the restitution
} step_law;

// A contact that would end deeper than this share of the smaller radius is too violent for springs.
#define VIOLENT_SHARE 0.5
// Overlap of a new contact beyond this share of the smaller radius was not made by moving.
#define EASY_OVERLAP 2e-3
// A hover beyond this share of the smaller radius is kept down (hover.c).
#define HOVER_SHARE 0.1

#endif
