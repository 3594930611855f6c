// SPDX-License-Identifier: BSD-3-Clause
#include "app/command/clock.h"

#include "core/base/stopwatch.h"

double clock_now(void) { return scr_now(); }
