// What the joints of a scene make of its bodies, for scree check.
#ifndef APP_MECHANISM_REPORT_H
#define APP_MECHANISM_REPORT_H

#include "scene/simulation.h"

// Lines of the table: how much can move, what closing the joints took, which conditions are kept twice; and warnings.
// Nothing for a scene without joints.
void print_mechanisms(const simulation *sim);

#endif
