// SPDX-License-Identifier: BSD-3-Clause
// What the verbs that work on studies say alike.
#ifndef APP_SWEEP_STUDY_MESSAGES_H
#define APP_SWEEP_STUDY_MESSAGES_H

#include "core/base/status.h"

void tell_study_waits(void);
void tell_study_interrupted(void);
// Once something has been written, bad input is a failure too: the exit code.
int complain_of_study(const scr_error *error);

#endif
