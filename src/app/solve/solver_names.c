// SPDX-License-Identifier: BSD-3-Clause
// Solvers by name, as options list them.
#include "app/solve/solver_names.h"

#include <string.h>

#include "core/base/status.h"

static const char *const NAMES[SOLVER_KINDS] = {
    [SCR_SOLVER_AGS] = "ags",       [SCR_SOLVER_GS] = "gs", [SCR_SOLVER_APGD] = "apgd",
    [SCR_SOLVER_JACOBI] = "jacobi", [SCR_SOLVER_BB] = "bb", [SCR_SOLVER_NEWTON] = "newton",
    [SCR_SOLVER_AUTO] = "auto",
};

const char *solver_name(scr_solver_kind kind) { return NAMES[kind]; }

static scr_status add_solver(const char *word, int length, scr_solver_kind list[SOLVER_KINDS], int *count,
                             scr_error *error)
{
    int kind = 0;
    while (kind < SOLVER_KINDS &&
           (strlen(NAMES[kind]) != (size_t)length || strncmp(NAMES[kind], word, (size_t)length) != 0))
        ++kind;
    if (kind == SOLVER_KINDS)
        return scr_fail(error, SCR_BAD_INPUT,
                        "there is no solver \"%.*s\"; there are ags, gs, apgd, jacobi, bb, newton and auto", length,
                        word);
    for (int k = 0; k < *count; ++k) {
        if (list[k] == (scr_solver_kind)kind)
            return scr_fail(error, SCR_BAD_INPUT, "--solver names %s twice", NAMES[kind]);
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
    for (const char *word = text != NULL ? text : NAMES[SCR_SOLVER_AGS]; status == SCR_OK;) {
        size_t length = strcspn(word, ",");
        status = add_solver(word, (int)length, list, count, error);
        if (word[length] == '\0') break;
        word += length + 1;
    }
    return status;
}
