// SPDX-License-Identifier: BSD-3-Clause
// What the verbs that work on studies say alike.
#include "app/sweep/study_messages.h"

#include <stdio.h>

#include "app/command/exit_code.h"

void tell_study_waits(void)
{
    fprintf(stderr, "scree: runs that an earlier scree began there are still saving themselves; waiting for them\n");
}

void tell_study_interrupted(void)
{
    fprintf(stderr, "scree: interrupted; all runs are saved, and the same command goes on\n");
}

int complain_of_study(const scr_error *error)
{
    int code = complain_at_work(error);
    return code == EXIT_BAD_INPUT ? EXIT_FAILED : code;
}
