// SPDX-License-Identifier: BSD-3-Clause
// What is read off the curve of a rig (docs/rigs.md defines each figure).
#ifndef RIG_RIG_FIGURES_H
#define RIG_RIG_FIGURES_H

#include "rig/rig_curve.h"
#include "scree/scene.h"

// The load that the rig held: its sums over the steps of the measurement.
typedef struct rig_hold {
    double steps, sum, squares;  // N, N^2
} rig_hold;

// As many as were written.
int rig_figures(const rig_def *def, const rig_curve *curve, const rig_hold *hold,
                scr_rig_figure figure[SCR_RIG_FIGURES_MAX]);

#endif
