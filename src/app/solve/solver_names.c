// SPDX-License-Identifier: BSD-3-Clause
// Solvers by name, as options list them.
#include "app/solve/solver_names.h"

#include <string.h>

#include "core/base/status.h"

static scr_status add_solver(const char *word, int length, scr_solver_kind list[SOLVER_KINDS], int *count,
                             scr_error *error)
{
    int kind = 0;
    while (kind < SOLVER_KINDS &&
           (strlen(SOLVER_NAMES[kind]) != (size_t)length || strncmp(SOLVER_NAMES[kind], word, (size_t)length) != 0))
        ++kind;
    if (kind == SOLVER_KINDS)
        return scr_fail(error, SCR_BAD_INPUT,
                        "there is no solver \"%.*s\"; there are ags, gs, apgd, jacobi, bb, newton and auto", length,
                        word);
    for (int k = 0; k < *count; ++k) {
        if (list[k] == (scr_solver_kind)kind)
            return scr_fail(error, SCR_BAD_INPUT, "--solver names %s twice", SOLVER_NAMES[kind]);
    }
    list[(*count)++] = (scr_solver_kind)kind;
    return SCR_OK;
}

scr_status solver_list_parse(const char *text, scr_solver_kind list[SOLVER_KINDS], int *count, scr_error *error)
{
    *count = 0;
    if (text != NULL && strcmp(text, "all") == 0) {
        for (int kind = 0; kind < SOLVER_KINDS; ++kind) list[(*count)++] = (scr_solver_kind)kind;
        return SCR_OK;
    }
    scr_status status = SCR_OK;
    for (const char *word = text != NULL ? text : SOLVER_NAMES[SCR_SOLVER_AGS]; status == SCR_OK;) {
        size_t length = strcspn(word, ",");
        status = add_solver(word, (int)length, list, count, error);
        if (word[length] == '\0') break;
        word += length + 1;
    }
    return status;
}
