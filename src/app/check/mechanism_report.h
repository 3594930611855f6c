// SPDX-License-Identifier: BSD-3-Clause
// What the joints of a scene make of its bodies, for scree check.
#ifndef APP_CHECK_MECHANISM_REPORT_H
#define APP_CHECK_MECHANISM_REPORT_H

#include "scene/run/simulation.h"

// Lines of the table: how much can move, what closing the joints took, which conditions are kept twice; and warnings.
// Nothing for a scene without joints.
void print_mechanisms(const simulation *sim);

#endif
