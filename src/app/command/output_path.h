// SPDX-License-Identifier: BSD-3-Clause
// Where a verb writes what it makes: asked before the work is done, so that what cannot be written is bad input, and
// that nothing is lost which the verb did not make.
#ifndef APP_COMMAND_OUTPUT_PATH_H
#define APP_COMMAND_OUTPUT_PATH_H

#include "io/run/output_checks.h"

// What a verb reads is never written to; what others made only if the user says so.
typedef struct output_rule {
    const char *const *inputs;  // files and run directories; NULL among them is passed over
    int64_t input_count;
    bool force;  // --force
} output_rule;

// What --force means, for help.
extern const char FORCE_HELP[];

scr_status check_output_file(const char *path, const output_rule *rule, scr_error *error);
// Two files of one command must be two. Either may be NULL.
scr_status check_outputs_differ(const char *a, const char *b, scr_error *error);

// Files in it that are called as in one of these patterns (as of a shell; the last is NULL) will be replaced: all must
// be made by scree, whatever the user says, and none be read.
scr_status check_output_members(const char *directory, const char *const *patterns, const output_rule *rule,
                                scr_error *error);

#endif
