// SPDX-License-Identifier: BSD-3-Clause
// What the command returns to the shell.
#include "app/command/exit_code.h"

#include <stdio.h>

// The table: by what went wrong, before and after output has begun. A file that cannot be read is bad input; one that
// cannot be written to its end is a failure. Who writes calls input bad only as long as nothing is written.
enum { NOTHING_WRITTEN, OUTPUT_BEGUN };
static const exit_code code_of[][2] = {
    [SCR_OK] = {EXIT_DONE, EXIT_DONE},           [SCR_BAD_INPUT] = {EXIT_BAD_INPUT, EXIT_BAD_INPUT},
    [SCR_IO] = {EXIT_BAD_INPUT, EXIT_FAILED},    [SCR_NO_MEMORY] = {EXIT_FAILED, EXIT_FAILED},
    [SCR_DIVERGED] = {EXIT_FAILED, EXIT_FAILED}, [SCR_INTERRUPTED] = {EXIT_INTERRUPTED, EXIT_INTERRUPTED},
};

void print_exit_codes(void)
{
    printf("exit codes: 0 done, 1 failed while running (the state of a run is saved), 2 bad input (nothing written),\n"
           "            130 interrupted (the state of a run is saved, `scree resume` continues)\n");
}

static int say(const scr_error *error, int stage)
{
    fprintf(stderr, "scree: %s\n", error->message);
    return code_of[error->status][stage];
}

int complain(const scr_error *error) { return say(error, NOTHING_WRITTEN); }
int complain_at_work(const scr_error *error) { return say(error, OUTPUT_BEGUN); }
