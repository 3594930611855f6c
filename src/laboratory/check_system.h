// SPDX-License-Identifier: BSD-3-Clause
// What checks of saved systems share.
#ifndef LABORATORY_CHECK_SYSTEM_H
#define LABORATORY_CHECK_SYSTEM_H

#include "laboratory/saved_system.h"

static const double SYSTEM_NUMBER_MAX = 1e15;  // SI; the square root of what single precision holds, and less

scr_status check_joints(const saved_system *s, const char *name, scr_error *error);  // bodies are checked already

#endif
