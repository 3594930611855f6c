// SPDX-License-Identifier: BSD-3-Clause
// Study files in quotes: ' stands for ".
#ifndef TESTS_STUDY_STUDY_TEXT_H
#define TESTS_STUDY_STUDY_TEXT_H

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "study/plan/study_plan.h"

static inline scr_status read_study(const char *quoted, study_plan *plan, scr_error *error)
{
    char text[4096];
    size_t length = strlen(quoted);
    assert_true(length < sizeof text);
    for (size_t k = 0; k <= length; ++k) text[k] = (char)(quoted[k] == '\'' ? '"' : quoted[k]);
    return study_plan_read_text(text, length, "in/study.json", plan, error);
}

#endif
