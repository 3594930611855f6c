// SPDX-License-Identifier: BSD-3-Clause
// What a contact problem is made of, as lines to read.
#ifndef APP_SOURCE_PROBLEM_REPORT_H
#define APP_SOURCE_PROBLEM_REPORT_H

#include "laboratory/saved_system.h"

void print_problem(const char *path, const saved_system *s);

#endif
