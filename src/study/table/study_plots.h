// SPDX-License-Identifier: BSD-3-Clause
// The plots of a sweep, study.svg and study.png.
//
// A grid or list of one or two axes: each figure against the first axis that has numbers, a curve for each value of the
// other one. More axes, and random designs: each figure against each axis, as dots. Bars are the standard deviation of
// a run over the seeds.
#ifndef STUDY_TABLE_STUDY_PLOTS_H
#define STUDY_TABLE_STUDY_PLOTS_H

#include "study/table/study_table.h"

enum { PLOTTED_AXES_MAX = 6, PLOTTED_FIGURES_MAX = 8 };  // of all, that a page has room for

// *is_drawn is false where there is nothing to draw: no axis has numbers, no run is done.
scr_status study_plots_write(const study_table *t, const study_directory *d, bool *is_drawn, scr_error *error);

#endif
